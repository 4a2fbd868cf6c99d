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
pub mod evaluate;
pub mod explain;
pub mod groups;
pub mod meshes;
pub mod meshwise;
pub mod problem;
pub mod seeds;
pub mod strategies;

pub use evaluate::{Evaluate, Evaluation};
pub use explain::Alternative;
pub use meshwise::{Ask, OnMesh, Question};
pub use problem::{Answer, Pins, Problem};

use evaluate::Score;
use meshwright_ir::control::Control;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::{Roles, Seeds};
use rayon::prelude::*;
use seeds::seeds_of;

/// How to search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Memory that one device may use; `None`: all that it has.
    pub memory_limit: Option<Bytes>,
    /// What is decided already.
    pub pins: Pins,
}

/// Why the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Every mesh was solved, or shown to be no better.
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
    pub seeds: Seeds,
    /// What it is predicted to cost.
    pub evaluation: Evaluation,
    /// No plan on these meshes is predicted to be faster, under the cost model of the problems.
    pub bound: Seconds,
    /// Why the search ended.
    pub stop: StopReason,
    /// What was found on each mesh.
    pub meshes: Vec<OnMesh>,
    /// What common styles would cost, cheapest first.
    pub alternatives: Vec<Alternative>,
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
        (1.0 - self.bound.0 / self.evaluation.seconds.0.max(f64::MIN_POSITIVE)).max(0.0)
    }
}

/// What no plan can express yet.
pub const NOT_SEARCHED: [&str; 5] =
    ["pipeline stages", "microbatches", "recomputation", "offloading", "the order of devices"];

/// Searches for the plan with the least predicted time within the memory limit; if none fits, for one that exceeds it
/// little. Same input, same answer, whatever the number of threads.
/// Errors: pins that do not fit the machine, in words.
pub fn search(
    function: &Function,
    roles: &Roles,
    machine: &Machine,
    options: &Options,
    (evaluate, ask): (&Evaluate<'_>, &Ask<'_>),
    control: &dyn Control,
) -> Result<Outcome, String> {
    let limit = options.memory_limit.unwrap_or(machine.device.memory);
    let problem = Problem::new(function, roles, machine, &options.pins, limit)?;
    let mut alternatives = styles(&problem, function, evaluate);
    explain::sort(&mut alternatives, &problem);
    let fitting = alternatives.iter().filter(|style| style.evaluation.peak <= limit);
    let known = fitting.map(|style| style.evaluation.seconds).reduce(|a, b| if b < a { b } else { a });
    let found = meshwise::solve_all(&problem.meshes, ask, limit, known, control);
    let score = |evaluation: &Evaluation, mesh: &Mesh| Score::new(evaluation, mesh, limit);
    let solved = found.iter().filter_map(|found| {
        let (seeds, evaluation) = found.plan.as_ref()?;
        Some((score(evaluation, &found.mesh), &found.mesh, seeds.clone(), *evaluation))
    });
    let solved = solved.min_by_key(|(score, ..)| *score);
    let style = alternatives.first();
    let (mesh, seeds, evaluation) = match (solved, style) {
        (Some((own, mesh, seeds, evaluation)), Some(style)) if own <= style.score => {
            (mesh, seeds, evaluation)
        }
        (Some((_, mesh, seeds, evaluation)), None) => (mesh, seeds, evaluation),
        (_, Some(style)) => (
            &problem.meshes[style.answer.mesh],
            seeds_of(&problem, function, &style.answer),
            style.evaluation,
        ),
        (None, None) => return Err("there is no mesh to spread the program over".to_owned()),
    };
    let mesh = mesh.clone();
    let bounds = found.iter().map(|found| found.bound);
    let bound = bounds.reduce(|a, b| if b < a { b } else { a }).unwrap_or(Seconds::ZERO);
    let bound = if bound < evaluation.seconds { bound } else { evaluation.seconds };
    let stop = match found.iter().all(|found| found.is_proven) {
        _ if evaluation.peak > limit => StopReason::Infeasible,
        true => StopReason::Proven,
        false => StopReason::Budget,
    };
    let mut outcome = Outcome {
        problem,
        mesh,
        seeds,
        evaluation,
        bound,
        stop,
        meshes: found,
        alternatives,
        reasons: Vec::new(),
        not_searched: NOT_SEARCHED.iter().map(|what| (*what).to_owned()).collect(),
    };
    outcome.reasons = explain::reasons(&outcome);
    outcome.not_searched.extend(explain::unfinished(&outcome));
    Ok(outcome)
}

/// The common styles, evaluated.
fn styles(problem: &Problem, function: &Function, evaluate: &Evaluate<'_>) -> Vec<Alternative> {
    let starts = strategies::well_known(problem);
    let evaluations: Vec<Evaluation> = starts
        .par_iter()
        .map(|start| {
            let mesh = &problem.meshes[start.answer.mesh];
            evaluate(mesh, &seeds_of(problem, function, &start.answer))
        })
        .collect();
    let alternative = |(start, evaluation): (&strategies::Start, Evaluation)| {
        let name = explain::style_name(&start.styles);
        let score = Score::new(&evaluation, &problem.meshes[start.answer.mesh], problem.memory_limit);
        Alternative { name, answer: start.answer.clone(), evaluation, score }
    };
    starts.iter().zip(evaluations).map(alternative).collect()
}
