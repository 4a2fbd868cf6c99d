//! Copies of parameters, as microbatches compute with them.
//!
//! Input: a step and the stage of each of its instructions. Output: for each stage what its instructions read that is made of
//! parameters alone, takes fewer bytes than what it is made of, and is computed, not only moved: parameters in `bf16`, or in
//! eight bits with their scales. A stage makes them once in a step, before its microbatches, and keeps them for all of them.
//!
//! What takes as many bytes, what is only moved or widened, and a scale that is put beside each element are made by every
//! program that reads them, of copies where they follow from some: eight bits are kept, and not the `bf16` that products take.
//! What is moved is what is so in steps without stages ([`meshwright_transform::ahead`]), where copies of layers are made in
//! front of their loops.

use crate::{Staged, Step};
use meshwright_analyze::roles::PARAMETERS;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_transform::ahead;
use std::collections::{BTreeMap, BTreeSet};

/// The copies of each stage, as they are called outside of turns; none where programs make what they read each.
pub(crate) fn copies(step: &Step<'_>, stage: &[Option<usize>], count: usize) -> Vec<BTreeSet<ValueId>> {
    match step.makes_copies() {
        true => all(step, stage, count),
        false => vec![BTreeSet::new(); count],
    }
}

/// The copies that each stage could make.
pub fn possible_copies(step: &Step<'_>, staged: &Staged) -> Vec<BTreeSet<ValueId>> {
    all(step, &staged.stage, staged.count)
}

fn all(step: &Step<'_>, stage: &[Option<usize>], count: usize) -> Vec<BTreeSet<ValueId>> {
    let mut search = Search { step, is_moved: BTreeMap::new(), is_copy: BTreeMap::new() };
    let mut found = vec![BTreeSet::new(); count];
    for (own, read) in stage.iter().zip(&step.flow.reads) {
        let Some(stage) = *own else { continue };
        read.iter().for_each(|value| search.find(*value, &mut found[stage]));
    }
    found
}

/// Whether a value is made of parameters alone.
pub(crate) fn is_of_parameters(step: &Step<'_>, value: ValueId) -> bool {
    step.depends[value] == PARAMETERS
}

struct Search<'s, 'a> {
    step: &'s Step<'a>,
    /// Whether a value is a parameter, or elements of some that only moved.
    is_moved: BTreeMap<ValueId, bool>,
    is_copy: BTreeMap<ValueId, bool>,
}

impl Search<'_, '_> {
    /// Adds what is copied of a value that is read: itself, or what it is made of.
    fn find(&mut self, value: ValueId, found: &mut BTreeSet<ValueId>) {
        let (mut open, mut seen) = (vec![value], BTreeSet::new());
        while let Some(value) = open.pop() {
            let value = self.step.same(value);
            if !is_of_parameters(self.step, value) || found.contains(&value) || !seen.insert(value) {
                continue;
            }
            let Some(maker) = self.step.maker(value) else { continue };
            if self.is_copy(value) {
                found.insert(value);
            } else {
                open.extend(self.step.reads(maker));
            }
        }
    }

    fn is_copy(&mut self, value: ValueId) -> bool {
        if let Some(known) = self.is_copy.get(&value) {
            return *known;
        }
        let own = self.step.body().ty(value).num_bytes();
        let is_copy = !self.is_moved(value) && !self.is_spread(value) && own < self.made_of(value);
        self.is_copy.insert(value, is_copy);
        is_copy
    }

    /// Whether a value is a smaller one in more bits, or again and again, as a scale of a whole tensor.
    fn is_spread(&self, value: ValueId) -> bool {
        let bytes = |value: ValueId| self.step.body().ty(value).num_bytes();
        let is_spread = |maker: InstId| {
            let read = self.step.reads(maker);
            only_moves(self.step, maker) && read.into_iter().map(bytes).sum::<usize>() < bytes(value)
        };
        self.step.maker(value).is_some_and(is_spread)
    }

    /// Bytes of the parameters that a value is made of; of parts of them, as of a slice, no more than those of the parts.
    fn made_of(&mut self, value: ValueId) -> usize {
        let parts = self.bytes_behind(value, Self::is_moved);
        parts.min(self.bytes_behind(value, |search, value| search.step.maker(value).is_none()))
    }

    /// Bytes of the first values that are ends, of those that a value is made of.
    fn bytes_behind(&mut self, value: ValueId, is_end: impl Fn(&mut Self, ValueId) -> bool) -> usize {
        let step = self.step;
        let (mut open, mut seen, mut bytes) = (vec![value], BTreeSet::new(), 0);
        while let Some(value) = open.pop() {
            let value = step.same(value);
            if !is_of_parameters(step, value) || !seen.insert(value) {
                continue;
            }
            match step.maker(value).filter(|_| !is_end(self, value)) {
                Some(maker) => open.extend(step.reads(maker)),
                None => bytes += step.body().ty(value).num_bytes(),
            }
        }
        bytes
    }

    fn is_moved(&mut self, value: ValueId) -> bool {
        let value = self.step.same(value);
        if let Some(known) = self.is_moved.get(&value) {
            return *known;
        }
        let is_moved = match self.step.maker(value) {
            None => true,
            Some(maker) => {
                only_moves(self.step, maker)
                    && self
                        .step
                        .reads(maker)
                        .into_iter()
                        .all(|read| !is_of_parameters(self.step, read) || self.is_moved(read))
            }
        };
        self.is_moved.insert(value, is_moved);
        is_moved
    }
}

/// Whether an instruction makes nothing but elements that it reads, in as many bits or more.
fn only_moves(step: &Step<'_>, inst: InstId) -> bool {
    let view = step.body().view(inst);
    view.inst.regions.is_empty() && ahead::only_moves(&view)
}
