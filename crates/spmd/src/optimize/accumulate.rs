//! A loop that adds up sums over devices adds up contributions instead, and sums them over the devices once, behind
//! the loop: gradients of microbatches, or of a layer that a loop applies many times.
//!
//! Input: a `while` in whose body `carried + all_reduce(x)` (or the other way round) is the next value of `carried`,
//! which nothing else reads. The loop then starts from zero with `carried + x`, and behind it stands
//! `start + all_reduce(carried)`.

use super::PassContext;
use super::rewrite::keeps_elements;
use crate::facts::definition;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::loops::trip_count;
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::constant::is_splat_of;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::program::{Body, Def, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, each};
use meshwright_tensor::literal::Literal;
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn reduce_after_loops(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let loops = body.insts.ids().filter(|inst| matches!(body.insts[*inst].op, Op::While(_)));
    let sums: Vec<Sum> = loops.flat_map(|inst| sums_of(&body.view(inst), context)).collect();
    let moved = sums.iter().map(|sum| sum.all_reduce).collect();
    let sums: BTreeMap<_, _> = sums.into_iter().map(|sum| ((sum.while_, sum.index), sum)).collect();
    (!sums.is_empty()).then(|| each(body, Accumulate { sums, moved }))
}

/// A carried value that adds up sums.
struct Sum {
    /// The loop.
    while_: InstId,
    /// Which carried value.
    index: usize,
    /// The sum over devices in the body.
    all_reduce: InstId,
    /// Whether the loop starts from zero.
    from_zero: bool,
}

fn sums_of(view: &InstView<'_>, context: &PassContext<'_>) -> Vec<Sum> {
    // What runs once at most is summed once at most.
    if trip_count(*view).is_some_and(|trips| trips < 2) {
        return Vec::new();
    }
    (0..view.num_operands()).filter_map(|index| sum_of(view, index, context)).collect()
}

fn sum_of(view: &InstView<'_>, index: usize, context: &PassContext<'_>) -> Option<Sum> {
    let body = view.body;
    let [condition, step] = *view.inst.regions.as_slice() else { return None };
    let next = *body.terminator(step)?.operands.get(index)?;
    let add = definition(body, next)?;
    let [left, right] = *add.inst.operands.as_slice() else { return None };
    let is_carried = |value: ValueId| body.values[value].def == Def::Argument(step, index);
    let (carried, added) = match (is_carried(left), is_carried(right)) {
        (true, false) => (left, right),
        (false, true) => (right, left),
        _ => return None,
    };
    let sum = definition(body, added)?;
    let adds_up = matches!(add.inst.op, Op::Binary(Binary::Add))
        && matches!(sum.inst.op, Op::AllReduce(_))
        && sum.num_operands() == 1
        && keeps_elements(&sum)
        && reducer(body, sum.region(0)) == Some(Binary::Add);
    let seen_by_condition = *body.regions[condition].args.get(index)?;
    let alone = [carried, added, next].iter().all(|value| context.num_uses(*value) == 1)
        && context.num_uses(seen_by_condition) == 0;
    let end = *body.regions[step].insts.last()?;
    let together = context.are_together(add.id, sum.id) && context.are_together(add.id, end);
    (adds_up && alone && together).then(|| Sum {
        while_: view.id,
        index,
        all_reduce: sum.id,
        from_zero: is_splat_of(view, index, 0.0),
    })
}

struct Accumulate {
    /// By loop and carried value.
    sums: BTreeMap<(InstId, usize), Sum>,
    /// Their sums over devices.
    moved: BTreeSet<InstId>,
}

impl Edit for Accumulate {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, _: RegionId) -> bool {
        let is_moved = self.moved.contains(&view.id);
        if is_moved {
            let partial = rewriter.value(view.inst.operands[0]);
            rewriter.stand_for(view.inst.results[0], partial);
        }
        is_moved
    }

    fn operand(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        index: usize,
        to: RegionId,
    ) -> Option<ValueId> {
        let sum = self.sums.get(&(view.id, index)).filter(|sum| !sum.from_zero)?;
        let ty = view.operand(sum.index).clone();
        Some(rewriter.constant(Literal::splat(ty, 0.0), to))
    }

    fn after(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) {
        for sum in self.sums.range((view.id, 0)..=(view.id, usize::MAX)).map(|(_, sum)| sum) {
            let source = &view.body.insts[sum.all_reduce];
            let ty = view.body.ty(view.inst.results[sum.index]).clone();
            let result = view.inst.results[sum.index];
            let (carried, span) = (rewriter.value(result), source.span);
            let mut total =
                rewriter.emit(source.op.clone(), &[carried], &source.regions, ty.clone(), span, to);
            if !sum.from_zero {
                let start = rewriter.value(view.inst.operands[sum.index]);
                total = rewriter.emit(Binary::Add.into(), &[start, total], &[], ty, span, to);
            }
            rewriter.stand_for(result, total);
        }
    }
}
