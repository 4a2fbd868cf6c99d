//! Plans of models by their config.json, without a program: what is planned, checked, compiled and refused.

// Each test file uses a part of what they share.
#[allow(dead_code)]
mod common;

use common::{PLAIN_DOT, Scratch};
use std::path::Path;

/// A folder with a tiny configuration of the tests of the crate `models`.
fn with_config(test: &str, name: &str) -> Scratch {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models/tiny");
    let scratch = Scratch::new(test);
    scratch.file("config.json", std::fs::read_to_string(path.join(format!("{name}.json"))).unwrap());
    scratch
}

#[test]
fn a_configuration_is_planned_as_the_training_step_that_it_stands_for() {
    let scratch = with_config("config-plan", "llama");
    let step = "--seq 16 --global-batch 8 --precision-recipe f32";
    let plan = format!("plan config.json --machine cpu8 {step} --as dp=2,tp=4 --search none");
    scratch.line(&format!("{plan} -o plan.json")).succeeds().says(&["data=2,model=4", "tokens"]);
    let read = std::fs::read_to_string(scratch.path("plan.json")).unwrap();
    let read: serde_json::Value = serde_json::from_str(&read).unwrap();
    let model = &read["model"];
    assert_eq!(model["model_type"], "llama");
    assert_eq!((&model["tokens_per_sequence"], &model["sequences"]), (&16.into(), &8.into()));
    assert_eq!((&model["precision_recipe"], &model["optimizer"]), (&"f32".into(), &"adamw".into()));
    // The same step by its parts has the same program.
    scratch.line(&format!("model config.json {step} -o loss.mlir")).succeeds();
    scratch.line("grad loss.mlir --optimizer adamw -o step.mlir").succeeds();
    let by_parts =
        scratch.line("plan step.mlir --machine cpu8 --as dp=2,tp=4 --search none --json").succeeds().json();
    for key in ["mesh", "predicted", "memory", "collectives"] {
        assert_eq!(by_parts[key], read[key], "{key}");
    }
    // The plan knows how its program was made.
    scratch.line("compile config.json --plan plan.json -o compiled").succeeds();
    scratch.line("check config.json --plan plan.json --precision f64").succeeds();
    scratch
        .line("compile config.json --plan plan.json --seq 32 -o other")
        .fails(2, &["`--seq` is not what the plan was made for, which is 16"]);
    scratch
        .line("check config.json --plan plan.json --optimizer sgd")
        .fails(2, &["`--optimizer` is not what the plan was made for, which is adamw"]);
    let args = "explain config.json --plan plan.json --arg 0";
    scratch.line(args).succeeds().says(&["an argument, there from the start"]);
    assert_eq!(scratch.names(), ["compiled", "config.json", "loss.mlir", "plan.json", "step.mlir"]);
}

#[test]
fn families_are_searched_and_checked() {
    for name in ["llama", "mixtral", "deepseek_v3", "mamba2", "t5", "vit"] {
        let scratch = with_config(&format!("config-{name}"), name);
        let seq = if name == "vit" { "" } else { "--seq 16" };
        let ran = scratch.line(&format!(
            "check config.json --machine cpu8:4 {seq} --global-batch 8 --precision-recipe f32 --optimizer sgd --precision f64"
        ));
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        ran.says(&["The output agrees with the undistributed program"]);
    }
}

#[test]
fn what_a_step_takes_has_to_be_said_and_to_fit() {
    let scratch = with_config("config-refused", "llama");
    let plan = "plan config.json --machine cpu8";
    scratch.line(plan).fails(2, &["no batch", "--global-batch 512"]);
    scratch
        .line(&format!("{plan} --seq 24 --global-batch 1ktok"))
        .fails(1, &["a batch of 1024 tokens holds no whole number of sequences of 24"]);
    scratch.line(&format!("{plan} --global-batch many")).fails(2, &["`many` is no batch"]);
    scratch.line(&format!("{plan} --global-batch 8 --optimizer best")).fails(2, &["adamw", "none"]);
    scratch.line(&format!("{plan} --global-batch 8 --precision-recipe fp4")).fails(2, &["bf16"]);
    scratch.file("config.json", "{\"model_type\": \"resnet\"}");
    scratch.line(&format!("{plan} --global-batch 8")).fails(1, &["config.json:1:16", "`resnet`"]);
    scratch.file("dot.mlir", PLAIN_DOT);
    for flag in
        ["--seq 8", "--global-batch 8", "--optimizer adamw", "--precision-recipe f32", "--capacity-factor 2"]
    {
        let name = flag.split(' ').next().unwrap();
        let said = format!("`{name}` goes with a model's config.json");
        for command in ["plan dot.mlir --machine cpu8", "eval dot.mlir", "explain dot.mlir"] {
            scratch.line(&format!("{command} {flag}")).fails(2, &[&said]);
        }
    }
    assert_eq!(scratch.names(), ["config.json", "dot.mlir"]);
}
