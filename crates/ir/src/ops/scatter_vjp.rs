//! The backward pass of scatters.
//!
//! Updates at places that are not there are dropped by the forward pass, so they get nothing back; of a window that hangs
//! over an edge those of its elements that do (specification, "scatter").

use super::binary::Binary;
use super::compare::Direction;
use super::gather::Gather;
use super::gather_vjp::{room, room_like};
use super::integer_ranges::Positions;
use super::pad::Pad;
use super::reduce_vjp::marked;
use super::return_::Return;
use super::scatter::Scatter;
use crate::build::Builder as _;
use crate::ids::{RegionId, ValueId};
use crate::op::Op;
use crate::program::{Body, Region};
use crate::vjp::Vjp;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// Whether a region of two elements returns the second one, the update.
pub(super) fn overwrites(body: &Body, region: &Region) -> bool {
    let ([_, update], [end]) = (region.args.as_slice(), region.insts.as_slice()) else { return false };
    let end = &body.insts[*end];
    matches!(end.op, Op::Return(Return::Stablehlo)) && end.operands == [*update]
}

/// Knowledge of the places of updates in the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Places {
    /// All are there.
    Inside,
    /// Those of a window are there or not, all of them.
    Windows,
    /// Each may be there or not.
    Elements,
}

impl Scatter {
    pub(super) fn sum_vjp(&self, v: &mut Vjp<'_>) {
        v.give_with(0, |_, cotangent| cotangent);
        v.give_with(2, |v, cotangent| self.at_updates(v, cotangent));
    }

    /// Of a scatter that takes the extreme of what is at a place and of its updates: what is equal to it shares.
    pub(super) fn extreme_vjp(&self, v: &mut Vjp<'_>) {
        if !(v.wants(0) || v.wants(2)) {
            return;
        }
        let (input, indices, updates) = (v.operand(0), v.operand(1), v.operand(2));
        let (extreme, cotangent) = (v.result(0), v.cotangent());
        let own = marked(v, input, extreme);
        let at_updates = self.gathered(v, extreme);
        let given = marked(v, updates, at_updates);
        let count = self.scattered(v, Binary::Add, [own, indices, given]);
        let share = v.over(cotangent, count);
        v.give_with(0, |v, _| v.times(share, own));
        v.give_with(2, |v, _| {
            let back = self.at_updates(v, share);
            v.times(back, given)
        });
    }

    /// Of a scatter that multiplies: an update gets the product of what else is at its place, which is the product of all by
    /// it; a zero gets that of all others, if it is the only one.
    pub(super) fn product_vjp(&self, v: &mut Vjp<'_>) {
        let indices = v.operand(1);
        v.give_with(0, |v, cotangent| {
            let updates = v.operand(2);
            self.scattered(v, Binary::Multiply, [cotangent, indices, updates])
        });
        v.give_with(2, |v, cotangent| {
            let (input, updates) = (v.operand(0), v.operand(2));
            let (zero, one) = (v.number_like(updates, 0.0), v.number_like(updates, 1.0));
            let is_zero = v.compare(Direction::Equal, updates, zero);
            let factors = v.choose(is_zero, one, updates);
            let product = self.scattered(v, Binary::Multiply, [input, indices, factors]);
            let product = v.times(cotangent, product);
            let others = self.at_updates(v, product);
            let others = v.over(others, factors);
            let zeros = v.choose(is_zero, one, zero);
            let none = v.number_like(input, 0.0);
            let num_zeros = self.scattered(v, Binary::Add, [none, indices, zeros]);
            let num_zeros = self.gathered(v, num_zeros);
            let have_none = v.compare(Direction::Equal, num_zeros, zeros);
            v.only_where(have_none, others)
        });
    }

    /// Of a scatter that multiplies each place once at most.
    pub(super) fn factor_vjp(&self, v: &mut Vjp<'_>) {
        v.give_with(0, |v, cotangent| {
            let (indices, updates) = (v.operand(1), v.operand(2));
            self.scattered(v, Binary::Multiply, [cotangent, indices, updates])
        });
        v.give_with(2, |v, cotangent| {
            let input = v.operand(0);
            let product = v.times(cotangent, input);
            self.at_updates(v, product)
        });
    }

    /// Of a scatter of which the last update of a place stays: the input gets what is not overwritten, an update what it
    /// wrote, if no other one wrote there after it.
    pub(super) fn overwriting_vjp(&self, v: &mut Vjp<'_>) {
        let updates = v.operand_type(2);
        let indices = v.operand(1);
        v.give_with(0, |v, cotangent| {
            let zeros = v.splat(updates.clone(), 0.0);
            self.overwritten(v, [cotangent, indices, zeros])
        });
        v.give_with(2, |v, cotangent| {
            let back = self.at_updates(v, cotangent);
            if self.unique_indices == Some(true) {
                return back;
            }
            let number = TensorType::new([updates.num_elements()], ElementType::I32);
            let numbers = v.iota(&number.shape, number.element, 0);
            let numbers = v.reshaped(numbers, &updates.shape);
            let input = v.operand_type(0);
            let none = v.splat(TensorType::new(input.shape, ElementType::I32), -1.0);
            let last = self.overwritten(v, [none, indices, numbers]);
            let last = self.gathered(v, last);
            let is_last = v.compare(Direction::Equal, last, numbers);
            v.only_where(is_last, back)
        });
    }

    /// What a tensor of the input's shape has at the places of the updates; zero for those that are not there.
    fn at_updates(&self, v: &mut Vjp<'_>, whole: ValueId) -> ValueId {
        let parts = self.gathered(v, whole);
        match self.places(v) {
            Places::Inside | Places::Elements => parts,
            Places::Windows => {
                let are_inside = self.are_inside(v);
                v.only_where(are_inside, parts)
            }
        }
    }

    /// What a tensor of the input's shape has at the places of the updates. What it has for those that are not there says
    /// nothing, but for parts of windows, for which it is zero.
    fn gathered(&self, v: &mut Vjp<'_>, whole: ValueId) -> ValueId {
        let sizes = self.window_sizes(v);
        let (mut whole, mut indices) = (whole, v.operand(1));
        if self.places(v) == Places::Elements {
            // Zeros around the tensor, as far as a window reaches.
            let reach = |dim: usize| if self.dims.index_map.contains(&dim) { sizes[dim] } else { 0 };
            let ty = v.ty(whole);
            let edge: Vec<i64> = (0..ty.rank()).map(|dim| reach(dim) as i64).collect();
            let shape: Vec<usize> = (0..ty.rank()).map(|dim| ty.shape[dim] + 2 * reach(dim)).collect();
            let zero = v.splat(TensorType::scalar(ty.element), 0.0);
            let pad = Pad { low: edge.clone(), high: edge.clone(), interior: vec![0; ty.rank()] };
            whole = v.emit(pad, &[whole, zero], TensorType::new(shape, ty.element));
            indices = v.convert(indices, ElementType::I64);
            let moved: Vec<i64> = self.dims.index_map.iter().map(|dim| edge[*dim]).collect();
            let ty = v.ty(indices);
            let moved = room_like(v, &self.dims, &moved, &ty);
            indices = v.plus(indices, moved);
        }
        let updates = v.operand_type(2).shape;
        let gather = Gather {
            dims: self.dims.clone(),
            slice_sizes: sizes,
            indices_are_sorted: self.indices_are_sorted,
        };
        let element = v.ty(whole).element;
        v.emit(gather, &[whole, indices], TensorType::new(updates, element))
    }

    /// What is known of the places of the updates.
    fn places(&self, v: &Vjp<'_>) -> Places {
        let (view, sizes) = (v.view(), self.window_sizes(v));
        let room = room(&self.dims, &view.operand(0).shape, &sizes);
        if self.dims.index_map.is_empty() || Positions::of(&self.dims, &view, 1).are_within(&room) {
            Places::Inside
        } else if self.dims.index_map.iter().all(|dim| sizes[*dim] == 1) {
            Places::Windows
        } else {
            Places::Elements
        }
    }

    /// Size of an update along each dim of the input.
    fn window_sizes(&self, v: &Vjp<'_>) -> Vec<usize> {
        let (input, updates) = (v.operand_type(0), v.operand_type(2));
        let mut sizes = vec![1; input.rank()];
        for (dim, of_update) in self.dims.table_window(input.rank()).into_iter().zip(&self.dims.window) {
            sizes[dim] = updates.shape[*of_update];
        }
        sizes
    }

    /// Whether the window of each element of the updates has a place in the input.
    fn are_inside(&self, v: &mut Vjp<'_>) -> ValueId {
        let (input, updates) = (v.operand_type(0), v.operand_type(2));
        let sizes = self.window_sizes(v);
        let indices = v.operand(1);
        let ty = v.ty(indices);
        let has_vectors = self.dims.index_vector_dim < ty.rank();
        let room = room(&self.dims, &input.shape, &sizes);
        let room = room_like(v, &self.dims, &room, &ty);
        let zero = v.splat(ty.clone(), 0.0);
        let (above, below) = (
            v.compare(Direction::GreaterEqual, indices, zero),
            v.compare(Direction::LessEqual, indices, room),
        );
        let mut are_inside = v.binary(Binary::And, above, below);
        if has_vectors {
            are_inside = v.reduced(Binary::And, are_inside, vec![self.dims.index_vector_dim], 1.0);
        }
        let loops = self.dims.slice_loops(updates.rank());
        v.broadcast(are_inside, &updates.shape, loops)
    }

    fn scattered(&self, v: &mut Vjp<'_>, op: Binary, operands: [ValueId; 3]) -> ValueId {
        let ty = v.ty(operands[0]);
        let reducer = v.pairwise(op, TensorType::scalar(ty.element));
        self.emitted(v, operands, reducer)
    }

    fn overwritten(&self, v: &mut Vjp<'_>, operands: [ValueId; 3]) -> ValueId {
        let scalar = Type::from(TensorType::scalar(v.ty(operands[0]).element));
        let region = v.region(&[scalar.clone(), scalar], |_, args| vec![args[1]]);
        self.emitted(v, operands, region)
    }

    fn emitted(&self, v: &mut Vjp<'_>, operands: [ValueId; 3], region: RegionId) -> ValueId {
        let ty = v.ty(operands[0]);
        v.emit_all(self.clone(), &operands, vec![region], vec![ty.into()])[0]
    }
}
