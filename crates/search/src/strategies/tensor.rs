//! Tensor parallel (Shoeybi et al., 2019): the axis shards one dim of every weight, so that what one product leaves
//! sharded the next one contracts.
//!
//! Which dims those are follows from the sets of dims: the fewer weights a set touches, the more local the dim, so
//! hidden widths and heads are taken before the model's own width, which touches every weight and would make every
//! product communicate. A set is taken if no weight of it is sharded over the axis yet.

use super::{Strategy, data, shard_with_moments};
use crate::problem::{Answer, DimKind, DimSet, GroupKind, Problem};

/// Weights are sharded.
pub(super) const TENSOR: Strategy = Strategy { name: "tensor parallel", apply };

/// Weights are sharded, and tokens where activations are not (Korthikanti et al., 2022).
pub(super) const WITH_SEQUENCE: Strategy =
    Strategy { name: "tensor and sequence parallel", apply: apply_with_sequence };

fn apply(problem: &Problem, answer: &mut Answer, axis: usize) -> bool {
    let mut order: Vec<&DimSet> = problem.dim_sets.iter().filter(|set| !set.is_data).collect();
    // Dims that no product works on, as that of stacked layers, only where nothing else is.
    order.sort_by_key(|set| (set.flops == 0.0, set.sites.len(), set.sites[0].1));
    let mut any = false;
    for set in order {
        if set.sites.iter().all(|(group, _)| answer.choices[*group][axis].is_none()) {
            any |= shard_set(problem, answer, set, axis) && set.flops > 0.0;
        }
    }
    any
}

fn apply_with_sequence(problem: &Problem, answer: &mut Answer, axis: usize) -> bool {
    apply(problem, answer, axis)
        && data::shard_kind(problem, answer, axis, GroupKind::Activation, DimKind::Sequence)
}

/// Shards all dims of a set over `axis`, or none if one of them does not divide.
pub(crate) fn shard_set(problem: &Problem, answer: &mut Answer, set: &DimSet, axis: usize) -> bool {
    let mut sharded = answer.clone();
    let all =
        set.sites.iter().all(|(group, dim)| shard_with_moments(problem, &mut sharded, *group, axis, *dim));
    if all {
        *answer = sharded;
    }
    all
}
