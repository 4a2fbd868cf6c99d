//! The program in microbatches, where it is cut into some.
//!
//! Input: the flat program and what the options say of time. Output: the same with a loop over microbatches, and how it
//! was cut. What cannot be cut is refused at the place that stands in the way.

use meshwright_analyze::batch::time_axis;
use meshwright_analyze::roles::Argument;
use meshwright_analyze::{Role, Roles};
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_ir::program::{Def, Function};
use meshwright_plan::plan_file::codec::PLAN;
use meshwright_transform::Flat;
use meshwright_transform::microbatch::{Microbatched, in_microbatches};
use meshwright_transform::time::{TimeAxis, TimeRefusal};
use meshwright_transform::unroll::{Unrolled, loop_around, unrolled};

use crate::error::CompileError;
use crate::options::{Microbatches, Options};

/// A step cannot be cut into the microbatches that were asked for.
const MICROBATCHES: Check = Check("microbatches");

/// Passes over the batch that are allowed unless the caller allows more.
const MOST_PASSES: usize = 2;

/// A flat program, and how it is cut into microbatches.
pub(crate) struct Timed {
    /// The program that is worked on.
    pub(crate) flat: Flat,
    /// How time cuts the program as it was given; none if it does not.
    pub(crate) axis: Option<TimeAxis>,
}

impl Timed {
    /// Cuts a program as the options want it.
    ///
    /// # Errors
    /// [`CompileError::Options`]: it cannot be cut so; [`CompileError::Plan`] if a plan says so.
    pub(crate) fn of(flat: Flat, options: &Options) -> Result<Self, CompileError> {
        let planned = options.plan.as_ref().and_then(|plan| plan.microbatches);
        let count = match (planned.map(|planned| planned.count), options.microbatches) {
            (Some(planned), Some(Microbatches::Number(asked))) if planned != asked => {
                return Err(twice(planned, asked));
            }
            (Some(count), _) | (None, Some(Microbatches::Number(count))) => count,
            (None, Some(Microbatches::Search) | None) => 1,
        };
        let allowed = options.microbatch_passes.unwrap_or(MOST_PASSES);
        let limit = planned.map_or(allowed, |planned| allowed.max(planned.passes));
        Self::cut(flat, count, limit).map_err(|error| match (error, &options.plan) {
            (CompileError::Options(problem), Some(plan)) if planned.is_some() => {
                let span = plan.places.at("microbatches.count");
                CompileError::Plan(vec![Diagnostic { span, check: PLAN, ..*problem }])
            }
            (error, _) => error,
        })
    }

    /// Cuts a program into so many microbatches, in at most so many passes.
    fn cut(flat: Flat, count: usize, limit: usize) -> Result<Self, CompileError> {
        if count == 1 {
            return Ok(Self { flat, axis: None });
        }
        if !is_training(&Roles::new(&flat.function)) {
            return Err(not_training());
        }
        let (flat, axis) = within(flat, count, limit)?;
        let cut = in_microbatches(&flat.function, &axis);
        let Microbatched { function, trace, .. } = cut.map_err(|refusal| refused(&flat.function, refusal))?;
        let origins = flat.origins.behind(&trace, &function.body);
        Ok(Self { flat: Flat { function, origins }, axis: Some(axis) })
    }
}

/// The time axis of a program that is cut into so many microbatches, one too, in as many passes as the options allow; loops
/// that stand in the way are written out.
///
/// # Errors
/// It cannot be cut so.
pub(crate) fn along_batch(
    flat: Flat,
    count: usize,
    options: &Options,
) -> Result<(Flat, TimeAxis), CompileError> {
    within(flat, count, options.microbatch_passes.unwrap_or(MOST_PASSES))
}

/// The same in at most so many passes.
fn within(flat: Flat, count: usize, limit: usize) -> Result<(Flat, TimeAxis), CompileError> {
    let (flat, axis) = with_loops_written_out(flat, count)?;
    match axis.passes > limit {
        true => Err(too_many_passes(&flat.function, &axis, limit)),
        false => Ok((flat, axis)),
    }
}

/// The time axis of a program; loops that stand in the way are written out.
fn with_loops_written_out(flat: Flat, count: usize) -> Result<(Flat, TimeAxis), CompileError> {
    let given = flat.clone();
    let mut flat = flat;
    loop {
        let refusal = match time_axis(&flat.function, &Roles::new(&flat.function), count) {
            Ok(axis) => return Ok((flat, axis)),
            Err(refusal) => refusal,
        };
        let Some(outer) = refusal.inst().and_then(|inst| loop_around(&flat.function, inst)) else {
            let first = time_axis(&given.function, &Roles::new(&given.function), count);
            return Err(refused(&given.function, first.err().unwrap_or(refusal)));
        };
        let Unrolled { function, trace } = unrolled(&flat.function, outer);
        let origins = flat.origins.behind(&trace, &function.body);
        flat = Flat { function, origins };
    }
}

/// Whether a function replaces parameters, or makes their gradients.
fn is_training(roles: &Roles) -> bool {
    let is_replaced = |argument: &Argument| argument.role == Role::Parameter && argument.result.is_some();
    !roles.gradients.is_empty() || roles.args.iter().any(is_replaced)
}

fn not_training() -> CompileError {
    let problem = "microbatches are parts of the batch of a training step, but nothing here trains";
    let hint =
        "leave out `--microbatches`, or give a whole training step; for inference, give a smaller batch";
    CompileError::Options(Box::new(Diagnostic::error(MICROBATCHES, Span::NONE, problem).hint(hint)))
}

/// A plan has another number of microbatches than the caller.
fn twice(planned: usize, asked: usize) -> CompileError {
    let problem = format!("the plan has {planned} microbatches, but {asked} are asked for");
    let hint = "leave out `--microbatches`, or the plan";
    CompileError::Options(Box::new(Diagnostic::error(MICROBATCHES, Span::NONE, problem).hint(hint)))
}

/// What stands in the way, at its place in the program; what is wrong with the number alone is the caller's.
pub(crate) fn refused(function: &Function, refusal: TimeRefusal) -> CompileError {
    let span = refusal.inst().map_or(Span::NONE, |inst| function.body.insts[inst].span);
    let mut diagnostic = Diagnostic::error(MICROBATCHES, span, refusal.to_string());
    let divisors = refusal.divisors();
    if divisors.is_empty() {
        return diagnostic.into();
    }
    let divisors: Vec<String> = divisors.iter().map(ToString::to_string).collect();
    diagnostic = diagnostic.hint(format!("it divides into {}", divisors.join(", ")));
    CompileError::Options(Box::new(diagnostic))
}

fn too_many_passes(function: &Function, axis: &TimeAxis, limit: usize) -> CompileError {
    let first = axis.points.iter().filter(|point| axis.states[point.value].level + 1 >= limit);
    let first = first.min_by_key(|point| point.value);
    let span = first.map_or(Span::NONE, |point| match function.body.values[point.value].def {
        Def::Result(inst, _) => function.body.insts[inst].span,
        Def::Argument(..) => Span::NONE,
    });
    let problem = format!(
        "{} microbatches would need {} passes over the batch: what is put together from all examples here is read for \
         each of them again",
        axis.count, axis.passes
    );
    let hint = format!("allow them with `--microbatch-passes {}`; {limit} are allowed", axis.passes);
    Diagnostic::error(MICROBATCHES, span, problem).hint(hint).into()
}
