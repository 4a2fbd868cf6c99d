//! Propagation with the seeds in several orders, of which the cheapest result is taken.
//!
//! Input: a function and its seeds. Output: the shardings of all values and the strategies. On a conflict over an axis
//! the seed that takes part first wins, and which that should be follows from what the tensors are for only as a rule
//! ([`Roles::Infer`]). The other orders ask only for user priorities, or let larger tensors go first, so that a small
//! table of indices does not move a large pool. What annotations say holds in all of them.

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
    let others: &[Roles] = match options.roles {
        Roles::Infer if prepared.order.len() <= MOST_INSTRUCTIONS => &[Roles::Ignore, Roles::Largest],
        _ => &[],
    };
    let least = if others.is_empty() { 0.0 } else { price(&completed) * CHEAPER };
    let mut tried = vec![values.clone()];
    let mut best = (values, completed, least);
    for roles in others {
        if control.should_stop() {
            break;
        }
        let options = Options { roles: *roles, ..options.clone() };
        let values = propagate_values(function, prepared, mesh, seeds, &options, control);
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
