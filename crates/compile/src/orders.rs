//! Which order of instructions suits a plan.
//!
//! A plan is searched in one order, since the search counts memory along it, and scored in all of them.

use meshwright_cost::analysis::Analysis;
use meshwright_cost::estimate::estimate;
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::Shardings;
use meshwright_shard::ValueShardings;

use crate::mesh;

/// A decision on the order of instructions that suits it best.
pub(crate) struct Ordered {
    pub(crate) function: Function,
    pub(crate) values: ValueShardings,
    pub(crate) shardings: Shardings,
}

/// What a plan exceeds the limit by, its time, and its memory: less is better.
pub(crate) type Score = (Bytes, Seconds, Bytes);

/// What shardings on this order come to.
pub(crate) fn score(function: &Function, shardings: &Shardings, machine: &Machine, limit: Bytes) -> Score {
    let placement = mesh::placed(machine, &shardings.mesh);
    let estimate = estimate(&Analysis::new(function), shardings, &placement);
    (estimate.memory.peak.max(limit), estimate.total(), estimate.memory.peak)
}

/// The first of those that nothing is better than.
pub(crate) fn best<T>(candidates: [(Score, T); 2]) -> (Score, T) {
    let [first, second] = candidates;
    if second.0 < first.0 { second } else { first }
}
