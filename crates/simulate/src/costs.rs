//! Seconds and bytes of what a schedule does: of the phases of each stage, and of what is handed from stage to stage.

use meshwright_plan::Phase;
use std::collections::BTreeMap;

/// Costs of everything that a table can hold.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Costs {
    /// Costs of each stage.
    pub stages: Vec<StageCosts>,
    /// Seconds between each stage and the next one, one fewer than stages.
    pub boundaries: Vec<Boundary>,
    /// What goes between groups once in a step.
    pub shared: Vec<Shared>,
    /// Factors by which groups of devices are slower than the others.
    pub slowdowns: BTreeMap<usize, f64>,
}

/// Costs of one stage, for one microbatch or one update.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageCosts {
    /// Seconds of the copies of its parameters, once in a step.
    pub copies: f64,
    /// Seconds of the pre-pass.
    pub prepass: f64,
    /// Seconds of the forward pass.
    pub forward: f64,
    /// Seconds of the gradients of what the stage received.
    pub input_gradient: f64,
    /// Seconds of the gradients of its parameters.
    pub weight_gradient: f64,
    /// Seconds of a round of the update.
    pub update: f64,
    /// Bytes that are kept from the forward pass until the gradient of the input is made.
    pub kept: f64,
    /// Bytes of them, or made instead, that are kept until the gradients of parameters are made.
    pub kept_for_weights: f64,
}

/// Seconds that results take from one stage to its neighbor, if these are on different groups.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Boundary {
    /// Seconds of what the forward pass hands on.
    pub up: f64,
    /// Seconds of the gradient that comes back.
    pub down: f64,
}

/// Seconds of what a stage hands once in a step to the stage that updates what it reads, and of what comes back, if these are
/// on different groups. Of a stage itself, it is between its copies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shared {
    /// The stage that reads what is updated.
    pub reader: usize,
    /// The stage that updates it.
    pub home: usize,
    /// Seconds of the gradients, in front of the update.
    pub gradients: f64,
    /// Seconds of what is read, behind the update.
    pub state: f64,
}

impl Costs {
    /// Equal stages: `[forward, input gradient, weight gradient]` and transfers in seconds; each keeps 1 byte.
    pub fn uniform(
        num_stages: usize,
        [forward, input_gradient, weight_gradient]: [f64; 3],
        transfer: f64,
    ) -> Self {
        let stage = StageCosts {
            forward,
            input_gradient,
            weight_gradient,
            kept: 1.0,
            kept_for_weights: 1.0,
            ..StageCosts::default()
        };
        Self {
            stages: vec![stage; num_stages],
            boundaries: vec![Boundary { up: transfer, down: transfer }; num_stages.saturating_sub(1)],
            ..Self::default()
        }
    }

    /// Stages of `count` neighbors each: what one group runs at once.
    pub fn merged(&self, count: usize) -> Self {
        let boundaries = self.boundaries.chunks(count).filter_map(|inner| inner.get(count - 1));
        let mut shared: BTreeMap<(usize, usize), Shared> = BTreeMap::new();
        for own in &self.shared {
            let (reader, home) = (own.reader / count, own.home / count);
            let sum = shared.entry((reader, home)).or_insert(Shared { reader, home, ..Shared::default() });
            sum.gradients += own.gradients;
            sum.state += own.state;
        }
        Self {
            stages: self.stages.chunks(count).map(StageCosts::sum).collect(),
            boundaries: boundaries.copied().collect(),
            shared: shared.into_values().collect(),
            slowdowns: self.slowdowns.clone(),
        }
    }

    /// Transfers that take `factor` times as long.
    pub fn with_transfers(mut self, factor: f64) -> Self {
        for boundary in &mut self.boundaries {
            boundary.up *= factor;
            boundary.down *= factor;
        }
        for shared in &mut self.shared {
            shared.gradients *= factor;
            shared.state *= factor;
        }
        self
    }

    /// Seconds of a phase of a stage on a group.
    pub fn seconds(&self, stage: usize, phase: Phase, group: usize) -> f64 {
        let slowdown = self.slowdowns.get(&group).copied().unwrap_or(1.0);
        self.stages.get(stage).map_or(0.0, |costs| costs.seconds(phase)) * slowdown
    }

    /// Seconds from a stage to one of its neighbors.
    pub fn transfer_seconds(&self, source: usize, target: usize) -> f64 {
        let boundary = self.boundaries.get(source.min(target));
        let is_neighbor = source.abs_diff(target) == 1;
        let seconds = |boundary: &Boundary| if source < target { boundary.up } else { boundary.down };
        boundary.filter(|_| is_neighbor).map_or(0.0, seconds)
    }
}

impl StageCosts {
    /// Costs of stages that run one after the other.
    fn sum(stages: &[Self]) -> Self {
        let sum = |of: fn(&Self) -> f64| stages.iter().map(of).sum();
        Self {
            copies: sum(|stage| stage.copies),
            prepass: sum(|stage| stage.prepass),
            forward: sum(|stage| stage.forward),
            input_gradient: sum(|stage| stage.input_gradient),
            weight_gradient: sum(|stage| stage.weight_gradient),
            update: sum(|stage| stage.update),
            kept: sum(|stage| stage.kept),
            kept_for_weights: sum(|stage| stage.kept_for_weights),
        }
    }

    /// Seconds of a phase.
    pub fn seconds(&self, phase: Phase) -> f64 {
        match phase {
            Phase::Step => self.copies + self.work() + self.update,
            Phase::Copies => self.copies,
            Phase::Prepass => self.prepass,
            Phase::Forward => self.forward,
            Phase::InputGradient => self.input_gradient,
            Phase::WeightGradient => self.weight_gradient,
            Phase::Backward => self.input_gradient + self.weight_gradient,
            Phase::Update(_) | Phase::Optimistic => self.update,
            // The check is counted with the update, and as a rule nothing is made again.
            Phase::Validation | Phase::Redo => 0.0,
        }
    }

    /// Seconds of a microbatch: forward and both gradients.
    pub fn work(&self) -> f64 {
        self.forward + self.input_gradient + self.weight_gradient
    }

    /// Bytes by which a phase, at its begin and at its end, changes what is kept.
    pub fn kept_by(&self, phase: Phase) -> [f64; 2] {
        match phase {
            Phase::Forward => [self.kept, 0.0],
            Phase::InputGradient => [0.0, self.kept_for_weights - self.kept],
            Phase::WeightGradient => [0.0, -self.kept_for_weights],
            Phase::Backward => [0.0, -self.kept],
            Phase::Step
            | Phase::Copies
            | Phase::Prepass
            | Phase::Update(_)
            | Phase::Optimistic
            | Phase::Validation
            | Phase::Redo => [0.0, 0.0],
        }
    }
}
