//! Pipelines whose microbatches read weights of earlier steps.
//!
//! Input: a step in stages and the weights that are asked for. Output: the same stages with them, and the step of one device that
//! they have to equal, with arguments for weights of earlier steps.

use meshwright_ir::diagnostic::Diagnostic;
use meshwright_ir::program::Function;
use meshwright_plan::PlanFile;
use meshwright_plan::plan_file::codec::PLAN;
use meshwright_stage::{Delayed, Staged, Step, Weights, delayed};

use super::cut::Cut;
use super::{PipelineOptions, refused};
use crate::error::CompileError;
use crate::options::{Options, Validation};

/// The schedule whose steps may begin while others are under way.
const SCHEDULE: &str = "1f1b";

/// The stages with the weights that the options or their plan ask for.
///
/// # Errors
/// A pipeline in which microbatches cannot read other weights.
pub(super) fn with_weights(
    cut: &Cut,
    step: &Step<'_>,
    staged: Staged,
    wanted: &PipelineOptions,
    options: &Options,
) -> Result<Staged, CompileError> {
    let planned = options.plan.as_ref().map(of_plan).transpose()?.flatten();
    let Some(weights) = options.weights.or(planned) else { return Ok(staged) };
    let is_whole = cut.parts.arguments.iter().chain(&cut.parts.results).all(|part| part.layers.is_none());
    let rules = [
        (cut.trains(), "a program that does not train has no weights of earlier steps"),
        (
            wanted.schedule.name() == Some(SCHEDULE),
            "only `1f1b` has steps that begin while others are under way: leave `--schedule` out",
        ),
        (staged.count == wanted.groups, "each group has one stage then"),
        (wanted.microbatches >= wanted.groups, "there are at least as many microbatches as groups then"),
        (!step.sees_all_first(), "the step needs something of all microbatches before any of them passes"),
        (
            options.validation == Validation::Before,
            "`--post-validation` is for steps that read their own weights",
        ),
        (is_whole, "layers of stacks are parameters of several stages: write the layers out"),
    ];
    if let Some((_, rule)) = rules.iter().find(|(holds, _)| !holds) {
        return Err(refused::weights(weights, rule));
    }
    let delayed = Delayed::of(step, &staged, weights);
    Ok(Staged { delayed: Some(delayed), ..staged })
}

/// The weights of a plan. Errors: a name that is none.
fn of_plan(plan: &PlanFile) -> Result<Option<Weights>, CompileError> {
    let Some(name) = &plan.delayed_weights else { return Ok(None) };
    let known = Weights::ALL.into_iter().find(|weights| weights.name() == name);
    known.map(Some).ok_or_else(|| {
        let why = format!("`delayed_weights`: there are no weights `{name}`");
        CompileError::Plan(vec![Diagnostic::error(PLAN, plan.places.at("delayed_weights"), why)])
    })
}

/// The step as one device computes it with weights of earlier steps; none if there are none.
pub(super) fn whole(cut: &Cut, step: &Step<'_>, staged: &Staged) -> Option<Function> {
    let delayed = staged.delayed.as_ref()?;
    let next: Vec<Option<usize>> = (0..step.function.args().len()).map(|index| cut.next(index)).collect();
    Some(delayed::emulated(step, delayed, &next))
}
