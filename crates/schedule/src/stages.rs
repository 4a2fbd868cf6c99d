//! Numbers that a schedule is made for, and the rules about them that schedules have.

use crate::nearest::refusal;
use std::fmt;

/// Groups of devices, their stages, and the microbatches of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stages {
    /// Groups of devices: rows of the table.
    pub groups: usize,
    /// Stages of each group.
    pub virtual_stages: usize,
    /// Microbatches of a step.
    pub microbatches: usize,
    /// Parts of the program that a stage may consist of, if they are known.
    pub layers: Option<usize>,
}

/// A number of [`Stages`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// The groups of devices.
    Groups,
    /// The stages of each group.
    VirtualStages,
    /// The microbatches.
    Microbatches,
}

/// Reason for which there is no table, and what would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The rule.
    pub rule: String,
    /// The nearest numbers for which there is a table: each way has those that are others in it. None if there is no way.
    pub nearest: Vec<Vec<(Number, usize)>>,
}

/// A rule that numbers break.
#[derive(Debug)]
pub(crate) struct Broken {
    pub(crate) rule: String,
    /// The number that breaks it.
    pub(crate) number: Number,
    /// The nearest values of this number for which this rule holds; others may not.
    pub(crate) nearest: Vec<usize>,
}

impl Number {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Groups, Self::VirtualStages, Self::Microbatches];
}

/// `group`, without its plural.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Groups => "stage groups",
            Self::VirtualStages => "virtual stages",
            Self::Microbatches => "microbatches",
        })
    }
}

impl Refusal {
    /// The ways to a table, with each number as `said` writes it; none if there is no way.
    pub fn ways(&self, said: impl Fn(Number, usize) -> String) -> Option<String> {
        let way = |way: &Vec<(Number, usize)>| {
            let numbers: Vec<String> = way.iter().map(|(number, value)| said(*number, *value)).collect();
            numbers.join(" and ")
        };
        let ways: Vec<String> = self.nearest.iter().map(way).collect();
        (!ways.is_empty()).then(|| ways.join(" or "))
    }

    /// The number, if all ways change the same one alone.
    fn only(&self) -> Option<Number> {
        let (number, _) = *self.nearest.first()?.first()?;
        let is_only = |way: &Vec<(Number, usize)>| matches!(way[..], [(own, _)] if own == number);
        self.nearest.iter().all(is_only).then_some(number)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rule)?;
        let ways = match self.only() {
            Some(number) => {
                self.ways(|_, value| value.to_string()).map(|values| format!("{values} {number}"))
            }
            None => self.ways(|number, value| format!("{value} {number}")),
        };
        ways.map_or(Ok(()), |ways| write!(f, "; with {ways} it is possible"))
    }
}

/// Tables of more actions, each forward and backward pass counted once, are not written out.
const MOST_ACTIONS: usize = 1 << 20;

impl Stages {
    /// The rules for tables that are searched by their numbers alone.
    ///
    /// # Errors
    /// They have too many actions to be written out, or the model has too few layers; or there is nothing to be done.
    pub fn can_be_searched(&self) -> Result<(), Refusal> {
        let rules = |stages: &Self| {
            stages.few_actions()?;
            stages.some_of_each()?;
            stages.enough_layers()
        };
        rules(self).map_err(|broken| refusal(self, broken, &rules))
    }

    /// The rule for tables that somebody asks for by their numbers alone.
    pub(crate) fn few_actions(&self) -> Result<(), Broken> {
        let stages = self.groups.saturating_mul(self.virtual_stages);
        if stages.saturating_mul(self.microbatches) <= MOST_ACTIONS {
            return Ok(());
        }
        let rule = format!("a table of more than {MOST_ACTIONS} actions is not written");
        let of_group = self.virtual_stages.saturating_mul(self.microbatches);
        let (number, most) = match stages <= MOST_ACTIONS / 2 {
            true => (Number::Microbatches, MOST_ACTIONS / stages.max(1)),
            false => (Number::Groups, MOST_ACTIONS / of_group.max(1)),
        };
        Err(Broken { rule, number, nearest: vec![most.max(1)] })
    }

    /// One of the numbers.
    pub(crate) fn of(&self, number: Number) -> usize {
        match number {
            Number::Groups => self.groups,
            Number::VirtualStages => self.virtual_stages,
            Number::Microbatches => self.microbatches,
        }
    }

    /// The same with another value of one number.
    pub(crate) fn with(&self, number: Number, value: usize) -> Self {
        match number {
            Number::Groups => Self { groups: value, ..*self },
            Number::VirtualStages => Self { virtual_stages: value, ..*self },
            Number::Microbatches => Self { microbatches: value, ..*self },
        }
    }

    /// Stages of all groups.
    pub fn count(&self) -> usize {
        self.groups * self.virtual_stages
    }

    /// The rules that every pipeline has.
    pub(crate) fn possible(&self) -> Result<(), Broken> {
        self.some_of_each()?;
        if self.groups > 1 && self.microbatches == 1 {
            let rule = "with one microbatch only one group works at any time".to_owned();
            return Err(Broken { rule, number: Number::Microbatches, nearest: vec![self.groups] });
        }
        self.enough_layers()
    }

    /// The rule that there is something to do, and somebody who does it.
    fn some_of_each(&self) -> Result<(), Broken> {
        let rules = [
            (Number::Groups, "a pipeline has at least one group"),
            (Number::VirtualStages, "a group has at least one stage"),
            (Number::Microbatches, "a step has at least one microbatch"),
        ];
        match rules.into_iter().find(|(number, _)| self.of(*number) == 0) {
            Some((number, rule)) => Err(Broken { rule: rule.to_owned(), number, nearest: vec![1] }),
            None => Ok(()),
        }
    }

    /// The rule that each stage has a layer, if it is known how many there are.
    fn enough_layers(&self) -> Result<(), Broken> {
        match self.layers {
            Some(layers) if layers < self.count() => Err(self.too_few_layers(layers)),
            _ => Ok(()),
        }
    }

    fn too_few_layers(&self, layers: usize) -> Broken {
        let count = self.count();
        let rule = format!("{layers} layers do not make {count} stages, of which each has at least one");
        if layers >= self.groups && self.virtual_stages > 1 {
            return Broken { rule, number: Number::VirtualStages, nearest: vec![layers / self.groups] };
        }
        let most = (layers / self.virtual_stages).max(1);
        Broken { rule, number: Number::Groups, nearest: vec![most] }
    }

    /// The rule that a group has exactly so many stages.
    pub(crate) fn stages_per_group(&self, count: usize, why: &str) -> Result<(), Broken> {
        if self.virtual_stages == count {
            return Ok(());
        }
        let rule = format!("{why}, not {}", self.virtual_stages);
        Err(Broken { rule, number: Number::VirtualStages, nearest: vec![count] })
    }

    /// The rule that groups have several stages.
    pub(crate) fn several_stages_per_group(&self) -> Result<(), Broken> {
        if self.virtual_stages > 1 {
            return Ok(());
        }
        let rule = "to interleave, a group has several stages, not 1".to_owned();
        Err(Broken { rule, number: Number::VirtualStages, nearest: vec![2] })
    }

    /// The rule that microbatches come in rounds of as many as there are groups.
    pub(crate) fn rounds_of_microbatches(&self) -> Result<(), Broken> {
        self.microbatches_by(
            self.groups,
            "interleaved stages take microbatches in rounds of one for each group",
        )
    }

    /// The rule that `by` divides the number of microbatches.
    pub(crate) fn microbatches_by(&self, by: usize, why: &str) -> Result<(), Broken> {
        let count = self.microbatches;
        if count.is_multiple_of(by) {
            return Ok(());
        }
        let rule = format!("{why}, and {count} is no multiple of {by}");
        let below = count / by * by;
        let nearest = [Some(below), below.checked_add(by)].into_iter().flatten();
        let nearest = nearest.filter(|count| *count > 0).collect();
        Err(Broken { rule, number: Number::Microbatches, nearest })
    }

    /// The rule that there are at least so many microbatches.
    pub(crate) fn at_least_microbatches(&self, least: usize, why: &str) -> Result<(), Broken> {
        if self.microbatches >= least {
            return Ok(());
        }
        let rule = format!("{why}: {} microbatches are fewer than {least}", self.microbatches);
        Err(Broken { rule, number: Number::Microbatches, nearest: vec![least] })
    }

    /// The rule that groups come in pairs.
    pub(crate) fn even_groups(&self) -> Result<(), Broken> {
        let count = self.groups;
        if count.is_multiple_of(2) {
            return Ok(());
        }
        let rule = format!("pipelines in both directions pair the groups, and {count} is odd");
        let nearest = [count - 1, count + 1].into_iter().filter(|count| *count > 0).collect();
        Err(Broken { rule, number: Number::Groups, nearest })
    }
}
