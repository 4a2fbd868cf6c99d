//! An all_reduce of which every reader takes the same own shard is a reduce_scatter.
//!
//! If the shard is along some of the all_reduce's axes only, the value is scattered over those and what is left is
//! reduced over the others: that sends less, but is a collective more, so small values stay as they are.

use super::PassContext;
use super::rewrite::over;
use crate::facts::{LocalFacts, OwnSlice};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::mesh::SubAxisId;
use meshwright_ir::op::Op;
use meshwright_ir::ops::reduce_scatter::ReduceScatter;
use meshwright_ir::program::{Body, Def, InstView};
use meshwright_ir::rewrite::{Rewriter, each};
use meshwright_tensor::types::Type;
use std::collections::BTreeMap;

/// Elements that could be sent in the time that one more collective takes; the reshard planner counts alike.
const STEP_ELEMENTS: usize = 256;

pub(super) fn scatter_reductions(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let facts = LocalFacts::new(body, context.mesh());
    let uses = body.uses();
    let all_reduces = body.insts.ids().filter(|inst| matches!(body.insts[*inst].op, Op::AllReduce(_)));
    let plan = |inst| scattered(&body.view(inst), &uses, &facts, context).map(|plan| (inst, plan));
    let plans: BTreeMap<InstId, Plan> = all_reduces.filter_map(plan).collect();
    if plans.is_empty() {
        return None;
    }
    Some(each(body, |rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to| {
        if let Some(plan) = plans.get(&view.id) {
            let Op::AllReduce(all_reduce) = &view.inst.op else { return false };
            let (span, regions) = (view.inst.span, &view.inst.regions);
            let scatter = ReduceScatter { dim: plan.cut.dim, participants: all_reduce.participants.clone() };
            let mut ty = view.result(0).clone();
            ty.shape[plan.cut.dim] /= context.mesh().product(&plan.cut.axes);
            let ty: Type = ty.into();
            let value = rewriter.value(view.inst.operands[0]);
            let op = over(&scatter.into(), &plan.cut.axes, context.mesh());
            let mut new = rewriter.emit(op, &[value], regions, ty.clone(), span, to);
            if !plan.rest.is_empty() {
                let op = over(&view.inst.op, &plan.rest, context.mesh());
                new = rewriter.emit(op, &[new], regions, ty, span, to);
            }
            // The shards themselves, read below in place of the slices.
            rewriter.stand_for(view.inst.results[0], new);
            return true;
        }
        let whole = view.inst.operands.first().copied();
        let is_shard = matches!(view.inst.op, Op::DynamicSlice(_))
            && whole.is_some_and(
                |whole| matches!(body.values[whole].def, Def::Result(inst, 0) if plans.contains_key(&inst)),
            );
        if let (true, Some(whole)) = (is_shard, whole) {
            let shard = rewriter.value(whole);
            rewriter.stand_for(view.inst.results[0], shard);
        }
        is_shard
    }))
}

/// The shard that all readers take, and the axes over which it is still to be reduced.
struct Plan {
    cut: OwnSlice,
    rest: Vec<SubAxisId>,
}

fn scattered(
    view: &InstView<'_>,
    uses: &Table<ValueId, Vec<(InstId, usize)>>,
    facts: &LocalFacts<'_>,
    context: &PassContext<'_>,
) -> Option<Plan> {
    let [result] = *view.inst.results.as_slice() else { return None };
    let over = facts.along(&view.inst.op)?;
    let mut cuts = uses[result]
        .iter()
        .map(|(user, position)| (*position == 0).then(|| facts.own_slice(&view.body.view(*user))).flatten());
    let cut = cuts.next()??;
    let same = cuts.all(|other| other.is_some_and(|other| (other.dim, &other.axes) == (cut.dim, &cut.axes)));
    if !same || !cut.axes.iter().all(|axis| over.contains(axis)) {
        return None;
    }
    let rest: Vec<SubAxisId> = over.iter().copied().filter(|axis| !cut.axes.contains(axis)).collect();
    let (mesh, elements) = (context.mesh(), view.result(0).num_elements());
    let ring = |axes: &[SubAxisId]| 1.0 - 1.0 / mesh.product(axes) as f64;
    let saved = 2.0 * ring(&over) - ring(&cut.axes) - 2.0 * ring(&rest) / mesh.product(&cut.axes) as f64;
    let pays = rest.is_empty() || saved * elements as f64 > (STEP_ELEMENTS + elements / 64) as f64;
    pays.then_some(Plan { cut, rest })
}
