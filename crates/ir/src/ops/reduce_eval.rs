//! Evaluation of `reduce`: plain reducers through the tensor kernels, any other region element by element.

use super::fold::{fold_dims, fold_init, from_scalars, scalar_at};
use super::reduce::Reduce;
use super::reducer::reducer;
use crate::eval::Context;
use crate::eval_error::EvalError;
use crate::program::InstView;
use crate::tensor::Tensor;

/// The results of a verified reduction of `inputs`, the initial values behind the tensors.
pub(super) fn evaluate(
    op: &Reduce,
    view: &InstView<'_>,
    inputs: Vec<Tensor>,
    cx: &mut dyn Context,
) -> Result<Vec<Tensor>, EvalError> {
    if let [tensor, init] = inputs.as_slice()
        && let Some(reduction) = reducer(view.body, view.region(0)).and_then(|binary| binary.reduction())
    {
        let folded = fold_dims(reduction, tensor, &op.dims, cx.precision())?;
        return Ok(vec![fold_init(reduction, folded, init, cx.precision())?]);
    }
    let count = inputs.len() / 2;
    let rank = inputs[0].rank();
    let order: Vec<usize> =
        (0..rank).filter(|dim| !op.dims.contains(dim)).chain(op.dims.iter().copied()).collect();
    let len: usize = op.dims.iter().map(|dim| inputs[0].shape()[*dim]).product();
    let tensors: Vec<Tensor> = inputs[..count]
        .iter()
        .map(|tensor| tensor.transpose(&order)?.contiguous())
        .collect::<Result<_, EvalError>>()?;
    let mut folded: Vec<Vec<Tensor>> = vec![Vec::new(); count];
    for position in 0..view.result(0).num_elements() {
        let mut accumulated = inputs[count..].to_vec();
        for element in position * len..(position + 1) * len {
            accumulated.extend(tensors.iter().map(|tensor| scalar_at(tensor, element)));
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
