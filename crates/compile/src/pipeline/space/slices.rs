//! Slices of the sequence beside microbatches of the batch.
//!
//! Input: as of [`super::pipeline_plan`]. Output: the best pipeline of both. Slices are parts of the step as microbatches are, of a
//! step in which attentions stay written out; of their schedule there is one (TeraPipe). They fill a pipeline for which the
//! batch has few examples: where it has enough, or a short search is wanted, and nothing asks for them, they are left out.

use meshwright_analyze::{Roles, batch};
use meshwright_ir::control::Control;
use meshwright_ir::program::Program;
use meshwright_machine::{Machine, Seconds};
use meshwright_schedule::named;
use std::sync::OnceLock;

use super::combinations::USUAL;
use super::{Among, Other, PipelinePlan, PipelineSpace, Weighed, among};
use crate::error::CompileError;
use crate::held::Held;
use crate::options::Options;
use crate::pipeline::hosts::on_all_hosts;
use crate::pipeline::wanted::{PartsOf, PipelineOptions, ScheduleChoice};
use crate::pipeline::{Pipelined, SLICES};
use crate::transform::flattened;

/// More slices leave kernels too little to do.
pub(super) const MOST: usize = 64;

/// What a plan says of slices that were left out.
const ENOUGH: &str = "slices of the sequence (`--schedule terapipe`; the batch has enough microbatches)";
pub(in crate::pipeline) const LEFT_OUT: &str = "slices of the sequence (`--schedule terapipe`)";

/// Searches for the fastest pipeline beside something else that does the work: once a good pipeline is known that is told what it
/// takes, and answers what pipelines have to take less than; none if none does. Each number of groups is looked at before with
/// its usual microbatches.
///
/// # Errors
/// As of [`super::pipeline_plan`].
pub(crate) fn pipeline_plan_beside(
    program: &Program,
    machine: &Machine,
    options: &Options,
    space: &PipelineSpace,
    control: &dyn Control,
    other: Other<'_>,
) -> Result<Among, CompileError> {
    let of = |parts_of: PartsOf| (program, machine, options, space, parts_of);
    if !space.schedules.is_empty() {
        let is_slices = space.schedules.iter().any(|named| named.name == SLICES);
        let parts_of = if is_slices { PartsOf::Sequence } else { PartsOf::Batch };
        return among(of(parts_of), None, control, other);
    }
    let of_other = OnceLock::new();
    let told = |than: Option<Seconds>| *of_other.get_or_init(|| other(than));
    let batch = among(of(PartsOf::Batch), None, control, &told)?;
    let to_beat = of_other.get().copied().flatten();
    let best = batch.plan.as_ref().map(|plan| plan.figures.step());
    let groups = batch.plan.as_ref().map_or(1, |plan| plan.groups).max(2);
    let has_enough = has_enough(batch.examples, groups);
    if has_enough || space.is_short || control.should_stop() {
        let left = if has_enough { ENOUGH } else { LEFT_OUT };
        let left_out = Some(left.to_owned());
        let plan = batch.plan.map(|plan| PipelinePlan { left_out: left_out.clone(), ..plan });
        return Ok(Among { plan, left_out, ..batch });
    }
    let below = best.into_iter().chain(to_beat).reduce(|one, other| if other < one { other } else { one });
    let sequence = among(of(PartsOf::Sequence), below, control, &|_| below);
    // The rest of what there is may be better.
    let marked =
        |plan: PipelinePlan| PipelinePlan { unfinished: plan.unfinished || control.should_stop(), ..plan };
    // What is no causal model has no slices.
    let Ok(sequence) = sequence else { return Ok(Among { plan: batch.plan.map(marked), ..batch }) };
    let (own, others) = if sequence.plan.is_some() { (sequence, batch) } else { (batch, sequence) };
    let weighed: Vec<Weighed> = own.weighed.iter().cloned().chain(others.weighed).collect();
    let bound = weighed.iter().map(|own| own.bound.0).fold(f64::INFINITY, f64::min);
    let with = |plan: PipelinePlan| {
        let bound = Seconds(plan.bound.0.min(bound));
        marked(PipelinePlan { bound, weighed: weighed.clone(), ..plan })
    };
    Ok(Among { plan: own.plan.map(with), weighed, ..own })
}

/// Returns whether so many groups have enough to do with microbatches of so many examples.
fn has_enough(examples: usize, groups: usize) -> bool {
    examples as f64 > USUAL * groups as f64
}

/// Makes the pipeline of given numbers with the best table that is found, or, where the batch has few examples or does not
/// fit or divide into so many microbatches, one of as many slices of the sequence, if that takes less.
///
/// # Errors
/// As of [`pipeline`](crate::pipeline()) of microbatches, if neither is possible, or groups have meshes of their own.
pub(in crate::pipeline) fn best_table_or_slices(
    program: &Program,
    machine: &Machine,
    options: &Options,
    wanted: &PipelineOptions,
    control: &dyn Control,
) -> Result<Pipelined, CompileError> {
    let table = on_all_hosts(program, machine, options, wanted, None, control);
    let mut table = table.map(|made| made.expect("any pipeline is fast enough"));
    // For groups that have meshes of their own no table is searched at all.
    if table.is_err() && !options.group_meshes.is_empty() {
        return table;
    }
    let limit = options.memory_limit_on(machine);
    let is_fitting = |made: &Pipelined| made.misfit(limit).is_none();
    let known = table.as_ref().ok().filter(|made| is_fitting(made)).map(|made| made.figures.step());
    let function = flattened(program)?.function;
    let examples = batch::size(&function, &Roles::new(&function)).unwrap_or(0);
    let is_enough = known.is_some() && has_enough(examples, wanted.groups);
    if is_enough || control.should_stop() || wanted.virtual_stages.is_some_and(|stages| stages > 1) {
        if let Ok(made) = &mut table {
            let left = if is_enough { ENOUGH } else { LEFT_OUT };
            made.plan.not_searched.push(left.to_owned());
        }
        return table;
    }
    let schedule = ScheduleChoice::Named(named(SLICES).expect("it is one that has a name"));
    let slices = PipelineOptions { virtual_stages: Some(1), schedule, ..wanted.clone() };
    let held = Held::back(control);
    match on_all_hosts(program, machine, options, &slices, known, &held) {
        Ok(Some(made)) if is_fitting(&made) => Ok(held.taken(made)),
        Err(CompileError::Interrupted) => Err(CompileError::Interrupted),
        _ => table,
    }
}
