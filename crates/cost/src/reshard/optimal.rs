//! Plans compared with the cheapest of all sequences of steps, on small meshes.

use super::*;
use crate::reshard::tests::{Random, mesh};
use std::collections::BTreeMap;

/// All shardings of a value of `rank` dims over the axes of `mesh` without `others`.
fn arrangements(mesh: &Mesh, rank: usize, others: AxisSet) -> Vec<Vec<Vec<SubAxisId>>> {
    let mut all = vec![vec![Vec::new(); rank]];
    for axis in mesh.sub_axis_ids().filter(|axis| !others.contains(*axis)) {
        let mut next = all.clone();
        for dims in &all {
            for dim in 0..rank {
                for place in 0..=dims[dim].len() {
                    let mut dims = dims.clone();
                    dims[dim].insert(place, axis);
                    next.push(dims);
                }
            }
        }
        all = next;
    }
    all
}

/// Every step that can be taken from `state` and shards only by axes of `named`.
fn all_steps(state: &Sharding, named: AxisSet, mesh: &Mesh) -> Vec<Step> {
    let mut steps = Vec::new();
    let used = state.sharded_axes().union(state.partial_axes());
    for dim in 0..state.dims.len() {
        let axes = &state.dims[dim].axes;
        for axis in named.minus(used).iter() {
            steps.push(Step::Slice { dim, axes: vec![axis] });
        }
        for start in 0..axes.len() {
            let suffix = axes[start..].to_vec();
            for split_dim in (0..state.dims.len()).filter(|other| *other != dim) {
                steps.push(Step::AllToAll { split_dim, concat_dim: dim, axes: suffix.clone() });
            }
            steps.push(Step::AllGather { dim, axes: suffix });
        }
    }
    if let Some((reduction, partial)) = state.partial {
        let members: Vec<SubAxisId> = partial.iter().collect();
        for axis in &members {
            for dim in 0..state.dims.len() {
                steps.push(Step::ReduceScatter { dim, axes: vec![*axis], reduction });
            }
        }
        for subset in 1..1usize << members.len() {
            let axes = (0..members.len()).filter(|at| subset >> at & 1 == 1).map(|at| members[at]).collect();
            steps.push(Step::AllReduce { axes, reduction });
        }
    }
    let unnamed = mesh.all().minus(named);
    for dims in arrangements(mesh, state.dims.len(), state.partial_axes().union(unnamed)) {
        let same = state.dim_axes().zip(&dims).all(|(old, new)| mesh.product(old) == mesh.product(new));
        if same && !state.dim_axes().eq(dims.iter().map(Vec::as_slice)) {
            steps.push(Step::Permute { dims });
        }
    }
    steps
}

type Key = (Vec<Vec<SubAxisId>>, AxisSet);

fn key(state: &Sharding) -> Key {
    (state.dim_axes().map(<[SubAxisId]>::to_vec).collect(), state.partial_axes())
}

/// The least price of any sequence of steps (Bellman and Ford's algorithm).
fn least_price(from: &Sharding, to: &Sharding, shape: &[usize], mesh: &Mesh) -> f64 {
    let named = from.used_axes().union(to.used_axes());
    let mut prices: BTreeMap<Key, f64> = BTreeMap::from([(key(from), 0.0)]);
    let mut open = vec![from.clone()];
    let step_price = StepPrice::new(&Layout::new(from, shape, mesh), mesh);
    let shards = |state: &Sharding| mesh.set_size(state.sharded_axes()) as f64;
    while let Some(state) = open.pop() {
        let before = prices[&key(&state)];
        for step in all_steps(&state, named, mesh) {
            let mut next = state.clone();
            apply(&mut next, &step);
            if (0..shape.len()).any(|dim| !shape[dim].is_multiple_of(next.num_shards(dim, mesh))) {
                continue;
            }
            let group = mesh.product(step.axes()) as f64;
            let total = before + step_price.of(&step) + sent(&step, group) * shards(from) / shards(&state);
            let known = prices.entry(key(&next)).or_insert(f64::INFINITY);
            if total < *known - 1e-12 {
                *known = total;
                open.push(next);
            }
        }
    }
    prices[&key(to)]
}

#[test]
fn no_sequence_of_steps_is_cheaper() {
    let mut random = Random(3);
    for round in 0..500 {
        let mesh = mesh([&[2, 2][..], &[2, 3], &[2, 2, 2], &[4], &[2, 4]][round % 5]);
        let rank = 1 + random.below(2);
        let from = random.sharding(&mesh, rank, mesh.all());
        let to = random.sharding(&mesh, rank, AxisSet::EMPTY);
        let shape = vec![[48, 4800][round % 2]; rank];
        let plan = steps(&from, &to, &shape, &mesh);
        let found = price(&plan, Layout::new(&from, &shape, &mesh), &mesh);
        let least = least_price(&from, &to, &shape, &mesh);
        // Merging may have made the plan cheaper than its parts.
        assert!(found <= least * 1.000_001, "{found} is more than {least}: {from:?} to {to:?} by {plan:?}");
    }
}

#[test]
fn what_was_planned_before_changes_nothing() {
    let mut random = Random(5);
    let mut planner = Planner::apart();
    let mut searched = 0;
    for round in 0..500 {
        let mesh = mesh([&[2, 2][..], &[2, 2, 2], &[2, 4], &[2, 2, 3]][round % 4]);
        let rank = 2 + random.below(2);
        let from = random.sharding(&mesh, rank, mesh.all());
        let to = random.sharding(&mesh, rank, AxisSet::EMPTY);
        // The last of them are padded.
        let shape = vec![[48, 4800, 44][round % 3]; rank];
        let plan = planner.steps(&from, &to, &shape, &mesh);
        assert_eq!(plan, steps(&from, &to, &shape, &mesh), "{from:?} to {to:?} of {shape:?}");
        searched += usize::from(plan.len() > 1);
    }
    assert!(planner.num_searched() < searched, "{} of {searched}", planner.num_searched());
}
