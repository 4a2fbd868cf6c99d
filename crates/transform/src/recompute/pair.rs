//! Pairs of loops over the layers of a model: one runs forward and stacks what the other reads from the end.
//!
//! Input: a body with calls inlined. Output: [`Pair`]s. All that a turn of the backward loop reads of the stacks was
//! written in one turn of the forward loop, so that both turns together are one layer: a [`Link`] says which value of the
//! forward body a value of the backward body is.
//!
//! ```text
//! while(%i = 0, %x = %h, %s = ..) of 4            while(%k = 0, %dy = %d, %t = %s) of 4
//!   %w = dynamic_slice %ws, %i                      %n = subtract 3, %k
//!   %u = dot %x, %w                                 %r = dynamic_slice %t, %n
//!   %p = reshape %u                                 %v = reshape %r                  %v is %u, and %i is %n
//!   .. = dynamic_update_slice %s, %p, %i            ..
//! ```
//!
//! What the forward body makes of nothing but its counter, constants and its parts of other stacks, such as the layer's
//! parameters, the backward body has as well ([`Pair::there`]).

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::loops::{Access, Affine, Carried, Counter, Scan, Way, scan};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def};
use meshwright_tensor::types::ElementType;
use std::collections::{BTreeMap, BTreeSet};

/// A forward loop, and the backward loop that reads its stacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The loop that stacks.
    pub forward: InstId,
    /// The loop that reads the stacks.
    pub backward: InstId,
    /// How often the backward loop's body runs.
    pub trip_count: u64,
    /// What both bodies have.
    pub links: Vec<Link>,
    /// Instructions of the forward body that the backward body can have at no price.
    pub there: BTreeSet<InstId>,
    /// Parts of other stacks that both bodies read: values of the forward body, and the reads of the backward body.
    pub(super) parts: Vec<(ValueId, InstId)>,
    /// Instructions of both bodies that make the same, of which the backward body needs none of its own.
    pub(super) equal: Vec<[InstId; 2]>,
    /// The stacks that the bodies write, as they carry them.
    pub(super) stacks: BTreeSet<ValueId>,
    /// The forward loop's counter, by that of the backward loop.
    pub(super) counter: Affine,
    /// The number of the forward loop's turn, by its counter.
    pub(super) turn: Affine,
    /// Positions of the counters among what the two loops carry.
    pub(super) counters: [usize; 2],
    /// Turns of the forward loop.
    pub(super) turns: usize,
}

/// A value of the forward body that the backward body reads from a stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The value of the forward body.
    pub value: ValueId,
    /// The values of the backward body that are this one.
    pub same: Vec<ValueId>,
    /// Whether the stack is read elsewhere too.
    pub is_shared: bool,
    /// The stack's position among what the forward loop carries.
    pub(super) stack: usize,
    /// The dim of the stack along which turns have parts, and the position of the part by the forward loop's turn.
    pub(super) part: (usize, Affine),
    /// The instructions that only bring the value to the stack, the write being the last.
    pub writes: Vec<InstId>,
    /// Those that read it, and give it its shape again.
    pub reads: Vec<InstId>,
}

impl Pair {
    /// Returns whether a result of the forward loop is a stack that only the backward loop reads.
    pub fn stacks_alone(&self, index: usize) -> bool {
        self.links.iter().any(|link| link.stack == index && !link.is_shared)
    }

    /// Returns whether a value is a stack that one of the bodies writes.
    pub fn is_stack(&self, value: ValueId) -> bool {
        self.stacks.contains(&value)
    }
}

/// All pairs of a body, in the order of their backward loops. No loop is in two of them.
pub fn pairs(body: &Body) -> Vec<Pair> {
    let region_of = body.region_of();
    let loops: BTreeMap<InstId, Scan> =
        body.walk(body.entry()).into_iter().filter_map(|inst| Some((inst, scan(body.view(inst))?))).collect();
    let finder = Finder { body, uses: body.uses(), loops: &loops };
    let mut taken: BTreeSet<InstId> = BTreeSet::new();
    let mut found = Vec::new();
    for inst in body.walk(body.entry()) {
        let forward = finder.stacked_by(inst).into_iter().find(|forward| !taken.contains(forward));
        let Some(forward) = forward.filter(|forward| region_of[*forward] == region_of[inst]) else {
            continue;
        };
        if let Some(pair) = finder.pair(forward, inst).filter(|_| !taken.contains(&inst)) {
            taken.extend([forward, inst]);
            found.push(pair);
        }
    }
    found
}

struct Finder<'a> {
    body: &'a Body,
    uses: Table<ValueId, Vec<(InstId, usize)>>,
    loops: &'a BTreeMap<InstId, Scan>,
}

impl Finder<'_> {
    /// The loops that write stacks which a loop reads.
    fn stacked_by(&self, backward: InstId) -> BTreeSet<InstId> {
        let Some(scan) = self.loops.get(&backward) else { return BTreeSet::new() };
        let written = |access: &Access| self.write(backward, scan, access).map(|(forward, _)| forward);
        scan.accesses.iter().filter_map(written).collect()
    }

    /// The write of another loop that a read reads. A loop that writes over the stack itself may only do so where it has
    /// read in that turn.
    fn write(&self, backward: InstId, scan: &Scan, read: &Access) -> Option<(InstId, Access)> {
        let is_elsewhere = |other: &Access| {
            other.way == Way::Write
                && other.carried == read.carried
                && (other.dim, other.size, other.at) != (read.dim, read.size, read.at)
        };
        if read.carried.is_some() && scan.accesses.iter().any(is_elsewhere) {
            return None;
        }
        let before = scan.before(&self.body.view(backward), read);
        let Def::Result(forward, index) = self.body.values[before].def else { return None };
        let is_write = |access: &&Access| access.way == Way::Write && access.carried == Some(index);
        let mut writes = self.loops.get(&forward)?.accesses.iter().filter(is_write);
        let write = *writes.next()?;
        let is_part = read.way == Way::Read && read.dim == write.dim && [read.size, write.size] == [1, 1];
        (is_part && writes.next().is_none()).then_some((forward, write))
    }

    fn pair(&self, forward: InstId, backward: InstId) -> Option<Pair> {
        let (first, second) = (&self.loops[&forward], &self.loops[&backward]);
        if !self.body.view(forward).operand_types().all(|ty| ty.as_tensor().is_some()) {
            return None;
        }
        // The backward body computes the forward loop's counter and turn from its own counter.
        let counts_in = |inst: InstId, scan: &Scan| self.body.view(inst).operand(scan.counter.index).element;
        let [element, other] = [counts_in(forward, first), counts_in(backward, second)];
        if element != other || !matches!(element, ElementType::I32 | ElementType::I64) {
            return None;
        }
        let mut turn_of = None;
        let mut linked: Vec<(Access, &Access)> = Vec::new();
        for read in &second.accesses {
            let Some((_, write)) = self.write(backward, second, read).filter(|found| found.0 == forward)
            else {
                continue;
            };
            let Some(turn) = turn_of_write(&write, read).filter(|turn| is_within(*turn, first, second))
            else {
                continue;
            };
            if *turn_of.get_or_insert(turn) == turn {
                linked.push((write, read));
            }
        }
        let turn_of = turn_of?;
        let reads: BTreeSet<InstId> = linked.iter().map(|(_, read)| read.inst).collect();
        let link = |(write, read): &(Access, &Access)| self.link(forward, backward, write, read, &reads);
        let links: Vec<Link> = linked.iter().map(link).collect::<Option<_>>()?;
        let written = |scan: &'_ Scan| -> Vec<ValueId> {
            let writes = scan.accesses.iter().filter(|access| access.way == Way::Write);
            writes.map(|access| access.stack).collect()
        };
        let stacks: BTreeSet<ValueId> = written(first).into_iter().chain(written(second)).collect();
        let counter = composed(counts(first.counter), composed(turn_of, turns(second.counter)?)?)?;
        Some(Pair {
            forward,
            backward,
            trip_count: second.counter.trip_count,
            links,
            there: self.there(forward, first, &stacks),
            parts: self.parts([forward, backward], turn_of),
            equal: Vec::new(),
            stacks,
            counter,
            turn: turns(first.counter)?,
            counters: [first.counter.index, second.counter.index],
            turns: usize::try_from(first.counter.trip_count).ok()?,
        })
    }

    /// The link of a write and a read; `reads` are those of all links.
    fn link(
        &self,
        forward: InstId,
        backward: InstId,
        write: &Access,
        read: &Access,
        reads: &BTreeSet<InstId>,
    ) -> Option<Link> {
        let body = self.body;
        let part = *body.insts[write.inst].operands.get(1)?;
        let result = *body.insts[read.inst].results.first()?;
        let stack = write.carried?;
        let is_shared = self.is_shared(forward, backward, stack, reads);
        let plain = Link {
            value: part,
            same: vec![result],
            is_shared,
            stack,
            part: (write.dim, write.at),
            writes: vec![write.inst],
            reads: vec![read.inst],
        };
        Some(self.in_shape(&plain, part, result).unwrap_or(plain))
    }

    /// The link of the value in the shape in which both bodies have it.
    fn in_shape(&self, plain: &Link, part: ValueId, result: ValueId) -> Option<Link> {
        let relabel = relabeled(self.body, part).filter(|_| self.uses[part].len() == 1)?;
        let value = self.body.insts[relabel].operands[0];
        let readers: Vec<InstId> = self.uses[result].iter().map(|(reader, _)| *reader).collect();
        let is_value = |reader: &InstId| {
            let made = self.body.insts[*reader].results.first().copied();
            made.is_some_and(|made| {
                relabeled(self.body, made).is_some() && self.body.ty(made) == self.body.ty(value)
            })
        };
        readers.iter().all(is_value).then(|| Link {
            value,
            same: readers.iter().map(|reader| self.body.insts[*reader].results[0]).collect(),
            writes: [relabel].iter().chain(&plain.writes).copied().collect(),
            reads: plain.reads.iter().chain(&readers).copied().collect(),
            ..plain.clone()
        })
    }

    /// Whether anything but what these parts hold is read of a stack.
    fn is_shared(&self, forward: InstId, backward: InstId, stack: usize, parts: &BTreeSet<InstId>) -> bool {
        let body = self.body;
        let result = body.insts[forward].results[stack];
        let [own, inside] = [forward, backward].map(|inst| &body.regions[body.insts[inst].regions[1]]);
        let is_read_by_both = self.uses[own.args[stack]].len() > 1;
        let is_part = |inst: &InstId| parts.contains(inst);
        let is_other = |inst: &InstId| !is_part(inst) && Some(inst) != inside.insts.last();
        let is_elsewhere = |(inst, index): &(InstId, usize)| {
            *inst != backward
                || !self.uses[body.insts[backward].results[*index]].is_empty()
                || self.uses[inside.args[*index]].iter().any(|(inst, _)| is_other(inst))
        };
        let captures = self.uses[result].iter().filter(|(inst, _)| is_part(inst)).count();
        is_read_by_both
            || self.uses[result].iter().filter(|(inst, _)| !is_part(inst)).any(is_elsewhere)
            || (captures > 0 && captures < self.uses[result].len())
    }

    /// Parts of stacks that both loops only read, in turns that belong together.
    fn parts(&self, pair: [InstId; 2], turn: Affine) -> Vec<(ValueId, InstId)> {
        let reads = |inst: InstId| -> Vec<(ValueId, &Access)> {
            let (view, scan) = (self.body.view(inst), &self.loops[&inst]);
            let is_unchanged =
                |access: &Access| access.carried.is_none_or(|index| view.returned(1)[index] == access.stack);
            let reads = scan.accesses.iter().filter(|access| access.way == Way::Read && is_unchanged(access));
            reads.map(|access| (scan.before(&view, access), access)).collect()
        };
        let first = reads(pair[0]);
        let mut parts = Vec::new();
        for (stack, own) in reads(pair[1]) {
            let is_same = |(other, access): &(ValueId, &Access)| {
                let ty = |inst: InstId| self.body.ty(self.body.insts[inst].results[0]);
                *other == stack
                    && access.dim == own.dim
                    && ty(access.inst) == ty(own.inst)
                    && composed(access.at, turn) == Some(own.at)
            };
            let found = first.iter().find(|part| is_same(part));
            parts.extend(found.map(|(_, access)| (self.body.insts[access.inst].results[0], own.inst)));
        }
        parts
    }

    /// Instructions of a forward body that are made of its counter, of constants, and of parts of stacks that it only reads.
    fn there(&self, forward: InstId, scan: &Scan, stacks: &BTreeSet<ValueId>) -> BTreeSet<InstId> {
        let body = self.body;
        let region = &body.regions[body.insts[forward].regions[1]];
        let chains = region.args.iter().zip(&scan.carried).filter(|(_, kind)| **kind == Carried::Chain);
        let mut inside: BTreeSet<ValueId> =
            chains.map(|(arg, _)| *arg).chain(stacks.iter().copied()).collect();
        let mut known = Known::default();
        known.numbers.insert(region.args[scan.counter.index]);
        let mut there = BTreeSet::new();
        for inst in &region.insts {
            if known.is_there(body, *inst, &inside) {
                there.insert(*inst);
                known.add(body, *inst);
            }
            inside.extend(&body.insts[*inst].results);
        }
        there
    }
}

/// Values of a forward body that the backward body has too.
#[derive(Default)]
struct Known {
    /// Single elements made of the counter and of constants, the counter itself included.
    numbers: BTreeSet<ValueId>,
    /// Parts of stacks.
    parts: BTreeSet<ValueId>,
}

impl Known {
    fn is_there(&self, body: &Body, inst: InstId, inside: &BTreeSet<ValueId>) -> bool {
        let content = &body.insts[inst];
        let is_number = |value: &ValueId| self.numbers.contains(value);
        if content.op.has_side_effects() || !content.regions.is_empty() || content.results.len() != 1 {
            return false;
        }
        match (&content.op, content.operands.as_slice()) {
            (Op::Return(_), _) => false,
            (_, []) => true,
            (Op::DynamicSlice(_), [stack, starts @ ..]) => {
                !inside.contains(stack) && starts.iter().all(is_number)
            }
            (Op::BroadcastInDim(_), [value]) => {
                is_number(value) || self.is_part_in_shape(body, content.results[0])
            }
            (Op::Reshape(_), [value]) => is_number(value) || self.parts.contains(value),
            (_, operands) => is_single(body, content.results[0]) && operands.iter().all(is_number),
        }
    }

    fn is_part_in_shape(&self, body: &Body, value: ValueId) -> bool {
        relabeled(body, value).is_some_and(|inst| self.parts.contains(&body.insts[inst].operands[0]))
    }

    fn add(&mut self, body: &Body, inst: InstId) {
        let content = &body.insts[inst];
        let result = content.results[0];
        let is_made_of_part = content.operands.first().is_some_and(|value| self.parts.contains(value));
        match content.op {
            Op::DynamicSlice(_) => self.parts.insert(result),
            _ if is_made_of_part => self.parts.insert(result),
            _ if is_single(body, result) => self.numbers.insert(result),
            _ => false,
        };
    }
}

fn is_single(body: &Body, value: ValueId) -> bool {
    body.ty(value).as_tensor().is_some_and(|ty| ty.num_elements() == 1)
}

/// The instruction that makes a value of another one by giving its dims other bounds alone.
fn relabeled(body: &Body, value: ValueId) -> Option<InstId> {
    let Def::Result(inst, _) = body.values[value].def else { return None };
    let content = &body.insts[inst];
    let elements = |value: ValueId| body.ty(value).as_tensor().map(|ty| ty.num_elements());
    let keeps_order = match &content.op {
        Op::Reshape(_) => true,
        Op::BroadcastInDim(broadcast) => {
            broadcast.dims.is_sorted() && elements(content.operands[0]) == elements(value)
        }
        _ => false,
    };
    keeps_order.then_some(inst)
}

/// The turn in which was written what a turn reads.
fn turn_of_write(write: &Access, read: &Access) -> Option<Affine> {
    let is_unit = |access: &Access| matches!(access.at.factor, 1 | -1);
    if !is_unit(write) || !is_unit(read) {
        return None;
    }
    let offset = read.at.offset.checked_sub(write.at.offset)?.checked_mul(write.at.factor)?;
    Some(Affine { factor: write.at.factor * read.at.factor, offset })
}

/// Whether all turns of the second loop are so turns of the first one.
fn is_within(turn: Affine, first: &Scan, second: &Scan) -> bool {
    let ends = [turn.at(0), turn.at(second.counter.trip_count - 1)];
    let all = 0..i64::try_from(first.counter.trip_count).unwrap_or(i64::MAX);
    ends.iter().all(|end| all.contains(end))
}

/// A counter, by the number of the turn.
fn counts(counter: Counter) -> Affine {
    Affine { factor: counter.step, offset: counter.start }
}

/// The number of the turn, by a counter that goes in steps of one.
fn turns(counter: Counter) -> Option<Affine> {
    let offset = counter.start.checked_mul(-counter.step)?;
    matches!(counter.step, 1 | -1).then_some(Affine { factor: counter.step, offset })
}

/// One function of another, unless its numbers are too large.
fn composed(outer: Affine, inner: Affine) -> Option<Affine> {
    let factor = outer.factor.checked_mul(inner.factor)?;
    let offset = outer.factor.checked_mul(inner.offset)?.checked_add(outer.offset)?;
    Some(Affine { factor, offset })
}
