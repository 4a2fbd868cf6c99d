//! Masks and biases of an attention as a kernel takes them: causal, a window of keys, or a tensor that is added.

use super::band::Band;
use super::dims::{Atom, Atoms};
use super::roles::Roles;
use super::scores::Piece;
use super::takes::Reason;

/// How scores are changed before the softmax.
pub(super) struct Masks {
    pub(super) is_causal: bool,
    /// How many of the last keys a query sees; zero: all.
    pub(super) window: usize,
    pub(super) bias: Option<Bias>,
}

/// What is added to scores, and conditions that put very small numbers in their place.
pub(super) struct Bias {
    pub(super) pieces: Vec<Piece>,
    /// Its batches and heads; none where it is the same for all.
    pub(super) batches: Vec<Atom>,
    pub(super) heads: Vec<Atom>,
}

/// What a piece does to the keys that queries see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    All,
    Causal,
    Window(usize),
    Other,
}

impl Masks {
    /// The masks that these pieces are together.
    pub(super) fn of(atoms: &Atoms, roles: &Roles, pieces: &[Piece]) -> Result<Self, Reason> {
        let seen = |band: Option<Band>| band.map_or(Seen::Other, |band| seen(atoms, roles, band));
        let together = match pieces.split_first() {
            Some((first, rest)) => {
                rest.iter().try_fold(first.band, |band, piece| Some(band?.and(piece.band?))).flatten()
            }
            None => None,
        };
        let (is_causal, window, rest) = match seen(together) {
            Seen::All => (false, 0, Vec::new()),
            Seen::Causal => (true, 0, Vec::new()),
            Seen::Window(window) => (true, window, Vec::new()),
            Seen::Other => {
                let all: Vec<Seen> = pieces.iter().map(|piece| seen(piece.band)).collect();
                let is_rest = |seen: &Seen| !matches!(seen, Seen::All | Seen::Causal);
                let rest = pieces.iter().zip(&all).filter(|(_, seen)| is_rest(seen));
                (all.contains(&Seen::Causal), 0, rest.map(|(piece, _)| piece.clone()).collect())
            }
        };
        let bias = if rest.is_empty() { None } else { Some(Bias::of(atoms, roles, rest)?) };
        Ok(Self { is_causal, window, bias })
    }
}

/// Which keys a band leaves to the queries.
fn seen(atoms: &Atoms, roles: &Roles, band: Band) -> Seen {
    let ([query], [key]) = (&roles.queries[..], &roles.keys[..]) else { return Seen::Other };
    let leaf = |atom: Atom| match atoms.leaves(&[atom])[..] {
        [leaf] => Some(leaf),
        _ => None,
    };
    let (Some(plus), Some(minus)) = (leaf(band.plus), leaf(band.minus)) else { return Seen::Other };
    let Some(band) = (Band { plus, minus, ..band }).seen_from(*query, *key) else { return Seen::Other };
    let (queries, keys) = (atoms.size(*query) as i64, atoms.size(*key) as i64);
    let is_bounded = band.high < queries - 1;
    match band.low {
        low if low <= 1 - keys && !is_bounded => Seen::All,
        0 if !is_bounded => Seen::Causal,
        0 if queries == keys && band.high >= 0 => Seen::Window(band.high as usize + 1),
        _ => Seen::Other,
    }
}

impl Bias {
    fn of(atoms: &Atoms, roles: &Roles, pieces: Vec<Piece>) -> Result<Self, Reason> {
        let all: Vec<Atom> = pieces.iter().flat_map(|piece| atoms.all(&piece.root.dims)).collect();
        let (batches, heads) = (&roles.batches, roles.heads());
        let is_known =
            |atom: &Atom| [batches, &heads, &roles.queries, &roles.keys].iter().any(|of| of.contains(atom));
        if !all.iter().all(is_known) {
            return Err(Reason::Bias);
        }
        let used =
            |of: &[Atom]| if of.iter().any(|atom| all.contains(atom)) { of.to_vec() } else { Vec::new() };
        Ok(Self { batches: used(batches), heads: used(&heads), pieces })
    }
}
