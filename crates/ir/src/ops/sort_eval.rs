//! Evaluation of `sort`: a merge sort of positions, which bears any comparator, even one that is no order.

use super::fold::scalar_at;
use super::sort::Sort;
use crate::eval::Context;
use crate::eval_error::EvalError;
use crate::program::InstView;
use crate::tensor::{Native, Tensor, kernels};

/// The results of a verified sort.
pub(super) fn evaluate(
    op: &Sort,
    view: &InstView<'_>,
    inputs: Vec<Tensor>,
    cx: &mut dyn Context,
) -> Result<Vec<Tensor>, EvalError> {
    let rank = inputs[0].rank();
    let dim = op.dim(rank).ok_or_else(|| EvalError::new("sorts along a dim that does not exist"))?;
    // The sorted dim is brought to the end, and back afterwards.
    let mut permutation: Vec<usize> = (0..rank).collect();
    permutation.swap(dim, rank - 1);
    let tensors: Vec<Tensor> = inputs
        .iter()
        .map(|input| input.transpose(&permutation)?.contiguous())
        .collect::<Result<_, EvalError>>()?;
    let len = tensors[0].shape()[rank - 1];
    let mut order = Vec::with_capacity(tensors[0].num_elements());
    let rows = tensors[0].num_elements().checked_div(len).unwrap_or(0);
    for row in 0..rows {
        let positions: Vec<usize> = (row * len..(row + 1) * len).collect();
        order.extend(merge_sort(positions, &mut |a, b| {
            let pairs = tensors.iter().flat_map(|tensor| [scalar_at(tensor, a), scalar_at(tensor, b)]);
            let args: Vec<Tensor> = pairs.collect();
            let is_less = cx.call_region(view.inst.regions[0], args)?;
            is_less.first().map_or(Ok(false), Tensor::scalar_bool)
        })?);
    }
    tensors
        .iter()
        .map(|tensor| {
            let sorted = crate::dispatch!(tensor.storage(), T => pick::<T>(tensor, &order)?);
            sorted.transpose(&permutation)
        })
        .collect()
}

fn pick<T: Native>(tensor: &Tensor, order: &[usize]) -> Result<Tensor, EvalError> {
    let elements = tensor.dense::<T>()?;
    let mut picked = kernels::allocate::<T>(tensor.shape())?;
    for (value, position) in picked.iter_mut().zip(order) {
        *value = elements[*position];
    }
    Ok(Tensor::from_vec(tensor.element(), tensor.shape(), picked))
}

/// Sorts stably, whatever the comparator answers.
fn merge_sort(
    mut items: Vec<usize>,
    is_less: &mut dyn FnMut(usize, usize) -> Result<bool, EvalError>,
) -> Result<Vec<usize>, EvalError> {
    let mut merged = items.clone();
    let mut width = 1;
    while width < items.len() {
        for start in (0..items.len()).step_by(2 * width) {
            let middle = (start + width).min(items.len());
            let end = (start + 2 * width).min(items.len());
            let (mut left, mut right) = (start, middle);
            for slot in &mut merged[start..end] {
                let takes_right = right < end && (left == middle || is_less(items[right], items[left])?);
                let from = if takes_right { &mut right } else { &mut left };
                *slot = items[*from];
                *from += 1;
            }
        }
        std::mem::swap(&mut items, &mut merged);
        width *= 2;
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sort_is_stable_and_bears_nonsense() {
        let keys = [3, 1, 2, 1, 3, 0, 2];
        let sorted = merge_sort((0..7).collect(), &mut |a, b| Ok(keys[a] < keys[b])).unwrap();
        assert_eq!(sorted, [5, 1, 3, 2, 6, 0, 4]);
        let mut sorted = merge_sort((0..9).collect(), &mut |_, _| Ok(true)).unwrap();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..9).collect::<Vec<_>>());
    }
}
