//! The best plan of a program: one program for all devices, or a pipeline.
//!
//! Input: as of [`crate::compile()`], and the numbers of pipelines to choose from, if somebody says them. Output: [`Best`], a
//! pipeline where that takes less than one program for all devices, which is what one group comes to.
//! Pipelines of usual numbers are looked at first; of one program only what is faster is of interest then, and of other
//! pipelines only what is faster still.

use meshwright_ir::control::{Control, ToTheEnd};
use meshwright_ir::diagnostic::{Diagnostic, Severity, Source};
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine, Seconds};
use std::collections::BTreeMap;

use crate::driver::{Compiled, compile};
use crate::error::CompileError;
use crate::held::Held;
use crate::mesh::own_mesh;
use crate::microbatch_size;
use crate::options::{Effort, Microbatches, Options, Statistics};
use crate::pipeline::{
    FEW_DEVICES, Numbers, PartsOf, PipelineOptions, PipelinePlan, PipelineSpace, Pipelined, ScheduleChoice,
    Weighed, WeighedFate, no_numbers, pipeline, pipeline_plan, pipeline_plan_beside, pipeline_that_fits,
    why_so_many,
};
use crate::recompute::Recompute;

/// What plans say that they have not searched where nobody has looked at stages.
const STAGES: &str = "pipeline stages";

/// What takes more than so many times as long as what is known is not searched further.
const NEARLY: f64 = 1.05;

/// Pipelines that are made in place of one that takes longer than it was planned to, at most.
const OTHERS: usize = 2;

/// The stage in which what a search found is made: whoever hears of it by [`Control::progress`] is not asked again whether to stop
/// with the best so far.
pub const MAKING: &str = "programs";

/// The best plan of a program, compiled.
#[derive(Clone, Debug)]
pub enum Best {
    /// One program for all devices, and what it was weighed against where the numbers of pipelines are asked for, itself
    /// included.
    Whole(Box<Compiled>, Vec<Weighed>),
    /// Programs of stages, and the search that chose their numbers; none where the whole step has a better table with them.
    Stages(Box<Pipelined>, Option<Box<PipelinePlan>>),
}

/// Compiles a verified program with stages where these are faster, for training steps on machines of several levels of which
/// nothing says how they are sharded, or what only one program for all devices has; as [`compile`] otherwise.
///
/// # Errors
/// As of [`compile`]; where constraints ask for stages, as of [`crate::pipeline_plan`].
pub fn best(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
) -> Result<Best, CompileError> {
    let contest = Contest { program, source, machine, options, control, is_asked: false };
    // Constraints that leave nothing without stages ask for them.
    let is_open = machine.levels().len() >= 2 && own_mesh(program).is_none();
    if says_more(options) || (!is_open && options.allowed.leave_one_group()) {
        return contest.whole().map(Best::alone);
    }
    let microbatches = match options.microbatches {
        Some(Microbatches::Number(number)) => Numbers::These(vec![number]),
        Some(Microbatches::Search) | None => Numbers::Search,
    };
    contest.of(&PipelineSpace {
        groups: Numbers::Several,
        virtual_stages: Numbers::Search,
        microbatches,
        schedules: Vec::new(),
        makes_tables: false,
        is_short: true,
    })
}

/// Compiles a verified program as the best pipeline of the numbers that there are to choose from or, where one group is among
/// them, as one program for all devices if that takes no longer. With what only a pipeline has, one group is one, too.
///
/// # Errors
/// As of [`crate::pipeline_plan`]; of [`compile`] where there is only one group to choose from.
pub fn best_of_numbers(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    space: &PipelineSpace,
    control: &dyn Control,
) -> Result<Best, CompileError> {
    if let Some(size) = options.microbatch_size {
        return best_of_sizes(size, (program, source, machine, options), space, control);
    }
    let best = best_of_names(program, source, machine, options, space, control)?;
    match space.makes_tables {
        true => best.or_with_tables((program, machine, options), space, control),
        false => Ok(best),
    }
}

/// The same with the tables that are tried for each combination.
fn best_of_names(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    space: &PipelineSpace,
    control: &dyn Control,
) -> Result<Best, CompileError> {
    let contest = Contest { program, source, machine, options, control, is_asked: true };
    let is_one_open = space.has_one_group() && options.allowed.leave_one_group() && !options.says_groups();
    match space.of_several_groups().filter(|_| is_one_open) {
        Some(several) => contest.of(&several),
        None if is_one_open => contest.whole().map(Best::alone),
        None => {
            let plan = pipeline_plan(program, machine, options, space, control)?;
            let mut plan = plan.ok_or_else(no_numbers)?;
            if !control.should_stop() {
                control.progress(MAKING, 0, 0);
            }
            let mut made = made_at_best((program, machine, options), space, &mut plan, control)?;
            let limit = options.memory_limit_on(machine);
            let why = why_so_many(plan.groups, plan.figures.step(), &plan.weighed, limit);
            made.plan.reasons.extend(why);
            Ok(Best::Stages(Box::new(made), Some(Box::new(plan))))
        }
    }
}

/// The same with microbatches of `size` examples on each replica: the best of all numbers of microbatches, each with the
/// replicas that it takes.
fn best_of_sizes(
    size: usize,
    (program, source, machine, options): (&Program, &Source, &Machine, &Options),
    space: &PipelineSpace,
    control: &dyn Control,
) -> Result<Best, CompileError> {
    let choose = |possible: &[usize]| space.microbatches.of(possible);
    let (mut best, mut refusal): (Option<Best>, _) = (None, None);
    let mut weighed = Vec::new();
    let limit = options.memory_limit_on(machine);
    for (count, own) in microbatch_size::in_groups(size, program, machine, options, choose)? {
        let space = PipelineSpace { microbatches: Numbers::These(vec![count]), ..space.clone() };
        let held = Held::back(control);
        match best_of_numbers(program, source, machine, &own, &space, &held) {
            Ok(Best::Stages(made, _)) if made.misfit(limit).is_some() => {
                let problem = made.misfit(limit).map(|problem| CompileError::NotAllowed(Box::new(problem)));
                refusal = refusal.or(problem);
            }
            Ok(found) => {
                weighed.extend_from_slice(found.weighed());
                if best.as_ref().is_none_or(|best| found.seconds() < best.seconds()) {
                    best = Some(held.taken(found));
                }
            }
            Err(CompileError::Interrupted) => return Err(CompileError::Interrupted),
            Err(error) => refusal = refusal.or(Some(error)),
        }
    }
    match (best, refusal) {
        (Some(best), _) => Ok(best.among(weighed)),
        (None, refusal) => Err(refusal.unwrap_or_else(no_numbers)),
    }
}

/// What pipelines and one program for all devices are weighed for.
struct Contest<'a> {
    program: &'a Program,
    source: &'a Source,
    machine: &'a Machine,
    options: &'a Options,
    control: &'a dyn Control,
    /// Whether somebody asks for numbers of stages.
    is_asked: bool,
}

impl Contest<'_> {
    /// One program for all devices.
    fn whole(&self) -> Result<Compiled, CompileError> {
        compile(self.program, self.source, self.machine, self.options, self.control)
    }

    /// One program for all devices, if it takes less than is known; what it warns of is kept back.
    fn faster(&self, than: Option<Seconds>, held: &Held<'_>) -> Result<Compiled, CompileError> {
        let Self { program, source, machine, options, .. } = *self;
        // Passes over the local program may make it a little faster yet.
        let nearly = than.map(|seconds| seconds * NEARLY);
        match self.is_asked && machine.num_devices() <= FEW_DEVICES {
            // A look leaves too much where all is weighed.
            true => {
                compile(program, source, machine, &Options { faster_than: nearly, ..options.clone() }, held)
            }
            false => compile_if_faster(program, source, machine, options, than, held),
        }
    }

    /// The best of several groups and of one program.
    fn of(&self, space: &PipelineSpace) -> Result<Best, CompileError> {
        let Self { program, machine, options, control, .. } = *self;
        // What nobody takes may not warn anybody.
        let (held, of_stages) = (Held::back(control), Held::back(control));
        let mut whole: Option<Tried> = None;
        let mut other = |than: Option<Seconds>| {
            let (_, made) = whole.insert((than, self.faster(than, &held)));
            made.as_ref().ok().map(seconds_of)
        };
        let found = match pipeline_plan_beside(program, machine, options, space, &of_stages, &mut other) {
            Ok(found) => found,
            Err(reason) => return self.without(reason, whole, &held),
        };
        let of_whole = whole.as_ref().map(|(than, made)| self.row(made, *than));
        let weighed: Vec<Weighed> = of_whole.iter().chain(&found.weighed).cloned().collect();
        let limit = options.memory_limit_on(machine);
        let beside = |compiled: Compiled| match self.is_asked {
            true => Best::beside(compiled, weighed.clone(), found.left_out.clone(), limit),
            false => Best::beside(compiled, Vec::new(), None, limit),
        };
        let Some(mut plan) = found.plan else {
            return match (found.refusal, whole) {
                (_, Some((_, Ok(compiled)))) => Ok(held.taken(beside(compiled))),
                (Some(reason), whole) => self.without(reason, whole, &held),
                (None, Some((_, Err(error)))) => Err(error),
                (None, None) => self.faster(None, &held).map(|compiled| held.taken(beside(compiled))),
            };
        };
        if let Some(own) = of_whole.filter(|_| self.is_asked) {
            plan.bound = Seconds(plan.bound.0.min(own.bound.0));
            plan.weighed.clone_from(&weighed);
        }
        let promised = plan.figures.step();
        let of_made = Held::back(control);
        // It is short beside what led to it.
        if !control.should_stop() {
            control.progress(MAKING, 0, 0);
        }
        let made = made_at_best((program, machine, options), space, &mut plan, &ToTheEnd(&of_made));
        match made {
            Err(CompileError::Interrupted) => Err(CompileError::Interrupted),
            Ok(mut made) if made.misfit(limit).is_none() => {
                // Where its programs did not fit, another one has taken its place, which may take longer than the whole program;
                // so may one that was cut at other places than it was planned with.
                let taken = made.figures.step();
                if plan.figures.step() > promised || taken > promised * NEARLY {
                    let own = Held::back(control);
                    let whole = self.faster(Some(taken), &own);
                    if let Some(whole) = whole.ok().filter(|whole| seconds_of(whole) <= taken) {
                        return Ok(own.taken(beside(whole)));
                    }
                }
                if self.is_asked {
                    of_stages.taken(());
                }
                made.plan.reasons.extend(why_so_many(plan.groups, plan.figures.step(), &weighed, limit));
                Ok(of_made.taken(Best::Stages(Box::new(made), Some(Box::new(plan)))))
            }
            // Its programs may need more than was predicted of them.
            made => match (self.whole(), made) {
                (Ok(compiled), _) => Ok(Best::alone(compiled)),
                (Err(_), Ok(made)) if self.is_asked => Ok(Best::Stages(Box::new(made), Some(Box::new(plan)))),
                (Err(error), _) => Err(error),
            },
        }
    }

    /// One program for all devices where there is no pipeline for a reason; `whole` is what was compiled to take less than
    /// is known, if it was.
    fn without(
        &self,
        reason: CompileError,
        whole: Option<Tried>,
        held: &Held<'_>,
    ) -> Result<Best, CompileError> {
        if !self.options.allowed.leave_one_group() {
            return Err(reason);
        }
        let whole = match whole {
            Some((None, made)) => made.map(|compiled| held.taken(compiled)),
            _ => self.whole(),
        };
        match whole {
            Ok(compiled) => {
                // Why it cannot be cut is nobody's concern who did not ask for stages.
                if self.is_asked {
                    warnings(&reason).iter().for_each(|warning| self.control.warn(warning));
                }
                Ok(Best::alone(compiled))
            }
            Err(_) if self.is_asked => Err(reason),
            Err(error) => Err(error),
        }
    }

    /// One program for all devices as one of the numbers that were weighed.
    fn row(&self, made: &Result<Compiled, CompileError>, than: Option<Seconds>) -> Weighed {
        let asked = match self.options.microbatches {
            Some(Microbatches::Number(number)) => number,
            Some(Microbatches::Search) | None => 1,
        };
        let (microbatches, bound, fate) = match made {
            Ok(Compiled { plan, .. }) => {
                let seconds = plan.predicted.total_seconds;
                let count = plan.microbatches.as_ref().map_or(asked, |planned| planned.count);
                let bound = plan.bound_seconds.map_or(0.0, |bound| bound.min(seconds));
                (count, bound, WeighedFate::Priced(Seconds(seconds), None))
            }
            Err(CompileError::NotFaster(found)) => {
                let bound = found.bound.or(than.map(|than| than.0)).unwrap_or(0.0);
                (asked, bound, WeighedFate::Beaten)
            }
            Err(CompileError::DoesNotFit(found)) => {
                (asked, f64::INFINITY, WeighedFate::DoesNotFit(Some(found.peak)))
            }
            Err(_) => (asked, f64::INFINITY, WeighedFate::Impossible),
        };
        Weighed { groups: 1, microbatches, parts_of: PartsOf::Batch, bound: Seconds(bound), fate }
    }
}

/// Makes a pipeline that was chosen from a space. Where it takes longer than it was planned to, a few others of those that were
/// weighed and were planned to take less than that are made too, and the fastest that fits is put in its place.
fn made_at_best(
    (program, machine, options): (&Program, &Machine, &Options),
    space: &PipelineSpace,
    plan: &mut PipelinePlan,
    control: &dyn Control,
) -> Result<Pipelined, CompileError> {
    let promised = plan.figures.step();
    let mut held = Held::back(control);
    let mut best = pipeline_that_fits(program, machine, options, plan, &held)?;
    let limit = options.memory_limit_on(machine);
    // Who has asked to stop does not wait for others.
    let is_as_planned = best.figures.step() <= promised * NEARLY;
    if plan.unfinished || is_as_planned || best.misfit(limit).is_some() {
        return Ok(held.taken(best));
    }
    let own = (plan.groups, plan.microbatches);
    for (groups, microbatches) in others(&plan.weighed, own, best.figures.step()) {
        let of_other = Held::back(control);
        let [groups, microbatches] = [groups, microbatches].map(|number| Numbers::These(vec![number]));
        let space = PipelineSpace { groups, microbatches, ..space.clone() };
        let Ok(Some(mut other)) = pipeline_plan(program, machine, options, &space, &of_other) else {
            continue;
        };
        let Ok(made) = pipeline_that_fits(program, machine, options, &mut other, &of_other) else { continue };
        if made.misfit(limit).is_none() && made.figures.step() < best.figures.step() {
            (other.bound, other.weighed) = (plan.bound, std::mem::take(&mut plan.weighed));
            *plan = other;
            (best, held) = (made, of_other);
        }
    }
    Ok(held.taken(best))
}

/// Groups and microbatches of the pipelines, other than `own`, that were planned to take less than so long: the fastest.
fn others(weighed: &[Weighed], own: (usize, usize), than: Seconds) -> Vec<(usize, usize)> {
    let planned = |weighed: &Weighed| match weighed.fate {
        WeighedFate::Priced(seconds, _) if weighed.groups > 1 && weighed.parts_of == PartsOf::Batch => {
            Some((seconds.0, weighed.groups, weighed.microbatches))
        }
        _ => None,
    };
    let is_open = |(seconds, groups, microbatches): &(f64, usize, usize)| {
        *seconds < than.0 && (*groups, *microbatches) != own
    };
    let mut open: Vec<(f64, usize, usize)> = weighed.iter().filter_map(planned).filter(is_open).collect();
    open.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)).then(one.2.cmp(&other.2)));
    open.into_iter().take(OTHERS).map(|(_, groups, microbatches)| (groups, microbatches)).collect()
}

/// Groups and microbatches for which one table of the whole step is searched, if what was weighed for them may take less than `best`.
fn numbers_of_tables(weighed: &[Weighed], space: &PipelineSpace, best: Seconds) -> Vec<(usize, usize)> {
    let is_virtual_open = match &space.virtual_stages {
        Numbers::These(counts) => counts.contains(&1) && counts.contains(&2),
        Numbers::Search | Numbers::Several => true,
    };
    let step = |own: &Weighed| match own.fate {
        WeighedFate::Priced(seconds, _) => Some(seconds.0),
        _ => space.microbatches.only().map(|_| f64::INFINITY),
    };
    let is_open = |own: &&Weighed| own.groups > 1 && own.parts_of == PartsOf::Batch && own.bound < best;
    let mut of_groups: BTreeMap<usize, (f64, usize)> = BTreeMap::new();
    for own in weighed.iter().filter(is_open).filter(|_| is_virtual_open) {
        let Some(step) = step(own) else { continue };
        let known = of_groups.entry(own.groups).or_insert((step, own.microbatches));
        if step < known.0 {
            *known = (step, own.microbatches);
        }
    }
    let mut numbers: Vec<(f64, usize, usize)> =
        of_groups.into_iter().map(|(groups, (step, microbatches))| (step, groups, microbatches)).collect();
    numbers.sort_by(|one, other| one.0.total_cmp(&other.0));
    if !matches!(space.groups, Numbers::These(_)) {
        numbers.truncate(1);
    }
    numbers.into_iter().map(|(_, groups, microbatches)| (groups, microbatches)).collect()
}

/// What became of a program that was to take less than is known, if something was.
type Tried = (Option<Seconds>, Result<Compiled, CompileError>);

/// Why there are no stages, as warnings.
fn warnings(reason: &CompileError) -> Vec<Diagnostic> {
    let errors = match reason {
        CompileError::Diagnostics(all) => all.clone(),
        CompileError::Options(one) | CompileError::NotAllowed(one) => vec![Diagnostic::clone(one)],
        _ => Vec::new(),
    };
    errors.into_iter().map(|error| Diagnostic { severity: Severity::Warning, ..error }).collect()
}

impl Best {
    /// What a step takes.
    fn seconds(&self) -> Seconds {
        match self {
            Self::Whole(compiled, _) => seconds_of(compiled),
            Self::Stages(pipelined, _) => pipelined.figures.step(),
        }
    }

    /// What it was weighed against.
    fn weighed(&self) -> &[Weighed] {
        match self {
            Self::Whole(_, weighed) => weighed,
            Self::Stages(_, plan) => plan.as_ref().map_or(&[], |plan| &plan.weighed),
        }
    }

    /// The same, or what is faster of one table for the whole step with as many groups, which are cut at more places: of each
    /// number that was asked for, or of the best where all were.
    fn or_with_tables(
        self,
        (program, machine, options): (&Program, &Machine, &Options),
        space: &PipelineSpace,
        control: &dyn Control,
    ) -> Result<Self, CompileError> {
        let weighed = self.weighed().to_vec();
        let limit = options.memory_limit_on(machine);
        let mut best = self;
        for (groups, microbatches) in numbers_of_tables(&weighed, space, best.seconds()) {
            let schedule = ScheduleChoice::Search;
            let wanted = PipelineOptions { groups, virtual_stages: None, microbatches, schedule };
            let held = Held::back(control);
            match pipeline(program, machine, options, &wanted, &held) {
                Ok(mut made) if made.misfit(limit).is_none() && made.figures.step() < best.seconds() => {
                    made.plan.reasons.extend(why_so_many(groups, made.figures.step(), &weighed, limit));
                    best = held.taken(Self::Stages(Box::new(made), None));
                }
                Err(CompileError::Interrupted) => break,
                _ => {}
            }
        }
        Ok(best)
    }

    /// The same, weighed against all of these.
    fn among(mut self, all: Vec<Weighed>) -> Self {
        match &mut self {
            Self::Whole(_, weighed) => *weighed = all,
            Self::Stages(_, None) => {}
            Self::Stages(_, Some(plan)) => {
                plan.bound = Seconds(all.iter().map(|own| own.bound.0).fold(plan.bound.0, f64::min));
                plan.weighed = all;
            }
        }
        self
    }

    /// One program for all devices, where no stages were looked at.
    fn alone(compiled: Compiled) -> Self {
        Self::Whole(Box::new(compiled), Vec::new())
    }

    /// One program for all devices of so much memory, beside which stages were looked at, but for some.
    fn beside(mut compiled: Compiled, weighed: Vec<Weighed>, left_out: Option<String>, limit: Bytes) -> Self {
        let why = why_so_many(1, seconds_of(&compiled), &weighed, limit);
        compiled.plan.reasons.splice(0..0, why);
        compiled.plan.not_searched.retain(|what| what != STAGES);
        compiled.plan.not_searched.extend(left_out);
        Self::Whole(Box::new(compiled), weighed)
    }
}

/// Compiles where only plans are of interest that take less, if a time is given: these are looked over first, and searched
/// where one is nearly as fast.
///
/// # Errors
/// As of [`compile`].
pub fn compile_if_faster(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    faster_than: Option<Seconds>,
    control: &dyn Control,
) -> Result<Compiled, CompileError> {
    let compile = |effort: Effort, faster_than: Option<Seconds>, control: &dyn Control| {
        let options = Options { faster_than, effort, ..options.clone() };
        compile(program, source, machine, &options, control)
    };
    if let Some(seconds) = faster_than {
        let held = Held::back(control);
        let looked_over = compile(Effort::Look, Some(seconds * NEARLY), &held)?;
        let is_slower = looked_over.plan.predicted.total_seconds > seconds.0 * NEARLY;
        if is_slower || looked_over.is_in_other_ways {
            return Ok(held.taken(looked_over));
        }
        if options.effort == Effort::Thorough {
            return compile(Effort::Again, faster_than, control);
        }
    }
    compile(options.effort, faster_than, control)
}

/// What a step takes.
fn seconds_of(compiled: &Compiled) -> Seconds {
    Seconds(compiled.plan.predicted.total_seconds)
}

/// Whether options say what only one program for all devices is or has, or what is decided already.
fn says_more(options: &Options) -> bool {
    let is_named = |asked: &Recompute| matches!(asked, Recompute::Keeping(_) | Recompute::Values(_));
    options.plan.is_some()
        || options.mesh.is_some()
        || !options.pins.is_empty()
        || options.asked.is_some()
        || !options.degrees.is_empty()
        || options.allowed.has_parts()
        || options.simplest_within.is_some()
        || options.microbatch_size.is_some()
        || options.microbatch_statistics == Some(Statistics::Local)
        || options.tiles.is_some()
        || options.offload.is_some()
        || options.recompute.as_ref().is_some_and(is_named)
        || options.stop_after.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_in_place_of_a_slow_pipeline_was_planned_to_be_faster() {
        let row = |groups, microbatches, fate| Weighed {
            groups,
            microbatches,
            parts_of: PartsOf::Batch,
            bound: Seconds(0.0),
            fate,
        };
        let priced = |groups, microbatches, seconds| {
            row(groups, microbatches, WeighedFate::Priced(Seconds(seconds), None))
        };
        let weighed = [
            priced(1, 1, 0.1),
            priced(2, 2, 0.2),
            priced(4, 8, 0.5),
            row(8, 8, WeighedFate::Beaten),
            priced(2, 4, 0.4),
            priced(8, 16, 0.3),
            priced(8, 32, 0.7),
        ];
        assert_eq!(others(&weighed, (2, 2), Seconds(0.6)), [(8, 16), (2, 4)]);
        assert_eq!(others(&weighed, (8, 16), Seconds(0.25)), [(2, 2)]);
        assert_eq!(others(&weighed, (2, 2), Seconds(0.2)), []);
    }
}
