//! The backward pass: cotangents carried from the loss to the arguments, one instruction after the other from the last.

use crate::DERIVATIVE;
use crate::activity::Activity;
use crate::residuals::Frames;
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::diagnostic::{Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::op::DataFlow;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::program::Body;
use meshwright_ir::vjp::{Indices, Sofar, Vjp, Written};
use std::collections::BTreeMap;

/// A backward pass that is being written behind the forward pass.
pub(crate) struct Backward {
    /// Both passes.
    pub(crate) body: Body,
    pub(crate) activity: Activity,
    pub(crate) frames: Frames,
    /// Cotangents of values as far as their readers have been dealt with.
    pub(crate) sofar: BTreeMap<ValueId, Sofar>,
    /// What has no derivative.
    pub(crate) problems: Diagnostics,
    indices: Indices,
}

impl Backward {
    /// Nothing yet, behind the forward pass of a loss that is differentiated by some arguments.
    pub(crate) fn of(body: Body, arguments: &[ValueId], loss: ValueId, indices: Indices) -> Self {
        let (activity, frames) = (Activity::of(&body, arguments, loss), Frames::of(&body));
        Self { body, activity, frames, sofar: BTreeMap::new(), problems: Diagnostics::new(), indices }
    }

    /// Writes all of it, and returns the gradients by the arguments.
    pub(crate) fn run(&mut self, loss: ValueId, arguments: &[ValueId]) -> Vec<ValueId> {
        let entry = self.body.entry();
        let forward = self.body.regions[entry].insts.clone();
        if self.activity.is_active(loss) {
            let one = self.splat_like(entry, loss, 1.0);
            self.sofar.insert(loss, Sofar { sum: one, zero_at: None });
            self.through(&forward, entry);
        }
        let sums: Vec<Option<ValueId>> =
            arguments.iter().map(|argument| self.sofar.get(argument).map(|sofar| sofar.sum)).collect();
        let or_zero = |(argument, sum): (&ValueId, Option<ValueId>)| {
            sum.unwrap_or_else(|| self.splat_like(entry, *argument, 0.0))
        };
        arguments.iter().zip(sums).map(or_zero).collect()
    }

    /// Writes the backward pass of instructions of one region to the end of another.
    pub(crate) fn through(&mut self, forward: &[InstId], to: RegionId) {
        for inst in forward.iter().rev() {
            let results = self.body.insts[*inst].results.clone();
            let cotangents: Vec<Option<ValueId>> =
                results.iter().map(|result| self.sofar.remove(result).map(|sofar| sofar.sum)).collect();
            if cotangents.iter().all(Option::is_none) {
                continue;
            }
            if self.through_sigmoid(*inst, &cotangents, to) {
                continue;
            }
            match self.body.insts[*inst].op.data_flow() {
                DataFlow::Loop => self.through_loop(*inst, &cotangents, to),
                DataFlow::Branches => self.through_branches(*inst, &cotangents, to),
                DataFlow::None | DataFlow::Identity | DataFlow::Region => {
                    self.through_op(*inst, cotangents, to);
                }
            }
        }
    }

    /// What the op itself says of its backward pass.
    fn through_op(&mut self, inst: InstId, cotangents: Vec<Option<ValueId>>, to: RegionId) {
        let op = self.body.insts[inst].op.clone();
        let wanted =
            self.body.insts[inst].operands.iter().map(|operand| self.activity.is_varied(*operand)).collect();
        let mut vjp = Vjp {
            body: &mut self.body,
            inst,
            region: to,
            cotangents,
            wanted,
            sofar: std::mem::take(&mut self.sofar),
            residuals: &mut self.frames,
            indices: self.indices,
            written: None,
        };
        let differentiated = op.vjp(&mut vjp);
        let (sofar, cotangents, written) = (vjp.sofar, vjp.cotangents, vjp.written);
        self.sofar = sofar;
        if let Err(problem) = differentiated {
            let message = format!("`{}` {}", op.name(), problem.0);
            self.refuse(self.body.insts[inst].span, message);
        } else if let Some(written) = written {
            self.through_written(inst, &cotangents, &written, to);
        }
    }

    /// The backward pass of what stands in the backward pass for an instruction.
    fn through_written(
        &mut self,
        inst: InstId,
        cotangents: &[Option<ValueId>],
        written: &Written,
        to: RegionId,
    ) {
        let own = self.body.insts[inst].operands.clone();
        let stand_ins: Vec<(ValueId, ValueId)> =
            own.into_iter().zip(written.operands.iter().copied()).collect();
        self.activity.add(&self.body, &stand_ins, written);
        self.frames.add(&self.body);
        for (result, cotangent) in written.results.iter().zip(cotangents) {
            cotangent.iter().for_each(|cotangent| self.give(*result, *cotangent, inst, to));
        }
        self.through(&written.insts, to);
        for (own, stand_in) in stand_ins.into_iter().filter(|(own, stand_in)| own != stand_in) {
            if let Some(Sofar { sum, .. }) = self.sofar.remove(&stand_in) {
                self.give(own, sum, inst, to);
            }
        }
    }

    /// Reports something that has no derivative.
    pub(crate) fn refuse(&mut self, span: Span, message: String) {
        let hint =
            "the loss depends on what is trained through it; stop the gradient there, or write it otherwise";
        self.problems.push(Diagnostic::error(DERIVATIVE, span, message).hint(hint));
    }

    /// Adds to the cotangent of a value, if that is wanted.
    pub(crate) fn give(&mut self, value: ValueId, cotangent: ValueId, for_inst: InstId, to: RegionId) {
        if !self.activity.is_varied(value) {
            return;
        }
        let sum = match self.sofar.get(&value) {
            Some(Sofar { sum, .. }) => {
                BodyBuilder::standing_for(&mut self.body, for_inst, to).binary(Binary::Add, *sum, cotangent)
            }
            None => cotangent,
        };
        self.sofar.insert(value, Sofar { sum, zero_at: None });
    }

    /// A number in all elements of the type of a value.
    pub(crate) fn splat_like(&mut self, region: RegionId, value: ValueId, number: f64) -> ValueId {
        let ty = self.body.tensor(value).clone();
        let span = Span::NONE;
        BodyBuilder { body: &mut self.body, region, span, location: None }.splat(ty, number)
    }
}
