//! `meshwright simulate`: what each group does when, by a table and the seconds of its phases, or by a plan that says them.

use crate::args::{Output, PhaseCosts, SimulateArguments};
use crate::failure::{Failure, Outcome, warn};
use crate::pipeline::table;
use crate::schedule::{SEARCH, checked, shared};
use crate::{input, output, planning};
use meshwright_compile::{
    CompileError, OWN_TABLE, ScheduleChoice, Simulated, WhatIf, simulated_plan, slowdowns,
};
use meshwright_ir::diagnostic::{Check, Source};
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::{PlanFile, Table, Timeline};
use meshwright_present::timeline::{self, Kept};
use meshwright_schedule::named;
use meshwright_simulate::{Bubbles, simulate};
use serde_json::{Value, json};

/// A group would need more memory than there is.
const FITS: Check = Check("memory");

pub(crate) fn run(arguments: &SimulateArguments, out: Output) -> Outcome {
    let path = match arguments.schedule.is_dir() {
        true => arguments.schedule.join("plan.json"),
        false => arguments.schedule.clone(),
    };
    let source = input::text(&path, "plan or table")?;
    match source.text.trim_start().starts_with('{') {
        true => of_plan(arguments, &source, out),
        false => of_table(arguments, &source, out),
    }
}

fn of_table(arguments: &SimulateArguments, source: &Source, out: Output) -> Outcome {
    if arguments.microbatches.is_some() || arguments.other.is_some() {
        let message = "`--microbatches` and `--schedule` change a plan; of a table `meshwright schedule` writes another one";
        return Err(Failure::usage(message));
    }
    let bandwidth = arguments.link_bandwidth.unwrap_or(1.0);
    let costs = arguments.costs.costs.unwrap_or_default();
    let found = SimulatedPlan::of_table(source, &costs, bandwidth, &arguments.slow)
        .map_err(|error| planning::failure(error, source, None))?;
    drawn(arguments, &found.timeline)?;
    output::print(&if out.json { output::json(&found.json) } else { found.text })
}

fn of_plan(arguments: &SimulateArguments, source: &Source, out: Output) -> Outcome {
    if arguments.costs.costs.is_some() {
        return Err(Failure::usage("a plan says what its phases take: `--costs` is for tables"));
    }
    let plan = planning::read_plan(source)?;
    let schedule = arguments.other.as_deref().map(|name| match named(name) {
        Some(named) => Ok(ScheduleChoice::Named(named)),
        None if name == SEARCH => Ok(ScheduleChoice::Search),
        None => table(name).map(ScheduleChoice::Table),
    });
    let what_if = WhatIf {
        microbatches: arguments.microbatches,
        schedule: schedule.transpose()?,
        link_bandwidth: arguments.link_bandwidth.unwrap_or(1.0),
        slow: arguments.slow.clone(),
    };
    let found = SimulatedPlan::of(&plan, &source.name, &what_if)
        .map_err(|error| planning::failure(error, source, Some(source)))?;
    if let Some(message) = found.too_large {
        warn(FITS, message, None, out);
    }
    drawn(arguments, &found.timeline)?;
    output::print(&if out.json { output::json(&found.json) } else { found.text })
}

/// A plan or a table that was simulated, as both doors show it.
pub struct SimulatedPlan {
    /// For people.
    pub text: String,
    /// As data.
    pub json: Value,
    /// What runs when.
    pub timeline: Timeline,
    /// That a group would need more memory than the plan may use.
    pub too_large: Option<String>,
}

impl SimulatedPlan {
    /// Simulates a table whose phases take so long, with links between groups of a bandwidth (a factor) and slow groups.
    ///
    /// # Errors
    /// [`CompileError::Diagnostics`]: what is wrong with the table. [`CompileError::Options`]: as of [`slowdowns`].
    pub fn of_table(
        source: &Source,
        costs: &PhaseCosts,
        link_bandwidth: f64,
        slow: &[(usize, f64)],
    ) -> Result<Self, CompileError> {
        let schedule = checked(source)?;
        let table = Table::of(&schedule).expect("it was checked");
        let mut costs = shared(&table, costs.phases, costs.transfer).with_transfers(1.0 / link_bandwidth);
        costs.slowdowns = slowdowns(slow, table.rows.len())?;
        let timeline = simulate(&table, &costs);
        Ok(Self {
            text: timeline::text(&table, &timeline, Kept::Microbatches),
            json: timeline::json(&table, &timeline, Kept::Microbatches),
            too_large: None,
            timeline,
        })
    }

    /// Simulates a plan of a name.
    ///
    /// # Errors
    /// As of [`simulated_plan`].
    pub fn of(plan: &PlanFile, name: &str, what_if: &WhatIf) -> Result<Self, CompileError> {
        let found = simulated_plan(plan, what_if)?;
        let planned = simulated_plan(plan, &WhatIf::default())?;
        let table = Table::of(&found.schedule).expect("what was simulated can run");
        let Simulated { timeline, memory, .. } = &found;
        let mut json = timeline::json(&table, timeline, Kept::Bytes);
        json["machine"] = json!(plan.machine);
        json["schedule"] = json!(found.name);
        json["memory_bytes"] = json!(memory.iter().map(|bytes| bytes.0).collect::<Vec<_>>());
        json["planned_step_seconds"] = json!(planned.timeline.step());
        let schedule = found.name.unwrap_or(OWN_TABLE);
        let text = timeline::text(&table, timeline, Kept::Bytes);
        let beside = if *timeline == planned.timeline { String::new() } else { beside(&planned) };
        Ok(Self {
            text: format!("{name} on {}, {schedule}\n{text}{beside}", plan.machine),
            json,
            too_large: too_large(memory, plan),
            timeline: found.timeline,
        })
    }
}

/// The plan, beside what it would be.
fn beside(planned: &Simulated) -> String {
    format!(
        "\nas planned, with {}: step {}, bubble {:.1} %\n",
        planned.name.unwrap_or(OWN_TABLE),
        Seconds(planned.timeline.step()),
        100.0 * Bubbles::of(&planned.timeline).of_total,
    )
}

fn too_large(memory: &[Bytes], plan: &PlanFile) -> Option<String> {
    let limit = Bytes(plan.memory.limit_bytes);
    let (group, needed) = memory.iter().enumerate().max_by_key(|(_, bytes)| **bytes)?;
    (limit.0 > 0 && *needed > limit)
        .then(|| format!("group {group} would need {needed} on each device, and there are {limit}"))
}

/// Writes the trace and the picture that are wanted.
fn drawn(arguments: &SimulateArguments, found: &Timeline) -> Outcome {
    if let Some(path) = &arguments.trace {
        let text = format!("{}\n", timeline::trace(found));
        output::write(path, text.as_bytes())?;
    }
    if let Some(path) = &arguments.svg {
        output::write(path, timeline::picture(found).as_bytes())?;
    }
    Ok(())
}
