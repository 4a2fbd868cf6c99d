//! A training step as a pipeline: stages on groups of devices, which run the rows of a schedule.
//!
//! Input: a verified program, a machine, and [`PipelineOptions`]. Output: [`Pipelined`]: the programs of all stages and
//! phases with their schedule, and how the step was cut. The step is brought into its normal form, cut into microbatches,
//! and these into stages ([`meshwright_stage`]); each stage and phase becomes a function, which is sharded over the devices
//! of its group and lowered like any program.

mod cut;
mod figures;
mod handed;
mod inner;
mod layers;
mod lower;
mod plan;
mod planned;
mod refused;
mod search;
mod space;
mod stay_gathered;
mod step_model;
mod twin;
mod unstacked;

use meshwright_ir::control::{Control, View};
use meshwright_ir::diagnostic::Diagnostic;
use meshwright_ir::program::{Function, Program};
use meshwright_machine::{Bytes, Machine};
use meshwright_plan::figures::Share;
use meshwright_plan::{
    Bundle, DevicePrograms, Event, Figures, Phase, PlanFile, Schedule, Table, fingerprint,
};
use meshwright_schedule::{Named, Stages};
use meshwright_stage::pieces::Copies;
use meshwright_stage::rows::{self, Placed};
use meshwright_stage::{Piece, Rows, Staged, Step, pieces, verify};
use std::cmp::Reverse;

use crate::driver;
use crate::error::CompileError;
use crate::from_plan::same_program;
use crate::options::Options;
use cut::Cut;
use figures::Priced;
pub use figures::{PipelineFigures, StageFigures};
use handed::Handed;
use inner::{Inner, StandsFor};
use plan::Written;
pub use planned::PlannedStages;
pub(crate) use space::{GivenPipelines, Row};
pub use space::{Numbers, PipelinePlan, PipelineSpace, Weighed, WeighedFate, pipeline_plan};
pub(crate) use step_model::{StepModel, WAITING};
pub use twin::pipeline_twin;

/// The schedule of slices of a sequence, which are no microbatches.
const SLICES: &str = "terapipe";

/// The schedule of a forward pass.
const FORWARD: &str = "forward only";

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
    /// Where stages begin, and what each makes again. `None`: where that makes the longest shortest, and what the options say.
    pub stages: Option<PlannedStages>,
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
}

/// A step as a pipeline.
#[derive(Clone, Debug)]
pub struct Pipelined {
    /// The program as read.
    pub program: Program,
    /// Its entry function with all calls inlined.
    pub function: Function,
    /// The programs of all stages and phases, and their schedule.
    pub programs: DevicePrograms,
    /// How the step was cut.
    pub staged: Staged,
    /// What it is predicted to take.
    pub figures: PipelineFigures,
    /// Bytes that a device of each group is predicted to need, event by event of its row.
    pub memory: Vec<Bytes>,
    /// The name of the schedule, if it has one.
    pub schedule: Option<&'static str>,
    /// The table of actions that it was made from.
    pub table: Schedule,
    /// What is made again for the backward pass, if that was asked for: `none`, `selective`, `full`, or what it is.
    pub recompute: Option<String>,
    /// The plan, which leads to the same pipeline when it is given back.
    pub plan: PlanFile,
}

impl Pipelined {
    /// The manifest of a compiled folder.
    pub fn bundle(&self) -> Bundle {
        let mut bundle = driver::bundle(&self.function, &self.programs, fingerprint(&self.program));
        for (group, bytes) in bundle.groups.iter_mut().zip(&self.memory) {
            group.memory_bytes = Some(bytes.0);
        }
        bundle
    }

    /// Message that a group needs more memory than `limit` on each of its devices, with its stages; none if all fit.
    pub fn misfit(&self, limit: Bytes) -> Option<Diagnostic> {
        let most = self.memory.iter().enumerate().max_by_key(|(group, bytes)| (**bytes, Reverse(*group)));
        let (group, needed) = most.filter(|(_, needed)| **needed > limit)?;
        Some(refused::too_large(&self.figures, group, *needed, limit))
    }

    /// The files of a compiled folder, by name; `whole` is the text of the program as it was given.
    pub fn files(&self, whole: &str) -> Vec<(String, String)> {
        driver::files(&self.bundle(), &self.programs, self.plan.to_text(), whole)
    }
}

/// Makes a pipeline of a verified program. Of `options`, those of meshes and of passes are for each group.
///
/// # Errors
/// [`CompileError::Options`]: numbers that break a rule of the schedule, or that the program cannot be cut into;
/// [`CompileError::Diagnostics`]: a program that cannot be cut, with the place that is in the way.
pub fn pipeline(
    program: &Program,
    machine: &Machine,
    options: &Options,
    wanted: &PipelineOptions,
    control: &dyn Control,
) -> Result<Pipelined, CompileError> {
    let planned =
        options.plan.as_ref().map(|plan| Bytes(plan.memory.limit_bytes)).filter(|limit| limit.0 > 0);
    let limit = options.memory_limit.or(planned).unwrap_or(machine.device.usable_memory());
    let gathered = made(program, machine, (options, true), wanted, limit, control)?;
    let stays = options.plan.is_none() && options.asked.is_none();
    if !stays || gathered.misfit(limit).is_none() {
        return Ok(gathered);
    }
    // Parameters that are gathered for every microbatch need less memory.
    let again = made(program, machine, (options, false), wanted, limit, control)?;
    Ok(if again.memory.iter().max() < gathered.memory.iter().max() { again } else { gathered })
}

/// The same with parameters that stay gathered, if that is wanted, for devices with so much memory.
fn made(
    program: &Program,
    machine: &Machine,
    (options, stays_gathered): (&Options, bool),
    wanted: &PipelineOptions,
    limit: Bytes,
    control: &dyn Control,
) -> Result<Pipelined, CompileError> {
    if let Some(plan) = &options.plan {
        same_program(plan, program)?;
    }
    let given = wanted.table()?;
    let part = refused::part(machine, wanted.groups)?;
    let cut = match &wanted.stages {
        Some(stages) => stages.cut(program, wanted.microbatches, &part, options)?,
        None => Cut::of(program, wanted.microbatches, &part, options)?,
    };
    let given = if cut.trains() { given } else { Some(forward_only(given, wanted)?) };
    let step = cut.step().map_err(|refusal| cut.refused(&refusal))?;
    let function = &cut.microbatched.made.function;
    let (inner, decided) =
        Inner::of(program, function, &cut.origins, &part, (options, stays_gathered), control)?;
    let site = Site { cut: &cut, step: &step, inner: &inner, machine, part: &part };
    let (schedule, staged) = match given {
        Some(schedule) => {
            let count = Table::of(&schedule).map_err(refused::table)?.num_stages;
            let staged = match (&options.plan, &wanted.stages) {
                (Some(plan), _) => site.planned(plan, count)?,
                (None, Some(stages)) => match stages.staged(&step) {
                    Some(staged) => staged,
                    None => site.stages(count)?,
                },
                (None, None) => site.stages(count)?,
            };
            (schedule, staged)
        }
        None => search::table(&site, wanted, limit)?,
    };
    if let Err(problems) = verify::verify(&step, &staged) {
        if let Some(plan) = &options.plan {
            return Err(plan::broken_stages(plan, &problems));
        }
        panic!("the stages are broken: {}", problems.join("; "));
    }
    let schedule = with_prepass(&step, schedule)?;
    let table = Table::of(&schedule).map_err(refused::table)?;
    let placed = Placed::of(&table).ok_or_else(refused::mixed_copies)?;
    let pieces = pieces::pieces(&step, &staged, placed.copies());
    let mut handed = site.handed(&staged);
    let groups = placed.0.clone();
    let rows = Rows::new(&step, &staged, &pieces, &table, placed);
    let events = rows.schedule(&table);
    let (figures, programs, memory) = loop {
        let priced = site.priced(&staged, &pieces, &handed);
        let figures = priced.figures(&table, &schedule, &groups);
        let programs = lower::programs(&cut, &step, &rows, (&inner, &handed), events.clone(), options)?;
        let memory = priced.memory(&programs);
        let is_full = |stage: usize| groups[stage].iter().any(|group| memory[*group] > limit);
        if !handed.drop_stages(is_full) {
            break (figures, programs, memory);
        }
    };
    if wanted.microbatches < wanted.groups {
        control.warn(&refused::never_full(wanted, &figures));
    }
    let written = Written {
        cut: &cut,
        step: &step,
        staged: &staged,
        table: &schedule,
        figures: &figures,
        memory: &memory,
        machine,
        limit,
        model: &options.model,
        figures_of_step: site.figures_of_step(&figures, table.rows.len()),
    };
    let plan = written.file(decided);
    control.after_pass("final", View::Programs(&|| programs.named()));
    Ok(Pipelined {
        program: program.clone(),
        function: cut.given.clone(),
        programs,
        staged,
        figures,
        memory,
        schedule: if cut.trains() { wanted.schedule.name() } else { Some(FORWARD) },
        table: schedule.clone(),
        recompute: cut.recompute.clone(),
        plan,
    })
}

/// A step on groups of a machine.
struct Site<'a> {
    cut: &'a Cut,
    step: &'a Step<'a>,
    inner: &'a Inner,
    /// The whole machine, and what a group has of it.
    machine: &'a Machine,
    part: &'a Machine,
}

impl<'a> Site<'a> {
    /// The step in so many stages that take about equally long.
    fn stages(&self, count: usize) -> Result<Staged, CompileError> {
        let seconds = self.cut.seconds(self.part);
        let staged = meshwright_stage::stages(self.step, count, &|inst| seconds[inst]);
        staged.map_err(|refusal| self.cut.refused(&refusal))
    }

    /// The step in the stages of a plan.
    fn planned(&self, plan: &PlanFile, count: usize) -> Result<Staged, CompileError> {
        let cuts = plan::cuts(plan, self.cut, self.step)?;
        if cuts.len() + 1 != count {
            return Err(plan::other_stages(plan, count));
        }
        Ok(meshwright_stage::at(self.step, cuts))
    }

    /// The figures of the whole step on so many groups, if it trains.
    fn figures_of_step(&self, figures: &PipelineFigures, groups: usize) -> Option<Figures> {
        let function = self.step.function;
        let by_kind = space::by_kind(function, &StandsFor::itself(function), self.inner, self.part);
        let of_one = |share: Share| Share { seconds: share.seconds / groups as f64, ..share };
        let model = StepModel::of(&self.cut.flat.function, self.cut.analyzed().0, self.machine);
        let by_kind = by_kind.into_iter().map(of_one).collect();
        self.cut.trains().then(|| model.figures(figures, by_kind, self.cut.made_again_insts()))
    }

    /// The copies that its stages hand from their forward to their backward passes.
    fn handed(&self, staged: &Staged) -> Handed {
        Handed::of(self.step, staged, self.inner.whole())
    }

    fn priced<'p>(&'p self, staged: &'p Staged, pieces: &'p [Piece], handed: &'p Handed) -> Priced<'p> {
        let Self { cut, step, inner, machine, part } = *self;
        Priced { cut, step, staged, pieces, inner, handed, alike: None, machine, part }
    }
}

/// The forward passes of a table, which are all that there is in inference; of whatever would be searched, in turn.
fn forward_only(table: Option<Schedule>, wanted: &PipelineOptions) -> Result<Schedule, CompileError> {
    let in_turn = PipelineOptions {
        schedule: ScheduleChoice::Named(meshwright_schedule::SCHEDULES[0]),
        ..wanted.clone()
    };
    let mut table = match table {
        Some(table) => table,
        None => in_turn.table()?.unwrap_or_default(),
    };
    let is_forward =
        |event: &Event| matches!(event, Event::Action(action) if action.program.phase == Phase::Forward);
    table.rows.iter_mut().for_each(|row| row.retain(is_forward));
    Ok(table)
}

/// The table, behind a pass over all microbatches where the step needs one.
fn with_prepass(step: &Step<'_>, schedule: Schedule) -> Result<Schedule, CompileError> {
    let table = Table::of(&schedule).map_err(refused::table)?;
    let has_own = (0..table.events.len())
        .any(|at| table.action(at).is_some_and(|action| action.program.phase == Phase::Prepass));
    let placed = Placed::of(&table).ok_or_else(refused::mixed_copies)?;
    match step.has_prepass() {
        true if placed.copies() == Copies::Two => Err(refused::prepass_of_copies()),
        true if !has_own => Ok(rows::behind_prepass(&table, &placed, &schedule)),
        _ => Ok(schedule),
    }
}

impl PipelineOptions {
    /// The table of actions; none if it is to be searched.
    ///
    /// # Errors
    /// The rule of the schedule that the numbers break.
    fn table(&self) -> Result<Option<Schedule>, CompileError> {
        match &self.schedule {
            ScheduleChoice::Search => Ok(None),
            ScheduleChoice::Table(schedule) => self.given(schedule.clone()).map(Some),
            ScheduleChoice::Named(named) if named.name == SLICES => Err(refused::slices()),
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

    /// A table of the caller's own has the numbers that are asked for.
    fn given(&self, schedule: Schedule) -> Result<Schedule, CompileError> {
        let table = Table::of(&schedule).map_err(refused::table)?;
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
