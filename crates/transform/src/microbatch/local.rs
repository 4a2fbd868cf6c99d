//! What an op's own file needs to write the op down for one microbatch.

use super::inside::Inside;
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::{RegionId, ValueId};
use meshwright_ir::local::LocalBuilder;
use meshwright_ir::mesh::SubAxisId;
use meshwright_ir::op::Op;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::ops::iota::Iota;
use meshwright_ir::ops::reducer::{is_neutral, neutral};
use meshwright_ir::ops::select::Select;
use meshwright_ir::program::{Def, InstView};
use meshwright_ir::rewrite::Rewriter;
use meshwright_ir::sharding::Reduction;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// Appends to a region of the loop.
pub(super) struct Local<'w, 'r, 'a, 'b> {
    pub(super) inside: &'w mut Inside<'a>,
    pub(super) rewriter: &'r mut Rewriter<'b>,
    pub(super) region: RegionId,
}

impl LocalBuilder for Local<'_, '_, '_, '_> {
    fn emit(&mut self, op: Op, operands: &[ValueId], regions: &[RegionId], types: Vec<Type>) -> Vec<ValueId> {
        let span = self.inside.span();
        self.rewriter.build(self.region, span).emit_all(op, operands, regions.to_vec(), types)
    }

    fn copy_region(&mut self, view: &InstView<'_>, index: usize) -> RegionId {
        self.rewriter.copy_elements(view.inst.regions[index])
    }

    fn partition_region(&mut self, view: &InstView<'_>, index: usize) -> RegionId {
        self.rewriter.copy_elements(view.inst.regions[index])
    }

    fn ty(&self, value: ValueId) -> Type {
        self.rewriter.to.ty(value).clone()
    }

    fn constant(&mut self, value: Literal) -> ValueId {
        let span = self.inside.span();
        self.rewriter.build(self.region, span).constant(value)
    }

    fn as_splat(&self, value: ValueId) -> Option<&Literal> {
        let Def::Result(inst, _) = self.rewriter.to.values[value].def else { return None };
        match &self.rewriter.to.insts[inst].op {
            Op::Constant(constant) => constant.value.splat_bytes().map(|_| &constant.value),
            _ => None,
        }
    }

    /// Shards would lie side by side; those of microbatches do not.
    fn index_along(&mut self, _: &[SubAxisId], element: ElementType) -> ValueId {
        let (counter, span) = (self.inside.counter(), self.inside.span());
        let index = self.rewriter.build(self.region, span).convert(counter, element);
        self.inside.refuse(index)
    }

    fn positions(&mut self, count: Iota, ty: TensorType, _: &[SubAxisId]) -> ValueId {
        let (dim, span) = (count.dim, self.inside.span());
        let counted = self.rewriter.build(self.region, span).emit(count, &[], ty);
        self.inside.positions(self.rewriter, counted, dim, self.region)
    }

    fn own_shard(&mut self, value: ValueId, axes: &[Vec<SubAxisId>]) -> ValueId {
        let dim = axes.iter().position(|axes| !axes.is_empty()).unwrap_or(0);
        let size = self.rewriter.to.tensor(value).shape[dim];
        let along = self.inside.along(dim, size);
        self.inside.sliced(self.rewriter, value, along, self.region)
    }

    fn once(&mut self, value: ValueId, _: &[SubAxisId], reduction: Reduction) -> ValueId {
        if self.as_splat(value).is_some_and(|splat| is_neutral(reduction, splat)) {
            return value;
        }
        let (counter, span) = (self.inside.counter(), self.inside.span());
        let mut builder = self.rewriter.build(self.region, span);
        let ty = builder.ty(value);
        let nothing = neutral(reduction, ty.element).expect("the op's rule asked for a neutral element");
        let nothing = builder.constant(Literal { ty: ty.clone(), data: nothing.data });
        let zero = builder.splat(TensorType::scalar(super::COUNTER), 0.0);
        let is_first = builder.compare(Direction::Equal, counter, zero);
        builder.emit(Select, &[is_first, value, nothing], ty)
    }

    fn all_reduce(&mut self, value: ValueId, _: &[SubAxisId], _: Reduction) -> ValueId {
        self.inside.refuse(value)
    }

    /// The pass adds up what its microbatches contribute.
    fn sum_of_shards(&mut self, value: ValueId, _: &[SubAxisId]) -> ValueId {
        value
    }

    fn all_gather(&mut self, value: ValueId, _: usize, _: &[SubAxisId]) -> ValueId {
        self.inside.refuse(value)
    }

    fn all_to_all(&mut self, value: ValueId, _: usize, _: &[SubAxisId]) -> ValueId {
        self.inside.refuse(value)
    }

    fn permute(&mut self, value: ValueId, _: &[SubAxisId], _: &[(usize, usize)]) -> ValueId {
        self.inside.refuse(value)
    }
}
