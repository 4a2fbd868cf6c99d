//! Adafactor (Shazeer and Stern, "Adafactor: Adaptive Learning Rates with Sublinear Memory Cost", algorithms 4 and 5), with
//! the constants of PyTorch: the second moments of a matrix are kept as means of its rows and of its columns, of which
//! their product over the mean of all is an estimate. Of tensors of higher rank the last two dims are a matrix; of a stack
//! each tensor is a parameter by itself.
//!
//! ```text
//! rows = lerp(rows, mean over columns of g^2, t^-0.8)      v = rows * columns / max(mean rows, eps)
//! u = g / sqrt(max(v, eps^2))                              p -= max(1e-3, rms p) min(rate, t^-0.5) u / max(1, rms u)
//! ```

use super::{Decay, Optimizer, Parameter, Place, Settings, Slot, Updated, scalar_like, spread};
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::unary::Unary;

/// The least second moment, that of the numbers around one.
const EPSILON: f64 = f32::EPSILON as f64;
/// The least size of a parameter, relative to which it changes.
const LEAST_SIZE: f64 = 1e-3;
/// Exponent of the step in the share of the newest gradient.
const DECAY: f64 = -0.8;

/// Adafactor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adafactor {
    /// The largest learning rate, relative to the parameter.
    pub learning_rate: f64,
    /// The weight decay.
    pub weight_decay: f64,
}

impl Adafactor {
    /// As PyTorch has it, but for the settings.
    pub fn of(settings: &Settings) -> Self {
        let learning_rate = settings.learning_rate.unwrap_or(1e-2);
        Self { learning_rate, weight_decay: settings.weight_decay.unwrap_or(0.0) }
    }
}

impl Optimizer for Adafactor {
    fn slots(&self, shape: &[usize], stacks: usize, _: Place) -> Vec<Slot> {
        let (without, rank) = (|dim: usize| [&shape[..dim], &shape[dim + 1..]].concat(), shape.len());
        match rank - stacks {
            0 | 1 => vec![Slot { name: "variance", shape: shape.to_vec() }],
            _ => vec![
                Slot { name: "row_variance", shape: without(rank - 1) },
                Slot { name: "column_variance", shape: without(rank - 2) },
            ],
        }
    }

    fn update(&self, b: &mut BodyBuilder<'_>, step: ValueId, parameter: &Parameter) -> Updated {
        let share = power(b, step, DECAY);
        let gradient = parameter.gradient;
        let square = b.times(gradient, gradient);
        let (rank, stacks) = (b.ty(square).rank(), parameter.stacks);
        let (slots, variance) = match rank - stacks {
            0 | 1 => {
                let variance = moved(b, parameter.slots[0], square, share);
                (vec![variance], variance)
            }
            _ => factored(b, &parameter.slots, square, share, rank),
        };
        let least = b.number_like(variance, EPSILON * EPSILON);
        let variance = b.binary(Binary::Maximum, variance, least);
        let root = b.unary(Unary::Rsqrt, variance);
        let change = b.times(root, gradient);
        let rate = self.rate(b, step, parameter);
        let size = root_mean_square(b, change, stacks);
        let one = b.number_like(size, 1.0);
        let size = b.binary(Binary::Maximum, one, size);
        let rate = b.over(rate, size);
        let shape = b.ty(change).shape;
        let rate = b.broadcast(rate, &shape, (0..stacks).collect());
        let change = b.times(change, rate);
        let value = match parameter.decay {
            Decay::Applied if self.weight_decay != 0.0 => {
                b.scaled(parameter.value, 1.0 - self.learning_rate * self.weight_decay)
            }
            _ => parameter.value,
        };
        Updated { value: b.minus(value, change), slots }
    }
}

impl Adafactor {
    /// The learning rate of a parameter, or of each in a stack.
    fn rate(&self, b: &mut BodyBuilder<'_>, step: ValueId, parameter: &Parameter) -> ValueId {
        let size = root_mean_square(b, parameter.value, parameter.stacks);
        let least = b.number_like(size, LEAST_SIZE);
        let size = b.binary(Binary::Maximum, least, size);
        let (largest, falling) = (scalar_like(b, step, self.learning_rate), power(b, step, -0.5));
        let rate = b.binary(Binary::Minimum, largest, falling);
        let rate = spread(b, rate, size);
        b.times(size, rate)
    }
}

/// New means of rows and columns, and the estimate of all second moments.
fn factored(
    b: &mut BodyBuilder<'_>,
    slots: &[ValueId],
    square: ValueId,
    share: ValueId,
    rank: usize,
) -> (Vec<ValueId>, ValueId) {
    let shape = b.ty(square).shape;
    let means = [rank - 1, rank - 2].map(|dim| mean(b, square, dim));
    let (rows, columns) = (moved(b, slots[0], means[0], share), moved(b, slots[1], means[1], share));
    let of_rows: Vec<usize> = (0..rank - 1).collect();
    let of_columns: Vec<usize> = (0..rank).filter(|dim| *dim != rank - 2).collect();
    let all = mean(b, rows, rank - 2);
    let least = b.number_like(all, EPSILON);
    let all = b.binary(Binary::Maximum, all, least);
    let row = b.broadcast(rows, &shape, of_rows);
    let column = b.broadcast(columns, &shape, of_columns);
    let all = b.broadcast(all, &shape, (0..rank - 2).collect());
    let product = b.times(row, column);
    (vec![rows, columns], b.over(product, all))
}

/// `before` moved toward `value` by a share that is a scalar.
fn moved(b: &mut BodyBuilder<'_>, before: ValueId, value: ValueId, share: ValueId) -> ValueId {
    let way = b.minus(value, before);
    let share = spread(b, share, way);
    let step = b.times(share, way);
    b.plus(before, step)
}

fn mean(b: &mut BodyBuilder<'_>, value: ValueId, dim: usize) -> ValueId {
    let size = b.ty(value).shape[dim];
    let sum = b.sum(value, vec![dim]);
    b.scaled(sum, 1.0 / size.max(1) as f64)
}

/// The root of the mean square of a tensor, or of each in a stack that some first dims count.
fn root_mean_square(b: &mut BodyBuilder<'_>, value: ValueId, stacks: usize) -> ValueId {
    let shape = b.ty(value).shape;
    let count = shape[stacks..].iter().product::<usize>().max(1);
    let square = b.times(value, value);
    let sum = b.sum(square, (stacks..shape.len()).collect());
    let mean = b.scaled(sum, 1.0 / count as f64);
    b.unary(Unary::Sqrt, mean)
}

fn power(b: &mut BodyBuilder<'_>, base: ValueId, exponent: f64) -> ValueId {
    let exponent = b.number_like(base, exponent);
    b.binary(Binary::Power, base, exponent)
}
