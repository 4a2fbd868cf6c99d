//! Merges what the partitioner emits several times: collectives and slices of one value, and scalars.
//!
//! Whole-tensor arithmetic of the user's program is left alone: computing it twice may be what was asked for
//! (recomputed layers).

use super::PassContext;
use meshwright_ir::ids::{RegionId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::program::{Body, InstView};
use meshwright_ir::rewrite::Rewriter;
use meshwright_tensor::types::Type;
use std::collections::HashMap;

/// What makes two instructions the same: op, operands, result type, and the reducer of a collective.
type Key = (Op, Vec<ValueId>, Vec<Type>, Option<Binary>);

pub(super) fn merge_duplicates(body: &Body, _: &PassContext<'_>) -> Option<Body> {
    let mut rewriter = Rewriter::new(body);
    let entry = rewriter.to.entry();
    merge(&mut rewriter, body.entry(), entry, &mut vec![HashMap::new()]);
    Some(rewriter.to)
}

/// `known` holds one table per region around the current one, innermost last; it is only looked up, never iterated.
fn merge(
    rewriter: &mut Rewriter<'_>,
    from: RegionId,
    to: RegionId,
    known: &mut Vec<HashMap<Key, Vec<ValueId>>>,
) {
    let body = rewriter.from;
    for inst in &body.regions[from].insts {
        let view = body.view(*inst);
        let operands: Vec<ValueId> =
            view.inst.operands.iter().map(|operand| rewriter.value(*operand)).collect();
        let key = mergeable(&view).map(|combine| {
            let types = view.result_types().cloned().collect();
            (view.inst.op.clone(), operands.clone(), types, combine)
        });
        if let Some(same) = key.as_ref().and_then(|key| known.last().and_then(|table| table.get(key))) {
            for (old, new) in view.inst.results.iter().zip(same) {
                rewriter.map[*old] = Some(*new);
            }
            continue;
        }
        let mut regions = Vec::with_capacity(view.inst.regions.len());
        for region in &view.inst.regions {
            let copy = rewriter.region_like(*region);
            known.push(HashMap::new());
            merge(rewriter, *region, copy, known);
            known.pop();
            regions.push(copy);
        }
        let results = rewriter.append(*inst, operands, regions, to);
        if let (Some(key), Some(table)) = (key, known.last_mut()) {
            table.insert(key, results);
        }
    }
}

/// Whether an instruction may be merged with an equal one, and the reducer that it must have in common.
fn mergeable(view: &InstView<'_>) -> Option<Option<Binary>> {
    let scalars = view.result_types().chain(view.operand_types()).all(|ty| match ty {
        Type::Tensor(tensor) => tensor.rank() == 0,
        _ => false,
    });
    let is_ours = view.inst.op.is_collective() || matches!(view.inst.op, Op::DynamicSlice(_));
    if view.inst.results.is_empty() || view.inst.op.has_side_effects() || !(scalars || is_ours) {
        return None;
    }
    match view.inst.regions.as_slice() {
        [] => Some(None),
        [_] if view.inst.op.is_collective() => reducer(view.body, view.region(0)).map(Some),
        _ => None,
    }
}
