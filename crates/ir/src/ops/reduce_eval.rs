//! Evaluation of `reduce`: plain reducers through the tensor kernels, regions of elementwise ops on whole rows of
//! results, any other region element by element.

use super::fold_reducer::{fold_dims, fold_init, from_scalars, has_neutral, scalar_at};
use super::reduce::Reduce;
use super::reducer::reducer;
use super::vectorize_region::VectorizedRegion;
use crate::eval::{Context, Evaluated, Evaluation};
use crate::program::InstView;
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;

/// The results of a verified reduction of `inputs`, the initial values behind the tensors.
pub(super) fn evaluate(op: &Reduce, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
    if let [tensor, init] = inputs.as_slice()
        && let Some(reduction) = reducer(view.body, view.region(0)).and_then(|binary| binary.reduction())
        && has_neutral(reduction, tensor.element())
    {
        let folded = fold_dims(reduction, tensor, &op.dims, cx.precision())?;
        return Ok(vec![fold_init(reduction, folded, init, cx.precision())?]);
    }
    let count = inputs.len() / 2;
    let rank = inputs[0].rank();
    let (reduced, kept): (Vec<usize>, Vec<usize>) = (0..rank).partition(|dim| op.dims.contains(dim));
    let size = |dims: &[usize]| dims.iter().map(|dim| inputs[0].shape()[*dim]).product::<usize>();
    let (len, results) = (size(&reduced), size(&kept));
    if results == 0 {
        let empty = |index| Tensor::zeros(view.result(index), cx.precision());
        return (0..count).map(empty).collect();
    }
    // Rows of results: element `i` of every reduced group is row `i`.
    let order = [reduced, kept].concat();
    let rows: Vec<Tensor> = inputs[..count]
        .iter()
        .map(|tensor| tensor.transpose(&order)?.reshape(&[len, results]))
        .collect::<Result<_, EvalError>>()?;
    let inits = &inputs[count..];
    let folded = match VectorizedRegion::new(view, 0) {
        Some(lifted) => fold_rows(&lifted, rows, inits, cx)?,
        None => fold_elements(view, &rows, inits, cx)?,
    };
    let folded = folded.into_iter().enumerate();
    folded.map(|(index, tensor)| tensor.reshape(&view.result(index).shape)).collect()
}

/// Results that are enough to fold row after row; fewer are folded as a tree.
const MANY: usize = 256;

/// Folds rows of results, with the initial values first.
fn fold_rows(
    lifted: &VectorizedRegion<'_>,
    mut rows: Vec<Tensor>,
    inits: &[Tensor],
    cx: &mut dyn Context,
) -> Result<Vec<Tensor>, EvalError> {
    let &[mut len, results] = rows[0].shape() else {
        return Err(EvalError::new("rows of results have two dims"));
    };
    // Neighbors are combined, so that the order of the elements stays.
    while len > 8 && results < MANY {
        let every_second = |rows: &Tensor, first: usize| {
            rows.slice(&[first, 0], &[len - len % 2, results], &[2, 1])?.contiguous()
        };
        let pair = [0, 1].map(|first| rows.iter().map(move |rows| every_second(rows, first)));
        let args = pair.into_iter().flatten().collect::<Result<_, EvalError>>()?;
        let halves = lifted.run(args, cx)?;
        let odd = |rows: &Tensor| rows.slice(&[len - 1, 0], &[len, results], &[1, 1]);
        let joined = halves.into_iter().zip(&rows).map(|(half, rows)| match len % 2 {
            0 => Ok(half),
            _ => Tensor::concatenate(&[half, odd(rows)?], 0),
        });
        rows = joined.collect::<Result<_, EvalError>>()?;
        len = len.div_ceil(2);
    }
    let mut folded: Vec<Tensor> =
        inits.iter().map(|init| init.broadcast(&[1, results], &[])).collect::<Result<_, _>>()?;
    for row in 0..len {
        let next = rows.iter().map(|rows| rows.slice(&[row, 0], &[row + 1, results], &[1, 1]));
        folded.extend(next.collect::<Result<Vec<_>, _>>()?);
        folded = lifted.run(folded, cx)?;
    }
    Ok(folded)
}

/// Folds one element at a time, whatever the region does.
fn fold_elements(
    view: &InstView<'_>,
    rows: &[Tensor],
    inits: &[Tensor],
    cx: &mut dyn Context,
) -> Result<Vec<Tensor>, EvalError> {
    let rows: Vec<Tensor> = rows.iter().map(Tensor::contiguous).collect::<Result<_, _>>()?;
    let &[len, results] = rows[0].shape() else {
        return Err(EvalError::new("rows of results have two dims"));
    };
    let mut folded: Vec<Vec<Tensor>> = vec![Vec::new(); rows.len()];
    for position in 0..results {
        let mut accumulated = inits.to_vec();
        for row in 0..len {
            accumulated.extend(rows.iter().map(|tensor| scalar_at(tensor, row * results + position)));
            accumulated = cx.call_region(view.inst.regions[0], accumulated)?;
        }
        for (folded, value) in folded.iter_mut().zip(accumulated) {
            folded.push(value);
        }
    }
    let folded = folded.iter().enumerate();
    folded
        .map(|(index, scalars)| from_scalars(view.result(index).element, &[results], scalars, cx.precision()))
        .collect()
}
