//! The shortest way to say how a function is spread: what has to be fixed so that propagation finds the rest.
//!
//! Input: shardings, and seeds that must be among the answer. Output: seeds from which [`propagate_cheapest`] makes these
//! shardings again. Arguments and results are always said; then the values that do not follow, then the strategies.

use crate::{Options, Prepared, Seeds, propagate_cheapest};
use meshwright_ir::control::Control;
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::Function;
use meshwright_ir::rule::FactorKind;
use meshwright_plan::Shardings;
use std::collections::HashSet;

/// How often the values that differ are added before all values are.
const ROUNDS: usize = 6;

/// Seeds that give `wanted` again, and what they really give: the same, but for rare values of which no strategy
/// reads the sharding that they were to have.
pub fn brief(
    function: &Function,
    prepared: &Prepared,
    wanted: &Shardings,
    decided: &Seeds,
    options: &Options,
    control: &dyn Control,
) -> (Seeds, Shardings) {
    let body = &function.body;
    let mut seeds = decided.clone();
    let mut is_said: HashSet<ValueId> = decided.values.iter().map(|(value, _)| *value).collect();
    let say = |value: ValueId, seeds: &mut Seeds, is_said: &mut HashSet<ValueId>| {
        if body.ty(value).as_tensor().is_some() && is_said.insert(value) {
            seeds.values.push((value, wanted.values[value].clone()));
        }
    };
    function.args().iter().for_each(|arg| say(*arg, &mut seeds, &mut is_said));
    seeds.results.resize(function.result_types.len(), None);
    for (seed, (result, ty)) in
        seeds.results.iter_mut().zip(wanted.results.iter().zip(&function.result_types))
    {
        if ty.as_tensor().is_some() {
            seed.get_or_insert_with(|| result.clone());
        }
    }
    let is_elementwise = elementwise(function, prepared);
    for round in 0.. {
        let (_, found) = propagate_cheapest(function, prepared, &wanted.mesh, &seeds, options, control);
        // Followers are made as their readers want them.
        let follows = |value: &ValueId| prepared.follower[prepared.slot_of[*value]];
        let differs =
            |value: &ValueId| !follows(value) && !found.values[*value].places_like(&wanted.values[*value]);
        let open: Vec<ValueId> =
            body.values.ids().filter(|value| !is_said.contains(value) && !follows(value)).collect();
        let mut more: Vec<ValueId> = open.iter().copied().filter(differs).collect();
        if round >= ROUNDS && !more.is_empty() {
            more = open;
        }
        // What is made element by element mostly follows from what is not.
        if round < ROUNDS / 2 && more.iter().any(|value| !is_elementwise.contains(value)) {
            more.retain(|value| !is_elementwise.contains(value));
        }
        let before = seeds.values.len();
        more.into_iter().for_each(|value| say(value, &mut seeds, &mut is_said));
        if seeds.values.len() > before {
            continue;
        }
        let before = seeds.strategies.len();
        let insts = body.insts.ids().filter(|inst| found.strategies[*inst] != wanted.strategies[*inst]);
        for inst in insts {
            let results = &body.insts[inst].results;
            if !results.is_empty() && results.iter().all(follows) {
                continue;
            }
            if seeds.strategies.iter().all(|(known, _)| *known != inst) {
                seeds.strategies.push((inst, wanted.strategies[inst].clone()));
            }
        }
        if seeds.strategies.len() == before {
            return (seeds, found);
        }
    }
    unreachable!("every round says more, or returns")
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
