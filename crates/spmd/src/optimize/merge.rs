//! One collective in place of two, one behind the other, where nothing else reads what lies between; and the cheaper
//! order of two.
//!
//! With `x` a value, `A` and `B` disjoint lists of axes:
//!
//! - an all_reduce over `A` of one over `B` is one over both, if they combine alike;
//! - an all_gather over `A` of one over `B` along the same dim is one over `A B`; a reduce_scatter over `B` of one over
//!   `A` along the same dim is one over `A B`;
//! - an all_reduce over `A` of what was gathered over `B` is gathered over `B` after an all_reduce over `A`, of shards;
//! - a reduce_scatter over `A` of what was reduced over `B` is reduced over `B` after it, as a shard.

use super::PassContext;
use super::rewrite::{keeps_elements, over};
use crate::facts::{LocalFacts, definition};
use meshwright_ir::ids::RegionId;
use meshwright_ir::mesh::SubAxisId;
use meshwright_ir::op::Op;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::program::{Body, InstView};
use meshwright_ir::rewrite::{Rewriter, each};
use meshwright_tensor::types::{TensorType, Type};

/// Most rounds: each removes or exchanges neighbors, and chains are short.
const ROUNDS: usize = 8;

pub(super) fn merge_collectives(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let mut merged = one_round(body, context)?;
    for _ in 1..ROUNDS {
        match one_round(&merged, context) {
            Some(next) => merged = next,
            None => break,
        }
    }
    Some(merged)
}

fn one_round(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let facts = LocalFacts::new(body, context.mesh());
    let (uses, region_of) = (body.uses(), body.region_of());
    let is_single = |view: &InstView<'_>| view.inst.results.iter().all(|result| uses[*result].len() == 1);
    let inner_of = |view: &InstView<'_>| -> Option<(InstView<'_>, Change)> {
        let [operand] = *view.inst.operands.as_slice() else { return None };
        let inner =
            definition(body, operand).filter(|inner| inner.num_operands() == 1 && is_single(inner))?;
        let change = change(view, &inner, &facts).filter(|_| region_of[view.id] == region_of[inner.id])?;
        Some((inner, change))
    };
    if !body.insts.ids().any(|inst| inner_of(&body.view(inst)).is_some()) {
        return None;
    }
    Some(each(body, |rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to| {
        let Some((inner, change)) = inner_of(view) else { return false };
        match change {
            Change::Merge(axes) => {
                let op = over(&view.inst.op, &axes, context.mesh());
                let value = rewriter.value(inner.inst.operands[0]);
                let ty: Type = view.result(0).clone().into();
                let new = rewriter.emit(op, &[value], &view.inst.regions, ty, view.inst.span, to);
                rewriter.stand_for(view.inst.results[0], new);
            }
            Change::Exchange => exchange(rewriter, view, &inner, to),
        }
        true
    }))
}

/// What becomes of two collectives, one behind the other.
enum Change {
    /// One like the outer, over these axes.
    Merge(Vec<SubAxisId>),
    /// The outer first.
    Exchange,
}

fn change(outer: &InstView<'_>, inner: &InstView<'_>, facts: &LocalFacts<'_>) -> Option<Change> {
    let (a, b) = (facts.along(&outer.inst.op)?, facts.along(&inner.inst.op)?);
    if a.iter().any(|axis| b.contains(axis)) || !keeps_elements(outer) || !keeps_elements(inner) {
        return None;
    }
    let combine = |view: &InstView<'_>| {
        view.inst.regions.first().and_then(|_| reducer(view.body, view.region(0)))?.reduction()
    };
    let alike = combine(outer).is_some() && combine(outer) == combine(inner);
    match (&outer.inst.op, &inner.inst.op) {
        (Op::AllReduce(_), Op::AllReduce(_)) if alike => {
            let mut axes = [a, b].concat();
            axes.sort();
            Some(Change::Merge(axes))
        }
        (Op::AllGather(outer), Op::AllGather(inner)) if outer.dim == inner.dim => {
            Some(Change::Merge([a, b].concat()))
        }
        (Op::ReduceScatter(outer), Op::ReduceScatter(inner)) if alike && outer.dim == inner.dim => {
            Some(Change::Merge([b, a].concat()))
        }
        (Op::AllReduce(_), Op::AllGather(_)) => Some(Change::Exchange),
        (Op::ReduceScatter(_), Op::AllReduce(_)) if alike => Some(Change::Exchange),
        _ => None,
    }
}

/// Emits the outer collective on the inner one's operand, and the inner one behind it.
fn exchange(rewriter: &mut Rewriter<'_>, outer: &InstView<'_>, inner: &InstView<'_>, to: RegionId) {
    let value = rewriter.value(inner.inst.operands[0]);
    let between = match &outer.inst.op {
        // A shard of what there was.
        Op::ReduceScatter(_) => outer.result(0).clone(),
        _ => TensorType::clone(inner.operand(0)),
    };
    let (first, second) = (outer.inst, inner.inst);
    let value = rewriter.emit(first.op.clone(), &[value], &first.regions, between.into(), first.span, to);
    let ty: Type = outer.result(0).clone().into();
    let new = rewriter.emit(second.op.clone(), &[value], &second.regions, ty, second.span, to);
    rewriter.stand_for(first.results[0], new);
}
