//! `stablehlo.reshape` (specification, "reshape"), and how its dims decompose into factors.
//!
//! Dims that are split or merged are cut at every boundary that both shapes share: `[8, 64] -> [8, 8, 8]` is
//! `([a, b c]) -> ([a, b, c])` (Shardy, "Sharding rule"). Where the sizes do not divide each other the largest common
//! prefix is kept, `[6, 4] -> [4, 6]` is `([a p, q]) -> ([a r, s])` with `a` = 2: the major part can be sharded, what
//! is behind it cannot.

use super::reshape_rule;
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Linearity, OpDef, OpPriority, Propagation, Violations};
use crate::program::InstView;
use crate::rule::{FactorIndex, FactorKind, ShardingRule, TensorFactors};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};
use crate::sharding::Reduction;
use crate::text::{Ending, Format};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::types::Type;

/// The same elements in row-major order under another shape; the shape is the result's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reshape;

impl OpDef for Reshape {
    const NAMES: &'static [&'static str] = &["stablehlo.reshape"];

    const FORMAT: Option<Format> = Some(Format::of(1, Ending::Signature));

    fn from_attributes(_: &'static str, _: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self)
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 1, 1, 0) {
            return;
        }
        let (operand, result) = (view.operand(0), view.result(0));
        violations.require(operand.element == result.element, || {
            format!("C1: the result should be of {}, not {}", operand.element, result.element)
        });
        violations.require(operand.num_elements() == result.num_elements(), || {
            format!("C2: {} elements cannot become {}", operand.num_elements(), result.num_elements())
        });
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        add_factors(&mut rule, &view.operand(0).shape, &view.result(0).shape);
        rule
    }

    fn op_priority(&self, _: &InstView<'_>) -> OpPriority {
        OpPriority::PassThrough
    }

    /// Shardy numbers dims of size 1 among the others.
    fn propagation_rule(&self, view: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        let (operand, result) = (view.operand(0), view.result(0));
        if operand.num_elements() == 0 {
            return None;
        }
        let mut builder = RuleBuilder::new(view);
        reshape_rule::factors(&operand.shape, &result.shape, |from, to, size| {
            builder.factor(&[from], &[to], size, FactorType::PassThrough);
        });
        Some(builder.build())
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::in_each(&[0])
    }

    fn evaluate(&self, Evaluation { view, inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![inputs[0].reshape(&view.result(0).shape)?])
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        v.give_with(0, |v, cotangent| {
            let shape = v.operand_type(0).shape;
            v.reshaped(cotangent, &shape)
        });
        Ok(())
    }
}

/// Adds the factors of reshaping operand 0 from shape `from` to result 0 of shape `to`.
fn add_factors(rule: &mut ShardingRule, from: &[usize], to: &[usize]) {
    if from.contains(&0) || to.contains(&0) {
        return;
    }
    let mut operand = Side::new(from);
    let mut result = Side::new(to);
    // Both sides have always taken the same number of elements here, so they end together.
    while operand.open_dim() && result.open_dim() {
        let rests = [operand.rest, result.rest];
        let shared = gcd(operand.rest, result.rest);
        if shared > 1 {
            let factor = rule.add(shared, FactorKind::PassThrough);
            operand.take(shared, &mut rule.operands[0], factor);
            result.take(shared, &mut rule.results[0], factor);
        }
        if rests.contains(&shared) {
            continue;
        }
        // Neither rest divides the other: behind the shared part the dims have no boundary in common until both
        // sides have again taken the same number of elements.
        close(rule, &mut operand, &mut result);
    }
}

/// Gives the rests of the open dims, and dims behind them up to the next common boundary, factors of their own.
fn close(rule: &mut ShardingRule, operand: &mut Side<'_>, result: &mut Side<'_>) {
    let own = |rule: &mut ShardingRule, size| rule.add(size, FactorKind::NeedReplication);
    let mut is_first = true;
    while is_first || operand.taken != result.taken {
        if (is_first || operand.taken < result.taken) && operand.open_dim() {
            let factor = own(rule, operand.rest);
            operand.take(operand.rest, &mut rule.operands[0], factor);
        }
        if (is_first || result.taken < operand.taken) && result.open_dim() {
            let factor = own(rule, result.rest);
            result.take(result.rest, &mut rule.results[0], factor);
        }
        is_first = false;
    }
}

/// One of the two shapes while it is decomposed, from the major end.
struct Side<'a> {
    shape: &'a [usize],
    /// The dim being decomposed.
    dim: usize,
    /// What is left of its size.
    rest: usize,
    /// Product of all factors so far.
    taken: usize,
}

impl<'a> Side<'a> {
    fn new(shape: &'a [usize]) -> Self {
        Self { shape, dim: 0, rest: shape.first().copied().unwrap_or(1), taken: 1 }
    }

    /// Goes on to the next dim that has something left, if there is one.
    fn open_dim(&mut self) -> bool {
        while self.rest == 1 && self.dim + 1 < self.shape.len() {
            self.dim += 1;
            self.rest = self.shape[self.dim];
        }
        self.rest > 1
    }

    /// Takes a factor of `size` off the open dim.
    fn take(&mut self, size: usize, factors: &mut TensorFactors, factor: FactorIndex) {
        factors[self.dim].push(factor);
        self.rest /= size;
        self.taken *= size;
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_tensor::types::{ElementType, TensorType};

    /// Like `([2, 3*2]) -> ([2*3, 2])`: sizes of the factors of each dim, `!` behind those that cannot be sharded.
    fn factors(from: &[usize], to: &[usize]) -> String {
        let types = [from, to].map(|shape| Type::Tensor(TensorType::new(shape, ElementType::F32)));
        let mut rule = ShardingRule::replicated([&types[0]], [&types[1]]);
        add_factors(&mut rule, from, to);
        let shared = |factor: usize| rule.operands[0].iter().flatten().any(|other| *other == factor);
        for (index, factor) in rule.factors.iter().enumerate() {
            let is_shared = shared(index) && rule.is_in_results(index);
            assert_eq!(is_shared, factor.kind == FactorKind::PassThrough, "{from:?} -> {to:?}");
        }
        let mut texts = Vec::new();
        for (shape, tensor) in [(from, &rule.operands[0]), (to, &rule.results[0])] {
            let mut dims = Vec::new();
            for (size, factors) in shape.iter().zip(tensor) {
                let sizes = factors.iter().map(|factor| rule.factors[*factor].size);
                assert_eq!(sizes.product::<usize>(), *size, "{from:?} -> {to:?}");
                let names = factors.iter().map(|factor| {
                    let factor = rule.factors[*factor];
                    format!("{}{}", factor.size, if factor.kind.is_shardable() { "" } else { "!" })
                });
                dims.push(names.collect::<Vec<_>>().join("*"));
            }
            texts.push(format!("[{}]", dims.join(", ")));
        }
        texts.join(" -> ")
    }

    #[test]
    fn splits_and_merges() {
        assert_eq!(factors(&[8, 64], &[8, 8, 8]), "[8, 8*8] -> [8, 8, 8]");
        assert_eq!(factors(&[8, 8, 8], &[8, 64]), "[8, 8, 8] -> [8, 8*8]");
        assert_eq!(factors(&[12], &[2, 2, 3]), "[2*2*3] -> [2, 2, 3]");
        assert_eq!(factors(&[2, 2, 3], &[12]), "[2, 2, 3] -> [2*2*3]");
        assert_eq!(factors(&[6, 4], &[6, 4]), "[6, 4] -> [6, 4]");
    }

    #[test]
    fn splits_and_merges_at_once() {
        assert_eq!(factors(&[2, 3, 4], &[6, 4]), "[2, 3, 4] -> [2*3, 4]");
        assert_eq!(factors(&[4, 6], &[8, 3]), "[4, 2*3] -> [4*2, 3]");
        assert_eq!(factors(&[8, 3], &[4, 6]), "[4*2, 3] -> [4, 2*3]");
        assert_eq!(factors(&[8, 32, 4, 2, 8], &[8, 32, 8, 8]), "[8, 32, 4, 2, 8] -> [8, 32, 4*2, 8]");
        assert_eq!(factors(&[2, 6, 5], &[4, 15]), "[2, 2*3, 5] -> [2*2, 3*5]");
    }

    #[test]
    fn sizes_that_do_not_divide_each_other_share_a_prefix() {
        assert_eq!(factors(&[6, 4], &[4, 6]), "[2*3!, 4!] -> [2*2!, 6!]");
        assert_eq!(factors(&[3, 4], &[4, 3]), "[3!, 4!] -> [4!, 3!]");
        assert_eq!(factors(&[9, 4], &[6, 6]), "[3*3!, 4!] -> [3*2!, 6!]");
        // Behind the next common boundary dims are shared again.
        assert_eq!(factors(&[5, 3, 4, 7], &[3, 5, 4, 7]), "[5!, 3!, 4, 7] -> [3!, 5!, 4, 7]");
        assert_eq!(factors(&[7, 3, 4, 4], &[3, 7, 16]), "[7!, 3!, 4, 4] -> [3!, 7!, 4*4]");
        // One dim of a side may reach over several of the other.
        assert_eq!(factors(&[6, 2, 3], &[4, 9]), "[2*3!, 2!, 3!] -> [2*2!, 9!]");
    }

    #[test]
    fn dims_of_size_one_have_no_factor() {
        assert_eq!(factors(&[1, 8, 1], &[8]), "[, 8, ] -> [8]");
        assert_eq!(factors(&[8], &[1, 8, 1]), "[8] -> [, 8, ]");
        assert_eq!(factors(&[1, 1], &[]), "[, ] -> []");
        assert_eq!(factors(&[], &[1]), "[] -> []");
        assert_eq!(factors(&[3, 1, 4], &[1, 12]), "[3, , 4] -> [, 3*4]");
    }

    #[test]
    fn every_shape_of_some_volumes_decomposes_completely() {
        fn shapes(volume: usize) -> Vec<Vec<usize>> {
            let divisors = (2..=volume).filter(|size| volume.is_multiple_of(*size));
            let longer = divisors.flat_map(|first| {
                shapes(volume / first).into_iter().map(move |rest| [vec![first], rest].concat())
            });
            let mut all: Vec<Vec<usize>> = longer.collect();
            if volume == 1 {
                all.push(Vec::new());
            }
            all
        }
        for volume in [12, 36, 60] {
            for from in shapes(volume) {
                for to in shapes(volume) {
                    factors(&from, &to);
                }
            }
        }
    }

    #[test]
    fn empty_tensors_have_no_factors() {
        let mut rule = ShardingRule::default();
        add_factors(&mut rule, &[0, 4], &[4, 0]);
        assert!(rule.factors.is_empty());
    }
}
