//! The stages that file tests can name, one small function each: from a program's text to an [`Outcome`].
//!
//! Only these functions touch the compiler's API, so it can change without any file test changing.

mod annotated;
mod attention;
mod eval;
mod local;
mod microbatches;
mod module;
mod names;
mod normal;
mod offload;
mod partition;
mod pipeline;
mod planning;
mod propagate;
mod recompute;
mod schedule;
mod slices;
mod staging;
mod table;
mod text;
mod tiles;
mod transform;

use std::collections::BTreeMap;

use meshwright_ir::diagnostic::{Diagnostics, Source};
use meshwright_ir::program::Program;
use meshwright_suite::{Finding, Input, Outcome, Stage};
use meshwright_transform::{Flat, flatten};

/// Every stage by the name that `// test:` gives it.
pub(crate) fn stages() -> BTreeMap<&'static str, Stage> {
    BTreeMap::from([
        ("attention", Stage { options: &["kernel"], run: attention::attentions }),
        ("estimate", Stage { options: &["machine"], run: planning::predict }),
        ("eval", Stage { options: &["devices", "precision"], run: eval::eval }),
        ("meaning", Stage { options: &[], run: local::meaning }),
        ("memory", Stage { options: &["machine"], run: planning::memory }),
        ("microbatches", Stage { options: &["count", "statistics"], run: microbatches::microbatches }),
        ("optimize", Stage { options: &["ids", "machine", "memory", "pass"], run: local::optimize }),
        ("names", Stage { options: &[], run: names::names }),
        ("normal", Stage { options: &["barriers"], run: normal::normal_form }),
        ("partition", Stage { options: &["ids", "ints", "unchecked"], run: partition::partition }),
        (
            "pipeline",
            Stage {
                options: &["data", "meshes", "microbatches", "recompute", "slices", "stages"],
                run: pipeline::pipelines,
            },
        ),
        ("plan", Stage { options: &["as", "machine", "memory"], run: planning::plan }),
        ("propagate", Stage { options: &["complete"], run: propagate::propagate }),
        ("offload", Stage { options: &["kinds"], run: offload::offload }),
        ("phases", Stage { options: &[], run: recompute::phases }),
        (
            "recompute",
            Stage { options: &["again", "barriers", "machine", "named"], run: recompute::recompute },
        ),
        ("roundtrip", Stage { options: &["generic", "locations"], run: text::roundtrip }),
        ("module", Stage { options: &["conservative", "shared", "strategy"], run: module::module }),
        ("rules", Stage { options: &["conservative"], run: module::rules }),
        ("schedule", Stage { options: &[], run: schedule::schedule }),
        (
            "table",
            Stage { options: &["layers", "microbatches", "name", "stages", "virtual"], run: table::table },
        ),
        ("slices", Stage { options: &["count"], run: slices::slices }),
        ("stages", Stage { options: &["count", "stages"], run: staging::staged }),
        ("split", Stage { options: &[], run: split }),
        ("tiles", Stage { options: &["count", "possible"], run: tiles::tiles }),
        ("transform", Stage { options: &["pass", "variant", "parameters"], run: transform::transform }),
        ("verify", Stage { options: &[], run: text::verify }),
    ])
}

/// A program that a stage cuts into as many parts as `count` says: itself, the number, and its function with all calls inlined.
fn to_cut(input: &Input, source: &Source) -> Result<(Program, usize, Flat), Outcome> {
    let program = read_program(source).map_err(Outcome::findings)?;
    let count = input.option("count").and_then(|count| count.parse().ok()).expect("a test has a count");
    let flat = flatten(&program).map_err(|problems| Outcome::findings(findings(source, problems)))?;
    Ok((program, count, flat))
}

/// A verified program, or what is wrong with its text.
fn read_program(source: &Source) -> Result<Program, Vec<Finding>> {
    let program = meshwright_ir::text::read(source).map_err(|problems| findings(source, problems))?;
    meshwright_ir::verify::verify(&program).map_err(|problems| findings(source, problems))?;
    Ok(program)
}

fn findings(source: &Source, problems: Diagnostics) -> Vec<Finding> {
    let finding = |problem: meshwright_ir::diagnostic::Diagnostic| Finding {
        check: problem.check.0.to_owned(),
        line: problem.span.is_some().then(|| source.place(problem.span).line),
        message: problem.message,
    };
    problems.into_iter().map(finding).collect()
}

/// The runner itself: the program's lines that are no comments, each with its number.
fn split(input: &Input) -> Outcome {
    let lines = input.text.lines().enumerate().filter(|(_, line)| !line.starts_with("//"));
    Outcome::output(lines.map(|(index, line)| format!("{}: {line}\n", index + 1)).collect::<String>())
}
