//! Derivatives of LAPACK's routines, of real matrices, with the packed results that these have.
//!
//! Formulas: of Cholesky factors and triangular systems as in `ops::linear_solve_vjp`; with `P A = L U` and `G` the cotangent
//! of both factors in one (Giles, "An extended collection of matrix derivative results"):
//!
//! ```text
//! dA = Pᵀ L⁻ᵀ W U⁻ᵀ    W = lower triangle of Lᵀ G without its diagonal, and upper triangle of G Uᵀ
//! ```
//!
//! where `L` and `U` are squared up with ones on their diagonals. With `A = V diag(w) Vᵀ`:
//!
//! ```text
//! dA = V (diag(dw) + F * Vᵀ dV) Vᵀ    F = 1 / (w_j - w_i), zero on the diagonal
//! ```
//!
//! Reflectors and their factors are differentiated as the steps by which they are found, and their product `Q` by what it is
//! in closed form (Joffrain et al., "Accumulating Householder transformations, revisited"):
//!
//! ```text
//! Q = I - V T Vᵀ    T = D (I + S D)⁻¹, D = diag(tau), S = upper triangle of Vᵀ V without its diagonal
//! ```

use crate::build::Builder as _;
use crate::ids::ValueId;
use crate::ops::binary::Binary;
use crate::ops::compare::Direction;
use crate::ops::dynamic_slice::DynamicSlice;
use crate::ops::dynamic_update_slice::DynamicUpdateSlice;
use crate::ops::linear_solve::Transpose;
use crate::ops::linear_solve_vjp::{
    of_factored, of_symmetric, product, rows_to_columns, solved, triangle, turned,
};
use crate::ops::pad::Pad;
use crate::ops::slice::Slice;
use crate::ops::unary::Unary;
use crate::vjp::{Differentiated, Vjp, none_because};
use meshwright_tensor::types::{ElementType, TensorType};

/// Of the Cholesky factor in a triangle, beside which stands what the matrix has in the other one.
pub(super) fn potrf(v: &mut Vjp<'_>, is_lower: bool) {
    let Some(cotangent) = v.cotangent_of(0) else { return };
    v.give_with(0, |v, _| {
        let factor = v.result(0);
        let factor = triangle(v, factor, is_lower, false);
        let own = of_factored(v, factor, cotangent, is_lower);
        let beside = triangle(v, cotangent, !is_lower, true);
        v.plus(own, beside)
    });
}

/// Of `L` and `U` in one.
pub(super) fn getrf(v: &mut Vjp<'_>) {
    let Some(cotangent) = v.cotangent_of(0) else { return };
    v.give_with(0, |v, _| {
        let (packed, pivots) = (v.result(0), v.result(1));
        let ty = v.ty(packed);
        let [rows, columns] = sizes(&ty);
        let lower = triangle(v, packed, true, true);
        let lower = resized(v, lower, [rows, rows]);
        let ones = identity(v, lower);
        let lower = v.plus(lower, ones);
        let upper = triangle(v, packed, false, false);
        let upper = resized(v, upper, [columns, columns]);
        let ones = identity(v, upper);
        let zero = v.number_like(upper, 0.0);
        let is_behind = {
            let shape = v.ty(upper).shape;
            let row = v.iota(&shape, ElementType::I32, shape.len() - 2);
            let first = v.number_like(row, rows as f64);
            v.compare(Direction::GreaterEqual, row, first)
        };
        let ones = v.choose(is_behind, ones, zero);
        let upper = v.plus(upper, ones);
        let below = product(v, lower, cotangent, [0, 0]);
        let below = triangle(v, below, true, true);
        let above = product(v, cotangent, upper, [1, 1]);
        let above = triangle(v, above, false, false);
        let both = v.plus(below, above);
        let left = solved(v, lower, both, [true, true, true], Transpose::Transpose);
        let permuted = solved(v, upper, left, [false, false, false], Transpose::Transpose);
        let permutation = permutation(v, pivots, rows, ty.element);
        product(v, permutation, permuted, [0, 0])
    });
}

/// Of eigenvectors and eigenvalues of symmetric matrices, of which one triangle is read.
pub(super) fn syevd(v: &mut Vjp<'_>, is_lower: bool) {
    let (of_vectors, of_values) = (v.cotangent_of(0), v.cotangent_of(1));
    v.give_with(0, |v, _| {
        let (vectors, values) = (v.result(0), v.result(1));
        let ty = v.ty(vectors);
        let batches = ty.rank() - 2;
        let along = |dim: usize| (0..batches).chain([dim]).collect::<Vec<_>>();
        let mut inner = None;
        if let Some(cotangent) = of_vectors {
            let row = v.broadcast(values, &ty.shape, along(batches));
            let column = v.broadcast(values, &ty.shape, along(batches + 1));
            let apart = v.minus(column, row);
            let is_other = rows_to_columns(v, vectors, Direction::NotEqual);
            let one = v.number_like(apart, 1.0);
            let apart = v.choose(is_other, apart, one);
            let turns = product(v, vectors, cotangent, [0, 0]);
            let turns = v.over(turns, apart);
            inner = Some(v.only_where(is_other, turns));
        }
        if let Some(cotangent) = of_values {
            let each = v.broadcast(cotangent, &ty.shape, along(batches));
            let is_own = rows_to_columns(v, vectors, Direction::Equal);
            let own = v.only_where(is_own, each);
            inner = Some(inner.map_or(own, |inner| v.plus(inner, own)));
        }
        let inner = inner.unwrap_or_else(|| v.number_like(vectors, 0.0));
        let left = product(v, vectors, inner, [1, 0]);
        let whole = product(v, left, vectors, [1, 1]);
        let lower = of_symmetric(v, whole);
        if is_lower { lower } else { turned(v, lower) }
    });
}

/// Of reflectors, their factors and `R`: a loop over columns, as LAPACK has it.
pub(super) fn geqrf(v: &mut Vjp<'_>) -> Differentiated {
    let factored = v.result(0);
    let signs = v.result_type(1);
    v.as_written(|v, operands| {
        let count = signs.shape.last().copied().unwrap_or(0);
        let counter = TensorType::scalar(ElementType::I32);
        let begin = v.splat(counter.clone(), 0.0);
        let factors = v.splat(signs.clone(), 0.0);
        let made = v.repeat(
            &[begin, operands[0], factors],
            |v, carried| {
                let end = v.splat(counter.clone(), count as f64);
                v.compare(Direction::Less, carried[0], end)
            },
            |v, carried| {
                let next = v.with_number(Binary::Add, carried[0], 1);
                let [matrix, factors] = reflected(v, carried, factored);
                vec![next, matrix, factors]
            },
        );
        made[1..].to_vec()
    })
}

/// The matrix and the factors behind the step of a column.
fn reflected(v: &mut Vjp<'_>, carried: &[ValueId], factored: ValueId) -> [ValueId; 2] {
    let &[at, matrix, factors] = carried else { unreachable!("the loop carries a counter and two tensors") };
    let ty = v.ty(matrix);
    let [rows, columns] = sizes(&ty);
    let batches = ty.rank() - 2;
    let column_shape = [&ty.shape[..batches], &[rows, 1]].concat();
    let one_shape = [&ty.shape[..batches], &[1, 1]].concat();
    let zero = v.number_like(at, 0.0);
    let starts = |last: [ValueId; 2]| [vec![zero; batches], last.to_vec()].concat();
    let column = v.part(matrix, &column_shape, &starts([zero, at]));
    let row = v.iota(&column_shape, ElementType::I32, batches);
    let number = v.broadcast(at, &column_shape, Vec::new());
    let (is_at, is_below) =
        (v.compare(Direction::Equal, row, number), v.compare(Direction::Greater, row, number));
    let summed = |v: &mut Vjp<'_>, value: ValueId| {
        let sum = v.sum(value, vec![batches]);
        v.reshaped(sum, &one_shape)
    };
    let own = v.only_where(is_at, column);
    let first = summed(v, own);
    let square = v.times(column, column);
    let below = v.only_where(is_below, square);
    let below = summed(v, below);
    let (none, one) = (v.number_like(below, 0.0), v.number_like(below, 1.0));
    let is_done = v.compare(Direction::Equal, below, none);
    let some = v.choose(is_done, one, below);
    let square = v.times(first, first);
    let norm = v.plus(square, some);
    let norm = v.unary(Unary::Sqrt, norm);
    // The routine chose the sign of what stands on the diagonal of `R`.
    let diagonal = v.part(factored, &one_shape, &starts([at, at]));
    let is_negative = v.compare(Direction::Less, diagonal, none);
    let negated = v.negated(norm);
    let reflected = v.choose(is_negative, negated, norm);
    let away = v.minus(reflected, first);
    let factor = v.over(away, reflected);
    let factor = v.choose(is_done, none, factor);
    let scale = v.negated(away);
    let scale = v.choose(is_done, one, scale);
    let everywhere =
        |v: &mut Vjp<'_>, value: ValueId| v.broadcast(value, &column_shape, (0..batches + 2).collect());
    let scale = everywhere(v, scale);
    let scaled = v.over(column, scale);
    let scaled = v.only_where(is_below, scaled);
    let ones = v.number_like(column, 1.0);
    let reflector = v.choose(is_at, ones, scaled);
    // Columns behind this one are reflected.
    let shares = product(v, reflector, matrix, [0, 0]);
    let shape = v.ty(shares).shape;
    let position = v.iota(&shape, ElementType::I32, batches + 1);
    let number = v.broadcast(at, &shape, Vec::new());
    let is_behind = v.compare(Direction::Greater, position, number);
    let shares = v.only_where(is_behind, shares);
    let by = v.broadcast(factor, &shape, (0..batches + 2).collect());
    let shares = v.times(shares, by);
    let away = product(v, reflector, shares, [1, 0]);
    let matrix = v.minus(matrix, away);
    let diagonal = v.choose(is_done, first, reflected);
    let diagonal = everywhere(v, diagonal);
    let kept = v.choose(is_below, scaled, column);
    let column = v.choose(is_at, diagonal, kept);
    debug_assert!(columns > 0);
    let operands = [vec![matrix, column], starts([zero, at])].concat();
    let matrix = v.emit(DynamicUpdateSlice, &operands, ty.clone());
    let factors_ty = v.ty(factors);
    let factor = v.reshaped(factor, &[&ty.shape[..batches], &[1]].concat());
    let operands = [vec![factors, factor], vec![zero; batches], vec![at]].concat();
    [matrix, v.emit(DynamicUpdateSlice, &operands, factors_ty)]
}

/// Of the first columns of `Q`.
pub(super) fn orgqr(v: &mut Vjp<'_>) -> Differentiated {
    v.as_written(|v, operands| {
        let &[packed, factors] = operands else { return Vec::new() };
        let ty = v.ty(packed);
        let [rows, columns] = sizes(&ty);
        let batches = ty.rank() - 2;
        let count = v.ty(factors).shape[batches];
        let reflectors = triangle(v, packed, true, true);
        let reflectors = resized(v, reflectors, [rows, count]);
        let ones = identity(v, reflectors);
        let reflectors = v.plus(reflectors, ones);
        let shares = product(v, reflectors, reflectors, [0, 0]);
        let shares = triangle(v, shares, false, true);
        let shape = v.ty(shares).shape;
        let by = v.broadcast(factors, &shape, (0..batches).chain([batches + 1]).collect());
        let shares = v.times(shares, by);
        let first = resized(v, reflectors, [columns, count]);
        let first = turned(v, first);
        let solution = solved(v, shares, first, [true, false, true], Transpose::NoTranspose);
        let shape = v.ty(solution).shape;
        let by = v.broadcast(factors, &shape, (0..=batches).collect());
        let solution = v.times(solution, by);
        let away = product(v, reflectors, solution, [1, 0]);
        let ones = identity(v, packed);
        vec![v.minus(ones, away)]
    })
}

/// Rows and columns of matrices.
fn sizes(ty: &TensorType) -> [usize; 2] {
    [ty.shape[ty.rank() - 2], ty.shape[ty.rank() - 1]]
}

/// Matrices with other numbers of rows and columns: the first ones, or zeros behind them.
fn resized(v: &mut Vjp<'_>, value: ValueId, to: [usize; 2]) -> ValueId {
    let ty = v.ty(value);
    let (rank, from) = (ty.rank(), sizes(&ty));
    let mut cut = ty.clone();
    let mut whole = ty.clone();
    for (at, dim) in [rank - 2, rank - 1].into_iter().enumerate() {
        (cut.shape[dim], whole.shape[dim]) = (from[at].min(to[at]), to[at]);
    }
    let mut value = value;
    if cut != ty {
        let slice = Slice { start: vec![0; rank], limit: cut.shape.clone(), stride: vec![1; rank] };
        value = v.emit(slice, &[value], cut.clone());
    }
    if whole != cut {
        let high = whole.shape.iter().zip(&cut.shape).map(|(whole, cut)| (whole - cut) as i64).collect();
        let pad = Pad { low: vec![0; rank], high, interior: vec![0; rank] };
        let zero = v.splat(TensorType::scalar(ty.element), 0.0);
        value = v.emit(pad, &[value, zero], whole);
    }
    value
}

/// Ones on the diagonals of matrices like others, and zeros elsewhere.
fn identity(v: &mut Vjp<'_>, like: ValueId) -> ValueId {
    let is_diagonal = rows_to_columns(v, like, Direction::Equal);
    let (zero, one) = (v.number_like(like, 0.0), v.number_like(like, 1.0));
    v.choose(is_diagonal, one, zero)
}

/// The matrices that permute rows as pivots, which are counted from one, swap them one after the other.
fn permutation(v: &mut Vjp<'_>, pivots: ValueId, rows: usize, element: ElementType) -> ValueId {
    let ty = v.ty(pivots);
    let batches = ty.rank() - 1;
    let count = ty.shape[batches];
    let shape = [&ty.shape[..batches], &[rows]].concat();
    let order = v.iota(&shape, ElementType::I32, batches);
    let counter = TensorType::scalar(ElementType::I32);
    let begin = v.splat(counter.clone(), 0.0);
    let one_shape = [&ty.shape[..batches], &[1]].concat();
    let made = v.repeat(
        &[begin, order],
        |v, carried| {
            let end = v.splat(counter.clone(), count as f64);
            v.compare(Direction::Less, carried[0], end)
        },
        |v, carried| {
            let &[at, order] = carried else { unreachable!("the loop carries a counter and an order") };
            let zero = v.number_like(at, 0.0);
            let operands = [vec![pivots], vec![zero; batches], vec![at]].concat();
            let other = v.emit(
                DynamicSlice { sizes: one_shape.clone() },
                &operands,
                TensorType::new(one_shape.clone(), ElementType::I32),
            );
            let other = v.with_number(Binary::Subtract, other, 1);
            let other = v.broadcast(other, &shape, (0..=batches).collect());
            let own = v.broadcast(at, &shape, Vec::new());
            let row = v.iota(&shape, ElementType::I32, batches);
            let places = [own, other].map(|place| v.compare(Direction::Equal, row, place));
            let [of_own, of_other] = places.map(|is_there| {
                let found = v.only_where(is_there, order);
                let found = v.sum(found, vec![batches]);
                v.broadcast(found, &shape, (0..batches).collect())
            });
            let swapped = v.choose(places[1], of_own, order);
            let swapped = v.choose(places[0], of_other, swapped);
            vec![v.with_number(Binary::Add, at, 1), swapped]
        },
    );
    let matrices = [&shape[..], &[rows]].concat();
    let from = v.broadcast(made[1], &matrices, (0..=batches).collect());
    let column = v.iota(&matrices, ElementType::I32, batches + 1);
    let is_from = v.compare(Direction::Equal, from, column);
    v.convert(is_from, element)
}

/// A refusal of complex matrices.
pub(super) fn of_real(v: &Vjp<'_>) -> Differentiated {
    match v.operand_type(0).element.is_float() {
        true => Ok(()),
        false => none_because("works on complex matrices"),
    }
}
