//! Masks by the difference of two positions, for whoever cuts a sequence.
//!
//! Input: a value, and two of its dims. Output: the number that it is, by the position along the one less that along the
//! other. Example: `iota 0 >= iota 1` is 1 where the difference of dims 0 and 1 is at least 0, and 0 elsewhere.

use super::band::{Band, Positional};
use super::dims::{Atom, Atoms};
use super::reader::Known;
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::Body;

/// Numbers of a value by the difference of two positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ByDifference {
    /// The same everywhere.
    Number(f64),
    /// One number from the least to the largest of these differences, and another outside.
    Two { low: i64, high: i64, inside: f64, outside: f64 },
}

impl ByDifference {
    /// The number of all differences from `low` to `high`, if they have the same.
    pub(crate) fn between(self, low: i64, high: i64) -> Option<f64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Two { low: first, high: last, inside, .. } if first <= low && high <= last => Some(inside),
            Self::Two { low: first, high: last, outside, .. } if high < first || last < low => Some(outside),
            Self::Two { .. } => None,
        }
    }
}

/// What is known of the values of a body.
pub(crate) struct Positions<'a> {
    known: Known<'a>,
}

impl<'a> Positions<'a> {
    /// Reads a body.
    pub(crate) fn of(body: &'a Body) -> Self {
        Self { known: Known::of(body) }
    }

    /// The number that all elements of a value are.
    pub(crate) fn number(&self, value: ValueId) -> Option<f64> {
        self.known.number(value)
    }

    /// Whether two values with the same dims are one wherever positions along two of these are the same, as the documents that
    /// queries and keys are of.
    pub(crate) fn is_same(&self, left: ValueId, right: ValueId, (one, other): (usize, usize)) -> bool {
        let mut atoms = Atoms::default();
        let Some(ty) = self.known.ty(left) else { return false };
        let mut dims = atoms.own(&ty.shape);
        dims[other] = dims[one].clone();
        let left = self.known.root(&mut atoms, left, &dims);
        let right = self.known.root(&mut atoms, right, &dims);
        left.value == right.value && atoms.unify_dims(&left.dims, &right.dims)
    }

    /// The numbers of a value by the difference of its positions along two dims, if it follows from that.
    pub(crate) fn by_difference(&self, value: ValueId, plus: usize, minus: usize) -> Option<ByDifference> {
        let mut atoms = Atoms::default();
        let dims = atoms.own(&self.known.ty(value)?.shape);
        let atom = |dim: usize| match dims[dim].as_deref() {
            Some([atom]) => Some(*atom),
            _ => None,
        };
        let (plus, minus) = (atom(plus)?, atom(minus)?);
        match self.known.positional(&mut atoms, value, &dims)? {
            Positional::Number(number) => Some(ByDifference::Number(number)),
            Positional::Two { band, inside, outside } => {
                let whole = |atom: Atom| match atoms.leaves(&[atom])[..] {
                    [leaf] => Some(leaf),
                    _ => None,
                };
                let Band { low, high, .. } = band.seen_from(whole(plus)?, whole(minus)?)?;
                Some(ByDifference::Two { low, high, inside, outside })
            }
            Positional::Affine(..) => None,
        }
    }
}
