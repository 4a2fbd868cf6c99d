//! The aggressive strategy: conflicts between factors are resolved for each tensor by itself.
//!
//! Input: a [`Projection`]. Unlike the basic strategy, an axis that is in the way in one tensor still goes to the
//! others. Factors come in this order: that whose axes lie in the larger tensor; of an elementwise op that with more
//! shards; that whose axes lie in an earlier tensor; that with the lower number. After Shardy's
//! `aggressive_factor_propagation.h`.

use super::axis::{AxisPart, Prefix, prefix, product};
use super::basic::{
    Step, compatible_axes, cut_where_in_conflict, is_more_of, prefix_beside_factors, prefix_within_factor,
};
use super::projection::{Projection, TensorFactors, factor_size};
use std::cmp::Reverse;

/// Propagates along every factor. Returns which tensors were sharded further.
pub(super) fn propagate(projection: &mut Projection, step: &Step<'_>) -> Vec<bool> {
    let mut updated = vec![false; projection.tensors.len()];
    let axes: Vec<Vec<AxisPart>> = step
        .directions
        .iter()
        .enumerate()
        .map(|(factor, direction)| compatible_axes(projection, factor, *direction))
        .collect();
    if axes.iter().all(Vec::is_empty) {
        return updated;
    }
    let order = order(projection, step, &axes);
    let num_operands = projection.num_operands;
    let results = num_operands..projection.tensors.len();
    for index in results.chain(0..num_operands) {
        for factor in &order {
            let mut wanted = wanted(&projection.tensors[index], *factor, &axes[*factor], step);
            if wanted.is_empty() {
                continue;
            }
            if index < num_operands && step.is_elementwise {
                // Sideways only what some result has too: an operand gains nothing by what the results do without.
                for result in projection.results() {
                    if is_more_of(result, *factor, &wanted)
                        && let Some(own) = result.factor(*factor)
                    {
                        wanted.clone_from(&own.axes);
                    }
                }
            }
            updated[index] |= projection.tensors[index].expand(*factor, &wanted);
        }
    }
    updated
}

/// The factors in the order in which they take axes.
fn order(projection: &Projection, step: &Step<'_>, axes: &[Vec<AxisPart>]) -> Vec<usize> {
    // For each factor, size and position of the largest tensor that its axes lie in.
    let mut sources: Vec<Option<(u64, usize)>> = vec![None; axes.len()];
    for (position, tensor) in projection.tensors.iter().enumerate() {
        let size = tensor
            .factors
            .iter()
            .fold(1u64, |size, (factor, _)| size.saturating_mul(factor_size(step.rule, *factor)));
        for (factor, own) in &tensor.factors {
            let Some(wanted) = axes.get(*factor) else { continue };
            let is_source = !wanted.is_empty() && prefix(wanted, &own.axes) != Prefix::Not;
            if is_source && sources[*factor].is_none_or(|(other, _)| size > other) {
                sources[*factor] = Some((size, position));
            }
        }
    }
    let mut order: Vec<usize> = (0..axes.len()).collect();
    order.sort_by_key(|factor| {
        let shards = if step.is_elementwise { product(&axes[*factor]) } else { 0 };
        let (size, position) = match sources[*factor] {
            Some((size, position)) => (Some(size), Some(position)),
            None => (None, None),
        };
        (Reverse(size), Reverse(shards), position, *factor)
    });
    order
}

/// What a tensor may take of `axes` along a factor; nothing if that is no more than it has.
fn wanted(tensor: &TensorFactors, factor: usize, axes: &[AxisPart], step: &Step<'_>) -> Vec<AxisPart> {
    let mut wanted = axes.to_vec();
    let size = factor_size(step.rule, factor);
    cut_where_in_conflict(&mut wanted, step, |axis, shards| {
        prefix_within_factor(axis, tensor, factor, shards, size)
    });
    if !is_more_of(tensor, factor, &wanted) {
        return Vec::new();
    }
    cut_where_in_conflict(&mut wanted, step, |axis, _| prefix_beside_factors(axis, tensor, factor));
    wanted
}
