//! Copies of parameters that stages make once in a step, in words and as JSON.
//!
//! Input: the figures of stages. Output: a line of text, or fields of what is said of a stage.

use meshwright_compile::StageFigures;
use meshwright_machine::{Bytes, Seconds};
use serde_json::{Value, json};

/// A line about them; nothing if no stage makes any.
pub(crate) fn text(stages: &[StageFigures]) -> String {
    let made = || stages.iter().filter(|own| own.copied.0 > 0);
    let seconds = Seconds(made().map(|own| own.copies.0).fold(0.0, f64::max));
    let line = |bytes: Bytes| {
        format!("copies of parameters, made once in a step: {bytes} on a device at most, in {seconds}\n")
    };
    made().map(|own| own.copied).max().map(line).unwrap_or_default()
}

/// The same of one stage, put into what is said of it.
pub(crate) fn put_into(stage: &mut Value, own: &StageFigures) {
    if own.copied.0 > 0 {
        stage["copied_bytes"] = json!(own.copied.0);
        stage["copies_seconds"] = json!(own.copies.0);
    }
}
