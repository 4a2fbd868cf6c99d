//! V-Min (Qi 2024): two stages on each group, placed in a V, such that each keeps about a third of what the first group
//! of 1F1B does, the least of which microbatches still follow each other without a gap.

use crate::stages::Broken;
use crate::v_blocks::repeated;
use crate::zb_v::TWO;
use crate::{Named, Stages};
use meshwright_plan::Schedule;

pub(crate) const SCHEDULE: Named = Named {
    name: "v-min",
    summary: "two stages on each group, placed in a V: a third of 1F1B's memory, about two thirds of its bubble",
    virtual_stages: 2,
    copies: 1,
    rules,
    generate,
};

fn rules(stages: &Stages) -> Result<(), Broken> {
    stages.stages_per_group(2, TWO)
}

fn generate(stages: &Stages) -> Schedule {
    repeated(stages, [1, 1, 1, 1], 2 * ((stages.groups + 4) / 3))
}
