//! The local form of `convolution`.
//!
//! Spatial dims are sharded along the windows, or along the kernel where that is larger than the result (as in the
//! gradient of a kernel); either way a device's windows see elements of the neighbors' shards (module `window_local`).
//! Along the kernel, each device sums over its part of the window, and the results are partial.

use super::convolution::Convolution;
use super::local_code::{mask, masked};
use super::window_local::Span;
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::TensorType;

/// Emits the local op.
pub(super) fn localize(op: &Convolution, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
    let mut local = op.clone();
    for groups in [&mut local.feature_groups, &mut local.batch_groups] {
        if *groups > 1 {
            *groups = groups.div_ceil(cx.mesh.product(&cx.strategy.axes[0]));
        }
    }
    let (input, kernel) = (&op.dims.input, &op.dims.kernel);
    let mut operands = masked(cx, b, 1..2);
    let features = cx.view.operand(0).shape[input.second];
    let zero = Literal::splat(TensorType::scalar(cx.operand(0).element), 0.0);
    if op.feature_groups == 1 && cx.is_padded(0, input.second) {
        let axes = cx.operand_axes(0, input.second);
        operands[0] = mask(b, operands[0], input.second, features, &axes, &zero);
    }
    for (spatial, window) in op.window(cx.view.operand(1)).into_iter().enumerate() {
        let dim = input.spatial[spatial];
        let axes = cx.operand_axes(0, dim);
        if axes.is_empty() || window.is_identity() {
            continue;
        }
        let windows = cx.result(0).shape[op.dims.output.spatial[spatial]];
        let (taps, stride) = (cx.operand(1).shape[kernel.spatial[spatial]], window.stride);
        let is_along_kernel = !cx.operand_axes(1, kernel.spatial[spatial]).is_empty();
        let is_reversed = op.is_reversed(spatial);
        let start = |device: usize| -> i64 {
            match (is_along_kernel, is_reversed) {
                (false, _) => (device * windows * stride) as i64,
                (true, false) => (device * taps * window.window_dilation) as i64,
                (true, true) => {
                    (window.size as i64 - ((device + 1) * taps) as i64) * window.window_dilation as i64
                }
            }
        };
        let reach = |count: usize, step: usize| count.saturating_sub(1) * step;
        let span = Span {
            dim,
            axes: &axes,
            size: cx.view.operand(0).shape[dim],
            window,
            starts: (0..cx.mesh.product(&axes)).map(start).collect(),
            len: reach(windows, stride) + reach(taps, window.window_dilation) + 1,
            is_mirrored: is_along_kernel && is_reversed,
        };
        let fill = b.constant(zero.clone());
        let seen = span.fetch(b, operands[0], fill);
        operands[0] = seen.value;
        local.set_padding(spatial, seen.low, seen.high);
        local.set_lhs_dilation(spatial, seen.base_dilation);
    }
    b.emit(local.into(), &operands, &[], cx.result_types.to_vec())
}
