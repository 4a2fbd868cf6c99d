//! ZB-H2 (Qi 2024): ZB-H1 with twice as many forward passes ahead. No group waits between its first and its last action
//! if all phases take equally long; each keeps nearly twice what 1F1B does.

use crate::row::{Backward, alternating, of_stage};
use crate::stages::Broken;
use crate::{Named, Stages};
use meshwright_plan::Schedule;

pub(crate) const SCHEDULE: Named = Named {
    name: "zb-h2",
    summary: "ZB-H1 with twice as many forward passes ahead: no group waits once it has begun, at twice the memory",
    virtual_stages: 1,
    copies: 1,
    rules,
    generate,
};

fn rules(stages: &Stages) -> Result<(), Broken> {
    stages.stages_per_group(1, "ZB-H2 has one stage on each group")
}

fn generate(stages: &Stages) -> Schedule {
    let row = |group: usize| {
        let cells = of_stage(group, stages.microbatches);
        let ahead = 2 * (stages.groups - 1 - group);
        alternating(&cells, &cells, ahead, Backward::Apart { lag: 2 * group })
    };
    Schedule { rows: (0..stages.groups).map(row).collect() }
}
