//! The shardings of all slots while propagation runs.
//!
//! Input: a prepared function and seeds with their phases. Output: [`State`], in which seeded dims take part only
//! once their phase has come. Until then such a dim is closed and its axes are reserved: nothing else in the tensor
//! can take them.

use crate::axes::AxisList;
use crate::prepared::{Prepared, Slot};
use crate::seed_order::{Phase, Phases, waits};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::sharding::{DimSharding, Sharding};
use meshwright_plan::Decisions;

/// Shardings of all slots; dims are flat (`Prepared::dims_of`).
pub(crate) struct State<'a> {
    pub(crate) prepared: &'a Prepared,
    pub(crate) mesh: &'a Mesh,
    /// Axes of each dim.
    pub(crate) axes: Vec<AxisList>,
    /// Whether each dim may be sharded further.
    pub(crate) is_open: Vec<bool>,
    /// Per slot, the axes that no further dim may take: sharding one, explicitly replicated, or reserved.
    pub(crate) taken: Vec<AxisSet>,
    /// Per slot, the axes that shard a dim.
    pub(crate) sharded: Vec<AxisSet>,
    /// Which slots take others' shardings but propagate none.
    pub(crate) constant: Vec<bool>,
    /// Which slots are seeded.
    pub(crate) is_seed: Vec<bool>,
    /// Seeded dims that have not taken part yet, by phase, the first last.
    waiting: Vec<(Phase, Slot, usize, DimSharding)>,
}

impl<'a> State<'a> {
    /// Everything open, seeds waiting for their phases.
    pub(crate) fn new(prepared: &'a Prepared, mesh: &'a Mesh, fixed: &Decisions, phases: &Phases) -> Self {
        let mut state = Self {
            prepared,
            mesh,
            axes: vec![AxisList::new(); prepared.dim_sizes.len()],
            is_open: vec![true; prepared.dim_sizes.len()],
            taken: vec![AxisSet::EMPTY; prepared.num_slots()],
            sharded: vec![AxisSet::EMPTY; prepared.num_slots()],
            constant: prepared.constant.clone(),
            is_seed: vec![false; prepared.num_slots()],
            waiting: Vec::new(),
        };
        for ((value, sharding), phases) in fixed.values.iter().zip(&phases.values) {
            state.seed(prepared.slot_of[*value], sharding, phases);
        }
        for ((slot, sharding), phases) in
            prepared.result_slots.iter().zip(&fixed.results).zip(&phases.results)
        {
            if let Some(sharding) = sharding {
                state.seed(*slot, sharding, phases);
            }
        }
        state.waiting.sort_by_key(|(phase, slot, dim, _)| std::cmp::Reverse((*phase, *slot, *dim)));
        state
    }

    fn seed(&mut self, slot: Slot, sharding: &Sharding, phases: &[Phase]) {
        if self.is_seed[slot] {
            self.waiting.retain(|(_, other, _, _)| *other != slot);
        }
        self.is_seed[slot] = true;
        self.constant[slot] = false;
        self.taken[slot] = sharding.used_axes();
        for (dim, (own, phase)) in sharding.dims.iter().zip(phases).enumerate() {
            let flat = self.prepared.dims_of[slot].start + dim;
            let waits = waits(own, *phase);
            self.is_open[flat] = own.is_open && !waits;
            if waits {
                self.waiting.push((*phase, slot, dim, own.clone()));
            }
        }
    }

    /// Lets the seeds of the next phase take part and passes each of their slots to `changed`.
    /// Returns false if there is none left.
    pub(crate) fn next_phase(&mut self, mut changed: impl FnMut(Slot)) -> bool {
        let Some(phase) = self.waiting.last().map(|(phase, ..)| *phase) else { return false };
        while let Some((_, slot, dim, own)) = self.waiting.pop_if(|(next, ..)| *next == phase) {
            let flat = self.prepared.dims_of[slot].start + dim;
            self.axes[flat] = AxisList::of(&own.axes);
            self.is_open[flat] = own.is_open;
            self.sharded[slot] = self.sharded[slot].union(own.axes.iter().collect());
            changed(slot);
        }
        true
    }

    /// The axes of a slot's dims.
    pub(crate) fn dims(&self, slot: Slot) -> &[AxisList] {
        &self.axes[self.prepared.dims_of[slot].clone()]
    }

    /// Appends axes to a dim.
    pub(crate) fn extend(&mut self, slot: Slot, flat_dim: usize, axes: &[meshwright_ir::mesh::SubAxisId]) {
        self.axes[flat_dim].extend(axes);
        let added: AxisSet = axes.iter().collect();
        self.taken[slot] = self.taken[slot].union(added);
        self.sharded[slot] = self.sharded[slot].union(added);
    }

    /// The sharding of a slot, with what is still open marked so.
    pub(crate) fn sharding(&self, slot: Slot) -> Sharding {
        let range = self.prepared.dims_of[slot].clone();
        let dims = range.clone().map(|flat| DimSharding {
            axes: self.axes[flat].to_vec(),
            is_open: self.is_open[flat],
            priority: 0,
        });
        let replicated = self.taken[slot].minus(self.sharded[slot]);
        Sharding { dims: dims.collect(), replicated, partial: None }
    }
}
