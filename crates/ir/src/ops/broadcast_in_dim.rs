//! `stablehlo.broadcast_in_dim` (specification, "broadcast_in_dim").

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{Along, AttrReader, Linearity, OpDef, OpPriority, Propagation, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};
use crate::sharding::Reduction;
use crate::text::{Ending, Field, Format};
use crate::vjp::{Differentiated, Vjp};

/// Repeats the operand along new dims and along its dims of size one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BroadcastInDim {
    /// For each dim of the operand, the dim of the result that it becomes.
    pub dims: Vec<usize>,
}

impl OpDef for BroadcastInDim {
    const NAMES: &'static [&'static str] = &["stablehlo.broadcast_in_dim"];

    /// `%x, dims = [0] : (...) -> ...`
    const FORMAT: Option<Format> =
        Some(Format::of(1, Ending::Signature).with(&[Field::positions("dims", "broadcast_dimensions")]));

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { dims: attributes.dims("broadcast_dimensions")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("broadcast_dimensions", Attr::dims(&self.dims))
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 1, 1, 0) {
            return;
        }
        let (operand, result) = (view.operand(0), view.result(0));
        violations.require(operand.element == result.element, || {
            format!("C1: the result should be of {}, not {}", operand.element, result.element)
        });
        let fits = violations.require(self.dims.len() == operand.rank(), || {
            format!("C2: {} dims are listed for an operand of rank {}", self.dims.len(), operand.rank())
        }) & violations.require(self.dims.iter().all(|dim| *dim < result.rank()), || {
            format!("C3: dims {:?} are not all below the result's rank {}", self.dims, result.rank())
        });
        let mut sorted = self.dims.clone();
        sorted.sort_unstable();
        sorted.dedup();
        violations.require(sorted.len() == self.dims.len(), || {
            format!("C4: a dim is listed twice in {:?}", self.dims)
        });
        if !fits {
            return;
        }
        for (dim, target) in self.dims.iter().enumerate() {
            let (from, to) = (operand.shape[dim], result.shape[*target]);
            violations.require(from == 1 || from == to, || {
                format!("C5: dim {dim} of size {from} cannot become dim {target} of size {to}")
            });
        }
    }

    /// Dims that repeat are factors of the result alone: each device repeats what it has.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (dim, size) in view.result(0).shape.iter().enumerate() {
            let source = self.dims.iter().position(|target| *target == dim);
            match source.filter(|source| view.operand(0).shape[*source] == *size) {
                Some(source) => rule.add_dim(*size, FactorKind::PassThrough, &[(0, source)], &[(0, dim)]),
                None => rule.add_dim(*size, FactorKind::PassThrough, &[], &[(0, dim)]),
            };
        }
        rule
    }

    fn op_priority(&self, _: &InstView<'_>) -> OpPriority {
        OpPriority::Expanding
    }

    /// Shardy has a factor of size 1 along a dim that is repeated.
    fn propagation_rule(&self, view: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        let (operand, result) = (view.operand(0), view.result(0));
        let mut builder = RuleBuilder::new(view);
        for (dim, size) in result.shape.iter().enumerate() {
            let mut source = self.dims.iter().position(|target| *target == dim);
            if source.is_some_and(|source| operand.shape[source] == 1 && *size != 1) {
                builder.factor(&[source], &[None], 1, FactorType::PassThrough);
                source = None;
            }
            builder.factor(&[source], &[Some(dim)], *size, FactorType::PassThrough);
        }
        Some(builder.build())
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::moves()
    }

    fn along(&self, _: usize) -> Along {
        Along::Repeated
    }

    fn evaluate(&self, Evaluation { view, inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![inputs[0].broadcast(&view.result(0).shape, &self.dims)?])
    }

    /// The sum over all copies.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        v.give_with(0, |v, cotangent| {
            let (operand, result) = (v.operand_type(0), v.result_type(0));
            let of_operand = |dim: &usize| self.dims.iter().position(|own| own == dim);
            let is_copied =
                |dim: &usize| of_operand(dim).is_none_or(|own| operand.shape[own] != result.shape[*dim]);
            let (copied, kept): (Vec<usize>, Vec<usize>) = (0..result.rank()).partition(is_copied);
            let sum = v.sum(cotangent, copied);
            // The dims that are left are those of the operand of their size, in the result's order.
            let left: Vec<usize> = kept.iter().filter_map(of_operand).collect();
            let mut order: Vec<usize> = (0..left.len()).collect();
            order.sort_by_key(|at| left[*at]);
            let sum = v.transpose(sum, order);
            v.reshaped(sum, &operand.shape)
        });
        Ok(())
    }
}
