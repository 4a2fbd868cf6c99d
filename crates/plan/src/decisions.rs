//! Decisions: all that is decided about one program on one machine, complete or with gaps.
//!
//! Annotations, pins, flags and plans made earlier are decisions with gaps; propagation and search fill the gaps and
//! never override what is there. A kind of decision is one field here, its two codecs (`plan_file` as JSON, where it is a
//! key, and `attributes` as attributes of the program) and its readers. Without gaps they are [`crate::Shardings`], in
//! which every value and instruction has its entry.
//!
//! Example: of `%c = dot(%a, %b)` a user pins `%a`. Propagation adds the sharding of `%c` and the strategy of `dot`, and
//! the search chooses the rest; all of them are entries of the same maps.

use crate::{Policies, Schedule, Tile};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use std::collections::BTreeMap;

/// Everything that is decided about a function with all calls inlined. What is missing is open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    /// Mesh of devices that all shardings refer to.
    pub mesh: Option<Mesh>,
    /// Shardings of values; their open dims may take further axes.
    pub values: BTreeMap<ValueId, Sharding>,
    /// Sharding of each result of the function.
    pub results: Vec<Option<Sharding>>,
    /// Strategies of instructions, whatever the shardings of their tensors suggest. Legal ones.
    pub strategies: BTreeMap<InstId, Strategy>,
    /// Memory policies of uses.
    pub policies: Policies,
    /// Regions that run in tiles.
    pub tiles: Vec<Tile>,
    /// Stage of each instruction that a pipeline cuts off; all others are in the first.
    pub stages: BTreeMap<InstId, usize>,
    /// What the groups of devices run, and when; without one, each program runs once.
    pub schedule: Option<Schedule>,
}

impl Decisions {
    /// Nothing decided.
    pub fn none(function: &Function) -> Self {
        Self { results: vec![None; function.result_types.len()], ..Self::default() }
    }

    /// Nothing decided but the mesh.
    pub fn on(mesh: &Mesh, function: &Function) -> Self {
        Self { mesh: Some(mesh.clone()), ..Self::none(function) }
    }

    /// Returns whether nothing is decided, but perhaps the mesh.
    pub fn is_empty(&self) -> bool {
        let decides_results = self.results.iter().any(Option::is_some);
        let is_whole = self.stages.is_empty() && self.schedule.is_none();
        self.values.is_empty()
            && !decides_results
            && self.strategies.is_empty()
            && self.policies.is_empty()
            && self.tiles.is_empty()
            && is_whole
    }
}
