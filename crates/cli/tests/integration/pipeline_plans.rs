//! Plan files of pipelines that degrees say, or that a search finds: what takes them, for what they are the plan, and twins.

use crate::common::{Ran, Scratch, example};
use serde_json::Value;

/// A tiny Llama of three layers, as frameworks have them.
fn config() -> String {
    format!("{}/../../tests/data/exports/llama.json", env!("CARGO_MANIFEST_DIR"))
}

/// Runs a command line that may warn.
fn done(scratch: &Scratch, line: &str) -> Ran {
    let ran = scratch.line(line);
    assert_eq!(ran.code, Some(0), "{line}: {}{}", ran.out, ran.err);
    ran
}

fn json(scratch: &Scratch, file: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(scratch.path(file)).unwrap()).unwrap()
}

/// The files of two compiled folders are the same.
fn same(scratch: &Scratch, one: &str, other: &str) {
    let names = std::fs::read_dir(scratch.path(one)).unwrap().map(|file| file.unwrap().file_name());
    for name in names {
        let read = |folder: &str| std::fs::read_to_string(scratch.path(folder).join(&name)).unwrap();
        assert!(read(one) == read(other), "{name:?} differs in {one} and {other}");
    }
}

#[test]
fn a_pipeline_of_degrees_has_a_plan_file() {
    let scratch = Scratch::new("pipeline-plans");
    let config = config();
    let step = format!("{config} --machine cpu8:8 --seq 16 --global-batch 32 --precision-recipe f32");
    for (number, degrees) in [
        "--pp 2 --tp 2 --microbatches 4",
        "--pp 2 --vp 2 --tp 2 --zero 1 --microbatch-size 4",
        "--pp 4 --microbatches 4 --recompute full",
        "--pp 2 --tp 4 --microbatches 4 --recompute search --memory-limit 880KiB",
    ]
    .into_iter()
    .enumerate()
    {
        let plan = format!("{number}.json");
        let shown = done(&scratch, &format!("plan {step} {degrees} -o {plan} --json")).json();
        let written = json(&scratch, &plan);
        assert_eq!(written["model"]["model_type"], "llama");
        assert_eq!(written["schedule"].as_array().unwrap().len() as u64, shown["groups"].as_u64().unwrap());
        assert_eq!(written["microbatches"]["count"], shown["microbatches"], "{degrees}");
        let tp = if degrees.contains("--tp 4") {
            4
        } else if degrees.contains("--tp 2") {
            2
        } else {
            1
        };
        assert_eq!(written["degrees"]["tp"], tp, "{degrees}");
        assert_eq!(written["figures"]["arithmetic"], "f32");
        // The programs take about what the row says.
        let seconds = |value: &Value| value.as_f64().unwrap();
        let ratio = seconds(&written["predicted"]["total_seconds"]) / seconds(&shown["step_seconds"]);
        assert!((0.8..1.25).contains(&ratio), "{degrees}: {ratio}");
        let waterfall = written["figures"]["waterfall"].as_array().unwrap();
        let sum: f64 = waterfall.iter().map(|part| seconds(&part["seconds"])).sum();
        assert!((sum / seconds(&written["predicted"]["total_seconds"]) - 1.0).abs() < 1e-9, "{degrees}");
        done(&scratch, &format!("compile {config} --plan {plan} -o again-{number}"));
        done(&scratch, &format!("check {config} --plan {plan} --precision f64"))
            .says(&["pipeline parallel over", "agree with the undistributed program"]);
        // `compile` takes the same flags to the same programs.
        done(&scratch, &format!("compile {step} {degrees} -o flags-{number}"));
        same(&scratch, &format!("flags-{number}"), &format!("again-{number}"));
    }
    // More stages than layers end within them, as those of a search do.
    done(&scratch, &format!("plan {step} --pp 8 --microbatches 8 -o inside.json"));
    assert_eq!(json(&scratch, "inside.json")["schedule"].as_array().unwrap().len(), 8);
    done(&scratch, &format!("check {config} --plan inside.json --precision f64"))
        .says(&["pipeline parallel over 8", "agree with the undistributed program"]);
    scratch
        .line(&format!("plan {} --pp 16 --microbatches 16 -o none.json", step.replace("cpu8:8", "cpu8:16")))
        .fails(2, &["the step is not cut into 16 stages: it has places for at most 8"]);
    scratch
        .line(&format!("plan {step} --pp 2 --microbatches 4 --memory-limit 10KiB -o none.json"))
        .fails(3, &["it needs"]);
    assert!(!scratch.path("none.json").exists());
}

#[test]
fn a_pipeline_that_was_searched_has_one_too() {
    let scratch = Scratch::new("pipeline-plans-searched");
    scratch.file("gpt.mlir", std::fs::read(example("gpt.mlir")).unwrap());
    for (number, asked) in
        ["--stages 2,4 --microbatches 4", "--stages search --microbatches search"].into_iter().enumerate()
    {
        let plan = format!("{number}.json");
        let flags = format!("gpt.mlir --machine cpu8:4 {asked}");
        let shown = done(&scratch, &format!("plan {flags} -o {plan} --json")).json();
        let written = json(&scratch, &plan);
        // One program for all devices has neither.
        let rows = written["schedule"].as_array().map(|rows| rows.len() as u64);
        assert_eq!(rows, shown["groups"].as_u64(), "{asked}");
        done(&scratch, &format!("check gpt.mlir --plan {plan} --precision f64"))
            .says(&["agree with the undistributed program"]);
    }
}

#[test]
fn stages_are_exported_and_planned_for_a_target() {
    let scratch = Scratch::new("pipeline-plans-export");
    let config = config();
    let step = format!("{config} --machine h100:1x8 --seq 16 --global-batch 32");
    // Three layers in two stages are unequal.
    done(&scratch, &format!("plan {step} --pp 2 --tp 2 --sp 2 --zero 3 --microbatches 4 -o plan.json"));
    let before = json(&scratch, "plan.json")["stages"][0]["layers_before"].as_u64();
    let before = before.expect("it begins between two layers");
    done(&scratch, &format!("export plan.json --to torchtitan --config {config} -o titan"));
    let job = std::fs::read_to_string(scratch.path("titan/job.toml")).unwrap();
    assert!(job.contains("module_fqns_per_model_part"), "{job}");
    assert!(job.contains("pipeline_parallel_degree = 2"), "{job}");
    scratch
        .line(&format!("export plan.json --to neuronx-distributed --config {config} -o neuron"))
        .fails(3, &["stages of", "3 layers are not 2 equal stages"]);
    done(&scratch, &format!("plan {step} --pp 2 --tp 2 --zero 1 --microbatches 4 -o plan.json"));
    done(&scratch, &format!("export plan.json --to megatron-lm --config {config} -o megatron"));
    let script = std::fs::read_to_string(scratch.path("megatron/launch.sh")).unwrap();
    let layout = if before == 1 { "'Et*1|t*2L'" } else { "'Et*2|t*1L'" };
    assert!(script.contains(&format!("--pipeline-model-parallel-layout {layout}")), "{script}");
    // A target that has stages gets them, and one without is refused.
    let ways = "--pp 2 --tp 2 --microbatches 4";
    let ran = done(&scratch, &format!("plan {step} {ways} --for megatron-lm -o for.json"));
    ran.says(&["runs the fastest of all ways as it is"]);
    done(&scratch, &format!("export for.json --to megatron-lm --config {config} -o job"));
    scratch.line(&format!("plan {step} {ways} --for deepspeed")).fails(3, &["can run none of", "pp=2"]);
}

#[test]
fn what_is_nearest_has_a_price() {
    let scratch = Scratch::new("pipeline-plans-nearest");
    let config = config();
    let step = format!("{config} --machine h100:1x8 --seq 16 --global-batch 32");
    done(&scratch, &format!("plan {step} --as dp=4,tp=2 --search none -o plan.json"));
    let export = format!("export plan.json --to torchtitan --config {config} --nearest");
    done(&scratch, &format!("{export} -o text")).says(&[
        "A step was planned to take",
        "what is written, dp=4,",
        "takes",
    ]);
    let price = &done(&scratch, &format!("{export} -o data --json")).json()["price"];
    let planned = json(&scratch, "plan.json");
    assert_eq!(price["planned"]["step_seconds"], planned["predicted"]["total_seconds"]);
    // What is written costs what a plan with its degrees does.
    let way = done(&scratch, &format!("{export} -o degrees --json")).json()["degrees"].clone();
    let own = format!("plan {step} --as {} --search none --json", way.as_str().unwrap());
    let own = done(&scratch, &own).json();
    assert_eq!(price["written"]["step_seconds"], own["predicted"]["total_seconds"]);
    // Of a program nothing says how it was made.
    scratch.file("gpt.mlir", std::fs::read(example("gpt.mlir")).unwrap());
}

#[test]
fn pipelines_have_twins() {
    let scratch = Scratch::new("pipeline-plans-twins");
    let config = config();
    let step = format!("{config} --machine cpu8:8 --seq 16 --global-batch 32 --precision-recipe f32");
    for degrees in [
        "--pp 2 --microbatches 4",
        "--pp 2 --tp 2 --zero 1 --microbatches 4 --recompute full",
        "--pp 2 --vp 2 --tp 4 --microbatches 4",
    ] {
        let report = done(&scratch, &format!("check {step} {degrees} --shrink --json")).json();
        assert_eq!(report["agrees"], true, "{degrees}");
        assert_eq!(report["twin"]["axes"][0]["name"], "stages");
        assert_eq!(report["twin"]["axes"][0]["twin_size"], 2);
    }
}

/// Data, tensors, sequences, experts and stages, all at once: each has an axis of its own, and collectives that are its own.
#[test]
fn a_plan_has_five_kinds_of_parallelism() {
    let config = format!("{}/../../tests/data/models/tiny/mixtral.json", env!("CARGO_MANIFEST_DIR"));
    let scratch = Scratch::new("pipeline-plans-5d");
    let step = format!("{config} --machine cpu8:32 --seq 8 --global-batch 8 --precision-recipe f32");
    let degrees = "--pp 2 --dp 2 --tp 2 --cp 2 --ep 2 --microbatches 2";
    done(&scratch, &format!("plan {step} {degrees} -o plan.json"));
    let plan = json(&scratch, "plan.json");
    assert_eq!(plan["parallelism"].as_array().unwrap().len(), 5, "{}", plan["parallelism"]);
    for kind in ["pipeline", "data", "expert", "tensor", "context"] {
        let all = plan["parallelism"].as_array().unwrap();
        assert!(all.iter().any(|own| own.as_str().unwrap().starts_with(kind)), "{kind}: {all:?}");
    }
    done(&scratch, &format!("check {config} --plan plan.json --precision f64"))
        .says(&["agree with the undistributed program"]);
    done(&scratch, &format!("check {step} {degrees} --optimizer sgd --recompute full --precision f64"))
        .says(&["agree with the undistributed program"]);
    done(&scratch, &format!("compile {step} {degrees} -o out"));
    let programs = std::fs::read_dir(scratch.path("out")).unwrap().map(|file| file.unwrap().path());
    let text: String = programs
        .filter(|path| path.extension().is_some_and(|ending| ending == "mlir"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    for op in ["stablehlo.all_to_all", "stablehlo.all_reduce", "stablehlo.all_gather"] {
        assert!(text.contains(op), "{op}");
    }
}
