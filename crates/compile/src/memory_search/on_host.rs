//! What lies on the host meanwhile, as one more way to need less memory of devices.
//!
//! Input: the ways, and a plan that fits. Output: a plan with as much on the host as is worth it.

use meshwright_analyze::{Phases, Roles};
use meshwright_cost::Analysis;
use meshwright_ir::program::Function;
use meshwright_search::offload::{Kind, candidates};

use super::{Found, Way, Ways, before_passes};
use crate::error::CompileError;
use crate::offload::Offload;

/// What of a function may lie on the host, the least first: moments, activations, both.
pub(super) fn kinds(function: &Function) -> Vec<Vec<Kind>> {
    let roles = Roles::new(function);
    let phases = Phases::new(function, &roles);
    let found = candidates(&Analysis::new(function), &roles, phases.as_ref());
    let is_there = |kind: &Kind| found.iter().any(|candidate| candidate.kind == *kind);
    let kinds: Vec<Kind> = [Kind::Moments, Kind::Activations].into_iter().filter(is_there).collect();
    let mut ways: Vec<Vec<Kind>> = kinds.iter().map(|kind| vec![*kind]).collect();
    ways.extend((kinds.len() > 1).then_some(kinds));
    ways
}

impl Ways<'_> {
    /// The plan, or what is fastest with something on the host instead of what is made again, and in fewer microbatches.
    pub(super) fn with_some_on_host(&self, mut found: Found) -> Found {
        let lacks = found.lacks.take();
        if found.count == 1 && lacks.is_none() {
            return found;
        }
        let mut best = found;
        for kinds in &self.on_host {
            // What stays on the device has to fit by itself.
            let is_too_large = lacks.as_ref().is_some_and(|lacks| match kinds.as_slice() {
                [Kind::Moments] => lacks.temporaries > lacks.limit,
                [Kind::Activations] => lacks.arguments > lacks.limit,
                _ => false,
            });
            if is_too_large {
                continue;
            }
            best = self.faster_on_host(&best, &Offload::kinds(kinds)).unwrap_or(best);
        }
        best
    }

    /// What is faster than a plan with this on the host, in as many microbatches or the fewest before that fit: with the least
    /// made again, or where that does not fit, with what it takes.
    fn faster_on_host(&self, found: &Found, offload: &Offload) -> Option<Found> {
        let mut best: Option<Found> = None;
        for count in self.counts.iter().copied().filter(|count| *count <= found.count).rev() {
            let slower = best.as_ref().unwrap_or(found);
            let faster_than = Some(before_passes(&slower.attempt.compiled));
            let way = Way { count, recompute: self.least_recompute(), offload: Some(offload), faster_than };
            let tried = match self.in_tiles(&way) {
                // Fewer need more: what is far from fitting stays so.
                Err(error) if self.is_hopeless(&error, count) => break,
                Err(_) if !self.kept.is_empty() => self.in_count(count, Some(offload), faster_than),
                tried => tried.map(|attempt| Found { attempt, count, lacks: None }),
            };
            match tried {
                Ok(tried) if tried.attempt.seconds() < slower.attempt.seconds() => {
                    best = Some(Found { lacks: None, ..tried });
                }
                Err(CompileError::Interrupted) => break,
                Ok(_) | Err(_) => {}
            }
        }
        best
    }

    /// The plan, which has all on the host that may lie there, or what does with less in as many microbatches.
    pub(super) fn with_less_on_host(&self, found: Found) -> Found {
        let fewer = self.on_host.split_last().map_or(&[][..], |(_, fewer)| fewer);
        for kinds in fewer {
            let less = self.in_count(found.count, Some(&Offload::kinds(kinds)), None);
            if let Ok(less) = less
                && less.attempt.seconds() <= found.attempt.seconds()
            {
                return less;
            }
        }
        found
    }
}
