//! Points, and the passes in which they are put together.

use super::{InTime, Point, State};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Body, Def, Function};
use std::collections::BTreeSet;

/// The points of a function and the number of passes over its batch.
pub(super) fn of(
    function: &Function,
    states: &Table<ValueId, State>,
    whole: &[InstId],
    estimates: &BTreeSet<ValueId>,
) -> (Vec<Point>, usize) {
    let body = &function.body;
    let values = read_outside(function, states, whole, estimates);
    let last = values.iter().map(|value| states[*value].level).max().unwrap_or(0);
    let mut passes: Table<ValueId, Option<usize>> = Table::filled(None, body.values.len());
    values.iter().for_each(|value| passes[*value] = Some(last));
    for pass in (1..=last).rev() {
        for level in 1..=pass {
            let is_end = |value: &ValueId| passes[*value] == Some(pass) && states[*value].level == level;
            let ends: Vec<ValueId> = values.iter().copied().filter(is_end).collect();
            advance(body, states, &ends, level, &mut passes);
        }
    }
    let point =
        |value: ValueId| Point { value, kind: states[value].kind, pass: passes[value].unwrap_or(last) };
    (values.into_iter().map(point).collect(), last + 1)
}

/// The values of the loop over microbatches that are read outside of it, in the order of the program.
fn read_outside(
    function: &Function,
    states: &Table<ValueId, State>,
    whole: &[InstId],
    estimates: &BTreeSet<ValueId>,
) -> Vec<ValueId> {
    let body = &function.body;
    let needs_whole: BTreeSet<InstId> = whole.iter().copied().collect();
    let mut found = BTreeSet::new();
    for inst in &body.regions[body.entry()].insts {
        let view = body.view(*inst);
        if view.inst.results.iter().any(|result| estimates.contains(result)) {
            continue;
        }
        let captured = view.captured();
        let is_outside = view.inst.results.iter().all(|result| !states[*result].is_inside);
        let takes_whole = needs_whole.contains(inst) || is_outside;
        for value in view.inst.operands.iter().chain(&captured) {
            let state = states[*value];
            let is_accumulated = matches!(state.kind, InTime::Partial(_));
            if state.is_inside && (is_accumulated || takes_whole) {
                found.insert(*value);
            }
        }
    }
    let is_argument = |value: &ValueId| function.args().contains(value);
    found.into_iter().filter(|value| !is_argument(value)).collect()
}

/// Puts those points together in the pass of their level that `ends` wait for, which are of level `level`.
fn advance(
    body: &Body,
    states: &Table<ValueId, State>,
    ends: &[ValueId],
    level: usize,
    passes: &mut Table<ValueId, Option<usize>>,
) {
    let mut seen: BTreeSet<ValueId> = BTreeSet::new();
    let mut open = ends.to_vec();
    while let Some(value) = open.pop() {
        if !seen.insert(value) {
            continue;
        }
        let own = states[value].level;
        if own < level && passes[value].is_some() {
            passes[value] = Some(own);
            continue;
        }
        if let Def::Result(inst, _) = body.values[value].def {
            let view = body.view(inst);
            open.extend(view.inst.operands.iter().copied().chain(view.captured()));
        }
    }
}
