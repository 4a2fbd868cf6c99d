//! Loops that hide layers: they go through layers, but read no stack of parameters at their counter.
//!
//! Input: a step in normal form. Output: loops of its own region that are to be written out so that there are places to cut.
//! Layers that share their weights are such, those that are looked up by a counter of their own, as in a `fori_loop`, and what the
//! backward pass does with what they have left. A loop over the tokens of a sequence is none, as it reads data part by part: it is
//! within a layer.
//!
//! A loop is left as it is where it has no large part of the forward pass: layers around it are places enough.

use meshwright_analyze::phases::{Phase, reads};
use meshwright_analyze::roles::DATA;
use meshwright_analyze::{Phases, Roles, layer_loops};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::loops::trip_count;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, Function};
use meshwright_tensor::types::ElementKind;
use meshwright_transform::unroll::MOST_TURNS;
use std::collections::BTreeSet;

use super::by_itself;

/// A loop is written out if it has more than this part of the work of the forward pass.
const LARGE: f64 = 0.25;

/// The loops that hide layers, and those behind them that read what they leave layer by layer.
pub(super) fn hidden_layers(function: &Function) -> BTreeSet<InstId> {
    let body = &function.body;
    let insts = &body.regions[body.entry()].insts;
    let loops: Vec<InstId> = insts.iter().copied().filter(|inst| turns(body, *inst).is_some()).collect();
    if loops.is_empty() {
        return BTreeSet::new();
    }
    let roles = Roles::new(function);
    let Some(phases) = Phases::new(function, &roles) else { return BTreeSet::new() };
    let of_layers: BTreeSet<InstId> = layer_loops(function, &roles).iter().map(|found| found.inst).collect();
    let work = by_itself::work(body);
    let of_forward = |inst: &&InstId| phases.of[**inst] == Phase::Forward;
    let whole: f64 = insts.iter().filter(of_forward).map(|inst| work[*inst]).sum();
    let mut found: BTreeSet<InstId> = BTreeSet::new();
    for inst in loops.into_iter().filter(|inst| !of_layers.contains(inst)) {
        let is_large = work[inst] > LARGE * whole;
        let parts = parts(body, inst);
        let mut of_data = parts.iter().filter(|value| roles.depends[**value] & DATA != 0);
        // Seeds are no data of examples, though each layer has its own.
        let is_left = |value: &ValueId| is_seed(body, *value) || left_by(body, &found, *value, inst);
        let is_behind = || reads(body, inst).iter().any(|value| left_by(body, &found, *value, inst));
        let is_hiding = match phases.of[inst] {
            Phase::Free | Phase::Update => false,
            Phase::Forward if is_large => of_data.all(is_left),
            Phase::Forward | Phase::Turning | Phase::Backward => of_data.all(is_left) && is_behind(),
        };
        if is_hiding {
            found.insert(inst);
        }
    }
    found
}

/// How often a loop turns, if it can be written out.
fn turns(body: &Body, inst: InstId) -> Option<u64> {
    trip_count(body.view(inst)).filter(|turns| (2..=MOST_TURNS).contains(turns))
}

/// Whether a value is left by one of these loops that turns as often as another one.
fn left_by(body: &Body, found: &BTreeSet<InstId>, value: ValueId, other: InstId) -> bool {
    match body.values[value].def {
        Def::Result(inst, _) => found.contains(&inst) && turns(body, inst) == turns(body, other),
        Def::Argument(..) => false,
    }
}

fn is_seed(body: &Body, value: ValueId) -> bool {
    body.ty(value).as_tensor().is_some_and(|ty| ty.element.kind() == ElementKind::Unsigned)
}

/// The values from around a loop, which stay what they are in it, that it reads part by part.
fn parts(body: &Body, outer: InstId) -> BTreeSet<ValueId> {
    let view = body.view(outer);
    let region = view.inst.regions[1];
    let (args, returned) = (&body.regions[region].args, view.returned(1));
    let captured = view.captured();
    let around = |value: ValueId| match body.values[value].def {
        Def::Argument(own, index) if own == region => {
            (returned[index] == args[index]).then(|| view.inst.operands[index])
        }
        _ => captured.contains(&value).then_some(value),
    };
    let is_part = |inst: &InstId| matches!(body.insts[*inst].op, Op::DynamicSlice(_) | Op::Gather(_));
    let read = body.walk(region).into_iter().filter(is_part);
    read.filter_map(|inst| around(body.insts[inst].operands[0])).collect()
}
