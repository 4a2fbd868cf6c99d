//! Evaluation of `cholesky` and `triangular_solve`, matrix after matrix, in complex `f64`.

use rayon::prelude::*;

use super::linear_solve::Transpose;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::ElementType;
use meshwright_tensor::{Complex, Precision, Tensor, convert};

type Number = Complex<f64>;

/// A square matrix in row-major order, with what becomes of it.
#[derive(Clone, Copy)]
struct Matrix<'a> {
    elements: &'a [Number],
    size: usize,
    transposed: bool,
    conjugated: bool,
}

impl Matrix<'_> {
    fn at(&self, row: usize, column: usize) -> Number {
        let (row, column) = if self.transposed { (column, row) } else { (row, column) };
        let value = self.elements[row * self.size + column];
        if self.conjugated { value.conjugate() } else { value }
    }
}

/// The quotient of two complex numbers.
pub(crate) fn quotient(a: Number, b: Number) -> Number {
    meshwright_tensor::Number::div(a, b)
}

/// The triangular factors of a batch of positive definite matrices, of which one triangle is read; the other triangle
/// of the result is zero.
pub(crate) fn cholesky(a: &Tensor, lower: bool, precision: Precision) -> Result<Tensor, EvalError> {
    let x = convert(a, ElementType::ComplexF64, Precision::Declared)?;
    let size = a.shape()[a.rank() - 1];
    let elements = x.dense::<Number>()?;
    let mut factors = vec![Number::default(); elements.len()];
    if size > 0 {
        let matrices = factors.par_chunks_mut(size * size).zip(elements.par_chunks(size * size));
        matrices.for_each(|(factor, elements)| {
            // The upper factor is the adjoint of the lower one.
            let matrix = Matrix { elements, size, transposed: !lower, conjugated: !lower };
            factorize(&matrix, factor, lower);
        });
    }
    let factors = Tensor::from_vec(ElementType::ComplexF64, a.shape(), factors);
    convert(&factors, a.element(), precision)
}

fn factorize(matrix: &Matrix<'_>, factor: &mut [Number], lower: bool) {
    let size = matrix.size;
    let mut rows = vec![Number::default(); size * size];
    for row in 0..size {
        for column in 0..=row {
            let (before, others) = (&rows[row * size..], &rows[column * size..]);
            let sum = (0..column)
                .fold(matrix.at(row, column), |sum, at| sum.minus(before[at].times(others[at].conjugate())));
            rows[row * size + column] = if row == column {
                Number::new(sum.re.sqrt(), 0.0)
            } else {
                quotient(sum, rows[column * size + column])
            };
        }
    }
    for row in 0..size {
        for column in 0..=row {
            let value = rows[row * size + column];
            match lower {
                true => factor[row * size + column] = value,
                false => factor[column * size + row] = value.conjugate(),
            }
        }
    }
}

/// What to solve, besides the matrices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct System {
    pub(crate) left_side: bool,
    pub(crate) lower: bool,
    pub(crate) unit_diagonal: bool,
    pub(crate) transpose: Transpose,
}

/// The `x` with `op(a) x = b`, or `x op(a) = b`, for a batch of triangular matrices `a`.
pub(crate) fn triangular_solve(
    system: &System,
    a: &Tensor,
    b: &Tensor,
    precision: Precision,
) -> Result<Tensor, EvalError> {
    let wide = |x: &Tensor| convert(x, ElementType::ComplexF64, Precision::Declared);
    let (a, unknown) = (wide(a)?, wide(b)?);
    let size = a.shape()[a.rank() - 1];
    let block: usize = b.shape()[b.rank() - 2..].iter().product();
    let columns = b.shape()[b.rank() - 1];
    let elements = a.dense::<Number>()?;
    let mut solution = unknown.dense::<Number>()?.into_owned();
    if block > 0 {
        let systems = solution.par_chunks_mut(block).zip(elements.par_chunks(size * size));
        systems.for_each(|(solution, elements)| solve(system, elements, size, solution, columns));
    }
    let solution = Tensor::from_vec(ElementType::ComplexF64, b.shape(), solution);
    convert(&solution, b.element(), precision)
}

fn solve(system: &System, elements: &[Number], size: usize, x: &mut [Number], columns: usize) {
    let is_turned = system.transpose != Transpose::NoTranspose;
    // A system from the right is one from the left of the transposed matrices.
    let transposed = is_turned == system.left_side;
    let conjugated = system.transpose == Transpose::Adjoint;
    let matrix = Matrix { elements, size, transposed, conjugated };
    let forward = system.lower != transposed;
    let (count, place): (usize, &dyn Fn(usize, usize) -> usize) = match system.left_side {
        true => (columns, &|row, column| row * columns + column),
        false => (x.len() / size, &|row, column| column * size + row),
    };
    let order: Vec<usize> = if forward { (0..size).collect() } else { (0..size).rev().collect() };
    for column in 0..count {
        for (step, row) in order.iter().enumerate() {
            let known = order[..step].iter();
            let sum = known.fold(x[place(*row, column)], |sum, other| {
                sum.minus(matrix.at(*row, *other).times(x[place(*other, column)]))
            });
            let value = if system.unit_diagonal { sum } else { quotient(sum, matrix.at(*row, *row)) };
            x[place(*row, column)] = value;
        }
    }
}
