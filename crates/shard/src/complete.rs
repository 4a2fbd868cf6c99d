//! From the shardings that propagation found to a whole answer: what is open is replicated, every instruction gets a
//! strategy, and values that no seed fixes are kept as those strategies want them.

use crate::axes::AxisList;
use crate::prepared::{Prepared, Slot};
use crate::price::Pricer;
use crate::strategies::{self, Chosen, Known};
use crate::{
    Sharder, ValueShardings, constants, deferred_reductions, layout_assignment, loop_reads, partial,
};
use meshwright_ir::ids::Table;
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::program::{Def, Function};
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use meshwright_plan::{Decisions, Policies, Shardings};

/// Axes of all values and strategies of all instructions.
pub struct Completed {
    /// The axes of each slot's dims.
    pub axes: Vec<AxisList>,
    /// The strategy of each instruction.
    pub chosen: Chosen,
    /// Which slots every device computes for itself.
    pub is_constant: Vec<bool>,
}

impl Sharder<'_> {
    /// Replicates what is open, chooses strategies and settles the values that no seed fixes. What is chosen first is `known` to
    /// the next call with the same decisions.
    pub(crate) fn complete(
        &self,
        values: &ValueShardings,
        fixed: &Decisions,
        (pricer, known): (&Pricer<'_>, &mut Option<Known>),
    ) -> Completed {
        let Sharder { function, prepared, mesh, .. } = *self;
        let mut axes = layout(prepared, values);
        let is_seed = seeded(prepared, fixed);
        let mut is_fixed = is_seed.clone();
        // What enters a function or a loop and what leaves them stays as propagation found it.
        for (value, content) in function.body.values.iter() {
            if matches!(content.def, Def::Argument(..)) {
                is_fixed[prepared.slot_of[value]] = true;
            }
        }
        is_fixed.iter_mut().zip(&prepared.kept).for_each(|(fixed, kept)| *fixed |= kept);
        divide_boundary(function, prepared, mesh, &is_seed, &mut axes);
        let is_constant = constants::free_constants(prepared, &is_fixed);
        let choose = |axes: &[AxisList], known: Option<&Known>| {
            strategies::choose(function, prepared, &is_constant, axes, &fixed.strategies, (pricer, known))
        };
        let mut chosen = choose(&axes, known.as_ref());
        let first = Known::of(&axes, &chosen);
        for (fixed, constant) in is_fixed.iter_mut().zip(&is_constant) {
            *fixed |= constant;
        }
        if layout_assignment::assign_layouts(function, prepared, &is_fixed, &chosen, &mut axes, pricer) {
            chosen = choose(&axes, Some(&first));
        }
        if loop_reads::bring_before_loops(function, prepared, &is_seed, &chosen, &mut axes, pricer) {
            chosen = choose(&axes, Some(&first));
        }
        known.get_or_insert(first);
        constants::assign_constants(function, prepared, mesh, &is_constant, &mut chosen, &mut axes);
        Completed { axes, chosen, is_constant }
    }

    /// The same, as plain data.
    pub(crate) fn assembled(&self, completed: &Completed) -> Shardings {
        assemble(self.function, self.prepared, self.mesh, completed)
    }
}

fn layout(prepared: &Prepared, values: &ValueShardings) -> Vec<AxisList> {
    let mut axes = vec![AxisList::new(); prepared.dim_sizes.len()];
    let mut put = |slot: Slot, sharding: &Sharding| {
        for (flat, own) in prepared.dims_of[slot].clone().zip(sharding.dim_axes()) {
            axes[flat] = AxisList::of(own);
        }
    };
    for (value, sharding) in values.values.iter() {
        put(prepared.slot_of[value], sharding);
    }
    for (slot, sharding) in prepared.result_slots.iter().zip(&values.results) {
        put(*slot, sharding);
    }
    axes
}

fn seeded(prepared: &Prepared, fixed: &Decisions) -> Vec<bool> {
    let mut is_seed = vec![false; prepared.num_slots()];
    for value in fixed.values.keys() {
        is_seed[prepared.slot_of[*value]] = true;
    }
    for (slot, seed) in prepared.result_slots.iter().zip(&fixed.results) {
        is_seed[*slot] = seed.is_some();
    }
    is_seed
}

/// Arguments and results of the function are padded only where that was asked for: whoever calls the program then
/// needs to know nothing of it.
fn divide_boundary(
    function: &Function,
    prepared: &Prepared,
    mesh: &Mesh,
    is_seed: &[bool],
    axes: &mut [AxisList],
) {
    let args = function.args().iter().map(|arg| prepared.slot_of[*arg]);
    for slot in args.chain(prepared.result_slots.iter().copied()).filter(|slot| !is_seed[*slot]) {
        for flat in prepared.dims_of[slot].clone() {
            let (size, list) = (prepared.dim_sizes[flat], &mut axes[flat]);
            while !size.is_multiple_of(list.product(mesh)) {
                list.truncate(list.len() - 1);
            }
        }
    }
}

/// The same as plain data, with what is kept partial.
pub fn assemble(function: &Function, prepared: &Prepared, mesh: &Mesh, completed: &Completed) -> Shardings {
    let Completed { axes, chosen, .. } = completed;
    let sharding =
        |slot: &Slot| Sharding::of(axes[prepared.dims_of[*slot].clone()].iter().map(|list| list.to_vec()));
    let mut strategies = Table::filled(Strategy::default(), function.body.insts.len());
    for (position, inst) in prepared.order.iter().enumerate() {
        strategies[*inst] = Strategy { axes: chosen.of(position).iter().map(|list| list.to_vec()).collect() };
    }
    for (inst, num_factors) in &prepared.unplanned {
        strategies[*inst] = Strategy { axes: vec![Vec::new(); *num_factors] };
    }
    let mut shardings = Shardings {
        mesh: mesh.clone(),
        values: prepared.slot_of.values().map(sharding).collect(),
        strategies,
        deferred: Table::filled(AxisSet::EMPTY, function.body.insts.len()),
        results: prepared.result_slots.iter().map(sharding).collect(),
        policies: Policies::default(),
    };
    partial::keep(function, prepared, mesh, &mut shardings);
    deferred_reductions::keep(function, prepared, &mut shardings);
    shardings
}
