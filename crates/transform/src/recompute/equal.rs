//! Instructions of a backward body that make what the forward body has made: what a program with `remat` makes again itself.
//!
//! Input: a pair of loops of a body without barriers. Output: instructions of the forward body, each with one of the
//! backward body that is the same op on the same values. What is larger than what it is made of, as a broadcast is, stays in
//! both bodies: to keep it would take memory for it.

use super::pair::Pair;
use meshwright_ir::attribute::Attributes;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::Body;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// An instruction, by what it does to what.
#[derive(PartialEq, Eq, Hash)]
struct Key<'a> {
    op: &'a Op,
    attributes: &'a Attributes,
    operands: Vec<Read>,
    regions: Vec<Vec<Key<'a>>>,
}

/// A value that an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Read {
    /// One of the bodies, or around them.
    Value(ValueId),
    /// One of a region of the instruction, by the order in which they are made.
    Inside(usize),
}

/// The instructions that are equal, of the forward and of the backward body.
pub(super) fn equal(body: &Body, pair: &Pair) -> Vec<[InstId; 2]> {
    let mut finder = Finder { body, is: BTreeMap::new() };
    for inst in [pair.forward, pair.backward] {
        let view = body.view(inst);
        for (index, arg) in view.region(1).args.iter().enumerate() {
            if view.returned(1)[index] == *arg {
                finder.is.insert(*arg, view.inst.operands[index]);
            }
        }
    }
    finder.is.extend(pair.links.iter().flat_map(|link| link.same.iter().map(|same| (*same, link.value))));
    let parts = pair.parts.iter().map(|(value, read)| (body.insts[*read].results[0], *value));
    finder.is.extend(parts);
    let insts = |region: RegionId| body.regions[region].insts.iter().copied();
    let inside = |inst: InstId| insts(body.insts[inst].regions[1]).filter(|inst| is_value(body, *inst));
    // What is around the loops may be made again of constants in one of them.
    let around = insts(around(body, pair)).take_while(|inst| *inst != pair.forward);
    let mut known: FxHashMap<Key<'_>, InstId> = FxHashMap::default();
    for inst in around.filter(|inst| is_value(body, *inst)).chain(inside(pair.forward)) {
        let first = *known.entry(finder.key(inst, &mut BTreeMap::new())).or_insert(inst);
        finder.merge(inst, first);
    }
    let made: BTreeSet<InstId> = inside(pair.forward).filter(|inst| !pair.there.contains(inst)).collect();
    let mut found = Vec::new();
    for inst in inside(pair.backward) {
        let Some(first) = known.get(&finder.key(inst, &mut BTreeMap::new())).copied() else { continue };
        finder.merge(inst, first);
        if made.contains(&first) && !is_larger(body, inst) {
            found.push([first, inst]);
        }
    }
    found
}

struct Finder<'a> {
    body: &'a Body,
    /// Values that are others.
    is: BTreeMap<ValueId, ValueId>,
}

impl<'a> Finder<'a> {
    /// Takes what an instruction makes for what another one makes.
    fn merge(&mut self, inst: InstId, first: InstId) {
        if inst != first {
            let results = self.body.insts[inst].results.iter().zip(&self.body.insts[first].results);
            self.is.extend(results.map(|(result, first)| (*result, *first)));
        }
    }

    fn key(&self, inst: InstId, inside: &mut BTreeMap<ValueId, usize>) -> Key<'a> {
        let content = &self.body.insts[inst];
        let regions = content.regions.iter().map(|region| self.region(*region, inside)).collect();
        let read = |value: &ValueId| match inside.get(value) {
            Some(index) => Read::Inside(*index),
            None => Read::Value(self.is.get(value).copied().unwrap_or(*value)),
        };
        let operands = content.operands.iter().map(read).collect();
        let next = inside.len();
        let results = content.results.iter().enumerate();
        inside.extend(results.map(|(index, result)| (*result, next + index)));
        Key { op: &content.op, attributes: &content.attributes, operands, regions }
    }

    fn region(&self, region: RegionId, inside: &mut BTreeMap<ValueId, usize>) -> Vec<Key<'a>> {
        let next = inside.len();
        let args = self.body.regions[region].args.iter().enumerate();
        inside.extend(args.map(|(index, arg)| (*arg, next + index)));
        self.body.regions[region].insts.iter().map(|inst| self.key(*inst, inside)).collect()
    }
}

/// The region that the loops of a pair stand in.
fn around(body: &Body, pair: &Pair) -> RegionId {
    body.region_of()[pair.forward]
}

/// Whether an instruction does nothing but make tensors.
fn is_value(body: &Body, inst: InstId) -> bool {
    let content = &body.insts[inst];
    let are_tensors = content.results.iter().all(|result| body.ty(*result).as_tensor().is_some());
    body.effect_in(inst).is_none()
        && !content.results.is_empty()
        && are_tensors
        && !content.op.is_collective()
}

/// Whether what an instruction makes has more bytes than what it reads.
fn is_larger(body: &Body, inst: InstId) -> bool {
    let bytes = |values: &[ValueId]| values.iter().map(|value| body.ty(*value).num_bytes()).sum::<usize>();
    bytes(&body.insts[inst].results) > bytes(&body.insts[inst].operands)
}
