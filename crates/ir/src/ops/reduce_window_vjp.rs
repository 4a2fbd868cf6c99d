//! The backward pass of reductions over windows.

use super::binary::Binary;
use super::compare::Direction;
use super::constant::splat_of;
use super::folds::{Combiner, filled, reversed};
use super::reduce::Reduce;
use super::reduce_vjp::to_init;
use super::reduce_window::ReduceWindow;
use super::reducer::{is_neutral, reducer};
use super::select_and_scatter::SelectAndScatter;
use crate::build::Builder as _;
use crate::ids::ValueId;
use crate::sharding::Reduction;
use crate::vjp::{Differentiated, Vjp, none_because};
use meshwright_tensor::types::{TensorType, Type};

impl ReduceWindow {
    /// Each element gets the sum over the windows that it is in: a sum over windows again, in which steps and dilations
    /// have changed places.
    pub(super) fn sum_vjp(&self, v: &mut Vjp<'_>) {
        v.give_with(0, |v, cotangent| {
            let (operand, result) = (v.operand_type(0), v.result_type(0));
            let windows = self.window();
            let edges = windows.iter().enumerate();
            let edges =
                edges.flat_map(|(dim, window)| window.edges_back(operand.shape[dim], result.shape[dim]));
            let back = Self {
                sizes: self.sizes.clone(),
                strides: Some(windows.iter().map(|window| window.base_dilation).collect()),
                base_dilations: Some(windows.iter().map(|window| window.stride).collect()),
                window_dilations: self.window_dilations.clone(),
                padding: Some(edges.collect()),
            };
            let scalar = TensorType::scalar(operand.element);
            let zero = v.splat(scalar.clone(), 0.0);
            let reducer = v.pairwise(Binary::Add, scalar);
            v.emit_all(back, &[cotangent, zero], vec![reducer], vec![operand.into()])[0]
        });
        v.give_with(1, to_init);
    }

    /// The extreme of each window gets it; of several the first, which is the number that the windows begin with if it is
    /// that.
    pub(super) fn extreme_vjp(&self, v: &mut Vjp<'_>, op: Binary) {
        let reduction = if op == Binary::Maximum { Reduction::Max } else { Reduction::Min };
        let begins_neutral = splat_of(&v.view(), 1).is_some_and(|init| is_neutral(reduction, init));
        let begin = (!begins_neutral && (v.wants(0) || v.wants(1))).then(|| {
            let (init, extreme) = (v.operand(1), v.result(0));
            let shape = v.ty(extreme).shape;
            let init = v.broadcast(init, &shape, Vec::new());
            v.compare(Direction::Equal, extreme, init)
        });
        if let Some(begin) = begin {
            v.give_with(1, |v, cotangent| {
                let own = v.only_where(begin, cotangent);
                to_init(v, own)
            });
        }
        v.give_with(0, |v, cotangent| {
            let cotangent = match begin {
                Some(begin) => {
                    let zero = v.number_like(cotangent, 0.0);
                    v.choose(begin, zero, cotangent)
                }
                None => cotangent,
            };
            let (x, operand) = (v.operand(0), v.operand_type(0));
            let scalar = TensorType::scalar(operand.element);
            let zero = v.splat(scalar.clone(), 0.0);
            let wins = if op == Binary::Maximum { Direction::GreaterEqual } else { Direction::LessEqual };
            let pair = [Type::from(scalar.clone()), scalar.clone().into()];
            let select = v.region(&pair, |v, args| vec![v.compare(wins, args[0], args[1])]);
            let scatter = v.pairwise(Binary::Add, scalar);
            let back = SelectAndScatter {
                sizes: Some(self.sizes.clone()),
                strides: self.strides.clone(),
                padding: self.padding.clone(),
            };
            let operands = [x, cotangent, zero];
            v.emit_all(back, &operands, vec![select, scatter], vec![operand.into()])[0]
        });
    }

    /// By any other region, of gaps in windows, and of running totals: that of the elements that it combines, and of what it
    /// makes of them.
    pub(super) fn written_vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let view = v.view();
        let count = view.inst.results.len();
        let results: Vec<TensorType> = (0..count).map(|index| view.result(index).clone()).collect();
        let runs_along = self.runs_along(&view).filter(|_| Reduce::may_restart(&view));
        let op = reducer(view.body, view.region(0));
        let combiner = match op {
            // As in JAX, the first of equal elements is taken, but not of those that a total runs over.
            Some(Binary::Maximum) if runs_along.is_none() => Some(Combiner::LeftIf(Direction::GreaterEqual)),
            Some(Binary::Minimum) if runs_along.is_none() => Some(Combiner::LeftIf(Direction::LessEqual)),
            _ => Combiner::of(&view, 0),
        };
        let Some(combiner) = combiner else {
            return none_because("has a derivative only if it combines by elementwise ops in any order");
        };
        let begins_neutral = op
            .and_then(Binary::reduction)
            .is_some_and(|reduction| splat_of(&view, count).is_some_and(|init| is_neutral(reduction, init)));
        let windows = self.window();
        v.as_written(|v, operands| {
            let (inputs, inits) = operands.split_at(count);
            let like = |v: &mut Vjp<'_>, values: &[ValueId]| -> Vec<ValueId> {
                values.iter().zip(&results).map(|(value, ty)| v.convert(*value, ty.element)).collect()
            };
            let (inputs, inits) = (like(v, inputs), like(v, inits));
            let begin: Vec<ValueId> =
                inits.iter().map(|init| v.broadcast(*init, &results[0].shape, Vec::new())).collect();
            if results[0].num_elements() == 0 {
                return begin;
            }
            let all = match runs_along {
                Some(dim) if windows[dim].low == 0 => {
                    let inputs = reversed(v, inputs, dim);
                    let totals = combiner.running(v, inputs, dim);
                    reversed(v, totals, dim)
                }
                Some(dim) => combiner.running(v, inputs, dim),
                None => {
                    let fill = |(value, init): (&ValueId, &ValueId)| filled(v, *value, *init, &windows);
                    let elements: Vec<ValueId> = inputs.iter().zip(&inits).map(fill).collect();
                    let dims = windows.iter().enumerate().rev();
                    dims.fold(elements, |elements, (dim, window)| {
                        combiner.windows(v, elements, dim, window, results[0].shape[dim])
                    })
                }
            };
            if begins_neutral { all } else { combiner.combine(v, &begin, &all) }
        })
    }
}
