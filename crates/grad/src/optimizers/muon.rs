//! Muon (Jordan et al., "Muon: An optimizer for hidden layers in neural networks"): the momentum of a matrix, made nearly
//! orthogonal by five turns of a Newton-Schulz iteration. Of tensors of higher rank the last two dims are a matrix. As its
//! author has it, that is for hidden layers alone: embeddings, output heads, and what has fewer dims, but for those that
//! count layers, are updated by AdamW, with its usual settings.
//!
//! ```text
//! m = 0.95 m + g     u = g + 0.95 m     x = u / |u|     five times: a = x x^T, x = 3.4445 x + (-4.7750 a + 2.0315 a a) x
//! p -= rate sqrt(max(1, rows / columns)) x
//! ```

use super::{AdamW, Optimizer, Parameter, Place, Settings, Slot, Updated, descended};
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::dot_general::DotGeneral;
use meshwright_ir::ops::unary::Unary;

/// Coefficients of the iteration.
const COEFFICIENTS: [f64; 3] = [3.4445, -4.7750, 2.0315];
/// Number of turns.
const TURNS: usize = 5;
/// What is added to the norm.
const EPSILON: f64 = 1e-7;

/// Muon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Muon {
    /// The learning rate of matrices.
    pub learning_rate: f64,
    /// Share of the old momentum.
    pub momentum: f64,
    /// The weight decay.
    pub weight_decay: f64,
    /// AdamW, which updates the rest.
    pub rest: AdamW,
}

impl Muon {
    /// As the authors have it, but for the settings.
    pub fn of(settings: &Settings) -> Self {
        let rest = AdamW::of(&Settings { learning_rate: None, ..*settings });
        Self {
            learning_rate: settings.learning_rate.unwrap_or(2e-2),
            momentum: 0.95,
            weight_decay: settings.weight_decay.unwrap_or(0.0),
            rest,
        }
    }
}

impl Optimizer for Muon {
    fn slots(&self, shape: &[usize], stacks: usize, place: Place) -> Vec<Slot> {
        match (shape.len() - stacks, place) {
            (0 | 1, _) | (_, Place::Other) => self.rest.slots(shape, stacks, place),
            _ => vec![Slot { name: "momentum", shape: shape.to_vec() }],
        }
    }

    fn update(&self, b: &mut BodyBuilder<'_>, step: ValueId, parameter: &Parameter) -> Updated {
        let shape = b.ty(parameter.value).shape;
        let (Place::Hidden, [.., rows, columns]) = (parameter.place, &shape[parameter.stacks..]) else {
            return self.rest.update(b, step, parameter);
        };
        let momentum = b.scaled(parameter.slots[0], self.momentum);
        let momentum = b.plus(momentum, parameter.gradient);
        let ahead = b.scaled(momentum, self.momentum);
        let change = b.plus(parameter.gradient, ahead);
        let change = orthogonal(b, change);
        let stretch = (*rows as f64 / (*columns).max(1) as f64).max(1.0).sqrt();
        let change = b.scaled(change, stretch);
        let value = descended(b, parameter, change, self.learning_rate, self.weight_decay);
        Updated { value, slots: vec![momentum] }
    }
}

/// Matrices whose singular values are near one, with the singular vectors of the given ones.
fn orthogonal(b: &mut BodyBuilder<'_>, matrices: ValueId) -> ValueId {
    let shape = b.ty(matrices).shape;
    let rank = shape.len();
    let is_high = shape[rank - 2] > shape[rank - 1];
    let turn: Vec<usize> = (0..rank - 2).chain([rank - 1, rank - 2]).collect();
    let square = b.times(matrices, matrices);
    let norm = b.sum(square, vec![rank - 2, rank - 1]);
    let norm = b.unary(Unary::Sqrt, norm);
    let epsilon = b.number_like(norm, EPSILON);
    let norm = b.plus(norm, epsilon);
    let norm = b.broadcast(norm, &shape, (0..rank - 2).collect());
    let mut x = b.over(matrices, norm);
    // Products with the shorter side are smaller.
    if is_high {
        x = b.transpose(x, turn.clone());
    }
    for _ in 0..TURNS {
        let a = product(b, x, x, [rank - 1, rank - 1]);
        let aa = product(b, a, a, [rank - 1, rank - 2]);
        let [one, two, three] = COEFFICIENTS;
        let (two, three) = (b.scaled(a, two), b.scaled(aa, three));
        let polynomial = b.plus(two, three);
        let rest = product(b, polynomial, x, [rank - 1, rank - 2]);
        let same = b.scaled(x, one);
        x = b.plus(same, rest);
    }
    if is_high { b.transpose(x, turn) } else { x }
}

/// Products of matrices over a dim of each, all dims before their last two being batches.
fn product(b: &mut BodyBuilder<'_>, left: ValueId, right: ValueId, dims: [usize; 2]) -> ValueId {
    let batch: Vec<usize> = (0..b.ty(left).rank() - 2).collect();
    let product = DotGeneral {
        batch: [batch.clone(), batch],
        contracting: dims.map(|dim| vec![dim]),
        precision: Vec::new(),
        algorithm: None,
    };
    b.add(product, &[left, right])
}
