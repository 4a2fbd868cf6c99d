//! Sharding constraints come to hold for the values that they constrain.
//!
//! Input: a program with data-flow edges. A value that has no sharding, and on which all constraints agree, gets that of
//! its constraint, if it is closed. Behind an edge the constraint is moved to the edge instead, and everything else
//! reads the constraint: what the edge ties is not restricted. The operands of manual computations count as
//! constrained. Of a chain of constraints, later readers read the last. After Shardy's `apply_sharding_constraints.cc`.

use super::annotation::{set_in, sharding_in};
use super::edit::{Editor, Source};
use super::groups::slot;
use meshwright_ir::attribute::Attributes;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::sdy_constraint::{ConstraintKind, ShardingConstraint};
use meshwright_ir::program::{Def, Program};
use meshwright_ir::sharding::ShardingAttr;

/// Applies the constraints of all functions.
pub(crate) fn apply(program: &mut Program) {
    for function in program.functions.iter_mut().filter(|function| !function.is_declaration) {
        let order = function.body.walk(function.body.entry());
        let arguments = &mut function.arg_attributes;
        let mut editor = Editor::new(&mut function.body);
        for inst in order {
            match editor.body.insts[inst].op.clone() {
                Op::ShardingConstraint(constraint) if constraint.kind == ConstraintKind::Constraint => {
                    let Some(input) = editor.body.insts[inst].operands.first().copied() else { continue };
                    read_tail(&mut editor, arguments, inst, input);
                    if !should_apply(&editor, arguments, input, &constraint.sharding) {
                        continue;
                    }
                    if is_behind_edge(&editor, input) {
                        let Some(result) = editor.body.insts[inst].results.first().copied() else { continue };
                        editor.move_behind(inst, input);
                        redirect(&mut editor, arguments, input, inst, result, &constraint.sharding);
                    } else {
                        set_in(editor.body, arguments, input, constraint.sharding);
                    }
                }
                Op::ManualComputation(manual) => {
                    let operands = editor.body.insts[inst].operands.clone();
                    for (input, sharding) in operands.into_iter().zip(&manual.in_shardings) {
                        if !should_apply(&editor, arguments, input, sharding) {
                            continue;
                        }
                        if !is_behind_edge(&editor, input) {
                            set_in(editor.body, arguments, input, sharding.clone());
                            continue;
                        }
                        let op = ShardingConstraint {
                            kind: ConstraintKind::Constraint,
                            sharding: sharding.clone(),
                        };
                        let from = Source::of_inst(editor.body, inst);
                        if let Some((new, result)) = editor.insert_behind(input, op, from) {
                            redirect(&mut editor, arguments, input, new, result, sharding);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

/// Everything but the constraint reads its result; axes over which it is unreduced are those of the value too.
fn redirect(
    editor: &mut Editor<'_>,
    arguments: &mut [Attributes],
    input: ValueId,
    constraint: InstId,
    result: ValueId,
    sharding: &ShardingAttr,
) {
    editor.redirect(input, result, |_, inst| inst != constraint);
    if sharding.unreduced.is_empty() {
        return;
    }
    let own = sharding_in(editor.body, arguments, input);
    let mut own = own.unwrap_or_else(|| ShardingAttr::open(sharding.mesh.clone(), sharding.dims.len()));
    own.unreduced.clone_from(&sharding.unreduced);
    own.reduction = sharding.reduction;
    set_in(editor.body, arguments, input, own);
}

/// Whether the value's sharding is one with others, through an edge.
fn is_behind_edge(editor: &Editor<'_>, value: ValueId) -> bool {
    match editor.body.values[value].def {
        Def::Result(inst, _) => matches!(editor.body.insts[inst].op, Op::DataFlowEdge(_)),
        Def::Argument(region, _) => region != editor.body.entry(),
    }
}

fn should_apply(
    editor: &Editor<'_>,
    arguments: &[Attributes],
    input: ValueId,
    sharding: &ShardingAttr,
) -> bool {
    let Some(slot) = slot(editor, input) else { return false };
    if sharding_in(editor.body, arguments, slot).is_some() || sharding.dims.iter().any(|dim| dim.is_open) {
        return false;
    }
    !editor.uses(input).iter().any(|(user, operand)| match &editor.body.insts[*user].op {
        Op::ShardingConstraint(other) if other.kind == ConstraintKind::Constraint => {
            other.sharding != *sharding
        }
        Op::ManualComputation(manual) => manual.in_shardings.get(*operand) != Some(sharding),
        _ => false,
    })
}

fn is_constraint(editor: &Editor<'_>, inst: InstId) -> bool {
    matches!(&editor.body.insts[inst].op,
        Op::ShardingConstraint(constraint) if constraint.kind == ConstraintKind::Constraint)
}

fn constrains(editor: &Editor<'_>, inst: InstId) -> bool {
    is_constraint(editor, inst) || matches!(editor.body.insts[inst].op, Op::ManualComputation(_))
}

/// The last constraint of the chain that begins with `head`, if there are several and nothing else reads those between.
fn tail(editor: &Editor<'_>, arguments: &[Attributes], head: InstId, input: ValueId) -> Option<InstId> {
    let begins = editor.defining(input).is_none_or(|inst| !is_constraint(editor, inst));
    let slot = slot(editor, input);
    let is_free = slot.is_none_or(|slot| sharding_in(editor.body, arguments, slot).is_none());
    let is_alone = !editor.uses(input).iter().any(|(user, _)| *user != head && constrains(editor, *user));
    if !begins || !is_free || !is_alone {
        return None;
    }
    let mut tail = head;
    while let [(user, _)] = editor.uses(*editor.body.insts[tail].results.first()?)
        && is_constraint(editor, *user)
    {
        tail = *user;
    }
    let result = *editor.body.insts[tail].results.first()?;
    let ends = !editor.uses(result).iter().any(|(user, _)| constrains(editor, *user));
    (tail != head && ends).then_some(tail)
}

/// What reads the constrained value behind a chain of constraints, in the same region, reads the chain's end.
fn read_tail(editor: &mut Editor<'_>, arguments: &[Attributes], head: InstId, input: ValueId) {
    let Some(tail) = tail(editor, arguments, head, input) else { return };
    let (Some((region, end)), Some(result)) =
        (editor.position(tail), editor.body.insts[tail].results.first().copied())
    else {
        return;
    };
    editor.redirect(input, result, |editor, user| {
        let is_end_of_function =
            matches!(editor.body.insts[user].op, Op::Return(_)) && region == editor.body.entry();
        let behind = editor.position(user).is_some_and(|(other, at)| other == region && at > end);
        user != head && behind && !is_end_of_function
    });
}
