//! Dims of a region that go along with one dim of one of its values.
//!
//! Input: instructions of a body, and a value's dim. Output: for each value that is cut where that dim is, its own dim.
//! From instruction to instruction it goes by the sharding rules, forwards and backwards.

use super::TileRefusal;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::program::{Body, Regions};
use meshwright_ir::rule::{FactorIndex, FactorKind, ShardingRule};
use std::collections::BTreeMap;

/// The dim of each value that is cut along with `dim` of `value`.
///
/// # Errors
/// A value would be cut along two dims.
pub(super) fn along(
    body: &Body,
    insts: &[InstId],
    value: ValueId,
    dim: usize,
) -> Result<BTreeMap<ValueId, usize>, TileRefusal> {
    let whole: Vec<InstId> =
        insts.iter().copied().filter(|inst| body.view(*inst).regions() == Regions::OfElements).collect();
    let rules: Vec<ShardingRule> =
        whole.iter().map(|inst| body.insts[*inst].op.rule(&body.view(*inst))).collect();
    let mut users: BTreeMap<ValueId, Vec<usize>> = BTreeMap::new();
    for (at, inst) in whole.iter().enumerate() {
        let inst = &body.insts[*inst];
        inst.operands.iter().chain(&inst.results).for_each(|value| users.entry(*value).or_default().push(at));
    }
    let mut dims: BTreeMap<ValueId, usize> = [(value, dim)].into();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        let dim = dims[&value];
        for at in users.get(&value).into_iter().flatten() {
            for (other, dim) in neighbors(body, whole[*at], &rules[*at], value, dim) {
                match dims.insert(other, dim) {
                    None => open.push(other),
                    Some(before) if before == dim => {}
                    Some(_) => return Err(TileRefusal::Mixed(other)),
                }
            }
        }
    }
    Ok(dims)
}

/// Operands and results of an instruction that are cut along with a dim of one of them, and their dims.
pub fn neighbors(
    body: &Body,
    inst: InstId,
    rule: &ShardingRule,
    value: ValueId,
    dim: usize,
) -> Vec<(ValueId, usize)> {
    let inst = &body.insts[inst];
    let places = || {
        let operands = inst.operands.iter().zip(&rule.operands);
        operands.chain(inst.results.iter().zip(&rule.results))
    };
    let factor =
        places().filter(|(own, _)| **own == value).find_map(|(_, dims)| first_of(rule, dims.get(dim)?));
    let Some(factor) = factor.filter(|factor| is_plain(rule, *factor)) else { return Vec::new() };
    let held = |(value, dims): (&ValueId, &Vec<Vec<FactorIndex>>)| {
        Some((*value, dims.iter().position(|dim| first_of(rule, dim) == Some(factor))?))
    };
    places().filter_map(held).collect()
}

fn first_of(rule: &ShardingRule, factors: &[FactorIndex]) -> Option<FactorIndex> {
    factors.iter().copied().find(|factor| rule.factors[*factor].size > 1)
}

/// Whether parts along a factor are independent, or add up.
fn is_plain(rule: &ShardingRule, factor: FactorIndex) -> bool {
    let factor = rule.factors[factor];
    let is_plain =
        matches!(factor.kind, FactorKind::PassThrough | FactorKind::Offset | FactorKind::Reduced(_));
    is_plain && factor.reach == 0
}
