//! Evaluation of `reduce_window`. A plain reducer that starts from its neutral element is applied one dim after the
//! other; windows that hold everything up to (or from) their own position are a running fold, in one pass. All else
//! follows the specification: element by element, the initial value standing in for the padding.

use super::fold::{dispatch_fold, from_scalars, is_neutral, neutral_tensor, only, scalar_at};
use super::reduce_window::ReduceWindow;
use super::reducer::reducer;
use super::window::WindowDim;
use crate::eval::Context;
use crate::eval_error::EvalError;
use crate::program::InstView;
use crate::sharding::Reduction;
use crate::tensor::{Element, Precision, Tensor, convert, kernels, unravel};
use crate::types::ElementType;

/// The results of a verified windowed reduction of `inputs`, the initial values behind the tensors.
pub(super) fn evaluate(
    op: &ReduceWindow,
    view: &InstView<'_>,
    inputs: Vec<Tensor>,
    cx: &mut dyn Context,
) -> Result<Vec<Tensor>, EvalError> {
    let window = op.window();
    if let [tensor, init] = inputs.as_slice()
        && let Some(reduction) = reducer(view.body, view.region(0)).and_then(|binary| binary.reduction())
        && is_neutral(reduction, init, cx.precision())?
    {
        return Ok(vec![fold_windows(reduction, tensor, &window, cx.precision())?]);
    }
    let count = inputs.len() / 2;
    let tensors: Vec<Tensor> = inputs[..count].iter().map(Tensor::contiguous).collect::<Result<_, _>>()?;
    let shape = inputs[0].shape();
    let taps: Vec<usize> = window.iter().map(|dim| dim.size).collect();
    let num_taps: usize = taps.iter().product();
    let mut folded: Vec<Vec<Tensor>> = vec![Vec::new(); count];
    for position in 0..view.result(0).num_elements() {
        let at = unravel(position, &view.result(0).shape);
        let mut accumulated = inputs[count..].to_vec();
        for tap in 0..num_taps {
            let tap = unravel(tap, &taps);
            let element = (0..shape.len()).try_fold(0, |element, dim| {
                Some(element * shape[dim] + window[dim].element(at[dim], tap[dim], shape[dim])?)
            });
            for index in 0..count {
                accumulated.push(match element {
                    Some(element) => scalar_at(&tensors[index], element),
                    None => inputs[count + index].clone(),
                });
            }
            accumulated = cx.call_region(view.inst.regions[0], accumulated)?;
        }
        for (folded, value) in folded.iter_mut().zip(accumulated) {
            folded.push(value);
        }
    }
    let results = folded.iter().enumerate();
    results
        .map(|(index, scalars)| {
            let ty = view.result(index);
            from_scalars(ty.element, &ty.shape, scalars, cx.precision())
        })
        .collect()
}

/// One pass per dim whose windows are more than single elements.
fn fold_windows(
    reduction: Reduction,
    tensor: &Tensor,
    window: &[WindowDim],
    precision: Precision,
) -> Result<Tensor, EvalError> {
    let element = tensor.element();
    let is_half = matches!(element, ElementType::F16 | ElementType::Bf16);
    let mut folded = if is_half { convert(tensor, ElementType::F32, precision)? } else { tensor.clone() };
    let neutral = neutral_tensor(reduction, folded.element(), precision)?;
    for (dim, window) in window.iter().enumerate().filter(|(_, window)| !window.is_identity()) {
        folded = dispatch_fold!(folded.storage(), reduction, T, fold => {
            fold_dim::<T>(&folded, dim, window, only::<T>(&neutral)?, fold)
        })?;
    }
    convert(&folded, element, precision)
}

/// Windows along one dim.
fn fold_dim<T: Element>(
    tensor: &Tensor,
    dim: usize,
    window: &WindowDim,
    neutral: T,
    fold: fn(T, T) -> T,
) -> Result<Tensor, EvalError> {
    let mut shape = tensor.shape().to_vec();
    let size = shape[dim];
    let num_windows = window.num_windows(size);
    shape[dim] = num_windows;
    let inner: usize = shape[dim + 1..].iter().product();
    let elements = tensor.dense::<T>()?;
    let mut result = kernels::allocate::<T>(&shape)?;
    if result.is_empty() {
        return Ok(Tensor::from_vec(tensor.element(), shape, result));
    }
    result.fill(neutral);
    let steps_by_one = [window.stride, window.base_dilation, window.window_dilation] == [1, 1, 1];
    let covers = steps_by_one && window.size >= size && num_windows == size;
    let reach = window.size as i64 - 1;
    let (block, source_block) = (num_windows * inner, size * inner);
    for (outer, result) in result.chunks_exact_mut(block).enumerate() {
        let source = &elements[outer * source_block..][..source_block];
        if covers && (window.low, window.high) == (reach, 0) {
            running(result, source, inner, fold, (0..size).collect::<Vec<_>>().as_slice());
        } else if covers && (window.low, window.high) == (0, reach) {
            running(result, source, inner, fold, (0..size).rev().collect::<Vec<_>>().as_slice());
        } else {
            for (at, row) in result.chunks_exact_mut(inner).enumerate() {
                for from in (0..window.size).filter_map(|tap| window.element(at, tap, size)) {
                    for (value, other) in row.iter_mut().zip(&source[from * inner..][..inner]) {
                        *value = fold(*value, *other);
                    }
                }
            }
        }
    }
    Ok(Tensor::from_vec(tensor.element(), shape, result))
}

/// Each row of `result`, in the order given, is the fold of the rows of `source` up to it.
fn running<T: Element>(result: &mut [T], source: &[T], inner: usize, fold: fn(T, T) -> T, order: &[usize]) {
    let mut before = None;
    for row in order {
        for column in 0..inner {
            let value = source[row * inner + column];
            result[row * inner + column] = match before {
                Some(before) => fold(result[before * inner + column], value),
                None => value,
            };
        }
        before = Some(*row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(shape: &[usize], values: &[f32]) -> Tensor {
        Tensor::from_vec(ElementType::F32, shape, values.to_vec())
    }

    fn whole(size: usize, low: i64, high: i64) -> WindowDim {
        WindowDim { size, stride: 1, low, high, base_dilation: 1, window_dilation: 1 }
    }

    fn sums(tensor: &Tensor, window: &[WindowDim]) -> Vec<f64> {
        fold_windows(Reduction::Sum, tensor, window, Precision::Declared).unwrap().to_f64_vec()
    }

    #[test]
    fn cumulative_sums_run_either_way() {
        let x = floats(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let same = whole(1, 0, 0);
        assert_eq!(sums(&x, &[same, whole(3, 2, 0)]), [1.0, 3.0, 6.0, 4.0, 9.0, 15.0]);
        assert_eq!(sums(&x, &[same, whole(3, 0, 2)]), [6.0, 5.0, 3.0, 15.0, 11.0, 6.0]);
        assert_eq!(sums(&x, &[whole(2, 1, 0), same]), [1.0, 2.0, 3.0, 5.0, 7.0, 9.0]);
    }

    #[test]
    fn windows_with_strides_and_dilations() {
        // The specification's example: rows dilated to 1 . 3 . 5, padded by two above and one below.
        let x = floats(&[3, 2], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let rows = WindowDim { size: 2, stride: 4, low: 2, high: 1, base_dilation: 2, window_dilation: 3 };
        assert_eq!(sums(&x, &[rows, whole(1, 0, 0)]), [0.0, 0.0, 3.0, 4.0]);
        let pooled = WindowDim { size: 2, stride: 2, ..whole(2, 0, 0) };
        let x = floats(&[4], &[3.0, 1.0, -2.0, -1.0]);
        let largest = fold_windows(Reduction::Max, &x, &[pooled], Precision::Declared).unwrap();
        assert_eq!(largest.to_f64_vec(), [3.0, -1.0]);
    }
}
