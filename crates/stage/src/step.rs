//! A training step in microbatches, taken apart: what is free, what is made for each microbatch, what is made once.

use crate::Refusal;
use crate::data_flow::DataFlow;
use crate::places::Between;
use meshwright_analyze::phases::{Phase, Phases};
use meshwright_analyze::roles::{Argument, DATA, PARAMETERS};
use meshwright_analyze::{Role, Roles, flow::Marks, flow::downstream};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::rewrite::Trace;
use meshwright_ir::sharding::Reduction;
use meshwright_tensor::types::ElementType;
use meshwright_transform::Made;
use meshwright_transform::microbatch::Microbatched;
use meshwright_transform::time::sequence::Readers;
use meshwright_transform::time::{InTime, TimeAxis};
use std::collections::{BTreeMap, BTreeSet};

/// Class of an instruction of a microbatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// It depends on data or on parameters at most, and is made wherever it is read.
    Free,
    /// It leads to the loss, at this position of the forward order.
    Forward(usize),
    /// Every gradient is made from it, or none.
    Turning,
    /// It makes gradients.
    Backward,
}

/// A pass over the batch that follows from parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pass {
    /// One before the step itself, for what it needs of all examples.
    Before,
    /// That in which gradients are added up.
    Main,
}

/// An accumulator of a loop over microbatches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// It before a turn, as an argument of the loop's body.
    pub before: ValueId,
    /// It behind the turn.
    pub next: ValueId,
    /// It behind all turns, as a result of the loop.
    pub whole: ValueId,
    /// How what several copies of a stage gather is put together.
    pub reduction: Reduction,
    /// The pass in which it is gathered.
    pub pass: Pass,
    /// Who reads it while it is gathered, if microbatches are slices of a sequence.
    pub by: Option<Readers>,
}

/// A step in microbatches.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The function with its loop over microbatches, as `transform::microbatch` writes it.
    pub function: &'a Function,
    /// Its loops that are cut into stages, in order: the last one, and one before it that follows from parameters.
    pub loops: Vec<(Pass, InstId)>,
    /// The instructions of one turn of each, in order.
    pub inside: Vec<InstId>,
    /// The pass of each of them.
    pub pass: Vec<Pass>,
    /// Class of each of them.
    pub class: Vec<Class>,
    /// What all microbatches together make.
    pub points: Vec<Point>,
    /// Instructions of the function's own region that are made from what the loop leaves, in order.
    pub behind: Vec<InstId>,
    /// The forward pass in order: of each position, the bytes of the whole batch that cross in front of it.
    pub crossing: Vec<u64>,
    /// Positions at which about as little crosses as anywhere, one of each run without work between.
    pub places: Vec<usize>,
    /// These and the positions at which less crosses than around them.
    pub valleys: Vec<usize>,
    /// Which of them are between segments, if that is said.
    pub between: Option<Between>,
    /// Whether there is a backward pass.
    pub trains: bool,
    /// Whether stages make copies of parameters once in a step.
    makes_copies: bool,
    /// Instructions of the forward pass, by position in a turn, that run again where the backward pass reads what they make.
    pub again: BTreeSet<usize>,
    /// For each argument of the function, whether it is trained.
    pub is_parameter: Vec<bool>,
    /// Whether each value depends on data, or on the number of the microbatch, and whether on parameters.
    pub(crate) depends: Table<ValueId, Marks>,
    /// Numbers of the microbatch.
    counters: Vec<(Pass, ValueId)>,
    /// What values of the loop that never change are outside of it; where the forward pass gathers what a pass before the step
    /// would, that of the forward pass for each value of the other.
    pub(crate) outside: BTreeMap<ValueId, ValueId>,
    /// Whether the forward pass gathers what all examples have to be seen for.
    pub(crate) gathers_forward: bool,
    /// Marks of what depends on that.
    pub(crate) late: Table<ValueId, Marks>,
    /// Where it comes from.
    trace: &'a Trace,
    /// The accumulator that each of its values before a turn, and behind all, is of.
    accumulators: BTreeMap<ValueId, usize>,
    /// Position of each instruction in `inside`.
    position: Table<InstId, Option<usize>>,
    is_behind: Table<InstId, bool>,
    pub(crate) flow: DataFlow,
}

impl<'a> Step<'a> {
    /// Takes a step apart that was cut into microbatches along `axis`; `roles` and `phases` are of what it was made from.
    ///
    /// # Errors
    /// [`Refusal::NeedsAll`].
    pub fn new(
        cut: &'a Microbatched,
        axis: &TimeAxis,
        roles: &Roles,
        phases: &Phases,
    ) -> Result<Self, Refusal> {
        let Microbatched { made: Made { function, trace }, loops } = cut;
        let is_parameter = parameters(function, roles);
        let depends = dependences(function, loops, roles, &is_parameter);
        let body = &function.body;
        let mut step = Self {
            function,
            loops: passes(body, loops, &depends)?,
            inside: Vec::new(),
            pass: Vec::new(),
            class: Vec::new(),
            points: Vec::new(),
            behind: Vec::new(),
            crossing: phases.forward.crossing.clone(),
            places: phases.forward.places.clone(),
            valleys: phases.forward.valleys.clone(),
            between: None,
            trains: !phases.gradients.is_empty(),
            makes_copies: true,
            again: BTreeSet::new(),
            is_parameter,
            depends,
            counters: Vec::new(),
            outside: BTreeMap::new(),
            gathers_forward: false,
            late: Table::filled(0, 0),
            trace,
            accumulators: BTreeMap::new(),
            position: Table::filled(None, body.insts.len()),
            is_behind: Table::filled(false, body.insts.len()),
            flow: DataFlow::default(),
        };
        for (pass, turns) in step.loops.clone() {
            let number = loops.iter().position(|own| *own == turns);
            step.enter(pass, turns, axis, number.unwrap_or(0));
        }
        step.find_behind();
        step.flow = DataFlow::new(&step);
        step.class = classes(&step, trace, phases);
        step.again = step.forms_of_keys();
        Ok(step)
    }

    /// The same with these places between its segments.
    pub fn cut_at(self, between: Option<Between>) -> Self {
        Self { between, ..self }
    }

    /// The same where programs of stages make what they read of parameters each.
    pub fn without_copies(self) -> Self {
        Self { makes_copies: false, ..self }
    }

    /// Returns whether stages make copies of parameters once in a step.
    pub(crate) fn makes_copies(&self) -> bool {
        self.makes_copies
    }

    /// Leaves of the instructions of a turn those at these positions, in this order, all of the step itself.
    pub(crate) fn keep(&mut self, kept: &[usize]) {
        self.class = kept.iter().map(|at| self.class[*at]).collect();
        self.inside = kept.iter().map(|at| self.inside[*at]).collect();
        self.pass = vec![Pass::Main; kept.len()];
        self.position = Table::filled(None, self.body().insts.len());
        for (at, inst) in self.inside.iter().enumerate() {
            self.position[*inst] = Some(at);
        }
        for index in 0..self.points.len() {
            self.points[index].next = self.same(self.points[index].next);
        }
        self.flow = DataFlow::new(self);
        self.again = self.forms_of_keys();
    }

    /// The instruction of the step as it was given that one was made for.
    pub(crate) fn origin(&self, inst: InstId) -> Option<InstId> {
        self.trace.insts[inst].map(|(_, origin)| origin)
    }

    /// Has instructions of the forward pass run again in the backward pass; they are of the function that was cut.
    pub fn make_again(&mut self, cut: &Microbatched, insts: &BTreeSet<InstId>) {
        let origin = |at: usize| cut.made.trace.insts[self.inside[at]].map(|(_, origin)| origin);
        let is_again = |at: &usize| {
            let results = &self.body().insts[self.inside[*at]].results;
            matches!(self.class[*at], Class::Forward(_))
                && !results.iter().any(|value| self.keys(*value).is_some())
                && origin(*at).is_some_and(|inst| insts.contains(&inst))
        };
        self.again.extend((0..self.inside.len()).filter(is_again).collect::<Vec<_>>());
    }

    /// The accumulator that a value is behind a turn, if it puts slices of keys side by side.
    pub(crate) fn keys(&self, value: ValueId) -> Option<usize> {
        self.points.iter().position(|point| point.by == Some(Readers::Later) && point.next == value)
    }

    /// Instructions that only bring all slices of keys into another form: where they are gathered, nothing else is kept of them.
    fn forms_of_keys(&self) -> BTreeSet<usize> {
        let keys = self.points.iter().filter(|point| point.by == Some(Readers::Later));
        let readers = keys.flat_map(|point| self.readers(point.next)).copied();
        readers.filter(|at| matches!(self.body().insts[self.inside[*at]].op, Op::Reshape(_))).collect()
    }

    /// Takes a loop apart, which is that of pass `number` of the time axis.
    fn enter(&mut self, pass: Pass, turns: InstId, axis: &TimeAxis, number: usize) {
        let body = self.body();
        let region = body.insts[turns].regions[1];
        let args = &body.regions[region].args;
        let returned = body.terminator(region).map_or(&[][..], |last| &last.operands);
        let points = axis.points.iter().filter(|point| point.pass == number).map(|point| (point.kind, None));
        let carried = axis.carried.iter().map(|(value, own)| (own.point(*value).kind, Some(own.by)));
        let kinds: Vec<(InTime, Option<Readers>)> = points.chain(carried).collect();
        self.counters.push((pass, args[0]));
        for (index, arg) in args.iter().enumerate().skip(1) {
            if returned[index] == *arg {
                self.outside.insert(*arg, body.insts[turns].operands[index]);
                continue;
            }
            let element = body.tensor(*arg).element;
            let (kind, by) = kinds.get(index - 1).copied().unwrap_or((InTime::Same, None));
            let reduction = reduction(kind, element);
            let whole = body.insts[turns].results[index];
            self.accumulators.extend([*arg, whole].map(|value| (value, self.points.len())));
            self.points.push(Point { before: *arg, next: returned[index], whole, reduction, pass, by });
        }
        let insts = &body.regions[region].insts;
        for inst in &insts[..insts.len() - 1] {
            self.position[*inst] = Some(self.inside.len());
            self.inside.push(*inst);
            self.pass.push(pass);
        }
    }

    /// The number of the microbatch in a pass.
    pub fn counter(&self, pass: Pass) -> Option<ValueId> {
        self.counters.iter().find(|(own, _)| *own == pass).map(|(_, value)| *value)
    }

    /// Whether a value is the number of the microbatch.
    pub(crate) fn is_counter(&self, value: ValueId) -> bool {
        self.counters.iter().any(|(_, own)| *own == value)
    }

    /// Returns whether there is a pass before the step itself.
    pub fn has_prepass(&self) -> bool {
        self.sees_all_first() && !self.gathers_forward
    }

    /// Returns whether all examples have to be seen before any of them is done.
    pub fn sees_all_first(&self) -> bool {
        self.loops.len() > 1
    }

    /// Returns whether the forward pass gathers what all examples have to be seen for: no backward pass begins before.
    pub fn gathers_forward(&self) -> bool {
        self.gathers_forward
    }

    /// The pass in which an accumulator is gathered.
    pub(crate) fn pass_of(&self, point: &Point) -> Pass {
        if self.gathers_forward { Pass::Main } else { point.pass }
    }

    /// The function's body.
    pub fn body(&self) -> &'a Body {
        &self.function.body
    }

    /// A value as it is called outside of the loop, if it never changes there.
    pub fn same(&self, value: ValueId) -> ValueId {
        self.outside.get(&value).copied().unwrap_or(value)
    }

    /// A value as turns of the step itself call it.
    pub fn in_turns(&self, value: ValueId) -> ValueId {
        let region = self.loops.last().map(|(_, turns)| self.body().insts[*turns].regions[1]);
        let is_carried = |inside: &ValueId| matches!(self.body().values[*inside].def, Def::Argument(own, _) if Some(own) == region);
        let mut names = self.unchanged().filter(|(inside, outside)| *outside == value && is_carried(inside));
        names.next().map_or(value, |(inside, _)| inside)
    }

    /// The values of the loop that never change there, with what they are outside of it.
    pub fn unchanged(&self) -> impl Iterator<Item = (ValueId, ValueId)> {
        self.outside.iter().map(|(inside, outside)| (*inside, *outside))
    }

    /// The values that an instruction reads, also in its regions, as they are called outside of the loop.
    pub fn reads(&self, inst: InstId) -> Vec<ValueId> {
        let read = meshwright_analyze::phases::reads(self.body(), inst);
        read.into_iter().map(|value| self.same(value)).collect()
    }

    /// Positions in a turn at which a value is read.
    pub fn readers(&self, value: ValueId) -> &[usize] {
        &self.flow.readers[value]
    }

    /// The instruction that makes a value, if one of this function's own region or of a turn does.
    pub fn maker(&self, value: ValueId) -> Option<InstId> {
        match self.body().values[value].def {
            Def::Result(inst, _) => Some(inst),
            Def::Argument(..) => None,
        }
    }

    /// Position in a turn of what makes a value, if that is not free.
    pub fn core(&self, value: ValueId) -> Option<usize> {
        let at = self.position_of(value)?;
        (self.class[at] != Class::Free).then_some(at)
    }

    /// Position in a turn of what makes a value.
    pub(crate) fn position_of(&self, value: ValueId) -> Option<usize> {
        self.position[self.maker(value)?]
    }

    /// The accumulator that a value is, before a turn or behind all.
    pub fn accumulator(&self, value: ValueId) -> Option<usize> {
        self.accumulators.get(&value).copied()
    }

    /// Returns whether an instruction is made from what the last loop leaves.
    pub fn is_behind(&self, inst: InstId) -> bool {
        self.is_behind[inst]
    }

    /// The functions's own instructions, without the loop and the terminator.
    pub(crate) fn around(&self) -> impl Iterator<Item = InstId> {
        let insts = &self.body().regions[self.body().entry()].insts;
        let is_staged = |inst: &InstId| self.loops.iter().any(|(_, turns)| turns == inst);
        insts[..insts.len() - 1].iter().copied().filter(move |inst| !is_staged(inst))
    }

    fn find_behind(&mut self) {
        let around: Vec<InstId> = self.around().collect();
        let last = self.loops.last().map(|(_, turns)| *turns);
        for inst in around {
            let is_made = |value: &ValueId| {
                self.maker(*value).is_some_and(|maker| Some(maker) == last || self.is_behind[maker])
            };
            if self.reads(inst).iter().any(is_made) {
                self.is_behind[inst] = true;
                self.behind.push(inst);
            }
        }
    }
}

/// The loops that are cut into stages; the others follow from data alone, and are free.
///
/// # Errors
/// [`Refusal::NeedsAll`]: there are more than two.
fn passes(
    body: &Body,
    loops: &[InstId],
    depends: &Table<ValueId, Marks>,
) -> Result<Vec<(Pass, InstId)>, Refusal> {
    let Some((last, others)) = loops.split_last() else { return Ok(Vec::new()) };
    let is_core = |turns: &&InstId| {
        let results = &body.insts[**turns].results;
        let region = body.insts[**turns].regions[1];
        let returned = body.terminator(region).map_or(&[][..], |last| &last.operands);
        let is_gathered = |at: usize| returned[at] != body.regions[region].args[at];
        (1..results.len()).any(|at| is_gathered(at) && depends[results[at]] == DATA | PARAMETERS)
    };
    let before: Vec<InstId> = others.iter().filter(is_core).copied().collect();
    match before[..] {
        [] => Ok(vec![(Pass::Main, *last)]),
        [first] => Ok(vec![(Pass::Before, first), (Pass::Main, *last)]),
        [_, second, ..] => Err(Refusal::NeedsAll(second)),
    }
}

/// Reduction that puts together what copies of a stage gather, each of its microbatches: where a place is filled for each
/// microbatch, the others are zero; what is the same for all is so in all copies.
fn reduction(kind: InTime, element: ElementType) -> Reduction {
    match (kind, element) {
        (InTime::Partial(reduction), _) => reduction,
        (_, ElementType::I1) => Reduction::Or,
        (InTime::Cut(_), _) => Reduction::Sum,
        // What each microbatch has its own of is gathered nowhere.
        (InTime::Same | InTime::Own, _) => Reduction::Max,
    }
}

/// Whether each argument is a tensor of real numbers that is trained. What else is updated counts steps, or scales the loss.
fn parameters(function: &Function, roles: &Roles) -> Vec<bool> {
    let is_tensor = |value: &ValueId| {
        function.body.ty(*value).as_tensor().is_some_and(|ty| ty.element.is_float() && ty.rank() > 0)
    };
    let is_trained =
        |(value, argument): (&ValueId, &Argument)| argument.role == Role::Parameter && is_tensor(value);
    function.args().iter().zip(&roles.args).map(is_trained).collect()
}

/// What every value depends on; the number of the microbatch says which data are read.
fn dependences(
    function: &Function,
    loops: &[InstId],
    roles: &Roles,
    is_parameter: &[bool],
) -> Table<ValueId, Marks> {
    let mut marks = Table::filled(0, function.body.values.len());
    for (index, value) in function.args().iter().enumerate() {
        let is_data = roles.args[index].role == Role::Data;
        marks[*value] = if is_parameter[index] { PARAMETERS } else { DATA * Marks::from(is_data) };
    }
    for turns in loops {
        let step = function.body.insts[*turns].regions[1];
        marks[function.body.regions[step].args[0]] = DATA;
    }
    downstream(&function.body, marks)
}

/// Classes of the instructions of a turn: that of the instruction that each was made for. What was made for none, as
/// what adds to an accumulator, goes with what it reads.
fn classes(step: &Step<'_>, trace: &Trace, phases: &Phases) -> Vec<Class> {
    let body = step.body();
    let mut position = BTreeMap::new();
    phases.forward.insts.iter().enumerate().for_each(|(at, inst)| {
        position.insert(*inst, at);
    });
    let mut classes: Vec<Class> = Vec::with_capacity(step.inside.len());
    for (at, inst) in step.inside.iter().enumerate() {
        let is_core = |value: &ValueId| step.depends[*value] == DATA | PARAMETERS;
        let read = step.flow.reads[at].iter().filter_map(|value| step.position_of(*value));
        let behind = read.map(|from| classes[from]).max().unwrap_or(Class::Free);
        if !body.insts[*inst].results.iter().any(is_core) {
            classes.push(Class::Free);
            continue;
        }
        let origin = trace.insts[*inst].map(|(_, origin)| origin);
        let own = match origin.map(|origin| (phases.of[origin], origin)) {
            Some((Phase::Forward, origin)) => position.get(&origin).map(|at| Class::Forward(*at)),
            Some((Phase::Turning, _)) => Some(Class::Turning),
            Some((Phase::Backward | Phase::Update, _)) => Some(Class::Backward),
            Some((Phase::Free, _)) | None => None,
        };
        classes.push(own.unwrap_or(behind).max(behind));
    }
    classes
}
