//! Elementwise kernels over one, two or three operands of one shape.
//!
//! Dims along which every operand repeats are computed once and repeat in the result. Within a run each operand
//! either advances by one or repeats; the loops are split by that, so that the compiler can vectorize them.

use super::super::layout::{Walk, row_major};
use super::super::{Element, Tensor};
use super::{allocate, fill_chunks};
use crate::eval_error::EvalError;
use crate::types::ElementType;

/// `f` of every element, declared as `element`.
pub fn map1<A: Element, R: Element>(
    element: ElementType,
    a: &Tensor,
    f: impl Fn(A) -> R + Sync,
) -> Result<Tensor, EvalError> {
    let (layout, [a]) = Layout::new([a])?;
    let values = a.elements::<A>()?;
    let walk = Walk::new(&layout.shape, [a.offset()], [a.strides()]);
    let mut result = allocate::<R>(&layout.shape)?;
    fill_chunks(&mut result, |start, chunk| {
        walk.for_each_run(start, chunk.len(), &mut |at, [a], n| match walk.run_strides() {
            [0] => chunk[at..at + n].fill(f(values[a])),
            _ => {
                for (out, a) in chunk[at..at + n].iter_mut().zip(&values[a..a + n]) {
                    *out = f(*a);
                }
            }
        });
    });
    Ok(layout.tensor(element, result))
}

/// `f` of every pair of elements, declared as `element`.
pub fn zip2<A: Element, B: Element, R: Element>(
    element: ElementType,
    a: &Tensor,
    b: &Tensor,
    f: impl Fn(A, B) -> R + Sync,
) -> Result<Tensor, EvalError> {
    let (layout, [a, b]) = Layout::new([a, b])?;
    let (left, right) = (a.elements::<A>()?, b.elements::<B>()?);
    let walk = Walk::new(&layout.shape, [a.offset(), b.offset()], [a.strides(), b.strides()]);
    let mut result = allocate::<R>(&layout.shape)?;
    fill_chunks(&mut result, |start, chunk| {
        walk.for_each_run(start, chunk.len(), &mut |at, [a, b], n| {
            let out = &mut chunk[at..at + n];
            match walk.run_strides() {
                [0, 0] => out.fill(f(left[a], right[b])),
                [0, _] => {
                    let a = left[a];
                    for (out, b) in out.iter_mut().zip(&right[b..b + n]) {
                        *out = f(a, *b);
                    }
                }
                [_, 0] => {
                    let b = right[b];
                    for (out, a) in out.iter_mut().zip(&left[a..a + n]) {
                        *out = f(*a, b);
                    }
                }
                _ => {
                    for ((out, a), b) in out.iter_mut().zip(&left[a..a + n]).zip(&right[b..b + n]) {
                        *out = f(*a, *b);
                    }
                }
            }
        });
    });
    Ok(layout.tensor(element, result))
}

/// `f` of every triple of elements, declared as `element`.
pub fn zip3<A: Element, B: Element, C: Element, R: Element>(
    element: ElementType,
    a: &Tensor,
    b: &Tensor,
    c: &Tensor,
    f: impl Fn(A, B, C) -> R + Sync,
) -> Result<Tensor, EvalError> {
    let (layout, [a, b, c]) = Layout::new([a, b, c])?;
    let (first, second, third) = (a.elements::<A>()?, b.elements::<B>()?, c.elements::<C>()?);
    let offsets = [a.offset(), b.offset(), c.offset()];
    let walk = Walk::new(&layout.shape, offsets, [a.strides(), b.strides(), c.strides()]);
    let mut result = allocate::<R>(&layout.shape)?;
    fill_chunks(&mut result, |start, chunk| {
        walk.for_each_run(start, chunk.len(), &mut |at, [a, b, c], n| {
            let out = &mut chunk[at..at + n];
            let steps = walk.run_strides().map(|stride| stride as usize);
            if steps == [1; 3] {
                let operands = first[a..a + n].iter().zip(&second[b..b + n]).zip(&third[c..c + n]);
                for (out, ((a, b), c)) in out.iter_mut().zip(operands) {
                    *out = f(*a, *b, *c);
                }
            } else {
                for (i, out) in out.iter_mut().enumerate() {
                    *out = f(first[a + i * steps[0]], second[b + i * steps[1]], third[c + i * steps[2]]);
                }
            }
        });
    });
    Ok(layout.tensor(element, result))
}

/// How a result is stored: dims along which every operand repeats have size one in `shape`.
struct Layout {
    full_shape: Vec<usize>,
    shape: Vec<usize>,
    strides: Vec<isize>,
}

impl Layout {
    /// The result's layout, and views of the operands of shape `shape` whose runs have stride 0 or 1.
    fn new<const N: usize>(operands: [&Tensor; N]) -> Result<(Self, [Tensor; N]), EvalError> {
        let full_shape = operands[0].shape().to_vec();
        if let Some(other) = operands.iter().find(|operand| operand.shape() != full_shape) {
            let message = format!("operands of unlike shapes: {} and {}", operands[0].ty(), other.ty());
            return Err(EvalError::new(message));
        }
        let repeats = |dim: usize| operands.iter().all(|operand| operand.strides()[dim] == 0);
        let mut shape = full_shape.clone();
        for (dim, size) in shape.iter_mut().enumerate() {
            if *size > 1 && repeats(dim) {
                *size = 1;
            }
        }
        let mut strides = row_major(&shape);
        for dim in 0..shape.len() {
            if shape[dim] != full_shape[dim] {
                strides[dim] = 0;
            }
        }
        let mut views =
            operands.map(|operand| operand.view(shape.clone(), operand.strides().to_vec(), operand.offset()));
        let innermost = (0..shape.len()).rev().find(|dim| shape[*dim] != 1);
        for view in &mut views {
            if innermost.is_some_and(|dim| !matches!(view.strides()[dim], 0 | 1)) {
                *view = view.contiguous()?;
            }
        }
        Ok((Self { full_shape, shape, strides }, views))
    }

    fn tensor<R: Element>(self, element: ElementType, elements: Vec<R>) -> Tensor {
        Tensor::from_distinct(element, self.full_shape, self.strides, elements)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting(shape: &[usize]) -> Tensor {
        let len: usize = shape.iter().product();
        Tensor::from_vec(ElementType::I32, shape, (0..len as i32).collect())
    }

    /// Every element of `shape` through the slowest path, as the reference.
    fn reference(operands: &[&Tensor], f: impl Fn(&[i64]) -> i64) -> Vec<i64> {
        let columns: Vec<Vec<i64>> = operands.iter().map(|operand| operand.to_i64_vec()).collect();
        (0..columns[0].len())
            .map(|i| f(&columns.iter().map(|column| column[i]).collect::<Vec<_>>()))
            .collect()
    }

    fn layouts(shape: [usize; 2]) -> Vec<Tensor> {
        let [rows, columns] = shape;
        vec![
            counting(&shape),
            counting(&[columns, rows]).transpose(&[1, 0]).unwrap(),
            counting(&shape).reverse(&[0, 1]).unwrap(),
            counting(&shape).reverse(&[0]).unwrap(),
            counting(&[rows]).broadcast(&shape, &[0]).unwrap(),
            counting(&[columns]).broadcast(&shape, &[1]).unwrap(),
            counting(&[]).broadcast(&shape, &[]).unwrap(),
            counting(&[2 * rows, 3 * columns]).slice(&[1, 0], &[2 * rows, 3 * columns], &[2, 3]).unwrap(),
        ]
    }

    #[test]
    fn every_pair_of_layouts() {
        for shape in [[3, 5], [1, 4], [4, 1], [1, 1], [300, 310]] {
            let all = layouts(shape);
            for a in &all {
                let mapped = map1(ElementType::I64, a, |a: i32| i64::from(a) * 2 + 1).unwrap();
                assert_eq!(mapped.to_i64_vec(), reference(&[a], |v| v[0] * 2 + 1));
                for b in &all {
                    let result =
                        zip2(ElementType::I64, a, b, |a: i32, b: i32| i64::from(a) * 7 - i64::from(b))
                            .unwrap();
                    assert_eq!(result.to_i64_vec(), reference(&[a, b], |v| v[0] * 7 - v[1]));
                }
            }
        }
    }

    #[test]
    fn every_triple_of_layouts() {
        let all = layouts([3, 5]);
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            for c in &all {
                let f = |a: i32, b: i32, c: i32| if a > b { a } else { c };
                let result = zip3(ElementType::I32, a, b, c, f).unwrap();
                assert_eq!(
                    result.to_i64_vec(),
                    reference(&[a, b, c], |v| if v[0] > v[1] { v[0] } else { v[2] })
                );
            }
        }
    }

    #[test]
    fn repeated_dims_are_computed_once() {
        let row = counting(&[3]).broadcast(&[1000, 3], &[1]).unwrap();
        let result = map1(ElementType::I32, &row, |a: i32| -a).unwrap();
        assert_eq!((result.shape(), result.buffer().len()), (&[1000, 3][..], 3));
        let column = counting(&[1000]).broadcast(&[1000, 3], &[0]).unwrap();
        let result = zip2(ElementType::I32, &row, &column, |a: i32, b: i32| a + b).unwrap();
        assert_eq!(result.buffer().len(), 3000);
    }

    #[test]
    fn empty_and_rank_zero() {
        let empty = counting(&[3, 0]);
        assert_eq!(zip2(ElementType::I32, &empty, &empty, |a: i32, b: i32| a + b).unwrap().shape(), [3, 0]);
        let broadcast = counting(&[1]).broadcast(&[1, 0], &[0]).unwrap();
        assert_eq!(map1(ElementType::I32, &broadcast, |a: i32| a).unwrap().num_elements(), 0);
        let scalar = Tensor::scalar_i32(4);
        assert_eq!(map1(ElementType::I32, &scalar, |a: i32| a + 1).unwrap().scalar_as_i64(), Ok(5));
    }

    #[test]
    fn mistakes_are_errors() {
        let (a, b) = (counting(&[2]), counting(&[3]));
        assert!(zip2(ElementType::I32, &a, &b, |a: i32, _: i32| a).is_err());
        assert!(map1(ElementType::I32, &a, |_: f32| 0i32).is_err());
    }
}
