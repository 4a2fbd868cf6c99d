//! Evaluation of `reduce_window`. A plain reducer that starts from its neutral element is applied one dim after the
//! other where that changes nothing; windows that hold everything up to (or from) their own position are a running
//! fold, in one pass. All else follows the specification: position after position of the windows, in order, each for
//! all windows at once, the initial value standing in for the padding.

use super::fold_reducer::{
    dispatch_fold, fold_init, from_scalars, has_neutral, is_neutral, neutral_tensor, only, scalar_at,
};
use super::pad::Pad;
use super::reduce_window::ReduceWindow;
use super::reducer::reducer;
use super::vectorize_region::VectorizedRegion;
use super::window::WindowDim;
use crate::eval::{Context, Evaluated, Evaluation};
use crate::program::InstView;
use crate::sharding::Reduction;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::{Element, Precision, Tensor, Walk, kernels, unravel};

/// Windows of several dims with more positions than this are folded one dim after the other.
const MANY: usize = 1024;

/// The results of a verified windowed reduction of `inputs`, the initial values behind the tensors.
pub(super) fn evaluate(op: &ReduceWindow, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
    let window = op.window();
    let count = inputs.len() / 2;
    let (tensors, inits) = inputs.split_at(count);
    if let ([tensor], [init]) = (tensors, inits)
        && let Some(reduction) = reducer(view.body, view.region(0)).and_then(|binary| binary.reduction())
        && has_neutral(reduction, tensor.element())
    {
        let many = window.iter().map(|dim| dim.size).fold(1, usize::saturating_mul) > MANY;
        let one_dim = window.iter().filter(|dim| !dim.is_identity()).count() <= 1;
        if (one_dim || many) && is_neutral(reduction, init, cx.precision())? {
            let folded = fold_windows(reduction, tensor, &window, cx.precision())?;
            return Ok(vec![fold_init(reduction, folded, init, cx.precision())?]);
        }
        let folded = dispatch_fold!(tensor.storage(), reduction, T, fold => {
            fold_positions::<T>(tensor, init, &window, &view.result(0).shape, fold)
        });
        return Ok(vec![folded?]);
    }
    match VectorizedRegion::new(view, 0) {
        // Where there are no windows, their positions need not lie within the padded tensor.
        Some(lifted) if view.result(0).num_elements() > 0 => {
            let shape = &view.result(0).shape;
            let padded = |(tensor, init)| pad(tensor, init, &window);
            let padded: Vec<Tensor> = tensors.iter().zip(inits).map(padded).collect::<Result<_, _>>()?;
            let mut folded: Vec<Tensor> =
                inits.iter().map(|init| init.broadcast(shape, &[])).collect::<Result<_, _>>()?;
            for position in positions(&window) {
                let seen = padded.iter().map(|padded| seen_from(padded, &position, &window, shape));
                folded.extend(seen.collect::<Result<Vec<_>, _>>()?);
                folded = lifted.run(folded, cx)?;
            }
            Ok(folded)
        }
        _ => fold_elements(view, tensors, inits, &window, cx),
    }
}

/// The positions of a window, in row-major order.
pub(super) fn positions(window: &[WindowDim]) -> impl Iterator<Item = Vec<usize>> {
    let sizes: Vec<usize> = window.iter().map(|dim| dim.size).collect();
    (0..sizes.iter().product()).map(move |position| unravel(position, &sizes))
}

/// `tensor` dilated and padded with `value`, as the windows see it.
fn pad(tensor: &Tensor, value: &Tensor, window: &[WindowDim]) -> Result<Tensor, EvalError> {
    if window.iter().all(WindowDim::is_unpadded) {
        return Ok(tensor.clone());
    }
    let pad = Pad {
        low: window.iter().map(|dim| dim.low).collect(),
        high: window.iter().map(|dim| dim.high).collect(),
        interior: window.iter().map(|dim| dim.base_dilation - 1).collect(),
    };
    pad.apply(tensor, value)
}

/// What every window sees at one of its positions, `shape` being how many windows there are.
fn seen_from(
    padded: &Tensor,
    position: &[usize],
    window: &[WindowDim],
    shape: &[usize],
) -> Result<Tensor, EvalError> {
    let dims = 0..window.len();
    let start: Vec<usize> = dims.clone().map(|dim| position[dim] * window[dim].window_dilation).collect();
    let last = |dim: usize| match shape[dim] {
        0 => start[dim],
        windows => start[dim] + (windows - 1) * window[dim].stride + 1,
    };
    let limit: Vec<usize> = dims.clone().map(last).collect();
    let strides: Vec<usize> = dims.map(|dim| window[dim].stride).collect();
    padded.slice(&start, &limit, &strides)
}

/// Folds position after position of the windows into all results.
fn fold_positions<T: Element>(
    tensor: &Tensor,
    init: &Tensor,
    window: &[WindowDim],
    shape: &[usize],
    fold: fn(T, T) -> T,
) -> Result<Tensor, EvalError> {
    let padded = pad(tensor, init, window)?;
    let elements = padded.elements::<T>()?;
    let walks = positions(window).map(|position| {
        let seen = seen_from(&padded, &position, window, shape)?;
        Ok(Walk::new(shape, [seen.offset()], [seen.strides()]))
    });
    let mut result = kernels::allocate::<T>(shape)?;
    if result.is_empty() {
        return Ok(Tensor::from_vec(tensor.element(), shape, result));
    }
    let walks: Vec<Walk<1>> = walks.collect::<Result<_, EvalError>>()?;
    result.fill(only::<T>(init)?);
    kernels::fill_chunks(&mut result, |start, chunk| {
        for walk in &walks {
            let [step] = walk.run_strides();
            walk.for_each_run(start, chunk.len(), &mut |at, [from], n| {
                let mut from = from;
                for value in &mut chunk[at..at + n] {
                    *value = fold(*value, elements[from]);
                    from = from.wrapping_add_signed(step);
                }
            });
        }
    });
    Ok(Tensor::from_vec(tensor.element(), shape, result))
}

/// Folds one element at a time, whatever the region does.
fn fold_elements(
    view: &InstView<'_>,
    tensors: &[Tensor],
    inits: &[Tensor],
    window: &[WindowDim],
    cx: &mut dyn Context,
) -> Result<Vec<Tensor>, EvalError> {
    let tensors: Vec<Tensor> = tensors.iter().map(Tensor::contiguous).collect::<Result<_, _>>()?;
    let shape = tensors[0].shape();
    let mut folded: Vec<Vec<Tensor>> = vec![Vec::new(); tensors.len()];
    for result in 0..view.result(0).num_elements() {
        let at = unravel(result, &view.result(0).shape);
        let mut accumulated = inits.to_vec();
        for position in positions(window) {
            let element = (0..shape.len()).try_fold(0, |element, dim| {
                Some(element * shape[dim] + window[dim].element(at[dim], position[dim], shape[dim])?)
            });
            for (tensor, init) in tensors.iter().zip(inits) {
                accumulated.push(element.map_or_else(|| init.clone(), |element| scalar_at(tensor, element)));
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
    let mut folded = tensor.clone();
    let neutral = neutral_tensor(reduction, folded.element(), precision)?;
    for (dim, window) in window.iter().enumerate().filter(|(_, window)| !window.is_identity()) {
        folded = dispatch_fold!(folded.storage(), reduction, T, fold => {
            fold_dim::<T>(&folded, dim, window, only::<T>(&neutral)?, fold)
        })?;
    }
    Ok(folded)
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
    use meshwright_tensor::types::ElementType;

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
