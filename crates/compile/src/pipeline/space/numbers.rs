//! Numbers and schedules that a search chooses from.

use meshwright_schedule::{Named, SCHEDULES};

use crate::pipeline::SLICES;

/// Stages of each group that are tried where a schedule has several.
const VIRTUAL: [usize; 2] = [2, 4];

/// Numbers to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Numbers {
    /// One of these.
    These(Vec<usize>),
    /// All that are possible.
    Search,
    /// All that are possible but one.
    Several,
}

impl Numbers {
    /// Those that are asked for, or else all possible ones.
    pub(in crate::pipeline) fn of(&self, possible: &[usize]) -> Vec<usize> {
        match self {
            Self::These(numbers) => numbers.clone(),
            Self::Search => possible.to_vec(),
            Self::Several => possible.iter().copied().filter(|number| *number != 1).collect(),
        }
    }
}

/// Numbers and schedules to choose from.
#[derive(Clone, Debug)]
pub struct PipelineSpace {
    /// Groups of devices; 1 is no pipeline.
    pub groups: Numbers,
    /// Stages of each group.
    pub virtual_stages: Numbers,
    /// Microbatches of a step.
    pub microbatches: Numbers,
    /// Schedules; all that keep one copy of the weights if there is none.
    pub schedules: Vec<Named>,
    /// Whether few combinations are enough: the usual ones and what is next to the best, and hardly more for the bound.
    pub is_short: bool,
}

impl PipelineSpace {
    /// The schedules to choose from.
    pub(in crate::pipeline) fn all_schedules(&self) -> Vec<Named> {
        let is_tried = |named: &Named| named.copies == 1 && named.name != SLICES;
        match self.schedules.is_empty() {
            true => SCHEDULES.into_iter().filter(is_tried).collect(),
            false => self.schedules.clone(),
        }
    }

    /// Stages of each group with a schedule.
    pub(in crate::pipeline) fn stages_of(&self, named: &Named) -> Vec<usize> {
        match &self.virtual_stages {
            Numbers::These(counts) => counts.clone(),
            _ if named.virtual_stages > 1 => VIRTUAL.to_vec(),
            _ => vec![1],
        }
    }
}
