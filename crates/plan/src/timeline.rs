//! Timelines: what a schedule does when, as a simulation predicts it. Times are seconds from the begin of the step.
//!
//! A [`Timeline`] holds what each group of devices runs, what each link carries, and how much each group keeps.

use crate::schedule::{Action, Event, Phase};

/// A step of all groups.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// What each group runs, in order.
    pub groups: Vec<Vec<Run>>,
    /// What is handed from group to group, in order of source and target, on each link in order of time.
    pub links: Vec<Link>,
    /// Bytes that each group keeps of microbatches, each from a time on.
    pub memory: Vec<Vec<Level>>,
    /// The time from which each group could begin the next step: the end of its last run, or the arrival of what others
    /// have updated for it.
    pub ready: Vec<f64>,
    /// Seconds from the begin of a step to that of the next one, if groups begin it while others are still in this one.
    pub period: Option<f64>,
}

/// One run of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Run {
    /// The program and its microbatch.
    pub action: Action,
    /// Its begin.
    pub start: f64,
    /// Its end.
    pub end: f64,
    /// Seconds before it in which the group has nothing to do but to wait for what is on a link.
    pub exposed: f64,
}

/// A way from one group to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The group that hands on.
    pub source: usize,
    /// The group that is handed to.
    pub target: usize,
    /// What is carried.
    pub carried: Vec<Carried>,
}

/// A result on its way.
#[derive(Clone, Debug, PartialEq)]
pub struct Carried {
    /// The action that made it, or the transfer as the table writes it.
    pub what: Event,
    /// The time from which it could have been sent.
    pub ready: f64,
    /// Its departure.
    pub start: f64,
    /// Its arrival.
    pub end: f64,
}

/// A change of what a group keeps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The time of the change.
    pub time: f64,
    /// Bytes from then on.
    pub bytes: f64,
}

impl Timeline {
    /// The time at which all groups could begin the next step.
    pub fn makespan(&self) -> f64 {
        self.ready.iter().copied().fold(0.0, f64::max)
    }

    /// Seconds that a step takes among others.
    pub fn step(&self) -> f64 {
        self.period.unwrap_or_else(|| self.makespan())
    }

    /// Seconds in which a group computes.
    pub fn busy(&self, group: usize) -> f64 {
        self.groups[group].iter().map(|run| run.end - run.start).sum()
    }

    /// Seconds from the begin of the first run of a group until it could begin the next step. Copies of parameters, which wait
    /// for no other group, count as made directly in front of what comes behind them.
    pub fn span(&self, group: usize) -> f64 {
        let is_copy = |run: &&Run| run.action.program.phase == Phase::Copies;
        let runs = &self.groups[group];
        let copies: f64 = runs.iter().take_while(is_copy).map(|run| run.end - run.start).sum();
        match runs.iter().find(|run| !is_copy(run)) {
            Some(first) => self.ready[group] - first.start + copies,
            None => runs.first().map_or(0.0, |_| copies),
        }
    }

    /// Seconds in which a group has ended its last run and waits for what others have updated for it.
    pub fn waits_for_state(&self, group: usize) -> f64 {
        self.groups[group].last().map_or(0.0, |run| self.ready[group] - run.end)
    }

    /// The longest span of a group.
    pub fn longest_span(&self) -> f64 {
        (0..self.groups.len()).map(|group| self.span(group)).fold(0.0, f64::max)
    }

    /// The most bytes that a group keeps at once.
    pub fn peak(&self, group: usize) -> f64 {
        self.memory[group].iter().map(|level| level.bytes).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::ProgramId;

    #[test]
    fn copies_count_as_made_in_front_of_the_first_pass() {
        let run = |phase, start, end| {
            let action = Action { program: ProgramId { stage: 1, phase }, microbatch: None };
            Run { action, start, end, exposed: 0.0 }
        };
        let passes = [run(Phase::Forward, 5.0, 6.0), run(Phase::Backward, 6.0, 8.0)];
        let span = |runs: Vec<Run>| {
            Timeline { groups: vec![runs], ready: vec![8.0], ..Timeline::default() }.longest_span()
        };
        assert_eq!(span(passes.to_vec()), 3.0);
        assert_eq!(span([&[run(Phase::Copies, 0.0, 1.0)][..], &passes].concat()), 4.0);
    }
}
