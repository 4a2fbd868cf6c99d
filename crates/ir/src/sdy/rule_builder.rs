//! Builds the sharding rule of an op as Shardy writes it.
//!
//! Input: factors one after another, each with the dims that it runs along. Output: [`OpShardingRule`], in which every
//! dim has a factor: one that got none has its own, of size 1. After Shardy's `op_sharding_rule_builder.h`.
//!
//! ```text
//! dot [4, 8] x [8, 2]:  i along dim 0 of operand 0 and of the result, j along dim 1 of operand 1 and of the result,
//! k reduced along dim 1 of operand 0 and dim 0 of operand 1 -> ([i, k], [k, j])->([i, j]) {i=4, j=2, k=8} reduction={k}
//! ```

use super::OpShardingRule;
use super::rule_attr::DimFactors;
use crate::op::Propagation;
use crate::program::InstView;
use crate::rule::{FactorIndex, FactorKind, Passing, ShardingRule};
use meshwright_tensor::types::Type;

/// Types of factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FactorType {
    /// Each device works on its own part.
    PassThrough,
    /// It is summed (or likewise combined) away.
    Reduction,
    /// Every device needs the whole.
    NeedReplication,
    /// Elements move along it.
    Permutation,
}

/// Builds an [`OpShardingRule`].
#[derive(Clone, Debug)]
pub struct RuleBuilder {
    rule: OpShardingRule,
}

impl RuleBuilder {
    /// A rule without factors for an instruction.
    pub fn new(view: &InstView<'_>) -> Self {
        let dims = |ty: &Type| vec![DimFactors::new(); ty.as_tensor().map_or(0, |tensor| tensor.rank())];
        Self {
            rule: OpShardingRule {
                operands: view.operand_types().map(dims).collect(),
                results: view.result_types().map(dims).collect(),
                ..OpShardingRule::default()
            },
        }
    }

    /// A rule of `operands` values and one result of one shape, all dims passing through.
    pub fn identity(shape: &[usize], operands: usize) -> OpShardingRule {
        let dims: Vec<DimFactors> = (0..shape.len()).map(|dim| vec![dim]).collect();
        OpShardingRule {
            operands: vec![dims.clone(); operands],
            results: vec![dims],
            sizes: shape.iter().map(|size| *size as i64).collect(),
            ..OpShardingRule::default()
        }
    }

    /// The rule in which the tensors of an instruction share all dims, by number; `None` if the first result is no
    /// tensor.
    pub fn elementwise(view: &InstView<'_>) -> Option<OpShardingRule> {
        let shape = view.result_types().next()?.as_tensor()?.shape.clone();
        let mut builder = Self::new(view);
        builder.pointwise(&shape, |_| FactorType::PassThrough);
        Some(builder.build())
    }

    /// The rule that partitioning works with, as Shardy writes it; `None` if no factor runs along a dim of tensors that
    /// have dims.
    pub fn of_rule(view: &InstView<'_>, rule: &ShardingRule, mode: Propagation) -> Option<OpShardingRule> {
        let is_scalar = |ty: &Type| ty.as_tensor().is_some_and(|tensor| tensor.shape.is_empty());
        let dims = || rule.operands.iter().chain(&rule.results).flatten();
        if dims().all(Vec::is_empty) && !view.operand_types().chain(view.result_types()).all(is_scalar) {
            return None;
        }
        let mut builder = Self::new(view);
        for (index, factor) in rule.factors.iter().enumerate() {
            let kind = factor.in_shardy.kind.unwrap_or_else(|| kind_of(rule, index));
            builder.reserve(factor.in_shardy.size.unwrap_or(factor.size), kind);
            match (factor.in_shardy.passing, mode) {
                (Passing::Never, _) | (Passing::UnlessConservative, Propagation::Conservative) => {
                    builder.blocked();
                }
                (Passing::UnlessConservative, Propagation::Full) | (Passing::Always, _) => {}
            }
        }
        let tensors = rule.operands.iter().zip(&mut builder.rule.operands);
        for (from, to) in tensors.chain(rule.results.iter().zip(&mut builder.rule.results)) {
            for (from, to) in from.iter().zip(to) {
                to.extend(from.iter().filter(|factor| from.len() == 1 || rule.factors[**factor].size != 1));
                if to.is_empty() {
                    to.extend(from.first());
                }
            }
        }
        Some(builder.build())
    }

    fn reserve(&mut self, size: usize, kind: FactorType) -> usize {
        let factor = self.rule.sizes.len();
        self.rule.sizes.push(i64::try_from(size).unwrap_or(i64::MAX));
        match kind {
            FactorType::PassThrough => {}
            FactorType::Reduction => self.rule.reduction.push(factor),
            FactorType::NeedReplication => self.rule.need_replication.push(factor),
            FactorType::Permutation => self.rule.permutation.push(factor),
        }
        factor
    }

    /// Adds a factor along one dim of each operand and result, or of none of it where there is `None`. A factor of size
    /// 1 is left out of dims that have one already.
    pub fn factor(
        &mut self,
        operands: &[Option<usize>],
        results: &[Option<usize>],
        size: usize,
        kind: FactorType,
    ) -> &mut Self {
        let factor = self.reserve(size, kind);
        let tensors = self.rule.operands.iter_mut().zip(operands);
        for (dims, dim) in tensors.chain(self.rule.results.iter_mut().zip(results)) {
            if let Some(own) = dim.and_then(|dim| dims.get_mut(dim))
                && (size != 1 || own.is_empty())
            {
                own.push(factor);
            }
        }
        self
    }

    /// Adds a factor along the same dim of every operand and result that has dims.
    pub fn everywhere(&mut self, dim: usize, size: usize, kind: FactorType) -> &mut Self {
        self.in_operands(dim, size, kind);
        let factor = self.rule.sizes.len().saturating_sub(1);
        for own in self.rule.results.iter_mut().filter_map(|dims| dims.get_mut(dim)) {
            own.push(factor);
        }
        self
    }

    /// Adds a factor along the same dim of every operand that has dims.
    pub fn in_operands(&mut self, dim: usize, size: usize, kind: FactorType) -> &mut Self {
        let factor = self.reserve(size, kind);
        for own in self.rule.operands.iter_mut().filter_map(|dims| dims.get_mut(dim)) {
            own.push(factor);
        }
        self
    }

    /// Adds a factor along the same dim of every result that has dims.
    pub fn in_results(&mut self, dim: usize, size: usize, kind: FactorType) -> &mut Self {
        let factor = self.reserve(size, kind);
        for own in self.rule.results.iter_mut().filter_map(|dims| dims.get_mut(dim)) {
            own.push(factor);
        }
        self
    }

    /// Adds a factor for each dim of a shape, along that dim everywhere.
    pub fn pointwise(&mut self, shape: &[usize], kind: impl Fn(usize) -> FactorType) -> &mut Self {
        for (dim, size) in shape.iter().enumerate() {
            self.everywhere(dim, *size, kind(dim));
        }
        self
    }

    /// The same; where both shapes differ in size, the factor is of another kind and of the first one's size.
    pub fn pointwise_unless(
        &mut self,
        first: &[usize],
        second: &[usize],
        mismatch: FactorType,
        is_blocked: bool,
    ) -> &mut Self {
        for (dim, (size, other)) in first.iter().zip(second).enumerate() {
            if size == other {
                self.everywhere(dim, *size, FactorType::PassThrough);
            } else {
                self.everywhere(dim, *size, mismatch);
                if is_blocked {
                    self.blocked();
                }
            }
        }
        self
    }

    /// Shardings do not pass along the last factor.
    pub fn blocked(&mut self) -> &mut Self {
        if let Some(factor) = self.rule.sizes.len().checked_sub(1) {
            self.rule.blocked_propagation.push(factor);
        }
        self
    }

    /// The rule.
    pub fn build(&mut self) -> OpShardingRule {
        let mut rule = self.rule.clone();
        for dim in rule.operands.iter_mut().chain(&mut rule.results).flatten() {
            if dim.is_empty() {
                dim.push(rule.sizes.len());
                rule.sizes.push(1);
            }
        }
        rule
    }
}

/// What a factor does, by how it partitions.
fn kind_of(rule: &ShardingRule, factor: FactorIndex) -> FactorType {
    match rule.factors[factor].kind {
        FactorKind::PassThrough | FactorKind::Offset | FactorKind::SummedElsewhere => FactorType::PassThrough,
        FactorKind::Reduced(_) => FactorType::Reduction,
        FactorKind::NeedReplication => FactorType::NeedReplication,
        FactorKind::Permuted | FactorKind::Halo => FactorType::Permutation,
        FactorKind::Indexed | FactorKind::Sliced if rule.is_in_results(factor) => FactorType::PassThrough,
        FactorKind::Indexed | FactorKind::Sliced => FactorType::Reduction,
    }
}
