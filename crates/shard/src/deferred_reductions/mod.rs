//! Sums over devices that are taken late: what an instruction leaves as contributions is passed on as such where that
//! saves a sum, or sums less.
//!
//! Input: a prepared function; shardings. Output: which slots may hold contributions ([`find`], module `open`); shardings
//! that keep them ([`keep()`]). A slot may if one instruction of the same region reads it and passes contributions on
//! (`plan::partial::passing`), in the same type and without growing, and if it pays somewhere behind it: contributions
//! are added up, or become smaller.
//!
//! Example, the gradient of what three products read, all sharded along what they contract over `x`:
//!
//! ```text
//! %3 = add %0, %1        // instead of three sums over "x" before the additions there is one
//! %4 = add %3, %2        // behind them
//! ```
//!
//! What a loop adds up is passed on from turn to turn (module `accumulators`): instead of a sum in every turn there is one
//! behind the loop. Values that annotations call unreduced are module `partial`'s.

mod accumulators;
mod keep;
mod open;

use crate::prepared::{Prepared, Slot};
use accumulators::{Accumulator, Start};

pub(crate) use keep::keep;
pub(crate) use open::find;

/// Places where reductions may be deferred.
#[derive(Default)]
pub struct DeferredReductions {
    /// The slots that may hold contributions.
    pub is_open: Vec<bool>,
    /// For each position of the order, the operands that are passed on to the result as contributions.
    pub passing: Vec<Vec<usize>>,
    /// And whether that pays by itself.
    pays: Vec<bool>,
    /// What loops add up.
    accumulators: Vec<Accumulator>,
}

impl DeferredReductions {
    /// The readers behind loops of what these add up, for each such slot: one sum serves all of them.
    pub fn readers(&self) -> impl Iterator<Item = (Slot, usize)> {
        self.accumulators.iter().map(|accumulator| (accumulator.slot, accumulator.num_readers))
    }

    /// The complete values at which loops start that may carry contributions, and the slots of what they carry: the first
    /// device alone counts them, which takes no time to speak of.
    pub fn starts(&self, prepared: &Prepared) -> impl Iterator<Item = (Slot, Slot)> {
        self.accumulators.iter().filter_map(|accumulator| match accumulator.start {
            Start::Complete(start) => Some((prepared.slot_of[start], accumulator.slot)),
            Start::Constant | Start::Contributions(_) => None,
        })
    }
}
