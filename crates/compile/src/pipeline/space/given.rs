//! Pipelines whose degrees are given: the rows of a grid that have several groups.
//!
//! Input: a program, a machine, numbers of groups and microbatches, and ways. Output: a [`Row`] for each way. The step with
//! each kind of layer once or twice ([`short`](super::short)) is sharded over the devices of a group as the way says; its
//! segments are put into stages, and the table is simulated, as for pipelines that are searched.

use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::figures::Share;
use meshwright_schedule::{Stages, named};
use meshwright_search::ParallelDegrees;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::cuts::Chain;
use super::segments::ShortCut;
use super::short::Short;
use super::{Found, PipelinePlan, Timed};
use crate::error::CompileError;
use crate::options::Options;
use crate::pipeline::inner::{Inner, InnerWays, Searched};
use crate::pipeline::refused;

/// Schedules of groups with one stage, and with several.
const SCHEDULES: [&str; 2] = ["1f1b", "interleaved-1f1b"];

/// A program of which pipelines are priced.
pub(crate) struct GivenPipelines<'a> {
    program: &'a Program,
    machine: &'a Machine,
    options: Options,
    short: Arc<Short>,
}

/// A way as a pipeline.
pub(crate) enum Row {
    /// What it takes, and seconds of one device by kind of work, on average over groups.
    Plan(Box<PipelinePlan>, Vec<Share>),
    /// A group needs so much of each device.
    DoesNotFit(Bytes),
    /// Why there is no such pipeline.
    Refused(String),
}

impl<'a> GivenPipelines<'a> {
    /// Those of a verified program. Of `options` count kernels, memory limit and what is made again.
    ///
    /// # Errors
    /// A step that cannot be cut, a local program.
    pub(crate) fn of(
        program: &'a Program,
        machine: &'a Machine,
        options: &Options,
    ) -> Result<Self, CompileError> {
        let short = Arc::new(Short::of(program, options, machine)?);
        Ok(Self { program, machine, options: options.clone(), short })
    }

    /// Prices pipelines of so many groups and microbatches; `each` is called with every row that is done.
    ///
    /// # Errors
    /// `each` says so; what stands in the way of a single pipeline is in its row.
    pub(crate) fn priced(
        &self,
        groups: usize,
        microbatches: usize,
        ways: &[ParallelDegrees],
        each: &(dyn Fn() -> Result<(), CompileError> + Sync),
    ) -> Result<Vec<Row>, CompileError> {
        let Self { program, machine, options, short } = self;
        let all = |why: &CompileError| Ok(ways.iter().map(|_| Row::Refused(why.to_string())).collect());
        let part = match refused::part(machine, groups) {
            Ok(part) => part,
            Err(error) => return all(&error),
        };
        let cut = match ShortCut::of(program, short, microbatches, options) {
            Ok(cut) => Arc::new(cut),
            Err(error) => return all(&error),
        };
        let parts = match cut.parts(short) {
            Ok(parts) => parts,
            Err(error) => return all(&error),
        };
        let function = &parts.cut.microbatched.made.function;
        let global = match Inner::unsharded(program, function, &parts.cut.origins, &part, options) {
            Ok(global) => global,
            Err(CompileError::Interrupted) => return Err(CompileError::Interrupted),
            Err(error) => return all(&error),
        };
        let inner_ways = match InnerWays::of(&global, function, &part) {
            Ok(ways) => ways,
            Err(refusal) => return Ok(ways.iter().map(|_| Row::Refused(refusal.to_string())).collect()),
        };
        let analyses = parts.analyses();
        let between_layers = parts.between_layers(short);
        let row = |way: &ParallelDegrees| {
            each()?;
            let inner = match inner_ways.sharded(way.inside()) {
                Ok(inner) => inner,
                Err(refusal) => return Ok(Row::Refused(refusal.to_string())),
            };
            let by_kind = parts.by_kind(&inner, &part);
            let searched = Searched { inner, bound: Seconds::ZERO, peak: Bytes(0) };
            let segments = parts.segments(searched, &analyses, short, machine, &part);
            let chain =
                Chain::new(&segments, &short.like).ending_at(|count| count > 0 && between_layers[count - 1]);
            let numbers = Stages {
                groups,
                virtual_stages: way.virtual_stages(),
                microbatches,
                layers: Some(chain.len()),
            };
            let schedule = SCHEDULES[usize::from(way.virtual_stages() > 1)];
            let schedule = named(schedule).expect("it is one that has a name");
            let table = match schedule.table(&numbers) {
                Ok(table) => table,
                Err(refusal) => return Ok(Row::Refused(refusal.rule)),
            };
            let limit = options.memory_limit.unwrap_or(machine.device.usable_memory());
            let timed =
                Timed { short, cut: &cut, segments: &segments, chain: &chain, machine, numbers, limit };
            let found = timed.plan(schedule, table, None, &mut BTreeMap::new())?;
            Ok(match found {
                Found::Pipeline(plan) => Row::Plan(plan, of_one(&by_kind, groups)),
                Found::Needs(Bytes(u64::MAX)) | Found::Slower => {
                    let stages = groups * way.virtual_stages();
                    Row::Refused(format!(
                        "the step cannot be cut into {stages} stages: it has {}",
                        chain.len()
                    ))
                }
                Found::Needs(peak) => Row::DoesNotFit(peak),
            })
        };
        ways.par_iter().map(row).collect()
    }
}

/// The shares of one of so many groups, on average.
fn of_one(all: &[Share], groups: usize) -> Vec<Share> {
    let share = |share: &Share| Share { seconds: share.seconds / groups as f64, ..share.clone() };
    all.iter().map(share).collect()
}
