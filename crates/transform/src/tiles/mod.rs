//! Regions in tiles: parts of a body that run in a loop over parts of a dim, so that what is large in them is never there as
//! a whole.
//!
//! Input: a function, and regions by what they read and make ([`Region`]), each with a number of tiles. Output: a function
//! that computes the same, with a loop in place of each region.
//!
//! - A region is all that leads from what it reads to what it makes. What two regions need of that, both compute: the
//!   backward pass makes again what is large, without a decision of its own.
//! - It becomes a function by itself (`outline`), is cut along its time axis as a step is into microbatches
//!   ([`crate::microbatch`]), and comes back in place of its instructions. So tile `m` of `n` has the elements `m`, `m + n`,
//!   ...: blocks of the dim on devices are cut where they lie, and nothing moves.
//! - Only what needs one pass over the dim is taken.
//!
//! ```text
//! %s = dot %q, %k        reads %q, %k, %v       loop over m (n turns), carrying %q, %k, %v and %o = 0
//! %p = softmax %s        makes %o                 %part = %q in rows m, m + n, ...
//! %o = dot %p, %v                                 %s = dot %part, %k;  %p = softmax %s
//!                                                 %o in rows m, m + n, ... = dot %p, %v
//! ```

pub mod dims;
mod outline;
mod places;
mod write;

pub use places::{Places, places};
pub use write::in_tiles;

use crate::time::{InTime, TimeAxis, TimeRefusal};
use meshwright_ir::ids::{RegionId, ValueId};
use meshwright_ir::program::{Body, Def, Function};
use std::fmt;

/// Part of a body that may run in tiles.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Region {
    /// A value in it that is large.
    pub value: ValueId,
    /// The dim of that value along which tiles follow one another.
    pub dim: usize,
    /// What is there before it.
    pub reads: Vec<ValueId>,
    /// What it leaves, in the order in which it is made.
    pub makes: Vec<ValueId>,
}

/// Reason why a region cannot run in tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TileRefusal {
    /// Something that it needs is neither read nor made in it.
    Open(ValueId),
    /// The dim meets itself as another one.
    Mixed(ValueId),
    /// Regions wait for one another.
    Circle(ValueId),
    /// Another region makes the same.
    Twice(ValueId),
    /// It would run in one tile, or in none.
    Single,
    /// It would take so many passes over the dim.
    Passes(usize),
    /// It cannot be cut along the dim.
    Time(TimeRefusal),
}

impl fmt::Display for TileRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(_) => f.write_str("it needs something that it neither reads nor makes"),
            Self::Mixed(_) => f.write_str("the dim meets itself as another one"),
            Self::Circle(_) => f.write_str("it waits for what is made of it"),
            Self::Twice(_) => f.write_str("another region makes the same"),
            Self::Single => f.write_str("fewer than two tiles are none"),
            Self::Passes(passes) => write!(f, "it would take {passes} passes over the dim"),
            Self::Time(refusal) => refusal.fmt(f),
        }
    }
}

/// A region in tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Size of the dim: numbers of tiles divide it.
    pub size: usize,
    /// Bytes of what tiles add up.
    pub partial_bytes: usize,
}

impl Region {
    /// The region of the body that it is a part of.
    pub fn home(&self, body: &Body) -> Option<RegionId> {
        match body.values[*self.makes.first()?].def {
            Def::Result(inst, _) => Some(body.region_of()[inst]),
            Def::Argument(..) => None,
        }
    }

    /// Size and sums of it in so many tiles.
    ///
    /// # Errors
    /// It is no region, or cannot be cut so in one pass.
    pub fn cut(&self, function: &Function, count: usize) -> Result<Cut, TileRefusal> {
        let outlined = self.outlined(function)?;
        let TimeAxis { size, points, .. } = outlined.axis(count)?;
        let partial = points.iter().filter(|point| matches!(point.kind, InTime::Partial(_)));
        let bytes = |value: ValueId| outlined.function.body.ty(value).num_bytes();
        Ok(Cut { size, partial_bytes: partial.map(|point| bytes(point.value)).sum() })
    }
}
