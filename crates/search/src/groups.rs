//! Which arguments decide together, and which of their dims belong together.
//!
//! Input: a function, its roles and pins. Output: [`Group`]s and [`DimSet`]s.
//!
//! - Parameters of one type whose paths differ only in numbers are one group, so that 32 layers decide as one. All
//!   moments of a group's parameters are one group. Data decides by type, other state like parameters.
//! - The residual stream is one more group: sums of two activations of the most common kind that has batch and
//!   sequence dims. Sharding its tokens is sequence parallelism.
//! - Dims of parameter groups are in one set if any two of their members' dims are one dim of the model.

use std::collections::{BTreeMap, BTreeSet};

use meshwright_ir::ids::ValueId;
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::rule::FactorKind;
use meshwright_plan::dim_classes::Class;
use meshwright_plan::roles::{DATA, PARAMETERS, contracted, factor_classes, numbers_matrices};
use meshwright_plan::{Role, Roles};

use crate::problem::{DimKind, DimSet, Group, GroupKind};
use meshwright_plan::Seeds;

/// The groups of everything that is not pinned: parameters, moments, data, other state, activations.
pub fn groups(function: &Function, roles: &Roles, pins: &Seeds) -> Vec<Group> {
    let args = function.args();
    let pinned: BTreeSet<ValueId> = pins.values.iter().map(|(value, _)| *value).collect();
    let is_free = |index: &usize| {
        let has_dims = function.body.ty(args[*index]).as_tensor().is_some_and(|tensor| tensor.rank() > 0);
        let result = roles.args[*index].result.and_then(|result| pins.results.get(result)?.as_ref());
        has_dims && !pinned.contains(&args[*index]) && result.is_none()
    };
    let mut list = Grouping { function, roles, groups: Vec::new(), group_of: BTreeMap::new() };
    for (role, kind) in [
        (Role::Parameter, GroupKind::Parameter),
        (Role::Data, GroupKind::Data),
        (Role::State, GroupKind::State),
    ] {
        let members = (0..args.len()).filter(|index| roles.args[*index].role == role).filter(is_free);
        let mut by_name: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
        for index in members {
            let path = roles.args[index].path.as_deref().map(without_numbers).unwrap_or_default();
            by_name.entry((path, function.body.ty(args[index]).to_string())).or_default().push(index);
        }
        // In order of their first members, so that a report follows the program.
        let mut by_name: Vec<(String, Vec<usize>)> =
            by_name.into_iter().map(|((path, _), members)| (path, members)).collect();
        by_name.sort_by_key(|(_, members)| members[0]);
        for (path, members) in by_name {
            list.add(kind, path, members);
        }
    }
    let mut moments: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for index in roles.moments().filter(is_free) {
        if let Role::Moment { of } = roles.args[index].role
            && let Some(group) = list.group_of.get(&of)
            && function.body.ty(args[index]).as_tensor().map(|ty| &ty.shape)
                == Some(&list.groups[*group].shape)
        {
            moments.entry(*group).or_default().push(index);
        }
    }
    for (of, members) in moments {
        let name = format!("moments of {}", list.groups[of].name);
        list.add(GroupKind::Moment { of }, name, members);
    }
    let mut groups = list.groups;
    groups.extend(residual_stream(function, roles, &pinned));
    groups
}

struct Grouping<'a> {
    function: &'a Function,
    roles: &'a Roles,
    groups: Vec<Group>,
    group_of: BTreeMap<usize, usize>,
}

impl Grouping<'_> {
    fn add(&mut self, kind: GroupKind, name: String, members: Vec<usize>) {
        let name = if name.is_empty() {
            members.iter().map(|index| format!("%arg{index}")).collect::<Vec<_>>().join(", ")
        } else {
            name
        };
        let values: Vec<ValueId> = members.iter().map(|index| self.function.args()[*index]).collect();
        let results = members.iter().map(|index| self.roles.args[*index].result).collect();
        self.group_of.extend(members.iter().map(|index| (*index, self.groups.len())));
        self.groups.push(group(&self.function.body, self.roles, kind, name, values, results));
    }
}

fn group(
    body: &Body,
    roles: &Roles,
    kind: GroupKind,
    name: String,
    values: Vec<ValueId>,
    results: Vec<Option<usize>>,
) -> Group {
    let shape = body.tensor(values[0]).shape.clone();
    let bytes = values.iter().map(|value| body.ty(*value).num_bytes() as u64).sum();
    let dims = (0..shape.len())
        .map(|dim| {
            let has = |classes: &BTreeSet<Class>| {
                values.iter().any(|value| classes.contains(&roles.classes.of(*value, dim)))
            };
            match (has(&roles.batch), has(&roles.sequence)) {
                (true, _) => DimKind::Batch,
                (_, true) => DimKind::Sequence,
                _ => DimKind::Other,
            }
        })
        .collect();
    Group { name, kind, values, results, shape, bytes, dims }
}

/// `layers.3.w1` as `layers.#.w1`: numbers anywhere but in the leaf's own name.
fn without_numbers(path: &str) -> String {
    let parts: Vec<&str> = path.split('.').collect();
    let last = parts.len() - 1;
    let part = |(position, part): (usize, &&str)| -> String {
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        if position == last && !is_number {
            return (*part).to_owned();
        }
        let mut text = String::new();
        for char in part.chars() {
            match (char.is_ascii_digit(), text.ends_with('#')) {
                (true, true) => {}
                (true, false) => text.push('#'),
                (false, _) => text.push(char),
            }
        }
        text
    };
    parts.iter().enumerate().map(part).collect::<Vec<_>>().join(".")
}

/// Sums of two activations that have batch and sequence dims, of the dims that most such sums have.
fn residual_stream(function: &Function, roles: &Roles, pinned: &BTreeSet<ValueId>) -> Option<Group> {
    let body = &function.body;
    let mut by_dims: BTreeMap<Vec<Class>, Vec<ValueId>> = BTreeMap::new();
    for id in &roles.insts {
        let (inst, rule) = (&body.insts[*id], &roles.rules[*id]);
        let [result] = inst.results.as_slice() else { continue };
        let [left, right] = inst.operands.as_slice() else { continue };
        let is_elementwise = rule.factors.iter().all(|factor| factor.kind == FactorKind::PassThrough)
            && inst.regions.is_empty()
            && rule.operands.iter().all(|operand| *operand == rule.results[0]);
        let is_activation = |value: ValueId| roles.depends[value] & DATA != 0 && !is_broadcast(body, value);
        if !is_elementwise || left == right || !is_activation(*left) || !is_activation(*right) {
            continue;
        }
        let classes: Vec<Class> =
            (0..body.tensor(*result).rank()).map(|dim| roles.classes.of(*result, dim)).collect();
        let has = |wanted: &BTreeSet<Class>| classes.iter().any(|class| wanted.contains(class));
        if has(&roles.batch) && has(&roles.sequence) && !pinned.contains(result) {
            by_dims.entry(classes).or_default().push(*result);
        }
    }
    // The first of those with the most: ties go to the dims that come first in the program.
    let most = by_dims.values().map(Vec::len).max()?;
    let values = by_dims.into_values().find(|values| values.len() == most)?;
    let results = vec![None; values.len()];
    Some(group(body, roles, GroupKind::Activation, "residual stream".into(), values, results))
}

/// Whether a value is made from less than itself.
fn is_broadcast(body: &Body, value: ValueId) -> bool {
    let Def::Result(id, _) = body.values[value].def else { return false };
    let inst = &body.insts[id];
    inst.operands.len() == 1 && body.ty(inst.operands[0]).num_bytes() < body.ty(value).num_bytes()
}

/// The sets of dims of parameter groups that are one dim of the model, and the work in which they take part.
pub fn dim_sets(function: &Function, roles: &Roles, groups: &[Group]) -> Vec<DimSet> {
    let body = &function.body;
    let mut sites: Vec<(usize, usize)> = Vec::new();
    let mut set_of: Vec<usize> = Vec::new();
    let mut first: BTreeMap<Class, usize> = BTreeMap::new();
    for (number, group) in groups.iter().enumerate().filter(|(_, group)| group.kind == GroupKind::Parameter) {
        for dim in (0..group.shape.len()).filter(|dim| group.shape[*dim] > 1) {
            let site = sites.len();
            sites.push((number, dim));
            set_of.push(site);
            for value in &group.values {
                let other = *first.entry(roles.classes.of(*value, dim)).or_insert(site);
                let (from, to) = (set_of[site].max(set_of[other]), set_of[site].min(set_of[other]));
                set_of.iter_mut().filter(|set| **set == from).for_each(|set| *set = to);
            }
        }
    }
    let mut flops: BTreeMap<usize, (f64, bool)> = BTreeMap::new();
    for id in &roles.insts {
        let (inst, rule) = (&body.insts[*id], &roles.rules[*id]);
        let is_weight = |value: &ValueId| roles.depends[*value] == PARAMETERS;
        if contracted(rule).is_empty() || !inst.operands.iter().any(is_weight) {
            continue;
        }
        let types =
            |values: &[ValueId]| values.iter().map(|value| body.ty(*value).clone()).collect::<Vec<_>>();
        let work = inst.op.flops(&types(&inst.operands), &types(&inst.results));
        for (factor, class) in factor_classes(roles, body, *id) {
            let Some(site) = first.get(&class) else { continue };
            let entry = flops.entry(set_of[*site]).or_default();
            entry.0 += work;
            entry.1 |= numbers_matrices(rule, factor);
        }
    }
    let data: BTreeSet<Class> = roles.batch.union(&roles.sequence).copied().collect();
    let roots: BTreeSet<usize> = set_of.iter().copied().collect();
    roots
        .into_iter()
        .map(|root| {
            let (flops, is_expert) = flops.get(&root).copied().unwrap_or_default();
            let is_data = first.iter().any(|(class, site)| set_of[*site] == root && data.contains(class));
            let sites =
                sites.iter().zip(&set_of).filter(|(_, set)| **set == root).map(|(site, _)| *site).collect();
            DimSet { sites, flops, is_expert, is_data }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_lose_their_numbers_and_leaves_keep_theirs() {
        assert_eq!(without_numbers("layers.31.w1"), "layers.#.w1");
        assert_eq!(without_numbers("layers_31.w2"), "layers_#.w2");
        assert_eq!(without_numbers("wte"), "wte");
        assert_eq!(without_numbers("12"), "#");
    }
}
