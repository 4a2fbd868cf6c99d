//! Folding a tensor over some of its dims.
//!
//! The order of the folds is fixed by the shape. Where the innermost dim is reduced, the elements of one result
//! are cut into chunks of fixed length; each chunk folds into [`LANES`] partial results (element `i` into lane
//! `i % LANES`), lanes are folded in order, then chunks in order. Elsewhere the elements are folded in order.

use super::super::{Element, Tensor, checked_len};
use super::{CHUNK, allocate, fill_chunks_of};
use crate::eval_error::EvalError;
use crate::types::ElementType;

/// Independent partial results of one fold, so that the processor need not wait for each step.
const LANES: usize = 8;
/// Neighboring results that one task computes together.
const ROW_CHUNK: usize = 128;

/// Folds `x` over `dims`, which the result lacks.
///
/// `fold` must be associative and commutative up to rounding, with `neutral` as its neutral element. `A` may be
/// wider than the elements (`f32` for half types): `widen` leads to it and `narrow` back, once per result.
pub fn reduce<T: Element, A: Element, R: Element>(
    element: ElementType,
    x: &Tensor,
    dims: &[usize],
    neutral: A,
    fold: impl Fn(A, A) -> A + Sync,
    widen: impl Fn(T) -> A + Sync,
    narrow: impl Fn(A) -> R + Sync,
) -> Result<Tensor, EvalError> {
    if let Some(dim) = dims.iter().find(|dim| **dim >= x.rank()) {
        return Err(EvalError::new(format!("cannot reduce dim {dim} of {}", x.ty())));
    }
    let (reduced, kept): (Vec<usize>, Vec<usize>) = (0..x.rank()).partition(|dim| dims.contains(dim));
    let shape: Vec<usize> = kept.iter().map(|dim| x.shape()[*dim]).collect();
    let mut result = allocate::<R>(&shape)?;
    if checked_len::<T>(x.shape())? == 0 {
        result.fill(narrow(neutral));
        return Ok(Tensor::from_vec(element, shape, result));
    }
    let len: usize = reduced.iter().map(|dim| x.shape()[*dim]).product();
    let innermost = (0..x.rank()).rev().find(|dim| x.shape()[*dim] != 1);
    if innermost.is_some_and(|dim| kept.contains(&dim)) && !reduced.is_empty() {
        // The reduced dims are outside: fold whole rows of results, which vectorizes across the results.
        let order: Vec<usize> = reduced.iter().chain(&kept).copied().collect();
        let moved = x.transpose(&order)?;
        let values = moved.dense::<T>()?;
        fold_rows(&values, &mut result, len, neutral, &fold, &widen, &narrow);
    } else {
        let order: Vec<usize> = kept.iter().chain(&reduced).copied().collect();
        let moved = x.transpose(&order)?;
        let values = moved.dense::<T>()?;
        if result.len() == 1 {
            result[0] = narrow(fold_long(&values, neutral, &fold, &widen));
        } else {
            let fill = |start: usize, out: &mut [R]| {
                for (position, out) in out.iter_mut().enumerate() {
                    let first = (start + position) * len;
                    *out = narrow(fold_long(&values[first..first + len], neutral, &fold, &widen));
                }
            };
            fill_chunks_of(&mut result, CHUNK.div_ceil(len), values.len(), &fill);
        }
    }
    Ok(Tensor::from_vec(element, shape, result))
}

/// One result from adjacent elements.
fn fold_long<T: Element, A: Element>(
    values: &[T],
    neutral: A,
    fold: &(impl Fn(A, A) -> A + Sync),
    widen: &(impl Fn(T) -> A + Sync),
) -> A {
    let fold_chunk = |chunk: &[T]| {
        let mut lanes = [neutral; LANES];
        let mut rows = chunk.chunks_exact(LANES);
        for row in &mut rows {
            for lane in 0..LANES {
                lanes[lane] = fold(lanes[lane], widen(row[lane]));
            }
        }
        for (lane, value) in rows.remainder().iter().enumerate() {
            lanes[lane] = fold(lanes[lane], widen(*value));
        }
        lanes.into_iter().fold(neutral, fold)
    };
    let mut partial = vec![neutral; values.len().div_ceil(CHUNK)];
    fill_chunks_of(&mut partial, 1, values.len(), &|first, out| {
        for (out, chunk) in out.iter_mut().zip(values[first * CHUNK..].chunks(CHUNK)) {
            *out = fold_chunk(chunk);
        }
    });
    partial.into_iter().fold(neutral, fold)
}

/// All results from `len` rows that hold one element for each.
fn fold_rows<T: Element, A: Element, R: Element>(
    values: &[T],
    result: &mut [R],
    len: usize,
    neutral: A,
    fold: &(impl Fn(A, A) -> A + Sync),
    widen: &(impl Fn(T) -> A + Sync),
    narrow: &(impl Fn(A) -> R + Sync),
) {
    let width = result.len();
    let fill = |first: usize, out: &mut [R]| {
        let mut partial = vec![neutral; out.len()];
        for row in 0..len {
            let row = &values[row * width + first..row * width + first + out.len()];
            for (partial, value) in partial.iter_mut().zip(row) {
                *partial = fold(*partial, widen(*value));
            }
        }
        for (out, partial) in out.iter_mut().zip(partial) {
            *out = narrow(partial);
        }
    };
    fill_chunks_of(result, ROW_CHUNK, values.len(), &fill);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(x: &Tensor, dims: &[usize]) -> Tensor {
        reduce(ElementType::I64, x, dims, 0i64, |a, b| a + b, |x: i32| i64::from(x), |a| a).unwrap()
    }

    fn reference(x: &Tensor, dims: &[usize]) -> Vec<i64> {
        let kept: Vec<usize> = (0..x.rank()).filter(|dim| !dims.contains(dim)).collect();
        let shape: Vec<usize> = kept.iter().map(|dim| x.shape()[*dim]).collect();
        let mut result = vec![0; shape.iter().product()];
        for (position, value) in x.to_i64_vec().into_iter().enumerate() {
            let index = crate::layout::unravel(position, x.shape());
            result[kept.iter().zip(&shape).fold(0, |at, (dim, size)| at * size + index[*dim])] += value;
        }
        result
    }

    fn counting(shape: &[usize]) -> Tensor {
        let len: usize = shape.iter().product();
        Tensor::from_vec(ElementType::I32, shape, (0..len as i32).map(|i| i * 7 % 1009).collect())
    }

    #[test]
    fn any_dims_of_any_layout() {
        let shapes: [&[usize]; 5] =
            [&[3, 4, 5], &[1, 9, 1], &[300, 2, 310], &[70_000, 1, 2], &[2, 70_000, 1]];
        for shape in shapes {
            let x = counting(shape);
            let views = [x.transpose(&[2, 0, 1]).unwrap(), x.reverse(&[1]).unwrap(), x];
            for x in &views {
                for dims in [&[][..], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[2, 0, 1]] {
                    assert_eq!(sum(x, dims).to_i64_vec(), reference(x, dims), "{shape:?} over {dims:?}");
                }
            }
        }
    }

    #[test]
    fn nothing_to_reduce_gives_the_neutral_element() {
        let empty = counting(&[2, 0]);
        assert_eq!(sum(&empty, &[1]).to_i64_vec(), [0, 0]);
        assert_eq!(sum(&empty, &[0]).shape(), [0]);
        assert_eq!(sum(&Tensor::scalar_i32(4), &[]).to_i64_vec(), [4]);
        let outside =
            reduce(ElementType::I64, &empty, &[2], 0i64, |a, b| a + b, |x: i32| i64::from(x), |a| a);
        assert!(outside.is_err());
    }

    #[test]
    fn halves_are_rounded_once() {
        let one = half::bf16::ONE;
        let ones = Tensor::from_vec(ElementType::Bf16, [1000], vec![one; 1000]);
        let total = reduce(
            ElementType::Bf16,
            &ones,
            &[0],
            0f32,
            |a, b| a + b,
            half::bf16::to_f32,
            half::bf16::from_f32,
        );
        assert_eq!(total.unwrap().to_f64_vec(), [1000.0]);
    }
}
