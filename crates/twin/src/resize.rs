//! A function with other sizes: types of all values, attributes that hold sizes, and constants that count elements.
//!
//! A mean divides by how many elements it is of, or multiplies by the inverse. Were that left as it is, gradients would be
//! too small to be seen beside what they are added to.

use crate::choice::Choice;
use crate::dims::Dims;
use crate::moves;
use crate::turns::shorten;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::kernels::kernel;
use meshwright_ir::op::Op;
use meshwright_ir::ops::constant::Constant;
use meshwright_ir::ops::custom_call::CustomCall;
use meshwright_ir::ops::dynamic_slice::DynamicSlice;
use meshwright_ir::ops::gather::Gather;
use meshwright_ir::program::{Body, Function};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{TensorType, Type};
use std::collections::BTreeMap;

/// Numbers that are less apart, relative to their size, are one.
const NEAR: f64 = 1e-6;

/// Smaller numbers are more likely other than counts.
const LEAST_COUNT: f64 = 8.0;

/// The function, number `index` of those whose sizes were read, as was chosen. Instructions that it has more are behind all
/// others: numbers of loops with fewer turns.
pub(crate) fn function(function: &Function, dims: &Dims<'_>, index: usize, choice: &Choice) -> Function {
    let before = &function.body;
    let mut after = function.clone();
    for (id, value) in before.values.iter() {
        let Type::Tensor(tensor) = &value.ty else { continue };
        let shape: Vec<usize> =
            (0..tensor.rank()).map(|dim| choice.number(dims, dims.of(index, id, dim))).collect();
        after.body.values[id].ty = TensorType::new(shape, tensor.element).into();
    }
    let types = |values: &[ValueId], of: &Body| values.iter().map(|value| of.ty(*value).clone()).collect();
    let counts = dims.counts(choice);
    for id in before.insts.ids() {
        if let Some(op) = resized(before, &after.body, id, &counts) {
            after.body.insts[id].op = op;
        }
    }
    after.result_types = types(function.returned(), &after.body);
    for (turns, size) in dims.turns(index) {
        let count = choice.number(dims, *size);
        if count != turns.count() {
            shorten(&mut after.body, turns, count).expect("only the bound of the loop is another one");
        }
    }
    after
}

/// The op of an instruction between its types of `after`, if it holds sizes.
fn resized(before: &Body, after: &Body, id: InstId, counts: &BTreeMap<usize, usize>) -> Option<Op> {
    let (old, new) = (before.view(id), after.view(id));
    match &old.inst.op {
        Op::Constant(constant) => {
            // What is not a splat keeps its size, or breaks its rules.
            constant.value.splat_bytes()?;
            let ty = new.result_types().next()?.as_tensor()?.clone();
            let value = match counted(&constant.value, counts) {
                Some(count) => Literal::splat(ty, count),
                None => Literal { ty, data: constant.value.data.clone() },
            };
            Some(Constant { value }.into())
        }
        Op::DynamicSlice(_) => Some(DynamicSlice { sizes: new.result(0).shape.clone() }.into()),
        Op::Gather(gather) => {
            let size = |(dim, size): (usize, &usize)| match *size == old.operand(0).shape[dim] {
                true => new.operand(0).shape[dim],
                false => *size,
            };
            let slice_sizes = gather.slice_sizes.iter().enumerate().map(size).collect();
            Some(Gather { slice_sizes, ..Gather::clone(gather) }.into())
        }
        Op::CustomCall(call) => {
            let kernel = kernel(&call.target)?;
            let types = |types: &mut dyn Iterator<Item = &Type>| types.cloned().collect::<Vec<_>>();
            let call: &CustomCall = call;
            let made =
                kernel.localized(call, &types(&mut new.operand_types()), &types(&mut new.result_types()));
            Some(made.into())
        }
        _ => moves::resized(&old, &new),
    }
}

/// The constant of the twin in place of one that is a number of elements, or the inverse of one.
fn counted(value: &Literal, counts: &BTreeMap<usize, usize>) -> Option<f64> {
    let number = value.splat_f64().filter(|number| value.ty.element.is_float() && *number > 0.0)?;
    let of = |count: f64| {
        let whole = count.round();
        // The inverse of a number is rounded to the type of the elements.
        let is_near = (count - whole).abs() <= whole * NEAR && whole >= LEAST_COUNT;
        counts.get(&(whole as usize)).filter(|_| is_near).map(|count| *count as f64)
    };
    of(number).or_else(|| of(1.0 / number).map(|count| 1.0 / count))
}
