//! The decisions of an answer: the shardings that it gives to arguments, results and activations.

use meshwright_ir::program::Function;
use meshwright_plan::Decisions;

use crate::problem::{Answer, Problem};

/// The decisions of an answer, those that are fixed included. A result that replaces an argument is sharded like it, so that
/// the next step can take it as it is.
pub(crate) fn decisions_of(problem: &Problem, function: &Function, answer: &Answer) -> Decisions {
    let mesh = problem.meshes[answer.mesh].clone();
    let mut decisions = Decisions { mesh: Some(mesh), ..problem.fixed.clone() };
    decisions.results.resize(function.result_types.len(), None);
    for (number, group) in problem.groups.iter().enumerate() {
        let sharding = problem.sharding(answer, number);
        if group.kind.is_made() && sharding.is_fully_replicated() {
            continue;
        }
        for (value, result) in group.values.iter().zip(&group.results) {
            decisions.values.insert(*value, sharding.clone());
            if let Some(result) = result {
                decisions.results[*result].get_or_insert_with(|| sharding.clone());
            }
        }
    }
    decisions
}
