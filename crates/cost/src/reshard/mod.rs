//! The resharding planner: a sequence of collectives that turns one sharding of a value into another.
//!
//! Input: two shardings of one value, its global shape and the mesh. Output: [`Step`]s, each of which maps the local
//! shards of every device to new ones; `apply` says what sharding a step leaves behind.
//!
//! A dim's axes stand major first, so the minor-most axes are a suffix. `all_gather` removes a suffix, a slice or a
//! `reduce_scatter` appends one, `all_to_all` moves a suffix of one dim to the end of another, and
//! `collective_permute` changes which axes shard a dim as long as the number of shards stays. Example: a sum that is
//! partial over `x` and wanted as `[{"x"}, {}]` is one `reduce_scatter`; `[{"x"}, {}]` to `[{}, {"x"}]` is one
//! `all_to_all`; `[{"y"}]` to `[{"x", "y"}]` is a slice by `x` and then a permute of the half that is left.
//!
//! Shards that hold padding ([`Sharding::local_shape`]) are moved with it; see [`Layout`] and module `padded`.
//!
//! What one step can do is found directly. Otherwise a greedy plan, which always exists, bounds an exact search over
//! short sequences (A*; states are shardings, prices the bytes that a device sends and a little for each step). No
//! machine is asked: a plan is the same wherever it runs. Axes that neither sharding names stay unused, though slicing
//! by them first and gathering at last would sometimes send less.

mod atoms;
mod greedy;
#[cfg(test)]
mod optimal;
mod padded;
pub mod permute;
mod search;
#[cfg(test)]
mod tests;

use crate::collective::Collective;
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_tensor::types::ElementType;

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
        /// The axes of each dim afterwards; who sends to whom: [`permute::pairs`].
        dims: Vec<Vec<SubAxisId>>,
    },
    /// Each device's shard becomes a contribution to the whole: it stands among elements that change nothing when
    /// combined. Nothing is sent.
    Contribute {
        /// The dim that it puts together.
        dim: usize,
        /// The minor-most axes of `dim`; the value is partial over them afterwards.
        axes: Vec<SubAxisId>,
        /// How contributions combine.
        reduction: Reduction,
    },
    /// Pads a dim that nothing shards, or cuts padding off; nothing is sent.
    Resize {
        /// The dim.
        dim: usize,
        /// Its size afterwards, padding included.
        size: usize,
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
            Self::Slice { .. } | Self::Permute { .. } | Self::Contribute { .. } | Self::Resize { .. } => &[],
        }
    }

    /// The axes that it gathers along, if it does.
    fn gathered(&self) -> Option<&[SubAxisId]> {
        match self {
            Self::AllGather { axes, .. } => Some(axes),
            _ => None,
        }
    }

    /// The dim that it scatters, if it does.
    fn scattered(&self) -> Option<usize> {
        match self {
            Self::ReduceScatter { dim, .. } => Some(*dim),
            _ => None,
        }
    }

    /// Returns whether it is a collective; the others send nothing.
    pub fn is_collective(&self) -> bool {
        !matches!(self, Self::Slice { .. } | Self::Contribute { .. } | Self::Resize { .. })
    }
}

/// Layout of a value on the devices between two steps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout {
    /// Which axes shard its dims, and over which it is partial.
    pub sharding: Sharding,
    /// The size of each dim, padding included: a multiple of its number of shards.
    pub sizes: Vec<usize>,
}

impl Layout {
    /// As a value of the global `shape` is kept.
    pub fn new(sharding: &Sharding, shape: &[usize], mesh: &Mesh) -> Self {
        let padded = |(size, axes): (&usize, &[SubAxisId])| {
            let shards = mesh.product(axes);
            size.div_ceil(shards) * shards
        };
        Self {
            sharding: sharding.clone(),
            sizes: shape.iter().zip(sharding.dim_axes()).map(padded).collect(),
        }
    }

    /// The sharding and sizes after `step`.
    pub fn apply(&mut self, step: &Step) {
        match step {
            Step::Resize { dim, size } => {
                debug_assert!(self.sharding.dims[*dim].axes.is_empty(), "{self:?} is resized in dim {dim}");
                self.sizes[*dim] = *size;
            }
            _ => apply(&mut self.sharding, step),
        }
    }

    /// Elements of one device's shard.
    fn local_elements(&self, mesh: &Mesh) -> usize {
        let dims = self.sizes.iter().zip(self.sharding.dim_axes());
        dims.map(|(size, axes)| size / mesh.product(axes)).product()
    }

    /// Bytes of one device's shard.
    pub fn local_bytes(&self, element: ElementType, mesh: &Mesh) -> f64 {
        (self.local_elements(mesh) * element.bits()) as f64 / 8.0
    }

    /// Bytes that one device sends in `step`, which finds the value like this. With b the local bytes before the step
    /// and g the size of a group: `all_reduce` 2 (g-1)/g b, `all_gather` (g-1)/g of the result, `reduce_scatter`
    /// (g-1) times the result, `all_to_all` (g-1)/g b, a permute b, the others nothing.
    pub fn ring_bytes(&self, step: &Step, element: ElementType, mesh: &Mesh) -> f64 {
        sent(step, mesh.product(step.axes()) as f64) * self.local_bytes(element, mesh)
    }
}

/// Returns whether `from` can be brought to `to`: contributions can be combined, but not made.
pub fn is_possible(from: &Sharding, to: &Sharding) -> bool {
    from.dims.len() == to.dims.len()
        && to.partial_axes().minus(from.partial_axes()).is_empty()
        && (to.partial.is_none() || reduction(from) == reduction(to))
}

fn reduction(sharding: &Sharding) -> Option<Reduction> {
    sharding.partial.map(|(reduction, _)| reduction)
}

/// Parts of the partial value that `to` asks for and `from` lacks. Shards become partial by [`steps`]; along the axes
/// that are still missing behind them the value is to be counted once, which sends nothing.
pub fn missing_partial(from: &Sharding, to: &Sharding) -> Option<(Reduction, AxisSet)> {
    let (reduction, wanted) = to.partial?;
    let has = if self::reduction(from) == Some(reduction) { from.partial_axes() } else { AxisSet::EMPTY };
    let missing = wanted.minus(has);
    (!missing.is_empty()).then_some((reduction, missing))
}

/// `to` as far as [`steps`] lead from `from`: without the contributions that are to be made.
fn without_missing(from: &Sharding, to: &Sharding) -> Sharding {
    let missing = missing_partial(from, to).map_or(AxisSet::EMPTY, |(_, axes)| axes);
    let partial = to.partial.map(|(reduction, axes)| (reduction, axes.minus(missing)));
    Sharding { partial: partial.filter(|(_, axes)| !axes.is_empty()), ..to.clone() }
}

/// The steps that turn `from` into a sharding that places the data like `to`, in order, the
/// [`missing_partial`] aside. `shape` is the global shape.
///
/// # Panics
/// If it is not possible ([`is_possible`]).
pub fn steps(from: &Sharding, to: &Sharding, shape: &[usize], mesh: &Mesh) -> Vec<Step> {
    Planner::default().steps(from, to, shape, mesh)
}

/// Plans reshards, and remembers what was searched for: of many reshards most move their axes like another. All planners
/// share what they remember, on other threads too.
#[derive(Clone, Debug)]
pub struct Planner {
    searched: search::Searched,
}

impl Default for Planner {
    fn default() -> Self {
        Self { searched: search::Searched::shared() }
    }
}

impl Planner {
    /// See [`steps`]; the same, whatever was planned before.
    ///
    /// # Panics
    /// If it is not possible ([`is_possible`]).
    pub fn steps(&mut self, from: &Sharding, to: &Sharding, shape: &[usize], mesh: &Mesh) -> Vec<Step> {
        let last = partial_steps(from, to, shape, mesh);
        let mut to = without_missing(from, to);
        for step in &last {
            if let Step::Contribute { dim, axes, .. } = step {
                to.dims[*dim].axes.extend(axes);
            }
        }
        let mut plan = self.without_partial(from, &to, shape, mesh);
        plan.extend(last);
        plan
    }

    /// A planner that shares nothing.
    #[cfg(test)]
    fn apart() -> Self {
        Self { searched: search::Searched::default() }
    }

    /// How many searches there were.
    #[cfg(test)]
    fn num_searched(&self) -> usize {
        self.searched.len()
    }

    fn without_partial(&mut self, from: &Sharding, to: &Sharding, shape: &[usize], mesh: &Mesh) -> Vec<Step> {
        if from.places_like(to) {
            return Vec::new();
        }
        assert!(is_possible(from, to), "no steps turn {from:?} into {to:?}");
        let plan = if from.is_padded(shape, mesh) || to.is_padded(shape, mesh) {
            padded::steps(self, from, to, shape, mesh)
        } else {
            self.even_steps(from, to, shape, mesh)
        };
        debug_assert!(reaches(&plan, from, to, shape, mesh), "{plan:?} does not turn {from:?} into {to:?}");
        plan
    }

    /// The steps where both shardings divide `sizes`; so does every sharding in between.
    fn even_steps(&mut self, from: &Sharding, to: &Sharding, sizes: &[usize], mesh: &Mesh) -> Vec<Step> {
        if from.places_like(to) {
            return Vec::new();
        }
        let reduced = from.partial_axes().minus(to.partial_axes());
        match single_step(from, to, reduced, mesh) {
            Some(step) => vec![step],
            None => self.several_steps(from, to, sizes, mesh),
        }
    }

    fn several_steps(&mut self, from: &Sharding, to: &Sharding, sizes: &[usize], mesh: &Mesh) -> Vec<Step> {
        let greedy = merge(greedy::plan(from, to, mesh));
        let start = Layout { sharding: from.clone(), sizes: sizes.to_vec() };
        let bound = price(&greedy, start, mesh);
        self.searched.cheaper_plan(from, to, sizes, mesh, bound).map_or(greedy, merge)
    }
}

/// Shards that are to be contributions stay where they are until the end.
fn partial_steps(from: &Sharding, to: &Sharding, shape: &[usize], mesh: &Mesh) -> Vec<Step> {
    let Some((reduction, missing)) = missing_partial(from, to) else { return Vec::new() };
    if from.partial.is_some_and(|(other, _)| other != reduction) {
        return Vec::new();
    }
    let of_dim = |dim: usize| {
        let own = &from.dims[dim].axes;
        let kept = own.iter().rposition(|axis| !missing.contains(*axis)).map_or(0, |last| last + 1);
        let axes = own[kept..].to_vec();
        let shards = mesh.product(&to.dims[dim].axes) * mesh.product(&axes);
        let divides = shape[dim].is_multiple_of(shards) && shape[dim].is_multiple_of(mesh.product(own));
        (divides && !axes.is_empty()).then_some(Step::Contribute { dim, axes, reduction })
    };
    (0..shape.len()).filter_map(of_dim).collect()
}

fn reaches(plan: &[Step], from: &Sharding, to: &Sharding, shape: &[usize], mesh: &Mesh) -> bool {
    let mut state = Layout::new(from, shape, mesh);
    plan.iter().for_each(|step| state.apply(step));
    state.sharding.places_like(to) && state.sizes == Layout::new(to, shape, mesh).sizes
}

/// Turns the sharding before `step` into the one after it.
fn apply(state: &mut Sharding, step: &Step) {
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
        Step::Permute { dims } => {
            for (dim, axes) in state.dims.iter_mut().zip(dims) {
                dim.axes.clone_from(axes);
            }
        }
        Step::Contribute { dim, axes, reduction } => {
            remove_suffix(&mut state.dims[*dim].axes, axes);
            let all = state.partial_axes().union(axes.iter().collect());
            state.partial = Some((*reduction, all));
        }
        Step::Resize { .. } => {}
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
    same_counts.then(|| Step::Permute { dims: to.dim_axes().map(<[SubAxisId]>::to_vec).collect() })
}

/// What a step costs on top of its bytes, relative to the bytes that a device holds at first.
#[derive(Clone, Copy, Debug)]
struct StepPrice {
    collective: f64,
    local: f64,
}

impl StepPrice {
    /// For large tensors just enough to prefer the shorter of two plans that send alike. A small tensor is sent in no
    /// time, so there each step counts as much as sending [`StepPrice::ELEMENTS`] elements.
    fn new(start: &Layout, mesh: &Mesh) -> Self {
        let elements = match start.local_elements(mesh).max(1) {
            few if few <= Self::FEW => few,
            _ => Self::MANY,
        };
        let collective = 1.0 / 64.0 + Self::ELEMENTS / elements as f64;
        // What is local sends nothing.
        Self { collective, local: collective / 64.0 }
    }

    /// Small, so that bytes decide wherever there are any to speak of: the planner knows nothing of the links.
    const ELEMENTS: f64 = 48.0;

    /// Shards of more elements than this are all planned alike, as if they had so many.
    const FEW: usize = 1 << 12;
    const MANY: usize = 1 << 18;

    fn of(self, step: &Step) -> f64 {
        if step.is_collective() { self.collective } else { self.local }
    }
}

/// Price of a whole plan, relative to the local size at the start.
fn price(plan: &[Step], start: Layout, mesh: &Mesh) -> f64 {
    let step_price = StepPrice::new(&start, mesh);
    let first = start.local_elements(mesh).max(1) as f64;
    let mut state = start;
    let mut total = 0.0;
    for step in plan {
        let group = mesh.product(step.axes()) as f64;
        total += sent(step, group) * state.local_elements(mesh) as f64 / first + step_price.of(step);
        state.apply(step);
    }
    total
}

/// Bytes that a device sends in a step of so many members, per byte that it holds before; what is local sends none.
fn sent(step: &Step, group: f64) -> f64 {
    Collective::of(step).map_or(0.0, |kind| kind.ring_factor(group))
}

/// Neighboring steps of the same kind made one; of gathers in a row those along outer axes first, of scatters of several dims
/// those along inner ones.
///
/// Gathers of several dims send the same in any order, and the last one most of it, as does the first of scatters: along the
/// axes that a mesh names last, whose links are the fastest where links differ.
fn merge(mut plan: Vec<Step>) -> Vec<Step> {
    for run in plan.chunk_by_mut(|one, next| one.gathered().is_some() && next.gathered().is_some()) {
        run.sort_by(|a, b| a.gathered().cmp(&b.gathered()));
    }
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
            (Some(Step::Resize { dim, size }), Step::Resize { dim: other, size: last }) if dim == other => {
                *size = *last;
            }
            _ => merged.push(step),
        }
    }
    for run in merged.chunk_by_mut(|one, next| one.scattered().is_some() && next.scattered().is_some()) {
        let are_of_several_dims = (1..run.len())
            .all(|index| run[..index].iter().all(|own| own.scattered() != run[index].scattered()));
        if are_of_several_dims {
            run.sort_by(|a, b| b.axes().cmp(a.axes()));
        }
    }
    merged
}
