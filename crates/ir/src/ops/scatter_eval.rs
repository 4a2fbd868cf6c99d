//! Evaluation of `scatter`: updates are applied in row-major order of their index vectors, whole windows at a time
//! where the region is a plain op or takes the update as it is, else as many at once as there are different targets.

use super::fold_reducer::{dispatch_fold, scalar_at};
use super::reducer::reducer;
use super::scatter::Scatter;
use super::vectorize_region::VectorizedRegion;
use crate::eval::{Context, Evaluated, Evaluation};
use crate::program::InstView;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::{Element, Tensor, Walk, convert, row_major};

/// The results of a verified scatter: `inputs` are the inputs, the indices and the updates.
pub(super) fn evaluate(op: &Scatter, Evaluation { view, mut inputs, cx }: Evaluation<'_>) -> Evaluated {
    let count = inputs.len() / 2;
    if inputs[count + 1].num_elements() == 0 || inputs[0].num_elements() == 0 {
        inputs.truncate(count);
        return Ok(inputs);
    }
    let rank = inputs[0].rank();
    let starts = op.dims.starts(&inputs[count], rank)?;
    let order = op.dims.loops_first(inputs[count + 1].rank());
    let updates: Vec<Tensor> = inputs[count + 1..]
        .iter()
        .map(|update| update.transpose(&order)?.contiguous())
        .collect::<Result<_, EvalError>>()?;
    inputs.truncate(count);
    let mut results = inputs;
    let window = op.dims.table_window(rank);
    let window_shape: Vec<usize> = updates[0].shape()[order.len() - window.len()..].to_vec();
    let table_shape = results[0].shape().to_vec();
    let num_windows = updates[0].num_elements() / window_shape.iter().product::<usize>();
    let places = Places {
        table_strides: row_major(&table_shape),
        table_shape: &table_shape,
        window: &window,
        window_shape: &window_shape,
        num_windows,
        starts: &starts,
    };
    let region = view.region(0);
    if count == 1 {
        let result = &mut results[0];
        let overwrites = matches!((region.insts.as_slice(), region.args.as_slice()), ([only], [_, update])
            if view.body.insts[*only].operands == [*update]);
        if overwrites {
            meshwright_tensor::dispatch!(result.storage(), T => combine::<T>(result, &updates[0], &places, |_, update| update))?;
            return Ok(results);
        }
        if let Some(reduction) = reducer(view.body, region).and_then(|binary| binary.reduction()) {
            dispatch_fold!(result.storage(), reduction, T, fold => combine::<T>(result, &updates[0], &places, fold))?;
            // Integers of fewer bits than a byte are kept in bytes, and wrap here.
            return Ok(vec![convert(result, result.element(), cx.precision())?]);
        }
    }
    let mut targets = Vec::new();
    let mut sources = Vec::new();
    places.visit(&mut |[to, from], [step, step_from], n| {
        targets.extend((0..n as isize).map(|index| to.wrapping_add_signed(step * index)));
        sources.extend((0..n as isize).map(|index| from.wrapping_add_signed(step_from * index)));
        Ok(())
    })?;
    let updates: Vec<Tensor> =
        updates.iter().map(|update| take(update, &sources)).collect::<Result<_, EvalError>>()?;
    combine_at(view, 0, &mut results, &targets, &updates, cx)?;
    Ok(results)
}

/// Combines update `i` into element `targets[i]` of the results, in order, by region `index`. All updates that are the
/// first ones of their targets are combined at once, then all that are the second ones, and so on.
pub(super) fn combine_at(
    view: &InstView<'_>,
    index: usize,
    results: &mut [Tensor],
    targets: &[usize],
    updates: &[Tensor],
    cx: &mut dyn Context,
) -> Result<(), EvalError> {
    for result in results.iter_mut() {
        result.make_owned()?;
    }
    let Some(lifted) = VectorizedRegion::new(view, index) else {
        for (update, target) in targets.iter().enumerate() {
            let mut args: Vec<Tensor> = Vec::with_capacity(2 * results.len());
            for result in results.iter() {
                args.push(take(result, &[*target])?.reshape(&[])?);
            }
            args.extend(updates.iter().map(|updates| scalar_at(updates, update)));
            let values = cx.call_region(view.inst.regions[index], args)?;
            for (result, value) in results.iter_mut().zip(values) {
                put(result, &[*target], &value)?;
            }
        }
        return Ok(());
    };
    let mut seen = vec![0u32; results.first().map_or(0, Tensor::num_elements)];
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for (update, target) in targets.iter().enumerate() {
        let round = seen[*target] as usize;
        seen[*target] += 1;
        if round == rounds.len() {
            rounds.push(Vec::new());
        }
        rounds[round].push(update);
    }
    for round in rounds {
        let targets: Vec<usize> = round.iter().map(|update| targets[*update]).collect();
        let mut args: Vec<Tensor> = Vec::with_capacity(2 * results.len());
        for result in results.iter() {
            args.push(take(result, &targets)?);
        }
        for updates in updates {
            args.push(take(updates, &round)?);
        }
        let values = lifted.run(args, cx)?;
        for (result, value) in results.iter_mut().zip(values) {
            put(result, &targets, &value)?;
        }
    }
    Ok(())
}

/// The elements of a contiguous tensor at these positions, as a list.
pub(super) fn take(tensor: &Tensor, positions: &[usize]) -> Result<Tensor, EvalError> {
    meshwright_tensor::dispatch!(tensor.storage(), T => {
        let elements = &tensor.elements::<T>()?[tensor.offset()..];
        let taken: Vec<T> = positions.iter().map(|position| elements[*position]).collect();
        Ok(Tensor::from_vec(tensor.element(), [taken.len()], taken))
    })
}

/// Writes a list to these positions of a tensor.
fn put(tensor: &mut Tensor, positions: &[usize], values: &Tensor) -> Result<(), EvalError> {
    meshwright_tensor::dispatch!(tensor.storage(), T => {
        let values = values.dense::<T>()?;
        if let Some(elements) = T::elements_mut(tensor.make_owned()?) {
            for (position, value) in positions.iter().zip(values.iter()) {
                elements[*position] = *value;
            }
        }
        Ok(())
    })
}

fn combine<T: Element>(
    result: &mut Tensor,
    updates: &Tensor,
    places: &Places<'_>,
    fold: fn(T, T) -> T,
) -> Result<(), EvalError> {
    let updates = updates.dense::<T>()?;
    let Some(elements) = T::elements_mut(result.make_owned()?) else {
        return Err(EvalError::new("updates are kept in another type than the input"));
    };
    places.visit(&mut |[to, from], [step, step_from], n| {
        if [step, step_from] == [1, 1] {
            for (value, update) in elements[to..to + n].iter_mut().zip(&updates[from..from + n]) {
                *value = fold(*value, *update);
            }
        } else {
            for index in 0..n {
                let value = &mut elements[to.wrapping_add_signed(step * index as isize)];
                *value = fold(*value, updates[from.wrapping_add_signed(step_from * index as isize)]);
            }
        }
        Ok(())
    })
}

/// Where the elements of each window go in a row-major table.
struct Places<'a> {
    table_shape: &'a [usize],
    table_strides: Vec<isize>,
    /// The table's dim of each window dim.
    window: &'a [usize],
    window_shape: &'a [usize],
    num_windows: usize,
    /// One number per dim of the table and window.
    starts: &'a [i64],
}

/// Called with the first place in the table and the first update, the steps between places and between updates, and how many
/// there are.
type Run<'a> = dyn FnMut([usize; 2], [isize; 2], usize) -> Result<(), EvalError> + 'a;

impl Places<'_> {
    /// Visits every update element whose place is inside the table.
    fn visit(&self, run: &mut Run<'_>) -> Result<(), EvalError> {
        let rank = self.table_shape.len();
        let len: usize = self.window_shape.iter().product();
        let strides: Vec<isize> = self.window.iter().map(|dim| self.table_strides[*dim]).collect();
        let window_strides = row_major(self.window_shape);
        let whole = Walk::new(self.window_shape, [0, 0], [&strides, &window_strides]);
        for index in 0..self.num_windows {
            let start = &self.starts[index * rank..(index + 1) * rank];
            let Some((low, high)) = self.inside(start) else {
                continue;
            };
            let is_whole = low.iter().all(|low| *low == 0) && high == self.window_shape;
            let shape: Vec<usize> = low.iter().zip(&high).map(|(low, high)| high - low).collect();
            let clipped;
            let walk = if is_whole {
                &whole
            } else {
                clipped = Walk::new(&shape, [0, 0], [&strides, &window_strides]);
                &clipped
            };
            let mut origin: isize =
                start.iter().zip(&self.table_strides).map(|(at, stride)| *at as isize * stride).sum();
            let mut first = index * len;
            for (position, low) in low.iter().enumerate() {
                origin += *low as isize * strides[position];
                first += low * window_strides[position] as usize;
            }
            let steps = walk.run_strides();
            let mut outcome = Ok(());
            walk.for_each_run(0, shape.iter().product(), &mut |_, [to, from], n| {
                if outcome.is_ok() {
                    outcome = run([to.wrapping_add_signed(origin), first + from], steps, n);
                }
            });
            outcome?;
        }
        Ok(())
    }

    /// The part of a window that lies inside the table, if any: first and one past the last position of each of its
    /// dims.
    fn inside(&self, start: &[i64]) -> Option<(Vec<usize>, Vec<usize>)> {
        let outside = |dim: usize| !(0..self.table_shape[dim] as i64).contains(&start[dim]);
        if (0..start.len()).any(|dim| !self.window.contains(&dim) && outside(dim)) {
            return None;
        }
        let mut bounds = (Vec::with_capacity(self.window.len()), Vec::with_capacity(self.window.len()));
        for (dim, size) in self.window.iter().zip(self.window_shape) {
            let low = start[*dim].saturating_neg().max(0);
            let high = (self.table_shape[*dim] as i64).saturating_sub(start[*dim]).min(*size as i64);
            if low >= high {
                return None;
            }
            bounds.0.push(low as usize);
            bounds.1.push(high as usize);
        }
        Some(bounds)
    }
}
