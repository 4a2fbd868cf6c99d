//! Evaluation of convolutions: the windows of the padded input are laid out side by side (as a strided view, copied
//! once), so that each group is one matrix product.

use super::conv_dims::ConvDims;
use super::convolution::Convolution;
use super::window::WindowDim;
use crate::program::InstView;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::{Element, Precision, Tensor, checked_len, kernels, matmul, strided_copy};

/// The result of a verified convolution.
pub(super) fn convolve(
    op: &Convolution,
    window: &[WindowDim],
    lhs: &Tensor,
    rhs: &Tensor,
    view: &InstView<'_>,
    precision: Precision,
) -> Result<Tensor, EvalError> {
    let ConvDims { input, kernel, output } = &op.dims;
    let result = view.result(0);
    let (features, batches) = (op.feature_groups, op.batch_groups);
    let groups = features * batches;
    let reversed: Vec<usize> = match &op.reversal {
        Some(flags) => (0..flags.len()).filter(|at| flags[*at]).map(|at| kernel.spatial[at]).collect(),
        None => Vec::new(),
    };
    let out_spatial: Vec<usize> = output.spatial.iter().map(|dim| result.shape[*dim]).collect();
    let taps: Vec<usize> = kernel.spatial.iter().map(|dim| rhs.shape()[*dim]).collect();
    let (batch, depth) = (result.shape[output.first], rhs.shape()[kernel.first]);
    let (rows, contracted) = (
        checked_len::<u8>(&[&[batch], &out_spatial[..]].concat())?,
        checked_len::<u8>(&[&taps[..], &[depth]].concat())?,
    );
    let out_features = rhs.shape()[kernel.second] / groups;

    // Left: [groups, batch, windows..., taps..., depth].
    let order: Vec<usize> = [&[input.first][..], &input.spatial, &[input.second]].concat();
    let padded = pad(&lhs.transpose(&order)?, window)?;
    let left = windows(&padded, window, [features, batches], &out_spatial)?;
    let left = left.reshape(&[groups, rows, contracted])?;
    // Right: [groups, taps..., depth, out_features].
    let order: Vec<usize> = [&[kernel.second][..], &kernel.spatial, &[kernel.first]].concat();
    let right = rhs.reverse(&reversed)?.transpose(&order)?;
    let right = right.reshape(&[groups, out_features, contracted])?.transpose(&[0, 2, 1])?;
    let product = matmul(&left, &right, result.element, precision)?;

    // The product is [groups, batch, windows..., out_features]; groups are the major part of the features.
    let grouped: Vec<usize> = [&[groups, batch][..], &out_spatial, &[out_features]].concat();
    let num_spatial = out_spatial.len();
    let mut order: Vec<usize> = (1..num_spatial + 2).collect();
    order.extend([0, num_spatial + 2]);
    let joined: Vec<usize> = [&[batch][..], &out_spatial, &[groups * out_features]].concat();
    let joined = product.reshape(&grouped)?.transpose(&order)?.reshape(&joined)?;
    let mut position = vec![0; output.rank()];
    position[output.first] = 0;
    position[output.second] = num_spatial + 1;
    for (spatial, dim) in output.spatial.iter().enumerate() {
        position[*dim] = spatial + 1;
    }
    joined.transpose(&position)
}

/// `[batch, spatial..., feature]` with padding and dilation written out.
fn pad(lhs: &Tensor, window: &[WindowDim]) -> Result<Tensor, EvalError> {
    if window.iter().all(WindowDim::is_unpadded) {
        return Ok(lhs.clone());
    }
    meshwright_tensor::dispatch!(lhs.storage(), T => pad_elements::<T>(lhs, window))
}

fn pad_elements<T: Element>(lhs: &Tensor, window: &[WindowDim]) -> Result<Tensor, EvalError> {
    let rank = lhs.rank();
    let mut shape = lhs.shape().to_vec();
    let (mut start, mut limit) = (vec![0; rank], lhs.shape().to_vec());
    let (mut first, mut step) = (vec![0usize; rank], vec![1usize; rank]);
    for (spatial, window) in window.iter().enumerate() {
        let (dim, size) = (spatial + 1, lhs.shape()[spatial + 1]);
        let padded = window.padded_size(size).max(0);
        shape[dim] = usize::try_from(padded).unwrap_or(0);
        // Element i lies at low + i * dilation; keep those that are inside.
        let dilation = window.base_dilation as i64;
        let below =
            (-window.low).max(0).div_euclid(dilation) + i64::from((-window.low).max(0) % dilation != 0);
        let inside = (padded - window.low + dilation - 1).div_euclid(dilation).max(0);
        start[dim] = (below as usize).min(size);
        limit[dim] = (inside as usize).clamp(start[dim], size);
        first[dim] = usize::try_from(window.low + start[dim] as i64 * dilation).unwrap_or(0);
        step[dim] = window.base_dilation;
    }
    let mut padded = kernels::allocate::<T>(&shape)?;
    let kept = lhs.slice(&start, &limit, &vec![1; rank])?;
    if kept.num_elements() > 0 && !padded.is_empty() {
        let strides = meshwright_tensor::row_major(&shape);
        let offset: usize = first.iter().zip(&strides).map(|(at, stride)| at * *stride as usize).sum();
        let strides: Vec<isize> =
            strides.iter().zip(&step).map(|(stride, step)| stride * *step as isize).collect();
        strided_copy(
            &mut padded,
            offset,
            &strides,
            kept.elements::<T>()?,
            kept.offset(),
            kept.strides(),
            kept.shape(),
        );
    }
    Ok(Tensor::from_vec(lhs.element(), shape, padded))
}

/// The view `[groups, batch, windows..., taps..., depth]` of a padded `[batch, spatial..., feature]`.
fn windows(
    padded: &Tensor,
    window: &[WindowDim],
    [features, batches]: [usize; 2],
    out_spatial: &[usize],
) -> Result<Tensor, EvalError> {
    let (shape, strides) = (padded.shape(), padded.strides());
    let last = shape.len() - 1;
    let (batch, depth) = (shape[0] / batches, shape[last] / features);
    let group_stride =
        if features > 1 { strides[last] * depth as isize } else { strides[0] * batch as isize };
    let mut view_shape = vec![features * batches, batch];
    let mut view_strides = vec![group_stride, strides[0]];
    for (spatial, window) in window.iter().enumerate() {
        view_shape.push(out_spatial[spatial]);
        view_strides.push(strides[spatial + 1] * window.stride as isize);
    }
    for (spatial, window) in window.iter().enumerate() {
        view_shape.push(window.size);
        view_strides.push(strides[spatial + 1] * window.window_dilation as isize);
    }
    view_shape.push(depth);
    view_strides.push(strides[last]);
    checked_len::<u64>(&view_shape)?;
    Ok(padded.view(view_shape, view_strides, padded.offset()))
}
