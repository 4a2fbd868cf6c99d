//! Copies of parameters that a step keeps while it loops over microbatches.
//!
//! Input: a function and what its values depend on. Output: the same function with copies of parameters ahead of layers
//! ([`with_copies`]); and of a function with its [`Roles`], the [`copies`] of each parameter of which loops over microbatches
//! read nothing but what was made of it alone in front of them, as it is computed with (in narrower floats). The parameter
//! itself is a master then: it is read once in a step, and replaced behind the loops.

use std::collections::{BTreeMap, BTreeSet};

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Def, Function};
use meshwright_transform::Made;
use meshwright_transform::ahead::{Known, made_ahead};

use crate::flow::{Marks, Sources};
use crate::roles::{DATA, PARAMETERS, Role, Roles};
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
    let sources = Sources::new(body);
    let operands = |value: ValueId| match body.values[value].def {
        Def::Result(inst, _) => {
            let view = body.view(inst);
            view.inst.operands.iter().copied().chain(view.captured()).collect()
        }
        Def::Argument(..) => Vec::new(),
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
            let behind = sources.behind(value, &operands);
            let made_of: Vec<usize> =
                behind.iter().filter_map(|value| function.argument_index(*value)).collect();
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

/// Copies made ahead of loops over layers of what these make of parameters alone; none if there is nothing of that kind. `depends` says of every
/// value whether it depends on data, and on parameters.
pub fn with_copies(function: &Function, depends: &Table<ValueId, Marks>) -> Option<Made> {
    let known = Known {
        is_of_parameters: &|value| depends[value] & PARAMETERS != 0,
        is_of_data: &|value| depends[value] & DATA != 0,
    };
    made_ahead(function, known)
}
