//! 1F1B (PipeDream-Flush, DAPPLE): forward and backward passes alternate as soon as the first gradient is there, so that
//! group `r` of `p` keeps at most `p - r` microbatches.

use crate::row::{Backward, alternating, of_stage};
use crate::stages::Broken;
use crate::{Named, Stages};
use meshwright_plan::Schedule;

pub(crate) const SCHEDULE: Named = Named {
    name: "1f1b",
    summary: "forward and backward passes alternate; keeps as many microbatches as there are groups",
    virtual_stages: 1,
    copies: 1,
    rules,
    generate,
};

fn rules(stages: &Stages) -> Result<(), Broken> {
    stages.stages_per_group(1, "1F1B has one stage on each group")
}

fn generate(stages: &Stages) -> Schedule {
    let row = |group: usize| {
        let cells = of_stage(group, stages.microbatches);
        alternating(&cells, &cells, stages.groups - 1 - group, Backward::Whole)
    };
    Schedule { rows: (0..stages.groups).map(row).collect() }
}
