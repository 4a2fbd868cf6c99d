//! The search of one mesh, until a plan fits: problems do not see all memory, so that their limits are moved.
//!
//! Input: a mesh, a planner, a budget. Output: [`MeshOutcome`]. The problem is made once; only its limit changes.
//!
//! 1. The problem without copies is a relaxation: its bound holds, and if its plan fits, as most do, that is the best.
//! 2. If the plan exceeds the limit, the same problem may use less, by as much as that; between what led to a plan that fits
//!    and what led to one that does not, more is tried ([`Bracket`]).
//! 3. The same with copies, some of which are counted twice.
//! 4. If nothing fits, the plan that needs least is looked for, on meshes of up to three axes ([`MeshSearch::least`]): first
//!    the smallest limit with any answer at all, then a good answer for it. Limits are on a grid that does not depend on the
//!    one that was given. So a limit as large as that plan's peak leads to the same plan. Meshes of more axes have to need
//!    less than those before.

use crate::Request;
use crate::effort::Effort;
use crate::evaluation::{Evaluation, Score};
use crate::meshwise::{FEW, MeshOutcome, SMALL};
use crate::planner::{MeshProblem, Planner};
use crate::sharding_problem::{Budget, Copies, Scale, Skipped};
use meshwright_ir::control::Control;
use meshwright_ir::mesh::Mesh;
use meshwright_machine::{Bytes, Seconds};
use meshwright_solve::{Options, Problem, Reason, Solution, Watch, check, solve};
use std::sync::OnceLock;

/// Work of the solver on one mesh, see [`Options::work`]; on one of many axes; and with other limits, where nothing is to be
/// proven.
const WORK: u64 = 1_500_000_000;
const WORK_OF_MANY: u64 = WORK / 2;
const WORK_AGAIN: u64 = WORK / 4;

/// Work without a gain, see [`Options::patience`].
const PATIENCE: u64 = 100_000_000;

/// So many tries for an answer may fail where nothing is to be proven, or where there are many meshes.
const TRIES: usize = 5;

/// Work until there is any answer.
const WORK_OF_ANY: u64 = WORK / 10;

/// How often a mesh is solved with other limits at most: without copies, with them; and for the least that is needed.
const ROUNDS: usize = 5;
const ROUNDS_WITH_COPIES: usize = 4;
const LEAST_ROUNDS: usize = 12;

/// Limits that differ by a smaller share are not told apart.
const NEAR: f64 = 1.0 / 64.0;

/// Steps of the grid of limits in each factor of two.
const STEPS: f64 = 64.0;

/// Best plans so far, on other meshes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Time of the fastest that fits: others have to take less.
    pub(crate) below: Option<Seconds>,
    /// Memory of the one that needs least.
    pub(crate) least: Option<Bytes>,
}

/// Watches the solver. Answers have to take less than what is known in the end, which is waited for when it begins to count.
struct Watcher<'a> {
    control: &'a dyn Control,
    known: Option<(&'a OnceLock<Known>, Scale)>,
}

impl Watch for Watcher<'_> {
    fn should_stop(&self) -> bool {
        self.control.should_stop()
    }

    fn below(&self) -> Option<u128> {
        let (known, scale) = self.known?;
        known.wait().below.map(|below| scale.cost(below))
    }
}

/// Outcome of a problem with one limit.
enum Attempt {
    /// There is nothing better on the mesh.
    NothingBetter,
    /// No answer was found.
    NoAnswer,
    /// There is no answer, however long it may take.
    Infeasible,
    /// The plan exceeds the limit by so much; the problem counts what it uses as so much.
    Exceeds { excess: u64, used: u64 },
    /// The plan fits, takes so long, and leaves so much; the problem counts what it uses as so much.
    Fits { seconds: Seconds, left: u64, used: u64 },
}

impl Attempt {
    /// Time that further plans have to beat: a plan that fits is one of them.
    fn lowered(&self, below: Option<Seconds>) -> Option<Seconds> {
        match *self {
            Self::Fits { seconds, .. } if below.is_none_or(|below| seconds < below) => Some(seconds),
            _ => below,
        }
    }
}

/// The best plan on a mesh, if one takes less than what is known. That is waited for when the problem is made, and is no more
/// than the budget says. What is `skipped` is not made at all.
pub(crate) fn solve_mesh(
    (mesh, skipped): (&Mesh, Option<Skipped>),
    planner: &dyn Planner,
    budget: Budget,
    known: &OnceLock<Known>,
    &Request { control, effort, is_for_bound, .. }: &Request<'_>,
) -> MeshOutcome {
    let outcome = MeshOutcome::open(mesh);
    if control.should_stop() {
        return outcome;
    }
    let is_small = mesh.axes().len() <= if matches!(effort, Effort::FineLook(_)) { SMALL } else { FEW };
    match skipped.map_or_else(|| planner.problem(mesh, budget), Err) {
        Ok(problem) => {
            let mut search = MeshSearch { problem, budget, effort, control, outcome };
            if is_for_bound {
                search.first(known);
                return search.outcome;
            }
            search.run(known);
            // Without a plan that fits there is nothing to be faster than.
            if is_small && !search.fits() && budget.below.is_none() && known.wait().below.is_none() {
                search.least(known.wait().least);
            }
            search.outcome
        }
        Err(skipped) if skipped.needs <= budget.memory => outcome.skipped(&skipped, budget.below),
        Err(skipped) => {
            let outcome = MeshOutcome {
                bound: Seconds(f64::INFINITY),
                least: skipped.bound,
                is_proven: true,
                size: (skipped.decisions, skipped.choices),
                ..outcome
            };
            let Known { below, least } = *known.wait();
            let is_wanted = is_small && !is_for_bound && budget.below.is_none() && below.is_none();
            if !is_wanted || least.is_some_and(|least| !is_less(skipped.needs, least)) {
                return outcome;
            }
            // What is not made even so has too much to choose from.
            let Ok(problem) = planner.problem(mesh, Budget { memory: Bytes(u64::MAX), ..budget }) else {
                return outcome;
            };
            let outcome = MeshOutcome { size: size(problem.problem()), ..outcome };
            let mut search = MeshSearch { problem, budget, effort, control, outcome };
            search.least(least);
            search.outcome
        }
    }
}

impl MeshOutcome {
    /// Nothing found yet.
    fn open(mesh: &Mesh) -> Self {
        Self {
            mesh: mesh.clone(),
            plan: None,
            bound: Seconds::ZERO,
            least: Seconds::ZERO,
            is_proven: false,
            is_too_large: false,
            size: (0, 0),
        }
    }

    /// The problem was not made: no plan is faster, or there is too much to choose from.
    fn skipped(self, &Skipped { bound, decisions, choices, .. }: &Skipped, below: Option<Seconds>) -> Self {
        let is_proven = below.is_some_and(|below| bound >= below);
        Self { bound, least: bound, is_proven, is_too_large: !is_proven, size: (decisions, choices), ..self }
    }
}

/// Numbers of decisions and of all that can be chosen for them.
fn size(problem: &Problem) -> (usize, usize) {
    (problem.nodes.len(), problem.nodes.iter().map(|node| node.costs.len()).sum())
}

/// Whether the first is less by more than what is not told apart.
fn is_less(bytes: Bytes, than: Bytes) -> bool {
    (bytes.0 as f64) < (1.0 - NEAR) * than.0 as f64
}

/// A mesh, its problem and what was found so far.
struct MeshSearch<'a> {
    problem: Box<dyn MeshProblem + 'a>,
    /// That of the problem as it was made.
    budget: Budget,
    effort: Effort,
    control: &'a dyn Control,
    outcome: MeshOutcome,
}

impl MeshSearch<'_> {
    /// Whether a plan was found that fits.
    fn fits(&self) -> bool {
        self.outcome.plan.as_ref().is_some_and(|plan| plan.evaluation.fits(self.budget.memory))
    }

    fn run(&mut self, known: &OnceLock<Known>) {
        let limit = self.budget.memory;
        let first = self.first(known);
        let below = known.wait().below;
        match first {
            Attempt::NothingBetter | Attempt::Fits { .. } | Attempt::Infeasible => return,
            // With copies there are fewer answers still.
            Attempt::NoAnswer if below.is_some() => return,
            Attempt::NoAnswer | Attempt::Exceeds { .. } => {}
        }
        let below = self.bracket(first, Copies::Ignored, below);
        let second = self.again(limit, Copies::Counted, below);
        self.bracket(second, Copies::Counted, below);
    }

    /// Moves the limit of the problem between those that lead to plans that fit and those that do not. Returns the time that
    /// is to be beaten then.
    fn bracket(&mut self, first: Attempt, copies: Copies, mut below: Option<Seconds>) -> Option<Seconds> {
        let mut bracket = Bracket {
            bytes: self.budget.memory.0,
            fits: None,
            exceeds: None,
            is_look: self.effort.is_look(),
        };
        let rounds = match copies {
            Copies::Ignored => ROUNDS,
            Copies::Counted => ROUNDS_WITH_COPIES,
        };
        let mut attempt = first;
        for _ in 0..self.effort.rounds(rounds) {
            below = attempt.lowered(below);
            if !bracket.next(&attempt) || self.control.should_stop() {
                return below;
            }
            attempt = self.again(Bytes(bracket.bytes), copies, below);
        }
        attempt.lowered(below)
    }

    /// Looks for the plan that needs least, if that is less than what others need.
    fn least(&mut self, others: Option<Bytes>) {
        let step = |bytes: u64| (bytes.max(1) as f64).log2() * STEPS;
        let bytes = |step: u64| (step as f64 / STEPS).exp2() as u64;
        self.problem.limit(Bytes(1), Copies::Ignored);
        // What is used in any case is not enough, and what is not less than others need is of no use.
        let mut little = step(self.problem.problem().least_used()).floor() as u64;
        let most = others.map(|others| (step(others.0) - NEAR * STEPS).floor() as u64);
        let (mut enough, mut stride) = (None, 1);
        for round in 0..LEAST_ROUNDS {
            let next = match (enough, most) {
                (Some(enough), _) if enough <= little + 1 => break,
                (Some(enough), _) => roundest(little, enough),
                // Whether there is anything at all, before anything else.
                (None, Some(most)) if round == 0 => most,
                (None, Some(_)) => return,
                (None, None) => little + stride,
            };
            if next <= little || self.control.should_stop() {
                return;
            }
            if self.has_answer(Bytes(bytes(next))) {
                enough = Some(next);
            } else {
                (little, stride) = (next, 2 * stride);
            }
        }
        let Some(enough) = enough else { return };
        // What was found before depends on the limit.
        let before = self.outcome.plan.take();
        self.again(Bytes(bytes(enough)), Copies::Counted, None);
        if self.outcome.plan.is_none() {
            self.outcome.plan = before;
        }
    }

    /// Whether an answer with copies is found that uses no more.
    fn has_answer(&mut self, bytes: Bytes) -> bool {
        self.problem.limit(bytes, Copies::Counted);
        let options = Options { work: Some(WORK_OF_ANY), close: 1.0, ..Options::default() };
        let watcher = Watcher { control: self.control, known: None };
        solve(self.problem.problem(), options, &watcher).assignment.is_some()
    }

    /// The problem without copies, as it was made.
    fn first(&mut self, known: &OnceLock<Known>) -> Attempt {
        let (problem, scale) = (self.problem.problem(), self.problem.scale());
        // Without anything to be better than there is nothing to begin with.
        let below = self.budget.below.or_else(|| known.wait().below);
        let least = self.problem.least();
        (self.outcome.size, self.outcome.least) = (size(problem), least);
        if below.is_some_and(|below| least >= below) {
            (self.outcome.bound, self.outcome.is_proven) = (least, true);
            return Attempt::NothingBetter;
        }
        let is_small = self.outcome.mesh.axes().len() <= SMALL;
        let options = Options {
            below: below.map(|below| scale.cost(below)),
            work: Some(self.effort.work(if is_small { WORK } else { WORK_OF_MANY })),
            close: self.effort.close() / 2.0,
            tries: (!is_small).then_some(TRIES),
            // A bound that rises to what is wanted ends the search of the mesh; only where nothing is, there may be no end.
            patience: below.is_none().then_some(self.effort.work(PATIENCE)),
            ..Options::default()
        };
        let watcher = Watcher { control: self.control, known: Some((known, scale)) };
        let solution = solve(problem, options, &watcher);
        self.outcome.bound = match solution.reason {
            Reason::Infeasible(_) => Seconds(f64::INFINITY),
            _ => scale.seconds(solution.bound),
        };
        self.outcome.is_proven = !matches!(solution.reason, Reason::Stopped | Reason::TooLarge);
        self.keep(&solution)
    }

    /// The problem with another limit, for a plan and without a proof.
    fn again(&mut self, memory: Bytes, copies: Copies, below: Option<Seconds>) -> Attempt {
        if below.is_some_and(|below| self.problem.least() >= below) {
            return Attempt::NothingBetter;
        }
        self.problem.limit(memory, copies);
        let scale = self.problem.scale();
        let options = Options {
            below: below.map(|below| scale.cost(below)),
            work: Some(self.effort.work(WORK_AGAIN)),
            close: self.effort.close(),
            tries: Some(TRIES),
            patience: Some(self.effort.work(PATIENCE)),
            ..Options::default()
        };
        let watcher = Watcher { control: self.control, known: None };
        let solution = solve(self.problem.problem(), options, &watcher);
        self.keep(&solution)
    }

    /// Keeps the plan of a solution if it is the best one.
    fn keep(&mut self, solution: &Solution) -> Attempt {
        let Some(assignment) = &solution.assignment else {
            return match solution.reason {
                Reason::NothingBelow | Reason::TooLarge => Attempt::NothingBetter,
                Reason::Infeasible(_) => Attempt::Infeasible,
                _ => Attempt::NoAnswer,
            };
        };
        let (problem, limit) = (self.problem.problem(), self.budget.memory);
        let plan = self.problem.plan(assignment);
        let evaluation = plan.evaluation;
        let score = |evaluation: &Evaluation| Score::new(evaluation, &self.outcome.mesh, limit);
        if self.outcome.plan.as_ref().is_none_or(|best| score(&evaluation) < score(&best.evaluation)) {
            self.outcome.plan = Some(plan);
        }
        let used = match problem.usage_limit {
            Some(_) => check(problem, assignment).map_or(u128::MAX, |value| value.peak),
            None => evaluation.peak.0.into(),
        };
        let used = u64::try_from(used).unwrap_or(u64::MAX);
        match evaluation.excess(limit).0 {
            excess @ 1.. => Attempt::Exceeds { excess, used },
            0 => Attempt::Fits { seconds: evaluation.seconds, left: limit.0 - evaluation.peak.0, used },
        }
    }
}

/// Limits of problems.
struct Bracket {
    /// The one that is tried.
    bytes: u64,
    /// The largest that led to a plan that fits, or to none that is better; and the smallest that led to one that does not.
    fits: Option<u64>,
    exceeds: Option<u64>,
    /// Whether a way that led nowhere is left.
    is_look: bool,
}

impl Bracket {
    /// Takes down what became of a limit. Returns whether another one should be tried.
    fn next(&mut self, attempt: &Attempt) -> bool {
        let bytes = self.bytes;
        match *attempt {
            // Without a plan that fits, less leads nowhere; more may, between these two.
            Attempt::NothingBetter | Attempt::NoAnswer | Attempt::Infeasible
                if self.fits.is_none() && (self.is_look || self.exceeds.is_none()) =>
            {
                return false;
            }
            Attempt::NothingBetter | Attempt::NoAnswer | Attempt::Infeasible => self.fits = Some(bytes),
            Attempt::Exceeds { excess, used } => {
                self.exceeds = Some(bytes);
                if self.fits.is_none() {
                    self.bytes = used.min(bytes).saturating_sub(excess + excess / 8);
                    return self.bytes > 0;
                }
            }
            Attempt::Fits { left, used, .. } => {
                self.fits = Some(bytes);
                if self.exceeds.is_none() {
                    // What is full by its own count may use what is left.
                    let is_full = used as f64 > (1.0 - NEAR) * bytes as f64;
                    self.bytes = bytes.saturating_add(left);
                    return is_full && left as f64 > NEAR * bytes as f64;
                }
            }
        }
        let (Some(fits), Some(exceeds)) = (self.fits, self.exceeds) else { return false };
        self.bytes = fits + exceeds.saturating_sub(fits) / 2;
        exceeds.saturating_sub(fits) as f64 > NEAR * exceeds as f64
    }
}

/// The number between two others, which are more than one apart, that the largest power of two divides.
fn roundest(low: u64, high: u64) -> u64 {
    let last = high - 1;
    // Of all numbers above `low` up to `last`, those bits are common that come before the first in which these two differ.
    let differ = u64::BITS - (low ^ last).leading_zeros();
    if differ == 0 { last } else { last >> (differ - 1) << (differ - 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roundest_number_lies_between() {
        for low in 0..70_u64 {
            for high in low + 2..80 {
                let best = (low + 1..high).max_by_key(|number| number.trailing_zeros());
                let found = roundest(low, high);
                assert!(low < found && found < high, "{low} {found} {high}");
                assert_eq!(
                    best.map(u64::trailing_zeros),
                    Some(found.trailing_zeros()),
                    "{low} {found} {high}"
                );
            }
        }
    }

    #[test]
    fn limits_close_in_on_the_largest_that_fits() {
        // A problem does not see 100 bytes of what its plan needs.
        for limit in [1000, 5000, 100_000] {
            let mut bracket = Bracket { bytes: limit, fits: None, exceeds: None, is_look: false };
            let mut rounds = 0;
            loop {
                let needed = bracket.bytes + 100;
                let attempt = match needed.checked_sub(limit).filter(|excess| *excess > 0) {
                    Some(excess) => Attempt::Exceeds { excess, used: bracket.bytes },
                    None => {
                        Attempt::Fits { seconds: Seconds(1.0), left: limit - needed, used: bracket.bytes }
                    }
                };
                rounds += 1;
                if !bracket.next(&attempt) {
                    break;
                }
            }
            assert!(rounds <= 6, "{rounds}");
            let fits = bracket.fits.unwrap();
            assert!(fits + 100 <= limit && fits as f64 > 0.95 * (limit - 100) as f64, "{fits} of {limit}");
        }
    }
}
