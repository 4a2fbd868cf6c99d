//! A training step as a pipeline: stages on groups of devices, which run the rows of a schedule.
//!
//! Input: a verified program, a machine, and [`PipelineOptions`]. Output: [`Pipelined`]: the programs of all stages and
//! phases with their schedule, and how the step was cut. The step is brought into its normal form, cut into microbatches,
//! and these into stages ([`meshwright_stage`]); each stage and phase becomes a function, which is sharded over the devices
//! of its group and lowered like any program.

mod by_block;
mod by_itself;
mod cut;
mod delayed;
mod donation;
mod fewer_layers;
mod figures;
mod fitting;
mod forms;
mod groups;
mod handed;
mod hidden_layers;
mod hosts;
mod in_stages;
mod inner;
mod layers;
mod layout;
mod levels;
mod looped;
mod lower;
mod of_degrees;
mod of_groups;
mod once;
mod plan;
mod refused;
mod rolled;
mod search;
mod searchable;
mod simulated;
mod site;
mod space;
mod spent;
mod stacked;
mod stay_gathered;
mod step_model;
mod transfers;
mod twin;
mod unstacked;
mod validated;
mod wanted;
mod what_if;

use meshwright_ir::control::{Control, View};
use meshwright_ir::diagnostic::Diagnostic;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::text::{Form, print};
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::{
    Bundle, DevicePrograms, PlanFile, ProgramId, Schedule, StepPart, Table, axes, fingerprint,
};
use meshwright_search::Facts;
use meshwright_stage::{Staged, verify};
use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::driver;
use crate::error::CompileError;
use crate::from_plan::same_program;
use crate::microbatch_size;
use crate::options::{GroupHosts, MeshChoice, Options, Search};
use crate::ways;
use cut::Cut;
pub use figures::{PipelineFigures, StageFigures};
pub use fitting::pipeline_that_fits;
use forms::Forms;
use groups::Groups;
use hosts::{lie_elsewhere, on_all_hosts};
use in_stages::InStages;
use inner::Inner;
use layout::Layout;
pub use looped::{StageLayers, WhyWrittenOut};

pub use of_degrees::SaidOfPipelines;
pub use of_groups::pipeline_on_groups;
pub(crate) use refused::no_numbers;
use site::Site;
use space::Whole;
pub(crate) use space::beside::why_so_many;
pub(crate) use space::pipeline_plan_beside;
pub(crate) use space::{Cutting, FEW_DEVICES, GATHERS_AGAIN, GivenPipelines, Row, Segmented};
pub use space::{Numbers, PipelinePlan, PipelineSpace, Weighed, WeighedFate, Weighing, pipeline_plan};
use stay_gathered::Copied;
pub(crate) use step_model::{StepModel, WAITING};
pub use twin::pipeline_twin;
use validated::validated;
use wanted::SLICES;
pub use wanted::{PartsOf, PipelineOptions, ScheduleChoice};
pub use what_if::{Simulated, WhatIf, simulated_plan, slowdowns};

/// The schedule of a forward pass.
const FORWARD: &str = "forward only";

/// Words for a table that has no name.
pub const OWN_TABLE: &str = "a table of its own";

/// A step as a pipeline.
#[derive(Clone, Debug)]
pub struct Pipelined {
    /// The program as read; where microbatches read weights of earlier steps, what a step computes in turn with them.
    pub program: Program,
    /// Its entry function with all calls inlined.
    pub function: Function,
    /// The programs of all stages and phases, and their schedule.
    pub programs: DevicePrograms,
    /// How the step was cut.
    pub staged: Staged,
    /// What the arguments of what was cut are of those of the step: all of each, or a layer of a stack.
    pub arguments: Vec<StepPart>,
    /// What it is predicted to take.
    pub figures: PipelineFigures,
    /// How layers stand in each stage, if the step has them in stacks.
    pub layers: Vec<StageLayers>,
    /// How many loops over layers each program has, if it has some.
    pub loops: BTreeMap<ProgramId, usize>,
    /// What its microbatches are parts of.
    pub parts_of: PartsOf,
    /// Bytes that a device of each group is predicted to need, event by event of its row.
    pub memory: Vec<Bytes>,
    /// The name of the schedule, if it has one.
    pub schedule: Option<&'static str>,
    /// The table of actions that it was made from.
    pub table: Schedule,
    /// What is made again for the backward pass, if that was asked for: `none`, `selective`, `full`, or what it is.
    pub recompute: Option<String>,
    /// What a step takes with each group on so many hosts, where that was chosen.
    pub group_hosts: Vec<(usize, Seconds)>,
    /// What it would take with each group on so many other hosts, as far as that was asked for.
    elsewhere: BTreeMap<usize, Seconds>,
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
        if let Some(delayed) = &self.staged.delayed {
            for own in delayed.earlier() {
                bundle.arguments[delayed.argument(own)].begins_as = Some(own.0);
            }
        }
        bundle
    }

    /// Returns whether layers of any stage are a loop.
    pub fn has_loops(&self) -> bool {
        (0..self.layers.len()).any(|stage| self.is_loop(stage))
    }

    /// Returns whether layers of this stage are a loop.
    fn is_loop(&self, stage: usize) -> bool {
        matches!(self.layers.get(stage), Some(StageLayers::Loop { .. }))
    }

    /// Message that a group needs more memory than `limit` on each of its devices, with its stages; none if all fit.
    pub fn misfit(&self, limit: Bytes) -> Option<Diagnostic> {
        let most = self.memory.iter().enumerate().max_by_key(|(group, bytes)| (**bytes, Reverse(*group)));
        let (group, needed) = most.filter(|(_, needed)| **needed > limit)?;
        Some(refused::too_large(&self.figures, group, *needed, limit))
    }

    /// The files of a compiled folder, by name; `whole` is the text of the program as it was given.
    pub fn files(&self, whole: &str) -> Vec<(String, String)> {
        let own = self.staged.delayed.as_ref().map(|_| print(&self.program, Form::Pretty));
        driver::files(&self.bundle(), &self.programs, self.plan.to_text(), own.as_deref().unwrap_or(whole))
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
    let sized = match options.microbatch_size {
        Some(size) => {
            let number = |_: &[usize]| vec![wanted.microbatches];
            let options = microbatch_size::in_groups(size, program, machine, options, number)?;
            options.into_iter().next().map(|(_, options)| options)
        }
        None => None,
    };
    let options = sized.as_ref().unwrap_or(options);
    refused::what_stages_lack(options)?;
    must_be_allowed(program, machine, options, wanted)?;
    let made = match wanted.schedule {
        ScheduleChoice::Search => {
            space::slices::best_table_or_slices(program, machine, options, wanted, control)?
        }
        _ => on_all_hosts(program, machine, options, wanted, None, control)?
            .expect("any pipeline is fast enough"),
    };
    lie_elsewhere(program, machine, options, made, control)
}

/// Refuses numbers that the options rule out.
fn must_be_allowed(
    program: &Program,
    machine: &Machine,
    options: &Options,
    wanted: &PipelineOptions,
) -> Result<(), CompileError> {
    let (of_stages, _) = options.allowed.apart();
    ways::suit(&options.allowed, machine, program)?;
    if of_stages.is_empty() {
        return Ok(());
    }
    let usual = match &wanted.schedule {
        ScheduleChoice::Named(named) => named.virtual_stages,
        _ => 1,
    };
    let stages = (wanted.groups, wanted.virtual_stages.unwrap_or(usual));
    let facts = Facts::of_stages(stages, machine, &refused::part(machine, wanted.groups)?);
    of_stages.broken(&facts).map_or(Ok(()), |clause| Err(refused::numbers_not_allowed(clause, stages)))
}

/// The same with groups where the options say.
fn on_hosts(
    program: &Program,
    machine: &Machine,
    options: &Options,
    wanted: &PipelineOptions,
    faster_than: Option<Seconds>,
    control: &dyn Control,
) -> Result<Option<Pipelined>, CompileError> {
    let limit = options.memory_limit_on(machine);
    let (mut searched, mut refusal) = (None, None);
    if let Some(space) = wanted.space(machine, options) {
        match pipeline_plan(program, machine, options, &space, control) {
            Ok(Some(mut plan)) => {
                let made = fitting::on_blocks(program, machine, options, &mut plan, control)?;
                match wanted.schedule {
                    // Tables are made for the whole step, too, which has more places to cut it.
                    ScheduleChoice::Search => searched = Some(made),
                    _ => return Ok(Some(made)),
                }
            }
            Err(CompileError::Interrupted) => return Err(CompileError::Interrupted),
            Err(error @ CompileError::NotAllowed(_)) => refusal = Some(error),
            // What is in the way is said of the whole step.
            Ok(None) | Err(_) => {}
        }
    }
    let open = |stays_gathered: bool| {
        let how = How::Open { stays_gathered, faster_than };
        made(program, machine, (options, how), wanted, limit, control)
    };
    let is_fast = |made: &Pipelined| faster_than.is_none_or(|below| made.figures.step() < below);
    let Some(gathered) = open(true)? else { return Ok(searched.filter(is_fast)) };
    let stays = options.plan.is_none() && options.asked.is_none();
    // Parameters that are gathered for every microbatch need less memory.
    let again = match stays && gathered.misfit(limit).is_some() {
        true => open(false)?.filter(|again| again.memory.iter().max() < gathered.memory.iter().max()),
        false => None,
    };
    let made = again.unwrap_or(gathered);
    let is_better = |other: &Pipelined| match other.misfit(limit) {
        None => made.misfit(limit).is_some() || other.figures.step() < made.figures.step(),
        Some(_) => false,
    };
    if let Some(other) = searched.filter(is_better) {
        return Ok(Some(other));
    }
    // What was searched for this memory is nearer to it than what was not.
    match refusal.filter(|_| made.misfit(limit).is_some()) {
        Some(refusal) => Err(refusal),
        None => Ok(Some(made)),
    }
}

/// Makes a pipeline that was chosen.
///
/// # Errors
/// As of [`pipeline`].
pub fn pipeline_of(
    program: &Program,
    machine: &Machine,
    options: &Options,
    plan: &PipelinePlan,
    control: &dyn Control,
) -> Result<Pipelined, CompileError> {
    // Prices are of groups that lie so.
    let hosts = plan.group_hosts.map(GroupHosts::Number);
    let converts_again = plan.copied() == Copied::Anew;
    let options = &Options { group_hosts: hosts, converts_again, ..options.clone() };
    let limit = options.memory_limit_on(machine);
    let wanted = PipelineOptions {
        groups: plan.groups,
        virtual_stages: Some(plan.virtual_stages),
        microbatches: plan.microbatches,
        schedule: plan.schedule.clone(),
    };
    let made = made(program, machine, (options, How::Chosen(plan)), &wanted, limit, control)?;
    let mut made = made.expect("what was chosen is fast enough");
    if plan.is_of_given_microbatches() {
        warn_if_never_full((plan.microbatches, plan.groups), &made.figures, control);
    }
    made.plan.unfinished = plan.unfinished;
    made.group_hosts.clone_from(&plan.weighed_hosts);
    Ok(made)
}

/// How groups are sharded.
#[derive(Clone, Copy)]
enum How<'a> {
    /// As the options say, or as is best, with parameters that stay gathered or not; only what takes less is of interest.
    Open { stays_gathered: bool, faster_than: Option<Seconds> },
    /// As it was chosen for the short step.
    Chosen(&'a PipelinePlan),
}

/// Makes a pipeline for devices with so much memory; none that is not fast enough.
fn made(
    program: &Program,
    machine: &Machine,
    (options, how): (&Options, How<'_>),
    wanted: &PipelineOptions,
    limit: Bytes,
    control: &dyn Control,
) -> Result<Option<Pipelined>, CompileError> {
    if let Some(plan) = &options.plan {
        same_program(plan, program)?;
    }
    let given = wanted.table(true)?;
    let layout = Layout::of(machine, wanted.groups, options)?;
    let (cut, whole) = cut_of(program, wanted, &layout.parts[0], (options, how))?;
    if matches!(how, How::Chosen(_)) && whole.is_none() {
        control.warn(&refused::other_segments());
    }
    let forms = Forms::of(&cut, options.plan.as_ref())?;
    let runs = forms.runs();
    let given = if runs.trains { given } else { wanted.table(false)? };
    let function = &cut.microbatched.made.function;
    let sharded = |options: &Options, part: &Machine| match (how, whole.as_ref()) {
        (_, Some(whole)) => {
            let shardings = whole.shardings.clone();
            Inner::known(program, function, &cut.origins, part, shardings, options)
        }
        (How::Open { stays_gathered, .. }, None) => {
            Inner::of(program, function, &cut.origins, part, (options, stays_gathered), control)
        }
        (How::Chosen(_), None) if options.asked.is_some() => {
            Inner::of(program, function, &cut.origins, part, (options, false), control)
        }
        (How::Chosen(plan), None) => {
            let mesh = Some(MeshChoice::Axes(axes::of_mesh(&plan.mesh)));
            let own = Options { mesh, search: Some(Search::Rest), ..options.clone() };
            Inner::of(program, function, &cut.origins, part, (&own, true), control)
        }
    };
    let groups = Groups::of(layout, options, &sharded)?;
    let site = |step| Site { cut: &cut, step, groups: &groups, machine };
    let (schedule, step, staged) = match given {
        Some(schedule) => {
            let step = forms.by(&schedule)?;
            let site = site(step);
            let table = Table::of(&schedule).map_err(refused::table)?;
            let placed = site.placed(&table)?;
            let staged = match (&options.plan, &whole) {
                (Some(plan), _) => site.planned(plan, table.num_stages)?,
                (None, Some(whole)) => meshwright_stage::at(step, whole.cuts.clone()),
                (None, None) => site.stages(&placed)?,
            };
            (schedule, step, staged)
        }
        None if !groups.are_alike() => return Err(refused::search_of_unlike()),
        None => search::table(&forms, &site, wanted, limit, control)?,
    };
    let site = site(step);
    if let Err(problems) = verify::verify(step, &staged) {
        return Err(match &options.plan {
            Some(plan) => plan::broken_stages(plan, &problems),
            None => cut.refused(&verify::refusal(step, &staged)),
        });
    }
    let staged = validated(step, staged, options, control);
    let staged = delayed::with_weights(&cut, step, staged, wanted, options)?;
    let in_stages = InStages {
        program,
        options,
        how,
        wanted,
        limit,
        whole: whole.as_ref(),
        site,
        schedule: runs.table(schedule)?,
    };
    let made = in_stages.pipelined_that_fits(staged)?;
    if let Some(made) = &made {
        if matches!(how, How::Open { .. }) {
            warn_if_never_full((wanted.microbatches, wanted.groups), &made.figures, control);
        }
        control.after_pass("final", View::Programs(&|| made.programs.named()));
    }
    Ok(made)
}

/// Warns of numbers that somebody chose with fewer microbatches than groups.
fn warn_if_never_full(numbers: (usize, usize), figures: &PipelineFigures, control: &dyn Control) {
    if let Some(warning) = refused::never_full(numbers, figures) {
        control.warn(&warning);
    }
}

/// The step in so many microbatches, and as it was chosen; nothing of that if its segments are not those of the short step.
fn cut_of(
    program: &Program,
    wanted: &PipelineOptions,
    part: &Machine,
    (options, how): (&Options, How<'_>),
) -> Result<(Cut, Option<Whole>), CompileError> {
    if let How::Chosen(plan) = how {
        let parts_of = wanted.parts_of();
        let mut written = cut::Written::of(program, part, &parts_of.suit(options))?;
        written.between = plan.between();
        let cut = Cut::of_written(program, written, (wanted.microbatches, parts_of), options)?;
        if let Some(whole) = plan.whole(&cut) {
            return Ok((cut.with_again(program, whole.again.clone(), part), Some(whole)));
        }
    }
    Ok((Cut::of(program, (wanted.microbatches, wanted.parts_of()), part, options)?, None))
}
