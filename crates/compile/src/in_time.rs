//! The program in microbatches, where it is cut into some.
//!
//! Input: the flat program and what the options say of time. Output: the same with a loop over microbatches, and how it
//! was cut. What cannot be cut is refused at the place that stands in the way.

use meshwright_analyze::batch::{LocalTimeAxis, counted_before, counted_passes, local_time_axis, time_axis};
use meshwright_analyze::copies::with_copies;
use meshwright_analyze::flow::Marks;
use meshwright_analyze::roles::{Argument, PARAMETERS};
use meshwright_analyze::sequence::sequence_axis;
use meshwright_analyze::{Phases, Role, Roles, model_flops};
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::loops::trip_count;
use meshwright_ir::program::{Def, Function, Program};
use meshwright_ir::rewrite::Trace;
use meshwright_plan::plan_file::PlanMicrobatches;
use meshwright_plan::plan_file::codec::PLAN;
use meshwright_plan::{PlanFile, Use};
use meshwright_transform::distribute::distributed;
use meshwright_transform::microbatch::{Microbatched, in_microbatches};
use meshwright_transform::time::sequence::SequenceRefusal;
use meshwright_transform::time::{Point, TimeAxis, TimeRefusal, divisors};
use meshwright_transform::unroll::{loop_around, unrolled};
use meshwright_transform::{Flat, Made};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::error::CompileError;
use crate::from_plan::options::contradicts;
use crate::from_plan::same_program;
use crate::global::names_in;
use crate::options::{MOST_PASSES, Microbatches, Options, Statistics};
use crate::transform::{flattened, single_function};

/// A step cannot be cut into the microbatches that were asked for.
const MICROBATCHES: Check = Check("microbatches");

/// A step cannot be cut into slices of its sequence.
const SLICES: Check = Check("slices");

/// Passes over the batch that are allowed unless the caller allows more; those over data alone do not count.
const USUAL_PASSES: usize = 2;

/// A flat program, and how it is cut into microbatches.
pub(crate) struct Timed {
    /// The program that is worked on.
    pub(crate) flat: Flat,
    /// How time cuts the program as it was given; none if it does not.
    pub(crate) axis: Option<TimeAxis>,
    /// Stable names of the values that examples are computed from and that are those of one microbatch.
    pub(crate) local: Vec<String>,
    /// What became of the function that was cut.
    pub(crate) copies: Copies,
}

/// Where what is in a function that was made of another one, step by step, comes from; none: it is that one.
#[derive(Default)]
pub(crate) struct Copies {
    trace: Option<Trace>,
    /// Turns of each loop that was written out, since it cannot be cut as it is.
    pub(crate) written_out: Vec<u64>,
}

impl Copies {
    /// The function after one more step.
    fn made(&mut self, flat: &Flat, made: Made) -> Flat {
        let trace = self.trace.take().map_or_else(|| made.trace.clone(), |before| made.trace.behind(&before));
        self.trace = Some(trace);
        Flat::of_made(flat, made)
    }

    /// The instruction of the function as it was given that one was made for; none if it was made for no single one.
    fn origin(&self, inst: InstId) -> Option<InstId> {
        match &self.trace {
            Some(trace) => trace.insts.get(inst).copied().flatten().map(|(_, origin)| origin),
            None => Some(inst),
        }
    }

    /// All that became of some uses; `before` and `now` are the arguments of the function, which stay what they are.
    pub(crate) fn of(&self, uses: &[Use], before: &[ValueId], now: &[ValueId]) -> Vec<Use> {
        let Some(trace) = &self.trace else { return uses.to_vec() };
        let mut values: BTreeMap<ValueId, Vec<ValueId>> = BTreeMap::new();
        for (new, found) in trace.names.iter() {
            if let Some((.., old)) = found.filter(|(.., old)| !before.contains(old)) {
                values.entry(old).or_default().push(new);
            }
        }
        values.extend(before.iter().zip(now).map(|(old, new)| (*old, vec![*new])));
        let mut insts: BTreeMap<InstId, Vec<InstId>> = BTreeMap::new();
        for (new, found) in trace.insts.iter() {
            if let Some((_, old)) = found {
                insts.entry(*old).or_default().push(new);
            }
        }
        let each = |group: &Use| {
            let (values, readers) = (values.get(&group.value), insts.get(&group.reader));
            let pairs = values.into_iter().flatten().flat_map(|value| {
                readers.into_iter().flatten().map(|reader| Use { value: *value, reader: *reader })
            });
            pairs.collect::<Vec<_>>()
        };
        uses.iter().flat_map(each).collect()
    }
}

/// How a program is to be cut.
#[derive(Clone, Copy)]
struct Wanted {
    /// Number of microbatches.
    count: usize,
    /// The most passes over the batch, without those over data alone.
    limit: usize,
    statistics: Statistics,
    /// Whether statistics of each microbatch by itself may be asked for: stages have none.
    may_be_local: bool,
    weights: Weights,
}

/// Where layers make of their weights alone what they compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weights {
    /// In their loops.
    InLayers,
    /// Ahead of these, once in a step.
    Ahead,
}

impl Timed {
    /// Cuts a program as the options want it.
    ///
    /// # Errors
    /// [`CompileError::Options`]: it cannot be cut so; [`CompileError::Plan`] if a plan says so.
    pub(crate) fn of(
        original: &Program,
        flat: Flat,
        options: &Options,
        weights: Weights,
    ) -> Result<Self, CompileError> {
        let planned = options.plan.as_ref().and_then(|plan| plan.microbatches.as_ref());
        // A plan that says nothing of microbatches has one.
        let of_plan = options.plan.as_ref().map(|_| planned.map_or(1, |planned| planned.count));
        let count = match (of_plan, options.microbatches) {
            (Some(planned), Some(Microbatches::Number(asked))) if planned != asked => {
                return Err(twice(planned, asked));
            }
            (Some(count), _) | (None, Some(Microbatches::Number(count))) => count,
            (None, Some(Microbatches::Search) | None) => 1,
        };
        let allowed = options.microbatch_passes.unwrap_or(USUAL_PASSES);
        let limit = planned.map_or(allowed, |planned| allowed.max(planned.passes));
        let statistics = match planned {
            Some(planned) if planned.local_statistics.is_empty() => Statistics::Exact,
            Some(_) => Statistics::Local,
            None => options.microbatch_statistics.unwrap_or(Statistics::Exact),
        };
        let wanted = Wanted { count, limit, statistics, may_be_local: true, weights };
        if options.microbatch_passes.is_some_and(|allowed| allowed < limit) {
            let fewer = Self::cut(original, flat.clone(), Wanted { limit: allowed, ..wanted });
            if let Err(CompileError::Diagnostics(problems)) = fewer
                && let Some(problem) = problems.into_iter().next()
            {
                return Err(contradicts(problem.message, "--microbatch-passes"));
            }
        }
        if let (Some(PlanMicrobatches { passes: 2.., .. }), Some(Statistics::Local), Statistics::Exact) =
            (planned, options.microbatch_statistics, statistics)
        {
            let local = Self::cut(original, flat.clone(), Wanted { statistics: Statistics::Local, ..wanted });
            if local.is_ok_and(|local| !local.local.is_empty()) {
                let message = "the plan takes statistics of the whole batch, in passes over it";
                return Err(contradicts(message, "--microbatch-statistics"));
            }
        }
        Self::cut(original, flat, wanted).map_err(|error| match (error, &options.plan) {
            (CompileError::Options(problem), Some(plan)) if planned.is_some() => {
                let path = "microbatches.count";
                let message = format!("`{path}`: {}", problem.message);
                CompileError::Plan(vec![Diagnostic {
                    span: plan.places.at(path),
                    check: PLAN,
                    message,
                    ..*problem
                }])
            }
            (error, _) => error,
        })
    }

    /// Cuts a program as it is wanted.
    fn cut(original: &Program, flat: Flat, wanted: Wanted) -> Result<Self, CompileError> {
        if wanted.count == 1 {
            return Ok(Self { flat, axis: None, local: Vec::new(), copies: Copies::default() });
        }
        let roles = Arc::new(Roles::new(&flat.function));
        if !is_training(&roles) {
            return Err(not_training());
        }
        let is_ahead = wanted.weights == Weights::Ahead;
        let made = is_ahead.then(|| with_copies(&flat.function, &roles.depends)).flatten();
        let (flat, ahead, roles) = match made {
            Some(made) => (Flat::of_made(&flat, made.clone()), Some(made.trace), None),
            None => (flat, None, Some(roles)),
        };
        let (flat, mut copies, LocalTimeAxis { axis, local }, _) = within(flat, roles, wanted)?;
        if let Some(ahead) = ahead {
            copies.trace = Some(copies.trace.map_or(ahead.clone(), |behind| behind.behind(&ahead)));
        }
        let (flat, local) = match local {
            Some((made, estimated)) => {
                let names = names_in(original, &flat.function, &flat.origins);
                let local = estimated.iter().map(|value| names.of_value(*value).to_owned()).collect();
                (copies.made(&flat, made), local)
            }
            None => (flat, Vec::new()),
        };
        let cut = in_microbatches(&flat.function, &axis);
        let Microbatched { made, .. } = cut.map_err(|refusal| refused(&flat.function, refusal))?;
        Ok(Self { flat: copies.made(&flat, made), axis: Some(axis), local, copies })
    }
}

/// The step with statistics of its microbatches, undistributed: what devices compute under a plan that takes them.
///
/// # Errors
/// As [`Timed::of`].
pub(crate) fn undistributed(original: &Program, options: &Options) -> Result<Program, CompileError> {
    let timed = Timed::of(original, flattened(original)?, options, Weights::Ahead)?;
    Ok(single_function(original, &timed.flat.function))
}

/// The step that devices compute under a plan that takes statistics of each microbatch by itself, undistributed; none of a
/// plan that does not.
///
/// # Errors
/// [`CompileError::Plan`]: the program cannot be cut as the plan says, or it is another one.
pub fn with_local_statistics(original: &Program, plan: &PlanFile) -> Result<Option<Program>, CompileError> {
    let has_local = |planned: &PlanMicrobatches| !planned.local_statistics.is_empty();
    if !plan.microbatches.as_ref().is_some_and(has_local) {
        return Ok(None);
    }
    same_program(plan, original)?;
    let options = Options { plan: Some(plan.clone()), ..Options::default() };
    undistributed(original, &options).map(Some)
}

/// The time axis of a program, whose arguments are these, that is cut into so many microbatches, one too, in as many passes as the
/// options allow, with what its arguments are then; loops that stand in the way are written out.
///
/// # Errors
/// It cannot be cut so.
pub(crate) fn along_batch(
    flat: Flat,
    roles: Arc<Roles>,
    count: usize,
    options: &Options,
) -> Result<(Flat, TimeAxis, Arc<Roles>), CompileError> {
    let limit = options.microbatch_passes.unwrap_or(USUAL_PASSES);
    let (statistics, may_be_local) = (Statistics::Exact, false);
    let wanted = Wanted { count, limit, statistics, may_be_local, weights: Weights::InLayers };
    let (flat, _, LocalTimeAxis { axis, .. }, roles) = within(flat, Some(roles), wanted)?;
    Ok((flat, axis, roles))
}

/// The time axis of a program, whose arguments are these, that is cut into so many slices of its sequence.
///
/// # Errors
/// It cannot be cut so, at the place that stands in the way.
pub(crate) fn along_sequence(
    flat: Flat,
    roles: Arc<Roles>,
    count: usize,
) -> Result<(Flat, TimeAxis, Arc<Roles>), CompileError> {
    let function = &flat.function;
    let phases = Phases::new(function, &roles).or_else(|| Phases::of_inference(function, &roles));
    let axis = match phases {
        Some(phases) => sequence_axis(function, &roles, &phases, count),
        None => Err(SequenceRefusal::NoSequence),
    };
    match axis {
        Ok(axis) => Ok((flat, axis, roles)),
        Err(refusal) => Err(no_slices(function, refusal)),
    }
}

/// What stands in the way of slices, at its place in the program; what is wrong with the number alone is the caller's.
fn no_slices(function: &Function, refusal: SequenceRefusal) -> CompileError {
    let span = refusal.inst().map_or(Span::NONE, |inst| function.body.insts[inst].span);
    let diagnostic = Diagnostic::error(SLICES, span, refusal.to_string());
    if let SequenceRefusal::Indivisible { size, .. } = refusal {
        let divisors: Vec<String> = divisors(size).iter().map(ToString::to_string).collect();
        let hint = format!("it divides into {}", divisors.join(", "));
        return CompileError::Options(Box::new(diagnostic.hint(hint)));
    }
    diagnostic.hint("take the same table of microbatches, which are parts of the batch: `gpipe`").into()
}

/// What was cut, how it was made of what was given, its time axis, and what its arguments are.
type Within = (Flat, Copies, LocalTimeAxis, Arc<Roles>);

/// The same in at most so many passes; what arguments are may be known.
fn within(flat: Flat, known: Option<Arc<Roles>>, wanted: Wanted) -> Result<Within, CompileError> {
    let (flat, copies, cut, roles) = with_loops_apart(flat, known, wanted)?;
    if cut.axis.passes <= wanted.limit || cut.counted_passes(&roles) <= wanted.limit {
        return Ok((flat, copies, cut, roles));
    }
    // The axis is of the step that has statistics of each microbatch, if there is one.
    let function = cut.local.as_ref().map_or(&flat.function, |(made, _)| &made.function);
    Err(too_many_passes(function, &cut.axis, &roles.depends_in(function), wanted))
}

/// The time axis of a program; loops that stand in the way are distributed, where what each turn adds up of the batch is
/// read by what other turns do not wait for, or written out.
fn with_loops_apart(
    flat: Flat,
    mut known: Option<Arc<Roles>>,
    wanted: Wanted,
) -> Result<Within, CompileError> {
    let mut cut = |function: &Function| {
        let roles = known.take().unwrap_or_else(|| Arc::new(Roles::new(function)));
        let axis = match wanted.statistics {
            Statistics::Exact => {
                time_axis(function, &roles, wanted.count).map(|axis| LocalTimeAxis { axis, local: None })
            }
            Statistics::Local => local_time_axis(function, &roles, wanted.count),
        };
        axis.map(|axis| (axis, roles))
    };
    let given = flat.clone();
    let (mut flat, mut copies) = (flat, Copies::default());
    let mut distributed_at = BTreeSet::new();
    loop {
        let refusal = match cut(&flat.function) {
            Ok((axis, roles)) => return Ok((flat, copies, axis, roles)),
            Err(refusal) => refusal,
        };
        let Some(outer) = refusal.inst().and_then(|inst| loop_around(&flat.function, inst)) else {
            return Err(refused(&given.function, cut(&given.function).err().unwrap_or(refusal)));
        };
        let early = match refusal {
            TimeRefusal::EarlySum(inst) => {
                Some(inst).filter(|inst| distributed_at.insert(copies.origin(*inst)))
            }
            _ => None,
        };
        if let Some(made) = early.and_then(|inst| distributed(&flat.function, outer, inst)) {
            flat = copies.made(&flat, made);
            continue;
        }
        copies.written_out.extend(trip_count(flat.function.body.view(outer)));
        flat = copies.made(&flat, unrolled(&flat.function, outer));
    }
}

/// Whether a function replaces parameters, or makes their gradients.
fn is_training(roles: &Roles) -> bool {
    let is_replaced = |argument: &Argument| argument.role == Role::Parameter && argument.result.is_some();
    !roles.gradients.is_empty() || roles.args.iter().any(is_replaced)
}

fn not_training() -> CompileError {
    let problem = "microbatches are parts of the batch of a training step, but nothing here trains";
    let hint =
        "leave out `--microbatches`, or give a whole training step; for inference, give a smaller batch";
    CompileError::Options(Box::new(Diagnostic::error(MICROBATCHES, Span::NONE, problem).hint(hint)))
}

/// A plan has another number of microbatches than the caller.
fn twice(planned: usize, asked: usize) -> CompileError {
    let (of, are) = (if planned == 1 { "" } else { "es" }, if asked == 1 { "is" } else { "are" });
    let problem = format!("the plan has {planned} microbatch{of}, but {asked} {are} asked for");
    let hint = "leave out `--microbatches`, or the plan";
    CompileError::Options(Box::new(Diagnostic::error(MICROBATCHES, Span::NONE, problem).hint(hint)))
}

/// What stands in the way, at its place in the program; what is wrong with the number alone is the caller's.
pub(crate) fn refused(function: &Function, refusal: TimeRefusal) -> CompileError {
    let span = refusal.inst().map_or(Span::NONE, |inst| function.body.insts[inst].span);
    let diagnostic = Diagnostic::error(MICROBATCHES, span, refusal.to_string());
    let hint = match refusal {
        TimeRefusal::Indivisible { .. } => {
            let divisors: Vec<String> = refusal.divisors().iter().map(ToString::to_string).collect();
            format!("it divides into {}", divisors.join(", "))
        }
        TimeRefusal::TooMany { .. } => "give fewer with `--microbatches`".to_owned(),
        _ => return diagnostic.into(),
    };
    CompileError::Options(Box::new(diagnostic.hint(hint)))
}

fn too_many_passes(
    function: &Function,
    axis: &TimeAxis,
    depends: &Table<ValueId, Marks>,
    wanted: Wanted,
) -> CompileError {
    let limit = wanted.limit;
    let passes = counted_passes(axis, depends);
    let is_late = |point: &&Point| {
        depends[point.value] & PARAMETERS != 0
            && counted_before(axis, depends, axis.states[point.value].level) + 1 >= limit
    };
    let first = axis.points.iter().filter(is_late).min_by_key(|point| point.value);
    let span = first.map_or(Span::NONE, |point| match function.body.values[point.value].def {
        Def::Result(inst, _) => function.body.insts[inst].span,
        Def::Argument(..) => Span::NONE,
    });
    let problem = format!(
        "{} microbatches would need {passes} passes over the batch: what is put together from all examples here is read \
         for each of them again",
        axis.count
    );
    let times = price(function, axis);
    let price =
        |said: &str| times.map_or_else(String::new, |times| format!("{said}{times:.1} times the work"));
    let are = if limit == 1 { "is" } else { "are" };
    let may_be_allowed = passes <= MOST_PASSES;
    let hint = match may_be_allowed {
        true => {
            format!("allow them with `--microbatch-passes {passes}`{}; {limit} {are} allowed", price(", "))
        }
        false => format!("at most {MOST_PASSES} passes can be allowed{}", price("; these take ")),
    };
    let diagnostic = Diagnostic::error(MICROBATCHES, span, problem).hint(hint);
    if !local_does(function, wanted) {
        return diagnostic.into();
    }
    let or = if may_be_allowed { "or " } else { "" };
    let local =
        "take it of each microbatch by itself, which changes the step: `--microbatch-statistics local`";
    diagnostic.hint(format!("{or}{local}")).into()
}

/// Flops of the products of a step in microbatches, as a multiple of those of the step as it is.
fn price(function: &Function, axis: &TimeAxis) -> Option<f64> {
    let products = |function: &Function| model_flops(function, &Roles::new(function)).written;
    let cut = in_microbatches(function, axis).ok()?.made.function;
    Some(products(&cut) / products(function)).filter(|price| price.is_finite())
}

/// Whether statistics of each microbatch, if there are none yet, need no more passes than are allowed.
fn local_does(function: &Function, wanted: Wanted) -> bool {
    let roles = Roles::new(function);
    let local = || local_time_axis(function, &roles, wanted.count);
    wanted.may_be_local
        && wanted.statistics == Statistics::Exact
        && local().is_ok_and(|found| found.counted_passes(&roles) <= wanted.limit)
}
