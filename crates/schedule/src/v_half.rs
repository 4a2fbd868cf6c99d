//! V-Half (Qi 2024): two stages on each group, placed in a V, such that each keeps about half of what the first group of
//! 1F1B does.

use crate::v_blocks::repeated;
use crate::{Named, Refusal, Stages};
use meshwright_plan::Schedule;

pub(crate) const SCHEDULE: Named = Named {
    name: "v-half",
    summary: "two stages on each group, placed in a V: half of 1F1B's memory, about half of its bubble",
    virtual_stages: 2,
    copies: 1,
    generate,
};

fn generate(stages: &Stages) -> Result<Schedule, Refusal> {
    repeated(stages, [2, 1, 2, 1], 2 * ((stages.groups + 2) / 2))
}
