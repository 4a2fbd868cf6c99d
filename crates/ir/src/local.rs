//! What an op needs to emit its own local form when the generic one does not fit.
//!
//! A dim that its shards do not divide ends in padding on the last devices ([`crate::sharding::Sharding::local_shape`]);
//! what stands there is unspecified. An op that passes elements through need not care; one that combines elements
//! along such a dim masks them first.

use crate::ids::{RegionId, ValueId};
use crate::mesh::{Mesh, SubAxisId};
use crate::op::Op;
use crate::ops::binary::Binary;
use crate::ops::broadcast_in_dim::BroadcastInDim;
use crate::ops::iota::Iota;
use crate::program::InstView;
use crate::rule::{ShardingRule, Strategy};
use crate::sharding::Reduction;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// A sharded instruction about to be made local.
pub struct Localize<'a> {
    /// The instruction in the global program.
    pub view: InstView<'a>,
    /// Its sharding rule.
    pub rule: &'a ShardingRule,
    /// How its factors are sharded.
    pub strategy: &'a Strategy,
    /// The mesh.
    pub mesh: &'a Mesh,
    /// Local values of the operands, sharded as the strategy asks.
    pub operands: &'a [ValueId],
    /// Local types of the operands.
    pub operand_types: &'a [Type],
    /// Local types of the results.
    pub result_types: &'a [Type],
}

impl Localize<'_> {
    /// Local tensor type of operand `index` of a verified instruction.
    pub fn operand(&self, index: usize) -> &TensorType {
        self.operand_types[index].as_tensor().expect("a tensor operand")
    }

    /// Local tensor type of result `index` of a verified instruction.
    pub fn result(&self, index: usize) -> &TensorType {
        self.result_types[index].as_tensor().expect("a tensor result")
    }

    /// The axes that shard dim `dim` of operand `operand`.
    pub fn operand_axes(&self, operand: usize, dim: usize) -> Vec<SubAxisId> {
        self.rule.operands[operand][dim]
            .iter()
            .flat_map(|factor| self.strategy.axes[*factor].clone())
            .collect()
    }

    /// The axes that shard dim `dim` of result `result`.
    pub fn result_axes(&self, result: usize, dim: usize) -> Vec<SubAxisId> {
        self.rule.results[result][dim].iter().flat_map(|factor| self.strategy.axes[*factor].clone()).collect()
    }

    /// Returns whether some shards of dim `dim` of operand `operand` hold padding.
    pub fn is_padded(&self, operand: usize, dim: usize) -> bool {
        let shards = self.mesh.product(&self.operand_axes(operand, dim));
        !self.view.operand(operand).shape[dim].is_multiple_of(shards)
    }

    /// The axes over which the results are partial.
    pub fn partial_axes(&self) -> Vec<SubAxisId> {
        self.strategy.partial(self.rule).map_or(Vec::new(), |(_, axes)| axes.iter().collect())
    }
}

/// Emits instructions into the local program; implemented by the partitioner.
pub trait LocalBuilder {
    /// Appends an instruction and returns its results.
    fn emit(&mut self, op: Op, operands: &[ValueId], regions: &[RegionId], types: Vec<Type>) -> Vec<ValueId>;

    /// Copies the global instruction's region `index` into the local program, for regions that work on single
    /// elements (reducers, comparators).
    fn copy_region(&mut self, view: &InstView<'_>, index: usize) -> RegionId;

    /// Partitions the global instruction's region `index` into the local program, its arguments and returned values
    /// sharded as planned.
    fn partition_region(&mut self, view: &InstView<'_>, index: usize) -> RegionId;

    /// The local type of a local value.
    fn ty(&self, value: ValueId) -> Type;

    /// A constant.
    fn constant(&mut self, value: Literal) -> ValueId;

    /// A constant whose elements are all `value`.
    fn splat(&mut self, ty: TensorType, value: f64) -> ValueId {
        self.constant(Literal::splat(ty, value))
    }

    /// The constant that a local value is known to repeat in all of its elements.
    fn as_splat(&self, value: ValueId) -> Option<&Literal>;

    /// Row-major position of this device along `axes`, as a scalar of `element`.
    fn index_along(&mut self, axes: &[SubAxisId], element: ElementType) -> ValueId;

    /// The positions of a whole dim that this device's shard of it holds, as a tensor of type `ty`, which `count` counts
    /// along that dim. Default: those that follow the shards of the devices before it along `axes`.
    fn positions(&mut self, count: Iota, ty: TensorType, axes: &[SubAxisId]) -> ValueId {
        let scalar = TensorType::scalar(ty.element);
        let index = self.index_along(axes, ty.element);
        let size = self.splat(scalar.clone(), ty.shape[count.dim] as f64);
        let offset = self.emit(Binary::Multiply.into(), &[index, size], &[], vec![scalar.into()])[0];
        let spread = BroadcastInDim { dims: Vec::new() };
        let offset = self.emit(spread.into(), &[offset], &[], vec![ty.clone().into()])[0];
        let counted = self.emit(count.into(), &[], &[], vec![ty.clone().into()])[0];
        self.emit(Binary::Add.into(), &[counted, offset], &[], vec![ty.into()])[0]
    }

    /// This device's shard of a value that every device holds whole; `axes` per dim.
    fn own_shard(&mut self, value: ValueId, axes: &[Vec<SubAxisId>]) -> ValueId;

    /// `value` on the first device along `axes` and the neutral element of `reduction` on the others, so that a
    /// later reduction over `axes` counts it once. The reduction must have a neutral element for the type.
    fn once(&mut self, value: ValueId, axes: &[SubAxisId], reduction: Reduction) -> ValueId;

    /// Combines a value over `axes` so that every device holds the whole.
    fn all_reduce(&mut self, value: ValueId, axes: &[SubAxisId], reduction: Reduction) -> ValueId;

    /// Sums up what a kernel leaves of each shard along a factor that a result does not have. Default: by a collective; parts
    /// that run one after the other are added up by whoever reads them.
    fn sum_of_shards(&mut self, value: ValueId, axes: &[SubAxisId]) -> ValueId {
        self.all_reduce(value, axes, Reduction::Sum)
    }

    /// Concatenates the shards of `dim` over `axes`, so that every device holds the whole dim.
    fn all_gather(&mut self, value: ValueId, dim: usize, axes: &[SubAxisId]) -> ValueId;

    /// Cuts `dim` into as many parts as there are devices along `axes`, sends part `i` to the `i`-th of them, and puts
    /// what arrives side by side in the same dim.
    fn all_to_all(&mut self, value: ValueId, dim: usize, axes: &[SubAxisId]) -> ValueId;

    /// Sends shards along `axes`: (source, target) positions, each at most once on either side, for every position
    /// along the other axes. A device that is no target gets zeros.
    fn permute(&mut self, value: ValueId, axes: &[SubAxisId], pairs: &[(usize, usize)]) -> ValueId;
}
