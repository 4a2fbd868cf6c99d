//! `sdy.sharding_constraint`: the value must have this sharding here. The compiler's own reshards are not this op.

use crate::attribute::{Attr, Attributes};
use crate::eval::Context;
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{AttrReader, OpDef, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::sharding::ShardingAttr;
use crate::eval_error::EvalError;
use crate::tensor::Tensor;
use crate::text::{OpPrinter, Parsed, Parser};
use crate::types::Type;

/// A sharding constraint.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShardingConstraint {
    /// What the operand and the result are sharded like.
    pub sharding: ShardingAttr,
}

impl OpDef for ShardingConstraint {
    const NAMES: &'static [&'static str] = &["sdy.sharding_constraint"];

    fn name(&self) -> &'static str {
        "sdy.sharding_constraint"
    }

    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let operand = p.operand()?;
        p.expect(b'<')?;
        let sharding = p.sharding()?;
        p.expect(b'>')?;
        let attributes = p.attr_dict_opt()?;
        let ty = p.colon_type()?;
        Ok(ParsedInst::new(Self { sharding }, vec![operand], vec![ty.clone()]).typed(vec![ty]).with(attributes))
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        match attributes.required("sharding")? {
            Attr::Sharding(sharding) => Ok(Self { sharding }),
            other => Err(format!("`sharding` should be #sdy.sharding<...>, found `{other}`")),
        }
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        [("sharding".to_owned(), Attr::Sharding(self.sharding.clone()))].into_iter().collect()
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.text(" ");
        p.values(&view.inst.operands);
        p.text(&format!(" <{}>", self.sharding));
        p.attributes();
        p.colon_type(view.body.ty(view.inst.results[0]));
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if violations.shape(view, 1, 1, 0) {
            violations.result_type(view, 0, view.body.ty(view.inst.operands[0]));
        }
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn flops(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn evaluate(
        &self,
        _: &InstView<'_>,
        inputs: Vec<Tensor>,
        _: &mut dyn Context,
    ) -> Result<Vec<Tensor>, EvalError> {
        Ok(inputs)
    }

    /// The operand is already sharded as asked.
    fn localize(&self, cx: &Localize<'_>, _: &mut dyn LocalBuilder) -> Vec<ValueId> {
        cx.operands.to_vec()
    }
}
