//! Few decisions that say the same as a whole answer: propagation finds the rest.
//!
//! Input: shardings of everything, and decisions that are among the answer. Output: decisions from which
//! [`Sharder::cheapest`] makes exactly these shardings again. An answer is kept whole and minimized where it is written.
//!
//! Arguments and results are always said; then the values that do not follow, then the strategies that do not, in the end
//! all values.

use crate::{Prepared, Sharder, ValueShardings};
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::Function;
use meshwright_ir::rule::FactorKind;
use meshwright_plan::{Decisions, Shardings};
use std::collections::{BTreeMap, HashSet};

/// How often the values that differ are added before all values are.
const ROUNDS: usize = 6;

/// Decisions, and what propagation makes of them.
pub struct Minimized {
    /// The decisions.
    pub decisions: Decisions,
    /// The shardings of values, with what is still open marked so.
    pub values: ValueShardings,
    /// All that follows from the decisions.
    pub shardings: Shardings,
}

impl Sharder<'_> {
    /// Decisions that give `wanted` again, `fixed` among them.
    ///
    /// # Panics
    /// If none do: a defect of propagation.
    pub fn minimize(&self, wanted: &Shardings, fixed: &Decisions) -> Minimized {
        self.minimize_to(wanted, fixed, &|found| found == wanted)
    }

    /// Decisions that give `wanted` again but for the sums that are taken late, which follow from all else: those of
    /// shardings that were put together from others are not known.
    ///
    /// # Panics
    /// If none do: a defect of propagation.
    pub fn settle(&self, wanted: &Shardings, fixed: &Decisions) -> Minimized {
        let is_it = |found: &Shardings| {
            (&found.mesh, &found.values, &found.strategies, &found.results, &found.policies)
                == (&wanted.mesh, &wanted.values, &wanted.strategies, &wanted.results, &wanted.policies)
        };
        self.minimize_to(wanted, fixed, &is_it)
    }

    fn minimize_to(
        &self,
        wanted: &Shardings,
        fixed: &Decisions,
        is_it: &dyn Fn(&Shardings) -> bool,
    ) -> Minimized {
        let mut said = Said::new(self.function, wanted, fixed);
        said.boundary();
        let is_elementwise = elementwise(self.function, self.prepared);
        let mut propagated = self.propagated(&said.decisions);
        for round in 0.. {
            let (values, found) = self.cheapest_of(&propagated, &said.decisions);
            if is_it(&found) {
                return Minimized { decisions: said.decisions, values, shardings: found };
            }
            let mut more = if round < ROUNDS { self.different(&said, &found) } else { Vec::new() };
            // What is made element by element mostly follows from what is not.
            if round < ROUNDS / 2 && more.iter().any(|value| !is_elementwise.contains(value)) {
                more.retain(|value| !is_elementwise.contains(value));
            }
            if more.is_empty() && !said.strategies(&found) {
                more = said.open().collect();
                assert!(!more.is_empty(), "no decisions give the shardings: {}", difference(wanted, &found));
            }
            // Strategies alone change nothing of what propagates.
            if !more.is_empty() {
                more.into_iter().for_each(|value| said.value(value));
                propagated = self.propagated(&said.decisions);
            }
        }
        unreachable!("every round says more, or returns")
    }

    /// The tensors of which nothing is said yet and that came out otherwise. Those that are made as their readers want
    /// them follow from these.
    fn different(&self, said: &Said<'_>, found: &Shardings) -> Vec<ValueId> {
        let wanted = &said.wanted.values;
        let follows = |value: &ValueId| self.prepared.constant[self.prepared.slot_of[*value]];
        let differs = |value: &ValueId| !found.values[*value].places_like(&wanted[*value]);
        said.open().filter(|value| !follows(value) && differs(value)).collect()
    }
}

/// What is said of the shardings that are wanted.
struct Said<'a> {
    function: &'a Function,
    wanted: &'a Shardings,
    decisions: Decisions,
}

impl<'a> Said<'a> {
    /// What is fixed is said as it came out: dims that were open are closed.
    fn new(function: &'a Function, wanted: &'a Shardings, fixed: &Decisions) -> Self {
        let (mesh, policies) = (Some(wanted.mesh.clone()), wanted.policies.clone());
        let open = Decisions { mesh, policies, values: BTreeMap::new(), ..fixed.clone() };
        let results = vec![None; function.result_types.len()];
        let mut said = Self { function, wanted, decisions: Decisions { results, ..open } };
        fixed.values.keys().for_each(|value| said.value(*value));
        said
    }

    fn value(&mut self, value: ValueId) {
        if self.function.body.ty(value).as_tensor().is_some() {
            let sharding = || self.wanted.values[value].clone();
            self.decisions.values.entry(value).or_insert_with(sharding);
        }
    }

    /// Says what the function takes and gives.
    fn boundary(&mut self) {
        self.function.args().iter().for_each(|arg| self.value(*arg));
        let results = self.function.result_types.iter().zip(&self.wanted.results);
        self.decisions.results = results.map(|(ty, wanted)| ty.as_tensor().map(|_| wanted.clone())).collect();
    }

    /// The tensors of which nothing is said yet.
    fn open(&self) -> impl Iterator<Item = ValueId> {
        let body = &self.function.body;
        let is_open = |value: &ValueId| {
            !self.decisions.values.contains_key(value) && body.ty(*value).as_tensor().is_some()
        };
        body.values.ids().filter(is_open)
    }

    /// Says the strategies that came out otherwise. Returns whether there were any.
    fn strategies(&mut self, found: &Shardings) -> bool {
        let before = self.decisions.strategies.len();
        for (inst, wanted) in self.wanted.strategies.iter() {
            if found.strategies[inst] != *wanted {
                self.decisions.strategies.entry(inst).or_insert_with(|| wanted.clone());
            }
        }
        self.decisions.strategies.len() > before
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

/// The first thing in which two shardings of a function differ.
fn difference(wanted: &Shardings, found: &Shardings) -> String {
    let differs = |value: &ValueId| wanted.values[*value] != found.values[*value];
    if let Some(value) = wanted.values.ids().find(differs) {
        return format!("{value:?} is {:?}, not {:?}", found.values[value], wanted.values[value]);
    }
    let ids = || wanted.strategies.ids();
    if let Some(inst) = ids().find(|inst| wanted.strategies[*inst] != found.strategies[*inst]) {
        return format!("{inst:?} has {:?}, not {:?}", found.strategies[inst], wanted.strategies[inst]);
    }
    if let Some(inst) = ids().find(|inst| wanted.deferred[*inst] != found.deferred[*inst]) {
        return format!(
            "{inst:?} sums late over {:?}, not {:?}",
            found.deferred[inst], wanted.deferred[inst]
        );
    }
    match (0..wanted.results.len()).find(|index| wanted.results[*index] != found.results[*index]) {
        Some(index) => {
            format!("result {index} is {:?}, not {:?}", found.results[index], wanted.results[index])
        }
        None => "the meshes or policies".to_owned(),
    }
}
