//! How results are updated: the values from which each is computed element by element.
//!
//! Input: a function with calls inlined and the sharding rule of each instruction. Output: for each result a *cone*, a
//! walk backwards through elementwise ops over values of its shape, around loops and into branches. Example: in
//! `p - rate * (0.9 * m + g)` the cone of the new `p` holds `p`, `m` and `g`, but not the scalar `rate`.

use std::collections::BTreeSet;

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::rule::{FactorIndex, FactorKind, ShardingRule};

use crate::flow::Sources;

/// The cone of each of the function's results.
pub(super) fn cones(function: &Function, rules: &Table<InstId, ShardingRule>) -> Vec<BTreeSet<ValueId>> {
    let body = &function.body;
    let sources = Sources::new(body);
    let operands = |value: ValueId| elementwise_operands(body, rules, value);
    function.returned().iter().map(|result| sources.behind(*result, &operands)).collect()
}

/// The cone of a result with what a scatter or an update of a slice writes into.
pub(super) fn written(
    function: &Function,
    rules: &Table<InstId, ShardingRule>,
    result: usize,
) -> BTreeSet<ValueId> {
    let body = &function.body;
    let target = |value: ValueId| {
        let Def::Result(id, _) = body.values[value].def else { return None };
        let inst = &body.insts[id];
        let writes = matches!(inst.op, Op::Scatter(_) | Op::DynamicUpdateSlice(_)) && inst.results.len() == 1;
        inst.operands.first().copied().filter(|_| writes)
    };
    Sources::new(body).behind(function.returned()[result], &|value| {
        let mut operands = elementwise_operands(body, rules, value);
        operands.extend(target(value));
        operands
    })
}

/// The operands of the op that defines `value` which are read element by element: same dims, same shape, and not
/// broadcast from less. Empty if the op is not elementwise.
pub(crate) fn elementwise_operands(
    body: &Body,
    rules: &Table<InstId, ShardingRule>,
    value: ValueId,
) -> Vec<ValueId> {
    let Def::Result(id, result) = body.values[value].def else { return Vec::new() };
    let (inst, rule) = (&body.insts[id], &rules[id]);
    let is_elementwise = inst.results.len() == 1
        && inst.regions.is_empty()
        && rule.factors.iter().all(|factor| factor.kind == FactorKind::PassThrough);
    if !is_elementwise {
        return Vec::new();
    }
    let shape = |value: ValueId| body.ty(value).as_tensor().map(|tensor| &tensor.shape);
    let same = |(operand, factors): &(&ValueId, &Vec<Vec<FactorIndex>>)| {
        **factors == rule.results[result] && shape(**operand) == shape(value)
    };
    let mut operands: Vec<ValueId> =
        inst.operands.iter().zip(&rule.operands).filter(same).map(|(operand, _)| *operand).collect();
    operands.dedup();
    operands
}
