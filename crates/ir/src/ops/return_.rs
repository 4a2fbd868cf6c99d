//! `func.return`, `stablehlo.return`, `sdy.return`: the terminator of a region.

use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::text::{OpPrinter, Parsed, Parser, TokenKind};
use meshwright_tensor::types::Type;

/// Returns of the three dialects; they mean the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Return {
    Func,
    Stablehlo,
    Sdy,
}

impl OpDef for Return {
    const NAMES: &'static [&'static str] = &["func.return", "stablehlo.return", "sdy.return"];

    fn name(&self) -> &'static str {
        Self::NAMES[*self as usize]
    }

    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let op = Self::from_name(name);
        // `stablehlo.return` has its attributes behind the operands, the others before them.
        let mut attributes = p.attr_dict_opt()?;
        if !p.next_is(TokenKind::Value) {
            return Ok(ParsedInst::new(op, Vec::new(), Vec::new()).with(attributes));
        }
        let operands = p.operands()?;
        if op == Self::Stablehlo && attributes.is_empty() {
            attributes = p.attr_dict_opt()?;
        }
        let types = p.colon_types()?;
        Ok(ParsedInst::new(op, operands, Vec::new()).typed(types).with(attributes))
    }

    fn from_attributes(name: &'static str, _: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self::from_name(name))
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        if *self != Self::Stablehlo {
            p.attributes();
        }
        if !view.inst.operands.is_empty() {
            p.text(" ");
            p.values(&view.inst.operands);
        }
        if *self == Self::Stablehlo {
            p.attributes();
        }
        if !view.inst.operands.is_empty() {
            p.text(" : ");
            p.types(view.operand_types());
        }
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        violations.num_results(view, 0);
        violations.num_regions(view, 0);
    }

    fn infer(&self, _: &Given<'_>) -> Option<Vec<Type>> {
        Some(Vec::new())
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        // What a region returns is tied to its instruction's results by whoever runs the region.
        ShardingRule::replicated(view.operand_types(), view.result_types())
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(inputs)
    }
}

impl Return {
    fn from_name(name: &str) -> Self {
        match name {
            "func.return" => Self::Func,
            "sdy.return" => Self::Sdy,
            _ => Self::Stablehlo,
        }
    }
}
