//! A training step in microbatches, taken apart: what is free, what is made for each microbatch, what is made once.

use crate::Refusal;
use crate::data_flow::DataFlow;
use meshwright_analyze::phases::{Phase, Phases};
use meshwright_analyze::roles::{DATA, PARAMETERS};
use meshwright_analyze::{Role, Roles, flow::Marks, flow::downstream};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::rewrite::Trace;
use meshwright_ir::sharding::Reduction;
use meshwright_tensor::types::ElementType;
use meshwright_transform::microbatch::Microbatched;
use meshwright_transform::time::{InTime, TimeAxis};
use std::collections::BTreeMap;

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

/// An accumulator of the loop over microbatches.
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
}

/// A step in microbatches.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// The function with its loop over microbatches, as `transform::microbatch` writes it.
    pub function: &'a Function,
    /// The loop.
    pub turns: InstId,
    /// The instructions of one turn, in order.
    pub inside: Vec<InstId>,
    /// Class of each of them.
    pub class: Vec<Class>,
    /// The number of the microbatch.
    pub counter: ValueId,
    /// What all microbatches together make.
    pub points: Vec<Point>,
    /// Instructions of the function's own region that are made from what the loop leaves, in order.
    pub behind: Vec<InstId>,
    /// The forward pass in order: of each position, the bytes of the whole batch that cross in front of it.
    pub crossing: Vec<u64>,
    /// Positions at which about as little crosses as anywhere, one of each run without work between.
    pub places: Vec<usize>,
    /// For each argument of the function whether it is trained.
    pub is_parameter: Vec<bool>,
    /// Whether each value depends on data, or on the number of the microbatch, and whether on parameters.
    pub(crate) depends: Table<ValueId, Marks>,
    /// What values of the loop that never change are outside of it.
    outside: BTreeMap<ValueId, ValueId>,
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
        let Microbatched { function, trace, loops } = cut;
        let turns = *loops.last().expect("a step has a pass over its batch");
        let body = &function.body;
        let region = body.insts[turns].regions[1];
        let args = &body.regions[region].args;
        let returned = body.terminator(region).map_or(&[][..], |last| &last.operands);
        let mut outside = BTreeMap::new();
        let mut points = Vec::new();
        let mut kinds = axis.points.iter().filter(|point| point.pass + 1 == axis.passes).map(|point| point.kind);
        for (index, arg) in args.iter().enumerate().skip(1) {
            if returned[index] == *arg {
                outside.insert(*arg, body.insts[turns].operands[index]);
            } else {
                let whole = body.insts[turns].results[index];
                let element = body.tensor(*arg).element;
                let reduction = reduction(kinds.next().unwrap_or(InTime::Same), element);
                points.push(Point { before: *arg, next: returned[index], whole, reduction });
            }
        }
        let of_point = |(index, point): (usize, &Point)| [(point.before, index), (point.whole, index)];
        let accumulators = points.iter().enumerate().flat_map(of_point).collect();
        let insts = &body.regions[region].insts;
        let inside = insts[..insts.len() - 1].to_vec();
        let mut position = Table::filled(None, body.insts.len());
        inside.iter().enumerate().for_each(|(at, inst)| position[*inst] = Some(at));
        let depends = dependences(function, args[0], roles);
        let mut step = Self {
            function,
            turns,
            class: Vec::new(),
            counter: args[0],
            points,
            behind: Vec::new(),
            crossing: phases.forward.crossing.clone(),
            places: phases.forward.places.clone(),
            is_parameter: roles.args.iter().map(|argument| argument.role == Role::Parameter).collect(),
            depends,
            outside,
            accumulators,
            position,
            is_behind: Table::filled(false, body.insts.len()),
            flow: DataFlow::default(),
            inside,
        };
        step.find_behind();
        step.flow = DataFlow::new(&step);
        step.class = classes(&step, trace, phases);
        step.must_be_free()?;
        Ok(step)
    }

    /// The function's body.
    pub fn body(&self) -> &'a Body {
        &self.function.body
    }

    /// A value as it is called outside of the loop, if it never changes there.
    pub fn same(&self, value: ValueId) -> ValueId {
        self.outside.get(&value).copied().unwrap_or(value)
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

    /// Whether an instruction is made from what the loop leaves.
    pub fn is_behind(&self, inst: InstId) -> bool {
        self.is_behind[inst]
    }

    /// The functions's own instructions, without the loop and the terminator.
    pub(crate) fn around(&self) -> impl Iterator<Item = InstId> {
        let insts = &self.body().regions[self.body().entry()].insts;
        let turns = self.turns;
        insts[..insts.len() - 1].iter().copied().filter(move |inst| *inst != turns)
    }

    fn find_behind(&mut self) {
        let around: Vec<InstId> = self.around().collect();
        for inst in around {
            let is_made = |value: &ValueId| {
                self.maker(*value).is_some_and(|maker| maker == self.turns || self.is_behind[maker])
            };
            if self.reads(inst).iter().any(is_made) {
                self.is_behind[inst] = true;
                self.behind.push(inst);
            }
        }
    }

    /// What is made before the loop, for all microbatches, must not follow from both data and parameters.
    fn must_be_free(&self) -> Result<(), Refusal> {
        let mut open: Vec<InstId> = self.inside.clone();
        let mut seen = vec![false; self.body().insts.len()];
        while let Some(inst) = open.pop() {
            for maker in self.reads(inst).into_iter().filter_map(|value| self.maker(value)) {
                use meshwright_ir::ids::Id as _;
                if self.position[maker].is_some() || maker == self.turns || seen[maker.index()] {
                    continue;
                }
                seen[maker.index()] = true;
                let both = |value: &ValueId| self.depends[*value] == DATA | PARAMETERS;
                if self.body().insts[maker].results.iter().any(both) {
                    return Err(Refusal::NeedsAll(maker));
                }
                open.push(maker);
            }
        }
        Ok(())
    }
}

/// Reduction that puts together what copies of a stage gather, each of its microbatches: where a place is filled for each
/// microbatch, the others are zero; what is the same for all is so in all copies.
fn reduction(kind: InTime, element: ElementType) -> Reduction {
    match (kind, element) {
        (InTime::Partial(reduction), _) => reduction,
        (_, ElementType::I1) => Reduction::Or,
        (InTime::Cut(_), _) => Reduction::Sum,
        (InTime::Same, _) => Reduction::Max,
    }
}

/// What every value depends on; the number of the microbatch says which data are read.
fn dependences(function: &Function, counter: ValueId, roles: &Roles) -> Table<ValueId, Marks> {
    let mut marks = Table::filled(0, function.body.values.len());
    for (value, argument) in function.args().iter().zip(&roles.args) {
        marks[*value] = match argument.role {
            Role::Data => DATA,
            Role::Parameter => PARAMETERS,
            Role::Moment { .. } | Role::Counter | Role::State => 0,
        };
    }
    marks[counter] = DATA;
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
