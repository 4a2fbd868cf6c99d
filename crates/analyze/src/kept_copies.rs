//! Copies of parameters that are worth keeping for all microbatches of a step, as stages of a pipeline do.
//!
//! Input: a body, and which of its values are made of parameters alone. Output: of a value whether it is such a copy, or which
//! ones it follows from ([`KeptCopies`]). A copy takes fewer bytes than what it is made of, and is computed, not only moved:
//! parameters in `bf16`, or in eight bits with their scales.
//!
//! What takes as many bytes, what is only moved or widened, and a scale that is put beside each element are no copies, but may
//! follow from some: eight bits are kept, and not the `bf16` that products take. What is moved is what is so in steps without
//! stages ([`meshwright_transform::ahead`]), where copies of layers are made in front of their loops.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::program::{Body, Def};
use meshwright_transform::ahead;

use crate::phases::reads;

/// Copies of parameters among the values of a body, as far as they were asked for.
pub struct KeptCopies<'a> {
    body: &'a Body,
    is_of_parameters: &'a dyn Fn(ValueId) -> bool,
    /// A value as it is called where it is made.
    same: &'a dyn Fn(ValueId) -> ValueId,
    /// Whether a value is a parameter, or elements of some that only moved.
    is_moved: BTreeMap<ValueId, bool>,
    is_copy: BTreeMap<ValueId, bool>,
    /// What instructions read: a loop makes many values, and to see what its regions read is to go through them.
    reads: BTreeMap<InstId, Rc<[ValueId]>>,
}

impl<'a> KeptCopies<'a> {
    /// Those of a body, in which some values are made of parameters alone; `same` says what a value that a loop carries as it is
    /// is called outside of it.
    pub fn new(
        body: &'a Body,
        is_of_parameters: &'a dyn Fn(ValueId) -> bool,
        same: &'a dyn Fn(ValueId) -> ValueId,
    ) -> Self {
        let (is_moved, is_copy, reads) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { body, is_of_parameters, same, is_moved, is_copy, reads }
    }

    /// Adds what is copied of a value that is read: itself, or what it is made of.
    pub fn find(&mut self, value: ValueId, found: &mut BTreeSet<ValueId>) {
        let (mut open, mut seen) = (vec![value], BTreeSet::new());
        while let Some(value) = open.pop() {
            let value = (self.same)(value);
            if !(self.is_of_parameters)(value) || found.contains(&value) || !seen.insert(value) {
                continue;
            }
            let Some(maker) = self.maker(value) else { continue };
            if self.is_copy(value) {
                found.insert(value);
            } else {
                open.extend_from_slice(&self.reads(maker));
            }
        }
    }

    /// Returns whether a value that is made of parameters alone is a copy.
    pub fn is_copy(&mut self, value: ValueId) -> bool {
        if let Some(known) = self.is_copy.get(&value) {
            return *known;
        }
        let own = self.bytes(value);
        let is_copy = !self.is_moved(value) && !self.is_spread(value) && own < self.made_of(value);
        self.is_copy.insert(value, is_copy);
        is_copy
    }

    /// Whether a value is a smaller one in more bits, or again and again, as a scale of a whole tensor.
    fn is_spread(&mut self, value: ValueId) -> bool {
        let Some(maker) = self.maker(value).filter(|maker| self.only_moves(*maker)) else { return false };
        self.reads(maker).iter().map(|read| self.bytes(*read)).sum::<usize>() < self.bytes(value)
    }

    /// Bytes of the parameters that a value is made of; of parts of them, as of a slice, no more than those of the parts.
    fn made_of(&mut self, value: ValueId) -> usize {
        let parts = self.bytes_behind(value, Self::is_moved);
        parts.min(self.bytes_behind(value, |known, value| known.maker(value).is_none()))
    }

    /// Bytes of the first values that are ends, of those that a value is made of.
    fn bytes_behind(&mut self, value: ValueId, is_end: impl Fn(&mut Self, ValueId) -> bool) -> usize {
        let (mut open, mut seen, mut bytes) = (vec![value], BTreeSet::new(), 0);
        while let Some(value) = open.pop() {
            let value = (self.same)(value);
            if !(self.is_of_parameters)(value) || !seen.insert(value) {
                continue;
            }
            match self.maker(value) {
                Some(maker) if !is_end(self, value) => open.extend_from_slice(&self.reads(maker)),
                _ => bytes += self.bytes(value),
            }
        }
        bytes
    }

    fn is_moved(&mut self, value: ValueId) -> bool {
        let value = (self.same)(value);
        if let Some(known) = self.is_moved.get(&value) {
            return *known;
        }
        let is_moved = match self.maker(value) {
            None => true,
            Some(maker) => {
                self.only_moves(maker) && {
                    let read = self.reads(maker);
                    read.iter().all(|read| !(self.is_of_parameters)(*read) || self.is_moved(*read))
                }
            }
        };
        self.is_moved.insert(value, is_moved);
        is_moved
    }

    /// Whether an instruction makes nothing but elements that it reads, in as many bits or more.
    fn only_moves(&self, inst: InstId) -> bool {
        let view = self.body.view(inst);
        view.inst.regions.is_empty() && ahead::only_moves(&view)
    }

    /// The instruction that makes a value, if one does.
    fn maker(&self, value: ValueId) -> Option<InstId> {
        match self.body.values[value].def {
            Def::Result(inst, _) => Some(inst),
            Def::Argument(..) => None,
        }
    }

    /// The values that an instruction reads, also in its regions, as they are called where they are made.
    fn reads(&mut self, inst: InstId) -> Rc<[ValueId]> {
        let found = || reads(self.body, inst).into_iter().map(|value| (self.same)(value)).collect();
        Rc::clone(self.reads.entry(inst).or_insert_with(found))
    }

    fn bytes(&self, value: ValueId) -> usize {
        self.body.ty(value).num_bytes()
    }
}
