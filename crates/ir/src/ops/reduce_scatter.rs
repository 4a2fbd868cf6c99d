//! `stablehlo.reduce_scatter` (specification, "reduce_scatter").

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, Propagation, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::sdy::OpShardingRule;
use crate::vjp::{Differentiated, Vjp, none_because};
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, TensorType, Type};

use super::all_gather::AllGather;
use super::binary::Binary;
use super::collective::{Ids, Participants, combine, going_back, over_groups, part};
use super::collective_local::{in_shardy, rule_but_for};
use super::reducer::{promoted, reducer, verify_reducer};

/// Combines an operand over the devices of a group and leaves each device its part along a dim.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReduceScatter {
    /// The dim that is cut into parts, one per device of the group.
    pub dim: usize,
    /// Who takes part.
    pub participants: Participants,
}

impl OpDef for ReduceScatter {
    const NAMES: &'static [&'static str] = &["stablehlo.reduce_scatter"];

    over_groups!();

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let dim = attributes.int("scatter_dimension")?;
        let dim = usize::try_from(dim).map_err(|_| format!("`scatter_dimension` is negative: {dim}"))?;
        Ok(Self { dim, participants: Participants::read(attributes)? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = self.participants.attributes();
        attributes.set("scatter_dimension", Attr::position(self.dim));
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 1, 1, 1) {
            return;
        }
        self.participants.verify(violations);
        let combined = verify_reducer(view, 0, 1, violations)[0];
        let operand = view.operand(0);
        let whole = operand.shape.get(self.dim).copied().unwrap_or(0);
        let part = view.result(0).shape.get(self.dim).copied().unwrap_or(0);
        let Some(parts) = self.participants.size_by(whole, part) else {
            violations.messages.push("all groups of `replica_groups` should be of one size".into());
            return;
        };
        if violations.require(self.dim < operand.rank(), || {
            format!("C2: dim {} is out of range for {operand}", self.dim)
        }) && violations.require(operand.shape[self.dim].is_multiple_of(parts), || {
            format!("C1: dim {} of {operand} is not divisible by {parts} devices", self.dim)
        }) && let Some(inferred) = self.scattered(operand, parts, combined)
        {
            Participants::result_type(violations, view, 0, &inferred, parts);
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let (parts, combined) = (self.participants.size()?, given.returned_element(0, 0)?);
        Some(vec![self.scattered(given.tensor(0)?, parts, combined)?.into()])
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        rule_but_for(view, &[self.dim])
    }

    /// Shardy lets all operands share their dims.
    fn propagation_rule(&self, view: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        Some(in_shardy(view, &[self.dim]))
    }

    /// Each device gets what is passed back to all parts.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let view = v.view();
        if reducer(view.body, view.region(0)) != Some(Binary::Add)
            || view.operand(0).element != view.result(0).element
        {
            return none_because("has a derivative only if it adds, in the type that it is given");
        }
        let gather = AllGather { dim: self.dim, participants: going_back(v, &self.participants) };
        v.give_with(0, |v, cotangent| {
            let ty = v.operand_type(0);
            v.emit(gather, &[cotangent], ty)
        });
        Ok(())
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let inputs = promoted(view, 0, 1, inputs, cx.precision())?;
        let (given, place) =
            self.participants.exchange(self.name(), Ids::of_all(&self.participants), inputs, cx)?;
        let size = view.result(0).shape[self.dim];
        let parts = given.iter().map(|member| part(&member[0], self.dim, place, size));
        let parts = parts.collect::<Result<Vec<Tensor>, EvalError>>()?;
        Ok(vec![combine(view, parts, cx)?])
    }
}

impl ReduceScatter {
    /// The share that each of so many devices has of a sum; `None` if the operand does not have the dim.
    fn scattered(&self, operand: &TensorType, parts: usize, combined: ElementType) -> Option<TensorType> {
        let mut shape = operand.shape.clone();
        let size = shape.get_mut(self.dim)?;
        *size = size.checked_div(parts)?;
        Some(TensorType::new(shape, combined))
    }
}
