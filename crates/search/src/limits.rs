//! One mesh, solved until a plan fits: problems do not see all memory, so that what they may use is moved.
//!
//! Input: a mesh, what turns it into a problem, what devices may use. Output: [`OnMesh`]. The problem is made once; only
//! what it may use changes.
//!
//! 1. The problem without copies is a relaxation: its bound holds, and if its plan fits, as most do, that is the best.
//! 2. If the plan exceeds the limit, the same problem may use less, by as much as that; between what led to a plan that fits
//!    and what led to one that does not, more is tried ([`Bracket`]).
//! 3. The same with copies, some of which are counted twice.
//! 4. If nothing fits, the plan that needs least is looked for, on meshes of up to three axes ([`Within::least`]): first the
//!    smallest limit with any answer at all, then a good answer for it. Limits are on a grid that does not depend on the one
//!    that was given. So a limit as large as that plan's peak leads to the same plan. Meshes of more axes have to need less
//!    than those before.

use crate::evaluate::{Evaluation, Score};
use crate::meshwise::{Aim, Ask, CLOSE, FEW, NotMade, OnMesh, Question, SMALL};
use meshwright_ir::control::Control;
use meshwright_ir::mesh::Mesh;
use meshwright_machine::{Bytes, Seconds};
use meshwright_solve::{Options, Problem, Reason, Solution, Watch, check, solve};

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
const ROUNDS: [usize; 2] = [5, 4];
const LEAST_ROUNDS: usize = 12;

/// Limits that differ by a smaller share are not told apart.
const NEAR: f64 = 1.0 / 64.0;

/// Steps of the grid of limits in each factor of two.
const STEPS: f64 = 64.0;

/// What is known when a mesh is begun.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    /// Plans have to take less.
    pub(crate) below: Option<Seconds>,
    /// The least that any plan needs that was found.
    pub(crate) least: Option<Bytes>,
}

/// Waits for the solver; answers have to cost less than what `below` says in the end.
struct Patient<'a> {
    control: &'a dyn Control,
    below: &'a (dyn Fn() -> Option<u128> + Sync),
}

impl Watch for Patient<'_> {
    fn should_stop(&self) -> bool {
        self.control.should_stop()
    }

    fn below(&self) -> Option<u128> {
        (self.below)()
    }
}

/// What became of a problem.
enum Tried {
    /// There is nothing better on the mesh.
    Over,
    /// It has no answer, or none was found; `is_sure`: there is none, whatever it may take.
    Nothing { is_sure: bool },
    /// Its plan exceeds the limit by so much; the problem counts what it uses as so much.
    Exceeds { excess: u64, used: u64 },
    /// Its plan fits, takes so long, and leaves so much; the problem counts what it uses as so much.
    Fits { seconds: Seconds, left: u64, used: u64 },
}

/// A plan that fits is what further ones have to beat.
fn note(tried: &Tried, wanted: &mut Option<Seconds>) {
    if let Tried::Fits { seconds, .. } = tried {
        *wanted = Some(wanted.map_or(*seconds, |wanted| if *seconds < wanted { *seconds } else { wanted }));
    }
}

/// The best plan on a mesh, if one takes less than what is known; that is asked for when the problem is made and begun, and
/// is no more than the aim says.
pub(crate) fn within(
    mesh: &Mesh,
    ask: &Ask<'_>,
    aim: Aim,
    known: &(dyn Fn() -> Known + Sync),
    control: &dyn Control,
) -> OnMesh {
    let mut found = OnMesh {
        mesh: mesh.clone(),
        plan: None,
        bound: Seconds::ZERO,
        is_proven: false,
        is_too_large: false,
        size: (0, 0),
    };
    let is_small = mesh.axes().len() <= FEW;
    let asked = ask(mesh, aim, &mut |question| {
        let mut own = Within { question, aim, control, found: &mut found };
        own.search(known);
        let fits = own.found.plan.as_ref().is_some_and(|plan| plan.evaluation.peak <= aim.memory);
        // Without a plan that fits there is nothing to be faster than.
        if is_small && !fits && aim.below.is_none() && known().below.is_none() {
            own.least(known().least);
        }
    });
    let Err(NotMade { bound, needs, decisions, choices, .. }) = asked else { return found };
    found.size = (decisions, choices);
    if needs <= aim.memory {
        found.bound = bound;
        found.is_proven = aim.below.is_some_and(|below| bound >= below);
        found.is_too_large = !found.is_proven;
        return found;
    }
    (found.bound, found.is_proven) = (Seconds(f64::INFINITY), true);
    let Known { below, least } = known();
    if is_small && aim.below.is_none() && below.is_none() && least.is_none_or(|least| is_less(needs, least)) {
        // What is not made even so has too much to choose from.
        let _ = ask(mesh, Aim { memory: Bytes(u64::MAX), ..aim }, &mut |question| {
            found.size = size(question.problem());
            Within { question, aim, control, found: &mut found }.least(least);
        });
    }
    found
}

/// Numbers of decisions and of all that can be chosen for them.
fn size(problem: &Problem) -> (usize, usize) {
    (problem.nodes.len(), problem.nodes.iter().map(|node| node.costs.len()).sum())
}

/// Whether the first is less by more than what is not told apart.
fn is_less(bytes: Bytes, than: Bytes) -> bool {
    (bytes.0 as f64) < (1.0 - NEAR) * than.0 as f64
}

/// A mesh and what was found on it.
struct Within<'a> {
    question: &'a mut dyn Question,
    /// Of the first problem.
    aim: Aim,
    control: &'a dyn Control,
    found: &'a mut OnMesh,
}

impl Within<'_> {
    fn search(&mut self, known: &(dyn Fn() -> Known + Sync)) {
        let limit = self.aim.memory.0;
        let first = self.first(known);
        let mut wanted = known().below;
        match first {
            Tried::Over | Tried::Fits { .. } | Tried::Nothing { is_sure: true } => return,
            // With copies there are fewer answers still.
            Tried::Nothing { is_sure: false } if wanted.is_some() => return,
            Tried::Nothing { is_sure: false } | Tried::Exceeds { .. } => {}
        }
        self.bracket(first, false, &mut wanted);
        let second = self.again(limit, true, wanted);
        self.bracket(second, true, &mut wanted);
    }

    /// Moves the limit of the problem between those that lead to plans that fit and those that do not.
    fn bracket(&mut self, first: Tried, copies: bool, wanted: &mut Option<Seconds>) {
        let mut bracket = Bracket { bytes: self.aim.memory.0, fits: None, exceeds: None };
        let mut tried = first;
        for _ in 0..ROUNDS[usize::from(copies)] {
            note(&tried, wanted);
            if !bracket.next(&tried) || self.control.should_stop() {
                return;
            }
            tried = self.again(bracket.bytes, copies, *wanted);
        }
        note(&tried, wanted);
    }

    /// Looks for the plan that needs least, if that is less than what others need.
    fn least(&mut self, others: Option<Bytes>) {
        let step = |bytes: u64| (bytes.max(1) as f64).log2() * STEPS;
        let bytes = |step: u64| (step as f64 / STEPS).exp2() as u64;
        self.question.limit(Bytes(1), false);
        // What is used in any case is not enough, and what is not less than others need is of no use.
        let mut little = step(self.question.problem().least_used()).floor() as u64;
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
            if self.has_answer(bytes(next)) {
                enough = Some(next);
            } else {
                (little, stride) = (next, 2 * stride);
            }
        }
        let Some(enough) = enough else { return };
        // What was found before depends on the limit.
        let before = self.found.plan.take();
        self.again(bytes(enough), true, None);
        if self.found.plan.is_none() {
            self.found.plan = before;
        }
    }

    /// Whether an answer with copies is found that uses no more.
    fn has_answer(&mut self, bytes: u64) -> bool {
        self.question.limit(Bytes(bytes), true);
        let options = Options { work: Some(WORK_OF_ANY), close: 1.0, ..Options::default() };
        let patient = Patient { control: self.control, below: &|| None };
        solve(self.question.problem(), options, &patient).assignment.is_some()
    }

    /// The problem without copies, as it is aimed at.
    fn first(&mut self, known: &(dyn Fn() -> Known + Sync)) -> Tried {
        let below = || known().below;
        let (problem, scale) = (self.question.problem(), self.question.scale());
        // Without anything to be better than there is nothing to begin with.
        let wanted = self.aim.below.or_else(below);
        let least = self.question.least();
        self.found.size = size(problem);
        if wanted.is_some_and(|wanted| least >= wanted) {
            (self.found.bound, self.found.is_proven) = (least, true);
            return Tried::Over;
        }
        let is_small = self.found.mesh.axes().len() <= SMALL;
        let options = Options {
            below: wanted.map(|below| scale.cost(below)),
            work: Some(if is_small { WORK } else { WORK_OF_MANY }),
            close: CLOSE / 2.0,
            tries: (!is_small).then_some(TRIES),
            // A bound that rises to what is wanted ends the search of the mesh; only where nothing is, there may be no end.
            patience: wanted.is_none().then_some(PATIENCE),
            ..Options::default()
        };
        let first = || below().map(|below| scale.cost(below));
        let solution = solve(problem, options, &Patient { control: self.control, below: &first });
        self.found.bound = match solution.reason {
            Reason::Infeasible(_) => Seconds(f64::INFINITY),
            _ => scale.seconds(solution.bound),
        };
        self.found.is_proven = !matches!(solution.reason, Reason::Stopped | Reason::TooLarge);
        self.tried(&solution)
    }

    /// The problem with another limit, for a plan and without a proof.
    fn again(&mut self, bytes: u64, copies: bool, wanted: Option<Seconds>) -> Tried {
        if wanted.is_some_and(|wanted| self.question.least() >= wanted) {
            return Tried::Over;
        }
        self.question.limit(Bytes(bytes), copies);
        let scale = self.question.scale();
        let options = Options {
            below: wanted.map(|below| scale.cost(below)),
            work: Some(WORK_AGAIN),
            close: CLOSE,
            tries: Some(TRIES),
            patience: Some(PATIENCE),
            ..Options::default()
        };
        let patient = Patient { control: self.control, below: &|| None };
        let solution = solve(self.question.problem(), options, &patient);
        self.tried(&solution)
    }

    /// Keeps the plan of a solution if it is the best one.
    fn tried(&mut self, solution: &Solution) -> Tried {
        let Some(assignment) = &solution.assignment else {
            return match solution.reason {
                Reason::NothingBelow | Reason::TooLarge => Tried::Over,
                reason => Tried::Nothing { is_sure: matches!(reason, Reason::Infeasible(_)) },
            };
        };
        let (problem, limit) = (self.question.problem(), self.aim.memory);
        let plan = self.question.plan(assignment);
        let evaluation = plan.evaluation;
        let score = |evaluation: &Evaluation| Score::new(evaluation, &self.found.mesh, limit);
        if self.found.plan.as_ref().is_none_or(|best| score(&evaluation) < score(&best.evaluation)) {
            self.found.plan = Some(plan);
        }
        let used = match problem.usage_limit {
            Some(_) => check(problem, assignment).map_or(u128::MAX, |value| value.peak),
            None => evaluation.peak.0.into(),
        };
        let used = u64::try_from(used).unwrap_or(u64::MAX);
        match evaluation.peak.0.checked_sub(limit.0).filter(|excess| *excess > 0) {
            Some(excess) => Tried::Exceeds { excess, used },
            None => Tried::Fits { seconds: evaluation.seconds, left: limit.0 - evaluation.peak.0, used },
        }
    }
}

/// Limits of problems.
struct Bracket {
    /// What is tried.
    bytes: u64,
    /// The largest that led to a plan that fits, or to none that is better; and the smallest that led to one that does not.
    fits: Option<u64>,
    exceeds: Option<u64>,
}

impl Bracket {
    /// Takes down what became of a limit. Returns whether another one should be tried.
    fn next(&mut self, tried: &Tried) -> bool {
        let bytes = self.bytes;
        match *tried {
            // Without a plan that fits, less leads nowhere.
            Tried::Over | Tried::Nothing { .. } if self.fits.is_none() => return false,
            Tried::Over | Tried::Nothing { .. } => self.fits = Some(bytes),
            Tried::Exceeds { excess, used } => {
                self.exceeds = Some(bytes);
                if self.fits.is_none() {
                    self.bytes = used.min(bytes).saturating_sub(excess + excess / 8);
                    return self.bytes > 0;
                }
            }
            Tried::Fits { left, used, .. } => {
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
            let mut bracket = Bracket { bytes: limit, fits: None, exceeds: None };
            let mut rounds = 0;
            loop {
                let needed = bracket.bytes + 100;
                let tried = match needed.checked_sub(limit).filter(|excess| *excess > 0) {
                    Some(excess) => Tried::Exceeds { excess, used: bracket.bytes },
                    None => Tried::Fits { seconds: Seconds(1.0), left: limit - needed, used: bracket.bytes },
                };
                rounds += 1;
                if !bracket.next(&tried) {
                    break;
                }
            }
            assert!(rounds <= 6, "{rounds}");
            let fits = bracket.fits.unwrap();
            assert!(fits + 100 <= limit && fits as f64 > 0.95 * (limit - 100) as f64, "{fits} of {limit}");
        }
    }
}
