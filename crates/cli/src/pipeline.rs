//! What `check`, `plan` and `compile` share of pipelines: from flags to the programs of all stages.

use crate::args::{MemoryLimits, Output, PipelineArguments, Planning};
use crate::failure::{Failure, Outcome};
use crate::planning::{self, Inputs, NoMachine};
use crate::table::{Lean, render};
use crate::terminal::Terminal;
use crate::{input, pipeline_plan, plural, schedule};
use meshwright_compile::{
    Microbatches, Numbers, Options, ParallelDegrees, PipelineOptions, PipelineSpace, Pipelined, Recompute,
    ScheduleChoice, StageFigures, pipeline,
};
use meshwright_ir::diagnostic::Source;
use meshwright_machine::{Bytes, Machine};
use meshwright_plan::Table;
use meshwright_present::wrap::wrap;
use meshwright_schedule::named;
use serde_json::json;
use std::path::Path;

/// The schedule that a pipeline has if nobody says another.
const USUAL: &str = "1f1b";

/// A pipeline, where its program comes from, and for what it is.
pub(crate) struct Planned {
    /// The program's text.
    pub(crate) source: Source,
    /// The machine.
    pub(crate) machine: Machine,
    /// What the compiler was asked for.
    pub(crate) options: Options,
    /// What the compiler made of it.
    pub(crate) pipelined: Pipelined,
}

/// Reads a program and makes a pipeline of it, if flags or a plan that was made earlier ask for one; where numbers are to be
/// chosen, the best of them.
pub(crate) fn compile(
    planning: &Planning,
    arguments: &PipelineArguments,
    no_machine: NoMachine,
    plan: Option<&Path>,
    out: Output,
) -> Outcome<Option<Planned>> {
    let planned = plan.map(of_plan).transpose()?.flatten();
    let (wanted, plan) = match (planned, asked(planning, arguments)?) {
        (Some(_), Some(_)) => {
            return Err(Failure::usage("`--plan` says which stages there are: leave `--stages` out"));
        }
        (Some(planned), None) => (Asked::For(planned), plan),
        (None, Some(_)) if plan.is_some() => {
            return Err(Failure::usage("the plan has no stages: leave out `--plan`, or `--stages`"));
        }
        (None, Some(wanted)) => (wanted, None),
        (None, None) => return Ok(None),
    };
    match wanted {
        Asked::OfWay(_) => pipeline_plan::must_be_known_of_degrees(planning, arguments)?,
        _ => must_be_known(planning, plan)?,
    }
    let (wanted, inputs) = match wanted {
        Asked::For(wanted) => {
            let inputs = Inputs::of_groups(planning, no_machine, wanted.groups, plan, out)?;
            (wanted, inputs)
        }
        Asked::OfWay(way) => {
            let mut inputs = Inputs::of_groups(planning, no_machine, way.groups(), plan, out)?;
            (pipeline_plan::of_way(planning, &mut inputs, way)?, inputs)
        }
        Asked::ToChoose(space) => pipeline_plan::chosen(planning, &space, out)?,
    };
    let mut inputs = inputs;
    inputs.options.memory_limit = planning.memory_limit.as_ref().and_then(MemoryLimits::least);
    let terminal = Terminal::new(&planning.stages);
    let made = pipeline(&inputs.program, &inputs.machine, &inputs.options, &wanted, &terminal);
    terminal.wipe();
    let Inputs { source, machine, plan, options, .. } = inputs;
    let pipelined = made.map_err(|error| planning::failure(error, &source, plan.as_ref()))?;
    terminal.finish(out)?;
    terminal.show_warnings(&source, out);
    let limit = planning.memory_limit.as_ref().and_then(MemoryLimits::least);
    match pipelined.misfit(limit.unwrap_or(machine.device.usable_memory())) {
        Some(problem) => Err(Failure::check(problem)),
        None => Ok(Some(Planned { source, machine, options, pipelined })),
    }
}

/// The pipeline of a plan that was made earlier, if it is of one.
fn of_plan(path: &Path) -> Outcome<Option<PipelineOptions>> {
    let source = input::text(path, "plan")?;
    let plan = planning::read_plan(&source)?;
    PipelineOptions::of_plan(&plan).map_err(|error| planning::failure(error, &source, Some(&source)))
}

/// Refuses flags that say nothing of pipelines that are made, rather than to pass them over.
pub(crate) fn must_be_known(planning: &Planning, plan: Option<&Path>) -> Outcome {
    let flags = [
        ("--microbatches", plan.is_some() && planning.fitting.microbatches.is_some()),
        ("--recompute", plan.is_some() && !planning.fitting.recompute.is_empty()),
        ("--microbatch-size", planning.fitting.microbatch_size.is_some()),
        ("--tiles", planning.fitting.tiles.is_some()),
        ("--offload", !planning.fitting.offload.is_empty()),
        ("--stop-after", planning.stages.stop_after.is_some()),
        ("--pin", !planning.pins.is_empty() && planning.mesh.is_none()),
    ];
    match flags.into_iter().find(|(_, is_given)| *is_given) {
        Some(("--pin", _)) => {
            Err(Failure::usage("`--pin` in a pipeline needs the mesh of each group: give `--mesh`"))
        }
        Some((flag @ ("--microbatches" | "--recompute"), _)) => {
            Err(Failure::usage(format!("`--plan` of a pipeline says that already: leave `{flag}` out")))
        }
        Some((flag, _)) => {
            Err(Failure::usage(format!("`{flag}` is not for pipelines: leave it out, or `--stages`")))
        }
        None => Ok(()),
    }
}

/// Refuses a search for what a pipeline makes again where its programs are made: they follow one answer for all stages.
fn must_not_search_recompute(planning: &Planning) -> Outcome {
    match planning.fitting.recompute.contains(&Recompute::Search) {
        true => Err(Failure::usage(
            "what a pipeline makes again is not searched: give `--recompute none`, `selective`, `full` or names of values",
        )),
        false => Ok(()),
    }
}

/// What flags ask for.
pub(crate) enum Asked {
    /// A pipeline of these numbers.
    For(PipelineOptions),
    /// The pipeline whose groups are sharded as a way says.
    OfWay(ParallelDegrees),
    /// The best of several.
    ToChoose(PipelineSpace),
}

/// The pipelines that flags ask for.
pub(crate) fn asked(planning: &Planning, arguments: &PipelineArguments) -> Outcome<Option<Asked>> {
    let Some(groups) = arguments.stages.clone() else { return of_way(planning) };
    if matches!(planning.memory_limit, Some(MemoryLimits::Sweep)) {
        return Err(Failure::usage("a pipeline takes one `--memory-limit`"));
    }
    let missing = || Failure::usage("a pipeline needs the number of its microbatches: `--microbatches 8`");
    let microbatches = planning.fitting.microbatches.ok_or_else(missing)?;
    let name = arguments.schedule.as_deref();
    let (groups, microbatches, virtual_stages) =
        match (groups, microbatches, arguments.virtual_stages.clone()) {
            (Numbers::These(groups), Microbatches::Number(microbatches), virtual_stages)
                if groups.len() == 1 && virtual_stages.as_ref().is_none_or(is_one) =>
            {
                let virtual_stages = virtual_stages.and_then(|numbers| match numbers {
                    Numbers::These(numbers) => numbers.first().copied(),
                    Numbers::Search => None,
                });
                (groups[0], microbatches, virtual_stages)
            }
            (groups, microbatches, virtual_stages) => {
                let microbatches = match microbatches {
                    Microbatches::Number(number) => Numbers::These(vec![number]),
                    Microbatches::Search => Numbers::Search,
                };
                let schedules = match name {
                    None | Some(schedule::SEARCH) => Vec::new(),
                    Some(name) => vec![named(name).ok_or_else(|| unknown(name))?],
                };
                let virtual_stages = virtual_stages.unwrap_or(Numbers::Search);
                let space =
                    PipelineSpace { groups, virtual_stages, microbatches, schedules, faster_than: None };
                return Ok(Some(Asked::ToChoose(space)));
            }
        };
    must_not_search_recompute(planning)?;
    let name = name.unwrap_or(USUAL);
    let schedule = match named(name) {
        Some(named) => ScheduleChoice::Named(named),
        None if name == schedule::SEARCH => match virtual_stages {
            None => ScheduleChoice::Search,
            Some(_) => return Err(Failure::usage("a search chooses among one and two stages on each group")),
        },
        None => ScheduleChoice::Table(table(name)?),
    };
    Ok(Some(Asked::For(PipelineOptions { groups, virtual_stages, microbatches, schedule, stages: None })))
}

/// The pipeline that degrees say singly, `--pp` and its like.
fn of_way(planning: &Planning) -> Outcome<Option<Asked>> {
    let degrees = planning.degrees.space().map_err(Failure::usage)?;
    Ok(degrees.only().filter(|way| way.groups() > 1).map(Asked::OfWay))
}

fn is_one(numbers: &Numbers) -> bool {
    matches!(numbers, Numbers::These(numbers) if numbers.len() == 1)
}

fn unknown(name: &str) -> Failure {
    let names: Vec<&str> = meshwright_schedule::SCHEDULES.iter().map(|known| known.name).collect();
    Failure::usage(format!(
        "where numbers are chosen, so is a schedule that has a name, and `{name}` is none; the names are {}",
        names.join(", ")
    ))
}

/// The table in a file.
fn table(path: &str) -> Outcome<meshwright_plan::Schedule> {
    if !Path::new(path).exists() {
        let names: Vec<&str> = meshwright_schedule::SCHEDULES.iter().map(|known| known.name).collect();
        let message =
            format!("there is no schedule `{path}`, nor such a file; the names are {}", names.join(", "));
        return Err(Failure::usage(message));
    }
    let source = input::text(Path::new(path), "table")?;
    let schedule = schedule::read(&source)?;
    Table::of(&schedule).map_err(|faults| schedule::at_fault(&source, faults))?;
    Ok(schedule)
}

/// The pipeline as text: what it is, a line for each stage, and what crosses.
pub(crate) fn text(planned: &Planned) -> String {
    let Planned { source, machine, pipelined, .. } = planned;
    let Pipelined { programs, figures, staged, .. } = pipelined;
    let groups = programs.groups.len();
    let each = staged.count / groups.max(1);
    let stages = if each > 1 { format!(", {each} virtual stages each") } else { String::new() };
    let copies = if programs.copies > 1 { ", two copies of the weights" } else { "" };
    let recompute = pipelined.recompute.as_ref().map(|words| format!(", recompute {words}"));
    let recompute = recompute.unwrap_or_default();
    let mesh = &programs.groups[0].mesh;
    let inside = if mesh.num_devices() > 1 { format!(", {mesh} inside") } else { String::new() };
    let head = format!(
        "{} on {}\npipeline parallel over {groups}{stages}{inside}, {} microbatches, {}{copies}{recompute}\n\
         step {}, bubble {:.1} %, slowest stage {:.3} of the mean\n\n",
        source.name,
        machine.spec(),
        programs.num_microbatches,
        pipelined.schedule.unwrap_or("a table of its own"),
        figures.step(),
        100.0 * figures.bubble(),
        figures.imbalance(),
    );
    // Without a phase for each gradient, both are made by one.
    let is_apart = figures.stages.iter().any(|stage| stage.weight_gradient.0 > 0.0);
    let mut columns = vec![
        ("stage", Lean::Right),
        ("group", Lean::Left),
        ("lines", Lean::Left),
        ("parameters", Lean::Right),
        ("state", Lean::Right),
        ("kept", Lean::Right),
        ("forward", Lean::Right),
        (if is_apart { "input gradient" } else { "backward" }, Lean::Right),
    ];
    columns.extend(is_apart.then_some(("weight gradient", Lean::Right)));
    columns.push(("update", Lean::Right));
    let row = |(stage, own): (usize, &StageFigures)| {
        let mut cells = vec![
            stage.to_string(),
            own.groups.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
            lines(own, source).map_or_else(|| "-".to_owned(), |(first, last)| format!("{first}-{last}")),
            own.parameters.len().to_string(),
            own.state.to_string(),
            own.kept.to_string(),
            own.forward.to_string(),
            own.input_gradient.to_string(),
        ];
        cells.extend(is_apart.then(|| own.weight_gradient.to_string()));
        cells.push(own.update.to_string());
        cells
    };
    let rows: Vec<Vec<String>> = figures.stages.iter().enumerate().map(row).collect();
    let crossing = figures.stages.windows(2).enumerate().map(|(stage, pair)| {
        let [(up, values), (down, gradients)] = [pair[0].up, pair[1].down];
        format!(
            "{stage} -> {}: {up} up in {}, {down} down in {}\n",
            stage + 1,
            plural::count(values, "value"),
            plural::count(gradients, "value"),
        )
    });
    let crossing: String = crossing.collect();
    let why: String = pipelined.plan.reasons.iter().map(|reason| wrap("", reason)).collect();
    let why = if why.is_empty() { why } else { format!("\n{why}") };
    format!("{head}{}\n{crossing}{}{why}", render(&columns, &rows), shared(pipelined))
}

/// Lines of the source from the first to the last instruction of a stage's forward pass.
fn lines(stage: &StageFigures, source: &Source) -> Option<(usize, usize)> {
    stage.source.map(|(first, last)| (source.place(first).line, source.place(last).line))
}

/// The parameters that several stages read.
fn shared(pipelined: &Pipelined) -> String {
    let readers = pipelined.staged.update.readers.iter().enumerate();
    let several = readers.filter(|(_, stages)| stages.len() > 1);
    let line = |(index, stages): (usize, &std::collections::BTreeSet<usize>)| {
        let stages: Vec<String> = stages.iter().map(usize::to_string).collect();
        let bytes = pipelined.function.body.ty(pipelined.function.args()[index]).num_bytes() as u64;
        format!(
            "argument {index} is read by stages {}: {} are sent twice in a step\n",
            stages.join(" and "),
            Bytes(bytes)
        )
    };
    several.map(line).collect()
}

/// The same as JSON.
pub(crate) fn json(planned: &Planned) -> serde_json::Value {
    let Planned { source, machine, pipelined, .. } = planned;
    let Pipelined { programs, figures, staged, .. } = pipelined;
    let stage = |(number, own): (usize, &StageFigures)| {
        let lines = lines(own, source);
        json!({
            "stage": number,
            "groups": own.groups,
            "first_line": lines.map(|(first, _)| first),
            "last_line": lines.map(|(_, last)| last),
            "parameters": own.parameters,
            "state_bytes": own.state.0,
            "accumulator_bytes": own.gathered.0,
            "kept_bytes": own.kept.0,
            "forward_seconds": own.forward.0,
            "input_gradient_seconds": own.input_gradient.0,
            "weight_gradient_seconds": own.weight_gradient.0,
            "update_seconds": own.update.0,
            "up_bytes": own.up.0.0,
            "down_bytes": own.down.0.0,
        })
    };
    json!({
        "machine": machine.spec(),
        "schedule": pipelined.schedule,
        "recompute": pipelined.recompute,
        "groups": programs.groups.len(),
        "mesh": programs.groups[0].mesh.to_string(),
        "stages": figures.stages.iter().enumerate().map(stage).collect::<Vec<_>>(),
        "virtual_stages": staged.count / programs.groups.len().max(1),
        "copies": programs.copies,
        "microbatches": programs.num_microbatches,
        "step_seconds": figures.step().0,
        "bubble_share": figures.bubble(),
        "imbalance": figures.imbalance(),
        "memory_bytes": pipelined.memory.iter().map(|bytes| bytes.0).collect::<Vec<_>>(),
        "rows": pipelined.table.to_string().lines().collect::<Vec<_>>(),
    })
}
