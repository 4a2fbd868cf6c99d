//! What propagation starts from: the shardings that an answer gives to arguments, results and activations.

use meshwright_ir::ids::ValueId;
use meshwright_ir::program::Function;
use meshwright_ir::sharding::Sharding;

use crate::problem::{Answer, GroupKind, Problem};

/// Shardings of values and of function results; closed dims stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seeds {
    /// Values with their shardings, each value at most once.
    pub values: Vec<(ValueId, Sharding)>,
    /// For each result of the function its sharding, if it is fixed.
    pub results: Vec<Option<Sharding>>,
}

impl Seeds {
    /// Nothing fixed.
    pub fn none(function: &Function) -> Self {
        Self { values: Vec::new(), results: vec![None; function.result_types.len()] }
    }

    /// The seeds of an answer, the problem's pins included. A result that replaces an argument is sharded like it, so
    /// that the next step can take it as it is.
    pub fn of(problem: &Problem, function: &Function, answer: &Answer) -> Self {
        let mut seeds = problem.pins.clone();
        seeds.results.resize(function.result_types.len(), None);
        for (number, group) in problem.groups.iter().enumerate() {
            let sharding = problem.sharding(answer, number);
            if group.kind == GroupKind::Activation && sharding.is_fully_replicated() {
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
}
