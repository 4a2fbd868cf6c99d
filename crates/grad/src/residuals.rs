//! Values of the forward pass where the backward pass reads them.
//!
//! The backward pass of a region is a region of its own, for which a [`Frame`] is open while it is written. A value that
//! the forward region makes is read there in one of three ways:
//!
//! - it is made again, if it follows from the counter, from constants and from what is around the loop by moving elements
//!   or element by element, or if it only moves, repeats or widens one other value;
//! - a loop stacks it: the forward loop carries a stack into which each turn writes, and each backward turn reads its part;
//! - a branch returns it, and other branches return zeros in its place.
//!
//! The last two change the forward pass behind its back, by adding to what an instruction returns. Loops inside of loops
//! need nothing more: what an inner loop has stacked is a value of the turn of the outer one, which stacks it.

use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::kernel_shape::KernelShape;
use meshwright_ir::loops::Counter;
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::dynamic_slice::DynamicSlice;
use meshwright_ir::ops::dynamic_update_slice::DynamicUpdateSlice;
use meshwright_ir::ops::reshape::Reshape;
use meshwright_ir::program::{Body, Def, Value};
use meshwright_ir::vjp::Residuals;
use meshwright_tensor::types::{TensorType, Type};
use std::collections::BTreeMap;

/// A backward region that is being written.
pub(crate) struct Frame {
    /// The forward region.
    pub(crate) forward: RegionId,
    /// The instruction that the forward region belongs to.
    pub(crate) owner: InstId,
    /// The backward region.
    pub(crate) backward: RegionId,
    /// Turns, if it is the body of a loop.
    pub(crate) turns: Option<Turns>,
    /// Values of the forward region in the backward one.
    reached: BTreeMap<ValueId, ValueId>,
    /// The values that can be made again from what is around the region and from the counter.
    remade: BTreeMap<ValueId, bool>,
}

/// The turns of a loop that is run backward.
pub(crate) struct Turns {
    /// Its counter.
    pub(crate) counter: Counter,
    /// The number of the forward turn, counted from 0, in the backward region.
    pub(crate) turn: ValueId,
    /// The same in the forward region, if it is there.
    forward: Option<ValueId>,
    /// The number of instructions at the front of the backward region behind which the next stack is read.
    front: usize,
}

impl Turns {
    /// Those of a loop whose backward body begins with `front` instructions, which make the number of the turn.
    pub(crate) fn new(counter: Counter, turn: ValueId, front: usize) -> Self {
        Self { counter, turn, forward: None, front }
    }
}

impl Frame {
    pub(crate) fn new(owner: InstId, [forward, backward]: [RegionId; 2], turns: Option<Turns>) -> Self {
        let (reached, remade) = (BTreeMap::new(), BTreeMap::new());
        Self { forward, owner, backward, turns, reached, remade }
    }
}

/// The backward regions that are open, the outermost first.
pub(crate) struct Frames {
    pub(crate) open: Vec<Frame>,
    /// Where the instructions of the forward pass stand.
    region_of: Table<InstId, RegionId>,
}

impl Residuals for Frames {
    fn reach(&mut self, body: &mut Body, value: ValueId) -> ValueId {
        let region = self.region_of(body, value);
        let at = self.open.iter().position(|frame| Some(frame.forward) == region);
        let Some(at) = at else { return value };
        if let Some(known) = self.open[at].reached.get(&value) {
            return *known;
        }
        let read = match self.made_again(body, at, value) {
            Some(made) => made,
            None if self.open[at].turns.is_some() => self.read_stack(body, at, value),
            None => {
                let result = self.returned(body, at, value);
                self.reach(body, result)
            }
        };
        self.open[at].reached.insert(value, read);
        read
    }
}

impl Frames {
    /// None yet, for the forward pass of a body.
    pub(crate) fn of(body: &Body) -> Self {
        Self { open: Vec::new(), region_of: body.region_of() }
    }

    /// Adds the instructions that a body has got, as they may be run backward too.
    pub(crate) fn add(&mut self, body: &Body) {
        self.region_of = body.region_of();
    }

    /// The region of the forward pass in which a value is made.
    pub(crate) fn region_of(&self, body: &Body, value: ValueId) -> Option<RegionId> {
        match body.values[value].def {
            Def::Argument(region, _) => Some(region),
            Def::Result(inst, _) => self.region_of.get(inst).copied(),
        }
    }

    /// A value made anew in the backward region of a frame, if that takes little.
    fn made_again(&mut self, body: &mut Body, at: usize, value: ValueId) -> Option<ValueId> {
        let Def::Result(inst, _) = body.values[value].def else {
            return self.argument_again(body, at, value);
        };
        if !self.is_made_again(body, at, value) && !self.is_form_of_one(body, at, inst) {
            return None;
        }
        let operands = body.insts[inst].operands.clone();
        let operands: Vec<ValueId> = operands.into_iter().map(|operand| self.reach(body, operand)).collect();
        let (op, ty) = (body.insts[inst].op.clone(), body.ty(value).clone());
        let mut builder = BodyBuilder::standing_for(body, inst, self.open[at].backward);
        Some(builder.emit_all(op, &operands, Vec::new(), vec![ty])[0])
    }

    /// The counter of a loop, or what it carries unchanged.
    fn argument_again(&mut self, body: &mut Body, at: usize, value: ValueId) -> Option<ValueId> {
        let Def::Argument(_, index) = body.values[value].def else { return None };
        let frame = &self.open[at];
        let turns = frame.turns.as_ref()?;
        if index == turns.counter.index {
            let (start, step, turn) = (turns.counter.start, turns.counter.step, turns.turn);
            let element = body.tensor(value).element;
            let mut builder = BodyBuilder::standing_for(body, frame.owner, frame.backward);
            let ty = builder.ty(turn);
            let scaled = if step == 1 { turn } else { with(&mut builder, Binary::Multiply, turn, &ty, step) };
            let count = if start == 0 { scaled } else { with(&mut builder, Binary::Add, scaled, &ty, start) };
            return Some(builder.convert(count, element));
        }
        let owner = frame.owner;
        is_unchanged(body, owner, index).then(|| {
            let init = body.insts[owner].operands[index];
            self.reach(body, init)
        })
    }

    /// Whether a value follows, by moving elements or element by element, from what needs not be kept.
    fn is_made_again(&mut self, body: &Body, at: usize, value: ValueId) -> bool {
        let frame = &self.open[at];
        if self.region_of(body, value) != Some(frame.forward) {
            return true;
        }
        if let Some(known) = frame.remade.get(&value) {
            return *known;
        }
        let is_so = match body.values[value].def {
            Def::Argument(_, index) => frame
                .turns
                .as_ref()
                .is_some_and(|turns| index == turns.counter.index || is_unchanged(body, frame.owner, index)),
            Def::Result(inst, _) => {
                is_light(body, inst)
                    && body.insts[inst].operands.iter().all(|operand| self.is_made_again(body, at, *operand))
            }
        };
        self.open[at].remade.insert(value, is_so);
        is_so
    }

    /// Whether an instruction gives one value that is not made again in another form: moved, if it does not become
    /// smaller by that, or with longer elements.
    fn is_form_of_one(&mut self, body: &Body, at: usize, inst: InstId) -> bool {
        if !is_light(body, inst) {
            return false;
        }
        let view = body.view(inst);
        let operands = view.inst.operands.iter();
        let kept: Vec<ValueId> =
            operands.copied().filter(|operand| !self.is_made_again(body, at, *operand)).collect();
        let [one] = kept[..] else { return false };
        let [before, after] = [one, view.inst.results[0]].map(|value| body.ty(value).num_bytes());
        if view.inst.op.is_elementwise() { before < after } else { before <= after }
    }

    /// The part of this turn of what a loop stacks of a value. It is read at the front of the turn, as JAX's `scan` does,
    /// so that kernels find all that they need wherever in the turn they are to run.
    fn read_stack(&mut self, body: &mut Body, at: usize, value: ValueId) -> ValueId {
        let stack = self.stacked(body, at, value);
        let stack = self.reach(body, stack);
        let frame = &self.open[at];
        let turn = frame.turns.as_ref().expect("only loops stack").turn;
        let ty = body.tensor(value).clone();
        let num_before = body.regions[frame.backward].insts.len();
        let mut builder = BodyBuilder::standing_for(body, frame.owner, frame.backward);
        let zero = zero_like(&mut builder, turn);
        let operands: Vec<ValueId> = [stack, turn].into_iter().chain(ty.shape.iter().map(|_| zero)).collect();
        let sizes: Vec<usize> = [1].iter().chain(&ty.shape).copied().collect();
        let part = TensorType::new(sizes.clone(), ty.element);
        let part = builder.emit(DynamicSlice { sizes }, &operands, part);
        let read = builder.emit(Reshape, &[part], ty);
        let frame = &mut self.open[at];
        let turns = frame.turns.as_mut().expect("only loops stack");
        let insts = &mut body.regions[frame.backward].insts;
        let num_made = insts.len() - num_before;
        insts[turns.front..].rotate_right(num_made);
        turns.front += num_made;
        read
    }

    /// The stack of a value of all turns, a result that is added to the forward loop.
    fn stacked(&mut self, body: &mut Body, at: usize, value: ValueId) -> ValueId {
        let turn = self.forward_turn(body, at);
        let frame = &self.open[at];
        let (owner, step) = (frame.owner, frame.forward);
        let num_turns = frame.turns.as_ref().expect("only loops stack").counter.trip_count as usize;
        let ty = body.tensor(value).clone();
        let sizes: Vec<usize> = [1].iter().chain(&ty.shape).copied().collect();
        let part = TensorType::new(sizes.clone(), ty.element);
        let stack = TensorType::new([&[num_turns], &sizes[1..]].concat(), ty.element);
        let around = self.region_of[owner];
        let init = before(body, around, owner, |b| b.splat(stack.clone(), 0.0));
        let condition = body.insts[owner].regions[0];
        let span = body.insts[owner].span;
        let [_, arg] = [condition, step].map(|region| body.add_arg(region, stack.clone().into(), span));
        let end = *body.regions[step].insts.last().expect("a region ends");
        let next = before(body, step, end, |b| {
            let zero = zero_like(b, turn);
            let part = b.emit(Reshape, &[value], part);
            let operands: Vec<ValueId> =
                [arg, part, turn].into_iter().chain(ty.shape.iter().map(|_| zero)).collect();
            b.emit(DynamicUpdateSlice, &operands, stack.clone())
        });
        body.insts[end].operands.push(next);
        body.insts[owner].operands.push(init);
        add_result(body, owner, stack.into())
    }

    /// The number of the turn in the forward region, counted from 0.
    fn forward_turn(&mut self, body: &mut Body, at: usize) -> ValueId {
        let frame = &mut self.open[at];
        let step = frame.forward;
        let turns = frame.turns.as_mut().expect("only loops have turns");
        if let Some(known) = turns.forward {
            return known;
        }
        let (start, by) = (turns.counter.start, turns.counter.step);
        let element = body.tensor(turns.turn).element;
        let count = body.regions[step].args[turns.counter.index];
        let end = *body.regions[step].insts.last().expect("a region ends");
        let turn = before(body, step, end, |b| {
            let count = b.convert(count, element);
            let ty = b.ty(count);
            let above = if start == 0 { count } else { with(b, Binary::Subtract, count, &ty, start) };
            if by == 1 { above } else { with(b, Binary::Divide, above, &ty, by) }
        });
        turns.forward = Some(turn);
        turn
    }

    /// A value of a branch, as a result that is added to the instruction.
    fn returned(&mut self, body: &mut Body, at: usize, value: ValueId) -> ValueId {
        let (owner, taken) = (self.open[at].owner, self.open[at].forward);
        let ty = body.tensor(value).clone();
        for region in body.insts[owner].regions.clone() {
            let end = *body.regions[region].insts.last().expect("a region ends");
            let returned = match region == taken {
                true => value,
                false => before(body, region, end, |b| b.splat(ty.clone(), 0.0)),
            };
            body.insts[end].operands.push(returned);
        }
        add_result(body, owner, ty.into())
    }
}

/// Whether an instruction only moves elements, makes them from nothing, or makes each from those at its place.
fn is_light(body: &Body, inst: InstId) -> bool {
    let inst = &body.insts[inst];
    if !inst.regions.is_empty() || inst.results.len() != 1 || inst.op.has_side_effects() {
        return false;
    }
    let types = |values: &[ValueId]| values.iter().map(|value| body.ty(*value).clone()).collect::<Vec<_>>();
    let kernel = inst.op.kernel(&types(&inst.operands), &types(&inst.results));
    matches!(kernel, KernelShape::Elementwise | KernelShape::Move | KernelShape::Nothing)
        && !matches!(inst.op, Op::CustomCall(_) | Op::Rng(_))
}

/// Whether a loop carries a value unchanged.
fn is_unchanged(body: &Body, owner: InstId, index: usize) -> bool {
    let step = body.insts[owner].regions[1];
    let returned = body.terminator(step).map(|end| end.operands[index]);
    returned == Some(body.regions[step].args[index])
}

/// Adds a result to an instruction.
fn add_result(body: &mut Body, inst: InstId, ty: Type) -> ValueId {
    let (index, span) = (body.insts[inst].results.len(), body.insts[inst].span);
    let value = body.values.push(Value { ty, def: Def::Result(inst, index), span });
    body.insts[inst].results.push(value);
    value
}

/// Makes instructions that stand before another one of a region.
fn before<T>(
    body: &mut Body,
    region: RegionId,
    at: InstId,
    make: impl FnOnce(&mut BodyBuilder<'_>) -> T,
) -> T {
    let num_before = body.regions[region].insts.len();
    let made = make(&mut BodyBuilder::standing_for(body, at, region));
    let insts = &mut body.regions[region].insts;
    let num_made = insts.len() - num_before;
    let position = insts.iter().position(|inst| *inst == at).expect("it stands in the region");
    insts[position..].rotate_right(num_made);
    made
}

/// A scalar combined with a number.
pub(crate) fn with(
    builder: &mut BodyBuilder<'_>,
    op: Binary,
    value: ValueId,
    ty: &TensorType,
    number: i64,
) -> ValueId {
    let number = builder.splat(ty.clone(), number as f64);
    builder.binary(op, value, number)
}

fn zero_like(builder: &mut BodyBuilder<'_>, value: ValueId) -> ValueId {
    let ty = builder.ty(value);
    builder.splat(ty, 0.0)
}
