//! What a plan says of the ways that were tried: how many they were, a bound of all of them, and what was not tried.
//!
//! Input: the plan of the best way. Output: the same, which says so.

use meshwright_machine::Seconds;
use meshwright_search::MORE_MICROBATCHES;

use super::{Tried, Ways, before_passes};
use crate::driver::Compiled;
use crate::error::CompileError;
use crate::options::Effort;

/// The time that no plan takes less than in a way that was compiled, if a search says so.
pub(super) fn bound_of(compiled: &Result<Compiled, CompileError>) -> Option<f64> {
    match compiled {
        Ok(compiled) => compiled.plan.bound_seconds,
        Err(CompileError::NotFaster(found)) => found.bound,
        // Of plans that fit there may be one all the same.
        Err(CompileError::DoesNotFit(problem)) => problem.bound,
        Err(_) => None,
    }
}

impl Ways<'_> {
    /// The plan with the bound of all ways that were tried, its own search again included, and with those that were not.
    pub(super) fn told(&self, mut compiled: Compiled) -> Compiled {
        let Tried { counts, ways, bound, .. } = &*self.tried.borrow();
        let seconds = before_passes(&compiled).0;
        // Where its own search says nothing, those of other ways say nothing of all.
        if let Some(own) = compiled.plan.bound_seconds {
            let bound = bound.iter().copied().chain([own]).fold(seconds, f64::min);
            compiled.plan.bound_seconds = Some(bound);
            let gap = ((1.0 - bound / seconds) * 1000.0).max(0.0).ceil() / 10.0;
            let reason = format!(
                "in the {ways} ways to fit that were compiled, no plan takes less than {} under this cost model: this one is \
                 within {gap:.1} % of the best possible in all of them",
                Seconds(bound)
            );
            compiled.plan.reasons.insert(0, reason);
        }
        compiled.is_in_other_ways = true;
        compiled.plan.unfinished |= self.control.should_stop();
        if self.open.microbatches {
            compiled.plan.not_searched.retain(|what| what != MORE_MICROBATCHES);
            compiled.plan.not_searched.extend(other_numbers(&self.counts, counts));
        }
        if self.options.effort == Effort::Look && self.has_other_meshes() {
            compiled.plan.not_searched.push("meshes of more axes in other ways to fit".to_owned());
        }
        compiled
    }
}

/// `other numbers of microbatches (8, 16)`: those that are possible and were not tried, if there are any.
fn other_numbers(possible: &[usize], tried: &[usize]) -> Option<String> {
    let left = possible.iter().filter(|count| !tried.contains(count));
    let left: Vec<String> = left.map(ToString::to_string).collect();
    (!left.is_empty()).then(|| format!("other numbers of microbatches ({})", left.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_were_not_tried_are_named_until_there_are_none() {
        let possible = [1, 2, 4, 8];
        let left = |tried: &[usize]| other_numbers(&possible, tried);
        assert_eq!(left(&[1]).as_deref(), Some("other numbers of microbatches (2, 4, 8)"));
        assert_eq!(left(&[1, 4]).as_deref(), Some("other numbers of microbatches (2, 8)"));
        assert_eq!(left(&[4, 8, 2, 1]), None);
    }
}
