//! Seconds of a collective on the links that its axes cross.
//!
//! Input: the kind of a collective and its axes on a [`Placement`]. Output: a [`CollectiveCost`], a function from bytes to
//! seconds: what is fixed, and a [`BandwidthTerm`], which need not be a multiple of the bytes where the machine file gives
//! curves of its links ([`crate::curves`]).
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
//! and the time is the overhead plus, for each level, steps x latency + bytes / rate (the share of the rate that so many
//! bytes reach, if a curve says it). On GPUs the slowest level decides ([`keeps_all_levels_busy`]), and an all_reduce over a
//! network between hosts takes 2 log2(n) steps, as in NCCL's trees. A permute sends S from each device to one other, over
//! whatever levels lie between the two; the slowest level decides.
//!
//! Where members share one memory (`kind = "memory"`) they meet once, n-1 steps whatever the kind, and an all_reduce
//! passes S/i, an all_gather and a reduce_scatter (n-1)/n S/i, an all_to_all 2 S: it is cut before and joined behind.

use crate::bandwidth::BandwidthTerm;
use crate::combine::combines;
use crate::curves::{self, move_curve, moving};
use crate::reshard::{Layout, Planner, Step};
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::sharding::Sharding;
use meshwright_machine::{Crossing, Curve, Device, LinkKind, Machine, Pattern, Platform, Seconds};
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

    /// Bytes that a device sends in a ring of so many members (all-to-alls sending each part once), for each byte that it
    /// holds before. With r bytes of result on a device, that is 2 (g-1)/g r of an all_reduce, (g-1)/g r of an all_gather
    /// or all_to_all, (g-1) r of a reduce_scatter, r of a permute.
    pub fn ring_factor(self, members: f64) -> f64 {
        match self {
            Self::AllReduce => 2.0 * (members - 1.0) / members,
            Self::AllGather => members - 1.0,
            Self::ReduceScatter | Self::AllToAll => (members - 1.0) / members,
            Self::CollectivePermute => 1.0,
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
#[derive(Clone, Debug, PartialEq)]
pub struct CollectiveCost<'m> {
    /// Overhead and latencies.
    pub fixed: Seconds,
    /// The rest, by the bytes.
    pub bandwidth: BandwidthTerm<'m>,
}

impl CollectiveCost<'_> {
    /// The time when every device holds `bytes` before the collective.
    pub fn seconds(&self, bytes: f64) -> Seconds {
        self.fixed + self.bandwidth.seconds(bytes)
    }
}

/// The time of a reshard as a function of bytes, as of a [`CollectiveCost`].
#[derive(Clone, Debug, PartialEq)]
pub struct ReshardCost<'m> {
    /// Overheads and latencies of all steps.
    pub fixed: Seconds,
    /// Those of the last step, if it may be combined with others and share them ([`combines`]).
    pub combinable: Seconds,
    /// The rest, by the bytes.
    pub bandwidth: BandwidthTerm<'m>,
}

/// The cost of a collective whose groups extend along `axes` (in any order).
pub fn collective_cost(kind: Collective, axes: AxisSet, placement: &Placement) -> CollectiveCost<'_> {
    let device = &placement.machine.device;
    let axes: Vec<SubAxisId> = axes.iter().collect();
    let crossings = placement.crossings(&axes);
    if kind == Collective::CollectivePermute {
        return permute_cost(&crossings, device);
    }
    let group = placement.mesh.product(&axes) as f64;
    let mut fixed = device.collective_overhead;
    let mut terms = Vec::with_capacity(crossings.len());
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
        fixed += crossing.latency() * (rounds * steps(kind, crossing, device));
        terms.push((sent, crossing.bandwidth(pattern).0, link_curve(kind, crossing)));
    }
    if keeps_all_levels_busy(device) {
        let seconds = |(sent, rate, _): &(f64, f64, _)| sent / rate;
        let slowest = terms.iter().max_by(|a, b| seconds(a).total_cmp(&seconds(b))).copied();
        terms = slowest.into_iter().collect();
    }
    let mut bandwidth = BandwidthTerm::NONE;
    terms.into_iter().for_each(|(sent, rate, curve)| bandwidth.add(sent, rate, curve));
    CollectiveCost { fixed, bandwidth }
}

/// Returns whether the collectives of a device's platform pass data on in pieces, from links of one level to those of another while more
/// comes, so that the slowest level decides (NCCL and RCCL: each adapter of a host has a ring or a tree of its own).
pub fn keeps_all_levels_busy(device: &Device) -> bool {
    matches!(device.platform, Some(Platform::Cuda | Platform::Rocm))
}

/// The steps from member to member of one round of a collective over a level: around the ring, or, of sums between hosts, up
/// a tree and down again (NCCL's double binary trees, which keep the links of all members busy as a ring does).
fn steps(kind: Collective, crossing: &Crossing<'_>, device: &Device) -> f64 {
    let is_between_hosts = crossing.level_index > 0 && crossing.level.kind == LinkKind::Switch;
    let is_between_hosts = is_between_hosts && keeps_all_levels_busy(device);
    match kind {
        Collective::AllReduce if is_between_hosts => f64::from(crossing.members.next_power_of_two().ilog2()),
        _ => (crossing.members - 1) as f64,
    }
}

/// The cost of a permute between pairs of devices of a machine.
pub fn permute_cost_of<'m>(pairs: &[Vec<usize>], machine: &'m Machine) -> CollectiveCost<'m> {
    permute_cost(&machine.crossings_of_groups(pairs), &machine.device)
}

/// The cost of a permute: its slowest level decides.
fn permute_cost<'m>(crossings: &[Crossing<'m>], device: &Device) -> CollectiveCost<'m> {
    let rate = |crossing: &Crossing<'_>| crossing.bandwidth(Pattern::Shift).0;
    let mut bandwidth = BandwidthTerm::NONE;
    if let Some(slowest) = crossings.iter().min_by(|a, b| rate(a).total_cmp(&rate(b))) {
        bandwidth.add(1.0, rate(slowest), link_curve(Collective::CollectivePermute, slowest));
    }
    let latency = Seconds(crossings.iter().map(|crossing| crossing.latency().0).fold(0.0, f64::max));
    CollectiveCost { fixed: device.permute_overhead.unwrap_or(device.launch_overhead) + latency, bandwidth }
}

/// The curve of a kind of collective on a level, or that of all of them.
fn link_curve<'m>(kind: Collective, crossing: &Crossing<'m>) -> Option<&'m Curve> {
    let curves = &crossing.level.curves;
    curves.of_kind(kind.name()).or_else(|| curves.of_kind(curves::ANY))
}

/// Seconds of one ring over all members, where every device holds so many bytes before: it is as fast as its slowest link, unless
/// each adapter of a host has one of its own ([`keeps_all_levels_busy`]).
pub fn one_ring(kind: Collective, axes: &[SubAxisId], bytes: f64, placement: &Placement) -> Seconds {
    if keeps_all_levels_busy(&placement.machine.device) {
        return collective_cost(kind, axes.iter().collect(), placement).seconds(bytes);
    }
    let sent = kind.ring_factor(placement.mesh.product(axes) as f64) * bytes;
    let crossings = placement.crossings(axes);
    let seconds = crossings.iter().map(|crossing| {
        let share = link_curve(kind, crossing).map_or(1.0, |curve| curve.share(sent));
        sent / (crossing.bandwidth(Pattern::Ring).0 * share)
    });
    placement.machine.device.collective_overhead + Seconds(seconds.fold(0.0, f64::max))
}

/// Prices of collectives and reshards on one placement; remembers what it has worked out.
#[derive(Clone, Debug)]
pub struct Prices<'a> {
    /// Where the mesh lies.
    pub placement: &'a Placement,
    known: FxHashMap<(Collective, AxisSet), CollectiveCost<'a>>,
    planner: Planner,
}

impl<'a> Prices<'a> {
    /// Nothing worked out yet.
    pub fn new(placement: &'a Placement) -> Self {
        Self::with(placement, Planner::default())
    }

    /// The same, with what a planner of reshards remembers.
    pub fn with(placement: &'a Placement, planner: Planner) -> Self {
        Self { placement, known: FxHashMap::default(), planner }
    }

    /// See [`collective_cost`].
    pub fn collective(&mut self, kind: Collective, axes: AxisSet) -> CollectiveCost<'a> {
        let placement = self.placement;
        self.known.entry((kind, axes)).or_insert_with(|| collective_cost(kind, axes, placement)).clone()
    }

    /// The outermost level of the machine that groups along these axes cross, by its position.
    pub fn outermost_level(&self, axes: AxisSet) -> Option<usize> {
        let axes: Vec<SubAxisId> = axes.iter().collect();
        self.placement.crossings(&axes).iter().map(|crossing| crossing.level_index).max()
    }

    /// The time of one reshard step of a value that lies on the devices like `state` before the step. What is local
    /// reads and writes what is left, at memory speed.
    pub fn step(&mut self, step: &Step, state: &Layout, element: ElementType) -> Seconds {
        let (device, mesh) = (&self.placement.machine.device, &self.placement.mesh);
        match self.of_step(step, state) {
            Some(cost) => cost.seconds(state.local_bytes(element, mesh)),
            None => device.launch_overhead + moving(moved_bytes(step, state, element, mesh), device),
        }
    }

    /// The cost of the collective that a step is; `None` for what is local.
    fn of_step(&mut self, step: &Step, state: &Layout) -> Option<CollectiveCost<'a>> {
        let kind = Collective::of(step)?;
        let axes = match step {
            Step::Permute { dims } => changed_axes(&state.sharding, dims),
            other => other.axes().iter().collect(),
        };
        Some(self.collective(kind, axes))
    }

    /// The time of a whole reshard as a function of the bytes of the global tensor; `shape` is its shape.
    pub fn reshard(&mut self, from: &Sharding, to: &Sharding, shape: &[usize]) -> ReshardCost<'a> {
        let (device, mesh) = (&self.placement.machine.device, &self.placement.mesh);
        let bytes = 4.0 * shape.iter().product::<usize>() as f64;
        let mut state = Layout::new(from, shape, mesh);
        // Of what has no curve, elements of four bytes and of eight tell what is fixed.
        let elements = [ElementType::F32, ElementType::F64];
        let mut straight = [Seconds::ZERO; 2];
        let (mut combinable, mut curved) = (Seconds::ZERO, BandwidthTerm::NONE);
        for step in self.planner.steps(from, to, shape, mesh) {
            let cost = self.of_step(&step, &state);
            let [four, eight] = elements.map(|element| match &cost {
                Some(cost) => cost.fixed + cost.bandwidth.straight_seconds(state.local_bytes(element, mesh)),
                None if move_curve(device).is_some() => device.launch_overhead,
                None => device.launch_overhead + moving(moved_bytes(&step, &state, element, mesh), device),
            });
            straight = [straight[0] + four, straight[1] + eight];
            match &cost {
                Some(cost) => {
                    curved.add_curved(&cost.bandwidth, state.local_bytes(ElementType::F32, mesh) / bytes);
                }
                None if move_curve(device).is_some() => {
                    let moved = moved_bytes(&step, &state, ElementType::F32, mesh);
                    curved.add(moved / bytes, device.achievable_memory_bandwidth().0, move_curve(device));
                }
                None => {}
            }
            // What a further step reads waits for no others.
            combinable = cost.filter(|_| combines(&step)).map_or(Seconds::ZERO, |cost| cost.fixed);
            state.apply(&step);
        }
        let [small, large] = straight;
        let per_byte = (large - small) / bytes;
        let mut bandwidth = BandwidthTerm::straight(per_byte);
        bandwidth.add_curved(&curved, 1.0);
        ReshardCost { fixed: small - per_byte * bytes, combinable, bandwidth }
    }
}

/// Bytes that a local step reads and writes: what is left, both ways.
fn moved_bytes(step: &Step, state: &Layout, element: ElementType, mesh: &Mesh) -> f64 {
    let mut after = state.clone();
    after.apply(step);
    2.0 * after.local_bytes(element, mesh)
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
    use meshwright_ir::mesh::Axis;
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
        assert_close(cost.bandwidth.seconds(1.0).0, 2.0 * 7.0 / 8.0 / rate);
        let gather = collective_cost(Collective::AllGather, all, &placement);
        assert_close(gather.fixed.0, 36e-6 + 7.0 * 0.07e-6);
        // Each device holds an eighth and sends seven times that.
        assert_close(gather.bandwidth.seconds(1.0).0, 7.0 / rate);
        assert_close(
            collective_cost(Collective::ReduceScatter, all, &placement).bandwidth.seconds(1.0).0,
            7.0 / 8.0 / rate,
        );
        assert_close(
            collective_cost(Collective::AllToAll, all, &placement).bandwidth.seconds(1.0).0,
            7.0 / 8.0 / rate,
        );
        let permute = collective_cost(Collective::CollectivePermute, all, &placement);
        assert_close(permute.fixed.0, 5e-6 + 0.07e-6);
        assert_close(permute.bandwidth.seconds(1.0).0, 1.0 / rate);
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
            assert_close(cost.bandwidth.seconds(1.0).0, bytes / rate);
        }
    }

    #[test]
    fn across_hosts_it_works_level_by_level() {
        let placement = placement("h100:4x8", &[4, 8]);
        let (inside, across) = (450e9 * 0.858, 50e9 * 0.72);
        let cost = collective_cost(Collective::AllReduce, axes(&placement, &[0, 1]), &placement);
        // Up a tree of four hosts and down again.
        assert_close(cost.fixed.0, 36e-6 + 14.0 * 0.07e-6 + 4.0 * 12e-6);
        // The network is slower than the links of a host, though it carries an eighth.
        assert!(2.0 * 7.0 / 8.0 / inside < 2.0 * 3.0 / 4.0 / 8.0 / across);
        assert_close(cost.bandwidth.seconds(1.0).0, 2.0 * 3.0 / 4.0 / 8.0 / across);
        // Gathered S is 32 times what a device holds.
        let gather = collective_cost(Collective::AllGather, axes(&placement, &[0, 1]), &placement);
        assert_close(gather.fixed.0, 36e-6 + 7.0 * 0.07e-6 + 3.0 * 12e-6);
        assert_close(gather.bandwidth.seconds(1.0).0, 32.0 * 3.0 / 4.0 / 8.0 / across);
        let permute = collective_cost(Collective::CollectivePermute, axes(&placement, &[0, 1]), &placement);
        assert_close(permute.bandwidth.seconds(1.0).0, 1.0 / across);
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
        assert_close((found.fixed + found.bandwidth.seconds(bytes)).0, expected.0);
        // The gather puts shards of the outermost dim together.
        assert_close(found.combinable.0, gather.fixed.0);
        let nothing =
            ReshardCost { fixed: Seconds::ZERO, combinable: Seconds::ZERO, bandwidth: BandwidthTerm::NONE };
        assert_eq!(prices.reshard(&to, &to, &[1024, 1024]), nothing);
    }

    /// A machine whose links inside hosts reach less of what small messages are.
    fn curved(kind: &str) -> Placement {
        let text = format!(
            "base = \"h100:4x8\"\n[[levels]]\nname = \"nvlink\"\n[levels.curves.{kind}]\n\
             points = [[1e4, 0.01], [1e6, 0.5], [1e8, 1.0]]\n[device.curves.move]\npoints = [[1e6, 0.1], [1e8, 1.0]]\n"
        );
        let plain = placement("h100:4x8", &[4, 8]);
        let machine = crate::read_machine(&text, "curved.toml").unwrap_or_else(|fault| panic!("{fault:?}"));
        Placement::new(machine, plain.mesh).unwrap()
    }

    #[test]
    fn a_curve_of_links_is_read_by_what_a_device_sends_into_the_level() {
        let (plain, curved_any) = (placement("h100:4x8", &[4, 8]), curved("any"));
        let seconds = |kind, positions: &[usize], bytes: f64| {
            [&plain, &curved_any]
                .map(|place| collective_cost(kind, axes(place, positions), place).seconds(bytes).0)
        };
        let rate = 450e9 * 0.858;
        // Of S bytes 7/4 S are sent; of a shift S, of gathered shards seven of them.
        for (kind, sent) in [
            (Collective::AllReduce, 2.0 * 7.0 / 8.0),
            (Collective::CollectivePermute, 1.0),
            (Collective::AllGather, 7.0),
        ] {
            let [before, now] = seconds(kind, &[1], 1e6 / sent);
            assert_close(now - before, 1e6 / rate);
            let [before, now] = seconds(kind, &[1], 1e9);
            assert_close(now, before);
        }
        // Between hosts there is no curve.
        let [before, now] = seconds(Collective::AllReduce, &[0], 1e6);
        assert_eq!(before, now);
        let own = curved("all_to_all");
        let cost = |kind| collective_cost(kind, axes(&own, &[1]), &own);
        assert_eq!(
            cost(Collective::AllReduce),
            collective_cost(Collective::AllReduce, axes(&plain, &[1]), &plain)
        );
        assert!(cost(Collective::AllToAll).seconds(1e4) > cost(Collective::ReduceScatter).seconds(1e4));
    }

    #[test]
    fn a_reshard_over_links_with_curves_is_the_sum_of_its_steps_at_any_size() {
        let placement = curved("any");
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(SubAxisId::from_index);
        let mut prices = Prices::new(&placement);
        let from = Sharding {
            partial: Some((meshwright_ir::sharding::Reduction::Sum, AxisSet::of(c))),
            ..Sharding::of([vec![a, d], vec![]])
        };
        for to in [
            Sharding::of([vec![], vec![c]]),
            Sharding::of([vec![d], vec![e]]),
            Sharding::of([vec![b], vec![a]]),
        ] {
            for size in [64, 512, 4096] {
                let shape = [size, size];
                let cost = prices.reshard(&from, &to, &shape);
                let mesh = &placement.mesh;
                for element in [ElementType::F32, ElementType::F64] {
                    let mut state = Layout::new(&from, &shape, mesh);
                    let mut expected = 0.0;
                    for step in crate::reshard::steps(&from, &to, &shape, mesh) {
                        expected += prices.step(&step, &state, element).0;
                        state.apply(&step);
                    }
                    let bytes = (size * size * element.bits() / 8) as f64;
                    assert_close((cost.fixed + cost.bandwidth.seconds(bytes)).0, expected);
                }
            }
        }
    }
}
