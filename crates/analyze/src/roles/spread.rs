//! The dims over which parameters are spread: broadcast along the batch, as a prompt that stands in front of every
//! example's tokens.
//!
//! Input: a function that trains, and its pairs of parameters and results. Output: the classes of dims that a sum over a
//! broadcast parameter's gradient takes, as `dp = reduce(dx)` over the examples `x = [p, tokens]`. Where all weights are
//! frozen, no contraction sums over the batch, and this alone tells it. Features are summed so too, where a parameter is
//! broadcast along them: taken are only dims that contractions keep and none contracts, neither as they are nor as
//! a part of another.

use std::collections::BTreeSet;

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::rule::{FactorIndex, FactorKind, ShardingRule};
use meshwright_ir::sharding::Reduction;

use super::data_dims::{grow, merges, minor_parts};
use super::{contracted, elementwise_operands, is_lookup};
use crate::dim_classes::{Class, DimClasses};
use crate::flow::{Marks, Sources};
use crate::origins::moved;

/// The classes of dims that gradients of `pairs`, arguments and results that replace them, are summed over.
pub(super) fn summed(
    function: &Function,
    insts: &[InstId],
    rules: &Table<InstId, ShardingRule>,
    classes: &DimClasses,
    cones: &[BTreeSet<ValueId>],
    varies: &Table<ValueId, Marks>,
    pairs: &BTreeSet<(usize, usize)>,
) -> BTreeSet<Class> {
    let body = &function.body;
    let sources = Sources::new(body);
    let operands = |value: ValueId| {
        let mut operands = elementwise_operands(body, rules, value);
        operands.extend(rearranged(body, rules, varies, value));
        operands
    };
    // A parameter may be broadcast to heads and then to examples, so that a sum is of a sum.
    let operands_of_sums = |value: ValueId| match sum(body, rules, value) {
        Some(id) => body.insts[id].operands.first().copied().into_iter().collect(),
        None => rearranged(body, rules, varies, value),
    };
    let replaces = |(index, result): &&(usize, usize)| cones[*result].contains(&function.args()[*index]);
    let results: BTreeSet<usize> = pairs.iter().filter(replaces).map(|(_, result)| *result).collect();
    let mut sums = BTreeSet::new();
    for result in results {
        let values = sources.behind(function.returned()[result], &operands);
        for value in values.into_iter().filter(|value| sum(body, rules, *value).is_some()) {
            let values = sources.behind(value, &operands_of_sums);
            sums.extend(values.into_iter().filter_map(|value| sum(body, rules, value)));
        }
    }
    let mut summed = BTreeSet::new();
    for id in sums {
        let operand = body.insts[id].operands.first().zip(rules[id].operands.first());
        let mut factors = summed_factors(&rules[id]);
        factors.retain(|factor| rules[id].factors[*factor].size > 1);
        summed
            .extend(operand.into_iter().flat_map(|(value, dims)| with_any(*value, dims, classes, &factors)));
    }
    if summed.is_empty() {
        return summed;
    }
    let (mut kept, mut inner) = (BTreeSet::new(), BTreeSet::new());
    let mut parts = Vec::new();
    for id in insts {
        let (inst, rule) = (&body.insts[*id], &rules[*id]);
        parts.extend(merges(body, *id, rule, classes).into_iter().map(|(part, whole)| (whole, part)));
        parts.extend(minor_parts(body, *id, rule, classes));
        let reduced = contracted(rule);
        if reduced.is_empty() {
            continue;
        }
        for (value, dims) in inst.operands.iter().zip(&rule.operands) {
            inner.extend(with_any(*value, dims, classes, &reduced));
        }
        for (value, dims) in inst.results.iter().zip(&rule.results) {
            kept.extend((0..dims.len()).map(|dim| classes.of(*value, dim)));
        }
    }
    grow(&mut inner, parts.into_iter());
    summed.retain(|class| kept.contains(class) && !inner.contains(class));
    summed
}

/// The operands of what makes `value` whose elements it has in another order, among others perhaps, but each once.
fn rearranged(
    body: &Body,
    rules: &Table<InstId, ShardingRule>,
    varies: &Table<ValueId, Marks>,
    value: ValueId,
) -> Vec<ValueId> {
    let Def::Result(id, _) = body.values[value].def else { return Vec::new() };
    let rule = &rules[id];
    let repeats = |operand: &usize| {
        let dims = rule.operands.get(*operand);
        let of_operand = |factor| dims.into_iter().flatten().flatten().any(|other| other == factor);
        let mut of_result = rule.results.iter().flatten().flatten();
        of_result.any(|factor| rule.factors[*factor].size > 1 && !of_operand(factor))
    };
    let moved = moved(body, id, rule, varies).into_iter().filter(|operand| !repeats(operand));
    moved.map(|operand| body.insts[id].operands[operand]).collect()
}

/// The op that makes `value` if it is a sum and no contraction.
fn sum(body: &Body, rules: &Table<InstId, ShardingRule>, value: ValueId) -> Option<InstId> {
    let Def::Result(id, _) = body.values[value].def else { return None };
    let rule = &rules[id];
    let is_sum = !is_lookup(rule) && contracted(rule).is_empty() && !summed_factors(rule).is_empty();
    is_sum.then_some(id)
}

fn summed_factors(rule: &ShardingRule) -> Vec<FactorIndex> {
    let is_summed = |factor: &FactorIndex| rule.factors[*factor].kind == FactorKind::Reduced(Reduction::Sum);
    (0..rule.factors.len()).filter(is_summed).collect()
}

/// The classes of a value's dims that have one of the factors.
fn with_any(
    value: ValueId,
    dims: &[Vec<FactorIndex>],
    classes: &DimClasses,
    factors: &[FactorIndex],
) -> Vec<Class> {
    let has_any = |dim: &usize| dims[*dim].iter().any(|factor| factors.contains(factor));
    (0..dims.len()).filter(has_any).map(|dim| classes.of(value, dim)).collect()
}
