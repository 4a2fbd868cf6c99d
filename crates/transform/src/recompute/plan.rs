//! Where everything that is made again stands, and what it reads there.
//!
//! Input: a [`Line`] and what is made again. Output: a [`Plan`], by which the body is copied.

use super::MadeAgain;
use super::line::Line;
use meshwright_ir::ids::{InstId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// What has this many times the bytes of another is large beside it.
const LARGE: usize = 4;

/// So many values are looked at for one that is not.
const MOST_STEPS: usize = 8;

/// What is made again, and where.
pub(super) struct Plan<'a> {
    pub(super) line: Line<'a>,
    /// For each instruction that runs again the position in front of which it does.
    places: BTreeMap<InstId, usize>,
    /// The instructions that run again in front of others, in order.
    pending: BTreeMap<InstId, Vec<InstId>>,
    /// The group of each: the first of its instructions.
    groups: BTreeMap<InstId, InstId>,
    /// Those of which nothing else is left.
    moved: BTreeSet<InstId>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(line: Line<'a>, again: &MadeAgain) -> Self {
        let mut plan = Self {
            line,
            places: BTreeMap::new(),
            pending: BTreeMap::new(),
            groups: BTreeMap::new(),
            moved: BTreeSet::new(),
        };
        plan.find_places(again);
        plan.find_groups();
        plan.find_moved();
        for (inst, place) in &plan.places {
            plan.pending.entry(plan.line.insts[*place]).or_default().push(*inst);
        }
        for pending in plan.pending.values_mut() {
            pending.sort_by_key(|inst| plan.line.position(*inst));
        }
        plan
    }

    /// The instructions that run again in front of one, in order.
    pub(super) fn in_front_of(&self, inst: InstId) -> &[InstId] {
        self.pending.get(&inst).map_or(&[], Vec::as_slice)
    }

    /// All instructions that run again, each with the position in front of which it does.
    pub(super) fn again(&self) -> &BTreeMap<InstId, usize> {
        &self.places
    }

    /// Whether an instruction runs only where it is made again.
    pub(super) fn is_moved(&self, inst: InstId) -> bool {
        self.moved.contains(&inst)
    }

    /// The first instruction of an instruction's group.
    pub(super) fn group(&self, inst: InstId) -> InstId {
        self.groups[&inst]
    }

    /// Whether an instruction that runs again reads a value as it is made again.
    pub(super) fn is_made_for(&self, value: ValueId, inst: InstId) -> bool {
        let made = self.line.maker(value).and_then(|made| self.places.get(&made));
        made.is_some_and(|place| *place <= self.places[&inst])
    }

    /// What the group of an instruction reads behind its barrier, in order.
    pub(super) fn kept(&self, inst: InstId) -> BTreeSet<ValueId> {
        let group = self.groups[&inst];
        let members = self.groups.iter().filter(|(_, own)| **own == group).map(|(member, _)| *member);
        let members: Vec<InstId> = members.collect();
        let first = members.iter().map(|member| self.places[member]).min();
        let is_there = |value: &ValueId| self.line.made(*value).is_none_or(|made| Some(made) < first);
        let mut kept = BTreeSet::new();
        for member in members {
            let operands = &self.line.body.insts[member].operands;
            let old = operands.iter().copied().filter(|value| !self.is_made_for(*value, member));
            let old = old.filter(|value| self.line.depends(*value) && is_there(value));
            let is_alone = operands
                .iter()
                .all(|value| !self.is_made_for(*value, member) && !self.is_made_of_more(*value));
            kept.extend(old.filter(|value| is_alone || self.is_made_of_more(*value)));
        }
        kept
    }

    /// The operand of a reader that is made last. In the backward body of a pair it is a cotangent; if the reader has none,
    /// it is one that others read. Of one that is large beside what goes through the barrier with it (`kept`) it is what that
    /// was made of: through a barrier nothing runs in tiles.
    pub(super) fn cotangent(&self, reader: InstId, kept: &BTreeSet<ValueId>) -> Option<ValueId> {
        let at = self.line.position(reader)?;
        let bytes = |value: ValueId| self.line.body.ty(value).num_bytes();
        let large = LARGE * kept.iter().map(|value| bytes(*value)).max()?;
        let last = self.operand_made_last(reader).or_else(|| self.line.cotangent_at(at))?;
        let before = |value: &ValueId| self.operand_made_last(self.line.maker(*value)?);
        let mut steps = std::iter::successors(Some(last), before).take(MOST_STEPS);
        Some(steps.find(|value| bytes(*value) <= large).unwrap_or(last))
    }

    fn operand_made_last(&self, reader: InstId) -> Option<ValueId> {
        let operands = self.line.body.insts[reader].operands.iter().copied();
        let made = operands.filter(|value| self.line.depends(*value) && self.line.may_hold_back(*value));
        let made = made.filter_map(|value| {
            let is_again = self.line.maker(value).is_some_and(|maker| self.places.contains_key(&maker));
            Some((self.line.made(value).filter(|_| !is_again)?, value))
        });
        made.max().map(|(_, value)| value)
    }

    /// Whether a value is made of an argument, and is none.
    fn is_made_of_more(&self, value: ValueId) -> bool {
        self.line.depends(value) && self.line.made(value).is_some()
    }

    /// Readers stand behind what they read, so that the last values come first.
    fn find_places(&mut self, again: &MadeAgain) {
        let mut uses: Vec<(usize, ValueId, InstId)> = Vec::new();
        for (value, reader) in again {
            uses.extend(self.line.made(*value).map(|made| (made, *value, *reader)));
        }
        uses.sort_unstable();
        for (_, value, reader) in uses.into_iter().rev() {
            let (Some(at), Some(inst)) = (self.line.position(reader), self.line.maker(value)) else {
                continue;
            };
            if !self.line.is_use(value, reader) {
                continue;
            }
            let place = self.places.get(&reader).copied().unwrap_or(at);
            let own = self.places.entry(inst).or_insert(place);
            *own = place.min(*own);
        }
    }

    fn find_groups(&mut self) {
        let mut in_order: Vec<InstId> = self.places.keys().copied().collect();
        in_order.sort_by_key(|inst| self.line.position(*inst));
        let mut groups: BTreeMap<InstId, InstId> = BTreeMap::new();
        for inst in in_order {
            groups.insert(inst, inst);
            let made_for = |value: &&ValueId| self.is_made_for(**value, inst);
            let read = self.line.body.insts[inst]
                .operands
                .iter()
                .filter(made_for)
                .filter_map(|value| self.line.maker(*value));
            let joined: BTreeSet<InstId> = read.map(|made| groups[&made]).collect();
            let Some(first) = joined.first().copied() else { continue };
            groups.insert(inst, first);
            if joined.len() > 1 {
                groups.values_mut().filter(|group| joined.contains(group)).for_each(|group| *group = first);
            }
        }
        self.groups = groups;
    }

    /// What runs again is moved if nothing reads what its first run makes.
    fn find_moved(&mut self) {
        let readers = self.line.readers();
        let mut in_order: Vec<InstId> = self.places.keys().copied().collect();
        in_order.sort_by_key(|inst| std::cmp::Reverse(self.line.position(*inst)));
        for inst in in_order {
            let place = self.places[&inst];
            let reads_first = |value: ValueId, reader: &InstId| {
                let runs_again = self.places.contains_key(reader);
                let is_before = self.line.position(*reader).is_some_and(|at| at < place);
                (is_before && !self.moved.contains(reader))
                    || (runs_again && !self.is_made_for(value, *reader))
            };
            let mut results = self.line.body.insts[inst].results.iter();
            if !results.any(|value| readers[*value].iter().any(|reader| reads_first(*value, reader))) {
                self.moved.insert(inst);
            }
        }
    }
}
