//! `meshwright model`: figures and program of a config.json, and what is refused.

use crate::common::Scratch;
use std::path::Path;

/// A tiny configuration of the tests of the crate `models`.
fn tiny(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models/tiny");
    std::fs::read_to_string(path.join(format!("{name}.json"))).unwrap()
}

#[test]
fn figures_are_a_table_or_json() {
    let folder = Scratch::new("model-figures");
    folder.file("config.json", tiny("llama"));
    let ran = folder.line("model config.json --seq 16 --global-batch 128tok").succeeds();
    ran.says(&["parameters", "29,408", "tokens, 8 x 16", "attention", "mlp", "head", "cache", "intensity"]);
    let record = folder.line("model config.json --seq 16 --global-batch 8 --json").succeeds().json();
    assert_eq!(record["parameters"], 29_408);
    assert_eq!(record["sequences"], 8);
    assert_eq!(record["parameter_arguments"][2]["name"], "model.layers.{0..2}.self_attn.q_proj.weight");
    assert_eq!(record["parameter_arguments"][2]["shape"], serde_json::json!([3, 32, 32]));
    assert_eq!(record["data_arguments"][1]["name"], "labels");
}

#[test]
fn the_program_is_planned_and_checked_like_any_other() {
    let folder = Scratch::new("model-program");
    for name in ["llama", "mixtral", "deepseek_v3", "mamba2", "t5"] {
        folder.file("config.json", tiny(name));
        folder.line("model config.json --seq 16 --global-batch 8 -o step.mlir").succeeds();
        let check = "check step.mlir --machine cpu8 --as dp=2,tp=4 --search none";
        let ran = folder.line(check);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        ran.says(&["The output agrees with the undistributed program"]);
    }
}

#[test]
fn attention_is_written_out_or_a_call_of_a_kernel() {
    let folder = Scratch::new("model-kernels");
    let step = "--seq 16 --global-batch 8 --precision-recipe bf16";
    for name in ["llama", "gpt_oss"] {
        folder.file("config.json", tiny(name));
        folder.line(&format!("model config.json {step} -o out.mlir")).succeeds();
        folder.line(&format!("model config.json {step} --kernels off -o off.mlir")).succeeds();
        folder.line(&format!("model config.json {step} --kernels on -o on.mlir")).succeeds();
        let text = |file: &str| std::fs::read_to_string(folder.path(file)).unwrap();
        assert_eq!(text("out.mlir"), text("off.mlir"));
        assert!(text("on.mlir").contains("@__cudnn$fmhaSoftmax(") && !text("off.mlir").contains("__cudnn"));
        // The same as what a plan makes of what is written out.
        let plan = |file: &str| {
            folder.line(&format!("plan {file} --machine h100:1x8 --as dp=8 --search none --json")).json()
        };
        assert_eq!(plan("on.mlir")["predicted"], plan("off.mlir")["predicted"], "{name}");
        folder.line("grad on.mlir -o gradients.mlir").succeeds();
        let check = "check gradients.mlir --machine h100:1x8 --as dp=2,tp=4 --search none --precision f64";
        let ran = folder.line(check);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.err);
        assert!(text("gradients.mlir").contains("@__cudnn$fmhaSoftmaxBackward("));
        std::fs::remove_file(folder.path("gradients.mlir")).unwrap();
    }
    folder
        .line(&format!("model config.json {step} --kernels on --machine ascend_910b:1x8 -o npu.mlir"))
        .succeeds();
    assert!(std::fs::read_to_string(folder.path("npu.mlir")).unwrap().contains("@__npu$fmhaSoftmax("));
    let ran = folder.line("model config.json --seq 16 --kernels on -o f32.mlir");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("stay written out: its elements are f32"), "{}", ran.err);
    let line = format!("model config.json {step} --kernels on");
    folder.line(&line).fails(2, &["give `-o FILE`"]);
    folder.line(&format!("{line} --machine cpu8 -o cpu.mlir")).fails(2, &["`cpu8` has no kernel"]);
    folder.line(&format!("model config.json {step} --kernels maybe")).fails(2, &["write `on` or `off`"]);
}

#[test]
fn products_in_8_bit_floats_are_a_file_and_a_plan() {
    let folder = Scratch::new("model-fp8");
    // As a file: what other tools run, and `grad` takes as it is meant.
    folder.file("config.json", tiny("llama"));
    let step = "--seq 16 --global-batch 8 --precision-recipe fp8";
    folder.line(&format!("model config.json {step} -o loss.mlir")).succeeds();
    let text = std::fs::read_to_string(folder.path("loss.mlir")).unwrap();
    assert!(text.contains("stablehlo.composite \"meshwright.scaled_dot\""), "{text}");
    let grad = "grad loss.mlir --optimizer adamw --promise-in-bounds -o step.mlir";
    folder.line(grad).succeeds();
    let text = std::fs::read_to_string(folder.path("step.mlir")).unwrap();
    assert!(text.contains("f8E5M2") && !text.contains("composite"), "{text}");
    let plan = |what: &str| {
        let line = format!("plan {what} --machine h100:1x8 --as dp=2,tp=4 --search none --json");
        folder.line(&line).json()
    };
    let config = plan(&format!("config.json {step}"));
    assert_eq!(config["predicted"], plan("step.mlir")["predicted"]);
    let check = format!("check config.json --machine cpu8 {step} --as dp=2,tp=4 --search none");
    let ran = folder.line(&check);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ran = folder.line(&format!("{check} --microbatches 2 --precision f64"));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
}

#[test]
fn what_is_wrong_is_shown_where_it_stands() {
    let folder = Scratch::new("model-refused");
    folder.file(
        "config.json",
        tiny("llama").replace("\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3"),
    );
    let ran = folder.line("model config.json -o step.mlir");
    ran.fails(1, &["config.json:1:", "`num_key_value_heads`, 3, does not divide"]);
    assert_eq!(folder.names(), ["config.json"]);
    folder.file("config.json", "{\"model_type\": \"llama\",");
    folder.line("model config.json").fails(1, &["config.json:1:24", "found the end of the file"]);
    folder.file("config.json", "{\"model_type\": \"resnet\"}");
    folder.line("model config.json").fails(1, &["config.json:1:16", "`resnet`", "deepseek_v3"]);
    folder.file("config.json", tiny("gpt2"));
    folder.line("model config.json --seq 128").fails(1, &["64 positions", "--seq 64"]);
    folder.line("model config.json --seq 16 --global-batch 1M").fails(2, &["`1M` is no batch"]);
    folder.line("model config.json --capacity-factor 0").fails(2, &["is no factor"]);
}
