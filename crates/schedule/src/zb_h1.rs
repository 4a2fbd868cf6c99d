//! ZB-H1 (Qi 2024): 1F1B in which gradients of parameters are made apart, later on later groups, so that all groups keep
//! as many microbatches as the first one of 1F1B does and fill a third of the bubble.

use crate::row::{Backward, alternating, of_stage};
use crate::stages::Broken;
use crate::{Named, Stages};
use meshwright_plan::Schedule;

pub(crate) const SCHEDULE: Named = Named {
    name: "zb-h1",
    summary: "1F1B with weight gradients apart: a third of the bubble, at the same memory",
    virtual_stages: 1,
    copies: 1,
    rules,
    generate,
};

fn rules(stages: &Stages) -> Result<(), Broken> {
    stages.stages_per_group(1, "ZB-H1 has one stage on each group")
}

fn generate(stages: &Stages) -> Schedule {
    let row = |group: usize| {
        let cells = of_stage(group, stages.microbatches);
        alternating(&cells, &cells, stages.groups - 1 - group, Backward::Apart { lag: group })
    };
    Schedule { rows: (0..stages.groups).map(row).collect() }
}
