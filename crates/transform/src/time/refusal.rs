//! Reasons why a step cannot be cut into microbatches.

use super::{MOST, Seed, divisors};
use meshwright_ir::ids::InstId;
use std::fmt;

/// Reason why a step cannot be cut into microbatches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeRefusal {
    /// No argument has a batch, or nothing depends on it.
    NoBatch,
    /// The batch does not divide.
    Indivisible {
        /// Where an argument holds it.
        seed: Seed,
        /// Its size.
        size: usize,
        /// Number of microbatches that were wanted.
        count: usize,
    },
    /// There are more of them than [`super::MOST`].
    TooMany {
        /// Number of microbatches that were wanted.
        count: usize,
    },
    /// An instruction needs the whole batch, and nothing else reads it.
    Apart(InstId),
    /// An instruction in a loop or a branch needs the whole batch at once.
    Whole(InstId),
    /// An instruction in a loop reads what is summed over microbatches before they are all there.
    EarlySum(InstId),
    /// A loop carries a value that is cut in one turn, and something else in the next.
    Mixed(InstId),
    /// A loop adds contributions to a value that does not start at zero.
    Start(InstId),
    /// How often a loop runs differs between microbatches, or which way a conditional goes.
    Control(InstId),
    /// Branches leave examples along different dims, or sums over them of different kinds.
    Branches(InstId),
    /// An instruction with side effects would run in every microbatch, or in more than one region of tiles.
    Effect(InstId),
}

impl TimeRefusal {
    /// The instruction at fault.
    pub fn inst(&self) -> Option<InstId> {
        match *self {
            Self::NoBatch | Self::Indivisible { .. } | Self::TooMany { .. } => None,
            Self::Apart(inst)
            | Self::Whole(inst)
            | Self::EarlySum(inst)
            | Self::Mixed(inst)
            | Self::Start(inst)
            | Self::Control(inst)
            | Self::Branches(inst)
            | Self::Effect(inst) => Some(inst),
        }
    }

    /// Numbers of microbatches that the batch divides into, if that is what is wrong.
    pub fn divisors(&self) -> Vec<usize> {
        match *self {
            Self::Indivisible { size, .. } => divisors(size),
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for TimeRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBatch => f.write_str("the program has no batch that microbatches could be cut from"),
            Self::Indivisible { size, count, .. } => {
                write!(f, "a batch of {size} does not divide into {count} microbatches")
            }
            Self::TooMany { count } => {
                write!(f, "{count} microbatches are too many: a step has at most {MOST}")
            }
            Self::Apart(_) => f.write_str(
                "this takes the batch apart otherwise than microbatches would, and nothing else reads it",
            ),
            Self::Whole(_) => {
                f.write_str("this needs the whole batch, in every turn of a loop or in a branch")
            }
            Self::EarlySum(_) => {
                f.write_str("this reads a sum over the batch, in every turn of a loop or in a branch")
            }
            Self::Mixed(_) => {
                f.write_str("this loop carries the batch along one dim, and then along another")
            }
            Self::Start(_) => {
                f.write_str("this loop adds sums over the batch to what does not start at zero")
            }
            Self::Control(_) => {
                f.write_str("how often this repeats, or which way it goes, depends on the examples")
            }
            Self::Branches(_) => {
                f.write_str("a branch leaves the batch along one dim or as a sum, and another one otherwise")
            }
            Self::Effect(_) => f.write_str("this has an effect of its own, and would run more than once"),
        }
    }
}
