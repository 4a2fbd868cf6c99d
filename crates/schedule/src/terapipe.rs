//! TeraPipe (Li 2021): microbatches are slices of the sequence. In a causal model a slice reads the ones before it, so
//! that its gradient is complete when those of all later slices have been made: backward passes run from the last slice
//! to the first.

use crate::row::{Backward, Cell, alternating, of_stage};
use crate::stages::Broken;
use crate::{Named, Stages};
use meshwright_plan::Schedule;

pub(crate) const SCHEDULE: Named = Named {
    name: "terapipe",
    summary: "slices of a causal model's sequence in place of microbatches, backward from the last to the first",
    virtual_stages: 1,
    copies: 1,
    rules,
    generate,
};

fn rules(stages: &Stages) -> Result<(), Broken> {
    stages.stages_per_group(1, "TeraPipe has one stage on each group")
}

fn generate(stages: &Stages) -> Schedule {
    let row = |group: usize| {
        let forward = of_stage(group, stages.microbatches);
        let backward: Vec<Cell> = forward.iter().rev().copied().collect();
        alternating(&forward, &backward, forward.len(), Backward::Whole)
    };
    Schedule { rows: (0..stages.groups).map(row).collect() }
}
