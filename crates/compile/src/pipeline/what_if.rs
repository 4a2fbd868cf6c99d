//! Plans of pipelines that are simulated again: as they are, or as they would be with other numbers.
//!
//! Input: a [`PlanFile`], which says what its stages are predicted to take, and [`WhatIf`]. Output: [`Simulated`]. Nothing is
//! compiled: stages stay those of the plan, and microbatches as large as they are, so that more of them are a larger batch.

use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_machine::Bytes;
use meshwright_plan::plan_file::{PlanShared, PlanStageTimes, PlanTimes, PlanTransfer};
use meshwright_plan::{Phase, PlanFile, Schedule, Table, Timeline};
use meshwright_schedule::{Named, Number, Refusal, Stages};
use meshwright_simulate::{Boundary, Costs, Shared, StageCosts};
use meshwright_stage::rows::Placed;
use std::collections::BTreeMap;

use super::forms::is_forward_first;
use super::simulated::simulated;
use super::wanted::{PipelineOptions, Runs, SLICES, ScheduleChoice};
use super::{plan, refused};
use crate::error::CompileError;

/// A plan cannot be simulated so.
const SIMULATE: Check = Check("simulate");

/// Changes of a plan.
#[derive(Clone, Debug)]
pub struct WhatIf {
    /// Microbatches of a step, each as large as they are.
    pub microbatches: Option<usize>,
    /// Another schedule.
    pub schedule: Option<ScheduleChoice>,
    /// Factor of the bandwidth of links between groups.
    pub link_bandwidth: f64,
    /// Groups that are slower, by factors.
    pub slow: Vec<(usize, f64)>,
}

impl Default for WhatIf {
    fn default() -> Self {
        Self { microbatches: None, schedule: None, link_bandwidth: 1.0, slow: Vec::new() }
    }
}

/// A plan that was simulated.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The table of actions.
    pub schedule: Schedule,
    /// Its name, if it has one.
    pub name: Option<&'static str>,
    /// What runs when, the update included.
    pub timeline: Timeline,
    /// Bytes that a device of each group needs.
    pub memory: Vec<Bytes>,
}

/// Simulates a plan.
///
/// # Errors
/// [`CompileError::Plan`]: a plan without stages, or that does not say what they take. [`CompileError::Options`]: a schedule that
/// these stages cannot run, numbers that break its rule, a group that there is not.
pub fn simulated_plan(file: &PlanFile, what_if: &WhatIf) -> Result<Simulated, CompileError> {
    let planned = PipelineOptions::of_plan(file)?.ok_or_else(no_stages)?;
    let times = file.times.as_ref().ok_or_else(|| plan::refused(file, "schedule", no_times()))?;
    let is_there = |own: &PlanShared| own.reader.max(own.home) < times.stages.len();
    if times.transfers.len() + 1 != times.stages.len() || !times.shared.iter().all(is_there) {
        return Err(plan::refused(file, "times", "there are seconds of other stages".to_owned()));
    }
    if !times.are_possible() {
        return Err(plan::refused(
            file,
            "times",
            "a step has few rounds of updates, and seconds from zero on".to_owned(),
        ));
    }
    let found = simulated_as(file, &planned, times, what_if)?;
    if found.memory.len() != times.group_bytes.len() {
        return Ok(found);
    }
    // What a plan says of its groups, and what they need more or less than with its own table.
    let own = simulated_as(file, &planned, times, &WhatIf::default())?;
    let beside = found.memory.iter().zip(&own.memory).zip(&times.group_bytes);
    let memory = beside.map(|((found, own), said)| Bytes(said.saturating_add(found.0).saturating_sub(own.0)));
    Ok(Simulated { memory: memory.collect(), ..found })
}

/// The same with what groups need by what their stages hold, keep and work in.
fn simulated_as(
    file: &PlanFile,
    planned: &PipelineOptions,
    times: &PlanTimes,
    what_if: &WhatIf,
) -> Result<Simulated, CompileError> {
    let (schedule, name, each) = table(file, planned, times, what_if)?;
    let table = Table::of(&schedule).map_err(refused::table)?;
    if table.num_stages * each != times.stages.len() {
        let (there, planned) = (table.num_stages, times.stages.len());
        let message = format!("the table has {there} stages, but the plan has {planned}");
        return Err(usage(message, Some("plan again with this `--schedule`".to_owned())));
    }
    if file.gathers_forward && !is_forward_first(&table) {
        return Err(refused::backward_too_early());
    }
    let placed = Placed::of(&table).ok_or_else(refused::mixed_copies)?;
    let count = table.rows.len();
    let slowdowns = slowdowns(&what_if.slow, count)?;
    let is_apart = (0..table.events.len())
        .filter_map(|at| table.action(at))
        .any(|action| matches!(action.program.phase, Phase::InputGradient | Phase::WeightGradient));
    let rounds = match file.post_validation {
        true => vec![Phase::Update(0), Phase::Optimistic],
        false => (0..times.update_rounds).map(Phase::Update).collect(),
    };
    let costs = Costs {
        stages: times.stages.iter().map(|own| costs(own, is_apart, rounds.len())).collect(),
        boundaries: times.transfers.iter().map(boundary).collect(),
        shared: times.shared.iter().map(shared).collect(),
        slowdowns,
    };
    let costs = costs.merged(each).with_transfers(1.0 / what_if.link_bandwidth);
    let timeline = simulated(&table, &schedule, &rounds, &costs);
    let memory = memory(times, &placed, each, &timeline);
    Ok(Simulated { schedule, name, timeline, memory })
}

/// Factors of the groups that are slower, out of so many.
///
/// # Errors
/// [`CompileError::Options`]: a group that there is not, or of which two factors are said.
pub fn slowdowns(slow: &[(usize, f64)], groups: usize) -> Result<BTreeMap<usize, f64>, CompileError> {
    let mut factors = BTreeMap::new();
    for (group, factor) in slow {
        if *group >= groups {
            return Err(usage(format!("there is no group {group}: there are {groups}, from 0"), None));
        }
        if let Some(other) = factors.insert(*group, *factor) {
            let message = format!("group {group} is slower by {other}x and by {factor}x: give one factor");
            return Err(usage(message, None));
        }
    }
    Ok(factors)
}

/// The table, its name, and how many stages of the plan each of its stages is.
fn table(
    file: &PlanFile,
    planned: &PipelineOptions,
    times: &PlanTimes,
    what_if: &WhatIf,
) -> Result<(Schedule, Option<&'static str>, usize), CompileError> {
    let own = Schedule::from_rows(&file.schedule)
        .map_err(|(row, why)| plan::refused(file, &format!("schedule[{row}]"), why))?;
    let runs = Runs::of_table(&Table::of(&own).map_err(refused::table)?);
    let microbatches = what_if.microbatches.unwrap_or(planned.microbatches);
    let named = match (&what_if.schedule, &planned.schedule) {
        (None, planned) if what_if.microbatches.is_none() => return Ok((own, planned.name(), 1)),
        (Some(ScheduleChoice::Table(table)), _) => {
            let asked = PipelineOptions { microbatches, virtual_stages: None, ..planned.clone() };
            let given = asked.given(table.clone())?;
            return Ok((runs.table(given)?, None, 1));
        }
        (Some(ScheduleChoice::Named(named)), _) | (None, ScheduleChoice::Named(named)) => *named,
        (Some(ScheduleChoice::Search), _) => {
            let hint = "plan again with `--schedule search`".to_owned();
            return Err(usage("a table is searched where stages are cut for it".to_owned(), Some(hint)));
        }
        (None, _) => {
            let message = "the plan's table has no name, so that it is not known for other microbatches";
            return Err(usage(message.to_owned(), Some("give a `--schedule` too".to_owned())));
        }
    };
    if named.name == SLICES {
        let message = "slices of a sequence are not alike, and are planned each by itself";
        let hint = "plan again with `--schedule terapipe`".to_owned();
        return Err(usage(message.to_owned(), Some(hint)));
    }
    let virtual_stages = times.stages.len() / planned.groups.max(1);
    let each = each(&named, virtual_stages)?;
    let numbers =
        Stages { groups: planned.groups, virtual_stages: virtual_stages / each, microbatches, layers: None };
    let schedule = named.written(&numbers).map_err(|refusal| impossible(&refusal))?;
    Ok((runs.table(schedule)?, Some(named.name), each))
}

/// Numbers that break a rule: microbatches may be other ones, stages are those of the plan.
fn impossible(refusal: &Refusal) -> CompileError {
    let is_other = |(number, _): &(Number, usize)| *number == Number::Microbatches;
    let hint = match refusal.nearest.iter().flatten().all(is_other) {
        true => refusal.ways(|_, value| format!("`--microbatches {value}`")),
        false => {
            let ways = refusal.ways(|number, value| format!("{value} {number}"));
            ways.map(|ways| format!("a plan of {ways}"))
        }
    };
    usage(refusal.rule.clone(), hint.map(|hint| format!("it is possible with {hint}")))
}

/// How many neighboring stages of a plan a schedule runs as one.
fn each(named: &Named, virtual_stages: usize) -> Result<usize, CompileError> {
    match named.virtual_stages {
        1 => Ok(virtual_stages),
        _ if virtual_stages > 1 => Ok(1),
        wanted => {
            let message =
                format!("each group of the plan has one stage, and with `{}` it has {wanted}", named.name);
            let hint = format!("plan again with `--schedule {}`, which cuts more stages", named.name);
            Err(usage(message, Some(hint)))
        }
    }
}

fn costs(own: &PlanStageTimes, is_apart: bool, rounds: usize) -> StageCosts {
    let (input_gradient, weight_gradient) = match is_apart {
        true => (own.input_gradient_seconds, own.weight_gradient_seconds),
        false => (own.backward_seconds, 0.0),
    };
    StageCosts {
        copies: own.copies_seconds,
        prepass: own.prepass_seconds,
        forward: own.forward_seconds,
        input_gradient,
        weight_gradient,
        update: own.update_seconds / rounds.max(1) as f64,
        kept: own.kept_bytes as f64,
        kept_for_weights: own.kept_for_weights_bytes as f64,
    }
}

fn shared(own: &PlanShared) -> Shared {
    let PlanShared { reader, home, gradients_seconds: gradients, state_seconds: state } = *own;
    Shared { reader, home, gradients, state }
}

fn boundary(own: &PlanTransfer) -> Boundary {
    Boundary { up: own.up_seconds, down: own.down_seconds }
}

/// State, accumulators and the largest program of each group, and what it keeps when most is.
fn memory(times: &PlanTimes, placed: &Placed, each: usize, timeline: &Timeline) -> Vec<Bytes> {
    let of_group = |group: usize| {
        let own = || {
            let stages = times.stages.chunks(each).zip(&placed.0);
            stages.filter(move |(_, groups)| groups.contains(&group)).flat_map(|(stages, _)| stages)
        };
        let held: u64 = own().map(|stage| stage.held_bytes).sum();
        let working = own().map(|stage| stage.working_bytes).max().unwrap_or(0);
        Bytes(held + working + timeline.peak(group) as u64)
    };
    (0..timeline.groups.len()).map(of_group).collect()
}

fn usage(message: String, hint: Option<String>) -> CompileError {
    let diagnostic = Diagnostic::error(SIMULATE, Span::NONE, message);
    CompileError::Options(Box::new(match hint {
        Some(hint) => diagnostic.hint(hint),
        None => diagnostic,
    }))
}

fn no_stages() -> CompileError {
    let hint =
        "`meshwright plan MODEL --machine M --stages 4 --microbatches 8 -o plan.json` makes one with stages"
            .to_owned();
    usage("the plan has no stages, whose schedule could be simulated".to_owned(), Some(hint))
}

fn no_times() -> String {
    "the plan does not say what its stages take: make it again with `meshwright plan`".to_owned()
}
