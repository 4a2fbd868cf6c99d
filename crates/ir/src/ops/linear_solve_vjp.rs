//! Derivatives of `cholesky` and `triangular_solve`, of real matrices.
//!
//! With `A = L Lᵀ` and `dL` the cotangent of `L` (Murray, "Differentiation of the Cholesky decomposition"):
//!
//! ```text
//! S  = L⁻ᵀ P L⁻¹    P = lower triangle of Lᵀ dL, its diagonal halved
//! dA = lower triangle of S + Sᵀ, its diagonal halved: the other triangle is not read
//! ```
//!
//! With `op(A) X = B`: `dB = op(A)⁻ᵀ dX`, and `- dB Xᵀ` is the cotangent of `op(A)`, of which `A` has the triangle that is
//! read.

use super::compare::Direction;
use super::dot_general::DotGeneral;
use super::linear_solve::{LinearSolve, Transpose};
use super::linear_solve_eval::System;
use crate::build::Builder as _;
use crate::ids::ValueId;
use crate::vjp::{Differentiated, Vjp, none_because};
use meshwright_tensor::types::{ElementType, TensorType};

/// The dims of matrices that a product sums, each counted from its batch dims: 0 are rows, 1 columns.
pub(crate) type Summed = [usize; 2];

/// Gives the cotangent of a matrix that was factored.
pub(super) fn of_cholesky(v: &mut Vjp<'_>, is_lower: bool) -> Differentiated {
    if !v.operand_type(0).element.is_float() {
        return none_because("factors a complex matrix");
    }
    v.give_with(0, |v, cotangent| {
        let factor = v.result(0);
        of_factored(v, factor, cotangent, is_lower)
    });
    Ok(())
}

/// The cotangent of the triangle of a matrix that is read, of that of its Cholesky factor, of which one triangle is read.
pub(crate) fn of_factored(v: &mut Vjp<'_>, factor: ValueId, cotangent: ValueId, is_lower: bool) -> ValueId {
    let [factor, cotangent] = match is_lower {
        true => [factor, cotangent],
        false => [factor, cotangent].map(|upper| turned(v, upper)),
    };
    let cotangent = triangle(v, cotangent, true, false);
    let product = product(v, factor, cotangent, [0, 0]);
    let halved = halved(v, product);
    let left = solved(v, factor, halved, [true, true, false], Transpose::Transpose);
    let both = solved(v, factor, left, [false, true, false], Transpose::NoTranspose);
    let lower = of_symmetric(v, both);
    if is_lower { lower } else { turned(v, lower) }
}

/// The cotangent of the lower triangle of a symmetric matrix, of one of the whole.
pub(crate) fn of_symmetric(v: &mut Vjp<'_>, whole: ValueId) -> ValueId {
    let mirrored = turned(v, whole);
    let sum = v.plus(whole, mirrored);
    halved(v, sum)
}

/// The solutions of systems with a triangular matrix: whether it stands left of the unknown, whether its lower triangle is
/// read, and whether its diagonal is taken to be one.
pub(crate) fn solved(
    v: &mut Vjp<'_>,
    matrix: ValueId,
    right: ValueId,
    [left_side, lower, unit_diagonal]: [bool; 3],
    transpose: Transpose,
) -> ValueId {
    let ty = v.ty(right);
    v.emit(LinearSolve::TriangularSolve { left_side, lower, unit_diagonal, transpose }, &[matrix, right], ty)
}

/// Gives the cotangents of a triangular matrix, and of the right sides that were solved for.
pub(crate) fn of_triangular_solve(v: &mut Vjp<'_>, system: System) -> Differentiated {
    let System { left_side, lower, unit_diagonal, transpose } = system;
    if transpose == Transpose::Adjoint && !v.operand_type(0).element.is_float() {
        return none_because("solves for the adjoint of a complex matrix");
    }
    let is_transposed = transpose != Transpose::NoTranspose;
    let back = if is_transposed { Transpose::NoTranspose } else { Transpose::Transpose };
    let (matrix, cotangent) = (v.operand(0), v.cotangent());
    let right_side = solved(v, matrix, cotangent, [left_side, lower, unit_diagonal], back);
    v.give(1, right_side);
    if !v.wants(0) {
        return Ok(());
    }
    let solution = v.result(0);
    // The cotangent of what the matrix became is `- dB Xᵀ`, or `- Xᵀ dB` where it stands right of the unknown.
    let product = match (left_side, is_transposed) {
        (true, false) => product(v, right_side, solution, [1, 1]),
        (true, true) => product(v, solution, right_side, [1, 1]),
        (false, false) => product(v, solution, right_side, [0, 0]),
        (false, true) => product(v, right_side, solution, [0, 0]),
    };
    let negated = v.negated(product);
    let own = triangle(v, negated, lower, unit_diagonal);
    v.give(0, own);
    Ok(())
}

/// A product of matrices for each batch, which sums these dims of both; rows of the first are rows of the product.
pub(crate) fn product(v: &mut Vjp<'_>, left: ValueId, right: ValueId, summed: Summed) -> ValueId {
    let (one, other) = (v.ty(left), v.ty(right));
    let batches = one.rank() - 2;
    let batch: Vec<usize> = (0..batches).collect();
    let free = |ty: &TensorType, summed: usize| ty.shape[batches + 1 - summed];
    let sizes = [free(&one, summed[0]), free(&other, summed[1])];
    let op = DotGeneral {
        batch: [batch.clone(), batch],
        contracting: summed.map(|dim| vec![batches + dim]),
        precision: Vec::new(),
        algorithm: None,
    };
    let shape = [&one.shape[..batches], &sizes].concat();
    v.emit(op, &[left, right], TensorType::new(shape, one.element))
}

/// Each matrix transposed.
pub(crate) fn turned(v: &mut Vjp<'_>, value: ValueId) -> ValueId {
    let rank = v.ty(value).rank();
    let order = (0..rank - 2).chain([rank - 1, rank - 2]).collect();
    v.transpose(value, order)
}

/// The lower or the upper triangle of each matrix, with or without its diagonal; zeros elsewhere.
pub(crate) fn triangle(v: &mut Vjp<'_>, value: ValueId, is_lower: bool, without_diagonal: bool) -> ValueId {
    let direction = match (is_lower, without_diagonal) {
        (true, false) => Direction::GreaterEqual,
        (true, true) => Direction::Greater,
        (false, false) => Direction::LessEqual,
        (false, true) => Direction::Less,
    };
    let is_in = rows_to_columns(v, value, direction);
    v.only_where(is_in, value)
}

/// The lower triangle of each matrix, its diagonal halved.
fn halved(v: &mut Vjp<'_>, value: ValueId) -> ValueId {
    let [whole, without] = [false, true].map(|without| triangle(v, value, true, without));
    let sum = v.plus(whole, without);
    v.scaled(sum, 0.5)
}

/// Whether the row of each element stands so to its column.
pub(crate) fn rows_to_columns(v: &mut Vjp<'_>, value: ValueId, direction: Direction) -> ValueId {
    let shape = v.ty(value).shape;
    let rank = shape.len();
    let [row, column] = [rank - 2, rank - 1].map(|dim| v.iota(&shape, ElementType::I32, dim));
    v.compare(direction, row, column)
}
