//! The best plan on each mesh, by the solver; each mesh only has to beat what is known.
//!
//! Input: meshes, what turns one into a problem ([`Ask`]), the best time that is known. Output: what was found on each
//! ([`OnMesh`]): a plan, a bound on all plans, and whether it is proven. Meshes of few axes come first; one of more axes
//! is left as soon as its bound shows that it is not better by more than half a percent. Meshes of few axes, and then
//! those of equally many, are solved at the same time and do not know of one another, so that nothing depends on the
//! number of threads. While the first are solved, the problems of the next ones are made already, if these are few.

use crate::evaluate::{Evaluation, Score};
use meshwright_ir::control::Control;
use meshwright_ir::mesh::Mesh;
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::{Choice, Seeds};
use meshwright_solve::{Options, Problem, Reason, Watch, check, solve};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::OnceLock;

/// Meshes of so many axes or fewer are solved to the end.
const SMALL: usize = 2;

/// By how much a mesh of more axes has to be better; half of it is how close to the best a mesh is solved.
const CLOSE: f64 = 0.0045;

/// Work of the solver on one mesh; see [`Options::work`].
const WORK: u64 = 1_500_000_000;

/// A problem with more pairs of choices than this is not made: it would take a minute, and gigabytes.
const MOST_PAIRS: usize = 20_000_000;

/// Of meshes of more axes than this there are many, and each takes long.
const FEW: usize = 3;

/// Pairs of choices of all meshes of more than [`FEW`] axes: those that have least are solved.
const MOST_PAIRS_OF_MANY: usize = 10_000_000;

/// Problems that are made ahead, at most.
const MOST_AHEAD: usize = 4;

/// How often a mesh is solved, with other limits on memory, at most.
const ROUNDS: usize = 10;

/// The problem of a mesh.
pub trait Question {
    /// Shardings to choose.
    fn problem(&self) -> &Problem;
    /// What costs mean.
    fn scale(&self) -> Scale;
    /// No answer takes less, since every decision by itself at its cheapest does not.
    fn least(&self) -> Seconds;
    /// What an answer stands for.
    fn plan(&self, assignment: &[usize]) -> Plan;
}

/// What costs of a problem mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Seconds of a unit of cost.
    pub unit: f64,
    /// Seconds of what takes no part in the problem.
    pub rest: f64,
}

impl Scale {
    /// Seconds of an answer of this cost.
    pub fn seconds(self, cost: u128) -> Seconds {
        Seconds(cost as f64 * self.unit + self.rest)
    }

    /// The cost of an answer that takes so long.
    pub fn cost(self, time: Seconds) -> u128 {
        ((time.0 - self.rest) / self.unit).max(0.0) as u128
    }
}

/// What an answer stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What to propagate.
    pub seeds: Seeds,
    /// What it is predicted to cost.
    pub evaluation: Evaluation,
    /// What was decided of the arguments, and what else they could be.
    pub choices: Vec<Choice>,
}

/// Which plans are wanted of a problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    /// What devices may use.
    pub memory: Bytes,
    /// Faster ones only.
    pub below: Option<Seconds>,
    /// Pairs of choices that may be weighed.
    pub pairs: usize,
    /// Whether memory for copies is counted, some of it twice; without, a bound holds for all plans.
    pub copies: bool,
}

/// Makes the problem of a mesh and hands it over; or says that it is not made.
pub type Ask<'a> = dyn Fn(&Mesh, Aim, &mut dyn FnMut(&dyn Question)) -> Result<(), NotMade> + Sync + 'a;

/// A problem that is not made: no plan reaches the aim, or there is too much to choose from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotMade {
    /// No plan takes less.
    pub bound: Seconds,
    /// How many decisions there are.
    pub decisions: usize,
    /// And pairs of choices that depend on one another.
    pub pairs: usize,
}

/// What was found on a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct OnMesh {
    /// The mesh.
    pub mesh: Mesh,
    /// The best plan that was found, if one is better than what was known.
    pub plan: Option<Plan>,
    /// No plan on the mesh that fits takes less, under the cost model of the problem; infinite if none fits.
    pub bound: Seconds,
    /// Whether the solver was at its end; otherwise a better plan than both may exist.
    pub is_proven: bool,
    /// Whether there was too much to choose from to be searched at all.
    pub is_too_large: bool,
    /// Numbers of decisions and of all that could be chosen for them.
    pub size: (usize, usize),
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

/// Solves all meshes; `known` is the least time of the plans that are known and fit.
pub(crate) fn solve_all(
    meshes: &[Mesh],
    ask: &Ask<'_>,
    limit: Bytes,
    mut known: Option<Seconds>,
    control: &dyn Control,
) -> Vec<OnMesh> {
    let mut found: Vec<OnMesh> = Vec::with_capacity(meshes.len());
    let at_once = |a: &Mesh, b: &Mesh| {
        let (a, b) = (a.axes().len(), b.axes().len());
        a == b || a.max(b) <= SMALL
    };
    let mut groups = meshes.chunk_by(at_once).peekable();
    while let Some(group) = groups.next() {
        let is_small = group[0].axes().len() <= SMALL;
        let below = known.map(|known| if is_small { known } else { known * (1.0 - CLOSE) });
        let pairs = allowed_pairs(group, ask, limit, below);
        let solve = |(mesh, pairs): (&Mesh, usize)| {
            within(mesh, ask, Aim { memory: limit, below, pairs, copies: false }, &|| below, control)
        };
        let ahead = groups.next_if(|next| {
            let axes = next[0].axes().len();
            is_small && axes > SMALL && axes <= FEW && next.len() <= MOST_AHEAD
        });
        let first = below.map(|below| below * (1.0 - CLOSE));
        let aim = Aim { memory: limit, below: first, pairs: MOST_PAIRS, copies: false };
        let best: OnceLock<Option<Seconds>> = OnceLock::new();
        let wait = || best.wait().map(|best| best * (1.0 - CLOSE));
        std::thread::scope(|scope| {
            let start = |mesh| scope.spawn(move || within(mesh, ask, aim, &wait, control));
            let threads: Vec<_> = ahead.unwrap_or_default().iter().map(start).collect();
            let solve_group = || group.par_iter().zip(pairs).map(solve).collect::<Vec<OnMesh>>();
            let solved = catch_unwind(AssertUnwindSafe(solve_group));
            known = match &solved {
                Ok(solved) => least_of(known, solved, limit),
                // Whoever waits has to go on.
                Err(_) => Some(Seconds::ZERO),
            };
            let _ = best.set(known);
            found.extend(solved.unwrap_or_else(|why| resume_unwind(why)));
            control.progress("search", found.len(), meshes.len());
            for thread in threads {
                found.push(thread.join().unwrap_or_else(|why| resume_unwind(why)));
                known = least_of(known, &found[found.len() - 1..], limit);
                control.progress("search", found.len(), meshes.len());
            }
        });
    }
    found
}

/// The least time of `known` and the plans that fit.
fn least_of(known: Option<Seconds>, solved: &[OnMesh], limit: Bytes) -> Option<Seconds> {
    let plans = solved.iter().filter_map(|found| found.plan.as_ref());
    let fitting = plans.map(|plan| plan.evaluation).filter(|evaluation| evaluation.peak <= limit);
    let times = known.into_iter().chain(fitting.map(|evaluation| evaluation.seconds));
    times.reduce(|least, seconds| if seconds < least { seconds } else { least })
}

/// How many pairs of choices each mesh of a group may have. What surely is no better is not made, and takes nothing.
fn allowed_pairs(group: &[Mesh], ask: &Ask<'_>, memory: Bytes, below: Option<Seconds>) -> Vec<usize> {
    if group[0].axes().len() <= FEW {
        return vec![MOST_PAIRS; group.len()];
    }
    let aim = Aim { memory, below, pairs: 0, copies: false };
    let has = |mesh: &Mesh| match ask(mesh, aim, &mut |_| {}) {
        Err(found) if below.is_none_or(|below| found.bound < below) => found.pairs,
        _ => 0,
    };
    let mut sizes: Vec<(usize, usize)> =
        group.par_iter().map(has).enumerate().map(|(at, has)| (has, at)).collect();
    sizes.sort_unstable();
    let (mut left, mut allowed) = (MOST_PAIRS_OF_MANY, vec![0; group.len()]);
    for (has, at) in sizes {
        if has > left {
            break;
        }
        (left, allowed[at]) = (left - has, has);
    }
    allowed
}

/// The best plan on a mesh, if one takes less than `below`; see [`OnMesh`].
pub fn on_mesh(
    mesh: &Mesh,
    ask: &Ask<'_>,
    limit: Bytes,
    below: Option<Seconds>,
    control: &dyn Control,
) -> OnMesh {
    within(mesh, ask, Aim { memory: limit, below, pairs: MOST_PAIRS, copies: false }, &|| below, control)
}

/// `below` is asked for what is really wanted when the problem is made and begun; that is no more than the aim says.
fn within(
    mesh: &Mesh,
    ask: &Ask<'_>,
    aim: Aim,
    below: &(dyn Fn() -> Option<Seconds> + Sync),
    control: &dyn Control,
) -> OnMesh {
    let Aim { memory: limit, pairs, .. } = aim;
    let mut found = OnMesh {
        mesh: mesh.clone(),
        plan: None,
        bound: Seconds::ZERO,
        is_proven: false,
        is_too_large: false,
        size: (0, 0),
    };
    let mut allowed = Allowed { bytes: limit.0, too_little: None, enough: None, raised: 0 };
    let mut wanted = aim.below;
    for round in 0..ROUNDS {
        let mut is_over = true;
        let is_least_wanted = allowed.too_little.is_some();
        // What fits without copies and needs none, as most plans do, is the best; others are looked for with them.
        let copies = round > 0;
        let aim = Aim { memory: Bytes(allowed.bytes), below: wanted, pairs, copies };
        let asked = ask(mesh, aim, &mut |question| {
            let (problem, scale) = (question.problem(), question.scale());
            if round == 0 {
                // Without anything to be better than there is nothing to begin with.
                wanted = wanted.or_else(below);
                let least = question.least();
                if wanted.is_some_and(|wanted| least >= wanted) {
                    (found.bound, found.is_proven, found.size.0) = (least, true, problem.nodes.len());
                    return;
                }
            }
            let options = Options {
                below: wanted.map(|below| scale.cost(below)),
                work: Some(if is_least_wanted { WORK / 8 } else { WORK }),
                close: CLOSE / 2.0,
                ..Options::default()
            };
            let first = || below().map(|below| scale.cost(below));
            let patient = Patient { control, below: if round == 0 { &first } else { &|| None } };
            let solution = solve(problem, options, &patient);
            if round == 0 {
                wanted = below();
                let strategies = problem.nodes.iter().map(|node| node.costs.len()).sum();
                found.size = (problem.nodes.len(), strategies);
                found.bound = match solution.reason {
                    Reason::Infeasible(_) => Seconds(f64::INFINITY),
                    _ => scale.seconds(solution.bound),
                };
                found.is_proven = !matches!(solution.reason, Reason::Stopped | Reason::TooLarge);
            }
            let Some(assignment) = solution.assignment else {
                // What needs least is looked for on the meshes that are solved quickly, if nothing is known to fit.
                let is_none = match solution.reason {
                    Reason::Infeasible(_) => true,
                    Reason::Stopped => is_least_wanted || wanted.is_none(),
                    _ => false,
                };
                if is_none && mesh.axes().len() <= SMALL {
                    wanted = None;
                    is_over = !allowed.more();
                }
                return;
            };
            let plan = question.plan(&assignment);
            let evaluation = plan.evaluation;
            let score = |evaluation: &Evaluation| Score::new(evaluation, mesh, limit);
            if found.plan.as_ref().is_none_or(|best| score(&evaluation) < score(&best.evaluation)) {
                found.plan = Some(plan);
            }
            let excess = evaluation.peak.0.saturating_sub(limit.0);
            let used = match problem.usage_limit {
                Some(_) => check(problem, &assignment).map_or(u128::MAX, |value| value.peak),
                None => evaluation.peak.0.into(),
            };
            let used = u64::try_from(used).unwrap_or(u64::MAX);
            if excess > 0 && !copies && problem.usage_limit.is_some() {
                is_over = false;
            } else if excess > 0 && (is_least_wanted || solution.reason != Reason::Stopped) {
                is_over = !allowed.less(used, excess);
            } else if excess == 0 && copies && !is_least_wanted && problem.usage_limit.is_some() {
                wanted = Some(evaluation.seconds);
                is_over = !allowed.raise(used, limit.0 - evaluation.peak.0);
            }
        });
        if let Err(NotMade { bound, decisions, .. }) = asked {
            if round == 0 {
                found.bound = bound;
                found.is_proven = aim.below.is_some_and(|below| bound >= below);
                found.is_too_large = !found.is_proven;
                found.size.0 = decisions;
            }
            break;
        }
        if is_over || control.should_stop() {
            break;
        }
    }
    found
}

/// What a problem may use, so that its plan fits. The problem does not see everything, and some memory it counts twice;
/// and where nothing fits, the plan that needs least is wanted.
struct Allowed {
    bytes: u64,
    /// What no answer fits into.
    too_little: Option<u64>,
    /// What an answer uses.
    enough: Option<u64>,
    /// How often more was allowed than there is.
    raised: usize,
}

/// How often more is allowed, at most, and the share of the memory that has to be left for that.
const RAISES: usize = 2;
const LEFT: f64 = 0.04;

impl Allowed {
    /// There is no answer. Returns whether another limit should be tried.
    fn more(&mut self) -> bool {
        self.too_little = Some(self.bytes);
        match self.enough {
            // What the fastest plan uses is enough; the least lies between.
            None => self.bytes = u64::MAX,
            Some(_) => return self.halve(),
        }
        true
    }

    /// There is an answer, which uses so much, and its plan exceeds the limit by so much.
    fn less(&mut self, used: u64, excess: u64) -> bool {
        let used = used.min(self.bytes);
        self.enough = Some(self.enough.map_or(used, |enough| enough.min(used)));
        if self.too_little.is_some() {
            return self.halve();
        }
        self.bytes = used.saturating_sub(excess + excess / 8);
        self.bytes > 0
    }

    /// There is an answer, which uses so much, and its plan leaves so much of the memory: the problem counts some memory
    /// twice, of what is read as it is kept. Returns whether a larger limit should be tried.
    fn raise(&mut self, used: u64, left: u64) -> bool {
        let is_full = used as f64 > (1.0 - LEFT) * self.bytes as f64;
        if !is_full
            || left as f64 <= LEFT * self.bytes as f64
            || self.enough.is_some()
            || self.raised == RAISES
        {
            return false;
        }
        self.raised += 1;
        self.bytes = self.bytes.saturating_add(left);
        true
    }

    fn halve(&mut self) -> bool {
        let (little, enough) = (self.too_little.unwrap_or(0), self.enough.unwrap_or(0));
        self.bytes = little + enough.saturating_sub(little) / 2;
        // The last hundredth is not looked for.
        enough > little + 1 + enough / 100
    }
}
