//! Regions that may run in tiles: where what takes the memory at the peak is large along a dim along which its makers and
//! readers are independent, or add up.
//!
//! Input: a function with calls inlined, its roles and its analysis. Output: [`Found`], regions with the sizes of their dims.
//!
//! 1. The values at the peak are looked at by their types, those first that take most (`peak`).
//! 2. From a value and one of its dims a group grows over all that reads or makes what is as large, as far as the dim goes
//!    (`group`). Where it meets what is small, it ends.
//! 3. What depends on what the group itself makes, through products outside of it, is *late*: the backward pass. Early and
//!    late part are a region each, and what the late one reads of the early one and is large is made in both (`sides`).
//!    A loss has no products between its logits and their gradients, and is one region. Where the late part stands in
//!    another loop, over layers, it is asked for what it reads to be made again there ([`stacked()`]).
//! 4. Of the dims of a value the one is taken along which the tiles have least to add up, of these the largest, first of those
//!    that suit who asks: a number of tiles divides them, or there may be as many as it takes. The batch is
//!    none of them in a training step, which is cut along it as a whole, nor is a dim that goes along with it elsewhere in the
//!    group, as those of constants do; in any other function it is what is left where no other dim does.
//!
//! A search asks for what is worth it ([`Wanted::Worthwhile`]): small shares of the memory are left as they are, what stays
//! whole is much smaller than what does not, and since products with weights take time, only what takes a large part of the
//! memory is worth to compute them again. Who asks for tiles gets all that is possible ([`Wanted::Possible`]): such regions
//! first, then those of whatever else is made, those of much memory with borders half as large as what is in them, and where
//! there are none, those with borders as large.
//! What is found is the same whatever the mesh.

mod facts;
mod group;
mod peak;
mod sides;
mod stacked;

pub use stacked::stacked;

use facts::Facts;
use group::Group;
use meshwright_analyze::Roles;
use meshwright_cost::Analysis;
use meshwright_cost::memory::{Lives, lives};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::program::Function;
use meshwright_transform::tiles::Region;
use peak::{Kind, Profile};
use std::collections::BTreeSet;

/// The regions that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Those that win more memory than they cost time.
    Worthwhile,
    /// All that can run in tiles.
    Possible,
}

/// What stays whole is this many times smaller than what does not, where that is worth it.
const LEAST: usize = 4;

/// Of what takes much of the memory at the peak, all that is possible has borders this many times smaller too.
const WIDE: usize = 2;

/// A region that may run in tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The region.
    pub region: Region,
    /// Size of the dim: numbers of tiles divide it.
    pub size: usize,
    /// How many times the largest value that stays whole goes into the one that does not.
    pub ratio: usize,
}

/// A group of a value that becomes regions.
struct Tileable {
    regions: Vec<Found>,
    /// What no other region may compute.
    own: BTreeSet<InstId>,
    /// What is large and lies in tiles: it is never there as a whole.
    inner: BTreeSet<ValueId>,
    /// Whether products with weights are computed twice.
    multiplies_weights: bool,
    /// Bytes that its first region adds up.
    partial_bytes: usize,
}

/// The regions of a function that are wanted, along dims that suit, such as those which a number divides, where there are any.
pub fn found(
    function: &Function,
    roles: &Roles,
    analysis: &Analysis<'_>,
    wanted: Wanted,
    suits: &dyn Fn(&Found) -> bool,
) -> Vec<Found> {
    let facts = Facts::new(function, roles, suits);
    let (lives, stored) = lives_of(analysis);
    let mut taken: BTreeSet<InstId> = BTreeSet::new();
    let mut regions = |wanted, least| regions(&facts, &stored, lives.clone(), wanted, least, &mut taken);
    let mut all = regions(wanted, LEAST);
    if wanted == Wanted::Possible {
        all.extend(regions(Wanted::Worthwhile, WIDE));
        if all.is_empty() {
            all = regions(wanted, 1);
        }
        all.sort_by_key(|found| found.region.makes.first().copied());
    }
    all
}

/// When values lie in memory, and which do.
fn lives_of(analysis: &Analysis<'_>) -> (Lives, BTreeSet<ValueId>) {
    let lives = lives(analysis);
    let stored = lives.lives.iter().map(|life| life.value).collect();
    (lives, stored)
}

/// The wanted regions of which what stays whole is so many times smaller than what does not, beside those that compute what
/// is taken.
fn regions(
    facts: &Facts<'_>,
    stored: &BTreeSet<ValueId>,
    lives: Lives,
    wanted: Wanted,
    least: usize,
    taken: &mut BTreeSet<InstId>,
) -> Vec<Found> {
    let body = facts.body();
    let results = |insts: &BTreeSet<InstId>| -> Vec<ValueId> {
        insts.iter().flat_map(|inst| body.insts[*inst].results.iter().copied()).collect()
    };
    let mut profile = Profile::new(body, lives);
    profile.without(results(taken).into_iter());
    let mut hopeless: BTreeSet<(ValueId, usize)> = BTreeSet::new();
    let mut all = Vec::new();
    while let Some(Kind { values, is_dear }) = profile.next(wanted) {
        let may_multiply = is_dear || wanted == Wanted::Possible;
        let mut seen: BTreeSet<ValueId> = BTreeSet::new();
        for value in values {
            let is_made = facts.maker(value).is_some_and(|inst| !taken.contains(&inst));
            if seen.contains(&value) || !is_made || facts.is_constant(value) {
                continue;
            }
            let found = best(facts, value, least, taken, &mut seen, &mut hopeless);
            let is_worth_it = |found: &Tileable| {
                (may_multiply || !found.multiplies_weights) && !found.inner.is_disjoint(stored)
            };
            let Some(found) = found.filter(is_worth_it) else {
                continue;
            };
            profile.without(results(&found.own).into_iter());
            taken.extend(found.own);
            all.extend(found.regions);
        }
    }
    all.sort_by_key(|found| found.region.makes.first().copied());
    all
}

/// Of the values that take most of the memory at the peak, which are of one type, the first that is made; none if there is
/// none.
pub fn foremost(function: &Function, analysis: &Analysis<'_>) -> Option<ValueId> {
    Profile::new(&function.body, lives(analysis)).next(Wanted::Worthwhile)?.values.first().copied()
}

/// The regions of a value along the best of its dims; `seen` are values with which there is no need to begin again, `hopeless`
/// values and dims that have no group.
fn best(
    facts: &Facts<'_>,
    value: ValueId,
    least: usize,
    taken: &BTreeSet<InstId>,
    seen: &mut BTreeSet<ValueId>,
    hopeless: &mut BTreeSet<(ValueId, usize)>,
) -> Option<Tileable> {
    let shape = &facts.body().tensor(value).shape;
    let (batch, others): (Vec<usize>, Vec<usize>) =
        (0..shape.len()).filter(|dim| shape[*dim] > 1).partition(|dim| facts.is_batch(value, *dim));
    let mut along = |dims: Vec<usize>| best_of(facts, value, &dims, least, taken, seen, hopeless);
    along(others).or_else(|| along(if facts.trains() { Vec::new() } else { batch }))
}

/// The regions of a value along the best of some of its dims.
fn best_of(
    facts: &Facts<'_>,
    value: ValueId,
    dims: &[usize],
    least: usize,
    taken: &BTreeSet<InstId>,
    seen: &mut BTreeSet<ValueId>,
    hopeless: &mut BTreeSet<(ValueId, usize)>,
) -> Option<Tileable> {
    let maker = facts.maker(value)?;
    let shape = &facts.body().tensor(value).shape;
    let mut best: Option<(bool, usize, Tileable)> = None;
    for dim in dims.iter().copied() {
        if hopeless.contains(&(value, dim)) {
            continue;
        }
        let group = match Group::grown(facts, value, maker, dim) {
            Ok(group) => group,
            Err(values) => {
                hopeless.extend(values);
                continue;
            }
        };
        if facts.trains() && group.is_along_batch(facts) {
            hopeless.extend(group.large().map(|value| (value, group.dims[&value])));
            continue;
        }
        seen.extend(group.large());
        let Some(found) = sides::regions(facts, &group, least, taken) else { continue };
        let is_unsuited = !found.regions.iter().all(facts.suits);
        let is_better = |(was_unsuited, size, before): &(bool, usize, Tileable)| {
            (is_unsuited, found.partial_bytes, std::cmp::Reverse(shape[dim]))
                < (*was_unsuited, before.partial_bytes, std::cmp::Reverse(*size))
        };
        if best.as_ref().is_none_or(is_better) {
            best = Some((is_unsuited, shape[dim], found));
        }
    }
    best.map(|(.., found)| found)
}
