//! A product of which a device reads only parts is computed in these parts.
//!
//! Input: a product whose readers all slice one of its dims, some of the slices perhaps sliced again, that comes from
//! one operand only. Output: a product of a slice of that operand in place of each slice, where they are half of the
//! whole or less together: fewer operations, and a smaller value to keep.
//!
//! Example: `%0 = x · w`, of which each device takes the left half's and the right half's own shard (a projection that
//! several branches have in common, and that is whole on every device): `x · shard(left(w))` and
//! `x · shard(right(w))`.

use super::PassContext;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::dynamic_slice::DynamicSlice;
use meshwright_ir::ops::slice::Slice;
use meshwright_ir::program::{Body, InstView};
use meshwright_ir::rewrite::{Rewriter, each};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::TensorType;

pub(super) fn narrow_products(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let mut part_of: Table<InstId, Option<Part>> = Table::filled(None, body.insts.len());
    let mut found = false;
    for inst in body.insts.ids().filter(|inst| body.view(*inst).is_matmul()) {
        for part in parts(body, inst, context).unwrap_or_default() {
            let last = *part.cuts.last()?;
            part_of[last] = Some(part);
            found = true;
        }
    }
    found.then(|| {
        each(body, |rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to| {
            let part = part_of[view.id].as_ref();
            part.is_some_and(|part| narrow(rewriter, part, view, to).is_some())
        })
    })
}

/// A part of a product that is read.
#[derive(Clone)]
struct Part {
    product: InstId,
    /// The slices that cut it out, one of the other.
    cuts: Vec<InstId>,
    /// The dim of the product that they cut.
    dim: usize,
}

/// All parts of a product that are read, if they are worth computing alone.
fn parts(body: &Body, product: InstId, context: &PassContext<'_>) -> Option<Vec<Part>> {
    let [value] = *body.insts[product].results.as_slice() else { return None };
    let mut parts = Vec::new();
    for (user, position) in context.uses(value) {
        let dim = cut_dim(body, *user, *position)?;
        let [cut] = *body.insts[*user].results.as_slice() else { return None };
        let again: Option<Vec<InstId>> = context
            .uses(cut)
            .iter()
            .map(|(user, position)| (cut_dim(body, *user, *position)? == dim).then_some(*user))
            .collect();
        match again {
            Some(inner) if !inner.is_empty() => {
                parts.extend(inner.into_iter().map(|last| Part { product, cuts: vec![*user, last], dim }));
            }
            _ => parts.push(Part { product, cuts: vec![*user], dim }),
        }
    }
    let dim = parts.first()?.dim;
    operand_dim(body, product, dim)?;
    let size_of =
        |part: &Part| part.cuts.last().map_or(0, |last| size(body, body.insts[*last].results[0], dim));
    let read: usize = parts.iter().map(size_of).sum();
    let is_together = |cut: &InstId| context.are_together(product, *cut);
    let all_alike = parts.iter().all(|part| part.dim == dim && part.cuts.iter().all(is_together));
    (all_alike && 2 * read <= size(body, value, dim)).then_some(parts)
}

fn size(body: &Body, value: ValueId, dim: usize) -> usize {
    body.ty(value).as_tensor().and_then(|tensor| tensor.shape.get(dim).copied()).unwrap_or(0)
}

/// The one dim that a slice of its first operand cuts, without gaps.
fn cut_dim(body: &Body, inst: InstId, position: usize) -> Option<usize> {
    let content = &body.insts[inst];
    let is_slice = match &content.op {
        Op::Slice(slice) => slice.stride.iter().all(|stride| *stride == 1),
        Op::DynamicSlice(_) => position == 0,
        _ => false,
    };
    if !is_slice {
        return None;
    }
    let whole = body.ty(*content.operands.first()?).as_tensor()?;
    let cut = body.ty(*content.results.first()?).as_tensor()?;
    let mut dims = (0..whole.rank()).filter(|dim| cut.shape[*dim] != whole.shape[*dim]);
    let dim = dims.next()?;
    dims.next().is_none().then_some(dim)
}

/// The operand that a dim of a product comes from, and its dim there; none for dims of batches, which both have.
fn operand_dim(body: &Body, product: InstId, dim: usize) -> Option<(usize, usize)> {
    let view = body.view(product);
    let rule = view.inst.op.rule(&view);
    let [factor] = *rule.results.first()?.get(dim)?.as_slice() else { return None };
    let place = |side: usize| rule.operands.get(side)?.iter().position(|dim| *dim == [factor]);
    match (place(0), place(1)) {
        (Some(dim), None) => Some((0, dim)),
        (None, Some(dim)) => Some((1, dim)),
        _ => None,
    }
}

/// Puts a product of slices in place of the slice of a product. `view` is the last of the part's slices.
fn narrow(rewriter: &mut Rewriter<'_>, part: &Part, view: &InstView<'_>, to: RegionId) -> Option<()> {
    let body = view.body;
    let (side, dim) = operand_dim(body, part.product, part.dim)?;
    let product = &body.insts[part.product];
    let mut operands: Vec<ValueId> =
        product.operands.iter().map(|operand| rewriter.value(*operand)).collect();
    for cut in &part.cuts {
        operands[side] = sliced(rewriter, &body.view(*cut), part.dim, operands[side], dim, to);
    }
    let ty = view.result(0).clone();
    let result = rewriter.emit(product.op.clone(), &operands, &[], ty.into(), view.inst.span, to);
    rewriter.stand_for(view.inst.results[0], result);
    Some(())
}

/// The same slice along dim `to_dim` of another value as `cut` is along `from_dim`.
fn sliced(
    rewriter: &mut Rewriter<'_>,
    cut: &InstView<'_>,
    from_dim: usize,
    value: ValueId,
    to_dim: usize,
    to: RegionId,
) -> ValueId {
    let mut ty = rewriter.to.tensor(value).clone();
    let whole = ty.shape.clone();
    ty.shape[to_dim] = cut.result(0).shape[from_dim];
    let span = cut.inst.span;
    match &cut.inst.op {
        Op::Slice(slice) => {
            let mut own =
                Slice { start: vec![0; whole.len()], limit: whole.clone(), stride: vec![1; whole.len()] };
            (own.start[to_dim], own.limit[to_dim]) = (slice.start[from_dim], slice.limit[from_dim]);
            rewriter.emit(own.into(), &[value], &[], ty.into(), span, to)
        }
        _ => {
            let start = rewriter.value(cut.inst.operands[1 + from_dim]);
            let number = TensorType::scalar(rewriter.to.tensor(start).element);
            let zero = rewriter.constant(Literal::splat(number, 0.0), to);
            let starts = (0..whole.len()).map(|dim| if dim == to_dim { start } else { zero });
            let operands: Vec<ValueId> = [value].into_iter().chain(starts).collect();
            let op = DynamicSlice { sizes: ty.shape.clone() };
            rewriter.emit(op.into(), &operands, &[], ty.into(), span, to)
        }
    }
}
