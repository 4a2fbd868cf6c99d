//! Views: the same elements under another shape, without copying them.
//!
//! Preconditions are checked, so that a mistake is an [`EvalError`] and not an access outside the buffer.

use super::{Tensor, checked_len, layout};
use crate::eval_error::EvalError;

impl Tensor {
    /// The same elements in row-major order under another shape. Copies only where no strides can express it.
    pub fn reshape(&self, shape: &[usize]) -> Result<Tensor, EvalError> {
        let len = checked_len::<u8>(shape)?;
        if len != self.num_elements() {
            return Err(EvalError::new(format!("{} does not reshape to {shape:?}", self.ty())));
        }
        match reshaped_strides(&self.shape, &self.strides, shape) {
            Some(strides) => Ok(self.view(shape.to_vec(), strides, self.offset)),
            None => {
                let packed = self.contiguous()?;
                let offset = packed.offset;
                Ok(packed.view(shape.to_vec(), layout::row_major(shape), offset))
            }
        }
    }

    /// Dim `i` of the result is dim `permutation[i]` of the operand.
    pub fn transpose(&self, permutation: &[usize]) -> Result<Tensor, EvalError> {
        let mut sorted = permutation.to_vec();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(0..self.rank()) {
            return Err(EvalError::new(format!(
                "{permutation:?} does not permute the dims of {}",
                self.ty()
            )));
        }
        let shape = permutation.iter().map(|dim| self.shape[*dim]).collect();
        let strides = permutation.iter().map(|dim| self.strides[*dim]).collect();
        Ok(self.view(shape, strides, self.offset))
    }

    /// `broadcast_in_dim`: dim `i` of the operand becomes dim `dims[i]` of the result (repeated if its size is
    /// one); all other dims repeat.
    pub fn broadcast(&self, shape: &[usize], dims: &[usize]) -> Result<Tensor, EvalError> {
        checked_len::<u64>(shape)?;
        let error =
            || EvalError::new(format!("{} does not broadcast to {shape:?} along {dims:?}", self.ty()));
        if dims.len() != self.rank() {
            return Err(error());
        }
        let mut strides = vec![0; shape.len()];
        for (dim, target) in dims.iter().enumerate() {
            let size = *shape.get(*target).ok_or_else(error)?;
            if self.shape[dim] == size {
                strides[*target] = self.strides[dim];
            } else if self.shape[dim] != 1 {
                return Err(error());
            }
        }
        Ok(self.view(shape.to_vec(), strides, self.offset))
    }

    /// Elements `start, start + stride, ...` below `limit`, in each dim.
    pub fn slice(&self, start: &[usize], limit: &[usize], stride: &[usize]) -> Result<Tensor, EvalError> {
        let rank = self.rank();
        let fits = |dim| start[dim] <= limit[dim] && limit[dim] <= self.shape[dim] && stride[dim] > 0;
        if start.len() != rank || limit.len() != rank || stride.len() != rank || !(0..rank).all(fits) {
            let range = format!("[{start:?}, {limit:?}) by {stride:?}");
            return Err(EvalError::new(format!("the slice {range} does not fit {}", self.ty())));
        }
        let shape: Vec<usize> =
            (0..rank).map(|dim| (limit[dim] - start[dim]).div_ceil(stride[dim])).collect();
        let strides = (0..rank).map(|dim| self.strides[dim].wrapping_mul(stride[dim] as isize)).collect();
        let empty = shape.contains(&0);
        let offset = if empty { self.offset } else { layout::locate(self.offset, start, &self.strides) };
        Ok(self.view(shape, strides, offset))
    }

    /// The block of `sizes` at `start`, moved inside the bounds as `dynamic_slice` does.
    pub fn dynamic_slice(&self, start: &[i64], sizes: &[usize]) -> Result<Tensor, EvalError> {
        let start = clamp_start(&self.shape, start, sizes)?;
        let limit: Vec<usize> = start.iter().zip(sizes).map(|(start, size)| start + size).collect();
        self.slice(&start, &limit, &vec![1; self.rank()])
    }

    /// The elements in opposite order along `dims`.
    pub fn reverse(&self, dims: &[usize]) -> Result<Tensor, EvalError> {
        let mut view = self.clone();
        for dim in dims {
            let size = *self
                .shape
                .get(*dim)
                .ok_or_else(|| EvalError::new(format!("cannot reverse dim {dim} of {}", self.ty())))?;
            if size > 1 {
                view.offset =
                    view.offset.wrapping_add_signed((size as isize - 1).wrapping_mul(view.strides[*dim]));
                view.strides[*dim] = view.strides[*dim].wrapping_neg();
            }
        }
        Ok(view)
    }

    /// The same buffer under a layout that was checked.
    pub fn view(&self, shape: Vec<usize>, strides: Vec<isize>, offset: usize) -> Tensor {
        Tensor { element: self.element, shape, strides, offset, buffer: self.buffer.clone() }
    }
}

/// Where a block of `sizes` starts inside `shape` when asked to start at `start`: moved inside the bounds, as
/// `dynamic_slice` and `dynamic_update_slice` do.
pub(crate) fn clamp_start(shape: &[usize], start: &[i64], sizes: &[usize]) -> Result<Vec<usize>, EvalError> {
    let fits = sizes.iter().zip(shape).all(|(size, bound)| size <= bound);
    if start.len() != shape.len() || sizes.len() != shape.len() || !fits {
        return Err(EvalError::new(format!("a block of {sizes:?} does not fit a tensor of shape {shape:?}")));
    }
    let clamp = |dim: usize| (start[dim].max(0) as u64).min((shape[dim] - sizes[dim]) as u64) as usize;
    Ok((0..shape.len()).map(clamp).collect())
}

/// Strides that show the elements of a strided view, in row-major order, under `target` (of as many elements);
/// none if that needs a copy.
fn reshaped_strides(shape: &[usize], strides: &[isize], target: &[usize]) -> Option<Vec<isize>> {
    if shape.contains(&0) {
        return Some(layout::row_major(target));
    }
    let merged = layout::Walk::new(shape, [0], [strides]);
    let mut groups = merged.shape().iter().zip(merged.strides()).rev();
    let mut result = vec![0; target.len()];
    let (mut left, mut stride) = (1, 0);
    for (dim, size) in target.iter().enumerate().rev() {
        if *size == 1 {
            continue;
        }
        if left == 1 {
            let (group, [inner]) = groups.next()?;
            (left, stride) = (*group, *inner);
        }
        if left % size != 0 {
            return None;
        }
        result[dim] = stride;
        stride *= *size as isize;
        left /= size;
    }
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels;
    use crate::types::ElementType;

    fn counting(shape: &[usize]) -> Tensor {
        let len: usize = shape.iter().product();
        Tensor::from_vec(ElementType::I32, shape, (0..len as i32).collect())
    }

    fn values(tensor: &Tensor) -> Vec<i32> {
        tensor.dense::<i32>().unwrap().into_owned()
    }

    fn shares(a: &Tensor, b: &Tensor) -> bool {
        std::sync::Arc::ptr_eq(&a.buffer, &b.buffer)
    }

    #[test]
    fn reshape_copies_only_when_it_must() {
        let tensor = counting(&[2, 3, 4]);
        let flat = tensor.reshape(&[6, 1, 4]).unwrap();
        assert!(shares(&flat, &tensor));
        let swapped = tensor.transpose(&[1, 0, 2]).unwrap();
        let split = swapped.reshape(&[3, 2, 2, 2]).unwrap();
        assert!(shares(&split, &tensor));
        assert_eq!(values(&split), values(&swapped));
        let merged = swapped.reshape(&[6, 4]).unwrap();
        assert!(!shares(&merged, &tensor));
        assert_eq!(values(&merged), values(&swapped));
        let repeated = counting(&[]).broadcast(&[2, 6], &[]).unwrap();
        assert!(shares(&repeated.reshape(&[4, 3]).unwrap(), &repeated));
        assert!(tensor.reshape(&[5, 5]).is_err());
    }

    #[test]
    fn reshape_of_empty_and_rank_zero() {
        assert_eq!(counting(&[2, 0]).reshape(&[0, 7, 3]).unwrap().shape(), [0, 7, 3]);
        assert_eq!(values(&counting(&[1, 1]).reshape(&[]).unwrap()), [0]);
        assert_eq!(counting(&[]).reshape(&[1, 1]).unwrap().shape(), [1, 1]);
    }

    #[test]
    fn transpose_checks_its_permutation() {
        assert_eq!(values(&counting(&[2, 3]).transpose(&[1, 0]).unwrap()), [0, 3, 1, 4, 2, 5]);
        assert!(counting(&[2, 3]).transpose(&[0, 0]).is_err());
        assert!(counting(&[2, 3]).transpose(&[0]).is_err());
        assert_eq!(values(&counting(&[]).transpose(&[]).unwrap()), [0]);
    }

    #[test]
    fn broadcast_follows_broadcast_in_dim() {
        let row = counting(&[3]).broadcast(&[2, 3], &[1]).unwrap();
        assert_eq!(values(&row), [0, 1, 2, 0, 1, 2]);
        let column = counting(&[3]).broadcast(&[3, 2], &[0]).unwrap();
        assert_eq!(values(&column), [0, 0, 1, 1, 2, 2]);
        let one = counting(&[1, 2]).broadcast(&[2, 3], &[1, 0]).unwrap();
        assert_eq!(values(&one), [0, 0, 0, 1, 1, 1]);
        assert_eq!(counting(&[1]).broadcast(&[0, 2], &[0]).unwrap().num_elements(), 0);
        assert!(counting(&[2]).broadcast(&[3], &[0]).is_err());
        assert!(counting(&[2]).broadcast(&[2], &[1]).is_err());
    }

    #[test]
    fn slices_with_strides() {
        let tensor = counting(&[4, 5]);
        assert_eq!(values(&tensor.slice(&[1, 0], &[4, 5], &[2, 3]).unwrap()), [5, 8, 15, 18]);
        assert_eq!(tensor.slice(&[4, 5], &[4, 5], &[1, 1]).unwrap().shape(), [0, 0]);
        assert!(tensor.slice(&[0, 0], &[5, 5], &[1, 1]).is_err());
        assert!(tensor.slice(&[0, 0], &[4, 5], &[1, 0]).is_err());
        assert!(tensor.slice(&[0], &[4], &[1]).is_err());
    }

    #[test]
    fn dynamic_slices_are_moved_inside() {
        let tensor = counting(&[5]);
        assert_eq!(values(&tensor.dynamic_slice(&[9], &[2]).unwrap()), [3, 4]);
        assert_eq!(values(&tensor.dynamic_slice(&[-9], &[2]).unwrap()), [0, 1]);
        assert!(tensor.dynamic_slice(&[0], &[6]).is_err());
    }

    #[test]
    fn empty_tensors_may_have_dims_of_any_size() {
        let huge = Tensor::from_vec(ElementType::I32, [usize::MAX, 3, 0], Vec::<i32>::new());
        let moved = huge.transpose(&[2, 0, 1]).unwrap().reverse(&[1, 2]).unwrap();
        assert_eq!(values(&moved), [0i32; 0]);
        assert_eq!(moved.reshape(&[0, 2]).unwrap().shape(), [0, 2]);
        assert_eq!(moved.slice(&[0, 1, 0], &[0, usize::MAX, 3], &[1, 2, 1]).unwrap().num_elements(), 0);
        let both = Tensor::concatenate(&[huge.clone(), huge.clone()], 1).unwrap();
        assert_eq!(both.shape(), [usize::MAX, 6, 0]);
        assert!(Tensor::concatenate(&[huge.clone(), huge.clone()], 0).is_err());
        let sum = |x: &Tensor, dims: &[usize]| {
            kernels::reduce(ElementType::I32, x, dims, 0, |a: i32, b: i32| a + b, |x: i32| x, |x| x)
        };
        assert_eq!(values(&sum(&huge, &[0, 1, 2]).unwrap()), [0]);
        assert_eq!(sum(&moved, &[1]).unwrap().shape(), [0, 3]);
        assert!(sum(&huge, &[2]).is_err());
        assert_eq!(kernels::map1(ElementType::I32, &moved, |x: i32| x).unwrap().num_elements(), 0);
        assert!(format!("{huge:?}").ends_with("[]"));
    }

    #[test]
    fn reversed_views_compose() {
        let tensor = counting(&[2, 3]);
        let reversed = tensor.reverse(&[1]).unwrap();
        assert_eq!(values(&reversed), [2, 1, 0, 5, 4, 3]);
        assert_eq!(values(&reversed.reshape(&[6]).unwrap()), [2, 1, 0, 5, 4, 3]);
        assert_eq!(values(&reversed.slice(&[0, 1], &[2, 3], &[1, 1]).unwrap()), [1, 0, 4, 3]);
        assert_eq!(values(&tensor.reverse(&[0, 1]).unwrap().reshape(&[6]).unwrap()), [5, 4, 3, 2, 1, 0]);
        assert_eq!(values(&reversed.reverse(&[1]).unwrap()), values(&tensor));
        assert_eq!(counting(&[0]).reverse(&[0]).unwrap().num_elements(), 0);
        assert!(tensor.reverse(&[2]).is_err());
    }
}
