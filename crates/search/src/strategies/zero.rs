//! ZeRO (Rajbhandari et al., 2020): data parallel, with state sharded over the same axis. Stage 2 is not listed: its
//! sharded gradients follow from sharded moments wherever that is cheaper.

use super::{Strategy, data, is_moment, is_parameter, shard_largest, shard_with_moments};
use crate::problem::{Answer, Problem};

/// Moments are sharded.
pub(super) const ONE: Strategy = Strategy { name: "ZeRO-1", apply: one };

/// Parameters and moments are sharded (FSDP).
pub(super) const THREE: Strategy = Strategy { name: "ZeRO-3", apply: three };

fn one(problem: &Problem, answer: &mut Answer, axis: usize) -> bool {
    data::apply(problem, answer, axis) && shard_moments(problem, answer, axis)
}

fn three(problem: &Problem, answer: &mut Answer, axis: usize) -> bool {
    data::apply(problem, answer, axis) && shard_state(problem, answer, axis)
}

/// Shards the largest dim of all moments that the axis does not shard yet. Without moments that is done.
pub(crate) fn shard_moments(problem: &Problem, answer: &mut Answer, axis: usize) -> bool {
    let mut any = problem.groups_of(is_moment).next().is_none();
    for group in problem.groups_of(is_moment) {
        any |= problem.is_free(answer, group, axis) && shard_largest(problem, answer, group, axis).is_some();
    }
    any
}

/// Shards the largest dim of all parameters that the axis does not shard yet, and their moments alike.
pub(crate) fn shard_state(problem: &Problem, answer: &mut Answer, axis: usize) -> bool {
    let mut any = false;
    for group in problem.groups_of(is_parameter) {
        if !problem.is_free(answer, group, axis) {
            continue;
        }
        if let Some(dim) = shard_largest(problem, answer, group, axis) {
            any = true;
            shard_with_moments(problem, answer, group, axis, dim);
        }
    }
    any
}
