//! Reading types: tensors, tokens, tuples, and the signatures that ops print.

use super::lexer::TokenKind;
use super::parser::{Parsed, Parser, TYPES};
use crate::attribute::Attr;
use crate::diagnostic::Span;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// What to do about shapes that are not known.
pub(super) const DYNAMIC_HINT: &str = "only static shapes are compiled; export the model with fixed sizes, or make them so with \
     `stablehlo-opt --stablehlo-refine-shapes --stablehlo-canonicalize-dynamism`";

/// What to do about quantized types.
pub(super) const QUANTIZED_HINT: &str = "quantized programs are not supported; export the model unquantized, or use \
                                         `stablehlo-opt --stablehlo-legalize-quant-to-math`";

/// Elements of the largest tensor. Scores of all layers of the largest models are 2^49 in a step; the bytes of a thousand
/// such tensors of 32 bits are still a number of 64 bits.
pub const MOST_ELEMENTS: usize = 1 << 52;

impl Parser<'_> {
    /// A type.
    pub fn ty(&mut self) -> Parsed<Type> {
        self.nested(Self::ty_inner)
    }

    fn ty_inner(&mut self) -> Parsed<Type> {
        match self.token.kind {
            TokenKind::Bare => match self.text(self.token) {
                "tensor" => self.tensor_type().map(Type::Tensor),
                "tuple" => {
                    self.bump();
                    self.list(b'<', b'>', Self::ty).map(Type::Tuple)
                }
                "memref" => {
                    let hint = "buffers come after bufferization; give the program as it was before";
                    self.fail(TYPES, self.here(), "the type `memref` is not supported", hint)
                }
                other => {
                    let message = format!("the type `{other}` is not supported here");
                    let hint = "values are tensors of fixed shape, tokens or tuples of them";
                    self.fail(TYPES, self.here(), message, hint)
                }
            },
            TokenKind::Bang => {
                let name = &self.text(self.token)[1..];
                if let Some(ty) = self.type_alias(name)? {
                    return Ok(ty);
                }
                if name == "stablehlo.token" {
                    self.bump();
                    return Ok(Type::Token);
                }
                if name == "stablehlo.future" {
                    self.bump();
                    let member = |p: &mut Self| p.tensor_type().map(Type::Tensor);
                    return self.list(b'<', b'>', member).map(Type::Future);
                }
                let message = format!("the type `!{name}` is not supported");
                self.fail(
                    TYPES,
                    self.here(),
                    message,
                    "define it as an alias, or convert the program to plain StableHLO",
                )
            }
            _ => self.expected("a type"),
        }
    }

    /// `tensor<2x3xf32>`.
    pub fn tensor_type(&mut self) -> Parsed<TensorType> {
        let shape = self.tensor_shape()?;
        let element = self.element_type()?;
        self.tensor_end()?;
        Ok(TensorType { shape, element })
    }

    /// `tensor<2xf32>` or `tensor<2xindex>`, the latter as a tensor of `i64` and true.
    pub(crate) fn tensor_or_index_type(&mut self) -> Parsed<(TensorType, bool)> {
        let shape = self.tensor_shape()?;
        let is_index = self.eat_word("index");
        let element = if is_index { ElementType::I64 } else { self.element_type()? };
        self.tensor_end()?;
        Ok((TensorType { shape, element }, is_index))
    }

    /// `tensor<2x3x`.
    fn tensor_shape(&mut self) -> Parsed<Vec<usize>> {
        let begin = self.token.start;
        self.expect_word("tensor")?;
        if !self.at(b'<') {
            return self.expected("`<`");
        }
        // Dims such as `8x32xf32` are not tokens, so this part is read byte by byte.
        let text = self.source.as_bytes();
        let blank = |mut at: usize| {
            while matches!(text.get(at), Some(b' ' | b'\n' | b'\t' | b'\r')) {
                at += 1;
            }
            at
        };
        let start = self.token.start;
        let mut at = blank(self.token.end);
        let mut shape = Vec::new();
        while text.get(at).is_some_and(u8::is_ascii_digit) {
            let end = at + text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let size = self.source[at..end].parse::<usize>().ok().filter(|size| *size <= i64::MAX as usize);
            let Some(size) = size else {
                return self.fail(TYPES, Span::new(at, end), "this dim is too large", "");
            };
            if text.get(end) != Some(&b'x') {
                return self.fail(
                    TYPES,
                    Span::new(at, end),
                    "expected `x` after a dim",
                    "write tensor<2x3xf32>",
                );
            }
            shape.push(size);
            at = blank(end + 1);
        }
        if text.get(at) == Some(&b'?') || text.get(at) == Some(&b'*') {
            let rest = &self.source[begin..];
            let ty = &rest[..rest.find(['>', '\n']).map_or(rest.len(), |end| end + 1)];
            let message = format!("the type `{}` has dims of unknown size", ty.trim_end());
            return self.fail(TYPES, Span::new(at, at + 1), message, DYNAMIC_HINT);
        }
        let count = shape.iter().try_fold(1usize, |product, size| product.checked_mul(*size));
        if count.is_none_or(|count| count > MOST_ELEMENTS) {
            return self.fail(TYPES, Span::new(start, at), "this tensor has more than 2^52 elements", "");
        }
        self.last_end = at;
        self.seek(at);
        Ok(shape)
    }

    /// `>` behind the element type.
    fn tensor_end(&mut self) -> Parsed<()> {
        if self.eat(b',') {
            let span = self.here();
            let encoding = self.attribute()?;
            let message = format!("a tensor type with the encoding `{encoding}` is not supported");
            let hint = match &encoding {
                Attr::Dialect(text) if text.contains("bounds") => DYNAMIC_HINT,
                _ => "give the tensor without it; sparse tensors must be made dense",
            };
            return self.fail(TYPES, span, message, hint);
        }
        self.expect(b'>')
    }

    /// `f32`, `complex<f64>`.
    pub fn element_type(&mut self) -> Parsed<ElementType> {
        let span = self.here();
        if self.token.kind == TokenKind::Bang && self.text(self.token).starts_with("!quant") {
            let message = format!("the element type `{}` is quantized", self.text(self.token));
            return self.fail(TYPES, span, message, QUANTIZED_HINT);
        }
        let word = self.word("an element type such as `f32`")?;
        let name = match word {
            "complex" => {
                self.expect(b'<')?;
                let part = self.word("`f32` or `f64`")?;
                self.expect(b'>')?;
                format!("complex<{part}>")
            }
            other => other.to_owned(),
        };
        match ElementType::from_name(&name) {
            Some(element) => Ok(element),
            None => {
                let known: Vec<&str> = ElementType::ALL.iter().map(|(_, name)| *name).collect();
                let hint = format!("element types are {}", known.join(", "));
                self.fail(TYPES, span, format!("`{name}` is not an element type"), &hint)
            }
        }
    }

    /// `: type`.
    pub fn colon_type(&mut self) -> Parsed<Type> {
        self.expect(b':')?;
        self.ty()
    }

    /// `: type, type`.
    pub fn colon_types(&mut self) -> Parsed<Vec<Type>> {
        self.expect(b':')?;
        let mut types = vec![self.ty()?];
        while self.eat(b',') {
            types.push(self.ty()?);
        }
        Ok(types)
    }

    /// `(types) -> type` or `(types) -> (types)`.
    pub fn function_type(&mut self) -> Parsed<(Vec<Type>, Vec<Type>)> {
        let operands = self.list(b'(', b')', Self::ty)?;
        self.arrow()?;
        let results = if self.at(b'(') { self.list(b'(', b')', Self::ty)? } else { vec![self.ty()?] };
        Ok((operands, results))
    }

    /// `: (types) -> types`.
    pub fn colon_function_type(&mut self) -> Parsed<(Vec<Type>, Vec<Type>)> {
        self.expect(b':')?;
        self.function_type()
    }

    /// The signature of an op whose operands and results may all have one type: either `: type` (repeated
    /// `num_operands` times, one result) or `: (types) -> types`.
    pub fn same_or_function_type(&mut self, num_operands: usize) -> Parsed<(Vec<Type>, Vec<Type>)> {
        self.expect(b':')?;
        if self.at(b'(') {
            return self.function_type();
        }
        let ty = self.ty()?;
        Ok((vec![ty.clone(); num_operands], vec![ty]))
    }
}
