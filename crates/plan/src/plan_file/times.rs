//! What the stages of a pipeline are predicted to take: what a plan is simulated with.

use serde::{Deserialize, Serialize};

/// No step takes so many seconds: as many phases as there are add up to a number.
const ENDLESS: f64 = 1e100;

/// More rounds of an update than any step has.
const TOO_MANY_ROUNDS: usize = 64;

/// Times and bytes of a pipeline.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanTimes {
    /// Rounds of the update, between which groups exchange what all of them need.
    pub update_rounds: usize,
    /// Those of each stage.
    pub stages: Vec<PlanStageTimes>,
    /// Those between each stage and the next one, one fewer than stages.
    pub transfers: Vec<PlanTransfer>,
    /// What goes between stages once in a step. Plans that do not say it count nothing for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<PlanShared>,
    /// Bytes that a device of each group needs, event by event of its row. Where a plan does not say it, it is what its stages
    /// hold, keep and work in.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group_bytes: Vec<u64>,
}

impl PlanTimes {
    /// Returns whether any stage has a backward pass.
    pub fn has_backward(&self) -> bool {
        let seconds = |own: &PlanStageTimes| {
            own.backward_seconds + own.input_gradient_seconds + own.weight_gradient_seconds
        };
        self.stages.iter().any(|own| seconds(own) > 0.0)
    }

    /// Returns whether all seconds are those of a step that ends, none is less than zero, and the rounds of the update are those
    /// of a step.
    pub fn are_possible(&self) -> bool {
        let of_stages = self.stages.iter().flat_map(|own| {
            [
                own.copies_seconds,
                own.prepass_seconds,
                own.forward_seconds,
                own.backward_seconds,
                own.input_gradient_seconds,
                own.weight_gradient_seconds,
                own.update_seconds,
            ]
        });
        let of_transfers = self.transfers.iter().flat_map(|own| [own.up_seconds, own.down_seconds]);
        let of_shared = self.shared.iter().flat_map(|own| [own.gradients_seconds, own.state_seconds]);
        let mut all = of_stages.chain(of_transfers).chain(of_shared);
        self.update_rounds < TOO_MANY_ROUNDS && all.all(|seconds| (0.0..ENDLESS).contains(&seconds))
    }
}

/// Seconds of the phases of a stage, for one microbatch, and bytes on each of its devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanStageTimes {
    /// Copies of its parameters as microbatches compute with them, once in a step.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub copies_seconds: f64,
    /// The pass before all others.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub prepass_seconds: f64,
    /// The forward pass.
    pub forward_seconds: f64,
    /// Both gradients, where one phase makes them.
    pub backward_seconds: f64,
    /// Gradients of what the stage received, where they have a phase.
    pub input_gradient_seconds: f64,
    /// Gradients of its parameters, where they have a phase.
    pub weight_gradient_seconds: f64,
    /// The update, once in a step.
    pub update_seconds: f64,
    /// Bytes of parameters, of copies of them, of what is updated with them, and of accumulators.
    pub held_bytes: u64,
    /// Bytes that its largest program needs beside its arguments.
    pub working_bytes: u64,
    /// Bytes that are kept of a microbatch from its forward to its backward pass.
    pub kept_bytes: u64,
    /// Bytes of them, or made instead, that are kept until the gradients of parameters are made.
    pub kept_for_weights_bytes: u64,
}

/// Seconds of what a stage hands once in a step to the one that updates it, and of what comes back; of a stage itself, what
/// its copies would.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanShared {
    /// The stage that reads what is updated.
    pub reader: usize,
    /// The stage that updates it.
    pub home: usize,
    /// Of the gradients.
    pub gradients_seconds: f64,
    /// Of parameters, and of other state that is read.
    pub state_seconds: f64,
}

/// Seconds of what a microbatch hands from a stage to the next one, and of what comes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanTransfer {
    /// Of the forward pass.
    pub up_seconds: f64,
    /// Of the gradients.
    pub down_seconds: f64,
}

fn is_nothing(seconds: &f64) -> bool {
    *seconds == 0.0
}
