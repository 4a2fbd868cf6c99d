//! Which dims number experts.
//!
//! Input: a function and its roles so far. Output: the classes of dims that number the matrices of products with weights:
//! all operands and the result have them, and each matrix is contracted along one of its dims and keeps another. Channels
//! of a convolution in groups are not meant, because windows slide along its other dims or are all that is contracted.
//! Nor are parts into which the width of an activation is split: blocks of one matrix are no experts, since no token is
//! sent to one of them. Data's own dims are none either.

use std::collections::BTreeSet;

use meshwright_ir::program::Function;
use meshwright_ir::rule::{FactorIndex, FactorKind, ShardingRule};

use super::data_dims::{merges, minor_parts};
use super::{DATA, PARAMETERS, Roles, contracted, factor_classes};
use crate::dim_classes::Class;

/// The classes of dims that number experts.
pub(super) fn experts(function: &Function, roles: &Roles) -> BTreeSet<Class> {
    let body = &function.body;
    let mut found = BTreeSet::new();
    for id in &roles.insts {
        let (operands, rule) = (&body.insts[*id].operands, &roles.rules[*id]);
        let weights =
            operands.iter().zip(&rule.operands).filter(|(value, _)| roles.depends[**value] == PARAMETERS);
        let weights: Vec<&Vec<Vec<FactorIndex>>> = weights.map(|(_, factors)| factors).collect();
        if weights.is_empty() || contracted(rule).is_empty() {
            continue;
        }
        let numbers = |(factor, _): &(FactorIndex, Class)| numbers_matrices(rule, &weights, *factor);
        found.extend(factor_classes(roles, body, *id).into_iter().filter(numbers).map(|(_, class)| class));
    }
    let parts = if found.is_empty() { BTreeSet::new() } else { parts_of_width(function, roles) };
    found.retain(|class| ![&roles.batch, &roles.sequence, &parts].iter().any(|set| set.contains(class)));
    found
}

/// Whether a factor numbers the matrices of a contraction with some of `weights`.
fn numbers_matrices(rule: &ShardingRule, weights: &[&Vec<Vec<FactorIndex>>], factor: FactorIndex) -> bool {
    let has = |tensor: &[Vec<FactorIndex>], factor| tensor.iter().flatten().any(|other| *other == factor);
    let is_sized = |factor: FactorIndex| rule.factors[factor].size > 1;
    let slides = |kind| matches!(kind, FactorKind::NeedReplication | FactorKind::Halo);
    let is_kept = |other: &FactorIndex| *other != factor && is_sized(*other) && rule.is_in_results(*other);
    rule.operands.iter().all(|operand| has(operand, factor))
        && rule.is_in_results(factor)
        && contracted(rule).iter().any(|other| is_sized(*other) && rule.factors[*other].reach == 0)
        && weights.iter().any(|weight| weight.iter().flatten().any(&is_kept))
        && !rule.factors.iter().any(|other| slides(other.kind) && other.size > 1)
}

/// The parts into which activations split a dim that parameters have.
fn parts_of_width(function: &Function, roles: &Roles) -> BTreeSet<Class> {
    let body = &function.body;
    let dims = |index: usize| {
        let value = function.args()[index];
        (0..super::rank(body, value)).map(move |dim| roles.classes.of(value, dim))
    };
    let widths: BTreeSet<Class> = roles.parameters().flat_map(dims).collect();
    let mut parts = BTreeSet::new();
    for id in &roles.insts {
        if body.insts[*id].operands.iter().any(|operand| roles.depends[*operand] & DATA != 0) {
            let rule = &roles.rules[*id];
            let major = merges(body, *id, rule, &roles.classes).into_iter();
            let minor =
                minor_parts(body, *id, rule, &roles.classes).into_iter().map(|(whole, part)| (part, whole));
            parts
                .extend(major.chain(minor).filter(|(_, whole)| widths.contains(whole)).map(|(part, _)| part));
        }
    }
    parts
}
