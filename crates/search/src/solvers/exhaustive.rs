//! Every answer to the problem, meshes and choices in order. Only for problems of a few groups.

use super::{Solved, StopReason, solved};
use crate::evaluate::{Evaluator, Scored};
use crate::problem::{Answer, Problem};

/// Evaluates all answers, as far as the budget goes.
pub(super) fn solve(evaluator: &mut Evaluator<'_>) -> Solved {
    let problem = evaluator.problem;
    let mut best: Option<Scored> = None;
    let mut stop = StopReason::Exhausted;
    for mesh in 0..problem.meshes.len() {
        let mut answer = Some(problem.replicated(mesh));
        while let Some(current) = answer {
            answer = next(problem, &current);
            if (0..problem.groups.len()).all(|group| problem.divides(&current, group)) {
                match evaluator.all([current]).pop() {
                    Some(found) if best.as_ref().is_none_or(|best| found.score < best.score) => {
                        best = Some(found)
                    }
                    Some(_) => {}
                    None => {
                        stop = StopReason::Budget;
                        break;
                    }
                }
            }
        }
    }
    solved(best.expect("the first answer is always evaluated"), stop, Vec::new())
}

/// The next combination, counting like an odometer; `None` after the last.
fn next(problem: &Problem, answer: &Answer) -> Option<Answer> {
    let mut answer = answer.clone();
    for (group, choice) in answer.choices.iter_mut().enumerate().rev() {
        let rank = problem.groups[group].shape.len();
        for dim in choice.iter_mut().rev() {
            let following = dim.map_or(0, |dim| dim + 1);
            if following < rank {
                *dim = Some(following);
                return Some(answer);
            }
            *dim = None;
        }
    }
    None
}
