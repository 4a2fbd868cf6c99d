//! `meshwright solve`: answers, the checker, problems without answer, and files that are none.

use crate::common::Scratch;

/// Two nodes that are alive at moment 5, where both cannot take their cheapest strategy.
const PAIR: &str = r#"{"problem": {"name": "pair",
  "nodes": {"intervals": [[0, 10], [5, 12]], "costs": [[1, 20], [2, 6]], "usages": [[8, 2], [7, 3]]},
  "edges": {"nodes": [[0, 1]], "costs": [[0, 3, 0, 1000000000000000000]]},
  "usage_limit": 12}}"#;

#[test]
fn a_problem_is_solved_and_the_answer_checked() {
    let scratch = Scratch::new("solve");
    scratch.file("pair.json", PAIR);
    scratch.line("solve pair.json -o best.json").succeeds().says(&[
        "cost     10\n",
        "usage    11 of 12, at moment 5",
        "bound    10\n",
        "optimal",
    ]);
    assert_eq!(std::fs::read_to_string(scratch.path("best.json")).unwrap(), "[0,1]\n");
    scratch.line("solve --check best.json pair.json").succeeds().says(&["cost     10\n"]);
    let ran = scratch.line("solve pair.json --threads 1 --seed 5 --json").succeeds();
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(
        (&found["cost"], &found["reason"], &found["solution"]),
        (&10.into(), &"optimal".into(), &serde_json::json!([0, 1]))
    );
}

#[test]
fn costs_that_are_too_large_are_no_proof() {
    let scratch = Scratch::new("too-large");
    let huge = "600000000000000001";
    let text = format!(
        r#"{{"problem": {{"nodes": {{"costs": [[{huge}], [{huge}]]}}, "edges": {{"nodes": [[0, 1]], "costs": [[{huge}]]}}}}}}"#
    );
    scratch.file("huge.json", text);
    scratch.line("solve huge.json").succeeds().says(&["cost     1800000000000000003\n", "not proven"]);
    let edge = "[0, 3, 0, 1000000000000000000]";
    scratch.file("large.json", PAIR.replace(edge, "[0, 3, 0, 900000000000000000]"));
    scratch.line("solve large.json").succeeds().says(&["cost     10\n", "optimal"]);
}

#[test]
fn what_is_no_answer_is_refused() {
    let scratch = Scratch::new("no-answer");
    scratch.file("pair.json", PAIR);
    for (solution, said) in [
        ("[0, 0]", "15 is used at moment 5, where 12 is the limit"),
        ("[1, 1]", "impossible together"),
        ("[0]", "1 strategies, but there are 2 nodes"),
        ("[0, 7]", "node 1 has 2 strategies"),
    ] {
        scratch.file("wrong.json", solution);
        scratch.line("solve --check wrong.json pair.json").fails(3, &["this is no answer", said]);
    }
    scratch.file("tight.json", PAIR.replace("\"usage_limit\": 12", "\"usage_limit\": 4"));
    scratch.line("solve tight.json -o none.json").fails(3, &["there is no answer", "at moment 5"]);
    assert!(!scratch.names().contains(&"none.json".to_owned()));
}

#[test]
fn files_that_are_no_problems_say_what_is_wrong() {
    let scratch = Scratch::new("no-problem");
    for (text, said) in [
        ("", "EOF while parsing a value at line 1 column 0"),
        ("{\"problem\": {\"nodes\": {\"costs\": [[1, -2]]}}}", "line 1 column"),
        ("{\"problem\": {\"nodes\": {\"costs\": [[]]}}}", "node 0 has no strategies"),
        (&PAIR.replace("[0, 3, 0, 1000000000000000000]", "[0, 3]"), "needs 4 costs"),
        (&PAIR.replace("[[0, 1]]", "[[0, 9]]"), "there are 2 nodes"),
        (&PAIR.replace("[[8, 2], [7, 3]]", "[[8, 2], [7]]"), "node 1 has 2 costs but 1 usages"),
        (&PAIR.replace("[0, 10]", "[10, 0]"), "node 0 ends at 0 before it starts at 10"),
        (&PAIR.replace("[[8, 2], [7, 3]]", "[[8, 2]]"), "usages of 1"),
    ] {
        scratch.file("wrong.json", text);
        scratch.line("solve wrong.json").fails(1, &[said, "wrong.json"]);
    }
    scratch.file("cut.json.gz", [0x1f, 0x8b, 8, 0, 0]);
    scratch.line("solve cut.json.gz").fails(1, &["cannot be unpacked"]);
    scratch.line("solve missing.json").fails(1, &["missing.json"]);
    scratch.file("pair.json", PAIR);
    scratch.line("solve pair.json --timeout 0").fails(2, &["`0` is no time"]);
    scratch.line("solve pair.json -o no/such/place.json").fails(1, &["no/such"]);
}
