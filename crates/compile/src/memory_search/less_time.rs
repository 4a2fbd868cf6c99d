//! What takes less time where some values are made again for the backward pass, though all fit.
//!
//! Input: a plan with nothing made again, or that there is none as fast as is wanted. Output: the fastest of it and what is
//! best with values made again: layers in loops write what they keep to stacks and read it back, and to make it again may
//! take less. The fastest choice of the hull is tried, and the usual one (`selective`), as the hull does not see what is
//! fused with what.

use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::{Machine, Seconds};
use meshwright_search::recompute::Named;

use super::least_again::MadeAgain;
use super::{AGAIN, Open, before_passes, bound_of, is_hull_open, recomputed_in, seconds};
use crate::driver::{Compiled, compile};
use crate::error::CompileError;
use crate::held::Held;
use crate::options::{Effort, Options};
use crate::recompute::Recompute;

/// The share of a step that has to be spared to be worth a search.
const WORTH: f64 = 0.005;

/// What was found with nothing made again, or what is faster with the fastest choice of what is.
///
/// # Errors
/// That of `found`, if there is nothing better.
pub(crate) fn in_less_time(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
    found: Result<Compiled, CompileError>,
) -> Result<Compiled, CompileError> {
    let open = Open::of(options, machine);
    let wanted = match &found {
        Ok(compiled) => Some(before_passes(compiled) * (1.0 - AGAIN)),
        Err(CompileError::NotFaster(slower)) if slower.peak <= options.memory_limit_on(machine) => {
            options.faster_than
        }
        Err(_) => None,
    };
    let Some(wanted) = wanted.filter(|_| open.recompute && !control.should_stop()) else { return found };
    let (function, is_anew) = recomputed_in(program, machine, options)?;
    if !is_hull_open(&function, open, options) {
        return found;
    }
    let again = MadeAgain::of(&function, machine);
    let spared = again.spared * (1.0 / machine.num_devices() as f64);
    if again.begins_with_none || spared < wanted * WORTH {
        return found;
    }
    let [fastest, _] = again.ends(is_anew);
    let usual = Some(Recompute::Named(Named::Selective)).filter(|_| !is_anew);
    let in_way = |recompute: &Recompute, effort: Effort, faster_than: Seconds, control: &dyn Control| {
        let recompute = Some(recompute.clone());
        let options = Options { recompute, effort, faster_than: Some(faster_than), ..options.clone() };
        compile(program, source, machine, &options, control)
    };
    let look = if options.effort.is_look() { options.effort } else { Effort::Look };
    let mut bound = bound_of(&found);
    let mut also_bound = |other: Option<f64>| bound = bound.into_iter().chain(other).reduce(f64::min);
    let mut best: Option<(Recompute, Compiled, Held<'_>)> = None;
    for recompute in [fastest].into_iter().chain(usual) {
        let held = Held::back(control);
        let enough = best.as_ref().map_or(wanted, |(_, best, _)| before_passes(best));
        let tried = in_way(&recompute, look, enough, &held);
        also_bound(bound_of(&tried));
        match tried {
            Ok(faster) if best.as_ref().is_none_or(|(_, best, _)| seconds(&faster) < seconds(best)) => {
                best = Some((recompute, faster, held));
            }
            Err(_) if control.should_stop() => break,
            Ok(_) | Err(_) => {}
        }
    }
    let Some((recompute, mut faster, mut held)) = best else { return bounded(found, bound, control) };
    if !options.effort.is_look() {
        let of_again = Held::back(control);
        let enough = before_passes(&faster) * (1.0 + AGAIN);
        match in_way(&recompute, Effort::Again, enough, &of_again) {
            Ok(best) if seconds(&best) <= seconds(&faster) => {
                also_bound(best.plan.bound_seconds);
                (faster, held) = (best, of_again);
            }
            _ => faster = faster.proved(),
        }
    }
    if found.as_ref().is_ok_and(|slower| seconds(slower) <= seconds(&faster)) {
        return bounded(found, bound, control);
    }
    bounded(Ok(held.taken(faster)), bound, control)
}

/// What was found, with the bound of all that was tried, and whether that was left early.
fn bounded(
    found: Result<Compiled, CompileError>,
    bound: Option<f64>,
    control: &dyn Control,
) -> Result<Compiled, CompileError> {
    match found {
        Ok(mut compiled) => {
            let own = before_passes(&compiled).0;
            compiled.plan.bound_seconds = bound.map(|bound| bound.min(own));
            compiled.plan.unfinished |= control.should_stop();
            Ok(compiled)
        }
        Err(CompileError::NotFaster(mut slower)) => {
            slower.bound = bound;
            Err(CompileError::NotFaster(slower))
        }
        Err(error) => Err(error),
    }
}
