//! Sharding rules: the one fact per op that propagation, search, cost and partitioning all read.
//!
//! A rule names the op's *factors*: the independent loops of the op. Every dim of every operand and result is made
//! of zero or more factors, major first. `dot: ([i, k], [k, j]) -> [i, j]` with `k` reduced; a reshape
//! `[8, 64] -> [8, 8, 8]` is `([a, b c]) -> [a, b, c]`. A dim without factors cannot be sharded by this op.
//! After Shardy's "Sharding rule"; the kinds also say how a sharded factor is partitioned.

use crate::mesh::{Mesh, SubAxisId};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::FactorType;
use crate::sharding::{DimSharding, Reduction, Sharding};
use meshwright_tensor::types::Type;

/// Behavior of an op along a factor, and so how it is partitioned when the factor is sharded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FactorKind {
    /// The local op on local shards gives the local result; nothing is communicated.
    PassThrough,
    /// Summed (or likewise combined) away: the local results are partial over the factor's axes.
    Reduced(Reduction),
    /// The op needs the whole factor on each device.
    NeedReplication,
    /// Passed through to results that have it; those without it are sums along it, which the local form takes itself.
    SummedElsewhere,
    /// Elements move along the factor (reverse, concatenate, slice): the local form fetches data of other shards. The
    /// factor stands alone in its dims, whose sizes may differ; each is sharded by its own size.
    Permuted,
    /// Each result element reads a window along the factor: the local form fetches the edges of neighboring shards.
    /// The factor stands alone in its dims, whose sizes may differ.
    Halo,
    /// Positions along the factor are chosen at run time: each device masks what it does not hold
    /// (gather, whose result is then partial; scatter, which drops updates it does not hold).
    Indexed,
    /// A window of the factor is read or replaced at a position chosen at run time (dynamic_slice, whose result is then
    /// partial; dynamic_update_slice): each device takes part with what it holds of the window.
    Sliced,
    /// The result depends on the position along the factor (iota): each device adds its offset.
    Offset,
}

impl FactorKind {
    /// Reduction of what is partial where a factor of this kind, which no result has, is sharded; `None`:
    /// it leaves none.
    pub fn combines(self) -> Option<Reduction> {
        match self {
            Self::Reduced(reduction) => Some(reduction),
            Self::Indexed | Self::Sliced => Some(Reduction::Sum),
            _ => None,
        }
    }

    /// Returns whether the partitioner can shard it.
    pub fn is_shardable(self) -> bool {
        self != Self::NeedReplication
    }
}

/// One factor of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Factor {
    /// Number of iterations; the product over a dim's factors is the dim's size. Of a factor whose dims differ in
    /// size, the largest.
    pub size: usize,
    /// How it partitions.
    pub kind: FactorKind,
    /// About how many elements each shard needs of others, when elements move along the factor or are read through
    /// windows; however many shards there are. Zero otherwise.
    pub reach: usize,
    /// Whether it is cut into equal parts only: nothing is known of what padding would do.
    pub is_even: bool,
    /// What Shardy's rule says of it that does not follow from the above.
    pub in_shardy: InShardy,
}

/// A factor in the rule that Shardy propagates by, where that says something else than partitioning needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct InShardy {
    /// What it does, if that is not what its [`FactorKind`] tells.
    pub kind: Option<FactorType>,
    /// Its size, if that is not the largest.
    pub size: Option<usize>,
    /// Whether shardings pass along it.
    pub passing: Passing,
}

/// Propagations in which shardings pass along a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Passing {
    /// Any.
    #[default]
    Always,
    /// All but the conservative one.
    UnlessConservative,
    /// None.
    Never,
}

impl Factor {
    /// A factor along which nothing moves.
    pub fn new(size: usize, kind: FactorKind) -> Self {
        Self { size, kind, reach: 0, is_even: false, in_shardy: InShardy::default() }
    }
}

/// Index of a factor in its rule.
pub type FactorIndex = usize;

/// The factors of each dim of one tensor, major first.
pub type TensorFactors = Vec<Vec<FactorIndex>>;

/// An op's factors and where they occur.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct ShardingRule {
    /// The factors.
    pub factors: Vec<Factor>,
    /// For each operand, the factors of its dims (empty for tokens and tuples).
    pub operands: Vec<TensorFactors>,
    /// For each result, the factors of its dims.
    pub results: Vec<TensorFactors>,
}

impl ShardingRule {
    /// A rule without factors: every operand and result must be replicated.
    pub fn replicated<'a>(
        operands: impl IntoIterator<Item = &'a Type>,
        results: impl IntoIterator<Item = &'a Type>,
    ) -> Self {
        let dims = |ty: &Type| vec![Vec::new(); ty.as_tensor().map_or(0, |tensor| tensor.rank())];
        Self {
            factors: Vec::new(),
            operands: operands.into_iter().map(dims).collect(),
            results: results.into_iter().map(dims).collect(),
        }
    }

    /// Needs those factors whole that would leave a sum if they were sharded.
    pub(crate) fn need_whole_sums(&mut self) {
        let leaves_sum = |(index, factor): (usize, &Factor)| match factor.kind {
            FactorKind::Reduced(reduction) => reduction == Reduction::Sum,
            FactorKind::Indexed | FactorKind::Sliced => !self.is_in_results(index),
            _ => false,
        };
        let sums: Vec<bool> = self.factors.iter().enumerate().map(leaves_sum).collect();
        for (factor, _) in self.factors.iter_mut().zip(sums).filter(|(_, sums)| *sums) {
            (factor.kind, factor.reach) = (FactorKind::NeedReplication, 0);
        }
    }

    /// Rule of an op that only a user describes. Factors that it reduces are summed; those along which
    /// elements move, and those that only one tensor has, are needed whole; all others are cut into equal parts only.
    pub fn from_user_rule(rule: &OpShardingRule) -> Self {
        let tensors = || rule.operands.iter().chain(&rule.results);
        let kind = |factor: usize| {
            let holders =
                tensors().filter(|tensor| tensor.iter().flatten().any(|other| *other == factor)).count();
            let is_whole = rule.need_replication.contains(&factor) || rule.permutation.contains(&factor);
            if rule.reduction.contains(&factor) {
                FactorKind::Reduced(Reduction::Sum)
            } else if is_whole || holders < 2 {
                FactorKind::NeedReplication
            } else {
                FactorKind::PassThrough
            }
        };
        let factors = rule
            .sizes
            .iter()
            .enumerate()
            .map(|(index, size)| Factor::new(usize::try_from(*size).unwrap_or(1), kind(index)))
            .map(|factor| Factor { is_even: true, ..factor });
        Self { factors: factors.collect(), operands: rule.operands.clone(), results: rule.results.clone() }
    }

    /// Rule of propagation for an op that a user describes, whatever of it can be partitioned: not along blocked
    /// factors, and along those that the op needs whole as late as along those that move elements.
    pub fn propagated(rule: &OpShardingRule) -> Self {
        let kind = |factor: usize| {
            if rule.blocked_propagation.contains(&factor) {
                FactorKind::NeedReplication
            } else if rule.reduction.contains(&factor) {
                FactorKind::Reduced(Reduction::Sum)
            } else if rule.need_replication.contains(&factor) || rule.permutation.contains(&factor) {
                FactorKind::Permuted
            } else {
                FactorKind::PassThrough
            }
        };
        let sizes = rule.sizes.iter().enumerate();
        let factors =
            sizes.map(|(index, size)| Factor::new(usize::try_from(*size).unwrap_or(1), kind(index)));
        Self { factors: factors.collect(), operands: rule.operands.clone(), results: rule.results.clone() }
    }

    /// The same rule, with the factors needed whole that lie in dims of which `given` needs all. Where both cut a dim
    /// into the same factors, only those that `given` names.
    pub fn whole_where(mut self, given: &OpShardingRule) -> Self {
        let own = self.operands.iter().chain(&self.results).flatten();
        let told = given.operands.iter().chain(&given.results).flatten();
        let mut whole = Vec::new();
        for (own, told) in own.zip(told) {
            let size = |factor: &usize| given.sizes.get(*factor).copied().unwrap_or(1);
            let alike = own.len() == told.len()
                && own.iter().zip(told).all(|(own, told)| self.factors[*own].size as i64 == size(told));
            let is_needed = |factor: &usize| given.need_replication.contains(factor);
            match alike {
                true => whole
                    .extend(own.iter().zip(told).filter(|(_, told)| is_needed(told)).map(|(own, _)| *own)),
                false if told.iter().any(is_needed) => whole.extend(own),
                false => {}
            }
        }
        whole.into_iter().for_each(|factor| self.factors[factor].kind = FactorKind::NeedReplication);
        self
    }

    /// Adds a factor.
    pub fn add(&mut self, size: usize, kind: FactorKind) -> FactorIndex {
        self.factors.push(Factor::new(size, kind));
        self.factors.len() - 1
    }

    /// Adds a factor along one dim of some operands and results (`None`: not there).
    pub fn add_dim(
        &mut self,
        size: usize,
        kind: FactorKind,
        operands: &[(usize, usize)],
        results: &[(usize, usize)],
    ) -> FactorIndex {
        let factor = self.add(size, kind);
        for (operand, dim) in operands {
            self.operands[*operand][*dim].push(factor);
        }
        for (result, dim) in results {
            self.results[*result][*dim].push(factor);
        }
        factor
    }

    /// The same for a factor along which elements move by about `reach`.
    pub fn add_moving_dim(
        &mut self,
        size: usize,
        kind: FactorKind,
        reach: usize,
        operands: &[(usize, usize)],
        results: &[(usize, usize)],
    ) -> FactorIndex {
        let factor = self.add_dim(size, kind, operands, results);
        self.factors[factor].reach = reach.min(size);
        factor
    }

    /// A rule in which every operand and result of the same shape shares all dims (elementwise ops); scalars among
    /// the operands have no dims and stay replicated.
    pub fn elementwise<'a>(
        operands: impl IntoIterator<Item = &'a Type>,
        results: impl IntoIterator<Item = &'a Type>,
    ) -> Self {
        let operands: Vec<&Type> = operands.into_iter().collect();
        let results: Vec<&Type> = results.into_iter().collect();
        let shape = results
            .iter()
            .chain(&operands)
            .filter_map(|ty| ty.as_tensor())
            .map(|tensor| tensor.shape.clone())
            .max_by_key(Vec::len)
            .unwrap_or_default();
        let dims = |ty: &&Type| -> TensorFactors {
            match ty.as_tensor() {
                Some(tensor) if tensor.rank() == shape.len() => {
                    (0..shape.len()).map(|dim| vec![dim]).collect()
                }
                Some(tensor) => vec![Vec::new(); tensor.rank()],
                None => Vec::new(),
            }
        };
        Self {
            factors: shape.iter().map(|size| Factor::new(*size, FactorKind::PassThrough)).collect(),
            operands: operands.iter().map(dims).collect(),
            results: results.iter().map(dims).collect(),
        }
    }

    /// For each factor, the first of the factors that it meets in some tensor, directly or through others.
    pub fn connected_factors(&self) -> Vec<FactorIndex> {
        let mut group: Vec<FactorIndex> = (0..self.factors.len()).collect();
        for tensor in self.operands.iter().chain(&self.results) {
            let mut factors = tensor.iter().flatten();
            let Some(first) = factors.next() else { continue };
            for factor in factors {
                let (low, high) = (group[*first].min(group[*factor]), group[*first].max(group[*factor]));
                group.iter_mut().filter(|member| **member == high).for_each(|member| *member = low);
            }
        }
        group
    }

    /// Returns whether `factor` can be cut into `shards` parts of equal size. Where it does not divide, the last parts
    /// hold padding, and every dim that has the factor must be padded in the same places: the factor stands alone
    /// there, or before others and the padding comes out alike (5 rows of 4 on 3 devices are 2 rows each, or 20
    /// elements in shards of 7: not alike).
    pub fn can_split(&self, factor: FactorIndex, shards: usize) -> bool {
        let size = self.factors[factor].size;
        if size.is_multiple_of(shards) {
            return true;
        }
        if self.factors[factor].is_even {
            return false;
        }
        self.operands.iter().chain(&self.results).flatten().filter(|dim| dim.contains(&factor)).all(|dim| {
            let mut others = dim.iter().filter(|other| self.factors[**other].size > 1);
            let is_first = others.next() == Some(&factor);
            let minor: usize = others.map(|other| self.factors[*other].size).product();
            is_first && size.div_ceil(shards) * minor == (size * minor).div_ceil(shards)
        })
    }

    /// Returns whether factor `f` occurs in some result.
    pub fn is_in_results(&self, factor: FactorIndex) -> bool {
        self.results.iter().flatten().flatten().any(|other| *other == factor)
    }
}

/// One choice for one op: the sub-axes that shard each factor, major first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Strategy {
    /// Per factor of the op's rule.
    pub axes: Vec<Vec<SubAxisId>>,
}

impl Strategy {
    /// Nothing sharded.
    pub fn replicated(rule: &ShardingRule) -> Self {
        Self { axes: vec![Vec::new(); rule.factors.len()] }
    }

    /// Returns whether nothing is sharded.
    pub fn is_replicated(&self) -> bool {
        self.axes.iter().all(Vec::is_empty)
    }

    /// Sharding of a tensor with these factors. `None` if that is not expressible: a minor factor is sharded
    /// while a more major factor of the same dim is not sharded completely, so shards would not be contiguous.
    pub fn tensor_sharding(
        &self,
        rule: &ShardingRule,
        tensor: &TensorFactors,
        mesh: &Mesh,
    ) -> Option<Sharding> {
        let mut dims = Vec::with_capacity(tensor.len());
        for factors in tensor {
            let mut axes = Vec::new();
            let mut complete = true;
            for factor in factors {
                let own = &self.axes[*factor];
                if !own.is_empty() && !complete {
                    return None;
                }
                complete = complete && mesh.product(own) == rule.factors[*factor].size;
                axes.extend_from_slice(own);
            }
            dims.push(DimSharding { axes, ..DimSharding::default() });
        }
        Some(Sharding { dims, ..Sharding::default() })
    }

    /// Returns whether it is a legal choice: axes used once among factors that meet in some tensor (directly or
    /// through others), factors of a shardable kind that can be split so, and every operand's and result's sharding
    /// expressible.
    pub fn is_legal(&self, rule: &ShardingRule, mesh: &Mesh) -> bool {
        self.axes.len() == rule.factors.len()
            && self.axes.iter().zip(&rule.factors).enumerate().all(|(index, (axes, factor))| {
                axes.is_empty() || (factor.kind.is_shardable() && rule.can_split(index, mesh.product(axes)))
            })
            && self.uses_axes_once(rule)
            && self.is_partial_over_free_axes(rule)
            && rule
                .operands
                .iter()
                .chain(&rule.results)
                .all(|tensor| self.tensor_sharding(rule, tensor, mesh).is_some())
    }

    /// A result that is partial over an axis is not sharded by it too.
    fn is_partial_over_free_axes(&self, rule: &ShardingRule) -> bool {
        self.partial(rule).is_none_or(|(_, axes)| {
            rule.results
                .iter()
                .flatten()
                .flatten()
                .all(|factor| axes.is_disjoint(self.axes[*factor].iter().collect()))
        })
    }

    /// Operands that share no factor with others (`optimization_barrier`) may use an axis each.
    fn uses_axes_once(&self, rule: &ShardingRule) -> bool {
        let mut used = crate::mesh::AxisSet::EMPTY;
        if self.axes.iter().flatten().all(|axis| used.insert(*axis)) {
            return true;
        }
        let groups = rule.connected_factors();
        let mut used = vec![crate::mesh::AxisSet::EMPTY; rule.factors.len()];
        self.axes.iter().zip(&groups).all(|(axes, group)| axes.iter().all(|axis| used[*group].insert(*axis)))
    }

    /// Over which axes the results are partial, and how contributions combine. A factor of kind
    /// [`FactorKind::Indexed`] or [`FactorKind::Sliced`] that no result has (gather from a sharded dim) contributes a
    /// sum.
    /// All reduced factors of one op combine alike.
    pub fn partial(&self, rule: &ShardingRule) -> Option<(Reduction, crate::mesh::AxisSet)> {
        let mut partial: Option<(Reduction, crate::mesh::AxisSet)> = None;
        for (index, (axes, factor)) in self.axes.iter().zip(&rule.factors).enumerate() {
            let Some(reduction) = factor.kind.combines() else { continue };
            if axes.is_empty() || rule.is_in_results(index) {
                continue;
            }
            let set = axes.iter().collect();
            partial = Some(match partial {
                Some((first, before)) => (first, before.union(set)),
                None => (reduction, set),
            });
        }
        partial
    }

    /// The sharding of result `index`, partial axes included. Panics if the strategy is not legal.
    pub fn result_sharding(&self, rule: &ShardingRule, index: usize, mesh: &Mesh) -> Sharding {
        let mut sharding = self
            .tensor_sharding(rule, &rule.results[index], mesh)
            .expect("a legal strategy shards every result");
        sharding.partial = self.partial(rule);
        sharding
    }

    /// The sharding that operand `index` must have. Panics if the strategy is not legal.
    pub fn operand_sharding(&self, rule: &ShardingRule, index: usize, mesh: &Mesh) -> Sharding {
        self.tensor_sharding(rule, &rule.operands[index], mesh)
            .expect("a legal strategy shards every operand")
    }
}
