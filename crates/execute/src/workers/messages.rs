//! What a worker tells, one JSON object per line (`python/meshwright_xla/messages.py`).

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
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
    /// The most bytes that a device of each of its groups needed at once.
    Memory { groups: Vec<(usize, u64)> },
    /// Something that is worth a line.
    Note { text: String },
    /// Bytes of a program that keeps something on the host.
    Placed(Placed),
    /// What its devices are.
    Device(Device),
    /// The seconds that the thing of a measurement takes once.
    Measured { index: usize, seconds: f64 },
    /// A measurement that cannot be made.
    Unmeasured { index: usize, why: String },
    /// It is still there, and has so many events of its step still to launch.
    Alive {
        #[serde(default)]
        left: u64,
    },
    /// It gives up.
    Failed { kind: String, doing: String, message: String },
    /// All is done.
    Done { step: u64, is_stopped: bool },
}

/// Phases of a worker.
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

/// The devices that a worker sees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Device {
    /// What runs them, as JAX calls it: `cpu`, `gpu`, `tpu`.
    pub platform: String,
    /// What one of them is.
    pub kind: String,
    /// CUDA's compute capability; none of other devices.
    #[serde(default)]
    pub compute_capability: Option<String>,
    /// Its memory in bytes.
    pub memory: u64,
    /// Memory of its host that programs can keep values in, in bytes; none if they cannot, or if it is the device's own.
    #[serde(default)]
    pub host_memory: Option<u64>,
    /// How many there are; on CPU as many as the worker was told to make.
    pub count: usize,
}

/// Bytes that a program takes on a device and on the host for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Placed {
    /// On one device.
    pub device: Taken,
    /// On the host for it.
    pub host: Taken,
}

/// Bytes in one memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Taken {
    /// Of arguments, as they lie there.
    pub arguments: u64,
    /// Of what the program makes beside them, as its compiler says.
    pub made: u64,
}

/// A finished step.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Step {
    /// How many steps are done, those before the run included.
    pub step: u64,
    /// How long it took.
    pub seconds: f64,
    /// Results without dims that are no state, such as the loss, by result number.
    #[serde(deserialize_with = "numbers")]
    pub values: BTreeMap<String, f64>,
}

/// A number; JSON has none that are not finite, so those are text: `nan`, `inf`, `-inf`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Finite(f64),
    Text(String),
}

fn numbers<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, f64>, D::Error> {
    let read = BTreeMap::<String, Number>::deserialize(from)?;
    let number = |(name, number)| match number {
        Number::Finite(value) => Ok((name, value)),
        Number::Text(text) => Ok((name, text.parse().map_err(D::Error::custom)?)),
    };
    read.into_iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_need_not_be_finite() {
        let text = r#"{"event": "step", "step": 3, "seconds": 0.5,
            "values": {"0": "nan", "1": "inf", "2": "-inf", "3": 1, "4": 2.5}}"#;
        let read = serde_json::from_str(text).unwrap();
        let Message::Step(step) = read else { panic!("{read:?}") };
        let values: Vec<f64> = step.values.into_values().collect();
        assert!(values[0].is_nan());
        assert_eq!(values[1..], [f64::INFINITY, f64::NEG_INFINITY, 1.0, 2.5]);
        assert!(serde_json::from_str::<Message>(&text.replace("nan", "much")).is_err());
    }
}
