//! DualPipe (DeepSeek-V3, 2024): two pipelines in opposite directions, so that each group has two stages, and each stage
//! two copies, of which gradients are summed. The first half of the microbatches enters at the first group, the second
//! at the last.

use crate::row::Cell;
use crate::stages::Broken;
use crate::{Named, Stages, two_ends};
use meshwright_plan::{Event, Schedule};

pub(crate) const SCHEDULE: Named = Named {
    name: "dualpipe",
    summary: "pipelines in both directions, which hide each other's transfers; two copies of the weights",
    virtual_stages: 1,
    copies: 2,
    rules,
    generate,
};

fn rules(stages: &Stages) -> Result<(), Broken> {
    stages.stages_per_group(1, "DualPipe has one stage of each direction on each group")?;
    stages.even_groups()?;
    stages.microbatches_by(2, "DualPipe halves the microbatches")?;
    stages.at_least_microbatches(2 * stages.groups, "DualPipe fills the pipelines of both directions")
}

fn generate(stages: &Stages) -> Schedule {
    Schedule { rows: (0..stages.groups).map(|group| row(stages, group)).collect() }
}

fn row(stages: &Stages, group: usize) -> Vec<Event> {
    let Stages { groups, microbatches, .. } = *stages;
    let depth = group.min(groups - 1 - group);
    let half = microbatches / 2;
    let is_near_first = depth == group;
    let stream = |stage: usize, is_first: bool| -> Vec<Cell> {
        let start = if is_first { 0 } else { half };
        (start..start + half).map(|microbatch| (stage, microbatch)).collect()
    };
    let streams = [stream(depth, is_near_first), stream(groups - 1 - depth, !is_near_first)];
    two_ends::row(streams, depth, groups / 2)
}
