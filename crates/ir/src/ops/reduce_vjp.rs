//! The backward pass of reductions.

use super::binary::Binary;
use super::compare::Direction;
use super::reduce::Reduce;
use super::reduce_window::ReduceWindow;
use crate::build::Builder as _;
use crate::ids::ValueId;
use crate::vjp::Vjp;
use meshwright_tensor::types::TensorType;

impl Reduce {
    /// Every element that is added gets all of it.
    pub(super) fn sum_vjp(&self, v: &mut Vjp<'_>) {
        v.give_with(0, |v, cotangent| self.repeated(v, cotangent));
        v.give_with(1, |v, cotangent| {
            let rank = v.ty(cotangent).rank();
            v.sum(cotangent, (0..rank).collect())
        });
    }

    /// The extreme gets it; where several are it, they share.
    pub(super) fn extreme_vjp(&self, v: &mut Vjp<'_>) {
        v.give_with(0, |v, cotangent| {
            let (x, extreme) = (v.operand(0), v.result(0));
            let extreme = self.repeated(v, extreme);
            let is_extreme = v.compare(Direction::Equal, x, extreme);
            let (zero, one) = (v.number_like(x, 0.0), v.number_like(x, 1.0));
            let marks = v.choose(is_extreme, one, zero);
            let count = v.sum(marks, self.dims.clone());
            let share = v.over(cotangent, count);
            let share = self.repeated(v, share);
            v.times(share, marks)
        });
    }

    /// Each factor gets the product of all others, of which those before and those behind it are multiplied by windows:
    /// a factor may be zero.
    pub(super) fn product_vjp(&self, v: &mut Vjp<'_>) {
        v.give_with(0, |v, cotangent| {
            let x = v.operand(0);
            let ty = v.ty(x);
            let kept: Vec<usize> = (0..ty.rank()).filter(|dim| !self.dims.contains(dim)).collect();
            let mut reduced = self.dims.clone();
            reduced.sort_unstable();
            let order = [kept.as_slice(), &reduced].concat();
            let turned: Vec<usize> = order.iter().map(|dim| ty.shape[*dim]).collect();
            let num_factors = turned[kept.len()..].iter().product();
            let rows = [&turned[..kept.len()], &[num_factors]].concat();
            let x = v.transpose(x, order.clone());
            let x = v.reshaped(x, &rows);
            let (before, behind) = (others(v, x, -1, 0), others(v, x, 0, -1));
            let others = v.times(before, behind);
            let others = v.reshaped(others, &turned);
            let mut back: Vec<usize> = (0..order.len()).collect();
            back.sort_by_key(|at| order[*at]);
            let others = v.transpose(others, back);
            let cotangent = self.repeated(v, cotangent);
            v.times(cotangent, others)
        });
    }

    /// A value of the result's type for each element of the input.
    fn repeated(&self, v: &mut Vjp<'_>, value: ValueId) -> ValueId {
        let shape = v.operand_type(0).shape;
        let kept = (0..shape.len()).filter(|dim| !self.dims.contains(dim)).collect();
        v.broadcast(value, &shape, kept)
    }
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
