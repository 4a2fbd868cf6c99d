//! Which dims of all values are the same dim of the model: batch, tokens, width, heads, ...
//!
//! Input: a function with calls inlined and the sharding rule of each instruction. Output: a class per dim of every
//! value. Dims that share a factor of some op are in one class, as long as the factor is the whole dim; a loop joins
//! what it carries. Example: in `dot: ([i, k], [k, j]) -> [i, j]` the operands' `k` are one class, and a residual
//! network joins the width of all its layers.

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Body, Function};
use meshwright_ir::rule::ShardingRule;

/// The class of each dim of each value.
#[derive(Clone, Debug)]
pub struct DimClasses {
    first: Table<ValueId, usize>,
    class: Vec<usize>,
}

/// Names one class. Two dims are the same dim of the model exactly if their classes are equal.
pub type Class = usize;

impl DimClasses {
    /// Joins the dims of `function`. `rules` holds the rule of each of `insts`.
    pub fn new(function: &Function, insts: &[InstId], rules: &Table<InstId, ShardingRule>) -> Self {
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
        let mut classes = Self { first, class: (0..count).collect() };
        for id in insts {
            let inst = &body.insts[*id];
            if inst.op.carries_values() {
                classes.join_loop(body, *id);
            } else {
                classes.join_factors(body, *id, &rules[*id]);
            }
        }
        for node in 0..count {
            classes.class[node] = classes.root(node);
        }
        classes
    }

    /// The class of a dim.
    pub fn of(&self, value: ValueId, dim: usize) -> Class {
        self.class[self.first[value] + dim]
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.class[node] != node {
            self.class[node] = self.class[self.class[node]];
            node = self.class[node];
        }
        node
    }

    fn join(&mut self, a: (ValueId, usize), b: (ValueId, usize)) {
        let (a, b) = (self.root(self.first[a.0] + a.1), self.root(self.first[b.0] + b.1));
        // The smaller index becomes the root, so that classes do not depend on the order of joining.
        self.class[a.max(b)] = a.min(b);
    }

    fn join_factors(&mut self, body: &Body, id: InstId, rule: &ShardingRule) {
        let inst = &body.insts[id];
        let mut seen: Vec<Option<(ValueId, usize)>> = vec![None; rule.factors.len()];
        let values = inst.operands.iter().chain(&inst.results);
        for (value, factors) in values.zip(rule.operands.iter().chain(&rule.results)) {
            for (dim, factors) in factors.iter().enumerate() {
                let [factor] = factors.as_slice() else { continue };
                if body.tensor(*value).shape[dim] != rule.factors[*factor].size {
                    continue;
                }
                match seen[*factor] {
                    Some(other) => self.join(other, (*value, dim)),
                    None => seen[*factor] = Some((*value, dim)),
                }
            }
        }
    }

    fn join_loop(&mut self, body: &Body, id: InstId) {
        let inst = &body.insts[id];
        let returned = inst.regions.last().and_then(|region| body.terminator(*region));
        for (position, operand) in inst.operands.iter().enumerate() {
            let rank = body.ty(*operand).as_tensor().map_or(0, |tensor| tensor.rank());
            let args = inst.regions.iter().map(|region| body.regions[*region].args[position]);
            let others = args
                .chain([inst.results[position]])
                .chain(returned.and_then(|last| last.operands.get(position).copied()));
            for other in others.collect::<Vec<_>>() {
                for dim in 0..rank {
                    self.join((*operand, dim), (other, dim));
                }
            }
        }
    }
}
