//! Where the time of a pipeline goes: parts that, added in order, are the step.
//!
//! Groups that all computed the same, and never waited, would take the mean of what groups compute: the phases of
//! microbatches and the update. The group that computes most takes longer (imbalance), and waits besides: for results on
//! their way (transfers), and until there is something to do for it (bubble).

use meshwright_plan::figures::Share;
use meshwright_plan::timeline::Run;
use meshwright_plan::{Phase, Timeline};

/// Phases with what they are called.
const PHASES: [(&str, fn(Phase) -> bool); 7] = [
    ("copies of parameters", |phase| phase == Phase::Copies),
    ("passes before all others", |phase| phase == Phase::Prepass),
    ("forward passes", |phase| phase == Phase::Forward),
    ("gradients of inputs", |phase| phase == Phase::InputGradient),
    ("gradients of parameters", |phase| phase == Phase::WeightGradient),
    ("backward passes", |phase| phase == Phase::Backward),
    ("update", |phase| phase.is_of_update() || phase == Phase::Step),
];

/// Parts of the step of a timeline; those of which there is nothing are left out.
pub fn waterfall(timeline: &Timeline) -> Vec<Share> {
    let count = timeline.groups.len().max(1) as f64;
    let mean = |is_of: fn(Phase) -> bool| {
        let runs = timeline.groups.iter().flatten().filter(|run| is_of(run.action.program.phase));
        runs.map(|run| run.end - run.start).sum::<f64>() / count
    };
    let mut parts: Vec<Share> = PHASES.iter().map(|(what, is_of)| share(what, mean(*is_of))).collect();
    let groups = 0..timeline.groups.len();
    let Some(most) = groups.max_by(|one, other| timeline.busy(*one).total_cmp(&timeline.busy(*other))) else {
        return Vec::new();
    };
    let (busy, step) = (timeline.busy(most), timeline.step());
    let even: f64 = parts.iter().map(|part| part.seconds).sum();
    let exposed: f64 = timeline.groups[most].iter().map(|run: &Run| run.exposed).sum();
    let transfers = exposed + timeline.waits_for_state(most);
    let transfers = transfers.min(step - busy).max(0.0);
    parts.push(share("imbalance: the group that computes most, beyond the mean", busy - even));
    parts.push(share("transfers: waiting for results on their way", transfers));
    parts.push(share("bubble: waiting for something to do", step - busy - transfers));
    // What rounding left of a difference is no part.
    parts.retain(|part| part.seconds.abs() > 1e-12 * step);
    parts
}

fn share(what: &str, seconds: f64) -> Share {
    Share { what: what.to_owned(), seconds }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Costs, simulate};
    use meshwright_plan::{Schedule, Table};

    #[test]
    fn parts_are_the_step() {
        let schedule = Schedule::from_text("0F0 0F1 0B0 0B1\n1F0 1B0 1F1 1B1").unwrap();
        let table = Table::of(&schedule).unwrap();
        let mut costs = Costs::uniform(2, [1.0; 3], 0.25);
        costs.stages[1].forward = 2.0;
        let timeline = simulate(&table, &costs);
        let parts = waterfall(&timeline);
        let sum: f64 = parts.iter().map(|part| part.seconds).sum();
        assert!((sum - timeline.makespan()).abs() < 1e-12);
        let seconds = |what: &str| {
            parts.iter().find(|part| part.what.starts_with(what)).map_or(0.0, |part| part.seconds)
        };
        assert_eq!((seconds("forward"), seconds("backward"), seconds("imbalance")), (3.0, 4.0, 1.0));
        assert_eq!(seconds("transfers"), 0.25);
    }
}
