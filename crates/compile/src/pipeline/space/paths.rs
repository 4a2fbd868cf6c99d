//! Bounds by the path of a microbatch through all stages and back.
//!
//! Input: combinations that were priced. Output: their bounds. A path takes a search of its own, which takes longer than all
//! tables of a combination do, and leaves hardly one of these: so it is looked at only where the bound of all pipelines is that of
//! a combination whose path was not looked at, and may rise by it.

use meshwright_machine::{Bytes, Seconds};

use super::combinations::Combination;
use super::segments::Group;
use super::{PipelinePlan, Search, Weighed};
use crate::error::CompileError;
use crate::options::{Effort, Options};
use crate::pipeline::refused;

/// A combination that was priced, and whose path was not looked at.
#[derive(Clone, Copy)]
pub(super) struct Pathless {
    pub(super) groups: usize,
    pub(super) microbatches: usize,
    /// Memory within which it was sharded.
    pub(super) memory: Bytes,
    /// How thoroughly.
    pub(super) effort: Effort,
    /// The most that its bound by the path may be.
    pub(super) most: f64,
}

impl Search<'_> {
    /// Seconds that a combination takes at least by the path of a microbatch; what is at least `enough` may be less than that.
    pub(super) fn bound_by_path(
        &self,
        group: &Group<'_>,
        open: &Combination,
        memory: Bytes,
        enough: Option<f64>,
    ) -> Result<f64, CompileError> {
        let enough = enough.map(|enough| enough / open.by_path);
        Ok(open.bound_of_path(group.path(&open.cut, memory, enough, self.control)?))
    }

    /// The seconds that no pipeline takes less than: those of the best one, or the least bound of a combination, or of the best one
    /// as it was sharded `again`. Of what has the least bound the path is looked at, if it was not, until it still has.
    pub(super) fn least_bound(
        &mut self,
        (best, mut again): (&PipelinePlan, Option<f64>),
        weighed: &mut [Weighed],
        mut looked_over: Vec<Pathless>,
        open: &[Combination],
    ) -> f64 {
        let step = best.figures.step().0;
        let mut thorough = std::mem::take(&mut self.pathless);
        loop {
            let of_weighed = weighed.iter().enumerate().map(|(at, own)| (own.bound.0, Some(at)));
            let all = of_weighed.chain(again.map(|bound| (bound, None)));
            let Some((least, at)) = all.min_by(|one, other| one.0.total_cmp(&other.0)) else { return step };
            if least >= step || self.control.should_stop() {
                return least.min(step);
            }
            let (pathless, numbers) = match at {
                Some(at) => (&mut looked_over, (weighed[at].groups, weighed[at].microbatches)),
                None => (&mut thorough, (best.groups, best.microbatches)),
            };
            let is_own = |own: &Pathless| (own.groups, own.microbatches) == numbers;
            let Some(own) = pathless.iter().position(is_own).map(|own| pathless.swap_remove(own)) else {
                return least;
            };
            let is_these = |open: &&Combination| (open.groups, open.cut.microbatches) == numbers;
            let Some(open) = open.iter().find(is_these) else { continue };
            if own.most <= least {
                return least;
            }
            // Without it the bound holds as well.
            let by_path = self.path_of(open, own, step).unwrap_or(least).max(least);
            match at {
                Some(at) => weighed[at].bound = Seconds(by_path),
                None => again = Some(by_path),
            }
        }
    }

    /// What a combination takes at least by the path that was left out; what is at least `enough` may be less than that.
    fn path_of(&self, open: &Combination, own: Pathless, enough: f64) -> Result<f64, CompileError> {
        let Self { program, machine, short, .. } = *self;
        let part = refused::part(machine, open.groups)?;
        let options = &Options { effort: own.effort, ..self.options.clone() };
        let group = Group { program, short, machine, part: &part, options, reshards: &self.reshards };
        self.bound_by_path(&group, open, own.memory, Some(enough))
    }
}
