//! Rows of a grid that are pipelines: their figures.
//!
//! Input: a program, and what a pipeline of it takes. Output: [`GridFigures`]. Model flops and what a step is fed are those
//! of the program, once for all rows.

use meshwright_analyze::Roles;
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::Figures;
use meshwright_plan::figures::Share;

use super::GridFigures;
use crate::attended::WithKernels;
use crate::error::CompileError;
use crate::options::Options;
use crate::pipeline::{GATHERS_AGAIN, PipelinePlan, StepModel, WAITING};
use crate::transform::flattened;

/// What all pipelines of a program share.
pub(super) struct Model<'a>(StepModel<'a>);

impl<'a> Model<'a> {
    /// That of a program.
    ///
    /// # Errors
    /// A program that is not of the whole.
    pub(super) fn of(
        program: &Program,
        machine: &'a Machine,
        options: &Options,
    ) -> Result<Self, CompileError> {
        let WithKernels { flat, .. } = WithKernels::of(program, flattened(program)?, machine, options)?;
        Ok(Self(StepModel::of(&flat.function, &Roles::new(&flat.function), machine)))
    }

    /// The figures of a pipeline in which a device spends so long with each kind of work.
    pub(super) fn figures(&self, plan: &PipelinePlan, mut by_kind: Vec<Share>) -> GridFigures {
        let seconds = plan.figures.step();
        let communication = by_kind.iter().find(|share| share.what == "communication");
        let communication = communication.map_or(Seconds::ZERO, |share| Seconds(share.seconds));
        // What neither computes nor waits for a collective waits for other groups.
        let busy: f64 = by_kind.iter().map(|share| share.seconds).sum();
        by_kind.push(Share { what: WAITING.to_owned(), seconds: (seconds.0 - busy).max(0.0) });
        GridFigures {
            seconds,
            exposed_communication: communication,
            peak: plan.figures.memory().into_iter().max().unwrap_or(Bytes(0)),
            mfu: self.0.mfu(seconds.0),
            cost: self.0.cost(seconds.0),
            throughput: self.0.throughput(seconds.0),
            microbatches: plan.microbatches,
            recompute: Some(again(plan)),
            schedule: Some(plan.schedule_name()),
            by_kind,
            bubble: plan.figures.bubble(),
        }
    }
}

/// Throughput, use of the devices and cost of a step of a program that takes so many seconds; where its time and memory go is
/// not said, nor what runs again.
///
/// # Errors
/// A program that is not of the whole.
pub fn figures_of_seconds(
    program: &Program,
    machine: &Machine,
    options: &Options,
    seconds: Seconds,
) -> Result<Figures, CompileError> {
    Ok(Model::of(program, machine, options)?.0.of_seconds(seconds.0))
}

/// `selective`, or `none, full` where stages differ; which of them gather parameters again is no matter of it.
fn again(plan: &PipelinePlan) -> String {
    let mut words: Vec<&str> = Vec::new();
    for own in plan.again.iter().map(|own| own.strip_suffix(GATHERS_AGAIN).unwrap_or(own)) {
        if !words.contains(&own) {
            words.push(own);
        }
    }
    words.join(", ")
}
