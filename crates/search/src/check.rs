//! The independent checker: everything that a solver claims of its answer, computed again.
//!
//! Input: a [`Request`], an [`Outcome`] and a [`Planner`], which prices the plan again.
//! Output: all that is wrong, in words. What is checked:
//!
//! - S1: the mesh is one of those to choose from;
//! - S2: the plan is whole and legal ([`Shardings::verify`]);
//! - S3: a result that replaces an argument is sharded like it;
//! - S4: pins are as they were given;
//! - S5: the predicted cost is that of the plan;
//! - S6: the plan is called feasible exactly if it fits into the memory, and the reason for stopping agrees;
//! - S7: the bound is not above the predicted time, and no alternative that fits is better.

use meshwright_analyze::Roles;
use meshwright_ir::program::Function;
use meshwright_ir::sharding::Sharding;
use meshwright_plan::{Decisions, Shardings};

use crate::planner::Planner;
use crate::{Outcome, Request, StopReason};

/// Everything that is wrong with an outcome; empty if nothing is.
pub(crate) fn check(request: &Request<'_>, outcome: &Outcome, planner: &dyn Planner) -> Vec<String> {
    let Request { function, roles, pins, .. } = *request;
    let mut problems = Vec::new();
    if !outcome.problem.meshes.contains(outcome.mesh()) {
        problems.push("S1: the mesh is not one of the problem's".into());
        return problems;
    }
    let shardings = &outcome.shardings;
    problems.extend(shardings.verify(function).into_iter().map(|problem| format!("S2: {problem}")));
    check_aliases(function, roles, pins, shardings, &mut problems);
    check_pins(pins, shardings, &mut problems);
    let fresh = planner.predict(shardings);
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

fn check_aliases(
    function: &Function,
    roles: &Roles,
    pins: &Decisions,
    shardings: &Shardings,
    problems: &mut Vec<String>,
) {
    let is_pinned = |result: usize| pins.results.get(result).is_some_and(Option::is_some);
    for (value, arg) in function.args().iter().zip(&roles.args) {
        let Some(result) = arg.result.filter(|result| !is_pinned(*result)) else { continue };
        let is_pinned_arg = pins.values.contains_key(value);
        if !is_pinned_arg && !shardings.results[result].places_like(&shardings.values[*value]) {
            problems.push(format!("S3: result {result} is not sharded like {value:?}, which it replaces"));
        }
    }
}

fn check_pins(pins: &Decisions, shardings: &Shardings, problems: &mut Vec<String>) {
    let Some(mesh) = &pins.mesh else { return };
    if *mesh != shardings.mesh {
        problems.push(format!("S4: the mesh is {}, not {mesh} as pinned", shardings.mesh));
    }
    if let Some((group, _)) = pins.policies.iter().find(|(group, own)| shardings.policies.of(*group) != *own)
    {
        problems.push(format!("S4: {group:?} has not the policy that is pinned"));
    }
    // An open dim may have taken further axes.
    let keeps = |found: &Sharding, pin: &Sharding| {
        let mut dims = found.dims.iter().zip(&pin.dims);
        dims.all(
            |(found, pin)| {
                if pin.is_open { found.axes.starts_with(&pin.axes) } else { found.axes == pin.axes }
            },
        )
    };
    for (value, pin) in &pins.values {
        if !keeps(&shardings.values[*value], pin) {
            problems.push(format!("S4: {value:?} is not sharded as pinned"));
        }
    }
    for (index, pin) in pins.results.iter().enumerate() {
        if pin.as_ref().is_some_and(|pin| !keeps(&shardings.results[index], pin)) {
            problems.push(format!("S4: result {index} is not sharded as pinned"));
        }
    }
}
