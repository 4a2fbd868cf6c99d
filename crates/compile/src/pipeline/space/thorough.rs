//! What a look found, sharded thoroughly.
//!
//! Input: the best of all combinations that were looked over, and what each of them came to. Output: the best of those that are worth
//! the time.

use super::combinations::Combination;
use super::timed::Found;
use super::{FEW_DEVICES, PipelinePlan, Search, Weighed, WeighedFate};
use crate::error::CompileError;

/// Where memory is short a look leaves more: what takes at most so many times the best is sharded thoroughly, too.
const NEAR: f64 = 1.15;

/// Numbers of groups and microbatches that were sharded thoroughly, and the seconds that they take no less than.
pub(super) type Again = ((usize, usize), f64);

impl Search<'_> {
    /// The same numbers sharded thoroughly, if that is better; and these with the bound of that search, if it took place.
    pub(super) fn thoroughly(
        &mut self,
        best: PipelinePlan,
        open: &[Combination],
    ) -> Result<(PipelinePlan, Option<Again>), CompileError> {
        let is_own =
            |open: &&Combination| open.groups == best.groups && open.cut.microbatches == best.microbatches;
        let Some(own) = open.iter().find(is_own).filter(|_| !self.control.should_stop()) else {
            return Ok((best, None));
        };
        // All is weighed that few devices may do; of more, what takes less as a whole is what takes less in stages.
        let known = Some(best.chosen.sharded).filter(|_| !self.is_wide());
        let found = self.priced(own, None, known);
        match found {
            Ok(Some((Found::Pipeline(found), bound))) if found.figures.step().0 < best.figures.step().0 => {
                let numbers = (found.groups, found.microbatches);
                Ok((*found, (bound > 0.0).then_some((numbers, bound))))
            }
            Ok(_) | Err(CompileError::Interrupted) => Ok((best, None)),
            Err(error) => Err(error),
        }
    }

    /// The best where memory is short: others that a look found to take little more are sharded thoroughly, too; all of them if
    /// there are few devices, and else the next best one.
    pub(super) fn near(
        &mut self,
        mut best: PipelinePlan,
        weighed: &[Weighed],
        open: &[Combination],
    ) -> Result<PipelinePlan, CompileError> {
        let are_few = !self.space.is_short && self.machine.num_devices() <= FEW_DEVICES;
        let least = best.figures.step();
        let own = (best.groups, best.microbatches);
        let seconds = |near: &Weighed| match near.fate {
            WeighedFate::Priced(step, _) if (near.groups, near.microbatches) != own => Some(step.0),
            _ => None,
        };
        let is_near = |near: &&Weighed| seconds(near).is_some_and(|step| step <= NEAR * least.0);
        let mut all: Vec<&Weighed> = weighed.iter().filter(|_| self.lacks).filter(is_near).collect();
        if !are_few {
            let next = all
                .into_iter()
                .min_by(|a, b| seconds(a).unwrap_or(0.0).total_cmp(&seconds(b).unwrap_or(0.0)));
            all = next.into_iter().collect();
        }
        for near in all {
            let numbers = (near.groups, near.microbatches);
            let is_these = |open: &&Combination| (open.groups, open.cut.microbatches) == numbers;
            let step = best.figures.step();
            let Some(open) = open.iter().find(is_these).filter(|_| numbers != own && near.bound < step)
            else {
                continue;
            };
            if self.control.should_stop() {
                break;
            }
            match self.priced(open, Some(step.0), None) {
                Ok(Some((Found::Pipeline(found), _))) => best = *found,
                Ok(_) | Err(CompileError::Interrupted) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(best)
    }
}
