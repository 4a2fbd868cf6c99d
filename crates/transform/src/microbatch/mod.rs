//! A step in microbatches: the same function, with a loop over parts of its batch.
//!
//! Input: a function and its [`TimeAxis`]. Output: a function that computes the same, one `while` for each pass over the
//! batch. What is the same for all microbatches is computed before the loop and carried through it; what is cut is
//! computed in each turn, on the examples `m`, `m + n`, ...; what is partial is added to accumulators, which start from
//! the neutral element and are at least `f32` where the contributions are narrower floats; what converts such a sum reads
//! it as it was added up (`wide`).
//!
//! ```text
//! %w, %x: 8x4                          loop over m (2 turns), carrying %w, %x and %sum = 0
//!   %y = dot %x, %w                      %part = %x in rows m, m + 2, m + 4, m + 6
//!   %g = sum of %y over the batch        %y = dot %part, %w;  %sum += sum of %y
//!   %u = %w - %g                       %u = %w - %sum
//! ```
//!
//! How one instruction looks on a part of the batch is asked of its own file, as for devices (`OpDef::localize`).

mod closure;
mod inside;
mod local;
mod parts;
mod points;
mod wide;

use crate::made::Made;
use crate::normal::needed;
use crate::time::sequence::Carried;
use crate::time::{Point, TimeAxis, TimeRefusal};
use crate::turns::{self, region_like};
use inside::{Carrying, Inside};
use meshwright_ir::build::Builder as _;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::op::DataFlow;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::return_::Return;
use meshwright_ir::ops::while_::While;
use meshwright_ir::program::{Function, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, Rewritten, Unchanged};
use meshwright_tensor::types::{ElementType, TensorType, Type};
use std::collections::BTreeSet;
use wide::Wide;

/// Type of the number of the microbatch.
const COUNTER: ElementType = ElementType::I32;

/// A step in microbatches.
#[derive(Clone, Debug)]
pub struct Microbatched {
    /// The function, and where it comes from.
    pub made: Made,
    /// The loop of each pass over the batch.
    pub loops: Vec<InstId>,
}

/// Cuts a function along its time axis.
///
/// # Errors
/// An instruction that needs something of other microbatches.
pub fn in_microbatches(function: &Function, axis: &TimeAxis) -> Result<Microbatched, TimeRefusal> {
    let body = &function.body;
    let mut rewriter = Rewriter::new(body);
    let entry = rewriter.to.entry();
    let mut outside = Outside { axis, wide: Wide::of(function, axis) };
    let mut loops = Vec::new();
    for pass in 0..axis.passes {
        let points: Vec<Point> = axis.points.iter().filter(|point| point.pass == pass).copied().collect();
        loops.push(Pass { function, axis, pass, points }.write(&mut rewriter, &mut outside)?);
    }
    let effects = closure::effects(function);
    let read = effects.iter().flat_map(|inst| body.insts[*inst].operands.iter().copied());
    let wanted: Vec<ValueId> = function.returned().iter().copied().chain(read).collect();
    let mut rest: BTreeSet<InstId> =
        closure::outside(function, axis, &rewriter, &wanted).into_iter().collect();
    rest.extend(effects);
    rewriter.walk_each(&closure::in_order(body, &rest), entry, &mut outside);
    if let Some(last) = body.regions[body.entry()].insts.last() {
        rewriter.walk_each(&[*last], entry, &mut Unchanged);
    }
    let written = Microbatched { made: Made::of(function, rewriter.finish()), loops };
    Ok(if axis.passes > 1 { written.without_others(axis) } else { written })
}

impl Microbatched {
    /// The same without what loops over layers carry in one pass for readers in others.
    fn without_others(self, axis: &TimeAxis) -> Self {
        let Self { made: Made { function, trace: before }, loops } = self;
        let Rewritten { body, values, trace } = needed(&function.body);
        let points = |pass: usize| axis.points.iter().filter(|point| point.pass == pass).count();
        let results = |turns: &InstId| &function.body.insts[*turns].results;
        let are_there = |(pass, turns): (usize, &InstId)| {
            results(turns)[..=points(pass)].iter().all(|result| values[*result].is_some())
        };
        if !loops.iter().enumerate().all(are_there) {
            return Self { made: Made { function, trace: before }, loops };
        }
        let new = |turns: &InstId| values[results(turns)[0]].and_then(|result| closure::maker(&body, result));
        let loops = loops.iter().filter_map(new).collect();
        let trace = trace.behind(&before);
        Self { made: Made { function: function.with_body(body), trace }, loops }
    }
}

/// Copies what stands outside of all loops.
struct Outside<'a> {
    axis: &'a TimeAxis,
    wide: Wide,
}

impl Edit for Outside<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        self.wide.write(rewriter, view, to) || self.hands_on(rewriter, view, to)
    }
}

impl Outside<'_> {
    /// What hands on operands side by side, some of them in the loop, is not needed for the others.
    fn hands_on(&self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let is_there = |value: &ValueId| rewriter.map[*value].is_some();
        let is_identity = view.inst.op.traits().data_flow == DataFlow::Identity;
        let is_outside = |value: &ValueId| !self.axis.states[*value].is_inside;
        let is_whole = view.inst.operands.iter().all(is_there) && view.inst.results.iter().all(is_outside);
        if to != rewriter.to.entry() || !is_identity || is_whole {
            return false;
        }
        for (operand, result) in view.inst.operands.iter().zip(&view.inst.results) {
            if is_outside(result)
                && let Some(there) = rewriter.map[*operand]
            {
                rewriter.stand_for(*result, there);
            }
        }
        true
    }
}

/// One pass over the batch.
struct Pass<'a> {
    function: &'a Function,
    axis: &'a TimeAxis,
    pass: usize,
    points: Vec<Point>,
}

impl Pass<'_> {
    /// Writes all that the pass needs, its loop, and what that leaves; returns the loop.
    fn write(&self, rewriter: &mut Rewriter<'_>, rest: &mut Outside<'_>) -> Result<InstId, TimeRefusal> {
        let (function, axis, entry) = (self.function, self.axis, rewriter.to.entry());
        let closure::Needs { insts, made, outside } = closure::of_pass(function, axis, self.pass);
        let before = closure::outside(function, axis, rewriter, &outside);
        rewriter.walk_each(&before, entry, rest);
        let first = rewriter.build(entry, Span::NONE).splat(TensorType::scalar(COUNTER), 0.0);
        let mut init = vec![first];
        for point in &self.points {
            init.push(points::start(point, axis, &function.body, rewriter));
        }
        let first_carried = init.len();
        for (value, carried) in self.carried() {
            init.push(points::start(&carried.point(value), axis, &function.body, rewriter));
        }
        let step = region_like(&mut rewriter.to, &init);
        let before = rewriter.to.regions[step].args[first_carried..].to_vec();
        let mut inside = Inside::new(&function.body, axis, rewriter, step, init, made);
        let carried = self.carried().zip(before);
        inside.carried = carried.map(|((value, own), before)| (value, Carrying::new(own, before))).collect();
        rewriter.walk_each(&insts, step, &mut inside);
        if let Some(inst) = inside.refused() {
            return Err(TimeRefusal::Whole(inst));
        }
        let next = self.turn(rewriter, &mut inside);
        let turns = self.close(rewriter, inside, next);
        let results = rewriter.to.insts[turns].results.clone();
        for (point, result) in self.points.iter().zip(&results[1..]) {
            self.end(rewriter, point, *result, &mut rest.wide);
        }
        Ok(turns)
    }

    /// The next counter, and each point with what this turn adds to it.
    fn turn(&self, rewriter: &mut Rewriter<'_>, inside: &mut Inside<'_>) -> Vec<ValueId> {
        let step = inside.step();
        let counter = rewriter.to.regions[step].args[0];
        let mut next = vec![rewriter.build(step, Span::NONE).with_number(Binary::Add, counter, 1)];
        for (index, point) in self.points.iter().enumerate() {
            let before = rewriter.to.regions[step].args[1 + index];
            let part = inside.made(point.value);
            next.push(points::turn(
                point,
                self.axis,
                before,
                part,
                counter,
                &mut rewriter.build(step, Span::NONE),
            ));
        }
        for (index, (value, _)) in self.carried().enumerate() {
            // What this pass has no need of stays as it is.
            let before = rewriter.to.regions[step].args[1 + self.points.len() + index];
            next.push(inside.carried.get(&value).and_then(|carrying| carrying.next).unwrap_or(before));
        }
        next
    }

    /// What slices of a sequence read of one another.
    fn carried(&self) -> impl Iterator<Item = (ValueId, Carried)> {
        self.axis.carried.iter().map(|(value, carried)| (*value, *carried))
    }

    /// Ends the loop's body and makes the loop. Values that it only reads were added behind the accumulators.
    fn close(&self, rewriter: &mut Rewriter<'_>, inside: Inside<'_>, mut next: Vec<ValueId>) -> InstId {
        let (step, init) = (inside.step(), inside.init);
        next.extend_from_slice(&rewriter.to.regions[step].args[next.len()..]);
        rewriter.build(step, Span::NONE).emit_all(Return::Stablehlo, &next, Vec::new(), Vec::new());
        let condition = turns::condition(rewriter, &init, self.axis.count);
        let types: Vec<Type> = init.iter().map(|value| rewriter.to.ty(*value).clone()).collect();
        let entry = rewriter.to.entry();
        rewriter.to.append(entry, While.into(), init, vec![condition, step], types, Span::NONE)
    }

    /// What a loop leaves of a point becomes the value itself, and has its name.
    fn end(&self, rewriter: &mut Rewriter<'_>, point: &Point, result: ValueId, wide: &mut Wide) {
        if let Some(inst) = closure::maker(&self.function.body, point.value) {
            let entry = rewriter.to.entry();
            rewriter.walk_each(&[inst], entry, &mut End { point, result, wide });
        }
    }
}

/// The end of a point, told to the rewriter where its instruction is dealt with.
struct End<'a> {
    point: &'a Point,
    result: ValueId,
    wide: &'a mut Wide,
}

impl Edit for End<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        if self.wide.ends(rewriter, self.point.value, self.result) {
            return true;
        }
        let ty = view.body.tensor(self.point.value).clone();
        let mut builder = rewriter.build(to, view.inst.span);
        let whole = points::whole(self.point, self.result, &ty, &mut builder);
        rewriter.stand_for_own(self.point.value, whole);
        true
    }
}
