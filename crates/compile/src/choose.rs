//! From what is decided to a whole plan by a search, and what the search says of it.
//!
//! Input: a request to the search, whose pins are what is fixed. Output: [`Shardings`] and, for people, [`Searched`]; of
//! degrees that are the whole plan ([`as_asked`]), what completes decisions.

use meshwright_analyze::recognize;
use meshwright_ir::diagnostic::{Diagnostic, Span};
use meshwright_machine::Machine;
use meshwright_plan::Shardings;
use meshwright_plan::plan_file::PlanAlternative;
use meshwright_search::{
    Alternative, Complete, Evaluation, ParallelDegrees, Refusal, Request, ShardingPlanner, as_requested,
    search,
};

use crate::axis_names::name_axes;
use crate::error::CompileError;
use crate::global::Global;
use crate::mesh::MESH;
use crate::namesakes;
use crate::simplest;
use crate::why::{self, Taken};

/// What a search adds to a plan.
pub(crate) struct Searched {
    /// Why, one sentence each.
    pub(crate) reasons: Vec<String>,
    /// What the plan takes and needs in the order of instructions that was searched.
    pub(crate) evaluation: Evaluation,
    /// No plan takes less, in seconds; none if nothing fits.
    pub(crate) bound: Option<f64>,
    /// No plan that fits takes less, in seconds, also where none was found: infinite if there is none. Nothing where no mesh was
    /// searched.
    pub(crate) bound_of_fitting: Option<f64>,
    /// The same however much memory there is, by every decision at its cheapest.
    pub(crate) least: f64,
    /// What else was considered.
    pub(crate) alternatives: Vec<PlanAlternative>,
    /// What was not.
    pub(crate) not_searched: Vec<String>,
    /// Whether the search was stopped before its end.
    pub(crate) is_interrupted: bool,
}

/// Searches for the mesh (unless there is one) and for what is not fixed; the simplest plan that takes by at most a
/// share longer than the best, if there is one. The axes of a mesh that was searched are named for what they do.
///
/// # Errors
/// [`CompileError::Options`]: a mesh or degrees of the caller's that do not fit the machine or the program.
pub(crate) fn searched(
    request: &Request<'_>,
    simplest_within: Option<f64>,
) -> Result<(Searched, Shardings), CompileError> {
    let planner = ShardingPlanner::new(request, request.fixed);
    let outcome = search(&planner).map_err(refused)?;
    let within = simplest_within.filter(|_| outcome.is_feasible());
    let simpler = within.and_then(|within| simplest::simplest(&planner, &outcome, within));
    let mut own = simpler.as_ref().map_or(&outcome.shardings, |simpler| &simpler.shardings).clone();
    // What people would try knows nothing of what is made again or lies on the host; the program does it whatever is taken.
    request.fixed.policies.iter().for_each(|(group, policy)| own.policies.set(group, policy));
    let recognized = recognize(request.function, request.roles, &own);
    let mesh = match &request.fixed.mesh {
        Some(mesh) => mesh.clone(),
        None => name_axes(&own.mesh, &recognized.uses),
    };
    let policies = &own.policies;
    let taken =
        Taken { outcome: &outcome, simpler: simpler.as_ref(), policies, mesh: &mesh, uses: &recognized };
    let renamed = namesakes::of_styles(&planner, &outcome, &recognized.text());
    let alternative = |found: &Alternative| PlanAlternative {
        name: renamed.get(&found.name).unwrap_or(&found.name).clone(),
        total_seconds: found.evaluation.seconds.0,
        peak_bytes: found.evaluation.peak.0,
        fits: found.score.is_feasible(),
    };
    let bounds = outcome.meshes.iter().filter(|found| !found.is_too_large).map(|found| found.bound.0);
    let searched = Searched {
        reasons: namesakes::renamed(why::reasons(&planner, &taken), &renamed),
        evaluation: planner.predict(&own),
        bound: outcome.is_feasible().then_some(outcome.bound.0),
        bound_of_fitting: bounds.reduce(f64::min),
        least: outcome.least.0,
        alternatives: outcome.requested.iter().chain(&outcome.alternatives).map(alternative).collect(),
        not_searched: outcome.not_searched,
        is_interrupted: request.control.should_stop(),
    };
    Ok((searched, Shardings { mesh, ..own }))
}

/// The caller's own way, without a search, as `complete` makes a whole plan of decisions.
///
/// # Errors
/// [`CompileError::Options`]: it does not fit the machine or the program.
pub(crate) fn as_asked(
    global: &Global,
    machine: &Machine,
    degrees: ParallelDegrees,
    complete: &Complete<'_>,
) -> Result<Shardings, CompileError> {
    let Global { function, roles, .. } = global;
    let own = as_requested(function, roles, machine, degrees, complete).map_err(refused)?;
    Ok(with_named_axes(global, own))
}

/// The same with axes named for what they do.
pub(crate) fn with_named_axes(global: &Global, mut own: Shardings) -> Shardings {
    // Degrees say nothing of what is made again or lies on the host; the program does it, and the plan has to say so.
    global.fixed.policies.iter().for_each(|(group, policy)| own.policies.set(group, policy));
    let mesh = name_axes(&own.mesh, &recognize(&global.function, &global.roles, &own).uses);
    Shardings { mesh, ..own }
}

/// Degrees are to be the plan, but shardings or a mesh are given too.
pub(crate) fn meshes_twice(degrees: ParallelDegrees, has_plan: bool) -> CompileError {
    let others = match has_plan {
        true => "the plan that is given has all of that: leave one of them out",
        false => "leave out the other mesh, pins and annotations, or search",
    };
    let problem =
        format!("without a search, `{degrees}` is the whole plan and has a mesh of its own: {others}");
    contradiction(problem)
}

/// The simplest plan is wanted of a search that is not to be.
pub(crate) fn nothing_to_choose_from() -> CompileError {
    let problem = "the simplest plan is chosen among those that a search finds, but nothing is to be searched: search \
                   (`--search rest`), or leave out `--simplest-within`";
    contradiction(problem.to_owned())
}

fn contradiction(problem: String) -> CompileError {
    CompileError::Options(Box::new(Diagnostic::error(MESH, Span::NONE, problem)))
}

/// What the search refuses is what the caller decided, which the program or the machine does not allow.
pub(crate) fn refused(refusal: Refusal) -> CompileError {
    let mut diagnostic = Diagnostic::error(MESH, Span::NONE, refusal.to_string());
    diagnostic.hints.extend(refusal.hint());
    match refusal {
        Refusal::NotAllowed(_) => CompileError::NotAllowed(Box::new(diagnostic)),
        _ => CompileError::Options(Box::new(diagnostic)),
    }
}
