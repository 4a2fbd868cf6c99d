//! What a search of pipelines answers: the best one, and what it was weighed against.

use meshwright_ir::diagnostic::Diagnostic;
use meshwright_ir::mesh::Mesh;
use meshwright_machine::{Bytes, Seconds};

use super::chosen::Chosen;
use super::numbers::PipelineSpace;
use crate::pipeline::figures::PipelineFigures;
use crate::pipeline::{FORWARD, OWN_TABLE, PartsOf, ScheduleChoice, refused};

/// The best pipeline that was found.
#[derive(Clone, Debug)]
pub struct PipelinePlan {
    /// Groups of devices.
    pub groups: usize,
    /// Stages of each group.
    pub virtual_stages: usize,
    /// Microbatches of a step.
    pub microbatches: usize,
    /// The schedule: one that has a name, or a table that was made.
    pub schedule: ScheduleChoice,
    /// The mesh of each group.
    pub mesh: Mesh,
    /// Hosts of each group, where they are not blocks of neighboring devices.
    pub group_hosts: Option<usize>,
    /// What a step takes with each group on so many hosts, where that was chosen.
    pub weighed_hosts: Vec<(usize, Seconds)>,
    /// Segments of each stage: the first one, and the one behind the last.
    pub segments: Vec<(usize, usize)>,
    /// What runs again in the backward pass of each stage, in words.
    pub again: Vec<String>,
    /// What it is predicted to take.
    pub figures: PipelineFigures,
    /// No pipeline of the numbers that were to choose from takes less.
    pub bound: Seconds,
    /// Every combination of groups and microbatches, in the order in which they were looked at.
    pub weighed: Vec<Weighed>,
    /// Whether the search was stopped before its end.
    pub unfinished: bool,
    /// What the programs of its stages are made of.
    pub(in crate::pipeline) chosen: Chosen,
    /// What it was chosen from, where a search did.
    pub(in crate::pipeline) space: Option<PipelineSpace>,
    /// What the search left out.
    pub(in crate::pipeline) left_out: Option<String>,
}

/// All that one of several pipelines was weighed against.
#[derive(Clone, Debug)]
pub struct Weighing {
    /// Groups and microbatches of the one.
    pub numbers: (usize, usize),
    /// No pipeline of the numbers that were to choose from takes less, cut where it was looked at.
    pub bound: Seconds,
    /// Every combination of groups and microbatches.
    pub weighed: Vec<Weighed>,
}

/// A combination of groups and microbatches.
#[derive(Clone, Debug, PartialEq)]
pub struct Weighed {
    /// Groups of devices.
    pub groups: usize,
    /// Microbatches, or slices.
    pub microbatches: usize,
    /// What these are parts of.
    pub parts_of: PartsOf,
    /// No pipeline of these takes less.
    pub bound: Seconds,
    /// What became of it.
    pub fate: WeighedFate,
}

/// Fate of a combination.
#[derive(Clone, Debug, PartialEq)]
pub enum WeighedFate {
    /// Its best plan takes so long, with this schedule; one program for all devices has none.
    Priced(Seconds, Option<&'static str>),
    /// Its bound is above what was found before, without anything being sharded.
    Left,
    /// It takes no less than what was found before: as its bound says, once it was sharded, or its schedules.
    Beaten,
    /// No stages fit into the memory: a device needs so many bytes, if that is known.
    DoesNotFit(Option<Bytes>),
    /// The step cannot be cut so.
    Impossible,
    /// It was not looked at: others near to the best of all were, and as many more as are worth the time.
    Passed,
}

impl PipelinePlan {
    /// Takes over what is known of the search that chose another one, of which this one takes the place.
    pub(crate) fn is_put_in_place_of(&mut self, other: &mut Self) {
        self.bound = other.bound;
        self.weighed = std::mem::take(&mut other.weighed);
        self.space = other.space.take();
        self.left_out = other.left_out.take();
    }

    /// The whole that its microbatches are parts of.
    pub fn parts_of(&self) -> PartsOf {
        self.schedule.parts_of()
    }

    /// The name of what its groups run: the schedule, or forward passes alone where nothing is trained.
    pub fn schedule_name(&self) -> &'static str {
        match self.chosen.short.trains {
            true => self.schedule.name().unwrap_or(OWN_TABLE),
            false => FORWARD,
        }
    }

    /// Whether somebody said its number of microbatches.
    pub(in crate::pipeline) fn is_of_given_microbatches(&self) -> bool {
        self.space.as_ref().is_none_or(|space| space.microbatches.only().is_some())
    }

    /// A warning that its microbatches, if their number was given, never fill its groups.
    pub fn never_full(&self) -> Option<Diagnostic> {
        let warning = refused::never_full((self.microbatches, self.groups), &self.figures);
        warning.filter(|_| self.is_of_given_microbatches())
    }

    /// All that it was weighed against.
    pub fn weighing(&self) -> Weighing {
        let numbers = (self.groups, self.microbatches);
        Weighing { numbers, bound: self.bound, weighed: self.weighed.clone() }
    }
}

impl Weighing {
    /// The combination that sets the bound: what is known of the others is that they take no less. None where that is the one
    /// itself.
    pub fn bounded_by(&self) -> Option<&Weighed> {
        let own = self.weighed.iter().min_by(|one, other| one.bound.0.total_cmp(&other.bound.0))?;
        let is_it = (own.groups, own.microbatches) == self.numbers;
        (!is_it && own.bound <= self.bound).then_some(own)
    }

    /// Share by which the step of the pipeline as it was made may be longer than that of the best one.
    pub fn gap(&self, figures: &PipelineFigures) -> f64 {
        (1.0 - self.bound.0 / figures.step().0).max(0.0)
    }
}
