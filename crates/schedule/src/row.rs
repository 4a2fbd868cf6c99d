//! Rows in the making: actions one after the other, and the pattern that most schedules share, in which forward passes
//! go ahead by some and then alternate with backward passes.

use meshwright_plan::{Action, Event, Phase, ProgramId};
use std::collections::VecDeque;

/// Stage and microbatch.
pub(crate) type Cell = (usize, usize);

/// An action as an event of a row.
pub(crate) fn event(phase: Phase, (stage, microbatch): Cell) -> Event {
    Event::Action(Action { program: ProgramId { stage, phase }, microbatch: Some(microbatch) })
}

/// Form of backward passes in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Backward {
    /// Both gradients at once.
    Whole,
    /// Apart, where gradients of parameters are made so many backward passes later.
    Apart {
        /// Backward passes between the two.
        lag: usize,
    },
}

/// The row that begins with `ahead` forward passes and then alternates, until one or the other come to their end.
pub(crate) fn alternating(forward: &[Cell], backward: &[Cell], ahead: usize, form: Backward) -> Vec<Event> {
    let ahead = ahead.min(forward.len());
    let mut row: Vec<Event> = forward[..ahead].iter().map(|cell| event(Phase::Forward, *cell)).collect();
    let mut rest = forward[ahead..].iter();
    let mut later = VecDeque::new();
    for cell in backward {
        row.extend(rest.next().map(|cell| event(Phase::Forward, *cell)));
        match form {
            Backward::Whole => row.push(event(Phase::Backward, *cell)),
            Backward::Apart { lag } => {
                row.push(event(Phase::InputGradient, *cell));
                later.push_back(event(Phase::WeightGradient, *cell));
                if later.len() > lag {
                    row.extend(later.pop_front());
                }
            }
        }
    }
    row.extend(later);
    row
}

/// All microbatches of one stage, in order.
pub(crate) fn of_stage(stage: usize, microbatches: usize) -> Vec<Cell> {
    (0..microbatches).map(|microbatch| (stage, microbatch)).collect()
}
