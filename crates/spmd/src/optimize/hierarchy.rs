//! A large collective that crosses links of several levels, such as those of several hosts, works level by level.
//!
//! Input: collectives over axes inside hosts and axes across them. Output, with all devices of a host using their share
//! of the network at once:
//!
//! - an all_reduce: a reduce_scatter inside, an all_reduce of shards across, an all_gather inside;
//! - an all_gather: a gather of shards across, then one of what came together inside;
//! - a reduce_scatter: a scatter inside, then one of what is left across.
//!
//! A member sends as many bytes as before, but far fewer of them between hosts. That is how `meshwright-cost` prices
//! such collectives; engines that know no levels run one ring, as fast as its slowest link. Libraries that keep all levels
//! busy at once (`cost::collective::keeps_all_levels_busy`) do better by themselves. Small ones stay as they are: they would
//! pay more overheads in place of one. So does an all_to_all, which sends the same bytes between hosts either way, and level
//! by level would send most of them twice.
//!
//! Where hosts are the major axes, the dim is taken apart, `S` to `hosts x devices x S/n`, so that shards come to lie
//! in the order of the axes.

use super::PassContext;
use super::rewrite::{keeps_elements, over};
use crate::facts::LocalFacts;
use meshwright_cost::collective::{Collective, collective_cost, one_ring};
use meshwright_cost::groups::kind_of;
use meshwright_ir::ids::{RegionId, ValueId};
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::all_gather::AllGather;
use meshwright_ir::ops::reduce_scatter::ReduceScatter;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::ops::reshape::Reshape;
use meshwright_ir::program::{Body, InstView};
use meshwright_ir::rewrite::{Rewriter, each};
use meshwright_plan::Placement;
use meshwright_tensor::types::TensorType;

pub(super) fn split_by_levels(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let placement = context.target?.placement;
    let facts = LocalFacts::new(body, context.mesh());
    body.insts.ids().any(|inst| levels(&body.view(inst), &facts, placement).is_some()).then(|| {
        each(body, |rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to| {
            let Some(levels) = levels(view, &facts, placement) else { return false };
            let steps = Steps { view, levels: &levels, mesh: context.mesh(), to };
            let value = rewriter.value(view.inst.operands[0]);
            let value = match &view.inst.op {
                Op::AllReduce(_) => steps.all_reduce(rewriter, value),
                Op::AllGather(gather) => steps.all_gather(rewriter, value, gather.dim),
                Op::ReduceScatter(scatter) => steps.reduce_scatter(rewriter, value, scatter.dim),
                _ => return false,
            };
            rewriter.stand_for(view.inst.results[0], value);
            true
        })
    })
}

/// The axes of a collective by where they lie.
struct Levels {
    /// Below the outermost level that it crosses: inside hosts.
    inside: Vec<SubAxisId>,
    /// On that level: across hosts.
    across: Vec<SubAxisId>,
    /// The dim that an all_reduce scatters inside, or that a gather or scatter is along.
    dim: usize,
    /// Which of the two come first in the order of the collective.
    order: Order,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    AcrossFirst,
    InsideFirst,
    Mixed,
}

fn levels(view: &InstView<'_>, facts: &LocalFacts<'_>, placement: &Placement) -> Option<Levels> {
    let ([_], [_]) = (view.inst.operands.as_slice(), view.inst.results.as_slice()) else { return None };
    if !matches!(view.inst.op, Op::AllReduce(_) | Op::AllGather(_) | Op::ReduceScatter(_))
        || !keeps_elements(view)
    {
        return None;
    }
    if !matches!(view.inst.op, Op::AllGather(_)) {
        reducer(view.body, view.region(0))?.reduction()?;
    }
    let mesh = &placement.mesh;
    let axes = facts.along(&view.inst.op)?;
    let levels = by_level(&axes, placement)?;
    let price = |kind, axes: &[SubAxisId], bytes: f64| {
        let axes: AxisSet = axes.iter().collect();
        collective_cost(kind, axes, placement).seconds(bytes).0
    };
    let (members, hosts) = (mesh.product(&levels.inside), mesh.product(&levels.across));
    let bytes = view.operand(0).num_bytes() as f64;
    let shard = bytes / members as f64;
    let (levels, by_levels) = match &view.inst.op {
        Op::AllReduce(_) => {
            let shape = &view.result(0).shape;
            let dim = shape.iter().position(|size| *size > 0 && size % members == 0)?;
            let seconds = price(Collective::ReduceScatter, &levels.inside, bytes)
                + price(Collective::AllReduce, &levels.across, shard)
                + price(Collective::AllGather, &levels.inside, shard);
            (Levels { dim, ..levels }, seconds)
        }
        Op::AllGather(gather) => {
            let seconds = price(Collective::AllGather, &levels.across, bytes)
                + price(Collective::AllGather, &levels.inside, bytes * hosts as f64);
            (Levels { dim: gather.dim, ..levels }, seconds)
        }
        Op::ReduceScatter(scatter) => {
            let seconds = price(Collective::ReduceScatter, &levels.inside, bytes)
                + price(Collective::ReduceScatter, &levels.across, shard);
            (Levels { dim: scatter.dim, ..levels }, seconds)
        }
        _ => return None,
    };
    // A sum has no order.
    let has_order = matches!(view.inst.op, Op::AllReduce(_)) || levels.order != Order::Mixed;
    let in_one_ring = one_ring(kind_of(&view.inst.op)?, &axes, bytes, placement).0;
    (has_order && by_levels < in_one_ring).then_some(levels)
}

/// Axes inside hosts and across them; `None` if there are not both.
fn by_level(axes: &[SubAxisId], placement: &Placement) -> Option<Levels> {
    let level = |axis: &SubAxisId| match placement.crossings(&[*axis]).as_slice() {
        [crossing] => Some(crossing.level_index),
        _ => None,
    };
    let levels: Vec<usize> = axes.iter().map(level).collect::<Option<_>>()?;
    let outermost = *levels.iter().max()?;
    let (mut inside, mut across) = (Vec::new(), Vec::new());
    for (axis, level) in axes.iter().zip(&levels) {
        if *level < outermost { inside.push(*axis) } else { across.push(*axis) }
    }
    if inside.is_empty() || across.is_empty() {
        return None;
    }
    let order = if axes.starts_with(&across) {
        Order::AcrossFirst
    } else if axes.starts_with(&inside) {
        Order::InsideFirst
    } else {
        Order::Mixed
    };
    Some(Levels { inside, across, dim: 0, order })
}

/// Emits one collective level by level.
struct Steps<'a> {
    view: &'a InstView<'a>,
    levels: &'a Levels,
    mesh: &'a Mesh,
    to: RegionId,
}

impl Steps<'_> {
    /// A collective over `axes` that leaves `size` elements of a dim.
    fn step(
        &self,
        rewriter: &mut Rewriter<'_>,
        op: &Op,
        axes: &[SubAxisId],
        value: ValueId,
        dim: usize,
        size: usize,
    ) -> ValueId {
        let mut ty = rewriter.to.tensor(value).clone();
        ty.shape[dim] = size;
        let reducers = if matches!(op, Op::AllGather(_)) { &[][..] } else { &self.view.inst.regions };
        let op = over(op, axes, self.mesh);
        rewriter.emit(op, &[value], reducers, ty.into(), self.view.inst.span, self.to)
    }

    fn gather(&self, rewriter: &mut Rewriter<'_>, axes: &[SubAxisId], value: ValueId, dim: usize) -> ValueId {
        let Some(participants) = self.view.inst.op.participants().cloned() else { return value };
        let size = rewriter.to.tensor(value).shape[dim] * self.mesh.product(axes);
        self.step(rewriter, &AllGather { dim, participants }.into(), axes, value, dim, size)
    }

    fn scatter(
        &self,
        rewriter: &mut Rewriter<'_>,
        axes: &[SubAxisId],
        value: ValueId,
        dim: usize,
    ) -> ValueId {
        let Some(participants) = self.view.inst.op.participants().cloned() else { return value };
        let size = rewriter.to.tensor(value).shape[dim] / self.mesh.product(axes);
        self.step(rewriter, &ReduceScatter { dim, participants }.into(), axes, value, dim, size)
    }

    fn all_reduce(&self, rewriter: &mut Rewriter<'_>, value: ValueId) -> ValueId {
        let Levels { inside, across, dim, .. } = self.levels;
        let value = self.scatter(rewriter, inside, value, *dim);
        let size = rewriter.to.tensor(value).shape[*dim];
        let value = self.step(rewriter, &self.view.inst.op, across, value, *dim, size);
        self.gather(rewriter, inside, value, *dim)
    }

    fn all_gather(&self, rewriter: &mut Rewriter<'_>, value: ValueId, dim: usize) -> ValueId {
        let Levels { inside, across, order, .. } = self.levels;
        let apart = *order == Order::AcrossFirst;
        let size = self.view.operand(0).shape[dim];
        let value = if apart { self.reshape(rewriter, value, dim, 1, &[1, 1, size]) } else { value };
        let value = self.gather(rewriter, across, value, dim);
        let value = self.gather(rewriter, inside, value, dim + usize::from(apart));
        if apart { self.reshape(rewriter, value, dim, 3, &[self.view.result(0).shape[dim]]) } else { value }
    }

    fn reduce_scatter(&self, rewriter: &mut Rewriter<'_>, value: ValueId, dim: usize) -> ValueId {
        let Levels { inside, across, order, .. } = self.levels;
        let apart = *order == Order::AcrossFirst;
        let (hosts, members) = (self.mesh.product(across), self.mesh.product(inside));
        let size = self.view.result(0).shape[dim];
        let value =
            if apart { self.reshape(rewriter, value, dim, 1, &[hosts, members, size]) } else { value };
        let value = self.scatter(rewriter, inside, value, dim + usize::from(apart));
        let value = self.scatter(rewriter, across, value, dim);
        if apart { self.reshape(rewriter, value, dim, 3, &[size]) } else { value }
    }

    /// `count` dims from `dim` on become dims of these sizes.
    fn reshape(
        &self,
        rewriter: &mut Rewriter<'_>,
        value: ValueId,
        dim: usize,
        count: usize,
        sizes: &[usize],
    ) -> ValueId {
        let TensorType { mut shape, element } = rewriter.to.tensor(value).clone();
        shape.splice(dim..dim + count, sizes.iter().copied());
        let ty = TensorType::new(shape, element).into();
        rewriter.emit(Reshape.into(), &[value], &[], ty, self.view.inst.span, self.to)
    }
}
