//! The independent checker: everything that a solver claims of its answer, computed again.
//!
//! Input: a [`Request`], an [`Outcome`] and a [`Planner`], which propagates the seeds alone and prices what comes of that.
//! Output: all that is wrong, in words. What is checked:
//!
//! - S1: the mesh is one of those to choose from;
//! - S2: every seed is of its tensor's rank, uses no axis twice, and no value is seeded twice;
//! - S3: a result that replaces an argument is sharded like it;
//! - S4: pins are as they were given;
//! - S5: the predicted cost is what the seeds come to when they are propagated again;
//! - S6: the plan is called feasible exactly if it fits into the memory, and the reason for stopping agrees;
//! - S7: the bound is not above the predicted time, and no alternative that fits is better.

use std::collections::BTreeSet;

use meshwright_analyze::Roles;
use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::program::Function;
use meshwright_ir::sharding::Sharding;
use meshwright_plan::Seeds;

use crate::planner::Planner;
use crate::{Outcome, Pins, Request, StopReason};

/// Everything that is wrong with an outcome; empty if nothing is.
pub(crate) fn check(request: &Request<'_>, outcome: &Outcome, planner: &dyn Planner) -> Vec<String> {
    let Request { function, roles, pins, .. } = *request;
    let mut problems = Vec::new();
    if !outcome.problem.meshes.contains(&outcome.mesh) {
        problems.push("S1: the mesh is not one of the problem's".into());
        return problems;
    }
    check_seeds(function, &outcome.seeds, &mut problems);
    check_aliases(function, roles, pins, &outcome.seeds, &mut problems);
    check_pins(pins, outcome, &mut problems);
    let fresh = planner.evaluation(&outcome.mesh, &outcome.seeds);
    if fresh != outcome.evaluation {
        problems.push(format!("S5: the cost is {fresh:?}, not {:?} as claimed", outcome.evaluation));
    }
    let is_feasible = fresh.peak <= outcome.problem.memory_limit;
    if is_feasible == (outcome.stop == StopReason::Infeasible) {
        problems
            .push(format!("S6: the plan fits: {is_feasible}, but the solver stopped as {:?}", outcome.stop));
    }
    if is_feasible && outcome.bound > fresh.seconds {
        problems.push(format!("S7: the bound {} is above the time {}", outcome.bound, fresh.seconds));
    }
    for other in &outcome.alternatives {
        let fits = other.evaluation.peak <= outcome.problem.memory_limit;
        // Solvers take times that agree in single precision for equal.
        let is_faster = (other.evaluation.seconds.0 as f32) < fresh.seconds.0 as f32;
        if fits && (is_faster || !is_feasible) {
            problems.push(format!("S7: {} would be better than the answer", other.name));
        }
    }
    problems
}

fn check_seeds(function: &Function, seeds: &Seeds, problems: &mut Vec<String>) {
    let body = &function.body;
    let mut seen: BTreeSet<ValueId> = BTreeSet::new();
    for (value, sharding) in &seeds.values {
        if !seen.insert(*value) {
            problems.push(format!("S2: {value:?} is seeded twice"));
        }
        check_sharding(&format!("{value:?}"), body.ty(*value), sharding, problems);
    }
    for (index, sharding) in seeds.results.iter().enumerate() {
        if let Some(sharding) = sharding {
            check_sharding(&format!("result {index}"), &function.result_types[index], sharding, problems);
        }
    }
}

fn check_sharding(
    what: &str,
    ty: &meshwright_tensor::types::Type,
    sharding: &Sharding,
    problems: &mut Vec<String>,
) {
    let shape = ty.as_tensor().map_or(&[][..], |tensor| &tensor.shape);
    if sharding.dims.len() != shape.len() {
        problems.push(format!("S2: {what} has {} dims, its sharding {}", shape.len(), sharding.dims.len()));
        return;
    }
    let mut used = AxisSet::EMPTY;
    for axes in sharding.dim_axes() {
        if !axes.iter().all(|axis| used.insert(*axis)) {
            problems.push(format!("S2: {what} uses an axis twice"));
        }
    }
}

fn check_aliases(function: &Function, roles: &Roles, pins: &Pins, seeds: &Seeds, problems: &mut Vec<String>) {
    let is_pinned = |result: usize| pins.seeds.results.get(result).is_some_and(Option::is_some);
    for (value, arg) in function.args().iter().zip(&roles.args) {
        let Some(result) = arg.result.filter(|result| !is_pinned(*result)) else { continue };
        let seed = seeds.values.iter().find(|(other, _)| other == value).map(|(_, sharding)| sharding);
        let other = seeds.results[result].as_ref();
        let is_pinned_arg = pins.seeds.values.iter().any(|(other, _)| other == value);
        if let Some(seed) = seed
            && !is_pinned_arg
            && !other.is_some_and(|other| other.places_like(seed))
        {
            problems.push(format!("S3: result {result} is not sharded like {value:?}, which it replaces"));
        }
    }
}

fn check_pins(pins: &Pins, outcome: &Outcome, problems: &mut Vec<String>) {
    let Some(mesh) = &pins.mesh else { return };
    if *mesh != outcome.mesh {
        problems.push(format!("S4: the mesh is {}, not {mesh} as pinned", outcome.mesh));
    }
    for pin in &pins.seeds.values {
        if !outcome.seeds.values.contains(pin) {
            problems.push(format!("S4: {:?} is not sharded as pinned", pin.0));
        }
    }
    for (index, pin) in pins.seeds.results.iter().enumerate() {
        if pin.is_some() && outcome.seeds.results[index] != *pin {
            problems.push(format!("S4: result {index} is not sharded as pinned"));
        }
    }
}
