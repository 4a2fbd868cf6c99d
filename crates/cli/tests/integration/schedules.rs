//! `meshwright schedule` and `meshwright simulate`: the page about them, files that are written, and what is refused.

use crate::common::{Scratch, checked_page};

/// The commands of the page run one after the other; text behind them is what the last of them prints.
#[test]
fn the_page_on_schedules_shows_what_is_printed() {
    assert_eq!(checked_page("schedules.md", &Scratch::new("schedules-page")), 2);
}

#[test]
fn tables_are_written_timed_and_drawn() {
    let scratch = Scratch::new("schedules");
    scratch.line("schedule zb-v --stages 2 --microbatches 4 -o v.schedule").succeeds().says(&["bubble"]);
    scratch
        .line("schedule verify v.schedule")
        .succeeds()
        .says(&["none waits forever", "2 microbatches at once"]);
    let line = "simulate v.schedule --costs 1,1,1,0.1 --slow 1=2x --link-bandwidth 0.5x --svg v.svg --trace v.json --json";
    let ran = scratch.line(line).succeeds();
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["groups"][1]["busy_seconds"], 24.0);
    assert!(found["step_seconds"].as_f64().unwrap() > 24.0);
    assert!(std::fs::read_to_string(scratch.path("v.svg")).unwrap().starts_with("<svg"));
    let trace = std::fs::read_to_string(scratch.path("v.json")).unwrap();
    let trace: serde_json::Value = serde_json::from_str(&trace).unwrap();
    assert!(trace["traceEvents"].as_array().unwrap().iter().any(|event| event["ph"] == "s"));
    let ran = scratch.line("schedule search --stages 3 --microbatches 5 --keep 1.5 --json").succeeds();
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["rows"].as_array().unwrap().len(), 3);
    let [bound, step] = ["lower_bound_seconds", "step_seconds"].map(|key| found[key].as_f64().unwrap());
    assert!(bound <= step);
    // What it is above the bound is a part of the bound, not of the step.
    let said = format!("at most {:.2} % above", 100.0 * (step / bound - 1.0));
    scratch
        .line("schedule search --stages 3 --microbatches 5 --keep 1.5 -o found.schedule")
        .succeeds()
        .says(&[&said]);
    // As many stages on each group as are asked for, or as there are layers for.
    let line = "schedule search --stages 3 --microbatches 6 --virtual-stages 3 --keep 5 --json";
    let found = scratch.line(line).succeeds().json();
    assert_eq!(found["tried_virtual_stages"], serde_json::json!([3]));
    assert!(found["rows"][2].as_str().unwrap().contains("8F5"));
    let line = "schedule search --stages 3 --microbatches 4 --layers 7";
    let found = scratch.line(&format!("{line} --json")).succeeds().json();
    assert_eq!(found["tried_virtual_stages"], serde_json::json!([1, 2]));
}

#[test]
fn what_breaks_a_rule_is_refused_with_what_would_do() {
    let scratch = Scratch::new("schedules-refused");
    for (line, said) in [
        (
            "schedule interleaved-1f1b --stages 4 --microbatches 10",
            "`--microbatches 8` or `--microbatches 12`",
        ),
        ("schedule dualpipe --stages 5 --microbatches 12", "`--stages 4` or `--stages 6`"),
        ("schedule v-min --stages 4 --microbatches 8 --layers 6", "`--stages 3`"),
        (
            "schedule interleaved-1f1b --stages 4 --virtual-stages 3 --microbatches 8 --layers 9",
            "`--virtual-stages 2`",
        ),
        // What is hinted at breaks no other rule.
        ("schedule dualpipe --stages 4 --microbatches 1", "possible with `--microbatches 8`"),
        ("schedule dualpipe --stages 4 --microbatches 5", "possible with `--microbatches 8`"),
        ("schedule chimera --stages 3 --microbatches 1", "possible with `--stages 2` and `--microbatches 2`"),
        ("schedule interleaved-1f1b --stages 4 --microbatches 8 --layers 6", "possible with `--stages 2`"),
        ("schedule 1f1b --stages 4 --microbatches 1", "with one microbatch only one group works"),
        ("schedule 1f1b --stages 4 --microbatches 8 --keep 1", "is for `search`"),
        ("schedule search --stages 4 --microbatches 8 --keep -1", "`-1` is no number of microbatches"),
        (
            "schedule search --stages 4 --virtual-stages 3 --microbatches 8 --layers 9",
            "possible with `--virtual-stages 2`",
        ),
        ("schedule 1f1b --microbatches 4", "--stages"),
        ("schedule 2f2b --stages 4 --microbatches 4", "2f2b"),
        ("schedule gpipe --stages 4 --microbatches 4 --costs 1,2", "give seconds"),
        ("schedule gpipe --stages 4000000 --microbatches 4000000", "1048576 actions"),
    ] {
        scratch.line(line).fails(2, &[said]);
    }
    scratch
        .line("schedule 1f1b --stages 4 --microbatches 2")
        .fails(0, &["2 microbatches never fill 4 groups", "60 %"]);
    scratch.line("schedule search --stages 4 --microbatches 8 --keep 0.5").fails(3, &["keeps at most 0.5"]);
}

#[test]
fn what_is_wrong_with_a_table_is_said_at_its_place() {
    let scratch = Scratch::new("schedules-wrong");
    scratch.file("circle.schedule", "0F0 0B0 0F1 0B1\n1F0 1F1 1B0 1B1\n");
    scratch.line("schedule verify circle.schedule").fails(1, &[
        "the schedule never ends: `0B0` in row 0 needs `1B0` in row 1, which stands behind `1F1` in row 1, which needs \
         `0F1` in row 0, which stands behind `0B0` in row 0",
        "circle.schedule:1:5",
    ]);
    scratch.file("twice.schedule", "0F0 0B0 0F0\n1F0 1B0\n");
    scratch.line("simulate twice.schedule").fails(1, &["`0F0` stands in row 0 and again in row 0", ":1:9"]);
    scratch.file("glued.schedule", "0F0RESHARD 0B0\n");
    scratch.line("simulate glued.schedule").fails(1, &["`0F0RESHARD`", ":1:1"]);
    scratch.file("word.schedule", "0F0 what\n");
    scratch.line("simulate word.schedule").fails(1, &[":1:5"]);
    scratch.file("much.schedule", "0F0 0F1 0F2 0B0 0B1 0B2\n1F0 1B0 1F1 1B1 1F2 1B2\n");
    scratch
        .line("schedule verify much.schedule --keep 2")
        .fails(3, &["group 0 keeps 3 microbatches at once"]);
    scratch.line("simulate much.schedule --slow 2=2x").fails(2, &["there is no group 2"]);
}
