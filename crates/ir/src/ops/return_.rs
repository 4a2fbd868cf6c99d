//! `func.return`, `stablehlo.return`, `sdy.return`: the terminator of a region.

use crate::eval::{Evaluated, Evaluation};
use crate::op::{Given, OpDef, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::text::{OpPrinter, Parsed, Parser, TokenKind};
use meshwright_tensor::types::Type;

use super::family::{family, names_of_family};

family! {
    /// Returns of the three dialects; they mean the same.
    #[allow(missing_docs)]
    Return {
        Func = "func.return",
        Stablehlo = "stablehlo.return",
        Sdy = "sdy.return",
    }
}

impl OpDef for Return {
    names_of_family!();

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
