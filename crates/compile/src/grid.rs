//! The grid: every combination of degrees that is open, priced as the plan that it is without a search.
//!
//! Input: a program, a machine and options, of which degrees, constraints, memory limit and what says how the step runs
//! count. Output: a [`GridRow`] for each combination, in the order of the degrees: with its figures, or with the reason for
//! which there are none. The program is read, and what there is to decide of it found, once for all rows; a row is what
//! `--as` with its degrees and without a search gives, to the last digit.

use meshwright_cost::analysis::Analysis;
use meshwright_cost::reshard::Planner;
use meshwright_ir::control::{Control, Quiet};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::Degrees;
use meshwright_plan::figures::{StepCost, Throughput};
use meshwright_search::{Facts, ParallelDegrees, Unsaid};
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::describe::facts;
use crate::driver::Request;
use crate::error::CompileError;
use crate::figures::figures;
use crate::global::Global;
use crate::lowered::Lowered;
use crate::options::{Options, Search};
use crate::stages::{self, Stages};
use crate::ways::Ways;

/// One combination of degrees.
#[derive(Clone, Debug, PartialEq)]
pub struct GridRow {
    /// The degrees as they were asked for.
    pub way: ParallelDegrees,
    /// The same on the machine's devices; none where they do not multiply to them.
    pub degrees: Option<Degrees>,
    /// What they cost, or why they are no plan.
    pub outcome: GridOutcome,
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
    },
    /// It breaks this clause.
    NotAllowed(String),
    /// It does not fit the machine or the program, with the reason.
    Refused(String),
}

/// Figures of a plan, of one step and one device if nothing else is said.
#[derive(Clone, Debug, PartialEq)]
pub struct GridFigures {
    /// Time of a step.
    pub seconds: Seconds,
    /// Time in which a device waits for communication.
    pub exposed_communication: Seconds,
    /// Most memory in use at once.
    pub peak: Bytes,
    /// Model flops per second, out of the peak of all devices.
    pub mfu: f64,
    /// Tokens or samples, where the program has them.
    pub throughput: Option<Throughput>,
    /// Device-hours and money, of all devices.
    pub cost: StepCost,
}

/// Prices all combinations of degrees.
///
/// # Errors
/// As [`crate::compile()`], for what is wrong with all rows: the program, the options, constraints on links that the machine
/// does not have, more combinations than anybody reads. [`CompileError::Interrupted`]: `control` said so.
pub fn grid(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
) -> Result<Vec<GridRow>, CompileError> {
    let options = &Options { search: Some(Search::None), stop_after: None, ..options.clone() };
    crate::ways::suit(&options.allowed, machine)?;
    let stages = Stages::new(&stages::stages(), options, &Quiet)?;
    let request = Request {
        original: program,
        source,
        machine,
        options,
        control: &Quiet,
        stages,
        reshards: Planner::default(),
    };
    let global = Global::read(&request)?;
    let ways = Ways::of(&request, &global)?;
    let open = match options.asked {
        Some(way) => vec![way],
        None => {
            let experts = ways.requested.has_experts();
            ways.open(&options.degrees, Unsaid::Searched { experts })?
        }
    };
    let done = AtomicUsize::new(0);
    let row = |way: &ParallelDegrees| {
        if control.should_stop() {
            return Err(CompileError::Interrupted);
        }
        let outcome = price(*way, &request, &global, &ways)?;
        control.progress("grid", done.fetch_add(1, Ordering::Relaxed) + 1, open.len());
        Ok(GridRow { way: *way, degrees: way.degrees(machine.num_devices()).ok(), outcome })
    };
    open.par_iter().map(row).collect()
}

fn price(
    way: ParallelDegrees,
    request: &Request<'_>,
    global: &Global,
    ways: &Ways<'_>,
) -> Result<GridOutcome, CompileError> {
    let facts_of_way = match Facts::of_way(&way, request.machine) {
        Ok(facts) => facts,
        Err(refusal) => return Ok(GridOutcome::Refused(refusal.to_string())),
    };
    if let Some(clause) = request.options.allowed.broken(&facts_of_way) {
        return Ok(GridOutcome::NotAllowed(clause.to_string()));
    }
    let chosen = match ways.priced(way) {
        Ok(chosen) => chosen,
        Err(refusal) => return Ok(GridOutcome::Refused(refusal.to_string())),
    };
    let lowered = match Lowered::of(request, global, &chosen) {
        Ok(lowered) => lowered,
        Err(CompileError::DoesNotFit(problem)) => {
            return Ok(GridOutcome::DoesNotFit { peak: problem.peak, limit: problem.limit });
        }
        Err(error) => return Err(error),
    };
    let analysis = Analysis::new(&chosen.function);
    let facts = facts(request, global, &chosen, &lowered, &analysis);
    let (figures, seconds) = figures(&facts);
    let communication = lowered.account.communication() + facts.border;
    Ok(GridOutcome::Plan(Box::new(GridFigures {
        seconds,
        exposed_communication: communication - lowered.account.overlapped(),
        peak: chosen.estimate.memory.peak,
        mfu: figures.mfu,
        throughput: figures.throughput,
        cost: figures.cost,
    })))
}
