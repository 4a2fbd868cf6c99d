//! Evaluation of `fft`: dim after dim, each row by the algorithm of J. W. Cooley and J. W. Tukey for every prime factor
//! of its length ("An algorithm for the machine calculation of complex Fourier series", 1965), in complex `f64`. Large
//! prime factors go by the algorithm of L. I. Bluestein ("A linear filtering approach to the computation of discrete
//! Fourier transform", 1970).

use rayon::prelude::*;

use super::fft::{Fft, FftType};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, TensorType};
use meshwright_tensor::{Complex, Precision, Tensor, convert};

type Number = Complex<f64>;

/// The transform of a verified instruction.
pub(super) fn transform(
    op: &Fft,
    operand: &Tensor,
    result: &TensorType,
    precision: Precision,
) -> Result<Tensor, EvalError> {
    let rank = operand.rank();
    let first = rank - op.length.len();
    let mut x = convert(operand, ElementType::ComplexF64, Precision::Declared)?;
    match op.fft_type {
        FftType::Fft | FftType::Rfft => {
            for dim in (first..rank).rev() {
                x = along(&x, dim, Direction::Forward)?;
            }
            // Of a real operand half of the result determines the rest.
            x = x.slice(&vec![0; rank], &result.shape, &vec![1; rank])?;
        }
        FftType::Ifft => {
            for dim in first..rank {
                x = along(&x, dim, Direction::Inverse)?;
            }
        }
        FftType::Irfft => {
            for dim in first..rank - 1 {
                x = along(&x, dim, Direction::Inverse)?;
            }
            x = along(&mirrored(&x, result.shape[rank - 1])?, rank - 1, Direction::Inverse)?;
        }
    }
    convert(&x, result.element, precision)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Inverse,
}

/// All rows along a dim transformed.
fn along(x: &Tensor, dim: usize, direction: Direction) -> Result<Tensor, EvalError> {
    let mut permutation: Vec<usize> = (0..x.rank()).collect();
    permutation.swap(dim, x.rank() - 1);
    let rows = x.transpose(&permutation)?;
    let len = x.shape()[dim];
    let mut elements = rows.dense::<Number>()?.into_owned();
    if len > 0 {
        let plan = Plan::new(len, direction);
        elements.par_chunks_mut(len).for_each(|row| plan.transform(row));
    }
    Tensor::from_vec(ElementType::ComplexF64, rows.shape(), elements).transpose(&permutation)
}

/// Rows of `len` elements, the second half of which are the conjugates of the first ones.
fn mirrored(x: &Tensor, len: usize) -> Result<Tensor, EvalError> {
    let elements = x.dense::<Number>()?;
    let half = x.shape()[x.rank() - 1];
    let mut shape = x.shape().to_vec();
    shape[x.rank() - 1] = len;
    meshwright_tensor::checked_len::<Number>(&shape)?;
    let rows = elements.chunks(half.max(1)).flat_map(|row| {
        (0..len).map(move |index| match index {
            // What a real result cannot have is dropped.
            0 => Number::new(row[0].re, 0.0),
            _ if 2 * index == len => Number::new(row[index].re, 0.0),
            _ if index < half => row[index],
            _ => row[len - index].conjugate(),
        })
    });
    Ok(Tensor::from_vec(ElementType::ComplexF64, shape.clone(), rows.collect()))
}

/// From here on a prime factor of the length is transformed by a convolution.
const LARGE_PRIME: usize = 256;

/// The roots of unity for rows of one length.
struct Plan {
    roots: Vec<Number>,
    direction: Direction,
    /// For every large prime factor of the length.
    chirps: Vec<Chirp>,
}

/// The `index`-th of the `len` roots of unity.
fn root(index: usize, len: usize, direction: Direction) -> Number {
    let sign = if direction == Direction::Forward { -1.0 } else { 1.0 };
    // Quarters of a turn are exact.
    if (4 * index).is_multiple_of(len) {
        return [(1.0, 0.0), (0.0, sign), (-1.0, 0.0), (0.0, -sign)].map(|(re, im)| Number::new(re, im))
            [4 * index / len % 4];
    }
    let (sin, cos) = (sign * std::f64::consts::TAU * index as f64 / len as f64).sin_cos();
    Number::new(cos, sin)
}

impl Plan {
    fn new(len: usize, direction: Direction) -> Self {
        let roots = (0..len).map(|index| root(index, len, direction)).collect();
        let (mut chirps, mut rest) = (Vec::<Chirp>::new(), len);
        while rest > 1 {
            let factor = smallest_factor(rest);
            if factor >= LARGE_PRIME && chirps.last().is_none_or(|chirp| chirp.turns.len() != factor) {
                chirps.push(Chirp::new(factor, direction));
            }
            rest /= factor;
        }
        Self { roots, direction, chirps }
    }

    fn transform(&self, row: &mut [Number]) {
        let mut result = vec![Number::default(); row.len()];
        self.recurse(row, 1, &mut result);
        let scale = if self.direction == Direction::Inverse { row.len() as f64 } else { 1.0 };
        for (out, value) in row.iter_mut().zip(result) {
            *out = Number::new(value.re / scale, value.im / scale);
        }
    }

    /// The transform of every `stride`-th element of `row`.
    fn recurse(&self, row: &[Number], stride: usize, result: &mut [Number]) {
        let len = result.len();
        if len == 1 {
            result[0] = row[0];
            return;
        }
        let factor = smallest_factor(len);
        let part = len / factor;
        for (index, result) in result.chunks_exact_mut(part).enumerate() {
            self.recurse(&row[index * stride..], stride * factor, result);
        }
        let mut terms = vec![Number::default(); factor];
        for at in 0..part {
            for (index, term) in terms.iter_mut().enumerate() {
                *term = result[index * part + at].times(self.root(index * at * stride));
            }
            if let Some(chirp) = self.chirps.iter().find(|chirp| chirp.turns.len() == factor) {
                for (block, sum) in chirp.transform(&terms).into_iter().enumerate() {
                    result[block * part + at] = sum;
                }
                continue;
            }
            for block in 0..factor {
                let turned = |index: usize| self.root(index * block % factor * part * stride);
                let sum = terms
                    .iter()
                    .enumerate()
                    .fold(Number::default(), |sum, (index, term)| sum.plus(term.times(turned(index))));
                result[block * part + at] = sum;
            }
        }
    }

    fn root(&self, index: usize) -> Number {
        self.roots[index % self.roots.len()]
    }
}

/// The transform of a prime length as a convolution: the product `jk` in the exponents is half of
/// `j^2 + k^2 - (k - j)^2`.
struct Chirp {
    /// Half a turn times `k^2`, divided by the length, for every `k`.
    turns: Vec<Number>,
    /// The transform of the turns' conjugates, before and after the zeroth one.
    kernel: Vec<Number>,
    forward: Box<Plan>,
    back: Box<Plan>,
}

impl Chirp {
    fn new(len: usize, direction: Direction) -> Self {
        let turn = |k: usize| {
            let square = (k as u128).pow(2) % (2 * len as u128);
            root(square as usize, 2 * len, direction)
        };
        let turns: Vec<Number> = (0..len).map(turn).collect();
        let padded = (2 * len - 1).next_power_of_two();
        let mut kernel = vec![Number::default(); padded];
        for (k, turn) in turns.iter().enumerate() {
            kernel[k] = turn.conjugate();
            kernel[(padded - k) % padded] = turn.conjugate();
        }
        let forward = Box::new(Plan::new(padded, Direction::Forward));
        forward.transform(&mut kernel);
        Self { turns, kernel, forward, back: Box::new(Plan::new(padded, Direction::Inverse)) }
    }

    fn transform(&self, row: &[Number]) -> Vec<Number> {
        let mut padded: Vec<Number> = row.iter().zip(&self.turns).map(|(x, turn)| x.times(*turn)).collect();
        padded.resize(self.kernel.len(), Number::default());
        self.forward.transform(&mut padded);
        for (x, factor) in padded.iter_mut().zip(&self.kernel) {
            *x = x.times(*factor);
        }
        self.back.transform(&mut padded);
        self.turns.iter().zip(padded).map(|(turn, x)| x.times(*turn)).collect()
    }
}

fn smallest_factor(len: usize) -> usize {
    (2..)
        .take_while(|factor| factor * factor <= len)
        .find(|factor| len.is_multiple_of(*factor))
        .unwrap_or(len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_definition() {
        for len in [1, 2, 3, 8, 12, 35, 49, 97, 257, 2 * 263, 3 * 257] {
            let row: Vec<Number> =
                (0..len).map(|i| Number::new((i * 7 % 11) as f64 - 5.0, (i * 3 % 5) as f64)).collect();
            let mut found = row.clone();
            Plan::new(len, Direction::Forward).transform(&mut found);
            for (k, found) in found.iter().enumerate() {
                let expected = row.iter().enumerate().fold(Number::default(), |sum, (i, value)| {
                    let angle = -std::f64::consts::TAU * (i * k % len) as f64 / len as f64;
                    sum.plus(value.times(Number::new(angle.cos(), angle.sin())))
                });
                let error = found.minus(expected);
                assert!(error.re.abs() + error.im.abs() < 1e-13 * (len as f64).max(100.0), "{len}: {k}");
            }
            Plan::new(len, Direction::Inverse).transform(&mut found);
            let error = found.iter().zip(&row).map(|(a, b)| (a.re - b.re).abs() + (a.im - b.im).abs());
            assert!(error.fold(0.0, f64::max) < 1e-13 * len as f64 * 10.0);
        }
    }
    /// Takes minutes where the time grows with the square of the length.
    #[test]
    fn a_large_prime_length_is_fast() {
        let len = 65_537;
        let mut row = vec![Number::default(); len];
        row[1] = Number::new(1.0, 0.0);
        let plan = Plan::new(len, Direction::Forward);
        plan.transform(&mut row);
        for (k, found) in row.iter().enumerate() {
            let error = found.minus(root(k, len, Direction::Forward));
            assert!(error.re.abs() + error.im.abs() < 1e-14, "{k}");
        }
    }
}
