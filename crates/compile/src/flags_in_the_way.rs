//! Flags without which a step can be cut into the microbatches that are asked for.
//!
//! Input: why it cannot be cut, and what is asked for beside microbatches. Output: the same, with a hint that names what stands
//! in the way, if that is what is made again, or what runs in tiles: both read values of the batch anew, which may ask for
//! one more pass over it.

use meshwright_ir::program::Program;

use crate::attended::WithKernels;
use crate::driver::Request;
use crate::error::CompileError;
use crate::in_time::{Timed, Weights};
use crate::options::{Effort, Options, Tiles};
use crate::recompute::{Recompute, Recomputed};
use crate::tiled::Tiled;
use crate::transform::flattened;
use meshwright_search::recompute::Named;

/// The error with a hint that names the flags without which there is none.
pub(crate) fn with_flags(error: CompileError, request: &Request<'_>) -> CompileError {
    let options = request.options;
    if options.plan.is_some() || options.effort != Effort::Thorough {
        return error;
    }
    let without_tiles = Options { tiles: Some(Tiles::None), ..options.clone() };
    let none = Some(Recompute::Named(Named::None));
    let without_recompute = Options { recompute: none.clone(), ..options.clone() };
    let without_both = Options { recompute: none, ..without_tiles.clone() };
    let has_tiles = options.tiles.is_some_and(|tiles| tiles != Tiles::None);
    let has_recompute = options.recompute.is_some() && options.recompute != without_recompute.recompute;
    let flags = [
        (has_tiles, without_tiles, "`--tiles`"),
        (has_recompute, without_recompute, "`--recompute`"),
        (has_tiles && has_recompute, without_both, "`--recompute` and `--tiles`"),
    ];
    let mut blamed = flags.into_iter().filter(|(is_given, ..)| *is_given);
    let Some((.., flag)) = blamed.find(|(_, options, _)| is_cut(request, options)) else { return error };
    let hint = format!("or leave out {flag}: the step as it is can be cut so");
    match error {
        CompileError::Diagnostics(mut problems) => {
            if let Some(problem) = problems.first_mut() {
                problem.hints.push(hint);
            }
            CompileError::Diagnostics(problems)
        }
        CompileError::Options(mut problem) => {
            problem.hints.push(hint);
            CompileError::Options(problem)
        }
        other => other,
    }
}

/// Returns whether the program can be cut as these options want it.
fn is_cut(request: &Request<'_>, options: &Options) -> bool {
    let Request { source, machine, .. } = request;
    let original: &Program = request.original;
    let cut = || -> Result<Timed, CompileError> {
        let WithKernels { flat, .. } = WithKernels::of(original, flattened(original)?, machine, options)?;
        let Recomputed { flat, .. } = Recomputed::of(original, flat, machine, options)?;
        let Tiled { flat, .. } = Tiled::of(original, source, flat, machine, options)?;
        Timed::of(original, flat, options, Weights::Ahead)
    };
    cut().is_ok()
}
