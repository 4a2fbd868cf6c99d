//! Copies of parameters that a step keeps while it loops over microbatches.
//!
//! Input: a function and its [`Roles`]. Output: for each parameter of which loops over microbatches read nothing but what was
//! made of it alone in front of them, as it is computed with (in narrower floats), those values. The parameter itself is a
//! master then: it is read once in a step, and replaced behind the loops.

use std::collections::{BTreeMap, BTreeSet};

use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::program::{Body, Def, Function};

use crate::roles::{DATA, Role, Roles};
use crate::zero::is_added_up;

/// The copies of each parameter of which there are some, by its number among the arguments, the largest first.
pub fn copies(function: &Function, roles: &Roles) -> BTreeMap<usize, Vec<ValueId>> {
    let body = &function.body;
    let entry = &body.regions[body.entry()].insts;
    let is_over_microbatches = |inst: &&InstId| {
        let content = &body.insts[**inst];
        let is_sum = |value: &ValueId| {
            // Counting is no sum of the batch.
            let is_float = body.ty(*value).as_tensor().is_some_and(|ty| ty.element.is_inexact());
            is_float && is_added_up(body, *value)
        };
        content.op.carries_values() && content.results.iter().any(is_sum)
    };
    let mut found: BTreeMap<usize, BTreeSet<ValueId>> = BTreeMap::new();
    let mut masters: BTreeSet<usize> = roles.parameters().collect();
    let Some(last) = entry.iter().rposition(|inst| is_over_microbatches(&inst)) else {
        return BTreeMap::new();
    };
    // What makes copies reads masters, and follows from no data.
    let is_of_data = |inst: &&InstId| {
        let content = &body.insts[**inst];
        content.op.carries_values() && content.results.iter().any(|result| roles.depends[*result] & DATA != 0)
    };
    for inst in entry[..=last].iter().filter(is_of_data) {
        let view = body.view(*inst);
        let last = view.inst.regions.len() - 1;
        let (args, returned) = (&view.region(last).args, view.returned(last));
        let stays = (0..args.len()).filter(|index| returned[*index] == args[*index]);
        for value in stays.map(|index| view.inst.operands[index]).chain(view.captured()) {
            let made_of = arguments(function, value);
            let is_copy = made_of.len() == 1 && !function.args().contains(&value);
            for index in made_of {
                if roles.args[index].role != Role::Parameter {
                    continue;
                }
                if is_copy {
                    found.entry(index).or_default().insert(value);
                } else {
                    masters.remove(&index);
                }
            }
        }
    }
    let bytes = |value: ValueId| body.ty(value).num_bytes();
    let is_less = |(index, copies): &(usize, Vec<ValueId>)| {
        masters.contains(index)
            && copies.iter().map(|copy| bytes(*copy)).sum::<usize>() < bytes(function.args()[*index])
    };
    let sorted = |(index, copies): (usize, BTreeSet<ValueId>)| {
        let mut copies: Vec<ValueId> = copies.into_iter().collect();
        copies.sort_by_key(|copy| std::cmp::Reverse(bytes(*copy)));
        (index, copies)
    };
    found.into_iter().map(sorted).filter(is_less).collect()
}

/// The arguments of a function that a value of its own region is made of, by their numbers.
fn arguments(function: &Function, value: ValueId) -> BTreeSet<usize> {
    let body = &function.body;
    let (mut open, mut seen, mut found) = (vec![value], BTreeSet::new(), BTreeSet::new());
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        match function.argument_index(value) {
            Some(index) => drop(found.insert(index)),
            None => open.extend(made_of(body, value)),
        }
    }
    found
}

/// What a value is made of next: what a loop carries is made of what it begins with and of what its turns return.
fn made_of(body: &Body, value: ValueId) -> Vec<ValueId> {
    match body.values[value].def {
        Def::Result(inst, index) => {
            let view = body.view(inst);
            match view.inst.op.carries_values() {
                true => {
                    let last = view.inst.regions.len() - 1;
                    vec![view.inst.operands[index], view.returned(last)[index]]
                }
                false => view.inst.operands.iter().copied().chain(view.captured()).collect(),
            }
        }
        Def::Argument(region, index) => {
            let owner = body.insts.iter().find(|(_, inst)| inst.regions.contains(&region));
            let owner = owner.filter(|(_, inst)| inst.op.carries_values());
            let carried = owner.map(|(inst, content)| {
                [content.operands[index], body.view(inst).returned(content.regions.len() - 1)[index]]
            });
            carried.into_iter().flatten().collect()
        }
    }
}
