//! Synthesis: the best table that is found for given seconds and memory, never worse than any named schedule that fits.
//!
//! Input: a [`Problem`]; output: an [`Answer`] with a bound that no table of these placements can beat. Two stages for
//! each group are given, of which a table may take two neighbors as one:
//!
//! 1. every named schedule that keeps one copy of the weights is timed ([`best_named`]);
//! 2. tables are made by lists of priorities on three placements: one stage on each group, two in a V, two interleaved
//!    ([`greedy`]);
//! 3. the best of all is improved by moving actions on its longest path ([`improve`]);
//! 4. [`bound`] says how much better any other could be.
//!
//! Everything is counted, nothing is timed by a clock: the same problem gives the same table.

mod bound;
mod greedy;
mod improve;
mod instance;

use crate::{SCHEDULES, Stages};
use instance::{Instance, Placement, Rows};
use meshwright_plan::{Schedule, Table, Timeline};
use meshwright_simulate::{Costs, simulate};

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

/// Searches; none if no table fits.
pub fn search(problem: &Problem) -> Option<Answer> {
    let named = best_named(problem);
    let mut best = named.as_ref().map(|named| (named.value, named.schedule.clone()));
    let instances = Placement::ALL.map(|placement| Instance::placed(problem, placement));
    let mut starts: Vec<(f64, usize, Rows)> = Vec::new();
    for (which, instance) in instances.iter().enumerate() {
        starts.extend(greedy::tables(instance).into_iter().map(|(value, rows)| (value, which, rows)));
    }
    starts.sort_by(|one, other| one.0.total_cmp(&other.0));
    starts.truncate(STARTS);
    let mut improved: Vec<Schedule> = starts
        .into_iter()
        .map(|(_, which, rows)| instances[which].schedule(&improve::improve(&instances[which], rows)))
        .collect();
    if let Some(named) = &named {
        let (instance, rows) = Instance::of_table(problem, &named.schedule);
        improved.push(instance.schedule(&improve::improve(&instance, rows)));
    }
    for schedule in improved {
        if let Some(value) = problem.value(&schedule)
            && best.as_ref().is_none_or(|(least, _)| value < *least)
        {
            best = Some((value, schedule));
        }
    }
    let (value, schedule) = best?;
    let bound = instances.iter().map(bound::bound).fold(f64::INFINITY, f64::min).min(value);
    Some(Answer { schedule, value, bound, best_named: named })
}

/// Tables of priorities that are improved.
const STARTS: usize = 3;

/// The best named schedule that fits. Those with two copies of the weights are left out: their memory is another.
pub fn best_named(problem: &Problem) -> Option<BestNamed> {
    let mut best: Option<BestNamed> = None;
    for known in SCHEDULES.iter().filter(|known| known.copies == 1) {
        let stages = Stages {
            groups: problem.groups,
            virtual_stages: known.virtual_stages,
            microbatches: problem.microbatches,
            layers: None,
        };
        let Ok(schedule) = known.table(&stages) else { continue };
        let Some(value) = problem.value(&schedule) else { continue };
        if best.as_ref().is_none_or(|best| value < best.value) {
            best = Some(BestNamed { name: known.name, value, schedule });
        }
    }
    best
}
