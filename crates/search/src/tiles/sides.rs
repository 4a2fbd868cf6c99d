//! The regions of a group: its early and its late part.

use super::facts::Facts;
use super::group::Group;
use super::{Found, LEAST, Tileable};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_transform::tiles::{Cut, Region};
use meshwright_transform::time::divisors;
use std::collections::BTreeSet;

/// One part of a group, while it becomes a region.
struct Side {
    /// What the part is: its instructions, and those between them.
    own: BTreeSet<InstId>,
    /// Also what it makes again, or of constants.
    all: BTreeSet<InstId>,
    reads: BTreeSet<ValueId>,
}

/// The regions of a group of which what stays whole is so many times smaller than what does not; none if it cannot run in
/// tiles, or computes what is taken.
pub(super) fn regions(
    facts: &Facts<'_>,
    group: &Group,
    least: usize,
    taken: &BTreeSet<InstId>,
) -> Option<Tileable> {
    let late = late(facts, group);
    let early: BTreeSet<InstId> = group.insts.difference(&late).copied().collect();
    let early = Side::of(facts, group, &early, &BTreeSet::new());
    let late = Side::of(facts, group, &late, &early.own);
    let own: BTreeSet<InstId> = early.own.union(&late.own).copied().collect();
    if !own.is_disjoint(taken) {
        return None;
    }
    let remade: BTreeSet<InstId> = late.all.difference(&late.own).copied().collect();
    let is_remade = |value: ValueId, reader: InstId| {
        late.all.contains(&reader) && facts.maker(value).is_some_and(|maker| remade.contains(&maker))
    };
    let (mut regions, mut partial_bytes) = (Vec::new(), None);
    for (side, other) in [(&early, &late), (&late, &early)] {
        let makes = side.makes(facts, other, &is_remade);
        if makes.is_empty() {
            continue;
        }
        let (found, bytes) = found(facts, group, side, makes, least)?;
        regions.push(found);
        partial_bytes.get_or_insert(bytes);
    }
    let is_at_border = |value: &ValueId| {
        let mut borders =
            regions.iter().flat_map(|found| found.region.reads.iter().chain(&found.region.makes));
        borders.any(|whole| whole == value)
    };
    let made = |value: &ValueId| facts.maker(*value).is_some_and(|maker| own.contains(&maker));
    let inner = group.large().filter(|value| made(value) && !is_at_border(value)).collect();
    let multiplies_weights = remade.iter().any(|inst| facts.multiplies_weights(*inst));
    Some(Tileable { partial_bytes: partial_bytes?, multiplies_weights, regions, own, inner })
}

/// A side as a region, and the bytes that its tiles add up; none if it cannot run in tiles.
fn found(
    facts: &Facts<'_>,
    group: &Group,
    side: &Side,
    makes: Vec<ValueId>,
    least: usize,
) -> Option<(Found, usize)> {
    let is_own = |value: &ValueId| facts.maker(*value).is_some_and(|maker| side.own.contains(&maker));
    let value = group.large().find(is_own)?;
    let dim = group.dims[&value];
    let ratio = ratio(facts, group, side.reads.iter().chain(&makes)).filter(|ratio| *ratio >= least)?;
    let region = Region { value, dim, reads: side.reads.iter().copied().collect(), makes };
    let size = facts.body().tensor(value).shape[dim];
    let fewest = *divisors(size).get(1)?;
    let Cut { size, partial_bytes } = region.cut(facts.function, fewest).ok()?;
    Some((Found { region, size, ratio }, partial_bytes))
}

/// How many times the largest of these values goes into what is large. What is not cut, such as weights, is there anyway.
fn ratio<'a>(facts: &Facts<'_>, group: &Group, whole: impl Iterator<Item = &'a ValueId>) -> Option<usize> {
    let ratios = whole.filter_map(|value| {
        let is_cut = group.dims.contains_key(value);
        let is_there = !is_cut && facts.maker_in(*value, group.home).is_none();
        (!is_there).then(|| group.ratio(facts.elements(*value)))
    });
    Some(ratios.min().unwrap_or(LEAST))
}

/// Instructions of a group that depend on what others of it make, through something that leads on.
fn late(facts: &Facts<'_>, group: &Group) -> BTreeSet<InstId> {
    let body = facts.body();
    let (mut reached, mut behind): (BTreeSet<ValueId>, BTreeSet<ValueId>) = Default::default();
    let mut late = BTreeSet::new();
    for inst in facts.span(group.home, &group.insts) {
        let is_in = group.insts.contains(inst);
        let is_reached = facts.reads[*inst].iter().any(|value| reached.contains(value));
        let mut is_behind = facts.reads[*inst].iter().any(|value| behind.contains(value));
        if is_in && is_behind {
            late.insert(*inst);
        }
        is_behind |= is_reached && !is_in && facts.leads_on(*inst);
        let results = &body.insts[*inst].results;
        if is_reached || is_in {
            reached.extend(results);
        }
        if is_behind {
            behind.extend(results);
        }
    }
    late
}

impl Side {
    /// The part that consists of `core`; what it reads of `early` and is large, it makes again.
    fn of(facts: &Facts<'_>, group: &Group, core: &BTreeSet<InstId>, early: &BTreeSet<InstId>) -> Self {
        let own = between(facts, group, core);
        let mut side = Self { all: own.clone(), own, reads: BTreeSet::new() };
        let mut open: Vec<ValueId> =
            side.own.iter().flat_map(|inst| facts.reads[*inst].iter().copied()).collect();
        while let Some(value) = open.pop() {
            let maker = facts.maker_in(value, group.home);
            if maker.is_some_and(|maker| side.all.contains(&maker)) {
                continue;
            }
            let again = maker.filter(|maker| {
                let is_large = group.is_large(facts, value) && early.contains(maker);
                facts.is_constant(value) || is_large
            });
            match again {
                Some(maker) => {
                    side.all.insert(maker);
                    open.extend(&facts.reads[maker]);
                }
                None => drop(side.reads.insert(value)),
            }
        }
        side
    }

    /// What is read elsewhere, also where something of it is made again, in the order in which it is made.
    fn makes(
        &self,
        facts: &Facts<'_>,
        other: &Self,
        is_remade: &dyn Fn(ValueId, InstId) -> bool,
    ) -> Vec<ValueId> {
        let results = self.own.iter().flat_map(|inst| facts.body().insts[*inst].results.iter().copied());
        let is_elsewhere =
            |value: ValueId, reader: InstId| !self.all.contains(&reader) && !is_remade(value, reader);
        let is_read = |value: &ValueId| {
            let mut readers = facts.readers[*value].iter();
            other.reads.contains(value) || readers.any(|reader| is_elsewhere(*value, *reader))
        };
        results.filter(is_read).collect()
    }
}

/// Instructions, with all that lies on ways from one to another.
fn between(facts: &Facts<'_>, group: &Group, core: &BTreeSet<InstId>) -> BTreeSet<InstId> {
    let body = facts.body();
    let insts = facts.span(group.home, core);
    let mut is_behind: BTreeSet<InstId> = core.clone();
    for inst in insts {
        let made = |value: &ValueId| facts.maker(*value).is_some_and(|maker| is_behind.contains(&maker));
        if facts.reads[*inst].iter().any(made) {
            is_behind.insert(*inst);
        }
    }
    let mut between = core.clone();
    for inst in insts.iter().rev().filter(|inst| is_behind.contains(inst)) {
        let leads_back =
            |value: &ValueId| facts.readers[*value].iter().any(|reader| between.contains(reader));
        if body.insts[*inst].results.iter().any(leads_back) {
            between.insert(*inst);
        }
    }
    between
}
