//! The backward pass of one instruction: cotangents of its operands, made of those of its results.
//!
//! An op says in its own file how its cotangents are made ([`OpDef::vjp`](crate::op::OpDef::vjp)), with a [`Vjp`], which
//! is a [`Builder`] at the place in the backward pass. What it reads of the forward pass it asks for, so that only what is
//! asked for is kept: [`Vjp::operand`] and [`Vjp::result`] give the value where the backward pass can read it, by way of
//! [`Residuals`]. Cotangents that are zero are not there at all.
//!
//! ```text
//! %y = multiply %a, %b     given %dy:  %da = multiply %dy, %b   if the cotangent of %a is wanted
//! ```
//!
//! Complex numbers: the cotangent of a product is the product with the other factor itself, not with its conjugate.

use crate::build::{At, Builder};
use crate::ids::{InstId, RegionId, ValueId};
use crate::ops::binary::Binary;
use crate::ops::dynamic_slice::DynamicSlice;
use crate::ops::dynamic_update_slice::DynamicUpdateSlice;
use crate::program::{Body, Def, InstView, Value};
use meshwright_tensor::types::{TensorType, Type};
use std::collections::BTreeMap;

/// The reason why an instruction has no derivative, as the end of a sentence that begins with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoDerivative(pub String);

/// Result of writing down the backward pass of an instruction.
pub type Differentiated = Result<(), NoDerivative>;

/// Values of the forward pass, as the backward pass reads them.
pub trait Residuals {
    /// A value of the forward pass at the place in the backward pass that is being written.
    fn reach(&mut self, body: &mut Body, value: ValueId) -> ValueId;
}

/// Cotangent of a value as far as its readers have given theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sofar {
    /// Their sum.
    pub sum: ValueId,
    /// The instruction that reads a part of the value of which it is zero still, if that is known of one.
    pub zero_at: Option<InstId>,
}

/// Knowledge of the indices by which a program looks something up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indices {
    /// Some may lie outside; a gather reads the nearest place that is inside.
    Any,
    /// All lie inside, as tokens do in their vocabulary (JAX's `promise_in_bounds`).
    InBounds,
}

/// Instructions whose backward pass is that of an instruction ([`Vjp::as_written`]).
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// What they read in place of its operands.
    pub operands: Vec<ValueId>,
    /// The instructions, in order.
    pub insts: Vec<InstId>,
    /// What they make in place of its results.
    pub results: Vec<ValueId>,
}

/// The backward pass of one instruction under construction.
pub struct Vjp<'a> {
    /// The function, with the forward pass and what there is of the backward pass.
    pub body: &'a mut Body,
    /// The instruction.
    pub inst: InstId,
    /// Where its backward pass goes.
    pub region: RegionId,
    /// Cotangents of its results; `None`: zero.
    pub cotangents: Vec<Option<ValueId>>,
    /// The operands of which cotangents are wanted.
    pub wanted: Vec<bool>,
    /// Cotangents of values that it reads, what it gave included; zero of those that are not there.
    pub sofar: BTreeMap<ValueId, Sofar>,
    /// Values of the forward pass.
    pub residuals: &'a mut dyn Residuals,
    /// Knowledge of its indices.
    pub indices: Indices,
    /// What it is differentiated as, if it has no backward pass of its own.
    pub written: Option<Written>,
}

impl Builder for Vjp<'_> {
    fn at(&mut self) -> At<'_> {
        let inst = &self.body.insts[self.inst];
        let (span, location) = (inst.span, inst.location.clone());
        At { body: self.body, region: &mut self.region, span, location }
    }
}

impl Vjp<'_> {
    /// The instruction in the forward pass.
    pub fn view(&self) -> InstView<'_> {
        self.body.view(self.inst)
    }

    /// The type of an operand.
    pub fn operand_type(&self, index: usize) -> TensorType {
        self.view().operand(index).clone()
    }

    /// The type of a result.
    pub fn result_type(&self, index: usize) -> TensorType {
        self.view().result(index).clone()
    }

    /// Returns whether the cotangent of an operand is wanted.
    pub fn wants(&self, index: usize) -> bool {
        self.wanted[index]
    }

    /// The cotangent of the only result, or of the first of those that have one. There is one, or the instruction would
    /// have no backward pass.
    pub fn cotangent(&self) -> ValueId {
        let first = self.cotangents.iter().copied().flatten().next();
        first.expect("an instruction without cotangents has no backward pass")
    }

    /// The cotangent of a result; `None`: zero.
    pub fn cotangent_of(&self, index: usize) -> Option<ValueId> {
        self.cotangents[index]
    }

    /// An operand's value.
    pub fn operand(&mut self, index: usize) -> ValueId {
        let value = self.body.insts[self.inst].operands[index];
        self.residuals.reach(self.body, value)
    }

    /// A result's value.
    pub fn result(&mut self, index: usize) -> ValueId {
        let value = self.body.insts[self.inst].results[index];
        self.residuals.reach(self.body, value)
    }

    /// Gives a part of the cotangent of an operand; parts are added up. What is not wanted is left out.
    pub fn give(&mut self, index: usize, cotangent: ValueId) {
        if !self.wants(index) {
            return;
        }
        let operand = self.view().inst.operands[index];
        let sum = match self.sofar.get(&operand) {
            Some(Sofar { sum, .. }) => self.binary(Binary::Add, *sum, cotangent),
            None => cotangent,
        };
        self.sofar.insert(operand, Sofar { sum, zero_at: None });
    }

    /// Gives the cotangent of an operand that is wanted, as `make` writes it down of the result's.
    pub fn give_with(&mut self, index: usize, make: impl FnOnce(&mut Self, ValueId) -> ValueId) {
        if self.wants(index) {
            let cotangent = self.cotangent();
            let made = make(self, cotangent);
            self.give(index, made);
        }
    }

    /// Gives the cotangent of the part of an operand that begins at `starts`; that of the rest is zero.
    pub fn give_part(&mut self, index: usize, cotangent: ValueId, starts: &[ValueId]) {
        if !self.wants(index) {
            return;
        }
        let (operand, ty) = (self.view().inst.operands[index], self.operand_type(index));
        let (whole, part) = match self.sofar.get(&operand) {
            None => (self.splat(ty.clone(), 0.0), cotangent),
            Some(Sofar { sum, zero_at }) if *zero_at == Some(self.inst) => (*sum, cotangent),
            Some(Sofar { sum, .. }) => {
                let (sum, sizes) = (*sum, self.body.tensor(cotangent).shape.clone());
                let there = self.part(sum, &sizes, starts);
                (sum, self.plus(there, cotangent))
            }
        };
        let operands: Vec<ValueId> = [whole, part].iter().chain(starts).copied().collect();
        let sum = self.emit(DynamicUpdateSlice, &operands, ty);
        self.sofar.insert(operand, Sofar { sum, zero_at: None });
    }

    /// Adds a result to the instruction in the forward pass, in front of those from `at` on.
    pub fn add_result(&mut self, at: usize, ty: Type) {
        let span = self.body.insts[self.inst].span;
        let value = self.body.values.push(Value { ty, def: Def::Result(self.inst, at), span });
        let results = &mut self.body.insts[self.inst].results;
        results.insert(at, value);
        for (index, result) in results.iter().enumerate().skip(at + 1) {
            self.body.values[*result].def = Def::Result(self.inst, index);
        }
        self.cotangents.insert(at, None);
    }

    /// Says that the backward pass is that of what `write` appends, which computes of values of the operands' types what the
    /// instruction computes. It is written into the backward pass, and nothing but what its own backward pass reads of it
    /// stays there.
    pub fn as_written(
        &mut self,
        write: impl FnOnce(&mut Self, &[ValueId]) -> Vec<ValueId>,
    ) -> Differentiated {
        let operands: Vec<ValueId> = (0..self.view().num_operands()).map(|at| self.operand(at)).collect();
        let start = self.body.regions[self.region].insts.len();
        let results = write(self, &operands);
        let insts = self.body.regions[self.region].insts[start..].to_vec();
        self.written = Some(Written { operands, insts, results });
        Ok(())
    }

    /// The part of a tensor that begins at `starts`.
    pub fn part(&mut self, whole: ValueId, sizes: &[usize], starts: &[ValueId]) -> ValueId {
        let element = self.ty(whole).element;
        let operands: Vec<ValueId> = [whole].iter().chain(starts).copied().collect();
        self.emit(DynamicSlice { sizes: sizes.to_vec() }, &operands, TensorType::new(sizes, element))
    }
}

/// A refusal, with a reason.
pub fn none_because(reason: impl Into<String>) -> Differentiated {
    Err(NoDerivative(reason.into()))
}
