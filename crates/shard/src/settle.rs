//! Settles how each intermediate value is kept, now that it is known how it is made and how it is read.
//!
//! Input: the slots' shardings after propagation and the strategies chosen for them. Output: better shardings of
//! intermediate values: of how the value is kept now, how its producer makes it and how each reader wants it, the one
//! for which all reshards together cost least. Ties keep what propagation found. Arguments, seeds and values that a
//! loop carries stay as they are.
//!
//! Example: a value that propagation left replicated but whose producer makes it sharded and whose readers all want
//! it so is kept sharded; a partial sum that two readers want scattered alike is scattered once.

use crate::axes::AxisList;
use crate::prepared::{Prepared, Slot};
use crate::price::Pricer;
use crate::strategies::{Chosen, induced};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::program::Function;
use meshwright_ir::rule::{FactorKind, ShardingRule};

/// How a slot is made and read.
#[derive(Default)]
struct Traffic {
    /// The sharding that the producer makes it in, and the axes over which it is partial then.
    made: Option<(Vec<AxisList>, AxisSet)>,
    /// The distinct shardings that readers want.
    wanted: Vec<Vec<AxisList>>,
}

/// Improves `layout` in place. Returns whether anything changed.
pub(crate) fn settle(
    function: &Function,
    prepared: &Prepared,
    is_fixed: &[bool],
    chosen: &Chosen,
    layout: &mut [AxisList],
    pricer: &Pricer<'_>,
) -> bool {
    let traffic = traffic(function, prepared, pricer.mesh, chosen, layout);
    let mut changed = false;
    for (slot, traffic) in traffic.iter().enumerate() {
        let range = prepared.dims_of[slot].clone();
        let Some((made, partial)) = &traffic.made else { continue };
        let kept = &layout[range.clone()];
        let is_settled = partial.is_empty() && made == kept && traffic.wanted.iter().all(|want| want == kept);
        if is_fixed[slot] || range.is_empty() || is_settled {
            continue;
        }
        let cost = |kept: &[AxisList]| -> f64 {
            let (shape, bytes) = (prepared.shape(slot), prepared.bytes[slot]);
            let reads = traffic.wanted.iter();
            pricer.reshard(shape, bytes, made, *partial, kept)
                + reads.map(|want| pricer.reshard(shape, bytes, kept, AxisSet::EMPTY, want)).sum::<f64>()
        };
        let mut best: (f64, &[AxisList]) = (cost(kept), kept);
        for candidate in traffic.wanted.iter().chain([made]) {
            let cost = cost(candidate);
            if cost < best.0 {
                best = (cost, candidate);
            }
        }
        if best.1 != kept {
            let best = best.1.to_vec();
            layout[range].copy_from_slice(&best);
            changed = true;
        }
    }
    changed
}

fn traffic(
    function: &Function,
    prepared: &Prepared,
    mesh: &Mesh,
    chosen: &Chosen,
    layout: &[AxisList],
) -> Vec<Traffic> {
    let mut traffic: Vec<Traffic> = Vec::new();
    traffic.resize_with(prepared.num_slots(), Traffic::default);
    let want = |traffic: &mut Traffic, dims: Vec<AxisList>| {
        if !traffic.wanted.contains(&dims) {
            traffic.wanted.push(dims);
        }
    };
    for position in 0..prepared.order.len() {
        let rule = &prepared.whole_rules[prepared.rule_of[position]];
        let slots = prepared.inst_slots(position);
        if slots.iter().all(|slot| prepared.dims_of[*slot].is_empty()) {
            continue;
        }
        let axes = chosen.of(position);
        let num_operands = rule.operands.len();
        let partial = partial(rule, axes);
        for (tensor, slot) in slots.iter().enumerate() {
            if prepared.dims_of[*slot].is_empty() {
                continue;
            }
            let factors = match tensor.checked_sub(num_operands) {
                None => &rule.operands[tensor],
                Some(result) => &rule.results[result],
            };
            let dims = induced(rule, factors, axes, mesh).expect("a chosen strategy is legal");
            if tensor < num_operands {
                want(&mut traffic[*slot], dims);
            } else {
                traffic[*slot].made = Some((dims, partial));
            }
        }
    }
    // Loops and the function's end read values in the sharding of what they are tied to.
    let body = &function.body;
    let mut tie = |value, target: Slot| {
        let slot = prepared.slot_of[value];
        if slot != target {
            want(&mut traffic[slot], layout[prepared.dims_of[target].clone()].to_vec());
        }
    };
    for inst in prepared.order.iter().map(|inst| &body.insts[*inst]).filter(|inst| inst.op.carries_values()) {
        let returned = inst.regions.iter().skip(1).filter_map(|region| body.terminator(*region));
        for operands in returned.map(|end| &end.operands).chain([&inst.operands]) {
            for (operand, result) in operands.iter().zip(&inst.results) {
                tie(*operand, prepared.slot_of[*result]);
            }
        }
    }
    for (value, target) in function.returned().iter().zip(&prepared.result_slots) {
        tie(*value, *target);
    }
    traffic
}

fn partial(rule: &ShardingRule, axes: &[AxisList]) -> AxisSet {
    let mut partial = AxisSet::EMPTY;
    for (index, (factor, own)) in rule.factors.iter().zip(axes).enumerate() {
        let combines = matches!(factor.kind, FactorKind::Reduced(_) | FactorKind::Indexed);
        if combines && !own.is_empty() && !rule.is_in_results(index) {
            partial = partial.union(own.set());
        }
    }
    partial
}
