//! Factorizations of batches of matrices, in complex `f64`, with LAPACK's conventions for packed results, signs and
//! pivots (LAPACK Users' Guide, 3rd ed.; Golub, Van Loan, "Matrix Computations", 4th ed., sections 3.4, 5.2, 8.5).

use crate::ops::linear_solve_eval::{cholesky, quotient};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, TensorType};
use meshwright_tensor::{Complex, Precision, Tensor, convert};

type Number = Complex<f64>;

/// Which triangle of a matrix is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Triangle {
    Lower,
    Upper,
}

impl Triangle {
    fn has(self, row: usize, column: usize) -> bool {
        match self {
            Self::Lower => column <= row,
            Self::Upper => row <= column,
        }
    }
}

/// A matrix in row-major order.
struct Matrix<'a> {
    elements: &'a mut [Number],
    columns: usize,
}

impl Matrix<'_> {
    fn rows(&self) -> usize {
        self.elements.len() / self.columns.max(1)
    }

    fn at(&self, row: usize, column: usize) -> Number {
        self.elements[row * self.columns + column]
    }

    fn set(&mut self, row: usize, column: usize, value: Number) {
        self.elements[row * self.columns + column] = value;
    }

    fn swap_rows(&mut self, a: usize, b: usize) {
        if a != b {
            for column in 0..self.columns {
                self.elements.swap(a * self.columns + column, b * self.columns + column);
            }
        }
    }
}

fn real(value: f64) -> Number {
    Number::new(value, 0.0)
}

fn square(value: Number) -> f64 {
    value.re * value.re + value.im * value.im
}

fn elements(x: &Tensor) -> Result<Vec<Number>, EvalError> {
    Ok(convert(x, ElementType::ComplexF64, Precision::Declared)?.dense::<Number>()?.into_owned())
}

fn result(values: Vec<Number>, ty: &TensorType, precision: Precision) -> Result<Tensor, EvalError> {
    convert(&Tensor::from_vec(ElementType::ComplexF64, ty.shape.clone(), values), ty.element, precision)
}

fn integers(values: Vec<i32>, ty: &TensorType) -> Result<Tensor, EvalError> {
    match ty.element {
        ElementType::I32 if ty.num_elements() == values.len() => {
            Ok(Tensor::from_vec(ElementType::I32, ty.shape.clone(), values))
        }
        _ => Err(EvalError::new(format!("the kernel does not give a {ty}"))),
    }
}

/// Rows and columns of the matrices of a batch.
fn matrix_sizes(x: &Tensor) -> (usize, usize) {
    match x.shape() {
        [.., rows, columns] => (*rows, *columns),
        _ => (0, 0),
    }
}

/// Each matrix of a batch, one after the other.
fn matrices(values: &mut [Number], sizes: (usize, usize)) -> impl Iterator<Item = Matrix<'_>> {
    let (rows, columns) = sizes;
    values.chunks_mut((rows * columns).max(1)).map(move |elements| Matrix { elements, columns })
}

/// The Cholesky factor in one triangle, the other as it was; and which leading minor is not positive, or zero.
pub(super) fn potrf(
    a: &Tensor,
    triangle: Triangle,
    results: &[TensorType],
    precision: Precision,
) -> Result<Vec<Tensor>, EvalError> {
    let factors = elements(&cholesky(a, triangle == Triangle::Lower, Precision::Wide)?)?;
    let mut values = elements(a)?;
    let mut infos = Vec::new();
    let sizes = matrix_sizes(a);
    for (mut matrix, factor) in matrices(&mut values, sizes).zip(factors.chunks((sizes.0 * sizes.1).max(1))) {
        let failed = (0..sizes.0).find(|at| {
            let diagonal = factor[at * sizes.1 + at].re;
            diagonal.is_nan() || diagonal <= 0.0
        });
        infos.push(failed.map_or(0, |at| at as i32 + 1));
        for row in 0..sizes.0 {
            for column in (0..sizes.1).filter(|column| triangle.has(row, *column)) {
                matrix.set(row, column, factor[row * sizes.1 + column]);
            }
        }
    }
    infos.resize(results[1].num_elements(), 0);
    Ok(vec![result(values, &results[0], precision)?, integers(infos, &results[1])?])
}

/// `L` (unit diagonal) and `U` of the row-pivoted matrix in one; the row that each was swapped with, counted from one;
/// and which diagonal element is zero first, or zero.
pub(super) fn getrf(
    a: &Tensor,
    results: &[TensorType],
    precision: Precision,
) -> Result<Vec<Tensor>, EvalError> {
    let mut values = elements(a)?;
    let (mut pivots, mut infos) = (Vec::new(), Vec::new());
    for mut matrix in matrices(&mut values, matrix_sizes(a)) {
        let mut info = 0;
        for step in 0..matrix.rows().min(matrix.columns) {
            let size = |row: usize| matrix.at(row, step).re.abs() + matrix.at(row, step).im.abs();
            // The first of the largest, as BLAS's `iamax` chooses.
            let pivot =
                (step..matrix.rows()).fold(step, |best, row| if size(row) > size(best) { row } else { best });
            pivots.push(pivot as i32 + 1);
            if square(matrix.at(pivot, step)) == 0.0 {
                info = if info == 0 { step as i32 + 1 } else { info };
                continue;
            }
            matrix.swap_rows(step, pivot);
            for row in step + 1..matrix.rows() {
                let factor = quotient(matrix.at(row, step), matrix.at(step, step));
                matrix.set(row, step, factor);
                for column in step + 1..matrix.columns {
                    let value = matrix.at(row, column).minus(factor.times(matrix.at(step, column)));
                    matrix.set(row, column, value);
                }
            }
        }
        infos.push(info);
    }
    infos.resize(results[2].num_elements(), 0);
    Ok(vec![
        result(values, &results[0], precision)?,
        integers(pivots, &results[1])?,
        integers(infos, &results[2])?,
    ])
}

/// The permutation that row swaps (counted from zero) make of `0, 1, ...`.
pub(super) fn permutation(
    pivots: &Tensor,
    results: &[TensorType],
    _: Precision,
) -> Result<Vec<Tensor>, EvalError> {
    let swaps: Vec<i64> = pivots.to_i64_vec();
    let (count, size) =
        (pivots.shape().last().copied().unwrap_or(0), results[0].shape.last().copied().unwrap_or(0));
    let mut all = Vec::new();
    for swaps in swaps.chunks(count.max(1)) {
        let mut order: Vec<i32> = (0..size as i32).collect();
        for (row, other) in swaps.iter().enumerate() {
            match usize::try_from(*other) {
                Ok(other) if other < size && row < size => order.swap(row, other),
                _ => return Err(EvalError::new(format!("the pivot {other} is no row of {size}"))),
            }
        }
        all.extend(order);
    }
    Ok(vec![integers(all, &results[0])?])
}

/// `R` above the diagonal and the reflectors `v` (whose first element is one) below; and the factors `tau`, so that
/// `Q = (1 - tau_1 v_1 v_1^H) (1 - tau_2 v_2 v_2^H) ...`.
pub(super) fn geqrf(
    a: &Tensor,
    results: &[TensorType],
    precision: Precision,
) -> Result<Vec<Tensor>, EvalError> {
    let mut values = elements(a)?;
    let mut taus = Vec::new();
    for mut matrix in matrices(&mut values, matrix_sizes(a)) {
        for step in 0..matrix.rows().min(matrix.columns) {
            let tau = reflect(&mut matrix, step);
            taus.push(tau);
            // The adjoint of the reflection brings the column to the diagonal.
            apply(&mut matrix, step, tau.conjugate());
        }
    }
    taus.resize(results[1].num_elements(), Number::default());
    Ok(vec![result(values, &results[0], precision)?, result(taus, &results[1], precision)?])
}

/// Replaces a column from its diagonal on by the diagonal of `R` and the reflector; gives its factor.
fn reflect(matrix: &mut Matrix<'_>, step: usize) -> Number {
    let alpha = matrix.at(step, step);
    let below: f64 = (step + 1..matrix.rows()).map(|row| square(matrix.at(row, step))).sum();
    if below == 0.0 && alpha.im == 0.0 {
        return Number::default();
    }
    let norm = (square(alpha) + below).sqrt();
    let beta = if alpha.re > 0.0 { -norm } else { norm };
    let tau = Number::new((beta - alpha.re) / beta, -alpha.im / beta);
    let scale = alpha.minus(real(beta));
    for row in step + 1..matrix.rows() {
        matrix.set(row, step, quotient(matrix.at(row, step), scale));
    }
    matrix.set(step, step, real(beta));
    tau
}

/// Multiplies the columns behind `step` with `1 - tau v v^H`, `v` being the reflector in column `step`.
fn apply(matrix: &mut Matrix<'_>, step: usize, tau: Number) {
    for column in step + 1..matrix.columns {
        let product = (step + 1..matrix.rows()).fold(matrix.at(step, column), |sum, row| {
            sum.plus(matrix.at(row, step).conjugate().times(matrix.at(row, column)))
        });
        let product = tau.times(product);
        matrix.set(step, column, matrix.at(step, column).minus(product));
        for row in step + 1..matrix.rows() {
            let value = matrix.at(row, column).minus(matrix.at(row, step).times(product));
            matrix.set(row, column, value);
        }
    }
}

/// The first columns of `Q` from reflectors and their factors.
pub(super) fn orgqr(
    a: &Tensor,
    taus: &Tensor,
    results: &[TensorType],
    precision: Precision,
) -> Result<Vec<Tensor>, EvalError> {
    let mut values = elements(a)?;
    let taus_of = elements(taus)?;
    let count = taus.shape().last().copied().unwrap_or(0);
    let sizes = matrix_sizes(a);
    let (rows, columns) = sizes;
    if count > columns.min(rows) {
        return Err(EvalError::new(format!("{count} reflectors in {columns} columns")));
    }
    for (index, matrix) in matrices(&mut values, sizes).enumerate() {
        let taus = &taus_of[index * count..(index + 1) * count];
        let mut q = vec![Number::default(); rows * columns];
        (0..rows.min(columns)).for_each(|at| q[at * columns + at] = real(1.0));
        for (step, tau) in taus.iter().enumerate().rev() {
            for column in 0..columns {
                let product = (step + 1..rows).fold(q[step * columns + column], |sum, row| {
                    sum.plus(matrix.at(row, step).conjugate().times(q[row * columns + column]))
                });
                let product = tau.times(product);
                let first = &mut q[step * columns + column];
                *first = first.minus(product);
                for row in step + 1..rows {
                    let value = &mut q[row * columns + column];
                    *value = value.minus(matrix.at(row, step).times(product));
                }
            }
        }
        matrix.elements.copy_from_slice(&q);
    }
    Ok(vec![result(values, &results[0], precision)?])
}

/// Sweeps of Jacobi's method until a matrix counts as diagonal; it converges quadratically, so that few are needed.
const MOST_SWEEPS: usize = 60;

/// Eigenvectors as columns and eigenvalues in ascending order of Hermitian matrices, of which one triangle is read;
/// and zeros, as it always converges. The largest element of each vector is real and positive.
pub(super) fn syevd(
    a: &Tensor,
    triangle: Triangle,
    results: &[TensorType],
    precision: Precision,
) -> Result<Vec<Tensor>, EvalError> {
    let mut values = elements(a)?;
    let mut eigenvalues = Vec::new();
    for mut matrix in matrices(&mut values, matrix_sizes(a)) {
        let size = matrix.columns;
        for row in 0..size {
            for column in (0..size).filter(|column| !triangle.has(row, *column)) {
                matrix.set(row, column, matrix.at(column, row).conjugate());
            }
            matrix.set(row, row, real(matrix.at(row, row).re));
        }
        let vectors = jacobi(&mut matrix);
        let mut order: Vec<usize> = (0..size).collect();
        order.sort_by(|a, b| matrix.at(*a, *a).re.total_cmp(&matrix.at(*b, *b).re));
        eigenvalues.extend(order.iter().map(|at| real(matrix.at(*at, *at).re)));
        for (column, from) in order.iter().enumerate() {
            let vector: Vec<Number> = (0..size).map(|row| vectors[row * size + from]).collect();
            let largest = vector.iter().fold(real(0.0), |best, value| {
                if square(*value) > square(best) * (1.0 + 1e-12) { *value } else { best }
            });
            let length = square(largest).sqrt();
            let turn = if length == 0.0 { real(1.0) } else { quotient(largest.conjugate(), real(length)) };
            for (row, value) in vector.into_iter().enumerate() {
                matrix.set(row, column, value.times(turn));
            }
        }
    }
    let infos = vec![0; results[2].num_elements()];
    Ok(vec![
        result(values, &results[0], precision)?,
        result(eigenvalues, &results[1], precision)?,
        integers(infos, &results[2])?,
    ])
}

/// Makes a Hermitian matrix diagonal by rotations; gives their product.
fn jacobi(matrix: &mut Matrix<'_>) -> Vec<Number> {
    let size = matrix.columns;
    let mut vectors = vec![Number::default(); size * size];
    (0..size).for_each(|at| vectors[at * size + at] = real(1.0));
    for _ in 0..MOST_SWEEPS {
        let pairs = (0..size).flat_map(|p| (p + 1..size).map(move |q| (p, q)));
        let outside: f64 = pairs.clone().map(|(p, q)| square(matrix.at(p, q))).sum();
        let inside: f64 = (0..size).map(|at| square(matrix.at(at, at))).sum();
        if outside <= 1e-34 * inside || outside.is_nan() {
            break;
        }
        for (p, q) in pairs {
            let away = matrix.at(p, q);
            let length = square(away).sqrt();
            if length == 0.0 {
                continue;
            }
            let phase = quotient(away, real(length));
            let theta = (matrix.at(q, q).re - matrix.at(p, p).re) / (2.0 * length);
            let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = phase.times(real(tangent * cosine));
            // Columns, then rows: the matrix becomes J^H A J with J = [[c, s], [-conj(s), c]].
            let rotate = |x: Number, y: Number| {
                (
                    x.times(real(cosine)).minus(y.times(sine.conjugate())),
                    x.times(sine).plus(y.times(real(cosine))),
                )
            };
            for row in 0..size {
                let (x, y) = rotate(matrix.at(row, p), matrix.at(row, q));
                matrix.set(row, p, x);
                matrix.set(row, q, y);
                let (x, y) = rotate(vectors[row * size + p], vectors[row * size + q]);
                (vectors[row * size + p], vectors[row * size + q]) = (x, y);
            }
            for column in 0..size {
                let (x, y) = rotate(matrix.at(p, column).conjugate(), matrix.at(q, column).conjugate());
                matrix.set(p, column, x.conjugate());
                matrix.set(q, column, y.conjugate());
            }
        }
    }
    vectors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(shapes: &[(&[usize], ElementType)]) -> Vec<TensorType> {
        shapes.iter().map(|(shape, element)| TensorType::new(shape.to_vec(), *element)).collect()
    }

    fn numbers(x: &Tensor) -> Vec<Number> {
        elements(x).unwrap()
    }

    fn product(a: &[Number], b: &[Number], inner: usize, adjoint: bool) -> Vec<Number> {
        let (rows, columns) = (a.len() / inner, b.len() / inner);
        let at = |row: usize, column: usize| match adjoint {
            true => b[column * inner + row].conjugate(),
            false => b[row * columns + column],
        };
        let cell = |cell: usize| {
            let (row, column) = (cell / columns, cell % columns);
            (0..inner).fold(real(0.0), |sum, k| sum.plus(a[row * inner + k].times(at(k, column))))
        };
        (0..rows * columns).map(cell).collect()
    }

    fn close(a: &[Number], b: &[Number]) {
        for (a, b) in a.iter().zip(b) {
            assert!(square(a.minus(*b)).sqrt() < 1e-10, "{a:?} {b:?}");
        }
    }

    fn some(rows: usize, columns: usize) -> Tensor {
        let value =
            |at: usize| Number::new(((at * 7 + 3) % 11) as f64 - 5.0, ((at * 5 + 1) % 7) as f64 - 3.0);
        Tensor::from_vec(ElementType::ComplexF64, [rows, columns], (0..rows * columns).map(value).collect())
    }

    #[test]
    fn q_times_r_is_the_matrix() {
        for (rows, columns) in [(5, 3), (3, 3), (3, 5)] {
            let (a, steps) = (some(rows, columns), rows.min(columns));
            let c = ElementType::ComplexF64;
            let packed =
                geqrf(&a, &types(&[(&[rows, columns], c), (&[steps], c)]), Precision::Declared).unwrap();
            let first = packed[0].slice(&[0, 0], &[rows, steps], &[1, 1]).unwrap();
            let q = orgqr(&first, &packed[1], &types(&[(&[rows, steps], c)]), Precision::Declared).unwrap();
            let mut r = numbers(&packed[0]);
            for row in 0..rows {
                (0..columns.min(row)).for_each(|column| r[row * columns + column] = real(0.0));
            }
            close(&product(&numbers(&q[0]), &r[..steps * columns], steps, false), &numbers(&a));
        }
    }

    #[test]
    fn l_times_u_is_the_permuted_matrix() {
        let (a, c) = (some(4, 4), ElementType::ComplexF64);
        let i = ElementType::I32;
        let found = getrf(&a, &types(&[(&[4, 4], c), (&[4], i), (&[], i)]), Precision::Declared).unwrap();
        let packed = numbers(&found[0]);
        let (mut l, mut u) = (packed.clone(), packed);
        for row in 0..4 {
            (row + 1..4).for_each(|column| l[row * 4 + column] = real(0.0));
            l[row * 4 + row] = real(1.0);
            (0..row).for_each(|column| u[row * 4 + column] = real(0.0));
        }
        let swaps: Vec<i32> = found[1].to_i64_vec().iter().map(|pivot| *pivot as i32 - 1).collect();
        let swaps = Tensor::from_vec(i, [4], swaps);
        let order = permutation(&swaps, &types(&[(&[4], i)]), Precision::Declared).unwrap()[0].to_i64_vec();
        let rows = numbers(&a);
        let expected: Vec<Number> =
            order.iter().flat_map(|row| rows[*row as usize * 4..][..4].to_vec()).collect();
        close(&product(&l, &u, 4, false), &expected);
    }

    #[test]
    fn eigenvectors_make_the_matrix_diagonal() {
        let a = some(5, 5);
        let own = numbers(&a);
        let hermitian: Vec<Number> =
            (0..25).map(|at| own[at].plus(own[at % 5 * 5 + at / 5].conjugate())).collect();
        let a = Tensor::from_vec(ElementType::ComplexF64, [5, 5], hermitian.clone());
        let (c, f, i) = (ElementType::ComplexF64, ElementType::F64, ElementType::I32);
        let results = types(&[(&[5, 5], c), (&[5], f), (&[], i)]);
        let found = syevd(&a, Triangle::Lower, &results, Precision::Declared).unwrap();
        let (vectors, values) = (numbers(&found[0]), found[1].to_f64_vec());
        let scaled: Vec<Number> = (0..25).map(|at| vectors[at].times(real(values[at % 5]))).collect();
        close(&product(&scaled, &vectors, 5, true), &hermitian);
        assert!(values.is_sorted());
    }
}
