//! The number of microbatches, where the search may decide it.
//!
//! Input: a program, and what became of it in one piece. Output: the plan that takes least of those in microbatches.
//! More microbatches need less memory for activations and never less time, so that they are tried from the fewest on,
//! where one piece does not fit, until a plan fits that takes less than the next.

use meshwright_analyze::Roles;
use meshwright_analyze::batch;
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::{Machine, Seconds};

use crate::driver::{Compiled, compile};
use crate::error::CompileError;
use crate::options::{Microbatches, Options, Search};
use crate::transform::flattened;

/// Whether the search may decide how many microbatches there are.
pub(crate) fn is_open(options: &Options) -> bool {
    let is_decided = match options.microbatches {
        Some(Microbatches::Number(_)) => true,
        Some(Microbatches::Search) => false,
        // What was asked for is priced as it is.
        None => {
            options.search == Some(Search::None) || options.mesh.is_some() || options.stop_after.is_some()
        }
    };
    !is_decided && options.plan.is_none()
}

/// The best plan in two microbatches or more of a program that does not fit in one piece.
///
/// # Errors
/// That it does not fit, if it does not in any number, or cannot be cut; [`CompileError::Interrupted`].
pub(crate) fn in_microbatches(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
    does_not_fit: CompileError,
) -> Result<Compiled, CompileError> {
    let function = flattened(program)?.function;
    let Some(size) = batch::size(&function, &Roles::new(&function)) else { return Err(does_not_fit) };
    let mut best: Option<Compiled> = None;
    for count in (2..=size).filter(|count| size.is_multiple_of(*count)) {
        let limit = best.as_ref().map(|best| Seconds(best.plan.predicted.before_passes_seconds));
        let faster_than = limit.or(options.faster_than);
        let number = Some(Microbatches::Number(count));
        let options = Options { microbatches: number, faster_than, ..options.clone() };
        match compile(program, source, machine, &options, control) {
            Ok(found) if best.as_ref().is_none_or(|best| seconds(&found) < seconds(best)) => {
                best = Some(found)
            }
            Err(CompileError::DoesNotFit(_)) if best.is_none() => {}
            Ok(_) | Err(CompileError::DoesNotFit(_)) => break,
            Err(error @ CompileError::Interrupted) => return best.ok_or(error),
            Err(_) => break,
        }
    }
    best.ok_or(does_not_fit)
}

fn seconds(compiled: &Compiled) -> f64 {
    compiled.plan.predicted.total_seconds
}
