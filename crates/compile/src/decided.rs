//! The second phase: what is open is decided, on the variant of the program that suits it.
//!
//! Input: [`Global`]. Output: [`Decided`]. A *variant* computes the same, as with its instructions in another order
//! ([`VARIANTS`]). An answer is kept whole and scored on all of them, so that a plan that is given back leads to the same
//! program; a search, which counts memory along one order, runs on the first, and on the others where memory is scarce.

use meshwright_cost::analysis::Analysis;
use meshwright_cost::estimate::{Estimate, estimate};
use meshwright_cost::lowering::Lowering;
use meshwright_ir::control::{Control, Quiet, ToTheEnd};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::{Decisions, Placement, Shardings, attributes};
use meshwright_shard::{Minimized, Options, Prepared, Propagated, Sharder, annotate, prepare};
use meshwright_transform::{VARIANTS, Variant};
use std::cell::OnceCell;

use crate::choose::{self, Searched};
use crate::driver::Request;
use crate::error::CompileError;
use crate::from_plan::agrees;
use crate::global::Global;
use crate::manual::groups_must_fit;
use crate::mesh;
use crate::options::Search;
use crate::stages;
use crate::transform::single_function;

/// Memory is scarce where a plan needs more than this share of it.
const SCARCE: f64 = 0.5;

/// A variant that needs less by a smaller share is not worth a search of its own.
const LESS: f64 = 1.0 / 64.0;

/// The program and how all of it is sharded.
pub(crate) struct Decided<'a> {
    /// All that was decided.
    pub(crate) chosen: Chosen,
    written: WrittenFunction<'a>,
    fixed: &'a Decisions,
    /// Once somebody asked for it.
    minimized: OnceCell<Minimized>,
}

/// An answer on a variant of the program.
pub(crate) struct Chosen {
    /// What a search adds; none without one.
    pub(crate) searched: Option<Searched>,
    /// The function in the order that suits it.
    pub(crate) function: Function,
    /// Which of the variants that is.
    pub(crate) variant: usize,
    /// All that was decided.
    pub(crate) shardings: Shardings,
    /// What it costs, before the passes over the local program.
    pub(crate) estimate: Estimate,
    /// What the shardings need on each of the variants.
    peaks: Vec<Bytes>,
}

impl<'a> Decided<'a> {
    /// Decides what `global` leaves open.
    ///
    /// # Errors
    /// Options that contradict one another; a mesh that is missing; annotations that do not fit the mesh; a plan that
    /// contradicts itself.
    pub(crate) fn of(request: &Request<'_>, global: &'a Global) -> Result<Self, CompileError> {
        let written = WrittenFunction::of(global);
        let chosen = Chosen::best(request, global, &written)?;
        let decided = Self { chosen, written, fixed: &global.fixed, minimized: OnceCell::new() };
        let Chosen { searched, function, shardings, .. } = &decided.chosen;
        if let Some(plan) = &request.options.plan {
            agrees(plan, &global.names(request.original), &global.fixed, shardings)?;
        }
        let (stages, program, mesh) = (&request.stages, &global.program, &shardings.mesh);
        stages.done(stages::ORDER, &|| single_function(program, function))?;
        if searched.is_some() {
            let written = || attributes::write(program, function, mesh, &decided.minimized().decisions);
            stages.done(stages::SEARCH, &written)?;
        }
        stages.done(stages::PROPAGATE, &|| annotate(program, function, mesh, &decided.minimized().values))?;
        groups_must_fit(function, mesh)?;
        Ok(decided)
    }

    /// The least of what was decided from which the rest follows, and what propagation makes of it.
    pub(crate) fn minimized(&self) -> &Minimized {
        self.minimized.get_or_init(|| self.written.minimize(&self.chosen.shardings, self.fixed))
    }

    /// All that is decided of a program in the order in which it is written, whatever other order would suit it.
    ///
    /// # Errors
    /// As of [`Decided::of`].
    pub(crate) fn as_written(request: &Request<'_>, global: &Global) -> Result<Shardings, CompileError> {
        let written = WrittenFunction::of(global);
        let first = VARIANTS.first().expect("the program as it is written is one");
        let (_, shardings) = choose(request, global, &written, first, None)?;
        if let Some(plan) = &request.options.plan {
            agrees(plan, &global.names(request.original), &global.fixed, &shardings)?;
        }
        groups_must_fit(&global.function, &shardings.mesh)?;
        Ok(shardings)
    }
}

/// The function in the order in which it is written, on which decisions are completed and minimized whatever order is
/// taken: so what a plan means does not depend on the order.
pub(crate) struct WrittenFunction<'a> {
    function: &'a Function,
    prepared: Prepared,
}

impl<'g> WrittenFunction<'g> {
    /// That of a program.
    pub(crate) fn of(global: &'g Global) -> Self {
        Self { function: &global.function, prepared: prepare(&global.function) }
    }

    /// Everything that follows from decisions on a mesh; what is `known` was propagated for the same but for strategies.
    pub(crate) fn complete(
        &self,
        decisions: &Decisions,
        known: &mut Option<Propagated>,
        control: &dyn Control,
    ) -> Shardings {
        let mesh = decisions.mesh.as_ref().expect("the mesh is decided");
        self.on(mesh, &Options::default(), control).cheapest_knowing(known, decisions).1
    }

    /// The least of what was decided from which the rest follows.
    pub(crate) fn minimize(&self, shardings: &Shardings, fixed: &Decisions) -> Minimized {
        self.on(&shardings.mesh, &Options::default(), &Quiet).minimize(shardings, fixed)
    }

    /// The same of shardings that were put together from others; which sums are taken late follows from them.
    pub(crate) fn settle(&self, shardings: &Shardings, fixed: &Decisions) -> Minimized {
        self.on(&shardings.mesh, &Options::default(), &Quiet).settle(shardings, fixed)
    }

    fn on<'a>(&'a self, mesh: &'a Mesh, options: &'a Options, control: &'a dyn Control) -> Sharder<'a> {
        Sharder { function: self.function, prepared: &self.prepared, mesh, options, control }
    }
}

/// A search on another variant of the program.
struct AnotherSearch {
    /// Only plans that take less are of interest.
    faster_than: Option<Seconds>,
}

impl Chosen {
    /// The mesh.
    pub(crate) fn mesh(&self) -> &Mesh {
        &self.shardings.mesh
    }

    /// The mesh on the machine.
    pub(crate) fn placement(&self, request: &Request<'_>) -> Placement {
        mesh::placed(request.machine, self.mesh())
    }

    /// The best of all variants that are of interest.
    fn best(
        request: &Request<'_>,
        global: &Global,
        written: &WrittenFunction<'_>,
    ) -> Result<Self, CompileError> {
        let (first, others) = VARIANTS.split_first().expect("the program as it is written is one");
        let choice = choose(request, global, written, first, request.options.faster_than)?;
        let mut best = Self::on_its_variant(request, global, choice);
        for (number, variant) in (1..).zip(others) {
            if request.control.should_stop() {
                break;
            }
            let Some(again) = best.another_search(request, global, number) else { continue };
            let choice = choose(request, global, written, variant, again.faster_than)?;
            best = Self::better_of(best, Self::on_its_variant(request, global, choice), request);
        }
        Ok(best)
    }

    /// A choice on the first of the variants that suit it best.
    pub(crate) fn on_its_variant(
        request: &Request<'_>,
        global: &Global,
        choice: (Option<Searched>, Shardings),
    ) -> Self {
        let functions = variants(global);
        let analyses: Vec<Analysis<'_>> = functions
            .iter()
            .map(|function| Analysis::on(function, request.machine.device.platform))
            .collect();
        Self::on(request, &analyses, choice)
    }

    /// The same on variants that were analyzed before.
    pub(crate) fn on(
        request: &Request<'_>,
        variants: &[Analysis<'_>],
        (searched, shardings): (Option<Searched>, Shardings),
    ) -> Self {
        let placement = mesh::placed(request.machine, &shardings.mesh);
        let estimated = |analysis: &Analysis<'_>| estimate(&Lowering::new(analysis, &shardings), &placement);
        let all: Vec<Estimate> = variants.iter().map(estimated).collect();
        let peaks = all.iter().map(|estimate| estimate.memory.peak).collect();
        // The first of those that nothing is better than.
        let best = all.into_iter().enumerate().reduce(|best, other| {
            if score(&other.1, request) < score(&best.1, request) { other } else { best }
        });
        let (best, estimate) = best.expect("there are variants");
        let function = variants[best].function.clone();
        Self { searched, function, variant: best, shardings, estimate, peaks }
    }

    /// The first that nothing is better than, with the bound of both.
    fn better_of(first: Self, second: Self, request: &Request<'_>) -> Self {
        let each = [&first, &second].map(|one| one.searched.as_ref());
        let bounds = each.map(|searched| searched.and_then(|searched| searched.bound));
        let of_fitting = each.map(|searched| searched.and_then(|searched| searched.bound_of_fitting));
        let is_better = score(&second.estimate, request) < score(&first.estimate, request);
        let mut best = if is_better { second } else { first };
        if let Some(searched) = &mut best.searched {
            searched.bound = searched.bound.and(bounds.into_iter().flatten().reduce(f64::min));
            searched.bound_of_fitting = of_fitting.into_iter().flatten().reduce(f64::min);
        }
        best
    }

    /// What a search on another variant should look for, if it may find better: where memory is scarce, others may only
    /// fit there, and have to take less than this plan if it fits. Where it is not even as fast as asked, none is of use; nor
    /// is a variant that hardly needs less than the first, as where a loop goes through the layers.
    fn another_search(
        &self,
        request: &Request<'_>,
        global: &Global,
        variant: usize,
    ) -> Option<AnotherSearch> {
        let (limit, peak) = (request.memory_limit(), self.estimate.memory.peak);
        let (seconds, asked) = (self.estimate.total(), request.options.faster_than);
        let (fits, is_of_use) = (peak <= limit, asked.is_none_or(|asked| seconds < asked));
        let is_scarce = peak.0 as f64 > SCARCE * limit.0 as f64;
        let needs_less = self.peaks[variant].0 as f64 <= (1.0 - LESS) * self.peaks[0].0 as f64;
        let is_worth_it = global.search == Search::Rest && is_scarce && needs_less && (is_of_use || !fits);
        let faster_than = if fits { Some(seconds) } else { asked };
        is_worth_it.then_some(AnotherSearch { faster_than })
    }
}

/// The variants of a program.
pub(crate) fn variants(global: &Global) -> Vec<Function> {
    VARIANTS.iter().map(|variant| (variant.of)(&global.function)).collect()
}

/// What exceeds the memory, the time, and the memory.
pub(crate) type Score = (Bytes, Seconds, Bytes);

/// The score of a plan: less is better.
pub(crate) fn score(estimate: &Estimate, request: &Request<'_>) -> Score {
    let peak = estimate.memory.peak;
    (peak.max(request.memory_limit()), estimate.total(), peak)
}

/// Chooses what is open on a variant of the program: by the search, if there is to be one.
fn choose(
    request: &Request<'_>,
    global: &Global,
    written: &WrittenFunction<'_>,
    variant: &Variant,
    faster_than: Option<Seconds>,
) -> Result<(Option<Searched>, Shardings), CompileError> {
    let options = request.options;
    let complete = |decisions: &Decisions, known: &mut Option<Propagated>| {
        written.complete(decisions, known, &ToTheEnd(request.control))
    };
    match (global.search, &global.fixed.mesh, options.asked) {
        (Search::None, ..) if options.simplest_within.is_some() => Err(choose::nothing_to_choose_from()),
        (Search::None, None, Some(asked)) => {
            Ok((None, choose::as_asked(global, request.machine, asked, &complete)?))
        }
        (Search::None, None, None) => Err(mesh::missing(&global.program).into()),
        (Search::None, Some(_), Some(asked)) => {
            Err(choose::meshes_twice(asked, request.options.plan.is_some()))
        }
        (Search::None, Some(_), None) => Ok((None, complete(&global.fixed, &mut None))),
        (Search::Rest, _, asked) => {
            let function = &(variant.of)(&global.function);
            let wanted = meshwright_search::Request {
                function,
                prepared: &prepare(function),
                roles: &global.roles,
                analysis: &Analysis::on(function, request.machine.device.platform),
                machine: request.machine,
                fixed: &global.fixed,
                memory_limit: request.memory_limit(),
                parallelism: asked,
                allowed: &options.allowed.of_one_group(),
                faster_than,
                is_for_bound: false,
                effort: options.effort,
                reshards: &request.reshards,
                control: request.control,
            };
            let (searched, shardings) = choose::searched(&wanted, options.simplest_within)?;
            Ok((Some(searched), shardings))
        }
    }
}
