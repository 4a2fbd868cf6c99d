//! Numbers that a schedule is made for, and the rules about them that schedules have.

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
    /// The number that breaks it.
    pub number: Number,
    /// The nearest values of this number for which the rule holds.
    pub nearest: Vec<usize>,
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

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.nearest.iter().map(usize::to_string).collect::<Vec<_>>();
        write!(f, "{}; with {} {} it is possible", self.rule, values.join(" or "), self.number)
    }
}

/// Tables of more actions, each forward and backward pass counted once, are not written out.
const MOST_ACTIONS: usize = 1 << 20;

impl Stages {
    /// The rule for tables that somebody asks for by their numbers alone.
    ///
    /// # Errors
    /// They have too many actions to be written out.
    pub fn can_be_written(&self) -> Result<(), Refusal> {
        let stages = self.groups.saturating_mul(self.virtual_stages);
        if stages.saturating_mul(self.microbatches) <= MOST_ACTIONS {
            return Ok(());
        }
        let rule = format!("a table of more than {MOST_ACTIONS} actions is not written");
        let (number, most) = match stages <= MOST_ACTIONS {
            true => (Number::Microbatches, MOST_ACTIONS / stages.max(1)),
            false => (Number::Groups, MOST_ACTIONS / self.virtual_stages.max(1)),
        };
        Err(Refusal { rule, number, nearest: vec![most.max(1)] })
    }

    /// Stages of all groups.
    pub fn count(&self) -> usize {
        self.groups * self.virtual_stages
    }

    /// The rules that every pipeline has.
    pub(crate) fn possible(&self) -> Result<(), Refusal> {
        let rule = |holds: bool, number, rule: &str, nearest| match holds {
            true => Ok(()),
            false => Err(Refusal { rule: rule.to_owned(), number, nearest: vec![nearest] }),
        };
        rule(self.groups > 0, Number::Groups, "a pipeline has at least one group", 1)?;
        rule(self.virtual_stages > 0, Number::VirtualStages, "a group has at least one stage", 1)?;
        rule(self.microbatches > 0, Number::Microbatches, "a step has at least one microbatch", 1)?;
        let is_pipeline = self.groups == 1 || self.microbatches > 1;
        let alone = "with one microbatch only one group works at any time";
        rule(is_pipeline, Number::Microbatches, alone, self.groups.max(2))?;
        match self.layers {
            Some(layers) if layers < self.count() => Err(self.too_few_layers(layers)),
            _ => Ok(()),
        }
    }

    fn too_few_layers(&self, layers: usize) -> Refusal {
        let count = self.count();
        let rule = format!("{layers} layers do not make {count} stages, of which each has at least one");
        if layers >= self.groups && self.virtual_stages > 1 {
            return Refusal { rule, number: Number::VirtualStages, nearest: vec![layers / self.groups] };
        }
        let most = (layers / self.virtual_stages).max(1);
        Refusal { rule, number: Number::Groups, nearest: vec![most] }
    }

    /// The rule that a group has exactly so many stages.
    pub(crate) fn stages_per_group(&self, count: usize, why: &str) -> Result<(), Refusal> {
        if self.virtual_stages == count {
            return Ok(());
        }
        let rule = format!("{why}, not {}", self.virtual_stages);
        Err(Refusal { rule, number: Number::VirtualStages, nearest: vec![count] })
    }

    /// The rule that groups have several stages.
    pub(crate) fn several_stages_per_group(&self) -> Result<(), Refusal> {
        if self.virtual_stages > 1 {
            return Ok(());
        }
        let rule = "to interleave, a group has several stages, not 1".to_owned();
        Err(Refusal { rule, number: Number::VirtualStages, nearest: vec![2] })
    }

    /// The rule that microbatches come in rounds of as many as there are groups.
    pub(crate) fn rounds_of_microbatches(&self) -> Result<(), Refusal> {
        self.microbatches_by(
            self.groups,
            "interleaved stages take microbatches in rounds of one for each group",
        )
    }

    /// The rule that `by` divides the number of microbatches.
    pub(crate) fn microbatches_by(&self, by: usize, why: &str) -> Result<(), Refusal> {
        let count = self.microbatches;
        if count.is_multiple_of(by) {
            return Ok(());
        }
        let rule = format!("{why}, and {count} is no multiple of {by}");
        let below = count / by * by;
        let nearest = [below, below + by].into_iter().filter(|count| *count > 0).collect();
        Err(Refusal { rule, number: Number::Microbatches, nearest })
    }

    /// The rule that there are at least so many microbatches.
    pub(crate) fn at_least_microbatches(&self, least: usize, why: &str) -> Result<(), Refusal> {
        if self.microbatches >= least {
            return Ok(());
        }
        let rule = format!("{why}: {} microbatches are fewer than {least}", self.microbatches);
        Err(Refusal { rule, number: Number::Microbatches, nearest: vec![least] })
    }

    /// The rule that groups come in pairs.
    pub(crate) fn even_groups(&self) -> Result<(), Refusal> {
        let count = self.groups;
        if count.is_multiple_of(2) {
            return Ok(());
        }
        let rule = format!("pipelines in both directions pair the groups, and {count} is odd");
        let nearest = [count - 1, count + 1].into_iter().filter(|count| *count > 0).collect();
        Err(Refusal { rule, number: Number::Groups, nearest })
    }
}
