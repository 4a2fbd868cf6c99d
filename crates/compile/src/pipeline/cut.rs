//! The step that is cut: in normal form, in microbatches, with what its instructions cost.

use meshwright_analyze::batch;
use meshwright_analyze::phases::Phase;
use meshwright_analyze::{Phases, Role, Roles, layer_loops};
use meshwright_cost::Analysis;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::loops::trip_count;
use meshwright_ir::origin::Origins;
use meshwright_ir::program::{Body, Def, Function, Program};
use meshwright_machine::Machine;
use meshwright_plan::plan_file::{PlanAttention, codec};
use meshwright_plan::{Names, StepPart};
use meshwright_search::recompute::{Recomputation, uses};
use meshwright_stage::places::Between;
use meshwright_stage::{Class, Refusal, Step};
use meshwright_transform::microbatch::{Microbatched, in_microbatches};
use meshwright_transform::stacks::apart;
use meshwright_transform::time::TimeAxis;
use meshwright_transform::unroll::{all_unrolled, loop_around, turns_written_out, unrolled};
use meshwright_transform::{Barriers, Flat, Made, Normal, normal};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use super::by_itself;
use super::hidden_layers::hidden_layers;
use super::levels::can_run_again;
use super::stay_gathered::Copied;
use super::unstacked::{Unstacked, unstacked};
use super::{PartsOf, refused};
use crate::attended::WithKernels;
use crate::error::CompileError;
use crate::global::names_in;
use crate::in_time;
use crate::must_be_global::must_be_global;
use crate::options::Options;
use crate::recompute;
use crate::transform::flattened;

/// A training step in normal form, with its layers one behind the other.
#[derive(Clone)]
pub(super) struct Written {
    /// The entry function as it was given, all calls inlined.
    pub(super) given: Function,
    /// What was made of it.
    pub(super) flat: Flat,
    /// What its arguments and results are of those that are given.
    parts: Parts,
    /// Which places are between its segments, if that is said.
    pub(super) between: Option<Between>,
    /// What became of attentions that the program writes out, where the machine has a kernel for them.
    attention: Option<PlanAttention>,
    /// From the name of the entry function to that of the next one.
    entry: Span,
    /// What arguments of `flat` are, once somebody has asked.
    roles: OnceLock<Arc<Roles>>,
}

/// Arguments and results of a step that is written out, as parts of those that are given.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) arguments: Vec<StepPart>,
    pub(super) results: Vec<StepPart>,
}

impl Parts {
    /// Each is one as it is given.
    pub(super) fn whole(function: &Function) -> Self {
        Self {
            arguments: (0..function.args().len()).map(StepPart::whole).collect(),
            results: (0..function.returned().len()).map(StepPart::whole).collect(),
        }
    }

    /// Returns whether any of them is a layer of a stack.
    pub(super) fn has_layers(&self) -> bool {
        self.arguments.iter().chain(&self.results).any(|part| part.layers.is_some())
    }

    /// Those of a function that has only these of the arguments and results.
    pub(super) fn only(&self, arguments: &[usize], results: &[usize]) -> Self {
        Self {
            arguments: arguments.iter().map(|index| self.arguments[*index]).collect(),
            results: results.iter().map(|index| self.results[*index]).collect(),
        }
    }
}

/// A program as it is given, and with calls of the platform's kernels.
struct Given {
    function: Function,
    /// From the name of the entry function to that of the next one.
    entry: Span,
    kernels: WithKernels,
}

impl Given {
    /// Errors: a local program; a plan with a kernel that is not known.
    fn of(program: &Program, machine: &Machine, options: &Options) -> Result<Self, CompileError> {
        let flat = flattened(program)?;
        must_be_global(program, &flat.function)?;
        let (function, entry) = (flat.function.clone(), text_of(program, &flat.function));
        let kernels = WithKernels::of(program, flat, machine, options)?;
        Ok(Self { function, entry, kernels })
    }
}

impl Written {
    /// Errors: a local program.
    pub(super) fn of(program: &Program, machine: &Machine, options: &Options) -> Result<Self, CompileError> {
        let Given { function: given, entry, kernels } = Given::of(program, machine, options)?;
        let WithKernels { flat, attention } = kernels;
        let (flat, parts) = layers_apart(in_normal_form(flat));
        let flat = turns_of_step_written_out(flat);
        Ok(Self { given, flat, parts, between: None, attention, entry, roles: OnceLock::new() })
    }

    /// The same with a few layers of each scanned stack, each with arguments of its own, if its stacks have equally many more; and
    /// how many layers there are of so many.
    pub(super) fn with_few_layers(
        program: &Program,
        machine: &Machine,
        options: &Options,
    ) -> Result<Option<(Self, Layers)>, CompileError> {
        let Given { function: given, entry, kernels } = Given::of(program, machine, options)?;
        let WithKernels { flat, attention } = kernels;
        let mut flat = in_normal_form(flat);
        if !hidden_layers(&flat.function).is_empty() {
            return Ok(None);
        }
        let mut all = None;
        while let Some((outer, turns)) = first_loop(&flat.function).and_then(|outer| {
            Some((outer, usize::try_from(trip_count(flat.function.body.view(outer))?).ok()?))
        }) {
            if turns <= FEW || all.is_some_and(|all| all != turns) {
                return Ok(None);
            }
            all = Some(turns);
            let is_kept = |turn: u64| turn < FEW as u64 / 2 || turn >= (turns - FEW / 2) as u64;
            flat = Flat::of_made(&flat, turns_written_out(&flat.function, outer, &is_kept));
        }
        let Some(all) = all else { return Ok(None) };
        let flat = in_normal_form(Flat::of_made(&flat, apart(&flat.function)));
        let Some(Unstacked { made, arguments, results, .. }) = unstacked(&flat.function) else {
            return Ok(None);
        };
        let flat = in_normal_form(Flat::of_made(&flat, made));
        let parts = Parts { arguments, results };
        let written = Self { given, flat, parts, between: None, attention, entry, roles: OnceLock::new() };
        Ok(written.batch().is_some().then_some((written, Layers { few: FEW, all })))
    }

    /// Another step in its place, in normal form.
    pub(super) fn with(&self, flat: Flat) -> Self {
        let flat = in_normal_form(flat);
        Self { parts: Parts::whole(&flat.function), flat, roles: OnceLock::new(), ..self.clone() }
    }

    /// The number of examples in a step.
    pub(super) fn batch(&self) -> Option<usize> {
        batch::fed(&self.flat.function, self.roles())
    }

    /// Whether it trains.
    pub(super) fn trains(&self) -> bool {
        !self.roles().gradients.is_empty()
    }

    /// What its arguments are.
    fn roles(&self) -> &Arc<Roles> {
        self.roles.get_or_init(|| Arc::new(Roles::new(&self.flat.function)))
    }
}

/// Layers of a step of which not all are written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layers {
    pub(super) few: usize,
    pub(super) all: usize,
}

/// Layers of a scanned stack that are written out where others are like them: two at each end.
const FEW: usize = 4;

/// A step that is about to be cut into stages.
pub(super) struct Cut {
    /// The entry function as it was given, all calls inlined.
    pub(super) given: Function,
    /// What the microbatches were made from.
    pub(super) flat: Flat,
    /// What its arguments and results are of those that are given.
    pub(super) parts: Parts,
    /// The same in microbatches.
    pub(super) microbatched: Microbatched,
    /// Where all that is in that comes from in the program as it was given.
    pub(super) origins: Origins,
    axis: TimeAxis,
    roles: Arc<Roles>,
    phases: Phases,
    /// Which places are between its segments, if that is said.
    pub(super) between: Option<Between>,
    /// Names of what is in the function in microbatches.
    names: Names,
    /// What runs again in the backward pass, of the function that was cut.
    again: BTreeSet<InstId>,
    /// The same as names of values, each with that of its first reader, and what that is called.
    pub(super) made_again: Vec<(String, String)>,
    pub(super) recompute: Option<String>,
    /// What became of attentions, where the machine has a kernel for them.
    pub(super) attention: Option<PlanAttention>,
    /// Who makes copies of parameters.
    copied: Copied,
    /// From the name of the entry function to that of the next one.
    entry: Span,
}

impl Cut {
    /// Errors: a local program, one that computes nothing of parameters and data, or one that cannot be cut into so many
    /// microbatches.
    pub(super) fn of(
        program: &Program,
        microbatches: (usize, PartsOf),
        machine: &Machine,
        options: &Options,
    ) -> Result<Self, CompileError> {
        let options = &microbatches.1.suit(options);
        let again = |flat: &Flat, roles: &Roles, phases: &Phases| {
            Again::of(program, flat, roles, phases, machine, options)
        };
        let cut =
            Self::with(program, Written::of(program, machine, options)?, microbatches, options, &again)?;
        Ok(if Again::is_asked(options) { cut.named(machine) } else { cut })
    }

    /// The same with these made again, of the function that was cut.
    pub(super) fn with_again(self, program: &Program, insts: BTreeSet<InstId>, machine: &Machine) -> Self {
        if insts.is_empty() {
            return self;
        }
        let analysis = Analysis::on(&self.flat.function, machine.device.platform);
        let of = Recomputation::new(&analysis, &self.roles, &self.phases, &machine.device);
        let names = names_in(program, &self.flat.function, &self.flat.origins);
        let Again { insts, uses } = Again::named(insts, &of, &self.flat.function.body, &names);
        Self { again: insts, made_again: uses, ..self }.named(machine)
    }

    /// The same with the name of what is made again: that of a level, if it is all that can be of it.
    fn named(self, machine: &Machine) -> Self {
        let can = can_run_again(&self);
        let analysis = Analysis::on(&self.flat.function, machine.device.platform);
        let of = Recomputation::new(&analysis, &self.roles, &self.phases, &machine.device);
        let words = of.in_words_among(&self.again, &can);
        Self { recompute: Some(words), ..self }
    }

    /// The instruction of the function that was cut that one of its microbatches is.
    pub(super) fn origin(&self, inst: InstId) -> Option<InstId> {
        self.microbatched.made.trace.insts[inst].map(|(_, own)| own)
    }

    /// The same of a step that is written out already, with nothing made again.
    pub(super) fn of_written(
        program: &Program,
        written: Written,
        microbatches: (usize, PartsOf),
        options: &Options,
    ) -> Result<Self, CompileError> {
        Self::with(program, written, microbatches, options, &|_, _, _| Ok(Again::default()))
    }

    fn with(
        program: &Program,
        written: Written,
        (count, of): (usize, PartsOf),
        options: &Options,
        again: &dyn Fn(&Flat, &Roles, &Phases) -> Result<Again, CompileError>,
    ) -> Result<Self, CompileError> {
        let roles = written.roles().clone();
        let Written { given, flat, parts, between, attention, entry, .. } = written;
        let (flat, axis, roles) = match of {
            PartsOf::Batch => in_time::along_batch(flat, roles, count, options)?,
            PartsOf::Sequence => in_time::along_sequence(flat, roles, count)?,
        };
        let phases = Phases::new(&flat.function, &roles);
        let phases = phases.or_else(|| Phases::of_inference(&flat.function, &roles));
        let phases = phases.ok_or_else(refused::nothing_to_cut)?;
        let Again { insts: again, uses: made_again } = again(&flat, &roles, &phases)?;
        let microbatched = in_microbatches(&flat.function, &axis)
            .map_err(|refusal| in_time::refused(&flat.function, refusal))?;
        let origins = flat.origins.behind(&microbatched.made.trace, &microbatched.made.function.body);
        let names = names_in(program, &microbatched.made.function, &origins);
        Ok(Self {
            given,
            flat,
            parts,
            microbatched,
            origins,
            axis,
            roles,
            phases,
            between,
            names,
            again,
            made_again,
            recompute: None,
            attention,
            copied: Copied::of(options),
            entry,
        })
    }

    /// The cut of another step in as many microbatches, with nothing made again.
    ///
    /// # Errors
    /// As of [`Cut::of`].
    pub(super) fn of_another(
        &self,
        program: &Program,
        made: Made,
        options: &Options,
    ) -> Result<Self, CompileError> {
        let (given, flat, parts) = (self.given.clone(), self.flat.clone(), self.parts.clone());
        let (between, attention) = (self.between, self.attention.clone());
        let (entry, roles) = (self.entry, OnceLock::new());
        let own = Written { given, flat, parts, between, attention, entry, roles };
        let written = own.with(Flat::of_made(&self.flat, made));
        Self::of_written(program, written, (self.axis.count, PartsOf::Batch), options)
    }

    /// Becomes a twin of itself: the same instructions with other sizes, and `given` as the step that it is made of, with these
    /// parts.
    pub(super) fn shrink(&mut self, function: Function, given: Function, parts: Parts) {
        if let Some(seed) = self.axis.seeds.first() {
            self.axis.size = function.body.tensor(function.args()[seed.argument]).shape[seed.dim];
        }
        self.microbatched.made.function = function;
        (self.given, self.parts) = (given, parts);
    }

    /// Who makes copies of parameters.
    pub(super) fn copied(&self) -> Copied {
        self.copied
    }

    /// How time cuts it.
    pub(super) fn axis(&self) -> &TimeAxis {
        &self.axis
    }

    /// The name of the last instruction of the forward pass in front of a place.
    pub(super) fn name_in_front_of(&self, step: &Step<'_>, place: usize) -> String {
        let last = forward(step).filter(|(_, own)| *own < place).max_by_key(|(_, own)| *own);
        last.map_or_else(String::new, |(inst, _)| self.names.of_inst(inst).to_owned())
    }

    /// The place of the forward pass behind an instruction of a name.
    pub(super) fn place_behind(&self, step: &Step<'_>, name: &str) -> Option<usize> {
        let inst = self.names.inst(name).ok()?;
        forward(step).find(|(own, _)| *own == inst).map(|(_, place)| place + 1)
    }

    /// Instructions of what was cut that run again in the backward pass.
    pub(super) fn made_again_insts(&self) -> &BTreeSet<InstId> {
        &self.again
    }

    /// Whether it trains; if not, there is a forward pass alone.
    pub(super) fn trains(&self) -> bool {
        !self.phases.gradients.is_empty()
    }

    /// Roles and phases of the step before it was cut.
    pub(super) fn analyzed(&self) -> (&Roles, &Phases) {
        (&self.roles, &self.phases)
    }

    /// The step taken apart.
    pub(super) fn step(&self) -> Result<Step<'_>, Refusal> {
        let mut step = self.apart()?;
        step.make_again(&self.microbatched, &self.again);
        Ok(step)
    }

    /// The same with nothing made again.
    fn apart(&self) -> Result<Step<'_>, Refusal> {
        let step = Step::new(&self.microbatched, &self.axis, &self.roles, &self.phases)?;
        let step = step.cut_at(self.between);
        Ok(if self.copied == Copied::Once { step } else { step.without_copies() })
    }

    /// The step whose forward pass gathers what all examples have to be seen for; none if it needs no such thing, or reads it
    /// itself.
    pub(super) fn gathering_step(&self) -> Result<Option<Step<'_>>, Refusal> {
        let mut step = self.apart()?;
        if !step.gather_forward() {
            return Ok(None);
        }
        step.make_again(&self.microbatched, &self.again);
        Ok(Some(step))
    }

    /// Seconds of each of its instructions, each by itself on one device.
    pub(super) fn seconds(&self, machine: &Machine) -> Table<InstId, f64> {
        by_itself::seconds(&self.microbatched.made.function.body, &machine.device)
    }

    /// Why it cannot be cut, at the place in the program that is in the way.
    pub(super) fn refused(&self, refusal: &Refusal) -> CompileError {
        refused::stages(refusal, &self.microbatched.made.function, &self.names)
    }

    /// Returns whether a place is in the text of the entry function.
    pub(super) fn is_of_entry(&self, span: Span) -> bool {
        span.is_some() && (self.entry.start..self.entry.end).contains(&span.start)
    }

    /// The number of examples in a step.
    pub(super) fn examples(&self) -> usize {
        match self.axis.seeds.is_empty() {
            false => self.axis.size,
            true => batch::size(&self.flat.function, &self.roles).unwrap_or(1),
        }
    }

    /// The result that takes the place of an argument in the next step, if it is state.
    pub(super) fn next(&self, argument: usize) -> Option<usize> {
        self.roles.args[argument].result
    }

    /// What an argument of the step is.
    pub(super) fn role(&self, argument: usize) -> Role {
        self.roles.args[argument].role
    }
}

/// The instructions of the forward pass of a turn, each with its position in the forward order.
pub(super) fn forward<'s>(step: &'s Step<'_>) -> impl Iterator<Item = (InstId, usize)> + 's {
    step.inside.iter().zip(&step.class).filter_map(|(inst, class)| match class {
        Class::Forward(at) => Some((*inst, *at)),
        _ => None,
    })
}

/// What is made again for the backward pass.
#[derive(Default)]
struct Again {
    insts: BTreeSet<InstId>,
    /// Names of values, each with that of its first reader.
    uses: Vec<(String, String)>,
}

impl Again {
    /// Returns whether options, or their plan, say anything of it.
    fn is_asked(options: &Options) -> bool {
        options.recompute.is_some() || options.plan.as_ref().is_some_and(|plan| plan.recompute.is_some())
    }

    /// As the options, or their plan, say.
    fn of(
        program: &Program,
        flat: &Flat,
        roles: &Roles,
        phases: &Phases,
        machine: &Machine,
        options: &Options,
    ) -> Result<Self, CompileError> {
        if !Self::is_asked(options) {
            return Ok(Self::default());
        }
        let planned = options.plan.as_ref().filter(|plan| plan.recompute.is_some());
        let analysis = Analysis::on(&flat.function, machine.device.platform);
        let of = Recomputation::new(&analysis, roles, phases, &machine.device);
        let names = names_in(program, &flat.function, &flat.origins);
        let insts = match (planned, &options.recompute) {
            (Some(plan), _) => {
                let maker = |value: ValueId| match flat.function.body.values[value].def {
                    Def::Result(inst, _) => Some(inst),
                    Def::Argument(..) => None,
                };
                let again = codec::made_again(plan, &names).map_err(CompileError::Plan)?;
                again.into_keys().filter_map(maker).collect()
            }
            (None, Some(asked)) => recompute::insts(asked, &of, &flat.function, &names)?,
            (None, None) => BTreeSet::new(),
        };
        Ok(Self::named(insts, &of, &flat.function.body, &names))
    }

    /// These, and what they are called.
    fn named(insts: BTreeSet<InstId>, of: &Recomputation<'_>, body: &Body, names: &Names) -> Self {
        let mut all = uses(of, &insts);
        // What the backward pass reads by way of what only it wants of the forward pass.
        let readers = body.uses();
        for value in insts.iter().flat_map(|inst| &body.insts[*inst].results) {
            if let Some((reader, _)) = readers[*value].first() {
                all.entry(*value).or_insert(*reader);
            }
        }
        let named = |(value, reader): (ValueId, InstId)| {
            (names.of_value(value).to_owned(), names.of_inst(reader).to_owned())
        };
        let uses = all.into_iter().map(named).collect();
        Self { uses, insts }
    }
}

/// The text from the name of a function to that of the next one.
fn text_of(program: &Program, function: &Function) -> Span {
    let starts = program.functions.iter().map(|other| other.span.start);
    let end = starts.filter(|start| *start > function.span.start).min().unwrap_or(u32::MAX);
    Span { start: function.span.start, end }
}

fn in_normal_form(flat: Flat) -> Flat {
    let Normal { function, trace, .. } = normal(&flat.function, Barriers::Dropped);
    Flat::of_made(&flat, Made { function, trace })
}

/// The function with its layers one behind the other: what stands in loops over layers is written out, and each layer has
/// its own part of every stack. Returns whether there were any.
fn layers_written_out(given: Flat) -> (Flat, bool) {
    let hidden = hidden_layers(&given.function);
    let mut is_changed = !hidden.is_empty();
    let mut flat = match is_changed {
        true => Flat::of_made(&given, all_unrolled(&given.function, &hidden)),
        false => given,
    };
    while let Some(outer) = first_loop(&flat.function) {
        (flat, is_changed) = (Flat::of_made(&flat, unrolled(&flat.function, outer)), true);
    }
    let written = || in_normal_form(Flat::of_made(&flat, apart(&flat.function)));
    if is_changed { (written(), true) } else { (flat, false) }
}

/// The same with a value for each layer of every stack that the step takes, updates and returns, where it does nothing else
/// with one: each stage then has the layers that are its own.
fn layers_apart(given: Flat) -> (Flat, Parts) {
    let (flat, has_loop) = layers_written_out(given);
    match unstacked(&flat.function).filter(|found| has_loop && found.is_whole) {
        Some(Unstacked { made, arguments, results, .. }) => {
            (in_normal_form(Flat::of_made(&flat, made)), Parts { arguments, results })
        }
        None => {
            let parts = Parts::whole(&flat.function);
            (flat, parts)
        }
    }
}

/// The function with its passes over parts of the batch one behind the other, if all that trains is in loops over them, as
/// where a step adds up gradients itself: inside of a loop there is no place to cut.
fn turns_of_step_written_out(given: Flat) -> Flat {
    let mut flat = given;
    while let Some(turns) = loop_of_step(&flat.function) {
        let written = in_normal_form(Flat::of_made(&flat, unrolled(&flat.function, turns)));
        (flat, _) = layers_written_out(in_normal_form(Flat::of_made(&written, apart(&written.function))));
    }
    flat
}

/// The first loop in which a step turns that has no place to cut, if it can be written out.
fn loop_of_step(function: &Function) -> Option<InstId> {
    let phases = Phases::new(function, &Roles::new(function))?;
    if phases.forward.valleys.iter().any(|place| *place > 0) {
        return None;
    }
    let body = &function.body;
    let insts = body.regions[body.entry()].insts.iter().copied();
    let mut turning =
        insts.filter(|inst| body.insts[*inst].op.carries_values() && phases.of[*inst] == Phase::Turning);
    turning.find_map(|inst| loop_around(function, inst))
}

/// The first loop over layers that can be written out.
fn first_loop(function: &Function) -> Option<InstId> {
    let body = &function.body;
    let has_loop = body.regions[body.entry()].insts.iter().any(|inst| body.insts[*inst].op.carries_values());
    let loops = if has_loop { layer_loops(function, &Roles::new(function)) } else { Vec::new() };
    let outermost =
        loops.iter().map(|found| found.inst).filter(|inst| body.regions[body.entry()].insts.contains(inst));
    outermost.into_iter().find_map(|inst| loop_around(function, inst))
}
