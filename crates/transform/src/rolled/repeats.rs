//! Instructions that are repeated one layer behind the other, and what goes from turn to turn.
//!
//! Input: instructions in the order of layers, with their numbers. Output: the stretches that do the same in every turn, with
//! what each place of the first turn reads: of the turn itself, of the one before, of a layer of its own, or of all.

use meshwright_ir::ids::ValueId;
use meshwright_tensor::types::Type;
use std::collections::{BTreeMap, BTreeSet};

use super::alike::Numbers;
use super::order::{Flow, Run};

/// A result of an instruction of a turn: its position in the turn, and which of its results it is.
pub(super) type Made = (usize, usize);

/// Instructions of an order that do the same for one layer after the other.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// Position of the first one.
    pub(super) start: usize,
    /// How many there are for a layer.
    pub(super) length: usize,
    pub(super) turns: usize,
    /// What each instruction of a turn reads at each of its sites.
    pub(super) reads: Vec<Vec<Read>>,
    /// What one turn leaves for the next.
    pub(super) carried: Vec<Carried>,
    /// Values from around it of which each turn reads its own, turn by turn.
    pub(super) layers: Vec<Vec<ValueId>>,
}

/// A value that a turn reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// What the turn has made itself.
    Own,
    /// The same of all turns.
    Around(ValueId),
    /// What the turn before has left.
    Carried(usize),
    /// One of values of which each turn has its own.
    Layer(usize),
}

/// A value that goes from turn to turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Carried {
    /// What the first turn reads.
    pub(super) init: ValueId,
    /// What a turn leaves.
    pub(super) made: Made,
}

impl Loop {
    pub(super) fn end(&self) -> usize {
        self.start + self.turns * self.length
    }

    /// Instructions that it stands for beside those of a turn.
    fn saves(&self) -> usize {
        (self.turns - 1) * self.length
    }
}

/// Fewer instructions than this are no layer: reading them from stacks, and writing them back, takes as many.
const FEWEST: usize = 8;

/// Bytes of a value that is put together with others at no cost.
const SMALL: usize = 1024;

/// Instructions of a loop beside those of its turns.
const AROUND: usize = 8;

/// Places before a first read at which a layer may begin, and places at which a loop may, that are tried.
const TRIED: usize = 256;

/// An order of the instructions, and the loops that are in it.
pub(super) struct Repeats {
    pub(super) order: Vec<usize>,
    pub(super) loops: Vec<Loop>,
}

impl Repeats {
    /// The order in which most instructions are in loops.
    pub(super) fn of(flow: &Flow<'_>) -> Self {
        let mut numbers = Numbers::new(flow.body);
        let kinds: Vec<usize> = flow.insts.iter().map(|inst| numbers.of(*inst)).collect();
        let mut best = Self { order: (0..flow.insts.len()).collect(), loops: Vec::new() };
        for order in flow.orders() {
            let loops = Search::of(flow, &order, &kinds).loops();
            let saved =
                |loops: &[Loop]| loops.iter().map(|own| own.saves().saturating_sub(AROUND)).sum::<usize>();
            if saved(&loops) > saved(&best.loops) {
                best = Self { order, loops };
            }
        }
        best
    }
}

struct Search<'a> {
    flow: &'a Flow<'a>,
    order: &'a [usize],
    /// Kinds of instructions in this order.
    kinds: Vec<usize>,
    /// Where each instruction is in this order.
    place: Vec<usize>,
}

/// Positions that may be turns of a loop.
#[derive(Clone, Copy)]
struct Stretch {
    start: usize,
    end: usize,
    length: usize,
}

impl Stretch {
    fn turns(&self) -> usize {
        (self.end - self.start) / self.length
    }
}

impl<'a> Search<'a> {
    fn of(flow: &'a Flow<'a>, order: &'a [usize], kinds: &[usize]) -> Self {
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, own)| place[*own] = at);
        Self { flow, order, kinds: order.iter().map(|own| kinds[*own]).collect(), place }
    }

    fn loops(&self) -> Vec<Loop> {
        let mut loops: Vec<Loop> = Vec::new();
        for run in self.flow.runs(self.order) {
            let from = loops.last().map_or(0, Loop::end);
            loops.extend(self.loop_of(&run, from));
        }
        loops
    }

    /// The loop behind a position in which the layers of a run are.
    fn loop_of(&self, run: &Run, from: usize) -> Option<Loop> {
        let mut stretches: BTreeMap<(usize, usize), Stretch> = BTreeMap::new();
        for first in run.firsts.iter().filter(|first| **first > from) {
            let before = (from..*first).rev().filter(|at| self.kinds[*at] == self.kinds[*first]);
            for at in before.take(TRIED) {
                let length = first - at;
                if length >= FEWEST {
                    let found = self.stretch(at, length, from);
                    stretches.entry((found.start, length)).or_insert(found);
                }
            }
        }
        let mut stretches: Vec<Stretch> = stretches.into_values().filter(|found| found.turns() > 1).collect();
        stretches.sort_by_key(|found| (std::cmp::Reverse((found.turns() - 1) * found.length), found.length));
        let mut best: Option<Loop> = None;
        for stretch in stretches {
            for turns in (2..=stretch.turns()).rev() {
                if best.as_ref().is_some_and(|best| best.saves() >= (turns - 1) * stretch.length) {
                    break;
                }
                if let Some(found) = self.in_stretch(stretch, turns) {
                    best = Some(found);
                    break;
                }
            }
        }
        best
    }

    /// All that repeats around a position after so many instructions.
    fn stretch(&self, at: usize, length: usize, from: usize) -> Stretch {
        let is_alike = |at: usize| self.kinds[at] == self.kinds[at + length];
        let (mut start, mut end) = (at, at);
        while start > from && is_alike(start - 1) {
            start -= 1;
        }
        while end + length < self.kinds.len() && is_alike(end) {
            end += 1;
        }
        Stretch { start, end: end + length, length }
    }

    /// The loop of so many turns in a stretch that carries least.
    fn in_stretch(&self, stretch: Stretch, turns: usize) -> Option<Loop> {
        let last = stretch.end - turns * stretch.length;
        let starts = (stretch.start..=last).take(TRIED);
        let found = starts.filter_map(|start| self.turns(start, stretch.length, turns));
        found.min_by_key(|found| (self.weight(found), found.start))
    }

    /// Bytes that go from turn to turn, and that turns leave for what is behind them.
    fn weight(&self, found: &Loop) -> usize {
        let bytes = |value: ValueId| self.flow.body.ty(value).as_tensor().map_or(0, |ty| ty.num_bytes());
        let carried: BTreeSet<Made> = found.carried.iter().map(|carried| carried.made).collect();
        let carried = carried.iter().map(|made| bytes(self.value(found, 0, *made))).sum::<usize>();
        let layers = found.layers.iter().flatten();
        let put_together =
            layers.filter(|value| self.flow.made[**value].is_some()).map(|value| bytes(*value));
        carried + put_together.sum::<usize>()
    }

    /// A result of an instruction of a turn.
    fn value(&self, of: &Loop, turn: usize, (at, result): Made) -> ValueId {
        let inst = self.flow.insts[self.order[of.start + turn * of.length + at]];
        self.flow.body.insts[inst].results[result]
    }

    /// So many turns from a position on, if each reads what the others do.
    fn turns(&self, start: usize, length: usize, turns: usize) -> Option<Loop> {
        // Tokens and tuples are in no stack, and there are none to begin with.
        let mut results = (start..start + length)
            .flat_map(|at| &self.flow.body.insts[self.flow.insts[self.order[at]]].results);
        if results.any(|value| self.flow.body.ty(*value).as_tensor().is_none()) {
            return None;
        }
        let mut found =
            Loop { start, length, turns, reads: Vec::new(), carried: Vec::new(), layers: Vec::new() };
        for at in 0..length {
            let all = |turn: usize| &self.flow.sites[self.order[start + turn * length + at]];
            let reads = (0..all(0).len()).map(|site| {
                let values: Vec<ValueId> = (0..turns).map(|turn| all(turn)[site].value).collect();
                self.read(&mut found, values)
            });
            let reads: Option<Vec<Read>> = reads.collect();
            found.reads.push(reads?);
        }
        Some(found)
    }

    /// The turn that makes a value, and which of its results it is.
    fn made_in(&self, of: &Loop, value: ValueId) -> Option<(usize, Made)> {
        let (maker, result) = self.flow.made[value]?;
        let at = self.place[maker].checked_sub(of.start).filter(|at| *at < of.turns * of.length)?;
        Some((at / of.length, (at % of.length, result)))
    }

    /// What turns read at a site, each its own value.
    fn read(&self, found: &mut Loop, values: Vec<ValueId>) -> Option<Read> {
        let made: Vec<Option<(usize, Made)>> =
            values.iter().map(|value| self.made_in(found, *value)).collect();
        if made.iter().all(Option::is_none) {
            if values.iter().all(|value| *value == values[0]) {
                return Some(Read::Around(values[0]));
            }
            let ty: &Type = self.flow.body.ty(values[0]);
            let are_alike = values.iter().all(|value| self.flow.body.ty(*value) == ty);
            if !self.are_in_order(&values) {
                return None;
            }
            let is_small = ty.as_tensor().filter(|_| are_alike)?.num_bytes() <= SMALL;
            if !is_small && values.iter().any(|value| self.flow.apart.contains(value)) {
                return None;
            }
            return Some(Read::Layer(number(&mut found.layers, values)));
        }
        let (turn, first) = made[1]?;
        let is_of = |(own, made): (usize, &Option<(usize, Made)>), back: usize| {
            made.is_some_and(|(turn, made)| turn + back == own && made == first)
        };
        if turn == 1 && made.iter().enumerate().all(|own| is_of(own, 0)) {
            return Some(Read::Own);
        }
        if made[0].is_none() && made.iter().enumerate().skip(1).all(|own| is_of(own, 1)) {
            let carried = Carried { init: values[0], made: first };
            return Some(Read::Carried(number(&mut found.carried, carried)));
        }
        None
    }
}

impl Search<'_> {
    /// Whether values that are layers follow one another, up or down, as those of one stack do.
    fn are_in_order(&self, values: &[ValueId]) -> bool {
        let ranks: Vec<Option<usize>> =
            values.iter().map(|value| self.flow.ranks.get(value).copied()).collect();
        let are_next =
            |one: Option<usize>, other: Option<usize>| other.is_some() && one.map(|one| one + 1) == other;
        let is_up = || ranks.windows(2).all(|pair| are_next(pair[0], pair[1]));
        let is_down = || ranks.windows(2).all(|pair| are_next(pair[1], pair[0]));
        ranks.iter().all(Option::is_none) || is_up() || is_down()
    }
}

/// The number of something in a list, in which it is afterwards.
fn number<T: PartialEq>(all: &mut Vec<T>, one: T) -> usize {
    all.iter().position(|own| *own == one).unwrap_or_else(|| {
        all.push(one);
        all.len() - 1
    })
}
