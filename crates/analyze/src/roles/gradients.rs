//! Where the gradient of each parameter is.
//!
//! Input: a function, its roles and the cones of its results. Output: a value per parameter: where the update meets a
//! value that comes from neither the parameter's own replacement path nor its moments, that value without the
//! elementwise scaling in front of it; the earliest of all.

use std::collections::{BTreeMap, BTreeSet};

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Body, Def, Function};

use super::updates::elementwise_operands;
use super::{DATA, Role, Roles};

/// The gradient of each parameter whose update shows one.
pub(super) fn gradients(
    function: &Function,
    roles: &Roles,
    cones: &[BTreeSet<ValueId>],
) -> BTreeMap<usize, ValueId> {
    let body = &function.body;
    let order = execution_order(body, &roles.insts);
    let mut own: BTreeMap<usize, BTreeSet<ValueId>> = BTreeMap::new();
    for (index, arg) in roles.args.iter().enumerate() {
        let parameter = match arg.role {
            Role::Parameter => index,
            Role::Moment { of } => of,
            _ => continue,
        };
        own.entry(parameter).or_default().insert(function.args()[index]);
    }
    let mut gradients = BTreeMap::new();
    for (parameter, own) in own {
        let Some(result) = roles.args[parameter].result else { continue };
        let mut values: Vec<ValueId> = cones[result].iter().copied().collect();
        values.sort_by_key(|value| order[*value]);
        // Within the update, what is computed from the parameter or its moments.
        let mut tainted = own.clone();
        let mut meeting: Vec<ValueId> = Vec::new();
        for value in values {
            let operands = elementwise_operands(body, &roles.rules, value);
            if operands.iter().any(|operand| tainted.contains(operand)) {
                tainted.insert(value);
                meeting.extend(operands);
            }
        }
        let gradient = meeting
            .into_iter()
            .filter(|value| !tainted.contains(value) && roles.depends[*value] & DATA != 0)
            .map(|value| unscaled(body, roles, value))
            .min_by_key(|value| order[*value]);
        gradients.extend(gradient.map(|value| (parameter, value)));
    }
    gradients
}

/// The value before elementwise ops of which it is the only operand that depends on data.
fn unscaled(body: &Body, roles: &Roles, mut value: ValueId) -> ValueId {
    loop {
        let Def::Result(id, _) = body.values[value].def else { return value };
        let mut sources: Vec<ValueId> = body.insts[id]
            .operands
            .iter()
            .copied()
            .filter(|operand| roles.depends[*operand] & DATA != 0)
            .collect();
        sources.dedup();
        let [source] = sources.as_slice() else { return value };
        if elementwise_operands(body, &roles.rules, value).contains(source) {
            value = *source;
        } else {
            return value;
        }
    }
}

/// For every value, its place in the order of execution; arguments first.
fn execution_order(body: &Body, insts: &[InstId]) -> Table<ValueId, usize> {
    let mut order = Table::filled(0, body.values.len());
    for (position, id) in insts.iter().enumerate() {
        for result in &body.insts[*id].results {
            order[*result] = position + 1;
        }
    }
    order
}
