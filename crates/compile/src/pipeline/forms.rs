//! Forms of a step that has to see all examples before any of them goes on, as a loss of balance between experts does: all
//! microbatches pass through its stages once before, in phase `P`, and then any schedule does; or its forward passes gather
//! what is to be known, and all of them come before the first backward pass.
//!
//! Input: a step that is cut. Output: its [`Forms`], and the one in which it runs by a table.

use meshwright_plan::{Phase, PlanFile, Schedule, Table};
use meshwright_stage::Step;

use super::wanted::Runs;
use super::{Cut, refused};
use crate::error::CompileError;

/// A step as it may run.
pub(super) struct Forms<'c> {
    /// With a pass before it, if it needs one.
    pub(super) own: Step<'c>,
    /// The same without that pass, if its forward passes can gather what it needs.
    pub(super) gathering: Option<Step<'c>>,
    runs: Runs,
}

impl<'c> Forms<'c> {
    /// Those of a step; that of a plan, if there is one.
    ///
    /// # Errors
    /// It needs several passes before it.
    pub(super) fn of(cut: &'c Cut, plan: Option<&PlanFile>) -> Result<Self, CompileError> {
        let refused = |refusal| cut.refused(&refusal);
        let own = cut.step().map_err(refused)?;
        let gathering = if own.has_prepass() { cut.gathering_step().map_err(refused)? } else { None };
        let gathering = gathering.filter(|_| plan.is_none_or(|plan| plan.gathers_forward));
        let runs = Runs { can_gather: gathering.is_some(), ..Runs::of(cut, &own) };
        Ok(Self { own, gathering, runs })
    }

    /// Parts of a table that it runs.
    pub(super) fn runs(&self) -> Runs {
        self.runs
    }

    /// The form in which it runs by a table.
    ///
    /// # Errors
    /// A table that cannot run.
    pub(super) fn by(&self, schedule: &Schedule) -> Result<&Step<'c>, CompileError> {
        let Some(gathering) = &self.gathering else { return Ok(&self.own) };
        let run = self.runs.table(schedule.clone())?;
        let table = Table::of(&run).map_err(refused::table)?;
        Ok(if Runs::of_table(&table).has_prepass { &self.own } else { gathering })
    }
}

/// Whether all forward passes of a table come before its first backward pass.
pub(super) fn is_forward_first(table: &Table<'_>) -> bool {
    let phases = table.order.iter().filter_map(|at| Some(table.action(*at)?.program.phase));
    let mut behind =
        phases.skip_while(|phase| matches!(phase, Phase::Copies | Phase::Prepass | Phase::Forward));
    behind.all(|phase| phase != Phase::Forward)
}
