//! The stage of each instruction of a turn.
//!
//! Input: a step and the positions of its forward order at which it is cut. Output: a stage for each instruction that is
//! not free. Forward instructions go by position, the turning region to the last stage. The backward pass is taken in
//! order, each instruction to the last stage, not behind those of the cotangents it reads, where
//!
//! - what it reads of the forward pass is made or received anyway, or comes down with the cotangents, as what the forward
//!   pass of a later stage makes for others does not;
//! - its parameters are held, and so is what it reads of free values that differ between microbatches, as random bits.
//!
//! Without the last two rules products with weights would move to where their cotangents are, and carry two values down.

use crate::parts::made_forward;
use crate::{Class, Step};
use meshwright_analyze::roles::{DATA, PARAMETERS};
use meshwright_ir::ids::ValueId;
use std::collections::{BTreeMap, BTreeSet};

/// The stage of each instruction of a turn, for a forward order that is cut at these positions, ascending.
pub fn assigned(step: &Step<'_>, cuts: &[usize]) -> Vec<Option<usize>> {
    let mut assignment = Assignment::new(step, cuts);
    assignment.forward(cuts);
    assignment.hand_on();
    for at in 0..step.inside.len() {
        match step.class[at] {
            Class::Turning => assignment.turn(at),
            Class::Backward => assignment.back(at),
            Class::Free | Class::Forward(_) => {}
        }
    }
    assignment.stage
}

struct Assignment<'s, 'a> {
    step: &'s Step<'a>,
    count: usize,
    stage: Vec<Option<usize>>,
    /// First and last stage in which each value of the forward pass is.
    spans: BTreeMap<ValueId, (usize, usize)>,
    /// Whether the forward pass has to make each instruction, by position: others read forward what follows from it.
    is_handed: Vec<bool>,
    /// The stages in which parameters, and free values that differ between microbatches, are read forward.
    held: BTreeMap<ValueId, BTreeSet<usize>>,
    /// What each free instruction follows from, by position, as far as it was asked for.
    leaves: Vec<Option<BTreeSet<ValueId>>>,
}

impl<'s, 'a> Assignment<'s, 'a> {
    fn new(step: &'s Step<'a>, cuts: &[usize]) -> Self {
        let leaves = vec![None; step.inside.len()];
        let stage = vec![None; step.inside.len()];
        let (spans, held) = (BTreeMap::new(), BTreeMap::new());
        let is_handed = vec![false; step.inside.len()];
        Self { step, count: cuts.len() + 1, stage, spans, is_handed, held, leaves }
    }

    fn forward(&mut self, cuts: &[usize]) {
        let step = self.step;
        let is_forward = |at: &usize| matches!(step.class[*at], Class::Forward(_));
        let forward: Vec<usize> = (0..step.inside.len()).filter(is_forward).collect();
        for at in &forward {
            if let Class::Forward(position) = step.class[*at] {
                self.stage[*at] = Some(cuts.partition_point(|cut| *cut <= position));
            }
        }
        for at in &forward {
            let own = self.stage[*at].unwrap_or(0);
            for result in &step.body().insts[step.inside[*at]].results {
                let readers = step.flow.readers[*result].iter().filter(|reader| is_forward(reader));
                let last = readers.filter_map(|reader| self.stage[*reader]).max();
                self.spans.insert(*result, (own, last.unwrap_or(own).max(own)));
            }
            for value in self.needed_at(*at) {
                self.held.entry(value).or_default().insert(own);
            }
        }
    }

    /// Finds what the forward pass has to make of each stage, the turning region being in the last one.
    fn hand_on(&mut self) {
        let (step, last) = (self.step, self.count - 1);
        let own = |at: usize| match step.class[at] {
            Class::Forward(_) => self.stage[at],
            Class::Turning => Some(last),
            Class::Free | Class::Backward => None,
        };
        let mut is_handed = vec![false; step.inside.len()];
        for at in made_forward(step, &|at| own(at) == Some(last)) {
            is_handed[at] = true;
        }
        for at in (0..step.inside.len()).rev() {
            let Some(stage) = own(at) else { continue };
            for from in step.flow.reads[at].iter().filter_map(|value| step.core(*value)) {
                is_handed[from] |= own(from).is_some_and(|other| other < stage || is_handed[at]);
            }
        }
        self.is_handed = is_handed;
    }

    /// The turning region is in the last stage, and so is all that it reads.
    fn turn(&mut self, at: usize) {
        let last = self.count - 1;
        self.stage[at] = Some(last);
        let read: Vec<ValueId> = self.step.flow.reads[at].clone();
        for value in read {
            if let Some(span) = self.spans.get_mut(&value) {
                span.1 = last;
            }
        }
        for value in self.needed_at(at) {
            self.held.entry(value).or_default().insert(last);
        }
    }

    fn back(&mut self, at: usize) {
        let step = self.step;
        let mut last = self.count - 1;
        let mut forward = Vec::new();
        for value in &step.flow.reads[at] {
            let Some(from) = step.core(*value) else { continue };
            match (step.class[from], self.stage[from]) {
                (Class::Forward(_), Some(_)) => forward.push(*value),
                (_, Some(stage)) => last = last.min(stage),
                _ => {}
            }
        }
        let is_there = |stage: usize, value: &ValueId| {
            let (first, last) = self.spans[value];
            let comes_down = || step.core(*value).is_some_and(|from| !self.is_handed[from]);
            (first..=last).contains(&stage) || (first > stage && comes_down())
        };
        let can_read: Vec<usize> =
            (0..=last).rev().filter(|stage| forward.iter().all(|value| is_there(*stage, value))).collect();
        let needed = self.needed_at(at);
        let holds = |stage: &&usize| {
            let homes = needed.iter().filter_map(|value| self.held.get(value));
            homes.into_iter().all(|homes| homes.contains(*stage))
        };
        // Where nothing can read it all, the step cannot be cut so; what follows shows what it would take.
        let stage = can_read.iter().find(holds).or(can_read.first()).copied().unwrap_or(last);
        self.stage[at] = Some(stage);
        for value in needed {
            self.held.entry(value).or_insert_with(|| BTreeSet::from([stage]));
        }
    }

    /// The parameters that an instruction reads, directly or through what is made of parameters alone, and the free
    /// tensors that differ between microbatches.
    fn needed_at(&mut self, at: usize) -> BTreeSet<ValueId> {
        let mut needed = BTreeSet::new();
        for value in self.step.flow.reads[at].clone() {
            needed.extend(self.needed_for(value));
        }
        needed
    }

    fn needed_for(&mut self, value: ValueId) -> BTreeSet<ValueId> {
        let step = self.step;
        let depends = step.depends[value];
        if depends == DATA {
            let is_tensor = step.body().ty(value).as_tensor().is_some_and(|ty| ty.rank() > 0);
            return if is_tensor { BTreeSet::from([value]) } else { BTreeSet::new() };
        }
        if depends != PARAMETERS {
            return BTreeSet::new();
        }
        let Some(at) = step.position_of(value) else { return BTreeSet::from([value]) };
        if let Some(known) = &self.leaves[at] {
            return known.clone();
        }
        let found = self.needed_at(at);
        self.leaves[at] = Some(found.clone());
        found
    }
}
