//! The time axis along the sequence: a step of a causal model whose tokens are cut into slices that follow one another
//! (TeraPipe, Li 2021).
//!
//! Input: a flat function, where its data have the sequence, what runs forward and what backward ([`Sequence`]), and how
//! many slices there are. Output: a [`TimeAxis`] whose parts are blocks of tokens that follow one another, with what slices
//! read of one another ([`Carried`]). Forward passes run from the first slice to the last, backward passes from the last to
//! the first.
//!
//! Nothing is known of attention; two facts are found of each value, by the sharding rules of ops:
//!
//! - Where a product meets two values that are cut, each along a dim of its own, one of them is cut (the *query*), and the
//!   other is read as a whole (the *key*): all of its slices so far, and zeros in the places of later ones.
//! - What is made of that has two dims, of queries and of keys. Its elements whose key is of a later slice than the query
//!   are not those of the step (`Unseen`), until a mask that follows from positions makes them so. Where keys are summed
//!   away or reduced, they have to be: numbers of the step, or products with zeros. Otherwise the step is refused there.
//!
//! Where a backward pass sums up over queries, what it adds for keys of later slices is zero by the same facts: the sum for
//! the keys of a slice is complete once all later slices and its own have added to it.
//!
//! Which of two values is the query is tried: if a refusal follows from the choice, the other one is taken, for all products
//! of these shapes.

mod keys;
mod masks;
mod refusal;
mod unseen;
mod walk;

pub use refusal::SequenceRefusal;

use super::{Along, InTime, MOST, Point, State, TimeAxis};
use crate::attention::Positions;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::program::Function;
use meshwright_ir::sharding::Reduction;
use walk::{Refused, Walk};

/// A value of one slice of a sequence that others read too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The dim along which slices lie.
    pub along: Along,
    /// Who reads it.
    pub by: Readers,
}

impl Carried {
    /// The way in which it is put together, as a point of the turns of a loop.
    pub fn point(&self, value: ValueId) -> Point {
        let kind = match self.by {
            Readers::Later => InTime::Cut(self.along),
            Readers::Earlier => InTime::Partial(Reduction::Sum),
        };
        Point { value, kind, pass: 0 }
    }
}

/// Slices that read a value of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// Later ones, as keys: it is put beside those of earlier slices.
    Later,
    /// Earlier ones, as the gradient of their keys: it is added to that of later slices.
    Earlier,
}

/// Times at which an instruction runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// Wherever it is read: it does not depend on both data and parameters.
    Anywhere,
    /// Before the loss.
    Forward,
    /// Between forward and backward.
    Turning,
    /// It makes gradients.
    Backward,
    /// Behind all slices.
    Behind,
}

/// Facts of a step that is cut along its sequence.
pub struct Sequence<'a> {
    /// Whether a value of data has the sequence along a dim.
    pub has: &'a dyn Fn(ValueId, usize) -> bool,
    /// Whether a value depends on data, and on no parameters.
    pub is_data: &'a dyn Fn(ValueId) -> bool,
    /// When each instruction runs.
    pub runs: &'a dyn Fn(InstId) -> Runs,
}

/// Reason for which a step cannot be cut, and how many of its values could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The reason.
    pub refusal: SequenceRefusal,
    /// Values that had been cut before.
    pub cut: usize,
}

impl TimeAxis {
    /// Cuts a function with calls inlined into `count` slices of its sequence.
    ///
    /// # Errors
    /// The place that stands in the way, of several tries that of the one that came furthest.
    pub fn along_sequence(
        function: &Function,
        sequence: &Sequence<'_>,
        count: usize,
    ) -> Result<Self, Stopped> {
        if !(1..=MOST).contains(&count) {
            return Err(Stopped { refusal: SequenceRefusal::Indivisible { size: 0, count }, cut: 0 });
        }
        let positions = Positions::of(&function.body);
        let mut flipped = Vec::new();
        let mut furthest: Option<Stopped> = None;
        loop {
            let mut walk = Walk::new(function, sequence, count, &positions, &flipped);
            match walk.run() {
                Ok(()) => return Ok(walk.axis(function)),
                Err(Refused { refusal, origin }) => {
                    let is_cut = |state: &&State| matches!(state.kind, InTime::Cut(_));
                    let cut = walk.states.values().filter(is_cut).count();
                    let stopped = Stopped { refusal, cut };
                    if furthest.is_none_or(|before| before.cut < cut) {
                        furthest = Some(stopped);
                    }
                    match origin.filter(|origin| walk.open.contains(origin) && !walk.is_flipped(*origin)) {
                        Some(origin) => flipped.push(origin),
                        None => return Err(furthest.unwrap_or(stopped)),
                    }
                }
            }
        }
    }
}
