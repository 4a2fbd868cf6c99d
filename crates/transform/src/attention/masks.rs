//! Masks and biases of an attention as a kernel takes them: causal, a window of keys, or a tensor that is added.
//!
//! A condition that depends on data stays whole, whatever else it says of positions. It may leave a query no key at all. The
//! number that programs put in the place of scores then makes all keys count alike, and the gradient ends at the condition;
//! the kernel's output for such a query is that of its scores, and so is its gradient. What such queries get is therefore
//! computed beside the call ([`Unseen`]). Where several masks are mixed so that more than that would differ, the attention is
//! not taken, nor where a condition on positions leaves a query no key.

use super::band::Band;
use super::dims::{Atom, Atoms};
use super::roles::Roles;
use super::scores::{Hidden, Piece, PieceKind, Scores};
use super::takes::Reason;

/// A number so many times lower than what is added to scores leaves these out.
const FAR: f64 = 2.0;

/// How scores are changed before the softmax.
pub(super) struct Masks {
    pub(super) is_causal: bool,
    /// How many of the last keys a query sees; zero: all.
    pub(super) window: usize,
    pub(super) bias: Option<Bias>,
    pub(super) unseen: Option<Unseen>,
}

/// Queries that conditions may leave no key.
pub(super) struct Unseen {
    /// The conditions, all of which hold for a key that is seen.
    pub(super) conditions: Bias,
    /// How much of each value the output of such a query is; `None` where a sink takes all of it.
    pub(super) share: Option<f64>,
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
    pub(super) fn of(atoms: &Atoms, roles: &Roles, scores: &Scores) -> Result<Self, Reason> {
        let pieces = &scores.pieces;
        if leave_none(atoms, roles, pieces) {
            return Err(Reason::Unseen);
        }
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
        let unseen = Unseen::of(atoms, roles, scores)?;
        Ok(Self { is_causal, window, bias, unseen })
    }
}

impl Unseen {
    /// The queries for which the kernel computes something else; `None` if there are none.
    fn of(atoms: &Atoms, roles: &Roles, scores: &Scores) -> Result<Option<Self>, Reason> {
        let masks = || scores.pieces.iter().filter(|piece| piece.hidden != Hidden::Not);
        if masks().all(|piece| piece.band.is_some()) {
            return Ok(None);
        }
        let replaced: Vec<(&Piece, f64)> = masks()
            .filter_map(|piece| match piece.hidden {
                Hidden::Replaced(number) => Some((piece, number)),
                _ => None,
            })
            .collect();
        let added: Vec<f64> = masks()
            .filter_map(|piece| match piece.hidden {
                Hidden::Added(number) => Some(number),
                _ => None,
            })
            .collect();
        // What is added decides among the keys that are left, if the other numbers are far below it.
        let is_below = |added: f64| {
            replaced.iter().all(|(piece, number)| piece.band.is_some() && *number <= FAR * added)
        };
        let Some((_, number)) = replaced.first() else {
            return if added.len() == 1 { Ok(None) } else { Err(Reason::Hidden) };
        };
        match added[..] {
            [added] if is_below(added) => Ok(None),
            [] if !scores.is_added_to_hidden && replaced.iter().all(|(_, other)| other == number) => {
                let pieces = replaced.iter().map(|(piece, _)| (*piece).clone()).collect();
                let share = match number.is_finite() {
                    true => (atoms.sizes(&roles.keys) as f64).recip(),
                    false => f64::NAN,
                };
                let share = scores.sink.is_none().then_some(share);
                Ok(Some(Self { conditions: Bias::of(atoms, roles, pieces)?, share }))
            }
            _ => Err(Reason::Hidden),
        }
    }
}

/// Whether conditions on positions leave a query no key.
fn leave_none(atoms: &Atoms, roles: &Roles, pieces: &[Piece]) -> bool {
    let conditions = pieces.iter().filter(|piece| matches!(piece.kind, PieceKind::Condition(_)));
    let bands = conditions.filter_map(|piece| seen_by_queries(atoms, roles, piece.band?));
    let together = bands.reduce(|one, other| one.and(other).unwrap_or(one));
    together.is_some_and(|band| {
        let (queries, keys) = lengths(atoms, roles);
        band.low > 0 || band.high < queries - keys || band.low > band.high
    })
}

/// Numbers of queries and keys.
fn lengths(atoms: &Atoms, roles: &Roles) -> (i64, i64) {
    (atoms.sizes(&roles.queries) as i64, atoms.sizes(&roles.keys) as i64)
}

/// A band by the position of the query less that of the key, if it is one of these.
fn seen_by_queries(atoms: &Atoms, roles: &Roles, band: Band) -> Option<Band> {
    let ([query], [key]) = (&roles.queries[..], &roles.keys[..]) else { return None };
    let leaf = |atom: Atom| match atoms.leaves(&[atom])[..] {
        [leaf] => Some(leaf),
        _ => None,
    };
    Band { plus: leaf(band.plus)?, minus: leaf(band.minus)?, ..band }.seen_from(*query, *key)
}

/// Which keys a band leaves to the queries.
fn seen(atoms: &Atoms, roles: &Roles, band: Band) -> Seen {
    let Some(band) = seen_by_queries(atoms, roles, band) else { return Seen::Other };
    let (queries, keys) = lengths(atoms, roles);
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
