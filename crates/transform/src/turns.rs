//! Loops that are written anew: their regions, parts of stacks that a turn reads and writes, and what is said of what they carry.
//!
//! Input: a place in the body of a loop, a stack and the number of a turn; or a loop that carries other values than the one
//! that it was made of. Output: instructions there; the shardings that the loop says.

use meshwright_ir::attribute::Attr;
use meshwright_ir::build::{BodyBuilder, Builder};
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::loops::Affine;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::ops::dynamic_slice::DynamicSlice;
use meshwright_ir::ops::dynamic_update_slice::DynamicUpdateSlice;
use meshwright_ir::ops::reshape::Reshape;
use meshwright_ir::ops::return_::Return;
use meshwright_ir::program::{Body, Region};
use meshwright_ir::rewrite::Rewriter;
use meshwright_ir::sharding::ShardingAttr;
use meshwright_tensor::types::TensorType;

/// A stack of parts of a type, along a dim in front of its own.
pub(crate) fn stack_of(part: &TensorType, turns: usize) -> TensorType {
    let shape: Vec<usize> = [turns].into_iter().chain(part.shape.iter().copied()).collect();
    TensorType::new(shape, part.element)
}

/// A stack of zeros for a part of this type in each turn.
pub(crate) fn zeros(builder: &mut BodyBuilder<'_>, part: &TensorType, turns: usize) -> ValueId {
    let ty = stack_of(part, turns);
    let zero = builder.splat(TensorType::scalar(ty.element), 0.0);
    builder.broadcast(zero, &ty.shape, Vec::new())
}

/// The stack with a part of its own at position `at` of its first dim.
pub(crate) fn put(builder: &mut BodyBuilder<'_>, stack: ValueId, part: ValueId, at: ValueId) -> ValueId {
    let (stack_ty, ty) = (builder.ty(stack), builder.ty(part));
    let part = builder.emit(Reshape, &[part], stack_of(&ty, 1));
    let starts = starts(builder, at, 0, stack_ty.rank());
    let operands: Vec<ValueId> = [stack, part].into_iter().chain(starts).collect();
    builder.emit(DynamicUpdateSlice, &operands, stack_ty)
}

/// The part of a stack at position `at` of a dim, as a value of type `ty`.
pub(crate) fn take(
    builder: &mut BodyBuilder<'_>,
    stack: ValueId,
    dim: usize,
    at: ValueId,
    ty: TensorType,
) -> ValueId {
    let stack_ty = builder.ty(stack);
    let starts = starts(builder, at, dim, stack_ty.rank());
    let mut sizes = stack_ty.shape;
    sizes[dim] = 1;
    let operands: Vec<ValueId> = [stack].into_iter().chain(starts).collect();
    let part_ty = TensorType::new(sizes.clone(), ty.element);
    let part = builder.emit(DynamicSlice { sizes }, &operands, part_ty.clone());
    if part_ty == ty { part } else { builder.emit(Reshape, &[part], ty) }
}

/// An affine function of a number.
pub(crate) fn number(builder: &mut BodyBuilder<'_>, value: ValueId, of: Affine) -> ValueId {
    let ty = builder.ty(value);
    let constant = |builder: &mut BodyBuilder<'_>, number: i64| builder.splat(ty.clone(), number as f64);
    match (of.factor, of.offset) {
        (1, 0) => value,
        (1, offset) => {
            let offset = constant(builder, offset);
            builder.binary(Binary::Add, value, offset)
        }
        (_, offset) => {
            let offset = constant(builder, offset);
            builder.binary(Binary::Subtract, offset, value)
        }
    }
}

/// Appends the condition of a loop that carries these values, the first of which counts its turns from zero.
pub(crate) fn condition(rewriter: &mut Rewriter<'_>, init: &[ValueId], turns: usize) -> RegionId {
    let condition = region_like(&mut rewriter.to, init);
    let counter = rewriter.to.regions[condition].args[0];
    let mut builder = rewriter.build(condition, Span::NONE);
    let ty = builder.ty(counter);
    let end = builder.splat(ty, turns as f64);
    let goes_on = builder.compare(Direction::Less, counter, end);
    builder.emit_all(Return::Stablehlo, &[goes_on], Vec::new(), Vec::new());
    condition
}

/// A region with arguments of the types of these values.
pub(crate) fn region_like(body: &mut Body, values: &[ValueId]) -> RegionId {
    let region = body.regions.push(Region::default());
    for value in values {
        let ty = body.ty(*value).clone();
        body.add_arg(region, ty, Span::NONE);
    }
    region
}

/// Where a part begins: at zero along all dims but one.
fn starts(builder: &mut BodyBuilder<'_>, at: ValueId, dim: usize, rank: usize) -> Vec<ValueId> {
    let ty = builder.ty(at);
    let zero = builder.splat(ty, 0.0);
    (0..rank).map(|own| if own == dim { at } else { zero }).collect()
}

/// Leaves of the shardings that a loop says of what it carries those at these positions, which are kept in front; those of
/// what it carries behind them are open.
pub(crate) fn leave_shardings(rewriter: &mut Rewriter<'_>, made: InstId, kept: &[usize]) {
    let content = &rewriter.to.insts[made];
    let Some(Attr::ShardingPerValue(list)) = content.attributes.get("sdy.sharding") else { return };
    let Some(mesh) = list.first().map(|first| first.mesh.clone()) else { return };
    let rank = |value: &ValueId| rewriter.to.ty(*value).as_tensor().map_or(0, |ty| ty.rank());
    let more =
        content.results[kept.len()..].iter().map(|value| ShardingAttr::open(mesh.clone(), rank(value)));
    let all = kept.iter().filter_map(|index| list.get(*index).cloned()).chain(more).collect();
    rewriter.to.insts[made].attributes.set("sdy.sharding", Attr::ShardingPerValue(all));
}
