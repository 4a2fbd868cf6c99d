//! Each channel mixed with itself a few steps before, as state spaces begin.
//!
//! Input: [`CausalConvolution`], sizes as a configuration says them. Output: what it writes of a value `[b, t, width]`.

use crate::blocks::activation::Activation;
use crate::blocks::linear::Bias;
use crate::net::{Arithmetic as _, Net};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::conv_dims::{ConvDims, TensorDims};
use meshwright_ir::ops::convolution::Convolution;

/// A convolution along the tokens, of each channel by itself, and a function of what it makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CausalConvolution {
    /// Number of channels.
    pub width: usize,
    /// Steps that it sees, the last one included.
    pub kernel: usize,
    /// Its bias.
    pub bias: Bias,
    /// The function behind it.
    pub activation: Activation,
}

impl CausalConvolution {
    /// Writes the block for a value, `[b, t, width]`.
    pub fn write(&self, net: &mut Net, x: ValueId) -> ValueId {
        let weight = net.param("conv1d.weight", &[self.width, 1, self.kernel]);
        let bias = (self.bias == Bias::Added).then(|| net.param("conv1d.bias", &[self.width]));
        self.mixed(net, x, weight, bias)
    }

    /// The same for values whose channels are one behind the other, each by its part of the weight.
    pub fn write_parts(&self, net: &mut Net, parts: &[ValueId]) -> Vec<ValueId> {
        let sizes: Vec<usize> = parts.iter().map(|part| net.ty(*part).shape[2]).collect();
        let weights = net.param_parts("conv1d.weight", &[self.width, 1, self.kernel], 0, &sizes);
        let biases: Vec<Option<ValueId>> = match self.bias {
            Bias::None => vec![None; parts.len()],
            Bias::Added => {
                net.param_parts("conv1d.bias", &[self.width], 0, &sizes).into_iter().map(Some).collect()
            }
        };
        let each = parts.iter().zip(weights).zip(biases);
        each.map(|((part, weight), bias)| self.mixed(net, *part, weight, bias)).collect()
    }

    fn mixed(&self, net: &mut Net, x: ValueId, weight: ValueId, bias: Option<ValueId>) -> ValueId {
        let along = along_tokens([self.kernel as i64 - 1, 0]);
        let convolution = Convolution { feature_groups: net.ty(weight).shape[0], ..along };
        let mut mixed = net.add(convolution, &[x, weight]);
        if let Some(bias) = bias {
            mixed = net.along(Binary::Add, mixed, bias, &[2]);
        }
        self.activation.write(net, mixed)
    }
}

/// A convolution along the tokens of signals `[b, t, channels]`, by weights `[channels behind, channels, steps]`, with so many
/// zeros in front and behind.
pub fn along_tokens(padding: [i64; 2]) -> Convolution {
    let signal = || TensorDims { first: 0, second: 2, spatial: vec![1] };
    Convolution {
        dims: ConvDims {
            input: signal(),
            kernel: TensorDims { first: 1, second: 0, spatial: vec![2] },
            output: signal(),
        },
        strides: None,
        padding: Some(padding.to_vec()),
        lhs_dilation: None,
        rhs_dilation: None,
        reversal: None,
        feature_groups: 1,
        batch_groups: 1,
        precision: Vec::new(),
    }
}
