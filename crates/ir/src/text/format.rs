//! Pretty forms that ops share: operands, fields, other attributes in braces, types.
//!
//! ```text
//! stablehlo.add %a, %b {note = "x"} : tensor<4xf32>
//! stablehlo.reshape %a : (tensor<2x4xf32>) -> tensor<8xf32>
//! stablehlo.transpose %a, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
//! ```
//!
//! An op names its [`Format`] ([`crate::op::OpDef::FORMAT`]); one whose form has words of its own reads and writes these
//! itself, and leaves what follows to an [`Ending`].

use super::{OpPrinter, Parsed, Parser, TokenKind};
use crate::attribute::{Attr, Attributes};
use crate::ids::ValueId;
use crate::op::{AttrReader, Op, ParsedInst};
use crate::program::InstView;

/// Pretty form of an op. The op's own attributes stand in its fields; those that no field says, in the braces.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Number of operands, if it is fixed.
    operands: Option<usize>,
    fields: &'static [Field],
    ending: Ending,
}

/// End of a pretty form, behind the other attributes: the spelling of the types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// `: type` if operands and results are all of one, else as [`Ending::Signature`].
    Same,
    /// `: (types) -> type`
    Signature,
    /// `: type`, of the result and of all operands.
    Result,
    /// `: types -> type`
    Arrow,
}

/// Field of a pretty form, such as `dims = [1, 0]`, and the attribute that it is in the generic form.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    name: &'static str,
    attribute: &'static str,
    value: Value,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Position,
    Positions,
    Integers,
    Text,
}

impl Field {
    /// `name = 1`
    pub const fn position(name: &'static str, attribute: &'static str) -> Self {
        Self { name, attribute, value: Value::Position }
    }

    /// `name = [1, 2]`, none of them negative.
    pub const fn positions(name: &'static str, attribute: &'static str) -> Self {
        Self { name, attribute, value: Value::Positions }
    }

    /// `name = [1, -2]`
    pub const fn integers(name: &'static str, attribute: &'static str) -> Self {
        Self { name, attribute, value: Value::Integers }
    }

    /// `name = "text"`
    pub const fn text(name: &'static str, attribute: &'static str) -> Self {
        Self { name, attribute, value: Value::Text }
    }

    fn parse(self, p: &mut Parser<'_>) -> Parsed<Attr> {
        p.field(self.name)?;
        Ok(match self.value {
            Value::Position => Attr::i64(p.size()? as i64),
            Value::Positions => Attr::dims(&p.sizes()?),
            Value::Integers => Attr::ints(p.ints()?),
            Value::Text => Attr::string(&p.string()?),
        })
    }

    fn print(self, attribute: &Attr, p: &mut OpPrinter<'_>) {
        p.text(&format!("{} = ", self.name));
        match attribute {
            Attr::Int(value, _) => p.text(&value.to_string()),
            Attr::DenseArray(_, values) => p.list(values),
            other => p.text(&other.to_string()),
        }
    }
}

impl Format {
    /// `%a, %b`, of as many operands, and types.
    pub const fn of(operands: usize, ending: Ending) -> Self {
        Self { operands: Some(operands), fields: &[], ending }
    }

    /// The same of any number of operands.
    pub const fn of_any(ending: Ending) -> Self {
        Self { operands: None, fields: &[], ending }
    }

    /// The same with fields behind the operands.
    pub const fn with(self, fields: &'static [Field]) -> Self {
        Self { fields, ..self }
    }

    /// Reads an instruction behind the op's name; `read` makes the op of its attributes.
    pub fn parse<T: Into<Op>>(
        self,
        p: &mut Parser<'_>,
        name: &'static str,
        read: fn(&'static str, &mut AttrReader<'_>) -> Result<T, String>,
    ) -> Parsed<ParsedInst> {
        let operands = self.parse_operands(p)?;
        let own = self.parse_fields(p)?;
        let mut attributes = p.attr_dict_opt()?;
        for (field, value) in self.fields.iter().zip(own) {
            attributes.set(field.attribute, value);
        }
        let op = p.from_dict(name, &mut attributes, read)?;
        self.ending.types_behind(p, op, operands, attributes)
    }

    /// Reads the operands, and a comma behind each that something follows.
    fn parse_operands(self, p: &mut Parser<'_>) -> Parsed<Vec<ValueId>> {
        let has_fields = !self.fields.is_empty();
        let mut operands = Vec::new();
        match self.operands {
            Some(count) => {
                for left in (0..count).rev() {
                    operands.push(p.operand()?);
                    if left > 0 || has_fields {
                        p.expect(b',')?;
                    }
                }
            }
            None if has_fields => {
                while p.next_is(TokenKind::Value) {
                    operands.push(p.operand()?);
                    p.expect(b',')?;
                }
            }
            None => operands = p.operands()?,
        }
        Ok(operands)
    }

    /// Reads the fields, as attributes.
    fn parse_fields(self, p: &mut Parser<'_>) -> Parsed<Vec<Attr>> {
        let mut values = Vec::with_capacity(self.fields.len());
        for (index, field) in self.fields.iter().enumerate() {
            if index > 0 {
                p.expect(b',')?;
            }
            values.push(field.parse(p)?);
        }
        Ok(values)
    }

    /// Writes an instruction behind the op's name.
    pub fn print(self, view: &InstView<'_>, p: &mut OpPrinter<'_>) {
        let mut own = view.inst.op.attributes(view);
        p.operands();
        for (index, field) in self.fields.iter().enumerate() {
            let is_first = index == 0 && view.inst.operands.is_empty();
            if let Some(value) = own.remove(field.attribute) {
                p.text(if is_first { " " } else { ", " });
                field.print(&value, p);
            }
        }
        p.attributes_and(own);
        self.ending.print_types(view, p);
    }
}

impl Ending {
    /// Reads other attributes and the types: what is left of an instruction behind the op's own words.
    pub fn parse(self, p: &mut Parser<'_>, op: impl Into<Op>, operands: Vec<ValueId>) -> Parsed<ParsedInst> {
        let attributes = p.attr_dict_opt()?;
        self.types_behind(p, op, operands, attributes)
    }

    /// Reads the types of an instruction of which all else is known.
    pub fn types_behind(
        self,
        p: &mut Parser<'_>,
        op: impl Into<Op>,
        operands: Vec<ValueId>,
        attributes: Attributes,
    ) -> Parsed<ParsedInst> {
        let (types, results) = match self {
            Self::Same => p.same_or_function_type(operands.len())?,
            Self::Signature => p.colon_function_type()?,
            Self::Result => {
                let ty = p.colon_type()?;
                (vec![ty.clone(); operands.len()], vec![ty])
            }
            Self::Arrow => {
                let types = p.colon_types()?;
                p.arrow()?;
                (types, vec![p.ty()?])
            }
        };
        Ok(ParsedInst::new(op, operands, results).typed(types).with(attributes))
    }

    /// Writes what [`Ending::parse`] reads.
    pub fn print(self, view: &InstView<'_>, p: &mut OpPrinter<'_>) {
        p.attributes();
        self.print_types(view, p);
    }

    fn print_types(self, view: &InstView<'_>, p: &mut OpPrinter<'_>) {
        match self {
            Self::Same => p.same_type_or_signature(),
            Self::Signature => p.signature(),
            Self::Result => p.types_of_results(view),
            Self::Arrow => {
                p.text(" : ");
                p.types(view.operand_types());
                p.text(" -> ");
                p.types(view.result_types());
            }
        }
    }
}
