//! The checker of plans of pipelines: everything that the search claims, computed again without how it was found.
//!
//! - P1: stages have all segments of the step, each once and in order, and are on the groups of the schedule's table;
//! - P2: the table is that of the schedule for these numbers, and runs every action once;
//! - P3: no group works less than its stages take, and the step is no shorter than the busiest group;
//! - P4: what a group holds at once, with as many microbatches as its rows have in flight, fits into the memory;
//! - P5: the bound is not above the step, and no combination that was priced takes less.

use meshwright_machine::Bytes;
use meshwright_plan::{Phase, Table};
use meshwright_schedule::Stages;

use super::{PipelinePlan, WeighedFate};
use crate::pipeline::ScheduleChoice;

/// Times that are summed in another order differ by less.
const ROUNDING: f64 = 1e-9;

/// Everything that is wrong with a plan for so many segments and so much memory; empty if nothing is.
pub(super) fn check(plan: &PipelinePlan, segments: usize, limit: Bytes) -> Vec<String> {
    let mut found = Vec::new();
    let starts = [0].into_iter().chain(plan.segments.iter().map(|(_, end)| *end));
    let is_chain = plan.segments.iter().zip(starts).all(|((from, end), start)| *from == start && from < end);
    if !is_chain || plan.segments.last().is_none_or(|(_, end)| *end != segments) {
        found.push(format!("P1: stages have the segments {:?} of {segments}", plan.segments));
    }
    let numbers = Stages {
        groups: plan.groups,
        virtual_stages: plan.virtual_stages,
        microbatches: plan.microbatches,
        layers: Some(segments),
    };
    let schedule = match &plan.schedule {
        ScheduleChoice::Named(named) => named.table(&numbers).map_err(|refusal| refusal.to_string()),
        ScheduleChoice::Table(schedule) => Ok(schedule.clone()),
        ScheduleChoice::Search => Err("the table is still to be searched".to_owned()),
    };
    let schedule = match schedule {
        Ok(schedule) => schedule,
        Err(refusal) => {
            found.push(format!("P2: {refusal}"));
            return found;
        }
    };
    let Ok(table) = Table::of(&schedule) else {
        found.push("P2: the table is wrong".to_owned());
        return found;
    };
    rows(plan, &table, limit, &mut found);
    let step = plan.figures.step().0;
    if plan.bound.0 > step * (1.0 + ROUNDING) {
        found.push(format!("P5: the bound {} is above the step {}", plan.bound, plan.figures.step()));
    }
    for own in &plan.weighed {
        if matches!(own.fate, WeighedFate::Priced(seconds, _) if seconds.0 < step * (1.0 - ROUNDING)) {
            found.push(format!("P5: {} groups and {} microbatches take less", own.groups, own.microbatches));
        }
    }
    found
}

/// P1, P3 and P4 of each row of the table.
fn rows(plan: &PipelinePlan, table: &Table<'_>, limit: Bytes, found: &mut Vec<String>) {
    let step = plan.figures.step().0;
    for (group, row) in table.rows.iter().enumerate() {
        let (mut work, mut kept, mut most) = (0.0, 0_i128, 0_i128);
        for action in row.iter().filter_map(|at| table.action(*at)) {
            let Some(stage) = plan.figures.stages.get(action.program.stage) else {
                found.push(format!("P1: there is no stage {}", action.program.stage));
                return;
            };
            if !stage.groups.contains(&group) {
                found.push(format!("P1: stage {} is not on group {group}", action.program.stage));
            }
            let (seconds, change) = match action.program.phase {
                Phase::Forward => (stage.forward.0, i128::from(stage.kept.0)),
                Phase::InputGradient => {
                    let handed = i128::from(stage.kept_for_weights.0) - i128::from(stage.kept.0);
                    (stage.input_gradient.0, handed)
                }
                Phase::WeightGradient => (stage.weight_gradient.0, -i128::from(stage.kept_for_weights.0)),
                Phase::Backward => (stage.work().0 - stage.forward.0, -i128::from(stage.kept.0)),
                Phase::Copies => (stage.copies.0, 0),
                Phase::Prepass => (stage.prepass.0, 0),
                Phase::Step | Phase::Update(_) | Phase::Optimistic | Phase::Validation | Phase::Redo => {
                    (stage.update.0, 0)
                }
            };
            (work, kept) = (work + seconds, kept + change);
            most = most.max(kept);
        }
        let own = || plan.figures.stages.iter().filter(|stage| stage.groups.contains(&group));
        work += own().map(|stage| stage.copies.0 + stage.update.0).sum::<f64>();
        if work > step * (1.0 + ROUNDING) {
            found.push(format!("P3: group {group} works {work} s, and the step is {step} s"));
        }
        let held: u64 = own().map(|stage| stage.held().0).sum();
        let working = own().map(|stage| stage.working.0).max().unwrap_or(0);
        let needed = i128::from(held) + i128::from(working) + most;
        if needed > i128::from(limit.0) {
            found.push(format!("P4: group {group} needs {needed} bytes of {limit}"));
        }
    }
}
