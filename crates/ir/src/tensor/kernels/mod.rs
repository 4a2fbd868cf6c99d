//! Loops over whole tensors that op evaluation is written with.
//!
//! - [`map1`], [`zip2`], [`zip3`]: elementwise, on strided views, without copying repeated (stride 0) operands.
//! - [`reduce`]: over any dims, in an order that is fixed by the shape.
//! - [`fill_chunks`] and [`allocate`]: for kernels that compute their result's elements from their positions.
//!
//! Work above a threshold is spread over the rayon pool in chunks of fixed size, so results never depend on the
//! number of threads.

mod elementwise;
mod reduce;

use rayon::prelude::*;

pub use self::elementwise::{map1, zip2, zip3};
pub use self::reduce::reduce;
use super::{Native, checked_len};
use crate::eval_error::EvalError;

/// Elements from which a kernel is worth spreading over threads.
pub(crate) const PARALLEL: usize = 1 << 16;
/// Elements of one parallel task.
pub(crate) const CHUNK: usize = 1 << 14;

/// Zeros to be overwritten, as many as `shape` has elements.
pub fn allocate<T: Native>(shape: &[usize]) -> Result<Vec<T>, EvalError> {
    Ok(vec![T::default(); checked_len::<T>(shape)?])
}

/// Calls `fill(position of the chunk's first element, chunk)` for all of `elements`, in parallel if they are many.
pub fn fill_chunks<T: Native>(elements: &mut [T], fill: impl Fn(usize, &mut [T]) + Sync) {
    let work = elements.len();
    fill_chunks_of(elements, CHUNK, work, &fill);
}

/// As [`fill_chunks`] with chunks of `chunk_len`, in parallel if `work` (in elements) is worth it.
///
/// `fill` is a trait object, so that the scheduling code is compiled once per type and not once per op.
pub(crate) fn fill_chunks_of<T: Native>(
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
