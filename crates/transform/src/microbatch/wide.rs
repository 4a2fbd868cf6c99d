//! Accumulated values that are read with as many bits as they were added up with.
//!
//! Contributions in narrow floats are added up in `f32`. Where all that becomes of a finished sum is that it is converted to
//! longer elements, as masters in `f32` take gradients in `bf16`, it is not rounded before; nor is what only moves its
//! elements, or adds such sums, in between.
//!
//! ```text
//! %g: bf16, partial                    %sum: f32
//! %t = transpose %g : bf16             %t = transpose %sum : f32
//! %w = convert %t : f32                %w is %t
//! ```

use super::points::accumulated;
use crate::time::{InTime, TimeAxis};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::{DataFlow, Op};
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::program::{Body, Function, InstView};
use meshwright_ir::rewrite::Rewriter;
use meshwright_tensor::types::{ElementType, TensorType};

/// How the values of a function are read behind the loops over microbatches.
pub(super) struct Wide {
    /// Whether something reads a value with more bits than it has.
    is_read_wide: Table<ValueId, bool>,
    /// Whether something reads it as it is.
    is_read_narrow: Table<ValueId, bool>,
    /// What a value is with more bits, in the function that is written.
    known: Table<ValueId, Option<ValueId>>,
}

impl Wide {
    /// What is read how.
    pub(super) fn of(function: &Function, axis: &TimeAxis) -> Self {
        let body = &function.body;
        let insts = &body.regions[body.entry()].insts;
        let can = widenable(body, axis, insts);
        let mut wide = Self {
            is_read_wide: Table::filled(false, body.values.len()),
            is_read_narrow: Table::filled(false, body.values.len()),
            known: Table::filled(None, body.values.len()),
        };
        // Readers stand behind what they read.
        for view in insts.iter().rev().map(|inst| body.view(*inst)) {
            let result = view.inst.results.first().copied();
            let passes_on = result.is_some_and(|result| can[result] && !is_point(axis, result));
            let widens = widens(&view) && can[view.inst.operands[0]];
            let is_wide = widens || passes_on && result.is_some_and(|result| wide.is_read_wide[result]);
            let is_narrow = !widens && (!is_wide || result.is_some_and(|result| wide.is_read_narrow[result]));
            for operand in &view.inst.operands {
                wide.is_read_wide[*operand] |= is_wide && can[*operand];
                wide.is_read_narrow[*operand] |= is_narrow || !can[*operand];
            }
            view.captured().into_iter().for_each(|value| wide.is_read_narrow[value] = true);
        }
        wide
    }

    /// Says what a loop leaves of a sum. Returns whether that is all that is read of it.
    pub(super) fn ends(&mut self, rewriter: &mut Rewriter<'_>, value: ValueId, sum: ValueId) -> bool {
        if !self.is_read_wide[value] {
            return false;
        }
        self.known[value] = Some(sum);
        if !self.is_read_narrow[value] {
            rewriter.stand_for_own(value, sum);
        }
        !self.is_read_narrow[value]
    }

    /// Writes an instruction of the entry region with more bits, where that is what is read of it. Returns whether that is
    /// all.
    pub(super) fn write(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        if to != rewriter.to.entry() {
            return false;
        }
        if widens(view) {
            return self.widen(rewriter, view, to);
        }
        let [result] = view.inst.results[..] else { return false };
        if !self.is_read_wide[result] {
            return false;
        }
        let ty = view.result(0);
        let element = accumulated(ty.element);
        let operands: Vec<ValueId> = view
            .inst
            .operands
            .iter()
            .map(|operand| match self.known[*operand] {
                Some(known) => known,
                None => {
                    let narrow = rewriter.value(*operand);
                    rewriter.build(to, view.inst.span).convert(narrow, element)
                }
            })
            .collect();
        let ty = TensorType::new(ty.shape.clone(), element);
        let made = rewriter.append_for(view.id, view.inst.op.clone(), operands, vec![ty.into()], to)[0];
        rewriter.annotate_like(made, view.id);
        self.known[result] = Some(made);
        if !self.is_read_narrow[result] {
            rewriter.stand_for_own(result, made);
        }
        !self.is_read_narrow[result]
    }

    /// A conversion of what is there with more bits already. Returns whether it is.
    fn widen(&self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let operand = view.inst.operands[0];
        let Some(known) = self.known[operand] else { return false };
        let result = view.inst.results[0];
        let wide = rewriter.build(to, view.inst.span).convert(known, view.result(0).element);
        // A value has one name; that of the sum stays where the sum is there in no other form.
        if wide != known || self.is_read_narrow[operand] {
            rewriter.stand_for_own(result, wide);
        } else {
            rewriter.stand_for(result, wide);
        }
        true
    }
}

/// Whether an instruction does nothing but to give elements at least the bits with which they are added up.
fn widens(view: &InstView<'_>) -> bool {
    let Op::Convert(_) = view.inst.op else { return false };
    let [from, to] = [view.operand(0).element, view.result(0).element];
    is_narrow(from) && to.is_float() && to.bits() >= accumulated(from).bits()
}

fn is_narrow(element: ElementType) -> bool {
    accumulated(element) != element
}

/// Whether a value is a sum in narrow elements that a loop over microbatches leaves.
fn is_point(axis: &TimeAxis, value: ValueId) -> bool {
    axis.pass_of[value].is_some() && matches!(axis.states[value].kind, InTime::Partial(_))
}

/// Values that can be had with more bits: sums that are accumulated, and what is made of them outside of the loops by
/// moving and adding their elements.
fn widenable(body: &Body, axis: &TimeAxis, insts: &[InstId]) -> Table<ValueId, bool> {
    let mut can = Table::filled(false, body.values.len());
    for view in insts.iter().map(|inst| body.view(*inst)) {
        for result in &view.inst.results {
            let is_narrow = body.ty(*result).as_tensor().is_some_and(|ty| is_narrow(ty.element));
            can[*result] = is_narrow
                && (is_point(axis, *result)
                    || !axis.states[*result].is_inside
                        && keeps_elements(&view)
                        && view.inst.operands.iter().any(|operand| can[*operand]));
        }
    }
    can
}

/// Whether an instruction of one result moves or adds elements of its operands, all of one type of elements.
fn keeps_elements(view: &InstView<'_>) -> bool {
    let is_such = match view.inst.op {
        Op::Reshape(_) | Op::Transpose(_) | Op::Slice(_) => true,
        Op::Binary(Binary::Add | Binary::Subtract) => true,
        _ => view.num_operands() == 1 && view.inst.op.traits().data_flow == DataFlow::Identity,
    };
    is_such && view.inst.results.len() == 1 && view.inst.regions.is_empty()
}
