//! What a worker tells, one JSON object per line (`python/meshwright_xla/messages.py`).

use serde::Deserialize;
use std::collections::BTreeMap;

/// A message.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(super) enum Message {
    /// JAX is up.
    Hello { jax: String, platform: String, devices: Vec<usize> },
    /// What it does from now on.
    Phase { name: Phase },
    /// A step is done.
    Step(Step),
    /// The results of a step are on disk.
    Results { step: u64 },
    /// A checkpoint is complete.
    Saved { step: u64, path: String, seconds: f64 },
    /// What a device is, and its memory in bytes.
    Device { kind: String, memory: u64 },
    /// The seconds that the thing of a measurement takes once.
    Measured { index: usize, seconds: f64 },
    /// It is still there.
    Alive {},
    /// It gives up.
    Failed { kind: String, doing: String, message: String },
    /// All is done.
    Done { step: u64, is_stopped: bool },
}

/// What a worker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Imports JAX.
    Starting,
    /// Waits for the other workers.
    Joining,
    /// Compiles the program.
    Compiling,
    /// Reads arguments.
    Reading,
    /// Runs steps.
    Running,
    /// Writes a checkpoint.
    Saving,
    /// Writes results.
    Writing,
}

impl Phase {
    /// In a sentence: "while it was ...".
    pub fn word(self) -> &'static str {
        match self {
            Self::Starting => "starting",
            Self::Joining => "waiting for the other workers",
            Self::Compiling => "compiling",
            Self::Reading => "reading its arguments",
            Self::Running => "running",
            Self::Saving => "writing a checkpoint",
            Self::Writing => "writing results",
        }
    }
}

/// A finished step.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Step {
    /// How many steps are done, those before the run included.
    pub step: u64,
    /// How long it took.
    pub seconds: f64,
    /// Results without dims that are no state, such as the loss, by result number.
    pub values: BTreeMap<String, f64>,
}
