//! Settles how each intermediate value is kept, now that it is known how it is made and how it is read.
//!
//! Input: the slots' shardings after propagation and the strategies chosen for them. Output: better shardings of
//! intermediate values: of how the value is kept now, how its producer makes it and how each reader wants it, the one
//! for which all reshards together cost least. Ties keep what propagation found. Arguments, seeds and values that a
//! loop carries stay as they are; constants are settled afterwards (`constants`).
//!
//! Example: a value that propagation left replicated but whose producer makes it sharded and whose readers all want
//! it so is kept sharded; a partial sum that two readers want scattered alike is scattered once.

use crate::axes::AxisList;
use crate::prepared::{Prepared, Slot};
use crate::price::Pricer;
use crate::strategies::{Chosen, induced, tensor_factors};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::program::Function;

/// How a slot is made and read.
#[derive(Default)]
struct Traffic {
    /// The sharding that the producer makes it in, and the axes over which it is partial then; none if it is made as
    /// it is kept.
    made: Option<(Vec<AxisList>, AxisSet)>,
    /// Whether somebody reads it as it is kept.
    is_read_as_kept: bool,
    /// The other shardings in which it is read, each once.
    wanted: Vec<Vec<AxisList>>,
}

/// Improves `layout` in place. Returns whether anything changed.
pub(crate) fn assign_layouts(
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
        if is_fixed[slot] || (traffic.made.is_none() && traffic.wanted.is_empty()) {
            continue;
        }
        let range = prepared.dims_of[slot].clone();
        let kept = &layout[range.clone()];
        let (made, partial) = match &traffic.made {
            Some((made, partial)) => (made.as_slice(), *partial),
            None => (kept, AxisSet::EMPTY),
        };
        let cost = |candidate: &[AxisList]| -> f64 {
            let (shape, bytes) = (prepared.shape(slot), prepared.bytes[slot]);
            let read = |want: &[AxisList]| pricer.reshard(shape, bytes, candidate, AxisSet::EMPTY, want);
            let reads: f64 = traffic.wanted.iter().map(|want| read(want)).sum();
            let read_as_kept = if traffic.is_read_as_kept { read(kept) } else { 0.0 };
            pricer.reshard(shape, bytes, made, partial, candidate) + reads + read_as_kept
        };
        let mut best = (cost(kept), kept);
        for candidate in traffic.wanted.iter().map(Vec::as_slice).chain([made]) {
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
    let kept = |slot: Slot| &layout[prepared.dims_of[slot].clone()];
    let want = |traffic: &mut [Traffic], slot: Slot, dims: &[AxisList]| {
        let traffic = &mut traffic[slot];
        if dims == kept(slot) {
            traffic.is_read_as_kept = true;
        } else if !traffic.wanted.iter().any(|other| other == dims) {
            traffic.wanted.push(dims.to_vec());
        }
    };
    for position in 0..prepared.order.len() {
        let index = prepared.rule_of[position];
        let rule = &prepared.whole_rules[index];
        let slots = prepared.inst_slots(position);
        let num_operands = rule.operands.len();
        if chosen.is_exact[position] {
            slots.iter().take(num_operands).for_each(|slot| traffic[*slot].is_read_as_kept = true);
            continue;
        }
        let axes = chosen.of(position);
        let components = prepared.components[index].iter();
        let combined = components.flat_map(|component| &component.combined);
        let partial = combined.fold(AxisSet::EMPTY, |set, factor| set.union(axes[*factor].set()));
        for (tensor, slot) in slots.iter().enumerate() {
            let dims =
                induced(rule, tensor_factors(rule, tensor), axes, mesh).expect("a chosen strategy is legal");
            if tensor < num_operands {
                want(&mut traffic, *slot, &dims);
            } else if !partial.is_empty() || dims != kept(*slot) {
                traffic[*slot].made = Some((dims, partial));
            }
        }
    }
    // Loops and the function's end read values in the sharding of what they are tied to.
    for tie in prepared.ties(function) {
        want(&mut traffic, tie.from, kept(tie.to));
    }
    traffic
}
