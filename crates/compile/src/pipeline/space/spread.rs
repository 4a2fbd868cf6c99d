//! The whole step from the short one: each of its segments is as the one that it is like.
//!
//! Input: both steps in the same microbatches, cut at all places, and the segment of the short one that each of the whole one
//! is like. Output: [`Spread`], which says for values and instructions of the whole step those of the short one; from there
//! its shardings, and what of it runs again. Segments are paired instruction by instruction, in the order of the program, and
//! with them what they read: arguments, what loops carry, and what is made anywhere.

use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::program::{Def, Function};
use meshwright_plan::Shardings;
use meshwright_stage::{Staged, Step};
use std::collections::BTreeMap;

/// What the short step has for values and instructions of the whole one.
pub(in crate::pipeline) struct Spread {
    pub(super) values: Table<ValueId, Option<ValueId>>,
    pub(in crate::pipeline) insts: Table<InstId, Option<InstId>>,
}

/// A step by segments.
struct Side<'a> {
    step: &'a Step<'a>,
    /// The segment of each instruction that is in one.
    home: Table<InstId, Option<usize>>,
    /// Instructions of each segment in the order of the program.
    insts: Vec<Vec<InstId>>,
}

impl<'a> Side<'a> {
    fn of(step: &'a Step<'a>, staged: &Staged) -> Self {
        let body = step.body();
        let mut home = Table::filled(None, body.insts.len());
        let inside = step.inside.iter().zip(&staged.stage).map(|(inst, own)| (*inst, *own));
        let behind = staged.update.sites.iter().map(|(inst, site)| (*inst, Some(site.stage)));
        inside.chain(behind).for_each(|(inst, segment)| home[inst] = segment);
        let mut insts = vec![Vec::new(); staged.count];
        let around = &body.regions[body.entry()].insts;
        for inst in step.inside.iter().chain(around) {
            if let Some(segment) = home[*inst] {
                insts[segment].push(*inst);
            }
        }
        Self { step, home, insts }
    }

    fn is_loop(&self, inst: InstId) -> bool {
        self.step.loops.iter().any(|(_, turns)| *turns == inst)
    }
}

impl Spread {
    /// None if a segment is not like the one that it should be like.
    pub(in crate::pipeline) fn of(
        whole: (&Step<'_>, &Staged),
        short: (&Step<'_>, &Staged),
        like: &[usize],
    ) -> Option<Self> {
        let (one, other) = (Side::of(whole.0, whole.1), Side::of(short.0, short.1));
        if one.insts.len() != like.len() || one.step.loops.len() != other.step.loops.len() {
            return None;
        }
        let body = one.step.body();
        let found = Self {
            values: Table::filled(None, body.values.len()),
            insts: Table::filled(None, body.insts.len()),
        };
        let mut pairs = Pairs { one: &one, other: &other, found };
        for (insts, own) in one.insts.iter().zip(like) {
            let others = other.insts.get(*own).filter(|others| others.len() == insts.len())?;
            let are_alike = insts.iter().zip(others).all(|(inst, twin)| pairs.inst(*inst, *twin));
            if !are_alike {
                return None;
            }
        }
        for ((_, inst), (_, twin)) in one.step.loops.iter().zip(&other.step.loops) {
            pairs.carried(*inst, *twin);
        }
        Some(pairs.found)
    }

    /// How `whole` is sharded if `short` is sharded so; none if that does not go together.
    pub(in crate::pipeline) fn shardings(
        &self,
        whole: &Function,
        short: &Function,
        found: &Shardings,
    ) -> Option<Shardings> {
        let values = self.values.iter().filter_map(|(value, twin)| Some((value, (*twin)?)));
        let insts = self.insts.iter().filter_map(|(inst, twin)| Some((inst, (*twin)?)));
        let mut own = found.carried_over(whole, values, insts);
        let mut results = BTreeMap::new();
        for (value, sharding) in short.returned().iter().zip(&found.results) {
            results.entry(*value).or_insert(sharding);
        }
        for (value, sharding) in whole.returned().iter().zip(&mut own.results) {
            match self.values[*value].map(|twin| results.get(&twin)) {
                Some(Some(known)) => sharding.clone_from(known),
                _ => sharding.clone_from(&own.values[*value]),
            }
        }
        own.verify(whole).is_empty().then_some(own)
    }
}

struct Pairs<'s, 'a> {
    one: &'s Side<'a>,
    other: &'s Side<'a>,
    found: Spread,
}

impl Pairs<'_, '_> {
    /// Pairs instructions with what they read and make. Returns whether they are alike.
    fn inst(&mut self, inst: InstId, twin: InstId) -> bool {
        let (body, short) = (self.one.step.body(), self.other.step.body());
        let (a, b) = (body.view(inst), short.view(twin));
        let is_like = a.inst.op.name() == b.inst.op.name()
            && a.inst.operands.len() == b.inst.operands.len()
            && a.inst.regions.len() == b.inst.regions.len()
            && a.operand_types().eq(b.operand_types())
            && a.result_types().eq(b.result_types());
        if !is_like {
            return false;
        }
        self.found.insts[inst] = Some(twin);
        let operands = a.inst.operands.iter().zip(&b.inst.operands);
        operands.for_each(|(value, twin)| self.value(*value, *twin));
        let results = a.inst.results.iter().zip(&b.inst.results);
        results.for_each(|(value, twin)| self.found.values[*value] = Some(*twin));
        a.inst.regions.iter().zip(&b.inst.regions).all(|(region, twin)| self.region(*region, *twin))
    }

    fn region(&mut self, region: RegionId, twin: RegionId) -> bool {
        let (own, other) = (&self.one.step.body().regions[region], &self.other.step.body().regions[twin]);
        if own.args.len() != other.args.len() || own.insts.len() != other.insts.len() {
            return false;
        }
        own.args.iter().zip(&other.args).for_each(|(value, twin)| self.found.values[*value] = Some(*twin));
        own.insts.iter().zip(&other.insts).all(|(inst, twin)| self.inst(*inst, *twin))
    }

    /// Pairs values that alike instructions read, with what they are outside of the loop, and with what makes them if that is
    /// in no segment.
    fn value(&mut self, value: ValueId, twin: ValueId) {
        let (one, other) = (self.one, self.other);
        if self.found.values[value].is_some() {
            return;
        }
        self.found.values[value] = Some(twin);
        let outside = (one.step.same(value), other.step.same(twin));
        if outside.0 != value && outside.1 != twin {
            self.value(outside.0, outside.1);
        }
        let (own, its) = (one.step.body().values[value].def, other.step.body().values[twin].def);
        if let (Def::Result(maker, index), Def::Result(twin, same)) = (own, its) {
            let is_anywhere = one.home[maker].is_none() && other.home[twin].is_none();
            if is_anywhere && index == same && !one.is_loop(maker) && !other.is_loop(twin) {
                self.inst(maker, twin);
            }
        }
    }

    /// Pairs what two loops carry, by what their turns read or hand on.
    fn carried(&mut self, inst: InstId, twin: InstId) {
        let (body, short) = (self.one.step.body(), self.other.step.body());
        let (a, b) = (&body.insts[inst], &short.insts[twin]);
        let ([_, turns], [_, others]) = (&a.regions[..], &b.regions[..]) else { return };
        let (Some(next), Some(twins)) = (body.terminator(*turns), short.terminator(*others)) else { return };
        let mut places: BTreeMap<ValueId, usize> = BTreeMap::new();
        for (index, (arg, next)) in short.regions[*others].args.iter().zip(&twins.operands).enumerate() {
            places.entry(*arg).or_insert(index);
            places.entry(*next).or_insert(index);
        }
        for index in 0..a.operands.len() {
            let arg = body.regions[*turns].args[index];
            let known = self.found.values[next.operands[index]].or(self.found.values[arg]);
            let Some(place) = known.and_then(|twin| places.get(&twin).copied()) else { continue };
            for (region, other) in a.regions.iter().zip(&b.regions) {
                let (own, twin) = (body.regions[*region].args[index], short.regions[*other].args[place]);
                self.found.values[own] = Some(twin);
            }
            self.found.values[a.results[index]] = Some(b.results[place]);
            if body.ty(a.operands[index]) == short.ty(b.operands[place]) {
                self.value(a.operands[index], b.operands[place]);
            }
        }
    }
}
