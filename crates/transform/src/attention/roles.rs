//! Roles of the atoms of an attention: batches, key heads, query heads of one key head, queries, keys, features.

use super::dims::{Atom, Atoms};
use super::reader::Root;
use super::scores::Scores;

/// Atoms by what they are, major first.
#[derive(Clone, Debug)]
pub(super) struct Roles {
    pub(super) batches: Vec<Atom>,
    pub(super) key_heads: Vec<Atom>,
    /// Query heads that share a key head.
    pub(super) shared: Vec<Atom>,
    pub(super) queries: Vec<Atom>,
    pub(super) keys: Vec<Atom>,
    pub(super) features: Vec<Atom>,
    pub(super) values: Vec<Atom>,
}

/// Order of the dims of queries, keys and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Heads behind positions.
    Btnh,
    /// Heads before positions.
    Bnth,
}

impl Layout {
    /// The order that queries have already.
    pub(super) fn of(atoms: &Atoms, roles: &Roles, q: &Root) -> Self {
        let all = atoms.all(&q.dims);
        let first = |of: &[Atom]| all.iter().position(|atom| of.contains(atom));
        match (first(&roles.queries), first(&roles.heads())) {
            (Some(query), Some(head)) if head < query => Self::Bnth,
            _ => Self::Btnh,
        }
    }
}

impl Roles {
    /// Roles where query heads share key heads, if keys or values were repeated for them.
    pub(super) fn of(atoms: &Atoms, scores: &Scores, v: &Root, sharing: Sharing) -> Option<Self> {
        let (q, k, v) = (atoms.all(&scores.q.dims), atoms.all(&scores.k.dims), atoms.all(&v.dims));
        let keys = atoms.leaves(&scores.keys);
        let of_queries = atoms.leaves(&scores.queries);
        let in_scores = atoms.all(&scores.dims);
        let features = k.iter().copied().filter(|atom| !in_scores.contains(atom)).collect();
        let is_repeated = |atom: &Atom| !k.contains(atom) && !v.contains(atom);
        let others = q.iter().copied().filter(|atom| in_scores.contains(atom) && !of_queries.contains(atom));
        let (mut shared, mut rest): (Vec<Atom>, Vec<Atom>) =
            others.partition(|atom| sharing == Sharing::Repeated && is_repeated(atom));
        let queries = queries(atoms, scores, &of_queries);
        shared.extend(of_queries.iter().filter(|atom| !queries.contains(atom)));
        let key_heads = if rest.len() > 1 { rest.split_off(rest.len() - 1) } else { Vec::new() };
        let known: Vec<Atom> =
            [&rest, &key_heads, &shared, &queries].into_iter().flatten().copied().collect();
        let values = v.iter().copied().filter(|atom| !known.contains(atom) && !keys.contains(atom)).collect();
        let roles = Self { batches: rest, key_heads, shared, queries, keys, features, values };
        // Every atom of the scores has a role, and an atom of the queries that they do not have has none.
        let all = [&known[..], &roles.keys].concat();
        (atoms.set(&all) == atoms.set(&in_scores)).then_some(roles)
    }

    /// Whether these are atoms of batches, heads and queries.
    pub(super) fn have(&self, atoms: &[Atom]) -> bool {
        let own = [&self.batches[..], &self.heads(), &self.queries].concat();
        atoms.iter().all(|atom| own.contains(atom))
    }

    /// Heads of the queries.
    pub(super) fn heads(&self) -> Vec<Atom> {
        [&self.key_heads[..], &self.shared].concat()
    }
}

/// Whether keys and values that were repeated for each query head are taken as they were before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sharing {
    Repeated,
    AsWritten,
}

/// The atoms that count queries: those that a mask compares with the keys; those that are no part of a dim with heads; else
/// the largest.
fn queries(atoms: &Atoms, scores: &Scores, candidates: &[Atom]) -> Vec<Atom> {
    if candidates.len() <= 1 {
        return candidates.to_vec();
    }
    let in_bands =
        scores.pieces.iter().filter_map(|piece| piece.band).flat_map(|band| [band.plus, band.minus]);
    let in_bands = atoms.leaves(&in_bands.collect::<Vec<_>>());
    let compared: Vec<Atom> = candidates.iter().copied().filter(|atom| in_bands.contains(atom)).collect();
    if !compared.is_empty() {
        return compared;
    }
    let is_with_others = |atom: &Atom| {
        scores
            .q
            .dims
            .iter()
            .flatten()
            .map(|dim| atoms.leaves(dim))
            .any(|dim| dim.contains(atom) && dim.iter().any(|other| !candidates.contains(other)))
    };
    let alone: Vec<Atom> = candidates.iter().copied().filter(|atom| !is_with_others(atom)).collect();
    match alone.len() {
        1 => alone,
        _ => candidates.iter().copied().max_by_key(|atom| atoms.size(*atom)).into_iter().collect(),
    }
}
