//! What the collectives of `sdy` are in the program of the whole.
//!
//! Most only say how a value is sharded from there on. `sdy.all_reduce` and `sdy.reduce_scatter` also combine
//! contributions. Where the operand is a value that is said to be unreduced, or that an op computes which leaves
//! contributions (a dot along a sharded dim), the whole value has them combined already. Otherwise each device's own
//! copy is a contribution, and a collective of that kind is what is asked for.
//!
//! ```text
//! %1 = sdy.all_reduce {"x"} %dot        // a constraint
//! %1 = sdy.all_reduce {"x"} %argument   // stays
//! ```

use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::ids::ValueId;
use meshwright_ir::op::Op;
use meshwright_ir::ops::sdy_barrier::behind_barriers;
use meshwright_ir::ops::sdy_collective::{Change, SdyCollective};
use meshwright_ir::ops::sdy_constraint::{ConstraintKind, ShardingConstraint};
use meshwright_ir::program::{Body, Def};
use meshwright_ir::sharding::{AxisRefAttr, ShardingAttr};

/// The ops, one after the other, that stand for a collective of an operand in `body`, whose arguments have these
/// attributes.
pub(crate) fn in_whole_program(
    op: &SdyCollective,
    body: &Body,
    arguments: &[Attributes],
    operand: ValueId,
) -> Vec<Op> {
    let constraint = |sharding: &ShardingAttr| -> Op {
        ShardingConstraint { kind: ConstraintKind::Reshard, sharding: sharding.clone() }.into()
    };
    let (reduction, axes) = match &op.change {
        Change::AllReduce(reduction, axes) => (*reduction, axes.clone()),
        Change::ReduceScatter(reduction, per_dim) => (*reduction, per_dim.concat()),
        _ => return vec![constraint(&op.out_sharding)],
    };
    if is_partial(body, arguments, operand, &axes) {
        return vec![constraint(&op.out_sharding)];
    }
    let mut reduced = op.out_sharding.clone();
    if let Change::ReduceScatter(_, per_dim) = &op.change {
        for (dim, scattered) in reduced.dims.iter_mut().zip(per_dim) {
            dim.axes.retain(|axis| !scattered.contains(axis));
        }
    }
    let all_reduce = SdyCollective { change: Change::AllReduce(reduction, axes), out_sharding: reduced };
    match op.change {
        Change::ReduceScatter(..) => vec![all_reduce.into(), constraint(&op.out_sharding)],
        _ => vec![all_reduce.into()],
    }
}

/// Whether devices hold contributions of a whole value along `axes`.
fn is_partial(body: &Body, arguments: &[Attributes], value: ValueId, axes: &[AxisRefAttr]) -> bool {
    let value = behind_barriers(body, value);
    let has_axes = |sharding: &ShardingAttr| axes.iter().all(|axis| sharding.unreduced.contains(axis));
    match body.values[value].def {
        Def::Argument(region, index) => {
            let attributes = arguments.get(index).filter(|_| region == body.entry());
            match attributes.and_then(|attributes| attributes.get("sdy.sharding")) {
                Some(Attr::Sharding(sharding)) => has_axes(sharding),
                _ => false,
            }
        }
        Def::Result(id, index) => {
            let view = body.view(id);
            let own = match view.inst.attributes.get("sdy.sharding") {
                Some(Attr::ShardingPerValue(shardings)) => shardings.get(index),
                _ => view.inst.op.result_sharding(index),
            };
            let rule = view.inst.op.rule(&view);
            // Whatever a factor does that no result has, its shards would be combined into the results.
            let mut factors = rule.factors.iter().enumerate();
            let combines = factors.any(|(factor, content)| content.size > 1 && !rule.is_in_results(factor));
            combines || own.is_some_and(has_axes)
        }
    }
}
