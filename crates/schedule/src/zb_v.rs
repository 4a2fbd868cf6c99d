//! ZB-V (Qi 2024): group `r` of `p` has stages `r` and `2p - 1 - r`, so that the first gradient comes back to the group
//! that began. No group waits between its first and its last action if all phases take equally long, and each keeps
//! what the first one of 1F1B does.
//!
//! A group goes ahead on its first stage, then on both, then, for each gradient of its second stage, with the next
//! forward pass of it, and last in turns through both. Gradients of parameters fill the rest ([`crate::fill`]).

use crate::fill::{Passes, fill};
use crate::row::Cell;
use crate::stages::Broken;
use crate::{Named, Stages};
use meshwright_plan::{Phase, Schedule};

pub(crate) const SCHEDULE: Named = Named {
    name: "zb-v",
    summary: "two stages on each group, placed in a V: no group waits once it has begun, at the memory of 1F1B",
    virtual_stages: 2,
    copies: 1,
    rules,
    generate,
};

/// What placements in a V ask for.
pub(crate) const TWO: &str = "a V has two stages on each group";

fn rules(stages: &Stages) -> Result<(), Broken> {
    stages.stages_per_group(2, TWO)
}

fn generate(stages: &Stages) -> Schedule {
    let passes: Vec<Passes> = (0..stages.groups).map(|group| passes(stages, group)).collect();
    fill(&passes, stages.count(), stages.count()).expect("each pass waits for earlier ones").0
}

/// The two stages of a group in a V.
pub(crate) fn both(groups: usize, group: usize) -> [usize; 2] {
    [group, 2 * groups - 1 - group]
}

fn passes(stages: &Stages, group: usize) -> Passes {
    let behind = stages.groups - 1 - group;
    let mut turns = Turns::new(both(stages.groups, group), stages.microbatches);
    let (first, second) = (0, 1);
    for _ in 0..2 * behind {
        turns.take(Phase::Forward, first);
    }
    for _ in 0..=group {
        turns.take(Phase::Forward, first);
        turns.take(Phase::Forward, second);
    }
    for _ in 0..behind {
        turns.take(Phase::InputGradient, second);
        turns.take(Phase::Forward, second);
    }
    while turns.passes.len() < 4 * stages.microbatches {
        turns.take(Phase::InputGradient, second);
        turns.take(Phase::Forward, first);
        turns.take(Phase::InputGradient, first);
        turns.take(Phase::Forward, second);
    }
    turns.passes
}

/// Passes that take microbatches in order.
struct Turns {
    stages: [usize; 2],
    microbatches: usize,
    /// Forward passes and gradients so far, of each stage.
    done: [[usize; 2]; 2],
    passes: Passes,
}

impl Turns {
    fn new(stages: [usize; 2], microbatches: usize) -> Self {
        Self { stages, microbatches, done: [[0; 2]; 2], passes: Passes::new() }
    }

    /// The next pass of a phase through one of the two stages, if there is one left.
    fn take(&mut self, phase: Phase, which: usize) {
        let done = &mut self.done[usize::from(phase == Phase::InputGradient)][which];
        if *done < self.microbatches {
            let cell: Cell = (self.stages[which], *done);
            self.passes.push((phase, cell));
            *done += 1;
        }
    }
}
