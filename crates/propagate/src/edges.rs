//! Data-flow edges: put in before propagation, taken out after it.
//!
//! Input: a program. [`add`] puts an `sdy.data_flow_edge` behind every tensor through which a loop, a branch, a region
//! or an optimization barrier ties values, unless there is one; [`add_for_calls`] an `sdy.func_data_flow_edge`
//! behind the arguments of called functions and the results of calls. Each holds the sharding of all that it ties.
//! [`remove`] takes those out that were added, and gives their shardings to the instructions and functions.

use super::annotation::{set, sharding_of};
use super::edit::{Editor, Source};
use meshwright_ir::ids::{Id, InstId, ValueId};
use meshwright_ir::op::{DataFlow, Op};
use meshwright_ir::ops::sdy_edge::DataFlowEdge;
use meshwright_ir::program::{Body, Program};
use std::collections::BTreeSet;

/// Edges that were added: function and instruction.
pub(crate) type Added = BTreeSet<(usize, InstId)>;

/// Adds the edges of instructions.
pub(crate) fn add(program: &mut Program) -> Added {
    let mut added = Added::new();
    for function in 0..program.functions.len() {
        let body = &program.functions[function].body;
        let owners: Vec<ValueId> = body
            .walk(body.entry())
            .into_iter()
            .flat_map(|inst| owners(body, inst).into_iter().rev())
            .collect();
        let edges: Vec<(ValueId, DataFlowEdge)> = owners
            .into_iter()
            .map(|owner| (owner, DataFlowEdge::Inst(sharding_of(program, function, owner))))
            .collect();
        let edges = put(&mut program.functions[function].body, edges);
        added.extend(edges.into_iter().map(|(_, edge)| (function, edge)));
    }
    added
}

/// Adds the edges of calls: for the arguments of functions that are called, and for the results of calls.
pub(crate) fn add_for_calls(program: &mut Program) -> Added {
    let mut added = Added::new();
    let called: BTreeSet<String> = calls(program).into_iter().map(|(_, _, callee)| callee).collect();
    let with_body = program.functions.iter().filter(|function| !function.is_declaration);
    let with_body: BTreeSet<String> = with_body.map(|function| function.name.clone()).collect();
    for function in 0..program.functions.len() {
        if program.functions[function].is_declaration {
            continue;
        }
        let body = &program.functions[function].body;
        let has_body = |inst: &InstId| match &body.insts[*inst].op {
            Op::Call(call) => with_body.contains(&call.callee),
            _ => false,
        };
        let mut owners: Vec<ValueId> = Vec::new();
        if called.contains(&program.functions[function].name) {
            owners.extend(program.functions[function].args());
        }
        let results = body.walk(body.entry()).into_iter().filter(has_body);
        owners.extend(results.flat_map(|inst| body.insts[inst].results.clone()));
        let edges = owners.into_iter().rev().map(|owner| (owner, DataFlowEdge::Func)).collect();
        for (owner, edge) in put(&mut program.functions[function].body, edges) {
            let result = program.functions[function].body.insts[edge].results.first().copied();
            if let (Some(sharding), Some(result)) = (sharding_of(program, function, owner), result) {
                set(program, function, result, sharding);
            }
            added.insert((function, edge));
        }
    }
    added
}

/// All calls: function, instruction, callee.
pub(crate) fn calls(program: &Program) -> Vec<(usize, InstId, String)> {
    let mut calls = Vec::new();
    for (index, function) in program.functions.iter().enumerate() {
        for inst in function.body.walk(function.body.entry()) {
            if let Op::Call(call) = &function.body.insts[inst].op {
                calls.push((index, inst, call.callee.clone()));
            }
        }
    }
    calls
}

/// The values of an instruction that an edge is to stand behind.
fn owners(body: &Body, inst: InstId) -> Vec<ValueId> {
    let content = &body.insts[inst];
    let mut owners = Vec::new();
    if content.op.data_flow() == DataFlow::Region {
        owners.extend(content.regions.iter().flat_map(|region| body.regions[*region].args.iter().copied()));
    }
    if content.op.data_flow() != DataFlow::None {
        owners.extend(&content.results);
    }
    owners
}

/// Puts edges behind values. Returns those that had none yet, with their edges.
fn put(body: &mut Body, edges: Vec<(ValueId, DataFlowEdge)>) -> Vec<(ValueId, InstId)> {
    let mut editor = Editor::new(body);
    let mut added = Vec::new();
    for (owner, op) in edges {
        let has_edge = match editor.uses(owner) {
            [(user, _)] => matches!(editor.body.insts[*user].op, Op::DataFlowEdge(_)),
            _ => false,
        };
        if has_edge || editor.body.ty(owner).as_tensor().is_none() {
            continue;
        }
        let from = Source::of_value(editor.body, owner);
        if let Some((edge, result)) = editor.insert_behind(owner, op, from) {
            editor.redirect(owner, result, |_, inst| inst != edge);
            added.push((owner, edge));
        }
    }
    added
}

/// Takes edges out again. What an edge says is then said by what it stands behind.
pub(crate) fn remove(program: &mut Program, added: &Added) {
    for function in 0..program.functions.len() {
        let own = added.range((function, InstId::from_index(0))..);
        let own = own.take_while(|(other, _)| *other == function).map(|(_, edge)| *edge);
        let mut said = Vec::new();
        let mut editor = Editor::new(&mut program.functions[function].body);
        for edge in own {
            let inst = &editor.body.insts[edge];
            let (Some(operand), Some(result)) =
                (inst.operands.first().copied(), inst.results.first().copied())
            else {
                continue;
            };
            editor.remove(edge);
            editor.redirect(result, operand, |_, _| true);
            said.push((operand, result));
        }
        editor.finish();
        for (operand, result) in said {
            if let Some(sharding) = sharding_of(program, function, result) {
                set(program, function, operand, sharding);
            }
        }
    }
}
