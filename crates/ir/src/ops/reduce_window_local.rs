//! The local form of `reduce_window` along sharded dims.
//!
//! Windows that reach over the edges of shards see the neighbors' elements (module `window_local`). A running total
//! (one window per element that begins or ends at the dim's edge) is a running total per shard, combined with what
//! the shards before it (or behind it) come to in all; only one element per shard and row is sent. A reducer that is
//! no plain op takes what they come to as one more element.

use super::binary::Binary;
use super::convert::Convert;
use super::halo::{cut, joined};
use super::local_code::{LowEnd, binary, broadcast, keep_inside, mask, one, own_start, tensor, with_number};
use super::reduce::Reduce;
use super::reduce_local::reduced_in_place;
use super::reduce_window::ReduceWindow;
use super::reducer::neutral;
use super::window_local::Span;
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use meshwright_tensor::types::ElementType;

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
        if op.is_running_of_parts(&cx.view, dim) && chunk > 0 {
            return running(op, cx, b, dim);
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

/// Running totals along `dim` by any reducer: of each shard with what the shards before it (or behind it) come to as
/// one more element, whose own total is left out.
fn running(op: &ReduceWindow, cx: &Localize<'_>, b: &mut dyn LocalBuilder, dim: usize) -> Vec<ValueId> {
    let count = cx.result_types.len();
    let (axes, size) = (cx.operand_axes(0, dim), cx.view.operand(0).shape[dim]);
    let (devices, is_forward) = (cx.mesh.product(&axes), op.window()[dim].low > 0);
    let inits = &cx.operands[count..];
    let mut inputs = cx.operands[..count].to_vec();
    for (index, input) in inputs.iter_mut().enumerate() {
        if cx.is_padded(index, dim) {
            let start = own_start(b, &axes, cx.operand(index).shape[dim], ElementType::for_positions(size));
            *input = keep_inside(b, *input, dim, start, size, LowEnd::Sure, inits[index]);
        }
    }
    let own = reduced_in_place(&[dim], cx, b, &inputs, inits);
    // Device i keeps the totals of those before it, or behind it.
    let index = b.index_along(&axes, ElementType::I32);
    let back = with_number(b, Binary::Multiply, index, -1);
    let (start, low_end) = match is_forward {
        true => (with_number(b, Binary::Add, back, devices as i64), LowEnd::Sure),
        false => (with_number(b, Binary::Add, back, -1), LowEnd::Checked),
    };
    let mut others = Vec::with_capacity(count);
    for (own, init) in own.into_iter().zip(inits) {
        let all = b.all_gather(own, dim, &axes);
        others.push(keep_inside(b, all, dim, start, devices, low_end, *init));
    }
    let others = reduced_in_place(&[dim], cx, b, &others, inits);
    let chunk = cx.result(0).shape[dim];
    let mut local = op.clone();
    local.sizes[dim] = chunk + 1;
    let (low, high) = if is_forward { (chunk as i64, 0) } else { (0, chunk as i64) };
    local.set_padding(dim, low, high);
    let mut operands = Vec::with_capacity(2 * count);
    for (input, total) in inputs.iter().zip(&others) {
        let parts = if is_forward { [*total, *input] } else { [*input, *total] };
        operands.push(joined(b, dim, &parts));
    }
    let types = operands.iter().map(|operand| b.ty(*operand)).collect();
    operands.extend(inits);
    let region = b.copy_region(&cx.view, 0);
    let totals = b.emit(local.into(), &operands, &[region], types);
    let from = usize::from(is_forward);
    totals.into_iter().map(|total| cut(b, total, dim, from, from + chunk, 1)).collect()
}
