//! V-Half (Qi 2024): two stages on each group, placed in a V, such that each keeps about half of what the first group of
//! 1F1B does.

use crate::stages::Broken;
use crate::v_blocks::repeated;
use crate::zb_v::TWO;
use crate::{Named, Stages};
use meshwright_plan::Schedule;

pub(crate) const SCHEDULE: Named = Named {
    name: "v-half",
    summary: "two stages on each group, placed in a V: half of 1F1B's memory, about half of its bubble",
    virtual_stages: 2,
    copies: 1,
    rules,
    generate,
};

fn rules(stages: &Stages) -> Result<(), Broken> {
    stages.stages_per_group(2, TWO)
}

fn generate(stages: &Stages) -> Schedule {
    repeated(stages, [2, 1, 2, 1], 2 * ((stages.groups + 2) / 2))
}
