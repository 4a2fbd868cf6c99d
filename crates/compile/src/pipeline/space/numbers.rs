//! Numbers and schedules that a search chooses from.

use meshwright_schedule::{Named, SCHEDULES};
use std::collections::BTreeSet;
use std::str::FromStr;

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

impl FromStr for Numbers {
    type Err = String;

    /// Reads `4`, `2,4,8`, or `search`.
    fn from_str(text: &str) -> Result<Self, String> {
        let count = |digits: &str| match digits.trim().parse() {
            Ok(0) => Err("there has to be at least 1".to_owned()),
            Ok(count) => Ok(count),
            Err(_) => Err(format!("`{digits}` is not a number, such as 4")),
        };
        match text.trim() {
            "search" => Ok(Self::Search),
            some => {
                let mut numbers: Vec<usize> = some.split(',').map(count).collect::<Result<_, _>>()?;
                // What is said twice is one number to choose from.
                let mut seen = BTreeSet::new();
                numbers.retain(|number| seen.insert(*number));
                Ok(Self::These(numbers))
            }
        }
    }
}

impl Numbers {
    /// The number, if there is only one.
    pub fn only(&self) -> Option<usize> {
        match self {
            Self::These(numbers) if numbers.len() == 1 => numbers.first().copied(),
            _ => None,
        }
    }

    /// Those that are asked for, or else all possible ones.
    pub(crate) fn of(&self, possible: &[usize]) -> Vec<usize> {
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
    /// Whether tables are made for each combination, beside those that have a name.
    pub makes_tables: bool,
    /// Whether few combinations are enough: the usual ones and what is next to the best, and hardly more for the bound.
    pub is_short: bool,
}

/// All schedules of microbatches that keep one copy of the weights.
pub(in crate::pipeline) fn of_one_copy() -> Vec<Named> {
    let is_it = |named: &Named| named.copies == 1 && named.name != SLICES;
    SCHEDULES.into_iter().filter(is_it).collect()
}

impl PipelineSpace {
    /// Returns whether one group is among the numbers: one program for all devices, which is no pipeline.
    pub(crate) fn has_one_group(&self) -> bool {
        match &self.groups {
            Numbers::These(numbers) => numbers.contains(&1),
            Numbers::Search => true,
            Numbers::Several => false,
        }
    }

    /// The same without one group; none if there is no other number.
    pub(crate) fn of_several_groups(&self) -> Option<Self> {
        let groups = match &self.groups {
            Numbers::These(numbers) => {
                Numbers::These(numbers.iter().copied().filter(|number| *number != 1).collect())
            }
            Numbers::Search | Numbers::Several => Numbers::Several,
        };
        (groups != Numbers::These(Vec::new())).then(|| Self { groups, ..self.clone() })
    }

    /// The schedules to choose from.
    pub(in crate::pipeline) fn all_schedules(&self) -> Vec<Named> {
        match self.schedules.is_empty() {
            true => of_one_copy(),
            false => self.schedules.clone(),
        }
    }

    /// Stages of each group for which a table of the whole step is searched: what is said, each by itself, or what is usual.
    pub(crate) fn stages_of_tables(&self) -> Vec<Option<usize>> {
        match &self.virtual_stages {
            Numbers::These(counts) => counts.iter().copied().map(Some).collect(),
            Numbers::Search | Numbers::Several => vec![None],
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_said_twice_is_one() {
        assert_eq!("4, 2,4,2".parse(), Ok(Numbers::These(vec![4, 2])));
        assert_eq!("2,2".parse::<Numbers>().unwrap().only(), Some(2));
    }
}
