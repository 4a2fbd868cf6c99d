//! The best table for a step on the groups that there are.
//!
//! Input: a step and where it runs. Output: a table and the stages that it is for, as many on each group as somebody says, or
//! one, two or four. Tables are made for two stages on each group, of which one may be two of them, whose phases take what their
//! functions are predicted to take, and whose groups keep no more of microbatches than their memory leaves; for four where a
//! table with a name comes near to the best with them. The best of these is weighed with all that have a name, each with its
//! stages, its programs and its update: what is found takes no longer than any of them that fits.

use meshwright_ir::control::Control;
use meshwright_machine::Bytes;
use meshwright_plan::{Phase, ProgramId, Schedule, Table};
use meshwright_schedule::synthesis::{self, NEAR, Objective, Problem, USUAL};
use meshwright_schedule::{Named, SCHEDULES, Stages};
use meshwright_stage::{Staged, Step, at};

use super::figures::{PipelineFigures, Priced, StageFigures};
use super::forms::{Forms, is_forward_first};
use super::simulated::{rounds_of, simulated};
use super::wanted::{PartsOf, Runs, of_any_microbatches};
use super::{PipelineOptions, ScheduleChoice, Site, refused};
use crate::error::CompileError;

/// Microbatches of all groups together beyond which these wait little with few stages, and tables are long.
pub(super) const MANY: usize = 1024;

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
            let any = ScheduleChoice::Named(of_any_microbatches(wanted.virtual_stages.unwrap_or(1)));
            let refused = PipelineOptions { schedule: any, ..wanted.clone() }.table(true);
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
    let PipelineOptions { groups, microbatches, .. } = *wanted;
    let in_stages = |each: usize| site.balanced(&vec![1.0; each * groups]);
    let mut best = Best { site, runs, limit, found: None };
    if let Some(each) = wanted.virtual_stages {
        let numbers = Stages { groups, virtual_stages: each, microbatches, layers: None };
        numbers.can_be_searched().map_err(|refusal| refused::schedule(&refusal))?;
        best.weigh_all(&in_stages(each)?, &[each], wanted, control)?;
        return Ok(best.found);
    }
    best.weigh(&in_stages(1)?, named_tables(wanted, 1))?;
    for numbers in together(&USUAL) {
        let is_more = !numbers.contains(&1);
        if is_more && (groups.saturating_mul(microbatches) > MANY || control.should_stop()) {
            break;
        }
        // Where there are too few places for so many stages on each group, fewer are all that there is.
        let Ok(staged) = in_stages(numbers.iter().copied().max().unwrap_or(1)) else { break };
        if is_more {
            let least = best.weigh(&staged, named_tables(wanted, staged.count / groups))?;
            if !best.is_near(least) {
                continue;
            }
        }
        best.weigh_all(&staged, &numbers, wanted, control)?;
    }
    Ok(best.found)
}

/// The numbers of stages on each group for which one table is searched: one and two, of which one is two neighbors; others alone.
pub(super) fn together(numbers: &[usize]) -> Vec<Vec<usize>> {
    let pair = [1, 2];
    let is_pair = pair.iter().all(|number| numbers.contains(number));
    let first = is_pair.then(|| pair.to_vec());
    let rest = numbers.iter().filter(|number| !is_pair || !pair.contains(number)).map(|number| vec![*number]);
    first.into_iter().chain(rest).collect()
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
    let numbers = wanted.virtual_stages.map_or_else(|| USUAL.to_vec(), |each| vec![each]);
    for each in numbers {
        let tables: Vec<Schedule> = named_tables(wanted, each).into_iter().filter(is_first).collect();
        if let Ok(staged) = site.balanced(&vec![1.0; each * wanted.groups]) {
            best.weigh(&staged, tables)?;
        }
    }
    Ok(best.found)
}

/// The tables with a name that have one copy of the weights, for so many stages on each group.
fn named_tables(wanted: &PipelineOptions, virtual_stages: usize) -> Vec<Schedule> {
    let PipelineOptions { groups, microbatches, .. } = *wanted;
    let stages = Stages { groups, virtual_stages, microbatches, layers: None };
    let is_one = |named: &Named| named.copies == 1 && PartsOf::by(named) == PartsOf::Batch;
    let all = SCHEDULES.into_iter().filter(is_one);
    all.filter_map(|named| named.table(&stages).ok()).collect()
}

/// The best table so far.
struct Best<'s, 'a> {
    site: &'s Site<'a>,
    runs: Runs,
    limit: Bytes,
    found: Option<Found>,
}

/// Rank of a table: whether it does not fit, and then its bytes, otherwise its seconds.
type Key = (bool, f64);

struct Found {
    key: Key,
    schedule: Schedule,
    staged: Staged,
}

impl Best<'_, '_> {
    /// Takes the best of these tables for these stages, if it is better. Returns what the best of these comes to.
    fn weigh(&mut self, staged: &Staged, tables: Vec<Schedule>) -> Result<Option<Key>, CompileError> {
        let mut least: Option<Key> = None;
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
                if least.is_none_or(|least| key < least) {
                    least = Some(key);
                }
                if self.found.as_ref().is_none_or(|found| key < found.key) {
                    self.found = Some(Found { key, schedule: schedule.clone(), staged: staged.clone() });
                }
            }
            Ok(())
        })?;
        Ok(least)
    }

    /// Returns whether what tables with a name come to is near to the best.
    fn is_near(&self, least: Option<Key>) -> bool {
        let best = self.found.as_ref().map(|found| found.key);
        least.zip(best).is_some_and(|(least, best)| least.0 == best.0 && least.1 <= NEAR * best.1)
    }

    /// Takes the best of the tables with a name for these stages, and of the one that is made for them or for neighbors of them as
    /// one, with these numbers on each group, if it is better.
    fn weigh_all(
        &mut self,
        staged: &Staged,
        numbers: &[usize],
        wanted: &PipelineOptions,
        control: &dyn Control,
    ) -> Result<(), CompileError> {
        let mut tables = named_tables(wanted, staged.count / wanted.groups.max(1));
        if let Some(made) = self.made(staged, numbers, wanted, control) {
            let neighbors = staged.count / Table::of(&made).map_err(refused::table)?.num_stages;
            if neighbors > 1 {
                let cuts = staged.cuts.iter().copied().skip(neighbors - 1).step_by(neighbors).collect();
                self.weigh(&at(self.site.step, cuts), vec![made])?;
            } else {
                tables.push(made);
            }
        }
        self.weigh(staged, tables)?;
        Ok(())
    }

    /// The best table that is made for stages, with these numbers on each group, if any fits.
    fn made(
        &self,
        staged: &Staged,
        numbers: &[usize],
        wanted: &PipelineOptions,
        control: &dyn Control,
    ) -> Option<Schedule> {
        let mut problem = None;
        let priced = self.site.on_any_group(staged, &mut |priced| {
            let stages = stages(priced, &APART);
            problem = Some(Problem {
                groups: wanted.groups,
                virtual_stages: numbers.to_vec(),
                microbatches: wanted.microbatches,
                limit: left(&stages, wanted.groups, self.limit).0 as f64,
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

/// Bytes that are left for microbatches on any group, however its stages are placed: interleaved or, if there are two, as
/// neighbors or in a V.
pub(super) fn left(stages: &[StageFigures], groups: usize, limit: Bytes) -> Bytes {
    let count = stages.len();
    let interleaved = (0..groups).map(|group| (group..count).step_by(groups).collect::<Vec<usize>>());
    let in_pairs = (0..groups).filter(|_| count == 2 * groups);
    let pairs = in_pairs.flat_map(|group| [vec![2 * group, 2 * group + 1], vec![group, count - 1 - group]]);
    let needed = |own: Vec<usize>| {
        let held: u64 = own.iter().map(|stage| stages[*stage].held().0).sum();
        held + own.iter().map(|stage| stages[*stage].working.0).max().unwrap_or(0)
    };
    Bytes(limit.0.saturating_sub(interleaved.chain(pairs).map(needed).max().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_two_stages_are_searched_at_once() {
        assert_eq!(together(&[1, 2, 4]), [vec![1, 2], vec![4]]);
        assert_eq!(together(&[4, 2]), [[4], [2]]);
        assert_eq!(together(&[1]), [[1]]);
    }

    #[test]
    fn what_is_left_is_of_the_group_that_holds_most() {
        let stage = |state: u64, working: u64| StageFigures {
            state: Bytes(state),
            working: Bytes(working),
            ..StageFigures::default()
        };
        let stages = [stage(1, 5), stage(2, 0), stage(3, 0), stage(4, 1)];
        assert_eq!(left(&stages, 4, Bytes(20)), Bytes(14));
        // Neighbors hold 3 and 7, those in a V 5, interleaved ones 4 and 6.
        assert_eq!(left(&stages, 2, Bytes(20)), Bytes(10));
        assert_eq!(left(&stages, 1, Bytes(20)), Bytes(5));
        assert_eq!(left(&stages, 1, Bytes(9)), Bytes(0));
    }
}
