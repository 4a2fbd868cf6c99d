//! Models of other forms than most frameworks know: what is written of them, and why they are refused.

use meshwright_export::{Job, Model, Otherwise, export, job};
use meshwright_ir::diagnostic::Source;
use meshwright_models::{Batch, Options};
use meshwright_plan::PlanFile;
use std::path::PathBuf;

fn text(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data").join(name);
    std::fs::read_to_string(path).unwrap()
}

/// A configuration, without what says that it was quantized. Some are no strict JSON.
fn config(name: &str) -> String {
    let text = text(&format!("models/{name}.json"));
    if !text.contains("quantization_config") {
        return text;
    }
    let mut config: serde_json::Value = serde_json::from_str(&text).unwrap();
    config.as_object_mut().unwrap().remove("quantization_config");
    config.to_string()
}

/// A job of plain data parallelism over eight devices, of the model in a configuration.
fn job_of(config: &str, sequence: usize) -> Job {
    let plan = PlanFile::from_text(&text("exports/plans/data_and_tensor.json")).unwrap();
    let options = Options { sequence: Some(sequence), batch: Batch::Sequences(8), ..Options::default() };
    let model = meshwright_models::read(&Source::new("config.json", config), &options).unwrap();
    let job = Job::read(&plan, Some(Model::read(&model, config))).unwrap();
    let axis = job::Axis { name: "data".to_owned(), size: 8, kind: job::Kind::Data };
    Job {
        degrees: job::Degrees { dp: 8, zero: 1, ..job::Degrees::default() },
        axes: vec![axis],
        global_batch: 8,
        sequence,
        microbatches: 1,
        stages: None,
        ..job
    }
}

/// The files for a target, one behind the other; or why there are none.
fn written(name: &str, target: &str) -> Result<String, String> {
    written_of(&config(name), 16, target)
}

fn written_of(config: &str, sequence: usize, target: &str) -> Result<String, String> {
    let files =
        export(job_of(config, sequence), meshwright_export::target(target).unwrap(), Otherwise::Nearest);
    match files {
        Ok(export) => Ok(export.files.into_iter().map(|file| file.text).collect()),
        Err(gaps) => Err(gaps.iter().map(|gap| format!("{gap}\n")).collect()),
    }
}

#[test]
fn megatron_has_arguments_for_more_than_the_plain_form() {
    let layer_norm = "--normalization LayerNorm";
    let of_models: &[(&str, &[&str], &[&str])] = &[
        (
            "released/gpt2",
            &[layer_norm, "--position-embedding-type learned_absolute", "--max-position-embeddings 1024"],
            &["--rotary", "--swiglu", "--disable-bias-linear", "--add-qkv-bias", "--no-bias-gelu-fusion"],
        ),
        (
            "tiny/pythia_serial",
            &[layer_norm, "--rotary-base 10000", "--no-bias-gelu-fusion", "--position-embedding-type rope"],
            &["--disable-bias-linear", "--swiglu", "--rotary-percent"],
        ),
        (
            "released/deepseek-v2-lite",
            &[
                "--multi-latent-attention",
                "--kv-lora-rank 512",
                "--qk-head-dim 128",
                "--qk-pos-emb-head-dim 64",
                "--v-head-dim 128",
                "--qk-layernorm",
                "--rope-type yarn",
                "--rotary-scaling-factor 40.0",
                "--mscale 0.707",
                "--moe-layer-freq '[0]*1+[1]*26'",
                "--ffn-hidden-size 10944",
                "--moe-ffn-hidden-size 1408",
                "--moe-shared-expert-intermediate-size 2816",
                "--moe-router-pre-softmax",
            ],
            &["--q-lora-rank", "--moe-router-group-topk", "--moe-router-enable-expert-bias"],
        ),
        (
            "released/deepseek-v3",
            &[
                "--q-lora-rank 1536",
                "--moe-layer-freq '[0]*3+[1]*58'",
                "--moe-router-num-groups 8",
                "--moe-router-group-topk 4",
                "--moe-router-score-function sigmoid",
                "--moe-router-enable-expert-bias",
                "--moe-router-topk-scaling-factor 2.5",
            ],
            &["--moe-router-pre-softmax", "--add-qkv-bias"],
        ),
    ];
    for (config, has, lacks) in of_models {
        let script = written(config, "megatron-lm").unwrap_or_else(|why| panic!("{config}: {why}"));
        for argument in *has {
            assert!(script.contains(argument), "{config}: {argument}\n{script}");
        }
        for argument in *lacks {
            assert!(!script.contains(argument), "{config}: {argument}\n{script}");
        }
        let found = meshwright_export::read::read("launch.sh", &script, 8);
        assert!(found.is_ok(), "{config}: {found:?}");
    }
}

#[test]
fn a_part_of_a_head_may_have_positions() {
    let config = config("tiny/pythia_serial").replace("\"rotary_pct\": 1.0", "\"rotary_pct\": 0.5");
    let script = written_of(&config, 16, "megatron-lm").unwrap();
    assert!(script.contains("--rotary-percent 0.5"), "{script}");
}

#[test]
fn windows_are_written_where_sequences_are_longer() {
    let script =
        |length: usize| written_of(&config("released/mistral-7b-v0.1"), length, "megatron-lm").unwrap();
    assert!(script(8192).contains("--window-size 4095,0"), "{}", script(8192));
    assert!(!script(8192).contains("--window-attn-skip-freq"));
    assert!(!script(4096).contains("--window-size"));
}

#[test]
fn what_megatron_cannot_build_is_refused_with_the_reason() {
    for (config, why) in [
        ("released/deepseek-v2", "groups of experts that are chosen by other scores"),
        ("released/gpt-neox-20b", "parts side by side"),
        ("released/gemma-2-2b", "scaled or capped"),
        ("released/gpt-oss-20b", "sinks"),
        ("released/qwen1.5-moe-a2.7b", "shared experts have a gate"),
        ("tiny/mamba2", "no attention"),
        ("released/bert-base-uncased", "no decoder that writes text"),
    ] {
        let found = written(config, "megatron-lm").unwrap_err();
        assert!(found.contains(why), "{config}: {found}");
    }
}

#[test]
fn megatron_bridge_builds_the_models_it_has_bridges_for() {
    for config in
        ["released/gemma-2-2b", "released/gpt-oss-20b", "released/deepseek-v3", "released/llama-3.1-8b"]
    {
        assert!(written(config, "megatron-bridge").is_ok(), "{config}");
    }
    let found = written("released/mixtral-8x7b", "megatron-bridge").unwrap_err();
    assert!(found.contains("no models of type `mixtral`"), "{found}");
}

#[test]
fn accelerate_wants_nothing_but_the_class_of_layers() {
    for (config, class) in [
        ("released/gpt2", "GPT2Block"),
        ("released/deepseek-v3", "DeepseekV3DecoderLayer"),
        ("released/gemma-3-4b", "Gemma3DecoderLayer"),
        ("tiny/mamba2", "Mamba2Block"),
        ("tiny/jamba", "JambaAttentionDecoderLayer,JambaMambaDecoderLayer"),
        ("released/t5-base", "T5Block"),
    ] {
        let files = written(config, "accelerate").unwrap_or_else(|why| panic!("{config}: {why}"));
        assert!(files.contains(class), "{config}: {files}");
    }
}

#[test]
fn targets_of_the_plain_form_alone_refuse_others() {
    for target in ["nanotron", "mindspeed", "maxtext", "torchtitan"] {
        for config in ["released/gpt2", "released/deepseek-v2-lite", "released/gemma-2-2b"] {
            let found = written(config, target).unwrap_err();
            assert!(
                found.contains("the model has no sizes that can be written"),
                "{config} for {target}: {found}"
            );
        }
    }
}
