//! `stablehlo.all_gather` (specification, "all_gather").

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, Propagation, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::sdy::OpShardingRule;
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::Tensor;
use meshwright_tensor::types::{TensorType, Type};

use super::binary::Binary;
use super::collective::{Ids, Participants, going_back, over_groups};
use super::collective_local::{in_shardy, rule_but_for};
use super::reduce_scatter::ReduceScatter;

/// Concatenates each operand over the devices of a group, in the order of the group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AllGather {
    /// The dim along which operands are joined.
    pub dim: usize,
    /// Who takes part.
    pub participants: Participants,
}

impl OpDef for AllGather {
    const NAMES: &'static [&'static str] = &["stablehlo.all_gather"];

    over_groups!();

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let dim = attributes.int("all_gather_dim")?;
        let dim = usize::try_from(dim).map_err(|_| format!("`all_gather_dim` is negative: {dim}"))?;
        Ok(Self { dim, participants: Participants::read(attributes)? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = self.participants.attributes();
        attributes.set("all_gather_dim", Attr::position(self.dim));
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let count = view.num_operands();
        if !violations.shape(view, count, count, 0) {
            return;
        }
        self.participants.verify(violations);
        for index in 0..count {
            let (operand, result) = (view.operand(index), view.result(index));
            let in_range = violations.require(self.dim < operand.rank(), || {
                format!("C1: dim {} is out of range for {operand}", self.dim)
            });
            if !in_range {
                continue;
            }
            let gathered = result.shape.get(self.dim).copied().unwrap_or(0);
            let Some(size) = self.participants.size_by(gathered, operand.shape[self.dim]) else {
                violations.messages.push("all groups of `replica_groups` should be of one size".into());
                return;
            };
            if let Some(inferred) = self.gathered(operand, size) {
                Participants::result_type(violations, view, index, &inferred, size);
            }
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let size = self.participants.size()?;
        given.tensors()?.into_iter().map(|operand| Some(self.gathered(operand, size)?.into())).collect()
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        rule_but_for(view, &[self.dim])
    }

    /// Shardy lets all operands share their dims.
    fn propagation_rule(&self, view: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        Some(in_shardy(view, &[self.dim]))
    }

    /// Each device gets what all of them pass back to its part.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        for index in 0..v.view().num_operands() {
            let Some(cotangent) = v.cotangent_of(index).filter(|_| v.wants(index)) else { continue };
            let ty = v.operand_type(index);
            let region = v.pairwise(Binary::Add, TensorType::scalar(ty.element));
            let scatter = ReduceScatter { dim: self.dim, participants: going_back(v, &self.participants) };
            let own = v.emit_all(scatter, &[cotangent], vec![region], vec![ty.into()])[0];
            v.give(index, own);
        }
        Ok(())
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let (given, _) =
            self.participants.exchange(self.name(), Ids::of_all(&self.participants), inputs, cx)?;
        let gather = |index: usize| {
            let parts: Vec<Tensor> = given.iter().map(|member| member[index].clone()).collect();
            Tensor::concatenate(&parts, self.dim)
        };
        (0..view.num_operands()).map(gather).collect()
    }
}

impl AllGather {
    /// What groups of `size` devices make of an operand; `None` if it does not have the dim.
    fn gathered(&self, operand: &TensorType, size: usize) -> Option<TensorType> {
        let mut gathered = operand.clone();
        let dim = gathered.shape.get_mut(self.dim)?;
        *dim = dim.saturating_mul(size);
        Some(gathered)
    }
}
