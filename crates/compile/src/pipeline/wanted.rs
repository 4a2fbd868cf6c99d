//! Pipelines as people ask for them.
//!
//! Input: numbers of groups, stages and microbatches, and a schedule by name, as a table, or to be searched
//! ([`PipelineOptions`]). Output: the table of actions, or the rule that the numbers break.

use meshwright_machine::Machine;
use meshwright_plan::{Event, Phase, Schedule, Table};
use meshwright_schedule::{Named, Stages, named};
use meshwright_stage::Step;
use meshwright_stage::pieces::Copies;
use meshwright_stage::rows::{self, Placed};

use super::cut::Cut;
use super::forms::is_forward_first;
use super::refused;
use super::space::{self, Numbers, PipelineSpace};
use crate::attended::Kernels;
use crate::error::CompileError;
use crate::options::Options;
use crate::recompute::Recompute;

/// The schedule of slices of a sequence.
pub(super) const SLICES: &str = "terapipe";

/// Options of a pipeline.
#[derive(Clone, Debug)]
pub struct PipelineOptions {
    /// Groups of devices.
    pub groups: usize,
    /// Stages of each group. `None`: those that the schedule is known for.
    pub virtual_stages: Option<usize>,
    /// Microbatches of a step.
    pub microbatches: usize,
    /// What runs when.
    pub schedule: ScheduleChoice,
}

/// Whole of which the microbatches of a pipeline are parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartsOf {
    /// The batch.
    Batch,
    /// The sequence: slices of the tokens of all examples.
    Sequence,
}

impl PartsOf {
    /// What a schedule cuts.
    pub(super) fn by(named: &Named) -> Self {
        if named.name == SLICES { Self::Sequence } else { Self::Batch }
    }

    /// The options for a step that is cut so: a kernel attends to whole sequences.
    pub(super) fn suit(self, options: &Options) -> Options {
        match self {
            Self::Batch => options.clone(),
            Self::Sequence => Options { kernels: Kernels::Off, ..options.clone() },
        }
    }
}

/// The schedule of a pipeline.
#[derive(Clone, Debug)]
pub enum ScheduleChoice {
    /// One that has a name.
    Named(Named),
    /// A table of the caller's own.
    Table(Schedule),
    /// The best table that is found for what the stages are predicted to take, in the memory that there is.
    Search,
}

impl ScheduleChoice {
    /// Name of the schedule, `search` of one that is searched; none of a table of the caller's own.
    pub fn name(&self) -> Option<&'static str> {
        match self {
            Self::Named(named) => Some(named.name),
            Self::Search => Some("search"),
            Self::Table(_) => None,
        }
    }

    /// What the microbatches of its tables are parts of.
    pub(super) fn parts_of(&self) -> PartsOf {
        match self {
            Self::Named(named) => PartsOf::by(named),
            _ => PartsOf::Batch,
        }
    }
}

/// A schedule that takes any number of microbatches through so many stages of each group.
pub(super) fn of_any_microbatches(virtual_stages: usize) -> Named {
    let name = if virtual_stages > 1 { "looped-bfs" } else { "gpipe" };
    named(name).expect("it is one that has a name")
}

/// Parts of a table that a step runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Runs {
    /// Whether it has backward passes; without these only forward passes are left of a table.
    pub(super) trains: bool,
    /// Whether all microbatches pass through it once before, for what it needs of all of them.
    pub(super) has_prepass: bool,
    /// Whether forward passes can gather that instead, if all come before the first backward pass.
    pub(super) can_gather: bool,
}

impl Runs {
    /// Those of a step.
    pub(super) fn of(cut: &Cut, step: &Step<'_>) -> Self {
        let gathering = || cut.gathering_step().is_ok_and(|step| step.is_some());
        let has_prepass = step.has_prepass();
        Self { trains: cut.trains(), has_prepass, can_gather: has_prepass && gathering() }
    }

    /// Those that a table has.
    pub(super) fn of_table(table: &Table<'_>) -> Self {
        let phases = || (0..table.events.len()).filter_map(|at| Some(table.action(at)?.program.phase));
        Self {
            trains: phases().any(|phase| !matches!(phase, Phase::Copies | Phase::Prepass | Phase::Forward)),
            has_prepass: phases().any(|phase| phase == Phase::Prepass),
            can_gather: false,
        }
    }

    /// A table as it runs, which may be wrong as it was before.
    ///
    /// # Errors
    /// A table without backward passes of a step that has some. In a step that needs something of all microbatches before: a
    /// table that cannot run, or copies of stages.
    pub(super) fn table(self, mut schedule: Schedule) -> Result<Schedule, CompileError> {
        if self.trains && !schedule.rows.iter().flatten().any(is_backward) {
            return Err(refused::no_backward());
        }
        let is_run = |phase: Phase| match phase {
            // Copies of parameters are placed where stages make some.
            Phase::Copies => false,
            Phase::Prepass => self.has_prepass,
            Phase::Forward => true,
            _ => self.trains,
        };
        let is_kept = |event: &Event| match event {
            Event::Action(action) => is_run(action.program.phase),
            Event::Transfer(_) => self.trains,
        };
        schedule.rows.iter_mut().for_each(|row| row.retain(is_kept));
        if !self.has_prepass {
            return Ok(schedule);
        }
        let table = Table::of(&schedule).map_err(refused::table)?;
        let placed = Placed::of(&table).ok_or_else(refused::mixed_copies)?;
        if placed.copies() == Copies::Two {
            return Err(refused::prepass_of_copies());
        }
        let is_there = Self::of_table(&table).has_prepass || self.can_gather && is_forward_first(&table);
        Ok(if is_there { schedule } else { rows::behind_prepass(&table, &placed, &schedule) })
    }
}

/// Whether an event is of a backward pass.
fn is_backward(event: &Event) -> bool {
    let Event::Action(action) = event else { return false };
    matches!(action.program.phase, Phase::InputGradient | Phase::WeightGradient | Phase::Backward)
}

impl PipelineOptions {
    /// The numbers, where nothing says how groups are sharded: these are sharded for the short step, within what their stages leave
    /// of the memory.
    pub(super) fn space(&self, machine: &Machine, options: &Options) -> Option<PipelineSpace> {
        let Self { groups, virtual_stages, microbatches, schedule } = self;
        let virtual_stages = virtual_stages.map(|count| Numbers::These(vec![count]));
        let (virtual_stages, schedules) = match schedule {
            ScheduleChoice::Named(named) if named.copies == 1 && named.name != SLICES => {
                let usual = Numbers::These(vec![named.virtual_stages]);
                (virtual_stages.unwrap_or(usual), vec![*named])
            }
            // Slices are weighed with what this comes to.
            ScheduleChoice::Search => (virtual_stages.unwrap_or(Numbers::Search), space::of_one_copy()),
            _ => return None,
        };
        let is_open = options.plan.is_none()
            && options.mesh.is_none()
            && options.asked.is_none()
            && options.group_meshes.is_empty()
            && options.group_hosts.is_none()
            && !matches!(options.recompute, Some(Recompute::Keeping(_) | Recompute::Values(_)));
        let has_choice = machine.num_devices() > *groups && *groups > 1;
        (is_open && has_choice).then(|| PipelineSpace {
            groups: Numbers::These(vec![*groups]),
            virtual_stages,
            microbatches: Numbers::These(vec![*microbatches]),
            schedules,
            makes_tables: matches!(schedule, ScheduleChoice::Search),
            is_short: false,
        })
    }

    /// Returns whether it is no pipeline: one group with one stage runs one program, whatever the name of its schedule, if
    /// the options ask for nothing that only a pipeline has.
    pub fn is_one_program(&self, options: &Options) -> bool {
        let stages = match &self.schedule {
            ScheduleChoice::Named(named) if named.copies > 1 || named.name == SLICES => return false,
            ScheduleChoice::Named(named) => self.virtual_stages.unwrap_or(named.virtual_stages),
            ScheduleChoice::Search => self.virtual_stages.unwrap_or(1),
            ScheduleChoice::Table(_) => return false,
        };
        self.groups == 1 && stages == 1 && !options.says_groups()
    }

    /// What its microbatches are parts of, as the schedule says.
    pub(super) fn parts_of(&self) -> PartsOf {
        self.schedule.parts_of()
    }

    /// The table of actions; none if it is to be searched. There is nothing to search where only forward passes run.
    ///
    /// # Errors
    /// The rule of the schedule that the numbers break.
    pub(super) fn table(&self, trains: bool) -> Result<Option<Schedule>, CompileError> {
        match &self.schedule {
            ScheduleChoice::Search if trains => Ok(None),
            ScheduleChoice::Search => {
                let any = of_any_microbatches(self.virtual_stages.unwrap_or(1));
                Self { schedule: ScheduleChoice::Named(any), ..self.clone() }.table(trains)
            }
            ScheduleChoice::Table(schedule) => self.given(schedule.clone()).map(Some),
            ScheduleChoice::Named(named) => {
                let stages = Stages {
                    groups: self.groups,
                    virtual_stages: self.virtual_stages.unwrap_or(named.virtual_stages),
                    microbatches: self.microbatches,
                    layers: None,
                };
                named.table(&stages).map(Some).map_err(|refusal| refused::schedule(&refusal))
            }
        }
    }

    /// A table of the caller's own has the numbers that are asked for, an action in each row, and nothing that is placed for it:
    /// copies of parameters, transfers and updates.
    pub(super) fn given(&self, schedule: Schedule) -> Result<Schedule, CompileError> {
        let table = Table::of(&schedule).map_err(refused::table)?;
        if let Some(row) = table.rows.iter().position(Vec::is_empty) {
            return Err(refused::idle_row(row));
        }
        let is_placed_anew = |event: &&Event| match event {
            Event::Action(action) => !action.program.phase.is_of_microbatch(),
            Event::Transfer(_) => true,
        };
        if let Some(event) = schedule.rows.iter().flatten().find(is_placed_anew) {
            return Err(refused::placed_anew(event));
        }
        let virtual_stages = table.num_stages / table.rows.len().max(1);
        let numbers = [
            ("--stages", "groups", table.rows.len(), Some(self.groups)),
            ("--virtual-stages", "stages of each group", virtual_stages, self.virtual_stages),
            ("--microbatches", "microbatches", table.num_microbatches, Some(self.microbatches)),
        ];
        match numbers.into_iter().find(|(.., there, asked)| asked.is_some_and(|asked| asked != *there)) {
            Some((flag, what, there, asked)) => {
                Err(refused::other_number(flag, what, there, asked.unwrap_or(0)))
            }
            None => Ok(schedule),
        }
    }
}
