//! Batched matrix products on strided operands: what `dot_general` and `convolution` come down to.
//!
//! Floats go to `matrixmultiply` (half types through `f32`, rounded once at the end); integers, complex numbers and
//! small products through a plain loop. The result is cut into blocks of fixed size, which are computed in parallel; each element is
//! computed within one block, so the number of threads never matters.

#![allow(unsafe_code)] // `matrixmultiply` takes pointers; all shards of a product are disjoint

use rayon::prelude::*;

use super::{Complex, Element, Native, Number, Precision, Real, StorageKind, Tensor, convert, kernels};
use crate::eval_error::EvalError;
use crate::types::ElementType;

/// Rows of one block of the result.
const BLOCK_ROWS: usize = 256;
/// Columns of one block of the result.
const BLOCK_COLUMNS: usize = 1024;
/// Multiplications below which a product is computed by the calling thread.
const PARALLEL_PRODUCTS: usize = 1 << 18;

/// Multiplications up to which terms are added in order, each rounded, as the specification writes the sum down.
const IN_ORDER: usize = 1 << 12;

/// `[batch, m, k] x [batch, k, n] -> [batch, m, n]`, declared as `element`.
///
/// Booleans multiply with and, add with or. Operands may have other element types than the result.
pub fn matmul(
    a: &Tensor,
    b: &Tensor,
    element: ElementType,
    precision: Precision,
) -> Result<Tensor, EvalError> {
    let ([batch, m, k], [b_batch, b_k, n]) = match (a.shape(), b.shape()) {
        (&[a0, a1, a2], &[b0, b1, b2]) => ([a0, a1, a2], [b0, b1, b2]),
        _ => return Err(EvalError::new(format!("cannot multiply {} by {}", a.ty(), b.ty()))),
    };
    if batch != b_batch || k != b_k {
        return Err(EvalError::new(format!("cannot multiply {} by {}", a.ty(), b.ty())));
    }
    let sizes = Sizes { batch, m, k, n };
    let storage = precision.storage(element);
    let has_f64 = [a.storage(), b.storage(), storage].contains(&StorageKind::F64);
    match storage {
        StorageKind::Bool => {
            let counts = multiply_integers::<u64>(a, b, sizes)?;
            convert(&counts, element, precision)
        }
        _ if !storage.is_float() && !storage.is_complex() => crate::dispatch_integer!(storage, T => {
            let product = multiply_integers::<T>(a, b, sizes)?;
            convert(&product, element, precision)
        }, else unreachable!("not a float")),
        StorageKind::C64 => convert(&multiply_complex::<f32>(a, b, sizes)?, element, precision),
        StorageKind::C128 => convert(&multiply_complex::<f64>(a, b, sizes)?, element, precision),
        _ if has_f64 => convert(&multiply_floats::<f64>(a, b, sizes)?, element, precision),
        _ => convert(&multiply_floats::<f32>(a, b, sizes)?, element, precision),
    }
}

/// Complex numbers, term after term.
fn multiply_complex<R: Real>(a: &Tensor, b: &Tensor, sizes: Sizes) -> Result<Tensor, EvalError>
where
    Complex<R>: Element,
{
    let element = Complex::<R>::ELEMENT;
    let (a, b) = (convert(a, element, Precision::Declared)?, convert(b, element, Precision::Declared)?);
    multiply_in_order(&a, &b, sizes, |sum: Complex<R>, a: Complex<R>, b: Complex<R>| {
        let re = a.re.mul(b.re).sub(a.im.mul(b.im));
        let im = a.re.mul(b.im).add(a.im.mul(b.re));
        Complex::new(sum.re.add(re), sum.im.add(im))
    })
}

#[derive(Clone, Copy)]
struct Sizes {
    batch: usize,
    m: usize,
    k: usize,
    n: usize,
}

impl Sizes {
    fn result_shape(self) -> [usize; 3] {
        [self.batch, self.m, self.n]
    }

    /// Multiplications.
    fn count(self) -> usize {
        [self.batch, self.m, self.k, self.n].into_iter().fold(1, usize::saturating_mul)
    }

    fn is_small(self) -> bool {
        self.count() < PARALLEL_PRODUCTS
    }
}

/// `f32` and `f64`: what the library multiplies.
trait Gemm: Number + Native {
    /// `c = a b` for an `m x k` and a `k x n` matrix, each given by a pointer and its row and column strides.
    ///
    /// # Safety
    /// Every element that the sizes and strides address is inside its allocation, and nothing else accesses
    /// those of `c` meanwhile.
    unsafe fn gemm(
        sizes: (usize, usize, usize),
        a: (*const Self, isize, isize),
        b: (*const Self, isize, isize),
        c: (*mut Self, isize, isize),
    );
}

macro_rules! gemm {
    ($native:ident $function:ident) => {
        impl Gemm for $native {
            unsafe fn gemm(
                (m, k, n): (usize, usize, usize),
                (a, a_row, a_column): (*const Self, isize, isize),
                (b, b_row, b_column): (*const Self, isize, isize),
                (c, c_row, c_column): (*mut Self, isize, isize),
            ) {
                // SAFETY: as promised by the caller.
                unsafe {
                    matrixmultiply::$function(
                        m, k, n, 1.0, a, a_row, a_column, b, b_row, b_column, 0.0, c, c_row, c_column,
                    );
                }
            }
        }
    };
}

gemm!(f32 sgemm);
gemm!(f64 dgemm);

/// A pointer that tasks share; they write disjoint blocks behind it.
#[derive(Clone, Copy)]
struct Shared<T>(*mut T);

// SAFETY: the tasks of one product write disjoint elements and read none.
unsafe impl<T: Send> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T> Shared<T> {
    fn pointer(&self) -> *mut T {
        self.0
    }
}

fn multiply_floats<T: Gemm>(a: &Tensor, b: &Tensor, sizes: Sizes) -> Result<Tensor, EvalError> {
    let Sizes { batch, m, k, n } = sizes;
    let (a, b) = (a.stored_as::<T>()?, b.stored_as::<T>()?);
    if sizes.count() <= IN_ORDER {
        return multiply_in_order(&a, &b, sizes, |sum: T, a: T, b: T| sum.add(a.mul(b)));
    }
    let (left, right) = (a.elements::<T>()?, b.elements::<T>()?);
    let mut product = kernels::allocate::<T>(&sizes.result_shape())?;
    if product.is_empty() || k == 0 {
        return Ok(Tensor::from_vec(T::ELEMENT, sizes.result_shape(), product));
    }
    let (row_blocks, column_blocks) = (m.div_ceil(BLOCK_ROWS), n.div_ceil(BLOCK_COLUMNS));
    let result = Shared(product.as_mut_ptr());
    let block = |index: usize| {
        let (slice, within) = (index / (row_blocks * column_blocks), index % (row_blocks * column_blocks));
        let row = within / column_blocks * BLOCK_ROWS;
        let column = within % column_blocks * BLOCK_COLUMNS;
        let rows = BLOCK_ROWS.min(m - row);
        let columns = BLOCK_COLUMNS.min(n - column);
        let shift =
            |tensor: &Tensor, at: [usize; 3]| super::layout::locate(tensor.offset(), &at, tensor.strides());
        // SAFETY: the offsets are those of elements inside the tensors' shapes, whose strides stay inside the
        // buffers by the invariant of `Tensor`; the blocks of the result are disjoint and cover it once.
        unsafe {
            T::gemm(
                (rows, k, columns),
                (left.as_ptr().add(shift(&a, [slice, row, 0])), a.strides()[1], a.strides()[2]),
                (right.as_ptr().add(shift(&b, [slice, 0, column])), b.strides()[1], b.strides()[2]),
                (result.pointer().add((slice * m + row) * n + column), n as isize, 1),
            );
        }
    };
    let blocks = batch * row_blocks * column_blocks;
    if sizes.is_small() {
        (0..blocks).for_each(block);
    } else {
        // A task has enough to do to be worth handing over.
        let block_products = m.min(BLOCK_ROWS) * n.min(BLOCK_COLUMNS) * k;
        let together = (PARALLEL_PRODUCTS / 4 / block_products).max(1);
        (0..blocks).into_par_iter().with_min_len(together).for_each(block);
    }
    Ok(Tensor::from_vec(T::ELEMENT, sizes.result_shape(), product))
}

fn multiply_integers<T: Number + Native>(a: &Tensor, b: &Tensor, sizes: Sizes) -> Result<Tensor, EvalError> {
    let (a, b) = (a.stored_as::<T>()?, b.stored_as::<T>()?);
    multiply_in_order(&a, &b, sizes, |sum: T, a: T, b: T| sum.add(a.mul(b)))
}

/// Adds one term after the other to every element, beginning with zero.
fn multiply_in_order<T: Element>(
    a: &Tensor,
    b: &Tensor,
    sizes: Sizes,
    add_product: impl Fn(T, T, T) -> T + Sync,
) -> Result<Tensor, EvalError> {
    let Sizes { m, k, n, .. } = sizes;
    let (left, right) = (a.dense::<T>()?, b.dense::<T>()?);
    let mut product = kernels::allocate::<T>(&sizes.result_shape())?;
    if product.is_empty() || k == 0 {
        return Ok(Tensor::from_vec(T::ELEMENT, sizes.result_shape(), product));
    }
    let rows_together = kernels::PARALLEL.div_ceil(n.saturating_mul(k));
    let work = product.len().saturating_mul(k);
    kernels::fill_chunks_of(&mut product, rows_together * n, work, &|start, rows| {
        for (index, out) in rows.chunks_exact_mut(n).enumerate() {
            let row = start / n + index;
            let slice = &right[row / m * k * n..][..k * n];
            for (factor, other) in left[row * k..][..k].iter().zip(slice.chunks_exact(n)) {
                for (out, other) in out.iter_mut().zip(other) {
                    *out = add_product(*out, *factor, *other);
                }
            }
        }
    });
    Ok(Tensor::from_vec(T::ELEMENT, sizes.result_shape(), product))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counting<T: Native>(element: ElementType, shape: &[usize], scale: i64) -> Tensor {
        let len: usize = shape.iter().product();
        let value = |i: usize| ((i as i64 * 7 + 3) % 11 - 5) * scale;
        Tensor::from_vec(element, shape, (0..len).map(|i| value(i).cast::<T>()).collect())
    }

    fn reference(a: &Tensor, b: &Tensor) -> Vec<f64> {
        let (&[batch, m, k], n) = (<&[usize; 3]>::try_from(a.shape()).unwrap(), b.shape()[2]);
        let (a, b) = (a.to_f64_vec(), b.to_f64_vec());
        let term = |s: usize, i: usize, j: usize, p: usize| a[(s * m + i) * k + p] * b[(s * k + p) * n + j];
        let mut result = Vec::new();
        for s in 0..batch {
            for i in 0..m {
                result.extend((0..n).map(|j| (0..k).map(|p| term(s, i, j, p)).sum::<f64>()));
            }
        }
        result
    }

    #[test]
    fn products_of_every_storage() {
        let check = |a: Tensor, b: Tensor, element| {
            let product = matmul(&a, &b, element, Precision::Declared).unwrap();
            assert_eq!((product.to_f64_vec(), product.element()), (reference(&a, &b), element));
        };
        let shapes: ([usize; 3], [usize; 3]) = ([2, 3, 4], [2, 4, 5]);
        macro_rules! both {
            ($native:ty, $element:ident) => {
                check(
                    counting::<$native>(ElementType::$element, &shapes.0, 1),
                    counting::<$native>(ElementType::$element, &shapes.1, 1),
                    ElementType::$element,
                )
            };
        }
        both!(f32, F32);
        both!(f64, F64);
        both!(half::f16, F16);
        both!(half::bf16, Bf16);
        both!(i32, I32);
        both!(i64, I64);
    }

    #[test]
    fn large_strided_and_repeated_operands() {
        let a = counting::<f32>(ElementType::F32, &[2, 70, 300], 1).transpose(&[0, 2, 1]).unwrap();
        let b = counting::<f32>(ElementType::F32, &[70, 1100], 1).reverse(&[0]).unwrap();
        let b = b.broadcast(&[2, 70, 1100], &[1, 2]).unwrap();
        let product = matmul(&a, &b, ElementType::F32, Precision::Declared).unwrap();
        assert_eq!(product.to_f64_vec(), reference(&a, &b));
        let (a, b) = (
            convert(&a, ElementType::I32, Precision::Declared),
            convert(&b, ElementType::I32, Precision::Declared),
        );
        let (a, b) = (a.unwrap(), b.unwrap());
        let product = matmul(&a, &b, ElementType::I32, Precision::Declared).unwrap();
        assert_eq!(product.to_f64_vec(), reference(&a, &b));
    }

    #[test]
    fn operands_of_other_types_than_the_result() {
        let a = counting::<half::bf16>(ElementType::Bf16, &[1, 2, 300], 1);
        let b = counting::<half::bf16>(ElementType::Bf16, &[1, 300, 2], 3);
        let product = matmul(&a, &b, ElementType::F32, Precision::Declared).unwrap();
        assert_eq!((product.to_f64_vec(), product.storage()), (reference(&a, &b), StorageKind::F32));
        let a = counting::<i8>(ElementType::I8, &[1, 2, 300], 20);
        let b = counting::<i8>(ElementType::I8, &[1, 300, 2], 20);
        let product = matmul(&a, &b, ElementType::I32, Precision::Declared).unwrap();
        assert_eq!(product.to_f64_vec(), reference(&a, &b));
        let wide = Tensor::from_vec(ElementType::F32, [1, 1, 1], vec![0.1f64]);
        let product = matmul(&wide, &wide, ElementType::Bf16, Precision::Wide).unwrap();
        assert_eq!((product.to_f64_vec(), product.element()), (vec![0.1 * 0.1], ElementType::Bf16));
    }

    #[test]
    fn integers_wrap_and_booleans_mean_any() {
        let big = Tensor::from_vec(ElementType::I32, [1, 1, 2], vec![i32::MAX, 1]);
        let two = Tensor::from_vec(ElementType::I32, [1, 2, 1], vec![2i32, 1]);
        let product = matmul(&big, &two, ElementType::I32, Precision::Declared).unwrap();
        assert_eq!(product.to_i64_vec(), [-1]);
        let yes = Tensor::from_vec(ElementType::I1, [1, 1, 256], vec![true; 256]);
        let product = matmul(&yes, &yes.transpose(&[0, 2, 1]).unwrap(), ElementType::I1, Precision::Declared);
        assert_eq!(product.unwrap().to_i64_vec(), [1]);
    }

    #[test]
    fn empty_products() {
        let zeros = |shape: [usize; 3]| counting::<f32>(ElementType::F32, &shape, 1);
        let multiply = |a, b| matmul(&zeros(a), &zeros(b), ElementType::F32, Precision::Declared);
        assert_eq!(multiply([1, 2, 0], [1, 0, 3]).unwrap().to_f64_vec(), [0.0; 6]);
        assert_eq!(multiply([0, 2, 2], [0, 2, 3]).unwrap().shape(), [0, 2, 3]);
        assert_eq!(multiply([1, 2, 2], [1, 2, 0]).unwrap().num_elements(), 0);
        assert!(multiply([1, 2, 2], [1, 3, 2]).is_err());
        assert!(multiply([1, 2, 2], [2, 2, 2]).is_err());
    }
}
