//! What `check`, `plan` and `compile` share of pipelines: from flags to the programs of all stages.

use crate::args::{MemoryLimits, PipelineArguments, Planning};
use crate::failure::{Failure, Outcome};
use crate::planning::{self, Inputs, NoMachine};
use crate::terminal::Terminal;
use crate::{input, schedule};
use meshwright_compile::{Microbatches, PipelineOptions, Pipelined, ScheduleChoice, pipeline};
use meshwright_ir::diagnostic::Source;
use meshwright_machine::Machine;
use meshwright_plan::Table;
use meshwright_schedule::named;
use std::path::Path;

/// The schedule that a pipeline has if nobody says another.
const USUAL: &str = "1f1b";

/// A pipeline, where its program comes from, and for what it is.
pub(crate) struct Planned {
    /// The program's text.
    pub(crate) source: Source,
    /// The machine.
    pub(crate) machine: Machine,
    /// What the compiler made of it.
    pub(crate) pipelined: Pipelined,
}

/// Reads a program and makes a pipeline of it, if one is asked for.
pub(crate) fn compile(
    planning: &Planning,
    arguments: &PipelineArguments,
    no_machine: NoMachine,
) -> Outcome<Option<Planned>> {
    let Some(wanted) = wanted(planning, arguments)? else { return Ok(None) };
    let inputs = Inputs::read(planning, no_machine, None)?;
    let terminal = Terminal::new(&planning.stages);
    let made = pipeline(&inputs.program, &inputs.machine, &inputs.options, &wanted, &terminal);
    terminal.wipe();
    let Inputs { source, machine, .. } = inputs;
    match made {
        Ok(pipelined) => Ok(Some(Planned { source, machine, pipelined })),
        Err(error) => Err(planning::failure(error, &source, None)),
    }
}

/// The pipeline that flags ask for.
fn wanted(planning: &Planning, arguments: &PipelineArguments) -> Outcome<Option<PipelineOptions>> {
    let Some(groups) = arguments.stages else { return Ok(None) };
    let Some(Microbatches::Number(microbatches)) = planning.microbatches else {
        return Err(Failure::usage("a pipeline needs the number of its microbatches: `--microbatches 8`"));
    };
    if matches!(planning.memory_limit, Some(MemoryLimits::Sweep)) {
        return Err(Failure::usage("a pipeline takes one `--memory-limit`"));
    }
    let name = arguments.schedule.as_deref().unwrap_or(USUAL);
    let schedule = match named(name) {
        Some(named) => ScheduleChoice::Named(named),
        None => ScheduleChoice::Table(table(name)?),
    };
    let virtual_stages = arguments.virtual_stages;
    Ok(Some(PipelineOptions { groups, virtual_stages, microbatches, schedule }))
}

/// The table in a file.
fn table(path: &str) -> Outcome<meshwright_plan::Schedule> {
    if !Path::new(path).exists() {
        let names: Vec<&str> = meshwright_schedule::SCHEDULES.iter().map(|known| known.name).collect();
        let message = format!("there is no schedule `{path}`, nor such a file; the names are {}", names.join(", "));
        return Err(Failure::usage(message));
    }
    let source = input::text(Path::new(path), "table")?;
    let schedule = schedule::read(&source)?;
    Table::of(&schedule).map_err(|faults| schedule::at_fault(&source, faults))?;
    Ok(schedule)
}

/// The pipeline as text.
pub(crate) fn text(pipelined: &Pipelined, source: &Source, machine: &Machine) -> String {
    let programs = &pipelined.programs;
    let (groups, microbatches) = (programs.groups.len(), programs.num_microbatches);
    let each = pipelined.staged.count / groups.max(1);
    let stages = if each > 1 { format!(", {each} virtual stages each") } else { String::new() };
    format!(
        "{} on {}: pipeline parallel over {groups}{stages}, {microbatches} microbatches\n",
        source.name,
        machine.spec()
    )
}

/// The same as JSON.
pub(crate) fn json(pipelined: &Pipelined, machine: &Machine) -> serde_json::Value {
    let programs = &pipelined.programs;
    serde_json::json!({
        "machine": machine.spec(),
        "num_groups": programs.groups.len(),
        "num_stages": pipelined.staged.count,
        "num_microbatches": programs.num_microbatches,
    })
}
