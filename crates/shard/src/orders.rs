//! Propagation with the seeds in several orders, of which the cheapest result is taken.
//!
//! Input: a function and its seeds. Output: the shardings of all values and the strategies. On a conflict over an axis
//! the seed that takes part first wins, and which that should be follows from what the tensors are for only as a rule
//! ([`SeedOrder::Infer`]). The other orders ask only for user priorities, or let larger tensors go first, so that a small
//! table of indices does not move a large pool; or what the results are asked to be propagates to nothing else, and is cut
//! out at the end. What annotations say holds in all of them.

use crate::complete::Completed;
use crate::price::Pricer;
use crate::{Options, SeedOrder, Sharder, ValueShardings, seed_order, total};
use meshwright_plan::{Decisions, Shardings};

/// In larger functions, of so many instructions, only the first order is tried: the compiler's time counts too.
const MOST_INSTRUCTIONS: usize = 4096;

/// Another order must cost at most this share of what the first does: prices are no more exact than that.
const CHEAPER: f64 = 0.98;

/// In which order seeds take part.
enum Order {
    By(SeedOrder),
    /// Those of results only say how these are given back.
    ResultsAtLast,
}

const OTHERS: [Order; 3] =
    [Order::By(SeedOrder::Ignore), Order::By(SeedOrder::Largest), Order::ResultsAtLast];

/// Results of propagation with the seeds in each order that is tried, of several that come to the same the first: that of
/// the options before all others. Strategies that are fixed change nothing of it.
#[derive(Clone, Debug)]
pub struct Propagated(Vec<ValueShardings>);

impl Sharder<'_> {
    /// Propagates and completes with the order of seeds that costs least.
    pub fn cheapest(&self, fixed: &Decisions) -> (ValueShardings, Shardings) {
        self.cheapest_of(&self.propagated(fixed), fixed)
    }

    /// The same where decisions that differ in strategies alone come one after the other: what propagation made of the first
    /// is `known` to the next ones.
    pub fn cheapest_knowing(
        &self,
        known: &mut Option<Propagated>,
        fixed: &Decisions,
    ) -> (ValueShardings, Shardings) {
        self.cheapest_of(known.get_or_insert_with(|| self.propagated(fixed)), fixed)
    }

    /// Propagates with the seeds in each order.
    pub fn propagated(&self, fixed: &Decisions) -> Propagated {
        let Options { seed_order, is_first_order, .. } = *self.options;
        let first = seed_order::phases(self.function, fixed, seed_order);
        let mut tried = vec![self.values_in(&first, fixed)];
        let are_tried = seed_order == SeedOrder::Infer
            && !is_first_order
            && self.prepared.order.len() <= MOST_INSTRUCTIONS;
        let others: &[Order] = if are_tried { &OTHERS } else { &[] };
        let mut orders = vec![first.order(fixed)];
        for order in others {
            if self.control.should_stop() {
                break;
            }
            let values = match order {
                Order::By(roles) => {
                    let phases = seed_order::phases(self.function, fixed, *roles);
                    let order = phases.order(fixed);
                    if orders.contains(&order) {
                        continue;
                    }
                    orders.push(order);
                    self.values_in(&phases, fixed)
                }
                Order::ResultsAtLast if fixed.results.iter().all(Option::is_none) => continue,
                Order::ResultsAtLast => self.results_at_last(fixed),
            };
            if !tried.contains(&values) {
                tried.push(values);
            }
        }
        Propagated(tried)
    }

    /// Completes what propagation made of the same decisions, but for strategies: what costs least.
    pub fn cheapest_of(&self, propagated: &Propagated, fixed: &Decisions) -> (ValueShardings, Shardings) {
        let pricer = Pricer::new(self.mesh, &self.options.prices);
        let price = |completed: &Completed| total::seconds(self.function, self.prepared, completed, &pricer);
        let (values, others) = propagated.0.split_first().expect("one order is always tried");
        let mut known = None;
        let completed = self.complete(values, fixed, (&pricer, &mut known));
        let least = if others.is_empty() { 0.0 } else { price(&completed) * CHEAPER };
        let mut best = (values, completed, least);
        for values in others {
            if self.control.should_stop() {
                break;
            }
            let completed = self.complete(values, fixed, (&pricer, &mut known));
            let seconds = price(&completed);
            if seconds < best.2 {
                best = (values, completed, seconds);
            }
        }
        let (values, completed, _) = best;
        let shardings = self.assembled(&completed);
        (values.clone(), Shardings { policies: fixed.policies.clone(), ..shardings })
    }

    fn results_at_last(&self, fixed: &Decisions) -> ValueShardings {
        let others = Decisions { results: vec![None; fixed.results.len()], ..fixed.clone() };
        let mut values = self.values(&others);
        for (result, seed) in values.results.iter_mut().zip(&fixed.results) {
            if let Some(seed) = seed {
                result.clone_from(seed);
            }
        }
        values
    }
}
