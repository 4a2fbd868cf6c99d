//! Arithmetic on shapes and strides, and [`Walk`], which visits several strided operands together.

use crate::eval_error::EvalError;

/// Strides of a row-major tensor without gaps.
pub fn row_major(shape: &[usize]) -> Vec<isize> {
    let mut strides = vec![0; shape.len()];
    let mut stride = 1isize;
    for (dim, size) in shape.iter().enumerate().rev() {
        strides[dim] = stride;
        stride = stride.saturating_mul((*size).max(1) as isize);
    }
    strides
}

/// Whether the strides are row-major without gaps, wherever they matter.
pub(crate) fn is_row_major(shape: &[usize], strides: &[isize]) -> bool {
    let mut expected = 1;
    if shape.contains(&0) {
        return true;
    }
    for (size, stride) in shape.iter().zip(strides).rev() {
        if *size != 1 && *stride != expected {
            return false;
        }
        expected *= *size as isize;
    }
    true
}

/// Number of elements of `shape`, or an error if a buffer of so many `T` cannot be addressed on this host.
pub fn checked_len<T>(shape: &[usize]) -> Result<usize, EvalError> {
    if shape.contains(&0) {
        return Ok(0);
    }
    let bytes = shape.iter().try_fold(size_of::<T>(), |bytes, size| bytes.checked_mul(*size));
    match bytes {
        Some(bytes) if bytes <= isize::MAX as usize => Ok(bytes / size_of::<T>().max(1)),
        _ => Err(EvalError::new(format!("a tensor of shape {shape:?} is too large for this host"))),
    }
}

/// As [`checked_len`], for a buffer that is about to be made: an error too if the host does not give the memory. Where
/// it promises more than it has, it still may.
pub fn allocatable_len<T>(shape: &[usize]) -> Result<usize, EvalError> {
    /// What any host gives.
    const SMALL: usize = 1 << 28;
    let len = checked_len::<T>(shape)?;
    let bytes = len * size_of::<T>();
    if bytes > SMALL && Vec::<T>::new().try_reserve_exact(len).is_err() {
        let gibibytes = bytes as f64 / (1u64 << 30) as f64;
        return Err(EvalError::new(format!(
            "a tensor of shape {shape:?} needs {gibibytes:.1} GiB, which this host does not give"
        )));
    }
    Ok(len)
}

/// The index of row-major position `position` in `shape`.
pub fn unravel(mut position: usize, shape: &[usize]) -> Vec<usize> {
    let mut index = vec![0; shape.len()];
    for (dim, size) in shape.iter().enumerate().rev() {
        index[dim] = position % size;
        position /= size;
    }
    index
}

/// `offset` moved by `index` along `strides`.
pub(crate) fn locate(offset: usize, index: &[usize], strides: &[isize]) -> usize {
    let moved: isize = index.iter().zip(strides).map(|(index, stride)| *index as isize * stride).sum();
    offset.wrapping_add_signed(moved)
}

/// Several strided operands visited together in the row-major order of one shape.
///
/// Dims of size one are dropped, and neighboring dims that every operand could treat as one are merged, so that
/// the innermost run is as long as possible.
pub struct Walk<const N: usize> {
    shape: Vec<usize>,
    strides: Vec<[isize; N]>,
    offsets: [usize; N],
}

impl<const N: usize> Walk<N> {
    /// A walk over `shape` for operands with these offsets and strides.
    pub fn new(shape: &[usize], offsets: [usize; N], strides: [&[isize]; N]) -> Self {
        let mut walk = Self { shape: Vec::new(), strides: Vec::new(), offsets };
        for (dim, size) in shape.iter().enumerate() {
            if *size == 1 {
                continue;
            }
            let inner = strides.map(|strides| strides[dim]);
            match (walk.shape.last_mut(), walk.strides.last_mut()) {
                (Some(outer_size), Some(outer))
                    if (0..N)
                        .all(|operand| outer[operand] == inner[operand].wrapping_mul(*size as isize)) =>
                {
                    // Only an empty tensor's dims can overflow, and those are never visited.
                    *outer_size = outer_size.wrapping_mul(*size);
                    *outer = inner;
                }
                _ => {
                    walk.shape.push(*size);
                    walk.strides.push(inner);
                }
            }
        }
        walk
    }

    /// The merged dims, outermost first.
    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The strides of each merged dim.
    pub(crate) fn strides(&self) -> &[[isize; N]] {
        &self.strides
    }

    /// Where each operand starts.
    pub(crate) fn offsets(&self) -> [usize; N] {
        self.offsets
    }

    /// Each operand's stride within a run; 1 where a run has one element.
    pub fn run_strides(&self) -> [isize; N] {
        self.strides.last().copied().unwrap_or([1; N])
    }

    /// Visits positions `start..start + len` as runs along the innermost dim: `run(position - start, offsets, n)`.
    ///
    /// The visitor is a trait object: this loop would otherwise be compiled for every op and every type.
    pub fn for_each_run(&self, start: usize, len: usize, run: &mut dyn FnMut(usize, [usize; N], usize)) {
        if len == 0 {
            return;
        }
        let run_len = self.shape.last().copied().unwrap_or(1);
        let outer = self.shape.len().saturating_sub(1);
        let mut index = unravel(start, &self.shape);
        let mut within = index.last().copied().unwrap_or(0);
        let mut offsets: [isize; N] = self.offsets.map(|offset| offset as isize);
        for (dim, at) in index.iter().enumerate().take(outer) {
            for operand in 0..N {
                offsets[operand] += *at as isize * self.strides[dim][operand];
            }
        }
        let run_strides = self.run_strides();
        let mut done = 0;
        while done < len {
            let n = (run_len - within).min(len - done);
            let mut at = [0; N];
            for operand in 0..N {
                at[operand] = (offsets[operand] + within as isize * run_strides[operand]) as usize;
            }
            run(done, at, n);
            done += n;
            within = 0;
            for dim in (0..outer).rev() {
                index[dim] += 1;
                for operand in 0..N {
                    offsets[operand] += self.strides[dim][operand];
                }
                if index[dim] < self.shape[dim] {
                    break;
                }
                for operand in 0..N {
                    offsets[operand] -= self.strides[dim][operand] * self.shape[dim] as isize;
                }
                index[dim] = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_merges_dims_and_visits_any_range() {
        // [2, 3, 4] row-major beside the same broadcast along the middle dim.
        let walk = Walk::new(&[2, 3, 4], [0, 10], [&[12, 4, 1], &[4, 0, 1]]);
        assert_eq!(walk.shape(), [2, 3, 4]);
        let mut seen = Vec::new();
        walk.for_each_run(5, 9, &mut |at, [a, b], n| seen.push((at, a, b, n)));
        assert_eq!(seen, [(0, 5, 11, 3), (3, 8, 10, 4), (7, 12, 14, 2)]);
        let merged = Walk::new(&[2, 1, 3, 4], [0], [&[12, 7, 4, 1]]);
        assert_eq!(merged.shape(), [24]);
        assert_eq!(Walk::<1>::new(&[], [3], [&[]]).run_strides(), [1]);
    }

    #[test]
    fn sizes_that_cannot_be_addressed_are_errors() {
        assert!(checked_len::<f32>(&[usize::MAX, 2]).is_err());
        assert!(checked_len::<u8>(&[usize::MAX]).is_err());
        assert_eq!(checked_len::<f32>(&[usize::MAX, 0]), Ok(0));
        assert_eq!(checked_len::<f32>(&[]), Ok(1));
        let message = allocatable_len::<u8>(&[1 << 31, 1 << 31]).unwrap_err().message;
        assert_eq!(
            message,
            "a tensor of shape [2147483648, 2147483648] needs 4294967296.0 GiB, which this host does not give"
        );
        assert_eq!(allocatable_len::<f64>(&[1 << 26]), Ok(1 << 26));
    }
}
