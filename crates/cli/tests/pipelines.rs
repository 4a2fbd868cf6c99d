//! Pipelines from the command line: the page about them, what is checked, what is written, and what is refused.

// Each test file uses a part of what they share.
#[allow(dead_code)]
mod common;

use common::{Scratch, checked_page, example};

/// A folder with the GPT of the examples.
fn scratch(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("gpt.mlir", std::fs::read(example("gpt.mlir")).unwrap());
    scratch
}

/// The commands of the page run one after the other; text behind them is what the last of them prints.
#[test]
fn the_page_on_pipelines_shows_what_is_printed() {
    assert_eq!(checked_page("pipelines.md", &scratch("pipelines-page")), 1);
}

#[test]
fn any_schedule_computes_what_the_step_computes() {
    let scratch = scratch("pipelines-check");
    for asked in [
        "--stages 2 --microbatches 4 --schedule gpipe",
        "--stages 2 --microbatches 4 --schedule zb-h1",
        "--stages 2 --microbatches 4 --schedule zb-v",
        "--stages 2 --microbatches 4 --schedule interleaved-1f1b --virtual-stages 2",
        "--stages 2 --microbatches 4 --schedule chimera",
        "--stages 2 --microbatches 4 --schedule search",
        "--stages 2 --microbatches 2 --mesh data=2",
        "--stages 2 --microbatches 2 --mesh model=2 --schedule zb-h2",
    ] {
        let line = format!("check gpt.mlir --precision f64 {asked}");
        scratch
            .line(&line)
            .succeeds()
            .says(&["pipeline parallel over 2", "agree with the undistributed program"]);
    }
}

#[test]
fn a_table_of_ones_own_is_run() {
    let scratch = scratch("pipelines-table");
    scratch.line("schedule 1f1b --stages 2 --microbatches 4 -o own.schedule").succeeds();
    let line = "check gpt.mlir --stages 2 --microbatches 4 --precision f64 --schedule own.schedule --json";
    let found = scratch.line(line).succeeds().json();
    assert_eq!(found["agrees"], true);
    assert_eq!(found["plan"]["schedule"], serde_json::Value::Null);
    assert_eq!(found["plan"]["stages"].as_array().unwrap().len(), 2);
    let other = "check gpt.mlir --stages 2 --microbatches 8 --schedule own.schedule";
    scratch.line(other).fails(2, &["the table has 4 microbatches, but 8 are asked for"]);
    scratch.file("cut.schedule", "0F0 0F1 0B0 0B1\n1F0 1B0 1F1\n");
    let line = "check gpt.mlir --stages 2 --microbatches 2 --schedule cut.schedule";
    scratch.line(line).fails(1, &["`1B1` is missing"]);
    scratch.file("stuck.schedule", "0B0 0F0\n1F0 1B0\n");
    let line = "check gpt.mlir --stages 2 --microbatches 1 --schedule stuck.schedule";
    scratch.line(line).fails(1, &["the schedule never ends"]);
}

#[test]
fn a_compiled_pipeline_runs() {
    let scratch = scratch("pipelines-run");
    let line = "compile gpt.mlir --machine cpu8:2 --stages 2 --microbatches 4 -o out";
    scratch.line(line).succeeds();
    let inputs = example("gpt.in.npz");
    let ran = scratch.line(&format!("run out --inputs {inputs} --steps 2 --compare whole"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("all results of all steps agree"), "{ran:?}");
}

#[test]
fn what_cannot_be_cut_is_refused() {
    let scratch = scratch("pipelines-refused");
    for (asked, code, said) in [
        ("--stages 2", 2, "--microbatches"),
        ("--stages 2 --microbatches search", 2, "needs the number of its microbatches"),
        ("--stages 2 --microbatches 3", 2, "does not divide into 3 microbatches"),
        ("--stages 2 --microbatches 1", 2, "with one microbatch only one group works"),
        ("--stages 3 --microbatches 3 --schedule dualpipe", 2, "`--stages 2` or `--stages 4`"),
        ("--stages 16 --microbatches 8", 1, "cannot be cut into 16 stages"),
        ("--stages 3 --microbatches 4 --machine cpu8:8", 2, "do not divide into 3 equal groups"),
        ("--stages 2 --microbatches 4 --schedule 2f2b", 2, "there is no schedule `2f2b`"),
        ("--stages 2 --microbatches 4 --schedule terapipe", 2, "`gpipe`"),
        ("--stages 2 --microbatches 4 --memory-limit 256KiB", 3, "more than the 256.0 KiB"),
        ("--stages 2 --microbatches 4 --recompute full", 2, "`--recompute` is not for pipelines"),
        ("--schedule gpipe", 2, "--stages"),
    ] {
        scratch.line(&format!("check gpt.mlir {asked}")).fails(code, &[said]);
    }
}
