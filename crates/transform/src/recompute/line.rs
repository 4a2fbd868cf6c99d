//! Instructions in one line, as they are looked at when some of them are to run again.
//!
//! Input: a body; its entry region, or a [`Pair`] of loops. Output: a [`Line`]: what runs behind what, and what each
//! instruction reads. In the line of a pair the forward body is followed by the backward body, as one layer by its gradient,
//! and what stands between them (stacks that are written and read) is left out: the backward body reads the values of the
//! forward body themselves. What the two loops carry from turn to turn is made where their bodies begin, as by the loops.

use super::pair::Pair;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def};
use std::collections::{BTreeMap, BTreeSet};

/// Instructions in one line.
pub struct Line<'a> {
    /// The body that they stand in.
    pub body: &'a Body,
    /// The instructions in order.
    pub insts: Vec<InstId>,
    /// What each of them reads.
    pub reads: Vec<Vec<ValueId>>,
    /// Where the backward body begins, in the line of a pair.
    pub backward: Option<usize>,
    /// The position of each instruction.
    position: Table<InstId, Option<usize>>,
    /// Where each value is made; `None` where it is there from the start.
    made: Table<ValueId, Option<usize>>,
    /// Values that are others of the line.
    same: BTreeMap<ValueId, ValueId>,
    /// Whether each value is made of an argument.
    depends: Table<ValueId, bool>,
    /// Values that are there when they are read for the first time, and never again: stacks that are written.
    fixed: BTreeSet<ValueId>,
    /// What a backward body makes of what its loop carries, stacks left out: cotangents.
    cotangents: BTreeSet<ValueId>,
}

impl<'a> Line<'a> {
    /// The function's own region.
    pub fn of_entry(body: &'a Body) -> Self {
        let mut line = Self::empty(body);
        let entry = &body.regions[body.entry()];
        entry.args.iter().for_each(|arg| line.depends[*arg] = true);
        entry.insts.iter().for_each(|inst| line.push(*inst));
        line
    }

    /// A layer: the bodies of both loops of a pair.
    pub fn of_pair(body: &'a Body, pair: &Pair) -> Self {
        let mut line = Self::empty(body);
        let mut left_out: BTreeSet<InstId> = pair.there.clone();
        for link in &pair.links {
            left_out.extend(&link.reads);
            left_out.extend(link.writes.iter().filter(|_| !link.is_shared));
            line.same.extend(link.same.iter().map(|value| (*value, link.value)));
        }
        // What is a value by one link may only lead to the stack by another.
        for link in &pair.links {
            let maker = line.maker(link.value);
            maker.filter(|maker| !pair.there.contains(maker)).map(|maker| left_out.remove(&maker));
        }
        for (value, read) in &pair.parts {
            line.same.insert(body.insts[*read].results[0], *value);
        }
        for [first, second] in &pair.equal {
            left_out.insert(*second);
            let results = body.insts[*second].results.iter().zip(&body.insts[*first].results);
            line.same.extend(results.map(|(result, first)| (*result, *first)));
        }
        line.follow(pair);
        line.fixed.clone_from(&pair.stacks);
        for (inst, counter) in [pair.forward, pair.backward].into_iter().zip(pair.counters) {
            line.backward = Some(line.insts.len());
            line.begin(inst, counter);
            if inst == pair.backward {
                line.begin_cotangents();
            }
            let region = body.insts[inst].regions[1];
            let all = body.regions[region].insts.iter();
            all.filter(|inst| !left_out.contains(inst)).for_each(|inst| line.push(*inst));
        }
        line
    }

    /// What is made of more than constants and counters; all that the forward body makes has to be kept or made again.
    fn follow(&mut self, pair: &Pair) {
        let body = self.body;
        self.depends = Table::filled(true, body.values.len());
        for (inst, counter) in [pair.forward, pair.backward].into_iter().zip(pair.counters) {
            let region = &body.regions[body.insts[inst].regions[1]];
            self.depends[region.args[counter]] = false;
            for inside in &region.insts {
                let is_made = inst == pair.forward && !pair.there.contains(inside);
                let depends = is_made || reads(body, *inside).iter().any(|value| self.depends[*value]);
                body.insts[*inside].results.iter().for_each(|result| self.depends[*result] = depends);
            }
        }
    }

    fn empty(body: &'a Body) -> Self {
        Self {
            body,
            insts: Vec::new(),
            reads: Vec::new(),
            backward: None,
            position: Table::filled(None, body.insts.len()),
            made: Table::filled(None, body.values.len()),
            same: BTreeMap::new(),
            depends: Table::filled(false, body.values.len()),
            fixed: BTreeSet::new(),
            cotangents: BTreeSet::new(),
        }
    }

    /// Appends an instruction.
    fn push(&mut self, inst: InstId) {
        let at = self.insts.len();
        let reads: Vec<ValueId> = reads(self.body, inst).into_iter().map(|value| self.is(value)).collect();
        let depends = reads.iter().any(|value| self.depends[*value]);
        for result in &self.body.insts[inst].results {
            self.made[*result] = Some(at);
            self.depends[*result] |= depends;
        }
        let is_cotangent = reads.iter().any(|value| self.cotangents.contains(value));
        if is_cotangent && !reads.iter().any(|value| self.fixed.contains(value)) {
            self.cotangents.extend(&self.body.insts[inst].results);
        }
        self.position[inst] = Some(at);
        self.insts.push(inst);
        self.reads.push(reads);
    }

    /// What the backward loop carries from turn to turn are cotangents, unless it stacks them.
    fn begin_cotangents(&mut self) {
        let Some(view) = self.insts.last().map(|inst| self.body.view(*inst)) else { return };
        let carried = view.region(1).args.iter().copied();
        let changing = carried.filter(|arg| self.made[*arg].is_some() && !self.fixed.contains(arg));
        self.cotangents = changing.collect();
    }

    /// Appends the beginning of a loop's body: what it carries is made there, unless it counts or never changes.
    fn begin(&mut self, inst: InstId, counter: usize) {
        let view = self.body.view(inst);
        for (index, (arg, next)) in view.region(1).args.iter().zip(view.returned(1)).enumerate() {
            self.made[*arg] = (arg != next && index != counter).then_some(self.insts.len());
        }
        self.insts.push(inst);
        self.reads.push(Vec::new());
    }

    /// The value of the line that a value is.
    pub fn is(&self, value: ValueId) -> ValueId {
        self.same.get(&value).copied().unwrap_or(value)
    }

    /// Values that are others of the line, each with the one that it is.
    pub(super) fn others(&self) -> impl Iterator<Item = (ValueId, ValueId)> {
        self.same.iter().map(|(value, is)| (*value, *is))
    }

    /// Position of an instruction.
    pub fn position(&self, inst: InstId) -> Option<usize> {
        self.position[inst]
    }

    /// Position at which a value is made; `None` where it is there from the start.
    pub fn made(&self, value: ValueId) -> Option<usize> {
        self.made[value]
    }

    /// The instruction that makes a value, unless it is there from the start or carried by a loop.
    pub fn maker(&self, value: ValueId) -> Option<InstId> {
        match self.body.values[value].def {
            Def::Result(inst, _) => Some(inst),
            Def::Argument(..) => None,
        }
    }

    /// Returns whether a value is made of an argument, or is one.
    pub fn depends(&self, value: ValueId) -> bool {
        self.depends[value]
    }

    /// Returns whether an instruction may run twice: it has no side effects, and what it reads can be there again.
    pub fn may_repeat(&self, inst: InstId) -> bool {
        let Some(at) = self.position[inst].filter(|at| self.insts[*at] == inst) else { return false };
        self.body.effect_in(inst).is_none()
            && !self.reads[at].iter().any(|value| self.fixed.contains(value))
            && !matches!(self.body.insts[inst].op, Op::Return(_))
    }

    /// Returns whether a value can be made again for an instruction that reads it.
    pub(super) fn is_use(&self, value: ValueId, reader: InstId) -> bool {
        let (Some(at), Some(made)) = (self.position(reader), self.made(value)) else { return false };
        let may_repeat = self.maker(value).is_some_and(|inst| self.may_repeat(inst));
        may_repeat && at > made && self.reads[at].contains(&value)
    }

    /// Returns whether an instruction belongs to the backward body of a pair.
    pub fn is_backward(&self, inst: InstId) -> bool {
        self.position[inst].zip(self.backward).is_some_and(|(at, backward)| at > backward)
    }

    /// Returns whether a value may hold back what is made again for a reader of it: a cotangent, in the line of a pair.
    pub(super) fn may_hold_back(&self, value: ValueId) -> bool {
        self.backward.is_none() || self.cotangents.contains(&value)
    }

    /// The cotangent that is made last in front of a position of a pair and read there or behind.
    pub(super) fn cotangent_at(&self, place: usize) -> Option<ValueId> {
        let read = self.reads[place..].iter().flatten().copied();
        let is_made = |value: &ValueId| self.cotangents.contains(value) && self.made[*value] < Some(place);
        read.filter(is_made).max_by_key(|value| (self.made[*value], *value))
    }

    /// The instructions of the forward body of a pair, with their positions.
    pub fn forward(&self) -> impl Iterator<Item = (usize, InstId)> {
        let end = self.backward.unwrap_or(self.insts.len());
        self.insts[..end].iter().copied().enumerate().skip(1)
    }

    /// The instructions that read each value, in order.
    pub fn readers(&self) -> Table<ValueId, Vec<InstId>> {
        let mut readers: Table<ValueId, Vec<InstId>> = Table::filled(Vec::new(), self.body.values.len());
        for (inst, read) in self.insts.iter().zip(&self.reads) {
            for value in read {
                if readers[*value].last() != Some(inst) {
                    readers[*value].push(*inst);
                }
            }
        }
        readers
    }
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
