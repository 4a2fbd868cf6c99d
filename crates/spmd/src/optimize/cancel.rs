//! Removes collectives that undo one another.
//!
//! With `A`, `B` lists of axes (major first) and all along one dim:
//!
//! - the own shard over `A` of an all_gather over `A` is the gather's operand; over a first part `A` of the gather's
//!   `A B` it is the gather over `B` alone, if nobody reads the whole; over more axes `B A` than the gather's `B` it is
//!   the shard over `A`;
//! - the all_gather over `A` of own shards over `A` is what they were cut out of, if that is the same on all members;
//!   over a last part `B` of `A B` it is the shard over `A`;
//! - the all_gather of a reduce_scatter that nothing else reads is an all_reduce;
//! - an all_to_all back, or a permute back, gives the first one's operand.

use super::PassContext;
use super::rewrite::{Positions, over};
use crate::facts::{LocalFacts, OwnSlice, definition};
use meshwright_ir::ids::{RegionId, ValueId};
use meshwright_ir::mesh::SubAxisId;
use meshwright_ir::op::Op;
use meshwright_ir::ops::all_gather::AllGather;
use meshwright_ir::ops::all_reduce::AllReduce;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::dynamic_slice::DynamicSlice;
use meshwright_ir::program::{Body, InstView};
use meshwright_ir::rewrite::{Rewriter, each};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::Type;

pub(super) fn cancel_opposites(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let facts = LocalFacts::new(body, context.mesh());
    let found = body.insts.ids().any(|inst| opposite(&body.view(inst), &facts, context).is_some());
    found.then(|| {
        each(body, |rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to| {
            match opposite(view, &facts, context) {
                Some(instead) => {
                    replace(rewriter, view, instead, context, to);
                    true
                }
                None => false,
            }
        })
    })
}

/// What stands for an instruction that undoes another, in terms of the old body.
enum Instead {
    /// This value.
    Value(ValueId),
    /// A gather of this value.
    Gather(ValueId, AllGather, Vec<SubAxisId>),
    /// A sum (or the like) of this value; the reducer is that of the second region.
    AllReduce(ValueId, AllReduce, RegionId),
    /// The own shard of this value, cut at `start % modulus / unit * unit`.
    Shard { value: ValueId, cut: OwnSlice, modulus: Option<usize>, unit: usize },
}

fn opposite(view: &InstView<'_>, facts: &LocalFacts<'_>, context: &PassContext<'_>) -> Option<Instead> {
    let [operand, ..] = *view.inst.operands.as_slice() else { return None };
    match &view.inst.op {
        Op::DynamicSlice(_) => shard_of_gather(view, &definition(view.body, operand)?, facts, context),
        Op::AllGather(gather) if view.num_operands() == 1 => {
            let inner = definition(view.body, operand)?;
            let axes = facts.along(&view.inst.op)?;
            gather_of_shards(gather, &axes, &inner, facts, context).or_else(|| {
                let together = context.are_together(view.id, inner.id) && context.num_uses(operand) == 1;
                together.then(|| gather_of_sums(gather, &axes, &inner, facts)).flatten()
            })
        }
        Op::AllToAll(back) if view.num_operands() == 1 => {
            let inner = definition(view.body, operand)?;
            let Op::AllToAll(there) = &inner.inst.op else { return None };
            let undoes = (back.split_dim, back.concat_dim) == (there.concat_dim, there.split_dim)
                && back.participants.groups == there.participants.groups;
            // One of several values may come back.
            let index = inner.inst.results.iter().position(|result| *result == operand)?;
            undoes.then(|| Instead::Value(inner.inst.operands[index]))
        }
        Op::CollectivePermute(back) => {
            let inner = definition(view.body, operand)?;
            let Op::CollectivePermute(there) = &inner.inst.op else { return None };
            let all =
                back.pairs.len() == context.mesh().num_devices() && there.pairs.len() == back.pairs.len();
            let undoes = all && back.pairs.iter().all(|[from, to]| there.pairs.contains(&[*to, *from]));
            undoes.then(|| Instead::Value(inner.inst.operands[0]))
        }
        _ => None,
    }
}

fn shard_of_gather(
    view: &InstView<'_>,
    inner: &InstView<'_>,
    facts: &LocalFacts<'_>,
    context: &PassContext<'_>,
) -> Option<Instead> {
    let Op::AllGather(gather) = &inner.inst.op else { return None };
    let [value] = *inner.inst.operands.as_slice() else { return None };
    let cut = facts.own_slice(view)?;
    let gathered = facts.along(&inner.inst.op)?;
    if cut.dim != gather.dim {
        return None;
    }
    if let Some(rest) = gathered.strip_prefix(cut.axes.as_slice()) {
        return match rest {
            [] => Some(Instead::Value(value)),
            rest => nobody_reads_whole(inner, gather, &gathered, facts, context)
                .then(|| Instead::Gather(value, gather.as_ref().clone(), rest.to_vec())),
        };
    }
    let rest = cut.axes.strip_prefix(gathered.as_slice())?.to_vec();
    let modulus = view.body.tensor(value).shape.get(cut.dim).copied();
    Some(Instead::Shard { value, cut: OwnSlice { axes: rest, ..cut }, modulus, unit: 1 })
}

/// Whether every reader of a gather takes an own shard that can be had without it, and where it stands: the smaller
/// gathers in its place then send less than it does.
fn nobody_reads_whole(
    inner: &InstView<'_>,
    gather: &AllGather,
    gathered: &[SubAxisId],
    facts: &LocalFacts<'_>,
    context: &PassContext<'_>,
) -> bool {
    context.uses(inner.inst.results[0]).iter().all(|(user, position)| {
        let cut = if *position == 0 { facts.own_slice(&inner.body.view(*user)) } else { None };
        cut.is_some_and(|cut| {
            cut.dim == gather.dim
                && (cut.axes.starts_with(gathered)
                    || gathered.starts_with(&cut.axes) && context.are_together(*user, inner.id))
        })
    })
}

fn gather_of_shards(
    gather: &AllGather,
    axes: &[SubAxisId],
    inner: &InstView<'_>,
    facts: &LocalFacts<'_>,
    context: &PassContext<'_>,
) -> Option<Instead> {
    let cut = facts.own_slice(inner)?;
    let rest = cut.axes.strip_suffix(axes)?.to_vec();
    let value = inner.inst.operands[0];
    let is_same = || {
        let varies = context.meanings()[value].varies();
        cut.axes.iter().all(|axis| !varies.contains(*axis))
    };
    if cut.dim != gather.dim || !is_same() {
        return None;
    }
    if rest.is_empty() {
        return Some(Instead::Value(value));
    }
    let unit = inner.result(0).shape[cut.dim] * context.mesh().product(axes);
    Some(Instead::Shard { value, cut: OwnSlice { axes: rest, ..cut }, modulus: None, unit })
}

fn gather_of_sums(
    gather: &AllGather,
    axes: &[SubAxisId],
    inner: &InstView<'_>,
    facts: &LocalFacts<'_>,
) -> Option<Instead> {
    let Op::ReduceScatter(scatter) = &inner.inst.op else { return None };
    let undoes = scatter.dim == gather.dim && facts.along(&inner.inst.op)? == axes;
    let op = AllReduce { participants: scatter.participants.clone() };
    undoes.then(|| Instead::AllReduce(inner.inst.operands[0], op, inner.inst.regions[0]))
}

fn replace(
    rewriter: &mut Rewriter<'_>,
    view: &InstView<'_>,
    instead: Instead,
    context: &PassContext<'_>,
    to: RegionId,
) {
    let (span, result) = (view.inst.span, view.inst.results[0]);
    let ty: Type = view.result(0).clone().into();
    let new = match instead {
        Instead::Value(value) => rewriter.value(value),
        Instead::Gather(value, gather, axes) => {
            let op = over(&gather.into(), &axes, context.mesh());
            let value = rewriter.value(value);
            rewriter.emit(op, &[value], &[], ty, span, to)
        }
        Instead::AllReduce(value, op, reducer) => {
            let value = rewriter.value(value);
            rewriter.emit(op.into(), &[value], &[reducer], ty, span, to)
        }
        Instead::Shard { value, cut, modulus, unit } => {
            let value = rewriter.value(value);
            let mut start = rewriter.value(cut.start);
            if let Some(modulus) = modulus {
                start = rewriter.arithmetic(Binary::Remainder, start, modulus, span, to);
            }
            if unit > 1 {
                start = rewriter.arithmetic(Binary::Divide, start, unit, span, to);
                start = rewriter.arithmetic(Binary::Multiply, start, unit, span, to);
            }
            let scalar = rewriter.to.tensor(start).clone();
            let zero = rewriter.constant(Literal::splat(scalar, 0.0), to);
            let sizes = view.result(0).shape.clone();
            let starts = (0..sizes.len()).map(|dim| if dim == cut.dim { start } else { zero });
            let operands: Vec<ValueId> = std::iter::once(value).chain(starts).collect();
            rewriter.emit(DynamicSlice { sizes }.into(), &operands, &[], ty, span, to)
        }
    };
    rewriter.stand_for(result, new);
}
