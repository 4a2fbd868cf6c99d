//! The best table for a step on the groups that there are.
//!
//! Input: a step and where it runs. Output: a table and the stages that it is for, two on each group, or one. Tables are made for
//! two stages on each group, of which one may be two of them, whose phases take what their functions are predicted to take,
//! and whose groups keep no more of microbatches than their memory leaves. The best of these is weighed with all that have a
//! name, each with its stages, its programs and its update: what is found takes no longer than any of them that fits.

use meshwright_ir::control::Control;
use meshwright_machine::Bytes;
use meshwright_plan::{Phase, ProgramId, Schedule, Table};
use meshwright_schedule::synthesis::{self, Objective, Problem};
use meshwright_schedule::{SCHEDULES, Stages};
use meshwright_stage::{Staged, Step, at};

use super::figures::{PipelineFigures, Priced, StageFigures};
use super::forms::{Forms, is_forward_first};
use super::simulated::{rounds_of, simulated};
use super::wanted::{PartsOf, Runs};
use super::{PipelineOptions, ScheduleChoice, Site, refused};
use crate::error::CompileError;

/// Searches for a table and the form of the step that runs by it, for devices with so much memory; if none fits, it is the one
/// that needs least.
///
/// # Errors
/// The step has too few places for a stage on each group; the numbers are those of no table.
pub(super) fn table<'s, 'c>(
    forms: &'s Forms<'c>,
    site: &dyn Fn(&'s Step<'c>) -> Site<'s>,
    wanted: &PipelineOptions,
    limit: Bytes,
    control: &dyn Control,
) -> Result<(Schedule, &'s Step<'c>, Staged), CompileError> {
    let runs = forms.runs();
    let own = found(&site(&forms.own), wanted, Runs { can_gather: false, ..runs }, limit, control)?;
    let gathering = match &forms.gathering {
        Some(step) => gathered(&site(step), wanted, runs, limit)?.map(|found| (step, found)),
        None => None,
    };
    let (step, best) = match (own, gathering) {
        (Some(own), Some((step, other))) if other.key < own.key => (step, other),
        (Some(own), _) => (&forms.own, own),
        (None, Some((step, other))) => (step, other),
        (None, None) => {
            let usual = ScheduleChoice::Named(SCHEDULES[0]);
            let refused = PipelineOptions { schedule: usual, ..wanted.clone() }.table(true);
            return Err(refused.expect_err("all numbers of a pipeline have a table"));
        }
    };
    Ok((best.schedule, step, best.staged))
}

/// The best table with a name, or that is made, for one form of a step.
fn found(
    site: &Site<'_>,
    wanted: &PipelineOptions,
    runs: Runs,
    limit: Bytes,
    control: &dyn Control,
) -> Result<Option<Found>, CompileError> {
    let groups = wanted.groups;
    let single = site.balanced(&vec![1.0; groups])?;
    let mut best = Best { site, runs, limit, found: None };
    best.weigh(&single, named_tables(wanted, 1))?;
    // Where there are too few places for two stages on each group, one is all that there is.
    if let Ok(double) = site.balanced(&vec![1.0; 2 * groups]) {
        let mut tables = named_tables(wanted, 2);
        if let Some(made) = best.made(&double, wanted, control) {
            let count = Table::of(&made).map_err(refused::table)?.num_stages;
            match count == groups {
                true => {
                    let cuts = double.cuts.iter().copied().skip(1).step_by(2).collect();
                    best.weigh(&at(site.step, cuts), vec![made])?;
                }
                false => tables.push(made),
            }
        }
        best.weigh(&double, tables)?;
    }
    Ok(best.found)
}

/// The best table with a name for a step whose forward passes all come first.
fn gathered(
    site: &Site<'_>,
    wanted: &PipelineOptions,
    runs: Runs,
    limit: Bytes,
) -> Result<Option<Found>, CompileError> {
    let is_first = |schedule: &Schedule| Table::of(schedule).is_ok_and(|table| is_forward_first(&table));
    let mut best = Best { site, runs, limit, found: None };
    for each in [1, 2] {
        let tables: Vec<Schedule> = named_tables(wanted, each).into_iter().filter(is_first).collect();
        if let Ok(staged) = site.balanced(&vec![1.0; each * wanted.groups]) {
            best.weigh(&staged, tables)?;
        }
    }
    Ok(best.found)
}

/// The tables with a name that have one copy of the weights and so many stages on each group.
fn named_tables(wanted: &PipelineOptions, virtual_stages: usize) -> Vec<Schedule> {
    let PipelineOptions { groups, microbatches, .. } = *wanted;
    let stages = Stages { groups, virtual_stages, microbatches, layers: None };
    let all = SCHEDULES.into_iter().filter(|named| {
        named.copies == 1 && named.virtual_stages == virtual_stages && PartsOf::by(named) == PartsOf::Batch
    });
    all.filter_map(|named| named.table(&stages).ok()).collect()
}

/// The best table so far.
struct Best<'s, 'a> {
    site: &'s Site<'a>,
    runs: Runs,
    limit: Bytes,
    found: Option<Found>,
}

struct Found {
    /// Whether it does not fit, and then its bytes, otherwise its seconds.
    key: (bool, f64),
    schedule: Schedule,
    staged: Staged,
}

impl Best<'_, '_> {
    /// Takes the best of these tables for these stages, if it is better.
    fn weigh(&mut self, staged: &Staged, tables: Vec<Schedule>) -> Result<(), CompileError> {
        self.site.on_any_group(staged, &mut |priced| {
            let devices = self.site.groups.all_devices();
            let rounds = rounds_of(&staged.update);
            let figures = [&[Phase::Backward][..], &APART].map(|phases| stages(priced, phases));
            for schedule in &tables {
                let run = self.runs.table(schedule.clone())?;
                let table = Table::of(&run).map_err(refused::table)?;
                let placed = self.site.placed(&table)?;
                let mut own = figures[usize::from(is_apart(&table))].clone();
                for (own, groups) in own.iter_mut().zip(&placed.0) {
                    own.groups.clone_from(groups);
                }
                let timeline = simulated(&table, &run, &rounds, &priced.costs(&own, &devices));
                let figures = PipelineFigures { stages: own, timeline };
                let needed = figures.memory().into_iter().max().unwrap_or_default();
                let key = match needed > self.limit {
                    true => (true, needed.0 as f64),
                    false => (false, figures.step().0),
                };
                if self.found.as_ref().is_none_or(|found| key < found.key) {
                    self.found = Some(Found { key, schedule: schedule.clone(), staged: staged.clone() });
                }
            }
            Ok(())
        })
    }

    /// The best table that is made for two stages on each group, if any fits.
    fn made(&self, staged: &Staged, wanted: &PipelineOptions, control: &dyn Control) -> Option<Schedule> {
        let mut problem = None;
        let priced = self.site.on_any_group(staged, &mut |priced| {
            let stages = stages(priced, &APART);
            problem = Some(Problem {
                groups: wanted.groups,
                microbatches: wanted.microbatches,
                limit: left(&stages, self.limit).0 as f64,
                costs: priced.costs(&stages, &self.site.groups.all_devices()),
                objective: Objective::Makespan,
            });
            Ok(())
        });
        priced.ok()?;
        synthesis::search(&problem?, control).map(|answer| answer.schedule)
    }
}

/// Phases of gradients that are apart.
const APART: [Phase; 2] = [Phase::InputGradient, Phase::WeightGradient];

fn is_apart(table: &Table<'_>) -> bool {
    let phases = (0..table.events.len()).filter_map(|at| Some(table.action(at)?.program.phase));
    phases.into_iter().any(|phase| APART.contains(&phase))
}

/// Figures of stages whose backward passes have these phases.
fn stages(priced: &Priced<'_>, phases: &[Phase]) -> Vec<StageFigures> {
    let used = (0..priced.staged.count).flat_map(|stage| phases.iter().map(move |phase| (stage, *phase)));
    priced.stages(&used.map(|(stage, phase)| ProgramId { stage, phase }).collect())
}

/// Bytes that are left for microbatches on any group, whether its two stages are neighbors, in a V, or interleaved.
pub(super) fn left(stages: &[StageFigures], limit: Bytes) -> Bytes {
    let (count, groups) = (stages.len(), stages.len() / 2);
    let pairs = (0..groups)
        .flat_map(|group| [(2 * group, 2 * group + 1), (group, count - 1 - group), (group, group + groups)]);
    let needed = |(one, other): (usize, usize)| {
        let own = [&stages[one], &stages[other]];
        let held: u64 = own.iter().map(|stage| stage.held().0).sum();
        held + own.iter().map(|stage| stage.working.0).max().unwrap_or(0)
    };
    Bytes(limit.0.saturating_sub(pairs.map(needed).max().unwrap_or(0)))
}
