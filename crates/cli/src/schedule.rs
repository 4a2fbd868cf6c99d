//! `meshwright schedule`: writes the table of a schedule, looks for a better one, or checks one.

use crate::args::{Output, PhaseCosts, ScheduleArguments, ScheduleCommand, VerifyArguments};
use crate::failure::{Failure, Outcome, warn};
use crate::terminal::Terminal;
use crate::{input, output, planning};
use meshwright_compile::CompileError;
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::{Diagnostic, Source, Span};
use meshwright_plan::schedule_text::{SCHEDULE, places};
use meshwright_plan::table::Fault;
use meshwright_plan::{Schedule, Table, Timeline};
use meshwright_present::timeline::{self, Kept};
use meshwright_schedule::synthesis::{self, Objective, Problem, USUAL};
use meshwright_schedule::{Number, Refusal, Stages, named, names};
use meshwright_simulate::{Bubbles, Costs, simulate};
use serde_json::{Value, json};
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
    let wanted = WantedTable {
        name: name.clone(),
        groups,
        virtual_stages: arguments.virtual_stages,
        microbatches,
        layers: arguments.layers,
        costs: arguments.costs.costs.unwrap_or_default(),
        keep: arguments.keep,
    };
    let terminal = Terminal::plain().listening();
    let made = MadeTable::of(&wanted, &terminal);
    terminal.wipe();
    let made = made.map_err(failure)?;
    if let Some(message) = &made.never_full {
        warn(SCHEDULE, message.clone(), Some(format!("take at least `--microbatches {groups}`")), out);
    }
    written(arguments, made, out)
}

/// A table that is wanted.
#[derive(Clone, Debug)]
pub struct WantedTable {
    /// The name of its schedule, or `search`.
    pub name: String,
    /// Groups of devices.
    pub groups: usize,
    /// Stages of each group. `None`: those that the schedule is known for; of a search, those that are usual.
    pub virtual_stages: Option<usize>,
    /// Microbatches of a step.
    pub microbatches: usize,
    /// Layers of the model; no stage has less than one.
    pub layers: Option<usize>,
    /// What phases and transfers take.
    pub costs: PhaseCosts,
    /// Of a search: microbatches that a group may keep at once. `None`: as many as 1F1B.
    pub keep: Option<f64>,
}

/// A table that was made, as both doors show it.
pub struct MadeTable {
    /// The table as text, a row for each group.
    pub table: String,
    /// What it takes, for people.
    pub text: String,
    /// The same as data.
    pub json: Value,
    /// What runs when.
    pub timeline: Timeline,
    /// That its groups have fewer microbatches than they need to be busy at once.
    pub never_full: Option<String>,
}

impl MadeTable {
    /// Makes a table, or searches for the best one.
    ///
    /// # Errors
    /// [`CompileError::Options`]: a name that there is not, numbers that break a rule of the schedule.
    /// [`CompileError::NotAllowed`]: no table keeps so little.
    pub fn of(wanted: &WantedTable, control: &dyn Control) -> Result<Self, CompileError> {
        let WantedTable { name, groups, virtual_stages, microbatches, layers, costs, .. } = wanted;
        let known = named(name);
        let stages = Stages {
            groups: *groups,
            virtual_stages: virtual_stages.or(known.map(|known| known.virtual_stages)).unwrap_or(1),
            microbatches: *microbatches,
            layers: *layers,
        };
        let found = match known {
            Some(known) if wanted.keep.is_some() => {
                let message = format!(
                    "`{}` keeps what it keeps: how much a group may keep is for `{SEARCH}`",
                    known.name
                );
                return Err(usage(message));
            }
            Some(known) => {
                Found { schedule: known.written(&stages).map_err(|refusal| refused(&refusal))?, search: None }
            }
            None if name == SEARCH => {
                stages.can_be_searched().map_err(|refusal| refused(&refusal))?;
                search(wanted, control)?
            }
            None => {
                let message = format!("there is no schedule `{name}`; the names are {}, {SEARCH}", names());
                return Err(usage(message));
            }
        };
        let table = Table::of(&found.schedule).map_err(|faults| usage(faults[0].message.clone()))?;
        let timeline = simulate(&table, &shared(&table, costs.phases, costs.transfer));
        let bubble = 100.0 * Bubbles::of(&timeline).of_total;
        let never_full = (microbatches < groups).then(|| {
            format!(
                "{microbatches} microbatches never fill {groups} groups, which wait for {bubble:.0} % of the step"
            )
        });
        let mut json = timeline::json(&table, &timeline, Kept::Microbatches);
        json["schedule"] = json!(name);
        if let Some((answer, numbers)) = &found.search {
            json["tried_virtual_stages"] = json!(numbers);
            json["lower_bound_seconds"] = json!(answer.bound);
            json["best_named"] = json!(answer.best_named.as_ref().map(|best| best.name));
            json["best_named_virtual_stages"] =
                json!(answer.best_named.as_ref().map(|best| best.virtual_stages));
            json["best_named_step_seconds"] = json!(answer.best_named.as_ref().map(|best| best.value));
        }
        let text = format!("{}{}", searched(&found), timeline::text(&table, &timeline, Kept::Microbatches));
        Ok(Self { table: found.schedule.to_string(), text, json, timeline, never_full })
    }
}

/// A table, and what a search says of it, with the numbers of stages on each group that were tried.
struct Found {
    schedule: Schedule,
    search: Option<(synthesis::Answer, Vec<usize>)>,
}

fn usage(message: impl Into<String>) -> CompileError {
    CompileError::Options(Box::new(Diagnostic::error(crate::failure::USAGE, Span::NONE, message)))
}

/// Why there is no table, which is no fault of any text.
fn failure(error: CompileError) -> Failure {
    planning::failure(error, &Source::new("table", ""), None)
}

fn refused(refusal: &Refusal) -> CompileError {
    let flag = |number: Number| match number {
        Number::Groups => "--stages",
        Number::VirtualStages => "--virtual-stages",
        Number::Microbatches => "--microbatches",
    };
    let diagnostic = Diagnostic::error(crate::failure::USAGE, Span::NONE, refusal.rule.clone());
    let ways = refusal.ways(|number, value| format!("`{} {value}`", flag(number)));
    CompileError::Options(Box::new(match ways {
        Some(ways) => diagnostic.hint(format!("it is possible with {ways}")),
        None => diagnostic,
    }))
}

fn search(wanted: &WantedTable, control: &dyn Control) -> Result<Found, CompileError> {
    let WantedTable { groups, microbatches, costs: given, .. } = *wanted;
    let virtual_stages = match wanted.virtual_stages {
        Some(count) => vec![count],
        None => {
            let has_layers = |count: &usize| wanted.layers.is_none_or(|layers| layers >= count * groups);
            USUAL.into_iter().filter(has_layers).collect()
        }
    };
    let most = virtual_stages.iter().copied().max().unwrap_or(1);
    let phases = given.phases.map(|seconds| seconds / most as f64);
    let mut costs = Costs::uniform(most * groups, phases, given.transfer);
    for stage in &mut costs.stages {
        (stage.kept, stage.kept_for_weights) = (1.0 / most as f64, 1.0 / most as f64);
    }
    let limit = wanted.keep.unwrap_or(groups as f64);
    let numbers = virtual_stages.clone();
    let problem =
        Problem { groups, virtual_stages, microbatches, costs, limit, objective: Objective::Makespan };
    let answer = synthesis::search(&problem, control).ok_or_else(|| {
        let message = format!("no table keeps at most {limit} microbatches: each group has to keep one");
        let problem = Diagnostic::error(SCHEDULE, Span::NONE, message);
        CompileError::NotAllowed(Box::new(problem.hint("allow more with `--keep 1`")))
    })?;
    Ok(Found { schedule: answer.schedule.clone(), search: Some((answer, numbers)) })
}

fn written(arguments: &ScheduleArguments, made: MadeTable, out: Output) -> Outcome {
    let path = arguments.output.as_deref();
    let MadeTable { table, text, mut json, .. } = made;
    if let Some(path) = path {
        output::write(path, table.as_bytes())?;
    }
    if out.json {
        if path.is_none() {
            json["rows"] = json!(table.lines().collect::<Vec<_>>());
        }
        return output::print(&output::json(&json));
    }
    match path {
        None => output::print(&table),
        Some(path) if path == Path::new("-") => Ok(()),
        Some(_) => output::print(&text),
    }
}

/// How the table that was found stands beside others.
fn searched(found: &Found) -> String {
    let Some((answer, numbers)) = &found.search else { return String::new() };
    let more = |value: f64| format!("{:.2} % more", 100.0 * (value / answer.value - 1.0));
    let of_named = |best: &synthesis::BestNamed| {
        let each = match best.virtual_stages {
            1 => String::new(),
            several => format!(" with {several} stages on each"),
        };
        format!("; the best that has a name, {}{each}: {}", best.name, more(best.value))
    };
    let named = answer.best_named.as_ref().map(of_named);
    let gap = 100.0 * (answer.value / answer.bound - 1.0);
    let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
    let stages = match &numbers[..] {
        [one] if one == "1" => "1 stage".to_owned(),
        [first @ .., last] if !first.is_empty() => format!("{} or {last} stages", first.join(", ")),
        all => format!("{} stages", all.concat()),
    };
    format!(
        "found   at most {gap:.2} % above the least that tables of {stages} on each group can take{}\n",
        named.unwrap_or_default()
    )
}

/// A table that was checked, as both doors show it.
pub struct CheckedTable {
    /// The table as text, in letters of today.
    pub table: String,
    /// For people.
    pub text: String,
    /// As data.
    pub json: Value,
}

impl CheckedTable {
    /// Checks that a table runs every action once, that none waits forever, and that no group keeps more than `keep`
    /// microbatches at once, if that is given.
    ///
    /// # Errors
    /// [`CompileError::Diagnostics`]: what is wrong with the table, at its places. [`CompileError::NotAllowed`]: it keeps more.
    pub fn of(source: &Source, keep: Option<f64>) -> Result<Self, CompileError> {
        let schedule = checked(source)?;
        let table = Table::of(&schedule).expect("it was checked");
        let timeline = simulate(&table, &shared(&table, [1.0; 3], 0.0));
        let peak = (0..timeline.groups.len()).map(|group| (timeline.peak(group), group));
        let (most, group) = peak.fold((0.0, 0), |best, other| if other.0 > best.0 { other } else { best });
        if let Some(limit) = keep.filter(|limit| most > *limit) {
            let message = format!("group {group} keeps {most} microbatches at once, more than {limit}");
            return Err(CompileError::NotAllowed(Box::new(Diagnostic::error(SCHEDULE, Span::NONE, message))));
        }
        let (groups, stages, microbatches) = (table.rows.len(), table.num_stages, table.num_microbatches);
        let json = json!({
            "groups": groups,
            "stages": stages,
            "microbatches": microbatches,
            "peak_kept_microbatches": most,
        });
        let text = format!(
            "{groups} groups run {stages} stages for {microbatches} microbatches, each action once; none waits forever\n\
             group {group} keeps most: {most} microbatches at once\n"
        );
        Ok(Self { table: schedule.to_string(), text, json })
    }
}

fn verify(arguments: &VerifyArguments, out: Output) -> Outcome {
    let source = input::text(&arguments.schedule, "table")?;
    let found = CheckedTable::of(&source, arguments.keep);
    let CheckedTable { text, json, .. } = found.map_err(|error| planning::failure(error, &source, None))?;
    output::print(&if out.json { output::json(&json) } else { text })
}

/// A table that can run, read from text.
///
/// # Errors
/// [`CompileError::Diagnostics`]: what is wrong with the table, at its places.
pub fn checked(source: &Source) -> Result<Schedule, CompileError> {
    let schedule = Schedule::from_table(&source.text)?;
    let places = places(&source.text);
    let finding = |Fault { place, message }: &Fault| {
        let span = place.and_then(|(row, position)| places.get(row)?.get(position).copied());
        Diagnostic::error(SCHEDULE, span.unwrap_or(Span::NONE), message.clone())
    };
    let faults: Vec<Diagnostic> = match Table::of(&schedule) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.iter().map(finding).collect(),
    };
    if faults.is_empty() { Ok(schedule) } else { Err(CompileError::Diagnostics(faults)) }
}

/// Costs of a group, shared by its stages; what it keeps of a microbatch counts as 1.
pub(crate) fn shared(table: &Table<'_>, phases: [f64; 3], transfer: f64) -> Costs {
    let share = table.rows.len() as f64 / table.num_stages as f64;
    let mut costs = Costs::uniform(table.num_stages, phases.map(|seconds| seconds * share), transfer);
    for stage in &mut costs.stages {
        (stage.kept, stage.kept_for_weights) = (share, share);
    }
    costs
}
