//! Schedules: what each group of devices runs and hands over, in which order.
//!
//! A [`Schedule`] has a row of events for each group of devices. An event is an [`Action`], the program of one stage and
//! phase for one microbatch, or a [`Transfer`] of one value between two groups, which stands in the rows of both. As
//! text, a row is a line, and actions are written as PyTorch does:
//!
//! ```text
//! 0F0 h:0>1:0 0F1 h:0>1:1 g:1>0:0 0B0 g:1>0:1 0B1 0U0
//! h:0>1:0 1F0 1B0 h:0>1:1 1F1 g:1>0:0 1B1 g:1>0:1 1U0
//! ```
//!
//! `1B0` is the backward pass of stage 1 for microbatch 0; `h:0>1:1` hands value `h` of microbatch 1 from group 0 to
//! group 1. [`crate::schedule_text`] reads such text, [`crate::verify_programs`] says whether a schedule can run: also
//! which [`Phase`]s a step needs for each microbatch.

use std::fmt;

/// Phases of a stage's computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// The whole step, if it is not cut into phases.
    Step,
    /// Copies of the stage's parameters as microbatches compute with them, made once in a step, before all of them.
    Copies,
    /// A pass over a microbatch before all others, for what the step needs of all microbatches at once.
    Prepass,
    /// The forward pass of a microbatch.
    Forward,
    /// Gradients of what the forward pass received, for a microbatch.
    InputGradient,
    /// Gradients of the stage's parameters, for a microbatch.
    WeightGradient,
    /// Both gradients at once.
    Backward,
    /// A round of the update, once in a step: rounds are counted from 0, between them groups exchange.
    Update(usize),
    /// The second round of the update as it is if nothing has to be corrected: it does not wait for other groups.
    Optimistic,
    /// The check of what [`Phase::Optimistic`] took for granted, once groups have exchanged.
    Validation,
    /// The same round with what groups have exchanged, in place of the optimistic one: it runs only if the check fails.
    Redo,
}

impl Phase {
    /// The phases of microbatches.
    pub const OF_MICROBATCH: [Self; 5] =
        [Self::Prepass, Self::Forward, Self::InputGradient, Self::WeightGradient, Self::Backward];

    /// The phases of an update that does not wait, each once in a step.
    pub const OF_POST_VALIDATION: [Self; 3] = [Self::Optimistic, Self::Validation, Self::Redo];

    /// The letter that stands for it in an action.
    pub fn letter(self) -> char {
        match self {
            Self::Step => 'S',
            Self::Copies => 'C',
            Self::Prepass => 'P',
            Self::Forward => 'F',
            Self::InputGradient => 'I',
            Self::WeightGradient => 'W',
            Self::Backward => 'B',
            Self::Update(_) => 'U',
            Self::Optimistic => 'O',
            Self::Validation => 'V',
            Self::Redo => 'R',
        }
    }

    /// Returns whether it runs once for each microbatch, not once in a step.
    pub fn is_of_microbatch(self) -> bool {
        Self::OF_MICROBATCH.contains(&self)
    }

    /// Returns whether it is of the update.
    pub fn is_of_update(self) -> bool {
        matches!(self, Self::Update(_)) || Self::OF_POST_VALIDATION.contains(&self)
    }

    /// Its name in names of files and stages: `forward`, `update-1`.
    pub fn name(self) -> String {
        match self {
            Self::Step => "step".to_owned(),
            Self::Copies => "copies".to_owned(),
            Self::Prepass => "prepass".to_owned(),
            Self::Forward => "forward".to_owned(),
            Self::InputGradient => "input-gradient".to_owned(),
            Self::WeightGradient => "weight-gradient".to_owned(),
            Self::Backward => "backward".to_owned(),
            Self::Update(round) => format!("update-{round}"),
            Self::Optimistic => "optimistic-update".to_owned(),
            Self::Validation => "validation".to_owned(),
            Self::Redo => "redone-update".to_owned(),
        }
    }

    /// The gradients and passes that it makes for a microbatch: [`Phase::Backward`] makes those of two others.
    pub(crate) fn parts(self) -> &'static [Phase] {
        match self {
            Self::Prepass => &[Self::Prepass],
            Self::Forward => &[Self::Forward],
            Self::InputGradient => &[Self::InputGradient],
            Self::WeightGradient => &[Self::WeightGradient],
            Self::Backward => &[Self::InputGradient, Self::WeightGradient],
            Self::Step
            | Self::Copies
            | Self::Update(_)
            | Self::Optimistic
            | Self::Validation
            | Self::Redo => &[],
        }
    }
}

/// A program of several: that of one phase of one stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramId {
    /// Number of the stage.
    pub stage: usize,
    /// The phase.
    pub phase: Phase,
}

impl ProgramId {
    /// The only program of a step that is not cut.
    pub const WHOLE: Self = Self { stage: 0, phase: Phase::Step };

    /// Its name in names of files and dumps: `stage-1-backward`.
    pub fn name(self) -> String {
        format!("stage-{}-{}", self.stage, self.phase.name())
    }
}

/// `1F`, `0U1`.
impl fmt::Display for ProgramId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stage, phase } = self;
        match phase {
            Phase::Update(round) => write!(f, "{stage}U{round}"),
            phase => write!(f, "{stage}{}", phase.letter()),
        }
    }
}

/// One run of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action {
    /// The program.
    pub program: ProgramId,
    /// The microbatch that it runs for, if it does not run once in a step.
    pub microbatch: Option<usize>,
}

/// `2F0`: stage, phase, microbatch; for an update its round, for a whole step 0.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ProgramId { stage, phase } = self.program;
        let number = match phase {
            Phase::Update(round) => round,
            _ => self.microbatch.unwrap_or(0),
        };
        write!(f, "{stage}{}{number}", phase.letter())
    }
}

/// A value on its way from one group of devices to another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transfer {
    /// Name of the value.
    pub value: String,
    /// The microbatch whose value it is, if there is not one value in a step.
    pub microbatch: Option<usize>,
    /// The group that has it.
    pub source: usize,
    /// The group that gets it.
    pub target: usize,
}

impl Transfer {
    /// The other group, seen from one of the two.
    pub fn partner(&self, group: usize) -> usize {
        if group == self.source { self.target } else { self.source }
    }
}

/// `h:0>1:2`: value, source, target, microbatch; `h:0>1` if there is one in a step.
impl fmt::Display for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { value, microbatch, source, target } = self;
        write!(f, "{value}:{source}>{target}")?;
        microbatch.map_or(Ok(()), |microbatch| write!(f, ":{microbatch}"))
    }
}

/// An entry of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Event {
    /// The group runs a program.
    Action(Action),
    /// The group gives or gets a value.
    Transfer(Transfer),
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Action(action) => action.fmt(f),
            Self::Transfer(transfer) => transfer.fmt(f),
        }
    }
}

/// A row of events for each group of devices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// What each group does, in order.
    pub rows: Vec<Vec<Event>>,
}

impl Schedule {
    /// One group runs one program once.
    pub fn whole() -> Self {
        Self { rows: vec![vec![Event::Action(Action { program: ProgramId::WHOLE, microbatch: None })]] }
    }

    /// An order of all events in which rows are kept and a transfer is one event of two rows. Errors: there is none, and
    /// groups wait for each other in a circle.
    pub fn linear_order(&self) -> Result<Vec<&Event>, Circle<'_>> {
        let mut next = vec![0; self.rows.len()];
        let mut order = Vec::new();
        loop {
            let before = order.len();
            for group in 0..self.rows.len() {
                while let Some(event) = self.rows[group].get(next[group]) {
                    if let Event::Transfer(transfer) = event {
                        let partner = transfer.partner(group);
                        if self.head(&next, partner) != Some(event) || partner == group {
                            break;
                        }
                        next[partner] += 1;
                    }
                    next[group] += 1;
                    order.push(event);
                }
            }
            if order.len() == before {
                return self.circle(&next).map_or(Ok(order), Err);
            }
        }
    }

    fn head(&self, next: &[usize], group: usize) -> Option<&Event> {
        self.rows.get(group)?.get(*next.get(group)?)
    }

    /// The groups that wait for each other, if some have not come to their end.
    fn circle(&self, next: &[usize]) -> Option<Circle<'_>> {
        let stands = |group: usize| match self.head(next, group) {
            Some(Event::Transfer(transfer)) => Some(transfer),
            _ => None,
        };
        let mut group = (0..self.rows.len()).find(|group| stands(*group).is_some())?;
        let mut path: Vec<Wait<'_>> = Vec::new();
        while let Some(transfer) = stands(group) {
            if let Some(start) = path.iter().position(|wait| wait.group == group) {
                return Some(Circle(path.split_off(start)));
            }
            path.push(Wait { group, transfer });
            group = transfer.partner(group);
        }
        // Whoever is waited for last has come to its end.
        Some(Circle(path))
    }
}

/// One line for each group; `-` for one that does nothing.
impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.iter().try_for_each(|row| writeln!(f, "{}", row_text(row)))
    }
}

/// The line of a row.
pub fn row_text(row: &[Event]) -> String {
    match row {
        [] => "-".to_owned(),
        row => row.iter().map(Event::to_string).collect::<Vec<_>>().join(" "),
    }
}

/// Groups that wait for each other: each for the next one, the last for the first, or for one that is at its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Circle<'a>(pub Vec<Wait<'a>>);

/// A group that stands at a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait<'a> {
    /// The group.
    pub group: usize,
    /// What it waits at.
    pub transfer: &'a Transfer,
}

impl fmt::Display for Circle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let wait = |Wait { group, transfer }: &Wait<'_>| {
            format!("group {group} waits at `{transfer}` for group {}", transfer.partner(*group))
        };
        f.write_str(&self.0.iter().map(wait).collect::<Vec<_>>().join(", "))
    }
}
