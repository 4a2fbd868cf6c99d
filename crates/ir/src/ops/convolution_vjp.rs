//! The backward pass of a convolution: two convolutions, of the cotangent with the kernel and of the input with the
//! cotangent.
//!
//! What groups features of the one groups the batch of the other, and steps between windows become steps between elements.

use super::conv_dims::{ConvDims, TensorDims};
use super::convolution::Convolution;
use super::reverse::Reverse;
use super::window::WindowDim;
use crate::build::Builder as _;
use crate::ids::ValueId;
use crate::vjp::Vjp;
use meshwright_tensor::types::TensorType;

impl Convolution {
    /// Each element of the input meets the kernel the other way round.
    pub(super) fn input_cotangent(&self, v: &mut Vjp<'_>, cotangent: ValueId) -> ValueId {
        let (input, kernel, result) = (v.operand_type(0), v.operand_type(1), v.ty(cotangent));
        let (own, windows) = (&self.dims, self.window(&kernel));
        let weights = v.operand(1);
        let groups = self.feature_groups.max(self.batch_groups);
        // The groups of output features become groups of what is now the output: the input features.
        let weights = regrouped(v, weights, groups, own.kernel.second, own.kernel.first);
        let weights = v.convert(weights, result.element);
        let kernel_dims = swapped(&own.kernel);
        let edges = windows.iter().zip(&own.input.spatial).zip(&own.output.spatial);
        let padding = edges.flat_map(|((window, input_dim), output_dim)| {
            window.edges_back(input.shape[*input_dim], result.shape[*output_dim])
        });
        let reversal = (0..windows.len()).map(|at| !self.is_reversed(at)).collect();
        let back = Self {
            dims: ConvDims { input: own.output.clone(), kernel: kernel_dims, output: own.input.clone() },
            strides: Some(windows.iter().map(|window| window.base_dilation).collect()),
            padding: Some(padding.collect()),
            lhs_dilation: Some(windows.iter().map(|window| window.stride).collect()),
            rhs_dilation: Some(windows.iter().map(|window| window.window_dilation).collect()),
            reversal: Some(reversal),
            feature_groups: groups,
            batch_groups: 1,
            precision: self.precision.clone(),
        };
        let mut shape = input.shape.clone();
        shape[own.input.first] /= self.batch_groups;
        shape[own.input.second] *= self.batch_groups;
        let made = v.emit(back, &[cotangent, weights], TensorType::new(shape, result.element));
        let made = regrouped(v, made, self.batch_groups, own.input.second, own.input.first);
        v.convert(made, input.element)
    }

    /// Each element of the kernel is the sum over all windows.
    pub(super) fn kernel_cotangent(&self, v: &mut Vjp<'_>, cotangent: ValueId) -> ValueId {
        let (input, kernel, result) = (v.operand_type(0), v.operand_type(1), v.ty(cotangent));
        let (own, windows) = (&self.dims, self.window(&kernel));
        if result.num_elements() == 0 {
            return v.splat(kernel, 0.0);
        }
        let x = v.operand(0);
        let x = v.convert(x, result.element);
        let (feature_groups, batch_groups) = (self.batch_groups, self.feature_groups);
        let edge = |((window, input_dim), output_dim): ((&WindowDim, &usize), &usize)| {
            let spread = |count: usize, by: usize| count.saturating_sub(1) as i64 * by as i64;
            let needed = spread(window.size, window.window_dilation)
                + spread(result.shape[*output_dim], window.stride);
            [window.low, needed - window.low - spread(input.shape[*input_dim], window.base_dilation)]
        };
        let dims = own.input.spatial.iter();
        let padding = windows.iter().zip(dims).zip(&own.output.spatial).flat_map(edge).collect();
        // The input's features are its batch now, the cotangent's batch its input features.
        let back = Self {
            dims: ConvDims {
                input: swapped(&own.input),
                kernel: own.output.clone(),
                output: own.kernel.clone(),
            },
            strides: Some(windows.iter().map(|window| window.window_dilation).collect()),
            padding: Some(padding),
            lhs_dilation: Some(windows.iter().map(|window| window.base_dilation).collect()),
            rhs_dilation: Some(windows.iter().map(|window| window.stride).collect()),
            reversal: None,
            feature_groups,
            batch_groups,
            precision: self.precision.clone(),
        };
        let made = v.emit(back, &[x, cotangent], TensorType::new(kernel.shape, result.element));
        let reversed: Vec<usize> = own
            .kernel
            .spatial
            .iter()
            .copied()
            .enumerate()
            .filter(|(at, _)| self.is_reversed(*at))
            .map(|(_, dim)| dim)
            .collect();
        let made = if reversed.is_empty() { made } else { v.unary(Reverse { dims: reversed }, made) };
        v.convert(made, kernel.element)
    }
}

/// The dims with their two letters exchanged.
fn swapped(dims: &TensorDims) -> TensorDims {
    TensorDims { first: dims.second, second: dims.first, spatial: dims.spatial.clone() }
}

/// `value` with `groups` taken out of a dim, whose outer part they are, and made the outer part of another one.
fn regrouped(v: &mut Vjp<'_>, value: ValueId, groups: usize, from: usize, to: usize) -> ValueId {
    if groups == 1 {
        return value;
    }
    let shape = v.ty(value).shape;
    let mut split = shape.clone();
    split[from] /= groups;
    let mut merged = split.clone();
    merged[to] *= groups;
    split.insert(from, groups);
    let apart = v.reshaped(value, &split);
    // Dims of the split shape, with the groups right before the dim that takes them in.
    let mut order: Vec<usize> = (0..split.len()).filter(|dim| *dim != from).collect();
    order.insert(to, from);
    let turned = v.transpose(apart, order);
    v.reshaped(turned, &merged)
}
