//! Constants apart and together: each reader of a constant computation gets a copy of its own before propagation, so
//! that a constant does not tie its readers together; copies that came out alike are merged again behind.
//!
//! Input: a verified program. A constant computation is a constant, an iota, or what is computed of such by broadcasts,
//! reshapes, slices and elementwise ops; a broadcast of a scalar is copied too. Scalars are never copied.
//! `stablehlo.constant` becomes `sdy.constant`. After Shardy's `constant_or_scalar_splitter.cc` and `..._merger.cc`.

use super::edit::Editor;
use meshwright_analyze::flow::whole_insts;
use meshwright_ir::attribute::Attributes;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::op::{Op, OpPriority};
use meshwright_ir::ops::sdy_constant::SdyConstant;
use meshwright_ir::ops::sdy_constraint::ConstraintKind;
use meshwright_ir::program::{Body, Program};
use meshwright_tensor::types::Type;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Gives each reader a copy.
pub(crate) fn split(program: &mut Program) {
    for function in program.functions.iter_mut().filter(|function| !function.is_declaration) {
        // Those in reducers and comparators are of single elements and stay what they are.
        for inst in whole_insts(&function.body, function.body.entry()) {
            let inst = &mut function.body.insts[inst];
            if let Op::Constant(constant) = &inst.op {
                inst.op = SdyConstant { constant: (**constant).clone() }.into();
            }
        }
        split_body(&mut function.body);
    }
}

fn is_scalar(body: &Body, value: ValueId) -> bool {
    body.ty(value).as_tensor().is_none_or(|tensor| tensor.rank() == 0)
}

/// Whether the op computes a constant of constants.
fn preserves(body: &Body, inst: InstId) -> bool {
    let view = body.view(inst);
    let op = &view.inst.op;
    let is_constraint = matches!(op, Op::ShardingConstraint(own) if own.kind == ConstraintKind::Constraint);
    !op.has_side_effects()
        && !is_constraint
        && (matches!(op, Op::BroadcastInDim(_) | Op::Reshape(_) | Op::Slice(_))
            || op.op_priority(&view) == OpPriority::Elementwise)
}

fn split_body(body: &mut Body) {
    let order = body.walk(body.entry());
    let mut editor = Editor::new(body);
    let (mut constants, mut expansions) = (BTreeSet::new(), BTreeSet::new());
    let mut constant_order = Vec::new();
    let mut expansion_order = Vec::new();
    for inst in order {
        let content = &editor.body.insts[inst];
        let operands = content.operands.clone();
        let is_constant = |value: &ValueId, editor: &Editor<'_>| {
            editor.defining(*value).is_some_and(|def| constants.contains(&def))
        };
        match &content.op {
            Op::ShardingGroup(_) => continue,
            Op::SdyConstant(_) | Op::Iota(_) => {
                constants.insert(inst);
                constant_order.push(inst);
                continue;
            }
            _ => {}
        }
        let is_expansion = matches!(content.op, Op::BroadcastInDim(_))
            && operands.iter().all(|value| is_scalar(editor.body, *value));
        if preserves(editor.body, inst) && operands.iter().all(|value| is_constant(value, &editor)) {
            constants.insert(inst);
            constant_order.push(inst);
            continue;
        }
        if is_expansion {
            expansions.insert(inst);
            expansion_order.push(inst);
            continue;
        }
        for (position, operand) in operands.into_iter().enumerate() {
            let Some(def) = editor.defining(operand) else { continue };
            if (constants.contains(&def) || expansions.contains(&def)) && !is_scalar(editor.body, operand) {
                let copy = copy(&mut editor, operand);
                editor.set_operand(inst, position, copy);
            }
        }
    }
    for inst in expansion_order.into_iter().chain(constant_order.into_iter().rev()) {
        let readers: Vec<InstId> = editor.body.insts[inst]
            .results
            .iter()
            .flat_map(|result| editor.uses(*result).iter().map(|(user, _)| *user))
            .collect();
        if readers.iter().all(|user| matches!(editor.body.insts[*user].op, Op::ShardingGroup(_))) {
            readers.into_iter().for_each(|user| editor.remove(user));
            editor.remove(inst);
        }
    }
    editor.finish();
}

/// Copies a computation, scalars aside. Each copy stands before what it is a copy of.
fn copy(editor: &mut Editor<'_>, root: ValueId) -> ValueId {
    let mut copies: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    // An explicit stack: how long constant computations are is up to the input.
    let mut stack = vec![(root, false)];
    while let Some((value, are_operands_done)) = stack.pop() {
        if copies.contains_key(&value) || is_scalar(editor.body, value) {
            continue;
        }
        let Some(inst) = editor.defining(value) else { continue };
        let operands = editor.body.insts[inst].operands.clone();
        if !are_operands_done {
            stack.push((value, true));
            stack.extend(operands.into_iter().rev().map(|operand| (operand, false)));
            continue;
        }
        let mapped = operands.iter().map(|operand| *copies.get(operand).unwrap_or(operand)).collect();
        let groups: Vec<InstId> = editor
            .uses(value)
            .iter()
            .map(|(user, _)| *user)
            .filter(|user| matches!(editor.body.insts[*user].op, Op::ShardingGroup(_)))
            .collect();
        let Some(new) = editor.copy_before(inst, mapped, inst) else { continue };
        let results = editor.body.insts[inst].results.clone();
        let new_results = editor.body.insts[new].results.clone();
        copies.extend(results.into_iter().zip(new_results));
        if let Some(own) = copies.get(&value).copied() {
            for group in groups {
                editor.copy_before(group, vec![own], inst);
            }
        }
    }
    copies.get(&root).copied().unwrap_or(root)
}

/// All that two copies must have in common to be merged.
type Likeness = (Option<RegionId>, Op, Attributes, Vec<ValueId>, Vec<Type>);

/// Merges constants, and broadcasts of one scalar, that are alike in everything, sharding included.
pub(crate) fn merge(program: &mut Program) {
    for function in program.functions.iter_mut().filter(|function| !function.is_declaration) {
        let order = function.body.walk(function.body.entry());
        let mut editor = Editor::new(&mut function.body);
        let mut known: HashMap<Likeness, InstId> = HashMap::new();
        for inst in order {
            let content = &editor.body.insts[inst];
            let merges = match content.op {
                Op::SdyConstant(_) | Op::Constant(_) => true,
                Op::BroadcastInDim(_) => content.operands.iter().all(|value| is_scalar(editor.body, *value)),
                _ => false,
            };
            if !merges {
                continue;
            }
            let types = content.results.iter().map(|value| editor.body.ty(*value).clone()).collect();
            let key = (
                editor.region(inst),
                content.op.clone(),
                content.attributes.clone(),
                content.operands.clone(),
                types,
            );
            let first = *known.entry(key).or_insert(inst);
            if first == inst {
                continue;
            }
            let (old, new) =
                (editor.body.insts[inst].results.clone(), editor.body.insts[first].results.clone());
            for (old, new) in old.into_iter().zip(new) {
                editor.redirect(old, new, |_, _| true);
            }
            editor.remove(inst);
        }
        editor.finish();
    }
}
