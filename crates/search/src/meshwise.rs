//! The best plan on each mesh, by the solver; each mesh only has to beat what is known.
//!
//! Input: meshes, what turns one into a problem ([`Ask`]), the best time that is known. Output: what was found on each
//! ([`OnMesh`]): a plan, a bound on all plans, and whether it is proven. Meshes of few axes come first, all at the same time;
//! then those of more axes, in order of their number, a few at a time: each is left as soon as its bound shows that it is no
//! better than those before, for which it has to be better by half a percent than those of fewer axes. Those that are solved
//! at the same time do not know of one another, so that nothing depends on the number of threads. While the first are solved,
//! the problems of the next ones are made already, if these are few.

use crate::evaluate::Evaluation;
use crate::limits::{Known, within};
use meshwright_ir::control::Control;
use meshwright_ir::mesh::Mesh;
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::{Choice, Decisions};
use meshwright_solve::Problem;
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::OnceLock;

/// Meshes of so many axes or fewer are solved to the end.
pub(crate) const SMALL: usize = 2;

/// By how much a mesh of more axes has to be better; half of it is how close to the best a mesh is solved.
pub(crate) const CLOSE: f64 = 0.0045;

/// A problem with more pairs of choices than this is not made: it would take a minute, and gigabytes.
const MOST_PAIRS: usize = 20_000_000;

/// Of meshes of more axes than this there are many, and each takes long.
pub(crate) const FEW: usize = 3;

/// Pairs of choices of all meshes of more than [`FEW`] axes: those that have least are solved.
const MOST_PAIRS_OF_MANY: usize = 10_000_000;

/// So many meshes of more axes are solved at a time; those behind them have to be better.
const AT_ONCE: usize = 2;

/// Problems that are made ahead, at most.
const MOST_AHEAD: usize = 4;

/// The problem of a mesh.
pub trait Question {
    /// Shardings to choose.
    fn problem(&self) -> &Problem;
    /// Limits what devices may use to something else. `copies`: memory for copies is counted too, some of it twice;
    /// without, as at first, a bound holds for all plans.
    fn limit(&mut self, memory: Bytes, copies: bool);
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
    pub seeds: Decisions,
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
}

/// Makes the problem of a mesh and hands it over; or says that it is not made.
pub type Ask<'a> = dyn Fn(&Mesh, Aim, &mut dyn FnMut(&mut dyn Question)) -> Result<(), NotMade> + Sync + 'a;

/// A problem that is not made: no plan reaches the aim or fits, or there is too much to choose from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotMade {
    /// No plan takes less.
    pub bound: Seconds,
    /// No plan needs less memory.
    pub needs: Bytes,
    /// How many decisions there are.
    pub decisions: usize,
    /// And choices for all of them.
    pub choices: usize,
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

/// Solves all meshes; `known` is the least time of the plans that are known and fit.
pub(crate) fn solve_all(
    meshes: &[Mesh],
    ask: &Ask<'_>,
    limit: Bytes,
    mut known: Option<Seconds>,
    control: &dyn Control,
) -> Vec<OnMesh> {
    let mut found: Vec<OnMesh> = Vec::with_capacity(meshes.len());
    let mut least: Option<Bytes> = None;
    let at_once = |a: &Mesh, b: &Mesh| {
        let (a, b) = (a.axes().len(), b.axes().len());
        a == b || a.max(b) <= SMALL
    };
    let mut groups = meshes.chunk_by(at_once).peekable();
    while let Some(group) = groups.next() {
        let is_small = group[0].axes().len() <= SMALL;
        if !is_small {
            let solved = solve_many(group, ask, limit, (known, least), control);
            known = least_of(known, &solved, limit);
            least = solved.iter().fold(least, least_peak);
            found.extend(solved);
            control.progress("search", found.len(), meshes.len());
            continue;
        }
        let before = Known { below: known, least };
        let solve = |mesh: &Mesh| {
            within(mesh, ask, Aim { memory: limit, below: known, pairs: MOST_PAIRS }, &|| before, control)
        };
        let ahead = groups.next_if(|next| {
            let axes = next[0].axes().len();
            axes > SMALL && axes <= FEW && next.len() <= MOST_AHEAD
        });
        let first = known.map(|known| known * (1.0 - CLOSE));
        let aim = Aim { memory: limit, below: first, pairs: MOST_PAIRS };
        let best: OnceLock<Known> = OnceLock::new();
        let wait = || *best.wait();
        let (solved, others) = std::thread::scope(|scope| {
            let start = |mesh| scope.spawn(move || within(mesh, ask, aim, &wait, control));
            let threads: Vec<_> = ahead.unwrap_or_default().iter().map(start).collect();
            let solve_group = || group.par_iter().map(solve).collect::<Vec<OnMesh>>();
            let solved = catch_unwind(AssertUnwindSafe(solve_group));
            let now = match &solved {
                Ok(solved) => Known {
                    below: least_of(known, solved, limit).map(|known| known * (1.0 - CLOSE)),
                    least: solved.iter().fold(least, least_peak),
                },
                // Whoever waits has to go on.
                Err(_) => Known { below: Some(Seconds::ZERO), least },
            };
            let _ = best.set(now);
            let solved = solved.unwrap_or_else(|why| resume_unwind(why));
            control.progress("search", found.len() + solved.len(), meshes.len());
            let others =
                threads.into_iter().map(|thread| thread.join().unwrap_or_else(|why| resume_unwind(why)));
            (solved, others.collect::<Vec<OnMesh>>())
        });
        for solved in [solved, others] {
            known = least_of(known, &solved, limit);
            least = solved.iter().fold(least, least_peak);
            found.extend(solved);
        }
        control.progress("search", found.len(), meshes.len());
    }
    found
}

/// Solves meshes of equally many axes, a few at a time; those with the most even levels come last in the list and are begun
/// with. `known` is the least time of plans that fit, and the least memory that one needs.
fn solve_many(
    group: &[Mesh],
    ask: &Ask<'_>,
    limit: Bytes,
    (known, mut least): (Option<Seconds>, Option<Bytes>),
    control: &dyn Control,
) -> Vec<OnMesh> {
    // More axes have to be worth it; of as many, the best is wanted.
    let mut below = known.map(|known| known * (1.0 - CLOSE));
    let pairs = allowed_pairs(group, ask, limit, below);
    let mut found: Vec<OnMesh> = Vec::with_capacity(group.len());
    let meshes: Vec<(&Mesh, usize)> = group.iter().zip(pairs).rev().collect();
    for some in meshes.chunks(AT_ONCE) {
        let before = Known { below, least };
        let solve = |(mesh, pairs): &(&Mesh, usize)| {
            within(mesh, ask, Aim { memory: limit, below, pairs: *pairs }, &|| before, control)
        };
        let solved: Vec<OnMesh> = some.par_iter().map(solve).collect();
        below = least_of(below, &solved, limit);
        least = solved.iter().fold(least, least_peak);
        found.extend(solved);
    }
    found.reverse();
    found
}

/// The least time of `known` and the plans that fit.
fn least_of(known: Option<Seconds>, solved: &[OnMesh], limit: Bytes) -> Option<Seconds> {
    let plans = solved.iter().filter_map(|found| found.plan.as_ref());
    let fitting = plans.map(|plan| plan.evaluation).filter(|evaluation| evaluation.peak <= limit);
    let times = known.into_iter().chain(fitting.map(|evaluation| evaluation.seconds));
    times.reduce(|least, seconds| if seconds < least { seconds } else { least })
}

/// The lesser of a number of bytes and what the plan of a mesh needs.
fn least_peak(least: Option<Bytes>, found: &OnMesh) -> Option<Bytes> {
    least.into_iter().chain(found.plan.as_ref().map(|plan| plan.evaluation.peak)).min()
}

/// How many pairs of choices each mesh of a group may have. What surely is no better is not made, and takes nothing.
fn allowed_pairs(group: &[Mesh], ask: &Ask<'_>, memory: Bytes, below: Option<Seconds>) -> Vec<usize> {
    if group[0].axes().len() <= FEW {
        return vec![MOST_PAIRS; group.len()];
    }
    let aim = Aim { memory, below, pairs: 0 };
    let has = |mesh: &Mesh| match ask(mesh, aim, &mut |_| {}) {
        Err(found) if below.is_none_or(|below| found.bound < below) && found.needs <= memory => found.pairs,
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
    let known = Known { below, least: None };
    within(mesh, ask, Aim { memory: limit, below, pairs: MOST_PAIRS }, &|| known, control)
}
