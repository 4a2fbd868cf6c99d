//! Copies of parameters, as microbatches compute with them.
//!
//! Input: a step and the stage of each of its instructions. Output: for each stage what its instructions read of copies of
//! parameters ([`KeptCopies`]): parameters in `bf16`, or in eight bits with their scales. A stage makes them once in a step,
//! before its microbatches, and keeps them for all of them. What is no copy is made by every program that reads it, of copies
//! where it follows from some.

use crate::{Staged, Step};
use meshwright_analyze::kept_copies::KeptCopies;
use meshwright_analyze::roles::PARAMETERS;
use meshwright_ir::ids::ValueId;
use std::collections::BTreeSet;

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
    let is_known = |value: ValueId| is_of_parameters(step, value);
    let same = |value: ValueId| step.same(value);
    let mut known = KeptCopies::new(step.body(), &is_known, &same);
    let mut found = vec![BTreeSet::new(); count];
    for (own, read) in stage.iter().zip(&step.flow.reads) {
        let Some(stage) = *own else { continue };
        read.iter().for_each(|value| known.find(*value, &mut found[stage]));
    }
    found
}

/// Whether a value is made of parameters alone.
pub(crate) fn is_of_parameters(step: &Step<'_>, value: ValueId) -> bool {
    step.depends[value] == PARAMETERS
}
