//! Propagation with the seeds in several orders, of which the cheapest result is taken.
//!
//! Input: a function and its seeds. Output: the shardings of all values and the strategies. On a conflict over an axis
//! the seed that takes part first wins, and which that should be follows from what the tensors are for only as a rule
//! ([`Roles::Infer`]). The other orders ask only for user priorities, or let larger tensors go first, so that a small
//! table of indices does not move a large pool; or what the results are asked to be spreads to nothing else, and is cut
//! out at the end. What annotations say holds in all of them.

use crate::prepared::Prepared;
use crate::price::Pricer;
use crate::{Completed, Options, Roles, Seeds, ValueShardings, assemble, completed, propagate_values, total};
use meshwright_ir::control::Control;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_plan::Shardings;

/// In larger functions, of so many instructions, only the first order is tried: the compiler's time counts too.
const MOST_INSTRUCTIONS: usize = 4096;

/// Another order must cost at most this share of what the first does: prices are no more exact than that.
const CHEAPER: f64 = 0.98;

/// In which order seeds take part.
enum Order {
    By(Roles),
    /// Those of results only say how these are given back.
    ResultsAtLast,
}

const OTHERS: [Order; 3] = [Order::By(Roles::Ignore), Order::By(Roles::Largest), Order::ResultsAtLast];

/// Propagates and completes with the order of seeds that costs least.
pub fn propagate_cheapest(
    function: &Function,
    prepared: &Prepared,
    mesh: &Mesh,
    seeds: &Seeds,
    options: &Options,
    control: &dyn Control,
) -> (ValueShardings, Shardings) {
    let attempt = |values: &ValueShardings| completed(function, prepared, mesh, values, seeds, options);
    let pricer = Pricer::new(mesh, &options.prices);
    let price = |completed: &Completed| total::seconds(function, prepared, completed, &pricer);
    let values = propagate_values(function, prepared, mesh, seeds, options, control);
    let completed = attempt(&values);
    let is_tried = options.roles == Roles::Infer && prepared.order.len() <= MOST_INSTRUCTIONS;
    let others: &[Order] = if is_tried { &OTHERS } else { &[] };
    let least = if others.is_empty() { 0.0 } else { price(&completed) * CHEAPER };
    let mut tried = vec![values.clone()];
    let mut best = (values, completed, least);
    for order in others {
        if control.should_stop() {
            break;
        }
        let values = match order {
            Order::By(roles) => {
                let options = Options { roles: *roles, ..options.clone() };
                propagate_values(function, prepared, mesh, seeds, &options, control)
            }
            Order::ResultsAtLast => results_at_last(function, prepared, mesh, seeds, options, control),
        };
        if tried.contains(&values) {
            continue;
        }
        let completed = attempt(&values);
        let seconds = price(&completed);
        if seconds < best.2 {
            best = (values.clone(), completed, seconds);
        }
        tried.push(values);
    }
    let (values, completed, _) = best;
    (values, assemble(function, prepared, mesh, &completed))
}

fn results_at_last(
    function: &Function,
    prepared: &Prepared,
    mesh: &Mesh,
    seeds: &Seeds,
    options: &Options,
    control: &dyn Control,
) -> ValueShardings {
    let others = Seeds { results: vec![None; seeds.results.len()], ..seeds.clone() };
    let mut values = propagate_values(function, prepared, mesh, &others, options, control);
    for (result, seed) in values.results.iter_mut().zip(&seeds.results) {
        if let Some(seed) = seed {
            result.clone_from(seed);
        }
    }
    values
}
