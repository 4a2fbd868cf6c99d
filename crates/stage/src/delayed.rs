//! Weights of earlier steps: schedules in which microbatches pass through the stages before the step before has updated them.
//!
//! Input: a step in stages and which weights its microbatches read ([`Weights`]). Output: [`Delayed`], what each parameter is
//! read as, and the step as one function of one device ([`emulated`]), which is what the stages have to equal. Parameters that
//! are updated keep being those of this step; what forward and backward passes read are arguments of their own, behind all
//! others, each with a result that takes its place: the parameter as it was in the step before, and the one before that.
//!
//! With the weights `w(t)` of step `t`, gradients are those at
//!
//! - `w(t-1)`, for weights in two buffers (PipeDream-2BW: Narayanan and others, 2021);
//! - `w(t-1)` for the microbatches that a stage has in flight when it updates, `w(t)` for the others, for weights that are kept
//!   for each microbatch in flight (PipeDream: Narayanan and others, 2019): with 1F1B these are the first `P-1-s` of stage `s` of
//!   `P`, and a parameter that several stages read is read as in the first of them;
//! - `w(t-1) + (w(t-1) - w(t-2))`, for weights that are predicted from their last change (as SpecTrain: Chen and others, 2019).

use crate::{Staged, Step};
use meshwright_analyze::roles::PARAMETERS;
use meshwright_ir::attribute::Attr;
use meshwright_ir::build::Builder as _;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::location::Location;
use meshwright_ir::op::Op;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::program::{Function, InstView};
use meshwright_ir::rewrite::{Rewriter, Unchanged};
use meshwright_tensor::types::{ElementType, TensorType};
use std::collections::BTreeMap;

/// Weights that forward and backward passes read, where they are not those of the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// Those of the step before.
    DoubleBuffered,
    /// Those of the step before, for microbatches that are in flight when a stage updates.
    Stashed,
    /// Those of the step before, with what they changed by in it once more.
    Predicted,
}

impl Weights {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::DoubleBuffered, Self::Stashed, Self::Predicted];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::DoubleBuffered => "double-buffered",
            Self::Stashed => "stashed",
            Self::Predicted => "predicted",
        }
    }

    /// Number of earlier steps whose weights are kept.
    pub fn depth(self) -> usize {
        match self {
            Self::DoubleBuffered | Self::Stashed => 1,
            Self::Predicted => 2,
        }
    }
}

/// Weights of earlier steps that a step reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delayed {
    /// Which.
    pub weights: Weights,
    /// Parameters that are read so, each with how many microbatches read it as it was in the step before, if not all do.
    pub parameters: BTreeMap<usize, Option<usize>>,
    /// Number of arguments of the step.
    arguments: usize,
    /// Number of its results.
    results: usize,
}

impl Delayed {
    /// Parameters of a step with what they are read as.
    pub fn of(step: &Step<'_>, staged: &Staged, weights: Weights) -> Self {
        let readers = staged.update.readers.iter().enumerate();
        let ahead = |first: usize| (weights == Weights::Stashed).then_some(staged.count - 1 - first);
        let parameters = readers.filter_map(|(index, own)| Some((index, ahead(*own.first()?))));
        Self {
            weights,
            // What no microbatch in flight reads is as it is.
            parameters: parameters.filter(|(_, ahead)| *ahead != Some(0)).collect(),
            arguments: step.function.args().len(),
            results: step.function.returned().len(),
        }
    }

    /// How a parameter is read, if not as it is.
    pub(crate) fn read(&self, index: usize) -> Option<Option<usize>> {
        self.parameters.get(&index).copied()
    }

    /// The parameters as they were in earlier steps: argument, and how many steps before.
    pub fn earlier(&self) -> impl Iterator<Item = (usize, usize)> {
        let depths = 1..=self.weights.depth();
        self.parameters.keys().flat_map(move |index| depths.clone().map(|depth| (*index, depth)))
    }

    /// Number of an earlier parameter among all arguments of the step.
    pub fn argument(&self, earlier: (usize, usize)) -> usize {
        self.arguments + self.place(earlier)
    }

    /// Number of the result that takes its place.
    pub fn result(&self, earlier: (usize, usize)) -> usize {
        self.results + self.place(earlier)
    }

    fn place(&self, earlier: (usize, usize)) -> usize {
        self.earlier().position(|own| own == earlier).expect("it is an earlier parameter")
    }

    /// Writes what a parameter is read as, of it and of it in earlier steps; also what is made on the way.
    pub(crate) fn written(
        &self,
        rewriter: &mut Rewriter<'_>,
        region: RegionId,
        (index, parameter): (usize, ValueId),
        earlier: &[ValueId],
        counter: Option<ValueId>,
    ) -> Vec<ValueId> {
        let mut build = rewriter.build(region, Span::NONE);
        match (self.weights, self.read(index).flatten(), counter, earlier) {
            (Weights::Predicted, _, _, [before, first, ..]) => {
                let change = build.minus(*before, *first);
                vec![build.plus(*before, change), change]
            }
            (_, Some(ahead), Some(counter), [before, ..]) => {
                let limit = build.splat(TensorType::scalar(ElementType::I32), ahead as f64);
                let is_ahead = build.compare(Direction::Less, counter, limit);
                vec![build.choose(is_ahead, *before, parameter)]
            }
            (_, _, _, [before, ..]) => vec![*before],
            _ => vec![parameter],
        }
    }
}

/// The step as one device computes it, with arguments and results for the parameters of earlier steps: microbatches one after the
/// other, each with the weights that it reads, and the update behind them. `next` are the results that take the place of its
/// arguments.
pub fn emulated(step: &Step<'_>, delayed: &Delayed, next: &[Option<usize>]) -> Function {
    let body = step.body();
    let mut rewriter = Rewriter::new(body);
    let entry = rewriter.to.entry();
    let mut function =
        Function { arg_attributes: step.function.arg_attributes.clone(), ..step.function.clone() };
    let mut earlier = BTreeMap::new();
    for own in delayed.earlier() {
        let value = step.function.args()[own.0];
        let arg = rewriter.to.add_arg(entry, body.ty(value).clone(), Span::NONE);
        earlier.insert(own, arg);
    }
    let args = rewriter.to.regions[entry].args.len();
    let names = &body.regions[body.entry()].arg_locations;
    let mut locations = names.clone();
    locations.resize(step.function.args().len(), None);
    for (index, depth) in delayed.earlier() {
        let name = match names.get(index).and_then(|location| location.as_deref()) {
            Some(Location::Name { name, .. }) if !name.is_empty() => name.to_string(),
            _ => format!("arg{index}"),
        };
        let name = format!("{name}, {depth} before");
        locations.push(Some(Location::Name { name: name.as_str().into(), child: None }.into()));
    }
    rewriter.to.regions[entry].arg_locations = locations;
    let around: Vec<InstId> = step.around().filter(|inst| is_of_parameters(step, *inst)).collect();
    let mut edit = |rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId| {
        if step.loops.iter().any(|(_, turns)| *turns == view.id) {
            turns(step, delayed, &earlier, &around, rewriter, view, to);
            return true;
        }
        if matches!(view.inst.op, Op::Return(_)) && to == entry {
            let mut returned = rewriter.values(&view.inst.operands);
            let before = delayed.earlier().map(|(index, depth)| match depth {
                1 => rewriter.value(step.function.args()[index]),
                depth => earlier[&(index, depth - 1)],
            });
            returned.extend(before.collect::<Vec<ValueId>>());
            rewriter.append(view.id, returned, Vec::new(), to);
            return true;
        }
        false
    };
    rewriter.walk(body.entry(), entry, &mut edit);
    let state = next.iter().copied().chain(delayed.earlier().map(|own| Some(delayed.result(own))));
    function.arg_attributes.resize(args, Default::default());
    for (attributes, next) in function.arg_attributes.iter_mut().zip(state) {
        if let Some(next) = next {
            attributes.set("tf.aliasing_output", Attr::i32(next as i32));
        }
    }
    let types = delayed.earlier().map(|(index, _)| body.ty(step.function.args()[index]).clone());
    function.result_types.extend(types);
    function.result_attributes.resize(function.result_types.len(), Default::default());
    function.result_spans = Vec::new();
    Function { body: rewriter.finish().body, ..function }
}

/// Whether an instruction around the loop is made of parameters alone, as in another type: turns make it of what they read.
fn is_of_parameters(step: &Step<'_>, inst: InstId) -> bool {
    let results = &step.body().insts[inst].results;
    !step.is_behind(inst) && results.iter().any(|result| step.depends[*result] & PARAMETERS != 0)
}

/// The turns of a loop, each with the weights that it reads.
fn turns(
    step: &Step<'_>,
    delayed: &Delayed,
    earlier: &BTreeMap<(usize, usize), ValueId>,
    around: &[InstId],
    rewriter: &mut Rewriter<'_>,
    view: &InstView<'_>,
    to: RegionId,
) {
    let operands = rewriter.values(&view.inst.operands);
    let [condition, turn] = view.inst.regions[..] else { unreachable!("a loop has two regions") };
    let own_condition = rewriter.region_like(condition);
    rewriter.walk(condition, own_condition, &mut Unchanged);
    let own_turn = rewriter.region_like(turn);
    let known = rewriter.map.clone();
    let counter = rewriter.value(step.body().regions[turn].args[0]);
    for index in delayed.parameters.keys() {
        let value = step.function.args()[*index];
        let before: Vec<ValueId> =
            (1..=delayed.weights.depth()).map(|depth| earlier[&(*index, depth)]).collect();
        let own = (*index, rewriter.value(value));
        let read = delayed.written(rewriter, own_turn, own, &before, Some(counter));
        rewriter.stand_for(value, read[0]);
    }
    // What stands behind the loop in the text is for the update.
    let is_before =
        |inst: &&InstId| step.body().insts[**inst].results.iter().all(|result| known[*result].is_some());
    let before: Vec<InstId> = around.iter().filter(is_before).copied().collect();
    rewriter.walk_each(&before, own_turn, &mut Unchanged);
    for arg in &step.body().regions[turn].args {
        let outside = step.same(*arg);
        let is_other = outside != *arg && rewriter.map[outside] != known[outside];
        if let Some(there) = rewriter.map[outside].filter(|_| is_other) {
            rewriter.stand_for(*arg, there);
        }
    }
    // What never changes is handed on as it is.
    let carried: Vec<ValueId> = rewriter.to.regions[own_turn].args.clone();
    let mut give_back = |rewriter: &mut Rewriter<'_>, view: &InstView<'_>, region: RegionId| {
        let is_last = region == own_turn && matches!(view.inst.op, Op::Return(_));
        if is_last {
            let args = &step.body().regions[turn].args;
            let given = view.inst.operands.iter().zip(args.iter().zip(&carried));
            let given =
                given.map(|(value, (arg, own))| if value == arg { *own } else { rewriter.value(*value) });
            let given: Vec<ValueId> = given.collect();
            rewriter.append(view.id, given, Vec::new(), region);
        }
        is_last
    };
    rewriter.walk(turn, own_turn, &mut give_back);
    rewriter.map = known;
    rewriter.append(view.id, operands, vec![own_condition, own_turn], to);
}
