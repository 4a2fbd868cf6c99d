//! AdamW (Loshchilov and Hutter, "Decoupled Weight Decay Regularization", algorithm 2): with `m` and `v` the running means
//! of gradient and squared gradient, both divided by what they lack of a whole mean, `p - rate (m / (sqrt v + eps) + decay p)`.

use super::{Optimizer, Parameter, Place, Settings, Slot, Updated, averaged, descended, scalar_like, spread};
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::unary::Unary;

/// AdamW.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdamW {
    /// The learning rate.
    pub learning_rate: f64,
    /// Shares of the old means of gradient and squared gradient.
    pub betas: [f64; 2],
    /// What is added to the root.
    pub epsilon: f64,
    /// The weight decay.
    pub weight_decay: f64,
}

impl AdamW {
    /// As the authors have it, but for the settings.
    pub fn of(settings: &Settings) -> Self {
        Self {
            learning_rate: settings.learning_rate.unwrap_or(1e-3),
            betas: [0.9, 0.999],
            epsilon: 1e-8,
            weight_decay: settings.weight_decay.unwrap_or(1e-2),
        }
    }
}

impl Optimizer for AdamW {
    fn slots(&self, shape: &[usize], _: usize, _: Place) -> Vec<Slot> {
        ["m", "v"].map(|name| Slot { name, shape: shape.to_vec() }).to_vec()
    }

    fn update(&self, b: &mut BodyBuilder<'_>, step: ValueId, parameter: &Parameter) -> Updated {
        let gradient = parameter.gradient;
        let square = b.times(gradient, gradient);
        let m = averaged(b, parameter.slots[0], gradient, self.betas[0]);
        let v = averaged(b, parameter.slots[1], square, self.betas[1]);
        let [mean, mean_square] = [(m, self.betas[0]), (v, self.betas[1])].map(|(moment, beta)| {
            let whole = whole_share(b, step, beta);
            let whole = spread(b, whole, moment);
            b.over(moment, whole)
        });
        let root = b.unary(Unary::Sqrt, mean_square);
        let epsilon = b.number_like(root, self.epsilon);
        let root = b.plus(root, epsilon);
        let change = b.over(mean, root);
        let value = descended(b, parameter, change, self.learning_rate, self.weight_decay);
        Updated { value, slots: vec![m, v] }
    }
}

/// `1 - beta ^ step`: what a running mean from zero holds of a mean.
fn whole_share(b: &mut BodyBuilder<'_>, step: ValueId, beta: f64) -> ValueId {
    let beta = scalar_like(b, step, beta);
    let power = b.binary(Binary::Power, beta, step);
    let one = b.number_like(power, 1.0);
    b.minus(one, power)
}
