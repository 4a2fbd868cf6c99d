//! Search: which mesh, and which sharding of every argument, makes a step fastest within the memory.
//!
//! Input: a function with calls inlined, its [`Roles`], a [`Machine`], pins, and an [`Evaluate`] that spreads seeds
//! over the function and predicts time and memory (propagation and cost are the caller's, this crate knows neither).
//! Output: an [`Outcome`]: the best answer found, a bound, why the solver stopped, and what other styles would cost.
//!
//! - [`problem`] is the problem as plain data: meshes, groups of arguments that decide together, sets of their dims
//!   that belong together, the memory limit. An [`Answer`] is, for each group and mesh axis, the dim that the axis
//!   shards. [`groups`] and [`meshes`] make it from the function and the machine.
//! - [`strategies`] are what people know: data parallel, ZeRO, tensor parallel, ... each as a change of an answer.
//! - [`solvers`] look for an answer; [`check`] recomputes what they claim from scratch.
//!
//! Nothing here proves that an answer is the best: the bound is a roofline, which no plan beats.

pub mod bound;
pub mod check;
pub mod evaluate;
pub mod explain;
pub mod groups;
pub mod meshes;
pub mod problem;
pub mod seeds;
pub mod solvers;
pub mod strategies;

pub use evaluate::{Evaluate, Evaluation};
pub use explain::Alternative;
pub use problem::{Answer, Pins, Problem};
pub use seeds::Seeds;
pub use solvers::{Solver, StopReason};

use evaluate::Evaluator;
use meshwright_ir::control::Control;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::Roles;

/// How to search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Which solver.
    pub solver: Solver,
    /// How many answers may be evaluated; `None`: as many as suit the size of the program.
    pub evaluations: Option<usize>,
    /// Memory that one device may use; `None`: all that it has.
    pub memory_limit: Option<Bytes>,
    /// What is decided already.
    pub pins: Pins,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The problem that was solved.
    pub problem: Problem,
    /// The best answer.
    pub answer: Answer,
    /// Its mesh.
    pub mesh: Mesh,
    /// Its seeds: propagate them to get the whole plan.
    pub seeds: Seeds,
    /// What it is predicted to cost.
    pub evaluation: Evaluation,
    /// No plan can be predicted faster than this.
    pub bound: Seconds,
    /// Why the solver stopped. Only [`StopReason::Exhausted`] proves that no answer to the problem is better.
    pub stop: StopReason,
    /// How many answers were evaluated.
    pub evaluations: usize,
    /// What common styles would cost, cheapest first.
    pub alternatives: Vec<Alternative>,
    /// Why this answer, one sentence each.
    pub reasons: Vec<String>,
    /// What was not considered.
    pub not_searched: Vec<String>,
}

impl Outcome {
    /// Whether it fits into the memory.
    pub fn is_feasible(&self) -> bool {
        self.evaluation.peak <= self.problem.memory_limit
    }
}

/// What no answer can express yet.
pub const NOT_SEARCHED: [&str; 5] =
    ["pipeline stages", "microbatches", "recomputation", "offloading", "the order of devices"];

/// Searches for the plan with the least predicted time within the memory limit; if none fits, for the one that
/// exceeds it least. Same input, same answer, whatever the number of threads.
/// Errors: pins that do not fit the machine, in words.
pub fn search(
    function: &Function,
    roles: &Roles,
    machine: &Machine,
    options: &Options,
    evaluate: &Evaluate<'_>,
    control: &dyn Control,
) -> Result<Outcome, String> {
    let limit = options.memory_limit.unwrap_or(machine.device.memory);
    let problem = Problem::new(function, roles, machine, &options.pins, limit)?;
    let budget = options.evaluations.unwrap_or_else(|| evaluate::budget(roles.insts.len()));
    let mut evaluator = Evaluator::new(&problem, function, evaluate, control, budget);
    let solved = options.solver.solve(&mut evaluator);
    let evaluations = evaluator.num_evaluated();
    let mut alternatives = solved.alternatives;
    explain::sort(&mut alternatives, &problem);
    let reasons = explain::reasons(&problem, &solved.answer, &solved.evaluation, &alternatives);
    let bound = bound::roofline(function, roles, machine);
    Ok(Outcome {
        mesh: problem.meshes[solved.answer.mesh].clone(),
        seeds: Seeds::of(&problem, function, &solved.answer),
        answer: solved.answer,
        evaluation: solved.evaluation,
        bound,
        stop: solved.stop,
        evaluations,
        alternatives,
        reasons,
        not_searched: NOT_SEARCHED.iter().map(|what| (*what).to_owned()).collect(),
        problem,
    })
}
