//! Elementwise functions of two operands of the `chlo` dialect: `chlo.next_after`, `chlo.polygamma`, `chlo.zeta`,
//! `chlo.mulhi`.

use crate::op::{AttrReader, OpDef, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::text::{OpPrinter, Parsed, Parser};

/// Which function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChloBinary {
    /// The upper half of the product of two integers.
    MulHi,
    /// The float next to the left one toward the right one.
    NextAfter,
    /// The derivative of order `lhs` of digamma at `rhs`.
    Polygamma,
    /// Hurwitz's zeta function.
    Zeta,
}

impl OpDef for ChloBinary {
    const NAMES: &'static [&'static str] = &["chlo.mulhi", "chlo.next_after", "chlo.polygamma", "chlo.zeta"];

    fn name(&self) -> &'static str {
        Self::NAMES[*self as usize]
    }

    /// `%x, %y : type, type -> type`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let left = p.operand()?;
        p.expect(b',')?;
        let right = p.operand()?;
        let attributes = p.attr_dict_opt()?;
        let types = p.colon_types()?;
        p.arrow()?;
        let result = p.ty()?;
        let op = Self::from_name(name);
        Ok(ParsedInst::new(op, vec![left, right], vec![result]).typed(types).with(attributes))
    }

    fn from_attributes(name: &'static str, _: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self::from_name(name))
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.text(" ");
        p.values(&view.inst.operands);
        p.attributes();
        p.text(" : ");
        p.types(view.operand_types());
        p.text(" -> ");
        p.types(view.result_types());
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 2, 1, 0) {
            return;
        }
        let (left, right) = (view.operand(0), view.operand(1));
        let allowed = match self {
            Self::MulHi => left.element.is_integer(),
            _ => left.element.is_float(),
        };
        violations.require(allowed, || format!("does not take elements of {}", left.element));
        violations.require(left == right, || format!("operands have different types, {left} and {right}"));
        violations.result_type(view, 0, &left.clone().into());
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }
}

impl ChloBinary {
    fn from_name(name: &str) -> Self {
        match name {
            "chlo.mulhi" => Self::MulHi,
            "chlo.next_after" => Self::NextAfter,
            "chlo.polygamma" => Self::Polygamma,
            _ => Self::Zeta,
        }
    }
}
