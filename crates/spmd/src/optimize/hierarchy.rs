//! A large sum that crosses links of several levels, such as those of several hosts, is taken level by level.
//!
//! Input: an all_reduce over axes inside hosts and axes across them. Output: a reduce_scatter inside, an all_reduce of
//! shards across, for which all devices of a host use their share of the network at once, and an all_gather inside. A
//! member sends as many bytes as before, but far fewer of them between hosts. That is how `meshwright-cost` prices such
//! a sum; engines that know no levels run one ring, as fast as its slowest link. Small sums stay as they are: they
//! would pay three overheads in place of one.

use super::Setting;
use super::rewrite::{Rewriter, each, over};
use crate::facts::Facts;
use meshwright_cost::collective::{Collective, collective_cost};
use meshwright_ir::mesh::{AxisSet, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::all_gather::AllGather;
use meshwright_ir::ops::reduce_scatter::ReduceScatter;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::program::{Body, InstView};
use meshwright_ir::types::Type;
use meshwright_machine::Pattern;
use meshwright_plan::Placement;

pub(super) fn sum_by_levels(body: &Body, setting: &Setting<'_>) -> Option<Body> {
    let placement = setting.target?.placement;
    let facts = Facts::new(body, setting.mesh());
    body.insts.ids().any(|inst| levels(&body.view(inst), &facts, placement).is_some()).then(|| {
        each(body, |rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to| {
            let Some(levels) = levels(view, &facts, placement) else { return false };
            let Op::AllReduce(all_reduce) = &view.inst.op else { return false };
            let (span, regions, mesh) = (view.inst.span, &view.inst.regions, setting.mesh());
            let whole: Type = view.result(0).clone().into();
            let mut shard = view.result(0).clone();
            shard.shape[levels.dim] /= mesh.product(&levels.inside);
            let shard: Type = shard.into();
            let participants = || all_reduce.participants.clone();
            let scatter = ReduceScatter { dim: levels.dim, participants: participants() };
            let gather = AllGather { dim: levels.dim, participants: participants() };
            let value = rewriter.value(view.inst.operands[0]);
            let op = over(&scatter.into(), &levels.inside, mesh);
            let value = rewriter.emit(op, &[value], regions, shard.clone(), span, to);
            let op = over(&view.inst.op, &levels.across, mesh);
            let value = rewriter.emit(op, &[value], regions, shard, span, to);
            let op = over(&gather.into(), &levels.inside, mesh);
            let value = rewriter.emit(op, &[value], &[], whole, span, to);
            rewriter.stand_for(view.inst.results[0], value);
            true
        })
    })
}

/// The axes of a sum by where they lie.
struct Levels {
    /// Below the outermost level that it crosses: inside hosts.
    inside: Vec<SubAxisId>,
    /// On that level: across hosts.
    across: Vec<SubAxisId>,
    /// The dim that is scattered inside.
    dim: usize,
}

fn levels(view: &InstView<'_>, facts: &Facts<'_>, placement: &Placement) -> Option<Levels> {
    let (Op::AllReduce(_), 1) = (&view.inst.op, view.num_operands()) else { return None };
    reducer(view.body, view.region(0))?.reduction()?;
    let (mesh, axes) = (&placement.mesh, facts.along(&view.inst.op)?);
    let level = |axis: &SubAxisId| match placement.crossings(&[*axis]).as_slice() {
        [crossing] => Some(crossing.level_index),
        _ => None,
    };
    let levels: Vec<usize> = axes.iter().map(level).collect::<Option<_>>()?;
    let outermost = *levels.iter().max()?;
    let is_inside = |index: usize| levels[index] < outermost;
    let (inside, across): (Vec<usize>, Vec<usize>) = (0..axes.len()).partition(|index| is_inside(*index));
    let [inside, across] = [inside, across].map(|list| list.into_iter().map(|index| axes[index]).collect());
    let (inside, across): (Vec<SubAxisId>, Vec<SubAxisId>) = (inside, across);
    if inside.is_empty() || across.is_empty() {
        return None;
    }
    let members = mesh.product(&inside);
    let dim = view.result(0).shape.iter().position(|size| *size > 0 && size % members == 0)?;
    let bytes = view.result(0).num_bytes() as f64;
    let price = |kind, axes: &[SubAxisId], bytes: f64| {
        let axes: AxisSet = axes.iter().collect();
        collective_cost(kind, axes, placement).seconds(bytes).0
    };
    let shard = bytes / members as f64;
    let by_levels = price(Collective::ReduceScatter, &inside, bytes)
        + price(Collective::AllReduce, &across, shard)
        + price(Collective::AllGather, &inside, shard);
    (by_levels < one_ring(&axes, bytes, placement)).then_some(Levels { inside, across, dim })
}

/// Seconds of a sum as one ring over all members, which is as fast as its slowest link.
fn one_ring(axes: &[SubAxisId], bytes: f64, placement: &Placement) -> f64 {
    let group = placement.mesh.product(axes) as f64;
    let rates = placement.crossings(axes).into_iter().map(|crossing| crossing.bandwidth(Pattern::Ring).0);
    let slowest = rates.fold(f64::INFINITY, f64::min);
    placement.machine.device.collective_overhead.0 + 2.0 * (group - 1.0) / group * bytes / slowest
}
