//! What has to be computed where: in the loop of a pass, and outside of all loops.

use crate::time::TimeAxis;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::DataFlow;
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::rewrite::Rewriter;
use std::collections::BTreeSet;

/// What the loop of a pass takes.
pub(super) struct Needs {
    /// Instructions of the entry region that are computed in it, in order.
    pub(super) insts: Vec<InstId>,
    /// Values that they make.
    pub(super) made: BTreeSet<ValueId>,
    /// Values from outside of it that they read.
    pub(super) outside: Vec<ValueId>,
}

/// The instruction that makes a value.
pub(super) fn maker(body: &Body, value: ValueId) -> Option<InstId> {
    match body.values[value].def {
        Def::Result(inst, _) => Some(inst),
        Def::Argument(..) => None,
    }
}

/// What an instruction reads for one of its results, inside its regions too.
fn reads_for(body: &Body, inst: InstId, result: ValueId) -> Vec<ValueId> {
    let view = body.view(inst);
    if view.inst.op.traits().data_flow == DataFlow::Identity {
        let pairs = view.inst.operands.iter().zip(&view.inst.results);
        return pairs.filter(|(_, own)| **own == result).map(|(operand, _)| *operand).collect();
    }
    view.inst.operands.iter().copied().chain(view.captured()).collect()
}

/// What the loop of a pass takes, which puts together its points.
pub(super) fn of_pass(function: &Function, axis: &TimeAxis, pass: usize) -> Needs {
    let body = &function.body;
    let is_of_pass = |value: ValueId| axis.pass_of[value] == Some(pass);
    let (mut insts, mut outside) = (BTreeSet::new(), BTreeSet::new());
    let points = axis.points.iter().map(|point| point.value);
    let mut open: Vec<ValueId> = points.filter(|value| is_of_pass(*value)).collect();
    let mut seen: BTreeSet<ValueId> = BTreeSet::new();
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        let is_given = axis.pass_of[value].is_some_and(|own| own < pass);
        match maker(body, value) {
            Some(inst) if axis.states[value].is_inside && !is_given => {
                insts.insert(inst);
                open.extend(reads_for(body, inst, value));
            }
            _ => {
                outside.insert(value);
            }
        }
    }
    let made = seen.difference(&outside).copied().collect();
    Needs { insts: in_order(body, &insts), made, outside: outside.into_iter().collect() }
}

/// The instructions outside of all loops that have to run before these values are there, in order; those that have run
/// left out.
pub(super) fn outside(
    function: &Function,
    axis: &TimeAxis,
    rewriter: &Rewriter<'_>,
    values: &[ValueId],
) -> Vec<InstId> {
    let body = &function.body;
    let (mut insts, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let mut open = values.to_vec();
    while let Some(value) = open.pop() {
        let is_there = rewriter.map[value].is_some() && !axis.states[value].is_inside;
        if is_there || axis.pass_of[value].is_some() {
            continue;
        }
        if !seen.insert(value) {
            continue;
        }
        if let Some(inst) = maker(body, value) {
            insts.insert(inst);
            open.extend(reads_for(body, inst, value));
        }
    }
    in_order(body, &insts)
}

/// Instructions of the entry region with effects of their own, which run outside of all loops.
pub(super) fn effects(function: &Function) -> Vec<InstId> {
    let body = &function.body;
    let insts = &body.regions[body.entry()].insts;
    insts.iter().copied().filter(|inst| body.effect_in(*inst).is_some()).collect()
}

/// Instructions of the entry region in its order.
pub(super) fn in_order(body: &Body, insts: &BTreeSet<InstId>) -> Vec<InstId> {
    body.regions[body.entry()].insts.iter().copied().filter(|inst| insts.contains(inst)).collect()
}
