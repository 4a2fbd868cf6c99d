//! The program in microbatches, where it is cut into some.
//!
//! Input: the flat program and what the options say of time. Output: the same with a loop over microbatches, and how it
//! was cut. What cannot be cut is refused at the place that stands in the way.

use meshwright_analyze::Roles;
use meshwright_analyze::batch::time_axis;
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_ir::program::Function;
use meshwright_transform::Flat;
use meshwright_transform::microbatch::{Microbatched, in_microbatches};
use meshwright_transform::time::{TimeAxis, TimeRefusal};

use crate::error::CompileError;
use crate::options::Options;

/// A step cannot be cut into the microbatches that were asked for.
const MICROBATCHES: Check = Check("microbatches");

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
    /// [`CompileError::Options`]: it cannot be cut so.
    pub(crate) fn of(flat: Flat, options: &Options) -> Result<Self, CompileError> {
        let Some(count) = options.microbatches.filter(|count| *count != 1) else {
            return Ok(Self { flat, axis: None });
        };
        let axis = time_axis(&flat.function, &Roles::new(&flat.function), count);
        let axis = axis.map_err(|refusal| refused(&flat.function, refusal))?;
        let limit = options.microbatch_passes.unwrap_or(2);
        if axis.passes > limit {
            return Err(too_many_passes(&flat.function, &axis, limit));
        }
        let Microbatched { function, trace } = in_microbatches(&flat.function, &axis);
        let origins = flat.origins.behind(&trace, &function.body);
        Ok(Self { flat: Flat { function, origins }, axis: Some(axis) })
    }
}

fn refused(function: &Function, refusal: TimeRefusal) -> CompileError {
    let span = refusal.inst().map_or(Span::NONE, |inst| function.body.insts[inst].span);
    let mut diagnostic = Diagnostic::error(MICROBATCHES, span, refusal.to_string());
    let divisors = refusal.divisors();
    if !divisors.is_empty() {
        let divisors: Vec<String> = divisors.iter().map(ToString::to_string).collect();
        diagnostic = diagnostic.hint(format!("these do: {}", divisors.join(", ")));
    }
    CompileError::Options(Box::new(diagnostic))
}

fn too_many_passes(function: &Function, axis: &TimeAxis, limit: usize) -> CompileError {
    let last = axis.points.iter().max_by_key(|point| axis.states[point.value].level);
    let span = last.map_or(Span::NONE, |point| function.body.values[point.value].span);
    let problem = format!(
        "{} microbatches would need {} passes over the batch: what is summed over all examples is read by them again",
        axis.count, axis.passes
    );
    let hint = format!("allow them with `--microbatch-passes {}`; {limit} are allowed", axis.passes);
    CompileError::Options(Box::new(Diagnostic::error(MICROBATCHES, span, problem).hint(hint)))
}
