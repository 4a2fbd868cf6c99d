//! The resharding planner: a sequence of collectives that turns one sharding of a value into another.
//!
//! Input: two shardings of one value, its global shape and the mesh. Output: [`Step`]s, each of which maps the local
//! shards of every device to new ones; [`apply`] says what sharding a step leaves behind.
//!
//! A dim's axes stand major first, so the minor-most axes are a suffix. `all_gather` removes a suffix, a slice or a
//! `reduce_scatter` appends one, `all_to_all` moves a suffix of one dim to the end of another, and
//! `collective_permute` changes which axes shard a dim as long as the number of shards stays. Example: a sum that is
//! partial over `x` and wanted as `[{"x"}, {}]` is one `reduce_scatter`; `[{"x"}, {}]` to `[{}, {"x"}]` is one
//! `all_to_all`; `[{"y"}]` to `[{"x", "y"}]` is a slice by `x` and then a permute of the half that is left.
//!
//! What one step can do is found directly. Otherwise a greedy plan, which always exists, bounds an exact search over
//! short sequences (Dijkstra's algorithm; states are shardings, prices the bytes that a device sends and a little for
//! each step). No machine is asked: a plan is the same wherever it runs. Axes that neither sharding names stay unused,
//! though slicing by them first and gathering at last would sometimes send less.

mod greedy;
#[cfg(test)]
mod optimal;
mod permute;
mod search;
#[cfg(test)]
mod tests;

use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_ir::types::ElementType;

/// One step of a resharding. Axes are major first: members of a collective's groups stand in their order
/// (`Mesh::groups`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Combines the contributions over `axes`; every device of a group gets the whole. Axes are in mesh order.
    AllReduce {
        /// Over which axes; they are no longer partial.
        axes: Vec<SubAxisId>,
        /// How contributions combine.
        reduction: Reduction,
    },
    /// Combines the contributions over `axes`; each device gets its part of `dim`.
    ReduceScatter {
        /// The dim to split.
        dim: usize,
        /// Over which axes; they are no longer partial and become the minor-most axes of `dim`.
        axes: Vec<SubAxisId>,
        /// How contributions combine.
        reduction: Reduction,
    },
    /// Concatenates the shards along `dim`.
    AllGather {
        /// The dim to put together.
        dim: usize,
        /// The minor-most axes of `dim`; they shard nothing afterwards.
        axes: Vec<SubAxisId>,
    },
    /// Splits `split_dim`, sends part `i` to member `i`, and concatenates what arrives along `concat_dim`.
    AllToAll {
        /// The dim that is sharded by `axes` afterwards, as its minor-most.
        split_dim: usize,
        /// The dim of which `axes` are the minor-most before.
        concat_dim: usize,
        /// The axes that move.
        axes: Vec<SubAxisId>,
    },
    /// Each device keeps its own part of `dim`; nothing is sent.
    Slice {
        /// The dim to split.
        dim: usize,
        /// The axes that become the minor-most of `dim`. The value must not be partial over them.
        axes: Vec<SubAxisId>,
    },
    /// Each device receives the shard of one other device, or keeps its own. The number of shards per dim, and so the
    /// local shape, stays.
    Permute {
        /// The axes of each dim afterwards.
        dims: Vec<Vec<SubAxisId>>,
        /// (source, target) pairs, one per device, ordered by target; a device that keeps its shard is its own source.
        pairs: Vec<(usize, usize)>,
    },
}

impl Step {
    /// The axes along which its groups extend; none for a slice. A permute may move data along any axis that shards
    /// the value before or after.
    pub fn axes(&self) -> &[SubAxisId] {
        match self {
            Self::AllReduce { axes, .. }
            | Self::ReduceScatter { axes, .. }
            | Self::AllGather { axes, .. }
            | Self::AllToAll { axes, .. } => axes,
            Self::Slice { .. } | Self::Permute { .. } => &[],
        }
    }
}

/// Whether `from` can be brought to `to`: contributions can be combined, but not made.
pub fn is_possible(from: &Sharding, to: &Sharding) -> bool {
    from.dims.len() == to.dims.len()
        && to.partial_axes().minus(from.partial_axes()).is_empty()
        && (to.partial.is_none() || reduction(from) == reduction(to))
}

fn reduction(sharding: &Sharding) -> Option<Reduction> {
    sharding.partial.map(|(reduction, _)| reduction)
}

/// The steps that turn `from` into a sharding that places the data like `to`, in order. `shape` is the global shape;
/// both shardings divide it evenly, and so does every sharding in between.
///
/// # Panics
/// If it is not possible ([`is_possible`]).
pub fn steps(from: &Sharding, to: &Sharding, shape: &[usize], mesh: &Mesh) -> Vec<Step> {
    if from.places_like(to) {
        return Vec::new();
    }
    assert!(is_possible(from, to), "no steps turn {from:?} into {to:?}");
    let reduced = from.partial_axes().minus(to.partial_axes());
    let plan = match single_step(from, to, reduced, mesh) {
        Some(step) => vec![step],
        None => several_steps(from, to, shape, mesh),
    };
    debug_assert!(reaches(&plan, from, to), "{plan:?} does not turn {from:?} into {to:?}");
    plan
}

fn several_steps(from: &Sharding, to: &Sharding, shape: &[usize], mesh: &Mesh) -> Vec<Step> {
    let greedy = merge(greedy::plan(from, to, mesh));
    let step_price = StepPrice::new(from, shape, mesh);
    let bound = price(&greedy, step_price, mesh);
    search::cheaper_plan(from, to, shape, mesh, step_price, bound).map_or(greedy, merge)
}

fn reaches(plan: &[Step], from: &Sharding, to: &Sharding) -> bool {
    let mut state = from.clone();
    plan.iter().for_each(|step| apply(&mut state, step));
    state.places_like(to)
}

/// Turns the sharding before `step` into the one after it.
pub fn apply(state: &mut Sharding, step: &Step) {
    match step {
        Step::AllReduce { axes, .. } => reduce(state, axes),
        Step::ReduceScatter { dim, axes, .. } => {
            reduce(state, axes);
            state.dims[*dim].axes.extend_from_slice(axes);
        }
        Step::AllGather { dim, axes } => remove_suffix(&mut state.dims[*dim].axes, axes),
        Step::AllToAll { split_dim, concat_dim, axes } => {
            remove_suffix(&mut state.dims[*concat_dim].axes, axes);
            state.dims[*split_dim].axes.extend_from_slice(axes);
        }
        Step::Slice { dim, axes } => state.dims[*dim].axes.extend_from_slice(axes),
        Step::Permute { dims, .. } => {
            for (dim, axes) in state.dims.iter_mut().zip(dims) {
                dim.axes.clone_from(axes);
            }
        }
    }
}

fn reduce(state: &mut Sharding, axes: &[SubAxisId]) {
    let (reduction, before) = state.partial.expect("only a partial value is reduced");
    let axes: AxisSet = axes.iter().collect();
    debug_assert!(axes.minus(before).is_empty(), "{state:?} is not partial over {axes:?}");
    let left = before.minus(axes);
    state.partial = (!left.is_empty()).then_some((reduction, left));
}

fn remove_suffix(axes: &mut Vec<SubAxisId>, suffix: &[SubAxisId]) {
    debug_assert!(axes.ends_with(suffix), "{suffix:?} is not at the end of {axes:?}");
    axes.truncate(axes.len() - suffix.len());
}

/// The one step that does it, if there is one. Each is as cheap as any plan with the same effect: what it sends to a
/// device is what the device lacks (or, for a permute, one shard, which no two other collectives undercut).
fn single_step(from: &Sharding, to: &Sharding, reduced: AxisSet, mesh: &Mesh) -> Option<Step> {
    let mut differing = (0..from.dims.len()).filter(|dim| from.dims[*dim].axes != to.dims[*dim].axes);
    let (first, second, third) = (differing.next(), differing.next(), differing.next());
    let added = |dim: usize| to.dims[dim].axes.strip_prefix(from.dims[dim].axes.as_slice());
    let removed = |dim: usize| from.dims[dim].axes.strip_prefix(to.dims[dim].axes.as_slice());
    if !reduced.is_empty() {
        let reduction = reduction(from)?;
        return match (first, second) {
            (None, _) => Some(Step::AllReduce { axes: reduced.iter().collect(), reduction }),
            (Some(dim), None) => {
                let axes = added(dim)?;
                let all = axes.iter().collect::<AxisSet>() == reduced;
                all.then(|| Step::ReduceScatter { dim, axes: axes.to_vec(), reduction })
            }
            _ => None,
        };
    }
    let first = first?;
    if second.is_none() {
        if let Some(axes) = added(first) {
            return Some(Step::Slice { dim: first, axes: axes.to_vec() });
        }
        if let Some(axes) = removed(first) {
            return Some(Step::AllGather { dim: first, axes: axes.to_vec() });
        }
    }
    if let (Some(second), None) = (second, third) {
        for (concat_dim, split_dim) in [(first, second), (second, first)] {
            if let Some(axes) = added(split_dim)
                && removed(concat_dim) == Some(axes)
            {
                return Some(Step::AllToAll { split_dim, concat_dim, axes: axes.to_vec() });
            }
        }
    }
    let same_counts = (0..from.dims.len()).all(|dim| from.num_shards(dim, mesh) == to.num_shards(dim, mesh));
    same_counts.then(|| permute::step(from, to.dim_axes().map(<[SubAxisId]>::to_vec).collect(), mesh))
}

/// What a step costs on top of its bytes, relative to the bytes that a device holds at first.
#[derive(Clone, Copy, Debug)]
struct StepPrice {
    collective: f64,
    slice: f64,
}

impl StepPrice {
    /// For large tensors just enough to prefer the shorter of two plans that send alike. A small tensor is sent in no
    /// time, so there each step counts as much as sending [`StepPrice::ELEMENTS`] elements.
    fn new(from: &Sharding, shape: &[usize], mesh: &Mesh) -> Self {
        let sizes = shape.iter().zip(&from.dims).map(|(size, dim)| size / mesh.product(&dim.axes));
        let elements = sizes.product::<usize>().max(1) as f64;
        let collective = 1.0 / 64.0 + Self::ELEMENTS / elements;
        // A slice sends nothing.
        Self { collective, slice: collective / 64.0 }
    }

    /// Small, so that bytes decide wherever there are any to speak of: the planner knows nothing of the links.
    const ELEMENTS: f64 = 256.0;

    fn of(self, step: &Step) -> f64 {
        if matches!(step, Step::Slice { .. }) { self.slice } else { self.collective }
    }
}

/// Price of a whole plan, relative to the local size in `from`.
fn price(plan: &[Step], step_price: StepPrice, mesh: &Mesh) -> f64 {
    let mut local = 1.0;
    let mut total = 0.0;
    for step in plan {
        let group = mesh.product(step.axes()) as f64;
        total += sent(step, group) * local + step_price.of(step);
        local *= growth(step, group, mesh);
    }
    total
}

/// Bytes that a device sends in a step (rings and all-to-alls sending each part once), per byte that it holds before.
fn sent(step: &Step, group: f64) -> f64 {
    match step {
        Step::AllReduce { .. } => 2.0 * (group - 1.0) / group,
        Step::AllGather { .. } => group - 1.0,
        Step::ReduceScatter { .. } | Step::AllToAll { .. } => (group - 1.0) / group,
        Step::Slice { .. } => 0.0,
        Step::Permute { .. } => 1.0,
    }
}

/// Bytes that a device holds after a step, per byte before.
fn growth(step: &Step, group: f64, mesh: &Mesh) -> f64 {
    match step {
        Step::AllGather { .. } => group,
        Step::ReduceScatter { .. } => 1.0 / group,
        Step::Slice { axes, .. } => 1.0 / mesh.product(axes) as f64,
        Step::AllReduce { .. } | Step::AllToAll { .. } | Step::Permute { .. } => 1.0,
    }
}

/// Bytes that one device sends in `step`, which finds the value sharded like `state`. With b the local bytes before
/// the step and g the size of a group: `all_reduce` 2 (g-1)/g b, `all_gather` (g-1)/g of the result,
/// `reduce_scatter` (g-1) times the result, `all_to_all` (g-1)/g b, a permute b, a slice nothing.
pub fn ring_bytes(step: &Step, state: &Sharding, shape: &[usize], element: ElementType, mesh: &Mesh) -> f64 {
    sent(step, mesh.product(step.axes()) as f64) * local_bytes(state, shape, element, mesh)
}

/// Bytes of one device's shard.
pub fn local_bytes(state: &Sharding, shape: &[usize], element: ElementType, mesh: &Mesh) -> f64 {
    let elements: usize =
        shape.iter().zip(&state.dims).map(|(size, dim)| size / mesh.product(&dim.axes)).product();
    (elements * element.bits()) as f64 / 8.0
}

/// Neighboring steps of the same kind made one.
fn merge(plan: Vec<Step>) -> Vec<Step> {
    let mut merged: Vec<Step> = Vec::with_capacity(plan.len());
    for step in plan {
        match (merged.last_mut(), &step) {
            (
                Some(Step::ReduceScatter { dim, axes, .. }),
                Step::ReduceScatter { dim: other, axes: more, .. },
            )
            | (Some(Step::Slice { dim, axes }), Step::Slice { dim: other, axes: more })
                if dim == other =>
            {
                axes.extend_from_slice(more);
            }
            (Some(Step::AllGather { dim, axes }), Step::AllGather { dim: other, axes: more })
                if dim == other =>
            {
                // The later gather removes the more major axes.
                axes.splice(0..0, more.iter().copied());
            }
            (Some(Step::AllReduce { axes, .. }), Step::AllReduce { axes: more, .. }) => {
                axes.extend_from_slice(more);
                axes.sort();
            }
            _ => merged.push(step),
        }
    }
    merged
}
