//! Which dims of all values are the same dim of the model: batch, tokens, width, heads, ...
//!
//! Input: a function with calls inlined and the sharding rule of each instruction. Output: a class per dim of every
//! value. Dims that share a factor of some op are in one class, as long as the factor is the whole dim; a loop joins
//! what it carries, and a conditional what its branches return. Example: in `dot: ([i, k], [k, j]) -> [i, j]` the
//! operands' `k` are one class, and a residual network joins the width of all its layers. A value that is made of
//! constants or scalars alone joins nothing: a zero that two ops share does not make their dims one.

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Body, Function};
use meshwright_ir::rule::ShardingRule;

use crate::flow::ties;
use crate::union_find::UnionFind;

/// The class of each dim of each value.
#[derive(Clone, Debug)]
pub struct DimClasses {
    first: Table<ValueId, usize>,
    class: Vec<usize>,
}

/// Names one class. Two dims are the same dim of the model exactly if their classes are equal.
pub type Class = usize;

impl DimClasses {
    /// Joins the dims of `function` along `insts`, of which `rules` holds the rules. `is_joined` says of an
    /// instruction's operand whether its dims are joined with those of the others and of the results.
    pub(crate) fn new(
        function: &Function,
        insts: &[InstId],
        rules: &Table<InstId, ShardingRule>,
        is_joined: &dyn Fn(InstId, usize) -> bool,
    ) -> Self {
        let body = &function.body;
        let mut count = 0;
        let first = body
            .values
            .values()
            .map(|value| {
                let start = count;
                count += value.ty.as_tensor().map_or(0, |tensor| tensor.rank());
                start
            })
            .collect();
        let mut joining = Joining { body, first: &first, sets: UnionFind::new(count) };
        for id in insts {
            for (a, b) in ties(body, *id) {
                if body.insts[*id]
                    .operands
                    .iter()
                    .position(|operand| *operand == a)
                    .is_none_or(|operand| is_joined(*id, operand))
                {
                    joining.whole(a, b);
                }
            }
            joining.factors(*id, &rules[*id], is_joined);
        }
        let class = joining.sets.sets();
        Self { first, class }
    }

    /// The class of a dim.
    pub fn of(&self, value: ValueId, dim: usize) -> Class {
        self.class[self.first[value] + dim]
    }
}

struct Joining<'a> {
    body: &'a Body,
    first: &'a Table<ValueId, usize>,
    sets: UnionFind,
}

impl Joining<'_> {
    /// All dims of two values of one shape.
    fn whole(&mut self, a: ValueId, b: ValueId) {
        let rank = |value| self.body.ty(value).as_tensor().map_or(0, |tensor| tensor.rank());
        for dim in 0..rank(a).min(rank(b)) {
            self.sets.join(self.first[a] + dim, self.first[b] + dim);
        }
    }

    fn factors(&mut self, id: InstId, rule: &ShardingRule, is_joined: &dyn Fn(InstId, usize) -> bool) {
        let inst = &self.body.insts[id];
        let mut seen: Vec<Option<usize>> = vec![None; rule.factors.len()];
        let operands = inst.operands.iter().zip(&rule.operands).enumerate();
        let operands = operands.filter(|(operand, _)| is_joined(id, *operand)).map(|(_, pair)| pair);
        for (value, factors) in operands.chain(inst.results.iter().zip(&rule.results)) {
            for (dim, factors) in factors.iter().enumerate() {
                let [factor] = factors.as_slice() else { continue };
                if self.body.tensor(*value).shape[dim] != rule.factors[*factor].size {
                    continue;
                }
                let place = self.first[*value] + dim;
                match seen[*factor] {
                    Some(other) => self.sets.join(other, place),
                    None => seen[*factor] = Some(place),
                }
            }
        }
    }
}
