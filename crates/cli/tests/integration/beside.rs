//! What `plan` sets beside its own plan: a way of the user's, what pins cost, and time against memory.

use crate::common::{Scratch, example};

/// Two products with a bias, enough to be worth sharding on a machine whose links cost little.
const LAYERS: &str = r#"
func.func @main(%w1: tensor<512x2048xf32>, %w2: tensor<2048x512xf32>, %x: tensor<256x512xf32>) -> tensor<256x512xf32> {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<256x512xf32>, tensor<512x2048xf32>) -> tensor<256x2048xf32>
  %t = stablehlo.tanh %h : tensor<256x2048xf32>
  %y = stablehlo.dot_general %t, %w2, contracting_dims = [1] x [0] : (tensor<256x2048xf32>, tensor<2048x512xf32>) -> tensor<256x512xf32>
  return %y : tensor<256x512xf32>
}
"#;

fn layers(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("layers.mlir", LAYERS);
    scratch
}

#[test]
fn a_way_of_ones_own_is_priced_beside_the_plan() {
    let scratch = layers("asked");
    let plan = scratch.line("plan layers.mlir --machine cpu8 --as tp=8").succeeds();
    plan.says(&["as asked (tp=8): ", "tensor parallel over 8: "]);
    let json = scratch.line("plan layers.mlir --machine cpu8 --as dp=2,tp=4 --json").succeeds();
    let plan: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(plan["alternatives"][0]["name"], "as asked (dp=2,tp=4)");
    let (own, asked) = (&plan["predicted"]["total_seconds"], &plan["alternatives"][0]["total_seconds"]);
    assert!(own.as_f64() <= asked.as_f64(), "{own} {asked}");
}

#[test]
fn without_a_search_a_way_of_ones_own_is_the_plan() {
    let scratch = layers("taken");
    let plan = scratch.line("plan layers.mlir --machine cpu8 --as tp=8 --search none").succeeds();
    plan.says(&["model=8 (8 devices)", "device = model", "dp=1, fsdp=1, tp=8, sp=1, cp=1, ep=1, zero=0"]);
    scratch.line("check layers.mlir --machine cpu8 --as dp=2,tp=4 --search none --tolerance 1e-4").succeeds();
}

#[test]
fn ways_that_do_not_fit_are_refused() {
    let scratch = layers("refused");
    for (asked, said) in [
        ("dp=3,tp=4", "is for 12 devices, but the machine has 8"),
        ("pp=2", "`pp=2`: a pipeline runs microbatches: give `--microbatches`"),
        ("mp=2", "`mp` is no kind of parallelism"),
        ("zero=4", "stages 0 to 3"),
        ("ep=8", "the program has nothing for `ep`"),
        ("tp=8 --search none --mesh x=8", "`tp=8` is the whole plan and has a mesh of its own"),
        (
            "tp=8 --search none --simplest-within 3%",
            "the simplest plan is chosen among those that a search finds",
        ),
        ("tp=8 --simplest-within=-3%", "a plan cannot be faster than the best"),
        ("tp=8 --simplest-within few", "`few` is not a share such as `3%`"),
    ] {
        scratch.line(&format!("plan layers.mlir --machine cpu8 --as {asked}")).fails(2, &[said]);
    }
    // All axes of a degree count: 32 devices are 4 hosts of 8.
    let gpt = example("gpt.mlir");
    let said = "dp=32 does not divide the batch of 8";
    scratch.line(&format!("plan {gpt} --machine h100:4x8 --as dp=32")).fails(2, &[said]);
}

/// One example of 33 tokens, of which attention reads 32.
const TOKENS: &str = r#"
func.func @main(%q: tensor<64x64xf32>, %o: tensor<64x64xf32>, %all: tensor<1x33x64xf32>) -> tensor<1x32x64xf32> {
  %x = stablehlo.slice %all [0:1, 0:32, 0:64] : (tensor<1x33x64xf32>) -> tensor<1x32x64xf32>
  %qs = stablehlo.dot_general %x, %q, contracting_dims = [2] x [0] : (tensor<1x32x64xf32>, tensor<64x64xf32>) -> tensor<1x32x64xf32>
  %scores = stablehlo.dot_general %qs, %qs, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<1x32x64xf32>, tensor<1x32x64xf32>) -> tensor<1x32x32xf32>
  %mixed = stablehlo.dot_general %scores, %qs, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<1x32x32xf32>, tensor<1x32x64xf32>) -> tensor<1x32x64xf32>
  %y = stablehlo.dot_general %mixed, %o, contracting_dims = [2] x [0] : (tensor<1x32x64xf32>, tensor<64x64xf32>) -> tensor<1x32x64xf32>
  %sum = stablehlo.add %x, %y : tensor<1x32x64xf32>
  return %sum : tensor<1x32x64xf32>
}
"#;

#[test]
fn tokens_that_are_cut_from_more_are_sharded_inside() {
    let scratch = Scratch::new("cut_tokens");
    scratch.file("tokens.mlir", TOKENS);
    let plan = scratch.line("plan tokens.mlir --machine cpu8 --as cp=8 --search none").succeeds();
    plan.says(&["context parallel over 8", "dp=1, fsdp=1, tp=1, sp=1, cp=8, ep=1, zero=0"]);
    scratch.line("check tokens.mlir --machine cpu8 --as cp=8 --search none --tolerance 1e-4").succeeds();
    let said = "dp=8 does not divide the batch of 1";
    scratch.line("plan tokens.mlir --machine cpu8 --as dp=8").fails(2, &[said]);
}

/// Examples that are drawn from a key, and a step by their gradient.
const DRAWN: &str = r#"
func.func @main(%w: tensor<64x64xf32>, %key: tensor<2xui64>) -> tensor<64x64xf32> {
  %state, %bits = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<32x64xui32>)
  %scale = stablehlo.constant dense<1.0e-10> : tensor<32x64xf32>
  %drawn = stablehlo.convert %bits : (tensor<32x64xui32>) -> tensor<32x64xf32>
  %x = stablehlo.multiply %drawn, %scale : tensor<32x64xf32>
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x64xf32>, tensor<64x64xf32>) -> tensor<32x64xf32>
  %dh = stablehlo.tanh %h : tensor<32x64xf32>
  %dw = stablehlo.dot_general %x, %dh, contracting_dims = [0] x [0] : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<64x64xf32>
  %new = stablehlo.subtract %w, %dw : tensor<64x64xf32>
  return %new : tensor<64x64xf32>
}
"#;

#[test]
fn a_batch_that_is_drawn_inside_is_sharded_there() {
    let scratch = Scratch::new("drawn");
    scratch.file("drawn.mlir", DRAWN);
    // The bits are drawn whole, which a warning says.
    let plan = scratch.line("plan drawn.mlir --machine cpu8 --as dp=8 --search none");
    assert_eq!(plan.code, Some(0), "{plan:?}");
    plan.says(&["data parallel over 8"]);
    let check = scratch.line("check drawn.mlir --machine cpu8 --as dp=8 --search none --tolerance 1e-4");
    assert_eq!(check.code, Some(0), "{check:?}");
    let said = "dp=64 does not divide the batch of 32";
    scratch.line("plan drawn.mlir --machine h100:8x8 --as dp=64").fails(2, &[said]);
}

#[test]
fn pins_hold_and_their_price_is_said() {
    let scratch = layers("pins");
    let line = "plan layers.mlir --machine cpu8 --mesh data=2,model=4";
    let pinned = scratch.line(&format!("{line} --pin arg0=[{{data}},{{}}] --json")).succeeds();
    let plan: serde_json::Value = serde_json::from_str(&pinned.out).unwrap();
    assert_eq!(plan["arguments"][0]["sharding"], serde_json::json!([["data"], []]));
    let reasons = plan["reasons"].to_string();
    assert!(reasons.contains("given: argument 0 [{\\\"data\\\"}, {}]; "), "{reasons}");
    for (pin, said) in [
        ("nope=[{data},{}]", "no argument is called `nope`"),
        ("arg0=[{rows},{}]", "has no axis \"rows\""),
        ("arg0=[{data}]", "the sharding has 1 dim, but the tensor has 2"),
        ("arg0={data}", "is no pin"),
    ] {
        scratch.line(&format!("{line} --pin {pin}")).fails(2, &[said]);
    }
    // Without a mesh, the best of those that have the axis is taken.
    let line = "plan layers.mlir --machine cpu8 --pin arg0=[{rows},{}]";
    scratch.line(line).succeeds().says(&["rows="]);
    let line = "plan layers.mlir --machine cpu8 --pin arg0=[{a,b,c,d},{}]";
    scratch.line(line).fails(2, &["more axes than a mesh of this machine has"]);
}

#[test]
fn several_limits_are_compared() {
    let scratch = layers("limits");
    let table = scratch.line("plan layers.mlir --machine cpu8 --memory-limit 1KiB,1GiB").succeeds();
    table.says(&["1.0 KiB", "does not fit; the least that was found is", "1.0 GiB"]);
    let swept = scratch.line("plan layers.mlir --machine cpu8 --memory-limit sweep --json").succeeds();
    let points: Vec<serde_json::Value> = serde_json::from_str(&swept.out).unwrap();
    let of = |name: &str| points.iter().map(|point| point[name].as_f64().unwrap()).collect::<Vec<f64>>();
    assert!(!points.is_empty());
    assert!(of("peak_bytes").is_sorted_by(|a, b| a < b), "{points:?}");
    assert!(of("total_seconds").is_sorted_by(|a, b| a > b), "{points:?}");
    scratch
        .line("check layers.mlir --machine cpu8 --memory-limit sweep")
        .fails(2, &["everything else takes one"]);
    scratch
        .line("plan layers.mlir --machine cpu8 --memory-limit sweep -o plan.json")
        .fails(2, &["several memory limits make several plans"]);
}
