//! Expert parallel (Lepikhin et al., 2020): the axis shards the batch and the experts, and tokens travel between.

use super::tensor::shard_set;
use super::{Strategy, data};
use crate::problem::{Answer, Problem};

/// Batch and experts are sharded.
pub(super) const EXPERT: Strategy = Strategy { name: "expert parallel", apply };

fn apply(problem: &Problem, answer: &mut Answer, axis: usize) -> bool {
    if !data::apply(problem, answer, axis) {
        return false;
    }
    let mut any = false;
    for set in problem.dim_sets.iter().filter(|set| set.work.is_expert() && !set.is_data) {
        any |= shard_set(problem, answer, set, axis);
    }
    any
}
