//! Evaluation of `sort`: positions are sorted by keys where the comparator compares such, by a network of exchanges
//! where it is made of elementwise ops, else by a merge sort. All are stable and bear any comparator, even one that is
//! no order.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::compare::{Compare, CompareType, Direction};
use super::fold_reducer::scalar_at;
use super::scatter_eval::take;
use super::sort::Sort;
use super::top_k::total_order;
use super::vectorize_region::VectorizedRegion;
use crate::eval::{Context, Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::op::Op;
use crate::program::{Def, InstView};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::{Element, Tensor, kernels};

/// The results of a verified sort.
pub(super) fn evaluate(op: &Sort, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
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
    let order = match key(view, &tensors, cx)? {
        Some((keys, compare)) => {
            meshwright_tensor::dispatch!(keys.storage(), T => order_by_key::<T>(&keys.dense::<T>()?, len, compare)?)
        }
        None => match VectorizedRegion::new(view, 0) {
            Some(lifted) => order_by_network(&lifted, &tensors, len, cx)?,
            None => order_by_region(view, &tensors, len, cx)?,
        },
    };
    tensors
        .iter()
        .map(|tensor| {
            let sorted = meshwright_tensor::dispatch!(tensor.storage(), T => pick::<T>(tensor, &order)?);
            sorted.transpose(&permutation)
        })
        .collect()
}

/// Keys and how they are compared, if the comparator compares a function of the elements of one input's left row with
/// the same function of those of its right one.
fn key<'a>(
    view: &InstView<'a>,
    tensors: &[Tensor],
    cx: &mut dyn Context,
) -> Result<Option<(Tensor, &'a Compare)>, EvalError> {
    let (Some(lifted), region) = (VectorizedRegion::new(view, 0), view.region(0)) else {
        return Ok(None);
    };
    let Some((terminator, insts)) = region.insts.split_last() else {
        return Ok(None);
    };
    let [returned] = view.body.insts[*terminator].operands.as_slice() else {
        return Ok(None);
    };
    let compared = insts.iter().map(|id| &view.body.insts[*id]).find(|inst| inst.results == [*returned]);
    let Some((Op::Compare(compare), &[left, right])) =
        compared.map(|inst| (&inst.op, inst.operands.as_slice()))
    else {
        return Ok(None);
    };
    let mut budget = MOST_COMPARISONS;
    if !is_same_function(view, left, right, &mut budget) {
        return Ok(None);
    }
    let args = tensors.iter().flat_map(|tensor| [tensor.clone(), tensor.clone()]).collect();
    let keys = lifted.values(args, &[left], cx)?.pop();
    keys.map(|keys| Ok((keys.contiguous()?, compare))).transpose()
}

/// Values that are compared before two functions count as different.
const MOST_COMPARISONS: usize = 1000;

/// Whether `right` is to the right arguments what `left` is to the left ones.
fn is_same_function(view: &InstView<'_>, left: ValueId, right: ValueId, budget: &mut usize) -> bool {
    let mut pending = vec![(left, right)];
    while let Some((left, right)) = pending.pop() {
        if *budget == 0 {
            return false;
        }
        *budget -= 1;
        match (view.body.values[left].def, view.body.values[right].def) {
            (Def::Argument(_, left), Def::Argument(_, right)) => {
                if left % 2 != 0 || right != left + 1 {
                    return false;
                }
            }
            (Def::Result(left, first), Def::Result(right, second)) => {
                let (left, right) = (&view.body.insts[left], &view.body.insts[right]);
                let same =
                    first == second && left.op == right.op && left.operands.len() == right.operands.len();
                if !same
                    || left
                        .results
                        .iter()
                        .zip(&right.results)
                        .any(|(l, r)| view.body.ty(*l) != view.body.ty(*r))
                {
                    return false;
                }
                pending.extend(left.operands.iter().copied().zip(right.operands.iter().copied()));
            }
            _ => return false,
        }
    }
    true
}

/// The order of all rows by keys.
fn order_by_key<T: Element>(keys: &[T], len: usize, compare: &Compare) -> Result<Vec<usize>, EvalError> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    if len == 0 {
        return Ok(order);
    }
    let is_total = compare.compare_type == Some(CompareType::TotalOrder) || !T::default().scalar().is_float();
    let rows = |row: &mut [usize]| {
        match compare.direction {
            Direction::Less if is_total => row.sort_by(|a, b| total_order(keys[*a], keys[*b])),
            Direction::Greater if is_total => row.sort_by(|a, b| total_order(keys[*b], keys[*a])),
            _ => row.copy_from_slice(&sort_by_key(row.to_vec(), keys, compare)?),
        }
        Ok(())
    };
    order.par_chunks_mut(len).try_for_each(rows)?;
    Ok(order)
}

/// The order of all rows by a comparator that is applied to all pairs of a step of Batcher's odd-even merge sort at
/// once; elements that neither precede one another keep their order.
fn order_by_network(
    lifted: &VectorizedRegion<'_>,
    tensors: &[Tensor],
    len: usize,
    cx: &mut dyn Context,
) -> Result<Vec<usize>, EvalError> {
    let count = tensors[0].num_elements();
    let mut order: Vec<usize> = (0..count).collect();
    if count == 0 {
        return Ok(order);
    }
    let starts: Vec<usize> = (0..count).step_by(len.max(1)).collect();
    let mut merged = 1;
    while merged < len {
        let mut step = merged;
        while step > 0 {
            let first = step % merged;
            let within = (first..len.saturating_sub(step))
                .filter(|at| (at - first) / step % 2 == 0)
                .filter(|at| at / (2 * merged) == (at + step) / (2 * merged));
            let pairs: Vec<usize> =
                within.flat_map(|at| starts.iter().map(move |start| start + at)).collect();
            exchange(lifted, tensors, &mut order, &pairs, step, cx)?;
            step /= 2;
        }
        merged *= 2;
    }
    Ok(order)
}

/// Changes over the elements at `pair` and `pair + step` where the second one goes first.
fn exchange(
    lifted: &VectorizedRegion<'_>,
    tensors: &[Tensor],
    order: &mut [usize],
    pairs: &[usize],
    step: usize,
    cx: &mut dyn Context,
) -> Result<(), EvalError> {
    if pairs.is_empty() {
        return Ok(());
    }
    let first: Vec<usize> = pairs.iter().map(|pair| order[*pair]).collect();
    let second: Vec<usize> = pairs.iter().map(|pair| order[pair + step]).collect();
    let mut precedes = |left: &[usize], right: &[usize]| {
        let mut args = Vec::with_capacity(2 * tensors.len());
        for tensor in tensors {
            args.extend([take(tensor, left)?, take(tensor, right)?]);
        }
        let answers = lifted.run(args, cx)?;
        answers.first().map_or_else(
            || Err(EvalError::new("a comparator returns nothing")),
            |answer| Ok(answer.to_i64_vec()),
        )
    };
    let (forward, backward) = (precedes(&first, &second)?, precedes(&second, &first)?);
    for (index, pair) in pairs.iter().enumerate() {
        let is_tie = forward[index] == backward[index];
        let swaps = if is_tie { first[index] > second[index] } else { backward[index] != 0 };
        if swaps {
            order.swap(*pair, pair + step);
        }
    }
    Ok(())
}

/// The order of all rows by a comparator that is run for every pair.
fn order_by_region(
    view: &InstView<'_>,
    tensors: &[Tensor],
    len: usize,
    cx: &mut dyn Context,
) -> Result<Vec<usize>, EvalError> {
    let count = tensors[0].num_elements();
    let mut order = Vec::with_capacity(count);
    for row in 0..count.checked_div(len).unwrap_or(0) {
        let positions: Vec<usize> = (row * len..(row + 1) * len).collect();
        order.extend(merge_sort(positions, &mut |a, b| {
            let pairs = tensors.iter().flat_map(|tensor| [scalar_at(tensor, a), scalar_at(tensor, b)]);
            let is_less = cx.call_region(view.inst.regions[0], pairs.collect())?;
            is_less.first().map_or(Ok(false), Tensor::scalar_bool)
        })?);
    }
    Ok(order)
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
