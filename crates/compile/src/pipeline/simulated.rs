//! Timelines of tables with what runs once in a step around them.
//!
//! Input: a table of actions of microbatches, rounds of the update, and what everything takes. Output: the timeline in which
//! stages make copies of parameters first, and update behind all.

use meshwright_plan::{Action, Event, Phase, ProgramId, Schedule, Table, Timeline};
use meshwright_simulate::{Costs, simulate};
use meshwright_stage::Update;
use std::collections::BTreeSet;

/// The timeline of the actions of a table with copies of parameters in front of those of each row and the update behind them.
/// Where that does not wait for other groups, each group begins the next step as soon as it can, and validates behind its first
/// forward passes.
pub(super) fn simulated(table: &Table<'_>, schedule: &Schedule, rounds: &[Phase], costs: &Costs) -> Timeline {
    let has_copies = |stage: usize| costs.stages.get(stage).is_some_and(|own| own.copies > 0.0);
    let whole = with_update(&table.homes(), schedule, rounds, &has_copies);
    match Table::of(&whole) {
        Ok(table) => simulated_whole(&table, rounds, costs),
        Err(_) => simulated_whole(table, rounds, costs),
    }
}

/// The same of a table that has these rounds of the update.
pub(super) fn simulated_whole(table: &Table<'_>, rounds: &[Phase], costs: &Costs) -> Timeline {
    let mut timeline = simulate(table, costs);
    timeline.period = rounds.contains(&Phase::Optimistic).then(|| timeline.longest_span());
    timeline
}

/// The phases of the update that come directly behind the backward passes.
pub(super) fn rounds_of(update: &Update) -> Vec<Phase> {
    match update.optimistic {
        Some(_) => vec![Phase::Update(0), Phase::Optimistic],
        None => update.phases(),
    }
}

/// The actions of microbatches with copies of parameters of these stages in front of them, in all rows of each, and the update
/// behind them, in the row of the first of several copies of a stage.
pub(super) fn with_update(
    homes: &[usize],
    schedule: &Schedule,
    rounds: &[Phase],
    has_copies: &dyn Fn(usize) -> bool,
) -> Schedule {
    let mut whole = schedule.clone();
    for (group, row) in whole.rows.iter_mut().enumerate() {
        row.retain(|event| matches!(event, Event::Action(action) if action.microbatch.is_some()));
        let of_row = row.iter().filter_map(|event| match event {
            Event::Action(action) => Some(action.program.stage),
            Event::Transfer(_) => None,
        });
        let of_row: BTreeSet<usize> = of_row.filter(|stage| has_copies(*stage)).collect();
        let copies = of_row.into_iter().map(|stage| ProgramId { stage, phase: Phase::Copies });
        let copies = copies.map(|program| Event::Action(Action { program, microbatch: None }));
        row.splice(0..0, copies);
        let stages: Vec<usize> = (0..homes.len()).filter(|stage| homes[*stage] == group).collect();
        for phase in rounds {
            let program = |stage: &usize| ProgramId { stage: *stage, phase: *phase };
            let action = |stage| Event::Action(Action { program: program(stage), microbatch: None });
            row.extend(stages.iter().map(action));
        }
    }
    whole
}
