//! `stablehlo.tuple` and `stablehlo.get_tuple_element` (specification, one section each).

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::text::{OpPrinter, Parsed, Parser, TYPES, TokenKind};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::Type;

/// Ops of tuples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tuple {
    /// Values as one.
    Make,
    /// One value of a tuple.
    Get(usize),
}

impl OpDef for Tuple {
    const NAMES: &'static [&'static str] = &["stablehlo.tuple", "stablehlo.get_tuple_element"];

    fn name(&self) -> &'static str {
        match self {
            Self::Make => "stablehlo.tuple",
            Self::Get(_) => "stablehlo.get_tuple_element",
        }
    }

    /// `%a, %b : tuple<...>` or `%t[0] : (tuple<...>) -> ...`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        if name == "stablehlo.get_tuple_element" {
            let operand = p.operand()?;
            p.expect(b'[')?;
            let index = p.size()?;
            p.expect(b']')?;
            let attributes = p.attr_dict_opt()?;
            let (types, results) = p.colon_function_type()?;
            return Ok(ParsedInst::new(Self::Get(index), vec![operand], results)
                .typed(types)
                .with(attributes));
        }
        let operands = if p.next_is(TokenKind::Value) { p.operands()? } else { Vec::new() };
        let attributes = p.attr_dict_opt()?;
        p.expect(b':')?;
        let span = p.here();
        let ty = p.ty()?;
        let Type::Tuple(members) = &ty else {
            return p.fail(TYPES, span, format!("a tuple is of a type `tuple<...>`, not {ty}"), "");
        };
        let members = members.clone();
        Ok(ParsedInst::new(Self::Make, operands, vec![ty]).typed(members).with(attributes))
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(if name == "stablehlo.tuple" { Self::Make } else { Self::Get(attributes.position("index")?) })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        if let Self::Get(index) = self {
            attributes.set("index", Attr::i32(*index as i32));
        }
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        if let Self::Get(index) = self {
            p.text(" ");
            p.values(&view.inst.operands);
            p.text(&format!("[{index}]"));
            p.attributes();
            p.signature();
        } else {
            p.text(if view.inst.operands.is_empty() { "" } else { " " });
            p.values(&view.inst.operands);
            p.attributes();
            p.types_of_results(view);
        }
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !(violations.num_results(view, 1) & violations.num_regions(view, 0)) {
            return;
        }
        match self {
            Self::Make => violations.inferred(view),
            Self::Get(index) => {
                if !violations.num_operands(view, 1) {
                    return;
                }
                let operand = view.body.ty(view.inst.operands[0]);
                let Type::Tuple(members) = operand else {
                    violations.messages.push(format!("I1: takes a tuple, not {operand}"));
                    return;
                };
                violations.require(*index < members.len(), || format!("C1: {operand} has no member {index}"));
                violations.inferred(view);
            }
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        match (self, given.operands.as_slice()) {
            (Self::Make, members) => Some(vec![Type::Tuple(members.iter().copied().cloned().collect())]),
            (Self::Get(index), [Type::Tuple(members)]) => Some(vec![members.get(*index)?.clone()]),
            (Self::Get(_), _) => None,
        }
    }

    fn flops(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    /// Whoever shards a program looks through tuples; what a member is shows where its tuple is made.
    fn traits(&self) -> OpTraits {
        OpTraits::SHORT_FORM
    }

    fn evaluate(&self, Evaluation { inputs, cx, .. }: Evaluation<'_>) -> Evaluated {
        match self {
            Self::Make => Ok(vec![cx.pack(inputs)]),
            Self::Get(index) => {
                let members = cx.unpack(&inputs[0])?;
                let member = members.into_iter().nth(*index);
                Ok(vec![member.ok_or_else(|| EvalError::new("the tuple has no such member"))?])
            }
        }
    }
}
