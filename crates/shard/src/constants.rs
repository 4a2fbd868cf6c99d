//! Settles the values that are computed from nothing but constants, iotas and scalars.
//!
//! Input: strategies and shardings of everything else. Output: for each constant the sharding that all its readers
//! share (where they differ, the axes that their dims start with alike), and for its instruction the strategy that
//! makes it so. Instructions are taken from the last to the first, so that a chain of such values follows its final
//! readers. Every device computes what it needs: nothing is ever sent for a constant.

use crate::axes::AxisList;
use crate::prepared::{Prepared, Slot};
use crate::strategies::{Chosen, induced, split_factors, tensor_factors};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::program::Function;
use meshwright_ir::rule::ShardingRule;

/// Sets the axes of constants in `layout` and the strategies of their instructions in `chosen`.
pub fn assign_constants(
    function: &Function,
    prepared: &Prepared,
    mesh: &Mesh,
    is_constant: &[bool],
    chosen: &mut Chosen,
    layout: &mut [AxisList],
) {
    let mut wanted: Vec<Option<Vec<AxisList>>> = vec![None; prepared.num_slots()];
    for tie in prepared.ties(function) {
        if is_constant[tie.from] {
            want(&mut wanted[tie.from], &layout[prepared.dims_of[tie.to].clone()]);
        }
    }
    for position in (0..prepared.order.len()).rev() {
        let rule = &prepared.whole_rules[prepared.rule_of[position]];
        let slots = prepared.inst_slots(position);
        if slots.is_empty() {
            continue;
        }
        let (operands, results) = slots.split_at(rule.operands.len());
        let (start, end) = (chosen.starts[position], chosen.starts[position + 1]);
        let strategy = &mut chosen.axes[start..end];
        if !results.is_empty() && results.iter().all(|slot| is_constant[*slot]) {
            // Several results may want different things; they are rare enough to be made whole.
            match results {
                [slot] => make(rule, wanted[*slot].as_deref().unwrap_or_default(), mesh, strategy),
                _ => strategy.fill(AxisList::new()),
            }
            for (index, slot) in results.iter().enumerate() {
                let dims = induced(rule, &rule.results[index], strategy, mesh).expect("it is usable");
                layout[prepared.dims_of[*slot].clone()].copy_from_slice(&dims);
            }
        }
        for (tensor, slot) in operands.iter().enumerate().filter(|(_, slot)| is_constant[**slot]) {
            let needed = induced(rule, tensor_factors(rule, tensor), strategy, mesh);
            want(&mut wanted[*slot], &needed.expect("a chosen strategy is legal"));
        }
    }
}

/// The strategy that makes an instruction's only result with these axes, where that can be.
pub fn make(rule: &ShardingRule, dims: &[AxisList], mesh: &Mesh, strategy: &mut [AxisList]) {
    strategy.fill(AxisList::new());
    for (axes, factors) in dims.iter().zip(&rule.results[0]) {
        split_factors(axes, factors, rule, mesh, strategy);
    }
    if !is_usable(rule, strategy, mesh) {
        strategy.fill(AxisList::new());
    }
}

/// Keeps what all readers so far have in common.
fn want(wanted: &mut Option<Vec<AxisList>>, dims: &[AxisList]) {
    match wanted {
        None => *wanted = Some(dims.to_vec()),
        Some(common) => {
            for (common, axes) in common.iter_mut().zip(dims) {
                common.truncate(common.common_prefix(axes));
            }
        }
    }
}

/// Whether no axis is used twice and every tensor's sharding can be expressed.
fn is_usable(rule: &ShardingRule, strategy: &[AxisList], mesh: &Mesh) -> bool {
    let mut used = AxisSet::EMPTY;
    strategy.iter().flat_map(|axes| axes.iter()).all(|axis| used.insert(*axis))
        && rule
            .operands
            .iter()
            .chain(&rule.results)
            .all(|factors| induced(rule, factors, strategy, mesh).is_some())
}

/// Slots of constant subcomputations that may be kept in any sharding.
pub fn free_constants(prepared: &Prepared, is_fixed: &[bool]) -> Vec<bool> {
    let free = |slot: Slot| prepared.constant[slot] && !is_fixed[slot];
    (0..prepared.num_slots()).map(free).collect()
}
