//! A product of the last dim with a weight, as checkpoints keep it.

use crate::net::{Arithmetic as _, Net};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;

/// The order of a weight's dims in the checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Outputs, then inputs, as PyTorch's `Linear` keeps them.
    OutIn,
    /// Inputs, then outputs, as GPT-2 keeps them.
    InOut,
}

/// Parameters that a layer has beside its weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bias {
    /// None.
    None,
    /// Added to what the weight makes.
    Added,
}

impl Bias {
    /// A bias where a configuration says so.
    pub fn if_given(is_given: bool) -> Self {
        if is_given { Self::Added } else { Self::None }
    }
}

/// A linear layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// Its name below the block's.
    pub name: String,
    /// Number of outputs.
    pub outputs: usize,
    /// Order of its weight's dims.
    pub order: Order,
    /// Its bias.
    pub bias: Bias,
}

impl Linear {
    /// A layer whose weight is kept as PyTorch does.
    pub fn new(name: &str, outputs: usize, bias: Bias) -> Self {
        Self { name: name.to_owned(), outputs, order: Order::OutIn, bias }
    }

    /// Writes the block for a value.
    pub fn write(&self, net: &mut Net, x: ValueId) -> ValueId {
        let shape = net.ty(x).shape;
        let inputs = shape[shape.len() - 1];
        let name = format!("{}.weight", self.name);
        let result = match self.order {
            Order::OutIn => {
                let weight = net.param(&name, &[self.outputs, inputs]);
                net.linear_last(x, weight)
            }
            Order::InOut => {
                let weight = net.param(&name, &[inputs, self.outputs]);
                let weight = net.transpose(weight, vec![1, 0]);
                net.linear_last(x, weight)
            }
        };
        self.with_bias(net, result)
    }

    /// Writes the block for a value, with outputs of these sizes one behind the other, each by its part of a weight whose dims are
    /// outputs, then inputs.
    pub fn write_parts(&self, net: &mut Net, x: ValueId, sizes: &[usize]) -> Vec<ValueId> {
        let shape = net.ty(x).shape;
        let (last, inputs) = (shape.len() - 1, shape[shape.len() - 1]);
        let weights = net.param_parts(&format!("{}.weight", self.name), &[self.outputs, inputs], 0, sizes);
        let results: Vec<ValueId> = weights.into_iter().map(|weight| net.linear_last(x, weight)).collect();
        if self.bias == Bias::None {
            return results;
        }
        let biases = net.param_parts(&format!("{}.bias", self.name), &[self.outputs], 0, sizes);
        let both = results.into_iter().zip(biases);
        both.map(|(result, bias)| net.along(Binary::Add, result, bias, &[last])).collect()
    }

    /// Writes the product of the elements of all heads, `[b, t, h, k]`.
    pub fn write_heads(&self, net: &mut Net, heads: ValueId) -> ValueId {
        let shape = net.ty(heads).shape;
        let [count, dim] = [shape[2], shape[3]];
        let name = format!("{}.weight", self.name);
        let result = match self.order {
            Order::OutIn => {
                let weight = net.param(&name, &[self.outputs, count * dim]);
                let weight = net.reshape(weight, &[self.outputs, count, dim]);
                net.linear("bthk,dhk->btd", heads, weight)
            }
            Order::InOut => {
                let weight = net.param(&name, &[count * dim, self.outputs]);
                let weight = net.reshape(weight, &[count, dim, self.outputs]);
                net.linear("bthk,hkd->btd", heads, weight)
            }
        };
        self.with_bias(net, result)
    }

    fn with_bias(&self, net: &mut Net, result: ValueId) -> ValueId {
        if self.bias == Bias::None {
            return result;
        }
        let last = net.ty(result).rank() - 1;
        let bias = net.param(&format!("{}.bias", self.name), &[self.outputs]);
        net.along(Binary::Add, result, bias, &[last])
    }
}
