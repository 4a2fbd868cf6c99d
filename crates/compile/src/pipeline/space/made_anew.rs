//! What programs of stages make of parameters in every microbatch, and a loop once.
//!
//! Input: a short step at all places. Output: how often it is made: copies once in a step ([`Staged::copies`]), the rest once
//! for each microbatch at least, and no more is counted, since the passes forward and back may read it otherwise. A loop over
//! microbatches converts and gathers parameters in front of it; a stage has no loop, so that its programs do it each but for
//! copies ([`stay_gathered`](crate::pipeline::stay_gathered)), unless parameters are kept as they are read. With these numbers
//! the problem of sharding the step weighs both.
//!
//! Its bound holds for pipelines all the same. A program brings a value from where it is kept to each of its readers; the
//! problem has it handed to the loop, and from there to the readers, and what the loop is handed may be what is kept. What is
//! read by several segments may be made once for all that are in a stage, and what no microbatch reads once in a step: both
//! count once.

use meshwright_ir::ids::{InstId, ValueId};
use meshwright_stage::{Staged, Step};
use std::collections::{BTreeMap, BTreeSet};

use crate::pipeline::searchable::StandsFor;

/// Who reads a value in a microbatch.
#[derive(Clone, Copy, Default)]
struct Readers {
    segment: Option<usize>,
    /// Whether several segments do.
    are_many: bool,
}

impl Readers {
    fn add(&mut self, other: Self) {
        self.are_many |= other.are_many || self.segment.zip(other.segment).is_some_and(|(a, b)| a != b);
        self.segment = self.segment.or(other.segment);
    }

    /// Whether microbatches read it, in one segment.
    fn is_of_one(&self) -> bool {
        !self.are_many && self.segment.is_some()
    }
}

/// Multiplies what is made of arguments in front of the loop, and is handed to it, by how often so many microbatches have it made.
pub(super) fn count(
    stands_for: &mut StandsFor,
    step: &Step<'_>,
    staged: &Staged,
    microbatches: usize,
    is_parameter: &dyn Fn(usize) -> bool,
) {
    let body = step.body();
    let mut readers: BTreeMap<ValueId, Readers> = BTreeMap::new();
    for (at, inst) in step.inside.iter().enumerate() {
        let Some(segment) = staged.stage[at].filter(|_| staged.part[at].is_some()) else { continue };
        let own = Readers { segment: Some(segment), are_many: false };
        for value in step.reads(*inst) {
            readers.entry(value).or_default().add(own);
        }
    }
    // Of what stands in front of the loop the last comes first: all that reads a value is known before it.
    let entry = &body.regions[body.entry()].insts;
    let in_front = entry.iter().take_while(|inst| !step.loops.iter().any(|(_, own)| own == *inst));
    let in_front: Vec<InstId> = in_front.copied().collect();
    let copies: BTreeSet<ValueId> = staged.copies.iter().flatten().copied().collect();
    for inst in in_front.iter().rev() {
        let own = &body.insts[*inst];
        let mut all = Readers::default();
        for result in own.results.iter().filter(|result| !copies.contains(result)) {
            all.add(readers.get(result).copied().unwrap_or_default());
        }
        if own.regions.is_empty() {
            for operand in &own.operands {
                readers.entry(*operand).or_default().add(all);
            }
        }
    }
    let mut is_made_of: BTreeMap<ValueId, bool> = BTreeMap::new();
    for (index, arg) in step.function.args().iter().enumerate() {
        is_made_of.insert(*arg, is_parameter(index));
    }
    let times = |value: &ValueId| {
        let is_made_anew = !copies.contains(value) && readers.get(value).is_some_and(Readers::is_of_one);
        if is_made_anew { microbatches as u64 } else { 1 }
    };
    for (arg, _) in is_made_of.iter().filter(|(_, is_parameter)| **is_parameter) {
        stands_for.carried[*arg] *= times(arg);
    }
    for inst in &in_front {
        let own = &body.insts[*inst];
        let of_parameters = |value: &ValueId| is_made_of.get(value).copied().unwrap_or(false);
        let ([result], [operand], true) = (&own.results[..], &own.operands[..], own.regions.is_empty())
        else {
            continue;
        };
        if of_parameters(operand) {
            is_made_of.insert(*result, true);
            stands_for.insts[*inst] *= times(result);
            stands_for.carried[*result] *= times(result);
        }
    }
}
