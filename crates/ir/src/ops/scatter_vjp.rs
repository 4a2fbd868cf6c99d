//! The backward pass of scatters.
//!
//! Updates at places that are not there are dropped by the forward pass, so they get nothing back.

use super::binary::Binary;
use super::compare::Direction;
use super::gather::Gather;
use super::gather_vjp::{room, room_like};
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

impl Scatter {
    pub(super) fn sum_vjp(&self, v: &mut Vjp<'_>) {
        v.give_with(0, |_, cotangent| cotangent);
        v.give_with(2, |v, cotangent| self.at_updates(v, cotangent));
    }

    /// Of a scatter that multiplies each place once at most.
    pub(super) fn product_vjp(&self, v: &mut Vjp<'_>) {
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
        match self.are_inside(v) {
            Some(are_inside) => v.only_where(are_inside, parts),
            None => parts,
        }
    }

    fn gathered(&self, v: &mut Vjp<'_>, whole: ValueId) -> ValueId {
        let indices = v.operand(1);
        let updates = v.operand_type(2).shape;
        let gather = Gather {
            dims: self.dims.clone(),
            slice_sizes: self.window_sizes(v),
            indices_are_sorted: self.indices_are_sorted,
        };
        let element = v.ty(whole).element;
        v.emit(gather, &[whole, indices], TensorType::new(updates, element))
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

    /// Whether each element of the updates has a place in the input; `None` if there are no indices, so that all have.
    fn are_inside(&self, v: &mut Vjp<'_>) -> Option<ValueId> {
        if self.dims.index_map.is_empty() {
            return None;
        }
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
        Some(v.broadcast(are_inside, &updates.shape, loops))
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
