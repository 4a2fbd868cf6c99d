//! What is made again for the backward pass, where the search decides it.

use crate::common::Scratch;
use std::fmt::Write as _;

/// Widths of a chain of products, each of its own, so that nothing repeats as layers do.
const WIDTHS: [usize; 9] = [96, 80, 72, 64, 56, 48, 40, 32, 24];

/// The sum of what the chain makes of 4,096 examples.
fn chain() -> String {
    let mut arguments = format!("%x: tensor<4096x{}xf32>", WIDTHS[0]);
    let (mut body, mut read) = (String::new(), "%x".to_owned());
    for (at, pair) in WIDTHS.windows(2).enumerate() {
        let [from, to] = [pair[0], pair[1]];
        let _ = write!(arguments, ", %w{at}: tensor<{from}x{to}xf32>");
        let ty = format!("tensor<4096x{to}xf32>");
        let _ = writeln!(
            body,
            "  %p{at} = stablehlo.dot_general {read}, %w{at}, contracting_dims = [1] x [0] : (tensor<4096x{from}xf32>, tensor<{from}x{to}xf32>) -> {ty}
  %t{at} = stablehlo.tanh %p{at} : {ty}
  %c{at} = stablehlo.cosine %t{at} : {ty}
  %m{at} = stablehlo.multiply %t{at}, %c{at} : {ty}"
        );
        read = format!("%m{at}");
    }
    format!(
        "func.func @main({arguments}) -> tensor<f32> {{
{body}  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce({read} init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4096x24xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}}
"
    )
}

/// Without layers, all that is made again is there at once: some of it has to be kept.
#[test]
fn part_of_a_step_without_layers_is_made_again_where_all_of_it_does_not_fit() {
    let scratch = Scratch::new("chain");
    scratch.file("chain.mlir", chain());
    let weights: Vec<String> = (1..WIDTHS.len()).map(|argument| format!("arg{argument}")).collect();
    let step = format!("grad chain.mlir --wrt {} --optimizer sgd -o step.mlir", weights.join(","));
    scratch.line(&step).succeeds();
    let plan =
        "plan step.mlir --machine cpu8:1 --microbatches 1 --tiles none --offload none --memory-limit 15MB";
    for what in ["none", "full"] {
        scratch.line(&format!("{plan} --recompute {what}")).fails(3, &["does-not-fit"]);
    }
    let found = scratch.line(&format!("{plan} --recompute search --json")).succeeds();
    assert!(found.json()["memory"]["peak_bytes"].as_u64().unwrap() <= 15_000_000);
}

/// Barriers of a program that recomputes are dropped where a search decides: it is planned as one that does not.
#[test]
fn a_step_that_recomputes_finds_the_plan_of_one_that_does_not() {
    let scratch = Scratch::new("remat");
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/gpt.mlir");
    let written = "--recompute full --dump-after inline=remat.mlir --stop-after inline -o compiled";
    scratch.line(&format!("compile {model} --machine cpu8:1 {written}"));
    let seconds = |line: &str| {
        let plan = scratch.line(&format!("plan {line} --machine cpu8 --json")).json();
        // As plans are compared.
        plan["predicted"]["before_passes_seconds"].as_f64().unwrap()
    };
    let [plain, kept, searched] = [model, "remat.mlir", "remat.mlir --recompute search"].map(seconds);
    assert!(searched <= plain * 1.001 && plain < kept, "{searched} {plain} {kept}");
}

/// Loops in loops run again as a whole, and what they make is asked for by its own name.
#[test]
fn what_a_loop_in_a_loop_makes_is_asked_for_by_name() {
    let scratch = Scratch::new("loops-in-loops");
    scratch.file("step.mlir", include_str!("../../../../tests/data/steps/scan_in_scan.mlir"));
    let plan = "plan step.mlir --machine cpu8:1 --mesh data=1";
    let words = |what: &str| {
        let found =
            scratch.line(&format!("{plan} --recompute {what} -o {what}.json --json")).succeeds().json();
        found["recompute"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(words("full"), "full");
    assert_eq!(words("selective"), "selective");
    // It is there again with its loop, also where the plan is given back.
    let bytes = |line: &str| scratch.line(line).succeeds().json()["memory"]["peak_bytes"].as_u64().unwrap();
    let kept = bytes(&format!("{plan} --recompute none --json"));
    let made = bytes(&format!("{plan} --recompute tanh -o tanh.json --json"));
    assert!(made < kept, "{made} {kept}");
    assert_eq!(bytes("plan step.mlir --plan tanh.json --json"), made);
    let agree = ["All 2 outputs agree", "within 1e-9"];
    scratch.line("check step.mlir --plan tanh.json --precision f64").succeeds().says(&agree);
    let fate = |value: &str| {
        let line = format!("explain step.mlir --plan tanh.json --json --value {value}");
        scratch.line(&line).succeeds().json()["fates"][0]["fate"].clone()
    };
    assert_eq!((fate("tanh"), fate("@closed_call_1:%2")), ("made_again".into(), "made_again".into()));
    scratch.line("explain step.mlir --value dot_general").fails(2, &["values are called so: @closed_call"]);
    let unknown = ["is called `nosuch*`", "stablehlo.while", "single ones have numbers"];
    scratch.line(&format!("{plan} --recompute nosuch*")).fails(2, &unknown);
}
