//! Solvers: each looks for an answer through an [`Evaluator`], which counts what it spends.

mod descent;
mod exhaustive;

use crate::evaluate::{Evaluation, Evaluator, Scored};
use crate::explain::Alternative;
use crate::problem::Answer;

/// Which solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Solver {
    /// From the common styles downhill, coarse steps before fine ones.
    #[default]
    Descent,
    /// Every answer there is; for tiny problems and for tests.
    Exhaustive,
}

/// Why a solver stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// Every answer was evaluated: this is the best of them.
    Exhausted,
    /// No step that the solver knows improves the answer. A better one may exist.
    LocalOptimum,
    /// The budget (or the caller's patience) was spent. A better one may exist.
    Budget,
    /// No answer that was found fits into the memory.
    Infeasible,
}

/// What a solver found.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The best answer.
    pub answer: Answer,
    /// What it costs.
    pub evaluation: Evaluation,
    /// Why it stopped.
    pub stop: StopReason,
    /// The common styles, with what they cost.
    pub alternatives: Vec<Alternative>,
}

impl Solver {
    pub(crate) fn solve(self, evaluator: &mut Evaluator<'_>) -> Solved {
        match self {
            Self::Descent => descent::solve(evaluator),
            Self::Exhaustive => exhaustive::solve(evaluator),
        }
    }
}

fn solved(best: Scored, stop: StopReason, alternatives: Vec<Alternative>) -> Solved {
    let stop = if best.score.is_feasible() { stop } else { StopReason::Infeasible };
    Solved { answer: best.answer, evaluation: best.evaluation, stop, alternatives }
}
