//! Bounds that take a search of their own: by what the devices of a group do, and by the path of a microbatch through all stages
//! and back.
//!
//! Input: combinations that were weighed. Output: their bounds, and the least of all. A walk shards few of them; of others it is
//! known what they take if work is shared evenly and nothing is sent. Those that set the bound of all pipelines are bounded by
//! the problem of sharding them, without a plan. That bound holds for multiples of their microbatches, too: whatever shards
//! more of them shards these, and an instruction of twice the size takes at most twice as long. A path takes a search of its
//! own, which takes longer than all tables of a combination do, and leaves hardly one of these: so it is looked at only where
//! the bound of all pipelines is that of a combination whose path was not looked at, and may rise by it.

use meshwright_machine::{Bytes, Machine, Seconds};
use std::collections::BTreeSet;

use super::combinations::Combination;
use super::segments::{Group, ShortCut};
use super::thorough::Again;
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

/// Combinations that were not sharded are bounded as if they were, so many on so many devices, which have few meshes; on more
/// devices fewer.
const MOST_BOUNDED: usize = 16;
const ON_DEVICES: usize = 1024;
const LEAST_BOUNDED: usize = 3;

/// Bounds that are hardly more than the least have to rise with it.
const CLOSE: f64 = 1.05;

/// The numbers to bound where a combination has the least bound: what its groups take for all examples at once bounds it in any
/// number of microbatches, since several of them may do at once what they do one after the other. Where that is known, of the
/// combinations with the same groups, in divisors of its microbatches, the one with the fewest whose bound has to rise too.
fn root(
    (groups, microbatches): (usize, usize),
    least: f64,
    weighed: &[Weighed],
    is_bounded: &BTreeSet<(usize, usize)>,
) -> (usize, usize) {
    if !is_bounded.contains(&(groups, 1)) {
        return (groups, 1);
    }
    let is_root = |own: &&Weighed| {
        own.groups == groups
            && microbatches.is_multiple_of(own.microbatches)
            && own.bound.0 <= CLOSE * least
            && !is_bounded.contains(&(groups, own.microbatches))
    };
    let fewest = weighed.iter().filter(is_root).map(|own| own.microbatches).min();
    (groups, fewest.unwrap_or(microbatches))
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

    /// The seconds that no pipeline takes less than: those of the best one, or the least bound of a combination, or of one
    /// as it was sharded `again`, with its numbers. What has the least bound and was not sharded is bounded as it would be, as many as are worth
    /// the time; then its path is looked at, if it was not, until it still has the least.
    pub(super) fn least_bound(
        &mut self,
        (best, mut again): (&PipelinePlan, Option<Again>),
        weighed: &mut [Weighed],
        mut looked_over: Vec<Pathless>,
        open: &[Combination],
    ) -> f64 {
        let step = best.figures.step().0;
        let mut thorough = std::mem::take(&mut self.pathless);
        let mut left =
            (MOST_BOUNDED * ON_DEVICES / self.machine.num_devices().max(ON_DEVICES)).max(LEAST_BOUNDED);
        let mut is_bounded: BTreeSet<(usize, usize)> =
            looked_over.iter().map(|own| (own.groups, own.microbatches)).collect();
        is_bounded.extend(self.whole.iter().map(|(groups, microbatches, _)| (*groups, *microbatches)));
        loop {
            let of_weighed = weighed.iter().enumerate().map(|(at, own)| (own.bound.0, Some(at)));
            let all = of_weighed.chain(again.map(|(_, bound)| (bound, None)));
            let Some((least, at)) = all.min_by(|one, other| one.0.total_cmp(&other.0)) else { return step };
            if least >= step || self.control.should_stop() {
                return least.min(step);
            }
            let (pathless, numbers) = match at {
                Some(at) => (&mut looked_over, (weighed[at].groups, weighed[at].microbatches)),
                None => (&mut thorough, again.map_or((best.groups, best.microbatches), |(own, _)| own)),
            };
            let is_these = |open: &&Combination, numbers| (open.groups, open.cut.microbatches) == numbers;
            if at.is_some() && left > 0 && !is_bounded.contains(&numbers) {
                let numbers = root(numbers, least, weighed, &is_bounded);
                is_bounded.insert(numbers);
                left -= 1;
                self.bound_sharded(numbers, step, weighed, open);
                continue;
            }
            let is_own = |own: &Pathless| (own.groups, own.microbatches) == numbers;
            let Some(own) = pathless.iter().position(is_own).map(|own| pathless.swap_remove(own)) else {
                return least;
            };
            let Some(open) = open.iter().find(|open| is_these(open, numbers)) else { continue };
            if own.most <= least {
                return least;
            }
            // Without it the bound holds as well.
            let by_path = self.path_of(open, own, step).unwrap_or(least).max(least);
            match at {
                Some(at) => weighed[at].bound = Seconds(by_path),
                None => again = Some((numbers, by_path)),
            }
        }
    }

    /// How thoroughly a look shards microbatches over the part of the machine that a group has: no axis may divide the few examples
    /// that there are.
    pub(super) fn look(&self, microbatches: usize, part: &Machine) -> Effort {
        let levels = part.levels().iter().map(|level| level.size);
        Effort::look(levels, self.short.batch / microbatches)
    }

    /// Bounds what so many groups take in multiples of so many microbatches by the problem of sharding the step in these over a
    /// group. What is at least `enough` may be less than that.
    fn bound_sharded(
        &mut self,
        (groups, microbatches): (usize, usize),
        enough: f64,
        weighed: &mut [Weighed],
        open: &[Combination],
    ) {
        let Self { program, machine, short, .. } = *self;
        let Ok(part) = refused::part(machine, groups) else { return };
        let of = |numbers: (usize, usize)| {
            open.iter().find(|open| (open.groups, open.cut.microbatches) == numbers)
        };
        let made = match of((groups, microbatches)) {
            Some(_) => None,
            None => ShortCut::of(program, short, microbatches, self.options).ok(),
        };
        let cut = of((groups, microbatches)).map(|open| &*open.cut).or(made.as_ref());
        let Some(cut) = cut else { return };
        let options = &Options { effort: self.look(microbatches, &part), ..self.options.clone() };
        let group = Group { program, short, machine, part: &part, options, reshards: &self.reshards };
        // Without it the bound that is there holds as well.
        let enough = Seconds(enough * groups as f64);
        let Ok(whole) = group.whole(cut, enough, self.control) else { return };
        self.whole.push((groups, microbatches, whole));
        let is_multiple =
            |own: &&mut Weighed| own.groups == groups && own.microbatches.is_multiple_of(microbatches);
        for own in weighed.iter_mut().filter(is_multiple) {
            if let Some(open) = of((groups, own.microbatches)) {
                own.bound = own.bound.max(Seconds(open.bound_of(whole)));
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
