//! `meshwright plan`: chooses, shows, and writes the plan if asked to.

use crate::args::{MemoryLimits, Output, PlanArguments, Planning};
use crate::best::{self, Best};
use crate::failure::{Failure, Outcome};
use crate::plan_table::{Rows, text};
use crate::{for_target, grid, job_file, output, pipeline, pipeline_plan, planning, scaling, sweep};
use meshwright_plan::PlanFile;
use std::path::Path;

pub(crate) fn run(arguments: &PlanArguments, out: Output) -> Outcome {
    if let Some(target) = &arguments.job.target {
        return for_target::run(arguments, target, out);
    }
    let machine = arguments.planning.machine.as_deref();
    let machines = machine.map(scaling::machines).transpose()?.flatten();
    match (machines, machine) {
        (Some(machines), _) => return scaling::run(arguments, &machines, out),
        (None, Some(machine)) if arguments.wanted.is_any() => {
            return scaling::run(arguments, &[machine.to_owned()], out);
        }
        _ if arguments.grid => return grid::run(arguments, out),
        _ => {}
    }
    match pipeline_plan::of_degrees(arguments, out)? {
        Some(pipeline_plan::OfDegrees::Pipeline(found)) => return of_space(arguments, &found, out),
        Some(pipeline_plan::OfDegrees::Plain(planning)) => return plain(arguments, &planning, out),
        None => {}
    }
    if let Some(pipeline::Asked::ToChoose(space)) = pipeline::asked(&arguments.planning, &arguments.pipeline)?
    {
        return of_space(arguments, &pipeline_plan::found(&arguments.planning, &space, out)?, out);
    }
    match &arguments.planning.memory_limit {
        Some(MemoryLimits::Each(limits)) if limits.len() == 1 => {}
        Some(limits) if arguments.pipeline.stages.is_none() => return compare(arguments, limits, out),
        _ => {}
    }
    let of_job = arguments.job.from.as_deref().map(|path| job_file::asked_for(&arguments.planning, path));
    let of_job = of_job.transpose()?;
    let planning = of_job.as_ref().unwrap_or(&arguments.planning);
    let paths = (None, arguments.output.as_deref());
    match best::compile(planning, &arguments.pipeline, planning::NoMachine::Refused, paths, out)? {
        Best::Stopped => Ok(()),
        Best::Stages(planned) => of_pipeline(arguments, &planned, out),
        Best::Whole(planned) => show(arguments, &planned, out),
    }
}

/// Plans without stages.
fn plain(arguments: &PlanArguments, planning: &Planning, out: Output) -> Outcome {
    let Some(planned) =
        planning::compile(planning, planning::NoMachine::Refused, None, arguments.output.as_deref(), out)?
    else {
        return Ok(());
    };
    show(arguments, &planned, out)
}

/// Writes a plan if asked to, and shows it.
pub(crate) fn show(arguments: &PlanArguments, planned: &planning::Planned, out: Output) -> Outcome {
    let plan = &planned.compiled.plan;
    if let Some(path) = &arguments.output {
        output::write(path, plan.to_text().as_bytes())?;
        if path == Path::new("-") {
            return ended(plan);
        }
    }
    if out.json {
        output::print(&plan.to_text())?;
    } else {
        let rows = if arguments.full { Rows::All } else { Rows::Grouped };
        output::print(&text(plan, &planned.source.name, &planned.machine.spec(), rows))?;
    }
    ended(plan)
}

/// Errors: the search was stopped, which leaves the best plan so far.
fn ended(plan: &PlanFile) -> Outcome {
    match plan.unfinished {
        true => Err(Failure::stopped("the plan is the best that was found before, and is marked unfinished")),
        false => Ok(()),
    }
}

/// Shows the best pipeline, and writes it as JSON if asked to.
fn of_space(arguments: &PlanArguments, found: &pipeline_plan::Found, out: Output) -> Outcome {
    let json = output::json(&pipeline_plan::json(found));
    shown(arguments, out, (&json, &json), &|| pipeline_plan::text(found))
}

/// Shows a pipeline, and writes its plan if asked to.
fn of_pipeline(arguments: &PlanArguments, planned: &pipeline::Planned, out: Output) -> Outcome {
    let json = output::json(&pipeline::json(planned));
    shown(arguments, out, (&json, &planned.pipelined.plan.to_text()), &|| pipeline::text(planned))
}

fn shown(
    arguments: &PlanArguments,
    out: Output,
    (json, written): (&str, &str),
    text: &dyn Fn() -> String,
) -> Outcome {
    if let Some(path) = &arguments.output {
        output::write(path, written.as_bytes())?;
        if path == Path::new("-") {
            return Ok(());
        }
    }
    output::print(&if out.json { json.to_owned() } else { text() })
}

/// Plans for several limits on memory.
fn compare(arguments: &PlanArguments, limits: &MemoryLimits, out: Output) -> Outcome {
    let stages = &arguments.planning.stages;
    if arguments.output.is_some() || stages.stop_after.is_some() || !stages.dump_after.is_empty() {
        let message = "several memory limits make several plans: `--output`, `--dump-after` and `--stop-after` take one";
        return Err(Failure::usage(message));
    }
    if !arguments.planning.degrees.is_empty() || arguments.job.from.is_some() {
        let message = "`--as`, `--tp` and their like, and `--from`, are priced beside one plan: give one memory limit, or leave it away";
        return Err(Failure::usage(message));
    }
    let inputs = planning::Inputs::read(&arguments.planning, planning::NoMachine::Refused, None, out)?;
    sweep::run(&inputs, limits, out)
}
