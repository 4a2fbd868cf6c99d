//! The backward pass of gathers.
//!
//! A gather moves slices that would hang over an edge of the table, where a scatter skips them. So the backward pass adds
//! up at the places that were read, which are the indices, each moved as the gather moves it. That is left out where no
//! index can lie outside, and where what is passed back to such ones is zero: programs that fill what they read outside
//! of a table choose the filling by a comparison of the indices with the table's edges.
//!
//! ```text
//! %y = gather %table, %i     given %dy:  %j = clamp 0, %i, room;  %dtable = scatter add zeros, %j, %dy
//! ```

use super::binary::Binary;
use super::clamp::Clamp;
use super::compare::Direction;
use super::constant::is_splat_of;
use super::gather::Gather;
use super::integer_ranges::{Known, Positions, known};
use super::reducer::reducer;
use super::scatter::Scatter;
use super::slice_dims::SliceDims;
use crate::build::Builder as _;
use crate::ids::ValueId;
use crate::op::Op;
use crate::program::{Body, Def, InstView};
use crate::vjp::{Indices, Vjp};
use meshwright_tensor::literal::{Literal, LiteralData, int_bytes};
use meshwright_tensor::types::TensorType;

impl Gather {
    /// What the table gets of the cotangent of the slices.
    pub(super) fn table_cotangent(&self, v: &mut Vjp<'_>, cotangent: ValueId) -> ValueId {
        let table = v.operand_type(0);
        let indices = self.read_at(v, cotangent);
        let zeros = v.splat(table.clone(), 0.0);
        let scatter = Scatter {
            dims: self.dims.clone(),
            indices_are_sorted: self.indices_are_sorted,
            unique_indices: None,
        };
        let reducer = v.pairwise(Binary::Add, TensorType::scalar(table.element));
        v.emit_all(scatter, &[zeros, indices, cotangent], vec![reducer], vec![table.into()])[0]
    }

    /// The indices of the places that were read, as far as what is passed back to them may be other than zero.
    fn read_at(&self, v: &mut Vjp<'_>, cotangent: ValueId) -> ValueId {
        let view = v.view();
        let room = room(&self.dims, &view.operand(0).shape, &self.slice_sizes);
        let given = view.inst.operands[1];
        if v.indices == Indices::InBounds || Positions::of(&self.dims, &view, 1).are_within(&room) {
            return v.operand(1);
        }
        let indices = v.operand(1);
        let mask = Mask { dims: &self.dims, indices: [given, indices], room: &room };
        if mask.hides(v.body, cotangent) {
            return indices;
        }
        let ty = v.ty(indices);
        let zero = v.splat(TensorType::scalar(ty.element), 0.0);
        let room = room_like(v, &self.dims, &room, &ty);
        v.add(Clamp, &[zero, indices, room])
    }
}

/// The greatest start at which a slice lies inside the table, for each component of an index vector; `sizes` are those
/// of a slice along each dim of the table.
pub(super) fn room(dims: &SliceDims, table: &[usize], sizes: &[usize]) -> Vec<i64> {
    dims.index_map.iter().map(|dim| table[*dim].saturating_sub(sizes[*dim]) as i64).collect()
}

/// The greatest starts as indices of type `ty`. An element type that cannot say them has no index beyond them, so that its
/// greatest number does as well.
pub(super) fn room_like(v: &mut Vjp<'_>, dims: &SliceDims, room: &[i64], ty: &TensorType) -> ValueId {
    let most = Known::any(ty.element).high;
    let bytes = room.iter().flat_map(|room| int_bytes(most.min(i128::from(*room)), ty.element)).collect();
    let list = TensorType::new([room.len()], ty.element);
    let list = Literal { ty: list, data: LiteralData::Dense(bytes) }.normalized();
    if list.splat_bytes().is_some() {
        return v.constant(Literal { ty: ty.clone(), ..list });
    }
    let list = v.constant(list);
    v.broadcast(list, &ty.shape, vec![dims.index_vector_dim])
}

/// A comparison of indices with the edges of their table that zeroes what is passed back to those outside.
struct Mask<'a> {
    dims: &'a SliceDims,
    /// The indices, as the forward and as the backward pass reads them.
    indices: [ValueId; 2],
    room: &'a [i64],
}

impl Mask<'_> {
    /// Returns whether a cotangent of the slices is zero wherever an index lies outside, as its text shows.
    fn hides(&self, body: &Body, cotangent: ValueId) -> bool {
        let Some(view) = defined(body, cotangent) else { return false };
        match (&view.inst.op, view.inst.operands.as_slice()) {
            (Op::Convert(_), [value]) => self.hides(body, *value),
            (Op::Select(_), [predicate, _, _]) => is_splat_of(&view, 2, 0.0) && self.is(body, *predicate),
            _ => false,
        }
    }

    /// Returns whether a value says of each element of the slices whether the index vector that it was read by lies inside.
    fn is(&self, body: &Body, predicate: ValueId) -> bool {
        let (indices, slices) = (body.tensor(self.indices[0]), body.tensor(predicate));
        let is_of_loops = |vectors: ValueId| {
            let sizes = self.dims.index_loops(indices.rank()).into_iter().map(|(dim, _)| indices.shape[dim]);
            body.tensor(vectors).shape.iter().copied().eq(sizes)
        };
        let vectors =
            match defined(body, predicate).map(|view| (&view.inst.op, view.inst.operands.as_slice())) {
                Some((Op::BroadcastInDim(broadcast), [vectors])) => {
                    Some(*vectors).filter(|_| broadcast.dims == self.dims.slice_loops(slices.rank()))
                }
                _ => Some(predicate),
            };
        vectors.is_some_and(|vectors| is_of_loops(vectors) && self.is_of_vectors(body, vectors))
    }

    /// Returns whether a value says of each index vector whether all its components lie inside.
    fn is_of_vectors(&self, body: &Body, value: ValueId) -> bool {
        let vector_dim = self.dims.index_vector_dim;
        if vector_dim == body.tensor(self.indices[0]).rank() {
            return self.compares(body, value);
        }
        let Some(view) = defined(body, value) else { return false };
        let Op::Reduce(reduce) = &view.inst.op else { return false };
        let [components, _] = view.inst.operands.as_slice() else { return false };
        reduce.dims == [vector_dim]
            && reducer(body, view.region(0)) == Some(Binary::And)
            && self.compares(body, *components)
    }

    /// Returns whether a value says of each component whether it lies inside.
    fn compares(&self, body: &Body, value: ValueId) -> bool {
        let Some(view) = defined(body, value) else { return false };
        let (Op::Binary(Binary::And), [one, other]) = (&view.inst.op, view.inst.operands.as_slice()) else {
            return false;
        };
        let pairs = [[*one, *other], [*other, *one]];
        pairs.iter().any(|[low, high]| {
            self.bounds(body, *low, Direction::GreaterEqual) && self.bounds(body, *high, Direction::LessEqual)
        })
    }

    /// Returns whether a value compares the indices with zero or what is above, or with the room or what is below.
    fn bounds(&self, body: &Body, value: ValueId, direction: Direction) -> bool {
        let Some(view) = defined(body, value) else { return false };
        let (Op::Compare(compare), [indices, bound]) = (&view.inst.op, view.inst.operands.as_slice()) else {
            return false;
        };
        let vector_dim = self.dims.index_vector_dim;
        let holds = |(component, room): (usize, &i64)| {
            let at = (vector_dim < view.operand(1).rank()).then_some((vector_dim, component));
            let bound = known(body, *bound, at);
            match direction {
                Direction::GreaterEqual => bound.low >= 0,
                _ => bound.high <= i128::from(*room),
            }
        };
        compare.direction == direction
            && self.indices.contains(indices)
            && self.room.iter().enumerate().all(holds)
    }
}

fn defined(body: &Body, value: ValueId) -> Option<InstView<'_>> {
    match body.values[value].def {
        Def::Result(inst, _) => Some(body.view(inst)),
        Def::Argument(..) => None,
    }
}
