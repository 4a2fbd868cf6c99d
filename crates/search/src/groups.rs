//! Which arguments decide together.
//!
//! Input: a function, its roles and fixed decisions. Output: [`Group`]s.
//!
//! - Parameters of one type whose paths differ only in numbers are one group, so that 32 layers decide as one; unless
//!   what is one dim of the one is another dim of the other, as of square weights without names. All moments of a group's
//!   parameters are one group. Data decides by type, other state like parameters.
//! - The residual stream is one more group: sums of two activations that have the width that most parameters share.
//!   Sharding its tokens is sequence parallelism.
//! - What products make of the batch is in groups by type and dims, so that a style can say that the batch, or heads and
//!   hidden widths, stay sharded there.

use std::collections::{BTreeMap, BTreeSet};

use meshwright_analyze::dim_classes::Class;
use meshwright_analyze::roles::{DATA, contracted, is_lookup};
use meshwright_analyze::units::{Unit, Units};
use meshwright_analyze::{Role, Roles};
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::rule::{FactorKind, ShardingRule, TensorFactors};

use crate::problem::{DimKind, Group, GroupKind};
use meshwright_plan::Decisions;

/// The groups of everything that is not fixed: parameters, moments, data, other state, activations.
pub(crate) fn groups(function: &Function, roles: &Roles, units: &Units, fixed: &Decisions) -> Vec<Group> {
    let args = function.args();
    let fixed_values: BTreeSet<ValueId> = fixed.values.keys().copied().collect();
    let is_free = |index: &usize| {
        let has_dims = function.body.ty(args[*index]).as_tensor().is_some_and(|tensor| tensor.rank() > 0);
        let result = roles.args[*index].result.and_then(|result| fixed.results.get(result)?.as_ref());
        has_dims && !fixed_values.contains(&args[*index]) && result.is_none()
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
        let alike = |members: Vec<usize>| match kind {
            GroupKind::Data => vec![members],
            _ => alike(function, roles, units, &members),
        };
        // In order of their first members, so that a report follows the program.
        let mut by_name: Vec<(String, Vec<usize>)> = by_name
            .into_iter()
            .flat_map(|((path, _), members)| alike(members).into_iter().map(move |some| (path.clone(), some)))
            .collect();
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
    groups.extend(residual_stream(function, roles, &fixed_values));
    groups.extend(products(function, roles, units, &fixed_values));
    groups
}

/// A dim of arguments: its units, and the parts between which it may be cut.
type OneDim = (BTreeSet<Unit>, Vec<usize>);

/// Splits arguments of one type and name where a dim of one is another dim of the next: a product's columns and the next
/// one's rows, queries and what attention puts out. They could not decide together.
fn alike(function: &Function, roles: &Roles, units: &Units, members: &[usize]) -> Vec<Vec<usize>> {
    let dims = |index: usize| -> Vec<OneDim> {
        let value = function.args()[index];
        let dim = |(dim, size): (usize, &usize)| {
            let class = roles.classes.of(value, dim);
            (units.of(class).into_iter().collect(), units.parts(class, *size))
        };
        function.body.tensor(value).shape.iter().enumerate().map(dim).collect()
    };
    let mut split: Vec<(Vec<OneDim>, Vec<usize>)> = Vec::new();
    for index in members {
        let own = dims(*index);
        let fits = |known: &[OneDim]| {
            let is_alike = |position: usize| {
                let mut others = known.iter().enumerate().filter(|(other, _)| *other != position);
                known[position].1 == own[position].1
                    && others.all(|(_, (units, _))| units.is_disjoint(&own[position].0))
            };
            (0..own.len()).all(is_alike)
        };
        match split.iter_mut().find(|(known, _)| fits(known)) {
            Some((known, some)) => {
                known.iter_mut().zip(own).for_each(|((units, _), (own, _))| units.extend(own));
                some.push(*index);
            }
            None => split.push((own, vec![*index])),
        }
    }
    split.into_iter().map(|(_, some)| some).collect()
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
    let dims = kinds(body, roles, &values);
    Group { name, kind, values, results, shape, bytes, dims }
}

/// What each dim is for in any of the values, which have one shape.
fn kinds(body: &Body, roles: &Roles, values: &[ValueId]) -> Vec<DimKind> {
    let kind = |dim: usize| {
        let has = |classes: &BTreeSet<Class>| {
            values.iter().any(|value| classes.contains(&roles.classes.of(*value, dim)))
        };
        match (has(&roles.batch), has(&roles.sequence)) {
            (true, _) => DimKind::Batch,
            (_, true) => DimKind::Sequence,
            _ => DimKind::Other,
        }
    };
    (0..body.tensor(values[0]).rank()).map(kind).collect()
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

/// Sizes, kinds and units of a tensor's dims.
type Dims = (Vec<usize>, Vec<DimKind>, Vec<Option<Unit>>);

/// Sums of two activations that have a batch, and tokens if any such sum has: those of the width that is in most of the
/// parameters' bytes, then of the dims that most such sums have.
fn residual_stream(function: &Function, roles: &Roles, fixed_values: &BTreeSet<ValueId>) -> Option<Group> {
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
        if classes.iter().any(|class| roles.batch.contains(class)) && !fixed_values.contains(result) {
            by_dims.entry(classes).or_default().push(*result);
        }
    }
    let bytes_with = |classes: &[Class]| -> usize {
        let has = |value: &ValueId| {
            let mut dims = (0..body.tensor(*value).rank()).map(|dim| roles.classes.of(*value, dim));
            dims.any(|class| classes.contains(&class))
        };
        let parameters = roles.parameters().map(|index| function.args()[index]);
        parameters.filter(has).map(|value| body.ty(value).num_bytes()).sum()
    };
    let rank = |(classes, values): &(Vec<Class>, Vec<ValueId>)| {
        let has_tokens = classes.iter().any(|class| roles.sequence.contains(class));
        (has_tokens, bytes_with(classes), values.len())
    };
    // Of equals, the dims that come first in the program.
    let (_, values) = by_dims.into_iter().rev().max_by_key(rank)?;
    let results = vec![None; values.len()];
    Some(group(body, roles, GroupKind::Activation, "residual stream".into(), values, results))
}

/// Whether a value is made from less than itself.
fn is_broadcast(body: &Body, value: ValueId) -> bool {
    let Def::Result(id, _) = body.values[value].def else { return false };
    let inst = &body.insts[id];
    inst.operands.len() == 1 && body.ty(inst.operands[0]).num_bytes() < body.ty(value).num_bytes()
}

/// What contractions and lookups make of the batch: values of one type of which each dim is one dim of the model are a
/// group. Gradients of weights are not among them, because they sum over it, but those of experts' matrices are, because
/// their experts are what an axis shards there instead.
fn products(
    function: &Function,
    roles: &Roles,
    units: &Units,
    fixed_values: &BTreeSet<ValueId>,
) -> Vec<Group> {
    let body = &function.body;
    let mut by_dims: BTreeMap<Dims, Vec<ValueId>> = BTreeMap::new();
    for id in &roles.insts {
        let (inst, rule) = (&body.insts[*id], &roles.rules[*id]);
        let [result] = inst.results.as_slice() else { continue };
        if (contracted(rule).is_empty() && !is_lookup(rule))
            || roles.depends[*result] & DATA == 0
            || fixed_values.contains(result)
        {
            continue;
        }
        let mut kinds = kinds(body, roles, &[*result]);
        for dim in numbered_dims(roles, *result, rule) {
            kinds[dim] = DimKind::Expert;
        }
        if kinds.iter().any(|kind| matches!(kind, DimKind::Batch | DimKind::Expert)) {
            let shape = body.tensor(*result).shape.clone();
            let units = (0..shape.len()).map(|dim| units.of(roles.classes.of(*result, dim))).collect();
            by_dims.entry((shape, kinds, units)).or_default().push(*result);
        }
    }
    let group = |dims, values: Vec<ValueId>| {
        let results = vec![None; values.len()];
        Group { dims, ..group(body, roles, GroupKind::Product, "products".into(), values, results) }
    };
    by_dims.into_iter().map(|((_, dims, _), values)| group(dims, values)).collect()
}

/// The dims of a contraction's result that number experts: those that all operands have too, so that every expert's
/// matrix works by itself. Elsewhere (in what sends tokens to experts) such a dim is one of many.
fn numbered_dims<'a>(
    roles: &'a Roles,
    result: ValueId,
    rule: &'a ShardingRule,
) -> impl Iterator<Item = usize> + 'a {
    let has = |tensor: &TensorFactors, factor| tensor.iter().flatten().any(|own| own == factor);
    let is_in_all = move |factor| rule.operands.iter().all(|operand| has(operand, factor));
    let is_numbered = move |dim: &usize| {
        let factors = &rule.results[0][*dim];
        roles.experts.contains(&roles.classes.of(result, *dim)) && factors.iter().all(is_in_all)
    };
    (0..rule.results[0].len()).filter(is_numbered)
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
