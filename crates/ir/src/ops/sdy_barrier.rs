//! `sdy.propagation_barrier` (Shardy dialect): a value unchanged, through which shardings propagate one way or not.

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{AttrReader, Given, Linearity, Op, OpDef, OpPriority, ParsedInst, Propagation, Violations};
use crate::program::{Body, Def, InstView};
use crate::rule::ShardingRule;
use crate::sdy::OpShardingRule;
use crate::sharding::Reduction;
use crate::text::{Ending, OpPrinter, Parsed, Parser};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::types::Type;

/// Directions in which shardings may propagate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Direction {
    None,
    Forward,
    Backward,
    Both,
}

impl Direction {
    /// Direction that both allow.
    pub fn within(self, other: Self) -> Self {
        match (self, other) {
            (Self::Both, one) | (one, Self::Both) => one,
            (one, same) if one == same => one,
            _ => Self::None,
        }
    }
}

/// A barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PropagationBarrier {
    /// What may pass.
    pub allowed: Direction,
}

/// The directions by their numbers in the generic form.
const DIRECTIONS: [(&str, Direction); 4] = [
    ("NONE", Direction::None),
    ("FORWARD", Direction::Forward),
    ("BACKWARD", Direction::Backward),
    ("BOTH", Direction::Both),
];

impl OpDef for PropagationBarrier {
    const NAMES: &'static [&'static str] = &["sdy.propagation_barrier"];

    /// `%x allowed_direction=NONE : type`
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let operand = p.operand()?;
        p.field("allowed_direction")?;
        let allowed = p.one_of("NONE, FORWARD or BACKWARD", |word| {
            DIRECTIONS.iter().find(|(name, _)| *name == word).map(|(_, direction)| *direction)
        })?;
        let op = Self { allowed };
        Ending::Result.parse(p, op, vec![operand])
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let number = attributes.int("allowed_direction")?;
        let direction = usize::try_from(number).ok().and_then(|number| DIRECTIONS.get(number));
        match direction {
            Some((_, allowed)) => Ok(Self { allowed: *allowed }),
            None => Err(format!("`allowed_direction` should be from 0 to 3, not {number}")),
        }
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("allowed_direction", Attr::i32(self.allowed as i32))
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.operands();
        p.text(&format!(" allowed_direction={}", DIRECTIONS[self.allowed as usize].0));
        Ending::Result.print(view, p);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        violations.identity(view);
        violations.all_tensors(view);
        violations.require(self.allowed != Direction::Both, || {
            "a barrier that lets shardings pass both ways is none; `allowed_direction` should not be BOTH"
                .into()
        });
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(0)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn op_priority(&self, _: &InstView<'_>) -> OpPriority {
        OpPriority::Elementwise
    }

    /// Shardy passes shardings through it as far as its direction allows, not by a rule.
    fn propagation_rule(&self, _: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        None
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

    /// The value itself.
    fn localize(&self, cx: &Localize<'_>, _: &mut dyn LocalBuilder) -> Vec<ValueId> {
        cx.operands.to_vec()
    }

    /// What is passed back stands behind the same barrier.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        v.give_with(0, |v, cotangent| v.unary(*self, cotangent));
        Ok(())
    }
}

/// Direction in which shardings may propagate through an instruction, whatever its rule.
pub fn allowed_direction(op: &Op) -> Direction {
    match op {
        Op::PropagationBarrier(barrier) => barrier.allowed,
        _ => Direction::Both,
    }
}

/// The value that barriers pass on as `value`.
pub fn behind_barriers(body: &Body, mut value: ValueId) -> ValueId {
    while let Def::Result(inst, _) = body.values[value].def
        && let Op::PropagationBarrier(_) = body.insts[inst].op
        && let [operand] = body.insts[inst].operands[..]
    {
        value = operand;
    }
    value
}
