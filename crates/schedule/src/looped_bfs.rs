//! Looped BFS (Lamy-Poirier 2022): group `r` of `p` has stages `r`, `r + p`, ..., and runs all microbatches through one
//! of them before the next, so that weights are gathered once for all microbatches.

use crate::row::{Backward, Cell, alternating, of_stage};
use crate::stages::Broken;
use crate::{Named, Stages};
use meshwright_plan::{Event, Schedule};

pub(crate) const SCHEDULE: Named = Named {
    name: "looped-bfs",
    summary: "all microbatches through one stage of a group, then through its next; keeps every microbatch",
    virtual_stages: 2,
    copies: 1,
    rules,
    generate,
};

fn rules(stages: &Stages) -> Result<(), Broken> {
    stages.several_stages_per_group()
}

fn generate(stages: &Stages) -> Schedule {
    Schedule { rows: (0..stages.groups).map(|group| row(stages, group)).collect() }
}

fn row(stages: &Stages, group: usize) -> Vec<Event> {
    let own = |at: usize| of_stage(group + at * stages.groups, stages.microbatches);
    let forward: Vec<Cell> = (0..stages.virtual_stages).flat_map(own).collect();
    let backward: Vec<Cell> = (0..stages.virtual_stages).rev().flat_map(own).collect();
    alternating(&forward, &backward, forward.len(), Backward::Whole)
}
