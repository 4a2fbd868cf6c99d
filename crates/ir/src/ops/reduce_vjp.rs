//! The backward pass of reductions.

use super::binary::Binary;
use super::compare::Direction;
use super::constant::splat_of;
use super::folds::Combiner;
use super::reduce::Reduce;
use super::reduce_window::ReduceWindow;
use super::reducer::is_neutral;
use crate::build::Builder as _;
use crate::ids::ValueId;
use crate::sharding::Reduction;
use crate::vjp::{Differentiated, Vjp, none_because};
use meshwright_tensor::types::TensorType;

impl Reduce {
    /// Every element that is added gets all of it.
    pub(super) fn sum_vjp(&self, v: &mut Vjp<'_>) {
        v.give_with(0, |v, cotangent| {
            let each = self.repeated(v, cotangent);
            like_operand(v, 0, each)
        });
        v.give_with(1, to_init);
    }

    /// The extreme gets it; where several are it, they share. The number that the reduction begins with is one of them.
    pub(super) fn extreme_vjp(&self, v: &mut Vjp<'_>, reduction: Reduction) {
        let begins_neutral = begins_neutral(v, reduction);
        if !(v.wants(0) || v.wants(1)) {
            return;
        }
        let (cotangent, extreme) = (v.cotangent(), v.result(0));
        let element = v.ty(extreme).element;
        let x = v.operand(0);
        let x = v.convert(x, element);
        let repeated = self.repeated(v, extreme);
        let marks = marked(v, x, repeated);
        let mut count = v.sum(marks, self.dims.clone());
        let begin = (!begins_neutral).then(|| {
            let init = v.operand(1);
            let init = v.convert(init, element);
            let shape = v.ty(extreme).shape;
            let init = v.broadcast(init, &shape, Vec::new());
            marked(v, init, extreme)
        });
        if let Some(begin) = begin {
            count = v.plus(count, begin);
        }
        let share = v.over(cotangent, count);
        v.give_with(0, |v, _| {
            let share = self.repeated(v, share);
            let each = v.times(share, marks);
            like_operand(v, 0, each)
        });
        if let Some(begin) = begin {
            v.give_with(1, |v, _| {
                let share = v.times(share, begin);
                to_init(v, share)
            });
        }
    }

    /// Each factor gets the product of all others, of which those before and those behind it are multiplied by windows:
    /// a factor may be zero. The number that the product begins with is a factor of all.
    pub(super) fn product_vjp(&self, v: &mut Vjp<'_>) {
        let begins_neutral = begins_neutral(v, Reduction::Product);
        let element = v.result_type(0).element;
        v.give_with(0, |v, cotangent| {
            let x = v.operand(0);
            let x = v.convert(x, element);
            let ty = v.ty(x);
            let order = self.order(ty.rank());
            let turned: Vec<usize> = order.iter().map(|dim| ty.shape[*dim]).collect();
            let x = self.rows(v, x);
            let (before, behind) = (others(v, x, -1, 0), others(v, x, 0, -1));
            let others = v.times(before, behind);
            let others = v.reshaped(others, &turned);
            let mut back: Vec<usize> = (0..order.len()).collect();
            back.sort_by_key(|at| order[*at]);
            let others = v.transpose(others, back);
            let cotangent = if begins_neutral {
                cotangent
            } else {
                let init = v.operand(1);
                let init = v.convert(init, element);
                let shape = v.ty(cotangent).shape;
                let init = v.broadcast(init, &shape, Vec::new());
                v.times(cotangent, init)
            };
            let cotangent = self.repeated(v, cotangent);
            let each = v.times(cotangent, others);
            like_operand(v, 0, each)
        });
        v.give_with(1, |v, cotangent| {
            let x = v.operand(0);
            let x = v.convert(x, element);
            let product = v.reduced(Binary::Multiply, x, self.dims.clone(), 1.0);
            let each = v.times(cotangent, product);
            to_init(v, each)
        });
    }

    /// By any other region: that of pairs of elements that it combines, and pairs of these.
    pub(super) fn written_vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let view = v.view();
        let Some(combiner) = Combiner::of(&view, 0) else {
            return none_because("has a derivative only if it combines by elementwise ops in any order");
        };
        let count = view.inst.results.len();
        let results: Vec<TensorType> = (0..count).map(|index| view.result(index).clone()).collect();
        v.as_written(|v, operands| {
            let (inputs, inits) = operands.split_at(count);
            let like = |v: &mut Vjp<'_>, values: &[ValueId]| -> Vec<ValueId> {
                values.iter().zip(&results).map(|(value, ty)| v.convert(*value, ty.element)).collect()
            };
            let (inputs, inits) = (like(v, inputs), like(v, inits));
            let inits: Vec<ValueId> =
                inits.into_iter().map(|init| v.broadcast(init, &results[0].shape, Vec::new())).collect();
            let rows: Vec<ValueId> = inputs.into_iter().map(|value| self.rows(v, value)).collect();
            match v.ty(rows[0]).shape.last() {
                Some(0) | None => inits,
                Some(_) => {
                    let all = combiner.whole(v, rows);
                    combiner.combine(v, &inits, &all)
                }
            }
        })
    }

    /// An input with all dims that are reduced as the last one.
    fn rows(&self, v: &mut Vjp<'_>, value: ValueId) -> ValueId {
        let shape = v.ty(value).shape;
        let order = self.order(shape.len());
        let kept = shape.len() - self.dims.len();
        let num_elements = order[kept..].iter().map(|dim| shape[*dim]).product();
        let rows: Vec<usize> = order[..kept].iter().map(|dim| shape[*dim]).chain([num_elements]).collect();
        let value = v.transpose(value, order);
        v.reshaped(value, &rows)
    }

    /// The dims that are kept, and behind them those that are reduced.
    fn order(&self, rank: usize) -> Vec<usize> {
        let kept = (0..rank).filter(|dim| !self.dims.contains(dim));
        let reduced = (0..rank).filter(|dim| self.dims.contains(dim));
        kept.chain(reduced).collect()
    }

    /// A value of the result's type for each element of the input.
    fn repeated(&self, v: &mut Vjp<'_>, value: ValueId) -> ValueId {
        let shape = v.operand_type(0).shape;
        let kept = (0..shape.len()).filter(|dim| !self.dims.contains(dim)).collect();
        v.broadcast(value, &shape, kept)
    }
}

/// Returns whether the number that a reduction begins with is a constant that changes nothing.
fn begins_neutral(v: &Vjp<'_>, reduction: Reduction) -> bool {
    splat_of(&v.view(), 1).is_some_and(|init| is_neutral(reduction, init))
}

/// One where elements of two tensors are equal, and zero elsewhere.
pub(super) fn marked(v: &mut Vjp<'_>, value: ValueId, other: ValueId) -> ValueId {
    let are_equal = v.compare(Direction::Equal, value, other);
    let (zero, one) = (v.number_like(value, 0.0), v.number_like(value, 1.0));
    v.choose(are_equal, one, zero)
}

/// What an operand gets, in its own element type: a reduction may widen it.
fn like_operand(v: &mut Vjp<'_>, index: usize, cotangent: ValueId) -> ValueId {
    let element = v.operand_type(index).element;
    v.convert(cotangent, element)
}

/// What the number that a reduction begins with gets of each result.
pub(super) fn to_init(v: &mut Vjp<'_>, cotangent: ValueId) -> ValueId {
    let rank = v.ty(cotangent).rank();
    let sum = v.sum(cotangent, (0..rank).collect());
    like_operand(v, 1, sum)
}

/// The product of all elements of a row before each of them (`low` is -1), or behind it.
fn others(v: &mut Vjp<'_>, rows: ValueId, high: i64, low: i64) -> ValueId {
    let ty = v.ty(rows);
    let (last, size) = (ty.rank() - 1, ty.shape[ty.rank() - 1]);
    let mut sizes = vec![1; ty.rank()];
    sizes[last] = size.max(1);
    let mut padding = vec![0; 2 * ty.rank()];
    let pad = |edge: i64, other: i64| {
        if edge < 0 {
            edge
        } else if other < 0 {
            size as i64
        } else {
            0
        }
    };
    (padding[2 * last], padding[2 * last + 1]) = (pad(low, high), pad(high, low));
    let window = ReduceWindow {
        sizes,
        strides: None,
        base_dilations: None,
        window_dilations: None,
        padding: Some(padding),
    };
    let scalar = TensorType::scalar(ty.element);
    let one = v.splat(scalar.clone(), 1.0);
    let reducer = v.pairwise(Binary::Multiply, scalar);
    v.emit_all(window, &[rows, one], vec![reducer], vec![ty.into()])[0]
}
