//! Folders of several programs: they run on the embedded devices; what cannot run them says so.

use crate::common::Scratch;

const MANIFEST: &str = r#"{
  "version": 2,
  "arguments": [],
  "results": [{"name": "loss", "shape": [], "element": "f32"}],
  "groups": [{"devices": [0], "mesh": []}, {"devices": [1, 2], "mesh": [{"name": "data", "size": 2}]}],
  "stages": [0, 1],
  "microbatches": 2,
  "accumulators": {"sum": "sum"},
  "programs": [
    {"program": "0F", "file": "stage-0-forward.mlir", "takes": [{"slot": "microbatch", "shape": [], "element": "i32", "sharding": []}], "gives": [{"slot": "stash h", "shape": [], "element": "f32", "sharding": []}]},
    {"program": "1F", "file": "stage-1-forward.mlir", "takes": [{"slot": "received h", "shape": [], "element": "f32", "sharding": []}, {"slot": "accumulator sum", "shape": [], "element": "f32", "sharding": []}], "gives": [{"slot": "accumulator sum", "shape": [], "element": "f32", "sharding": []}]},
    {"program": "1U0", "file": "stage-1-update-0.mlir", "takes": [{"slot": "accumulator sum", "shape": [], "element": "f32", "sharding": []}], "gives": [{"slot": "result 0", "shape": [], "element": "f32", "sharding": []}]}
  ],
  "schedule": ["0F0 h:0>1:0 0F1 h:0>1:1", "h:0>1:0 1F0 h:0>1:1 1F1 1U0"]
}
"#;

/// The number of the microbatch and three.
const FORWARD_0: &str = "module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%m: tensor<i32>) -> tensor<f32> {
    %0 = stablehlo.constant dense<3.0> : tensor<f32>
    %1 = stablehlo.convert %m : (tensor<i32>) -> tensor<f32>
    %2 = stablehlo.add %0, %1 : tensor<f32>
    return %2 : tensor<f32>
  }
}
";

const FORWARD_1: &str = "module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func @main(%h: tensor<f32>, %sum: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %sum, %h : tensor<f32>
    return %0 : tensor<f32>
  }
}
";

const UPDATE_1: &str = "module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 2 : i32} {
  func.func @main(%sum: tensor<f32>) -> tensor<f32> {
    %0 = stablehlo.add %sum, %sum : tensor<f32>
    return %0 : tensor<f32>
  }
}
";

/// A folder of three programs whose manifest is changed by `change`.
fn folder(name: &str, change: fn(&str) -> String) -> Scratch {
    let scratch = Scratch::new(name);
    std::fs::create_dir(scratch.path("compiled")).unwrap();
    scratch.file("compiled/manifest.json", change(MANIFEST));
    scratch.file("compiled/stage-0-forward.mlir", FORWARD_0);
    scratch.file("compiled/stage-1-forward.mlir", FORWARD_1);
    scratch.file("compiled/stage-1-update-0.mlir", UPDATE_1);
    scratch
}

#[test]
fn they_run_as_their_schedule_says() {
    let scratch = folder("several-run", str::to_owned);
    let ran = scratch.line("run compiled --json").succeeds();
    // Twice the sum of 3 and 4.
    assert_eq!(ran.json()["results"][0]["min"].as_f64(), Some(14.0), "{}", ran.out);
}

#[test]
fn who_cannot_run_them_says_so() {
    let scratch = folder("several-xla", str::to_owned);
    scratch.line("launch compiled --slurm -o job.sh --hosts 1").fails(2, &["--resource NAME"]);
}

#[test]
fn what_is_wrong_with_a_folder_is_said_at_its_key() {
    let fails = |name: &str, change: fn(&str) -> String, parts: &[&str]| {
        folder(name, change).line("run compiled").fails(1, parts);
    };
    fails("several-newer", |text| text.replace("\"version\": 2", "\"version\": 7"), &["`version` is 7"]);
    fails("several-field", |text| text.replace("\"stages\"", "\"stage\""), &["unknown field `stage`"]);
    fails("several-event", |text| text.replace("1F1 1U0", "1U0 1F1"), &["it adds to `accumulator sum`"]);
    fails("several-missing", |text| text.replace(" 1F1", ""), &["`1F1` is missing"]);
    fails(
        "several-slot",
        |text| text.replace("received h", "stash h"),
        &["`1F0` in row 1: nothing has made"],
    );
    fails("several-file", |text| text.replace("stage-0-forward.mlir", "other.mlir"), &["lacks `other.mlir`"]);
}
