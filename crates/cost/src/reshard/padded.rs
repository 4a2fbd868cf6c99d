//! Resharding where shards hold padding.
//!
//! Input: two shardings of which one at least does not divide the shape. Output: steps. A dim that both shardings pad
//! to one size is moved with its padding, as if the tensor were that large. A dim that is whole before or after is
//! padded or cut there. Any other dim is made whole in between, with the other dims as they were or as they shall be,
//! whichever is cheaper.

use super::{Layout, Planner, Step, merge, price};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::sharding::Sharding;

/// Steps from `from` to `to`.
pub(super) fn steps(
    planner: &mut Planner,
    from: &Sharding,
    to: &Sharding,
    shape: &[usize],
    mesh: &Mesh,
) -> Vec<Step> {
    let start = Layout::new(from, shape, mesh);
    let goal = Layout::new(to, shape, mesh);
    let is_whole = |sharding: &Sharding, dim: usize| sharding.dims[dim].axes.is_empty();
    let unlike: Vec<usize> = (0..shape.len())
        .filter(|dim| start.sizes[*dim] != goal.sizes[*dim] && !is_whole(from, *dim) && !is_whole(to, *dim))
        .collect();
    if unlike.is_empty() {
        return with_one_padding(planner, &start, &goal, mesh);
    }
    let between = [to, from].map(|base| {
        let mut between = base.clone();
        unlike.iter().for_each(|dim| between.dims[*dim].axes.clear());
        between
    });
    let plans = between.map(|between| {
        let middle = Layout::new(&between, shape, mesh);
        let first = with_one_padding(planner, &start, &middle, mesh);
        let second = with_one_padding(planner, &middle, &goal, mesh);
        let plan = merge([first, second].concat());
        (price(&plan, start.clone(), mesh), plan)
    });
    let [first, second] = plans;
    if second.0 < first.0 { second.1 } else { first.1 }
}

/// Steps where each dim is padded alike before and after, or whole on one side: all at once, with the dims that lose
/// their padding made whole first, or with those that get it cut last, so that less padding is moved.
fn with_one_padding(planner: &mut Planner, start: &Layout, goal: &Layout, mesh: &Mesh) -> Vec<Step> {
    let mut best = at_once(planner, start, goal, mesh);
    let mut least = price(&best, start.clone(), mesh);
    let dims = start.sizes.iter().zip(&goal.sizes).enumerate();
    let unlike: Vec<usize> = dims.filter(|(_, (old, new))| old != new).map(|(dim, _)| dim).collect();
    for (base, other) in [(start, goal), (goal, start)] {
        let mut middle = base.clone();
        for dim in unlike.iter().filter(|dim| other.sharding.dims[**dim].axes.is_empty()) {
            middle.sharding.dims[*dim].axes.clear();
            middle.sizes[*dim] = other.sizes[*dim];
        }
        if middle == *base {
            continue;
        }
        let first = at_once(planner, start, &middle, mesh);
        let second = at_once(planner, &middle, goal, mesh);
        let plan = merge([first, second].concat());
        let cost = price(&plan, start.clone(), mesh);
        if cost < least {
            (best, least) = (plan, cost);
        }
    }
    best
}

/// The same with all dims moved together, padded as they are on the side where they are sharded.
fn at_once(planner: &mut Planner, start: &Layout, goal: &Layout, mesh: &Mesh) -> Vec<Step> {
    let (from, to) = (&start.sharding, &goal.sharding);
    let mut sizes = start.sizes.clone();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (dim, (old, new)) in start.sizes.iter().zip(&goal.sizes).enumerate() {
        if old == new {
            continue;
        }
        if from.dims[dim].axes.is_empty() {
            sizes[dim] = *new;
            before.push(Step::Resize { dim, size: *new });
        } else {
            after.push(Step::Resize { dim, size: *new });
        }
    }
    [before, planner.even_steps(from, to, &sizes, mesh), after].concat()
}
