//! Small pieces of local code that the local forms of several ops are made of.
//!
//! Input: local values and a builder; output: new local values. Masks are here too: where a sharded dim does not
//! divide, the last shards end in padding, whose contents are unspecified. An op that combines elements along such a
//! dim first replaces the padding by something neutral.

use super::binary::Binary;
use super::broadcast_in_dim::BroadcastInDim;
use super::clamp::Clamp;
use super::compare::{Compare, Direction};
use super::convert::Convert;
use super::dynamic_slice::DynamicSlice;
use super::iota::Iota;
use super::reducer::neutral;
use super::reshape::Reshape;
use super::select::Select;
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::mesh::SubAxisId;
use crate::op::Op;
use crate::rule::FactorKind;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType};
use std::ops::Range;

/// Emits an op of one result.
pub(super) fn one(
    b: &mut dyn LocalBuilder,
    op: impl Into<Op>,
    operands: &[ValueId],
    ty: TensorType,
) -> ValueId {
    b.emit(op.into(), operands, &[], vec![ty.into()])[0]
}

/// The type of a local tensor.
pub(super) fn tensor(b: &dyn LocalBuilder, value: ValueId) -> TensorType {
    b.ty(value).as_tensor().expect("a tensor").clone()
}

/// `left op right`, both of one type.
pub(super) fn binary(b: &mut dyn LocalBuilder, op: Binary, left: ValueId, right: ValueId) -> ValueId {
    let ty = tensor(b, left);
    one(b, op, &[left, right], ty)
}

/// `left op number`, elementwise.
pub(super) fn with_number(b: &mut dyn LocalBuilder, op: Binary, left: ValueId, number: i64) -> ValueId {
    let ty = tensor(b, left);
    let number = b.splat(ty, number as f64);
    binary(b, op, left, number)
}

/// The entry of a table of integers at a scalar index, as a scalar of the index's type.
pub(super) fn look_up(b: &mut dyn LocalBuilder, table: Literal, index: ValueId) -> ValueId {
    let element = table.ty.element;
    let wanted = tensor(b, index);
    let table = b.constant(table);
    let row = one(b, DynamicSlice { sizes: vec![1] }, &[table, index], TensorType::new([1], element));
    let entry = one(b, Reshape, &[row], TensorType::scalar(element));
    if wanted.element == element { entry } else { one(b, Convert, &[entry], wanted) }
}

/// `value`, its dims being the dims `dims` of the result.
pub(super) fn broadcast(
    b: &mut dyn LocalBuilder,
    value: ValueId,
    shape: &[usize],
    dims: Vec<usize>,
) -> ValueId {
    let ty = tensor(b, value);
    if ty.shape == shape && dims.iter().copied().eq(0..shape.len()) {
        return value;
    }
    one(b, BroadcastInDim { dims }, &[value], TensorType::new(shape, ty.element))
}

/// 0, 1, 2, ...
pub(super) fn count_up(b: &mut dyn LocalBuilder, len: usize, element: ElementType) -> ValueId {
    one(b, Iota { dim: 0 }, &[], TensorType::new([len], element))
}

/// Elementwise comparison of two integer tensors of one type.
pub(super) fn compare(
    b: &mut dyn LocalBuilder,
    direction: Direction,
    left: ValueId,
    right: ValueId,
) -> ValueId {
    let ty = TensorType::new(tensor(b, left).shape, ElementType::I1);
    one(b, Compare { direction, compare_type: None }, &[left, right], ty)
}

/// `on_true` where `predicate` holds, else `on_false`; all of one shape.
pub(super) fn select(
    b: &mut dyn LocalBuilder,
    predicate: ValueId,
    on_true: ValueId,
    on_false: ValueId,
) -> ValueId {
    let ty = tensor(b, on_true);
    one(b, Select, &[predicate, on_true, on_false], ty)
}

/// `value` between `low` and `high`, both included.
pub(super) fn clamp(b: &mut dyn LocalBuilder, value: ValueId, low: i64, high: i64) -> ValueId {
    let ty = tensor(b, value);
    let scalar = TensorType::scalar(ty.element);
    let (low, high) = (b.splat(scalar.clone(), low as f64), b.splat(scalar, high as f64));
    one(b, Clamp, &[low, value, high], ty)
}

/// The position in the whole dim at which this device's shard of `size` elements starts, as a scalar.
pub(super) fn own_start(
    b: &mut dyn LocalBuilder,
    axes: &[SubAxisId],
    size: usize,
    element: ElementType,
) -> ValueId {
    let index = b.index_along(axes, element);
    with_number(b, Binary::Multiply, index, size as i64)
}

/// `value` where `start + i < limit` and `start + i >= 0` hold for the position `i` along `dim`, and `fill` elsewhere.
/// `start` is a scalar.
pub(super) fn keep_inside(
    b: &mut dyn LocalBuilder,
    value: ValueId,
    dim: usize,
    start: ValueId,
    limit: usize,
    check_low: LowEnd,
    fill: ValueId,
) -> ValueId {
    let ty = tensor(b, value);
    let (len, element) = (ty.shape[dim], tensor(b, start).element);
    let counted = count_up(b, len, element);
    let start = broadcast(b, start, &[len], Vec::new());
    let positions = binary(b, Binary::Add, counted, start);
    let vector = TensorType::new([len], element);
    let end = b.splat(vector.clone(), limit as f64);
    let mut inside = compare(b, Direction::Less, positions, end);
    if check_low == LowEnd::Checked {
        let zero = b.splat(vector, 0.0);
        let not_before = compare(b, Direction::GreaterEqual, positions, zero);
        inside = binary(b, Binary::And, inside, not_before);
    }
    let inside = broadcast(b, inside, &ty.shape, vec![dim]);
    let fill = broadcast(b, fill, &ty.shape, Vec::new());
    select(b, inside, value, fill)
}

/// Whether positions may lie before the first element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LowEnd {
    /// They may.
    Checked,
    /// They never do.
    Sure,
}

/// A shard with everything behind the end of `dim`, which has `size` elements in all and is sharded by `axes`,
/// replaced by the scalar `fill`.
pub(super) fn mask(
    b: &mut dyn LocalBuilder,
    value: ValueId,
    dim: usize,
    size: usize,
    axes: &[SubAxisId],
    fill: &Literal,
) -> ValueId {
    let local = tensor(b, value).shape[dim];
    if b.as_splat(value).is_some_and(|known| known.splat_bytes() == fill.splat_bytes()) {
        return value;
    }
    let start = own_start(b, axes, local, ElementType::for_positions(size));
    let fill = b.constant(fill.clone());
    keep_inside(b, value, dim, start, size, LowEnd::Sure, fill)
}

/// The operands, those that are combined along a padded factor masked with what changes nothing: zero on both sides
/// of a product that is summed, because zero times NaN is NaN.
pub(crate) fn masked_operands(cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
    masked(cx, b, 0..cx.operands.len())
}

/// All operands, those at `positions` masked so.
pub(super) fn masked(cx: &Localize<'_>, b: &mut dyn LocalBuilder, positions: Range<usize>) -> Vec<ValueId> {
    let mut operands = cx.operands.to_vec();
    for index in positions {
        let operand = &mut operands[index];
        for (dim, factors) in cx.rule.operands[index].iter().enumerate() {
            let combined = factors.iter().find_map(|factor| match cx.rule.factors[*factor].kind {
                FactorKind::Reduced(reduction) => Some(reduction),
                _ => None,
            });
            if let (true, Some(reduction)) = (cx.is_padded(index, dim), combined) {
                let fill = neutral(reduction, cx.operand(index).element)
                    .expect("the op's rule asked for a reduction with a neutral element");
                let size = cx.view.operand(index).shape[dim];
                *operand = mask(b, *operand, dim, size, &cx.operand_axes(index, dim), &fill);
            }
        }
    }
    operands
}
