//! Interleaved zero bubble (PyTorch's `ScheduleInterleavedZeroBubble`): interleaved 1F1B with fewer forward passes ahead,
//! in which gradients of parameters are made apart, later on later groups.

use crate::interleaved_one_f_one_b::rounds;
use crate::row::{Backward, alternating};
use crate::stages::Broken;
use crate::{Named, Stages};
use meshwright_plan::{Event, Schedule};

pub(crate) const SCHEDULE: Named = Named {
    name: "interleaved-zb",
    summary: "interleaved 1F1B with weight gradients apart",
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
    let ahead = stages.groups - 1 - group + (stages.virtual_stages - 1) * stages.groups;
    let [forward, backward] = rounds(stages, group);
    alternating(&forward, &backward, ahead, Backward::Apart { lag: group })
}
