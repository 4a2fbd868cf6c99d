//! Pipelines as plan files: what is decided of one, and back.
//!
//! Output of [`Written::file`], and input of `planned` and `cuts`: a [`PlanFile`] whose mesh and shardings are those of one
//! group, for the step in microbatches; `stages` says behind which instruction of the forward pass each stage begins, and
//! `schedule` is the table. What is made again is said of the program before it is cut, as in plans without stages.

use meshwright_ir::diagnostic::{Diagnostic, Span};
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::plan_file::codec::PLAN;
use meshwright_plan::plan_file::{PlanMicrobatches, PlanModel, PlanPolicy, PlanStage, PlanTimes};
use meshwright_plan::{Figures, PlanFile, Policy, Schedule, Table};
use meshwright_schedule::{Named, SCHEDULES, Stages};
use meshwright_stage::{Staged, Step};

use super::cut::Cut;
use super::layers::layers_before;
use super::refused::NO_BACKWARD;
use super::spent::Spent;
use super::wanted::Runs;
use super::{PartsOf, PipelineOptions, ScheduleChoice};
use crate::error::CompileError;
use crate::microbatch_size::replicas;

/// A pipeline that is written down.
pub(super) struct Written<'a> {
    pub(super) cut: &'a Cut,
    pub(super) step: &'a Step<'a>,
    pub(super) staged: &'a Staged,
    pub(super) table: &'a Schedule,
    /// Seconds of a step.
    pub(super) step_seconds: Seconds,
    /// What devices spend of it, on average.
    pub(super) spent: Spent,
    pub(super) memory: &'a [Bytes],
    pub(super) machine: &'a Machine,
    pub(super) limit: Bytes,
    /// What the program was made of.
    pub(super) model: &'a Option<PlanModel>,
    pub(super) figures_of_step: Option<Figures>,
    pub(super) times: PlanTimes,
}

impl Written<'_> {
    /// The plan file; `inner` says how a group shards the step.
    pub(super) fn file(&self, inner: PlanFile) -> PlanFile {
        let Self { cut, step, staged, table, memory, machine, limit, model, .. } = self;
        let mut plan = PlanFile { machine: machine.spec(), ..inner };
        let layers = layers_before(cut, step, &staged.cuts);
        let stages = staged.cuts.iter().zip(layers).enumerate().map(|(before, (place, layers_before))| {
            PlanStage { instruction: cut.name_in_front_of(step, *place), stage: before + 1, layers_before }
        });
        plan.stages = stages.collect();
        plan.schedule = table.to_string().lines().map(str::to_owned).collect();
        plan.recompute.clone_from(&cut.recompute);
        plan.attention.clone_from(&cut.attention);
        let again = cut.made_again.iter().map(|(value, reader)| PlanPolicy {
            value: value.clone(),
            reader: reader.clone(),
            place: None,
            policy: Policy::Recompute.name().to_owned(),
        });
        plan.policies.extend(again);
        let (count, batch, passes) = (cut.axis().count, cut.examples(), cut.axis().passes);
        // Slices of a sequence have tokens of all examples.
        let each = if cut.axis().carried.is_empty() { batch / count.max(1) } else { batch };
        plan.microbatches = Some(PlanMicrobatches::new(count, each, batch, passes, replicas(&plan.degrees)));
        plan.model.clone_from(model);
        plan.figures.clone_from(&self.figures_of_step);
        plan.times = Some(self.times.clone());
        if table.rows.len() > 1 {
            plan.parallelism.insert(0, format!("pipeline parallel over {}", table.rows.len()));
        }
        plan.predicted.total_seconds = self.step_seconds.0;
        plan.predicted.compute_seconds = self.spent.compute.0;
        plan.predicted.communication_seconds = self.spent.communication.0;
        plan.memory.peak_bytes = memory.iter().max().map_or(0, |most| most.0);
        plan.memory.limit_bytes = limit.0;
        plan
    }
}

impl PipelineOptions {
    /// The pipeline of a plan; nothing if it has no schedule.
    ///
    /// # Errors
    /// [`CompileError::Plan`]: a schedule that is none, or that cannot run; no number of microbatches.
    pub fn of_plan(plan: &PlanFile) -> Result<Option<Self>, CompileError> {
        if plan.schedule.is_empty() {
            return Ok(None);
        }
        let at_schedule = |row: Option<usize>, why: String| {
            let key = row.map_or_else(|| "schedule".to_owned(), |row| format!("schedule[{row}]"));
            refused(plan, &key, why)
        };
        let schedule =
            Schedule::from_rows(&plan.schedule).map_err(|(row, why)| at_schedule(Some(row), why))?;
        let (groups, stages, microbatches, runs) = match Table::of(&schedule) {
            Ok(table) => (table.rows.len(), table.num_stages, table.num_microbatches, Runs::of_table(&table)),
            Err(faults) => {
                let first = faults.into_iter().next();
                let row = first.as_ref().and_then(|fault| fault.place).map(|(row, _)| row);
                return Err(at_schedule(row, first.map_or_else(String::new, |fault| fault.message)));
            }
        };
        let trains = plan.times.as_ref().is_some_and(PlanTimes::has_backward);
        if trains && !runs.trains {
            return Err(at_schedule(None, NO_BACKWARD.to_owned()));
        }
        let planned = plan.microbatches.as_ref().map(|planned| planned.count);
        if planned != Some(microbatches) {
            let why = format!("the schedule has {microbatches} microbatches");
            return Err(refused(plan, "microbatches.count", why));
        }
        let numbers = Stages { groups, virtual_stages: stages / groups.max(1), microbatches, layers: None };
        let parts_of = plan.microbatches.as_ref().map_or(PartsOf::Batch, parts_of);
        let schedule = match recognized(&schedule, &numbers, runs, parts_of) {
            Some(named) => ScheduleChoice::Named(named),
            None => ScheduleChoice::Table(schedule),
        };
        let virtual_stages = Some(stages / groups.max(1));
        Ok(Some(Self { groups, virtual_stages, microbatches, schedule }))
    }
}

/// What microbatches of a plan are parts of: slices of a sequence have tokens of all examples.
fn parts_of(planned: &PlanMicrobatches) -> PartsOf {
    let PlanMicrobatches { count, size, replicas, batch, .. } = *planned;
    match count > 1 && size.saturating_mul(replicas) >= batch {
        true => PartsOf::Sequence,
        false => PartsOf::Batch,
    }
}

/// The schedule with a name that has this table where the same of it runs.
fn recognized(table: &Schedule, numbers: &Stages, runs: Runs, parts_of: PartsOf) -> Option<Named> {
    let is_it = |named: &Named| {
        let own = named.table(numbers).ok().and_then(|own| runs.table(own).ok());
        PartsOf::by(named) == parts_of && own.is_some_and(|own| own == *table)
    };
    SCHEDULES.into_iter().find(is_it)
}

/// The places at which a plan cuts the forward pass.
///
/// # Errors
/// [`CompileError::Plan`]: an instruction that is none of the forward pass, or stages that are not in its order.
pub(super) fn cuts(plan: &PlanFile, cut: &Cut, step: &Step<'_>) -> Result<Vec<usize>, CompileError> {
    let mut cuts: Vec<usize> = Vec::new();
    for (entry, stage) in plan.stages.iter().enumerate() {
        let key = format!("stages[{entry}]");
        let place = cut.place_behind(step, &stage.instruction);
        let place = place.ok_or_else(|| {
            let why = format!("`{}` is no instruction of the forward pass", stage.instruction);
            refused(plan, &format!("{key}.instruction"), why)
        })?;
        if stage.stage != entry + 1 || cuts.last().is_some_and(|before| *before >= place) {
            let why = "stages are in order, from 1, and each begins behind the one before".to_owned();
            return Err(refused(plan, &key, why));
        }
        cuts.push(place);
    }
    Ok(cuts)
}

/// The number of stages of a plan is not that of its schedule.
pub(super) fn other_stages(plan: &PlanFile, count: usize) -> CompileError {
    let why = format!("the schedule has {count} stages, but these are {}", plan.stages.len() + 1);
    refused(plan, "stages", why)
}

/// The stages of a plan are none: of several problems the first one is said.
pub(super) fn broken_stages(plan: &PlanFile, problems: &[String]) -> CompileError {
    let why = problems.first().map_or("", String::as_str);
    refused(plan, "stages", format!("the step cannot be cut there: {why}"))
}

/// What is wrong with a plan, at its place.
pub(super) fn refused(plan: &PlanFile, key: &str, why: String) -> CompileError {
    let span = match plan.places.at(key) {
        Span::NONE => plan.places.at(key.split(['[', '.']).next().unwrap_or(key)),
        span => span,
    };
    CompileError::Plan(vec![Diagnostic::error(PLAN, span, format!("`{key}`: {why}"))])
}
