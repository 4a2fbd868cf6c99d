//! Types of values: tensors of fixed shape, tokens and tuples (StableHLO specification, "Types").

use std::fmt;

/// The type of one tensor element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // the names are the specification's
pub enum ElementType {
    I1,
    I2,
    I4,
    I8,
    I16,
    I32,
    I64,
    Ui2,
    Ui4,
    Ui8,
    Ui16,
    Ui32,
    Ui64,
    F4E2M1Fn,
    F6E2M3Fn,
    F6E3M2Fn,
    F8E3M4,
    F8E4M3,
    F8E4M3B11Fnuz,
    F8E4M3Fn,
    F8E4M3Fnuz,
    F8E5M2,
    F8E5M2Fnuz,
    F8E8M0Fnu,
    F16,
    Bf16,
    F32,
    F64,
    ComplexF32,
    ComplexF64,
}

/// Kinds of numbers; most type rules only ask this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// `i1`.
    Boolean,
    /// Signed integers.
    Signed,
    /// Unsigned integers.
    Unsigned,
    /// Floating point.
    Float,
    /// Complex floating point.
    Complex,
}

impl ElementType {
    /// A type that holds positions up to `largest`, and as far below zero.
    pub fn for_positions(largest: usize) -> Self {
        if largest > (i32::MAX / 2) as usize { Self::I64 } else { Self::I32 }
    }

    /// Every element type with its text form.
    pub const ALL: &'static [(ElementType, &'static str)] = &[
        (Self::I1, "i1"),
        (Self::I2, "i2"),
        (Self::I4, "i4"),
        (Self::I8, "i8"),
        (Self::I16, "i16"),
        (Self::I32, "i32"),
        (Self::I64, "i64"),
        (Self::Ui2, "ui2"),
        (Self::Ui4, "ui4"),
        (Self::Ui8, "ui8"),
        (Self::Ui16, "ui16"),
        (Self::Ui32, "ui32"),
        (Self::Ui64, "ui64"),
        (Self::F4E2M1Fn, "f4E2M1FN"),
        (Self::F6E2M3Fn, "f6E2M3FN"),
        (Self::F6E3M2Fn, "f6E3M2FN"),
        (Self::F8E3M4, "f8E3M4"),
        (Self::F8E4M3, "f8E4M3"),
        (Self::F8E4M3B11Fnuz, "f8E4M3B11FNUZ"),
        (Self::F8E4M3Fn, "f8E4M3FN"),
        (Self::F8E4M3Fnuz, "f8E4M3FNUZ"),
        (Self::F8E5M2, "f8E5M2"),
        (Self::F8E5M2Fnuz, "f8E5M2FNUZ"),
        (Self::F8E8M0Fnu, "f8E8M0FNU"),
        (Self::F16, "f16"),
        (Self::Bf16, "bf16"),
        (Self::F32, "f32"),
        (Self::F64, "f64"),
        (Self::ComplexF32, "complex<f32>"),
        (Self::ComplexF64, "complex<f64>"),
    ];

    /// The text form, such as `bf16` or `ui32`.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The type named `name`, if it is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, text)| *text == name).map(|(element, _)| *element)
    }

    /// Bits of one element as stored on a device (sub-byte types are packed there).
    pub fn bits(self) -> usize {
        match self {
            Self::I2 | Self::Ui2 => 2,
            Self::I4 | Self::Ui4 | Self::F4E2M1Fn => 4,
            Self::F6E2M3Fn | Self::F6E3M2Fn => 6,
            Self::I1 | Self::I8 | Self::Ui8 => 8,
            Self::F8E3M4 | Self::F8E4M3 | Self::F8E4M3B11Fnuz | Self::F8E4M3Fn | Self::F8E4M3Fnuz => 8,
            Self::F8E5M2 | Self::F8E5M2Fnuz | Self::F8E8M0Fnu => 8,
            Self::I16 | Self::Ui16 | Self::F16 | Self::Bf16 => 16,
            Self::I32 | Self::Ui32 | Self::F32 => 32,
            Self::I64 | Self::Ui64 | Self::F64 | Self::ComplexF32 => 64,
            Self::ComplexF64 => 128,
        }
    }

    /// Kind of number that an element is.
    pub fn kind(self) -> ElementKind {
        match self {
            Self::I1 => ElementKind::Boolean,
            Self::I2 | Self::I4 | Self::I8 | Self::I16 | Self::I32 | Self::I64 => ElementKind::Signed,
            Self::Ui2 | Self::Ui4 | Self::Ui8 | Self::Ui16 | Self::Ui32 | Self::Ui64 => ElementKind::Unsigned,
            Self::ComplexF32 | Self::ComplexF64 => ElementKind::Complex,
            _ => ElementKind::Float,
        }
    }

    /// The type of a complex number's two parts; any other type itself.
    pub fn part(self) -> Self {
        match self {
            Self::ComplexF32 => Self::F32,
            Self::ComplexF64 => Self::F64,
            other => other,
        }
    }

    /// The complex type whose parts are of this type, if there is one.
    pub fn complex(self) -> Option<Self> {
        match self {
            Self::F32 => Some(Self::ComplexF32),
            Self::F64 => Some(Self::ComplexF64),
            _ => None,
        }
    }

    /// Bits of a float's significand behind the point, of a complex number's parts too; `None` for what is no float.
    pub fn mantissa_bits(self) -> Option<u32> {
        match self {
            Self::Bf16 => Some(7),
            Self::F16 => Some(10),
            Self::F32 | Self::ComplexF32 => Some(23),
            Self::F64 | Self::ComplexF64 => Some(52),
            _ => None,
        }
    }

    /// Returns whether it is a (real) floating-point type or a complex one.
    pub fn is_inexact(self) -> bool {
        matches!(self.kind(), ElementKind::Float | ElementKind::Complex)
    }

    /// Returns whether it is a (real) floating-point type.
    pub fn is_float(self) -> bool {
        self.kind() == ElementKind::Float
    }

    /// Returns whether it is a signed or unsigned integer (not `i1`).
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), ElementKind::Signed | ElementKind::Unsigned)
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A tensor type of fixed shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TensorType {
    /// Size of each dim, outermost first.
    pub shape: Vec<usize>,
    /// Type of one element.
    pub element: ElementType,
}

impl TensorType {
    /// A tensor type.
    pub fn new(shape: impl Into<Vec<usize>>, element: ElementType) -> Self {
        Self { shape: shape.into(), element }
    }

    /// A tensor type without dims.
    pub fn scalar(element: ElementType) -> Self {
        Self::new([], element)
    }

    /// Number of dims.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Number of elements.
    pub fn num_elements(&self) -> usize {
        self.shape.iter().product()
    }

    /// Bytes of the whole tensor on a device.
    pub fn num_bytes(&self) -> usize {
        (self.num_elements() * self.element.bits()).div_ceil(8)
    }
}

impl fmt::Display for TensorType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tensor<")?;
        for dim in &self.shape {
            write!(f, "{dim}x")?;
        }
        write!(f, "{}>", self.element)
    }
}

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A tensor of fixed shape.
    Tensor(TensorType),
    /// `!stablehlo.token`: orders side effects.
    Token,
    /// `tuple<...>`.
    Tuple(Vec<Type>),
    /// `!stablehlo.future<...>`: tensors that are being computed.
    Future(Vec<Type>),
}

impl Type {
    /// The tensor type, if it is one.
    pub fn as_tensor(&self) -> Option<&TensorType> {
        match self {
            Self::Tensor(tensor) => Some(tensor),
            _ => None,
        }
    }

    /// Bytes of a value of this type on a device.
    pub fn num_bytes(&self) -> usize {
        match self {
            Self::Tensor(tensor) => tensor.num_bytes(),
            Self::Token => 0,
            Self::Tuple(members) | Self::Future(members) => members.iter().map(Type::num_bytes).sum(),
        }
    }
}

impl From<TensorType> for Type {
    fn from(tensor: TensorType) -> Self {
        Self::Tensor(tensor)
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tensor(tensor) => tensor.fmt(f),
            Self::Token => f.write_str("!stablehlo.token"),
            Self::Tuple(members) | Self::Future(members) => {
                f.write_str(if matches!(self, Self::Tuple(_)) { "tuple<" } else { "!stablehlo.future<" })?;
                for (index, member) in members.iter().enumerate() {
                    write!(f, "{}{member}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str(">")
            }
        }
    }
}
