//! Tensors of one number (constants, and numbers that were spread), each with one reader: what is equal by chance, such as
//! the decay of two matrices of 256x256, is one value, but as dims of a model they need not be of one size.
//!
//! Input: a function, with shardings or without. Output: the same with such a tensor for each reader ([`apart`]).

use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Function};
use meshwright_plan::Shardings;

/// The function with such a tensor for each reader of one that is made outside of loops, and with its shardings if there are
/// any. All other instructions and values keep their numbers.
pub(crate) fn apart(function: &Function, mut shardings: Option<&mut Shardings>) -> Function {
    let mut function = function.clone();
    let entry = function.body.entry();
    let uses = function.body.uses();
    let mut order = Vec::new();
    for inst in function.body.regions[entry].insts.clone() {
        order.push(inst);
        let Some(value) = of_one_number(&function.body, inst) else { continue };
        for (reader, operand) in uses[value].iter().skip(1) {
            let (copy, copied) = copied(&mut function.body, inst);
            function.body.insts[*reader].operands[*operand] = copied;
            order.push(copy);
            if let Some(all) = shardings.as_deref_mut() {
                all.values.push(all.values[value].clone());
                all.strategies.push(all.strategies[inst].clone());
                all.deferred.push(all.deferred[inst]);
            }
        }
    }
    function.body.regions[entry].insts = order;
    function
}

/// The tensor that an instruction makes of one number.
fn of_one_number(body: &Body, inst: InstId) -> Option<ValueId> {
    let inst = &body.insts[inst];
    let rank = |value: &ValueId| body.ty(*value).as_tensor().map(|tensor| tensor.rank());
    let is_of_one_number = match &inst.op {
        Op::Constant(constant) => constant.value.splat_bytes().is_some(),
        Op::BroadcastInDim(_) => inst.operands.iter().all(|operand| rank(operand) == Some(0)),
        _ => false,
    };
    let value = *inst.results.first()?;
    (is_of_one_number && rank(&value)? > 0).then_some(value)
}

/// An instruction once more, not yet in any order, and its result.
fn copied(body: &mut Body, inst: InstId) -> (InstId, ValueId) {
    let (entry, of) = (body.entry(), body.insts[inst].clone());
    let types = of.results.iter().map(|result| body.ty(*result).clone()).collect();
    let copy = body.append(entry, of.op, of.operands, Vec::new(), types, of.span);
    body.insts[copy].attributes = of.attributes;
    body.insts[copy].location = of.location;
    (copy, body.insts[copy].results[0])
}
