//! What a whole program with chosen strategies costs, in seconds of the nominal machine.
//!
//! Input: the slots' shardings and the strategies chosen for them. Output: the sum over all instructions, as often as each
//! runs: its share of the work, what it sends by itself, and the reshards of what it reads and makes; and the reshards
//! where values enter loops, are given back and leave the function.

use crate::axes::AxisList;
use crate::complete::Completed;
use crate::prepared::{Prepared, Slot, Tie};
use crate::price::Pricer;
use crate::strategies::{Chosen, induced, tensor_factors};
use meshwright_ir::ids::RegionId;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::program::Function;
use rustc_hash::FxHashSet;

/// The seconds of everything. Constants are free in any sharding.
pub(crate) fn seconds(
    function: &Function,
    prepared: &Prepared,
    completed: &Completed,
    pricer: &Pricer<'_>,
) -> f64 {
    let Completed { axes, chosen, is_constant } = completed;
    let total = Total { prepared, is_constant, layout: axes, pricer };
    total.instructions(function, chosen) + total.ties(function)
}

struct Total<'a> {
    prepared: &'a Prepared,
    is_constant: &'a [bool],
    layout: &'a [AxisList],
    pricer: &'a Pricer<'a>,
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
        let mut read: FxHashSet<(RegionId, Slot, Vec<AxisList>)> = FxHashSet::default();
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
                for (tensor, slot) in slots.iter().enumerate().filter(|(_, slot)| !self.is_constant[**slot]) {
                    let dims = induced(rule, tensor_factors(rule, tensor), axes, self.pricer.mesh);
                    let Some(dims) = dims else { continue };
                    if tensor >= rule.operands.len() {
                        seconds += self.reshard(*slot, &dims, partial, self.dims(*slot));
                    } else if read.insert((region, *slot, dims.clone())) {
                        seconds += self.reshard(*slot, self.dims(*slot), AxisSet::EMPTY, &dims);
                    }
                }
            }
            total += self.prepared.runs[region] as f64 * seconds;
        }
        total
    }

    /// What enters and ends loops, what branches give back and what the function returns.
    fn ties(&self, function: &Function) -> f64 {
        let mut total = 0.0;
        for Tie { from, to, region } in self.prepared.ties(function) {
            if !self.is_constant[from] {
                let once = self.reshard(from, self.dims(from), AxisSet::EMPTY, self.dims(to));
                total += self.prepared.runs[region] as f64 * once;
            }
        }
        total
    }
}
