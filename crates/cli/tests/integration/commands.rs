//! Each subcommand as a user runs it: output and exit code.

use crate::common::{DOT, PLAIN_DOT, Scratch, example};

#[test]
fn every_command_has_help_with_examples() {
    let scratch = Scratch::new("help");
    for command in [
        "check",
        "plan",
        "compile",
        "run",
        "calibrate",
        "launch",
        "eval",
        "fmt",
        "propagate",
        "explain",
        "rules",
        "partition",
        "machines",
    ] {
        scratch.run([command, "--help"]).succeeds().says(&["Example", &format!("meshwright {command}")]);
    }
    scratch.run(["--help"]).succeeds().says(&["Exit codes:"]);
    scratch.run(["chekc"]).fails(2, &["similar"]);
}

#[test]
fn machines_are_listed_and_start_ones_own() {
    let scratch = Scratch::new("machines");
    scratch.line("machines").succeeds().says(&["h100:1x8", "cpu8:8", "80GB"]);
    let toml = scratch.line("machines h100:1x8").succeeds().out;
    scratch.file("own.toml", toml.replace("name = \"h100\"", "name = \"ours\""));
    scratch.file("dot.mlir", DOT);
    scratch.line("plan dot.mlir --machine own.toml").succeeds().says(&["on ours:1x8"]);
    let all = scratch.line("machines --json").succeeds().json();
    assert!(all.as_array().unwrap().iter().any(|machine| machine["name"] == "cpu8"));
}

#[test]
fn plans_name_the_link_that_binds_and_the_calibration() {
    let scratch = Scratch::new("binds");
    let machine = "base = \"h100:2x4\"\nname = \"ours\"\ncalibrated = true\nassumed = []\n\
        note = \"Errors of the fit: products 9 %.\\nMore.\"\n";
    scratch.file("own.toml", machine);
    scratch.file("dot.mlir", DOT);
    // What four devices of a host have of the product is added up, which takes longer than the product.
    scratch.line("plan dot.mlir --machine own.toml --search rest").succeeds().says(&[
        "calibration   Errors of the fit: products 9 %.\n",
        "what binds: communication over nvlink, ",
    ]);
}

#[test]
fn curves_of_a_machine_file_change_what_plans_predict() {
    let scratch = Scratch::new("curves");
    scratch.file("dot.mlir", DOT);
    let step = |file: &str, tables: &str| {
        scratch.file(file, format!("base = \"h100:2x4\"\nname = \"ours\"\n{tables}"));
        let line = format!("plan dot.mlir --machine {file} --search rest --json");
        scratch.line(&line).succeeds().json()["predicted"]["before_passes_seconds"].as_f64().unwrap()
    };
    let plain = step("plain.toml", "");
    let slow = step("slow.toml", "[device.curves.matmul]\npoints = [[1e3, 1e-6]]\n");
    assert!(slow > plain, "{slow} {plain}");
    // What nothing is of changes nothing.
    assert_eq!(step("sort.toml", "[device.curves.sort]\npoints = [[1e3, 0.01]]\n"), plain);
    let links = "[[levels]]\nname = \"nvlink\"\n[levels.curves.any]\npoints = [[1e3, 1e-6]]\n";
    assert!(step("links.toml", links) > plain);
    scratch.file("wrong.toml", "base = \"h100\"\n[device.curves.matmull]\npoints = [[1e9, 0.5]]\n");
    let wrong = ["wrong.toml:2:16", "curve of an unknown kind", "did you mean `matmul`?"];
    scratch.line("plan dot.mlir --machine wrong.toml").fails(1, &wrong);
}

#[test]
fn plans_leave_headroom_unless_the_limit_is_given() {
    let scratch = Scratch::new("headroom");
    scratch.file("dot.mlir", DOT);
    let headroom = "of 70.8 GiB per device (74.5 GiB less 5 % headroom)\n";
    scratch.line("plan dot.mlir --machine h100").succeeds().says(&[headroom]);
    let memory = scratch.line("plan dot.mlir --machine h100 --json").succeeds().json()["memory"].clone();
    assert_eq!(memory["limit_bytes"], 76_000_000_000_u64);
    assert_eq!((&memory["device_bytes"], &memory["headroom"]), (&80_000_000_000_u64.into(), &0.05.into()));
    // A limit is taken as it stands, and a host's memory whole.
    let given = scratch.line("plan dot.mlir --machine h100 --memory-limit 80GB").succeeds();
    given.says(&["of 74.5 GiB per device\n"]);
    scratch.line("plan dot.mlir --machine cpu8").succeeds().says(&["of 2.0 GiB per device\n"]);
    scratch.file("tight.toml", "base = \"h100\"\n[device]\nmemory = 40\n");
    scratch.file("small.mlir", PLAIN_DOT);
    let refused = ["5 % of the device's", "`--memory-limit 40` would use them too"];
    scratch.line("plan small.mlir --machine tight.toml").fails(3, &refused);
}

/// What is sent together takes memory while it waits.
#[test]
fn a_plan_keeps_the_memory_limit_that_it_was_made_for() {
    let scratch = Scratch::new("planned-limit");
    let gpt = example("gpt.mlir");
    let limit = "--mesh data=8 --memory-limit 320KiB -o plan.json";
    scratch.line(&format!("plan {gpt} --machine cpu8 {limit}")).succeeds();
    scratch.line(&format!("compile {gpt} --plan plan.json -o tight")).succeeds();
    scratch.line(&format!("compile {gpt} --plan plan.json --memory-limit 2GiB -o wide")).succeeds();
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_str(&std::fs::read_to_string(scratch.path(name)).unwrap()).unwrap()
    };
    let [plan, tight, wide] = ["plan.json", "tight/plan.json", "wide/plan.json"].map(read);
    for key in ["predicted", "memory", "collectives"] {
        assert_eq!(plan[key], tight[key], "{key}");
        assert_ne!(plan[key], wide[key], "{key}");
    }
}

#[test]
fn what_lies_on_the_host_is_counted_apart() {
    let scratch = Scratch::new("host-memory");
    scratch.file("dot.mlir", PLAIN_DOT);
    let here = scratch.line("plan dot.mlir --machine cpu8 --json").succeeds().json()["memory"].clone();
    assert!(here.get("host_bytes").is_none());
    let argument = PLAIN_DOT.find("f32>").expect("an argument") + "f32>".len();
    let (before, after) = PLAIN_DOT.split_at(argument);
    scratch.file("host.mlir", format!("{before} {{mhlo.memory_kind = \"pinned_host\"}}{after}"));
    let there = scratch.line("plan host.mlir --machine cpu8 --json").succeeds().json()["memory"].clone();
    let bytes = |memory: &serde_json::Value, key: &str| memory[key].as_u64().unwrap();
    assert_eq!(bytes(&here, "peak_bytes") - bytes(&there, "peak_bytes"), bytes(&there, "host_bytes"));
    scratch.line("plan host.mlir --machine cpu8").succeeds().says(&["host memory   "]);
}

#[test]
fn check_compares_every_output() {
    let scratch = Scratch::new("check");
    scratch.file("dot.mlir", DOT);
    scratch.line("check dot.mlir --machine cpu8").succeeds().says(&[
        "x=2, y=4 (8 devices)",
        "x, y",
        "all_reduce",
        "(uncalibrated)",
        "per device",
        "Not searched: ",
        "The output agrees with the undistributed program within 1e-4",
    ]);
    let wide = scratch.line("check dot.mlir --machine cpu8 --precision f64 --seed 3").succeeds();
    wide.says(&["within 1e-9"]);
    let report = scratch.line("check dot.mlir --machine cpu8 --json").succeeds().json();
    assert_eq!(report["agrees"], true);
    assert_eq!(report["plan"]["collectives"][0]["kind"], "all_reduce");
    assert_eq!(report["outputs"][0]["verdict"], "agrees");
}

#[test]
fn check_on_recorded_inputs_agrees() {
    let scratch = Scratch::new("recorded");
    let arguments = ["check", &example("mlp_annotated.mlir"), "--machine", "cpu8", "--inputs"];
    let inputs = example("mlp_annotated.in.npz");
    scratch.run(arguments.iter().copied().chain([inputs.as_str()])).succeeds().says(&[
        "data parallel over 2, tensor parallel over 4",
        "result[0]['up']",
        "All 4 outputs agree",
    ]);
    // Summing in another order rounds otherwise: no error at all is too much to ask.
    let strict = arguments.iter().copied().chain([inputs.as_str(), "--tolerance", "0"]);
    scratch.run(strict).fails(3, &[]).says(&["DIFFERS", "do NOT agree"]);
}

#[test]
fn an_output_that_is_not_finite_is_compared_only_if_allowed() {
    let scratch = Scratch::new("nonfinite");
    let divide = "func.func @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n  %0 = stablehlo.subtract %a, %a : \
                  tensor<8xf32>\n  %1 = stablehlo.divide %0, %0 : tensor<8xf32>\n  return %1 : tensor<8xf32>\n}\n";
    scratch.file("nan.mlir", divide);
    scratch.line("check nan.mlir --machine cpu8").fails(3, &[]).says(&["NOT COMPARED"]);
    scratch.line("check nan.mlir --machine cpu8 --allow-nonfinite").succeeds();
}

#[test]
fn a_searched_plan_says_why() {
    let scratch = Scratch::new("search");
    scratch.file("dot.mlir", PLAIN_DOT);
    scratch.line("plan dot.mlir --machine cpu8").succeeds().says(&["Why:", "- this plan: "]);
    // The user's mesh and scope are kept.
    scratch.line("plan dot.mlir --machine cpu8 --mesh a=2,b=4").succeeds().says(&["a=2, b=4 (8 devices)"]);
    let none = scratch.line("plan dot.mlir --machine cpu8 --mesh 8 --search none").succeeds();
    none.says(&["x=8 (8 devices)", "no collectives", "replicated"]);
}

#[test]
fn a_plan_compiles_to_the_program_it_was_made_for() {
    let scratch = Scratch::new("plan");
    for (name, text) in [("annotated.mlir", DOT), ("plain.mlir", PLAIN_DOT)] {
        scratch.file(name, text);
        scratch.line(&format!("plan {name} --machine cpu8 -o plan.json")).succeeds();
        scratch.line(&format!("compile {name} --machine cpu8 -o direct --force")).succeeds();
        scratch.line(&format!("compile {name} --plan plan.json -o reloaded --force")).succeeds();
        let read =
            |folder: &str, file: &str| std::fs::read_to_string(scratch.path(folder).join(file)).unwrap();
        for file in ["program.mlir", "manifest.json"] {
            assert_eq!(read("direct", file), read("reloaded", file));
        }
        // A plan that is used is described again, with the same decisions.
        let plan: serde_json::Value = serde_json::from_str(&read("reloaded", "plan.json")).unwrap();
        let made: serde_json::Value = serde_json::from_str(&read("direct", "plan.json")).unwrap();
        assert_eq!(plan["arguments"], made["arguments"]);
    }
    scratch.line("check plain.mlir --plan plan.json").succeeds();
    assert_eq!(scratch.names(), ["annotated.mlir", "direct", "plain.mlir", "plan.json", "reloaded"]);
}

#[test]
fn a_compiled_folder_runs_to_the_results_of_the_whole_program() {
    let scratch = Scratch::new("run");
    let model = example("mlp_annotated.mlir");
    let inputs = example("mlp_annotated.in.npz");
    scratch.run(["compile", &model, "--machine", "cpu8", "-o", "compiled"]).succeeds();
    let run =
        ["run", "compiled", "--engine", "embedded", "--inputs", &inputs, "--outputs", "run.npz", "--json"];
    let ran = scratch.run(run).succeeds().json();
    let whole = scratch.run(["eval", &model, "--inputs", &inputs, "--outputs", "eval.npz", "--json"]);
    let whole = whole.succeeds().json();
    assert_eq!(whole.as_array().unwrap().len(), 4);
    for (actual, expected) in ran["results"].as_array().unwrap().iter().zip(whole.as_array().unwrap()) {
        assert_eq!(actual["shape"], expected["shape"]);
        for range in ["min", "max"] {
            let (actual, expected) = (actual[range].as_f64().unwrap(), expected[range].as_f64().unwrap());
            assert!((actual - expected).abs() <= 1e-6 * expected.abs().max(1e-3), "{actual} {expected}");
        }
    }
    assert_eq!(scratch.names(), ["compiled", "eval.npz", "run.npz"]);
}

#[test]
fn propagate_and_partition_need_no_machine() {
    let scratch = Scratch::new("transform");
    scratch.file("dot.mlir", DOT);
    scratch.line("propagate dot.mlir -o completed.mlir").succeeds();
    let completed = std::fs::read_to_string(scratch.path("completed.mlir")).unwrap();
    assert!(completed.contains("[{\"y\"}, {}]"), "{completed}");
    // What was completed says the same again.
    scratch.line("partition dot.mlir -o local.mlir").succeeds();
    scratch.line("partition completed.mlir -o again.mlir").succeeds();
    let local = std::fs::read_to_string(scratch.path("local.mlir")).unwrap();
    assert_eq!(local, std::fs::read_to_string(scratch.path("again.mlir")).unwrap());
    assert!(local.contains("mhlo.num_replicas = 8 : i32") && !local.contains("sdy"), "{local}");
    let printed = scratch.line("partition dot.mlir -o - --mesh x=4,y=2").succeeds();
    printed.says(&["tensor<2x8xf32>", "stablehlo.all_reduce"]);
}

#[test]
fn programs_are_dumped_after_stages() {
    let scratch = Scratch::new("dump");
    scratch.file("dot.mlir", DOT);
    let dumped =
        scratch.line("check dot.mlir --machine cpu8 --dump-after final=final.mlir --dump-after propagate");
    assert_eq!(dumped.code, Some(0), "{dumped:?}");
    assert!(dumped.err.starts_with("// after propagate\nmodule"), "{}", dumped.err);
    assert!(std::fs::read_to_string(scratch.path("final.mlir")).unwrap().contains("all_reduce"));
    let stopped = scratch.line("compile dot.mlir --machine cpu8 -o compiled --stop-after inline");
    assert_eq!((stopped.code, stopped.out.as_str()), (Some(0), ""));
    assert_eq!(stopped.err, "warning[stage]: stopped after `inline`, as asked: compiled was not written\n");
    let stopped = scratch.line("propagate dot.mlir -o completed.mlir --stop-after read --json");
    assert_eq!(stopped.succeeds().json()["stopped_after"], "read");
    assert_eq!(scratch.names(), ["dot.mlir", "final.mlir"]);
}

#[test]
fn passes_are_seen_and_left_out_by_name() {
    let scratch = Scratch::new("passes");
    let sum = "\
sdy.mesh @mesh = <[\"x\"=2]>
func.func @main(%a: tensor<4x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"x\"}]>},
                %b: tensor<4096x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}, %s: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x4096xf32>, tensor<4096x4xf32>) -> tensor<4x4xf32>
  %1 = stablehlo.tanh %a : tensor<4x4096xf32>
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x4096xf32>, tensor<4096x4xf32>) -> tensor<4x4xf32>
  %3 = stablehlo.multiply %0, %s : tensor<4x4xf32>
  %4 = stablehlo.multiply %2, %s : tensor<4x4xf32>
  %5 = stablehlo.add %3, %4 : tensor<4x4xf32>
  return %5 : tensor<4x4xf32>
}
";
    scratch.file("sum.mlir", sum);
    let all = scratch.line("partition sum.mlir -o - --dump-after partition=raw.mlir").succeeds();
    let without = "partition sum.mlir -o - --without-pass dead-code --without-pass defer-reductions";
    let without = scratch.line(without).succeeds();
    let count = |text: &str, what: &str| text.matches(what).count();
    assert_eq!((count(&all.out, "all_reduce"), count(&all.out, "tanh")), (1, 0), "{}", all.out);
    assert_eq!((count(&without.out, "all_reduce"), count(&without.out, "tanh")), (2, 1), "{}", without.out);
    assert!(std::fs::read_to_string(scratch.path("raw.mlir")).unwrap().contains("all_reduce"));
    scratch.line("partition --help").succeeds().says(&["--without-pass", "hoist-gathers", "Examples:"]);
}

#[test]
fn a_reader_that_went_away_is_no_error() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_meshwright"))
        .args(["machines", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn branches_are_planned_partitioned_and_checked() {
    let scratch = Scratch::new("branches");
    let program = r#"func.func @main(%w: tensor<8x8xf32>, %x: tensor<16x8xf32>, %on: tensor<i1>) -> tensor<16x8xf32> {
  %0 = stablehlo.convert %on : (tensor<i1>) -> tensor<i32>
  %1 = "stablehlo.case"(%0) ({
    %3 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %4 = stablehlo.tanh %3 : tensor<16x8xf32>
    stablehlo.return %4 : tensor<16x8xf32>
  }, {
    stablehlo.return %x : tensor<16x8xf32>
  }) : (tensor<i32>) -> tensor<16x8xf32>
  %2 = stablehlo.add %1, %x : tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}
"#;
    scratch.file("case.mlir", program);
    scratch.line("check case.mlir --machine cpu8 --mesh x=8 --precision f64").succeeds();
    scratch.line("check case.mlir --machine cpu8").succeeds().says(&["The output agrees"]);
}

#[test]
fn a_sum_that_a_loop_reads_is_reduced_before_the_loop() {
    let scratch = Scratch::new("around-a-loop");
    let program = r#"sdy.mesh @mesh = <["x"=8]>
func.func @main(%a: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<64x16xf32>, %s: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x64xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<50> : tensor<i32>
  %1:2 = stablehlo.while(%i = %zero, %sum = %s) : tensor<i32>, tensor<16x16xf32>
   cond {
    %2 = stablehlo.compare LT, %i, %many : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.add %sum, %0 : tensor<16x16xf32>
    stablehlo.return %2, %3 : tensor<i32>, tensor<16x16xf32>
  }
  return %1#1 : tensor<16x16xf32>
}
"#;
    scratch.file("loop.mlir", program);
    let report = scratch.line("check loop.mlir --machine cpu8 --precision f64 --json").succeeds().json();
    assert_eq!(report["plan"]["collectives"][0]["kind"], "all_reduce");
    assert_eq!(report["plan"]["collectives"][0]["count"], 1);
}
