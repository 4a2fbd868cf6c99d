//! Which result replaces which argument.
//!
//! Input: what the program says (aliases, donation, names) and how results are computed. Output: for each argument the
//! result that replaces it. In this order:
//!
//! 1. `tf.aliasing_output = k` says so.
//! 2. An argument that is donated, or any argument of a function that trains, is replaced by a result of its type that
//!    is computed from it element by element: `w - rate * gradient`. Where several fit, the one that fits nothing else
//!    goes first: an optimizer's new moments are made from the old ones alone, new parameters from everything.
//! 3. In a function that trains, a parameter is replaced by the result of its type that is made from its gradient and
//!    from other state (its master copy, rounded).
//! 4. In a function that trains, state may come back in another precision than it went in.
//! 5. In a function that trains, state may be written in place: counts to which a scatter adds.
//! 6. A function that trains and is fed nothing but what results of the same types are computed from, element by element, is
//!    fed nothing: that is state too, though it is read as data is where gradients are made.
//! 7. What is donated and not yet matched is replaced by the result that holds its numbers (a cache that is updated in
//!    place), or else by the first of its type that replaces nothing.
//!
//! Ties go to equal names (`jax.result_info`, and the argument's location), then to the first.

use std::collections::BTreeSet;

use meshwright_ir::arguments::Donation;
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::Function;

use super::training::Training;
use crate::names;
use crate::origins::Origins;

/// What decides.
pub(super) struct Facts<'a> {
    pub(super) function: &'a Function,
    pub(super) cones: &'a [BTreeSet<ValueId>],
    /// The values that a result is written into.
    pub(super) written: &'a dyn Fn(usize) -> BTreeSet<ValueId>,
    pub(super) training: &'a Training,
    pub(super) origins: &'a Origins,
}

/// What was found.
pub(super) struct Matched {
    /// For each argument the result that replaces it.
    pub(super) results: Vec<Option<usize>>,
    /// For each argument the result that is its gradient and nothing more.
    pub(super) gradients: Vec<Option<usize>>,
}

/// Matches arguments and results.
pub(super) fn matched(facts: &Facts<'_>) -> Matched {
    let Facts { function, cones, written, training, origins } = facts;
    let (args, returned) = (function.args(), function.returned());
    let alias = |index: usize| match function.donation(index) {
        Donation::ToResult(result) => Some(result),
        Donation::Kept | Donation::ToAny => None,
    };
    let donated: Vec<bool> =
        (0..args.len()).map(|index| function.donation(index) == Donation::ToAny).collect();
    let has_type =
        |index: usize, result: usize| function.result_types[result] == *function.body.ty(args[index]);
    let mut found = Matching::new(function, (0..args.len()).map(alias).collect());
    let trains = !training.pairs.is_empty();
    found.add(&|index, result| {
        let may = donated[index] || (trains && returned[result] != args[index] && !is_fed(facts, index));
        may && has_type(index, result) && cones[result].contains(&args[index])
    });
    let state: BTreeSet<ValueId> =
        (0..args.len()).filter(|index| found.results[*index].is_some()).map(|index| args[index]).collect();
    found.add(&|index, result| {
        training.pairs.contains(&(index, result)) && cones[result].iter().any(|value| state.contains(value))
    });
    found.add(&|index, result| {
        let (old, new) =
            (function.body.ty(args[index]).as_tensor(), function.result_types[result].as_tensor());
        let is_rounded = old.zip(new).is_some_and(|(old, new)| {
            old.shape == new.shape && old.element.is_float() && new.element.is_float() && old != new
        });
        trains && is_rounded && !is_fed(facts, index) && cones[result].contains(&args[index])
    });
    let is_new = |index: usize, result: usize| returned[result] != args[index] && has_type(index, result);
    found.add(&|index, result| {
        trains && is_new(index, result) && !is_fed(facts, index) && written(result).contains(&args[index])
    });
    let is_moved = |index: usize, result: usize| {
        is_new(index, result) && !found.taken.contains(&result) && cones[result].contains(&args[index])
    };
    let is_state = |index: usize| {
        let is_scalar = function.body.ty(args[index]).as_tensor().is_none_or(|ty| ty.rank() == 0);
        is_scalar
            || found.results[index].is_some()
            || (0..returned.len()).any(|result| is_moved(index, result))
    };
    let is_fed_nothing = trains && (0..args.len()).all(is_state);
    found.add(&|index, result| {
        is_fed_nothing && is_new(index, result) && cones[result].contains(&args[index])
    });
    found.add(&|index, result| {
        donated[index] && has_type(index, result) && origins.of(args[index]) == origins.of(returned[result])
    });
    found.add(&|index, result| donated[index] && has_type(index, result) && !is_fed(facts, index));
    let results = found.results.clone();
    found.add(&|index, result| training.pairs.contains(&(index, result)));
    let gradients = results
        .iter()
        .zip(&found.results)
        .map(|(before, after)| after.filter(|_| before.is_none()))
        .collect();
    Matched { results, gradients }
}

/// Whether an argument is read where gradients are made and has none itself: what a step is fed.
fn is_fed(facts: &Facts<'_>, index: usize) -> bool {
    let Training { pairs, activations, .. } = facts.training;
    activations.contains(&facts.origins.of(facts.function.args()[index]))
        && pairs.range((index, 0)..(index + 1, 0)).next().is_none()
}

struct Matching {
    results: Vec<Option<usize>>,
    taken: BTreeSet<usize>,
    arg_names: Vec<Option<String>>,
    result_names: Vec<Option<String>>,
}

impl Matching {
    fn new(function: &Function, results: Vec<Option<usize>>) -> Self {
        let path = |name: Option<String>| name.as_deref().and_then(super::tree_path);
        Self {
            taken: results.iter().flatten().copied().collect(),
            results,
            arg_names: names::of_locations(function).into_iter().map(path).collect(),
            result_names: names::of_results(function).into_iter().map(path).collect(),
        }
    }

    /// Matches what is still open as far as `fits` allows, what fits one thing only before the rest.
    fn add(&mut self, fits: &dyn Fn(usize, usize) -> bool) {
        let mut candidates: Vec<(usize, usize)> = Vec::new();
        for result in (0..self.result_names.len()).filter(|result| !self.taken.contains(result)) {
            let open = (0..self.results.len()).filter(|index| self.results[*index].is_none());
            candidates.extend(open.filter(|index| fits(*index, result)).map(|index| (result, index)));
        }
        while let Some(first) = candidates.first().copied() {
            let (mut of_result, mut of_arg) =
                (vec![0usize; self.result_names.len()], vec![0usize; self.results.len()]);
            for (result, index) in &candidates {
                of_result[*result] += 1;
                of_arg[*index] += 1;
            }
            let is_named = |(result, index): &&(usize, usize)| {
                let names = self.arg_names[*index].as_deref().zip(self.result_names[*result].as_deref());
                names.is_some_and(|(arg, result)| is_tail(arg, result) || is_tail(result, arg))
            };
            // Everything that fits one thing only is settled in one round, as long as it does not collide.
            let single: Vec<(usize, usize)> =
                candidates.iter().filter(|(result, _)| of_result[*result] == 1).copied().collect();
            let chosen = if !single.is_empty() {
                single
            } else if let Some(pair) = candidates.iter().find(|(_, index)| of_arg[*index] == 1) {
                vec![*pair]
            } else {
                let same_result = candidates.iter().filter(|(result, _)| *result == first.0);
                vec![same_result.clone().find(is_named).copied().unwrap_or(first)]
            };
            for (result, index) in chosen {
                if self.results[index].is_none() && self.taken.insert(result) {
                    self.results[index] = Some(result);
                }
            }
            candidates
                .retain(|(result, index)| !self.taken.contains(result) && self.results[*index].is_none());
        }
    }
}

/// Whether a path ends another: `w` is a tail of `0.w`, because a step may wrap what it is given.
fn is_tail(tail: &str, path: &str) -> bool {
    path.strip_suffix(tail).is_some_and(|head| head.is_empty() || head.ends_with('.'))
}
