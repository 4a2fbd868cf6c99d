//! The rest of a search, while something that is no pipeline is looked for.
//!
//! Input: a search that found a good pipeline, and something else that may do the work. Output: what the rest of the search comes to.
//! Pipelines have to take less than the something else, which is seldom as fast as the good one: so the rest goes on as if it were
//! not, and begins again if it is. What is found does not depend on threads.

use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Diagnostic;
use meshwright_machine::Seconds;
use std::sync::atomic::{AtomicBool, Ordering};

use super::combinations::{Combination, Walk};
use super::{Among, PipelinePlan, PipelineSpace, Search, Weighed, WeighedFate, check, refused, schedules_of};
use crate::at_once;
use crate::error::CompileError;
use crate::held::Held;
use crate::options::Options;

/// Something that is no pipeline: told what the best pipeline so far takes, it says what pipelines have to take less than; none if
/// it does not do the work, or takes longer than is of interest.
pub(crate) type Other<'a> = &'a (dyn Fn(Option<Seconds>) -> Option<Seconds> + Sync);

/// The rest of a search with what it knows then.
type Rest<'a> = &'a dyn Fn(Search<'_>, Walk<'_>) -> Result<Among, CompileError>;

/// Control of a search beside something else, which may turn out to be in vain. While the other is looked for, that is what people
/// hear of; nobody looks at passes then.
struct Meanwhile<'a> {
    control: &'a dyn Control,
    is_alone: AtomicBool,
    is_in_vain: AtomicBool,
}

impl Control for Meanwhile<'_> {
    fn should_stop(&self) -> bool {
        self.is_in_vain.load(Ordering::SeqCst) || self.control.should_stop()
    }

    fn progress(&self, stage: &str, done: usize, total: usize) {
        if self.is_alone.load(Ordering::SeqCst) {
            self.control.progress(stage, done, total);
        }
    }

    fn warn(&self, warning: &Diagnostic) {
        self.control.warn(warning);
    }
}

impl Search<'_> {
    /// The rest of the search, which has to beat something else.
    pub(super) fn beside(
        self,
        walk: Walk<'_>,
        other: Other<'_>,
        rest: Rest<'_>,
    ) -> Result<Among, CompileError> {
        let control = self.control;
        let best = self.best_seconds();
        if best.is_some() && control.should_stop() {
            return rest(self, walk);
        }
        let told = |to_beat: Option<Seconds>| rest(Search { to_beat, ..self.clone() }, walk.clone());
        let Some(best) = best.filter(|_| at_once::is_possible(control)) else {
            return told(other(best));
        };
        let meanwhile = Meanwhile { control, is_alone: false.into(), is_in_vain: false.into() };
        // What takes longer than the best leaves as much as if there were nothing else.
        let is_slower = |seconds: Option<Seconds>| seconds.is_none_or(|seconds| seconds > best);
        let other = || {
            let seconds = other(Some(best));
            meanwhile.is_in_vain.store(!is_slower(seconds), Ordering::SeqCst);
            meanwhile.is_alone.store(true, Ordering::SeqCst);
            seconds
        };
        let held = Held::back(&meanwhile);
        let alone = || rest(Search { control: &held, ..self.clone() }, walk.clone());
        let (found, seconds) = at_once::both(alone, other);
        if is_slower(seconds) { held.taken(found) } else { told(seconds) }
    }

    /// The best of all, once it is known what something that is no pipeline takes: the rest of a walk, and what it comes to
    /// searched with the options of a `thorough` search.
    pub(super) fn of_the_rest(
        mut self,
        mut walk: Walk<'_>,
        open: &[Combination],
        thorough: &Options,
    ) -> Result<Among, CompileError> {
        let Self { control, short, .. } = self;
        self.walked(&mut walk, open, |_, _| false)?;
        let below = self.below();
        let mut weighed: Vec<Weighed> = walk.all(|open| self.unweighed(open, below));
        let is_beaten = self.to_beat.is_some() && self.best_seconds() >= self.to_beat;
        if is_beaten || (self.to_beat.is_some() && self.best.is_none()) {
            return Ok(Among::of(short, None, weighed, None));
        }
        let Some(best) = self.best.take() else {
            let is_lack = |own: &Weighed| matches!(own.fate, WeighedFate::DoesNotFit(_));
            let refusal = match weighed.iter().all(is_lack) {
                _ if control.should_stop() => return Err(CompileError::Interrupted),
                true => Some(refused::no_stages_fit(self.limit(), self.closest)),
                false if !self.allowed.is_empty() => Some(refused::cannot_be_cut_as_allowed(&self.allowed)),
                false => None,
            };
            return Ok(Among::of(short, None, weighed, refusal));
        };
        let pathless = std::mem::take(&mut self.pathless);
        let mut thorough = Search { options: thorough, best: None, to_beat: None, ..self };
        let (best, again) = thorough.thoroughly(best, open)?;
        let best = thorough.near(best, &weighed, open)?;
        let bound = thorough.least_bound((&best, again), &mut weighed, pathless, open);
        let schedules = schedules_of(thorough.space, short.parts_of);
        let space = PipelineSpace { schedules, ..thorough.space.clone() };
        let unfinished = control.should_stop();
        let plan = PipelinePlan { bound: Seconds(bound), weighed, unfinished, space: Some(space), ..best };
        let wrong = check::check(&plan, short.like.len(), thorough.limit());
        assert!(wrong.is_empty(), "the plan of a pipeline does not hold: {}", wrong.join("; "));
        let plan = thorough.at_its_way(plan, open);
        let all = plan.weighed.clone();
        Ok(Among::of(short, Some(plan), all, None))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::{Numbers, pipeline_plan_beside};
    use meshwright_ir::control::Quiet;
    use meshwright_ir::diagnostic::Source;
    use meshwright_machine::Machine;
    use rayon::ThreadPoolBuilder;

    /// What a search comes to on so many threads beside what takes a multiple of the best so far.
    fn found(threads: usize, times: Option<f64>) -> (Option<f64>, String) {
        let text = include_str!("../../../../../examples/gpt.mlir");
        let program = crate::read(&Source::new("gpt.mlir", text)).unwrap();
        let machine = Machine::from_spec("h100:2x2").unwrap();
        let space = PipelineSpace {
            groups: Numbers::Search,
            virtual_stages: Numbers::Search,
            microbatches: Numbers::Search,
            schedules: Vec::new(),
            makes_tables: false,
            is_short: true,
        };
        let options = Options::default();
        let other = |best: Option<Seconds>| Some(best? * times?);
        let search = || pipeline_plan_beside(&program, &machine, &options, &space, &Quiet, &other).unwrap();
        let Among { plan, weighed, .. } =
            ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(search);
        let figures = plan.as_ref().map(|plan| (plan.groups, plan.microbatches, plan.bound));
        (plan.map(|plan| plan.figures.step().0), format!("{figures:?} {weighed:?}"))
    }

    #[test]
    fn what_is_found_beside_something_else_does_not_depend_on_threads() {
        let alone = found(1, None);
        assert!(alone.0.is_some());
        for times in [2.0, 0.99, 0.1] {
            let [one, two] = [1, 2].map(|threads| found(threads, Some(times)));
            assert_eq!(one, two, "{times}");
            if times > 1.0 {
                assert_eq!(two, alone);
            }
        }
        assert_eq!(found(2, Some(0.1)).0, None);
    }
}
