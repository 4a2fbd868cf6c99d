//! Search: which mesh, and which sharding of everything, makes a step fastest within the memory.
//!
//! Input: a function with calls inlined, its [`Roles`], a [`Machine`], pins, an [`Evaluate`] that spreads seeds over the
//! function and predicts time and memory, and an [`Ask`] that turns a mesh into a problem for the solver (both are the
//! caller's, this crate knows neither propagation nor cost). Output: an [`Outcome`]: the best plan found, a bound on all
//! others, and what common styles would cost.
//!
//! - [`meshes`] are the meshes to choose from; [`meshwise`] solves the problem of each.
//! - [`strategies`] are what people know: data parallel, ZeRO, tensor parallel, ... as an [`Answer`] for [`groups`] of
//!   arguments ([`problem`]). They are evaluated first: the solver has to beat them.
//! - [`check`] recomputes what is claimed from scratch.

pub mod check;
pub mod dim_sets;
pub mod evaluate;
pub mod explain;
pub mod groups;
mod limits;
pub mod meshes;
pub mod meshwise;
pub mod problem;
pub mod seeds;
pub mod sharding_problem;
mod simplest;
pub mod strategies;

pub use evaluate::{Evaluate, Evaluation};
pub use explain::Alternative;
pub use meshwise::{Aim, Ask, NotMade, OnMesh, Plan, Question, Scale};
pub use problem::{Answer, Pins, Problem};
pub use simplest::Other;
pub use strategies::asked::Asked;

use evaluate::Score;
use meshwright_analyze::Roles;
use meshwright_ir::control::Control;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::{Choice, Decisions};
use rayon::prelude::*;
use seeds::seeds_of;

/// How to search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Memory that one device may use; `None`: all that it has.
    pub memory_limit: Option<Bytes>,
    /// What is decided already.
    pub pins: Pins,
    /// The user's own way, to be priced beside the others.
    pub asked: Option<Asked>,
    /// Of interest are only plans that take less. If none is found, the outcome is the best of the common styles, whether it
    /// fits or not.
    pub faster_than: Option<Seconds>,
}

/// Why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Every mesh that is not too large was solved, or shown to be no better.
    Proven,
    /// The work on some mesh (or the caller's patience) was spent. A better plan may exist.
    Budget,
    /// No plan that was found fits into the memory.
    Infeasible,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What there was to choose from.
    pub problem: Problem,
    /// The mesh of the best plan.
    pub mesh: Mesh,
    /// Its seeds: propagate them to get the whole plan.
    pub seeds: Decisions,
    /// What it is predicted to cost.
    pub evaluation: Evaluation,
    /// What was decided of the arguments, and what else they could be; nothing where the plan is a common style.
    pub choices: Vec<Choice>,
    /// No plan on the meshes that were searched is predicted to be faster, under the cost model of the problems.
    pub bound: Seconds,
    /// Why the search ended.
    pub stop: StopReason,
    /// What was found on each mesh.
    pub meshes: Vec<OnMesh>,
    /// What common styles would cost, cheapest first.
    pub alternatives: Vec<Alternative>,
    /// What the user's own way would cost. Where nothing is pinned it has to be beaten, as the common styles have.
    pub asked: Option<Alternative>,
    /// Why this plan, one sentence each.
    pub reasons: Vec<String>,
    /// What was not considered.
    pub not_searched: Vec<String>,
}

impl Outcome {
    /// Whether it fits into the memory.
    pub fn is_feasible(&self) -> bool {
        self.evaluation.peak <= self.problem.memory_limit
    }

    /// By what share of its time the plan may be slower than the best one.
    pub fn gap(&self) -> f64 {
        let (bound, seconds) = (self.bound.0, self.evaluation.seconds.0);
        if bound < seconds { 1.0 - bound / seconds } else { 0.0 }
    }
}

/// What no plan can express yet.
pub const NOT_SEARCHED: [&str; 4] = ["pipeline stages", "microbatches", "recomputation", "offloading"];

/// What the problems leave out, for which a plan may be better than their bound.
const SIMPLIFIED: [&str; 4] = [
    "dims along several axes in another order than the mesh's",
    "arguments and results in shards of which some are padded",
    "layers that are alike but sharded differently",
    "reshards that pay only because several readers share them",
];

/// Searches for the plan with the least predicted time within the memory limit; if none fits, for one that exceeds it
/// little. Same input, same answer, whatever the number of threads.
/// Errors: pins, or a way of the user's own, that do not fit the machine or the program, in words.
pub fn search(
    function: &Function,
    roles: &Roles,
    machine: &Machine,
    options: &Options,
    (evaluate, ask): (&Evaluate<'_>, &Ask<'_>),
    control: &dyn Control,
) -> Result<Outcome, String> {
    let limit = options.memory_limit.unwrap_or(machine.device.usable_memory());
    let mut problem = Problem::new(function, roles, machine, &options.pins, limit)?;
    let is_pinned = options.pins.mesh.is_some();
    let asked = options
        .asked
        .map(|asked| priced(asked, &mut problem, function, roles, machine, is_pinned, evaluate))
        .transpose()?;
    let mut alternatives = styles(&problem, function, evaluate);
    explain::sort(&mut alternatives, &problem);
    let own = asked.as_ref().filter(|_| !is_pinned);
    let styles = alternatives.iter().chain(own);
    let fitting = styles.clone().filter(|style| style.evaluation.peak <= limit);
    let times = fitting.map(|style| style.evaluation.seconds).chain(options.faster_than);
    let known = times.reduce(|a, b| if b < a { b } else { a });
    let found = meshwise::solve_all(&problem.meshes, ask, limit, known, control);
    let score = |evaluation: &Evaluation, mesh: &Mesh| Score::new(evaluation, mesh, limit);
    let solved = found.iter().filter_map(|found| {
        let plan = found.plan.as_ref()?;
        Some((score(&plan.evaluation, &found.mesh), &found.mesh, plan))
    });
    let solved = solved.min_by_key(|(score, ..)| *score);
    let style = styles.min_by_key(|style| style.score);
    let (mesh, Plan { seeds, evaluation, choices }) = match (solved, style) {
        (Some((own, mesh, plan)), Some(style)) if own <= style.score => (mesh, plan.clone()),
        (Some((_, mesh, plan)), None) => (mesh, plan.clone()),
        (_, Some(style)) => {
            let seeds = seeds_of(&problem, function, &style.answer);
            let mesh = &problem.meshes[style.answer.mesh];
            (mesh, Plan { seeds, evaluation: style.evaluation, choices: Vec::new() })
        }
        (None, None) => return Err("there is no mesh to spread the program over".to_owned()),
    };
    let mesh = mesh.clone();
    let searched = || found.iter().filter(|found| !found.is_too_large);
    let bounds = searched().map(|found| found.bound);
    let bound = bounds.reduce(|a, b| if b < a { b } else { a }).unwrap_or(Seconds::ZERO);
    let bound = if bound < evaluation.seconds { bound } else { evaluation.seconds };
    let stop = match searched().count() > 0 && searched().all(|found| found.is_proven) {
        _ if evaluation.peak > limit => StopReason::Infeasible,
        true => StopReason::Proven,
        false => StopReason::Budget,
    };
    let mut outcome = Outcome {
        problem,
        mesh,
        seeds,
        evaluation,
        choices,
        bound,
        stop,
        meshes: found,
        alternatives,
        asked,
        reasons: Vec::new(),
        not_searched: NOT_SEARCHED.iter().chain(&SIMPLIFIED).map(|what| (*what).to_owned()).collect(),
    };
    outcome.reasons = explain::reasons(&outcome);
    outcome.not_searched.extend(explain::unfinished(&outcome));
    Ok(outcome)
}

/// The user's own way as a plan: its mesh, and its seeds.
/// Errors: it does not fit the machine or the program, in words.
pub fn as_asked(
    function: &Function,
    roles: &Roles,
    machine: &Machine,
    asked: Asked,
) -> Result<(Mesh, Decisions), String> {
    let laid = asked.lay(machine)?;
    let pins = Pins { mesh: Some(laid.mesh.clone()), seeds: None };
    let problem = Problem::new(function, roles, machine, &pins, machine.device.usable_memory())?;
    let answer = laid.start(&problem, 0)?.answer;
    let seeds = seeds_of(&problem, function, &answer);
    Ok((laid.mesh, seeds))
}

/// The common styles, evaluated.
fn styles(problem: &Problem, function: &Function, evaluate: &Evaluate<'_>) -> Vec<Alternative> {
    let starts = strategies::well_known(problem);
    let alternative = |start: &strategies::Start| {
        alternative(problem, function, explain::style_name(&start.styles), &start.answer, evaluate)
    };
    starts.par_iter().map(alternative).collect()
}

fn alternative(
    problem: &Problem,
    function: &Function,
    name: String,
    answer: &Answer,
    evaluate: &Evaluate<'_>,
) -> Alternative {
    let mesh = &problem.meshes[answer.mesh];
    let evaluation = evaluate(mesh, &seeds_of(problem, function, answer));
    let score = Score::new(&evaluation, mesh, problem.memory_limit);
    Alternative { name, answer: answer.clone(), evaluation, score }
}

/// The user's own way, evaluated. Its mesh is searched too, unless one is pinned: then it stands by itself.
fn priced(
    asked: Asked,
    problem: &mut Problem,
    function: &Function,
    roles: &Roles,
    machine: &Machine,
    is_pinned: bool,
    evaluate: &Evaluate<'_>,
) -> Result<Alternative, String> {
    let laid = asked.lay(machine)?;
    let name = format!("as asked ({asked})");
    if is_pinned {
        let pins = Pins { mesh: Some(laid.mesh.clone()), seeds: None };
        let alone = Problem::new(function, roles, machine, &pins, problem.memory_limit)?;
        let answer = laid.start(&alone, 0)?.answer;
        return Ok(alternative(&alone, function, name, &answer, evaluate));
    }
    let number = problem.add_mesh(&laid.mesh);
    let answer = laid.start(problem, number)?.answer;
    Ok(alternative(problem, function, name, &answer, evaluate))
}
