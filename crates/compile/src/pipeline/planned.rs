//! Stages of a pipeline that was planned without its programs, in the step itself.
//!
//! Input: a [`PipelinePlan`], whose stages are ranges of segments. Output: the step cut there, in which each stage makes
//! again what the plan says. What runs again is planned on a step with each kind of layer once or twice
//! ([`short`](super::space)): its instructions stand for those at the same position of each segment that is like theirs.

use meshwright_ir::ids::InstId;
use meshwright_ir::program::Program;
use meshwright_machine::Machine;
use meshwright_search::recompute::Named;
use meshwright_stage::{Staged, Step, at, places};
use std::collections::BTreeSet;

use super::cut::Cut;
use super::space::{Again, PipelinePlan, Short};
use super::{PipelineOptions, ScheduleChoice, refused};
use crate::error::CompileError;
use crate::options::Options;
use crate::recompute::Recompute;

/// Stages as a plan has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedStages {
    /// Segments of each stage: the first one, and the one behind the last.
    pub segments: Vec<(usize, usize)>,
    /// What runs again in the backward pass of each stage, in words.
    pub again: Vec<String>,
}

impl PipelineOptions {
    /// Those that lead to a pipeline that was planned.
    pub fn of_planned(plan: &PipelinePlan) -> Self {
        let stages = PlannedStages { segments: plan.segments.clone(), again: plan.again.clone() };
        Self {
            groups: plan.groups,
            virtual_stages: Some(plan.virtual_stages),
            microbatches: plan.microbatches,
            schedule: ScheduleChoice::Named(plan.schedule),
            stages: Some(stages),
        }
    }
}

impl PlannedStages {
    /// The step in microbatches, with what its stages make again.
    ///
    /// # Errors
    /// As of [`Cut::of`]. [`CompileError::Options`]: the segments are not those that were planned.
    pub(super) fn cut(
        &self,
        program: &Program,
        microbatches: usize,
        machine: &Machine,
        options: &Options,
    ) -> Result<Cut, CompileError> {
        if let Some(same) = self.same() {
            let options = Options { recompute: Some(Recompute::Named(same)), ..options.clone() };
            return Cut::of(program, microbatches, machine, &options);
        }
        let plain = Options { recompute: None, ..options.clone() };
        let cut = Cut::of(program, microbatches, machine, &plain)?;
        let insts = self.again(&cut, program, machine, options)?;
        Ok(cut.making_again(program, machine, insts))
    }

    /// What all stages make again, if it has a name.
    fn same(&self) -> Option<Named> {
        let first = without_gathering(self.again.first()?);
        let is_same = self.again.iter().all(|own| without_gathering(own) == first);
        [Named::None, Named::Selective, Named::Full]
            .into_iter()
            .find(|named| is_same && named.name() == first)
    }

    /// The instructions of the step before it was cut that its stages make again.
    fn again(
        &self,
        cut: &Cut,
        program: &Program,
        machine: &Machine,
        options: &Options,
    ) -> Result<BTreeSet<InstId>, CompileError> {
        let short = Short::of(program, options, machine)?;
        let own = in_segments(cut, &cut.step().map_err(|refusal| cut.refused(&refusal))?);
        let short_cut = Cut::of_written(program, short.written.clone(), 1, options)?;
        let of_short =
            in_segments(&short_cut, &short_cut.step().map_err(|refusal| short_cut.refused(&refusal))?);
        let mut insts = BTreeSet::new();
        for (range, words) in self.segments.iter().zip(&self.again) {
            let way = short.again.iter().find(|way| way.words == without_gathering(words));
            let Again { insts: again, .. } = way.ok_or_else(refused::other_segments)?;
            for segment in range.0..range.1 {
                let (Some(own), Some(like)) =
                    (own.get(segment), short.like.get(segment).and_then(|like| of_short.get(*like)))
                else {
                    return Err(refused::other_segments());
                };
                if own.len() != like.len() {
                    return Err(refused::other_segments());
                }
                let twins = own.iter().zip(like).filter(|(_, like)| again.contains(like));
                insts.extend(twins.map(|(own, _)| *own));
            }
        }
        Ok(insts)
    }

    /// The step in these stages; none if it has other segments in full than it was planned with.
    pub(super) fn staged(&self, step: &Step<'_>) -> Option<Staged> {
        let places = places::open(step);
        let is_same = self.segments.last().is_some_and(|last| last.1 == places.len() + 1);
        is_same.then(|| at(step, self.segments.iter().skip(1).map(|(first, _)| places[first - 1]).collect()))
    }
}

/// The words without what is left to the programs: whether copies are handed over.
fn without_gathering(words: &str) -> &str {
    words.split(", gathers again").next().unwrap_or(words)
}

/// Instructions of the forward pass of each segment, in order, as they were before the step was cut.
fn in_segments(cut: &Cut, step: &Step<'_>) -> Vec<Vec<InstId>> {
    let places = places::open(step);
    let mut segments = vec![Vec::new(); places.len() + 1];
    for (inst, place) in super::cut::forward(step) {
        let Some((_, origin)) = cut.microbatched.made.trace.insts[inst] else { continue };
        segments[places.partition_point(|start| *start <= place)].push(origin);
    }
    segments
}
