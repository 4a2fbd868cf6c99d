//! Flags that are wrong, or that only together mean something: who is blamed, and in which form.

use crate::common::{DOT, PLAIN_DOT, Scratch, example};

#[test]
fn usage_errors_have_the_form_that_was_asked_for() {
    let scratch = Scratch::new("form");
    scratch.file("dot.mlir", DOT);
    for line in [
        "plan --json",
        "check dot.mlir --json --nonsense",
        "plan dot.mlir --machine cpu8 --mesh two --json",
        "plan dot.mlir --json",
        "plan dot.mlir --machine cpu9 --diagnostics json",
    ] {
        let ran = scratch.line(line).fails(2, &[]);
        let found: serde_json::Value = serde_json::from_str(&ran.err).expect(&ran.err);
        assert_eq!((&found["check"], &found["severity"]), (&"usage".into(), &"error".into()), "{line}");
        assert!(!found["message"].as_str().unwrap().contains("error:"), "{line}");
    }
    let short = scratch.line("plan --diagnostics short").fails(2, &["error[usage]: "]);
    assert_eq!(short.err.lines().count(), 1);
    scratch.line("plan dot.mlir").fails(2, &["`meshwright help plan` shows the flags"]);
    let machine = scratch.line("plan dot.mlir --machine h100:3x").fails(2, &["`infiniband` and `nvlink`"]);
    assert!(!machine.err.contains("meshwright help"), "the machine's own hint is enough: {}", machine.err);
}

#[test]
fn numbers_out_of_range_say_what_is_wrong() {
    let scratch = Scratch::new("numbers");
    scratch.file("dot.mlir", DOT);
    for (flag, said) in [
        ("--memory-limit -1", "`-1` is negative"),
        ("--memory-limit -1GiB", "`-1GiB` is negative"),
        ("--seed -1", "a seed is a whole number from 0"),
        ("--tolerance -1", "an error is never negative"),
        ("--tolerance small", "`small` is not a number"),
        ("--mesh x=2,x=4", "named twice"),
    ] {
        scratch.line(&format!("check dot.mlir --machine cpu8 {flag}")).fails(2, &[said]);
    }
}

#[test]
fn sizes_without_names_are_those_of_the_programs_axes() {
    let scratch = Scratch::new("sizes");
    scratch.file("dot.mlir", DOT.replace("\"x\"", "\"data\"").replace("\"y\"", "\"model\""));
    scratch.line("plan dot.mlir --machine cpu8 --mesh 4x2").succeeds().says(&["data=4, model=2 (8 devices)"]);
    scratch.line("partition dot.mlir --mesh 4x2 -o -").succeeds().says(&["%arg0: tensor<2x8xf32>"]);
    let other = ["the given mesh x=8 does not fit", "written for data=2,model=4"];
    scratch.line("plan dot.mlir --machine cpu8 --mesh 8").fails(2, &other);
    scratch
        .line("plan dot.mlir --machine cpu8 --mesh 8x2")
        .fails(2, &["the given mesh data=8,model=2 has 16"]);
    scratch.file("plain.mlir", PLAIN_DOT);
    scratch
        .line("plan plain.mlir --machine cpu8 --mesh 2x2x1x1x2")
        .fails(2, &["more than 4 axes need names"]);
}

#[test]
fn a_given_mesh_is_that_of_a_program_that_declares_none() {
    let scratch = Scratch::new("undeclared");
    let (_, undeclared) = DOT.split_once('\n').unwrap();
    scratch.file("dot.mlir", undeclared);
    scratch.line("partition dot.mlir -o local.mlir").fails(1, &["the mesh `@mesh` is not declared"]);
    scratch
        .line("partition dot.mlir --mesh x=2,y=4 -o -")
        .succeeds()
        .says(&["tensor<4x4xf32>", "all_reduce"]);
    scratch
        .line("propagate dot.mlir --mesh 2x4 -o -")
        .succeeds()
        .says(&["sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>"]);
    scratch.line("plan dot.mlir --machine cpu8 --mesh x=2,y=4 -o plan.json").succeeds();
    scratch.line("check dot.mlir --plan plan.json").succeeds();
    // The annotations must still fit.
    scratch.line("partition dot.mlir --mesh a=8 -o -").fails(1, &["dot.mlir:1:", "no axis \"x\""]);
}

#[test]
fn what_is_wrong_with_a_plans_mesh_is_the_plans_fault() {
    let scratch = Scratch::new("blame");
    scratch.file("dot.mlir", DOT);
    scratch.file("plain.mlir", PLAIN_DOT);
    for program in ["dot.mlir", "plain.mlir"] {
        scratch
            .line(&format!("plan {program} --machine cpu8 --search none --mesh x=2,y=4 -o plan.json"))
            .succeeds();
        let plan = std::fs::read_to_string(scratch.path("plan.json")).unwrap();
        for (from, to, said) in [
            (
                "\"size\": 4",
                "\"size\": 2",
                "the plan's mesh x=2,y=2 has 4 devices, but the machine cpu8:8 has 8",
            ),
            ("\"name\": \"y\"", "\"name\": \"x\"", "mesh axis \"x\" is named twice"),
            ("\"size\": 4", "\"size\": 0", "size 0"),
        ] {
            scratch.file("edited.json", plan.replace(from, to));
            let ran =
                scratch.line(&format!("check {program} --plan edited.json")).fails(1, &["edited.json", said]);
            assert!(!ran.err.contains(program) && !ran.err.contains("--mesh"), "{}", ran.err);
        }
        let mut empty: serde_json::Value = serde_json::from_str(&plan).unwrap();
        empty["mesh"] = serde_json::json!([]);
        scratch.file("edited.json", empty.to_string());
        scratch.line(&format!("check {program} --plan edited.json")).fails(1, &["edited.json"]);
    }
    let said = "the plan's mesh without axes has 1 device, but the machine cpu8:8 has 8";
    scratch.line("check plain.mlir --plan edited.json").fails(1, &[said]);
}

#[test]
fn plans_that_are_no_plans_are_told_in_words() {
    let scratch = Scratch::new("words");
    scratch.file("dot.mlir", DOT);
    scratch.line("plan dot.mlir --machine cpu8 -o plan.json").succeeds();
    let plan = std::fs::read_to_string(scratch.path("plan.json")).unwrap();
    for (text, said) in [
        ("[]".to_owned(), ["edited.json:1:", "an object is expected here, not a list"]),
        ("{}".to_owned(), ["edited.json:1:", "the field `version` is missing"]),
        (plan[..plan.find("peak_bytes").unwrap()].to_owned(), ["edited.json:", "the file ends inside"]),
        (plan.replace("\"size\": 4", "\"size\": -4"), ["edited.json:7:", "a whole number"]),
    ] {
        scratch.file("edited.json", text);
        let ran = scratch.line("check dot.mlir --plan edited.json").fails(1, &said);
        for raw in ["struct", "usize", "EOF"] {
            assert!(!ran.err.contains(raw), "{}", ran.err);
        }
    }
}

#[test]
fn a_stage_that_did_not_run_is_a_warning() {
    let scratch = Scratch::new("stages");
    scratch.file("dot.mlir", DOT);
    let ran = scratch.line("plan dot.mlir --machine cpu8 --dump-after search");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.err.starts_with("warning[stage]: `--dump-after search`: this stage did not run"),
        "{}",
        ran.err
    );
    ran.says(&["x=2, y=4 (8 devices)"]);
    scratch.line("propagate dot.mlir -o - --stop-after final").fails(2, &["the stages are read, propagate"]);
    for (command, stages) in [
        ("plan", "[stages: read, inline, order, search, propagate, partition, "),
        ("propagate", "[stages: read, propagate]"),
        ("partition", "[stages: read, inline, propagate, partition, "),
    ] {
        scratch.run([command, "--help"]).succeeds().says(&[stages]);
    }
}

#[test]
fn what_the_search_chose_gives_the_same_plan_again() {
    let scratch = Scratch::new("again");
    scratch.file("dot.mlir", PLAIN_DOT);
    let searched = scratch.line("plan dot.mlir --machine cpu8 --json --dump-after search=chosen.mlir");
    let chosen = scratch.line("plan chosen.mlir --machine cpu8 --json").succeeds().json();
    let searched = searched.succeeds().json();
    for field in
        ["mesh", "parallelism", "predicted", "memory", "collectives", "arguments", "results", "shardings"]
    {
        assert_eq!(searched[field], chosen[field], "{field}");
    }
}

#[test]
fn the_program_of_one_device_is_refused_at_once() {
    let scratch = Scratch::new("local");
    scratch.file("add.mlir", "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  %0 = stablehlo.add %a, %a : tensor<8xf32>\n  return %0 : tensor<8xf32>\n}\n");
    // No collective tells that it is local, only the module's attributes do.
    scratch.line("partition add.mlir --mesh x=8 -o local.mlir").succeeds();
    let said = ["local.mlir:", "the program of one device of 8 (`mhlo.num_replicas = 8`)"];
    for command in [
        "check local.mlir --machine cpu8",
        "plan local.mlir --machine cpu8",
        "partition local.mlir -o o.mlir",
        "propagate local.mlir -o o.mlir",
    ] {
        let ran = scratch.line(command).fails(1, &said);
        assert_eq!(ran.out, "");
    }
    // What JAX lowers under a mesh is whole.
    let jax = format!(
        "module @jit_f attributes {{mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32}} {{\n{PLAIN_DOT}}}\n"
    );
    scratch.file("jax.mlir", jax);
    scratch.line("check jax.mlir --machine cpu8").succeeds();
}

#[test]
fn a_program_without_arguments_needs_no_inputs() {
    let scratch = Scratch::new("inputs");
    scratch.file("made.mlir", "func.func @main() -> tensor<8xi32> {\n  %0 = stablehlo.iota dim = 0 : tensor<8xi32>\n  return %0 : tensor<8xi32>\n}\n");
    scratch.line("compile made.mlir --machine cpu8 -o compiled").succeeds();
    scratch.line("run compiled --outputs out.npz").succeeds().says(&["out0"]);
    scratch.line("eval made.mlir").succeeds();
    scratch.file("dot.mlir", DOT);
    scratch.line("compile dot.mlir --machine cpu8 -o compiled --force").succeeds();
    scratch.line("run compiled --outputs out.npz").fails(2, &["takes 2 arguments", "--inputs"]);
    std::fs::remove_file(scratch.path("compiled/plan.json")).unwrap();
    scratch.line("run compiled --outputs out.npz").fails(2, &["takes 2 arguments"]);
    std::fs::remove_file(scratch.path("compiled/manifest.json")).unwrap();
    scratch
        .line("run compiled --outputs out.npz")
        .fails(1, &["compiled", "the folder lacks `manifest.json`"]);
}

#[test]
fn limits_that_look_alike_are_told_apart() {
    let scratch = Scratch::new("limits");
    let arguments = ["plan", &example("mlp_annotated.mlir"), "--machine", "cpu8", "--memory-limit"];
    let with = |limit: &str| scratch.run(arguments.iter().copied().chain([limit]));
    let failed = with("8KiB").fails(3, &["would do for these shardings", "that need less"]);
    let limit = failed.err.split("--memory-limit ").nth(1).unwrap();
    let limit: u64 = limit.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap();
    let said = format!("needs {limit} bytes on each device, but only {} bytes may be used", limit - 1);
    with(&(limit - 1).to_string()).fails(3, &[&said]);
}

#[test]
fn tiles_compute_the_same_and_are_given_back() {
    let scratch = Scratch::new("tiles");
    let gpt = example("gpt.mlir");

    let line =
        format!("plan {gpt} --machine cpu8 --mesh data=2,model=4 --search none --tiles 4 -o plan.json");
    scratch.line(&line).succeeds().says(&["tiles", "activations 8x16x128 in 4 tiles along dim 1, 4 regions"]);
    let agree = ["All 89 outputs agree"];
    scratch
        .line(&format!("check {gpt} --machine cpu8 --plan plan.json --precision f64"))
        .succeeds()
        .says(&agree);
    let microbatches = format!(
        "check {gpt} --machine cpu8 --mesh data=2,model=4 --search none --tiles 2 --microbatches 2 --precision f64"
    );
    scratch.line(&microbatches).succeeds().says(&agree);
    let five = format!("plan {gpt} --machine cpu8 --tiles 5");
    scratch.line(&five).fails(
        2,
        &["no dim of what can run in tiles divides into 5", "activations 8x16x128 along dim 1: 2, 4, 8, 16"],
    );
    scratch
        .line(&format!("plan {gpt} --machine cpu8 --tiles few"))
        .fails(2, &["`few` is no number of tiles"]);
    scratch.file("nothing.mlir", include_str!("../../../../tests/suite/tiles/nothing.mlir"));
    scratch.line("plan nothing.mlir --machine cpu8 --tiles 2").fails(1, &["nothing can run in tiles"]);
    // What wins little is left out by searches alone.
    scratch.file("border.mlir", include_str!("../../../../tests/suite/tiles/large_border.mlir"));
    scratch
        .line("plan border.mlir --machine cpu8:1 --mesh data=1 --tiles 2")
        .succeeds()
        .says(&["in 2 tiles"]);
    // The tokens of a single example are no batch.
    scratch.file("config.json", include_str!("../../../../tests/data/models/tiny/mistral.json"));
    let line = "plan config.json --machine cpu8:1 --mesh data=1 --seq 64 --global-batch 1 --kernels off";
    let said = ["attention scores 1x2x2x64x64 in 16 tiles along dim 3"];
    scratch.line(&format!("{line} --recompute full --tiles 16")).succeeds().says(&said);
}

#[test]
fn microbatches_are_asked_for_by_their_size() {
    let scratch = Scratch::new("microbatch-size");
    let gpt = example("gpt.mlir");
    let given = |more: &str| {
        scratch.line(&format!("plan {gpt} --machine cpu8 --mesh data=2,model=4 --search rest {more}"))
    };
    let ran = given("--microbatch-size 1 --microbatches 4");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.contains("4 of 1 example on each of 2 replicas, 8 in all"), "{}", ran.out);
    given("--microbatch-size 3").fails(2, &["do not make a batch of 8", "divides into 1, 2, 4, 8"]);
    // A search for the size is one for the number.
    let searched = given("--microbatch-size search");
    assert_eq!(searched.out, given("--microbatches search").out);
    given("--microbatch-size 1,search").fails(2, &["`--microbatch-size`: `search` looks at all numbers"]);
    scratch
        .line(&format!("plan {gpt} --machine cpu8 --as dp=4,tp=2 --search none --microbatch-size 3"))
        .fails(2, &["on 4 replicas it divides into 1, 2"]);
    scratch
        .line(&format!("plan {gpt} --machine cpu8:6 --as dp=6 --search none --microbatch-size 1"))
        .fails(2, &["on 6 replicas do not make a batch of 8", "6 replicas do not divide the batch"]);
    given("--microbatch-size 2 --microbatches 3").fails(2, &["batch 8 = size 2 x number x replicas"]);
    // The best of all plans has other replicas.
    let free = |more: &str| scratch.line(&format!("plan {gpt} --machine cpu8 {more}"));
    for (asked, planned) in [
        ("--microbatches 2 --microbatch-size 4", "2 of 4 examples, 8 in all"),
        ("--microbatches 1 --microbatch-size 1", "1 of 1 example on each of 8 replicas, 8 in all"),
        (
            "--microbatches 1 --microbatch-size 1 --allow tp<=4",
            "1 of 1 example on each of 8 replicas, 8 in all",
        ),
        ("--microbatches 2 --microbatch-size 4 --tp 8", "2 of 4 examples, 8 in all"),
    ] {
        let ran = free(asked);
        assert!(ran.out.contains(planned), "{ran:?}");
    }
    free("--microbatches 2 --microbatch-size 2 --dp 4 --tp 2")
        .fails(2, &["4 replicas (dp=4, ep=1) are 16 examples, not the batch of 8"]);
    free("--microbatches 2 --microbatch-size 2 --as tp=2")
        .fails(2, &["4 replicas (dp=4, ep=1) are 16 examples, not the batch of 8"]);
    // Only one number of microbatches can be shared by eight replicas.
    free("--microbatch-size 2 --allow dp=8").fails(2, &["plans have 1 microbatch on 8 replicas, of 1"]);
    // What lacks memory is not taken for what a clause forbids that nobody gave.
    free("--microbatch-size 2 --memory-limit 20KiB --allow dp=8")
        .fails(3, &["but only 20.0 KiB may be used"]);
    // Eight devices of which each has two of eight examples.
    scratch
        .line(&format!("plan {gpt} --machine cpu8 --mesh data=8 --search none --microbatch-size 2"))
        .fails(
            2,
            &[
                "a batch of 8 = size x number x replicas",
                "1 microbatch on 1 replica, of 8",
                "4 microbatches on 1 replica, of 2, with all 8 devices doing the same",
            ],
        );
}

#[test]
fn a_plan_is_priced_again_and_contradicted_by_no_flag() {
    let scratch = Scratch::new("plan-again");
    scratch.file("step.mlir", CENTERED);
    let machine = "--machine cpu8:2 --mesh data=2";
    scratch.line(&format!("plan step.mlir {machine} --microbatches 4 -o plan.json")).succeeds();
    let seconds = |line: &str| scratch.line(line).succeeds().json()["predicted"]["total_seconds"].clone();
    let (own, fast) =
        (seconds("plan step.mlir --plan plan.json --json"), "base = \"cpu8:2\"\nname = \"fast\"\n");
    assert_eq!(own, seconds(&format!("plan step.mlir {machine} --microbatches 4 --json")));
    let text = format!("{fast}[device]\nlaunch_overhead = \"1 ns\"\n");
    scratch.file("fast.toml", text);
    let faster = seconds("plan step.mlir --plan plan.json --machine fast.toml --json");
    assert!(faster.as_f64() < own.as_f64(), "{faster} {own}");
    for (more, said) in [
        ("--microbatch-passes 1", "4 microbatches would need 2 passes over the batch"),
        ("--microbatch-statistics local", "the plan takes statistics of the whole batch"),
        ("--microbatches 2", "the plan has 4 microbatches, but 2 are asked for"),
        ("--microbatches 1", "the plan has 4 microbatches, but 1 is asked for"),
        ("--grid", "cannot be used with"),
        ("--memory-limit 1MiB,2MiB", "several memory limits"),
    ] {
        scratch.line(&format!("plan step.mlir --plan plan.json {more}")).fails(2, &[said]);
    }
    scratch.line("check step.mlir --plan plan.json --microbatch-passes 2").succeeds();
    scratch.line(&format!("plan step.mlir {machine} -o one.json")).succeeds();
    scratch
        .line("check step.mlir --plan one.json --microbatches 4")
        .fails(2, &["the plan has 1 microbatch", "leave out `--microbatches`"]);
    scratch.line("check step.mlir --plan one.json --microbatches 1").succeeds();
    let one = ["microbatches  1 of 8 examples, 8 in all"];
    scratch.line("plan step.mlir --machine cpu8:1").succeeds().says(&one);
}

#[test]
fn what_is_damaged_of_time_in_a_plan_is_said_where_it_stands() {
    let scratch = Scratch::new("damaged-time");
    let gpt = example("gpt.mlir");
    let line = format!("plan {gpt} --machine cpu8:1 --mesh data=1 --tiles 4 --microbatches 2 -o plan.json");
    scratch.line(&line).succeeds();
    let plan: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(scratch.path("plan.json")).unwrap()).unwrap();
    for (list, key, number, said) in [
        ("tiles", "dim", 9, "`tiles[0].dim`: there is no dim 9 of"),
        ("tiles", "count", 3, "`tiles[0].count`: dim 1 has 16 elements, which do not divide into 3 tiles"),
        (
            "microbatches",
            "count",
            3,
            "`microbatches.count`: a batch of 8 does not divide into 3 microbatches",
        ),
    ] {
        let mut damaged = plan.clone();
        let place = if list == "tiles" { &mut damaged[list][0] } else { &mut damaged[list] };
        place[key] = number.into();
        scratch.file("damaged.json", damaged.to_string());
        scratch.line(&format!("check {gpt} --plan damaged.json")).fails(1, &[said, "damaged.json:1:"]);
    }
}

/// A step whose examples read their mean.
const CENTERED: &str = "
func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %eight = stablehlo.constant dense<8.0> : tensor<f32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  %mean = stablehlo.divide %sum, %eight : tensor<f32>
  %means = stablehlo.broadcast_in_dim %mean, dims = [] : (tensor<f32>) -> tensor<8xf32>
  %z = stablehlo.subtract %y, %means : tensor<8xf32>
  %g = stablehlo.dot_general %x, %z, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8xf32>) -> tensor<4xf32>
  %u = stablehlo.subtract %w, %g : tensor<4xf32>
  return %u : tensor<4xf32>
}";

/// Inputs of the same.
const MADE_INPUTS: &str = "
func.func @main() -> (tensor<4xf32>, tensor<8x4xf32>) {
  %w = stablehlo.constant dense<[0.5, -1.0, 2.0, 0.25]> : tensor<4xf32>
  %i = stablehlo.iota dim = 0 : tensor<32xf32>
  %s = stablehlo.sine %i : tensor<32xf32>
  %x = stablehlo.reshape %s : (tensor<32xf32>) -> tensor<8x4xf32>
  return %w, %x : tensor<4xf32>, tensor<8x4xf32>
}";

#[test]
fn passes_over_data_alone_do_not_count() {
    let scratch = Scratch::new("data-alone");
    // Losses are divided by the deviation of the data, and weighed by their distance from the largest.
    scratch.file("step.mlir", include_str!("../../../../tests/data/steps/scaled_by_deviation.mlir"));
    let line = "check step.mlir --machine cpu8:1 --microbatches 2 --precision f64";
    let local = "--microbatch-statistics local --microbatch-passes 1";
    scratch.line(&format!("{line} {local}")).succeeds().says(&["in 3 passes"]);
    let plan = "plan step.mlir --machine cpu8:1 --microbatches 2 -o plan.json";
    scratch.line(&format!("{plan} {local}")).succeeds();
    scratch.line(&format!("check step.mlir --plan plan.json --precision f64 {local}")).succeeds();
    scratch.line(line).succeeds().says(&["in 4 passes"]);
    let one = "--microbatch-passes 1";
    scratch.line(&format!("{line} {one}")).fails(1, &["would need 2 passes", "--microbatch-passes 2"]);
}

/// A step in which examples are compared with all others.
const CONTRASTIVE: &str = "
func.func @main(%w: tensor<4x3xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>) -> tensor<4x3xf32> {
  %e = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %s = stablehlo.dot_general %e, %e, contracting_dims = [1] x [1] : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x8xf32>
  %t = stablehlo.tanh %s : tensor<8x8xf32>
  %rows = stablehlo.dot_general %t, %e, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
  %columns = stablehlo.dot_general %t, %e, contracting_dims = [0] x [0] : (tensor<8x8xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
  %d = stablehlo.add %rows, %columns : tensor<8x3xf32>
  %g = stablehlo.dot_general %x, %d, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %u = stablehlo.subtract %w, %g : tensor<4x3xf32>
  return %u : tensor<4x3xf32>
}";

#[test]
fn three_passes_are_taken_where_they_are_allowed_and_no_more_can_be() {
    let scratch = Scratch::new("three-passes");
    scratch.file("step.mlir", CONTRASTIVE);
    let line = "check step.mlir --machine cpu8:1 --microbatches 2 --precision f64";
    let refused = ["2 microbatches would need 3 passes", "--microbatch-passes 3", "step.mlir:"];
    scratch.line(line).fails(1, &refused);
    scratch.line(&format!("{line} --microbatch-passes 3")).succeeds().says(&["in 3 passes"]);
    let more = ["at most 3 passes over the batch can be allowed", "--microbatch-statistics local"];
    scratch.line(&format!("{line} --microbatch-passes 7")).fails(2, &more);
}

#[test]
fn what_asks_for_one_more_pass_is_named() {
    let scratch = Scratch::new("one-more-pass");
    scratch.file("step.mlir", include_str!("../../../../tests/data/steps/several_losses.mlir"));
    let plan = "plan step.mlir --machine cpu8:1 --microbatches 2 --microbatch-passes 1";
    scratch.line(&format!("{plan} --recompute none")).succeeds();
    let said = ["would need 2 passes", "or leave out `--recompute`"];
    scratch.line(&format!("{plan} --recompute full")).fails(1, &said);
}

#[test]
fn statistics_of_microbatches_change_the_step_and_say_so() {
    let scratch = Scratch::new("microbatch-statistics");
    scratch.file("step.mlir", CENTERED);
    let machine = "--machine cpu8:2 --mesh data=2";
    let local = "--microbatch-statistics local";
    // Two passes are exact.
    scratch
        .line(&format!("check step.mlir {machine} --microbatches 4 --precision f64"))
        .succeeds()
        .says(&["The output agrees", "in 2 passes"]);
    let one_pass = "--microbatches 4 --microbatch-passes 1 -o plan.json";
    scratch
        .line(&format!("plan step.mlir {machine} {one_pass}"))
        .fails(1, &["would need 2 passes", "--microbatch-statistics local"]);
    scratch
        .line(&format!("plan step.mlir {machine} {one_pass} {local}"))
        .succeeds()
        .says(&["statistics of each by itself", "stablehlo.reduce"]);
    scratch
        .line("check step.mlir --plan plan.json --precision f64")
        .fails(2, &["which changes what the step computes"]);
    let checked =
        scratch.line(&format!("check step.mlir --plan plan.json --precision f64 {local}")).succeeds();
    assert!(
        checked.out.starts_with("Compared with the step with statistics of each microbatch"),
        "{}",
        checked.out
    );
    checked.says(&["The output agrees", "For information: statistics of each microbatch put outputs up to"]);
    for (more, said) in [
        ("--microbatch-statistics exact", "the plan takes statistics of each microbatch by itself"),
        ("--microbatches search", "the plan says how many microbatches there are"),
        ("--microbatches 2", "the plan has 4 microbatches, but 2 are asked for"),
        ("--microbatch-size 4", "do not make a batch of 8"),
        ("--recompute full", "the plan says what is made again for the backward pass"),
        ("--tiles none", "the plan says what runs in tiles"),
        ("--offload moments", "the plan says what lies on the host"),
        ("--allow dp<=8", "the plan has its degrees"),
    ] {
        scratch.line(&format!("compile step.mlir --plan plan.json -o compiled {more}")).fails(2, &[said]);
    }
    // A run of it is compared with the same step.
    scratch.line(&format!("compile step.mlir --plan plan.json -o compiled {local}")).succeeds();
    scratch.file("make.mlir", MADE_INPUTS);
    scratch.line("eval make.mlir --outputs made.npz").succeeds();
    let ran = scratch.line("run compiled --inputs made.npz --compare whole --precision f64");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.starts_with("Compared with the step with statistics of each microbatch"), "{}", ran.err);
    for said in ["put outputs up to", "all results of all steps agree"] {
        assert!(ran.err.contains(said), "{}", ran.err);
    }
    let given =
        scratch.line(&format!("check step.mlir --plan plan.json --precision f64 {local} --json")).succeeds();
    let given: serde_json::Value = serde_json::from_str(&given.out).unwrap();
    let (found, from) = (&given["local_statistics"], &given["local_statistics"]["from_original"]);
    assert_eq!(found["values"].as_array().map(Vec::len), Some(1));
    assert!(from[0]["max_rel"].as_f64().is_some_and(|error| error > 1e-6), "{from}");
}
