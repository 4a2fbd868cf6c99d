//! `stablehlo.all_to_all` (specification, "all_to_all").

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, Propagation, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::sdy::OpShardingRule;
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{TensorType, Type};

use super::collective::{Ids, Participants, going_back, over_groups, part};
use super::collective_local::{in_shardy, rule_but_for};

/// Every device cuts its operands into parts, sends part `i` to member `i` of the group, and joins what it gets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AllToAll {
    /// The dim that is cut.
    pub split_dim: usize,
    /// The dim along which received parts are joined.
    pub concat_dim: usize,
    /// Number of parts: the size of each group.
    pub split_count: usize,
    /// Who takes part.
    pub participants: Participants,
}

impl OpDef for AllToAll {
    const NAMES: &'static [&'static str] = &["stablehlo.all_to_all"];

    over_groups!();

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let mut size = |name: &str| {
            let value = attributes.int(name)?;
            usize::try_from(value).map_err(|_| format!("`{name}` is negative: {value}"))
        };
        Ok(Self {
            split_dim: size("split_dimension")?,
            concat_dim: size("concat_dimension")?,
            split_count: size("split_count")?,
            participants: Participants::read(attributes)?,
        })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = self.participants.attributes();
        attributes.set("split_dimension", Attr::position(self.split_dim));
        attributes.set("concat_dimension", Attr::position(self.concat_dim));
        attributes.set("split_count", Attr::position(self.split_count));
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let count = view.num_operands();
        if !violations.shape(view, count, count, 0) {
            return;
        }
        self.participants.verify(violations);
        violations.require(self.participants.may_have_size(self.split_count), || {
            format!("C8: `split_count` is {}, which is not the size of every group", self.split_count)
        });
        if !violations.require(self.split_count > 0, || "C4: `split_count` is zero".into()) {
            return;
        }
        for index in 0..count {
            let operand = view.operand(index);
            let fits = violations.require(self.split_dim < operand.rank(), || {
                format!("C1: dim {} is out of range for {operand}", self.split_dim)
            }) & violations.require(self.concat_dim < operand.rank(), || {
                format!("C3: dim {} is out of range for {operand}", self.concat_dim)
            });
            if fits
                && violations.require(operand.shape[self.split_dim].is_multiple_of(self.split_count), || {
                    format!(
                        "C2: dim {} of {operand} is not divisible by {}",
                        self.split_dim, self.split_count
                    )
                })
                && let Some(exchanged) = self.exchanged(operand)
            {
                violations.result_type(view, index, &exchanged.into());
            }
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let operands = given.tensors()?.into_iter();
        operands.map(|operand| Some(self.exchanged(operand)?.into())).collect()
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        rule_but_for(view, &[self.split_dim, self.concat_dim])
    }

    /// Shardy lets all operands share their dims.
    fn propagation_rule(&self, view: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        let moving = [self.split_dim, self.concat_dim];
        let is_one = self.split_dim == self.concat_dim;
        Some(in_shardy(view, if is_one { &moving[..1] } else { &moving }))
    }

    /// The same exchange the other way.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        for index in 0..v.view().num_operands() {
            let Some(cotangent) = v.cotangent_of(index).filter(|_| v.wants(index)) else { continue };
            let back = Self {
                split_dim: self.concat_dim,
                concat_dim: self.split_dim,
                split_count: self.split_count,
                participants: going_back(v, &self.participants),
            };
            let ty = v.operand_type(index);
            let own = v.emit(back, &[cotangent], ty);
            v.give(index, own);
        }
        Ok(())
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let ids = Ids::of_partitions(self.participants.channel);
        let (given, place) = self.participants.exchange(self.name(), ids, inputs, cx)?;
        let receive = |index: usize| {
            let size = view.operand(index).shape[self.split_dim] / self.split_count;
            let parts = given.iter().map(|member| part(&member[index], self.split_dim, place, size));
            Tensor::concatenate(&parts.collect::<Result<Vec<Tensor>, EvalError>>()?, self.concat_dim)
        };
        (0..view.num_operands()).map(receive).collect()
    }
}

impl AllToAll {
    /// What becomes of an operand; `None` if it does not have the dims.
    fn exchanged(&self, operand: &TensorType) -> Option<TensorType> {
        let mut exchanged = operand.clone();
        let split = exchanged.shape.get_mut(self.split_dim)?;
        *split = split.checked_div(self.split_count)?;
        let joined = exchanged.shape.get_mut(self.concat_dim)?;
        *joined = joined.saturating_mul(self.split_count);
        Some(exchanged)
    }
}
