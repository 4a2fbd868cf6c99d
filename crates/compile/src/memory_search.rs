//! Ways to need less memory, where the search may decide them: microbatches, what is made again for the backward pass, and
//! what lies on the host meanwhile.
//!
//! Input: a program that does not fit as it is. Output: the plan that takes least of those that fit in other ways. Each
//! way costs time: more microbatches never take less, nor does what is made again. So numbers of microbatches are tried
//! from the fewest on, each with as little made again as makes it fit, until a plan takes longer than the one before. Copies from and to the host may take
//! less than what is made again instead, so that is tried with the best of these; where none fits, with all that may lie on
//! the host.

use meshwright_analyze::batch;
use meshwright_analyze::{Phases, Roles};
use meshwright_cost::Analysis;
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::op::DataFlow;
use meshwright_ir::program::{Function, Program};
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_search::offload::{Kind, candidates};
use meshwright_search::recompute::Named;

use crate::does_not_fit::DoesNotFit;
use crate::driver::{Compiled, compile};
use crate::error::CompileError;
use crate::offload::Offload;
use crate::options::{Microbatches, Options, Search};
use crate::recompute::Recompute;
use crate::transform::flattened;

/// What is made may be so many times as much as what has to be there at once.
const SLACK: f64 = 2.0;

/// What the search may decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    microbatches: bool,
    recompute: bool,
    offload: bool,
}

impl Open {
    fn of(options: &Options, machine: &Machine) -> Self {
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
        let offload = match options.offload {
            Some(Offload::Search) => options.plan.is_none(),
            Some(_) => false,
            None => is_free,
        };
        Self { microbatches, recompute, offload: offload && machine.device.host.is_some() }
    }
}

/// Returns whether the search may decide anything of it.
pub(crate) fn is_open(options: &Options, machine: &Machine) -> bool {
    let open = Open::of(options, machine);
    open.microbatches || open.recompute || open.offload
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
    let open = Open::of(options, machine);
    let on_host = if open.offload { on_host(&function) } else { Vec::new() };
    let ways = Ways { program, source, machine, options, control, function: &function, open, on_host };
    let own = if open.offload { Some(&Offload::None) } else { options.offload.as_ref() };
    let on_device = ways.fitting(own, &does_not_fit)?;
    let best = match (on_device, ways.on_host.last()) {
        (found, None) => found,
        (Some(found), _) => Some(ways.with_some_on_host(found)),
        (None, Some(all)) => ways
            .fitting(Some(&Offload::kinds(all)), &does_not_fit)?
            .map(|found| ways.with_less_on_host(found)),
    };
    best.map(|found| found.compiled).ok_or(does_not_fit)
}

/// A program that does not fit as it is, and what may be decided of it.
struct Ways<'a> {
    program: &'a Program,
    source: &'a Source,
    machine: &'a Machine,
    options: &'a Options,
    control: &'a dyn Control,
    function: &'a Function,
    open: Open,
    /// What may lie on the host, the least first.
    on_host: Vec<Vec<Kind>>,
}

/// A plan that fits.
struct Found {
    compiled: Compiled,
    /// Its microbatches.
    count: usize,
    /// What it lacks with as many microbatches and the least made again, if that is not the plan itself.
    lacks: Option<Box<DoesNotFit>>,
}

impl Ways<'_> {
    /// The best plan with this on the host, if any fits: microbatches and what is made again are tried.
    ///
    /// # Errors
    /// [`CompileError::Interrupted`], before one is found.
    fn fitting(
        &self,
        offload: Option<&Offload>,
        does_not_fit: &CompileError,
    ) -> Result<Option<Found>, CompileError> {
        let ways = recomputations(self.function, self.open, self.options);
        let mut best: Option<Found> = None;
        let mut least = least(does_not_fit, 1, ways.len());
        for count in counts(self.function, self.open) {
            if count > 1 && count < least {
                continue;
            }
            let limit = best.as_ref().map(|best| before_passes(&best.compiled));
            let tried = ways.iter().map(|recompute| self.compiled(count, recompute.clone(), offload, limit));
            match first_fitting(tried) {
                Ok((compiled, lacks))
                    if best.as_ref().is_none_or(|best| seconds(&compiled) < seconds(&best.compiled)) =>
                {
                    best = Some(Found { compiled, count, lacks });
                }
                Err(error @ CompileError::Interrupted) => return best.ok_or(error).map(Some),
                Err(error @ CompileError::DoesNotFit(_)) if best.is_none() => {
                    least = least.max(self::least(&error, count, 1));
                }
                // In fewer microbatches it was faster, or in so many it cannot be cut.
                Ok(_) | Err(_) => break,
            }
        }
        Ok(best)
    }

    /// The plan, or what is faster with something on the host instead of what is made again, and in fewer microbatches.
    fn with_some_on_host(&self, found: Found) -> Found {
        let Some(lacks) = &found.lacks else { return found };
        for kinds in &self.on_host {
            // What stays on the device has to fit by itself.
            let stays = match kinds.as_slice() {
                [Kind::Moments] => lacks.temporaries,
                [Kind::Activations] => lacks.arguments,
                _ => Bytes(0),
            };
            if stays > lacks.limit {
                continue;
            }
            if let Some(faster) = self.faster_on_host(&found, &Offload::kinds(kinds)) {
                return faster;
            }
        }
        found
    }

    /// What is faster than a plan with this on the host and the least made again, in as many microbatches or the fewest
    /// before that fit.
    fn faster_on_host(&self, found: &Found, offload: &Offload) -> Option<Found> {
        let recompute = recomputations(self.function, self.open, self.options).swap_remove(0);
        let mut best: Option<Found> = None;
        let counts = counts(self.function, self.open).into_iter().filter(|count| *count <= found.count).rev();
        for count in counts {
            let slower = best.as_ref().unwrap_or(found);
            let limit = Some(before_passes(&slower.compiled));
            match self.compiled(count, recompute.clone(), Some(offload), limit) {
                Ok(compiled) if seconds(&compiled) < seconds(&slower.compiled) => {
                    best = Some(Found { compiled, count, lacks: None });
                }
                Ok(_) | Err(_) => break,
            }
        }
        best
    }

    /// The plan, which has all on the host that may lie there, or what does with less in as many microbatches.
    fn with_less_on_host(&self, found: Found) -> Found {
        let recompute = recomputations(self.function, self.open, self.options);
        for kinds in self.on_host.iter().rev().skip(1).rev() {
            let offload = Offload::kinds(kinds);
            let tried =
                recompute.iter().map(|way| self.compiled(found.count, way.clone(), Some(&offload), None));
            if let Ok((compiled, lacks)) = first_fitting(tried)
                && seconds(&compiled) <= seconds(&found.compiled)
            {
                return Found { compiled, lacks, ..found };
            }
        }
        found
    }

    /// The plan in one way. Only one that takes less is of interest, if a time is given.
    fn compiled(
        &self,
        count: usize,
        recompute: Option<Recompute>,
        offload: Option<&Offload>,
        faster_than: Option<Seconds>,
    ) -> Result<Compiled, CompileError> {
        let microbatches = match self.open.microbatches {
            true => Some(Microbatches::Number(count)),
            false => self.options.microbatches,
        };
        let faster_than = faster_than.or(self.options.faster_than);
        let offload = offload.cloned();
        let options = Options { microbatches, recompute, offload, faster_than, ..self.options.clone() };
        compile(self.program, self.source, self.machine, &options, self.control)
    }
}

/// The first that fits, which makes least again, and what the first lacks if that is not it; the last that does not fit, if
/// none does.
fn first_fitting(
    tried: impl Iterator<Item = Result<Compiled, CompileError>>,
) -> Result<(Compiled, Option<Box<DoesNotFit>>), CompileError> {
    let (mut first, mut last) = (None, None);
    for found in tried {
        match found {
            Err(CompileError::DoesNotFit(problem)) => {
                first = first.or_else(|| Some(problem.clone()));
                last = Some(CompileError::DoesNotFit(problem));
            }
            Ok(found) => return Ok((found, first)),
            Err(error) => return Err(error),
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

/// What of a function may lie on the host, the least first: moments, activations, both.
fn on_host(function: &Function) -> Vec<Vec<Kind>> {
    let roles = Roles::new(function);
    let phases = Phases::new(function, &roles);
    let found = candidates(&Analysis::new(function), &roles, phases.as_ref());
    let is_there = |kind: &Kind| found.iter().any(|candidate| candidate.kind == *kind);
    let kinds: Vec<Kind> = [Kind::Moments, Kind::Activations].into_iter().filter(is_there).collect();
    let mut ways: Vec<Vec<Kind>> = kinds.iter().map(|kind| vec![*kind]).collect();
    ways.extend((kinds.len() > 1).then_some(kinds));
    ways
}

/// The time by which a search compares plans with others.
fn before_passes(compiled: &Compiled) -> Seconds {
    Seconds(compiled.plan.predicted.before_passes_seconds)
}

fn seconds(compiled: &Compiled) -> f64 {
    compiled.plan.predicted.total_seconds
}
