//! What `check`, `plan` and `compile` make of a program: stages where flags ask for them or where they are faster, or else
//! one program for all devices.
//!
//! Input: flags, with a plan that was made earlier or without. Output: [`Best`].

use crate::args::{MemoryLimits, Output, PipelineArguments, Planning};
use crate::failure::Outcome;
use crate::planning::{self, Inputs, NoMachine};
use crate::terminal::Terminal;
use crate::{baseline, pipeline};
use meshwright_compile::{
    Constraints, Microbatches, Numbers, Options, PipelinePlan, PipelineSpace, Recompute, own_mesh,
    pipeline_plan,
};
use meshwright_machine::Seconds;
use std::path::Path;

/// What plans say that they have not searched where nobody has looked at stages.
const STAGES: &str = "pipeline stages";

/// What became of a program.
pub(crate) enum Best {
    /// It was stopped before the end, as asked.
    Stopped,
    /// One program for all devices.
    Whole(Box<planning::Planned>),
    /// Programs of stages.
    Stages(Box<pipeline::Planned>),
}

/// Reads and compiles, with stages if flags ask for them; `output` is what is not written if it is to stop before the end.
pub(crate) fn as_asked(
    planning: &Planning,
    arguments: &PipelineArguments,
    no_machine: NoMachine,
    (plan, output): (Option<&Path>, Option<&Path>),
    out: Output,
) -> Outcome<Best> {
    if let Some(baseline) = baseline::asked(planning, arguments)? {
        return Ok(Best::Stages(Box::new(baseline::made(planning, &baseline, no_machine, out)?)));
    }
    if let Some(planned) = pipeline::compile(planning, arguments, no_machine, plan, out)? {
        return Ok(Best::Stages(Box::new(planned)));
    }
    let whole = planning::compile(planning, no_machine, plan, output, out)?;
    Ok(whole.map_or(Best::Stopped, |planned| Best::Whole(Box::new(planned))))
}

/// The same with stages also where they are faster and flags say nothing of them.
pub(crate) fn compile(
    planning: &Planning,
    arguments: &PipelineArguments,
    no_machine: NoMachine,
    (plan, output): (Option<&Path>, Option<&Path>),
    out: Output,
) -> Outcome<Best> {
    let looked = match plan {
        None => stages(planning, arguments, no_machine, out)?,
        Some(_) => None,
    };
    let Some((stages, inputs)) = looked else {
        return as_asked(planning, arguments, no_machine, (plan, output), out);
    };
    let faster_than = stages.as_ref().map(|stages| stages.figures.step());
    let whole = planning::compile_if_faster(planning, no_machine, (plan, output), faster_than, out);
    match (stages, whole) {
        (Some(stages), whole) if !whole.as_ref().is_ok_and(|whole| is_faster(whole, &stages)) => {
            let promised = stages.figures.step();
            let wanted = pipeline::Wanted::Chosen(Box::new(stages));
            match pipeline::made(planning, wanted, inputs, out) {
                // Where its programs did not fit, another one has taken its place, which may take longer than the whole program.
                Ok(made) if made.searched.as_ref().is_some_and(|own| own.figures.step() > promised) => {
                    let taken = Some(made.pipelined.figures.step());
                    let whole = planning::compile_if_faster(planning, no_machine, (plan, output), taken, out);
                    Ok(match whole {
                        Ok(Some(whole)) if Some(seconds_of(&whole)) <= taken => as_whole(whole),
                        _ => Best::Stages(Box::new(made)),
                    })
                }
                Ok(made) => Ok(Best::Stages(Box::new(made))),
                // Its programs may need more than was predicted of them: nobody asked for stages.
                Err(failure) => {
                    failure.no()?;
                    as_asked(planning, arguments, no_machine, (plan, output), out)
                }
            }
        }
        (_, whole) => Ok(whole?.map_or(Best::Stopped, as_whole)),
    }
}

/// One program for all devices, beside which stages were looked at.
fn as_whole(mut planned: planning::Planned) -> Best {
    planned.compiled.plan.not_searched.retain(|what| what != STAGES);
    Best::Whole(Box::new(planned))
}

fn is_faster(whole: &Option<planning::Planned>, stages: &PipelinePlan) -> bool {
    whole.as_ref().is_none_or(|whole| seconds_of(whole) <= stages.figures.step())
}

/// What a step takes.
fn seconds_of(planned: &planning::Planned) -> Seconds {
    Seconds(planned.compiled.plan.predicted.total_seconds)
}

/// The best pipeline, if there is one, where nobody said whether there are stages, nor anything that is of one program for all
/// devices: for training steps on several hosts, of which nothing is sharded yet. None where these are not looked at.
fn stages(
    planning: &Planning,
    arguments: &PipelineArguments,
    no_machine: NoMachine,
    out: Output,
) -> Outcome<Option<(Option<PipelinePlan>, Inputs)>> {
    if arguments.stages.is_some() || says_more(planning) || planning::one_limit(planning).is_err() {
        return Ok(None);
    }
    let inputs = Inputs::of_groups(planning, no_machine, 1, None, out)?;
    // Constraints that leave nothing without stages ask for them.
    let is_asked = !inputs.options.allowed.leave_one_group();
    let is_open = inputs.machine.levels().len() >= 2 && own_mesh(&inputs.program).is_none();
    if !is_open && !is_asked {
        return Ok(None);
    }
    let microbatches = match planning.fitting.num_microbatches() {
        Some(Microbatches::Number(number)) => Numbers::These(vec![number]),
        Some(Microbatches::Search) | None => Numbers::Search,
    };
    let space = PipelineSpace {
        groups: Numbers::Several,
        virtual_stages: Numbers::Search,
        microbatches,
        schedules: Vec::new(),
        is_short: true,
    };
    let memory_limit = planning.memory_limit.as_ref().and_then(MemoryLimits::least);
    let options = Options { memory_limit, ..inputs.options.clone() };
    let terminal = Terminal::plain().listening();
    let found = pipeline_plan(&inputs.program, &inputs.machine, &options, &space, &terminal);
    terminal.wipe();
    match found {
        Ok(found) => Ok(Some((found, inputs))),
        Err(error) if is_asked => Err(planning::failure(error, &inputs.source, None)),
        // Why it cannot be cut is nobody's concern who did not ask for stages.
        Err(_) => Ok(None),
    }
}

/// Whether flags say what only one program for all devices is or has.
fn says_more(planning: &Planning) -> bool {
    let Planning { mesh, search, pins, degrees, simplest_within, fitting, stages, .. } = planning;
    let is_named = |asked: &Recompute| matches!(asked, Recompute::Keeping(_) | Recompute::Values(_));
    mesh.is_some()
        || search.is_some()
        || !pins.is_empty()
        || !degrees.said().is_empty()
        || degrees.allow.as_ref().is_some_and(Constraints::has_parts)
        || simplest_within.is_some()
        || !fitting.microbatch_size.is_empty()
        || fitting.tiles.is_some()
        || !fitting.offload.is_empty()
        || fitting.made_again().any(is_named)
        || stages.stop_after.is_some()
        || !stages.dump_after.is_empty()
}
