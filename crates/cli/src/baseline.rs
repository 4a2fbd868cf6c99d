//! `--search NAME`: plans by the procedure of a planner of the field.
//!
//! Input: flags. Output: the pipeline that the procedure comes to, which is written, compiled and run as any other, and which
//! says by whose procedure it was chosen.

use crate::args::{Output, PipelineArguments, Planning, SearchScope};
use crate::failure::{Failure, Outcome};
use crate::pipeline::{self, Wanted};
use crate::planning::{self, Inputs, NoMachine};
use crate::terminal::Terminal;
use meshwright_compile::{BASELINES, Baseline, Baselined, Options, baseline_plan};
use serde_json::{Value, json};

/// The planner that flags name, if they name one.
///
/// Errors: flags that say what it chooses.
pub(crate) fn asked(planning: &Planning, pipeline: &PipelineArguments) -> Outcome<Option<Baseline>> {
    let Some(SearchScope::Baseline(name)) = planning.search else { return Ok(None) };
    let baseline = BASELINES.into_iter().find(|known| known.name == name);
    let Planning { mesh, pins, simplest_within, degrees, fitting, stages, .. } = planning;
    let flags = [
        ("--mesh", mesh.is_some()),
        ("--pin", !pins.is_empty()),
        ("--simplest-within", simplest_within.is_some()),
        ("--microbatch-size", fitting.size_of_microbatches().is_some()),
        ("--tiles", fitting.tiles.is_some()),
        ("--offload", !fitting.offload.is_empty()),
        ("--stop-after", stages.stop_after.is_some()),
    ];
    let flags = flags
        .into_iter()
        .chain(pipeline.flags())
        .filter(|(_, is_given)| *is_given)
        .map(|(flag, _)| flag.to_owned());
    match degrees.said().into_iter().chain(flags).next() {
        Some(flag) => Err(Failure::usage(format!(
            "`{flag}` says what `--search {name}` chooses by itself, or what it knows nothing of: leave one of them out; \
             `--allow`, `--microbatches`, `--recompute none|selective|full` and `--memory-limit` go with it"
        ))),
        None => Ok(baseline),
    }
}

/// The plan of a procedure.
pub(crate) fn chosen(
    planning: &Planning,
    baseline: &Baseline,
    no_machine: NoMachine,
    out: Output,
) -> Outcome<(Inputs, Baselined)> {
    let memory_limit = planning::one_limit(planning)?;
    let mut inputs = Inputs::of_groups(planning, no_machine, 1, None, out)?;
    let options = Options { memory_limit, ..inputs.options.clone() };
    let terminal = Terminal::new(&planning.stages).listening();
    let found = baseline_plan(baseline, &inputs.program, &inputs.machine, &options, &terminal);
    terminal.wipe();
    let found = found.map_err(|error| planning::failure(error, &inputs.source, None))?;
    terminal.show_warnings(&inputs.source, out);
    inputs.options = found.options(&inputs.options);
    Ok((inputs, found))
}

/// The same with the programs of its stages.
pub(crate) fn made(
    planning: &Planning,
    baseline: &Baseline,
    no_machine: NoMachine,
    out: Output,
) -> Outcome<pipeline::Planned> {
    let (inputs, found) = chosen(planning, baseline, no_machine, out)?;
    let sentence = found.sentence();
    let mut planned = pipeline::made(planning, Wanted::Chosen(Box::new(found.plan)), inputs, out)?;
    planned.pipelined.plan.reasons.push(sentence);
    Ok(planned)
}

/// By whose procedure a plan was chosen, as JSON.
pub(crate) fn json(found: &Baselined) -> Value {
    let Baselined { baseline, way, priced, space, .. } = found;
    json!({
        "name": baseline.name,
        "paper": baseline.paper,
        "degrees": way.map(|way| way.to_string()),
        "points_priced": priced,
        "points": space,
    })
}
