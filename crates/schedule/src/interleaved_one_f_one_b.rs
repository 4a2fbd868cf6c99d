//! Interleaved 1F1B (Narayanan 2021, Megatron-LM): group `r` of `p` has stages `r`, `r + p`, `r + 2p`, ... and takes
//! microbatches in rounds of `p` through all of them, which makes the bubble as many times smaller as it has stages.

use crate::row::{Backward, Cell, alternating};
use crate::stages::Broken;
use crate::{Named, Stages};
use meshwright_plan::{Event, Schedule};

pub(crate) const SCHEDULE: Named = Named {
    name: "interleaved-1f1b",
    summary: "1F1B with several stages on each group, whose bubble is as many times smaller",
    virtual_stages: 2,
    copies: 1,
    rules,
    generate,
};

fn rules(stages: &Stages) -> Result<(), Broken> {
    stages.several_stages_per_group()?;
    stages.rounds_of_microbatches()
}

fn generate(stages: &Stages) -> Schedule {
    Schedule { rows: (0..stages.groups).map(|group| row(stages, group)).collect() }
}

fn row(stages: &Stages, group: usize) -> Vec<Event> {
    let ahead = 2 * (stages.groups - 1 - group) + (stages.virtual_stages - 1) * stages.groups;
    let [forward, backward] = rounds(stages, group);
    alternating(&forward, &backward, ahead, Backward::Whole)
}

/// Forward and backward passes of a group, in rounds of one microbatch for each group.
pub(crate) fn rounds(stages: &Stages, group: usize) -> [Vec<Cell>; 2] {
    let count = stages.virtual_stages;
    let pass = |turn: fn(usize, usize) -> usize| {
        let cells = (0..stages.microbatches).step_by(stages.groups).flat_map(move |first| {
            let stages_of = (0..count).map(move |at| group + turn(at, count) * stages.groups);
            stages_of.flat_map(move |stage| (first..first + stages.groups).map(move |own| (stage, own)))
        });
        cells.collect()
    };
    [pass(|at, _| at), pass(|at, count| count - 1 - at)]
}
