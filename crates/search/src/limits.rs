//! One mesh, solved until a plan fits: problems do not see all memory, so that what they may use is moved.
//!
//! Input: a mesh, what turns it into a problem, what devices may use. Output: [`OnMesh`].
//!
//! 1. The problem without copies is a relaxation: its bound holds, and if its plan fits, as most do, that is the best.
//! 2. If the plan exceeds the limit, the same problem may use less, by as much as that; between what led to a plan that fits
//!    and what led to one that does not, more is tried ([`Bracket`]).
//! 3. The same with copies, some of which are counted twice.
//! 4. If nothing fits, the plan that needs least is looked for, on meshes of up to three axes: the problem with the
//!    smallest limit that has an answer, among limits on a grid that does not depend on the one that was given. So a limit
//!    as large as that plan's peak leads to the same plan.

use crate::evaluate::{Evaluation, Score};
use crate::meshwise::{Aim, Ask, CLOSE, FEW, NotMade, OnMesh, Question, SMALL};
use meshwright_ir::control::Control;
use meshwright_ir::mesh::Mesh;
use meshwright_machine::{Bytes, Seconds};
use meshwright_solve::{Options, Reason, Solution, Watch, check, solve};

/// Work of the solver on one mesh, see [`Options::work`]; on one of many axes; and with other limits, where nothing is to be
/// proven.
const WORK: u64 = 1_500_000_000;
const WORK_OF_MANY: u64 = WORK / 2;
const WORK_AGAIN: u64 = WORK / 4;

/// How often a mesh is solved with other limits at most: without copies, with them; and for the least that is needed, on
/// meshes of few axes and of more.
const ROUNDS: [usize; 2] = [5, 4];
const LEAST_ROUNDS: [usize; 2] = [12, 6];

/// Limits that differ by a smaller share are not told apart.
const NEAR: f64 = 1.0 / 64.0;

/// Steps of the grid of limits in each factor of two.
const STEPS: f64 = 64.0;

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
    /// It was not made, or there is nothing better on the mesh.
    Over,
    /// It has no answer, or none was found; `is_sure`: there is none, whatever it may take.
    Nothing { is_sure: bool },
    /// Its plan exceeds the limit by so much; the problem counts what it uses as so much.
    Exceeds { excess: u64, used: u64 },
    /// Its plan fits, takes so long, and leaves so much; the problem counts what it uses as so much.
    Fits { seconds: Seconds, left: u64, used: u64 },
}

/// The best plan on a mesh, if one takes less than `below`; that is asked for when the problem is made and begun, and is no
/// more than the aim says.
pub(crate) fn within(
    mesh: &Mesh,
    ask: &Ask<'_>,
    aim: Aim,
    below: &(dyn Fn() -> Option<Seconds> + Sync),
    control: &dyn Control,
) -> OnMesh {
    let found = OnMesh {
        mesh: mesh.clone(),
        plan: None,
        bound: Seconds::ZERO,
        is_proven: false,
        is_too_large: false,
        size: (0, 0),
    };
    let mut own = Within { ask, aim, control, found };
    own.search(below);
    own.found
}

/// A mesh and what was found on it.
struct Within<'a> {
    ask: &'a Ask<'a>,
    /// Of the first problem.
    aim: Aim,
    control: &'a dyn Control,
    found: OnMesh,
}

impl Within<'_> {
    fn search(&mut self, below: &(dyn Fn() -> Option<Seconds> + Sync)) {
        let limit = self.aim.memory.0;
        let first = self.first(below);
        let mut wanted = below();
        if matches!(first, Tried::Over | Tried::Fits { .. }) {
            return;
        }
        if !matches!(first, Tried::Nothing { is_sure: true }) {
            self.bracket(first, false, &mut wanted);
            let second = self.again(limit, true, wanted);
            self.bracket(second, true, &mut wanted);
        }
        let is_small = self.found.mesh.axes().len() <= FEW;
        let fits = self.found.plan.as_ref().is_some_and(|plan| plan.evaluation.peak.0 <= limit);
        if is_small && !fits && below().is_none() {
            self.least();
        }
    }

    /// Moves the limit of the problem between those that lead to plans that fit and those that do not.
    fn bracket(&mut self, first: Tried, copies: bool, wanted: &mut Option<Seconds>) {
        let mut bracket = Bracket { bytes: self.aim.memory.0, fits: None, exceeds: None };
        let mut tried = first;
        for _ in 0..ROUNDS[usize::from(copies)] {
            if let Tried::Fits { seconds, .. } = tried {
                *wanted =
                    Some(wanted.map_or(seconds, |wanted| if seconds < wanted { seconds } else { wanted }));
            }
            if !bracket.next(&tried) || self.control.should_stop() {
                return;
            }
            tried = self.again(bracket.bytes, copies, *wanted);
        }
        if let Tried::Fits { seconds, .. } = tried {
            *wanted = Some(seconds);
        }
    }

    /// Looks for the plan that needs least.
    fn least(&mut self) {
        // What was found before depends on the limit.
        let before = self.found.plan.take();
        self.narrow_least();
        if self.found.plan.is_none() {
            self.found.plan = before;
        }
    }

    fn narrow_least(&mut self) {
        let (Tried::Exceeds { used, .. } | Tried::Fits { used, .. }) = self.again(u64::MAX, true, None)
        else {
            return;
        };
        let step = |bytes: u64| (bytes.max(1) as f64).log2() * STEPS;
        let bytes = |step: u64| (step as f64 / STEPS).exp2() as u64;
        // A device's share of what the fastest plan uses is not enough for any, or it is not found.
        let devices = self.found.mesh.num_devices() as u64;
        let (mut little, mut enough) = (step(used / devices).floor() as u64, step(used).ceil() as u64);
        let rounds = LEAST_ROUNDS[usize::from(self.found.mesh.axes().len() > SMALL)];
        for _ in 0..rounds {
            if enough <= little + 1 || self.control.should_stop() {
                return;
            }
            let middle = roundest(little, enough);
            match self.again(bytes(middle), true, None) {
                Tried::Exceeds { .. } | Tried::Fits { .. } => enough = middle,
                Tried::Nothing { .. } | Tried::Over => little = middle,
            }
        }
    }

    /// The problem without copies, as it is aimed at.
    fn first(&mut self, below: &(dyn Fn() -> Option<Seconds> + Sync)) -> Tried {
        let (ask, aim, control) = (self.ask, self.aim, self.control);
        let mut tried = Tried::Over;
        let mesh = self.found.mesh.clone();
        let asked = ask(&mesh, aim, &mut |question| {
            let (problem, scale) = (question.problem(), question.scale());
            // Without anything to be better than there is nothing to begin with.
            let wanted = aim.below.or_else(below);
            let least = question.least();
            self.found.size = (problem.nodes.len(), problem.nodes.iter().map(|node| node.costs.len()).sum());
            if wanted.is_some_and(|wanted| least >= wanted) {
                (self.found.bound, self.found.is_proven) = (least, true);
                return;
            }
            let is_small = mesh.axes().len() <= SMALL;
            let options = Options {
                below: wanted.map(|below| scale.cost(below)),
                work: Some(if is_small { WORK } else { WORK_OF_MANY }),
                close: CLOSE / 2.0,
                ..Options::default()
            };
            let first = || below().map(|below| scale.cost(below));
            let solution = solve(problem, options, &Patient { control, below: &first });
            self.found.bound = match solution.reason {
                Reason::Infeasible(_) => Seconds(f64::INFINITY),
                _ => scale.seconds(solution.bound),
            };
            self.found.is_proven = !matches!(solution.reason, Reason::Stopped | Reason::TooLarge);
            tried = self.tried(question, &solution);
        });
        if let Err(NotMade { bound, decisions, choices, .. }) = asked {
            self.found.bound = bound;
            self.found.is_proven = aim.below.is_some_and(|below| bound >= below);
            self.found.is_too_large = !self.found.is_proven;
            self.found.size = (decisions, choices);
        }
        tried
    }

    /// The problem with another limit, for a plan and without a proof.
    fn again(&mut self, bytes: u64, copies: bool, wanted: Option<Seconds>) -> Tried {
        let (ask, control) = (self.ask, self.control);
        let aim = Aim { memory: Bytes(bytes), below: wanted, copies, ..self.aim };
        let mut tried = Tried::Nothing { is_sure: false };
        let mesh = self.found.mesh.clone();
        let asked = ask(&mesh, aim, &mut |question| {
            let scale = question.scale();
            let options = Options {
                below: wanted.map(|below| scale.cost(below)),
                work: Some(WORK_AGAIN),
                close: CLOSE,
                ..Options::default()
            };
            let solution = solve(question.problem(), options, &Patient { control, below: &|| None });
            tried = self.tried(question, &solution);
        });
        if asked.is_err() { Tried::Over } else { tried }
    }

    /// Keeps the plan of a solution if it is the best one.
    fn tried(&mut self, question: &dyn Question, solution: &Solution) -> Tried {
        let Some(assignment) = &solution.assignment else {
            return match solution.reason {
                Reason::NothingBelow | Reason::TooLarge => Tried::Over,
                reason => Tried::Nothing { is_sure: matches!(reason, Reason::Infeasible(_)) },
            };
        };
        let (problem, limit) = (question.problem(), self.aim.memory);
        let plan = question.plan(assignment);
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
