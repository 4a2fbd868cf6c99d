//! The seeds of an answer: the shardings that it gives to arguments, results and activations.

use meshwright_ir::program::Function;
use meshwright_plan::Seeds;

use crate::problem::{Answer, Problem};

/// The seeds of an answer, the problem's pins included. A result that replaces an argument is sharded like it, so that
/// the next step can take it as it is.
pub(crate) fn seeds_of(problem: &Problem, function: &Function, answer: &Answer) -> Seeds {
    let mut seeds = problem.pins.clone();
    seeds.results.resize(function.result_types.len(), None);
    for (number, group) in problem.groups.iter().enumerate() {
        let sharding = problem.sharding(answer, number);
        if group.kind.is_made() && sharding.is_fully_replicated() {
            continue;
        }
        for (value, result) in group.values.iter().zip(&group.results) {
            seeds.values.push((*value, sharding.clone()));
            if let Some(result) = result {
                seeds.results[*result].get_or_insert_with(|| sharding.clone());
            }
        }
    }
    seeds
}
