//! Numbers of microbatches that are tried.
//!
//! Input: a program, and what it lacks in some of them. Output: those there are, and how many it takes at least.

use meshwright_analyze::{Roles, batch};
use meshwright_ir::program::Function;
use meshwright_machine::Machine;
use meshwright_search::ParallelDegrees;
use meshwright_transform::time::divisors;

use super::Open;
use crate::error::CompileError;
use crate::microbatch_size;
use crate::options::Options;

/// What is made may be so many times as much as what has to be there at once.
const SLACK: f64 = 2.0;

/// Fewer microbatches than this are not worth a try where so many do not fit: if all that is made shrank with the batch,
/// and [`SLACK`] times as much for each further `way` to need less.
pub(super) fn least(problem: &CompileError, count: usize, ways: usize) -> usize {
    let CompileError::DoesNotFit(problem) = problem else { return count };
    let left = problem.limit.0.saturating_sub(problem.arguments.0).max(1);
    let factor = problem.temporaries.0 as f64 / left as f64 / (SLACK * ways as f64);
    (count as f64 * factor).ceil() as usize
}

/// Numbers of microbatches to try, the fewest first.
pub(super) fn counts(function: &Function, open: Open, replicas: usize) -> Vec<usize> {
    let size = batch::size(function, &Roles::new(function)).filter(|_| open.microbatches).unwrap_or(1);
    let leaves_one = |count: &usize| *count == 1 || (size / count).is_multiple_of(replicas);
    divisors(size).into_iter().filter(leaves_one).collect()
}

/// The devices that the batch is asked to be shared over, each of which has a part of every microbatch.
pub(super) fn replicas(options: &Options, machine: &Machine) -> usize {
    let degrees = |asked: ParallelDegrees| asked.degrees(machine.num_devices()).ok();
    options.asked.and_then(degrees).map_or(1, |degrees| microbatch_size::replicas(&degrees))
}
