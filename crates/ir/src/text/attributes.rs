//! Reading attributes.

use super::dialect_attribute::canonical;
use super::lexer::{TokenKind, next_token};
use super::parser::{NAMES, Parsed, Parser, SYNTAX, short};
use crate::attribute::{Attr, Attributes};
use crate::diagnostic::Span;
use meshwright_tensor::literal::{fit_float_bits, fit_int, float_bytes, read_f64};
use meshwright_tensor::types::{ElementKind, ElementType};
use std::collections::BTreeSet;

/// What to write instead of an integer where a float is meant.
pub(super) const FLOAT_HINT: &str =
    "write a float with a point, such as `1.0`, or its bits in hexadecimal, such as `0x3F800000`";

impl Parser<'_> {
    /// `{a = b, c}` if one stands here, else nothing.
    pub fn attr_dict_opt(&mut self) -> Parsed<Attributes> {
        if self.at(b'{') { self.attr_dict() } else { Ok(Attributes::new()) }
    }

    /// `{a = b, c}`.
    pub fn attr_dict(&mut self) -> Parsed<Attributes> {
        let mut items = self.list(b'{', b'}', |p| {
            let span = p.here();
            let name = match p.token.kind {
                TokenKind::String => p.string()?,
                TokenKind::Bare => p.word("an attribute name")?.to_owned(),
                _ => return p.expected("an attribute name"),
            };
            let value = if p.eat(b'=') { p.attribute()? } else { Attr::Unit };
            Ok((name, value, span))
        })?;
        items.sort_by(|(name, ..), (other, ..)| name.cmp(other));
        if let Some(pair) = items.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let (name, _, span) = &pair[1];
            return self.fail(SYNTAX, *span, format!("attribute `{name}` is given twice"), "");
        }
        Ok(items.into_iter().map(|(name, value, _)| (name, value)).collect())
    }

    /// An attribute.
    pub fn attribute(&mut self) -> Parsed<Attr> {
        self.nested(Self::attribute_inner)
    }

    fn attribute_inner(&mut self) -> Parsed<Attr> {
        match self.token.kind {
            TokenKind::String => {
                let text = self.string()?;
                // A typed string's type says nothing that we need.
                if self.eat(b':') {
                    self.ty()?;
                }
                Ok(Attr::String(text.into()))
            }
            TokenKind::Symbol => Ok(Attr::Symbol(self.symbol()?.into())),
            TokenKind::Punct(b'[') => Ok(Attr::Array(self.list(b'[', b']', Self::attribute)?)),
            TokenKind::Punct(b'{') => Ok(Attr::Dict(self.attr_dict()?)),
            TokenKind::Punct(b'(') => {
                let (operands, results) = self.function_type()?;
                Ok(Attr::FunctionType(operands, results))
            }
            TokenKind::Punct(b'-') | TokenKind::Int | TokenKind::Float | TokenKind::Hex => self.number(),
            TokenKind::Hash => self.dialect_attribute(),
            TokenKind::Bang => Ok(Attr::Type(self.ty()?)),
            TokenKind::Bare => match self.text(self.token) {
                "true" | "false" => {
                    let value = self.at_word("true");
                    self.bump();
                    Ok(Attr::Bool(value))
                }
                "unit" => {
                    self.bump();
                    Ok(Attr::Unit)
                }
                "dense" => self.dense(),
                "dense_resource" => self.dense_resource().map(Attr::Dense),
                "array" => self.dense_array(),
                "loc" => self.location_attribute(),
                "tensor" | "tuple" => Ok(Attr::Type(self.ty()?)),
                // A bare element type, kept as text because it is not the type of a value.
                "complex" => Ok(Attr::Dialect(self.element_type()?.name().into())),
                word if ElementType::from_name(word).is_some() || matches!(word, "index" | "none") => {
                    let token = self.bump();
                    Ok(Attr::Dialect(self.text(token).into()))
                }
                "affine_map" | "affine_set" => self.raw_after_word(),
                _ => self.expected("an attribute"),
            },
            _ => self.expected("an attribute"),
        }
    }

    /// `3 : i32`, `1.5`, `-2`, `0x7FC00000 : f32`.
    fn number(&mut self) -> Parsed<Attr> {
        let start = self.token.start;
        let is_negative = self.at(b'-');
        let token = if is_negative { next_token(self.source, self.token.end) } else { self.token };
        if token.kind == TokenKind::Float {
            self.seek(token.end);
            self.last_end = token.end;
            let element = if self.eat(b':') { self.element_type()? } else { ElementType::F64 };
            if !element.is_float() {
                let message = format!("a number with a fraction is no {element}");
                return self.fail(SYNTAX, self.since(start), message, "");
            }
            return Ok(Attr::Float(float_value(self.text(token), is_negative, element).to_bits(), element));
        }
        let value = self.integer()?;
        if self.eat(b':') {
            if self.eat_word("index") {
                return match i64::try_from(value) {
                    Ok(_) => Ok(Attr::Int(value, None)),
                    Err(_) => {
                        self.fail(SYNTAX, self.since(start), format!("{value} does not fit `index`"), "")
                    }
                };
            }
            let element = self.element_type()?;
            if element.is_float() {
                let span = self.since(start);
                let is_bits = token.kind == TokenKind::Hex && !is_negative;
                return Ok(Attr::Float(self.float_bits(value, is_bits, element, span)?, element));
            }
            return self.fitting_int(value, element, start);
        }
        self.fitting_int(value, ElementType::I64, start)
    }

    /// An integer of a type; `start` is where it stands.
    fn fitting_int(&mut self, value: i128, element: ElementType, start: usize) -> Parsed<Attr> {
        match fit_int(value, element) {
            Some(value) if element == ElementType::I1 => Ok(Attr::Bool(value != 0)),
            Some(value) => Ok(Attr::Int(value, Some(element))),
            None => self.fail(SYNTAX, self.since(start), format!("{value} does not fit {element}"), ""),
        }
    }

    /// The float that an integer in the text stands for, as the bits of an f64. Only hexadecimal digits without a sign
    /// (`is_bits`) stand for one.
    fn float_bits(&mut self, value: i128, is_bits: bool, element: ElementType, span: Span) -> Parsed<u64> {
        if !is_bits {
            let message = format!("an integer where a float is meant ({element})");
            return self.fail(SYNTAX, span, message, FLOAT_HINT);
        }
        match fit_float_bits(value as u128, element) {
            Some(bytes) => Ok(read_f64(&bytes, element).to_bits()),
            None => self.fail(SYNTAX, span, format!("too many bits for {element}"), ""),
        }
    }

    /// `array<i64: 1, 2>`, `array<i1: true>`, `array<f32: 1.0>`.
    fn dense_array(&mut self) -> Parsed<Attr> {
        self.expect_word("array")?;
        self.expect(b'<')?;
        let span = self.here();
        let element = self.element_type()?;
        let mut values = Vec::new();
        match element.kind() {
            ElementKind::Complex => {
                return self.fail(SYNTAX, span, "the numbers of an array are integers or floats", "");
            }
            ElementKind::Float => {
                self.array_items(|p| {
                    values.push(p.array_float(element)?);
                    Ok(())
                })?;
                return Ok(Attr::FloatArray(element, values));
            }
            _ => {}
        }
        let mut values = Vec::new();
        self.array_items(|p| {
            let start = p.token.start;
            let value = match element {
                ElementType::I1 => i64::from(p.boolean()?),
                _ => {
                    let value = p.integer()?;
                    let fitting = fit_int(value, element).and_then(|value| i64::try_from(value).ok());
                    let Some(fitting) = fitting else {
                        let message = format!("{value} does not fit {element} in an array");
                        return p.fail(SYNTAX, p.since(start), message, "");
                    };
                    fitting
                }
            };
            values.push(value);
            Ok(())
        })?;
        Ok(Attr::DenseArray(element, values))
    }

    /// What follows the element type of an array: `: item, item>` or `>`.
    fn array_items(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<()> {
        if self.eat(b':') {
            item(self)?;
            while self.eat(b',') {
                item(self)?;
            }
        }
        self.expect(b'>')
    }

    /// One float of an array, as the bits of an f64.
    fn array_float(&mut self, element: ElementType) -> Parsed<u64> {
        let start = self.token.start;
        let is_negative = self.eat(b'-');
        let token = self.token;
        if token.kind == TokenKind::Float {
            self.bump();
            return Ok(float_value(self.text(token), is_negative, element).to_bits());
        }
        let value = self.integer()?;
        let span = self.since(start);
        self.float_bits(value, token.kind == TokenKind::Hex && !is_negative, element, span)
    }

    /// `#alias`, an attribute of `sdy`, or any other dialect's attribute, which is kept as text.
    fn dialect_attribute(&mut self) -> Parsed<Attr> {
        let (start, name) = (self.token.start, &self.text(self.token)[1..]);
        let after = self.source.as_bytes().get(self.token.end);
        if after != Some(&b'<') {
            if let Some(attribute) = self.attribute_alias(name)? {
                return Ok(attribute);
            }
            if !name.contains('.') {
                let hint = "aliases stand at the top of the file: #name = ...";
                return self.fail(NAMES, self.here(), format!("the alias `#{name}` is not defined"), hint);
            }
        }
        if name == "sdy" || name.starts_with("sdy.") {
            return self.sdy_attribute();
        }
        self.bump();
        if self.at(b'<') {
            self.skip_balanced(b'<', b'>')?;
        }
        self.has_mesh_axes |= name == "stablehlo.replica_group_mesh_axes";
        match canonical(&self.source[start..self.last_end]) {
            Ok(text) => Ok(Attr::Dialect(text.into())),
            Err(message) => {
                let span = self.since(start);
                self.fail(SYNTAX, span, format!("`#{name}`: {message}"), "")
            }
        }
    }

    /// The `<...>` of an attribute `#name<...>` that is written without its name.
    pub fn dialect_attribute_body(&mut self, name: &str) -> Parsed<Attr> {
        let start = self.token.start;
        self.skip_balanced(b'<', b'>')?;
        match canonical(&format!("#{name}{}", &self.source[start..self.last_end])) {
            Ok(text) => Ok(Attr::Dialect(text.into())),
            Err(message) => {
                let span = self.since(start);
                self.fail(SYNTAX, span, format!("`#{name}`: {message}"), "")
            }
        }
    }

    /// `word<...>` kept as text.
    fn raw_after_word(&mut self) -> Parsed<Attr> {
        let start = self.bump().start;
        self.skip_balanced(b'<', b'>')?;
        Ok(Attr::Dialect(self.source[start..self.last_end].into()))
    }

    /// Skips from an opening character to the one that closes it, minding nested ones of the same kind. If there is
    /// none, nothing behind it can be told apart, and reading ends.
    pub(crate) fn skip_balanced(&mut self, open: u8, close: u8) -> Parsed<()> {
        let opening = self.here();
        self.expect(open)?;
        let mut depth = 1usize;
        while depth > 0 {
            match self.token.kind {
                TokenKind::Punct(byte) if byte == open => depth += 1,
                TokenKind::Punct(byte) if byte == close => depth -= 1,
                TokenKind::Eof | TokenKind::Bad => {
                    self.is_over = true;
                    let message = format!("this `{}` is never closed", open as char);
                    let hint = match self.token.kind {
                        TokenKind::Eof => "the file ends too early; was it cut off?".to_owned(),
                        _ => format!("what stands before `{}` should close it", short(self.text(self.token))),
                    };
                    return self.fail(SYNTAX, opening, message, &hint);
                }
                _ => {}
            }
            self.bump();
        }
        Ok(())
    }
}

/// The value of a float in the text, rounded to its type.
fn float_value(digits: &str, is_negative: bool, element: ElementType) -> f64 {
    let magnitude: f64 = digits.parse().unwrap_or(f64::NAN);
    let magnitude = match element {
        ElementType::F32 => digits.parse::<f32>().map_or(magnitude, f64::from),
        _ => read_f64(&float_bytes(magnitude, element), element),
    };
    if is_negative { -magnitude } else { magnitude }
}

/// The fields of a dialect attribute kept as text, such as `#stablehlo.gather<offset_dims = [2], ...>`: each a list of
/// integers, an integer, or another word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialectFields {
    fields: Vec<(String, String)>,
}

impl DialectFields {
    /// Reads the fields of `attribute`, which must be `#name<...>`.
    pub fn of(attribute: &Attr, name: &str) -> Result<Self, String> {
        let wrong = || format!("expected a #{name}<...> attribute, found `{attribute}`");
        let Attr::Dialect(text) = attribute else {
            return Err(wrong());
        };
        let body = text
            .strip_prefix('#')
            .and_then(|rest| rest.strip_prefix(name))
            .and_then(|rest| rest.trim().strip_prefix('<'))
            .and_then(|rest| rest.strip_suffix('>'))
            .ok_or_else(wrong)?;
        let mut fields: Vec<(String, String)> = Vec::new();
        let mut names = BTreeSet::new();
        let mut depth = 0i32;
        let mut start = 0;
        let bytes = body.as_bytes();
        for at in 0..=bytes.len() {
            match bytes.get(at) {
                Some(b'[' | b'(' | b'<' | b'{') => depth += 1,
                Some(b']' | b')' | b'>' | b'}') => depth -= 1,
                None | Some(b',') if depth == 0 || at == bytes.len() => {
                    let part = body[start..at].trim();
                    start = at + 1;
                    if part.is_empty() {
                        continue;
                    }
                    let (key, value) = part.split_once('=').unwrap_or((part, ""));
                    if !names.insert(key.trim()) {
                        return Err(format!("`{}` is given twice in #{name}", key.trim()));
                    }
                    fields.push((key.trim().to_owned(), value.trim().to_owned()));
                }
                _ => {}
            }
        }
        Ok(Self { fields })
    }

    /// The text of a field; taken fields are gone.
    pub fn take(&mut self, name: &str) -> Option<String> {
        let at = self.fields.iter().position(|(key, _)| key == name)?;
        Some(self.fields.remove(at).1)
    }

    /// A list of positions; empty when missing.
    pub fn dims(&mut self, name: &str) -> Result<Vec<usize>, String> {
        let Some(text) = self.take(name) else {
            return Ok(Vec::new());
        };
        let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(&text);
        inner
            .split(',')
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .map(|item| {
                item.parse().map_err(|_| format!("`{name}` should be a list of positions, found `{text}`"))
            })
            .collect()
    }

    /// One integer with a default.
    pub fn int_or(&mut self, name: &str, default: i64) -> Result<i64, String> {
        match self.take(name) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| format!("`{name}` should be an integer, found `{text}`")),
        }
    }

    /// An error if a field has not been taken.
    pub fn finish(self) -> Result<(), String> {
        match self.fields.first() {
            None => Ok(()),
            Some((name, _)) => Err(format!("unknown field `{name}`")),
        }
    }
}
