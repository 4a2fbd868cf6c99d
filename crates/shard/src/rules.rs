//! Sharding rules as propagation reads them: one entry per independent part, without factors of size one.
//!
//! Input: a [`ShardingRule`]. Output: [`Rule`]s, each listed once however many instructions have it. Two tensors are
//! in one part if they share a factor; ops whose operands have nothing to do with one another
//! (`optimization_barrier`) fall into many small parts, so that a change of one does not revisit all.

use meshwright_ir::rule::{Factor, FactorIndex, FactorKind, ShardingRule};
use rustc_hash::FxHashMap;

/// How early an op takes part, by what it does to its factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    /// Every factor is in all tensors (elementwise, transpose, reshape, data-flow edges).
    PassThrough,
    /// Every factor is passed through, but some are in no operand (broadcast).
    Expanding,
    /// Anything else.
    Other,
}

/// The factors of each dim of one tensor, major first.
pub(crate) type Dims = Vec<Vec<FactorIndex>>;

/// One part of an op's sharding rule. No factor has size one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rule {
    /// The factors.
    pub(crate) factors: Vec<Factor>,
    /// Operands, then results.
    pub(crate) tensors: Vec<Dims>,
    /// What the op does with its factors.
    pub(crate) class: Class,
    /// Whether some dim has more than one factor.
    pub(crate) has_compound_dims: bool,
}

/// Where a part of an op's rule lies in the op.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Its rule.
    pub(crate) rule: usize,
    /// Positions of its tensors among the op's operands and then results, in that order.
    pub(crate) tensors: Vec<usize>,
    /// How many of them are operands.
    pub(crate) num_operands: usize,
}

/// Distinct rules.
#[derive(Default)]
pub(crate) struct Rules {
    /// The rules.
    pub(crate) list: Vec<Rule>,
    by_rule: FxHashMap<Rule, usize>,
}

impl Rules {
    /// The rule of tensors that share all dims.
    pub(crate) fn identity(&mut self, sizes: &[usize], num_tensors: usize) -> usize {
        let kind = FactorKind::PassThrough;
        let factors = sizes.iter().map(|size| Factor::new(*size, kind)).collect();
        let dims: Dims = (0..sizes.len()).map(|dim| vec![dim]).collect();
        let (rule, _) = compact(factors, vec![dims; num_tensors], num_tensors - 1);
        self.intern(rule)
    }

    /// The parts of a rule that have something to propagate.
    pub(crate) fn parts(&mut self, whole: &ShardingRule) -> Vec<Part> {
        let tensors: Vec<&Dims> = whole.operands.iter().chain(&whole.results).collect();
        let mut parts = Vec::new();
        for members in connected(&tensors, &whole.factors) {
            let chosen: Vec<Dims> = members.iter().map(|tensor| tensors[*tensor].clone()).collect();
            let num_operands = members.iter().filter(|tensor| **tensor < whole.operands.len()).count();
            let (rule, is_useful) = compact(whole.factors.clone(), chosen, num_operands);
            if is_useful {
                parts.push(Part { rule: self.intern(rule), tensors: members, num_operands });
            }
        }
        parts
    }

    fn intern(&mut self, rule: Rule) -> usize {
        let next = self.list.len();
        *self.by_rule.entry(rule).or_insert_with_key(|rule| {
            self.list.push(rule.clone());
            next
        })
    }
}

/// Groups of tensors that share factors of more than one iteration, each in ascending order.
pub(crate) fn connected(tensors: &[&Dims], factors: &[Factor]) -> Vec<Vec<usize>> {
    let mut first_with: Vec<Option<usize>> = vec![None; factors.len()];
    let mut group: Vec<usize> = (0..tensors.len()).collect();
    for (index, dims) in tensors.iter().enumerate() {
        for factor in dims.iter().flatten().filter(|factor| factors[**factor].size > 1) {
            match first_with[*factor] {
                None => first_with[*factor] = Some(index),
                Some(first) => {
                    let (from, to) = (group[index], group[first]);
                    let (low, high) = (from.min(to), from.max(to));
                    group.iter_mut().filter(|member| **member == high).for_each(|member| *member = low);
                }
            }
        }
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); tensors.len()];
    for (index, leader) in group.iter().enumerate() {
        members[*leader].push(index);
    }
    members.retain(|group| !group.is_empty());
    members
}

/// Keeps the factors that occur in the tensors and have more than one iteration. Also returns whether any factor
/// that may be sharded links two tensors.
fn compact(factors: Vec<Factor>, tensors: Vec<Dims>, num_operands: usize) -> (Rule, bool) {
    let mut renamed: Vec<Option<usize>> = vec![None; factors.len()];
    let mut kept = Vec::new();
    let mut dims_of = Vec::with_capacity(tensors.len());
    for dims in &tensors {
        let mut new_dims = Vec::with_capacity(dims.len());
        for dim in dims {
            let mut new_dim = Vec::with_capacity(dim.len());
            for factor in dim.iter().filter(|factor| factors[**factor].size > 1) {
                new_dim.push(*renamed[*factor].get_or_insert_with(|| {
                    kept.push(factors[*factor]);
                    kept.len() - 1
                }));
            }
            new_dims.push(new_dim);
        }
        dims_of.push(new_dims);
    }
    let has = |dims: &Dims, factor: usize| dims.iter().flatten().any(|other| *other == factor);
    let counts: Vec<usize> =
        (0..kept.len()).map(|factor| dims_of.iter().filter(|dims| has(dims, factor)).count()).collect();
    let passed_through = kept.iter().all(|factor| factor.kind == FactorKind::PassThrough);
    let ranked = |dims: &&Dims| !dims.is_empty();
    let in_all =
        |tensors: &[Dims], factor: usize| tensors.iter().filter(ranked).all(|dims| has(dims, factor));
    let class = match passed_through {
        true if (0..kept.len()).all(|factor| in_all(&dims_of, factor)) => Class::PassThrough,
        true if (0..kept.len())
            .any(|factor| !dims_of[..num_operands].iter().any(|dims| has(dims, factor))) =>
        {
            Class::Expanding
        }
        _ => Class::Other,
    };
    let is_useful = kept.iter().zip(&counts).any(|(factor, count)| factor.kind.is_shardable() && *count > 1);
    let has_compound_dims = dims_of.iter().flatten().any(|dim| dim.len() > 1);
    (Rule { factors: kept, tensors: dims_of, class, has_compound_dims }, is_useful)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::sharding::Reduction;

    fn rule(
        factors: &[(usize, FactorKind)],
        operands: &[&[&[usize]]],
        results: &[&[&[usize]]],
    ) -> ShardingRule {
        let tensors = |list: &[&[&[usize]]]| {
            list.iter().map(|dims| dims.iter().map(|dim| dim.to_vec()).collect()).collect()
        };
        ShardingRule {
            factors: factors.iter().map(|(size, kind)| Factor::new(*size, *kind)).collect(),
            operands: tensors(operands),
            results: tensors(results),
        }
    }

    #[test]
    fn ops_are_classed_by_where_their_factors_are() {
        let mut rules = Rules::default();
        let mut class = |whole: &ShardingRule| {
            let parts = rules.parts(whole);
            parts.iter().map(|part| rules.list[part.rule].class).collect::<Vec<_>>()
        };
        let pass = FactorKind::PassThrough;
        let transpose = rule(&[(4, pass), (8, pass)], &[&[&[0], &[1]]], &[&[&[1], &[0]]]);
        assert_eq!(class(&transpose), [Class::PassThrough]);
        let add_dim = rule(&[(4, pass), (1, pass)], &[&[&[0]]], &[&[&[1], &[0]]]);
        assert_eq!(class(&add_dim), [Class::PassThrough], "a dim of size one changes nothing");
        let broadcast = rule(&[(4, pass), (8, pass)], &[&[&[0]]], &[&[&[1], &[0]]]);
        assert_eq!(class(&broadcast), [Class::Expanding]);
        let sum = FactorKind::Reduced(Reduction::Sum);
        let dot = rule(&[(4, pass), (8, sum)], &[&[&[0], &[1]], &[&[1]]], &[&[&[0]]]);
        assert_eq!(class(&dot), [Class::Other]);
        let iota = rule(&[(4, FactorKind::Offset)], &[], &[&[&[0]]]);
        assert_eq!(class(&iota), [], "one tensor alone has nothing to propagate to");
    }

    #[test]
    fn operands_that_share_nothing_are_parts_of_their_own() {
        let pass = FactorKind::PassThrough;
        let barrier = rule(&[(4, pass), (4, pass)], &[&[&[0]], &[&[1]]], &[&[&[0]], &[&[1]]]);
        let mut rules = Rules::default();
        let part = |tensors: [usize; 2]| Part { rule: 0, tensors: tensors.to_vec(), num_operands: 1 };
        assert_eq!(rules.parts(&barrier), [part([0, 2]), part([1, 3])]);
        assert_eq!(rules.list.len(), 1, "both parts have the same rule");
    }
}
