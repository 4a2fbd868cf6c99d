//! Each degree that a clause of `--allow` may be about: a clause that changes the plan, and one that leaves none.
//!
//! Those about links are in `degrees` and in the tests of the search's `allow::facts`, those about `pp` and `vp` in
//! `chosen_pipelines`.

use crate::common::{Scratch, example};
use serde_json::Value;

/// A step, on a machine.
fn step(words: &str, allow: &[&str]) -> Vec<String> {
    let words = format!("plan {words} --machine cpu8:4 --search rest");
    let words = words.split_whitespace().map(str::to_owned);
    let allow = allow.iter().flat_map(|clause| ["--allow".to_owned(), (*clause).to_owned()]);
    words.chain(allow).collect()
}

/// The plan of a step, with a degree of it.
fn planned(scratch: &Scratch, words: &str, allow: &[&str], degree: &str) -> (Value, u64) {
    let mut line = step(words, allow);
    line.push("--json".to_owned());
    let ran = scratch.run(line.iter().map(String::as_str));
    assert_eq!(ran.code, Some(0), "{line:?}: {}", ran.err);
    let plan = ran.json();
    let number = plan["degrees"][degree].as_u64().expect("a degree");
    (plan, number)
}

/// What a clause about a degree changes.
struct Case {
    degree: &'static str,
    /// A clause that the plan breaks which is found without it.
    changes: &'static str,
    /// What the degree may be with it.
    leaves: &'static [u64],
    /// A clause that nothing keeps to.
    impossible: &'static str,
}

fn holds(words: &str, cases: &[Case]) {
    let scratch = Scratch::new("allowed");
    for Case { degree, changes, leaves, impossible } in cases {
        let (free, before) = planned(&scratch, words, &[], degree);
        let (plan, number) = planned(&scratch, words, &[changes], degree);
        assert!(leaves.contains(&number), "{changes}: {degree} is {number}");
        assert!(!leaves.contains(&before), "{degree} was {before} without {changes}");
        assert_ne!(plan["arguments"], free["arguments"], "{changes}");
        let mut line = step(words, &[impossible]);
        line.extend(["-o", "plan.json"].map(str::to_owned));
        // What a part is sharded by is told of plans alone, so that no way is ruled out before.
        let said = match impossible.contains(':') {
            true => format!("no plan that was found keeps to `{impossible}`"),
            false => format!("`{impossible}` leaves no plan"),
        };
        scratch.run(line.iter().map(String::as_str)).fails(3, &[said.as_str()]);
    }
    assert_eq!(scratch.names(), Vec::<String>::new());
}

#[test]
fn shards_of_the_state_and_of_the_sequence() {
    let cases = [
        Case { degree: "zero", changes: "zero=3", leaves: &[3], impossible: "zero>3" },
        Case { degree: "fsdp", changes: "fsdp>1", leaves: &[2, 4], impossible: "fsdp=3" },
        Case { degree: "sp", changes: "sp in 2,4", leaves: &[2, 4], impossible: "sp=3" },
    ];
    holds(&example("gpt.mlir"), &cases);
}

#[test]
fn devices_of_the_batch_of_weights_and_of_tokens() {
    let scratch = Scratch::new("allowed-devices");
    let gpt = example("gpt.mlir");
    for degree in ["dp", "tp", "cp"] {
        let (free, before) = planned(&scratch, &gpt, &[], degree);
        let other = format!("{degree}!={before}");
        let (plan, number) = planned(&scratch, &gpt, &[&other], degree);
        assert_ne!(number, before, "{other}");
        assert_ne!(plan["arguments"], free["arguments"], "{other}");
        let impossible = format!("{degree}=3");
        let line = step(&gpt, &[&impossible]);
        let said = format!("`{impossible}` leaves no plan");
        scratch.run(line.iter().map(String::as_str)).fails(3, &[said.as_str()]);
    }
}

#[test]
fn links_of_what_a_way_does_not_have_rule_nothing_out() {
    let scratch = Scratch::new("allowed-links");
    let gpt = example("gpt.mlir");
    for (way, allow) in [("tp=4", "sp@nvlink"), ("dp=4", "dp=4, fsdp@nvlink")] {
        let words =
            ["plan", &gpt, "--machine", "h100:2x2", "--as", way, "--search", "none", "--allow", allow];
        let ran = scratch.run(words);
        assert_eq!(ran.code, Some(0), "{way} with {allow}: {}", ran.err);
    }
    let words = ["plan", &gpt, "--machine", "h100:2x2", "--as", "dp=4,zero=3", "--allow", "fsdp@nvlink"];
    scratch.run(words).fails(3, &["`fsdp@nvlink` leaves no plan: it rules out `dp=4,zero=3`"]);
}

/// The forward pass of a small model with experts.
fn experts() -> String {
    let config = format!("{}/../../tests/data/models/tiny/mixtral.json", env!("CARGO_MANIFEST_DIR"));
    format!("{config} --seq 16 --global-batch 8 --optimizer none")
}

#[test]
fn experts_of_the_model_and_of_a_part() {
    let cases = [
        Case { degree: "ep", changes: "ep=1", leaves: &[1], impossible: "ep=3" },
        Case { degree: "ep", changes: "ep>=4", leaves: &[4], impossible: "ep>4" },
        Case { degree: "ep", changes: "*.experts.*: ep=1", leaves: &[1], impossible: "*.experts.*: ep=3" },
        Case {
            degree: "ep",
            changes: "layers 0-1: ep in 4",
            leaves: &[4],
            impossible: "layers 0-1: ep in 3,8",
        },
    ];
    holds(&experts(), &cases);
}
