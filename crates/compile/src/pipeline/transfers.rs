//! What values take on their way from one group of devices to another.
//!
//! Groups that hold a value alike hand it over by a permute, each device to the one of its number. Where they hold it
//! otherwise, [`CrossMesh`] says what is summed up before, sent and gathered behind: the sum and the copies are collectives
//! inside of a group, and what is sent takes as long as the device that sends or receives most.

use meshwright_cost::Collective;
use meshwright_cost::collective::{CollectiveCost, collective_cost, permute_cost_of};
use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::program::Body;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::CrossMesh;
use meshwright_plan::device_programs::Held;
use std::collections::{BTreeMap, BTreeSet};

use super::groups::On;
use super::handed::Handed;
use super::inner::Inner;
use crate::mesh::placed;

/// Links between groups that are as large, with what is known of those that were asked for.
pub(super) struct Links<'a> {
    machine: &'a Machine,
    groups: &'a [&'a [usize]],
    known: BTreeMap<(usize, usize), CollectiveCost<'a>>,
}

impl<'a> Links<'a> {
    /// Those of groups on these devices of a machine.
    pub(super) fn new(machine: &'a Machine, groups: &'a [&'a [usize]]) -> Self {
        Self { machine, groups, known: BTreeMap::new() }
    }

    /// Seconds of so many bytes of each device of a group on their way to the device of its number in another one.
    pub(super) fn seconds(&mut self, source: usize, target: usize, bytes: Bytes) -> f64 {
        if source == target || bytes.0 == 0 {
            return 0.0;
        }
        let pair = (source.min(target), source.max(target));
        let cost = || cost(self.machine, self.groups[pair.0], self.groups[pair.1]);
        self.known.entry(pair).or_insert_with(cost).seconds(bytes.0 as f64).0
    }

    /// Seconds of the same from any group of a stage to that of its number of another one. Of stages whose groups are not
    /// known, those between the neighbors that are furthest apart.
    pub(super) fn between(&mut self, source: &[usize], target: &[usize], bytes: Bytes) -> f64 {
        let pairs: Vec<(usize, usize)> = match source.is_empty() || target.is_empty() {
            true => (1..self.groups.len()).map(|next| (next - 1, next)).collect(),
            false => source.iter().copied().zip(target.iter().copied()).collect(),
        };
        pairs.into_iter().map(|(source, target)| self.seconds(source, target, bytes)).fold(0.0, f64::max)
    }
}

/// The cost of a permute between two groups.
fn cost<'m>(machine: &'m Machine, source: &[usize], target: &[usize]) -> CollectiveCost<'m> {
    let pairs: Vec<Vec<usize>> = source.iter().zip(target).map(|(own, other)| vec![*own, *other]).collect();
    permute_cost_of(&pairs, machine)
}

/// Prices of values between groups that are not sharded alike.
pub(super) struct Ways<'a> {
    pub(super) body: &'a Body,
    pub(super) handed: &'a Handed,
    pub(super) machine: &'a Machine,
}

impl Ways<'_> {
    /// Seconds of values from one group to another.
    pub(super) fn seconds(&self, from: &On<'_>, to: &On<'_>, values: &BTreeSet<ValueId>) -> Seconds {
        let cost = cost(self.machine, from.devices, to.devices);
        let permuted = |bytes: u64, rounds: usize| match bytes {
            0 => Seconds::ZERO,
            bytes => cost.seconds(bytes as f64) + cost.fixed * rounds.saturating_sub(1) as f64,
        };
        let (mut seconds, mut alike) = (Seconds::ZERO, 0);
        for value in values {
            let Some(ty) = self.body.ty(*value).as_tensor() else { continue };
            match CrossMesh::between(self.held(from.inner, *value), self.held(to.inner, *value)) {
                None => alike += from.inner.local_bytes(self.body, self.handed, *value),
                Some(way) => {
                    let bytes = |elements: usize| (elements * ty.element.bits()).div_ceil(8) as u64;
                    seconds += permuted(bytes(way.most_elements()), way.rounds.len());
                    seconds += self.inside(&way, from, to, *value, &bytes);
                }
            }
        }
        seconds + permuted(alike, 1)
    }

    /// Seconds of what happens inside of both groups.
    fn inside(
        &self,
        way: &CrossMesh,
        from: &On<'_>,
        to: &On<'_>,
        value: ValueId,
        bytes: &dyn Fn(usize) -> u64,
    ) -> Seconds {
        let collective = |kind: Collective, on: &On<'_>, axes: AxisSet, shape: &[usize]| {
            let placement = placed(on.part, on.inner.mesh());
            let cost = collective_cost(kind, axes, &placement);
            cost.seconds(bytes(shape.iter().product()) as f64)
        };
        let mut seconds = Seconds::ZERO;
        if way.reduced.is_some() {
            let axes = self.held(from.inner, value).sharding.partial_axes();
            seconds += collective(Collective::AllReduce, from, axes, &way.source_shape);
        }
        if way.gathered.is_some() {
            let mesh = to.inner.mesh();
            let axes = mesh.all().minus(self.held(to.inner, value).sharding.used_axes());
            seconds += collective(Collective::AllGather, to, axes, &way.piece_shape);
        }
        seconds
    }

    fn held<'h>(&'h self, inner: &'h Inner, value: ValueId) -> Held<'h> {
        let whole = inner.whole();
        let sharding = self.handed.sharding(value).unwrap_or(&whole.values[value]);
        Held { ty: self.body.ty(value), sharding, mesh: &whole.mesh }
    }
}
