//! DualPipeV (2025): DualPipe folded in the middle. Group `r` of `p` has stages `r` and `2p - 1 - r`, whose microbatches
//! are the two streams, so that nothing has two copies.

use crate::row::of_stage;
use crate::stages::Broken;
use crate::zb_v::{TWO, both};
use crate::{Named, Stages, two_ends};
use meshwright_plan::Schedule;

pub(crate) const SCHEDULE: Named = Named {
    name: "dualpipe-v",
    summary: "DualPipe folded into a V: its overlap of transfers, without its second copy of the weights",
    virtual_stages: 2,
    copies: 1,
    rules,
    generate,
};

fn rules(stages: &Stages) -> Result<(), Broken> {
    stages.stages_per_group(2, TWO)?;
    stages.at_least_microbatches(2 * stages.groups, "DualPipeV fills both sides of the V")
}

fn generate(stages: &Stages) -> Schedule {
    let row = |group: usize| {
        let streams = both(stages.groups, group).map(|stage| of_stage(stage, stages.microbatches));
        two_ends::row(streams, group, stages.groups)
    };
    Schedule { rows: (0..stages.groups).map(row).collect() }
}
