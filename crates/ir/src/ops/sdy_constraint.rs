//! `sdy.sharding_constraint` and `sdy.reshard` (Shardy dialect): the value has this sharding from here on. A user writes
//! constraints, Shardy's propagation leaves reshards behind. The compiler's own reshards are neither.

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{
    AttrReader, Given, HoldsShardings, Linearity, Op, OpDef, OpPriority, ParsedInst, Propagation, Violations,
};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::scope::Scope;
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::RuleBuilder;
use crate::sharding::{Reduction, ShardingAttr};
use crate::text::{Ending, OpPrinter, Parsed, Parser};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::types::Type;

use super::reshape::Reshape;
use super::sdy_barrier::behind_barriers;
use super::sdy_collective_verify::unreduced_transition;

/// The two ops that ask for a sharding; they mean the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ConstraintKind {
    Constraint,
    Reshard,
}

/// A sharding constraint or a reshard.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ShardingConstraint {
    /// Which of the two it is.
    pub kind: ConstraintKind,
    /// What the operand and the result are sharded like.
    pub sharding: ShardingAttr,
}

impl OpDef for ShardingConstraint {
    const NAMES: &'static [&'static str] = &["sdy.sharding_constraint", "sdy.reshard"];

    fn name(&self) -> &'static str {
        Self::NAMES[self.kind as usize]
    }

    /// `%x <@mesh, [{"x"}]> : type`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let operand = p.operand()?;
        let sharding = p.angled_sharding()?;
        let op = Self { kind: kind(name), sharding };
        Ending::Result.parse(p, op, vec![operand])
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { kind: kind(name), sharding: attributes.sharding("sharding")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("sharding", Attr::Sharding(self.sharding.clone()))
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.operands();
        p.text(&format!(" <{}>", self.sharding));
        Ending::Result.print(view, p);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        violations.identity(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(0)
    }

    fn verify_in(&self, view: &InstView<'_>, scope: &Scope<'_>, violations: &mut Violations) {
        let [operand] = view.inst.operands[..] else {
            return;
        };
        let checked = scope.check_sharding(&self.sharding, Some(view.body.ty(operand)));
        if violations.sharding(checked, "")
            && let Some(source) = scope.sharding(behind_barriers(view.body, operand))
        {
            // Whatever a value is, it is also the greatest and the least of itself: any reduction may begin here, and
            // does where propagation shards what an open constraint reads. Shardy's own verifier allows sums alone.
            let (introduced, removed) = (Some(self.sharding.reduction), Some(source.reduction));
            unreduced_transition(&source, &self.sharding, introduced, removed, scope, violations);
        }
    }

    fn shardings(&self) -> Option<&dyn HoldsShardings> {
        Some(self)
    }

    fn shardings_mut(&mut self) -> Option<&mut dyn HoldsShardings> {
        Some(self)
    }

    fn without_sharding(&self) -> Option<Op> {
        Some(Reshape.into())
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn op_priority(&self, _: &InstView<'_>) -> OpPriority {
        OpPriority::Elementwise
    }

    /// Shardy lets shardings pass a constraint, but nothing pass a reshard.
    fn propagation_rule(&self, view: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        match self.kind {
            ConstraintKind::Constraint => RuleBuilder::elementwise(view),
            ConstraintKind::Reshard => None,
        }
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::in_all([0])
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(inputs)
    }

    /// The operand is already sharded as asked.
    fn localize(&self, cx: &Localize<'_>, _: &mut dyn LocalBuilder) -> Vec<ValueId> {
        cx.operands.to_vec()
    }

    /// What is passed back has the same sharding.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        v.give_with(0, |v, cotangent| v.unary(self.clone(), cotangent));
        Ok(())
    }
}

impl HoldsShardings for ShardingConstraint {
    fn result(&self, _: usize) -> Option<&ShardingAttr> {
        Some(&self.sharding)
    }

    fn all_mut(&mut self) -> Vec<&mut ShardingAttr> {
        vec![&mut self.sharding]
    }

    fn set_result(&mut self, _: usize, _: &[usize], sharding: ShardingAttr) -> bool {
        self.sharding = sharding;
        true
    }
}

fn kind(name: &str) -> ConstraintKind {
    match name {
        "sdy.reshard" => ConstraintKind::Reshard,
        _ => ConstraintKind::Constraint,
    }
}
