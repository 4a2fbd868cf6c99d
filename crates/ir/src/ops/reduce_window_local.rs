//! The local form of `reduce_window` along sharded dims.
//!
//! Windows that reach over the edges of shards see the neighbors' elements (module `window_local`). A running total
//! (one window per element that begins or ends at the dim's edge) is a running total per shard, combined with what
//! the shards before it (or behind it) come to in all; only one element per shard and row is sent.

use super::binary::Binary;
use super::convert::Convert;
use super::exchange::cut;
use super::local_code::{LowEnd, binary, broadcast, keep_inside, mask, one, tensor, with_number};
use super::reduce::Reduce;
use super::reduce_window::ReduceWindow;
use super::reducer::neutral;
use super::window_local::Span;
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::types::ElementType;

/// Emits the local op.
pub(super) fn localize(op: &ReduceWindow, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
    let count = cx.result_types.len();
    let mut operands = cx.operands.to_vec();
    let mut local = op.clone();
    let windows = op.window();
    let mut totals = Vec::new();
    for (dim, window) in windows.iter().enumerate() {
        let axes = cx.operand_axes(0, dim);
        if axes.is_empty() || window.is_identity() {
            continue;
        }
        let (size, chunk) = (cx.view.operand(0).shape[dim], cx.result(0).shape[dim]);
        if let Some(reduction) = op.running_total(&cx.view, dim) {
            let fill = neutral(reduction, cx.operand(0).element).expect("a running total has one");
            operands[0] = mask(b, operands[0], dim, size, &axes, &fill);
            local.sizes[dim] = chunk;
            let edge = chunk as i64 - 1;
            let (low, high) = if window.low > 0 { (edge, 0) } else { (0, edge) };
            local.set_padding(dim, low, high);
            totals.push((dim, axes, reduction, window.low > 0));
            continue;
        }
        let len = if chunk == 0 { 0 } else { (chunk - 1) * window.stride + window.span() };
        let devices = 0..cx.mesh.product(&axes);
        let starts: Vec<i64> = devices.map(|device| (device * chunk * window.stride) as i64).collect();
        for index in 0..count {
            let span = Span {
                dim,
                axes: &axes,
                size,
                window: *window,
                starts: starts.clone(),
                len,
                is_mirrored: false,
            };
            // What the windows see beyond the edges is the initial value, whose type may be wider.
            let (mut ty, fill) = (tensor(b, operands[index]), tensor(b, operands[count + index]));
            if ty.element != fill.element {
                ty.element = fill.element;
                operands[index] = one(b, Convert, &[operands[index]], ty);
            }
            let seen = span.fetch(b, operands[index], operands[count + index]);
            operands[index] = seen.value;
            local.set_padding(dim, seen.low, seen.high);
            local.set_base_dilation(dim, seen.base_dilation);
        }
    }
    let region = b.copy_region(&cx.view, 0);
    let mut results = b.emit(local.into(), &operands, &[region], cx.result_types.to_vec());
    // Each dim's totals are of what the dims before it have made whole.
    for (dim, axes, reduction, is_forward) in totals {
        let size = tensor(b, results[0]).shape[dim];
        let (from, to) = if is_forward { (size - 1, size) } else { (0, 1) };
        let own = cut(b, results[0], dim, from, to, 1);
        let all = b.all_gather(own, dim, &axes);
        let devices = cx.mesh.product(&axes);
        let fill = b.constant(neutral(reduction, cx.operand(0).element).expect("a running total has one"));
        // Device i keeps the totals of those before it, or behind it.
        let index = b.index_along(&axes, ElementType::I32);
        let back = with_number(b, Binary::Multiply, index, -1);
        let others = if is_forward {
            let start = with_number(b, Binary::Add, back, devices as i64);
            keep_inside(b, all, dim, start, devices, LowEnd::Sure, fill)
        } else {
            let start = with_number(b, Binary::Add, back, -1);
            keep_inside(b, all, dim, start, devices, LowEnd::Checked, fill)
        };
        let mut ty = tensor(b, others);
        ty.shape.remove(dim);
        let region = b.copy_region(&cx.view, 0);
        let reduce = Reduce { dims: vec![dim] };
        let total = b.emit(reduce.into(), &[others, fill], &[region], vec![ty.into()])[0];
        let shape = tensor(b, results[0]).shape;
        let kept = (0..shape.len()).filter(|other| *other != dim).collect();
        let total = broadcast(b, total, &shape, kept);
        results[0] = binary(b, Binary::of_reduction(reduction), results[0], total);
    }
    results
}
