//! Sharding propagation: from a few sharded values to a sharding of every value and a strategy for every op.
//!
//! Input: a function with all calls inlined, a mesh, and [`Decisions`] (from annotations or from a search).
//! Output: [`meshwright_plan::Shardings`].
//!
//! 1. [`prepare`] reads what does not depend on the mesh or the seeds; a search does it once.
//! 2. [`Sharder::values`] propagates the seeds along the factors of the ops, both ways, to a fixed point
//!    (modules `seed_order`, `fixpoint`, `step`). It never overrides a seed. Dims that do not divide are padded.
//! 3. What is still open is replicated, every op gets a strategy (`strategies`), and it is settled how each
//!    intermediate value is kept (`complete`, `layout_assignment`, `constants`).
//!
//! [`Sharder::everything`] does all three; [`Sharder::cheapest`] with the seeds in several orders, of which the cheapest
//! counts. Conflicts are resolved in this order: seeds; user priorities; roles; op priorities (`step`); the axes that lie
//! in more bytes; more shards; the op's first factor. After Shardy's `propagation.md` and `sharding_representation.md`.

mod annotate;
mod axes;
mod complete;
pub mod constants;
mod deferred_reductions;
mod fixpoint;
mod groups;
mod layout_assignment;
mod loop_reads;
mod meshes;
mod minimize;
mod orders;
mod partial;
mod prepared;
mod price;
mod refusals;
mod replications;
mod rules;
mod seed_order;
mod state;
mod step;
mod strategies;
mod total;

pub use annotate::annotate;
pub use axes::AxisList;
pub use complete::{Completed, assemble};
pub use deferred_reductions::DeferredReductions;
pub use meshes::{OneMesh, on_one_mesh};
pub use minimize::Minimized;
pub use orders::Propagated;
pub use prepared::{Component, Prepared, Slot, Tie, prepare};
pub use price::Prices;
pub use refusals::{UNSUPPORTED, refusals};
pub use replications::{REPLICATED, Reason, Replication, replications};
pub use seed_order::SeedOrder;
pub use strategies::{Chosen, induced, tensor_factors};

use meshwright_ir::control::Control;
use meshwright_ir::ids::{Table, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_ir::sharding::Sharding;
use meshwright_plan::{Decisions, Shardings};
use price::Pricer;
use seed_order::Phases;
use state::State;

/// Options of propagation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Whether the order of seeds follows from what they are for.
    pub seed_order: SeedOrder,
    /// Whether only that order is tried.
    pub is_first_order: bool,
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

/// Propagates seeds over a function on a mesh.
#[derive(Clone, Copy)]
pub struct Sharder<'a> {
    /// The function, with all calls inlined.
    pub function: &'a Function,
    /// The same, prepared.
    pub prepared: &'a Prepared,
    /// The mesh that the seeds are on.
    pub mesh: &'a Mesh,
    /// How.
    pub options: &'a Options,
    /// Ends it early: what is open by then is replicated.
    pub control: &'a dyn Control,
}

impl<'a> Sharder<'a> {
    /// The whole answer with the seeds in one order; see the crate's comment.
    pub fn everything(&self, fixed: &Decisions) -> Shardings {
        let pricer = Pricer::new(self.mesh, &self.options.prices);
        let completed = self.complete(&self.values(fixed), fixed, (&pricer, &mut None));
        let shardings = self.assembled(&completed);
        Shardings { policies: fixed.policies.clone(), ..shardings }
    }

    /// Propagates seeds over values and function results and nothing more.
    pub fn values(&self, fixed: &Decisions) -> ValueShardings {
        self.values_in(&seed_order::phases(self.function, fixed, self.options.seed_order), fixed)
    }

    /// [`Sharder::values`] with the seeds in other phases.
    fn values_in(&self, phases: &Phases, fixed: &Decisions) -> ValueShardings {
        let mut state = State::new(self.prepared, self.mesh, fixed, phases);
        fixpoint::run(&mut state, self.control);
        // A stop before the fixed point must not lose seeds that have not taken part yet.
        while state.next_phase(|_| {}) {}
        ValueShardings {
            values: self.prepared.slot_of.values().map(|slot| state.sharding(*slot)).collect(),
            results: self.prepared.result_slots.iter().map(|slot| state.sharding(*slot)).collect(),
        }
    }
}
