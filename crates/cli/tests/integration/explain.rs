//! `meshwright explain`: chains back to annotations, conflicts with both sources and their bytes, bad questions.

use crate::common::{Scratch, example};

const PROGRAM: &str = r#"sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y"}]>},
                %c: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  %d = stablehlo.dot %a, %b : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %e = call @f(%d) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = stablehlo.add %e, %c : tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}
func.func private @f(%g: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %h = stablehlo.sine %g : tensor<8x8xf32>
  return %h : tensor<8x8xf32>
}
"#;

#[test]
fn a_sharding_is_followed_back_to_its_annotation() {
    let scratch = Scratch::new("explain");
    scratch.file("p.mlir", PROGRAM);
    scratch.line("explain p.mlir --value %d").succeeds().says(&[
        r#"%d (stablehlo.dot at p.mlir:5:3) is [{"x", ?}, {"y", ?}]"#,
        r#"dim 0 has "x" because of the call of @f, which got it from @f:%g"#,
        "because of stablehlo.add at p.mlir:7:3, which got it from %c",
        "which is annotated (argument 2 of @main at p.mlir:4:17)",
        r#"dim 1 has "y" because of stablehlo.dot at p.mlir:5:3, which got it from %b"#,
    ]);
    // Through a call.
    let inner = scratch.line("explain p.mlir --value %h").succeeds();
    inner.says(&["because of stablehlo.sine at p.mlir:11:3", "argument 2 of @main"]);
    scratch.line("explain p.mlir --arg 2").succeeds().says(&[r#"dim 0 has "x"; it is annotated"#]);
    let json = scratch.line("explain p.mlir --value d --json").succeeds().json();
    assert_eq!(json["origins"][0]["axis"], "\"x\"");
    assert_eq!(json["origins"][0]["links"][0]["from"]["value"], "@f:%g");
    // A function's own names.
    scratch.line("explain p.mlir --value @f:%h").succeeds().says(&["@f:%h (stablehlo.sine at p.mlir:11:3)"]);
    scratch.line("explain p.mlir --value @main:%h").fails(2, &["the program defines no such value"]);
}

#[test]
fn conflicts_name_both_sources_and_what_they_cost() {
    let scratch = Scratch::new("explain-conflicts");
    // The sum's rows are asked for over "x" by one operand and over "y" by the other.
    let sum = PROGRAM
        .replace("stablehlo.add %e, %c", "stablehlo.add %a, %c")
        .replace(r#"[{"x"}, {}]"#, r#"[{"y"}, {?}]"#);
    scratch.file("p.mlir", &sum);
    scratch.line("explain p.mlir").succeeds().says(&[
        "stablehlo.add at p.mlir:7:3: about 64 bytes per device",
        r#"%a dim 0 has "x"; it is annotated (argument 0 of @main at p.mlir:2:17)"#,
        r#"%c dim 0 has "y"; it is annotated (argument 2 of @main at p.mlir:4:17)"#,
    ]);
    scratch.file("one.mlir", PROGRAM);
    scratch.line("explain one.mlir").succeeds().says(&["No conflicts", "Partitioned, it sends nothing"]);
    // No conflict, and yet something is sent.
    scratch.file("sum.mlir", PROGRAM.replace("stablehlo.sine %g", "stablehlo.reverse %g, dims = [0]"));
    scratch.line("explain sum.mlir").succeeds().says(&[
        "No conflicts",
        "Partitioned, it runs 1 collective; each device sends 64 bytes:",
        "1 collective_permute, 64 bytes; the largest sends 64 at sum.mlir:11:3",
    ]);
    let json = scratch.line("explain sum.mlir --json").succeeds().json();
    assert_eq!(json["communication"][0]["largest"]["ring_bytes"], 64.0);
}

#[test]
fn values_are_asked_for_by_the_names_of_plans() {
    let scratch = Scratch::new("explain-names");
    let twice = PROGRAM.replace("stablehlo.add %e, %c : tensor", "call @f(%e) : (tensor<8x8xf32>) -> tensor");
    scratch.file("p.mlir", twice);
    scratch
        .line(r#"explain p.mlir --value stablehlo.dot"#)
        .succeeds()
        .says(&["%d (stablehlo.dot at p.mlir:5:3)"]);
    scratch.line("plan p.mlir --machine cpu8:4 -o plan.json").succeeds();
    let fates = |name: &str| {
        let args = ["explain", "p.mlir", "--plan", "plan.json", "--json", "--value", name];
        let json = scratch.run(args).succeeds().json();
        json["fates"].as_array().unwrap().iter().map(|fate| fate["value"].to_string()).collect::<Vec<_>>()
    };
    // Made in two calls; one of them.
    let both = fates("%h");
    assert_eq!(both.len(), 2);
    assert_eq!(fates(both[1].trim_matches('"')), both[1..]);
    scratch.line("explain p.mlir --value stablehlo.dat").fails(2, &["names like it are stablehlo.dot"]);
}

#[test]
fn questions_about_what_is_not_there_are_refused() {
    let scratch = Scratch::new("explain-refused");
    scratch.file("p.mlir", PROGRAM);
    let near = &["the program defines no such value", "names like it are %"];
    scratch.line("explain p.mlir --value %nothing").fails(2, near);
    scratch.line("explain p.mlir --value %d#x").fails(2, &["the program defines no such value"]);
    scratch
        .line("explain p.mlir --arg 9")
        .fails(2, &["the program has no argument 9: it has", "`--arg 0` to `--arg"]);
    scratch.line("explain p.mlir --arg 1 --value %d").fails(2, &["cannot be used with"]);
}

#[test]
fn a_member_of_a_group_is_not_called_annotated() {
    let scratch = Scratch::new("explain-group");
    scratch.file(
        "p.mlir",
        r#"sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>) -> tensor<8xf32> {
  sdy.sharding_group %a group_id=0 : tensor<8xf32>
  sdy.sharding_group %b group_id=0 : tensor<8xf32>
  return %b : tensor<8xf32>
}
"#,
    );
    scratch.line("explain p.mlir --value %b").succeeds().says(&[
        r#"dim 0 has "x" because of sdy.sharding_group, which got it from %a"#,
        "which is annotated (argument 0 of @main",
    ]);
}

#[test]
fn a_side_of_a_conflict_is_named_once_with_what_is_its_own() {
    let scratch = Scratch::new("explain-sides");
    scratch.file(
        "p.mlir",
        r#"sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  return %0 : tensor<8xf32>
}
"#,
    );
    scratch
        .line("explain p.mlir")
        .succeeds()
        .says(&[r#"%a dim 0 has "x"; it is annotated"#, r#"%b dim 0 has "x", "y"; it is annotated"#]);
}

/// A sum of few numbers, which all devices would have to send.
const SUM: &str = r#"func.func @main(%a: tensor<8x16xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
"#;

#[test]
fn why_nothing_is_shared_is_said() {
    let scratch = Scratch::new("alike");
    scratch.file("sum.mlir", SUM);
    scratch
        .line("plan sum.mlir --machine h100:1x8")
        .succeeds()
        .says(&["devices do nearly all of the work alike"]);
}

/// What a plan in tiles says of values between scores and probabilities.
#[test]
fn a_value_inside_of_a_region_in_tiles_says_so() {
    let scratch = Scratch::new("explain-tiles");
    let gpt = example("gpt.mlir");
    scratch.line(&format!("plan {gpt} --machine cpu8:1 --mesh data=1 --tiles 4 -o plan.json")).succeeds();
    let plan: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(scratch.path("plan.json")).unwrap()).unwrap();
    let region = plan["tiles"][0].clone();
    let fate = |name: &str| {
        let args = ["explain", &gpt, "--plan", "plan.json", "--json", "--value", name];
        scratch.run(args).succeeds().json()["fates"][0].clone()
    };
    let tiled = |fate: &serde_json::Value| fate["tiles"].as_array().unwrap().clone();
    // What is large, what it is made of, and what is made of it.
    let large = fate(region["value"].as_str().unwrap());
    assert_eq!(large["fate"], "in_tiles");
    let first = &tiled(&large)[0];
    assert_eq!(
        (&first["region"], &first["count"], &first["dim"]),
        (&region["value"], &4.into(), &region["dim"])
    );
    assert_eq!(first["bytes"].as_u64().unwrap() * 4, large["bytes"].as_u64().unwrap());
    assert_eq!(first["made_again"], false);
    // The backward pass makes it again.
    assert!(tiled(&large).iter().any(|tiles| tiles["made_again"] == true), "{large}");
    // What a region leaves is there as a whole too.
    let left = fate(region["makes"][0].as_str().unwrap());
    assert!(left["fate"] != "in_tiles" && !tiled(&left).is_empty(), "{left}");
    // What is around regions is not in tiles.
    let read = fate(region["reads"][0].as_str().unwrap());
    assert!(tiled(&read).is_empty(), "{read}");
    let name = region["value"].as_str().unwrap();
    scratch.run(["explain", &gpt, "--plan", "plan.json", "--value", name]).succeeds().says(&[
        "never there as a whole",
        "made in 4 tiles along dim",
        "made again in 4 tiles along dim",
    ]);
}

#[test]
fn a_plan_says_what_becomes_of_a_value() {
    let scratch = Scratch::new("explain-plan");
    let gpt = example("gpt.mlir");
    let plan = format!("plan {gpt} --machine cpu8:1 --recompute full --tiles none -o plan.json");
    scratch.line(&plan).succeeds();
    let json = scratch.line(&format!("explain {gpt} --plan plan.json --arg 0 --json")).succeeds().json();
    assert_eq!(json["fates"][0]["fate"], "given");
    let plan: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(scratch.path("plan.json")).unwrap()).unwrap();
    let again = plan["policies"].as_array().unwrap().iter().filter(|entry| entry["policy"] == "recompute");
    let again: Vec<&serde_json::Value> = again.collect();
    assert!(again.len() > 10);
    let value = again[0]["value"].as_str().unwrap();
    let line = format!("explain {gpt} --plan plan.json --value {value}");
    let text = scratch.line(&line).succeeds().out;
    assert!(text.contains("made again in the backward pass, first for"), "{text}");
    assert!(text.contains("Bytes are those of the whole value"), "{text}");
    assert_eq!(scratch.line(&format!("{line} --json")).succeeds().json()["fates"][0]["fate"], "made_again");
    scratch.file("other.mlir", PROGRAM);
    scratch
        .line("explain other.mlir --plan plan.json --arg 0")
        .fails(1, &["the plan was made for another program", "plan.json:"]);
    scratch.line(&format!("explain {gpt} --plan plan.json")).fails(2, &["give it with `--value` or `--arg`"]);
}
