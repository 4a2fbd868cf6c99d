//! The shortest way to say how a function is spread: what has to be fixed so that propagation finds the rest.
//!
//! Input: shardings, and seeds that must be among the answer. Output: seeds from which [`Spreader::cheapest`] makes
//! these shardings again. Arguments and results are always said; then the values that do not follow, then the strategies.

use crate::{Prepared, Seeds, Spreader};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::program::Function;
use meshwright_ir::rule::FactorKind;
use meshwright_plan::Shardings;
use std::collections::HashSet;

/// How often the values that differ are added before all values are.
const ROUNDS: usize = 6;

impl Spreader<'_> {
    /// Seeds that give `wanted` again, `decided` among them, and what they really give: the same, but for rare values
    /// of which no strategy reads the sharding that they were to have.
    pub fn brief(&self, wanted: &Shardings, decided: &Seeds) -> (Seeds, Shardings) {
        let mut said = Said::new(self.function, wanted, decided);
        said.boundary();
        let is_elementwise = elementwise(self.function, self.prepared);
        for round in 0.. {
            let (_, found) = self.cheapest(&said.seeds);
            let mut more = self.different(&said, &found);
            if round >= ROUNDS && !more.is_empty() {
                more = self.open(&said).collect();
            }
            // What is made element by element mostly follows from what is not.
            if round < ROUNDS / 2 && more.iter().any(|value| !is_elementwise.contains(value)) {
                more.retain(|value| !is_elementwise.contains(value));
            }
            let is_more = !more.is_empty();
            more.into_iter().for_each(|value| said.value(value));
            if !is_more && !self.say_strategies(&mut said, &found) {
                return (said.seeds, found);
            }
        }
        unreachable!("every round says more, or returns")
    }

    /// Followers are made as their readers want them.
    fn follows(&self, value: ValueId) -> bool {
        self.prepared.follower[self.prepared.slot_of[value]]
    }

    /// The tensors of which nothing is said yet and could be.
    fn open(&self, said: &Said<'_>) -> impl Iterator<Item = ValueId> {
        let body = &self.function.body;
        let is_open = |value: &ValueId| {
            !said.values.contains(value) && !self.follows(*value) && body.ty(*value).as_tensor().is_some()
        };
        body.values.ids().filter(is_open)
    }

    /// Those of them that came out otherwise.
    fn different(&self, said: &Said<'_>, found: &Shardings) -> Vec<ValueId> {
        let wanted = &said.wanted.values;
        self.open(said).filter(|value| !found.values[*value].places_like(&wanted[*value])).collect()
    }

    /// Says the strategies that came out otherwise. Returns whether there were any.
    fn say_strategies(&self, said: &mut Said<'_>, found: &Shardings) -> bool {
        let before = said.strategies.len();
        for (inst, content) in self.function.body.insts.iter() {
            let is_free =
                !content.results.is_empty() && content.results.iter().all(|value| self.follows(*value));
            let wanted = &said.wanted.strategies[inst];
            if !is_free && found.strategies[inst] != *wanted && said.strategies.insert(inst) {
                said.seeds.strategies.push((inst, wanted.clone()));
            }
        }
        said.strategies.len() > before
    }
}

/// What is said of the shardings that are wanted.
struct Said<'a> {
    function: &'a Function,
    wanted: &'a Shardings,
    seeds: Seeds,
    values: HashSet<ValueId>,
    strategies: HashSet<InstId>,
}

impl<'a> Said<'a> {
    fn new(function: &'a Function, wanted: &'a Shardings, decided: &Seeds) -> Self {
        let values = decided.values.iter().map(|(value, _)| *value).collect();
        let strategies = decided.strategies.iter().map(|(inst, _)| *inst).collect();
        Self { function, wanted, seeds: decided.clone(), values, strategies }
    }

    fn value(&mut self, value: ValueId) {
        if self.function.body.ty(value).as_tensor().is_some() && self.values.insert(value) {
            self.seeds.values.push((value, self.wanted.values[value].clone()));
        }
    }

    /// Says what the function takes and gives.
    fn boundary(&mut self) {
        self.function.args().iter().for_each(|arg| self.value(*arg));
        let types = &self.function.result_types;
        self.seeds.results.resize(types.len(), None);
        for ((seed, wanted), ty) in self.seeds.results.iter_mut().zip(&self.wanted.results).zip(types) {
            if ty.as_tensor().is_some() {
                seed.get_or_insert_with(|| wanted.clone());
            }
        }
    }
}

/// The values that are made element by element.
fn elementwise(function: &Function, prepared: &Prepared) -> HashSet<ValueId> {
    let mut found = HashSet::new();
    for (inst, rule) in prepared.order.iter().zip(&prepared.rule_of) {
        let rule = &prepared.whole_rules[*rule];
        let is_plain = rule.factors.iter().all(|factor| factor.kind == FactorKind::PassThrough);
        if is_plain && rule.results.len() == 1 {
            found.extend(&function.body.insts[*inst].results);
        }
    }
    found
}
