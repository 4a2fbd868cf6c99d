//! GPipe (Huang 2019): all forward passes, then all backward passes. The simplest, and keeps every microbatch.

use crate::row::{Backward, alternating, of_stage};
use crate::stages::Broken;
use crate::{Named, Stages};
use meshwright_plan::Schedule;

pub(crate) const SCHEDULE: Named = Named {
    name: "gpipe",
    summary: "all forward passes, then all backward passes; keeps every microbatch",
    virtual_stages: 1,
    copies: 1,
    rules,
    generate,
};

fn rules(stages: &Stages) -> Result<(), Broken> {
    stages.stages_per_group(1, "GPipe has one stage on each group")
}

fn generate(stages: &Stages) -> Schedule {
    let row = |group: usize| {
        let cells = of_stage(group, stages.microbatches);
        alternating(&cells, &cells, cells.len(), Backward::Whole)
    };
    Schedule { rows: (0..stages.groups).map(row).collect() }
}
