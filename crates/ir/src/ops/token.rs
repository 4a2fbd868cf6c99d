//! `stablehlo.after_all` (specification, "after_all") and `stablehlo.create_token`: the tokens that order side effects.

use crate::eval::{Evaluated, Evaluation};
use crate::op::{Given, OpDef, ParsedInst, Violations};
use crate::program::InstView;
use crate::text::{Ending, OpPrinter, Parsed, Parser, TokenKind};
use meshwright_tensor::Tensor;
use meshwright_tensor::types::Type;

use super::family::{family, names_of_family};

family! {
    /// Ops that make tokens.
    Token {
        /// A token that comes after all operands.
        AfterAll = "stablehlo.after_all",
        /// A token that comes after nothing.
        Create = "stablehlo.create_token",
    }
}

impl OpDef for Token {
    names_of_family!();

    /// `%a, %b : !stablehlo.token`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let op = Self::from_name(name);
        let operands =
            if op == Self::AfterAll && p.next_is(TokenKind::Value) { p.operands()? } else { Vec::new() };
        let attributes = p.attr_dict_opt()?;
        let (types, results) = p.same_or_function_type(operands.len())?;
        Ok(ParsedInst::new(op, operands, results).typed(types).with(attributes))
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.text(if *self == Self::AfterAll { " " } else { "" });
        p.values(&view.inst.operands);
        Ending::Result.print(view, p);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if *self == Self::Create {
            violations.num_operands(view, 0);
        }
        violations
            .require(view.operand_types().all(|ty| *ty == Type::Token), || "I1: takes tokens only".into());
        if violations.num_results(view, 1) & violations.num_regions(view, 0) {
            violations.inferred(view);
        }
    }

    fn infer(&self, _: &Given<'_>) -> Option<Vec<Type>> {
        Some(vec![Type::Token])
    }

    fn evaluate(&self, _: Evaluation<'_>) -> Evaluated {
        Ok(vec![token()])
    }
}

/// A token has no value; a boolean stands in its place.
pub(super) fn token() -> Tensor {
    Tensor::scalar_i1(true)
}
