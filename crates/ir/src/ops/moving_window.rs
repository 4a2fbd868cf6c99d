//! The local forms of `dynamic_slice` and `dynamic_update_slice` where the window moves along sharded dims.
//!
//! Input: the sharded instruction. Output: for a slice, what this device holds of it, in its place and zeros around it,
//! so that the sum over the devices is the slice; for an update, this device's shard with what falls on it replaced.
//! Nothing is sent.
//!
//! The window of `size` positions starts at `clamp(start, 0, whole - size)`, as the specification says. Counted from the
//! first position that the device holds, this is `own`, which may lie before the shard, behind it, or so that the
//! window straddles its ends. Of its shard the device touches `len = min(size, shard)` positions from
//! `first = clamp(own, 0, shard - len)` on: all that the window can have of it. Position `p` of these is position
//! `p + shift` of the window, where `shift = first - own`.

use super::binary::Binary;
use super::compare::Direction;
use super::convert::Convert;
use super::dynamic_slice::DynamicSlice;
use super::dynamic_update_slice::DynamicUpdateSlice;
use super::halo::{extended, nothing, part_at};
use super::local_code::{
    binary, broadcast, clamp, compare, count_up, one, own_start, select, tensor, with_number,
};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementKind, ElementType, TensorType};

/// What this device touches of its shard.
struct Touched {
    /// Per dim, where it starts: scalars of one type.
    first: Vec<ValueId>,
    /// Its shape.
    shape: Vec<usize>,
    /// The dims along which the window moves over shards.
    moving: Vec<Moving>,
}

struct Moving {
    dim: usize,
    /// Size of the window.
    size: usize,
    /// See the module's comment.
    shift: ValueId,
}

/// Emits the local slice.
pub(super) fn slice(cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
    let window = &cx.view.result(0).shape;
    let Some(touched) = touched(cx, b, window, cx.result(0), 1) else {
        let local = DynamicSlice { sizes: cx.result(0).shape.clone() };
        return b.emit(local.into(), cx.operands, &[], cx.result_types.to_vec());
    };
    let mut part = touched.read(b, cx.operands[0]);
    for moving in &touched.moving {
        let held = touched.shape[moving.dim];
        if moving.size == 1 {
            let inside = moving.inside(b, held);
            let ty = tensor(b, part);
            let inside = broadcast(b, inside, &ty.shape, vec![moving.dim]);
            let nothing = nothing(b, ty);
            part = select(b, inside, part, nothing);
            continue;
        }
        let size = moving.size as i64;
        let around = extended(b, part, moving.dim, size, size);
        let back = with_number(b, Binary::Multiply, moving.shift, -1);
        let start = with_number(b, Binary::Add, back, size);
        let start = clamp(b, start, 0, size + held as i64);
        part = part_at(b, around, moving.dim, start, moving.size);
    }
    vec![part]
}

/// Emits the local update.
pub(super) fn update(cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
    let window = &cx.view.operand(1).shape;
    let Some(touched) = touched(cx, b, window, cx.operand(1), 2) else {
        return b.emit(DynamicUpdateSlice.into(), cx.operands, &[], cx.result_types.to_vec());
    };
    let shard = cx.operands[0];
    let mut part = cx.operands[1];
    let mut replaced: Option<ValueId> = None;
    for moving in &touched.moving {
        let len = touched.shape[moving.dim];
        let inside = moving.inside(b, len);
        let inside = broadcast(b, inside, &touched.shape, vec![moving.dim]);
        replaced = Some(match replaced {
            Some(before) => binary(b, Binary::And, before, inside),
            None => inside,
        });
        if moving.size == 1 {
            continue;
        }
        let edge = len as i64;
        let around = extended(b, part, moving.dim, edge, edge);
        let start = with_number(b, Binary::Add, moving.shift, edge);
        let start = clamp(b, start, 0, moving.size as i64 + edge);
        part = part_at(b, around, moving.dim, start, len);
    }
    let before = touched.read(b, shard);
    if let Some(replaced) = replaced {
        part = select(b, replaced, part, before);
    }
    if touched.shape == cx.operand(0).shape {
        return vec![part];
    }
    let operands = [vec![shard, part], touched.first].concat();
    b.emit(DynamicUpdateSlice.into(), &operands, &[], cx.result_types.to_vec())
}

impl Touched {
    fn read(&self, b: &mut dyn LocalBuilder, shard: ValueId) -> ValueId {
        let mut ty = tensor(b, shard);
        if ty.shape == self.shape {
            return shard;
        }
        ty.shape.clone_from(&self.shape);
        let operands = [vec![shard], self.first.clone()].concat();
        one(b, DynamicSlice { sizes: self.shape.clone() }, &operands, ty)
    }
}

impl Moving {
    /// Which of the `len` touched positions lie in the window.
    fn inside(&self, b: &mut dyn LocalBuilder, len: usize) -> ValueId {
        let element = tensor(b, self.shift).element;
        let counted = count_up(b, len, element);
        let shift = broadcast(b, self.shift, &[len], Vec::new());
        let positions = binary(b, Binary::Add, counted, shift);
        let vector = TensorType::new([len], element);
        let (zero, end) = (b.splat(vector.clone(), 0.0), b.splat(vector, self.size as f64));
        let not_before = compare(b, Direction::GreaterEqual, positions, zero);
        let not_behind = compare(b, Direction::Less, positions, end);
        binary(b, Binary::And, not_before, not_behind)
    }
}

/// What is touched of operand 0 by a window of global shape `window` and local type `local`, whose starts are the
/// operands from `starts` on. `None` if the window moves along no sharded dim.
fn touched(
    cx: &Localize<'_>,
    b: &mut dyn LocalBuilder,
    window: &[usize],
    local: &TensorType,
    starts: usize,
) -> Option<Touched> {
    let (whole, shard) = (&cx.view.operand(0).shape, &cx.operand(0).shape);
    let moves = |dim: usize| whole[dim] != window[dim] && !cx.operand_axes(0, dim).is_empty();
    if !(0..whole.len()).any(moves) {
        return None;
    }
    let element = ElementType::for_positions(whole.iter().copied().max().unwrap_or(0));
    let mut touched = Touched { first: Vec::new(), shape: local.shape.clone(), moving: Vec::new() };
    for dim in 0..whole.len() {
        let start = cx.operands[starts + dim];
        if !moves(dim) {
            // A dim that is taken whole starts at zero, on every device.
            let last = if whole[dim] == window[dim] { 0 } else { whole[dim] - window[dim] };
            touched.first.push(inside(b, start, last, element));
            continue;
        }
        let (size, axes) = (window[dim], cx.operand_axes(0, dim));
        let start = inside(b, start, whole[dim] - size, element);
        let held_from = own_start(b, &axes, shard[dim], element);
        let own = binary(b, Binary::Subtract, start, held_from);
        let len = size.min(shard[dim]);
        let zero = b.splat(TensorType::scalar(element), 0.0);
        let first = if len == shard[dim] { zero } else { clamp(b, own, 0, (shard[dim] - len) as i64) };
        let shift = binary(b, Binary::Subtract, first, own);
        touched.shape[dim] = len;
        touched.first.push(first);
        touched.moving.push(Moving { dim, size, shift });
    }
    Some(touched)
}

/// A scalar start moved to between zero and `last`, both included, in the type `element`.
fn inside(b: &mut dyn LocalBuilder, start: ValueId, last: usize, element: ElementType) -> ValueId {
    if last == 0 {
        return b.splat(TensorType::scalar(element), 0.0);
    }
    if let Some(known) = b.as_splat(start).and_then(Literal::splat_f64) {
        return b.splat(TensorType::scalar(element), known.clamp(0.0, last as f64));
    }
    let own = tensor(b, start).element;
    let sign = usize::from(own.kind() == ElementKind::Signed);
    // A narrow type may not reach the last position; a wide one must not wrap around in the other type.
    let largest = 1i64.checked_shl((own.bits() - sign) as u32).filter(|bound| *bound > 0);
    let last = largest.map_or(last as i64, |bound| (bound - 1).min(last as i64));
    let clamped = clamp(b, start, 0, last);
    if own == element { clamped } else { one(b, Convert, &[clamped], TensorType::scalar(element)) }
}
