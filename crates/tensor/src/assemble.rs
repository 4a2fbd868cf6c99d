//! Putting tensors together: concatenation, and pasting blocks, which builds global values from shards.

use super::layout::{locate, row_major};
use super::{Element, Tensor, kernels, pack, view};
use crate::eval_error::EvalError;

impl Tensor {
    /// The operands one after the other along `dim`; they agree in type and all other dims.
    pub fn concatenate(operands: &[Tensor], dim: usize) -> Result<Tensor, EvalError> {
        let Some(first) = operands.first() else {
            return Err(EvalError::new("nothing to concatenate"));
        };
        let agrees = |other: &Tensor| {
            let same_size = |at: usize| at == dim || other.shape[at] == first.shape[at];
            other.element == first.element && other.rank() == first.rank() && (0..first.rank()).all(same_size)
        };
        if let Some(other) = operands.iter().find(|other| dim >= first.rank() || !agrees(other)) {
            let types = format!("{} and {}", first.ty(), other.ty());
            return Err(EvalError::new(format!("cannot concatenate {types} along dim {dim}")));
        }
        if operands.len() == 1 {
            return Ok(first.clone());
        }
        let mut shape = first.shape.clone();
        let mut sizes = operands.iter().map(|operand| operand.shape[dim]);
        let Some(size) = sizes.try_fold(0usize, usize::checked_add) else {
            return Err(EvalError::new(format!("dim {dim} of the concatenated tensors is too large")));
        };
        shape[dim] = size;
        let strides = row_major(&shape);
        crate::dispatch!(first.storage(), T => {
            let mut elements = kernels::allocate::<T>(&shape)?;
            let mut start = 0;
            for operand in operands.iter().filter(|operand| operand.num_elements() > 0) {
                let offset = start * strides[dim] as usize;
                let source = operand.elements::<T>()?;
                pack::copy(&mut elements, offset, &strides, source, operand.offset, &operand.strides, &operand.shape);
                start += operand.shape[dim];
            }
            Ok(Tensor::from_vec(first.element, shape, elements))
        })
    }

    /// Writes `block` at `start`. The buffer is written in place if no other tensor shares it, else copied first.
    pub fn paste(&mut self, start: &[usize], block: &Tensor) -> Result<(), EvalError> {
        let fits = |dim: usize| {
            start[dim].checked_add(block.shape[dim]).is_some_and(|limit| limit <= self.shape[dim])
        };
        let same_rank = start.len() == self.rank() && block.rank() == self.rank();
        if !same_rank || !(0..self.rank()).all(fits) {
            return Err(EvalError::new(format!("{} at {start:?} does not fit {}", block.ty(), self.ty())));
        }
        if block.storage() != self.storage() {
            return Err(EvalError::new(format!("cannot write {} into {}", block.ty(), self.ty())));
        }
        if block.num_elements() == 0 {
            return Ok(());
        }
        crate::dispatch!(self.storage(), T => {
            let strides = row_major(&self.shape);
            let source = block.elements::<T>()?;
            let target = T::elements_mut(self.make_owned()?).expect("dispatched on the storage");
            let offset = locate(0, start, &strides);
            pack::copy(target, offset, &strides, source, block.offset, &block.strides, &block.shape);
        });
        Ok(())
    }

    /// `dynamic_update_slice`: as [`Tensor::paste`], with `start` moved so that the block fits.
    pub fn paste_clamped(&mut self, start: &[i64], block: &Tensor) -> Result<(), EvalError> {
        let start = view::clamp_start(&self.shape, start, &block.shape)?;
        self.paste(&start, block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Precision;
    use crate::types::{ElementType, TensorType};

    fn counting(shape: &[usize], first: i32) -> Tensor {
        let len: usize = shape.iter().product();
        Tensor::from_vec(ElementType::I32, shape, (first..first + len as i32).collect())
    }

    #[test]
    fn concatenation_along_each_dim() {
        let (a, b) = (counting(&[2, 2], 0), counting(&[2, 2], 10).transpose(&[1, 0]).unwrap());
        let rows = Tensor::concatenate(&[a.clone(), b.clone()], 0).unwrap();
        assert_eq!(rows.to_i64_vec(), [0, 1, 2, 3, 10, 12, 11, 13]);
        let columns = Tensor::concatenate(&[a.clone(), b, counting(&[2, 0], 0)], 1).unwrap();
        assert_eq!((columns.shape(), columns.to_i64_vec()), (&[2, 4][..], vec![0, 1, 10, 12, 2, 3, 11, 13]));
        assert!(Tensor::concatenate(&[], 0).is_err());
        assert!(Tensor::concatenate(&[a.clone(), counting(&[3, 3], 0)], 0).is_err());
        assert!(Tensor::concatenate(&[a.clone(), a], 2).is_err());
    }

    #[test]
    fn shards_make_the_whole() {
        let whole = counting(&[4, 6], 0);
        let mut built =
            Tensor::zeros(&TensorType::new([4, 6], ElementType::I32), Precision::Declared).unwrap();
        for (row, column) in [(0, 0), (0, 3), (2, 0), (2, 3)] {
            let shard = whole.slice(&[row, column], &[row + 2, column + 3], &[1, 1]).unwrap();
            built.paste(&[row, column], &shard).unwrap();
        }
        assert_eq!(built.to_i64_vec(), whole.to_i64_vec());
        assert!(built.paste(&[3, 0], &counting(&[2, 1], 0)).is_err());
        assert!(built.paste(&[usize::MAX, 0], &counting(&[2, 1], 0)).is_err());
        assert!(built.paste(&[0, 0], &Tensor::from_vec(ElementType::F32, [1, 1], vec![0f32])).is_err());
    }

    #[test]
    fn pasting_leaves_other_owners_alone() {
        let original = counting(&[3], 0);
        let mut changed = original.clone();
        changed.paste(&[1], &counting(&[1], 9)).unwrap();
        assert_eq!((original.to_i64_vec(), changed.to_i64_vec()), (vec![0, 1, 2], vec![0, 9, 2]));
        let mut middle = original.slice(&[1], &[3], &[1]).unwrap();
        middle.paste(&[0], &counting(&[1], 7)).unwrap();
        assert_eq!((original.to_i64_vec(), middle.to_i64_vec()), (vec![0, 1, 2], vec![7, 2]));
        let mut reversed = original.reverse(&[0]).unwrap();
        reversed.paste_clamped(&[99], &counting(&[1], 5)).unwrap();
        assert_eq!(reversed.to_i64_vec(), [2, 1, 5]);
        let mut scalar = Tensor::scalar_i32(1);
        scalar.paste(&[], &Tensor::scalar_i32(2)).unwrap();
        assert_eq!(scalar.scalar_as_i64(), Ok(2));
    }
}
