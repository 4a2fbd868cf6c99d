//! The local form of `top_k` along a sharded dim.
//!
//! The largest elements of all are among the largest of each shard. Each device finds its own, all of these are
//! gathered with their positions in the whole dim, and the largest are found once more. Shards stand in order, so
//! that of equal elements the first still comes first. Where shards hold hardly more than is asked for, they are
//! gathered as they are.

use super::binary::Binary;
use super::broadcast_in_dim::BroadcastInDim;
use super::gather::Gather;
use super::halo::cut;
use super::local_code::{binary, mask, one, own_start, tensor};
use super::reducer::neutral;
use super::slice_dims::SliceDims;
use super::top_k::TopK;
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::sharding::Reduction;
use meshwright_tensor::literal::{Literal, LiteralData};
use meshwright_tensor::types::{ElementKind, ElementType, TensorType};

/// Emits the local op.
pub(super) fn localize(op: &TopK, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
    let (local, last) = (cx.operand(0), cx.operand(0).rank() - 1);
    let (axes, size) = (cx.operand_axes(0, last), cx.view.operand(0).shape[last]);
    let (chunk, bits) = (local.shape[last], local.element.bits());
    let operand = cx.operands[0];
    if axes.is_empty() {
        return largest(b, op, operand, op.k);
    }
    let k = op.k.min(chunk);
    if k * (bits + ElementType::I32.bits()) >= chunk * bits {
        let whole = b.all_gather(operand, last, &axes);
        let whole = cut(b, whole, last, 0, size, 1);
        return largest(b, op, whole, op.k);
    }
    let operand = match (cx.is_padded(0, last), least(local.element)) {
        (true, Some(least)) => mask(b, operand, last, size, &axes, &least),
        _ => operand,
    };
    let own = largest(b, op, operand, k);
    let start = own_start(b, &axes, chunk, ElementType::I32);
    let ty = tensor(b, own[1]);
    let start = one(b, BroadcastInDim { dims: Vec::new() }, &[start], ty);
    let positions = binary(b, Binary::Add, own[1], start);
    let values = b.all_gather(own[0], last, &axes);
    let positions = b.all_gather(positions, last, &axes);
    let found = largest(b, op, values, op.k);
    let position = entries(b, positions, found[1]);
    vec![found[0], position]
}

/// The least element in the order of `top_k`; `None` for those without order.
pub(super) fn least(element: ElementType) -> Option<Literal> {
    let is_full =
        matches!(element, ElementType::F16 | ElementType::Bf16 | ElementType::F32 | ElementType::F64);
    if element.kind() == ElementKind::Float && is_full {
        // Of NaNs, those with a sign stand before all numbers.
        let bytes = vec![u8::MAX; element.bits() / 8];
        return Some(Literal { ty: TensorType::scalar(element), data: LiteralData::Splat(bytes.into()) });
    }
    neutral(Reduction::Max, element)
}

/// The `k` largest of the last dim and their positions in it.
fn largest(b: &mut dyn LocalBuilder, op: &TopK, value: ValueId, k: usize) -> Vec<ValueId> {
    let mut ty = tensor(b, value);
    if let Some(size) = ty.shape.last_mut() {
        *size = k;
    }
    let positions = TensorType::new(ty.shape.clone(), ElementType::I32);
    b.emit(TopK { k, ..*op }.into(), &[value], &[], vec![ty.into(), positions.into()])
}

/// Of each row of `table`, the entries at the positions in the same row of `positions`.
fn entries(b: &mut dyn LocalBuilder, table: ValueId, positions: ValueId) -> ValueId {
    let ty = tensor(b, positions);
    let last = ty.rank() - 1;
    let rows: Vec<usize> = (0..last).collect();
    let dims = SliceDims {
        window: Vec::new(),
        collapsed: vec![last],
        table_batching: rows.clone(),
        indices_batching: rows,
        index_map: vec![last],
        index_vector_dim: ty.rank(),
    };
    let gather = Gather { dims, slice_sizes: vec![1; ty.rank()], indices_are_sorted: None };
    one(b, gather, &[table, positions], ty)
}
