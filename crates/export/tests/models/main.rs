//! Models of other forms than most frameworks know: what is written of them, and why they are refused.

mod constraints;
mod parts;
mod read_back;

use meshwright_export::read::Around;
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
    let job = Job::read(&plan, Some(Model::read(&model))).unwrap();
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
        let found = meshwright_export::read::read("launch.sh", &script, Around::devices(8));
        assert!(found.is_ok(), "{config}: {found:?}");
    }
}

#[test]
fn biases_are_fused_with_no_square_of_relu() {
    let squared = config("tiny/pythia_serial").replace("\"gelu\"", "\"relu2\"");
    let script = written_of(&squared, 16, "megatron-lm").unwrap();
    assert!(script.contains("--squared-relu") && script.contains("--no-bias-gelu-fusion"), "{script}");
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
        ("released/gpt-oss-20b", "YaRN stretches outside of latent attention"),
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
    let experts = written("released/qwen3-30b-a3b", "megatron-bridge").unwrap();
    assert!(experts.contains("cfg.model.moe_router_load_balancing_type = \"none\""), "{experts}");
    let found = written("released/mixtral-8x7b", "megatron-bridge").unwrap_err();
    assert!(found.contains("no models of type `mixtral`"), "{found}");
}

#[test]
fn nemo_builds_the_models_whose_importers_follow_the_configuration() {
    let files = written("released/mixtral-8x7b", "nemo").unwrap();
    assert!(files.contains("llm.MixtralModel.importer"), "{files}");
    assert!(files.contains("share_embeddings_and_output_weights = False"), "{files}");
    let tied = written("released/llama-3.2-1b", "nemo").unwrap();
    assert!(tied.contains("share_embeddings_and_output_weights = True"), "{tied}");
    let found = written("released/qwen3-8b", "nemo").unwrap_err();
    assert!(found.contains("no models of type `qwen3`"), "{found}");
    let found = written("released/gemma-3-1b", "nemo").unwrap_err();
    assert!(found.contains("no models of type `gemma3_text`"), "{found}");
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

/// Compares what is written of models with what has to be in it, and what must not.
fn compare(target: &str, sequence: usize, of_models: &[(&str, &[&str], &[&str])]) {
    for (name, has, lacks) in of_models {
        let files = written_of(&config(name), sequence, target).unwrap_or_else(|why| panic!("{name}: {why}"));
        for text in *has {
            assert!(files.contains(text), "{name}: {text}\n{files}");
        }
        for text in *lacks {
            assert!(!files.contains(text), "{name}: {text}\n{files}");
        }
    }
}

#[test]
fn torchtitan_builds_llama3_qwen3_and_deepseek_v3() {
    let of_models: &[(&str, &[&str], &[&str])] = &[
        (
            "released/llama-3.1-405b",
            &["name = \"llama3\"", "scaling_factor=8.0", "n_layers=126"],
            &["MoEArgs"],
        ),
        // A tied embedding is one of its qwen3, which norms of heads can be left out of.
        ("released/smollm2-135m", &["name = \"qwen3\"", "qk_norm=False", "enable_weight_tying=True"], &[]),
        ("released/mistral-nemo-12b", &["name = \"qwen3\"", "qk_norm=False", "head_dim=128"], &["MoEArgs"]),
        (
            "released/mixtral-8x7b",
            &[
                "qk_norm=False",
                "moe_inter_dim=14336",
                "num_experts=8",
                "route_norm=True",
                "load_balance_coeff=None",
            ],
            &[],
        ),
        (
            "released/qwen3-30b-a3b",
            &["name = \"qwen3\"", "qk_norm=True", "moe_enabled=True", "top_k=8", "num_shared_experts=0"],
            &["num_expert_groups"],
        ),
        (
            "released/deepseek-v3",
            &[
                "name = \"deepseek_v3\"",
                "deepseekv3_args[\"planned\"] = DeepSeekV3ModelArgs(",
                "inter_dim=18432",
                "moe_inter_dim=2048",
                "n_dense_layers=3",
                "q_lora_rank=1536",
                "num_expert_groups=8, num_limited_groups=4",
                "score_func=\"sigmoid\", route_norm=True, route_scale=2.5",
                "load_balance_coeff=1e-3",
                "original_seq_len=4096",
                "rope_factor=40.0",
                "mscale=1.0",
            ],
            &["n_kv_heads", "head_dim=128,\n    hidden_dim"],
        ),
        (
            "released/deepseek-v2-lite",
            &[
                "q_lora_rank=0",
                "num_shared_experts=2, top_k=6, score_func=\"softmax\", route_norm=False",
                "load_balance_coeff=None",
                "mscale=0.707",
            ],
            &["num_expert_groups"],
        ),
    ];
    compare("torchtitan", 8192, of_models);
}

#[test]
fn torchtitan_stretches_no_positions_of_short_sequences() {
    let job = job_of(&config("released/deepseek-v3"), 4096);
    let target = meshwright_export::target("torchtitan").unwrap();
    let gaps = export(job, target, Otherwise::Refused).unwrap_err();
    let said: Vec<String> = gaps.iter().map(ToString::to_string).collect();
    assert!(said.iter().any(|gap| gap.contains("it stretches them from 4097 on")), "{said:?}");
}

#[test]
fn what_torchtitan_cannot_build_is_refused_with_the_reason() {
    for (config, why) in [
        ("released/llama-3.2-1b", "a tied embedding and stretched rotary positions"),
        ("released/deepseek-v2", "groups of experts by the sum of their best two"),
        ("released/qwen2.5-0.5b", "biases of queries, keys and values"),
        ("released/gpt2", "norms by mean and variance"),
        ("released/gemma-2-2b", "scaled or capped"),
        ("tiny/gpt_oss", "stretched rotary positions from so few positions"),
    ] {
        let found = written(config, "torchtitan").unwrap_err();
        assert!(found.contains(why), "{config}: {found}");
    }
}

#[test]
fn maxtext_has_a_block_for_each_of_these() {
    let of_models: &[(&str, &[&str], &[&str])] = &[
        (
            "released/llama-3.1-70b",
            &["decoder_block: llama2", "rope_type: llama3.1", "use_qk_norm: false"],
            &["model_name"],
        ),
        (
            "released/qwen3-0.6b",
            &["decoder_block: qwen3", "use_qk_norm: true", "normalize_embedding_logits: false"],
            &[],
        ),
        ("released/qwen2.5-0.5b", &["decoder_block: qwen2", "attention_bias: true"], &[]),
        (
            "released/qwen3-235b-a22b",
            &["decoder_block: qwen3_moe", "base_moe_mlp_dim: 1536", "norm_topk_prob: true"],
            &[],
        ),
        (
            "released/mixtral-8x22b",
            &["decoder_block: mixtral", "num_experts_per_tok: 2"],
            &["shared_experts"],
        ),
        (
            "released/gemma-7b",
            &["decoder_block: gemma", "mlp_activations: [gelu, linear]", "normalize_embedding_logits: true"],
            &["sliding_window_size"],
        ),
        (
            "released/gemma-2-9b",
            &[
                "decoder_block: gemma2",
                "base_num_decoder_layers: 21",
                "attn_logits_soft_cap: 50.0",
                "final_logits_soft_cap: 30.0",
                "sliding_window_size: 4096",
            ],
            &["model_name"],
        ),
        (
            "released/gemma-3-4b",
            &[
                "model_name: gemma3-4b",
                "override_model_config: true",
                "sliding_window_size: 1024",
                "local_rope_max_timescale: 10000",
                "rope_max_timescale: 1000000",
                "rope_linear_scaling_factor: 8.0",
            ],
            &["soft_cap"],
        ),
        (
            "released/deepseek-v2-lite",
            &[
                "decoder_block: deepseek",
                "attention_type: mla",
                "q_lora_rank: 0",
                "first_num_dense_layers: 1",
                "shared_experts: 2",
                "routed_score_func: softmax",
                "routed_bias: false",
                "mscale: 0.707",
                "rope_factor: 40\n",
            ],
            &["model_name", "n_routing_groups", "norm_topk_prob"],
        ),
        (
            "released/deepseek-v3",
            &[
                "model_name: deepseek3-671b",
                "n_routing_groups: 8",
                "topk_routing_group: 4",
                "routed_bias: true",
                "routed_scaling_factor: 2.5",
            ],
            &[],
        ),
    ];
    compare("maxtext", 8192, of_models);
    let of_short: &[(&str, &[&str], &[&str])] = &[(
        "released/gpt2",
        &[
            "decoder_block: gpt3",
            "trainable_position_size: 1024",
            "mlp_activations: [gelu]",
            "normalize_embedding_logits: false",
        ],
        &["rope_max_timescale", "use_qk_norm"],
    )];
    compare("maxtext", 1024, of_short);
}

#[test]
fn what_maxtext_cannot_build_is_refused_with_the_reason() {
    for (config, why) in [
        ("released/llama-3.2-1b", "rotary positions that are stretched so"),
        ("released/deepseek-v2", "groups of experts that are chosen by other scores"),
        ("tiny/pythia_serial", "its gpt3 has no rotary positions"),
        ("tiny/gemma3", "norms with another epsilon"),
        ("released/qwen1.5-moe-a2.7b", "shared experts have a gate"),
    ] {
        let found = written(config, "maxtext").unwrap_err();
        assert!(found.contains(why), "{config}: {found}");
    }
}

#[test]
fn gpt_oss_is_written_where_targets_have_it() {
    let of_torchtitan: &[(&str, &[&str], &[&str])] = &[(
        "released/gpt-oss-20b",
        &[
            "from torchtitan.models.gpt_oss import GptOssModelArgs, gptoss_configs",
            "name = \"gpt_oss\"",
            "num_experts=32, num_shared_experts=0, top_k=4, score_func=\"softmax\", route_norm=True",
            "gate_bias=True, score_before_experts=False, load_balance_coeff=None",
            "swiglu_limit=7",
            "sliding_window_size=128",
            "original_seq_len=4096",
            "rope_factor=32",
            "ntk_alpha=1",
            "ntk_beta=32",
        ],
        &[],
    )];
    compare("torchtitan", 1024, of_torchtitan);
    let of_maxtext: &[(&str, &[&str], &[&str])] = &[(
        "released/gpt-oss-20b",
        &[
            "decoder_block: gpt_oss",
            "mlp_activations: [sigmoid, linear]",
            "mlp_activations_limit: 7",
            "attention_sink: true",
            "attention: dot_product",
            "sliding_window_size: 128",
            "routed_bias: true",
            "mlp_bias: true",
            "inhomogeneous_layer_cycle_interval: 2",
            "rope_type: yarn",
            "rope_truncate: false",
        ],
        &["use_qk_norm"],
    )];
    compare("maxtext", 1024, of_maxtext);
}

/// A plan of a pipeline: four groups of a stage each, eight microbatches.
fn pipeline(schedule: &str, target: &str, otherwise: Otherwise) -> Result<String, String> {
    let mut model: serde_json::Value = serde_json::from_str(&config("tiny/llama")).unwrap();
    model["num_hidden_layers"] = 4.into();
    model.as_object_mut().unwrap().remove("rope_scaling");
    let axis = |name: &str, size: usize, kind: job::Kind| job::Axis { name: name.to_owned(), size, kind };
    let mut job = Job {
        degrees: job::Degrees { dp: 2, pp: 4, ..job::Degrees::default() },
        axes: vec![axis("pipeline", 4, job::Kind::Pipeline), axis("data", 2, job::Kind::Data)],
        global_batch: 16,
        microbatches: 8,
        stages: Some(vec![1; 4]),
        ..job_of(&model.to_string(), 16)
    };
    let named = meshwright_schedule::named(schedule).unwrap();
    job.schedule = job.rows_by(&named).unwrap();
    job.schedule_names = vec![named.name];
    match export(job, meshwright_export::target(target).unwrap(), otherwise) {
        Ok(export) => Ok(export.files.into_iter().map(|file| file.text).collect()),
        Err(gaps) => Err(gaps.iter().map(|gap| format!("{gap}\n")).collect()),
    }
}

#[test]
fn schedules_are_those_of_the_plan_or_refused() {
    let refused = |target: &str, schedule: &str| pipeline(schedule, target, Otherwise::Refused);
    assert!(refused("megatron-lm", "1f1b").is_ok(), "{:?}", refused("megatron-lm", "1f1b"));
    let why = refused("megatron-lm", "zb-h1").unwrap_err();
    assert!(why.contains("the schedule zb-h1; nearest: 1f1b"), "{why}");
    assert!(pipeline("zb-h1", "megatron-lm", Otherwise::Nearest).is_ok());
    let gpipe = pipeline("gpipe", "torchtitan", Otherwise::Nearest).unwrap();
    assert!(gpipe.contains("pipeline_parallel_schedule = \"GPipe\""), "{gpipe}");
    let table = pipeline("zb-h1", "torchtitan", Otherwise::Nearest).unwrap();
    assert!(table.contains("pipeline_parallel_schedule_csv = \"schedule.csv\""), "{table}");
    assert!(table.contains("0F0,0F1,0F2,0F3,0I0,"), "{table}");
    let gpipe = pipeline("gpipe", "nanotron", Otherwise::Nearest).unwrap();
    assert!(gpipe.contains("pp_engine: afab"), "{gpipe}");
}

#[test]
fn targets_of_the_plain_form_alone_refuse_others() {
    for target in ["nanotron", "mindspeed"] {
        for config in ["released/gpt2", "released/deepseek-v2-lite", "released/gemma-2-2b"] {
            let found = written(config, target).unwrap_err();
            assert!(
                found.contains("the model has no sizes that can be written"),
                "{config} for {target}: {found}"
            );
        }
    }
}

/// The same job with experts over two devices of each four replicas.
fn with_experts(name: &str, target: &str) -> Result<String, String> {
    let job = job_of(&config(name), 16);
    let axis = |name: &str, size: usize, kind: job::Kind| job::Axis { name: name.to_owned(), size, kind };
    let job = Job {
        degrees: job::Degrees { dp: 4, ep: 2, zero: 1, ..job::Degrees::default() },
        axes: vec![axis("data", 4, job::Kind::Data), axis("expert", 2, job::Kind::Expert)],
        ..job
    };
    match export(job, meshwright_export::target(target).unwrap(), Otherwise::Refused) {
        Ok(export) => Ok(export.files.into_iter().map(|file| file.text).collect()),
        Err(gaps) => Err(gaps.iter().map(|gap| format!("{gap}\n")).collect()),
    }
}

#[test]
fn deepspeed_shards_experts_of_models_that_it_has_presets_for() {
    for (config, preset) in [
        ("released/mixtral-8x7b", "mixtral"),
        ("released/qwen3-30b-a3b", "qwen3_moe"),
        ("released/qwen1.5-moe-a2.7b", "qwen3_moe"),
        ("released/deepseek-v3", "deepseek_v3"),
    ] {
        let files = with_experts(config, "deepspeed").unwrap_or_else(|why| panic!("{config}: {why}"));
        assert!(files.contains("\"autoep_size\": 2"), "{config}: {files}");
        assert!(files.contains(&format!("\"preset_model\": \"{preset}\"")), "{config}: {files}");
        let config = files.split_once("\n}").map(|(config, _)| format!("{config}\n}}")).unwrap();
        let found =
            meshwright_export::read::read("ds_config.json", &config, Around::devices(8)).unwrap().degrees;
        assert_eq!([found.dp, found.ep, found.zero], [4, 2, 1], "{files}");
    }
    let found = with_experts("released/gpt-oss-20b", "deepspeed").unwrap_err();
    assert!(found.contains("nothing of this kind is written for it; nearest: dp=8"), "{found}");
}

#[test]
fn deepspeed_asks_nothing_of_models_but_for_tensor_parallelism() {
    for config in
        ["released/gpt2", "tiny/mamba2", "tiny/jamba", "released/t5-base", "released/bert-base-uncased"]
    {
        assert!(written(config, "deepspeed").is_ok(), "{config}");
    }
    let with_weights = |name: &str| {
        let job = job_of(&config(name), 16);
        let axis = |name: &str, size: usize, kind: job::Kind| job::Axis { name: name.to_owned(), size, kind };
        let job = Job {
            degrees: job::Degrees { dp: 4, tp: 2, zero: 3, fsdp: 4, ..job::Degrees::default() },
            axes: vec![axis("data", 4, job::Kind::Data), axis("model", 2, job::Kind::Tensor)],
            ..job
        };
        let target = meshwright_export::target("deepspeed").unwrap();
        export(job, target, Otherwise::Refused).map_err(|gaps| format!("{gaps:?}"))
    };
    assert!(with_weights("released/gemma-2-2b").is_ok());
    assert!(
        with_weights("released/gpt2").unwrap_err().contains("AutoTP does not shard models of type `gpt2`")
    );
    assert!(with_weights("tiny/mamba2").unwrap_err().contains("no attention"));
}
