//! What share of the overheads of their collectives the tensors of a class take: small ones that can wait for one another
//! are combined (`meshwright_cost::combine`).
//!
//! Input: a prepared function, and the class of each slot. Output: for each class, the collectives that are left of one for
//! each of its tensors, as a share. The gradients of a layer's weights, which the optimizer reads when all of them are
//! there, share one; what the next product reads has its own.
//!
//! It is found on the whole program: tensors of a class are brought to their layouts together if nothing that cannot wait
//! has read one of them before the last is made. How large a bucket may be is not known here: [`overheads`] is what they
//! take at least, as a part of what is sent.

use super::alike::NONE;
use meshwright_cost::combine::{OVERHEAD_SHARE, can_wait};
use meshwright_ir::ids::{RegionId, Table};
use meshwright_ir::program::Function;
use meshwright_shard::Prepared;

/// The share of each of so many classes.
pub(super) fn shares(
    function: &Function,
    prepared: &Prepared,
    of_slot: &[u32],
    num_classes: usize,
) -> Vec<f64> {
    let body = &function.body;
    let count = prepared.order.len();
    // The first position at which a value is read by something that cannot wait.
    let mut read: Table<_, usize> = Table::filled(usize::MAX, body.values.len());
    let mut made_in = Table::filled(None, body.values.len());
    for (position, inst) in prepared.order.iter().enumerate() {
        let results = &body.insts[*inst].results;
        results.iter().for_each(|result| made_in[*result] = Some(prepared.region_of[position]));
    }
    for position in (0..count).rev() {
        let view = body.view(prepared.order[position]);
        let waits = can_wait(&view);
        let later = view.inst.results.iter().map(|result| read[*result]).min().unwrap_or(usize::MAX);
        for operand in &view.inst.operands {
            let is_near = made_in[*operand] == Some(prepared.region_of[position]);
            let at = if waits && is_near { later } else { position };
            read[*operand] = read[*operand].min(at);
        }
    }
    let mut classes = vec![Class::default(); num_classes];
    for (position, inst) in prepared.order.iter().enumerate() {
        let region = prepared.region_of[position];
        for result in &body.insts[*inst].results {
            let class = of_slot[prepared.slot_of[*result]];
            if class == NONE {
                continue;
            }
            let class = &mut classes[class as usize];
            let runs = prepared.runs[region];
            class.all = class.all.saturating_add(runs);
            match &mut class.open {
                Some((around, until)) if *around == region && position < *until => {
                    *until = read[*result].min(*until);
                }
                open => {
                    *open = Some((region, read[*result]));
                    class.left = class.left.saturating_add(runs);
                }
            }
        }
    }
    classes.iter().map(|class| class.left.max(1) as f64 / class.all.max(1) as f64).collect()
}

#[derive(Clone, Default)]
struct Class {
    /// How often its tensors are made.
    all: u64,
    /// Collectives that are left.
    left: u64,
    /// The region of the tensors that come together, and where one of them is read.
    open: Option<(RegionId, usize)>,
}

/// Seconds of so many overheads if a share of them is left, beside the seconds in which bytes are sent.
pub(super) fn overheads(fixed: f64, sent: f64, share: f64) -> f64 {
    let full = sent * OVERHEAD_SHARE / (1.0 - OVERHEAD_SHARE);
    fixed.min((fixed * share).max(full))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_ones_share_and_large_ones_do_not() {
        assert_eq!(overheads(10.0, 0.0, 0.1), 1.0);
        assert_eq!(overheads(10.0, 20.0, 0.1), 5.0);
        assert_eq!(overheads(10.0, 1000.0, 0.1), 10.0);
        assert_eq!(overheads(10.0, 0.0, 1.0), 10.0);
    }
}
