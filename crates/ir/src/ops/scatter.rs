//! `stablehlo.scatter` (specification, "scatter"): slices combined into a table at positions given by indices.

use super::binary::Binary;
use super::constant::is_splat_of;
use super::integer_ranges::Positions;
use super::reducer::{neutral, promoted, reducer, verify_reducer};
use super::scatter_vjp::overwrites;
use super::slice_dims::{Loop, SCATTER, SliceDims};
use super::slice_factors::SliceOp;
use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::kernel_shape::KernelShape;
use crate::local::{LocalBuilder, Localize};
use crate::op::{AttrReader, Fusing, Given, Linearity, OpDef, OpTraits, Propagation, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};
use crate::sharding::Reduction;
use crate::vjp;
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::types::{ElementKind, TensorType, Type};

/// A scatter of n tensors: operands are n inputs, the indices, n updates. Update elements whose place lies outside
/// the input are skipped.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scatter {
    /// How the dims of inputs, indices and updates correspond.
    pub dims: SliceDims,
    /// A promise that the indices ascend, if made or denied in the text.
    pub indices_are_sorted: Option<bool>,
    /// A promise that no place is written twice, if made or denied in the text.
    pub unique_indices: Option<bool>,
}

impl OpDef for Scatter {
    const NAMES: &'static [&'static str] = &["stablehlo.scatter"];

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let numbers = attributes.required("scatter_dimension_numbers")?;
        Ok(Self {
            dims: SliceDims::read(&numbers, &SCATTER)?,
            indices_are_sorted: attributes.bool_opt("indices_are_sorted")?,
            unique_indices: attributes.bool_opt("unique_indices")?,
        })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        attributes.set("scatter_dimension_numbers", self.dims.write(&SCATTER));
        let flags =
            [("indices_are_sorted", self.indices_are_sorted), ("unique_indices", self.unique_indices)];
        for (name, flag) in flags {
            if let Some(flag) = flag {
                attributes.set(name, Attr::Bool(flag));
            }
        }
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let count = view.inst.results.len();
        if !violations.shape(view, 2 * count + 1, count, 1)
            || !violations.require(count > 0, || "C5: scatters nothing".into())
        {
            return;
        }
        let (input, indices, updates) = (view.operand(0), view.operand(count), view.operand(count + 1));
        let combined = verify_reducer(view, 0, count, violations);
        let fits = self.dims.verify(input, indices, updates.rank(), &SCATTER, violations);
        for index in 0..count {
            let (other, update) = (view.operand(index), view.operand(count + 1 + index));
            violations.require(other.shape == input.shape, || "C1: inputs have different shapes".into());
            violations.require(update.shape == updates.shape, || "C3: updates have different shapes".into());
            violations.require(update.element == other.element, || {
                format!(
                    "C6: updates {index} have elements of {}, the input of {}",
                    update.element, other.element
                )
            });
            let result = TensorType::new(other.shape.clone(), combined[index]);
            violations.result_type(view, index, &result.into());
        }
        if !fits {
            return;
        }
        let window: Vec<usize> = self.dims.window.iter().map(|dim| updates.shape[*dim]).collect();
        for (dim, size) in self.dims.table_window(input.rank()).into_iter().zip(&window) {
            violations.require(*size <= input.shape[dim], || {
                format!(
                    "C4: a window of {size} exceeds dim {dim} of the input, which has {}",
                    input.shape[dim]
                )
            });
        }
        let shape = self.dims.slices_shape(indices, &window);
        violations.require(updates.shape == shape, || {
            format!("C4: the updates' shape should be {shape:?}, not {:?}", updates.shape)
        });
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let result = |index| {
            let shape = given.tensor(index)?.shape.clone();
            Some(TensorType::new(shape, given.returned_element(0, index)?).into())
        };
        (0..given.operands.len().checked_sub(1)? / 2).map(result).collect()
    }

    /// Loops over updates are reduced if the region combines them in any order; batching dims and dims that windows
    /// cover whole pass through; a dim of which an update hits the one position that an index says is
    /// [`FactorKind::Indexed`], or [`FactorKind::Sliced`] if the updates keep the dim: each device skips updates of
    /// places that it does not hold. An index that only counts its vectors makes batching dims.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let count = view.inst.results.len();
        let (input, indices, updates) = (view.operand(0), view.operand(count), view.operand(count + 1));
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let positions = Positions::of(&self.dims, view, count);
        let dims = &positions.dims;
        let in_inputs = |dim: usize| (0..count).map(move |index| (index, dim));
        let in_updates = |dim: usize| (count + 1..2 * count + 1).map(move |index| (index, dim));
        let loop_kind = self.reduction(view).map_or(FactorKind::NeedReplication, FactorKind::Reduced);
        let update_loops = dims.slice_loops(updates.rank());
        for ((dim, role), update_dim) in dims.index_loops(indices.rank()).into_iter().zip(update_loops) {
            let mut operands: Vec<_> = in_updates(update_dim).chain([(count, dim)]).collect();
            match role {
                Loop::Batching(input_dim) => {
                    operands.extend(in_inputs(input_dim));
                    let results: Vec<_> = in_inputs(input_dim).collect();
                    rule.add_dim(indices.shape[dim], FactorKind::PassThrough, &operands, &results);
                }
                Loop::Free => {
                    rule.add_dim(indices.shape[dim], loop_kind, &operands, &[]);
                }
            }
        }
        for (dim, update_dim) in dims.table_window(input.rank()).into_iter().zip(&dims.window) {
            let (size, window) = (input.shape[dim], updates.shape[*update_dim]);
            let results: Vec<_> = in_inputs(dim).collect();
            // A window that an index moves may hang over the edge even if it is as large as the dim.
            if size == window && positions.start_at_zero(dim) {
                let operands: Vec<_> = in_inputs(dim).chain(in_updates(*update_dim)).collect();
                rule.add_dim(size, FactorKind::PassThrough, &operands, &results);
            } else {
                let is_position = window == 1 && dims.index_map.contains(&dim);
                let kind = if is_position { FactorKind::Sliced } else { FactorKind::NeedReplication };
                rule.add_dim(size, kind, &results, &results);
                let operands: Vec<_> = in_updates(*update_dim).collect();
                rule.add_dim(window, FactorKind::NeedReplication, &operands, &[]);
            }
        }
        for dim in &dims.collapsed {
            let is_indexed = dims.index_map.contains(dim);
            let kind = if is_indexed { FactorKind::Indexed } else { FactorKind::NeedReplication };
            let results: Vec<_> = in_inputs(*dim).collect();
            rule.add_dim(input.shape[*dim], kind, &results, &results);
        }
        if let Some(size) = indices.shape.get(dims.index_vector_dim) {
            rule.add_dim(*size, FactorKind::NeedReplication, &[(count, dims.index_vector_dim)], &[]);
        }
        rule
    }

    /// Shardy has factors along collapsed dims, and of the parts that updates leave, whatever can be partitioned.
    fn propagation_rule(&self, view: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        let count = view.inst.results.len();
        let (input, indices, updates) = (view.operand(0), view.operand(count), view.operand(count + 1));
        let kind = match self.reduction(view) {
            Some(_) => FactorType::Reduction,
            None => FactorType::NeedReplication,
        };
        let mut builder = RuleBuilder::new(view);
        self.dims.factors(
            input,
            updates,
            indices,
            &SliceOp::Scatter(kind),
            |[input, indices, update], size, kind, _| {
                let mut operands = vec![input; count];
                operands.push(indices);
                operands.extend(vec![update; count]);
                builder.factor(&operands, &vec![input; count], size, kind);
            },
        );
        Some(builder.build())
    }

    /// One application of the region per update element.
    fn flops(&self, operands: &[Type], _: &[Type]) -> f64 {
        let updates = &operands[operands.len() / 2 + 1..];
        updates.iter().filter_map(Type::as_tensor).map(|tensor| tensor.num_elements() as f64).sum()
    }

    /// Indices and updates are read, and the places they go to are read and written; the rest of the inputs is not
    /// touched when the scatter is done in place.
    fn bytes(&self, operands: &[Type], _: &[Type]) -> f64 {
        let (indices, updates) = (&operands[operands.len() / 2], &operands[operands.len() / 2 + 1..]);
        let updated: usize = updates.iter().map(Type::num_bytes).sum();
        (indices.num_bytes() + 3 * updated) as f64
    }

    /// The input and the updates; linear is a sum into zeros.
    fn linearity(&self, view: &InstView<'_>, reduction: Reduction) -> Linearity {
        if self.reduction(view) != Some(reduction) {
            return Linearity::default();
        }
        let sums = reduction == Reduction::Sum && view.operand(0).element.kind() != ElementKind::Boolean;
        let each: &[usize] = if sums && is_splat_of(view, 0, 0.0) { &[2] } else { &[] };
        Linearity { each, ..Linearity::in_all([0, 2]) }
    }

    fn hint_if_whole(&self, view: &InstView<'_>, operand: usize, dim: usize) -> &'static str {
        let count = view.inst.results.len();
        if operand < count {
            "updates may begin anywhere in this dim and reach across shards: shard a dim that each update covers whole, \
             or of which it hits one position"
        } else if operand == count && dim == self.dims.index_vector_dim {
            "an index is read as a whole: shard a dim that counts updates"
        } else if operand > count && self.dims.window.contains(&dim) {
            "an update may be written across shards: shard a dim that each update covers whole, or one that counts \
             updates"
        } else {
            "the last of several updates of one place stays, so each device reads all of them: combine them (by a sum, \
             say), or say that each writes to a part of its own (`input_batching_dims`, as `jax.vmap` makes them)"
        }
    }

    /// Its inputs, which stand before the indices and as many updates.
    fn written_over(&self, num_operands: usize) -> usize {
        num_operands / 2
    }

    fn traits(&self) -> OpTraits {
        OpTraits { fusing: Fusing::Ends, ..OpTraits::NONE }
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let count = view.inst.results.len();
        let mut inputs = inputs;
        let indices = inputs.remove(count);
        let mut inputs = promoted(view, 0, count, inputs, cx.precision())?;
        inputs.insert(count, indices);
        super::scatter_eval::evaluate(self, Evaluation { view, inputs, cx })
    }

    /// Along a sharded indexed dim the index is counted from this device's first position: places that it does not
    /// hold are then out of bounds, below or above. Where results are partial, the input is counted once.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        super::slice_local::scatter(self, cx, b)
    }

    fn kernel(&self, _: &[Type], _: &[Type]) -> KernelShape {
        KernelShape::Move
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let view = v.view();
        if view.inst.results.len() != 1 {
            return vjp::none_because("has no derivative if it scatters into several tensors");
        }
        if view.operand(0).element != view.result(0).element {
            return vjp::none_because("has no derivative if it widens what it combines");
        }
        let is_unique = self.unique_indices == Some(true);
        match reducer(view.body, view.region(0)) {
            Some(Binary::Add) => self.sum_vjp(v),
            Some(Binary::Multiply) if is_unique => self.factor_vjp(v),
            Some(Binary::Multiply) => self.product_vjp(v),
            Some(Binary::Maximum | Binary::Minimum) => self.extreme_vjp(v),
            None if overwrites(view.body, view.region(0)) => self.overwriting_vjp(v),
            _ => {
                let reason = "has a derivative only if it adds, multiplies, takes an extreme, or overwrites";
                return vjp::none_because(reason);
            }
        }
        Ok(())
    }
}

impl Scatter {
    /// Reduction of results of parts of the updates, if the region is a plain commutative op with a neutral element.
    pub fn reduction(&self, view: &InstView<'_>) -> Option<Reduction> {
        if view.inst.results.len() != 1 {
            return None;
        }
        let reduction = reducer(view.body, view.region(0))?.reduction()?;
        neutral(reduction, view.operand(0).element).map(|_| reduction)
    }
}
