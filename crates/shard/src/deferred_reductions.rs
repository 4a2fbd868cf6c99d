//! Sums over devices that are taken late: what an instruction leaves as contributions is passed on as such where that
//! saves a sum, or sums less.
//!
//! Input: a prepared function; shardings. Output: which slots may hold contributions ([`find`]); shardings that keep them
//! ([`keep`]). A slot may if one instruction of the same region reads it and passes contributions on
//! (`plan::partial::passing`), in the same type and without growing, and if it pays somewhere behind it: contributions
//! are added up, or become smaller.
//!
//! Example, the gradient of what three products read, all sharded along what they contract over `x`:
//!
//! ```text
//! %3 = add %0, %1        // instead of three sums over "x" before the additions there is one
//! %4 = add %3, %2        // behind them
//! ```
//!
//! Values that annotations call unreduced are module `partial`'s.

use crate::prepared::{Prepared, Slot};
use meshwright_ir::ids::{Table, ValueId};
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::program::{Body, Function, InstView};
use meshwright_ir::sharding::Reduction;
use meshwright_plan::partial::passing;
use meshwright_plan::{PartialReads, Shardings};
use meshwright_tensor::types::{ElementKind, Type};

/// Places where reductions may be deferred.
#[derive(Default)]
pub struct DeferredReductions {
    /// The slots that may hold contributions.
    pub is_open: Vec<bool>,
    /// For each position of the order, the operands that are passed on to the result as contributions.
    pub passing: Vec<Vec<usize>>,
    /// And whether that pays by itself.
    pays: Vec<bool>,
}

/// Finds them.
pub(crate) fn find(function: &Function, prepared: &Prepared) -> DeferredReductions {
    let body = &function.body;
    let uses = body.uses();
    let owners = prepared.slot_of.values().fold(vec![0_u32; prepared.num_slots()], |mut owners, slot| {
        owners[*slot] += 1;
        owners
    });
    let mut made_in = Table::filled(None, body.values.len());
    let count = prepared.order.len();
    let mut passed = vec![Vec::new(); count];
    for position in 0..count {
        let view = body.view(prepared.order[position]);
        let [result] = view.inst.results[..] else { continue };
        let slot = prepared.slot_of[result];
        if prepared.inst_slots(position).is_empty() || !is_summed(body.ty(result)) || owners[slot] != 1 {
            continue;
        }
        let rule = &prepared.whole_rules[prepared.rule_of[position]];
        let components = &prepared.components[prepared.rule_of[position]];
        let mut combined = components.iter().flat_map(|component| &component.combined).peekable();
        let is_sum = |factor: &usize| rule.factors[*factor].kind.combines() == Some(Reduction::Sum);
        let combines = combined.peek().is_some();
        if !combined.all(is_sum) {
            continue;
        }
        let region = prepared.region_of[position];
        let may_pass = |index: usize| {
            let operand = view.inst.operands[index];
            made_in[operand] == Some(region)
                && uses[operand].len() == 1
                && view.operand(index).element == view.result(0).element
        };
        let mut operands = passing(&view, Reduction::Sum, may_pass);
        let is_said = view.inst.op.result_sharding(0).is_some();
        // Contributions may lie far apart, and an infinity less an infinity is no number.
        let overflowing = view.inst.op.linearity(&view, Reduction::Sum).overflowing;
        let is_safe = !operands.iter().any(|index| overflowing.contains(index));
        if is_said || !is_safe || !operands.iter().all(|index| may_pass(*index)) || grows(&view, &operands) {
            operands.clear();
        }
        let is_free = !prepared.kept[slot] && !prepared.constant[slot];
        if is_free && (combines || !operands.is_empty()) {
            made_in[result] = Some(region);
        }
        passed[position] = operands;
    }
    where_it_pays(body, prepared, passed)
}

/// Keeps of the operands that may be passed on those that lead to where that pays.
fn where_it_pays(body: &Body, prepared: &Prepared, passing: Vec<Vec<usize>>) -> DeferredReductions {
    let (is_open, pays) = (vec![false; prepared.num_slots()], vec![false; passing.len()]);
    let mut found = DeferredReductions { is_open, passing, pays };
    for position in (0..prepared.order.len()).rev() {
        let view = body.view(prepared.order[position]);
        let operands = &found.passing[position];
        let [first, rest @ ..] = &operands[..] else { continue };
        let result = view.inst.results[0];
        let bytes = |value: ValueId| body.ty(value).num_bytes();
        found.pays[position] = !rest.is_empty() || bytes(result) < bytes(view.inst.operands[*first]);
        if found.pays[position] || found.is_open[prepared.slot_of[result]] {
            for index in operands {
                found.is_open[prepared.slot_of[view.inst.operands[*index]]] = true;
            }
        } else {
            found.passing[position].clear();
        }
    }
    found
}

/// Whether the results of an instruction are larger than these operands together, as whole tensors.
fn grows(view: &InstView<'_>, operands: &[usize]) -> bool {
    let bytes = |value: &ValueId| view.body.ty(*value).num_bytes();
    let read: usize = operands.iter().map(|index| bytes(&view.inst.operands[*index])).sum();
    view.inst.results.iter().map(bytes).sum::<usize>() > read
}

/// Whether contributions to a tensor are numbers that add up.
fn is_summed(ty: &Type) -> bool {
    ty.as_tensor().is_some_and(|tensor| tensor.element.kind() != ElementKind::Boolean)
}

/// Keeps contributions apart wherever that is open.
pub(crate) fn keep(function: &Function, prepared: &Prepared, shardings: &mut Shardings) {
    let deferred = &prepared.deferred_reductions;
    if !deferred.is_open.contains(&true) {
        return;
    }
    let possible = possible(function, prepared, shardings);
    let wanted = wanted(function, prepared, shardings, &possible);
    for (position, inst) in prepared.order.iter().enumerate() {
        let view = function.body.view(*inst);
        let [result] = view.inst.results[..] else { continue };
        let (slot, kept) = (prepared.slot_of[result], shardings.values[result].partial);
        let operands = deferred.passing[position]
            .iter()
            .map(|index| wanted[prepared.slot_of[view.inst.operands[*index]]]);
        shardings.deferred[*inst] = operands.reduce(AxisSet::intersection).unwrap_or(AxisSet::EMPTY);
        if deferred.is_open[slot] && kept.is_none() && !wanted[slot].is_empty() {
            let rule = &prepared.whole_rules[prepared.rule_of[position]];
            let passed = shardings.partial_reads(&view, rule);
            let made = PartialReads::of_results(passed.as_ref(), &shardings.strategies[*inst], rule);
            let made = made.map_or(AxisSet::EMPTY, |(_, axes)| axes).intersection(wanted[slot]);
            shardings.values[result].partial = (!made.is_empty()).then_some((Reduction::Sum, made));
        }
    }
}

/// The axes over which each slot could hold contributions if all that can pass them on did.
fn possible(function: &Function, prepared: &Prepared, shardings: &Shardings) -> Vec<AxisSet> {
    let mut possible = vec![AxisSet::EMPTY; prepared.num_slots()];
    for (position, inst) in prepared.order.iter().enumerate() {
        let view = function.body.view(*inst);
        let [result] = view.inst.results[..] else { continue };
        let slot = prepared.slot_of[result];
        if !prepared.deferred_reductions.is_open[slot] {
            continue;
        }
        let rule = &prepared.whole_rules[prepared.rule_of[position]];
        let own = shardings.strategies[*inst].partial(rule).map_or(AxisSet::EMPTY, |(_, axes)| axes);
        let passed = common(prepared, shardings, &view, position, &possible);
        possible[slot] = own.union(passed).minus(shardings.values[result].sharded_axes());
    }
    possible
}

/// The axes over which all that an instruction passes on are contributions.
fn common(
    prepared: &Prepared,
    shardings: &Shardings,
    view: &InstView<'_>,
    position: usize,
    possible: &[AxisSet],
) -> AxisSet {
    let operands = prepared.deferred_reductions.passing[position].iter();
    let axes = operands.map(|index| possible[prepared.slot_of[view.inst.operands[*index]]]);
    let axes = axes.reduce(AxisSet::intersection).unwrap_or(AxisSet::EMPTY);
    axes.minus(shardings.strategies[view.id].axes.iter().flatten().collect())
}

/// The axes over which it pays that each slot holds contributions.
fn wanted(
    function: &Function,
    prepared: &Prepared,
    shardings: &Shardings,
    possible: &[AxisSet],
) -> Vec<AxisSet> {
    let deferred = &prepared.deferred_reductions;
    let mut wanted: Vec<AxisSet> = vec![AxisSet::EMPTY; prepared.num_slots()];
    let slots = |view: &InstView<'_>, index: usize| -> Slot { prepared.slot_of[view.inst.operands[index]] };
    for (position, inst) in prepared.order.iter().enumerate().rev() {
        let view = function.body.view(*inst);
        if deferred.passing[position].is_empty() {
            continue;
        }
        let mut axes = common(prepared, shardings, &view, position, possible);
        if !deferred.pays[position] {
            axes = axes.intersection(wanted[prepared.slot_of[view.inst.results[0]]]);
        }
        // What is summed at once over some of its axes takes one sum more.
        let operands = &deferred.passing[position];
        let at_once = operands.iter().filter(|index| possible[slots(&view, **index)] != axes).count();
        if at_once + 1 > operands.len() {
            axes = AxisSet::EMPTY;
        }
        for index in &deferred.passing[position] {
            wanted[slots(&view, *index)] = axes;
        }
    }
    wanted
}
