//! The values that a backward pass passes through: those that depend on what is trained, and that the loss depends on.
//!
//! Input: a body, the arguments and the loss. Output: [`Activity`], for values in all regions. What a loop carries is one
//! value in all its turns, so that both follow from going round until nothing changes.

use crate::shift;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::DataFlow;
use meshwright_ir::program::Body;
use meshwright_ir::vjp::Written;
use meshwright_tensor::types::{ElementKind, Type};
use std::collections::BTreeSet;

/// Values that are differentiated.
pub(crate) struct Activity {
    /// Values that depend on what is trained.
    varied: Table<ValueId, bool>,
    /// Values that the loss depends on.
    useful: Table<ValueId, bool>,
    /// Values on which it does not, although it is made of them.
    without_effect: BTreeSet<ValueId>,
}

/// Whether values of a type have cotangents.
pub(crate) fn has_cotangent(ty: &Type) -> bool {
    ty.as_tensor().is_some_and(|ty| matches!(ty.element.kind(), ElementKind::Float | ElementKind::Complex))
}

impl Activity {
    /// Of a loss by some arguments.
    pub(crate) fn of(body: &Body, arguments: &[ValueId], loss: ValueId) -> Self {
        let none = || Table::filled(false, body.values.len());
        let without_effect = shift::without_effect(body, loss);
        let mut activity = Self { varied: none(), useful: none(), without_effect };
        arguments.iter().for_each(|argument| activity.varied[*argument] = true);
        activity.forward(body, body.entry());
        activity.useful[loss] = true;
        activity.backward(body, body.entry());
        activity
    }

    /// Adds what stands in the backward pass for an instruction of the forward pass: it reads the second value of each pair for
    /// the first one.
    pub(crate) fn add(&mut self, body: &Body, stand_ins: &[(ValueId, ValueId)], written: &Written) {
        self.varied.resize(false, body.values.len());
        self.useful.resize(false, body.values.len());
        for (own, stand_in) in stand_ins {
            self.varied[*stand_in] = self.varied[*own];
        }
        written.insts.iter().for_each(|inst| self.forward_through(body, *inst));
        written.results.iter().for_each(|result| self.useful[*result] = true);
        written.insts.iter().rev().for_each(|inst| self.backward_through(body, *inst));
    }

    /// Whether a value depends on what is trained, so that its cotangent is wanted.
    pub(crate) fn is_varied(&self, value: ValueId) -> bool {
        self.varied.get(value).copied().unwrap_or(false)
    }

    /// Whether a value has a cotangent that is wanted.
    pub(crate) fn is_active(&self, value: ValueId) -> bool {
        self.is_varied(value) && self.useful[value]
    }

    /// Takes a value as one whose cotangent is not wanted.
    pub(crate) fn leave_out(&mut self, value: ValueId) {
        self.varied[value] = false;
    }

    /// Marks a value, and says whether that is new.
    fn mark(marks: &mut Table<ValueId, bool>, value: ValueId, is_so: bool) -> bool {
        let is_new = is_so && !marks[value];
        marks[value] |= is_so;
        is_new
    }

    fn forward(&mut self, body: &Body, region: RegionId) {
        for inst in &body.regions[region].insts {
            self.forward_through(body, *inst);
        }
    }

    fn forward_through(&mut self, body: &Body, id: InstId) {
        let view = body.view(id);
        let inst = view.inst;
        let vary = |value: ValueId, varied: &mut Table<ValueId, bool>, is_so: bool| {
            Self::mark(varied, value, is_so && has_cotangent(body.ty(value)))
        };
        match inst.op.data_flow() {
            DataFlow::Loop => {
                let step = inst.regions[1];
                for (init, arg) in inst.operands.iter().zip(&body.regions[step].args) {
                    let is_so = self.varied[*init];
                    vary(*arg, &mut self.varied, is_so);
                }
                loop {
                    self.forward(body, step);
                    let mut has_changed = false;
                    for (next, arg) in view.returned(1).iter().zip(&body.regions[step].args) {
                        let is_so = self.varied[*next];
                        has_changed |= vary(*arg, &mut self.varied, is_so);
                    }
                    if !has_changed {
                        break;
                    }
                }
                for (result, arg) in inst.results.iter().zip(&body.regions[step].args) {
                    self.varied[*result] = self.varied[*arg];
                }
            }
            DataFlow::Branches => {
                for (index, region) in inst.regions.iter().enumerate() {
                    self.forward(body, *region);
                    for (result, returned) in inst.results.iter().zip(view.returned(index)) {
                        let is_so = self.varied[*returned];
                        vary(*result, &mut self.varied, is_so);
                    }
                }
            }
            DataFlow::Identity => {
                for (result, operand) in inst.results.iter().zip(&inst.operands) {
                    self.varied[*result] = self.varied[*operand];
                }
            }
            DataFlow::None | DataFlow::Region => {
                let mut reads = inst.operands.clone();
                reads.extend(if inst.regions.is_empty() { Vec::new() } else { view.captured() });
                let is_so = reads.iter().any(|value| self.varied[*value]);
                for result in inst.results.iter().filter(|result| !self.without_effect.contains(result)) {
                    vary(*result, &mut self.varied, is_so);
                }
            }
        }
    }

    fn backward(&mut self, body: &Body, region: RegionId) {
        for inst in body.regions[region].insts.iter().rev() {
            self.backward_through(body, *inst);
        }
    }

    fn backward_through(&mut self, body: &Body, id: InstId) {
        let view = body.view(id);
        let inst = view.inst;
        match inst.op.data_flow() {
            DataFlow::Loop => {
                let step = inst.regions[1];
                let args = &body.regions[step].args;
                for (result, arg) in inst.results.iter().zip(args) {
                    self.useful[*arg] |= self.useful[*result];
                }
                loop {
                    for (next, arg) in view.returned(1).iter().zip(args) {
                        self.useful[*next] |= self.useful[*arg];
                    }
                    let before: Vec<bool> = args.iter().map(|arg| self.useful[*arg]).collect();
                    self.backward(body, step);
                    if args.iter().zip(before).all(|(arg, before)| self.useful[*arg] == before) {
                        break;
                    }
                }
                for (init, arg) in inst.operands.iter().zip(args) {
                    self.useful[*init] |= self.useful[*arg];
                }
            }
            DataFlow::Branches => {
                for (index, region) in inst.regions.iter().enumerate() {
                    for (result, returned) in inst.results.iter().zip(view.returned(index)) {
                        self.useful[*returned] |= self.useful[*result];
                    }
                    self.backward(body, *region);
                }
            }
            DataFlow::Identity => {
                for (result, operand) in inst.results.iter().zip(&inst.operands) {
                    self.useful[*operand] |= self.useful[*result];
                }
            }
            DataFlow::None | DataFlow::Region => {
                if !inst.results.iter().any(|result| self.useful[*result]) {
                    return;
                }
                inst.operands.iter().for_each(|operand| self.useful[*operand] = true);
                if !inst.regions.is_empty() {
                    view.captured().into_iter().for_each(|value| self.useful[value] = true);
                }
            }
        }
    }
}
