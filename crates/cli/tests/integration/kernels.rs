//! Attention that a program writes out, as calls of the machine's kernel: in plans, compiled programs and checks.

use crate::common::Scratch;
use std::path::Path;

/// A program of the file tests in a folder of its own.
fn with(name: &str, program: &str) -> Scratch {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite/attention");
    let scratch = Scratch::new(name);
    scratch.file("p.mlir", std::fs::read_to_string(suite.join(program)).unwrap());
    scratch
}

#[test]
fn attention_runs_as_the_kernel_of_the_machine() {
    let scratch = with("kernels", "gpt2_jax.mlir");
    scratch.line("compile p.mlir --machine h100:1x2 -o out").succeeds().says(&[]);
    let local = std::fs::read_to_string(scratch.path("out/program.mlir")).unwrap();
    assert!(local.contains("@__cudnn$fmhaSoftmaxBackward"));
    scratch.line("plan p.mlir --machine h100:1x2").succeeds().says(&["as cudnn-hopper with gradient"]);
    scratch.line("check p.mlir --machine h100:1x2 --precision f64").succeeds().says(&["agree"]);
    // A plan says it itself, where the machine's kernel is called alike.
    scratch.line("compile p.mlir --machine a100-80:1x2 --plan out/plan.json -o again").succeeds().says(&[]);
    let again = std::fs::read_to_string(scratch.path("again/program.mlir")).unwrap();
    assert_eq!(local, again);
    scratch.line("compile p.mlir --machine ascend_910b:1x2 --plan out/plan.json -o other").fails(
        1,
        &["runs attentions by `cudnn-hopper`, and `ascend_910b", "has `npu-fusion`", "--kernels off"],
    );
    let plan = std::fs::read_to_string(scratch.path("out/plan.json")).unwrap();
    scratch.file("odd.json", plan.replace("cudnn-hopper", "cudnn-volta"));
    scratch
        .line("compile p.mlir --machine h100:1x2 --plan odd.json -o odd")
        .fails(1, &["there is no kernel `cudnn-volta`", "odd.json:", "cudnn-hopper, cudnn-ampere"]);
}

#[test]
fn attention_stays_as_it_is_written_where_it_should() {
    let scratch = with("kernels-off", "gpt2_jax.mlir");
    for line in [
        "compile p.mlir --machine h100:1x2 --kernels off -o other",
        "compile p.mlir --machine cpu8 -o other --force",
    ] {
        scratch.line(line).succeeds().says(&[]);
        let local = std::fs::read_to_string(scratch.path("other/program.mlir")).unwrap();
        assert!(!local.contains("__cudnn"));
    }
    scratch.line("plan p.mlir --machine h100:1x2 --kernels maybe").fails(2, &["write `on` or `off`"]);
    let f32 = with("kernels-f32", "left_f32.mlir");
    f32.line("plan p.mlir --machine h100:1x2")
        .succeeds()
        .says(&["written out: its elements are f32; cuDNN takes bf16 and f16"]);
    let json = f32.line("plan p.mlir --machine h100:1x2 --json").succeeds().json();
    assert_eq!(json["attention"]["found"][0]["form"], "written_out");
}

/// GPT-OSS: sinks beside the scores, windows in every second layer, query heads that share keys.
#[test]
fn attention_with_sinks_runs_as_the_kernel_on_every_mesh() {
    let scratch = Scratch::new("kernels-sinks");
    let tiny = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models/tiny/gpt_oss.json");
    scratch.file("config.json", std::fs::read_to_string(tiny).unwrap());
    let step = "--seq 16 --global-batch 16 --precision-recipe bf16";
    scratch.line(&format!("model config.json {step} -o loss.mlir")).succeeds();
    // Gradients as they are: what an optimizer makes of them hides how large they were.
    scratch.line("grad loss.mlir -o gradients.mlir").succeeds();
    for (program, flags) in [
        ("gradients.mlir", "--dp 2 --tp 4"),
        ("gradients.mlir", "--cp 2 --dp 2 --tp 2"),
        ("gradients.mlir", "--tp 2 --dp 4 --microbatches 2"),
        ("gradients.mlir", "--dp 8 --recompute full"),
        ("gradients.mlir", "--tp 2 --dp 4 --tiles 2"),
        (&format!("config.json {step}"), "--ep 4"),
        (&format!("config.json {step}"), "--pp 2 --dp 4 --microbatches 2"),
    ] {
        let line = format!(
            "check {program} --machine h100:1x8 {flags} --search none --precision f64 --tolerance 1e-12"
        );
        let ran = scratch.line(&line);
        assert_eq!(ran.code, Some(0), "{program} {flags}: {}", ran.err);
        ran.says(&["2 as cudnn-hopper with gradient", "agree with the undistributed program"]);
    }
}

/// Two heads of keys over eight devices: four devices hold each, and have a part of its query heads.
#[test]
fn kernels_spread_over_more_devices_than_there_are_heads_of_keys() {
    let scratch = Scratch::new("kernels-grouped");
    scratch.file("config.json", GROUPED);
    scratch.line("model config.json --seq 64 --global-batch 8 -o loss.mlir").succeeds();
    scratch.line("grad loss.mlir -o gradients.mlir").succeeds();
    for flags in
        ["--tp 8", "--tp 4 --dp 2 --microbatches 2", "--tp 8 --sp 8 --recompute full", "--tp 8 --kernels off"]
    {
        let line = format!(
            "check gradients.mlir --machine h100:1x8 {flags} --search none --precision f64 --tolerance 1e-12"
        );
        let ran = scratch.line(&line);
        assert_eq!(ran.code, Some(0), "{flags}: {}", ran.err);
        ran.says(&["k_proj.weight`: dim 1 in 2 parts over the", "agree with the undistributed program"]);
    }
    let ran = scratch.line("compile gradients.mlir --machine h100:1x8 --tp 8 --search none -o out");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let plan = std::fs::read_to_string(scratch.path("out/plan.json")).unwrap();
    assert!(plan.contains("`lm_head.weight`: 509 of dim 0 over 8 devices, padded to 512"), "{plan}");
}

/// A Llama with eight heads, two of keys, and a vocabulary that does not divide.
const GROUPED: &str = r#"{"model_type": "llama", "vocab_size": 509, "hidden_size": 64, "intermediate_size": 48,
    "num_hidden_layers": 2, "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 8, "rms_norm_eps": 1e-5,
    "max_position_embeddings": 64, "hidden_act": "silu", "rope_theta": 10000.0, "tie_word_embeddings": false,
    "torch_dtype": "bfloat16"}"#;

#[test]
fn a_bias_of_all_examples_adds_up_what_each_gives_its_gradient() {
    let scratch = Scratch::new("kernels-bias");
    let tiny = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models/tiny/t5.json");
    let config = std::fs::read_to_string(tiny).unwrap();
    scratch.file("config.json", config);
    let step = "config.json --machine h100:1x2 --seq 16 --global-batch 8 --search none";
    for ways in ["--dp 2", "--dp 2 --zero 1 --microbatches 4"] {
        let plan = scratch.line(&format!("plan {step} {ways}")).succeeds();
        plan.says(&["3 as cudnn-hopper with gradient"]);
        let check = format!("check {step} {ways} --precision f64");
        scratch.line(&check).succeeds().says(&["All 80 outputs agree"]);
    }
    let pipeline = "check config.json --machine h100:1x4 --seq 16 --global-batch 8 --search none";
    let pipeline = format!("{pipeline} --pp 2 --dp 2 --microbatches 4 --precision f64");
    scratch.line(&pipeline).succeeds().says(&["agree"]);
}
