//! Data parallel: the axis shards the batch, everything else is replicated.
//!
//! What products make of the batch is said too. Otherwise weights that are stored in shards (ZeRO-3) may be used in
//! shards where they are large or activations small, which is tensor parallelism.

use super::Strategy;
use crate::problem::{Answer, DimKind, GroupKind, Problem};

/// Data parallel.
pub(super) const DATA: Strategy = Strategy { name: "data parallel", apply };

/// Shards the batch of all data, and of what is made of it. Where data has a batch, some of it has to divide.
pub(super) fn apply(problem: &Problem, answer: &mut Answer, axis: usize) -> bool {
    let has_batch = problem.sizes_of(GroupKind::Data, DimKind::Batch).iter().any(|size| *size > 1);
    let data = match has_batch {
        true => shard_kind(problem, answer, axis, GroupKind::Data, DimKind::Batch),
        false => shard_data(problem, answer, axis, DimKind::Batch),
    };
    if data {
        shard_kind(problem, answer, axis, GroupKind::Product, DimKind::Batch);
    }
    data
}

/// Shards one kind of dims of all data, or where no data has it in equal shards, of what products make: it may be drawn from
/// a key inside of the step, or cut from data that has an element more.
pub(super) fn shard_data(problem: &Problem, answer: &mut Answer, axis: usize, kind: DimKind) -> bool {
    shard_kind(problem, answer, axis, GroupKind::Data, kind)
        || shard_kind(problem, answer, axis, GroupKind::Product, kind)
}

/// Shards the first dim of one kind that divides, in every group of one kind.
pub(super) fn shard_kind(
    problem: &Problem,
    answer: &mut Answer,
    axis: usize,
    group_kind: GroupKind,
    dim_kind: DimKind,
) -> bool {
    let mut any = false;
    for group in problem.groups_of(|kind| kind == group_kind) {
        let dims = &problem.groups[group].dims;
        any |= (0..dims.len()).any(|dim| dims[dim] == dim_kind && problem.shard(answer, group, axis, dim));
    }
    any
}
