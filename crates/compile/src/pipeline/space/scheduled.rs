//! Schedules as a step runs them, and what is known of their tables however the step is sharded.
//!
//! Input: schedules by name and numbers of stages. Output: [`Tables`] of each, which are made when they are first asked for: a
//! combination is timed with one sharding after the other, and ways of a grid share their numbers.

use meshwright_machine::Bytes;
use meshwright_plan::{Phase, Schedule, Table};
use meshwright_schedule::{Named, Stages};
use meshwright_stage::rows::Placed;
use std::cell::OnceCell;
use std::sync::OnceLock;

use super::cuts::Wants;
use crate::error::CompileError;
use crate::pipeline::refused;
use crate::pipeline::simulated::with_update;
use crate::pipeline::wanted::Runs;

/// A schedule as a step runs it.
pub(super) struct Scheduled {
    /// The actions of microbatches.
    schedule: Schedule,
    /// The same with copies in front of them and the update behind them, once somebody asked for it.
    whole: OnceLock<Schedule>,
}

impl Scheduled {
    /// # Errors
    /// As of [`Runs::table`].
    pub(super) fn of(schedule: Schedule, runs: Runs) -> Result<Self, CompileError> {
        Ok(Self { schedule: runs.table(schedule)?, whole: OnceLock::new() })
    }
}

/// The tables of a schedule.
pub(super) struct Tables<'s> {
    scheduled: &'s Scheduled,
    pub(super) table: Table<'s>,
    pub(super) placed: Placed,
    whole: OnceLock<Option<Table<'s>>>,
    /// What it wants of stages that have all memory there is.
    wants: Wants,
}

impl<'s> Tables<'s> {
    /// # Errors
    /// A table that is wrong, or of which copies of stages do not belong together.
    pub(super) fn of(scheduled: &'s Scheduled) -> Result<Self, CompileError> {
        let table = Table::of(&scheduled.schedule).map_err(refused::table)?;
        let placed = Placed::of(&table).ok_or_else(refused::mixed_copies)?;
        let wants = Wants::of(&table, Bytes(u64::MAX));
        Ok(Self { scheduled, table, placed, whole: OnceLock::new(), wants })
    }

    /// What it wants of stages whose groups have so much memory.
    pub(super) fn wants(&self, memory: Bytes) -> Wants {
        self.wants.within(&self.table, memory)
    }

    /// The table with copies of parameters in front of its actions, if stages have some, and these rounds of the update behind
    /// them, where that is one.
    pub(super) fn whole(&self, rounds: &[Phase], have_copies: bool) -> &Table<'s> {
        let Self { scheduled: Scheduled { schedule, whole }, table, .. } = self;
        let all = || with_update(&table.homes(), schedule, rounds, &|_| have_copies);
        let made = || Table::of(whole.get_or_init(all)).ok();
        self.whole.get_or_init(made).as_ref().unwrap_or(table)
    }
}

/// The schedules of a combination, by name and stages of each group; none of those that its numbers do not go with.
pub(super) struct Schedules {
    pub(super) names: Vec<(Named, usize)>,
    made: Vec<OnceCell<Option<Scheduled>>>,
}

impl Schedules {
    pub(super) fn of(names: Vec<(Named, usize)>) -> Self {
        Self { made: names.iter().map(|_| OnceCell::new()).collect(), names }
    }
}

/// Their tables.
pub(super) struct AllTables<'s> {
    pub(super) schedules: &'s Schedules,
    made: Vec<OnceCell<Tables<'s>>>,
}

impl<'s> AllTables<'s> {
    pub(super) fn of(schedules: &'s Schedules) -> Self {
        Self { schedules, made: schedules.names.iter().map(|_| OnceCell::new()).collect() }
    }

    /// The tables of the schedule at a position, with these numbers, as a step runs it.
    ///
    /// # Errors
    /// A table that is wrong.
    pub(super) fn at(
        &self,
        position: usize,
        numbers: &Stages,
        runs: Runs,
    ) -> Result<Option<&Tables<'s>>, CompileError> {
        if let Some(known) = self.made[position].get() {
            return Ok(Some(known));
        }
        let cell = &self.schedules.made[position];
        let scheduled = match cell.get() {
            Some(known) => known,
            None => {
                let table = self.schedules.names[position].0.table(numbers).ok();
                let made = table.map(|table| Scheduled::of(table, runs)).transpose()?;
                cell.get_or_init(|| made)
            }
        };
        let Some(scheduled) = scheduled else { return Ok(None) };
        let made = Tables::of(scheduled)?;
        Ok(Some(self.made[position].get_or_init(|| made)))
    }
}
