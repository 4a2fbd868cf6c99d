//! Small pieces of local code: collectives, this device's shard of a whole value.
//!
//! Input: a local value and sub-axes, or a [`Step`] of a resharding. Output: the value that was made of it.

use crate::builder::Builder;
use meshwright_cost::reshard::{Step, permute};
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::build;
use meshwright_ir::ids::{RegionId, ValueId};
use meshwright_ir::local::LocalBuilder;
use meshwright_ir::mesh::{Mesh, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::pad::Pad;
use meshwright_ir::ops::reducer::{binary_region, neutral};
use meshwright_ir::ops::slice::Slice;
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// An op by name; the attributes are ours, so they fit.
pub(crate) fn op(name: &str, attributes: impl IntoIterator<Item = (&'static str, Attr)>) -> Op {
    let attributes: Attributes = attributes.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    Op::from_attributes(name, attributes).unwrap_or_else(|error| panic!("`{name}`: {error}"))
}

/// `replica_groups` of a collective over `axes`: `dense<[[0, 1], [2, 3]]>`.
fn replica_groups(mesh: &Mesh, axes: &[SubAxisId]) -> (&'static str, Attr) {
    ("replica_groups", pairs(&mesh.groups(axes)))
}

fn pairs(rows: &[Vec<usize>]) -> Attr {
    let columns = rows.first().map_or(0, Vec::len);
    let flat: Vec<i64> = rows.iter().flatten().map(|device| *device as i64).collect();
    Attr::Dense(Literal::ints(vec![rows.len(), columns], &flat))
}

/// What is appended to a dim that is too short. It has no meaning, but it is combined with what other devices append,
/// and the checker refuses what would count once for each of them: a zero does not in any reduction but a product.
fn filler(state: &Sharding) -> f64 {
    match state.partial {
        Some((Reduction::Product, _)) => 1.0,
        _ => 0.0,
    }
}

impl Builder<'_> {
    /// Emits one step of a reshard on a local value of some rank, which is sharded like `state` before it.
    pub(crate) fn step(&mut self, value: ValueId, rank: usize, step: &Step, state: &Sharding) -> ValueId {
        match step {
            Step::Slice { dim, axes } => {
                let mut per_dim = vec![Vec::new(); rank];
                per_dim[*dim].clone_from(axes);
                self.slice_own(value, &per_dim, filler(state))
            }
            Step::Contribute { dim, axes, reduction } => self.contributed(value, *dim, axes, *reduction),
            Step::Resize { dim, size } => self.resized(value, *dim, *size, filler(state)),
            Step::Permute { dims } => {
                let moves = permute::pairs(state, dims, &self.shardings.mesh);
                let rows: Vec<Vec<usize>> =
                    moves.iter().map(|(source, target)| vec![*source, *target]).collect();
                self.collective_permute(value, &rows)
            }
            _ => self.collective(value, step),
        }
    }

    /// Sends a value between devices; `rows` of source and target.
    pub(crate) fn collective_permute(&mut self, value: ValueId, rows: &[Vec<usize>]) -> ValueId {
        let op = op("stablehlo.collective_permute", [("source_target_pairs", pairs(rows))]);
        let ty = self.body.ty(value).clone();
        self.emit(op, &[value], &[], vec![ty])[0]
    }

    /// Emits a collective over replica groups.
    pub(crate) fn collective(&mut self, value: ValueId, step: &Step) -> ValueId {
        let shardings = self.shardings;
        let mesh = &shardings.mesh;
        let mut ty = self.body.tensor(value).clone();
        let element = ty.element;
        let (op, regions) = match step {
            Step::AllReduce { axes, reduction } => (
                op("stablehlo.all_reduce", [replica_groups(mesh, axes)]),
                vec![self.combine(*reduction, element)],
            ),
            Step::ReduceScatter { dim, axes, reduction } => {
                ty.shape[*dim] /= mesh.product(axes);
                let scatter = ("scatter_dimension", Attr::i64(*dim as i64));
                let op = op("stablehlo.reduce_scatter", [scatter, replica_groups(mesh, axes)]);
                (op, vec![self.combine(*reduction, element)])
            }
            Step::AllGather { dim, axes } => {
                ty.shape[*dim] *= mesh.product(axes);
                let gather = ("all_gather_dim", Attr::i64(*dim as i64));
                (op("stablehlo.all_gather", [gather, replica_groups(mesh, axes)]), Vec::new())
            }
            Step::AllToAll { split_dim, concat_dim, axes } => {
                let count = mesh.product(axes);
                ty.shape[*split_dim] /= count;
                ty.shape[*concat_dim] *= count;
                let attributes = [
                    ("split_dimension", Attr::i64(*split_dim as i64)),
                    ("concat_dimension", Attr::i64(*concat_dim as i64)),
                    ("split_count", Attr::i64(count as i64)),
                    replica_groups(mesh, axes),
                ];
                (op("stablehlo.all_to_all", attributes), Vec::new())
            }
            Step::Slice { .. } | Step::Permute { .. } | Step::Contribute { .. } | Step::Resize { .. } => {
                unreachable!("not over replica groups")
            }
        };
        // Of nothing, nothing is sent; XLA refuses to.
        if ty.num_elements() == 0 {
            return self.splat(ty, 0.0);
        }
        self.emit(op, &[value], &regions, vec![ty.into()])[0]
    }

    /// The region of a reducing collective.
    fn combine(&mut self, reduction: Reduction, element: ElementType) -> RegionId {
        binary_region(&mut self.body, Binary::of_reduction(reduction), TensorType::scalar(element))
    }

    /// A value with elements of `fill` appended to a dim, or cut at the end of it.
    fn resized(&mut self, value: ValueId, dim: usize, size: usize, fill: f64) -> ValueId {
        let mut ty = self.body.tensor(value).clone();
        let old = std::mem::replace(&mut ty.shape[dim], size);
        let none = vec![0; ty.rank()];
        if size < old {
            let local = Slice { start: none, limit: ty.shape.clone(), stride: vec![1; ty.rank()] };
            return self.emit(local.into(), &[value], &[], vec![ty.into()])[0];
        }
        let fill = self.splat(TensorType::scalar(ty.element), fill);
        let mut high = vec![0; ty.rank()];
        high[dim] = (size - old) as i64;
        let local = Pad { low: vec![0; ty.rank()], high, interior: vec![0; ty.rank()] };
        self.emit(local.into(), &[value, fill], &[], vec![ty.into()])[0]
    }

    /// This device's shard of a value it holds whole, `axes` per dim: one dynamic slice, after padding with `fill` where
    /// a dim does not divide.
    pub(crate) fn slice_own(&mut self, mut value: ValueId, axes: &[Vec<SubAxisId>], fill: f64) -> ValueId {
        let shardings = self.shardings;
        let mesh = &shardings.mesh;
        let mut ty = self.body.tensor(value).clone();
        for (dim, axes) in axes.iter().enumerate() {
            let (size, shards) = (ty.shape[dim], mesh.product(axes));
            if !size.is_multiple_of(shards) {
                value = self.resized(value, dim, size.div_ceil(shards) * shards, fill);
            }
        }
        let sharded = axes.iter().zip(&ty.shape).filter(|(axes, _)| !axes.is_empty()).map(|(_, size)| *size);
        // Padded, a dim is longer by less than the number of shards.
        let largest = sharded.max().map_or(0, |size| size + mesh.num_devices());
        let scalar = TensorType::scalar(ElementType::for_positions(largest));
        let mut operands = vec![value];
        for (dim, axes) in axes.iter().enumerate() {
            ty.shape[dim] = ty.shape[dim].div_ceil(mesh.product(axes));
            operands.push(if axes.is_empty() {
                self.splat(scalar.clone(), 0.0)
            } else {
                let index = self.index_along(axes, scalar.element);
                build::Builder::with_number(self, Binary::Multiply, index, ty.shape[dim])
            });
        }
        let op = op("stablehlo.dynamic_slice", [("slice_sizes", Attr::dims(&ty.shape))]);
        self.emit(op, &operands, &[], vec![ty.into()])[0]
    }

    /// A shard at its place in the whole, among elements that change nothing when combined.
    fn contributed(
        &mut self,
        value: ValueId,
        dim: usize,
        axes: &[SubAxisId],
        reduction: Reduction,
    ) -> ValueId {
        let mut ty = self.body.tensor(value).clone();
        let size = ty.shape[dim];
        ty.shape[dim] *= self.shardings.mesh.product(axes);
        let neutral = self.neutral(reduction, ty.clone());
        let scalar = TensorType::scalar(ElementType::for_positions(ty.shape[dim]));
        let index = self.index_along(axes, scalar.element);
        let start = build::Builder::with_number(self, Binary::Multiply, index, size);
        let zero = self.splat(scalar, 0.0);
        let starts = (0..ty.rank()).map(|at| if at == dim { start } else { zero });
        let operands: Vec<ValueId> = [neutral, value].into_iter().chain(starts).collect();
        self.emit(op("stablehlo.dynamic_update_slice", []), &operands, &[], vec![ty.into()])[0]
    }

    /// Elements that change nothing when combined. Added to a negative zero, only a negative one changes nothing;
    /// narrower floats need not have it.
    pub(crate) fn neutral(&mut self, reduction: Reduction, ty: TensorType) -> ValueId {
        let has_negative_zero =
            matches!(ty.element, ElementType::F16 | ElementType::Bf16 | ElementType::F32 | ElementType::F64);
        let literal = match reduction {
            Reduction::Sum if has_negative_zero => Literal::splat(ty, -0.0),
            _ => {
                let one = neutral(reduction, ty.element)
                    .expect("the op's rule asked for a reduction with a neutral element");
                Literal { ty, data: one.data }
            }
        };
        self.constant(literal)
    }

    /// Whether two unsigned scalars are equal.
    pub(crate) fn equal(&mut self, left: ValueId, right: ValueId) -> ValueId {
        let attributes = [
            ("comparison_direction", Attr::Dialect("#stablehlo<comparison_direction EQ>".into())),
            ("compare_type", Attr::Dialect("#stablehlo<comparison_type UNSIGNED>".into())),
        ];
        let ty: Type = TensorType::scalar(ElementType::I1).into();
        self.emit(op("stablehlo.compare", attributes), &[left, right], &[], vec![ty])[0]
    }

    /// `on_true` where the scalar `predicate` holds, else `on_false`.
    pub(crate) fn select(
        &mut self,
        predicate: ValueId,
        on_true: ValueId,
        on_false: ValueId,
        ty: TensorType,
    ) -> ValueId {
        self.emit(op("stablehlo.select", []), &[predicate, on_true, on_false], &[], vec![ty.into()])[0]
    }
}
