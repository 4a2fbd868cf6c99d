//! The part of a whole value that one microbatch takes.
//!
//! A dim is seen as `[outer, n, together]`; microbatch `m` has what is at `m` of the second.

use crate::time::{Along, TimeAxis};
use meshwright_ir::build::{BodyBuilder, Builder};
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::dynamic_slice::DynamicSlice;
use meshwright_ir::ops::reshape::Reshape;
use meshwright_tensor::types::TensorType;

/// A shape in which microbatches have a dim of their own.
pub(super) struct Strided {
    /// The shape.
    pub(super) shape: Vec<usize>,
}

impl Strided {
    /// The dim of the microbatches, if dim `dim` is cut.
    pub(super) fn position(dim: usize) -> usize {
        dim + 1
    }
}

/// The shape in which the dim that is cut has the microbatches apart.
pub(super) fn strided(axis: &TimeAxis, shape: &[usize], Along { dim, together }: Along) -> Strided {
    let outer = shape[dim] / (axis.count * together);
    let apart = [outer, axis.count].into_iter().chain((together > 1).then_some(together));
    Strided {
        shape: shape[..dim].iter().copied().chain(apart).chain(shape[dim + 1..].iter().copied()).collect(),
    }
}

/// The type of one microbatch's part of a type whose dim `dim` is cut.
pub(super) fn part_type(axis: &TimeAxis, ty: &TensorType, dim: usize) -> TensorType {
    let mut shape = ty.shape.clone();
    shape[dim] /= axis.count;
    TensorType::new(shape, ty.element)
}

/// The part of a whole value that microbatch `counter` takes along a dim.
pub(super) fn slice(
    axis: &TimeAxis,
    whole: ValueId,
    along: Along,
    counter: ValueId,
    builder: &mut BodyBuilder<'_>,
) -> ValueId {
    let ty = builder.ty(whole);
    let (Strided { shape }, position) = (strided(axis, &ty.shape, along), Strided::position(along.dim));
    let apart = builder.emit(Reshape, &[whole], TensorType::new(shape.clone(), ty.element));
    let zero = builder.splat(TensorType::scalar(super::COUNTER), 0.0);
    let mut sizes = shape;
    sizes[position] = 1;
    let starts = (0..sizes.len()).map(|at| if at == position { counter } else { zero });
    let operands: Vec<ValueId> = [apart].into_iter().chain(starts).collect();
    let taken =
        builder.emit(DynamicSlice { sizes: sizes.clone() }, &operands, TensorType::new(sizes, ty.element));
    builder.emit(Reshape, &[taken], part_type(axis, &ty, along.dim))
}

/// The positions that counted positions of a part have in the whole: `counted` counts along a dim of which so many elements
/// stay together.
pub(super) fn positions(
    axis: &TimeAxis,
    counted: ValueId,
    together: usize,
    counter: ValueId,
    builder: &mut BodyBuilder<'_>,
) -> ValueId {
    let ty = builder.ty(counted);
    let number = builder.convert(counter, ty.element);
    let offset = builder.with_number(Binary::Multiply, number, together);
    let offset = builder.broadcast(offset, &ty.shape, Vec::new());
    // What is together at `e` of the part is at `e * n + m` of the whole; the elements within it stay in their order.
    let spread = if together == 1 {
        builder.with_number(Binary::Multiply, counted, axis.count)
    } else {
        let example = builder.with_number(Binary::Divide, counted, together);
        let skipped = builder.with_number(Binary::Multiply, example, together * (axis.count - 1));
        builder.binary(Binary::Add, counted, skipped)
    };
    builder.binary(Binary::Add, spread, offset)
}
