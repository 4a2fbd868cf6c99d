//! The best plan on each mesh, by the solver; each mesh only has to beat what is known.
//!
//! Input: meshes, what turns one into a problem ([`Ask`]), the best time that is known. Output: what was found on each
//! ([`OnMesh`]): a plan, a bound on all plans, and whether it is proven. Meshes of few axes come first; one of more axes
//! is left as soon as its bound shows that it is not better by more than half a percent. Meshes of few axes, and then
//! those of equally many, are solved at the same time and do not know of one another, so that nothing depends on the
//! number of threads. While the first are solved, the problems of the next ones are made already, if these are few.

use crate::evaluate::Evaluation;
use crate::limits::within;
use meshwright_ir::control::Control;
use meshwright_ir::mesh::Mesh;
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::{Choice, Seeds};
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

/// Problems that are made ahead, at most.
const MOST_AHEAD: usize = 4;

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
