//! The independent checker: everything that a solver claims of its answer, computed again.
//!
//! Input: a [`Request`], an [`Outcome`] and a [`Planner`], which prices the plan again.
//! Output: all that is wrong, in words. What is checked:
//!
//! - S1: the mesh is one of those to choose from;
//! - S2: the plan is whole and legal ([`Shardings::verify`]);
//! - S3: a result that replaces an argument is sharded like it;
//! - S4: what is fixed is as it was given;
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
    let Request { function, roles, fixed, .. } = *request;
    let mut problems = Vec::new();
    if !outcome.problem.meshes.contains(outcome.mesh()) {
        problems.push("S1: the mesh is not one of the problem's".into());
        return problems;
    }
    let shardings = &outcome.shardings;
    problems.extend(shardings.verify(function).into_iter().map(|problem| format!("S2: {problem}")));
    check_aliases(function, roles, fixed, shardings, &mut problems);
    check_fixed(fixed, shardings, &mut problems);
    let fresh = planner.predict(shardings);
    if fresh != outcome.evaluation {
        problems.push(format!("S5: the cost is {fresh:?}, not {:?} as claimed", outcome.evaluation));
    }
    let is_feasible = fresh.fits(outcome.problem.memory_limit);
    if is_feasible == (outcome.stop == StopReason::Infeasible) {
        problems
            .push(format!("S6: the plan fits: {is_feasible}, but the solver stopped as {:?}", outcome.stop));
    }
    if is_feasible && outcome.bound > fresh.seconds {
        problems.push(format!("S7: the bound {} is above the time {}", outcome.bound, fresh.seconds));
    }
    for other in &outcome.alternatives {
        let fits = other.evaluation.fits(outcome.problem.memory_limit);
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
    fixed: &Decisions,
    shardings: &Shardings,
    problems: &mut Vec<String>,
) {
    let is_fixed = |result: usize| fixed.results.get(result).is_some_and(Option::is_some);
    for (value, arg) in function.args().iter().zip(&roles.args) {
        let Some(result) = arg.result.filter(|result| !is_fixed(*result)) else { continue };
        let is_fixed_arg = fixed.values.contains_key(value);
        if !is_fixed_arg && !shardings.results[result].places_like(&shardings.values[*value]) {
            problems.push(format!("S3: result {result} is not sharded like {value:?}, which it replaces"));
        }
    }
}

fn check_fixed(fixed: &Decisions, shardings: &Shardings, problems: &mut Vec<String>) {
    let Some(mesh) = &fixed.mesh else { return };
    if *mesh != shardings.mesh {
        problems.push(format!("S4: the mesh is {}, not {mesh} as fixed", shardings.mesh));
    }
    if let Some((group, _)) = fixed.policies.iter().find(|(group, own)| shardings.policies.of(*group) != *own)
    {
        problems.push(format!("S4: {group:?} has not the policy that is fixed"));
    }
    // An open dim may have taken further axes.
    let keeps = |found: &Sharding, wanted: &Sharding| {
        let mut dims = found.dims.iter().zip(&wanted.dims);
        dims.all(|(found, wanted)| {
            if wanted.is_open { found.axes.starts_with(&wanted.axes) } else { found.axes == wanted.axes }
        })
    };
    for (value, wanted) in &fixed.values {
        if !keeps(&shardings.values[*value], wanted) {
            problems.push(format!("S4: {value:?} is not sharded as fixed"));
        }
    }
    for (index, wanted) in fixed.results.iter().enumerate() {
        if wanted.as_ref().is_some_and(|wanted| !keeps(&shardings.results[index], wanted)) {
            problems.push(format!("S4: result {index} is not sharded as fixed"));
        }
    }
}
