//! The last product of a language model, and its loss: the mean over all tokens of the cross entropy of the next one.

use crate::blocks::linear::Bias;
use crate::net::{Arithmetic as _, Net};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::ops::unary::Unary;
use meshwright_tensor::types::ElementType;

/// The product that makes scores of a vocabulary.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    /// The full name of its weight: that of the embedding if they are tied.
    pub weight: String,
    /// The full name of its bias, if it has one.
    pub bias: Option<String>,
    /// Number of scores.
    pub classes: usize,
    /// By which its input is multiplied.
    pub scale: f64,
    /// The most that a score can be, if it is capped.
    pub cap: Option<f64>,
}

impl Head {
    /// A head without further parts.
    pub fn plain(weight: &str, classes: usize) -> Self {
        Self { weight: weight.to_owned(), bias: None, classes, scale: 1.0, cap: None }
    }

    /// A bias where a configuration has one.
    pub fn with_bias(self, name: &str, bias: Bias) -> Self {
        Self { bias: (bias == Bias::Added).then(|| name.to_owned()), ..self }
    }

    /// The scores of a value, in f32.
    pub fn write(&self, net: &mut Net, x: ValueId) -> ValueId {
        net.scoped("head", |net| {
            let shape = net.ty(x).shape;
            let x = net.scaled(x, self.scale);
            let weight = net.param(&self.weight, &[self.classes, shape[shape.len() - 1]]);
            let mut scores = net.product(x, weight);
            if let Some(name) = &self.bias {
                let bias = net.param(name, &[self.classes]);
                scores = net.along(Binary::Add, scores, bias, &[shape.len() - 1]);
            }
            let mut scores = net.convert(scores, ElementType::F32);
            if let Some(cap) = self.cap {
                let share = net.with(Binary::Divide, scores, cap);
                let bounded = net.map(Unary::Tanh, share);
                scores = net.scaled(bounded, cap);
            }
            scores
        })
    }
}

/// The mean cross entropy of scores `[..., classes]` and labels `[...]`.
pub fn cross_entropy(net: &mut Net, scores: ValueId, labels: ValueId) -> ValueId {
    net.scoped("loss", |net| {
        let shape = net.ty(scores).shape;
        let last = shape.len() - 1;
        let kept: Vec<usize> = (0..last).collect();
        let largest = net.largest(scores, vec![last]);
        let shifted = net.along(Binary::Subtract, scores, largest, &kept);
        let powers = net.map(Unary::Exponential, shifted);
        let total = net.sum(powers, vec![last]);
        // The largest is added again, so that nothing depends on it and it has no derivative.
        let normalizer = net.map(Unary::Log, total);
        let normalizer = net.plus(normalizer, largest);
        let classes = net.iota(&shape, ElementType::I32, last);
        let labels = net.broadcast(labels, &shape, kept.clone());
        let is_label = net.compare(Direction::Equal, classes, labels);
        let picked = net.only_where(is_label, scores);
        let picked = net.sum(picked, vec![last]);
        let losses = net.minus(normalizer, picked);
        let total = net.sum(losses, kept);
        net.with(Binary::Divide, total, shape[..last].iter().product::<usize>() as f64)
    })
}
