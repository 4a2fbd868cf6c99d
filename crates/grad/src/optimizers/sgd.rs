//! Gradient descent with momentum, as PyTorch has it: `m` becomes `0.9 m + g + decay p`, and `p` becomes `p - rate m`.

use super::{Decay, Optimizer, Parameter, Place, Settings, Slot, Updated};
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::ids::ValueId;

/// Gradient descent with momentum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sgd {
    /// The learning rate.
    pub learning_rate: f64,
    /// Share of the old momentum.
    pub momentum: f64,
    /// The weight decay, which is added to the gradient.
    pub weight_decay: f64,
}

impl Sgd {
    /// The usual momentum, no decay, but for the settings.
    pub fn of(settings: &Settings) -> Self {
        Self {
            learning_rate: settings.learning_rate.unwrap_or(1e-2),
            momentum: 0.9,
            weight_decay: settings.weight_decay.unwrap_or(0.0),
        }
    }
}

impl Optimizer for Sgd {
    fn slots(&self, shape: &[usize], _: usize, _: Place) -> Vec<Slot> {
        vec![Slot { name: "momentum", shape: shape.to_vec() }]
    }

    fn update(&self, b: &mut BodyBuilder<'_>, _: ValueId, parameter: &Parameter) -> Updated {
        let mut gradient = parameter.gradient;
        if parameter.decay == Decay::Applied && self.weight_decay != 0.0 {
            let decay = b.scaled(parameter.value, self.weight_decay);
            gradient = b.plus(gradient, decay);
        }
        let momentum = b.scaled(parameter.slots[0], self.momentum);
        let momentum = b.plus(momentum, gradient);
        let change = b.scaled(momentum, self.learning_rate);
        Updated { value: b.minus(parameter.value, change), slots: vec![momentum] }
    }
}
