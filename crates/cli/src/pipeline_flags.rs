//! Flags that say nothing of pipelines, which are refused rather than passed over.
//!
//! Input: what was asked for. Output: a failure that names the flag, and what to leave out.

use crate::args::{PipelineArguments, Planning};
use crate::failure::{Failure, Outcome};
use meshwright_compile::Recompute;
use std::path::Path;

/// Refuses flags that say nothing of pipelines that are made, rather than to pass them over.
pub(crate) fn must_be_known(planning: &Planning, plan: Option<&Path>) -> Outcome {
    let said = planning.degrees.said();
    if let Some(flag) = said.iter().find(|flag| ["--pp", "--vp"].contains(&flag.as_str())) {
        let other = if flag == "--pp" { "--stages" } else { "--virtual-stages" };
        let problem = format!("`{flag}` says which stages there are: leave `{other}` out");
        return Err(Failure::usage(problem));
    }
    if let (Some(flag), None, None) = (said.first(), &planning.search, plan) {
        return Err(Failure::usage(format!(
            "`{flag}` says how each group of `--stages` is sharded with `--search none`: add that, or give `--pp` in place of `--stages`"
        )));
    }
    let flags = [
        ("--microbatches", plan.is_some() && !planning.fitting.microbatches.is_empty()),
        ("--recompute", plan.is_some() && !planning.fitting.recompute.is_empty()),
        ("--microbatch-size", plan.is_some() && !planning.fitting.microbatch_size.is_empty()),
        ("--tiles", planning.fitting.tiles.is_some()),
        ("--offload", !planning.fitting.offload.is_empty()),
        ("--microbatch-statistics local", planning.fitting.has_local_statistics()),
        ("--simplest-within", planning.simplest_within.is_some()),
        ("--stop-after", planning.stages.stop_after.is_some()),
        ("--pin", !planning.pins.is_empty() && planning.mesh.is_none()),
    ];
    match flags.into_iter().find(|(_, is_given)| *is_given) {
        Some(("--pin", _)) => {
            Err(Failure::usage("`--pin` in a pipeline needs the mesh of each group: give `--mesh`"))
        }
        Some((flag @ ("--microbatches" | "--microbatch-size" | "--recompute"), _)) => {
            Err(Failure::usage(format!("`--plan` of a pipeline says that already: leave `{flag}` out")))
        }
        Some((flag, _)) => {
            Err(Failure::usage(format!("`{flag}` is not for pipelines: leave it out, or `--stages`")))
        }
        None => Ok(()),
    }
}

/// Refuses a search for what a pipeline makes again where its programs are made: they follow one answer for all stages.
pub(crate) fn must_not_search_recompute(planning: &Planning) -> Outcome {
    match planning.fitting.made_again().any(|asked| *asked == Recompute::Search) {
        true => Err(Failure::usage(
            "what a pipeline makes again is not searched: give `--recompute none`, `selective`, `full` or names of values",
        )),
        false => Ok(()),
    }
}

/// Refuses flags that say nothing of pipelines whose degrees are given, rather than to pass them over.
pub(crate) fn must_be_known_of_degrees(planning: &Planning, pipeline: &PipelineArguments) -> Outcome {
    let flags = [
        ("--stages", pipeline.stages.is_some()),
        ("--virtual-stages", pipeline.virtual_stages.is_some()),
        ("--stage-mesh", pipeline.stage_mesh.is_some()),
        ("--mesh", planning.mesh.is_some()),
        ("--pin", !planning.pins.is_empty()),
        ("--tiles", planning.fitting.tiles.is_some()),
        ("--offload", !planning.fitting.offload.is_empty()),
        ("--microbatch-statistics local", planning.fitting.has_local_statistics()),
        ("--stop-after", planning.stages.stop_after.is_some()),
        ("--simplest-within", planning.simplest_within.is_some()),
    ];
    match flags.into_iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(Failure::usage(format!(
            "`{flag}` is not for pipelines whose degrees are given: leave it out, or `--pp`"
        ))),
        None => Ok(()),
    }
}
