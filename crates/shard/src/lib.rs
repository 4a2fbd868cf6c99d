//! Sharding propagation: from a few sharded values to a sharding of every value and a strategy for every op.
//!
//! Input: a function with all calls inlined, a mesh, and [`Seeds`] (from annotations or from a search).
//! Output: [`meshwright_plan::Shardings`].
//!
//! 1. [`prepare`] reads what does not depend on the mesh or the seeds; a search does it once.
//! 2. [`propagate_values`] spreads the seeds along the factors of the ops, both ways, to a fixed point
//!    (modules `roles`, `fixpoint`, `step`). It never overrides a seed. Dims that do not divide are padded.
//! 3. [`complete`] replicates what is still open, chooses a strategy for every op (`strategies`) and settles how each
//!    intermediate value is kept (`settle`, `followers`).
//!
//! [`propagate`] does all three; [`propagate_cheapest`] with the seeds in several orders, of which the cheapest counts. Conflicts are resolved in this order: seeds; user priorities; roles; op priorities
//! (`step`); the axes that lie in more bytes; more shards; the op's first factor. After Shardy's `propagation.md`
//! and `sharding_representation.md`.

mod annotate;
mod axes;
mod brief;
pub mod decisions;
mod fixpoint;
mod followers;
mod given;
mod groups;
mod loop_reads;
mod meshes;
mod orders;
mod prepared;
mod price;
pub mod propagation;
mod refusals;
mod replications;
mod roles;
mod rules;
mod seeds;
mod settle;
mod state;
mod step;
mod strategies;
mod total;
mod unreduced;

pub use annotate::{annotate, annotate_seeds};
pub use brief::brief;
pub use given::{strategy, strategy_names};
pub use groups::{joined, synced};
pub use meshes::{OneMesh, on_one_mesh};
pub use meshwright_plan::Seeds;
pub use orders::propagate_cheapest;
pub use prepared::{Prepared, prepare};
pub use price::Prices;
pub use refusals::{UNSUPPORTED, refusals};
pub use replications::{REPLICATED, Reason, Replication, replications};
pub use roles::Roles;
pub use seeds::{ANNOTATION, MESHES, annotated_mesh, seeds_from_annotations};

use axes::AxisList;
use meshwright_ir::control::Control;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Def, Function};
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use meshwright_plan::Shardings;
use prepared::Slot;
use price::Pricer;
use state::State;
use strategies::Chosen;

/// How to propagate.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Whether the order of seeds follows from what they are for.
    pub roles: Roles,
    /// What decides between strategies.
    pub prices: Prices,
}

/// The shardings that propagation found, with what is still open marked so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueShardings {
    /// Of each value.
    pub values: Table<ValueId, Sharding>,
    /// Of each function result.
    pub results: Vec<Sharding>,
}

/// Propagates and completes; see the crate's comment.
pub fn propagate(
    function: &Function,
    mesh: &Mesh,
    seeds: &Seeds,
    options: &Options,
    control: &dyn Control,
) -> Shardings {
    propagate_prepared(function, &prepare(function), mesh, seeds, options, control)
}

/// [`propagate`] for a function that is already prepared.
pub fn propagate_prepared(
    function: &Function,
    prepared: &Prepared,
    mesh: &Mesh,
    seeds: &Seeds,
    options: &Options,
    control: &dyn Control,
) -> Shardings {
    let state = spread(function, prepared, mesh, seeds, options, control);
    let is_fixed = state.is_seed;
    let completed = finish(function, prepared, mesh, state.axes, (is_fixed, &seeds.strategies), options);
    assemble(function, prepared, mesh, &completed)
}

/// Spreads seeds over values and function results and nothing more.
pub fn propagate_values(
    function: &Function,
    prepared: &Prepared,
    mesh: &Mesh,
    seeds: &Seeds,
    options: &Options,
    control: &dyn Control,
) -> ValueShardings {
    let state = spread(function, prepared, mesh, seeds, options, control);
    ValueShardings {
        values: prepared.slot_of.values().map(|slot| state.sharding(*slot)).collect(),
        results: prepared.result_slots.iter().map(|slot| state.sharding(*slot)).collect(),
    }
}

/// Replicates what is open, chooses strategies and settles the values that no seed fixes.
pub fn complete(
    function: &Function,
    prepared: &Prepared,
    mesh: &Mesh,
    values: &ValueShardings,
    seeds: &Seeds,
    options: &Options,
) -> Shardings {
    let completed = completed(function, prepared, mesh, values, seeds, options);
    assemble(function, prepared, mesh, &completed)
}

/// How each value is kept and each instruction is partitioned.
struct Completed {
    /// The axes of each slot's dims.
    axes: Vec<AxisList>,
    chosen: Chosen,
    /// Which slots every device computes for itself.
    is_follower: Vec<bool>,
}

fn completed(
    function: &Function,
    prepared: &Prepared,
    mesh: &Mesh,
    values: &ValueShardings,
    seeds: &Seeds,
    options: &Options,
) -> Completed {
    let (axes, mut is_fixed) = layout(prepared, values);
    for (value, _) in &seeds.values {
        is_fixed[prepared.slot_of[*value]] = true;
    }
    for (slot, seed) in prepared.result_slots.iter().zip(&seeds.results) {
        is_fixed[*slot] = seed.is_some();
    }
    finish(function, prepared, mesh, axes, (is_fixed, &seeds.strategies), options)
}

fn spread<'a>(
    function: &Function,
    prepared: &'a Prepared,
    mesh: &'a Mesh,
    seeds: &Seeds,
    options: &Options,
    control: &dyn Control,
) -> State<'a> {
    let phases = roles::phases(function, seeds, options.roles);
    let mut state = State::new(prepared, mesh, seeds, &phases);
    fixpoint::run(&mut state, control);
    // A stop before the fixed point must not lose seeds that have not taken part yet.
    while state.next_phase(|_| {}) {}
    state
}

fn layout(prepared: &Prepared, values: &ValueShardings) -> (Vec<AxisList>, Vec<bool>) {
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
    (axes, vec![false; prepared.num_slots()])
}

fn finish(
    function: &Function,
    prepared: &Prepared,
    mesh: &Mesh,
    mut axes: Vec<AxisList>,
    (mut is_fixed, given): (Vec<bool>, &[(InstId, Strategy)]),
    options: &Options,
) -> Completed {
    let is_seed = is_fixed.clone();
    // What enters a function or a loop and what leaves them stays as propagation found it.
    for (value, content) in function.body.values.iter() {
        if matches!(content.def, Def::Argument(..)) {
            is_fixed[prepared.slot_of[value]] = true;
        }
    }
    is_fixed.iter_mut().zip(&prepared.kept).for_each(|(fixed, kept)| *fixed |= kept);
    divide_boundary(function, prepared, mesh, &is_seed, &mut axes);
    let pricer = Pricer::new(mesh, &options.prices);
    let is_follower = followers::free_followers(prepared, &is_fixed);
    let mut chosen = strategies::choose(function, prepared, &is_follower, &axes, given, &pricer);
    for (fixed, follower) in is_fixed.iter_mut().zip(&is_follower) {
        *fixed |= follower;
    }
    if settle::settle(function, prepared, &is_fixed, &chosen, &mut axes, &pricer) {
        chosen = strategies::choose(function, prepared, &is_follower, &axes, given, &pricer);
    }
    if loop_reads::bring_before_loops(function, prepared, &is_seed, &chosen, &mut axes, &pricer) {
        chosen = strategies::choose(function, prepared, &is_follower, &axes, given, &pricer);
    }
    followers::settle_followers(function, prepared, mesh, &is_follower, &mut chosen, &mut axes);
    Completed { axes, chosen, is_follower }
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

fn assemble(function: &Function, prepared: &Prepared, mesh: &Mesh, completed: &Completed) -> Shardings {
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
        results: prepared.result_slots.iter().map(sharding).collect(),
    };
    unreduced::keep(function, prepared, mesh, &mut shardings);
    shardings
}
