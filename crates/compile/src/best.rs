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
use std::sync::OnceLock;

use crate::driver::{Compiled, compile};
use crate::error::CompileError;
use crate::held::Held;
use crate::mesh::own_mesh;
use crate::microbatch_size;
use crate::options::{Effort, Microbatches, Options, Statistics};
use crate::pipeline::{
    FEW_DEVICES, Numbers, PartsOf, PipelineOptions, PipelineSpace, Pipelined, ScheduleChoice, Weighed,
    WeighedFate, Weighing, no_numbers, pipeline, pipeline_plan, pipeline_plan_beside, why_so_many,
};
use crate::recompute::Recompute;

mod chosen_by;
mod made;

pub use chosen_by::ChosenBy;
use made::made_at_best;

/// What plans say that they have not searched where nobody has looked at stages.
const STAGES: &str = "pipeline stages";

/// What takes more than so many times as long as what is known is not searched further.
const NEARLY: f64 = 1.05;

/// The stage in which what a search found is made: whoever hears of it by [`Control::progress`] is not asked again whether to stop
/// with the best so far, until it hears of [`SEARCHING_ON`].
pub const MAKING: &str = "programs";

/// The stage in which something better is searched for than what was made: whoever hears of it by [`Control::progress`] is asked
/// again, and what was made is the best so far.
pub const SEARCHING_ON: &str = "others";

/// The best plan of a program, compiled.
#[derive(Clone, Debug)]
pub enum Best {
    /// One program for all devices, and what it was weighed against where the numbers of pipelines are asked for, itself
    /// included.
    Whole(Box<Compiled>, Vec<Weighed>),
    /// Programs of stages, and the search that chose their numbers.
    Stages(Box<Pipelined>, ChosenBy),
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
            let step = (program, machine, options);
            let mut made = made_at_best(step, space, &mut plan, (control, control))?;
            let limit = options.memory_limit_on(machine);
            let why = why_so_many(plan.groups, plan.figures.step(), &plan.weighed, limit);
            made.plan.reasons.extend(why);
            Ok(Best::Stages(Box::new(made), ChosenBy::Plan(Box::new(plan))))
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
        let tried: OnceLock<Tried> = OnceLock::new();
        let other = |than: Option<Seconds>| {
            let (_, made) = tried.get_or_init(|| (than, self.faster(than, &held)));
            made.as_ref().ok().map(seconds_of)
        };
        let found = pipeline_plan_beside(program, machine, options, space, &of_stages, &other);
        let whole = tried.into_inner();
        let found = match found {
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
        let to_the_end = ToTheEnd(&of_made);
        let made = made_at_best((program, machine, options), space, &mut plan, (&to_the_end, &of_made));
        match made {
            Err(CompileError::Interrupted) => Err(CompileError::Interrupted),
            Ok(mut made) if made.misfit(limit).is_none() => {
                // Where its programs did not fit, another one has taken its place, which may take longer than the whole program;
                // so may one that was cut at other places than it was planned with.
                let taken = made.figures.step();
                if plan.figures.step() > promised || taken > promised * NEARLY {
                    let own = Held::back(control);
                    control.progress(SEARCHING_ON, 0, 0);
                    let whole = self.faster(Some(taken), &own);
                    if let Some(whole) = whole.ok().filter(|whole| seconds_of(whole) <= taken) {
                        return Ok(own.taken(beside(whole)));
                    }
                    made.plan.unfinished |= control.should_stop();
                    plan.unfinished |= made.plan.unfinished;
                }
                if self.is_asked {
                    of_stages.taken(());
                }
                made.plan.reasons.extend(why_so_many(plan.groups, plan.figures.step(), &weighed, limit));
                Ok(of_made.taken(Best::Stages(Box::new(made), ChosenBy::Plan(Box::new(plan)))))
            }
            // Its programs may need more than was predicted of them.
            made => {
                control.progress(SEARCHING_ON, 0, 0);
                match (self.whole(), made) {
                    (Ok(compiled), _) => Ok(Best::alone(compiled)),
                    (Err(_), Ok(made)) if self.is_asked => {
                        Ok(Best::Stages(Box::new(made), ChosenBy::Plan(Box::new(plan))))
                    }
                    (Err(error), _) => Err(error),
                }
            }
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
                // Of plans that fit there may be one all the same.
                (asked, found.bound.unwrap_or(f64::INFINITY), WeighedFate::DoesNotFit(Some(found.peak)))
            }
            Err(_) => (asked, f64::INFINITY, WeighedFate::Impossible),
        };
        Weighed { groups: 1, microbatches, parts_of: PartsOf::Batch, bound: Seconds(bound), fate }
    }
}

/// Groups and microbatches for which one table of the whole step is searched, if what was weighed for them may take less than `best`.
fn numbers_of_tables(weighed: &[Weighed], space: &PipelineSpace, best: Seconds) -> Vec<(usize, usize)> {
    let step = |own: &Weighed| match own.fate {
        WeighedFate::Priced(seconds, _) => Some(seconds.0),
        _ => space.microbatches.only().map(|_| f64::INFINITY),
    };
    let is_open = |own: &&Weighed| own.groups > 1 && own.parts_of == PartsOf::Batch && own.bound < best;
    let mut of_groups: BTreeMap<usize, (f64, usize)> = BTreeMap::new();
    for own in weighed.iter().filter(is_open) {
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
            Self::Stages(_, searched) => searched.weighed(),
        }
    }

    /// No plan of those that it was weighed against takes less.
    fn bound(&self) -> Seconds {
        match self {
            Self::Whole(compiled, weighed) => {
                let least = weighed.iter().map(|own| own.bound.0);
                Seconds(least.fold(compiled.plan.predicted.total_seconds, f64::min))
            }
            Self::Stages(_, searched) => searched.bound(),
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
        let (weighed, bound) = (self.weighed().to_vec(), self.bound());
        let limit = options.memory_limit_on(machine);
        let mut best = self;
        let numbers = numbers_of_tables(&weighed, space, best.seconds());
        let of_each = |virtual_stages| numbers.iter().map(move |own| (*own, virtual_stages));
        for ((groups, microbatches), virtual_stages) in space.stages_of_tables().into_iter().flat_map(of_each)
        {
            let schedule = ScheduleChoice::Search;
            let wanted = PipelineOptions { groups, virtual_stages, microbatches, schedule };
            let held = Held::back(control);
            control.progress(SEARCHING_ON, 0, 0);
            match pipeline(program, machine, options, &wanted, &held) {
                Ok(mut made) if made.misfit(limit).is_none() && made.figures.step() < best.seconds() => {
                    made.plan.reasons.extend(why_so_many(groups, made.figures.step(), &weighed, limit));
                    let weighing =
                        Weighing { numbers: (groups, microbatches), bound, weighed: weighed.clone() };
                    best = held.taken(Self::Stages(Box::new(made), ChosenBy::Table(weighing)));
                }
                Err(CompileError::Interrupted) => break,
                _ => {}
            }
        }
        Ok(best.ended_by(control))
    }

    /// The same, marked if the search for others was stopped before its end.
    fn ended_by(mut self, control: &dyn Control) -> Self {
        let is_stopped = control.should_stop();
        match &mut self {
            Self::Whole(compiled, _) => compiled.plan.unfinished |= is_stopped,
            Self::Stages(made, searched) => {
                made.plan.unfinished |= is_stopped;
                if let ChosenBy::Plan(plan) = searched {
                    plan.unfinished |= is_stopped;
                }
            }
        }
        self
    }

    /// The same, weighed against all of these.
    fn among(mut self, all: Vec<Weighed>) -> Self {
        match &mut self {
            Self::Whole(_, weighed) => *weighed = all,
            Self::Stages(_, searched) => searched.is_among(all),
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
    let compile = |options: &Options, control: &dyn Control| -> Result<Compiled, CompileError> {
        compile(program, source, machine, options, control)
    };
    if let Some(seconds) = faster_than {
        let held = Held::back(control);
        let (nearly, known) = (Some(seconds * NEARLY), Some(seconds));
        let look = Options { faster_than: nearly, known, effort: Effort::Look, ..options.clone() };
        let looked_over = compile(&look, &held)?;
        let is_slower = looked_over.plan.predicted.total_seconds > seconds.0 * NEARLY;
        if is_slower || looked_over.is_in_other_ways {
            return Ok(held.taken(looked_over));
        }
        if options.effort == Effort::Thorough {
            let again = Options { faster_than, effort: Effort::Again, ..options.clone() };
            return compile(&again, control);
        }
    }
    compile(&Options { faster_than, ..options.clone() }, control)
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
    use std::sync::{Mutex, PoisonError};

    /// Asks to stop as soon as something better is searched for than what was made.
    #[derive(Default)]
    struct Impatient(Mutex<Vec<&'static str>>);

    impl Impatient {
        fn heard(&self) -> Vec<&'static str> {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
        }
    }

    impl Control for Impatient {
        fn should_stop(&self) -> bool {
            self.heard().contains(&SEARCHING_ON)
        }

        fn progress(&self, stage: &str, _: usize, _: usize) {
            let stage = [MAKING, SEARCHING_ON].into_iter().find(|own| *own == stage);
            self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(stage);
        }
    }

    #[test]
    fn what_was_made_is_the_answer_where_a_search_for_others_is_stopped() {
        let source = Source::new("gpt.mlir", include_str!("../../../examples/gpt.mlir"));
        let program = crate::read(&source).unwrap();
        let machine = Machine::from_spec("cpu8:2").unwrap();
        let space = PipelineSpace {
            groups: Numbers::These(vec![2]),
            virtual_stages: Numbers::Search,
            microbatches: Numbers::These(vec![4]),
            schedules: Vec::new(),
            makes_tables: true,
            is_short: false,
        };
        let control = Impatient::default();
        let best =
            best_of_numbers(&program, &source, &machine, &Options::default(), &space, &control).unwrap();
        assert_eq!(control.heard()[..2], [MAKING, SEARCHING_ON]);
        let Best::Stages(made, searched) = best else { panic!("one group was not to choose from") };
        assert!(made.plan.unfinished);
        assert!(!matches!(searched, ChosenBy::Plan(plan) if !plan.unfinished));
    }
}
