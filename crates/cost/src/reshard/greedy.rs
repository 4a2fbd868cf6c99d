//! A resharding plan that always exists: no look-ahead, any number of axes.
//!
//! Input: two shardings. Output: steps, not merged yet. Axes once placed as wanted stay, so it ends: slice and
//! reduce_scatter wherever a dim can grow, then move axes between dims, then reduce what is left while the value is
//! small, and gather only what stands in the way.

use super::{Step, apply};
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::sharding::Sharding;

/// Steps from `from` to `to`.
pub(super) fn plan(from: &Sharding, to: &Sharding, mesh: &Mesh) -> Vec<Step> {
    let mut state = from.clone();
    let mut plan = Vec::new();
    while let Some(step) = next(&state, to, mesh) {
        apply(&mut state, &step);
        plan.push(step);
    }
    plan
}

fn next(state: &Sharding, to: &Sharding, mesh: &Mesh) -> Option<Step> {
    let reduced = state.partial_axes().minus(to.partial_axes());
    let used = state.sharded_axes().union(state.partial_axes());
    grow(state, to, |axis| !used.contains(axis))
        .map(|(dim, axes)| Step::Slice { dim, axes })
        .or_else(|| {
            let (dim, axes) = grow(state, to, |axis| reduced.contains(axis))?;
            Some(Step::ReduceScatter { dim, axes, reduction: state.partial?.0 })
        })
        .or_else(|| exchange(state, to))
        .or_else(|| all_reduce(state, reduced))
        .or_else(|| gather(state, to, mesh))
}

/// The first dim that lacks only axes, and the longest run of the next ones that `may` be added now.
fn grow(state: &Sharding, to: &Sharding, may: impl Fn(SubAxisId) -> bool) -> Option<(usize, Vec<SubAxisId>)> {
    state.dim_axes().zip(to.dim_axes()).enumerate().find_map(|(dim, (have, want))| {
        let missing = want.strip_prefix(have)?;
        let axes: Vec<SubAxisId> = missing.iter().copied().take_while(|axis| may(*axis)).collect();
        (!axes.is_empty()).then_some((dim, axes))
    })
}

/// Moves the longest suffix that does not belong where it is to where it comes next.
fn exchange(state: &Sharding, to: &Sharding) -> Option<Step> {
    let mut best: Option<Step> = None;
    for (concat_dim, (have, want)) in state.dim_axes().zip(to.dim_axes()).enumerate() {
        for start in right_prefix(have, want)..have.len() {
            let suffix = &have[start..];
            let split_dim = (0..to.dims.len()).find(|dim| {
                let missing = to.dims[*dim].axes.strip_prefix(state.dims[*dim].axes.as_slice());
                missing.is_some_and(|missing| missing.starts_with(suffix))
            });
            if let Some(split_dim) = split_dim
                && best.as_ref().is_none_or(|best| best.axes().len() < suffix.len())
            {
                best = Some(Step::AllToAll { split_dim, concat_dim, axes: suffix.to_vec() });
            }
        }
    }
    best
}

fn all_reduce(state: &Sharding, reduced: AxisSet) -> Option<Step> {
    let reduction = state.partial?.0;
    (!reduced.is_empty()).then(|| Step::AllReduce { axes: reduced.iter().collect(), reduction })
}

/// Gathers what stands in the way in the dim where it is least.
fn gather(state: &Sharding, to: &Sharding, mesh: &Mesh) -> Option<Step> {
    let dims = state.dim_axes().zip(to.dim_axes()).enumerate();
    let wrong = dims.map(|(dim, (have, want))| (dim, &have[right_prefix(have, want)..]));
    let (dim, axes) =
        wrong.filter(|(_, axes)| !axes.is_empty()).min_by_key(|(_, axes)| mesh.product(*axes))?;
    Some(Step::AllGather { dim, axes: axes.to_vec() })
}

/// How many of the first axes are the wanted ones.
fn right_prefix(have: &[SubAxisId], want: &[SubAxisId]) -> usize {
    have.iter().zip(want).take_while(|(have, want)| have == want).count()
}
