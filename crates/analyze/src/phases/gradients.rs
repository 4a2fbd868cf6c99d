//! Values in which the gradients of a step are summed up, before anything is made of them.
//!
//! Input: a function with its roles and data flow. Output: values, in order, of each result that replaces state (or is a gradient
//! itself). An update is followed backwards from it, element by element: what it ends at is such a value, if it depends on data
//! and on parameters. There are several where a parameter is used several times, as a head that all layers share. So clipping,
//! loss scaling, casts, and the sum of the two gradients of a tied parameter lie behind them, and factors that are one number
//! for a whole tensor are none.

use meshwright_ir::ids::ValueId;
use meshwright_ir::program::{Body, Def, Function};
use std::collections::BTreeSet;

use super::Flow;
use crate::roles::{Role, Roles, elementwise_operands};

/// The gradients of a function that trains, one set for each value that is made of them alone; none for any other.
pub(super) fn summed(function: &Function, roles: &Roles, flow: &Flow<'_>) -> Vec<BTreeSet<ValueId>> {
    let body = &function.body;
    let mut ends: Vec<ValueId> = roles.gradients.values().copied().collect();
    if ends.is_empty() {
        return Vec::new();
    }
    let is_trained = |role: Role| matches!(role, Role::Parameter | Role::Moment { .. } | Role::State);
    let state = roles.args.iter().filter(|argument| is_trained(argument.role));
    ends.extend(state.filter_map(|argument| function.returned().get(argument.result?)));
    let behind = |end: ValueId| {
        let (mut open, mut seen, mut found) = (vec![end], BTreeSet::new(), BTreeSet::new());
        while let Some(value) = open.pop() {
            if !flow.is_core(value) || !seen.insert(value) {
                continue;
            }
            let from = elementwise_operands(body, &roles.rules, value);
            if from.is_empty() && may_be_gradient(body, value) {
                found.insert(value);
            }
            open.extend(from);
        }
        found
    };
    ends.into_iter().map(behind).filter(|found| !found.is_empty()).collect()
}

/// Whether a value is of real numbers, and not made from less than itself.
fn may_be_gradient(body: &Body, value: ValueId) -> bool {
    let Def::Result(inst, _) = body.values[value].def else { return false };
    let elements = |value: ValueId| body.ty(value).as_tensor().map_or(0, |ty| ty.num_elements());
    let read: usize = body.insts[inst].operands.iter().map(|operand| elements(*operand)).sum();
    body.ty(value).as_tensor().is_some_and(|ty| ty.element.is_float()) && elements(value) <= read
}
