//! Memory policies as attributes of the instructions that read: `meshwright.policies = {gather_again = array<i64: 0>}`
//! names for each policy the operands that it is for.

use super::{ANNOTATION, POLICIES};
use crate::{Policies, Policy, Use};
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::diagnostic::{Diagnostic, Diagnostics};
use meshwright_ir::ids::InstId;
use meshwright_ir::program::{Function, Inst};
use meshwright_tensor::types::ElementType;
use std::collections::BTreeMap;

/// The policies that the instructions of a function say themselves.
pub(super) fn read(function: &Function, problems: &mut Diagnostics) -> Policies {
    let mut policies = Policies::default();
    for (reader, inst) in function.body.insts.iter() {
        let Some(attr) = inst.attributes.get(POLICIES) else { continue };
        match of_inst(reader, inst, attr) {
            Ok(found) => found.into_iter().for_each(|(group, policy)| policies.set(group, policy)),
            Err(why) => problems.push(
                Diagnostic::error(ANNOTATION, inst.span, format!("`{POLICIES}` does not fit: {why}"))
                    .hint("it is `{gather_again = array<i64: 0, 2>}`: positions of operands, from 0"),
            ),
        }
    }
    policies
}

fn of_inst(reader: InstId, inst: &Inst, attr: &Attr) -> Result<Vec<(Use, Policy)>, String> {
    let Attr::Dict(lists) = attr else { return Err("it is not a dictionary".to_owned()) };
    let mut found = BTreeMap::new();
    for (name, list) in lists.iter() {
        let policy = Policy::from_name(name)
            .ok_or_else(|| format!("there is no policy `{name}`; there are {}", Policy::names()))?;
        let Attr::DenseArray(_, positions) = list else {
            return Err(format!("`{name}` is not a list of positions"));
        };
        for position in positions {
            let operand = usize::try_from(*position).ok().and_then(|at| inst.operands.get(at));
            let value = *operand.ok_or_else(|| format!("there is no operand {position}"))?;
            let before = found.insert(Use { reader, value }, policy);
            if before.is_some_and(|before| before != policy) {
                return Err(format!("operand {position} has two policies"));
            }
        }
    }
    Ok(found.into_iter().collect())
}

/// Writes policies on the instructions that read.
pub(super) fn write(function: &mut Function, policies: &Policies) {
    let mut of_inst: BTreeMap<InstId, BTreeMap<&str, Vec<i64>>> = BTreeMap::new();
    for (group, policy) in policies.iter() {
        let operands = &function.body.insts[group.reader].operands;
        if let Some(position) = operands.iter().position(|value| *value == group.value) {
            of_inst.entry(group.reader).or_default().entry(policy.name()).or_default().push(position as i64);
        }
    }
    for (reader, lists) in of_inst {
        let mut dictionary = Attributes::new();
        for (name, mut positions) in lists {
            positions.sort_unstable();
            dictionary.set(name, Attr::DenseArray(ElementType::I64, positions));
        }
        function.body.insts[reader].attributes.set(POLICIES, Attr::Dict(dictionary));
    }
}
