//! Ways to need less memory, where the search may decide them: microbatches, and what is made again for the backward pass.
//!
//! Input: a program that does not fit as it is. Output: the plan that takes least of those that fit in other ways. Each
//! way costs time: more microbatches never take less, nor does what is made again. So numbers of microbatches are tried
//! from the fewest on, each with as little made again as makes it fit ([`least_again`]), until a plan takes longer than the one before.

use meshwright_analyze::Roles;
use meshwright_analyze::batch;
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::{Function, Program};
use meshwright_machine::{Machine, Seconds};
use meshwright_search::recompute::Named;

use crate::driver::{Compiled, compile};
use crate::error::CompileError;
use crate::least_again::{ends, kept, least_again};
use crate::options::{Microbatches, Options, Search};
use crate::recompute::{Recompute, is_anew, says_so};
use crate::transform::flattened;

/// What is made may be so many times as much as what has to be there at once.
const SLACK: f64 = 2.0;

/// What the search may decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    microbatches: bool,
    recompute: bool,
}

impl Open {
    fn of(options: &Options) -> Self {
        // What is given a mesh or a plan is priced as it is, but for what is asked to be searched.
        let is_free = options.search != Some(Search::None)
            && options.mesh.is_none()
            && options.stop_after.is_none()
            && options.plan.is_none();
        let microbatches = match options.microbatches {
            Some(Microbatches::Number(_)) => false,
            Some(Microbatches::Search) => options.plan.is_none(),
            None => is_free,
        };
        let recompute = match options.recompute {
            Some(Recompute::Search) => options.plan.is_none(),
            Some(_) => false,
            None => is_free,
        };
        Self { microbatches, recompute }
    }
}

/// Returns whether the search may decide anything of it.
pub(crate) fn is_open(options: &Options) -> bool {
    let open = Open::of(options);
    open.microbatches || open.recompute
}

/// The best plan of a program that does not fit as it is, in other ways.
///
/// # Errors
/// That it does not fit, if it does not in any way; [`CompileError::Interrupted`].
pub(crate) fn in_other_ways(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
    does_not_fit: CompileError,
) -> Result<Compiled, CompileError> {
    let flat = flattened(program)?;
    let is_anew = is_anew(&flat.function, options);
    let function = if is_anew { flat.kept().function } else { flat.function };
    let open = Open::of(options);
    let kept = if is_hull_open(&function, open, options) { kept(&function, machine) } else { Vec::new() };
    let mut best: Option<Compiled> = None;
    let mut least = least(&does_not_fit, 1, if kept.is_empty() { 1 } else { Named::ALL.len() });
    for count in counts(&function, open) {
        if count > 1 && count < least {
            continue;
        }
        let microbatches =
            if open.microbatches { Some(Microbatches::Number(count)) } else { options.microbatches };
        let limit = best.as_ref().map(|best| Seconds(best.plan.predicted.before_passes_seconds));
        let faster_than = limit.or(options.faster_than);
        let attempt = |recompute: Option<Recompute>| {
            let options = Options { microbatches, recompute, faster_than, ..options.clone() };
            compile(program, source, machine, &options, control)
        };
        let found = if kept.is_empty() {
            attempt(as_given(open, options))
        } else {
            least_again(&kept, &ends(&kept, is_anew), &|again| attempt(Some(again)))
        };
        match found {
            Ok(found) if best.as_ref().is_none_or(|best| seconds(&found) < seconds(best)) => {
                best = Some(found)
            }
            Err(error @ CompileError::Interrupted) => return best.ok_or(error),
            Err(error @ CompileError::DoesNotFit(_)) if best.is_none() => {
                least = least.max(self::least(&error, count, 1));
            }
            // In fewer microbatches it was faster, or in so many it cannot be cut.
            Ok(_) | Err(_) => break,
        }
    }
    best.ok_or(does_not_fit)
}

/// Fewer microbatches than this are not worth a try where so many do not fit: if all that is made shrank with the batch,
/// and [`SLACK`] times as much for each further `way` to recompute.
fn least(problem: &CompileError, count: usize, ways: usize) -> usize {
    let CompileError::DoesNotFit(problem) = problem else { return count };
    let left = problem.limit.0.saturating_sub(problem.arguments.0).max(1);
    let factor = problem.temporaries.0 as f64 / left as f64 / (SLACK * ways as f64);
    (count as f64 * factor).ceil() as usize
}

/// Numbers of microbatches to try, the fewest first.
fn counts(function: &Function, open: Open) -> Vec<usize> {
    let size = batch::size(function, &Roles::new(function)).filter(|_| open.microbatches).unwrap_or(1);
    (1..=size).filter(|count| size.is_multiple_of(*count)).collect()
}

/// Whether all points of the hull may be tried: not where the program says itself what is made again, unless the search is
/// asked for.
fn is_hull_open(function: &Function, open: Open, options: &Options) -> bool {
    open.recompute && (!says_so(function) || options.recompute.is_some())
}

/// What is made again where that is not to be searched.
fn as_given(open: Open, options: &Options) -> Option<Recompute> {
    if open.recompute { Some(Recompute::Named(Named::None)) } else { options.recompute.clone() }
}

fn seconds(compiled: &Compiled) -> f64 {
    compiled.plan.predicted.total_seconds
}
