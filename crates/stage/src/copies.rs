//! Copies of parameters, as microbatches compute with them.
//!
//! Input: a step and the stage of each of its instructions. Output: for each stage what its instructions read of copies of
//! parameters ([`KeptCopies`]): parameters in `bf16`, or in eight bits with their scales. A stage makes them once in a step,
//! before its microbatches, and keeps them for all of them. What is no copy is made by every program that reads it, of copies
//! where it follows from some.
//!
//! Neither is what an instruction makes beside something of data, as weights of layers that a loop passes on to the backward
//! pass: that is there where the instruction is.

use crate::{Class, Staged, Step};
use meshwright_analyze::kept_copies::KeptCopies;
use meshwright_analyze::roles::PARAMETERS;
use meshwright_ir::ids::{Table, ValueId};
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
    let of_parameters = of_parameters(step);
    let is_known = |value: ValueId| of_parameters[value];
    let same = |value: ValueId| step.same(value);
    let mut known = KeptCopies::new(step.body(), &is_known, &same);
    let mut found = vec![BTreeSet::new(); count];
    for (own, read) in stage.iter().zip(&step.flow.reads) {
        let Some(stage) = *own else { continue };
        read.iter().for_each(|value| known.find(*value, &mut found[stage]));
    }
    found
}

/// Whether each value is made of parameters alone, by instructions that make nothing of data.
pub(crate) fn of_parameters(step: &Step<'_>) -> Table<ValueId, bool> {
    let is_so = |value: ValueId| step.depends[value] == PARAMETERS;
    let mut of: Table<ValueId, bool> = step.body().values.ids().map(is_so).collect();
    for (at, inst) in step.inside.iter().enumerate() {
        let is_passed_on = |value: &ValueId| is_so(*value) && !of[*value];
        if step.class[at] != Class::Free || step.flow.reads[at].iter().any(is_passed_on) {
            step.body().insts[*inst].results.iter().for_each(|result| of[*result] = false);
        }
    }
    of
}
