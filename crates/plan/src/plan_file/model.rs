//! The configuration that a plan's program was made of.

use serde::{Deserialize, Serialize};

/// All by which the program of a training step follows from a model's `config.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanModel {
    /// Its `model_type`, for people.
    #[serde(default)]
    pub model_type: String,
    /// The text of the configuration, with which other frameworks are told the model's sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<String>,
    /// Tokens of a sequence.
    pub tokens_per_sequence: usize,
    /// Sequences of a step.
    pub sequences: usize,
    /// Types of numbers: `bf16`, `f32` or `fp8`.
    pub precision_recipe: String,
    /// Name of the optimizer, or `none` where the program is that of the loss.
    pub optimizer: String,
    /// Tokens that an expert takes, as a multiple of what it takes if all experts take the same.
    pub capacity_factor: f64,
    /// The kernel that runs the scans of Mamba-2; none where they are written out, or there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scan_kernel: Option<String>,
}
