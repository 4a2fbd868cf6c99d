//! What the stages of a pipeline are predicted to take: what a plan is simulated with.

use serde::{Deserialize, Serialize};

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
}

impl PlanTimes {
    /// Returns whether all seconds are finite, and none is less than zero.
    pub fn are_possible(&self) -> bool {
        let of_stages = self.stages.iter().flat_map(|own| {
            [
                own.prepass_seconds,
                own.forward_seconds,
                own.backward_seconds,
                own.input_gradient_seconds,
                own.weight_gradient_seconds,
                own.update_seconds,
            ]
        });
        let of_transfers = self.transfers.iter().flat_map(|own| [own.up_seconds, own.down_seconds]);
        of_stages.chain(of_transfers).all(|seconds| seconds.is_finite() && seconds >= 0.0)
    }
}

/// Seconds of the phases of a stage, for one microbatch, and bytes on each of its devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanStageTimes {
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
    /// Bytes of parameters, of what is updated with them, and of accumulators.
    pub held_bytes: u64,
    /// Bytes that its largest program needs beside its arguments.
    pub working_bytes: u64,
    /// Bytes that are kept of a microbatch from its forward to its backward pass.
    pub kept_bytes: u64,
    /// Bytes of them, or made instead, that are kept until the gradients of parameters are made.
    pub kept_for_weights_bytes: u64,
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
