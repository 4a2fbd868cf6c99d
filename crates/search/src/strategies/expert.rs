//! Expert parallel (Lepikhin et al., 2020): the axis shards the batch and the experts, and tokens travel between.
//!
//! What the experts' matrices make is sharded by experts, not by the batch: otherwise the axis would gather the matrices,
//! which is ZeRO-3.

use super::tensor::shard_set;
use super::zero::{shard_moments, shard_state};
use super::{Strategy, data};
use crate::problem::{Answer, DimKind, GroupKind, Problem};

/// Batch and experts are sharded.
pub(super) const EXPERT: Strategy = Strategy { name: "expert parallel", apply };

/// The moments of all else are sharded too.
pub(super) const WITH_MOMENTS: Strategy =
    Strategy { name: "expert parallel and ZeRO-1", apply: apply_with_moments };

/// All other state is sharded too.
pub(super) const WITH_STATE: Strategy =
    Strategy { name: "expert parallel and ZeRO-3", apply: apply_with_state };

fn apply_with_moments(problem: &Problem, answer: &mut Answer, axis: usize) -> bool {
    apply(problem, answer, axis) && shard_moments(problem, answer, axis)
}

fn apply_with_state(problem: &Problem, answer: &mut Answer, axis: usize) -> bool {
    apply(problem, answer, axis) && shard_state(problem, answer, axis)
}

fn apply(problem: &Problem, answer: &mut Answer, axis: usize) -> bool {
    if !data::apply(problem, answer, axis) {
        return false;
    }
    let mut any = false;
    for set in problem.dim_sets.iter().filter(|set| set.work.is_expert() && !set.is_data) {
        any |= shard_set(problem, answer, set, axis);
    }
    // Instead of the batch, which was sharded there as everywhere.
    data::shard_kind(problem, answer, axis, GroupKind::Product, DimKind::Expert);
    any
}
