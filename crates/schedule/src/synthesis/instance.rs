//! Problems with a placement, as arrays, and rows of small numbers that are timed fast.

use super::{Objective, Problem};
use meshwright_plan::{Action, Event, Phase, ProgramId, Schedule};

/// Number of an action of an [`Instance`].
pub(super) type Id = usize;

/// Actions of each group, in order.
pub(super) type Rows = Vec<Vec<Id>>;

/// The phases of a microbatch, in order.
const PHASES: [Phase; 3] = [Phase::Forward, Phase::InputGradient, Phase::WeightGradient];

/// Positions in `PHASES`.
pub(super) const FORWARD: usize = 0;
pub(super) const INPUT: usize = 1;
pub(super) const WEIGHT: usize = 2;

/// Where stages are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placement {
    /// One on each group.
    Single,
    /// Two, of which the second are in reverse order.
    V,
    /// So many, of which each row is in the same order as the first.
    Interleaved(usize),
}

impl Placement {
    /// Those of so many stages on each group.
    pub(super) fn of(virtual_stages: usize) -> Vec<Self> {
        match virtual_stages {
            0 | 1 => vec![Self::Single],
            2 => vec![Self::V, Self::Interleaved(2)],
            count => vec![Self::Interleaved(count)],
        }
    }

    /// Stages of each group.
    pub(super) fn virtual_stages(self) -> usize {
        match self {
            Self::Single => 1,
            Self::V => 2,
            Self::Interleaved(count) => count,
        }
    }

    fn homes(self, groups: usize) -> Vec<usize> {
        match self {
            Self::Single => (0..groups).collect(),
            Self::V => (0..groups).chain((0..groups).rev()).collect(),
            Self::Interleaved(count) => (0..count).flat_map(|_| 0..groups).collect(),
        }
    }
}

/// A problem in which every stage has its group.
pub(super) struct Instance {
    pub(super) groups: usize,
    pub(super) microbatches: usize,
    /// The group of each stage.
    pub(super) homes: Vec<usize>,
    /// Seconds of the phases of each stage.
    pub(super) seconds: Vec<[f64; 3]>,
    /// Seconds from each stage up to the next, and down from it.
    pub(super) up: Vec<f64>,
    pub(super) down: Vec<f64>,
    /// Kept between forward pass and gradient, and between both gradients, of each stage.
    pub(super) kept: Vec<[f64; 2]>,
    pub(super) limit: f64,
    pub(super) objective: Objective,
}

/// Times of a table.
pub(super) struct Times {
    /// Seconds by the objective.
    pub(super) value: f64,
    /// Begin and end of each action.
    pub(super) start: Vec<f64>,
    pub(super) end: Vec<f64>,
}

impl Instance {
    /// A problem on a placement.
    pub(super) fn placed(problem: &Problem, placement: Placement) -> Self {
        Self::new(problem, placement.homes(problem.groups))
    }

    /// The instance that a table is of, and its rows, in which both gradients are apart.
    pub(super) fn of_table(problem: &Problem, schedule: &Schedule) -> (Self, Rows) {
        let actions = |row: &[Event]| -> Vec<Action> {
            let action = |event: &Event| match event {
                Event::Action(action) => Some(*action),
                Event::Transfer(_) => None,
            };
            row.iter().filter_map(action).collect()
        };
        let rows: Vec<Vec<Action>> = schedule.rows.iter().map(|row| actions(row)).collect();
        let mut homes =
            vec![0; rows.iter().flatten().map(|action| action.program.stage + 1).max().unwrap_or(0)];
        for (group, row) in rows.iter().enumerate() {
            row.iter().for_each(|action| homes[action.program.stage] = group);
        }
        let instance = Self::new(problem, homes);
        let ids = |action: &Action| -> Vec<Id> {
            let (stage, microbatch) = (action.program.stage, action.microbatch.unwrap_or(0));
            let id = |phase| instance.id(stage, phase, microbatch);
            match action.program.phase {
                Phase::Forward => vec![id(FORWARD)],
                Phase::InputGradient => vec![id(INPUT)],
                Phase::WeightGradient => vec![id(WEIGHT)],
                _ => vec![id(INPUT), id(WEIGHT)],
            }
        };
        let rows = rows.iter().map(|row| row.iter().flat_map(ids).collect()).collect();
        (instance, rows)
    }

    fn new(problem: &Problem, homes: Vec<usize>) -> Self {
        let costs = problem.costs_of(homes.len());
        let seconds = |stage: usize| PHASES.map(|phase| costs.seconds(stage, phase, homes[stage]));
        let crosses = |stage: usize| f64::from(u8::from(homes[stage] != homes[stage + 1]));
        let boundaries = 0..homes.len() - 1;
        Self {
            groups: problem.groups,
            microbatches: problem.microbatches,
            seconds: (0..homes.len()).map(seconds).collect(),
            up: boundaries.clone().map(|stage| crosses(stage) * costs.boundaries[stage].up).collect(),
            down: boundaries.map(|stage| crosses(stage) * costs.boundaries[stage].down).collect(),
            kept: costs.stages.iter().map(|stage| [stage.kept, stage.kept_for_weights]).collect(),
            homes,
            limit: problem.most(),
            objective: problem.objective,
        }
    }

    pub(super) fn num_stages(&self) -> usize {
        self.homes.len()
    }

    pub(super) fn num_actions(&self) -> usize {
        self.homes.len() * 3 * self.microbatches
    }

    pub(super) fn id(&self, stage: usize, phase: usize, microbatch: usize) -> Id {
        (stage * 3 + phase) * self.microbatches + microbatch
    }

    /// Stage, phase and microbatch of an action.
    pub(super) fn parts(&self, id: Id) -> [usize; 3] {
        [id / self.microbatches / 3, id / self.microbatches % 3, id % self.microbatches]
    }

    pub(super) fn cost(&self, id: Id) -> f64 {
        let [stage, phase, _] = self.parts(id);
        self.seconds[stage][phase]
    }

    /// What an action needs, with the seconds until it is there: of its own stage, and of a neighbor.
    pub(super) fn needs(&self, id: Id) -> [Option<(Id, f64)>; 2] {
        let [stage, phase, microbatch] = self.parts(id);
        let last = self.num_stages() - 1;
        match phase {
            FORWARD if stage == 0 => [None, None],
            FORWARD => [None, Some((self.id(stage - 1, FORWARD, microbatch), self.up[stage - 1]))],
            INPUT => {
                let above = (stage < last).then(|| (self.id(stage + 1, INPUT, microbatch), self.down[stage]));
                [Some((self.id(stage, FORWARD, microbatch), 0.0)), above]
            }
            _ => [Some((self.id(stage, INPUT, microbatch), 0.0)), None],
        }
    }

    /// By how much an action changes what its group keeps, at its begin and at its end.
    pub(super) fn change(&self, id: Id) -> [f64; 2] {
        let [stage, phase, _] = self.parts(id);
        let [kept, for_weights] = self.kept[stage];
        match phase {
            FORWARD => [kept, 0.0],
            INPUT => [0.0, for_weights - kept],
            _ => [0.0, -for_weights],
        }
    }

    /// Returns whether a row keeps to the limit.
    pub(super) fn fits(&self, row: &[Id]) -> bool {
        let mut kept = 0.0;
        row.iter().all(|id| {
            let [before, behind] = self.change(*id);
            kept += before;
            let fits = kept <= self.limit;
            kept += behind;
            fits && kept <= self.limit
        })
    }

    /// Times of rows in which everything is done as soon as it can be; none if they never end.
    pub(super) fn timed(&self, rows: &Rows) -> Option<Times> {
        let mut times = Times {
            value: 0.0,
            start: vec![0.0; self.num_actions()],
            end: vec![f64::NAN; self.num_actions()],
        };
        let mut next = vec![0; rows.len()];
        let mut left: usize = rows.iter().map(Vec::len).sum();
        while left > 0 {
            let before = left;
            for (row, next) in rows.iter().zip(&mut next) {
                while let Some(id) = row.get(*next) {
                    let free = if *next == 0 { 0.0 } else { times.end[row[*next - 1]] };
                    let Some(start) = self.start(*id, free, &times.end) else { break };
                    (times.start[*id], times.end[*id]) = (start, start + self.cost(*id));
                    *next += 1;
                    left -= 1;
                }
            }
            if left == before {
                return None;
            }
        }
        times.value = self.value(rows, &times);
        Some(times)
    }

    /// The earliest begin of an action on a group that is free from a time on; none if something is not there yet.
    pub(super) fn start(&self, id: Id, free: f64, end: &[f64]) -> Option<f64> {
        let mut start = free;
        for (needed, seconds) in self.needs(id).into_iter().flatten() {
            if end[needed].is_nan() {
                return None;
            }
            start = start.max(end[needed] + seconds);
        }
        Some(start)
    }

    fn value(&self, rows: &Rows, times: &Times) -> f64 {
        rows.iter().map(|row| self.value_of_row(row, times)).fold(0.0, f64::max)
    }

    /// Seconds of a group by the objective.
    pub(super) fn value_of_row(&self, row: &[Id], times: &Times) -> f64 {
        match (self.objective, row.first(), row.last()) {
            (Objective::Makespan, _, Some(last)) => times.end[*last],
            (Objective::Span, Some(first), Some(last)) => times.end[*last] - times.start[*first],
            _ => 0.0,
        }
    }

    /// The rows as a schedule.
    pub(super) fn schedule(&self, rows: &Rows) -> Schedule {
        let event = |id: &Id| {
            let [stage, phase, microbatch] = self.parts(*id);
            let program = ProgramId { stage, phase: PHASES[phase] };
            Event::Action(Action { program, microbatch: Some(microbatch) })
        };
        Schedule { rows: rows.iter().map(|row| row.iter().map(event).collect()).collect() }
    }
}
