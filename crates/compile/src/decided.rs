//! The second phase: what is open is decided, on the variant of the program that suits it.
//!
//! Input: [`Global`]. Output: [`Decided`]. A *variant* computes the same, as with its instructions in another order
//! ([`VARIANTS`]). What is decided is scored on all of them, so that a plan that is given back leads to the same program; a
//! search, which counts memory along one order, runs on the first, and on the others where memory is scarce.

use meshwright_cost::analysis::Analysis;
use meshwright_cost::estimate::{Estimate, estimate};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::{Placement, Shardings};
use meshwright_shard::{Seeds, ValueShardings, annotate, annotate_seeds};
use meshwright_transform::{VARIANTS, Variant};

use crate::choose::{self, Searched, Wanted};
use crate::driver::Request;
use crate::error::CompileError;
use crate::global::Global;
use crate::manual::groups_must_fit;
use crate::mesh;
use crate::options::Search;
use crate::stages;
use crate::transform::{alone, spread};

/// Memory is scarce where a plan needs more than this share of it.
const SCARCE: f64 = 0.5;

/// The program and how all of it is sharded.
pub(crate) struct Decided {
    /// What a search adds; none without one.
    pub(crate) searched: Option<Searched>,
    /// What was decided, from which the rest follows.
    pub(crate) seeds: Seeds,
    /// The function in the order that suits it.
    pub(crate) function: Function,
    /// What propagation made of the seeds.
    pub(crate) values: ValueShardings,
    /// The whole of it.
    pub(crate) shardings: Shardings,
    /// What that costs, before the passes over the local program.
    pub(crate) estimate: Estimate,
}

/// A choice of what is open.
struct Choice {
    searched: Option<Searched>,
    mesh: Mesh,
    seeds: Seeds,
}

/// A search on another variant of the program.
struct AnotherSearch {
    /// Only plans that take less are of interest.
    faster_than: Option<Seconds>,
}

impl Decided {
    /// Decides what `global` leaves open.
    ///
    /// # Errors
    /// Options that contradict one another; a mesh that is missing; annotations that do not fit the mesh.
    pub(crate) fn of(request: &Request<'_>, global: &Global) -> Result<Self, CompileError> {
        let (first, others) = VARIANTS.split_first().expect("the program as it is written is one");
        let choice = choose(request, global, first, request.options.faster_than)?;
        let mut best = Self::on_its_variant(request, global, choice);
        for variant in others {
            let Some(again) = best.another_search(request, global) else { break };
            let choice = choose(request, global, variant, again.faster_than)?;
            best = Self::better_of(best, Self::on_its_variant(request, global, choice), request);
        }
        let Self { function, seeds, values, .. } = &best;
        let (stages, program, mesh) = (&request.stages, &global.program, best.mesh());
        stages.done(stages::ORDER, &|| alone(program, function))?;
        if best.searched.is_some() {
            stages.done(stages::SEARCH, &|| annotate_seeds(program, function, mesh, seeds))?;
        }
        stages.done(stages::PROPAGATE, &|| annotate(program, function, mesh, values))?;
        groups_must_fit(function, mesh)?;
        Ok(best)
    }

    /// The mesh.
    pub(crate) fn mesh(&self) -> &Mesh {
        &self.shardings.mesh
    }

    /// The mesh on the machine.
    pub(crate) fn placement(&self, request: &Request<'_>) -> Placement {
        mesh::placed(request.machine, self.mesh())
    }

    /// A choice on the first of the variants that suit it best.
    fn on_its_variant(request: &Request<'_>, global: &Global, choice: Choice) -> Self {
        let Choice { searched, mesh, seeds } = choice;
        let on = |variant: &Variant| {
            let function = (variant.of)(&global.function);
            let (values, shardings) = spread(&function, &mesh, &seeds, request.control);
            let placement = mesh::placed(request.machine, &mesh);
            let estimate = estimate(&Analysis::new(&function), &shardings, &placement);
            Self { searched: None, seeds: seeds.clone(), function, values, shardings, estimate }
        };
        let best = VARIANTS.iter().map(on).reduce(|best, other| best.or_better(other, request));
        Self { searched, ..best.expect("there are variants") }
    }

    /// The first of two that nothing is better than.
    fn or_better(self, other: Self, request: &Request<'_>) -> Self {
        if other.score(request) < self.score(request) { other } else { self }
    }

    /// What exceeds the memory, the time, and the memory: less is better.
    fn score(&self, request: &Request<'_>) -> (Bytes, Seconds, Bytes) {
        let peak = self.estimate.memory.peak;
        (peak.max(request.memory_limit()), self.estimate.total(), peak)
    }

    /// The first that nothing is better than, with the bound of both.
    fn better_of(first: Self, second: Self, request: &Request<'_>) -> Self {
        let bounds = [&first, &second].map(|one| one.searched.as_ref().and_then(|searched| searched.bound));
        let mut best = first.or_better(second, request);
        if let Some(searched) = &mut best.searched {
            searched.bound = searched.bound.and(bounds.into_iter().flatten().reduce(f64::min));
        }
        best
    }

    /// What a search on another variant should look for, if it may find better: where memory is scarce, others may only
    /// fit there, and have to take less than this plan if it fits. Where it is not even as fast as asked, none is of use.
    fn another_search(&self, request: &Request<'_>, global: &Global) -> Option<AnotherSearch> {
        let (limit, peak) = (request.memory_limit(), self.estimate.memory.peak);
        let (seconds, asked) = (self.estimate.total(), request.options.faster_than);
        let (fits, is_of_use) = (peak <= limit, asked.is_none_or(|asked| seconds < asked));
        let is_scarce = peak.0 as f64 > SCARCE * limit.0 as f64;
        let is_worth_it = global.search == Search::Rest && is_scarce && (is_of_use || !fits);
        let faster_than = if fits { Some(seconds) } else { asked };
        is_worth_it.then_some(AnotherSearch { faster_than })
    }
}

/// Chooses what is open on a variant of the program: by the search, if there is to be one.
fn choose(
    request: &Request<'_>,
    global: &Global,
    variant: &Variant,
    faster_than: Option<Seconds>,
) -> Result<Choice, CompileError> {
    let options = request.options;
    let function = &(variant.of)(&global.function);
    let fixed = |mesh: Mesh, seeds: Seeds| Ok(Choice { searched: None, mesh, seeds });
    match (global.search, &global.mesh, options.asked) {
        (Search::None, ..) if options.simplest_within.is_some() => Err(choose::nothing_to_choose_from()),
        (Search::None, None, Some(asked)) => {
            let (mesh, seeds) = choose::as_asked(function, &global.roles, request.machine, asked)?;
            fixed(mesh, seeds)
        }
        (Search::None, None, None) => Err(mesh::missing(&global.program).into()),
        (Search::None, Some(_), Some(asked)) => Err(choose::meshes_twice(asked)),
        (Search::None, Some(mesh), None) => fixed(mesh.clone(), global.fixed.clone()),
        (Search::Rest, mesh, asked) => {
            let found = choose::searched(Wanted {
                function,
                roles: &global.roles,
                machine: request.machine,
                mesh: mesh.as_ref(),
                decided: &global.fixed,
                limit: request.memory_limit(),
                faster_than,
                asked,
                simplest_within: options.simplest_within,
                analysis: &Analysis::new(function),
                control: request.control,
            })?;
            let (mesh, seeds) = (found.mesh.clone(), found.seeds.clone());
            Ok(Choice { searched: Some(found), mesh, seeds })
        }
    }
}
