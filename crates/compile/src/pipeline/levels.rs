//! What a pipeline can make again at all, by which its choice is called a level of recomputation.
//!
//! Input: a step in its microbatches. Output: the instructions of the forward pass that run in every turn and whose results
//! only their own segment reads. What is computed once for all microbatches (weights in a shorter type) stays, and so does
//! what a later stage may read: a level that would make them again too is still what people call it.

use meshwright_ir::ids::InstId;
use meshwright_stage::{Part, Staged, Step};
use std::collections::BTreeSet;

use super::cut::Cut;
use super::space::at_all_places;

/// Those of a cut, as instructions of the function that was cut; none if it cannot be taken apart.
pub(super) fn can_run_again(cut: &Cut) -> BTreeSet<InstId> {
    let Ok(step) = cut.step() else { return BTreeSet::new() };
    let staged = at_all_places(&step);
    let of_forward = |position: &usize| staged.part[*position] == Some(Part::Forward);
    let own = (0..step.inside.len())
        .filter(|position| of_forward(position) && is_of_segment(&step, &staged, *position));
    own.filter_map(|position| cut.origin(step.inside[position])).collect()
}

/// Returns whether only its own segment reads what an instruction of a turn makes: what others read is kept, so that each
/// segment makes again what is its own.
pub(super) fn is_of_segment(step: &Step<'_>, staged: &Staged, position: usize) -> bool {
    let results = &step.body().insts[step.inside[position]].results;
    let mut readers = results.iter().flat_map(|value| step.readers(*value));
    readers.all(|reader| [None, staged.stage[position]].contains(&staged.stage[*reader]))
}
