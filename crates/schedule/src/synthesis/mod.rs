//! Synthesis: the best table that is found for given seconds and memory, never worse than any named schedule that fits.
//!
//! Input: a [`Problem`]; output: an [`Answer`] with a bound that no table of these placements can beat. Two stages for
//! each group are given, of which a table may take two neighbors as one:
//!
//! 1. every named schedule that keeps one copy of the weights is timed;
//! 2. tables are made by lists of priorities on three placements, one stage on each group, two in a V, two interleaved,
//!    and of named ones by putting gradients of parameters where they fit (`greedy`);
//! 3. the best of all are improved by moving actions on their longest path (`improve`);
//! 4. `bound` says how much better any other could be.
//!
//! Everything is counted, nothing is timed by a clock: the same problem gives the same table.

mod bound;
mod greedy;
mod improve;
mod instance;

use crate::{Named, SCHEDULES, Stages};
use instance::{Instance, Placement, Rows};
use meshwright_ir::control::Control;
use meshwright_plan::{Schedule, Table, Timeline};
use meshwright_simulate::{Costs, simulate};
use std::rc::Rc;

/// A search for a table.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Groups of devices.
    pub groups: usize,
    /// Microbatches of a step.
    pub microbatches: usize,
    /// Costs of two stages for each group, in the order of the model.
    pub costs: Costs,
    /// The most that a group may keep at once, in the unit of the costs.
    pub limit: f64,
    /// The time that counts.
    pub objective: Objective,
}

/// Times that a table is better by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// The end of the last action.
    Makespan,
    /// The longest time from the first action of a group to its last, as the zero bubble papers count.
    Span,
}

/// The best table that was found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The table.
    pub schedule: Schedule,
    /// Its seconds, by the objective.
    pub value: f64,
    /// Seconds that no table can be below.
    pub bound: f64,
    /// The best named schedule that fits, if one does.
    pub best_named: Option<BestNamed>,
}

/// A named schedule and its seconds.
#[derive(Clone, Debug)]
pub struct BestNamed {
    /// Its name.
    pub name: &'static str,
    /// Its seconds, by the objective.
    pub value: f64,
    /// Its table.
    pub schedule: Schedule,
}

impl Objective {
    /// Seconds of a timeline.
    fn value(self, timeline: &Timeline) -> f64 {
        match self {
            Self::Makespan => timeline.makespan(),
            Self::Span => timeline.longest_span(),
        }
    }
}

impl Problem {
    /// Seconds of a table; none if a group keeps too much.
    pub fn value(&self, schedule: &Schedule) -> Option<f64> {
        let table = Table::of(schedule).ok()?;
        let timeline = simulate(&table, &self.costs.merged(2 * self.groups / table.num_stages));
        let fits = (0..self.groups).all(|group| timeline.peak(group) <= self.most());
        fits.then(|| self.objective.value(&timeline))
    }

    /// The limit, with what sums in another order may differ by.
    fn most(&self) -> f64 {
        self.limit * (1.0 + 1e-9)
    }
}

/// Tables that are improved.
const STARTS: usize = 6;

/// Searches; none if no table fits. What is stopped answers with the best so far.
pub fn search(problem: &Problem, control: &dyn Control) -> Option<Answer> {
    let tables = named_tables(problem);
    let named = best_of(problem, &tables);
    let mut starts: Vec<(f64, Rc<Instance>, Rows)> = Vec::new();
    let mut bound = f64::INFINITY;
    let total = Placement::ALL.len() + tables.len() + STARTS;
    let mut done = 0;
    let mut goes_on = || {
        control.progress("tables", done, total);
        done += 1;
        !control.should_stop()
    };
    for placement in Placement::ALL {
        let instance = Rc::new(Instance::placed(problem, placement));
        bound = bound.min(bound::bound(&instance));
        if goes_on() {
            let made = greedy::tables(&instance, control).into_iter();
            starts.extend(made.map(|(value, rows)| (value, instance.clone(), rows)));
        }
    }
    for (_, schedule) in &tables {
        if !goes_on() {
            break;
        }
        let (instance, rows) = Instance::of_table(problem, schedule);
        let instance = Rc::new(instance);
        let mut made = greedy::refilled(&instance, &rows);
        if rows.iter().all(|row| instance.fits(row)) {
            made.extend(instance.timed(&rows).map(|times| (times.value, rows)));
        }
        starts.extend(made.into_iter().map(|(value, rows)| (value, instance.clone(), rows)));
    }
    starts.sort_by(|one, other| one.0.total_cmp(&other.0));
    starts.dedup_by(|one, other| one.2 == other.2);
    starts.truncate(STARTS);
    let mut best = named.as_ref().map(|named| (named.value, named.schedule.clone()));
    for (_, instance, rows) in starts {
        if best.is_some() && !goes_on() {
            break;
        }
        let schedule = instance.schedule(&improve::improve(&instance, rows));
        if let Some(value) = problem.value(&schedule)
            && best.as_ref().is_none_or(|(least, _)| value < *least)
        {
            best = Some((value, schedule));
        }
    }
    let (value, schedule) = best?;
    Some(Answer { schedule, value, bound: bound.min(value), best_named: named })
}

/// The tables of all named schedules that there are for these numbers and that keep one copy of the weights: the memory
/// of others is another.
fn named_tables(problem: &Problem) -> Vec<(&'static str, Schedule)> {
    let table = |known: &Named| {
        let stages = Stages {
            groups: problem.groups,
            virtual_stages: known.virtual_stages,
            microbatches: problem.microbatches,
            layers: None,
        };
        known.table(&stages).ok().map(|schedule| (known.name, schedule))
    };
    SCHEDULES.iter().filter(|known| known.copies == 1).filter_map(table).collect()
}

/// The best of named tables that fit.
fn best_of(problem: &Problem, tables: &[(&'static str, Schedule)]) -> Option<BestNamed> {
    let mut best: Option<BestNamed> = None;
    for (name, schedule) in tables {
        let Some(value) = problem.value(schedule) else { continue };
        if best.as_ref().is_none_or(|best| value < best.value) {
            best = Some(BestNamed { name, value, schedule: schedule.clone() });
        }
    }
    best
}
