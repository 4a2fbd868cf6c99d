//! Ways to need less memory, where the search may decide them: microbatches, tiles, and what is made again for the backward
//! pass.
//!
//! Input: a program that does not fit as it is. Output: the plan that takes least of those that fit in other ways. Each
//! way costs time: more microbatches never take less, nor does what is made again, be it in tiles. So numbers of microbatches are tried
//! from the fewest on, each with as little made again as makes it fit, until a plan takes longer than the one before.

use meshwright_analyze::Roles;
use meshwright_analyze::batch;
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::op::DataFlow;
use meshwright_ir::program::{Function, Program};
use meshwright_machine::{Machine, Seconds};
use meshwright_search::recompute::Named;

use crate::driver::{Compiled, compile};
use crate::error::CompileError;
use crate::options::{Microbatches, Options, Search, Tiles};
use crate::recompute::Recompute;
use crate::tiled::regions;
use crate::transform::flattened;

/// What is made may be so many times as much as what has to be there at once.
const SLACK: f64 = 2.0;

/// What the search may decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    microbatches: bool,
    recompute: bool,
    tiles: bool,
}

/// A way to need less memory in each microbatch.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Way {
    recompute: Option<Recompute>,
    tiles: Option<Tiles>,
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
        let tiles = match options.tiles {
            Some(Tiles::Search) => options.plan.is_none(),
            Some(_) => false,
            None => is_free,
        };
        Self { microbatches, recompute, tiles }
    }
}

/// Returns whether the search may decide anything of it.
pub(crate) fn is_open(options: &Options) -> bool {
    let open = Open::of(options);
    open.microbatches || open.recompute || open.tiles
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
    let function = flattened(program)?.function;
    let open = Open::of(options);
    let ways = ways(&function, open, options);
    let mut best: Option<Compiled> = None;
    let mut least = least(&does_not_fit, 1, ways.len());
    for count in counts(&function, open) {
        if count > 1 && count < least {
            continue;
        }
        let microbatches =
            if open.microbatches { Some(Microbatches::Number(count)) } else { options.microbatches };
        let limit = best.as_ref().map(|best| Seconds(best.plan.predicted.before_passes_seconds));
        let faster_than = limit.or(options.faster_than);
        let tried = ways.iter().map(|Way { recompute, tiles }| {
            let recompute = recompute.clone();
            let options = Options { microbatches, recompute, tiles: *tiles, faster_than, ..options.clone() };
            compile(program, source, machine, &options, control)
        });
        match first_fitting(tried) {
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

/// The first that fits, which makes least again; the last that does not, if none does.
fn first_fitting(
    tried: impl Iterator<Item = Result<Compiled, CompileError>>,
) -> Result<Compiled, CompileError> {
    let mut last = None;
    for found in tried {
        match found {
            Err(error @ CompileError::DoesNotFit(_)) => last = Some(error),
            found => return found,
        }
    }
    Err(last.expect("there is a way to recompute, if only not to"))
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

/// What to make again, the least first, each with and without tiles. What has no regions for them has none; what is made
/// again in part is no more with tiles than without.
fn ways(function: &Function, open: Open, options: &Options) -> Vec<Way> {
    let has_regions = open.tiles && !regions(function).is_empty();
    let mut ways = Vec::new();
    for recompute in recomputations(function, open, options) {
        let is_open = has_regions && recompute != Some(Recompute::Named(Named::Selective));
        let tiles = if open.tiles { Some(Tiles::None) } else { options.tiles };
        ways.push(Way { recompute: recompute.clone(), tiles });
        ways.extend(is_open.then_some(Way { recompute, tiles: Some(Tiles::Most) }));
    }
    ways
}

/// What to make again, the least first. Where the program says so itself, that is done and no more.
fn recomputations(function: &Function, open: Open, options: &Options) -> Vec<Option<Recompute>> {
    let says_so = function.body.insts.values().any(|inst| inst.op.traits().data_flow == DataFlow::Identity);
    if !open.recompute {
        return vec![options.recompute.clone()];
    }
    if says_so && options.recompute.is_none() {
        return vec![Some(Recompute::Named(Named::None))];
    }
    Named::ALL.into_iter().map(|named| Some(Recompute::Named(named))).collect()
}

fn seconds(compiled: &Compiled) -> f64 {
    compiled.plan.predicted.total_seconds
}
