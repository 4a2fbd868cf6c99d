//! `stablehlo.gather` (specification, "gather"): slices of a table at positions given by indices.

use super::integer_ranges::Positions;
use super::slice::fetched_bytes;
use super::slice_dims::{GATHER, Loop, SliceDims};
use super::slice_factors::SliceOp;
use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{AttrReader, Fusing, Given, Linearity, OpDef, OpTraits, Propagation, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::RuleBuilder;
use crate::sharding::Reduction;
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{TensorType, Type};
use meshwright_tensor::{Element, Tensor, Walk, kernels};

/// A gather. Indices are clamped so that every slice lies inside the operand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Gather {
    /// How the dims of operand, indices and result correspond.
    pub dims: SliceDims,
    /// Size of a slice along each dim of the operand.
    pub slice_sizes: Vec<usize>,
    /// A promise that the indices ascend, if made or denied in the text.
    pub indices_are_sorted: Option<bool>,
}

impl OpDef for Gather {
    const NAMES: &'static [&'static str] = &["stablehlo.gather"];

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let numbers = attributes.required("dimension_numbers")?;
        Ok(Self {
            dims: SliceDims::read(&numbers, &GATHER)?,
            slice_sizes: attributes.dims("slice_sizes")?,
            indices_are_sorted: attributes.bool_opt("indices_are_sorted")?,
        })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        attributes.set("dimension_numbers", self.dims.write(&GATHER));
        attributes.set("slice_sizes", Attr::dims(&self.slice_sizes));
        if let Some(sorted) = self.indices_are_sorted {
            attributes.set("indices_are_sorted", Attr::Bool(sorted));
        }
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 2, 1, 0) {
            return;
        }
        let (operand, indices, result) = (view.operand(0), view.operand(1), view.result(0));
        let mut fits = self.dims.verify(operand, indices, result.rank(), &GATHER, violations);
        fits &= violations.require(self.slice_sizes.len() == operand.rank(), || {
            format!("C20: `slice_sizes` should have {} entries, one per dim of the operand", operand.rank())
        });
        if !fits {
            return;
        }
        for (dim, (slice, size)) in self.slice_sizes.iter().zip(&operand.shape).enumerate() {
            violations.require(slice <= size, || {
                format!("C21: a slice of {slice} exceeds dim {dim} of the operand, which has {size}")
            });
            let is_single = self.dims.collapsed.contains(&dim) || self.dims.table_batching.contains(&dim);
            violations.require(!is_single || *slice <= 1, || {
                format!(
                    "C9, C12: a slice takes {slice} positions of dim {dim}, which is collapsed or batched"
                )
            });
        }
        violations.inferred(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let shape = self.dims.slices_shape(given.tensor(1)?, &self.window_sizes());
        Some(vec![TensorType::new(shape, given.tensor(0)?.element).into()])
    }

    /// Loops over index vectors pass through, batching dims with the operand's; so do dims that slices take whole.
    /// A dim of which a slice takes the one position that an index says is [`FactorKind::Indexed`], or
    /// [`FactorKind::Sliced`] if the slice keeps the dim. An index that only counts its vectors makes batching dims.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let (operand, indices) = (view.operand(0), view.operand(1));
        let dims = &Positions::of(&self.dims, view, 1).dims;
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let result_loops = dims.slice_loops(view.result(0).rank());
        for ((dim, role), result_dim) in dims.index_loops(indices.rank()).into_iter().zip(result_loops) {
            let mut operands = vec![(1, dim)];
            if let Loop::Batching(table_dim) = role {
                operands.insert(0, (0, table_dim));
            }
            rule.add_dim(indices.shape[dim], FactorKind::PassThrough, &operands, &[(0, result_dim)]);
        }
        for (dim, result_dim) in dims.table_window(operand.rank()).into_iter().zip(&dims.window) {
            let (whole, size) = (operand.shape[dim], self.slice_sizes[dim]);
            if size == whole {
                rule.add_dim(whole, FactorKind::PassThrough, &[(0, dim)], &[(0, *result_dim)]);
                continue;
            }
            let is_position = size == 1 && dims.index_map.contains(&dim);
            let kind = if is_position { FactorKind::Sliced } else { FactorKind::NeedReplication };
            rule.add_dim(whole, kind, &[(0, dim)], &[]);
            rule.add_dim(size, FactorKind::NeedReplication, &[], &[(0, *result_dim)]);
        }
        for dim in &dims.collapsed {
            let is_indexed = dims.index_map.contains(dim) && self.slice_sizes[*dim] == 1;
            let kind = if is_indexed { FactorKind::Indexed } else { FactorKind::NeedReplication };
            rule.add_dim(operand.shape[*dim], kind, &[(0, *dim)], &[]);
        }
        if let Some(size) = indices.shape.get(dims.index_vector_dim) {
            rule.add_dim(*size, FactorKind::NeedReplication, &[(1, dims.index_vector_dim)], &[]);
        }
        rule
    }

    /// Shardy has one factor along a dim before and after the cut, which shardings do not pass.
    fn propagation_rule(&self, view: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        let mut builder = RuleBuilder::new(view);
        let (table, slices, indices) = (view.operand(0), view.result(0), view.operand(1));
        self.dims.factors(
            table,
            slices,
            indices,
            &SliceOp::Gather,
            |[table, indices, slices], size, kind, blocked| {
                builder.factor(&[table, indices], &[slices], size, kind);
                if blocked {
                    builder.blocked();
                }
            },
        );
        Some(builder.build())
    }

    /// The indices, and the slices twice: read and written. The rest of the operand is not touched.
    fn read_bytes(&self, index: usize, operands: &[Type], results: &[Type]) -> f64 {
        fetched_bytes(index, operands, results)
    }

    fn bytes(&self, operands: &[Type], results: &[Type]) -> f64 {
        operands[1].num_bytes() as f64 + 2.0 * results[0].num_bytes() as f64
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::moves()
    }

    fn hint_if_whole(&self, _: &InstView<'_>, operand: usize, _: usize) -> &'static str {
        match operand {
            0 => {
                "slices may begin anywhere in this dim and reach across shards: shard a dim that each slice takes whole, \
                 or one position of, or one that slices are batched over"
            }
            _ => "an index is read as a whole: shard a dim that counts slices",
        }
    }

    fn traits(&self) -> OpTraits {
        OpTraits { fusing: Fusing::Fetches, ..OpTraits::NONE }
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let (operand, indices) = (&inputs[0], &inputs[1]);
        if view.result(0).num_elements() == 0 {
            return Ok(vec![Tensor::zeros(view.result(0), cx.precision())?]);
        }
        if self.slice_sizes.contains(&0) {
            return Err(EvalError::new("a slice without elements has none that could be gathered"));
        }
        let mut starts = self.dims.starts(indices, operand.rank())?;
        for start in starts.chunks_mut(operand.rank().max(1)) {
            for (dim, start) in start.iter_mut().enumerate().take(operand.rank()) {
                let last = operand.shape()[dim].saturating_sub(self.slice_sizes[dim]);
                *start = (*start).clamp(0, last as i64);
            }
        }
        let window = self.dims.table_window(operand.rank());
        let loops: Vec<usize> =
            self.dims.index_loops(indices.rank()).iter().map(|(dim, _)| indices.shape()[*dim]).collect();
        let shape: Vec<usize> =
            loops.into_iter().chain(window.iter().map(|dim| self.slice_sizes[*dim])).collect();
        let gathered = meshwright_tensor::dispatch!(operand.storage(), T => copy_slices::<T>(operand, &starts, &window, &shape)?);
        // The slices were put side by side, loops first; the result's dims may be interleaved.
        let order = self.dims.loops_first(shape.len());
        let mut inverse = vec![0; order.len()];
        for (position, dim) in order.iter().enumerate() {
            inverse[*dim] = position;
        }
        Ok(vec![gathered.transpose(&inverse)?])
    }

    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        super::slice_local::gather(self, cx, b)
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        v.give_with(0, |v, cotangent| self.table_cotangent(v, cotangent));
        Ok(())
    }
}

impl Gather {
    /// Sizes of a slice along the dims that it keeps.
    fn window_sizes(&self) -> Vec<usize> {
        self.dims.table_window(self.slice_sizes.len()).into_iter().map(|dim| self.slice_sizes[dim]).collect()
    }
}

/// Copies one slice per start; `shape` is that of the loops followed by that of the window.
fn copy_slices<T: Element>(
    table: &Tensor,
    starts: &[i64],
    window: &[usize],
    shape: &[usize],
) -> Result<Tensor, EvalError> {
    let elements = table.elements::<T>()?;
    let mut result = kernels::allocate::<T>(shape)?;
    if result.is_empty() {
        return Ok(Tensor::from_vec(table.element(), shape, result));
    }
    if table.num_elements() == 0 {
        return Err(EvalError::new("gathers from an empty tensor"));
    }
    let rank = table.rank();
    let window_shape = &shape[shape.len() - window.len()..];
    let len: usize = window_shape.iter().product();
    let strides: Vec<isize> = window.iter().map(|dim| table.strides()[*dim]).collect();
    let walk = Walk::new(window_shape, [0], [&strides]);
    let [step] = walk.run_strides();
    let origin = |slice: usize| {
        let start = &starts[slice * rank..(slice + 1) * rank];
        let moved: isize = start.iter().zip(table.strides()).map(|(at, stride)| *at as isize * stride).sum();
        table.offset() as isize + moved
    };
    // Strides may be negative, so a run's offset is only meaningful once the slice's origin is added.
    let copy = |first: usize, out: &mut [T]| {
        for (index, out) in out.chunks_mut(len).enumerate() {
            let origin = origin(first / len + index);
            walk.for_each_run(0, len, &mut |at, [offset], n| {
                let mut from = origin.wrapping_add(offset as isize);
                if step == 1 {
                    out[at..at + n].copy_from_slice(&elements[from as usize..from as usize + n]);
                } else {
                    for out in &mut out[at..at + n] {
                        *out = elements[from as usize];
                        from += step;
                    }
                }
            });
        }
    };
    let together = kernels::CHUNK.div_ceil(len) * len;
    let work = result.len();
    kernels::fill_chunks_of(&mut result, together, work, &copy);
    Ok(Tensor::from_vec(table.element(), shape, result))
}
