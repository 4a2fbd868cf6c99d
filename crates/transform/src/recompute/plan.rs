//! Where everything that is made again stands, and what it reads there.
//!
//! Input: a body and what is made again. Output: a [`Plan`], by which the body is copied.

use super::MadeAgain;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Body, Def};
use std::collections::{BTreeMap, BTreeSet};

/// What is made again, and where.
pub(super) struct Plan<'a> {
    body: &'a Body,
    /// Positions in the function's own region.
    position: Table<InstId, Option<usize>>,
    /// What each instruction of that region reads.
    reads: Vec<Vec<ValueId>>,
    /// Whether each value is made of an argument.
    depends: Table<ValueId, bool>,
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
    pub(super) fn new(body: &'a Body, again: &MadeAgain) -> Self {
        let insts = &body.regions[body.entry()].insts[..];
        let mut position = Table::filled(None, body.insts.len());
        insts.iter().enumerate().for_each(|(at, inst)| position[*inst] = Some(at));
        let reads: Vec<Vec<ValueId>> = insts.iter().map(|inst| reads(body, *inst)).collect();
        let depends = made_of_arguments(body, insts, &reads);
        let mut plan = Self {
            body,
            position,
            reads,
            depends,
            places: BTreeMap::new(),
            pending: BTreeMap::new(),
            groups: BTreeMap::new(),
            moved: BTreeSet::new(),
        };
        plan.find_places(again);
        plan.find_groups();
        plan.find_moved(insts);
        for (inst, place) in &plan.places {
            plan.pending.entry(insts[*place]).or_default().push(*inst);
        }
        for pending in plan.pending.values_mut() {
            pending.sort_by_key(|inst| plan.position[*inst]);
        }
        plan
    }

    /// The instructions that run again in front of one, in order.
    pub(super) fn in_front_of(&self, inst: InstId) -> &[InstId] {
        self.pending.get(&inst).map_or(&[], Vec::as_slice)
    }

    /// Whether an instruction runs only where it is made again.
    pub(super) fn is_moved(&self, inst: InstId) -> bool {
        self.moved.contains(&inst)
    }

    /// The number of an instruction's group.
    pub(super) fn group(&self, inst: InstId) -> usize {
        self.position[self.groups[&inst]].expect("what runs again is in the function's own region")
    }

    /// Whether an instruction that runs again reads a value as it is made again.
    pub(super) fn is_made_for(&self, value: ValueId, inst: InstId) -> bool {
        let made = self.made_at(value).and_then(|made| self.places.get(&made));
        made.is_some_and(|place| *place <= self.places[&inst])
    }

    /// What the group of an instruction reads behind its barrier, in order.
    pub(super) fn kept(&self, inst: InstId) -> BTreeSet<ValueId> {
        let group = self.groups[&inst];
        let members = self.groups.iter().filter(|(_, own)| **own == group).map(|(member, _)| *member);
        let members: Vec<InstId> = members.collect();
        let first = members.iter().map(|member| self.places[member]).min();
        let is_there = |value: &ValueId| self.made_at(*value).is_none_or(|made| self.position[made] < first);
        let mut kept = BTreeSet::new();
        for member in members {
            let operands = &self.body.insts[member].operands;
            let old = operands.iter().copied().filter(|value| !self.is_made_for(*value, member));
            let old = old.filter(|value| self.depends[*value] && is_there(value));
            let is_alone = operands
                .iter()
                .all(|value| !self.is_made_for(*value, member) && !self.is_made_of_more(*value));
            kept.extend(old.filter(|value| is_alone || self.is_made_of_more(*value)));
        }
        kept
    }

    /// The operand of a reader that is made last.
    pub(super) fn cotangent(&self, reader: InstId) -> Option<ValueId> {
        let operands = self.body.insts[reader].operands.iter().copied();
        let made = operands.filter(|value| self.depends[*value]).filter_map(|value| {
            let made = self.made_at(value).filter(|made| !self.places.contains_key(made))?;
            Some((self.position[made]?, value))
        });
        made.max().map(|(_, value)| value)
    }

    /// Whether a value is made of an argument, and is none.
    fn is_made_of_more(&self, value: ValueId) -> bool {
        self.depends[value] && self.made_at(value).is_some()
    }

    fn made_at(&self, value: ValueId) -> Option<InstId> {
        match self.body.values[value].def {
            Def::Result(inst, _) => Some(inst),
            Def::Argument(..) => None,
        }
    }

    /// Readers stand behind what they read, so that the last values come first.
    fn find_places(&mut self, again: &MadeAgain) {
        let mut uses: Vec<(usize, ValueId, InstId)> = Vec::new();
        for (value, reader) in again {
            let made = self.made_at(*value).and_then(|made| self.position[made]);
            uses.extend(made.map(|made| (made, *value, *reader)));
        }
        uses.sort_unstable();
        for (made, value, reader) in uses.into_iter().rev() {
            let Some(at) = self.position[reader].filter(|at| *at > made && self.reads[*at].contains(&value))
            else {
                continue;
            };
            let place = self.places.get(&reader).copied().unwrap_or(at);
            let Some(inst) = self.made_at(value).filter(|inst| !has_effects(self.body, *inst)) else {
                continue;
            };
            let own = self.places.entry(inst).or_insert(place);
            *own = place.min(*own);
        }
    }

    fn find_groups(&mut self) {
        let mut in_order: Vec<InstId> = self.places.keys().copied().collect();
        in_order.sort_by_key(|inst| self.position[*inst]);
        let mut groups: BTreeMap<InstId, InstId> = BTreeMap::new();
        for inst in in_order {
            groups.insert(inst, inst);
            let made_for = |value: &&ValueId| self.is_made_for(**value, inst);
            let read = self.body.insts[inst]
                .operands
                .iter()
                .filter(made_for)
                .filter_map(|value| self.made_at(*value));
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
    fn find_moved(&mut self, insts: &[InstId]) {
        let mut readers: Table<ValueId, Vec<usize>> = Table::filled(Vec::new(), self.body.values.len());
        for (at, read) in self.reads.iter().enumerate() {
            read.iter().for_each(|value| readers[*value].push(at));
        }
        let mut in_order: Vec<InstId> = self.places.keys().copied().collect();
        in_order.sort_by_key(|inst| std::cmp::Reverse(self.position[*inst]));
        for inst in in_order {
            let place = self.places[&inst];
            let reads_first = |value: ValueId, at: usize| {
                let reader = insts[at];
                let runs_again = self.places.contains_key(&reader);
                (at < place && !self.moved.contains(&reader))
                    || (runs_again && !self.is_made_for(value, reader))
            };
            let mut results = self.body.insts[inst].results.iter();
            if !results.any(|value| readers[*value].iter().any(|at| reads_first(*value, *at))) {
                self.moved.insert(inst);
            }
        }
    }
}

/// Whether an instruction, or one in its regions, has side effects.
fn has_effects(body: &Body, inst: InstId) -> bool {
    let inside = body.insts[inst].regions.iter().flat_map(|region| body.walk(*region));
    std::iter::once(inst).chain(inside).any(|inst| body.insts[inst].op.has_side_effects())
}

/// The values that an instruction reads, in its regions too.
fn reads(body: &Body, inst: InstId) -> Vec<ValueId> {
    let content = &body.insts[inst];
    let mut read = content.operands.clone();
    if !content.regions.is_empty() {
        read.extend(body.view(inst).captured());
    }
    read
}

/// Whether each value is made of an argument of the function, or is one.
fn made_of_arguments(body: &Body, insts: &[InstId], reads: &[Vec<ValueId>]) -> Table<ValueId, bool> {
    let mut depends = Table::filled(false, body.values.len());
    body.regions[body.entry()].args.iter().for_each(|arg| depends[*arg] = true);
    for (inst, read) in insts.iter().zip(reads) {
        if read.iter().any(|value| depends[*value]) {
            body.insts[*inst].results.iter().for_each(|result| depends[*result] = true);
        }
    }
    depends
}
