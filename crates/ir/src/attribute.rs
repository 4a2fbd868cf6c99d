//! Attributes: the compile-time data on ops, arguments, results and modules.
//!
//! What Meshwright does not know is kept as text, so that reading and printing lose nothing.

use crate::sdy::SdyAttr;
use crate::sharding::ShardingAttr;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, Type};
use std::fmt;

use meshwright_tensor::quote::{is_bare, write_name, write_quoted};
use std::sync::Arc;

/// One attribute value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Attr {
    /// Present, without a value.
    Unit,
    /// `true` or `false`.
    Bool(bool),
    /// `3 : i64`; `None` is `index`.
    Int(i128, Option<ElementType>),
    /// `1.0 : f32`, as the bits of an f64.
    Float(u64, ElementType),
    /// `"text"`, unescaped.
    String(Arc<str>),
    /// `@symbol` (or `@outer::@inner`), without the first `@`.
    Symbol(Arc<str>),
    /// A type.
    Type(Type),
    /// `(a, b) -> c`.
    FunctionType(Vec<Type>, Vec<Type>),
    /// `[a, b]`.
    Array(Vec<Attr>),
    /// `{a = b}`.
    Dict(Attributes),
    /// `array<i64: 1, 2>`.
    DenseArray(ElementType, Vec<i64>),
    /// `array<f32: 1.0, 2.0>`, as the bits of f64s.
    FloatArray(ElementType, Vec<u64>),
    /// `dense<...> : tensor<...>`.
    Dense(Literal),
    /// `dense<...> : tensor<...xindex>`, kept as `i64`.
    DenseIndex(Literal),
    /// `#sdy.sharding<...>`.
    Sharding(ShardingAttr),
    /// `#sdy.sharding_per_value<[<...>, <...>]>`, one entry per result of an op.
    ShardingPerValue(Vec<ShardingAttr>),
    /// Any other attribute of the `sdy` dialect.
    Sdy(Arc<SdyAttr>),
    /// Any other dialect's attribute, as written from `#` to its end: `#stablehlo<precision DEFAULT>`.
    Dialect(Arc<str>),
}

impl Attr {
    /// The integer, if it is one (or a boolean).
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(value, _) => i64::try_from(*value).ok(),
            Self::Bool(value) => Some(i64::from(*value)),
            _ => None,
        }
    }

    /// The text, if it is a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// An `i64` attribute.
    pub fn i64(value: i64) -> Self {
        Self::Int(i128::from(value), Some(ElementType::I64))
    }

    /// An `i32` attribute.
    pub fn i32(value: i32) -> Self {
        Self::Int(i128::from(value), Some(ElementType::I32))
    }

    /// An `i64` attribute of a size or a position.
    pub fn position(value: usize) -> Self {
        Self::i64(value as i64)
    }

    /// `array<i64: ...>`.
    pub fn ints(values: Vec<i64>) -> Self {
        Self::DenseArray(ElementType::I64, values)
    }

    /// `array<i64: ...>` of sizes or positions.
    pub fn dims(values: &[usize]) -> Self {
        Self::ints(values.iter().map(|value| *value as i64).collect())
    }

    /// `[#stablehlo<precision DEFAULT>, ...]`.
    pub fn precision(words: &[String]) -> Self {
        let item = |word: &String| Self::Dialect(format!("#stablehlo<precision {word}>").into());
        Self::Array(words.iter().map(item).collect())
    }

    /// `#dialect<kind WORD>`, such as `#stablehlo<fft_type RFFT>`.
    pub fn word(dialect: &str, kind: &str, word: &str) -> Self {
        Self::Dialect(format!("#{dialect}<{kind} {word}>").into())
    }

    /// A string attribute.
    pub fn string(text: &str) -> Self {
        Self::String(text.into())
    }
}

/// Named attributes, sorted by name as MLIR keeps them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Attributes(Vec<(String, Attr)>);

impl Attributes {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// Where `name` stands, or would stand.
    fn position(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(key, _)| key.as_str().cmp(name))
    }

    /// The value under `name`.
    pub fn get(&self, name: &str) -> Option<&Attr> {
        self.position(name).ok().map(|at| &self.0[at].1)
    }

    /// Sets `name`, replacing what was there.
    pub fn set(&mut self, name: impl Into<String>, value: Attr) {
        let name = name.into();
        match self.position(&name) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (name, value)),
        }
    }

    /// These and one more.
    pub fn with(mut self, name: &str, value: Attr) -> Self {
        self.set(name, value);
        self
    }

    /// Removes and returns what is under `name`.
    pub fn remove(&mut self, name: &str) -> Option<Attr> {
        self.position(name).ok().map(|at| self.0.remove(at).1)
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All, in order of name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Attr)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }
}

impl FromIterator<(String, Attr)> for Attributes {
    fn from_iter<I: IntoIterator<Item = (String, Attr)>>(iter: I) -> Self {
        let mut attributes = Self::new();
        for (name, value) in iter {
            attributes.set(name, value);
        }
        attributes
    }
}

/// Writes `@symbol`, quoted where needed.
pub fn write_symbol(f: &mut impl fmt::Write, name: &str) -> fmt::Result {
    for (index, part) in name.split("::@").enumerate() {
        f.write_str(if index == 0 { "@" } else { "::@" })?;
        if is_bare(part) {
            f.write_str(part)?;
        } else {
            write_quoted(f, part)?;
        }
    }
    Ok(())
}

impl fmt::Display for Attributes {
    /// `{a = b, c}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, (name, value)) in self.0.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            write_name(f, name)?;
            if *value != Attr::Unit {
                write!(f, " = {value}")?;
            }
        }
        f.write_str("}")
    }
}

impl fmt::Display for Attr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit => f.write_str("unit"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value, Some(element)) => write!(f, "{value} : {element}"),
            Self::Int(value, None) => write!(f, "{value} : index"),
            Self::Float(bits, element) => {
                write!(
                    f,
                    "{} : {element}",
                    meshwright_tensor::literal::float_text(f64::from_bits(*bits), *element)
                )
            }
            Self::String(text) => write_quoted(f, text),
            Self::Symbol(name) => write_symbol(f, name),
            Self::Type(ty) => ty.fmt(f),
            Self::FunctionType(takes, gives) => {
                let list = |f: &mut fmt::Formatter<'_>, types: &[Type]| {
                    f.write_str("(")?;
                    for (index, ty) in types.iter().enumerate() {
                        write!(f, "{}{ty}", if index == 0 { "" } else { ", " })?;
                    }
                    f.write_str(")")
                };
                list(f, takes)?;
                f.write_str(" -> ")?;
                match gives.as_slice() {
                    [only] => only.fmt(f),
                    _ => list(f, gives),
                }
            }
            Self::Array(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { ", " })?;
                    // In lists, numbers of the types that are meant without one leave it out.
                    match item {
                        Self::Int(value, Some(ElementType::I64)) => write!(f, "{value}")?,
                        Self::Float(bits, ElementType::F64) => {
                            let text = meshwright_tensor::literal::float_text(
                                f64::from_bits(*bits),
                                ElementType::F64,
                            );
                            // Bits alone would be an integer.
                            write!(f, "{text}{}", if text.starts_with("0x") { " : f64" } else { "" })?;
                        }
                        item => item.fmt(f)?,
                    }
                }
                f.write_str("]")
            }
            Self::Dict(items) => items.fmt(f),
            Self::DenseArray(element, values) => {
                write!(f, "array<{element}")?;
                for (index, value) in values.iter().enumerate() {
                    f.write_str(if index == 0 { ": " } else { ", " })?;
                    match element {
                        ElementType::I1 => write!(f, "{}", *value != 0)?,
                        _ => write!(f, "{value}")?,
                    }
                }
                f.write_str(">")
            }
            Self::FloatArray(element, values) => {
                write!(f, "array<{element}")?;
                for (index, bits) in values.iter().enumerate() {
                    let text = meshwright_tensor::literal::float_text(f64::from_bits(*bits), *element);
                    write!(f, "{}{text}", if index == 0 { ": " } else { ", " })?;
                }
                f.write_str(">")
            }
            Self::Dense(literal) => write!(f, "{literal} : {}", literal.ty),
            Self::DenseIndex(literal) => {
                write!(f, "{literal} : tensor<")?;
                literal.ty.shape.iter().try_for_each(|dim| write!(f, "{dim}x"))?;
                f.write_str("index>")
            }
            Self::Sharding(sharding) => write!(f, "#sdy.sharding<{sharding}>"),
            Self::ShardingPerValue(shardings) => {
                f.write_str("#sdy.sharding_per_value<[")?;
                for (index, sharding) in shardings.iter().enumerate() {
                    write!(f, "{}<{sharding}>", if index == 0 { "" } else { ", " })?;
                }
                f.write_str("]>")
            }
            Self::Sdy(attribute) => attribute.fmt(f),
            Self::Dialect(text) => f.write_str(text),
        }
    }
}
