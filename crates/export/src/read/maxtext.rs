//! `config.yml` of MaxText 0.2.4, as far as it says degrees, batches and numbers.
//!
//! Input: its text, and the devices, of which an axis of -1 takes what the others leave. Output: a [`Found`] with the sizes of
//! the model that it states.

use super::keys::Keys;
use super::settings::of_yaml;
use super::sizes::{ModelSize, stated};
use super::{Around, Found, Problem, Reader, must_be_all, not_read, product, yaml};
use crate::job::{Degrees, Recompute};
use serde_json::Value;

pub(super) const READER: Reader = Reader {
    target: "maxtext",
    extensions: &[".yaml", ".yml"],
    is_it: |text| {
        let keys = ["base_config:", "decoder_block:", "ici_", "dcn_"];
        text.lines().any(|line| keys.iter().any(|key| line.starts_with(key)))
    },
    read: |text, around| read(text, around),
    settings: |text| of_yaml(text, SETTINGS),
    may_stay: &[],
};

/// Where sizes of the model stand.
const SIZES: &[(ModelSize, &str)] = &[
    (ModelSize::Layers, "base_num_decoder_layers"),
    (ModelSize::Width, "base_emb_dim"),
    (ModelSize::Heads, "base_num_query_heads"),
    (ModelSize::KeyHeads, "base_num_kv_heads"),
];

/// What says how a step runs.
const SETTINGS: &[&str] = &[
    "dcn_*",
    "dtype",
    "gradient_accumulation_steps",
    "ici_*",
    "max_target_length",
    "per_device_batch_size",
    "remat_policy",
    "shard_optimizer_over_data",
    "weight_dtype",
];

/// Keys that are read, beside those of axes.
const KEYS: &[&str] = &[
    "dtype",
    "gradient_accumulation_steps",
    "max_target_length",
    "opt_type",
    "per_device_batch_size",
    "remat_policy",
    "shard_optimizer_over_data",
    "weight_dtype",
];

/// Keys that say a model, or nothing of a step.
const OTHERS: &[&str] = &[
    "adam_b1",
    "adam_b2",
    "adam_eps",
    "adam_weight_decay",
    "async_checkpointing",
    "attention",
    "attention_bias",
    "attention_sink",
    "attention_type",
    "attn_logits_soft_cap",
    "base_config",
    "base_emb_dim",
    "base_mlp_dim",
    "base_moe_mlp_dim",
    "base_num_decoder_layers",
    "base_num_kv_heads",
    "base_num_query_heads",
    "base_output_directory",
    "beta_fast",
    "beta_slow",
    "checkpoint_period",
    "cosine_learning_rate_final_fraction",
    "dataset_path",
    "dataset_type",
    "decoder_block",
    "enable_checkpointing",
    "enable_dropout",
    "enable_goodput_recording",
    "enable_profiler",
    "eval_interval",
    "eval_steps",
    "final_logits_soft_cap",
    "first_num_dense_layers",
    "gcs_metrics",
    "gradient_clipping_threshold",
    "hardware",
    "head_dim",
    "hf_access_token",
    "hf_path",
    "hf_train_files",
    "inhomogeneous_layer_cycle_interval",
    "kv_lora_rank",
    "learning_rate",
    "learning_rate_schedule_steps",
    "local_rope_max_timescale",
    "log_period",
    "logits_dot_in_fp32",
    "logits_via_embedding",
    "max_position_embeddings",
    "mlp_activations",
    "mlp_activations_limit",
    "mlp_bias",
    "model_call_mode",
    "model_name",
    "monitor_goodput",
    "mscale",
    "n_routing_groups",
    "norm_topk_prob",
    "normalization_layer_epsilon",
    "normalize_embedding_logits",
    "num_experts",
    "num_experts_per_tok",
    "original_max_position_embeddings",
    "override_model_config",
    "packing",
    "profiler",
    "profiler_steps",
    "q_lora_rank",
    "qk_nope_head_dim",
    "qk_rope_head_dim",
    "reuse_example_batch",
    "rope_attention_scaling",
    "rope_factor",
    "rope_interleave",
    "rope_linear_scaling_factor",
    "rope_max_timescale",
    "rope_truncate",
    "rope_type",
    "routed_bias",
    "routed_scaling_factor",
    "routed_score_func",
    "run_name",
    "save_config_to_gcs",
    "scan_layers",
    "shared_experts",
    "skip_first_n_steps_for_profiler",
    "sliding_window_size",
    "steps",
    "tokenizer_path",
    "tokenizer_type",
    "topk_routing_group",
    "trainable_position_size",
    "use_iota_embed",
    "use_post_attn_norm",
    "use_post_ffw_norm",
    "use_qk_norm",
    "v_head_dim",
    "vocab_size",
    "warmup_steps_fraction",
];

/// Axes that are read.
const AXES: [&str; 6] = ["data", "fsdp", "context", "tensor", "tensor_sequence", "expert"];

fn read(text: &str, Around { devices, .. }: Around) -> Result<Found, Problem> {
    let value = yaml::parse(text)?;
    let job = Keys::of("MaxText 0.2.4", &value)?;
    let of_axes: Vec<String> = ["ici", "dcn"]
        .iter()
        .flat_map(|links| AXES.map(|axis| format!("{links}_{axis}_parallelism")))
        .collect();
    let of_axes: Vec<&str> = of_axes.iter().map(String::as_str).collect();
    job.known(&[KEYS, OTHERS, &of_axes])?;
    job.only("weight_dtype", &"float32".into())?;
    job.off(&["logits_dot_in_fp32"])?;
    let [data, fsdp, cp, whole, with_tokens, ep] = axes(&job, &value, devices)?;
    if whole > 1 && with_tokens > 1 {
        return Err(not_read("ici_tensor_sequence_parallelism", "beside ici_tensor_parallelism"));
    }
    let (tp, dp) = (whole * with_tokens, product(&[data, fsdp])?);
    let replicas = product(&[dp, ep])?;
    // The width of parameters is sharded over `fsdp`, `context` and `expert`.
    let of_data = job.flag("shard_optimizer_over_data")?;
    let zero = if fsdp * cp * ep > 1 { 3 } else { usize::from(of_data) };
    if of_data && data > 1 && zero == 3 {
        return Err(not_read("shard_optimizer_over_data", "beside parameters in shards"));
    }
    if data > 1 && ep > 1 {
        let what =
            format!("{data} beside experts, which are sharded over fewer devices than other parameters");
        return Err(not_read("ici_data_parallelism", what));
    }
    let degrees = Degrees {
        dp,
        fsdp: if zero == 3 { fsdp * ep } else { 1 },
        tp,
        sp: if with_tokens > 1 { tp } else { 1 },
        cp,
        ep,
        zero,
        ..Degrees::default()
    };
    let size = match job.number("per_device_batch_size")? {
        None => None,
        Some(each) => {
            let size = each * devices as f64 / replicas as f64;
            let wrong = || {
                Problem::from(format!(
                    "`per_device_batch_size` is {each}: on {replicas} replicas of {devices} devices that are no whole sequences"
                ))
            };
            let is_whole = size >= 1.0 && size.fract() == 0.0 && size < 1e12;
            Some(is_whole.then_some(size as usize).ok_or_else(wrong)?)
        }
    };
    let count = job.degree("gradient_accumulation_steps")?;
    let dtype = job.text("dtype")?;
    let notes = if dtype == Some("float16") { vec![super::f16_note("dtype: float16")] } else { Vec::new() };
    let found = Found {
        degrees,
        sizes: stated(&value, SIZES),
        global_batch: size.map(|size| product(&[size, count, replicas])).transpose()?,
        sequence: job.size("max_target_length")?,
        microbatch_size: size,
        microbatches: Some(count),
        recompute: match job.text("remat_policy")? {
            None | Some("full") => Some(Recompute::Full),
            Some("minimal") => Some(Recompute::Selective),
            Some(other) => {
                let what = format!(
                    "`{other}`; `full` and `minimal` are read, and without it `--recompute` says another"
                );
                return Err(not_read("remat_policy", what));
            }
        },
        precision: dtype.map(super::precision),
        notes,
        optimizer: job.text("opt_type")?.map(|name| super::optimizer("opt_type", name)).transpose()?,
        ..Found::default()
    };
    found.over_context("ici_context_parallelism", fsdp * ep)
}

/// Devices along each of [`AXES`], within hosts and across them together. An axis of -1 takes what the others leave, as
/// `fsdp` within hosts does if nothing is said.
fn axes(job: &Keys<'_>, value: &Value, devices: usize) -> Result<[usize; 6], Problem> {
    let is_rest = |name: &str| match value.get(name) {
        None => name == "ici_fsdp_parallelism",
        Some(value) => value.as_i64() == Some(-1),
    };
    let mut sizes = [1; 6];
    let mut rest = None;
    for links in ["ici", "dcn"] {
        for (size, axis) in sizes.iter_mut().zip(AXES) {
            let name = format!("{links}_{axis}_parallelism");
            if is_rest(&name) {
                rest = rest.or(Some(axis));
            } else {
                *size = product(&[*size, job.degree(&name)?])?;
            }
        }
    }
    match rest {
        Some(rest) => {
            let left = super::rest(devices, &sizes)?;
            sizes.iter_mut().zip(AXES).filter(|(_, axis)| *axis == rest).for_each(|(size, _)| *size *= left);
        }
        None => must_be_all("axes", &sizes, devices)?,
    }
    Ok(sizes)
}
