//! The basic strategy: an axis goes along a factor only to where no tensor of the op is in its way.
//!
//! Input: a [`Projection`]. For each factor, the axes on which all tensors agree (the longest list that every other
//! list begins) are cut where an axis is in use by another factor of some tensor, is to stay replicated, or does not
//! fit; the rest goes to every tensor. After Shardy's `basic_factor_propagation.h`.

use super::axis::{AxisPart, Prefix, gcd, prefix};
use super::projection::{Projection, TensorFactors, factor_size};
use meshwright_ir::ops::sdy_barrier::Direction;
use meshwright_ir::sdy::OpShardingRule;

/// What both strategies need to know.
pub(super) struct Step<'a> {
    /// The op's rule.
    pub(super) rule: &'a OpShardingRule,
    /// Which way each factor's axes may go.
    pub(super) directions: &'a [Direction],
    /// Whether an axis is never split.
    pub(super) is_conservative: bool,
    /// Whether the op is elementwise.
    pub(super) is_elementwise: bool,
    /// Number of devices of the whole of each axis.
    pub(super) axis_sizes: &'a [u64],
}

impl Step<'_> {
    /// Whether an axis is only a part.
    fn is_split(&self, part: AxisPart) -> bool {
        self.axis_sizes.get(part.axis).is_some_and(|size| *size != part.size)
    }
}

/// Propagates along every factor. Returns which tensors were sharded further.
pub(super) fn propagate(projection: &mut Projection, step: &Step<'_>) -> Vec<bool> {
    let mut updated = vec![false; projection.tensors.len()];
    for (factor, direction) in step.directions.iter().enumerate() {
        let mut axes = compatible_axes(projection, factor, *direction);
        if axes.is_empty() {
            continue;
        }
        let size = factor_size(step.rule, factor);
        cut_where_in_conflict(&mut axes, step, |axis, shards| {
            projection.tensors.iter().try_fold(axis, |axis, tensor| {
                let axis = prefix_beside_factors(axis, tensor, factor)?;
                match tensor.factor(factor) {
                    Some(_) => prefix_within_factor(axis, tensor, factor, shards, size),
                    None => Some(axis),
                }
            })
        });
        for (tensor, updated) in projection.tensors.iter_mut().zip(&mut updated) {
            *updated |= tensor.expand(factor, &axes);
        }
    }
    updated
}

/// The axes on which the tensors agree along a factor, whatever is in the way. Of one direction only the tensors
/// where it starts may add axes.
pub(super) fn compatible_axes(projection: &Projection, factor: usize, direction: Direction) -> Vec<AxisPart> {
    let (first, second) = match direction {
        Direction::None => return Vec::new(),
        Direction::Backward => (projection.results(), projection.operands()),
        _ => (projection.operands(), projection.results()),
    };
    let mut axes = Vec::new();
    let mut can_expand = true;
    let mut agree = |tensors: &[TensorFactors], can_expand: &mut bool| {
        for own in tensors.iter().filter_map(|tensor| tensor.factor(factor)) {
            *can_expand = agree_on(&mut axes, &own.axes, *can_expand);
        }
    };
    agree(first, &mut can_expand);
    if direction != Direction::Both {
        can_expand = false;
    }
    agree(second, &mut can_expand);
    axes
}

/// Cuts `axes` to what it and `other` have in common, followed by what only one of them has: that of `other` only if
/// `can_expand`. Returns whether it may still grow.
fn agree_on(axes: &mut Vec<AxisPart>, other: &[AxisPart], can_expand: bool) -> bool {
    let shared = axes.len().min(other.len());
    for index in 0..shared {
        let (old, new) = (axes[index], other[index]);
        if old == new {
            continue;
        }
        if new.is_prefix_of(old) {
            if index + 1 < other.len() {
                axes[index] = new;
                axes.truncate(index + 1);
                return false;
            }
        } else if old.is_prefix_of(new) {
            if !can_expand || index + 1 < axes.len() {
                axes.truncate(index + 1);
                return false;
            }
            axes[index] = new;
        } else {
            axes.truncate(index);
            return false;
        }
    }
    if can_expand && other.len() > axes.len() {
        axes.extend_from_slice(&other[shared..]);
    }
    can_expand
}

/// Keeps of each axis what `allowed` lets through, given how many shards the axes before it make, and drops
/// everything behind the first that does not pass whole.
pub(super) fn cut_where_in_conflict(
    axes: &mut Vec<AxisPart>,
    step: &Step<'_>,
    allowed: impl Fn(AxisPart, u64) -> Option<AxisPart>,
) {
    let mut shards = 1u64;
    for index in 0..axes.len() {
        let passed =
            allowed(axes[index], shards).filter(|axis| !step.is_conservative || !step.is_split(*axis));
        match passed {
            None => return axes.truncate(index),
            Some(axis) if axis != axes[index] => {
                axes[index] = axis;
                return axes.truncate(index + 1);
            }
            Some(axis) => shards = shards.saturating_mul(axis.size),
        }
    }
}

/// The most major part of an axis that no other factor of the tensor uses.
pub(super) fn prefix_beside_factors(
    axis: AxisPart,
    tensor: &TensorFactors,
    factor: usize,
) -> Option<AxisPart> {
    tensor.factors.iter().filter(|(other, _)| *other != factor).try_fold(axis, |axis, (_, own)| {
        axis.prefix_without_any(&own.overflow)?.prefix_without_any(&own.axes)
    })
}

/// The most major part of an axis by which the tensor's factor is sharded or may be.
pub(super) fn prefix_within_factor(
    axis: AxisPart,
    tensor: &TensorFactors,
    factor: usize,
    shards: u64,
    size: u64,
) -> Option<AxisPart> {
    let own = tensor.factor(factor)?;
    let axis = axis.prefix_without_any(&tensor.replicated)?.prefix_without_any(&tensor.unreduced)?;
    if own.axes.iter().any(|sharding| sharding.contains(axis)) {
        return Some(axis);
    }
    if !own.is_closed && own.overflow.is_empty() {
        if own.is_minor_most {
            return Some(axis);
        }
        if shards != 0 && size.is_multiple_of(shards) {
            let shared = gcd(size / shards, axis.size);
            if shared == axis.size {
                return Some(axis);
            }
            if shared != 1 {
                return Some(AxisPart { size: shared, ..axis });
            }
        }
    }
    own.axes.last().copied().filter(|last| last.is_prefix_of(axis))
}

/// Whether `axes` are more of what a tensor shards a factor by.
pub(super) fn is_more_of(tensor: &TensorFactors, factor: usize, axes: &[AxisPart]) -> bool {
    tensor.factor(factor).is_some_and(|own| prefix(&own.axes, axes) == Prefix::Strict)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(axis: usize, pre_size: u64, size: u64) -> AxisPart {
        AxisPart { axis, pre_size, size }
    }

    #[test]
    fn lists_agree_on_what_they_begin_alike() {
        let (a, b, c) = (part(0, 1, 4), part(1, 1, 2), part(2, 1, 2));
        let agree = |old: &[AxisPart], new: &[AxisPart], can_expand| {
            let mut axes = old.to_vec();
            let may_grow = agree_on(&mut axes, new, can_expand);
            (axes, may_grow)
        };
        assert_eq!(agree(&[a], &[a, b], true), (vec![a, b], true));
        assert_eq!(agree(&[a, b], &[a, c], true), (vec![a], false));
        assert_eq!(agree(&[part(0, 1, 2)], &[a], true), (vec![a], true));
        assert_eq!(agree(&[part(0, 1, 2), b], &[a, b], true), (vec![part(0, 1, 2)], false));
        assert_eq!(agree(&[a], &[a, b], false), (vec![a], false));
        assert_eq!(agree(&[a, b], &[a], false), (vec![a, b], false));
        assert_eq!(agree(&[part(0, 1, 2)], &[a], false), (vec![part(0, 1, 2)], false));
    }
}
