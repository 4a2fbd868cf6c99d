//! The best plan on each mesh, by the solver; each mesh only has to beat what is known.
//!
//! Input: meshes, a planner that makes the problem of each, the best time that is known. Output: what was found on each
//! ([`MeshOutcome`]): a plan, a bound on all plans, and whether it is proven. Meshes of few axes come first, all at the same
//! time; then those of more axes, in order of their number, a few at a time: each is left as soon as its bound shows that it
//! is no better than those before, for which it has to be better by half a percent than those of fewer axes. Those that are
//! solved at the same time do not know of one another, so that nothing depends on the number of threads. While the first are
//! solved, the problems of the next ones are made already, if these are few.

use crate::Request;
use crate::effort::Effort;
use crate::mesh_search::{Known, solve_mesh};
use crate::planner::{Plan, Planner};
use crate::sharding_problem::{Budget, Skipped};
use meshwright_ir::mesh::Mesh;
use meshwright_machine::Seconds;
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

/// The same of all that have more than [`SMALL`], where the search is not thorough: there they rarely are better by much.
const MOST_PAIRS_AGAIN: usize = 4_000_000;

/// So many meshes of more axes are solved at a time; those behind them have to be better.
const AT_ONCE: usize = 2;

/// Problems that are made ahead, at most.
const MOST_AHEAD: usize = 4;

/// Outcome of the search of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshOutcome {
    /// The mesh.
    pub mesh: Mesh,
    /// The best plan that was found, if one is better than what was known.
    pub plan: Option<Plan>,
    /// No plan on the mesh that fits takes less, under the cost model of the problem; infinite if none fits.
    pub bound: Seconds,
    /// No plan on the mesh takes less, however much memory there is: every decision by itself at its cheapest.
    pub least: Seconds,
    /// True if the solver was at its end; otherwise a better plan than both may exist.
    pub is_proven: bool,
    /// True if there was too much to choose from to be searched at all.
    pub is_too_large: bool,
    /// Numbers of decisions and of all that could be chosen for them.
    pub size: (usize, usize),
}

/// Solves all meshes; `below` is the least time of the plans that are known and fit. Where the search is not thorough, of those
/// with too much to choose from the `promising` one is solved.
pub(crate) fn solve_all(
    meshes: &[Mesh],
    planner: &dyn Planner,
    request: &Request<'_>,
    below: Option<Seconds>,
    promising: Option<&Mesh>,
) -> Vec<MeshOutcome> {
    let control = request.control;
    let mut found: Vec<MeshOutcome> = Vec::with_capacity(meshes.len());
    let mut search = MeshwiseSearch { planner, request, known: Known { below, least: None }, promising };
    let at_once = |a: &Mesh, b: &Mesh| {
        let (a, b) = (a.axes().len(), b.axes().len());
        a == b || a.max(b) <= SMALL
    };
    let mut groups = meshes.chunk_by(at_once).peekable();
    while let Some(group) = groups.next() {
        if group[0].axes().len() > SMALL {
            found.extend(search.solve_many(group));
        } else {
            let ahead = groups.next_if(|next| {
                let axes = next[0].axes().len();
                let is_sure = request.effort == Effort::Thorough;
                is_sure && axes > SMALL && axes <= FEW && next.len() <= MOST_AHEAD
            });
            let first = found.len() + group.len();
            let progress = || control.progress("search", first, meshes.len());
            found.extend(search.solve_small(group, ahead.unwrap_or_default(), &progress));
        }
        control.progress("search", found.len(), meshes.len());
    }
    found
}

/// The best plan on a mesh, if one takes less than `below`; see [`MeshOutcome`].
pub(crate) fn solve_alone(
    mesh: &Mesh,
    planner: &dyn Planner,
    request: &Request<'_>,
    below: Option<Seconds>,
) -> MeshOutcome {
    let known = Known { below, least: None };
    MeshwiseSearch { planner, request, known, promising: None }.solve(mesh, Allowed::most())
}

/// What a mesh may have to choose from.
#[derive(Clone, Copy)]
struct Allowed {
    /// So many pairs of choices.
    pairs: usize,
    /// Why its problem is not made, where that is known already.
    skipped: Option<Skipped>,
}

impl Allowed {
    /// As much as is ever worth it.
    fn most() -> Self {
        Self { pairs: MOST_PAIRS, skipped: None }
    }
}

/// Meshes and what is known of those that were solved.
#[derive(Clone, Copy)]
struct MeshwiseSearch<'a> {
    planner: &'a dyn Planner,
    request: &'a Request<'a>,
    known: Known,
    promising: Option<&'a Mesh>,
}

impl MeshwiseSearch<'_> {
    /// Solves a mesh that has to beat what is known.
    fn solve(&self, mesh: &Mesh, Allowed { pairs, skipped }: Allowed) -> MeshOutcome {
        let Self { planner, request, known, .. } = *self;
        let budget = Budget { memory: request.memory_limit, below: known.below, pairs };
        solve_mesh((mesh, skipped), planner, budget, &OnceLock::from(known), request)
    }

    /// Solves meshes of few axes, and those of some more that are begun while these are solved, and wait for them.
    fn solve_small(&mut self, group: &[Mesh], ahead: &[Mesh], solved_first: &dyn Fn()) -> Vec<MeshOutcome> {
        let before = *self;
        let Self { planner, request, .. } = before;
        let below = before.known.below.map(worth_more_axes);
        let budget = Budget { memory: request.memory_limit, below, pairs: MOST_PAIRS };
        let best: OnceLock<Known> = OnceLock::new();
        let known = &best;
        std::thread::scope(|scope| {
            let start = |mesh| scope.spawn(move || solve_mesh((mesh, None), planner, budget, known, request));
            let threads: Vec<_> = ahead.iter().map(start).collect();
            let solve = || group.par_iter().map(|mesh| before.solve(mesh, Allowed::most())).collect();
            let solved: Result<Vec<MeshOutcome>, _> = catch_unwind(AssertUnwindSafe(solve));
            let now = match &solved {
                Ok(solved) => {
                    self.learn(solved);
                    Known { below: self.known.below.map(worth_more_axes), ..self.known }
                }
                // Those that wait have to go on.
                Err(_) => Known { below: Some(Seconds::ZERO), ..before.known },
            };
            let _ = best.set(now);
            let mut found = solved.unwrap_or_else(|why| resume_unwind(why));
            solved_first();
            let others =
                threads.into_iter().map(|thread| thread.join().unwrap_or_else(|why| resume_unwind(why)));
            let others: Vec<MeshOutcome> = others.collect();
            self.learn(&others);
            found.extend(others);
            found
        })
    }

    /// Solves meshes of equally many axes, a few at a time; those with the most even levels come last in the list and are
    /// begun with.
    fn solve_many(&mut self, group: &[Mesh]) -> Vec<MeshOutcome> {
        // More axes have to be worth it; of as many, the best is wanted.
        let mut among =
            Self { known: Known { below: self.known.below.map(worth_more_axes), ..self.known }, ..*self };
        let allowed = among.allowed(group);
        let mut found: Vec<MeshOutcome> = Vec::with_capacity(group.len());
        let meshes: Vec<(&Mesh, Allowed)> = group.iter().zip(allowed).rev().collect();
        for some in meshes.chunks(AT_ONCE) {
            let solve = |(mesh, allowed): &(&Mesh, Allowed)| among.solve(mesh, *allowed);
            let solved: Vec<MeshOutcome> = some.par_iter().map(solve).collect();
            among.learn(&solved);
            found.extend(solved);
        }
        found.reverse();
        self.learn(&found);
        found
    }

    /// What each mesh of a group may have to choose from. What surely is no better is not made, and takes nothing.
    fn allowed(&self, group: &[Mesh]) -> Vec<Allowed> {
        let Self { planner, request, known, .. } = *self;
        let mut left = match request.effort {
            Effort::Thorough if group[0].axes().len() <= FEW => return vec![Allowed::most(); group.len()],
            Effort::Thorough => MOST_PAIRS_OF_MANY,
            _ => MOST_PAIRS_AGAIN,
        };
        let limit = request.memory_limit;
        let budget = Budget { memory: limit, below: known.below, pairs: 0 };
        let skipped: Vec<Option<Skipped>> =
            group.par_iter().map(|mesh| planner.problem(mesh, budget).err()).collect();
        let is_worth_it = |skipped: &&Skipped| {
            known.below.is_none_or(|below| skipped.bound < below) && skipped.needs <= limit
        };
        let pairs = |skipped: &Option<Skipped>| {
            skipped.as_ref().filter(is_worth_it).map_or(0, |skipped| skipped.pairs)
        };
        let mut sizes: Vec<(usize, usize)> =
            skipped.iter().map(pairs).enumerate().map(|(at, pairs)| (pairs, at)).collect();
        sizes.sort_unstable();
        let mut allowed: Vec<Allowed> =
            skipped.into_iter().map(|skipped| Allowed { pairs: 0, skipped }).collect();
        for (pairs, at) in sizes {
            if pairs > left {
                break;
            }
            left -= pairs;
            if pairs > 0 {
                allowed[at] = Allowed { pairs, skipped: None };
            }
        }
        if let Some(at) = group.iter().position(|mesh| Some(mesh) == self.promising) {
            allowed[at] = Allowed::most();
        }
        allowed
    }

    /// Takes down the least time of the plans that fit, and the least memory of all.
    fn learn(&mut self, solved: &[MeshOutcome]) {
        let evaluations = || solved.iter().filter_map(|found| Some(found.plan.as_ref()?.evaluation));
        let times = evaluations().filter(|evaluation| evaluation.fits(self.request.memory_limit));
        let times = self.known.below.into_iter().chain(times.map(|evaluation| evaluation.seconds));
        let below = times.reduce(|least, seconds| if seconds < least { seconds } else { least });
        let peaks = evaluations().map(|evaluation| evaluation.peak);
        self.known = Known { below, least: self.known.least.into_iter().chain(peaks).min() };
    }
}

/// The time that a plan on a mesh of more axes has to beat, for one of fewer axes that takes so long.
fn worth_more_axes(seconds: Seconds) -> Seconds {
    seconds * (1.0 - CLOSE)
}
