//! Chimera (Li and Hoefler 2021): two 1F1B pipelines in opposite directions, of which one works where the other would
//! wait. Each stage has two copies, whose gradients are summed; the first half of the microbatches enters at the first
//! group, the second at the last.
//!
//! The table is what comes out if forward and backward passes take a slot each and a group prefers backward passes, then
//! earlier microbatches, then later stages.

use crate::row::{Cell, event};
use crate::stages::Broken;
use crate::{Named, Stages};
use meshwright_plan::{Event, Phase, Schedule};

pub(crate) const SCHEDULE: Named = Named {
    name: "chimera",
    summary: "1F1B in both directions, each where the other would wait; two copies of the weights",
    virtual_stages: 1,
    copies: 2,
    rules,
    generate,
};

fn rules(stages: &Stages) -> Result<(), Broken> {
    stages.stages_per_group(1, "Chimera has one stage of each direction on each group")?;
    stages.even_groups()?;
    stages.microbatches_by(2, "Chimera halves the microbatches")
}

fn generate(stages: &Stages) -> Schedule {
    let (groups, half) = (stages.groups, stages.microbatches / 2);
    let mut pipelines = [0, 1].map(|direction| Pipeline {
        offset: direction * half,
        half,
        done: vec![[0; 2]; groups],
        seen: vec![[0; 2]; groups],
    });
    let mut rows: Vec<Vec<Event>> = vec![Vec::new(); groups];
    while rows.iter().any(|row| row.len() < 4 * half) {
        pipelines.iter_mut().for_each(|pipeline| pipeline.seen.clone_from(&pipeline.done));
        for (group, row) in rows.iter_mut().enumerate() {
            let on = [group, groups - 1 - group];
            let all = (0..2).flat_map(|which| {
                pipelines[which].ready(on[which]).map(move |(rank, phase)| (rank, which, phase))
            });
            if let Some((_, which, phase)) = all.min() {
                row.push(pipelines[which].run(phase, on[which]));
            }
        }
    }
    Schedule { rows }
}

/// One direction. Its microbatches are counted from 0 and go through each stage in order.
struct Pipeline {
    offset: usize,
    half: usize,
    /// Forward and backward passes of each stage so far, and at the begin of the slot.
    done: Vec<[usize; 2]>,
    seen: Vec<[usize; 2]>,
}

/// What comes first: backward before forward, then the microbatch, then the stage from behind.
type Rank = (u8, usize, usize);

impl Pipeline {
    /// The passes that a stage could run in this slot.
    fn ready(&self, stage: usize) -> impl Iterator<Item = (Rank, Phase)> {
        let last = self.seen.len() - 1;
        let [forward, backward] = self.seen[stage];
        let behind = last - stage;
        let has_input = stage == 0 || self.seen[stage - 1][0] > forward;
        let may_go_ahead = forward - backward < last + 1 - stage;
        let can_go_on = forward < self.half && has_input && may_go_ahead;
        let has_gradient = stage == last || self.seen[stage + 1][1] > backward;
        let can_go_back = backward < forward && has_gradient;
        let on = can_go_on.then_some(((1, forward, behind), Phase::Forward));
        let back = can_go_back.then_some(((0, backward, behind), Phase::Backward));
        on.into_iter().chain(back)
    }

    fn run(&mut self, phase: Phase, stage: usize) -> Event {
        let done = &mut self.done[stage][usize::from(phase == Phase::Backward)];
        let cell: Cell = (stage, self.offset + *done);
        *done += 1;
        event(phase, cell)
    }
}
