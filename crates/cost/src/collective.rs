//! Seconds of a collective on the links that its axes cross.
//!
//! Input: the kind of a collective and its axes on a [`Placement`]. Output: a [`CollectiveCost`], from which the time
//! for any number of bytes is one multiplication and one addition.
//!
//! A group that crosses several levels works level by level (`docs/machines.md`, "How a collective uses the links").
//! With S the gathered, unreduced or local size, n the members on a level and i the members inside each of its units,
//! a member sends into the level
//!
//! | | bytes | steps |
//! | --- | --- | --- |
//! | all_gather, reduce_scatter | (n-1)/n S/i | n-1 |
//! | all_reduce | 2 (n-1)/n S/i | 2 (n-1) |
//! | all_to_all | (n-1)/n S | n-1 |
//!
//! and the time is the overhead plus, for each level, steps x latency + bytes / rate. A permute sends S from each
//! device to one other, over whatever levels lie between the two; the slowest level decides.
//!
//! Where members share one memory (`kind = "memory"`) they meet once, n-1 steps whatever the kind, and an all_reduce
//! passes S/i, an all_gather and a reduce_scatter (n-1)/n S/i, an all_to_all 2 S: it is cut before and joined behind.

use crate::combine::combines;
use crate::reshard::{Layout, Planner, Step};
use meshwright_ir::mesh::{AxisSet, SubAxisId};
use meshwright_ir::sharding::Sharding;
use meshwright_machine::{Crossing, LinkKind, Pattern, Seconds};
use meshwright_plan::Placement;
use meshwright_tensor::types::ElementType;
use rustc_hash::FxHashMap;

/// The kinds of collectives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // the names are StableHLO's
pub enum Collective {
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    CollectivePermute,
}

impl Collective {
    /// All kinds, in the order of tables.
    pub const ALL: [Collective; 5] =
        [Self::AllReduce, Self::AllGather, Self::ReduceScatter, Self::AllToAll, Self::CollectivePermute];

    /// Its name in StableHLO, without the dialect.
    pub fn name(self) -> &'static str {
        match self {
            Self::AllReduce => "all_reduce",
            Self::AllGather => "all_gather",
            Self::ReduceScatter => "reduce_scatter",
            Self::AllToAll => "all_to_all",
            Self::CollectivePermute => "collective_permute",
        }
    }

    /// The kind of a reshard step; `None` for a slice.
    pub fn of(step: &Step) -> Option<Self> {
        match step {
            Step::AllReduce { .. } => Some(Self::AllReduce),
            Step::ReduceScatter { .. } => Some(Self::ReduceScatter),
            Step::AllGather { .. } => Some(Self::AllGather),
            Step::AllToAll { .. } => Some(Self::AllToAll),
            Step::Permute { .. } => Some(Self::CollectivePermute),
            Step::Slice { .. } | Step::Contribute { .. } | Step::Resize { .. } => None,
        }
    }
}

/// The time of one collective as a function of the bytes that a device holds *before* it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollectiveCost {
    /// Overhead and latencies.
    pub fixed: Seconds,
    /// Seconds for each byte.
    pub per_byte: Seconds,
}

impl CollectiveCost {
    /// The time when every device holds `bytes` before the collective.
    pub fn seconds(self, bytes: f64) -> Seconds {
        self.fixed + self.per_byte * bytes
    }
}

/// The time of a reshard as a function of bytes, as of a [`CollectiveCost`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReshardCost {
    /// Overheads and latencies of all steps.
    pub fixed: Seconds,
    /// Those of the last step, if it may be combined with others and share them ([`combines`]).
    pub combinable: Seconds,
    /// Seconds for each byte.
    pub per_byte: Seconds,
}

/// The cost of a collective whose groups extend along `axes` (in any order).
pub fn collective_cost(kind: Collective, axes: AxisSet, placement: &Placement) -> CollectiveCost {
    let device = &placement.machine.device;
    let axes: Vec<SubAxisId> = axes.iter().collect();
    let crossings = placement.crossings(&axes);
    if kind == Collective::CollectivePermute {
        let slowest = |f: fn(&Crossing<'_>) -> f64| Seconds(crossings.iter().map(f).fold(0.0, f64::max));
        return CollectiveCost {
            fixed: device.permute_overhead.unwrap_or(device.launch_overhead)
                + slowest(|crossing| crossing.latency().0),
            per_byte: slowest(|crossing| 1.0 / crossing.bandwidth(Pattern::Shift).0),
        };
    }
    let group = placement.mesh.product(&axes) as f64;
    let mut cost = CollectiveCost { fixed: device.collective_overhead, per_byte: Seconds::ZERO };
    for crossing in &crossings {
        let (members, inner) = (crossing.members as f64, crossing.inner as f64);
        let others = (members - 1.0) / members;
        let is_shared = crossing.level.kind == LinkKind::Memory;
        // Of S/i, or of S in an all_to_all.
        let (pattern, rounds, share) = match kind {
            Collective::AllReduce if is_shared => (Pattern::Ring, 1.0, 1.0),
            Collective::AllToAll if is_shared => (Pattern::AllToAll, 1.0, 2.0),
            Collective::AllReduce => (Pattern::Ring, 2.0, 2.0 * others),
            Collective::ReduceScatter | Collective::AllGather => (Pattern::Ring, 1.0, others),
            Collective::AllToAll | Collective::CollectivePermute => (Pattern::AllToAll, 1.0, others),
        };
        // Per byte held before; an all_gather's S is what all hold together.
        let sent = match kind {
            Collective::AllGather => group * share / inner,
            Collective::AllToAll | Collective::CollectivePermute => share,
            Collective::AllReduce | Collective::ReduceScatter => share / inner,
        };
        cost.fixed += crossing.latency() * (rounds * (members - 1.0));
        cost.per_byte += Seconds(sent / crossing.bandwidth(pattern).0);
    }
    cost
}

/// Prices of collectives and reshards on one placement; remembers what it has worked out.
#[derive(Clone, Debug)]
pub struct Prices<'a> {
    /// Where the mesh lies.
    pub placement: &'a Placement,
    known: FxHashMap<(Collective, AxisSet), CollectiveCost>,
    planner: Planner,
}

impl<'a> Prices<'a> {
    /// Nothing worked out yet.
    pub fn new(placement: &'a Placement) -> Self {
        Self { placement, known: FxHashMap::default(), planner: Planner::default() }
    }

    /// See [`collective_cost`].
    pub fn collective(&mut self, kind: Collective, axes: AxisSet) -> CollectiveCost {
        let placement = self.placement;
        *self.known.entry((kind, axes)).or_insert_with(|| collective_cost(kind, axes, placement))
    }

    /// The outermost level of the machine that groups along these axes cross, by its position.
    pub fn outermost_level(&self, axes: AxisSet) -> Option<usize> {
        let axes: Vec<SubAxisId> = axes.iter().collect();
        self.placement.crossings(&axes).iter().map(|crossing| crossing.level_index).max()
    }

    /// The time of one reshard step of a value that lies on the devices like `state` before the step. What is local
    /// reads and writes what is left, at memory speed.
    pub fn step(&mut self, step: &Step, state: &Layout, element: ElementType) -> Seconds {
        let device = &self.placement.machine.device;
        let mesh = &self.placement.mesh;
        let bytes = state.local_bytes(element, mesh);
        match step {
            Step::Slice { .. } | Step::Contribute { .. } | Step::Resize { .. } => {
                let mut after = state.clone();
                after.apply(step);
                let moved = 2.0 * after.local_bytes(element, mesh);
                device.launch_overhead + Seconds(moved / device.achievable_memory_bandwidth().0)
            }
            Step::Permute { dims } => {
                let changed = changed_axes(&state.sharding, dims);
                self.collective(Collective::CollectivePermute, changed).seconds(bytes)
            }
            Step::AllReduce { axes, .. } => self.priced(Collective::AllReduce, axes, bytes),
            Step::ReduceScatter { axes, .. } => self.priced(Collective::ReduceScatter, axes, bytes),
            Step::AllGather { axes, .. } => self.priced(Collective::AllGather, axes, bytes),
            Step::AllToAll { axes, .. } => self.priced(Collective::AllToAll, axes, bytes),
        }
    }

    fn priced(&mut self, kind: Collective, axes: &[SubAxisId], bytes: f64) -> Seconds {
        self.collective(kind, axes.iter().collect()).seconds(bytes)
    }

    /// The time of a whole reshard as a function of the bytes of the global tensor; `shape` is its shape.
    pub fn reshard(&mut self, from: &Sharding, to: &Sharding, shape: &[usize]) -> ReshardCost {
        let mesh = &self.placement.mesh;
        let mut state = Layout::new(from, shape, mesh);
        // Elements of four bytes and of eight tell what is fixed.
        let [mut small, mut large, mut combinable] = [Seconds::ZERO; 3];
        for step in self.planner.steps(from, to, shape, mesh) {
            small += self.step(&step, &state, ElementType::F32);
            large += self.step(&step, &state, ElementType::F64);
            // What a further step reads waits for no others.
            let kind = Collective::of(&step).filter(|_| combines(&step, shape));
            combinable =
                kind.map_or(Seconds::ZERO, |kind| self.collective(kind, step.axes().iter().collect()).fixed);
            state.apply(&step);
        }
        let bytes = 4.0 * shape.iter().product::<usize>() as f64;
        let per_byte = (large - small) / bytes;
        ReshardCost { fixed: small - per_byte * bytes, combinable, per_byte }
    }
}

/// The axes along which a permute moves data: those that shard another dim, or another place of a dim, afterwards.
pub(crate) fn changed_axes(state: &Sharding, dims: &[Vec<SubAxisId>]) -> AxisSet {
    let pairs = state.dim_axes().zip(dims).flat_map(|(old, new)| {
        let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        old[same..].iter().chain(&new[same..])
    });
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::ids::Id;
    use meshwright_ir::mesh::{Axis, Mesh};
    use meshwright_machine::Machine;

    fn placement(spec: &str, sizes: &[usize]) -> Placement {
        let axes = sizes
            .iter()
            .enumerate()
            .map(|(index, size)| Axis { name: format!("x{index}"), size: *size })
            .collect();
        Placement::new(Machine::from_spec(spec).unwrap(), Mesh::new("mesh", axes).unwrap()).unwrap()
    }

    /// The axes at `positions` of the mesh.
    fn axes(placement: &Placement, positions: &[usize]) -> AxisSet {
        positions.iter().flat_map(|position| placement.mesh.pieces(*position)).collect()
    }

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found} is not {expected}");
    }

    #[test]
    fn inside_a_host_it_is_overhead_latency_and_ring_bytes() {
        let placement = placement("h100:1x8", &[8]);
        let all = axes(&placement, &[0]);
        let rate = 450e9 * 0.858;
        let cost = collective_cost(Collective::AllReduce, all, &placement);
        assert_close(cost.fixed.0, 36e-6 + 14.0 * 0.07e-6);
        assert_close(cost.per_byte.0, 2.0 * 7.0 / 8.0 / rate);
        let gather = collective_cost(Collective::AllGather, all, &placement);
        assert_close(gather.fixed.0, 36e-6 + 7.0 * 0.07e-6);
        // Each device holds an eighth and sends seven times that.
        assert_close(gather.per_byte.0, 7.0 / rate);
        assert_close(
            collective_cost(Collective::ReduceScatter, all, &placement).per_byte.0,
            7.0 / 8.0 / rate,
        );
        assert_close(collective_cost(Collective::AllToAll, all, &placement).per_byte.0, 7.0 / 8.0 / rate);
        let permute = collective_cost(Collective::CollectivePermute, all, &placement);
        assert_close(permute.fixed.0, 5e-6 + 0.07e-6);
        assert_close(permute.per_byte.0, 1.0 / rate);
    }

    #[test]
    fn in_shared_memory_all_meet_once() {
        let text =
            "base = \"h100:1x8\"\nname = \"shared\"\n[[levels]]\nname = \"nvlink\"\nkind = \"memory\"\n";
        let machine = Machine::from_toml(text, "shared.toml").unwrap();
        let axis = |name: &str, size| Axis { name: name.to_owned(), size };
        let mesh = Mesh::new("mesh", vec![axis("x", 2), axis("y", 4)]).unwrap();
        let placement = Placement::new(machine, mesh).unwrap();
        let rate = 450e9 * 0.858;
        for (kind, bytes) in [
            (Collective::AllReduce, 1.0),
            (Collective::ReduceScatter, 3.0 / 4.0),
            (Collective::AllGather, 4.0 * 3.0 / 4.0),
            (Collective::AllToAll, 2.0),
        ] {
            let cost = collective_cost(kind, axes(&placement, &[1]), &placement);
            assert_close(cost.fixed.0, 36e-6 + 3.0 * 0.07e-6);
            assert_close(cost.per_byte.0, bytes / rate);
        }
    }

    #[test]
    fn across_hosts_it_works_level_by_level() {
        let placement = placement("h100:4x8", &[4, 8]);
        let (inside, across) = (450e9 * 0.858, 50e9 * 0.72);
        let cost = collective_cost(Collective::AllReduce, axes(&placement, &[0, 1]), &placement);
        assert_close(cost.fixed.0, 36e-6 + 14.0 * 0.07e-6 + 6.0 * 12e-6);
        assert_close(cost.per_byte.0, 2.0 * 7.0 / 8.0 / inside + 2.0 * 3.0 / 4.0 / 8.0 / across);
        // Gathered S is 32 times what a device holds.
        let gather = collective_cost(Collective::AllGather, axes(&placement, &[0, 1]), &placement);
        assert_close(gather.per_byte.0, 32.0 * (7.0 / 8.0 / inside + 3.0 / 4.0 / 8.0 / across));
        let permute = collective_cost(Collective::CollectivePermute, axes(&placement, &[0, 1]), &placement);
        assert_close(permute.per_byte.0, 1.0 / across);
    }

    #[test]
    fn a_reshard_is_the_sum_of_its_steps() {
        let placement = placement("h100:1x8", &[2, 4]);
        let [x, y, z] = [0, 1, 2].map(SubAxisId::from_index);
        let mut prices = Prices::new(&placement);
        let from = Sharding {
            partial: Some((meshwright_ir::sharding::Reduction::Sum, AxisSet::of(x))),
            ..Sharding::of([vec![y, z], vec![]])
        };
        let to = Sharding::of([vec![], vec![x]]);
        let bytes = 1024.0 * 1024.0 * 4.0;
        let scatter = collective_cost(Collective::ReduceScatter, AxisSet::of(x), &placement);
        let both = AxisSet::of(y).union(AxisSet::of(z));
        let gather = collective_cost(Collective::AllGather, both, &placement);
        let expected = scatter.seconds(bytes / 4.0) + gather.seconds(bytes / 8.0);
        let found = prices.reshard(&from, &to, &[1024, 1024]);
        assert_close((found.fixed + found.per_byte * bytes).0, expected.0);
        // The gather puts shards of the outermost dim together.
        assert_close(found.combinable.0, gather.fixed.0);
        let nothing =
            ReshardCost { fixed: Seconds::ZERO, combinable: Seconds::ZERO, per_byte: Seconds::ZERO };
        assert_eq!(prices.reshard(&to, &to, &[1024, 1024]), nothing);
    }
}
