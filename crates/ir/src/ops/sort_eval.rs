//! Evaluation of `sort`: a merge sort of positions, which bears any comparator, even one that is no order.

use std::cmp::Ordering;

use super::compare::{Compare, CompareType, Direction};
use super::fold::scalar_at;
use super::sort::Sort;
use super::top_k::total_order;
use crate::eval::Context;
use crate::eval_error::EvalError;
use crate::op::Op;
use crate::program::InstView;
use crate::tensor::{Element, Tensor, kernels};

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
        order.extend(match key(view) {
            Some((input, compare)) => {
                let key = &tensors[input];
                crate::dispatch!(key.storage(), T => sort_by_key::<T>(positions, &key.dense::<T>()?, compare)?)
            }
            None => merge_sort(positions, &mut |a, b| {
                let pairs = tensors.iter().flat_map(|tensor| [scalar_at(tensor, a), scalar_at(tensor, b)]);
                let args: Vec<Tensor> = pairs.collect();
                let is_less = cx.call_region(view.inst.regions[0], args)?;
                is_less.first().map_or(Ok(false), Tensor::scalar_bool)
            })?,
        });
    }
    tensors
        .iter()
        .map(|tensor| {
            let sorted = crate::dispatch!(tensor.storage(), T => pick::<T>(tensor, &order)?);
            sorted.transpose(&permutation)
        })
        .collect()
}

/// The input that is compared and how, if the comparator only compares the two elements of one input, in order.
fn key<'a>(view: &InstView<'a>) -> Option<(usize, &'a Compare)> {
    let region = view.region(0);
    let [compare, terminator] = region.insts.as_slice() else {
        return None;
    };
    let (inst, terminator) = (&view.body.insts[*compare], &view.body.insts[*terminator]);
    let Op::Compare(compare) = &inst.op else {
        return None;
    };
    let input = region.args.chunks(2).position(|pair| inst.operands == pair)?;
    (terminator.operands == inst.results).then_some((input, compare))
}

fn sort_by_key<T: Element>(
    positions: Vec<usize>,
    keys: &[T],
    compare: &Compare,
) -> Result<Vec<usize>, EvalError> {
    let is_total = compare.compare_type == Some(CompareType::TotalOrder);
    let holds: fn(Ordering) -> bool = match compare.direction {
        Direction::Less => Ordering::is_lt,
        Direction::LessEqual => Ordering::is_le,
        Direction::Greater => Ordering::is_gt,
        Direction::GreaterEqual => Ordering::is_ge,
        Direction::Equal => Ordering::is_eq,
        Direction::NotEqual => Ordering::is_ne,
    };
    // Nothing but inequality holds of a NaN.
    let unordered = compare.direction == Direction::NotEqual;
    merge_sort(positions, &mut |a, b| {
        let (a, b) = (keys[a], keys[b]);
        let order = if is_total { Some(total_order(a, b)) } else { a.partial_cmp(&b) };
        Ok(order.map_or(unordered, holds))
    })
}

fn pick<T: Element>(tensor: &Tensor, order: &[usize]) -> Result<Tensor, EvalError> {
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

    #[test]
    fn keys_are_compared_as_the_region_would() {
        let keys = [0.0f32, f32::NAN, -0.0, 1.0];
        let sorted = |direction, compare_type| {
            sort_by_key::<f32>((0..4).collect(), &keys, &Compare { direction, compare_type }).unwrap()
        };
        assert_eq!(sorted(Direction::Less, Some(CompareType::TotalOrder)), [2, 0, 3, 1]);
        assert_eq!(sorted(Direction::Greater, Some(CompareType::TotalOrder)), [1, 3, 0, 2]);
        assert_eq!(sorted(Direction::Greater, Some(CompareType::Float)), [3, 0, 1, 2]);
    }
}
