//! Sharding groups: values that are to be sharded alike.
//!
//! Input: a program with data-flow edges. [`import`] joins groups that share a value, numbers them from zero and takes
//! repetitions out. [`sync`] gives all members the sharding of those that have one; where two differ, each member is
//! read through an open constraint, and these are the group then. The whole sharding counts: if one argument is
//! annotated as unreduced, those in a group with it are given as contributions too. After Shardy's
//! `sharding_group_import.cc` and `sharding_group_map.cc`.

use super::annotation::{set_in, sharding_in};
use super::edit::{Editor, Source};
use meshwright_ir::attribute::Attributes;
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::{DataFlow, Op};
use meshwright_ir::ops::sdy_constraint::{ConstraintKind, ShardingConstraint};
use meshwright_ir::ops::sdy_sharding_group::members;
use meshwright_ir::program::{Body, Def, Function, Program};
use meshwright_ir::sharding::ShardingAttr;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A sharding group holds values that cannot be sharded alike.
pub const GROUP: Check = Check("sharding-group");

/// The value that holds a value's sharding: the result of the edge behind it, that of the loop around it, or itself.
/// `None` if it can have none.
pub(crate) fn slot(editor: &Editor<'_>, value: ValueId) -> Option<ValueId> {
    let owner = match editor.body.values[value].def {
        Def::Result(..) => value,
        Def::Argument(region, _) if region == editor.body.entry() => return Some(value),
        Def::Argument(region, index) => {
            let (_, owner) = editor.body.insts.iter().find(|(_, inst)| inst.regions.contains(&region))?;
            match owner.op.data_flow() {
                DataFlow::Region => value,
                DataFlow::Loop => owner.results.get(index).copied()?,
                _ => return None,
            }
        }
    };
    match editor.uses(owner) {
        [(user, _)] if matches!(editor.body.insts[*user].op, Op::DataFlowEdge(_)) => {
            editor.body.insts[*user].results.first().copied()
        }
        _ => Some(owner),
    }
}

/// Joins groups that share a value.
///
/// # Errors
/// Members of one group with different shapes, or inside and outside of a manual computation.
pub(crate) fn import(program: &mut Program) -> Result<(), Diagnostics> {
    let mut shapes: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    let mut around: BTreeMap<i64, Option<(usize, InstId)>> = BTreeMap::new();
    let mut leader: BTreeMap<i64, i64> = BTreeMap::new();
    let mut problems = Diagnostics::new();
    for (index, function) in program.functions.iter().enumerate() {
        let body = &function.body;
        let mut group_of: BTreeMap<ValueId, i64> = BTreeMap::new();
        for (id, inst, value) in members(body) {
            let span = body.insts[inst].span;
            let shape = body.ty(value).as_tensor().map(|tensor| tensor.shape.clone()).unwrap_or_default();
            if *shapes.entry(id).or_insert_with(|| shape.clone()) != shape {
                let message = format!("the values of sharding group {id} have different shapes");
                problems.push(
                    Diagnostic::error(GROUP, span, message).hint("give the groups numbers of their own"),
                );
            }
            let manual = manual_around(body, inst).map(|manual| (index, manual));
            if *around.entry(id).or_insert(manual) != manual {
                let message = format!("sharding group {id} crosses the border of a manual computation");
                problems.push(
                    Diagnostic::error(GROUP, span, message).hint("use one group inside and one outside"),
                );
            }
            let first = *group_of.entry(value).or_insert(id);
            let (one, other) = (find(&leader, first), find(&leader, id));
            leader.insert(one.max(other), one.min(other));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let leaders: BTreeSet<i64> = shapes.keys().map(|id| find(&leader, *id)).collect();
    let numbers: BTreeMap<i64, i64> = leaders.into_iter().zip(0..).collect();
    for function in &mut program.functions {
        let mut seen = BTreeSet::new();
        let mut repeated = Vec::new();
        for (id, inst, value) in members(&function.body) {
            let number = numbers.get(&find(&leader, id)).copied().unwrap_or(id);
            if let Op::ShardingGroup(group) = &mut function.body.insts[inst].op {
                group.id = number;
            }
            if !seen.insert((number, value)) {
                repeated.push(inst);
            }
        }
        let mut editor = Editor::new(&mut function.body);
        repeated.into_iter().for_each(|inst| editor.remove(inst));
        editor.finish();
    }
    Ok(())
}

/// The program with groups that share a value joined, and the rest of it as it is.
///
/// # Errors
/// A group of values that cannot be sharded alike.
pub fn joined(program: &Program) -> Result<Cow<'_, Program>, Diagnostics> {
    if !program.functions.iter().any(|function| has_groups(&function.body)) {
        return Ok(Cow::Borrowed(program));
    }
    let mut joined = program.clone();
    import(&mut joined)?;
    Ok(Cow::Owned(joined))
}

/// The function with the members of each group annotated alike.
pub fn synced(mut function: Function) -> Function {
    if has_groups(&function.body) {
        sync(std::slice::from_mut(&mut function));
    }
    function
}

fn has_groups(body: &Body) -> bool {
    !members(body).is_empty()
}

fn find(leader: &BTreeMap<i64, i64>, mut id: i64) -> i64 {
    while let Some(next) = leader.get(&id).filter(|next| **next != id) {
        id = *next;
    }
    id
}

/// The manual computation in whose region an instruction stands.
fn manual_around(body: &Body, inst: InstId) -> Option<InstId> {
    let mut region =
        body.regions.iter().find(|(_, region)| region.insts.contains(&inst)).map(|(id, _)| id)?;
    loop {
        let (owner, content) = body.insts.iter().find(|(_, inst)| inst.regions.contains(&region))?;
        if matches!(content.op, Op::ManualComputation(_)) {
            return Some(owner);
        }
        region = body.regions.iter().find(|(_, region)| region.insts.contains(&owner)).map(|(id, _)| id)?;
    }
}

/// Gives the members of each group one sharding.
pub(crate) fn sync(functions: &mut [Function]) {
    let mut groups: BTreeMap<i64, Vec<(usize, ValueId)>> = BTreeMap::new();
    for (index, function) in functions.iter().enumerate() {
        for (id, _, value) in members(&function.body) {
            groups.entry(id).or_default().push((index, value));
        }
    }
    if groups.is_empty() {
        return;
    }
    let mut functions: Vec<(Editor<'_>, &mut Vec<Attributes>)> = functions
        .iter_mut()
        .map(|function| (Editor::new(&mut function.body), &mut function.arg_attributes))
        .collect();
    for group in groups.values().filter(|group| group.len() > 1) {
        let mut found: Option<ShardingAttr> = None;
        let mut is_conflict = false;
        for (function, value) in group {
            let (editor, arguments) = &functions[*function];
            let Some(slot) = slot(editor, *value) else { continue };
            let own = sharding_in(editor.body, arguments, slot);
            let says = |sharding: &ShardingAttr| {
                sharding.dims.iter().any(|dim| !dim.axes.is_empty() || !dim.is_open)
            };
            let Some(own) = own.filter(says) else { continue };
            is_conflict |= found.as_ref().is_some_and(|first| *first != own);
            found.get_or_insert(own);
        }
        let Some(common) = found else { continue };
        for (function, value) in group {
            let (editor, arguments) = &mut functions[*function];
            if !is_conflict {
                if let Some(slot) = slot(editor, *value) {
                    set_in(editor.body, arguments, slot, common.clone());
                }
                continue;
            }
            let sharding = ShardingAttr::open(common.mesh.clone(), common.dims.len());
            let op = ShardingConstraint { kind: ConstraintKind::Constraint, sharding };
            let from = Source::of_value(editor.body, *value);
            if let Some((new, result)) = editor.insert_behind(*value, op, from) {
                editor.redirect(*value, result, |_, inst| inst != new);
            }
        }
    }
}
