//! `meshwright schedule`: writes the table of a schedule, looks for a better one, or checks one.

use crate::args::{CostArguments, Output, ScheduleArguments, ScheduleCommand, VerifyArguments};
use crate::failure::{Failure, Finding, Outcome, warn};
use crate::terminal::Terminal;
use crate::{input, output};
use meshwright_ir::diagnostic::{Diagnostic, Source, Span};
use meshwright_plan::schedule_text::{SCHEDULE, places};
use meshwright_plan::table::Fault;
use meshwright_plan::{Schedule, Table, Timeline};
use meshwright_present::timeline::{self, Kept};
use meshwright_schedule::synthesis::{self, Objective, Problem};
use meshwright_schedule::{Number, Refusal, Stages, named};
use meshwright_simulate::{Bubbles, Costs, simulate};
use serde_json::json;
use std::path::Path;

/// The name that asks for a search.
pub(crate) const SEARCH: &str = "search";

pub(crate) fn run(arguments: &ScheduleArguments, out: Output) -> Outcome {
    if let Some(ScheduleCommand::Verify(arguments)) = &arguments.command {
        return verify(arguments, out);
    }
    let (Some(name), Some(groups), Some(microbatches)) =
        (&arguments.name, arguments.stages, arguments.microbatches)
    else {
        return Err(Failure::usage("name the schedule, its `--stages` and its `--microbatches`"));
    };
    let known = named(name);
    let virtual_stages = arguments.virtual_stages;
    let stages = Stages {
        groups,
        virtual_stages: virtual_stages.or(known.map(|known| known.virtual_stages)).unwrap_or(1),
        microbatches,
        layers: arguments.layers,
    };
    stages.can_be_written().map_err(|refusal| refused(&refusal))?;
    let found = match known {
        Some(known) => {
            Found { schedule: known.table(&stages).map_err(|refusal| refused(&refusal))?, search: None }
        }
        None => search(arguments, groups, microbatches)?,
    };
    let table = Table::of(&found.schedule).map_err(|faults| Failure::defect(&faults[0].message.clone()))?;
    let timeline = simulate(&table, &costs(&arguments.costs, &table));
    if microbatches < groups {
        few_microbatches(groups, microbatches, &timeline, out);
    }
    written(arguments, name, &found, &table, &timeline, out)
}

/// Warns of a pipeline that never fills.
fn few_microbatches(groups: usize, microbatches: usize, timeline: &Timeline, out: Output) {
    let bubble = 100.0 * Bubbles::of(timeline).of_total;
    let message = format!(
        "{microbatches} microbatches never fill {groups} groups, which wait for {bubble:.0} % of the step"
    );
    warn(SCHEDULE, message, Some(format!("take at least `--microbatches {groups}`")), out);
}

/// A table, and what a search says of it.
struct Found {
    schedule: Schedule,
    search: Option<synthesis::Answer>,
}

fn refused(refusal: &Refusal) -> Failure {
    let flag = match refusal.number {
        Number::Groups => "--stages",
        Number::VirtualStages => "--virtual-stages",
        Number::Microbatches => "--microbatches",
    };
    let values: Vec<String> = refusal.nearest.iter().map(|value| format!("`{flag} {value}`")).collect();
    let diagnostic = Diagnostic::error(crate::failure::USAGE, Span::NONE, refusal.rule.clone());
    Failure::Usage(Box::new(diagnostic.hint(format!("it is possible with {}", values.join(" or ")))))
}

fn search(arguments: &ScheduleArguments, groups: usize, microbatches: usize) -> Outcome<Found> {
    let given = arguments.costs.costs;
    if arguments.virtual_stages.is_some() || arguments.layers.is_some_and(|layers| layers < 2 * groups) {
        let message = "a search chooses among one and two stages on each group";
        return Err(Failure::usage(message));
    }
    let phases = given.phases.map(|seconds| seconds / 2.0);
    let mut costs = Costs::uniform(2 * groups, phases, given.transfer);
    for stage in &mut costs.stages {
        (stage.kept, stage.kept_for_weights) = (0.5, 0.5);
    }
    let limit = arguments.keep.unwrap_or(groups as f64);
    let problem = Problem { groups, microbatches, costs, limit, objective: Objective::Makespan };
    let terminal = Terminal::plain().listening();
    let answer = synthesis::search(&problem, &terminal);
    terminal.wipe();
    let answer = answer.ok_or_else(|| {
        let message = format!("no table keeps at most {limit} microbatches: each group has to keep one");
        Failure::check(Diagnostic::error(SCHEDULE, Span::NONE, message).hint("allow more with `--keep 1`"))
    })?;
    Ok(Found { schedule: answer.schedule.clone(), search: Some(answer) })
}

fn written(
    arguments: &ScheduleArguments,
    name: &str,
    found: &Found,
    table: &Table<'_>,
    timeline: &Timeline,
    out: Output,
) -> Outcome {
    let path = arguments.output.as_deref();
    let text = found.schedule.to_string();
    if let Some(path) = path {
        output::write(path, text.as_bytes())?;
    }
    if out.json {
        let mut result = timeline::json(table, timeline, Kept::Microbatches);
        result["schedule"] = json!(name);
        if let Some(answer) = &found.search {
            result["lower_bound_seconds"] = json!(answer.bound);
            result["best_named"] = json!(answer.best_named.as_ref().map(|best| best.name));
            result["best_named_step_seconds"] = json!(answer.best_named.as_ref().map(|best| best.value));
        }
        if path.is_none() {
            result["rows"] = json!(text.lines().collect::<Vec<_>>());
        }
        return output::print(&output::json(&result));
    }
    match path {
        None => output::print(&text),
        Some(path) if path == Path::new("-") => Ok(()),
        Some(_) => output::print(&format!(
            "{}{}",
            searched(found),
            timeline::text(table, timeline, Kept::Microbatches)
        )),
    }
}

/// How the table that was found stands beside others.
fn searched(found: &Found) -> String {
    let Some(answer) = &found.search else { return String::new() };
    let more = |value: f64| format!("{:.2} % more", 100.0 * (value / answer.value - 1.0));
    let named = answer
        .best_named
        .as_ref()
        .map(|best| format!("; the best that has a name, {}: {}", best.name, more(best.value)));
    let gap = 100.0 * (1.0 - answer.bound / answer.value);
    format!("found   at most {gap:.2} % above the least possible{}\n", named.unwrap_or_default())
}

fn verify(arguments: &VerifyArguments, out: Output) -> Outcome {
    let source = input::text(&arguments.schedule, "table")?;
    let schedule = read(&source)?;
    let table = Table::of(&schedule).map_err(|faults| at_fault(&source, faults))?;
    let timeline = simulate(&table, &shared(&table, [1.0; 3], 0.0));
    let peak = (0..timeline.groups.len()).map(|group| (timeline.peak(group), group));
    let (most, group) = peak.fold((0.0, 0), |best, other| if other.0 > best.0 { other } else { best });
    if let Some(limit) = arguments.keep.filter(|limit| most > *limit) {
        let message = format!("group {group} keeps {most} microbatches at once, more than {limit}");
        return Err(Failure::check(Diagnostic::error(SCHEDULE, Span::NONE, message)));
    }
    let (stages, microbatches) = (table.num_stages, table.num_microbatches);
    if out.json {
        let result = json!({
            "groups": table.rows.len(),
            "stages": stages,
            "microbatches": microbatches,
            "peak_kept_microbatches": most,
        });
        return output::print(&output::json(&result));
    }
    output::print(&format!(
        "{} groups run {stages} stages for {microbatches} microbatches, each action once; none waits forever\n\
         group {group} keeps most: {most} microbatches at once\n",
        table.rows.len()
    ))
}

/// Reads a table.
pub(crate) fn read(source: &Source) -> Outcome<Schedule> {
    Schedule::from_table(&source.text).map_err(|problems| Failure::input(source, problems))
}

/// What is wrong with a table, at its places.
pub(crate) fn at_fault(source: &Source, faults: Vec<Fault>) -> Failure {
    let places = places(&source.text);
    let finding = |Fault { place, message }: Fault| {
        let span = place.and_then(|(row, position)| places.get(row)?.get(position).copied());
        let diagnostic = Diagnostic::error(SCHEDULE, span.unwrap_or(Span::NONE), message);
        Finding { diagnostic, source: Some(source.clone()) }
    };
    Failure::Input(faults.into_iter().map(finding).collect())
}

/// Costs of the stages of a table.
pub(crate) fn costs(arguments: &CostArguments, table: &Table<'_>) -> Costs {
    shared(table, arguments.costs.phases, arguments.costs.transfer)
}

/// Costs of a group, shared by its stages; what it keeps of a microbatch counts as 1.
fn shared(table: &Table<'_>, phases: [f64; 3], transfer: f64) -> Costs {
    let share = table.rows.len() as f64 / table.num_stages as f64;
    let mut costs = Costs::uniform(table.num_stages, phases.map(|seconds| seconds * share), transfer);
    for stage in &mut costs.stages {
        (stage.kept, stage.kept_for_weights) = (share, share);
    }
    costs
}
