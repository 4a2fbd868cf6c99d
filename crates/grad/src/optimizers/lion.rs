//! Lion (Chen et al., "Symbolic Discovery of Optimization Algorithms", algorithm 2): the parameter follows the sign of
//! `0.9 m + 0.1 g`, and `m` becomes `0.99 m + 0.01 g`.

use super::{Optimizer, Parameter, Place, Settings, Slot, Updated, averaged, descended};
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::unary::Unary;

/// Lion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lion {
    /// The learning rate.
    pub learning_rate: f64,
    /// Shares of the old momentum, in the change and in the new momentum.
    pub betas: [f64; 2],
    /// The weight decay.
    pub weight_decay: f64,
}

impl Lion {
    /// As the authors have it, but for the settings.
    pub fn of(settings: &Settings) -> Self {
        Self {
            learning_rate: settings.learning_rate.unwrap_or(1e-4),
            betas: [0.9, 0.99],
            weight_decay: settings.weight_decay.unwrap_or(0.0),
        }
    }
}

impl Optimizer for Lion {
    fn slots(&self, shape: &[usize], _: usize, _: Place) -> Vec<Slot> {
        vec![Slot { name: "momentum", shape: shape.to_vec() }]
    }

    fn update(&self, b: &mut BodyBuilder<'_>, _: ValueId, parameter: &Parameter) -> Updated {
        let momentum = parameter.slots[0];
        let change = averaged(b, momentum, parameter.gradient, self.betas[0]);
        let change = b.unary(Unary::Sign, change);
        let value = descended(b, parameter, change, self.learning_rate, self.weight_decay);
        let momentum = averaged(b, momentum, parameter.gradient, self.betas[1]);
        Updated { value, slots: vec![momentum] }
    }
}
