//! Tiles: parts of the program that run in a loop over parts of a dim.
//!
//! What runs in tiles is decided of the program as it is written, by the values at the border of each region; the program
//! in which it does (`meshwright_transform::tiles`) has the same names, so that there these are the record of it.
//!
//! Example: an attention in 8 tiles along its queries reads `%q`, `%k` and `%v`, makes `%o`, and of its scores, which are
//! never there as a whole, `dim` 2 is cut.

use meshwright_ir::ids::ValueId;

/// A region that runs in tiles.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tile {
    /// A value in it that is large.
    pub value: ValueId,
    /// The dim of that value along which tiles follow one another.
    pub dim: usize,
    /// Number of tiles.
    pub count: usize,
    /// What is there before it.
    pub reads: Vec<ValueId>,
    /// What it leaves.
    pub makes: Vec<ValueId>,
}
