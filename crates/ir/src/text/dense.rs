//! Reading `dense<...>`: lists, splats, hex blobs, float bit patterns, complex pairs.

use super::attributes::FLOAT_HINT;
use super::lexer::TokenKind;
use super::parser::{Parsed, Parser, SYNTAX};
use super::resources::hex_bytes;
use crate::attribute::Attr;
use crate::diagnostic::Span;
use meshwright_tensor::literal::{
    Literal, LiteralData, element_bytes, fit_float_bits, fit_int, float_bytes, int_bytes,
};
use meshwright_tensor::types::{ElementKind, ElementType, TensorType};

/// One element as written; what it means depends on the type, which comes after the list.
#[derive(Clone, Copy)]
enum Element {
    Int(i128),
    Hex(u128),
    /// Start and end of the digits, and whether a minus stands before them.
    Float(Span, bool),
    Bool(bool),
    /// Marks that this and the next element are the two parts of a complex number.
    Complex,
}

/// The sizes of nested lists, and whether how deep they nest is settled.
#[derive(Default)]
struct ListShape {
    sizes: Vec<usize>,
    is_known: bool,
}

impl Parser<'_> {
    /// `dense<...> : tensor<...>`.
    pub(crate) fn dense(&mut self) -> Parsed<Attr> {
        let (literal, is_index) = self.dense_or_index()?;
        Ok(if is_index { Attr::DenseIndex(literal) } else { Attr::Dense(literal) })
    }

    /// `dense<...> : tensor<...>` as a literal.
    pub fn dense_literal(&mut self) -> Parsed<Literal> {
        if self.at_word("dense_resource") {
            return self.dense_resource();
        }
        let span = self.here();
        match self.dense_or_index()? {
            (literal, false) => Ok(literal),
            _ => self.fail(SYNTAX, span, "values are not of type `index`", "write the type as `i64`"),
        }
    }

    /// A literal, and whether its elements are of type `index`.
    fn dense_or_index(&mut self) -> Parsed<(Literal, bool)> {
        let start = self.token.start;
        self.expect_word("dense")?;
        self.expect(b'<')?;
        if self.token.kind == TokenKind::String {
            let token = self.bump();
            let text = self.text(token);
            self.expect(b'>')?;
            self.expect(b':')?;
            let (ty, is_index) = self.tensor_or_index_type()?;
            return Ok((self.blob(text, ty, Span::new(token.start, token.end))?, is_index));
        }
        let mut elements = Vec::new();
        let mut shape = None;
        if self.at(b'[') {
            let mut found = ListShape::default();
            self.elements(0, &mut found, &mut elements)?;
            shape = Some(found.sizes);
        } else if !self.at(b'>') {
            self.element(&mut elements)?;
        } else {
            shape = Some(vec![0]);
        }
        self.expect(b'>')?;
        self.expect(b':')?;
        let (ty, is_index) = self.tensor_or_index_type()?;
        let span = self.since(start);
        if let Some(shape) = &shape
            && *shape != ty.shape
            && ty.num_elements() != 0
        {
            let message = format!("the list has shape {shape:?}, but the type is {ty}");
            return self.fail(SYNTAX, span, message, "");
        }
        if ty.num_elements() == 0 {
            if !elements.is_empty() && shape.is_some() {
                return self.fail(SYNTAX, span, format!("elements are listed, but {ty} has none"), "");
            }
            let is_splat = shape.is_none() && !elements.is_empty();
            if !is_splat {
                return Ok((Literal { ty, data: LiteralData::Dense([].into()) }, is_index));
            }
        }
        let mut bytes = Vec::with_capacity(elements.len() * element_bytes(ty.element));
        let mut rest = elements.as_slice();
        while let Some((first, after)) = rest.split_first() {
            rest = after;
            if let Element::Complex = first {
                let part = match ty.element {
                    ElementType::ComplexF32 => ElementType::F32,
                    ElementType::ComplexF64 => ElementType::F64,
                    _ => {
                        return self.fail(
                            SYNTAX,
                            span,
                            format!("a pair of numbers in a constant of {ty}"),
                            "",
                        );
                    }
                };
                for _ in 0..2 {
                    if let Some((element, after)) = rest.split_first() {
                        rest = after;
                        self.push_element(*element, part, span, &mut bytes)?;
                    }
                }
            } else {
                self.push_element(*first, ty.element, span, &mut bytes)?;
            }
        }
        // The lists are regular, so the list's shape has as many elements; but no literal may hold others.
        let count = shape.as_ref().map_or(1, |_| ty.num_elements());
        if bytes.len() != count * element_bytes(ty.element) {
            let message = format!("the list does not have the {count} elements of {ty}");
            return self.fail(SYNTAX, span, message, "");
        }
        let data = match shape {
            None => LiteralData::Splat(bytes.into()),
            Some(_) => LiteralData::Dense(bytes.into()),
        };
        Ok((Literal { ty, data }.normalized(), is_index))
    }

    /// `"0x..."`: all elements' bytes, or one element's.
    fn blob(&mut self, text: &str, ty: TensorType, span: Span) -> Parsed<Literal> {
        let Some(mut bytes) = hex_bytes(text.trim_matches('"')) else {
            return self.fail(SYNTAX, span, "expected \"0x\" and pairs of hexadecimal digits", "");
        };
        let (one, count) = (element_bytes(ty.element), ty.num_elements());
        if ty.element == ElementType::I1
            && bytes.len() > 1
            && bytes.len() != count
            && bytes.len() == count.div_ceil(8)
        {
            // Before 2025, MLIR packed booleans, eight to a byte.
            bytes = (0..count).map(|index| bytes[index / 8] >> (index % 8) & 1).collect();
        }
        match ty.element {
            ElementType::I1 => bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0)),
            element if element.bits() < 8 => {
                bytes.iter_mut().for_each(|byte| *byte &= (1 << element.bits()) - 1)
            }
            _ => {}
        }
        if bytes.len() == one * count {
            return Ok(Literal { ty, data: LiteralData::Dense(bytes.into()) }.normalized());
        }
        if bytes.len() == one {
            return Ok(Literal { ty, data: LiteralData::Splat(bytes.into()) });
        }
        let message = format!("{} bytes of data for {ty}, which needs {}", bytes.len(), one * count);
        self.fail(SYNTAX, span, message, "the constant may have been cut off or elided by the printer")
    }

    /// A nested list; checks that it is regular and finds its shape.
    fn elements(&mut self, depth: usize, shape: &mut ListShape, out: &mut Vec<Element>) -> Parsed<()> {
        let span = self.here();
        if depth > 64 {
            return self.fail(SYNTAX, span, "this list is nested too deep", "");
        }
        let is_first = shape.sizes.len() == depth;
        if is_first {
            shape.sizes.push(0);
        }
        let mut count = 0;
        self.list(b'[', b']', |p| {
            count += 1;
            if p.at(b'[') {
                // Lists stand only above the first number that was met, and above the first list without items.
                let is_too_deep = shape.is_known && depth + 1 == shape.sizes.len();
                return if is_too_deep { p.expected("a number") } else { p.elements(depth + 1, shape, out) };
            }
            shape.is_known |= shape.sizes.len() == depth + 1;
            if shape.sizes.len() != depth + 1 {
                return p.expected("`[`");
            }
            p.element(out)
        })?;
        shape.is_known |= is_first && count == 0;
        if is_first {
            shape.sizes[depth] = count;
        } else if shape.sizes[depth] != count {
            let message = format!("this list has {count} items, the ones before it {}", shape.sizes[depth]);
            return self.fail(SYNTAX, span, message, "");
        }
        Ok(())
    }

    fn element(&mut self, out: &mut Vec<Element>) -> Parsed<()> {
        if self.eat(b'(') {
            out.push(Element::Complex);
            self.number_or_word(out)?;
            self.expect(b',')?;
            self.number_or_word(out)?;
            return self.expect(b')');
        }
        self.number_or_word(out)
    }

    fn number_or_word(&mut self, out: &mut Vec<Element>) -> Parsed<()> {
        if self.eat_word("true") {
            out.push(Element::Bool(true));
            return Ok(());
        }
        if self.eat_word("false") {
            out.push(Element::Bool(false));
            return Ok(());
        }
        let is_negative = self.eat(b'-');
        let token = self.token;
        let element = match token.kind {
            TokenKind::Float => Element::Float(Span::new(token.start, token.end), is_negative),
            TokenKind::Hex if !is_negative => match u128::from_str_radix(&self.text(token)[2..], 16) {
                Ok(bits) => Element::Hex(bits),
                Err(_) => return self.expected("at most 32 hexadecimal digits"),
            },
            TokenKind::Int => {
                let value = self.integer()?;
                out.push(Element::Int(if is_negative { -value } else { value }));
                return Ok(());
            }
            _ => return self.expected("a number, `true` or `false`"),
        };
        self.bump();
        out.push(element);
        Ok(())
    }

    fn push_element(
        &mut self,
        element: Element,
        ty: ElementType,
        span: Span,
        out: &mut Vec<u8>,
    ) -> Parsed<()> {
        let wrong =
            |p: &mut Self, what: &str| p.fail(SYNTAX, span, format!("{what} in a constant of {ty}"), "");
        match (element, ty.kind()) {
            (Element::Bool(value), ElementKind::Boolean) => out.push(u8::from(value)),
            (Element::Int(_), ElementKind::Float) => {
                let message = format!("an integer in a constant of {ty}");
                return self.fail(SYNTAX, span, message, FLOAT_HINT);
            }
            (Element::Hex(bits), ElementKind::Float) => match fit_float_bits(bits, ty) {
                Some(bytes) => out.extend(bytes),
                None => return wrong(self, &format!("0x{bits:X} has too many bits")),
            },
            (
                Element::Int(_) | Element::Hex(_),
                ElementKind::Boolean | ElementKind::Signed | ElementKind::Unsigned,
            ) => {
                let value = match element {
                    Element::Int(value) => Some(value),
                    Element::Hex(bits) => i128::try_from(bits).ok(),
                    _ => None,
                };
                match value.and_then(|value| fit_int(value, ty)) {
                    Some(value) => out.extend(int_bytes(value, ty)),
                    None => {
                        let text = value.map_or_else(|| "a number".to_owned(), |value| value.to_string());
                        return wrong(self, &format!("{text} does not fit"));
                    }
                }
            }
            (Element::Float(digits, is_negative), ElementKind::Float) => {
                let text = &self.source[digits.start as usize..digits.end as usize];
                let magnitude = match ty {
                    ElementType::F32 => text.parse::<f32>().map(f64::from),
                    _ => text.parse::<f64>(),
                };
                let magnitude = magnitude.unwrap_or(f64::NAN);
                out.extend(float_bytes(if is_negative { -magnitude } else { magnitude }, ty));
            }
            (Element::Float(..), _) => return wrong(self, "a number with a fraction"),
            (Element::Bool(_), _) => return wrong(self, "a boolean"),
            (Element::Complex, _) => return wrong(self, "a pair of numbers"),
            (_, ElementKind::Complex) => {
                // A splat may give only the real part.
                let part = if ty == ElementType::ComplexF32 { ElementType::F32 } else { ElementType::F64 };
                self.push_element(element, part, span, out)?;
                out.extend(vec![0; element_bytes(part)]);
            }
        }
        Ok(())
    }
}
