//! Evaluation of `select_and_scatter`: position after position of the windows is compared with what was selected
//! before, for all windows at once; then the source's values are combined at the selected places, in order.

use super::reduce_window_eval::positions;
use super::reducer::promoted;
use super::scatter_eval::combine_at;
use super::select_and_scatter::SelectAndScatter;
use super::vectorize_region::VectorizedRegion;
use super::window::WindowDim;
use crate::eval::{Context, Evaluation};
use crate::program::InstView;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::{Tensor, convert};

/// The result of a verified instruction; `inputs` are the operand, the source and the initial value.
pub(super) fn evaluate(
    op: &SelectAndScatter,
    Evaluation { view, inputs, cx }: Evaluation<'_>,
) -> Result<Tensor, EvalError> {
    let [operand, source, init] = inputs.as_slice() else {
        return Err(EvalError::new("takes an operand, a source and an initial value"));
    };
    let window = op.window(operand.rank());
    if operand.num_elements() == 0 || source.num_elements() == 0 {
        let promoted = init.broadcast(operand.shape(), &[])?;
        return convert(&promoted, view.result(0).element, cx.precision());
    }
    let selected = select(operand, source.shape(), &window, view, cx)?;
    let (mut targets, mut sources) = (Vec::new(), Vec::new());
    for (index, place) in selected.into_iter().enumerate() {
        if let Some(place) = place {
            targets.push(place);
            sources.push(index);
        }
    }
    let updates = meshwright_tensor::dispatch!(source.storage(), T => {
        let values = source.dense::<T>()?;
        let taken: Vec<T> = sources.iter().map(|index| values[*index]).collect();
        Tensor::from_vec(source.element(), [taken.len()], taken)
    });
    let [updates, init]: [Tensor; 2] = promoted(view, 1, 1, vec![updates, init.clone()], cx.precision())?
        .try_into()
        .map_err(|_| EvalError::new("takes one source"))?;
    let mut results = [init.broadcast(operand.shape(), &[])?];
    combine_at(view, 1, &mut results, &targets, &[updates], cx)?;
    let [result] = results;
    Ok(result)
}

/// The place in the operand (row-major) that each window selects; none for windows that lie in the padding.
fn select(
    operand: &Tensor,
    windows: &[usize],
    window: &[WindowDim],
    view: &InstView<'_>,
    cx: &mut dyn Context,
) -> Result<Vec<Option<usize>>, EvalError> {
    let operand = operand.contiguous()?;
    let count: usize = windows.iter().product();
    let mut selected: Vec<Option<usize>> = vec![None; count];
    let lifted = VectorizedRegion::new(view, 0);
    for position in positions(window) {
        let candidates = candidates(operand.shape(), &position, windows, window);
        // Windows that have a value both before and here are compared.
        let mut contested = Vec::new();
        for (index, candidate) in candidates.iter().enumerate() {
            match (selected[index], candidate) {
                (Some(before), Some(here)) => contested.push((index, before, *here)),
                (None, Some(here)) => selected[index] = Some(*here),
                (_, None) => {}
            }
        }
        if contested.is_empty() {
            continue;
        }
        let values = |place: fn(&(usize, usize, usize)) -> usize| {
            meshwright_tensor::dispatch!(operand.storage(), T => {
                let elements = &operand.elements::<T>()?[operand.offset()..];
                let taken: Vec<T> = contested.iter().map(|entry| elements[place(entry)]).collect();
                Ok::<_, EvalError>(Tensor::from_vec(operand.element(), [taken.len()], taken))
            })
        };
        let (before, here) = (values(|entry| entry.1)?, values(|entry| entry.2)?);
        let keeps: Vec<i64> = match &lifted {
            Some(lifted) => lifted.run(vec![before, here], cx)?.iter().flat_map(Tensor::to_i64_vec).collect(),
            None => {
                let mut keeps = Vec::with_capacity(contested.len());
                for index in 0..contested.len() {
                    let scalars = [&before, &here].map(|list| super::fold_reducer::scalar_at(list, index));
                    let kept = cx.call_region(view.inst.regions[0], scalars.to_vec())?;
                    keeps.extend(kept.iter().flat_map(Tensor::to_i64_vec));
                }
                keeps
            }
        };
        for ((index, _, here), keeps) in contested.iter().zip(keeps) {
            if keeps == 0 {
                selected[*index] = Some(*here);
            }
        }
    }
    Ok(selected)
}

/// The place in an operand of `shape` that every window has at one of its positions, if it is not padding.
fn candidates(
    shape: &[usize],
    position: &[usize],
    windows: &[usize],
    window: &[WindowDim],
) -> Vec<Option<usize>> {
    let mut rows: Vec<Vec<Option<usize>>> = Vec::with_capacity(shape.len());
    for dim in 0..shape.len() {
        let place = |at: usize| window[dim].element(at, position[dim], shape[dim]);
        rows.push((0..windows[dim]).map(place).collect());
    }
    let mut places = vec![Some(0)];
    for (row, size) in rows.iter().zip(shape) {
        let extended = places.iter().flat_map(|outer: &Option<usize>| {
            row.iter().map(move |inner| outer.zip(*inner).map(|(outer, inner)| outer * size + inner))
        });
        places = extended.collect();
    }
    places
}
