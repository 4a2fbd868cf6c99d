//! Synthesis: the best table that is found for given seconds and memory, never worse than any named schedule that fits.
//!
//! Input: a [`Problem`]; output: an [`Answer`] with a bound that no table of these placements can beat. The most stages that
//! are tried for each group are given, of which a table of fewer takes neighbors as one:
//!
//! 1. every named schedule that keeps one copy of the weights is timed, with each number of stages that it has a table for;
//! 2. tables are made by lists of priorities on several placements, one stage on each group, two in a V, two or more
//!    interleaved, and of named ones by putting gradients of parameters where they fit (`greedy`): with more than two stages
//!    only where a named schedule with as many is nearly as good as the best;
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
    /// Numbers of stages on each group that are tried; each divides the largest.
    pub virtual_stages: Vec<usize>,
    /// Microbatches of a step.
    pub microbatches: usize,
    /// Costs of the most stages that are tried for each group, in the order of the model.
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
    /// Stages of each group in its table.
    pub virtual_stages: usize,
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
        let timeline = simulate(&table, &self.costs_of(table.num_stages));
        let fits = (0..self.groups).all(|group| timeline.peak(group) <= self.most());
        fits.then(|| self.objective.value(&timeline))
    }

    /// The best named schedule that fits, if one does.
    pub fn best_named(&self) -> Option<BestNamed> {
        best_of(&named_tables(self))
    }

    /// Costs of so many stages on all groups.
    fn costs_of(&self, num_stages: usize) -> Costs {
        self.costs.merged((self.costs.stages.len() / num_stages.max(1)).max(1))
    }

    /// The limit, with what sums in another order may differ by.
    fn most(&self) -> f64 {
        self.limit * (1.0 + 1e-9)
    }
}

/// Tables that are improved.
const STARTS: usize = 6;

/// Stages of each group that are tried if nobody says how many.
pub const USUAL: [usize; 3] = [1, 2, 4];

/// Stages of each group that are always tried, or fewer.
const FEW: usize = 2;

/// Times as long as the best of all that a named schedule with more stages on each group may take, where these are tried beside others.
pub const NEAR: f64 = 1.05;

/// Searches; none if no table fits. What is stopped answers with the best so far.
pub fn search(problem: &Problem, control: &dyn Control) -> Option<Answer> {
    let tables = named_tables(problem);
    let named = best_of(&tables);
    let tried = tried(problem, &tables, named.as_ref());
    let tables: Vec<NamedTable> =
        tables.into_iter().filter(|table| tried.contains(&table.virtual_stages)).collect();
    let placements: Vec<Placement> =
        problem.virtual_stages.iter().flat_map(|count| Placement::of(*count)).collect();
    let mut starts: Vec<(f64, Rc<Instance>, Rows)> = Vec::new();
    let mut bound = f64::INFINITY;
    let total = placements.len() + tables.len() + STARTS;
    let mut done = 0;
    let mut goes_on = || {
        control.progress("tables", done, total);
        done += 1;
        !control.should_stop()
    };
    for placement in placements {
        let instance = Rc::new(Instance::placed(problem, placement));
        bound = bound.min(bound::bound(&instance));
        if goes_on() && tried.contains(&placement.virtual_stages()) {
            let made = greedy::tables(&instance, control).into_iter();
            starts.extend(made.map(|(value, rows)| (value, instance.clone(), rows)));
        }
    }
    for NamedTable { schedule, .. } in &tables {
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

/// The table of a named schedule, and its seconds if it fits.
struct NamedTable {
    name: &'static str,
    virtual_stages: usize,
    schedule: Schedule,
    value: Option<f64>,
}

/// The tables of all named schedules that there are for these numbers and that keep one copy of the weights: the memory
/// of others is another.
fn named_tables(problem: &Problem) -> Vec<NamedTable> {
    let Problem { groups, microbatches, .. } = *problem;
    let table = |known: Named, virtual_stages: usize| {
        let stages = Stages { groups, virtual_stages, microbatches, layers: None };
        let schedule = known.table(&stages).ok()?;
        let value = problem.value(&schedule);
        Some(NamedTable { name: known.name, virtual_stages, schedule, value })
    };
    let of_each = |known: Named| {
        let tables = problem.virtual_stages.iter().filter_map(move |count| table(known, *count));
        tables.collect::<Vec<NamedTable>>()
    };
    SCHEDULES.into_iter().filter(|known| known.copies == 1).flat_map(of_each).collect()
}

/// The best of named tables that fit.
fn best_of(tables: &[NamedTable]) -> Option<BestNamed> {
    let mut best: Option<BestNamed> = None;
    for table in tables {
        let Some(value) = table.value else { continue };
        if best.as_ref().is_none_or(|best| value < best.value) {
            let NamedTable { name, virtual_stages, .. } = *table;
            best = Some(BestNamed { name, virtual_stages, value, schedule: table.schedule.clone() });
        }
    }
    best
}

/// The numbers of stages on each group for which tables are made: few, and those that come near to the best of named tables.
fn tried(problem: &Problem, tables: &[NamedTable], best: Option<&BestNamed>) -> Vec<usize> {
    let is_near = |count: usize| {
        let own = tables.iter().filter(|table| table.virtual_stages == count);
        let least = own.filter_map(|table| table.value).reduce(f64::min);
        least.zip(best).is_some_and(|(least, best)| least <= NEAR * best.value)
    };
    let is_alone = problem.virtual_stages.len() == 1;
    let is_tried = |count: &usize| is_alone || *count <= FEW || is_near(*count);
    problem.virtual_stages.iter().copied().filter(is_tried).collect()
}
