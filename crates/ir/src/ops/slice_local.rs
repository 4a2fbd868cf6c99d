//! The local forms of `gather` and `scatter` where the table is sharded along dims that indices address: each
//! device counts positions from the first that it holds, and leaves out what it does not hold.

use super::binary::Binary;
use super::broadcast_in_dim::BroadcastInDim;
use super::compare::{Compare, Direction};
use super::concatenate::Concatenate;
use super::convert::Convert;
use super::gather::Gather;
use super::integer_ranges::Positions;
use super::iota::Iota;
use super::local_code::{clamp, masked, one, tensor};
use super::reducer::is_neutral;
use super::reshape::Reshape;
use super::scatter::Scatter;
use super::select::Select;
use super::slice::Slice;
use super::slice_dims::SliceDims;
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::mesh::SubAxisId;
use crate::op::Op;
use crate::rule::FactorKind;
use meshwright_tensor::types::{ElementType, TensorType};

/// Emits the local gather. Sizes in the attributes become local ones; slices that another device holds are zero, so
/// that the sum over the devices is the result.
pub(super) fn gather(op: &Gather, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
    let mut local = op.clone();
    let table = cx.view.operand(0);
    for (dim, size) in cx.operand(0).shape.iter().enumerate() {
        if op.slice_sizes[dim] == table.shape[dim] {
            local.slice_sizes[dim] = *size;
        }
    }
    let sharded = Components::new(&op.dims, cx, 0, 1);
    if !sharded.any() {
        return b.emit(local.into(), cx.operands, &[], cx.result_types.to_vec());
    }
    let mut held: Option<ValueId> = None;
    let indices = sharded.map(b, |b, component, dim, axes| {
        // Where the whole gather would read, which decides who holds it; only then this device's own position.
        let inside = clamp(b, component, 0, (table.shape[dim] - op.slice_sizes[dim]) as i64);
        let own = sharded.count_from_own(b, inside, dim, axes);
        let safe = clamp(b, own, 0, cx.operand(0).shape[dim] as i64 - 1);
        let ty = tensor(b, own);
        let is_held = one(
            b,
            Compare { direction: Direction::Equal, compare_type: None },
            &[safe, own],
            TensorType::new(ty.shape, ElementType::I1),
        );
        let is_held = one(b, Reshape, &[is_held], TensorType::new(sharded.loops.clone(), ElementType::I1));
        held = Some(match held {
            Some(before) => {
                let ty = TensorType::new(sharded.loops.clone(), ElementType::I1);
                one(b, Binary::And, &[before, is_held], ty)
            }
            None => is_held,
        });
        safe
    });
    let gathered = b.emit(local.into(), &[cx.operands[0], indices], &[], cx.result_types.to_vec())[0];
    let Some(held) = held else {
        return vec![gathered];
    };
    let result = cx.result(0).clone();
    let spread = BroadcastInDim { dims: op.dims.slice_loops(result.rank()) };
    let held = one(b, spread, &[held], TensorType::new(result.shape.clone(), ElementType::I1));
    let zero = b.splat(result.clone(), 0.0);
    vec![one(b, Select, &[held, gathered, zero], result)]
}

/// Emits the local scatter. An index counted from this device's first position is out of bounds, below or above, for
/// updates of places that another device holds, and those are skipped. Where the result is partial over the axes
/// that shard the updates, the input is counted once.
pub(super) fn scatter(op: &Scatter, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
    let region = b.copy_region(&cx.view, 0);
    let count = cx.result_types.len();
    // Updates that are padding are combined somewhere without effect.
    let mut operands = masked(cx, b, count + 1..2 * count + 1);
    let partial = cx.partial_axes();
    if let (false, Some(reduction)) = (partial.is_empty(), op.reduction(&cx.view))
        && !b.as_splat(operands[0]).is_some_and(|value| is_neutral(reduction, value))
    {
        operands[0] = b.once(operands[0], &partial, reduction);
    }
    let sharded = Components::new(&op.dims, cx, 0, count);
    if sharded.any() {
        operands[count] =
            sharded.map(b, |b, component, dim, axes| sharded.count_from_own(b, component, dim, axes));
    }
    b.emit(op.clone().into(), &operands, &[region], cx.result_types.to_vec())
}

/// The components of the index vectors.
struct Components {
    /// The local indices.
    indices: ValueId,
    /// Their local shape.
    shape: Vec<usize>,
    /// The same without the dim that holds the components.
    loops: Vec<usize>,
    index_vector_dim: usize,
    /// An element type that holds positions in the whole table as well as twice as far outside it.
    element: ElementType,
    /// Per component the table's dim, its local size and how its positions are found.
    dims: Vec<(usize, usize, Found)>,
}

/// How the positions along a dim of the table are found.
enum Found {
    /// As the indices say.
    Whole,
    /// The dim is sharded by these axes; positions are counted from the first that the device holds.
    Moved(Vec<SubAxisId>),
    /// The index vectors count along this dim of the indices, which is sharded like the dim.
    Counted(usize),
    /// All windows start at zero and cover the dim, which is sharded.
    Zero,
}

impl Components {
    fn new(dims: &SliceDims, cx: &Localize<'_>, table: usize, indices: usize) -> Self {
        let ty = cx.operand(indices);
        let shape = ty.shape.clone();
        let largest = dims.index_map.iter().map(|dim| cx.view.operand(table).shape[*dim]).max().unwrap_or(0);
        let element = match ty.element.bits() {
            64 => ty.element,
            32 if ElementType::for_positions(largest) == ElementType::I32 => ty.element,
            _ => ElementType::for_positions(largest),
        };
        let positions = Positions::of(dims, &cx.view, indices);
        let is_moved = |dim: usize| {
            let kind = |factor: &usize| cx.rule.factors[*factor].kind;
            cx.rule.operands[table][dim]
                .iter()
                .map(kind)
                .any(|kind| matches!(kind, FactorKind::Indexed | FactorKind::Sliced))
        };
        let is_scatter = matches!(cx.view.inst.op, Op::Scatter(_));
        let with_axes = |dim: &usize| {
            let axes = cx.operand_axes(table, *dim);
            let found = match positions.counted.iter().find(|(counted, _)| counted == dim) {
                _ if axes.is_empty() => Found::Whole,
                Some((_, along)) => Found::Counted(*along),
                None if is_moved(*dim) => Found::Moved(axes),
                // Of a gather, whose windows are moved inside, that is plain.
                None if is_scatter && positions.start_at_zero(*dim) => Found::Zero,
                None => Found::Whole,
            };
            (*dim, cx.operand(table).shape[*dim], found)
        };
        Self {
            indices: cx.operands[indices],
            loops: dims.index_loops(shape.len()).into_iter().map(|(dim, _)| shape[dim]).collect(),
            shape,
            index_vector_dim: dims.index_vector_dim,
            element,
            dims: dims.index_map.iter().map(with_axes).collect(),
        }
    }

    /// Whether some component addresses a sharded dim.
    fn any(&self) -> bool {
        self.dims.iter().any(|(_, _, found)| !matches!(found, Found::Whole))
    }

    /// The indices with `change` applied to each component of a dim that is sharded apart from them.
    fn map(
        &self,
        b: &mut dyn LocalBuilder,
        mut change: impl FnMut(&mut dyn LocalBuilder, ValueId, usize, &[SubAxisId]) -> ValueId,
    ) -> ValueId {
        let whole = TensorType::new(self.shape.clone(), self.element);
        let mut indices = self.indices;
        if tensor(b, indices).element != self.element {
            indices = one(b, Convert, &[indices], whole.clone());
        }
        let mut changed =
            |b: &mut dyn LocalBuilder, part: ValueId, (dim, _, found): &(usize, usize, Found)| {
                let ty = tensor(b, part);
                match found {
                    Found::Whole => part,
                    Found::Moved(axes) => change(b, part, *dim, axes),
                    Found::Counted(along) => one(b, Iota { dim: *along }, &[], ty),
                    Found::Zero => b.splat(ty, 0.0),
                }
            };
        if let [only] = self.dims.as_slice() {
            return changed(b, indices, only);
        }
        let mut single = whole.clone();
        single.shape[self.index_vector_dim] = 1;
        let mut parts = Vec::with_capacity(self.dims.len());
        for (component, dim) in self.dims.iter().enumerate() {
            let (mut start, mut limit) = (vec![0; self.shape.len()], self.shape.clone());
            (start[self.index_vector_dim], limit[self.index_vector_dim]) = (component, component + 1);
            let cut = Slice { start, limit, stride: vec![1; self.shape.len()] };
            let part = one(b, cut, &[indices], single.clone());
            parts.push(changed(b, part, dim));
        }
        one(b, Concatenate { dim: self.index_vector_dim }, &parts, whole)
    }

    /// Positions along `dim` less the first that this device holds.
    fn count_from_own(
        &self,
        b: &mut dyn LocalBuilder,
        positions: ValueId,
        dim: usize,
        axes: &[SubAxisId],
    ) -> ValueId {
        let size = self.dims.iter().find(|(other, _, _)| *other == dim).map_or(0, |(_, size, _)| *size);
        let scalar = TensorType::scalar(self.element);
        let (index, size) = (b.index_along(axes, self.element), b.splat(scalar.clone(), size as f64));
        let first = one(b, Binary::Multiply, &[index, size], scalar);
        let ty = tensor(b, positions);
        let first = one(b, BroadcastInDim { dims: Vec::new() }, &[first], ty.clone());
        one(b, Binary::Subtract, &[positions, first], ty)
    }
}
