//! Needs of instructions: what a function has to have, or to take, to make them.
//!
//! Input: a step, and instructions of a turn or behind the loop. Output: their [`Closure`]: free instructions that are made
//! again, arguments, accumulators, copies of parameters, and values that others make.

use crate::{Optimistic, Staged, Step, update};
use meshwright_ir::ids::{InstId, ValueId};
use std::collections::BTreeSet;

/// Needs of some instructions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closure {
    /// Instructions of a turn, by position, free ones among them.
    pub inside: BTreeSet<usize>,
    /// Instructions around the loop.
    pub around: BTreeSet<InstId>,
    /// Arguments of the step.
    pub arguments: BTreeSet<usize>,
    /// Whether they read the number of the microbatch.
    pub counts: bool,
    /// Values that others make.
    pub values: BTreeSet<ValueId>,
    /// Accumulators that are read.
    pub accumulators: BTreeSet<usize>,
    /// Copies of parameters that are read, as they are called outside of turns.
    pub copies: BTreeSet<ValueId>,
}

/// Needs of instructions of a turn, by position: what is free is among them, and what is made `again`.
pub fn closure(step: &Step<'_>, own: &BTreeSet<usize>, again: &BTreeSet<usize>) -> Closure {
    closure_of_copies(step, own, again, &BTreeSet::new())
}

/// The same where these copies are there.
pub(crate) fn closure_of_copies(
    step: &Step<'_>,
    own: &BTreeSet<usize>,
    again: &BTreeSet<usize>,
    copies: &BTreeSet<ValueId>,
) -> Closure {
    let mut closure = Closure { inside: own.clone(), ..Closure::default() };
    let mut open: Vec<ValueId> = own.iter().flat_map(|at| step.flow.reads[*at].iter().copied()).collect();
    closure.follow(step, &mut open, &|_| false, (again, copies), None);
    closure
}

impl Closure {
    /// Follows values backwards to what is given. `is_own` says which instructions behind the loop are made here, `again` which
    /// of a turn are made although they are another function's, `copies` what is there of parameters, `optimistic` what is
    /// taken for granted.
    pub(crate) fn follow(
        &mut self,
        step: &Step<'_>,
        open: &mut Vec<ValueId>,
        is_own: &dyn Fn(InstId) -> bool,
        (again, copies): (&BTreeSet<usize>, &BTreeSet<ValueId>),
        optimistic: Option<&Optimistic>,
    ) {
        while let Some(value) = open.pop() {
            let value = step.same(value);
            if optimistic.is_some_and(|own| own.is_taken(value)) {
                continue;
            }
            if copies.contains(&value) {
                self.copies.insert(value);
            } else if step.is_counter(value) {
                self.counts = true;
            } else if let Some(index) = step.function.argument_index(value) {
                self.arguments.insert(index);
            } else if let Some(index) = step.accumulator(value) {
                self.accumulators.insert(index);
            } else if let Some(at) = step.position_of(value) {
                if step.core(value).is_some() && !again.contains(&at) {
                    if !self.inside.contains(&at) {
                        self.values.insert(value);
                    }
                } else if self.inside.insert(at) {
                    open.extend(&step.flow.reads[at]);
                }
            } else if let Some(inst) = step.maker(value) {
                if !update::is_made_anywhere(step, inst) && !is_own(inst) {
                    self.values.insert(value);
                } else if self.around.insert(inst) {
                    open.extend(optimistic.map_or_else(|| step.reads(inst), |own| own.reads(step, inst)));
                }
            }
        }
    }

    /// Reads slices of keys where their stage gathers them: a backward pass begins when all are there.
    pub(crate) fn read_gathered(&mut self, step: &Step<'_>, staged: &Staged, stage: usize) {
        let gathered =
            |value: &ValueId| step.keys(*value).filter(|index| staged.update.homes[*index] == stage);
        self.accumulators.extend(self.values.iter().filter_map(gathered));
        self.values.retain(|value| gathered(value).is_none());
    }
}
