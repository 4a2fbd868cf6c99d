//! What values take on their way from one group of devices to another.
//!
//! Groups that hold a value alike hand it over by a permute, each device to the one of its number. Where they hold it
//! otherwise, [`CrossMesh`] says what is summed up before, sent and gathered behind: the sum and the copies are collectives
//! inside of a group, and what is sent takes as long as the device that sends or receives most.

use meshwright_cost::{Collective, collective::collective_cost};
use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::{Axis, AxisSet, Mesh};
use meshwright_ir::program::Body;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::device_programs::Held;
use meshwright_plan::{CrossMesh, Placement};
use std::collections::BTreeSet;

use super::groups::On;
use super::handed::Handed;
use super::inner::Inner;
use crate::mesh::placed;

/// Seconds of so many bytes of each device of a group on their way to the next of groups that are as large.
pub(super) fn transfer(machine: &Machine, groups: &[&[usize]], bytes: Bytes) -> Seconds {
    permuted(machine, groups, bytes.0, 1)
}

/// Seconds of permutes between groups, in so many rounds.
fn permuted(machine: &Machine, groups: &[&[usize]], bytes: u64, rounds: usize) -> Seconds {
    if groups.len() < 2 || bytes == 0 {
        return Seconds::ZERO;
    }
    let size = groups.iter().map(|group| group.len()).min().unwrap_or(1);
    let axis = |name: &str, size: usize| Axis { name: name.to_owned(), size };
    let axes = [axis("group", groups.len()), axis("device", size)];
    let axes = axes.into_iter().filter(|axis| axis.size > 1).collect();
    let mesh = Mesh::new("groups", axes).expect("two axes are a mesh");
    let mut between = AxisSet::EMPTY;
    for axis in mesh.sub_axis_ids().filter(|axis| mesh.sub_axis(*axis).axis == 0) {
        between.insert(axis);
    }
    let devices = groups.iter().flat_map(|group| &group[..size]).copied().collect();
    match Placement::on_part(machine.clone(), mesh, devices) {
        Ok(placement) => {
            let cost = collective_cost(Collective::CollectivePermute, between, &placement);
            cost.seconds(bytes as f64) + cost.fixed * rounds.saturating_sub(1) as f64
        }
        Err(_) => Seconds::ZERO,
    }
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
        let groups = [from.devices, to.devices];
        let (mut seconds, mut alike) = (Seconds::ZERO, 0);
        for value in values {
            let Some(ty) = self.body.ty(*value).as_tensor() else { continue };
            match CrossMesh::between(self.held(from.inner, *value), self.held(to.inner, *value)) {
                None => alike += from.inner.local_bytes(self.body, self.handed, *value),
                Some(way) => {
                    let bytes = |elements: usize| (elements * ty.element.bits()).div_ceil(8) as u64;
                    seconds += permuted(self.machine, &groups, bytes(way.most_elements()), way.rounds.len());
                    seconds += self.inside(&way, from, to, *value, &bytes);
                }
            }
        }
        seconds + permuted(self.machine, &groups, alike, 1)
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
