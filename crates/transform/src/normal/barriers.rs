//! `optimization_barrier`s dropped, and what they guarded.
//!
//! JAX's `remat` puts a barrier before the operations that it repeats in the backward pass: it passes on what the forward
//! pass keeps, and a cotangent, so that nothing is repeated before it is there. Without barriers the repeated operations
//! are equal to those of the forward pass and are merged with them ([`super::numbering`]); a [`Guard`] says what was
//! kept and what repeated, so that the same can be asked for again. In the backward loop of a scan there is nothing to
//! merge with: what it repeats, it goes on to make from the stacks of the forward loop.
//!
//! A barrier that says how its values are sharded stays: it is there for that too.

use super::numbering::Numbered;
use super::{Barriers, found};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Inst};
use meshwright_ir::rewrite::ValueMap;
use std::collections::{BTreeMap, BTreeSet};

/// Record of what a dropped barrier guarded, in values of the new function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The barrier in the old function.
    pub barrier: InstId,
    /// Values that it passed on, in order: those kept for what is behind it, and those that this waits for.
    pub kept: Vec<ValueId>,
    /// Values that were made again behind it from nothing but what it passed on, literals and one another, in order.
    pub recomputed: Vec<ValueId>,
}

/// Whether an instruction is a barrier that goes.
pub(super) fn is_dropped(inst: &Inst, fate: Barriers) -> bool {
    fate == Barriers::Dropped && matches!(inst.op, Op::OptimizationBarrier(_)) && inst.attributes.is_empty()
}

/// What each dropped barrier of a body guarded.
pub(super) fn guards(body: &Body, numbered: &Numbered, values: &ValueMap) -> Vec<Guard> {
    let mut behind: Table<ValueId, Option<InstId>> = Table::filled(None, body.values.len());
    let mut recomputed: BTreeMap<InstId, BTreeSet<ValueId>> = BTreeMap::new();
    for id in body.walk(body.entry()) {
        let inst = &body.insts[id];
        let barrier = if is_dropped(inst, Barriers::Dropped) {
            recomputed.insert(id, BTreeSet::new());
            Some(id)
        } else {
            // What is made behind two barriers belongs to the later one.
            let read = || inst.operands.iter().filter_map(|operand| behind[*operand]).max();
            numbered.merged[id].and_then(|_| read())
        };
        for result in barrier.map_or(&[][..], |_| &inst.results) {
            behind[*result] = barrier;
        }
        if let (Some(made), Some(_)) = (barrier.and_then(|id| recomputed.get_mut(&id)), numbered.merged[id]) {
            made.extend(found(values, &inst.results));
        }
    }
    let guard = |(barrier, recomputed): (InstId, BTreeSet<ValueId>)| Guard {
        barrier,
        kept: found(values, &body.insts[barrier].operands),
        recomputed: recomputed.into_iter().collect(),
    };
    recomputed.into_iter().map(guard).collect()
}
