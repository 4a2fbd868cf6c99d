//! Loops over whole tensors that op evaluation is written with.
//!
//! - [`map1`], [`zip2`], [`zip3`]: elementwise, on strided views, without copying repeated (stride 0) operands.
//! - [`reduce()`]: over any dims, in an order that is fixed by the shape.
//! - [`fill_chunks`] and [`allocate`]: for kernels that compute their result's elements from their positions.
//!
//! Work above a threshold is spread over the rayon pool in chunks of fixed size, so results never depend on the
//! number of threads.

mod elementwise;
mod reduce;

use rayon::prelude::*;

pub use self::elementwise::{map1, zip2, zip3};
pub use self::reduce::reduce;
use super::{Element, allocatable_len};
use crate::eval_error::EvalError;

/// Elements from which a kernel is worth spreading over threads.
pub(crate) const PARALLEL: usize = 1 << 16;
/// Elements of one parallel task.
pub const CHUNK: usize = 1 << 14;

/// Zeros to be overwritten, as many as `shape` has elements. Errors: more than the host can hold.
pub fn allocate<T: Element>(shape: &[usize]) -> Result<Vec<T>, EvalError> {
    Ok(vec![T::default(); allocatable_len::<T>(shape)?])
}

/// Calls `fill(position of the chunk's first element, chunk)` for all of `elements`, in parallel if they are many.
pub fn fill_chunks<T: Element>(elements: &mut [T], fill: impl Fn(usize, &mut [T]) + Sync) {
    let work = elements.len();
    fill_chunks_of(elements, CHUNK, work, &fill);
}

/// As [`fill_chunks`] with chunks of `chunk_len`, in parallel if `work` (in elements) is worth it.
///
/// `fill` is a trait object, so that the scheduling code is compiled once per type and not once per op.
pub fn fill_chunks_of<T: Element>(
    elements: &mut [T],
    chunk_len: usize,
    work: usize,
    fill: &(dyn Fn(usize, &mut [T]) + Sync),
) {
    if work >= PARALLEL && elements.len() > chunk_len {
        let chunks = elements.par_chunks_mut(chunk_len).enumerate();
        chunks.for_each(|(index, chunk)| fill(index * chunk_len, chunk));
    } else if !elements.is_empty() {
        fill(0, elements);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ElementType;
    use crate::{Precision, Tensor, matmul};

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        let value = |i: usize| ((i * 7919 % 10_007) as f32 - 5000.0) * 1.234e-3;
        let x =
            Tensor::from_vec(ElementType::F32, [2, 300, 310], (0..186_000).map(value).collect::<Vec<_>>());
        let y = x.transpose(&[0, 2, 1]).unwrap();
        let compute = || {
            let sum = |dims: &[usize]| {
                reduce(ElementType::F32, &x, dims, 0f32, |a, b| a + b, |x: f32| x, |x| x)
                    .unwrap()
                    .to_le_bytes()
            };
            let product = matmul(&x, &y, ElementType::F32, Precision::Declared).unwrap();
            let sines = map1(ElementType::F32, &y, f32::sin).unwrap();
            [sum(&[0, 1, 2]), sum(&[0]), sum(&[2]), sum(&[0, 1]), product.to_le_bytes(), sines.to_le_bytes()]
        };
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(compute)
        };
        let one = with_threads(1);
        assert!(one.iter().all(Result::is_ok));
        assert_eq!(one, with_threads(2));
        assert_eq!(one, with_threads(5));
        assert_eq!(one, compute());
    }
}
