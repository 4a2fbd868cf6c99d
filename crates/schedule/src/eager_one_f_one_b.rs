//! Eager 1F1B (Zhuang 2023): as 1F1B, with twice as many forward passes ahead, so that transfers have a whole turn to
//! arrive in. Group `r` of `p` keeps at most `2 (p - r) - 1` microbatches.

use crate::row::{Backward, alternating, of_stage};
use crate::stages::Broken;
use crate::{Named, Stages};
use meshwright_plan::Schedule;

pub(crate) const SCHEDULE: Named = Named {
    name: "eager-1f1b",
    summary: "1F1B with twice as many forward passes ahead, which hides transfers",
    virtual_stages: 1,
    copies: 1,
    rules,
    generate,
};

fn rules(stages: &Stages) -> Result<(), Broken> {
    stages.stages_per_group(1, "eager 1F1B has one stage on each group")
}

fn generate(stages: &Stages) -> Schedule {
    let row = |group: usize| {
        let cells = of_stage(group, stages.microbatches);
        alternating(&cells, &cells, 2 * (stages.groups - 1 - group), Backward::Whole)
    };
    Schedule { rows: (0..stages.groups).map(row).collect() }
}
