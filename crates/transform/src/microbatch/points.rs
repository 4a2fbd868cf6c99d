//! Points: how a value is put together from the parts that the turns of a loop make.

use crate::time::{Along, InTime, Point, TimeAxis};
use meshwright_ir::build::{BodyBuilder, Builder};
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::dynamic_update_slice::DynamicUpdateSlice;
use meshwright_ir::ops::reducer::neutral;
use meshwright_ir::ops::reshape::Reshape;
use meshwright_ir::program::Body;
use meshwright_ir::rewrite::Rewriter;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementKind, ElementType, TensorType};

use super::parts::{Strided, strided};

/// Element type in which contributions of a type are added up.
pub(super) fn accumulated(element: ElementType) -> ElementType {
    let is_narrow = element.kind() == ElementKind::Float && element.bits() < ElementType::F32.bits();
    if is_narrow { ElementType::F32 } else { element }
}

/// Type of what a loop carries for a point whose whole value has type `ty`.
fn carried(point: &Point, axis: &TimeAxis, ty: &TensorType) -> TensorType {
    match point.kind {
        InTime::Same | InTime::Own => ty.clone(),
        InTime::Partial(_) => TensorType::new(ty.shape.clone(), accumulated(ty.element)),
        InTime::Cut(along) => TensorType::new(strided(axis, &ty.shape, along).shape, ty.element),
    }
}

/// What the first turn is given for a point.
pub(super) fn start(point: &Point, axis: &TimeAxis, body: &Body, rewriter: &mut Rewriter<'_>) -> ValueId {
    let ty = carried(point, axis, body.tensor(point.value));
    let entry = rewriter.to.entry();
    let mut builder = rewriter.build(entry, Span::NONE);
    let reduction = match point.kind {
        InTime::Partial(reduction) => neutral(reduction, ty.element),
        InTime::Same | InTime::Own | InTime::Cut(_) => None,
    };
    match reduction {
        Some(nothing) => builder.constant(Literal { ty, data: nothing.data }),
        None => builder.splat(ty, 0.0),
    }
}

/// What a turn makes of a point: `before` it, and its own `part`.
pub(super) fn turn(
    point: &Point,
    axis: &TimeAxis,
    before: ValueId,
    part: ValueId,
    counter: ValueId,
    builder: &mut BodyBuilder<'_>,
) -> ValueId {
    match point.kind {
        InTime::Same | InTime::Own => part,
        InTime::Partial(reduction) => {
            let element = builder.ty(before).element;
            let part = builder.convert(part, element);
            builder.binary(Binary::of_reduction(reduction), before, part)
        }
        InTime::Cut(Along { dim, .. }) => {
            let (ty, carried) = (builder.ty(part), builder.ty(before));
            let position = Strided::position(dim);
            let mut shape = carried.shape.clone();
            shape[position] = 1;
            let update = builder.emit(Reshape, &[part], TensorType::new(shape, ty.element));
            let zero = builder.splat(TensorType::scalar(super::COUNTER), 0.0);
            let starts = (0..carried.rank()).map(|at| if at == position { counter } else { zero });
            let operands: Vec<ValueId> = [before, update].into_iter().chain(starts).collect();
            assert_eq!(axis.count, carried.shape[position], "one place for each microbatch");
            builder.emit(DynamicUpdateSlice, &operands, carried)
        }
    }
}

/// The whole value, of type `ty`, from what the loop leaves.
pub(super) fn whole(
    point: &Point,
    result: ValueId,
    ty: &TensorType,
    builder: &mut BodyBuilder<'_>,
) -> ValueId {
    match point.kind {
        InTime::Same | InTime::Own => result,
        InTime::Partial(_) => builder.convert(result, ty.element),
        InTime::Cut(_) => builder.emit(Reshape, &[result], ty.clone()),
    }
}
