//! Search: which mesh, and which sharding of everything, makes a step fastest within the memory.
//!
//! Input: a [`Request`]: a function with calls inlined, its [`Roles`], a [`Machine`], what is fixed. Output: an [`Outcome`]: the best
//! plan found, a bound on all others, and what common styles would cost.
//!
//! - `meshes` are the meshes to choose from; `meshwise` solves the problem of each (`mesh_search`).
//! - `sharding_problem` makes the problem of a mesh: what is to be decided, and what it costs; `planner` turns an answer into
//!   a plan.
//! - `strategies` are what people know: data parallel, ZeRO, tensor parallel, ... as an `Answer` for `groups` of arguments
//!   (`problem`). They are evaluated first: the solver has to beat them.
//! - [`recompute`] is apart from that: which activations are kept, and which are made again in the backward pass. So is
//!   [`offload`]: what may lie on the host.
//! - `check` recomputes what is claimed from scratch.

mod allow;
mod beside;
mod check;
mod copies;
mod decisions;
mod dim_sets;
mod effort;
mod evaluation;
mod explain;
mod groups;
mod mesh_search;
mod meshes;
mod meshwise;
pub mod offload;
mod planner;
mod problem;
pub mod recompute;
mod refusal;
mod sharding_problem;
mod simplest;
mod strategies;
#[cfg(test)]
mod tests;
pub mod tiles;

pub use allow::{Clause, Constraints, Facts, Scope, Scoped};
pub use effort::Effort;
pub use evaluation::{Evaluation, Score};
pub use explain::Alternative;
pub use meshes::{has_equal_axes, meshes};
pub use meshwise::MeshOutcome;
pub use planner::{Plan, ShardingPlanner};
pub use refusal::{Lack, Refusal};
pub use simplest::Other;
pub use strategies::degrees::{ParallelDegrees, SaidDegrees};
pub use strategies::requested::{Complete, RequestedWays, as_requested};
pub use strategies::ways::{DegreeChoice, DegreeSpace, MOST_WAYS, Unsaid};

use decisions::decisions_of;
use meshwright_analyze::{Roles, recognize};
use meshwright_cost::{Analysis, reshard};
use meshwright_ir::control::Control;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::{Choice, Decisions, Shardings};
use meshwright_shard::Prepared;
use planner::Planner;
use problem::{Answer, Problem};
use rayon::prelude::*;

/// Input of a search: a function, a machine, and what is decided already.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The function, with calls inlined.
    pub function: &'a Function,
    /// The same, prepared for propagation.
    pub prepared: &'a Prepared,
    /// The roles of its arguments.
    pub roles: &'a Roles,
    /// Costs that are the same for every plan of the function.
    pub analysis: &'a Analysis<'a>,
    /// The machine.
    pub machine: &'a Machine,
    /// Decisions that are fixed, by annotations or pins.
    pub fixed: &'a Decisions,
    /// Memory that one device may use.
    pub memory_limit: Bytes,
    /// The user's own way, to be priced beside the others.
    pub parallelism: Option<ParallelDegrees>,
    /// What plans have to keep to.
    pub allowed: &'a Constraints,
    /// Of interest are only plans that take less. If none is found, the outcome is the best of the common styles, whether it
    /// fits or not.
    pub faster_than: Option<Seconds>,
    /// Whether of the outcome only the bound is of interest, which needs no plan that fits.
    pub is_for_bound: bool,
    /// Thoroughness of the search.
    pub effort: Effort,
    /// Plans reshards; what it remembers serves other searches too.
    pub reshards: &'a reshard::Planner,
    /// Told of progress; ends the search early.
    pub control: &'a dyn Control,
}

/// Reason for which a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Every mesh that is not too large was solved, or shown to be no better.
    Proven,
    /// The work on some mesh (or the caller's patience) was spent. A better plan may exist.
    Budget,
    /// No plan that was found fits into the memory.
    Infeasible,
}

/// Output of a search: the best plan, and how good it is.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The choices that there were.
    pub(crate) problem: Problem,
    /// The best plan, whole.
    pub shardings: Shardings,
    /// Its predicted cost.
    pub evaluation: Evaluation,
    /// Shardings of the arguments, and the next best ones; nothing where the plan is a common style.
    pub choices: Vec<Choice>,
    /// No plan on the meshes that were searched is predicted to be faster, under the cost model of the problems.
    pub bound: Seconds,
    /// The same however much memory there is, by every decision at its cheapest.
    pub least: Seconds,
    /// The reason for which the search ended.
    pub stop: StopReason,
    /// Outcome of each mesh.
    pub meshes: Vec<MeshOutcome>,
    /// The common styles, cheapest first.
    pub alternatives: Vec<Alternative>,
    /// The user's own way. Where no mesh is fixed it has to be beaten, as the common styles have.
    pub requested: Option<Alternative>,
    /// Reasons for this plan, one sentence each.
    pub reasons: Vec<String>,
    /// Everything that was not considered.
    pub not_searched: Vec<String>,
}

impl Outcome {
    /// The mesh of the best plan.
    pub fn mesh(&self) -> &Mesh {
        &self.shardings.mesh
    }

    /// True if it fits into the memory.
    pub fn is_feasible(&self) -> bool {
        self.evaluation.fits(self.problem.memory_limit)
    }

    /// Share of its time by which the plan may be slower than the best one.
    pub fn gap(&self) -> f64 {
        let (bound, seconds) = (self.bound.0, self.evaluation.seconds.0);
        if bound < seconds { 1.0 - bound / seconds } else { 0.0 }
    }
}

/// Name of what is not tried where a step fits.
pub const MORE_MICROBATCHES: &str = "more microbatches than it takes to fit";

/// Decisions that no plan can express yet, or that none looks for on a machine.
pub fn not_searched(machine: &Machine) -> [&'static str; 4] {
    let offload = match machine.device.host {
        Some(_) => "more on the host than it takes to fit",
        None => "offloading (the machine has no `[host]`)",
    };
    let again = "other recomputation and tiles than were tried";
    ["pipeline stages", MORE_MICROBATCHES, again, offload]
}

/// Simplifications of the problems: without them a plan may be better than their bound.
const SIMPLIFIED: [&str; 4] = [
    "dims along several axes in another order than the mesh's",
    "arguments and results in shards of which some are padded",
    "layers that are alike but sharded differently",
    "reshards that pay only because several readers share them",
];

/// So many of the most common styles are evaluated by a look that has something to beat.
const STYLES_OF_LOOK: usize = 3;

/// With constraints, a plan that is not the best on its mesh may be the best that is allowed.
const NOT_BEST_ON_ITS_MESH: [&str; 1] = ["plans that are allowed on meshes where the best is not"];

/// Searches for the plan with the least predicted time within the memory limit; if none fits, for one that exceeds it
/// little. Same input, same answer, whatever the number of threads.
///
/// # Errors
/// Fixed decisions, or a way of the user's own, that do not fit the machine or the program.
pub fn search(planner: &ShardingPlanner<'_>) -> Result<Outcome, Refusal> {
    let outcome = find(planner.request(), planner)?;
    let wrong = check::check(planner.request(), &outcome, planner);
    assert!(wrong.is_empty(), "the search's answer does not hold: {}", wrong.join("; "));
    Ok(outcome)
}

/// The best plan on one mesh, if one is found that takes less than `below`.
pub fn search_mesh(planner: &ShardingPlanner<'_>, mesh: &Mesh, below: Option<Seconds>) -> MeshOutcome {
    meshwise::solve_alone(mesh, planner, planner.request(), below)
}

fn find(request: &Request<'_>, planner: &dyn Planner) -> Result<Outcome, Refusal> {
    let Request { function, roles, machine, fixed, memory_limit: limit, .. } = *request;
    let mut problem = Problem::new(function, roles, machine, fixed, limit)?;
    let requested = request.parallelism.map(|degrees| requested(degrees, &mut problem, request, planner));
    let requested = requested.transpose()?;
    let mut starts = strategies::well_known(&problem);
    // What a look has to beat beats most styles: they only serve to have a plan at all then. Where none of the few fits, what
    // lacks least says what would.
    let few = match request.effort.is_look() && request.faster_than.is_some() {
        true => starts.len().min(STYLES_OF_LOOK),
        false => starts.len(),
    };
    let others = starts.split_off(few);
    let scoped = Scoped::of(request.allowed, function, roles).map_err(Refusal::Unreadable)?;
    let mut alternatives = styles(&problem, starts, (request, &scoped), planner);
    if !alternatives.iter().any(|style| style.evaluation.fits(limit)) {
        alternatives.extend(styles(&problem, others, (request, &scoped), planner));
    }
    explain::sort(&mut alternatives);
    let own = requested.as_ref().filter(|_| fixed.mesh.is_none());
    let to_beat: Vec<&Alternative> = alternatives.iter().chain(own).collect();
    let fitting = to_beat.iter().filter(|style| style.evaluation.fits(limit));
    let times = fitting.map(|style| style.evaluation.seconds).chain(request.faster_than);
    let below = times.reduce(|a, b| if b < a { b } else { a });
    let worth_it = request.effort.meshes(&problem.meshes);
    let meshes = match request.allowed.is_empty() {
        true => {
            let hybrid = (request.effort == Effort::Again)
                .then(|| styles(&problem, strategies::hybrid(&problem), (request, &scoped), planner));
            let promising = hybrid.as_ref().and_then(|styles| promising(styles));
            meshwise::solve_all(&worth_it, planner, request, below, promising)
        }
        false => allowed_on_each(&worth_it, planner, (request, &scoped), below),
    };
    let none = || match request.allowed.is_empty() {
        true => Refusal::NoMesh,
        false => Refusal::NotAllowed(request.allowed.of_what_is_searched()),
    };
    let plan = best(planner, &meshes, &to_beat, limit).ok_or_else(none)?;
    let (bound, stop) = bound(&meshes, &plan.evaluation, limit);
    let mut outcome = Outcome {
        problem,
        shardings: plan.shardings,
        evaluation: plan.evaluation,
        choices: plan.choices,
        bound,
        least: least(&meshes),
        stop,
        meshes,
        alternatives,
        requested,
        reasons: Vec::new(),
        not_searched: not_searched(machine)
            .iter()
            .chain(&SIMPLIFIED)
            .chain(NOT_BEST_ON_ITS_MESH.iter().filter(|_| !request.allowed.is_empty()))
            .map(|what| (*what).to_owned())
            .collect(),
    };
    outcome.reasons = explain::reasons(&outcome);
    outcome.not_searched.extend(explain::unfinished(&outcome));
    Ok(outcome)
}

impl Request<'_> {
    /// Returns whether a plan keeps to the constraints. Without any, it is not looked at.
    fn allows<S: std::borrow::Borrow<Shardings>>(
        &self,
        scoped: &Scoped,
        shardings: impl FnOnce() -> S,
    ) -> bool {
        if self.allowed.is_empty() {
            return true;
        }
        let shardings = shardings();
        let shardings = shardings.borrow();
        let recognized = recognize(self.function, self.roles, shardings);
        let facts = Facts::of_plan(&recognized, &shardings.mesh, self.machine);
        let is_broken =
            self.allowed.clauses.iter().any(|clause| clause.scope.is_none() && !clause.holds(&facts));
        !is_broken && scoped.broken(self.allowed, self.roles, shardings).is_none()
    }
}

/// The best plan on each mesh where that keeps to the constraints: each mesh has to beat what is known and allowed. The
/// bounds hold for all plans, allowed or not.
fn allowed_on_each(
    meshes: &[Mesh],
    planner: &dyn Planner,
    (request, scoped): (&Request<'_>, &Scoped),
    mut below: Option<Seconds>,
) -> Vec<MeshOutcome> {
    let mut solved = Vec::with_capacity(meshes.len());
    for mesh in meshes {
        let mut found = meshwise::solve_alone(mesh, planner, request, below);
        found.plan = found.plan.filter(|plan| request.allows(scoped, || &plan.shardings));
        let fitting = found.plan.iter().filter(|plan| plan.evaluation.fits(request.memory_limit));
        let times = fitting.map(|plan| plan.evaluation.seconds).chain(below);
        below = times.reduce(|a, b| if b < a { b } else { a });
        solved.push(found);
        request.control.progress("search", solved.len(), meshes.len());
    }
    solved
}

/// The best of the plans that were solved and of styles.
fn best(
    planner: &dyn Planner,
    meshes: &[MeshOutcome],
    styles: &[&Alternative],
    limit: Bytes,
) -> Option<Plan> {
    let solved = meshes.iter().filter_map(|found| {
        let plan = found.plan.as_ref()?;
        Some((Score::new(&plan.evaluation, &found.mesh, limit), plan))
    });
    let solved = solved.min_by_key(|(score, _)| *score);
    let style = styles.iter().min_by_key(|style| style.score);
    match (solved, style) {
        (Some((own, plan)), Some(style)) if own <= style.score => Some(plan.clone()),
        (_, Some(style)) => {
            let shardings = planner.shardings(&style.decisions);
            Some(Plan { shardings, evaluation: style.evaluation, choices: Vec::new() })
        }
        (Some((_, plan)), None) => Some(plan.clone()),
        (None, None) => None,
    }
}

/// The time that no plan on the meshes that were searched is faster than, and why the search ended.
fn bound(meshes: &[MeshOutcome], evaluation: &Evaluation, limit: Bytes) -> (Seconds, StopReason) {
    let searched = || meshes.iter().filter(|found| !found.is_too_large);
    let bounds = searched().map(|found| found.bound);
    let bound = bounds.reduce(|a, b| if b < a { b } else { a }).unwrap_or(Seconds::ZERO);
    let bound = if bound < evaluation.seconds { bound } else { evaluation.seconds };
    let stop = match searched().count() > 0 && searched().all(|found| found.is_proven) {
        _ if !evaluation.fits(limit) => StopReason::Infeasible,
        true => StopReason::Proven,
        false => StopReason::Budget,
    };
    (bound, stop)
}

/// The time that no plan on the meshes that were searched is faster than, however much memory there is.
fn least(meshes: &[MeshOutcome]) -> Seconds {
    let all = meshes.iter().map(|found| found.least);
    all.reduce(|a, b| if b < a { b } else { a }).unwrap_or(Seconds::ZERO)
}

/// The mesh on which one of these styles takes least.
fn promising(styles: &[Alternative]) -> Option<&Mesh> {
    styles.iter().min_by_key(|style| style.score)?.decisions.mesh.as_ref()
}

/// Styles that keep to the constraints, evaluated.
fn styles(
    problem: &Problem,
    starts: Vec<strategies::Start>,
    (request, scoped): (&Request<'_>, &Scoped),
    planner: &dyn Planner,
) -> Vec<Alternative> {
    let alternative = |start: &strategies::Start| {
        let name = explain::style_name(&start.styles);
        let decisions = decisions_of(problem, request.function, &start.answer);
        let evaluation = match request.allowed.is_empty() {
            true => planner.evaluate(&decisions),
            false => {
                let shardings = planner.shardings(&decisions);
                request.allows(scoped, || &shardings).then(|| planner.predict(&shardings))?
            }
        };
        Some(alternative(problem, name, &start.answer, (decisions, evaluation)))
    };
    starts.par_iter().filter_map(alternative).collect()
}

fn alternative(
    problem: &Problem,
    name: String,
    answer: &Answer,
    (decisions, evaluation): (Decisions, Evaluation),
) -> Alternative {
    let score = Score::new(&evaluation, &problem.meshes[answer.mesh], problem.memory_limit);
    Alternative { name, decisions, evaluation, score }
}

/// The user's own way, evaluated. Its mesh is searched too, unless one is fixed: then it stands by itself.
fn requested(
    degrees: ParallelDegrees,
    problem: &mut Problem,
    request: &Request<'_>,
    planner: &dyn Planner,
) -> Result<Alternative, Refusal> {
    let Request { function, roles, machine, fixed, .. } = *request;
    let laid = degrees.lay(machine)?;
    let name = format!("as asked ({degrees})");
    let evaluated = |problem: &Problem, name: String, answer: &Answer| {
        let decisions = decisions_of(problem, function, answer);
        let evaluation = planner.evaluate(&decisions);
        alternative(problem, name, answer, (decisions, evaluation))
    };
    if fixed.mesh.is_some() {
        let fixed = Decisions::on(&laid.mesh, function);
        let alone = Problem::new(function, roles, machine, &fixed, problem.memory_limit)?;
        let answer = laid.start(&alone, 0)?.answer;
        return Ok(evaluated(&alone, name, &answer));
    }
    let number = problem.add_mesh(&laid.mesh);
    let answer = laid.start(problem, number)?.answer;
    Ok(evaluated(problem, name, &answer))
}
