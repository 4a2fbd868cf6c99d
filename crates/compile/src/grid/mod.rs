//! The grid: every combination of degrees that is open, priced as the plan that it is without a search.
//!
//! Input: a program, a machine and options, of which degrees, constraints, memory limit and what says how the step runs
//! count. Output: a [`GridRow`] for each combination, in the order of the degrees: with its figures, or with the reason for
//! which there are none. The program is read, and what there is to decide of it found, once for all rows that run in as many
//! microbatches and make the same again; a row is what `--as` with its degrees and without a search gives, to the last
//! digit. Rows of several groups are pipelines ([`pipelined`]).

mod fewest;
mod pipelined;
mod variations;

pub use fewest::grid_in_fewest;
pub use pipelined::figures_of_seconds;

use meshwright_analyze::{Roles, batch};
use meshwright_cost::reshard::Planner;
use meshwright_ir::control::{Control, Quiet};
use meshwright_ir::diagnostic::{Diagnostic, Source, Span};
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::Degrees;
use meshwright_plan::figures::{Share, StepCost, Throughput};
use meshwright_search::{Facts, ParallelDegrees, Refusal, Unsaid};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicUsize, Ordering as Atomic};

use crate::decided::variants;
use crate::describe::facts;
use crate::driver::Request;
use crate::error::CompileError;
use crate::figures::of_time;
use crate::global::Global;
use crate::lowered::{self, Lowered};
use crate::mesh::MESH;
use crate::options::{Microbatches, Options, Search};
use crate::pipeline::{GivenPipelines, PipelinePlan, Pipelined, Row, pipeline_of};
use crate::recompute::Recompute;
use crate::stages::{self, Stages};
use crate::transform::{Proof, flattened};
use crate::ways::Ways;
use fewest::{Misfit, Needs, Weighed, fewest};
use pipelined::Model;
use variations::{Rank, Variation, better};

/// One combination of degrees.
#[derive(Clone, Debug, PartialEq)]
pub struct GridRow {
    /// The degrees as they were asked for.
    pub way: ParallelDegrees,
    /// The same on the machine's devices; none where they do not multiply to them.
    pub degrees: Option<Degrees>,
    /// Sequences of a step, where the program was made of a configuration.
    pub sequences: Option<usize>,
    /// What else it runs with, in words, where rows with other values of a flag stand beside it; empty otherwise.
    pub asked: String,
    /// What they cost, or why they are no plan.
    pub outcome: GridOutcome,
}

/// The rows, plans first: the fastest first, by the time for a sequence where batches differ, and of equally fast ones the
/// smallest; then those that need least memory.
pub fn best_first(rows: &[GridRow]) -> Vec<&GridRow> {
    let mut sorted: Vec<&GridRow> = rows.iter().collect();
    let by_rank = |one: &&GridRow, other: &&GridRow| {
        let rank = |row: &GridRow| Rank::of(&row.outcome).for_each(row.sequences.unwrap_or(1));
        rank(one).partial_cmp(&rank(other)).unwrap_or(Ordering::Equal)
    };
    sorted.sort_by(by_rank);
    sorted
}

impl GridRow {
    /// Its degrees, with what else it runs with where others differ in that.
    pub fn words(&self) -> String {
        match self.asked.is_empty() {
            true => self.way.to_string(),
            false => format!("{}, {}", self.way, self.asked),
        }
    }

    /// The same with more that was asked for.
    pub fn asked_with(self, more: &str) -> Self {
        let asked = [more, &self.asked].into_iter().filter(|words| !words.is_empty());
        Self { asked: asked.collect::<Vec<_>>().join(", "), ..self }
    }

    /// The row of the same way with what is `asked`, of which nothing is a plan, with the reason.
    pub fn refused(&self, asked: String, why: String) -> Self {
        Self { asked, outcome: GridOutcome::Refused(why), ..self.clone() }
    }

    /// Returns whether it is a plan.
    pub fn is_plan(&self) -> bool {
        matches!(self.outcome, GridOutcome::Plan(_))
    }
}

/// Outcome of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum GridOutcome {
    /// A plan.
    Plan(Box<GridFigures>),
    /// A plan that no device has the memory for.
    DoesNotFit {
        /// What it needs.
        peak: Bytes,
        /// What there is.
        limit: Bytes,
        /// The fewest microbatches with which it fits, where nothing is said of them and some would do.
        microbatches: Option<usize>,
    },
    /// It breaks this clause.
    NotAllowed(String),
    /// It does not fit the machine or the program, with the reason.
    Refused(String),
    /// It was not priced: somebody asked for the end before.
    Unpriced,
}

/// Figures of a plan, of one step and one device if nothing else is said.
#[derive(Clone, Debug, PartialEq)]
pub struct GridFigures {
    /// Time of a step.
    pub seconds: Seconds,
    /// Time in which a device waits for communication; of pipelines that of collectives inside of groups, on average.
    pub exposed_communication: Seconds,
    /// Most memory in use at once.
    pub peak: Bytes,
    /// Model flops per second, out of the peak of all devices.
    pub mfu: f64,
    /// Tokens or samples, where the program has them.
    pub throughput: Option<Throughput>,
    /// Device-hours and money, of all devices.
    pub cost: StepCost,
    /// Microbatches of a step.
    pub microbatches: usize,
    /// What is made again for the backward pass, in words.
    pub recompute: Option<String>,
    /// The schedule of a pipeline.
    pub schedule: Option<&'static str>,
    /// Seconds of a device by kind of work; of pipelines on average over groups.
    pub by_kind: Vec<Share>,
    /// Share of the step that the groups of a pipeline wait.
    pub bubble: f64,
}

/// Prices all combinations of degrees.
///
/// # Errors
/// As [`grid_so_far`]. [`CompileError::Interrupted`]: `control` said so.
pub fn grid(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
) -> Result<Vec<GridRow>, CompileError> {
    let rows = grid_so_far(program, source, machine, options, control)?;
    match rows.iter().any(|row| row.outcome == GridOutcome::Unpriced) {
        true => Err(CompileError::Interrupted),
        false => Ok(rows),
    }
}

/// Prices all combinations of degrees until `control` asks for the end: those behind are [`GridOutcome::Unpriced`].
///
/// # Errors
/// As [`crate::compile()`], for what is wrong with all rows: the program, the options, constraints on links that the machine
/// does not have, more combinations than anybody reads.
pub fn grid_so_far(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
) -> Result<Vec<GridRow>, CompileError> {
    let options = &Options { search: Some(Search::None), stop_after: None, ..options.clone() };
    crate::ways::suit(&options.allowed, machine, program)?;
    let open = match options.asked {
        Some(way) => vec![way],
        None => open(program, source, machine, options)?,
    };
    let function = flattened(program)?.function;
    let batch = batch::size(&function, &Roles::new(&function));
    let mut outcomes: Vec<Option<GridOutcome>> = vec![None; open.len()];
    let mut all: Vec<Variation> = Vec::new();
    for (row, way) in open.iter().enumerate() {
        match variations_of(row, *way, machine, batch, options) {
            Ok(own) => all.extend(own),
            Err(outcome) => outcomes[row] = Some(outcome),
        }
    }
    let told = Told { control, done: AtomicUsize::new(0), total: all.len() };
    let mut misfits: Vec<Misfit> = Vec::new();
    let mut pipelines = Pipelines { program, machine, options, model: None, all: Vec::new() };
    let mut left: Vec<&Variation> = all.iter().collect();
    while let Some(first) = left.first().copied() {
        let (own, others): (Vec<&Variation>, Vec<&Variation>) =
            left.into_iter().partition(|other| other.shared() == first.shared());
        left = others;
        if control.should_stop() {
            own.iter().for_each(|own| outcomes[own.row] = Some(GridOutcome::Unpriced));
            continue;
        }
        let ways: Vec<ParallelDegrees> = own.iter().map(|own| own.way).collect();
        let priced = match first.is_staged(options) {
            false => {
                let options = &with(options, first.microbatches, first.recompute.clone());
                let found = priced(&request(program, source, machine, options)?, &ways, &told)?;
                misfits.extend(
                    own.iter().zip(&found).filter_map(|(own, found)| Misfit::of(own, found.1?, machine)),
                );
                found.into_iter().map(|(outcome, _)| outcome).collect()
            }
            true => pipelines.priced(first, &ways, &told)?,
        };
        for (variation, outcome) in own.iter().zip(priced) {
            let slot = &mut outcomes[variation.row];
            *slot = Some(match slot.take() {
                Some(before) => better(before, outcome),
                None => outcome,
            });
        }
    }
    if let Some(batch) = batch.filter(|_| options.microbatches.is_none() && options.microbatch_size.is_none())
    {
        let weigh = |count: usize, again: Option<&Recompute>, ways: &[ParallelDegrees]| {
            let options = &with(options, Some(count), again.cloned());
            weighed(&request(program, source, machine, options)?, ways, control)
        };
        misfits.retain(|misfit| matches!(outcomes[misfit.row], Some(GridOutcome::DoesNotFit { .. })));
        for (row, count) in fewest(misfits, batch, options.memory_limit_on(machine), weigh)? {
            if let Some(GridOutcome::DoesNotFit { microbatches, .. }) = &mut outcomes[row] {
                *microbatches = Some(microbatches.map_or(count, |before| before.min(count)));
            }
        }
    }
    let row = |(way, outcome): (ParallelDegrees, Option<GridOutcome>)| GridRow {
        way,
        degrees: way.degrees(machine.num_devices()).ok(),
        sequences: options.model.as_ref().map(|model| model.sequences),
        asked: String::new(),
        outcome: outcome.expect("each way has a variation, or a reason"),
    };
    Ok(open.into_iter().zip(outcomes).map(row).collect())
}

/// The pipeline of a way of several groups, without a search: what its row in a grid is.
///
/// # Errors
/// As [`grid`]. [`CompileError::Options`]: there is no such pipeline, with the reason. [`CompileError::NotAllowed`]: it breaks
/// a clause, or no device has the memory.
pub fn pipeline_of_way(
    program: &Program,
    machine: &Machine,
    options: &Options,
    way: ParallelDegrees,
    control: &dyn Control,
) -> Result<PipelinePlan, CompileError> {
    crate::ways::suit(&options.allowed, machine, program)?;
    let function = flattened(program)?.function;
    let batch = batch::size(&function, &Roles::new(&function));
    let variations = |options: &Options| {
        variations_of(0, way, machine, batch, options).map_err(|outcome| refused(way, machine, &outcome))
    };
    let mut found = best_variation(program, machine, options, way, variations(options)?, control)?;
    // What nobody said anything of runs again where it takes that to fit; without, it is the row of a grid.
    if options.recompute.is_none() && matches!(found, Err(GridOutcome::DoesNotFit { .. })) {
        let options = &Options { recompute: Some(Recompute::Search), ..options.clone() };
        found = best_variation(program, machine, options, way, variations(options)?, control)?;
    }
    found.map_err(|outcome| refused(way, machine, &outcome))
}

/// The best pipeline of several variations of a way; or why there is none.
fn best_variation(
    program: &Program,
    machine: &Machine,
    options: &Options,
    way: ParallelDegrees,
    all: Vec<Variation>,
    control: &dyn Control,
) -> Result<Result<PipelinePlan, GridOutcome>, CompileError> {
    let told = Told { control, done: AtomicUsize::new(0), total: all.len() };
    let mut best: Option<(Rank, PipelinePlan)> = None;
    let mut refusal: Option<GridOutcome> = None;
    for variation in all {
        let own = Options { recompute: variation.recompute.clone(), ..options.clone() };
        let pipelines = GivenPipelines::of(program, machine, &own)?;
        let count = variation.microbatches.unwrap_or(1);
        let rows = pipelines.priced(way.groups(), count, &[way], &|| told.goes_on())?;
        for row in rows {
            let outcome = match row {
                Row::Plan(plan, _) => {
                    let peak = plan.figures.memory().into_iter().max().unwrap_or(Bytes(0));
                    let rank = Rank::of_plan(plan.figures.step(), peak);
                    if best.as_ref().is_none_or(|(best, _)| rank < *best) {
                        best = Some((rank, *plan));
                    }
                    continue;
                }
                Row::DoesNotFit(peak) => {
                    let limit = options.memory_limit_on(machine);
                    GridOutcome::DoesNotFit { peak, limit, microbatches: None }
                }
                Row::Refused(why) => GridOutcome::Refused(why),
                Row::Unpriced => return Err(CompileError::Interrupted),
            };
            refusal = Some(match refusal.take() {
                Some(before) => better(before, outcome),
                None => outcome,
            });
        }
    }
    match (best, refusal) {
        (Some((_, best)), _) => Ok(Ok(best)),
        (None, refusal) => {
            let none = || GridOutcome::Refused("there is no such pipeline".to_owned());
            Ok(Err(refusal.unwrap_or_else(none)))
        }
    }
}

/// The same with the programs of its stages and its plan file.
///
/// # Errors
/// As [`pipeline_of_way`] and [`crate::pipeline()`]; [`CompileError::NotAllowed`] too where the programs need more memory than
/// there is.
pub fn pipelined_way(
    program: &Program,
    machine: &Machine,
    options: &Options,
    way: ParallelDegrees,
    control: &dyn Control,
) -> Result<Pipelined, CompileError> {
    let planned = pipeline_of_way(program, machine, options, way, control)?;
    let options = options.clone().sharded_by(way);
    let made = pipeline_of(program, machine, &options, &planned, control)?;
    match made.misfit(options.memory_limit_on(machine)) {
        Some(problem) => Err(CompileError::NotAllowed(Box::new(problem))),
        None => Ok(made),
    }
}

/// Why a way is no pipeline.
fn refused(way: ParallelDegrees, machine: &Machine, outcome: &GridOutcome) -> CompileError {
    let diagnostic = |why: String| Box::new(Diagnostic::error(MESH, Span::NONE, format!("`{way}`: {why}")));
    match outcome {
        GridOutcome::DoesNotFit { peak, limit, .. } => {
            let hint =
                "more groups, more devices in each, or a smaller `--microbatch-size` need less on each";
            let why = diagnostic(format!("it needs {peak} on a device, and there are {limit}"));
            CompileError::NotAllowed(Box::new(why.hint(hint)))
        }
        GridOutcome::NotAllowed(clause) => {
            CompileError::NotAllowed(diagnostic(format!("`{clause}` leaves no plan")))
        }
        GridOutcome::Refused(why) => {
            let hint = way.degrees(machine.num_devices()).err().and_then(|refusal| refusal.hint());
            let diagnostic = diagnostic(why.clone());
            CompileError::Options(match hint {
                Some(hint) => Box::new(diagnostic.hint(hint)),
                None => diagnostic,
            })
        }
        GridOutcome::Unpriced => CompileError::Interrupted,
        GridOutcome::Plan(_) => unreachable!("a plan is no reason"),
    }
}

/// The combinations of degrees that are open.
fn open(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
) -> Result<Vec<ParallelDegrees>, CompileError> {
    // What there is to decide does not depend on how often a part of the batch runs.
    let own = &Options { microbatches: None, microbatch_size: None, recompute: None, ..options.clone() };
    let request = request(program, source, machine, own)?;
    let global = Global::read(&request)?;
    let variants = variants(&global);
    let ways = Ways::of(&request, &global, &variants)?;
    let experts = ways.requested.has_experts();
    ways.open(&options.degrees, Unsaid::Searched { experts })
}

/// The options of rows that run in so many microbatches and make the same again.
fn with(options: &Options, microbatches: Option<usize>, recompute: Option<Recompute>) -> Options {
    let microbatches = microbatches.map(Microbatches::Number);
    Options { microbatches, microbatch_size: None, recompute, ..options.clone() }
}

fn request<'a>(
    program: &'a Program,
    source: &'a Source,
    machine: &'a Machine,
    options: &'a Options,
) -> Result<Request<'a>, CompileError> {
    let stages = Stages::new(&stages::stages(), options, &Quiet)?;
    let reshards = Planner::default();
    Ok(Request { original: program, source, machine, options, control: &Quiet, stages, reshards })
}

/// What a way has to be priced as, or the reason for which it is no plan.
fn variations_of(
    row: usize,
    way: ParallelDegrees,
    machine: &Machine,
    batch: Option<usize>,
    options: &Options,
) -> Result<Vec<Variation>, GridOutcome> {
    let refused = |refusal: Refusal| GridOutcome::Refused(refusal.to_string());
    let facts = Facts::of_way(&way, machine).map_err(refused)?;
    if let Some(clause) = options.allowed.broken(&facts) {
        return Err(GridOutcome::NotAllowed(clause.to_string()));
    }
    Variation::all(row, way, &facts.degrees, batch, options).map_err(GridOutcome::Refused)
}

/// Rows that are done.
struct Told<'a> {
    control: &'a dyn Control,
    done: AtomicUsize,
    total: usize,
}

impl Told<'_> {
    /// Another row begins, unless nobody waits for it.
    fn goes_on(&self) -> bool {
        let goes_on = !self.control.should_stop();
        if goes_on {
            // A row may be priced twice: with copies of parameters, and without.
            let begun = self.done.fetch_add(1, Atomic::Relaxed) + 1;
            self.control.progress("grid", begun.min(self.total), self.total);
        }
        goes_on
    }
}

/// Ways of one group, with the memory that those need that do not fit.
fn priced(
    request: &Request<'_>,
    ways: &[ParallelDegrees],
    told: &Told<'_>,
) -> Result<Vec<(GridOutcome, Option<Needs>)>, CompileError> {
    let global = match Global::read(request) {
        Ok(global) => global,
        // What cannot be cut so is no fault of the other rows.
        Err(CompileError::Options(why)) if request.options.microbatches.is_some() => {
            return Ok(vec![(GridOutcome::Refused(why.message), None); ways.len()]);
        }
        Err(error) => return Err(error),
    };
    let variants = variants(&global);
    let all = Ways::of(request, &global, &variants)?;
    let row = |way: &ParallelDegrees| match told.goes_on() {
        true => price(*way, request, &global, &all),
        false => Ok((GridOutcome::Unpriced, None)),
    };
    ways.par_iter().map(row).collect()
}

/// Whether ways of one group fit, or what they need; nothing of those that cannot be cut so.
fn weighed(
    request: &Request<'_>,
    ways: &[ParallelDegrees],
    control: &dyn Control,
) -> Result<Vec<Weighed>, CompileError> {
    let global = match Global::read(request) {
        Ok(global) => global,
        Err(CompileError::Options(_)) => return Ok(vec![None; ways.len()]),
        Err(error) => return Err(error),
    };
    let variants = variants(&global);
    let all = Ways::of(request, &global, &variants)?;
    let weigh = |way: &ParallelDegrees| {
        let chosen = all.priced(*way).ok().filter(|_| !control.should_stop())?;
        let memory = &chosen.estimate.memory;
        Some(match lowered::fits(request, memory) {
            true => Ok(()),
            false => Err(Needs { peak: memory.peak, state: memory.arguments }),
        })
    };
    Ok(ways.par_iter().map(weigh).collect())
}

/// The program as pipelines, for each way to make something again that was asked for so far.
struct Pipelines<'a> {
    program: &'a Program,
    machine: &'a Machine,
    options: &'a Options,
    model: Option<Model<'a>>,
    all: Vec<(Option<Recompute>, Result<GivenPipelines<'a>, String>)>,
}

impl<'a> Pipelines<'a> {
    /// Ways with the groups, microbatches and recomputation of the first.
    fn priced(
        &mut self,
        first: &Variation,
        ways: &[ParallelDegrees],
        told: &Told<'_>,
    ) -> Result<Vec<GridOutcome>, CompileError> {
        let Self { program, machine, options, .. } = *self;
        if self.model.is_none() {
            self.model = Some(Model::of(program, machine, options)?);
        }
        if self.all.iter().all(|(again, _)| *again != first.recompute) {
            let own = Options { recompute: first.recompute.clone(), ..options.clone() };
            let made = GivenPipelines::of(program, machine, &own).map_err(|error| error.to_string());
            self.all.push((first.recompute.clone(), made));
        }
        let own = self.all.iter().find(|(again, _)| *again == first.recompute);
        let (Some((_, made)), Some(model)) = (own, &self.model) else { return Ok(Vec::new()) };
        let pipelines = match made {
            Ok(pipelines) => pipelines,
            Err(why) => return Ok(vec![GridOutcome::Refused(why.clone()); ways.len()]),
        };
        let limit = options.memory_limit_on(machine);
        let (groups, microbatches) = (first.way.groups(), first.microbatches.unwrap_or(1));
        let rows = pipelines.priced(groups, microbatches, ways, &|| told.goes_on())?;
        let outcome = |row: Row| match row {
            Row::Plan(plan, by_kind) => GridOutcome::Plan(Box::new(model.figures(&plan, by_kind))),
            Row::DoesNotFit(peak) => GridOutcome::DoesNotFit { peak, limit, microbatches: None },
            Row::Refused(why) => GridOutcome::Refused(why),
            Row::Unpriced => GridOutcome::Unpriced,
        };
        Ok(rows.into_iter().map(outcome).collect())
    }
}

fn price(
    way: ParallelDegrees,
    request: &Request<'_>,
    global: &Global,
    ways: &Ways<'_>,
) -> Result<(GridOutcome, Option<Needs>), CompileError> {
    let chosen = match ways.priced(way) {
        Ok(chosen) => chosen,
        Err(refusal) => return Ok((GridOutcome::Refused(refusal.to_string()), None)),
    };
    let model = ways.models[chosen.variant].clone();
    let lowered = match Lowered::of(request, global, &chosen, model, Proof::WithAssertions) {
        Ok(lowered) => lowered,
        Err(CompileError::DoesNotFit(problem)) => {
            let memory = &chosen.estimate.memory;
            let needs = Needs { peak: memory.peak, state: memory.arguments };
            let (peak, limit) = (problem.peak, problem.limit);
            return Ok((GridOutcome::DoesNotFit { peak, limit, microbatches: None }, Some(needs)));
        }
        Err(error) => return Err(error),
    };
    let facts = facts(request, global, &chosen, &lowered, &ways.variants[chosen.variant]);
    let (figures, seconds) = of_time(&facts);
    let communication = lowered.account.communication() + facts.border;
    let plan = GridFigures {
        seconds,
        exposed_communication: communication - lowered.account.overlapped(),
        peak: chosen.estimate.memory.peak,
        mfu: figures.mfu,
        throughput: figures.throughput,
        cost: figures.cost,
        microbatches: global.num_microbatches(),
        recompute: global.again_in_words.clone(),
        schedule: None,
        by_kind: figures.by_kind,
        bubble: 0.0,
    };
    Ok((GridOutcome::Plan(Box::new(plan)), None))
}
