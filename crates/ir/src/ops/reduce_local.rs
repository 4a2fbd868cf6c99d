//! The local form of `reduce`.
//!
//! Each device reduces what it holds. Where the reducer is one that collectives know, the results are partial, and the
//! partitioner combines them. Any other (the position of a maximum, several results at once) needs each shard's result:
//! these are gathered, in the order of the elements, and reduced once more. Example: argmax over 1000 columns in four
//! shards is four argmax over 250, of which every device gets four values and four positions.

use super::convert::Convert;
use super::local_code::{LowEnd, keep_inside, masked_operands, one, own_start, tensor};
use super::reduce::Reduce;
use super::reshape::Reshape;
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::mesh::SubAxisId;
use meshwright_tensor::types::{ElementType, Type};

/// Emits the local op.
pub(super) fn localize(op: &Reduce, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
    if op.reduction(&cx.view).is_some() && cx.result_types.len() == 1 {
        return partial(op, cx, b);
    }
    let mut dims = op.dims.clone();
    dims.sort_unstable();
    let axes = |dim: usize| cx.operand_axes(0, dim);
    let sharded: Vec<(usize, Vec<SubAxisId>)> =
        dims.iter().map(|dim| (*dim, axes(*dim))).filter(|(_, axes)| !axes.is_empty()).collect();
    let count = cx.result_types.len();
    let (mut inputs, inits) = (cx.operands[..count].to_vec(), &cx.operands[count..]);
    for (index, input) in inputs.iter_mut().enumerate() {
        for (dim, axes) in sharded.iter().filter(|(dim, _)| cx.is_padded(index, *dim)) {
            *input = with_init_behind(cx, b, *input, *dim, axes, inits[index]);
        }
    }
    // From the last dim to the first: a reducer need not commute.
    for (dim, axes) in sharded.iter().rev() {
        let inner: Vec<usize> = dims.iter().copied().filter(|other| other >= dim).collect();
        inputs = reduced_in_place(&inner, cx, b, &inputs, inits);
        inputs = inputs.iter().map(|input| b.all_gather(*input, *dim, axes)).collect();
    }
    let region = b.copy_region(&cx.view, 0);
    inputs.extend(inits);
    b.emit(op.clone().into(), &inputs, &[region], cx.result_types.to_vec())
}

/// Where the result is partial, every device starts from the neutral element and the initial value is applied
/// by the caller's reduction only once: on the first device of each group.
fn partial(op: &Reduce, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
    let region = b.copy_region(&cx.view, 0);
    let partial = cx.partial_axes();
    let mut operands = masked_operands(cx, b);
    if let (false, Some(reduction)) = (partial.is_empty(), op.reduction(&cx.view)) {
        operands[1] = b.once(operands[1], &partial, reduction);
    }
    b.emit(op.clone().into(), &operands, &[region], cx.result_types.to_vec())
}

/// A shard of an input, the padding behind the end of `dim` replaced by the initial value, in whose type (that of what
/// the reducer combines) it comes back.
fn with_init_behind(
    cx: &Localize<'_>,
    b: &mut dyn LocalBuilder,
    input: ValueId,
    dim: usize,
    axes: &[SubAxisId],
    init: ValueId,
) -> ValueId {
    let mut ty = tensor(b, input);
    let element = tensor(b, init).element;
    let wide = if ty.element == element {
        input
    } else {
        ty.element = element;
        one(b, Convert, &[input], ty.clone())
    };
    let size = cx.view.operand(0).shape[dim];
    let start = own_start(b, axes, ty.shape[dim], ElementType::for_positions(size));
    keep_inside(b, wide, dim, start, size, LowEnd::Sure, init)
}

/// The inputs reduced over some dims, which are left with one element each.
pub(super) fn reduced_in_place(
    dims: &[usize],
    cx: &Localize<'_>,
    b: &mut dyn LocalBuilder,
    inputs: &[ValueId],
    inits: &[ValueId],
) -> Vec<ValueId> {
    let (mut whole, mut reduced) = (Vec::new(), Vec::new());
    for (index, input) in inputs.iter().enumerate() {
        let mut ty = tensor(b, *input);
        ty.element = cx.result(index).element;
        dims.iter().for_each(|dim| ty.shape[*dim] = 1);
        whole.push(ty.clone());
        let kept = ty.shape.iter().enumerate().filter(|(dim, _)| !dims.contains(dim));
        ty.shape = kept.map(|(_, size)| *size).collect();
        reduced.push(Type::from(ty));
    }
    let region = b.copy_region(&cx.view, 0);
    let operands = [inputs, inits].concat();
    let results = b.emit(Reduce { dims: dims.to_vec() }.into(), &operands, &[region], reduced);
    results.into_iter().zip(whole).map(|(result, ty)| one(b, Reshape, &[result], ty)).collect()
}
