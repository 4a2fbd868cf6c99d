//! From dims to factors and back: which axes shard each factor of an op, seen from each of its tensors.
//!
//! Input: the shardings of an op's operands and results and the op's rule. A dim of several factors deals its axes to
//! them, major first, splitting an axis where a factor needs only a part of it; what divides none of them overflows
//! and stays with the factor at which it was met. After Shardy's `sharding_projection.h`.

use super::axis::{AxisPart, Prefix, gcd, prefix, product, push_or_merge};
use super::sharding::{Dim, MeshId, TensorSharding};
use meshwright_ir::sdy::OpShardingRule;
use meshwright_ir::sdy::rule_attr::DimFactors;
use meshwright_ir::sharding::Reduction;

/// How a tensor shards one factor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FactorSharding {
    /// What shards it, major first.
    pub(crate) axes: Vec<AxisPart>,
    /// Whether it may not be sharded further.
    pub(crate) is_closed: bool,
    /// Whether it is the most minor factor of its dim, which need not divide.
    pub(crate) is_minor_most: bool,
    /// Axes of the dim that fit neither this factor nor the next.
    pub(crate) overflow: Vec<AxisPart>,
}

/// How a tensor shards its factors.
#[derive(Clone, Debug, Default)]
pub(crate) struct TensorFactors {
    /// The factors that it has, with their shardings, in the order of its dims.
    pub(crate) factors: Vec<(usize, FactorSharding)>,
    /// Axes along which the tensor stays replicated.
    pub(crate) replicated: Vec<AxisPart>,
    /// Axes over which it is a contribution.
    pub(crate) unreduced: Vec<AxisPart>,
    reduction: Option<Reduction>,
}

/// All tensors of an op.
#[derive(Clone, Debug, Default)]
pub(crate) struct Projection {
    /// Operands, then results.
    pub(crate) tensors: Vec<TensorFactors>,
    /// How many are operands.
    pub(crate) num_operands: usize,
}

impl Projection {
    /// Of an op with these shardings.
    pub(crate) fn of(
        operands: &[Option<&TensorSharding>],
        results: &[Option<&TensorSharding>],
        rule: &OpShardingRule,
    ) -> Self {
        let tensors = rule.operands.iter().zip(operands).chain(rule.results.iter().zip(results));
        Self {
            tensors: tensors.map(|(dims, sharding)| TensorFactors::of(dims, *sharding, rule)).collect(),
            num_operands: operands.len(),
        }
    }

    /// The operands.
    pub(crate) fn operands(&self) -> &[TensorFactors] {
        &self.tensors[..self.num_operands]
    }

    /// The results.
    pub(crate) fn results(&self) -> &[TensorFactors] {
        &self.tensors[self.num_operands..]
    }
}

/// Axes of a dim that are still to be dealt.
struct Rest<'a> {
    first: Option<AxisPart>,
    others: std::slice::Iter<'a, AxisPart>,
}

impl Rest<'_> {
    /// Takes `size` devices of the first axis, or all of it if that is as many.
    fn take(&mut self, size: u64) -> Option<AxisPart> {
        let first = self.first?;
        if first.size > size {
            self.first = Some(AxisPart {
                pre_size: first.pre_size.saturating_mul(size),
                size: first.size / size,
                ..first
            });
            return Some(AxisPart { size, ..first });
        }
        self.first = self.others.next().copied();
        Some(first)
    }

    /// Takes all.
    fn take_all(&mut self, into: &mut Vec<AxisPart>) {
        while let Some(first) = self.first {
            push_or_merge(into, first);
            self.first = self.others.next().copied();
        }
    }
}

impl TensorFactors {
    fn of(dims: &[DimFactors], sharding: Option<&TensorSharding>, rule: &OpShardingRule) -> Self {
        let mut tensor = Self::default();
        for (index, factors) in dims.iter().enumerate() {
            let dim = sharding.and_then(|sharding| sharding.dims.get(index));
            tensor.deal(factors, dim, rule);
        }
        if let Some(sharding) = sharding {
            tensor.replicated.clone_from(&sharding.replicated);
            tensor.unreduced.clone_from(&sharding.unreduced);
            tensor.reduction = Some(sharding.reduction);
        }
        tensor
    }

    /// Deals a dim's axes to its factors.
    fn deal(&mut self, factors: &[usize], dim: Option<&Dim>, rule: &OpShardingRule) {
        let axes = dim.map_or(&[][..], |dim| &dim.axes);
        let mut others = axes.iter();
        let mut rest = Rest { first: others.next().copied(), others };
        let mut has_overflow = false;
        for (position, factor) in factors.iter().enumerate() {
            let mut own = FactorSharding {
                is_closed: dim.is_some_and(|dim| dim.is_closed) || has_overflow,
                is_minor_most: position + 1 == factors.len(),
                ..FactorSharding::default()
            };
            if has_overflow {
                self.factors.push((*factor, own));
                continue;
            }
            if own.is_minor_most {
                rest.take_all(&mut own.axes);
                self.factors.push((*factor, own));
                break;
            }
            let mut size = factor_size(rule, *factor);
            while let Some(first) = rest.first {
                let shared = if first.size == 1 { 1 } else { gcd(size, first.size) };
                if shared == 1 && first.size != 1 {
                    break;
                }
                size /= shared;
                own.axes.extend(rest.take(shared));
            }
            if size > 1 && rest.first.is_some() {
                has_overflow = true;
                rest.take_all(&mut own.overflow);
            }
            self.factors.push((*factor, own));
        }
    }

    /// How it shards a factor, if it has it.
    pub(crate) fn factor(&self, factor: usize) -> Option<&FactorSharding> {
        self.factors.iter().find(|(index, _)| *index == factor).map(|(_, sharding)| sharding)
    }

    /// Shards a factor by `axes`, if that is more of what it is sharded by. Returns whether it is.
    pub(crate) fn expand(&mut self, factor: usize, axes: &[AxisPart]) -> bool {
        let own = self.factors.iter_mut().find(|(index, _)| *index == factor);
        match own {
            Some((_, own)) if prefix(&own.axes, axes) == Prefix::Strict => {
                own.axes = axes.to_vec();
                true
            }
            _ => false,
        }
    }

    /// The tensor's sharding on `mesh`.
    pub(crate) fn sharding(
        &self,
        dims: &[DimFactors],
        rule: &OpShardingRule,
        mesh: MeshId,
    ) -> TensorSharding {
        let dim = |factors: &DimFactors| {
            let mut dim = Dim::default();
            for factor in factors {
                let Some(own) = self.factor(*factor) else { break };
                dim.is_closed |= own.is_closed;
                append(&mut dim.axes, &own.axes);
                if !own.overflow.is_empty() {
                    append(&mut dim.axes, &own.overflow);
                    break;
                }
                if product(&own.axes) < factor_size(rule, *factor) {
                    break;
                }
            }
            dim
        };
        TensorSharding {
            mesh,
            dims: dims.iter().map(dim).collect(),
            replicated: self.replicated.clone(),
            unreduced: self.unreduced.clone(),
            reduction: self.reduction.unwrap_or(Reduction::Sum),
        }
    }
}

/// Appends axes, the first merged with the last there.
fn append(to: &mut Vec<AxisPart>, axes: &[AxisPart]) {
    if let Some((first, others)) = axes.split_first() {
        push_or_merge(to, *first);
        to.extend_from_slice(others);
    }
}

/// Size of a factor of a rule.
pub(crate) fn factor_size(rule: &OpShardingRule, factor: usize) -> u64 {
    rule.sizes.get(factor).map_or(1, |size| size.unsigned_abs())
}
