//! Pipeline stages: a training step that was never written for them, cut into stages and phases.
//!
//! Input: a step in microbatches ([`Step`]), how many stages there are and what each instruction costs. Output:
//! [`Staged`]: which stage and phase computes each instruction of a microbatch ([`Part`]), and which stage and round of
//! the update each of those behind them; [`pieces`] writes each of them down as a function of its own, and [`rows`] puts
//! what goes from one to the other between the actions of a schedule.
//!
//! Data flow alone decides:
//!
//! - What does not depend on both parameters and data is *free*: whoever reads it makes it, but for *copies* of parameters
//!   as microbatches compute with them, which a stage makes once in a step ([`Staged::copies`]).
//! - The forward pass is in the order of [`meshwright_analyze::phases`], and is cut where least crosses ([`places`]).
//! - The turning region belongs to the last stage; the backward pass goes as late as what it reads allows ([`assign`]).
//! - In a stage, what others read forward is made by phase `F`, what others read backward by `I`, and the rest, which
//!   only accumulators are made from, by `W` ([`parts`]).
//! - What all examples have to be seen for first, as a loss of balance between experts, passes through the stages in
//!   phase `P`, before all others, or is gathered by the forward passes, which then all come before the first backward pass
//!   ([`Step::gather_forward`]).
//! - The update goes where its gradients are; numbers that stages need of one another, as for a norm of all gradients,
//!   part it into rounds ([`update`]). A second round can be made without waiting for them, and be validated ([`optimistic`]).
//!
//! Stages may read weights of earlier steps instead of those of the step, which changes what it means ([`delayed`]).
//!
//! [`mod@verify`] recomputes from these rules what an answer says.

pub mod assign;
pub mod closure;
mod copies;
mod data_flow;
pub mod delayed;
mod gathered;
pub mod optimistic;
pub mod parts;
pub mod pieces;
pub mod places;
mod refusal;
pub mod rows;
pub mod shorter;
mod step;
pub mod update;
pub mod verify;

pub use copies::possible_copies;
pub use delayed::{Delayed, Weights};
pub use optimistic::Optimistic;
pub use parts::Part;
pub use pieces::{Piece, Port};
pub use refusal::Refusal;
pub use rows::Rows;
pub use shorter::Shorter;
pub use step::{Class, Pass, Point, Step};
pub use update::{Update, is_small};

use meshwright_ir::ids::{InstId, ValueId};
use std::collections::BTreeSet;

/// A step in stages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staged {
    /// Number of stages.
    pub count: usize,
    /// The places of the forward order at which it is cut.
    pub cuts: Vec<usize>,
    /// Stage of each instruction of a microbatch, by position in [`Step::inside`]; none if it is free.
    pub stage: Vec<Option<usize>>,
    /// The part of the stage's work that it belongs to.
    pub part: Vec<Option<Part>>,
    /// What each stage makes of parameters alone once in a step, as it is called outside of turns.
    pub copies: Vec<BTreeSet<ValueId>>,
    /// The update.
    pub update: Update,
    /// Weights of earlier steps that forward and backward passes read, if they are not those of the step.
    pub delayed: Option<Delayed>,
}

/// Cuts a step into stages that take about equally long on devices of these speeds; `cost` is what an instruction of the step's
/// function takes at a speed of 1, in any unit.
///
/// # Errors
/// It has too few places to cut; parameters decide something about all examples before any of them passes; a stage would read
/// what is not there.
pub fn stages(step: &Step<'_>, speeds: &[f64], cost: &dyn Fn(InstId) -> f64) -> Result<Staged, Refusal> {
    let staged = at(step, places::balanced(step, speeds, cost)?);
    let is_usual = staged.cuts.iter().all(|place| step.places.contains(place));
    match sound(step, staged) {
        Err(_) if !is_usual => {
            // Inside of layers, a backward pass may want what a later stage makes forward.
            sound(step, at(step, places::where_least_crosses(step, speeds, cost)?))
        }
        found => found,
    }
}

/// A staged step that [`mod@verify`] finds nothing wrong with.
///
/// # Errors
/// A stage would read what is not there.
pub fn sound(step: &Step<'_>, staged: Staged) -> Result<Staged, Refusal> {
    match verify::verify(step, &staged) {
        Ok(()) => Ok(staged),
        Err(_) => Err(verify::refusal(step, &staged)),
    }
}

/// A step cut at the given places of its forward order, ascending.
pub fn at(step: &Step<'_>, cuts: Vec<usize>) -> Staged {
    let stage = assign::assigned(step, &cuts);
    let part = parts::parts(step, &stage, cuts.len() + 1);
    let update = update::update(step, &stage, cuts.len() + 1);
    let copies = copies::copies(step, &stage, cuts.len() + 1);
    Staged { count: cuts.len() + 1, cuts, stage, part, copies, update, delayed: None }
}
