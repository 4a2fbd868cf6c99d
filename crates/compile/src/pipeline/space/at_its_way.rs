//! A pipeline that was found, priced with what its stages make again and nothing else to choose from.
//!
//! Input: the best pipeline of a search, in which ways to keep less are weighed as what they add to stages that keep all. Output:
//! the same numbers with its way alone, where all stages have the same one and that takes less: forward passes write nothing then
//! that is made again ([`ShortCut::parts`](super::segments::ShortCut::parts)). So may its bound be less than what was known of its
//! numbers, which is one of stages that keep all.

use meshwright_machine::Seconds;
use std::sync::Arc;

use super::combinations::Combination;
use super::short::Short;
use super::timed::Found;
use super::{PipelinePlan, Search, WeighedFate};

impl Search<'_> {
    /// The pipeline with the way of its stages alone, if they have one and it is faster so; otherwise as it is.
    pub(super) fn at_its_way(self, plan: PipelinePlan, open: &[Combination]) -> PipelinePlan {
        let short = &plan.chosen.short;
        let number = short.again.len();
        let mut ways = plan.chosen.ways.iter().map(|way| way % number);
        let first = ways.next().filter(|first| number > 1 && !short.again[*first].insts.is_empty());
        let Some(way) = first.filter(|first| ways.all(|own| own == *first)) else { return plan };
        let is_own =
            |open: &&Combination| open.groups == plan.groups && open.cut.microbatches == plan.microbatches;
        let Some(own) = open.iter().find(is_own).filter(|_| !self.control.should_stop()) else { return plan };
        let only = Arc::new(Short { again: vec![short.again[way].clone()], ..Short::clone(short) });
        let mut search = Search { short: &only, best: None, to_beat: None, ..self };
        let step = plan.figures.step();
        match search.priced(own, None, None) {
            Ok(Some((Found::Pipeline(found), bound))) if found.figures.step() < step => {
                let step = found.figures.step();
                let bound = if bound > 0.0 { step.min(Seconds(bound)) } else { step };
                let mut weighed = plan.weighed;
                let numbers = (plan.groups, plan.microbatches);
                for own in weighed.iter_mut().filter(|own| (own.groups, own.microbatches) == numbers) {
                    own.bound = own.bound.min(bound);
                    own.fate = WeighedFate::Priced(step, Some(found.schedule_name()));
                }
                PipelinePlan {
                    bound: plan.bound.min(bound),
                    weighed,
                    unfinished: plan.unfinished,
                    space: plan.space,
                    left_out: plan.left_out,
                    ..*found
                }
            }
            // Without it the pipeline is what it was.
            _ => plan,
        }
    }
}
