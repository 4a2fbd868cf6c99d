//! What a whole program with chosen strategies costs, in seconds of the nominal machine.
//!
//! Input: the slots' shardings and the strategies chosen for them. Output: the sum over all instructions, as often as each
//! runs: its share of the work, what it sends by itself, and the reshards of what it reads and makes; and the reshards
//! where values enter loops, are given back and leave the function.

use crate::Completed;
use crate::axes::AxisList;
use crate::prepared::{Prepared, Slot};
use crate::price::Pricer;
use crate::strategies::{Chosen, induced, tensor_factors};
use meshwright_cost::analysis::ASSUMED_TRIP_COUNT;
use meshwright_ir::ids::{RegionId, Table, ValueId};
use meshwright_ir::loops::trip_count;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Function, Regions};
use std::collections::HashSet;

/// How often each region runs.
pub(crate) fn executions(function: &Function, prepared: &Prepared) -> Table<RegionId, f64> {
    let body = &function.body;
    let mut times = Table::filled(1.0, body.regions.len());
    for (inst, region) in prepared.order.iter().zip(&prepared.region_of) {
        let view = body.view(*inst);
        let turns = match view.inst.op {
            Op::While(_) => trip_count(view).unwrap_or(ASSUMED_TRIP_COUNT) as f64,
            _ => 1.0,
        };
        view.inst.regions.iter().for_each(|inner| times[*inner] = times[*region] * turns);
    }
    times
}

/// The seconds of everything. Followers are free in any sharding.
pub(crate) fn seconds(
    function: &Function,
    prepared: &Prepared,
    completed: &Completed,
    pricer: &Pricer<'_>,
) -> f64 {
    let Completed { axes, chosen, is_follower } = completed;
    let total = Total { prepared, is_follower, layout: axes, pricer, times: executions(function, prepared) };
    total.instructions(function, chosen) + total.ties(function)
}

struct Total<'a> {
    prepared: &'a Prepared,
    is_follower: &'a [bool],
    layout: &'a [AxisList],
    pricer: &'a Pricer<'a>,
    times: Table<RegionId, f64>,
}

impl Total<'_> {
    fn dims(&self, slot: Slot) -> &[AxisList] {
        &self.layout[self.prepared.dims_of[slot].clone()]
    }

    fn reshard(&self, slot: Slot, from: &[AxisList], partial: AxisSet, to: &[AxisList]) -> f64 {
        self.pricer.reshard(self.prepared.shape(slot), self.prepared.bytes[slot], from, partial, to)
    }

    fn instructions(&self, function: &Function, chosen: &Chosen) -> f64 {
        let prepared = self.prepared;
        // What a region already brought to a sharding.
        let mut read: HashSet<(RegionId, Slot, Vec<AxisList>)> = HashSet::new();
        let mut total = 0.0;
        for position in 0..prepared.order.len() {
            let index = prepared.rule_of[position];
            let (rule, slots) = (&prepared.whole_rules[index], prepared.inst_slots(position));
            let (axes, region) = (chosen.of(position), prepared.region_of[position]);
            let used = axes.iter().fold(AxisSet::EMPTY, |set, list| set.union(list.set()));
            let members: Vec<_> = used.iter().collect();
            let mut seconds = self.pricer.work(prepared.work[position], &members)
                + self.pricer.exchanges(function.body.view(prepared.order[position]), rule, axes);
            if !chosen.is_exact[position] {
                let components = prepared.components[index].iter();
                let combined = components.flat_map(|component| &component.combined);
                let partial = combined.fold(AxisSet::EMPTY, |set, factor| set.union(axes[*factor].set()));
                for (tensor, slot) in slots.iter().enumerate().filter(|(_, slot)| !self.is_follower[**slot]) {
                    let dims = induced(rule, tensor_factors(rule, tensor), axes, self.pricer.mesh);
                    let Some(dims) = dims else { continue };
                    if tensor >= rule.operands.len() {
                        seconds += self.reshard(*slot, &dims, partial, self.dims(*slot));
                    } else if read.insert((region, *slot, dims.clone())) {
                        seconds += self.reshard(*slot, self.dims(*slot), AxisSet::EMPTY, &dims);
                    }
                }
            }
            total += self.times[region] * seconds;
        }
        total
    }

    /// What enters and ends loops, what branches give back and what the function returns.
    fn ties(&self, function: &Function) -> f64 {
        let body = &function.body;
        let tie = |value: &ValueId, to: Slot| {
            let slot = self.prepared.slot_of[*value];
            if self.is_follower[slot] {
                return 0.0;
            }
            self.reshard(slot, self.dims(slot), AxisSet::EMPTY, self.dims(to))
        };
        let ties = |from: &[ValueId], to: &[ValueId]| -> f64 {
            from.iter().zip(to).map(|(value, to)| tie(value, self.prepared.slot_of[*to])).sum()
        };
        let mut total: f64 = function
            .returned()
            .iter()
            .zip(&self.prepared.result_slots)
            .map(|(value, to)| tie(value, *to))
            .sum();
        for (inst, region) in self.prepared.order.iter().zip(&self.prepared.region_of) {
            let view = body.view(*inst);
            let skipped = match view.regions() {
                Regions::Loop => 1,
                Regions::Branches => 0,
                Regions::OfElements => continue,
            };
            if view.regions() == Regions::Loop {
                total += self.times[*region] * ties(&view.inst.operands, &view.inst.results);
            }
            for (index, inner) in view.inst.regions.iter().enumerate().skip(skipped) {
                total += self.times[*inner] * ties(view.returned(index), &view.inst.results);
            }
        }
        total
    }
}
