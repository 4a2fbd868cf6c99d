//! Value numbering: equal instructions, and in loops values that never change or are carried twice.
//!
//! Input: a body with calls inlined. Output: [`Numbered`]. Two values of one number hold the same elements: they are the
//! same result of the same op, with the same attributes, of operands and regions of the same numbers. The first
//! instruction of its number that is there (before it in its region, or in one around it) stands for an equal one. What
//! is left alone:
//!
//! - what has effects, or holds something that has; collectives; calls; what makes tokens;
//! - barriers that are kept, so that what is behind them differs from what is before;
//! - in a loop's body or a branch, what literals alone make, and what has more elements than what it is made of: it
//!   is made again in registers, and a copy from outside would have to lie in memory all the while. Its number is the
//!   same nevertheless, so that what reads it may be merged;
//! - functions of single elements (reducers).
//!
//! What a loop carries is at first taken for what it begins with, as if nothing ever changed. What the body does not
//! return as it was taken becomes a symbol, one for all that begin and change alike; this is repeated until all is as
//! it was taken. (Symbols are named by how deep the loop is and by position, so that equal loops have one number too.)
//!
//! The analysis crate has another numbering, which follows values from a loop's iterations into another loop's; this one
//! is for merging, so it asks what can be read where.

use super::{Barriers, barriers};
use meshwright_ir::attribute::Attributes;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Inst, InstView, Regions};
use meshwright_tensor::types::Type;
use rustc_hash::FxHashMap;

/// What is the same in a body.
pub(super) struct Numbered {
    /// The instruction that stands for each one, if that is another.
    pub(super) merged: Table<InstId, Option<InstId>>,
    /// What each loop carries.
    pub(super) carried: Table<InstId, Option<Vec<Carried>>>,
}

/// A value that a loop carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carried {
    /// It differs from all others.
    Own,
    /// It stays what it began with.
    Unchanged,
    /// It is always the same as the one at this position.
    Like(usize),
}

impl Numbered {
    /// Numbers all of a verified body.
    pub(super) fn new(body: &Body, fate: Barriers) -> Self {
        let merged = Table::filled(None, body.insts.len());
        let carried = Table::filled(None, body.insts.len());
        let mut numberer = Numberer {
            body,
            fate,
            known: FxHashMap::default(),
            is_free: Vec::new(),
            of: Table::filled(usize::MAX, body.values.len()),
            leaders: Vec::new(),
            hidden: Vec::new(),
            depth: 0,
            num_elementwise: 0,
            numbered: Self { merged, carried },
        };
        for arg in &body.regions[body.entry()].args {
            numberer.of[*arg] = numberer.fresh();
        }
        numberer.region(body.entry());
        numberer.numbered
    }
}

/// A class of values that are the same.
type Number = usize;

/// Loops inside so many others are numbered once: each level takes two or three times the work.
const DEEPEST: usize = 3;

/// Rounds after which all that a loop carries is taken to change.
const MOST_ROUNDS: usize = 4;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key<'a> {
    /// What a region is given.
    Symbol { depth: usize, index: usize, ty: &'a Type },
    /// The results of an instruction.
    Made {
        op: &'a Op,
        attributes: &'a Attributes,
        operands: Vec<Number>,
        types: Vec<&'a Type>,
        returned: Vec<Vec<Number>>,
    },
}

/// What is known of the regions of an instruction.
struct Inside {
    /// What each returns.
    returned: Vec<Vec<Number>>,
    has_effects: bool,
}

struct Numberer<'a> {
    body: &'a Body,
    fate: Barriers,
    known: FxHashMap<Key<'a>, Number>,
    /// Whether each number is made from literals alone.
    is_free: Vec<bool>,
    of: Table<ValueId, Number>,
    /// The instruction, and its region, that makes the values from each number on and can be read from here.
    leaders: Vec<Option<(InstId, RegionId)>>,
    /// Leaders to which others were preferred, or that are not there, outside of the region at hand; the latest last.
    hidden: Vec<(Number, Option<(InstId, RegionId)>)>,
    /// Number of regions with arguments around what is numbered.
    depth: usize,
    /// Number of functions of single elements among them.
    num_elementwise: usize,
    numbered: Numbered,
}

impl<'a> Numberer<'a> {
    /// As many new numbers as asked for.
    fn next(&mut self, count: usize, is_free: bool) -> Number {
        let first = self.is_free.len();
        self.is_free.resize(first + count, is_free);
        self.leaders.resize(first + count, None);
        first
    }

    /// The number of something like nothing else.
    fn fresh(&mut self) -> Number {
        self.next(1, false)
    }

    fn number(&mut self, key: Key<'a>, count: usize, is_free: bool) -> Number {
        if let Some(number) = self.known.get(&key) {
            return *number;
        }
        let number = self.next(count, is_free);
        self.known.insert(key, number);
        number
    }

    fn numbers(&self, values: &[ValueId]) -> Vec<Number> {
        values.iter().map(|value| self.of[*value]).collect()
    }

    /// Numbers what a region holds. What it returns, and whether anything in it has effects.
    fn region(&mut self, region: RegionId) -> (Vec<Number>, bool) {
        let body = self.body;
        let outside = self.hidden.len();
        let mut has_effects = false;
        for inst in &body.regions[region].insts {
            has_effects |= self.inst(*inst, region);
        }
        for (number, leader) in self.hidden.drain(outside..).rev() {
            self.leaders[number] = leader;
        }
        let returned = body.terminator(region).map_or(&[][..], |last| &last.operands);
        (self.numbers(returned), has_effects)
    }

    /// Numbers an instruction; whether it has effects.
    fn inst(&mut self, id: InstId, region: RegionId) -> bool {
        let view = self.body.view(id);
        let inst = view.inst;
        if barriers::is_dropped(inst, self.fate) {
            for (operand, result) in inst.operands.iter().zip(&inst.results) {
                self.of[*result] = self.of[*operand];
            }
            return false;
        }
        self.numbered.merged[id] = None;
        let Inside { returned, has_effects } = self.inside(&view);
        let has_effects = has_effects || inst.op.has_side_effects();
        if has_effects || !may_merge(&view) {
            for result in &inst.results {
                self.of[*result] = self.fresh();
            }
        } else {
            self.made(&view, returned, region);
        }
        if let Some(carried) = &self.numbered.carried[id] {
            for (index, carried) in carried.iter().enumerate() {
                match *carried {
                    Carried::Own => {}
                    Carried::Unchanged => self.of[inst.results[index]] = self.of[inst.operands[index]],
                    Carried::Like(other) => self.of[inst.results[index]] = self.of[inst.results[other]],
                }
            }
        }
        has_effects
    }

    /// Numbers what an instruction makes that may be merged.
    fn made(&mut self, view: &InstView<'a>, returned: Vec<Vec<Number>>, region: RegionId) {
        let inst = view.inst;
        let operands = self.numbers(&inst.operands);
        let is_literal = matches!(inst.op, Op::Constant(_) | Op::Iota(_));
        let is_made_of_free = !operands.is_empty() && operands.iter().all(|number| self.is_free[*number]);
        let types = view.result_types().collect();
        let key = Key::Made { op: &inst.op, attributes: &inst.attributes, operands, types, returned };
        let number = self.number(key, inst.results.len(), is_literal || is_made_of_free);
        for (index, result) in inst.results.iter().enumerate() {
            self.of[*result] = number + index;
        }
        if self.num_elementwise == 0 {
            self.merge(view, number, region);
        }
    }

    /// Has an instruction replaced by the one that stands for its number, or lets it stand for it.
    fn merge(&mut self, view: &InstView<'_>, number: Number, region: RegionId) {
        let stays_inside = self.is_free[number] || expands(view);
        match self.leaders[number] {
            Some((leader, other)) if other == region || !stays_inside => {
                self.numbered.merged[view.id] = Some(leader);
            }
            hidden => {
                self.hidden.push((number, hidden));
                self.leaders[number] = Some((view.id, region));
            }
        }
    }

    /// Numbers the regions of an instruction.
    fn inside(&mut self, view: &InstView<'a>) -> Inside {
        if view.inst.regions.is_empty() {
            return Inside { returned: Vec::new(), has_effects: false };
        }
        match view.regions() {
            Regions::Loop => self.whole_loop(view),
            Regions::Branches => self.regions(view, &[]),
            Regions::OfElements => {
                self.num_elementwise += 1;
                let inside = self.regions(view, &[]);
                self.num_elementwise -= 1;
                inside
            }
        }
    }

    /// Numbers regions whose arguments are these; symbols where none are given.
    fn regions(&mut self, view: &InstView<'a>, given: &[Number]) -> Inside {
        let mut inside = Inside { returned: Vec::new(), has_effects: false };
        self.depth += 1;
        for region in &view.inst.regions {
            for (index, arg) in self.body.regions[*region].args.iter().enumerate() {
                self.of[*arg] = match given.get(index) {
                    Some(number) => *number,
                    None => self.symbol(index, self.body.ty(*arg)),
                };
            }
            let (returned, has_effects) = self.region(*region);
            inside.returned.push(returned);
            inside.has_effects |= has_effects;
        }
        self.depth -= 1;
        inside
    }

    fn symbol(&mut self, index: usize, ty: &'a Type) -> Number {
        self.number(Key::Symbol { depth: self.depth, index, ty }, 1, false)
    }

    /// Numbers a loop, round by round, until what it returns is as it was taken.
    fn whole_loop(&mut self, view: &InstView<'a>) -> Inside {
        let inits = self.numbers(&view.inst.operands);
        if self.depth >= DEEPEST || !view.inst.attributes.is_empty() {
            return self.changing_loop(view);
        }
        let mut taken = inits.clone();
        for _ in 0..MOST_ROUNDS {
            let inside = self.regions(view, &taken);
            let next = self.refined(view, &inits, &taken, inside.returned.last().map_or(&[], Vec::as_slice));
            if next == taken {
                self.numbered.carried[view.id] = Some(kinds(&inits, &taken));
                return inside;
            }
            taken = next;
        }
        self.changing_loop(view)
    }

    /// Numbers a loop all of whose carried values are taken to change, each in its own way.
    fn changing_loop(&mut self, view: &InstView<'a>) -> Inside {
        self.numbered.carried[view.id] = None;
        self.regions(view, &[])
    }

    /// What the values that a loop carries are taken for next, if the body returned these.
    fn refined(
        &mut self,
        view: &InstView<'a>,
        inits: &[Number],
        taken: &[Number],
        returned: &[Number],
    ) -> Vec<Number> {
        self.depth += 1;
        let mut first: FxHashMap<(Number, Number), usize> = FxHashMap::default();
        let next = (0..inits.len()).map(|index| {
            let is_unchanged = returned[index] == taken[index] && taken[index] == inits[index];
            if is_unchanged {
                return inits[index];
            }
            let like = *first.entry((taken[index], returned[index])).or_insert(index);
            self.symbol(like, self.body.ty(view.inst.operands[index]))
        });
        let next = next.collect();
        self.depth -= 1;
        next
    }
}

/// What a loop carries, of which the numbers it begins with and has in all iterations are known.
fn kinds(inits: &[Number], taken: &[Number]) -> Vec<Carried> {
    let mut first: FxHashMap<Number, usize> = FxHashMap::default();
    let kind = |(index, (init, taken)): (usize, (&Number, &Number))| {
        if init == taken {
            return Carried::Unchanged;
        }
        match *first.entry(*taken).or_insert(index) {
            own if own == index => Carried::Own,
            other => Carried::Like(other),
        }
    };
    inits.iter().zip(taken).enumerate().map(kind).collect()
}

/// Whether an instruction without effects may be merged with an equal one.
fn may_merge(view: &InstView<'_>) -> bool {
    let Inst { op, results, .. } = view.inst;
    let is_apart = op.is_collective() || op.is_call() || matches!(op, Op::OptimizationBarrier(_));
    !is_apart && !results.is_empty() && view.result_types().all(|ty| ty.as_tensor().is_some())
}

/// Whether what an instruction makes has more elements than what it is made of.
fn expands(view: &InstView<'_>) -> bool {
    let count = |ty: &Type| ty.as_tensor().map_or(0, |tensor| tensor.num_elements());
    view.operand_types().map(count).sum::<usize>() < view.result_types().map(count).sum::<usize>()
}
