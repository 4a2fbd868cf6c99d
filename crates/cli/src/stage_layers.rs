//! How layers of stages of a pipeline are said: how many each has, and where a step has them in stacks whether they are a loop, or one
//! behind the other, and why.

use meshwright_compile::{Pipelined, StageLayers};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A line for each run of stages of which the same is to be said; nothing of steps without stacks.
pub(crate) fn text(pipelined: &Pipelined) -> String {
    let words: Vec<String> = pipelined.layers.iter().map(words).collect();
    let mut lines = String::new();
    let mut first = 0;
    for run in words.chunk_by(|one, other| one == other) {
        let last = first + run.len() - 1;
        let stages =
            if last > first { format!("stages {first} to {last}") } else { format!("stage {first}") };
        let _ = writeln!(lines, "layers of {stages}: {}", run[0]);
        first += run.len();
    }
    lines
}

fn words(layers: &StageLayers) -> String {
    match layers {
        StageLayers::Loop { layers, more } => {
            let than = if *more < 0.0 { "shorter" } else { "longer" };
            format!("a loop of {layers}, which takes {:.1} % {than}", more.abs() * 100.0)
        }
        StageLayers::WrittenOut(why) => format!("written out, since {why}"),
    }
}

/// The same of a stage as JSON.
pub(crate) fn json(layers: &StageLayers) -> Value {
    match layers {
        StageLayers::Loop { layers, more } => json!({ "loop": layers, "longer_share": more }),
        StageLayers::WrittenOut(why) => json!({ "written_out": why.to_string() }),
    }
}

/// Layers of the stages of a job, as a part of a sentence.
pub(crate) fn in_words(layers: &[usize]) -> String {
    let layers: Vec<String> = layers.iter().map(usize::to_string).collect();
    format!(" in stages of {} layers", layers.join(", "))
}
