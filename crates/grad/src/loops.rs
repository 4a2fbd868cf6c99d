//! The backward pass of a loop: a loop over the same turns, the last one first.
//!
//! ```text
//! while(%i = 0, %x = %h) of 4              while(%j = 0, %dx = %dy, %dws = 0) of 4      of turn t = 3 - %j
//!   %w = dynamic_slice %ws, %i               %dw, %dx = backward pass of the body
//!   %x = f(%w, %x)                           %dws = dynamic_update_slice %dws, %dw, t
//! ```
//!
//! Cotangents of what the turns hand on are carried; those of what all turns read (values from around the loop, and what
//! it carries unchanged) are added up from zero; of a stack of which each turn writes a part, each backward turn reads its
//! part.

use crate::backward::Backward;
use crate::residuals::{Frame, Turns, with};
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::loops::{Access, Counter, Scan, Way, scan, trip_count};
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::ops::return_::Return;
use meshwright_ir::ops::while_::While;
use meshwright_ir::program::{Body, Region};
use meshwright_ir::vjp::Sofar;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// A cotangent that a backward loop carries.
struct Carried {
    /// The value that the forward body takes it of, whose cotangent each backward turn leaves behind.
    inside: ValueId,
    /// The value before the loop that it is the cotangent of in the end.
    outside: ValueId,
    /// What the forward body hands on for it, if it is not the same in all turns.
    next: Option<ValueId>,
    /// What the backward loop begins with.
    init: ValueId,
    /// The instruction that reads a part of it that no other turn reads.
    read_by: Option<InstId>,
}

impl Backward {
    pub(crate) fn through_loop(&mut self, inst: InstId, cotangents: &[Option<ValueId>], to: RegionId) {
        if trip_count(self.body.view(inst)) == Some(0) {
            let inits = self.body.insts[inst].operands.clone();
            for (init, cotangent) in inits.into_iter().zip(cotangents) {
                cotangent.iter().for_each(|cotangent| self.give(init, *cotangent, inst, to));
            }
            return;
        }
        let Some(found) = scan(self.body.view(inst)) else {
            let span = self.body.insts[inst].span;
            return self.refuse(span, "`stablehlo.while` runs an unknown number of turns".to_owned());
        };
        let counter = found.counter;
        let carried = self.carried(inst, &found, cotangents, to);
        if carried.is_empty() {
            return;
        }
        let step = self.backward_step(inst, counter, &carried);
        let sums = self.backward_loop(inst, counter, &carried, step, to);
        for (carried, sum) in carried.iter().zip(sums) {
            self.give(carried.outside, sum, inst, to);
        }
    }

    /// Cotangents that the backward loop carries. Those of what the loop carries unchanged, or only writes stack by
    /// stack, are dealt with.
    fn carried(
        &mut self,
        inst: InstId,
        found: &Scan,
        cotangents: &[Option<ValueId>],
        to: RegionId,
    ) -> Vec<Carried> {
        let view = self.body.view(inst);
        let (inits, args, next) =
            (view.inst.operands.clone(), view.region(1).args.clone(), view.returned(1).to_vec());
        let captured = view.captured();
        let mut carried = Vec::new();
        for index in 0..inits.len() {
            let (init, arg) = (inits[index], args[index]);
            if !self.activity.is_varied(arg) {
                continue;
            }
            let cotangent = cotangents[index];
            if next[index] == arg {
                cotangent.iter().for_each(|cotangent| self.give(init, *cotangent, inst, to));
                carried.extend(self.summed(arg, init, found, to));
            } else if is_written_from_nothing(found, index) && !self.activity.is_varied(init) {
                self.activity.leave_out(arg);
                if let Some(sum) = cotangent {
                    self.sofar.insert(next[index], Sofar { sum, zero_at: None });
                }
            } else if cotangent.is_some() || self.activity.is_active(arg) {
                let begin = cotangent.unwrap_or_else(|| self.splat_like(to, init, 0.0));
                let next = Some(next[index]);
                carried.push(Carried { inside: arg, outside: init, next, init: begin, read_by: None });
            }
        }
        for value in captured {
            carried.extend(self.summed(value, value, found, to));
        }
        carried
    }

    /// The cotangent of what all turns read, if it is wanted.
    fn summed(&mut self, inside: ValueId, outside: ValueId, found: &Scan, to: RegionId) -> Option<Carried> {
        if !self.activity.is_active(inside) {
            return None;
        }
        let mut reads = found.accesses.iter().filter(|access| access.stack == inside);
        let read_by = match (reads.next(), reads.next()) {
            (Some(only), None) if is_apart(only) => Some(only.inst),
            _ => None,
        };
        let init = self.splat_like(to, outside, 0.0);
        Some(Carried { inside, outside, next: None, init, read_by })
    }

    /// The body of the backward loop.
    fn backward_step(&mut self, inst: InstId, counter: Counter, carried: &[Carried]) -> RegionId {
        let forward = self.body.insts[inst].regions[1];
        let insts = self.body.regions[forward].insts.clone();
        let number = turn_type(self.body.tensor(self.body.regions[forward].args[counter.index]));
        let (step, args) = region(&mut self.body, &number, carried);
        let last = counter.trip_count as i64 - 1;
        let mut builder = BodyBuilder::standing_for(&mut self.body, inst, step);
        let end = builder.splat(number.clone(), last as f64);
        let turn = builder.binary(Binary::Subtract, end, args[0]);
        let front = builder.body.regions[step].insts.len();
        // Cotangents that values of the loop's surroundings have already are set aside.
        let mut aside = Vec::new();
        for (carried, arg) in carried.iter().zip(&args[1..]).filter(|(carried, _)| carried.next.is_none()) {
            let sum = Sofar { sum: *arg, zero_at: carried.read_by };
            aside.push((carried.inside, self.sofar.insert(carried.inside, sum)));
        }
        for (carried, arg) in carried.iter().zip(&args[1..]) {
            carried.next.iter().for_each(|next| self.give(*next, *arg, inst, step));
        }
        let turns = Turns::new(counter, turn, front);
        let frame = Frame::new(inst, [forward, step], Some(turns));
        self.frames.open.push(frame);
        self.through(&insts, step);
        self.frames.open.pop();
        let mut builder = BodyBuilder::standing_for(&mut self.body, inst, step);
        let mut returned = vec![with(&mut builder, Binary::Add, args[0], &number, 1)];
        for carried in carried {
            let sum = self.sofar.remove(&carried.inside).map(|sofar| sofar.sum);
            returned.push(sum.unwrap_or_else(|| self.splat_like(step, carried.inside, 0.0)));
        }
        let mut builder = BodyBuilder::standing_for(&mut self.body, inst, step);
        builder.emit_all(Return::Stablehlo, &returned, Vec::new(), Vec::new());
        for (value, before) in aside {
            before.map(|before| self.sofar.insert(value, before));
        }
        step
    }

    /// The backward loop around its body; returns the cotangents that it ends with.
    fn backward_loop(
        &mut self,
        inst: InstId,
        counter: Counter,
        carried: &[Carried],
        step: RegionId,
        to: RegionId,
    ) -> Vec<ValueId> {
        let number = self.body.tensor(self.body.regions[step].args[0]).clone();
        let (condition, args) = region(&mut self.body, &number, carried);
        let mut builder = BodyBuilder::standing_for(&mut self.body, inst, condition);
        let end = builder.splat(number.clone(), counter.trip_count as f64);
        let goes_on = builder.compare(Direction::Less, args[0], end);
        builder.emit_all(Return::Stablehlo, &[goes_on], Vec::new(), Vec::new());
        let mut builder = BodyBuilder::standing_for(&mut self.body, inst, to);
        let begin = builder.splat(number, 0.0);
        let inits: Vec<ValueId> =
            [begin].into_iter().chain(carried.iter().map(|carried| carried.init)).collect();
        let types = inits.iter().map(|init| builder.body.ty(*init).clone()).collect();
        let results = builder.emit_all(While, &inits, vec![condition, step], types);
        results[1..].to_vec()
    }
}

/// Type of the numbers of turns of a loop with a counter of this type: narrow ones need not hold as many as there are turns,
/// and those without a sign no steps down.
fn turn_type(counter: &TensorType) -> TensorType {
    match counter.element {
        ElementType::I32 | ElementType::I64 => counter.clone(),
        _ => TensorType::new(counter.shape.clone(), ElementType::I64),
    }
}

/// Whether all that a loop does with a value that it carries is to write a part in each turn.
fn is_written_from_nothing(found: &Scan, index: usize) -> bool {
    let mut accesses = found.accesses.iter().filter(|access| access.carried == Some(index));
    matches!((accesses.next(), accesses.next()), (Some(only), None) if only.way == Way::Write && is_apart(only))
}

/// Whether no two turns have elements of a stack in common.
fn is_apart(access: &Access) -> bool {
    access.at.factor.unsigned_abs() >= access.size as u64
}

/// A region that takes a number and the cotangents that are carried.
fn region(body: &mut Body, number: &TensorType, carried: &[Carried]) -> (RegionId, Vec<ValueId>) {
    let region = body.regions.push(Region::default());
    let types = carried.iter().map(|carried| body.ty(carried.init).clone()).collect::<Vec<Type>>();
    let types = [Type::from(number.clone())].into_iter().chain(types);
    let args = types.map(|ty| body.add_arg(region, ty, meshwright_ir::diagnostic::Span::NONE)).collect();
    (region, args)
}
