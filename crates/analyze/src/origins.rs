//! Which values hold the same numbers, perhaps arranged, rounded or mapped one by one: where a weight or an
//! activation is used, however often it was transposed, converted, stacked by a loop or handed through one before.
//!
//! Input: a function with calls inlined and the sharding rule of each instruction. Output: an origin per value, and a
//! class per dim of it ([`DimClasses`] along such instructions only). Followed are ops that compute nothing (reshapes,
//! slices, updates in place), ops that map one tensor element by element, loops and branches. Ops that look up
//! (gather, scatter) are not: a table and the rows read from it are two things.

use meshwright_ir::ids::{Id, InstId, Table, ValueId};
use meshwright_ir::program::{Body, Function};
use meshwright_ir::rule::{FactorKind, ShardingRule};
use meshwright_tensor::types::Type;

use crate::dim_classes::DimClasses;
use crate::flow::{Marks, is_side_by_side, ties};
use crate::roles::is_lookup;
use crate::union_find::UnionFind;

/// Names one origin: values of one origin hold the same numbers.
pub type Origin = usize;

/// The origin of each value.
#[derive(Clone, Debug)]
pub struct Origins {
    of: Vec<Origin>,
    /// Which dims are the same dim of the same numbers.
    pub dims: DimClasses,
}

impl Origins {
    /// Follows `insts`, of which `rules` holds the rules. `varies` says which values depend on an argument.
    pub(crate) fn new(
        function: &Function,
        insts: &[InstId],
        rules: &Table<InstId, ShardingRule>,
        varies: &Table<ValueId, Marks>,
    ) -> Self {
        let body = &function.body;
        let mut sets = UnionFind::new(body.values.len());
        let mut followed = Table::filled(Vec::new(), body.insts.len());
        for id in insts {
            let inst = &body.insts[*id];
            for (a, b) in ties(body, *id) {
                // What a loop starts from may be a zero that many share.
                if varies[a] != 0 {
                    sets.join(a.index(), b.index());
                }
            }
            if is_side_by_side(body, *id) {
                inst.operands.iter().zip(&inst.results).for_each(|(a, b)| sets.join(a.index(), b.index()));
                followed[*id] = (0..inst.operands.len()).collect();
                continue;
            }
            followed[*id] = moved(body, *id, &rules[*id], varies);
            for operand in &followed[*id] {
                sets.join(inst.operands[*operand].index(), inst.results[0].index());
            }
        }
        let is_followed = |id: InstId, operand: usize| {
            let is_tie = !body.insts[id].regions.is_empty();
            if is_tie {
                varies[body.insts[id].operands[operand]] != 0
            } else {
                followed[id].contains(&operand)
            }
        };
        let dims = DimClasses::new(function, insts, rules, &is_followed);
        Self { of: sets.sets(), dims }
    }

    /// Origin of a value's numbers.
    pub fn of(&self, value: ValueId) -> Origin {
        self.of[value.index()]
    }
}

/// The operands whose elements, mapped one by one at most, are the elements of the only result.
pub(crate) fn moved(
    body: &Body,
    id: InstId,
    rule: &ShardingRule,
    varies: &Table<ValueId, Marks>,
) -> Vec<usize> {
    let inst = &body.insts[id];
    let is_combined = |kind| matches!(kind, FactorKind::Reduced(_));
    if inst.results.len() != 1
        || !inst.regions.is_empty()
        || rule.factors.is_empty()
        || is_lookup(rule)
        || rule.factors.iter().any(|factor| is_combined(factor.kind))
    {
        return Vec::new();
    }
    let rank = |value: ValueId| body.ty(value).as_tensor().map_or(0, |tensor| tensor.rank());
    let sources: Vec<usize> = (0..inst.operands.len())
        .filter(|operand| rank(inst.operands[*operand]) > 0 && varies[inst.operands[*operand]] != 0)
        .collect();
    let types =
        |values: &[ValueId]| -> Vec<Type> { values.iter().map(|value| body.ty(*value).clone()).collect() };
    let is_elementwise = || rule.factors.iter().all(|factor| factor.kind == FactorKind::PassThrough);
    let computes = inst.op.flops(&types(&inst.operands), &types(&inst.results)) > 0.0;
    if !computes || (sources.len() == 1 && is_elementwise()) { sources } else { Vec::new() }
}
