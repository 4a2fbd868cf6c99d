//! `pretrain.json` of PaddleNLP 3.0.
//!
//! Input: its text, and the devices, of which `dp` is what its degrees leave. Output: a [`Found`].

use super::keys::{Keys, json};
use super::settings::of_json;
use super::{Around, Found, Problem, Reader, not_read, product, rest};
use crate::job::{Degrees, Precision, Recompute};

pub(super) const READER: Reader = Reader {
    target: "paddle",
    extensions: &[".json"],
    is_it: |text| {
        text.contains("\"per_device_train_batch_size\"") || text.contains("\"pipeline_parallel_degree\"")
    },
    read: |text, around| read(text, around),
    settings: |text| of_json(text, KEYS),
    may_stay: &[],
};

/// Keys that are read.
const KEYS: &[&str] = &[
    "bf16",
    "fp16",
    "gradient_accumulation_steps",
    "max_seq_length",
    "per_device_train_batch_size",
    "pipeline_parallel_degree",
    "recompute",
    "recompute_granularity",
    "sequence_parallel",
    "sharding",
    "sharding_parallel_degree",
    "tensor_parallel_degree",
    "virtual_pp_degree",
];

/// Keys that say nothing of a step.
const OTHERS: &[&str] = &[
    "continue_training",
    "device",
    "do_eval",
    "do_predict",
    "do_train",
    "eval_steps",
    "fp16_opt_level",
    "input_dir",
    "learning_rate",
    "logging_steps",
    "max_grad_norm",
    "max_steps",
    "min_learning_rate",
    "model_name_or_path",
    "output_dir",
    "overwrite_output_dir",
    "per_device_eval_batch_size",
    "save_steps",
    "save_total_limit",
    "split",
    "tokenizer_name_or_path",
    "warmup_ratio",
    "warmup_steps",
    "weight_decay",
];

fn read(text: &str, Around { devices, .. }: Around) -> Result<Found, Problem> {
    let value = json(text)?;
    let job = Keys::of("PaddleNLP 3.0", &value)?;
    job.known(&[KEYS, OTHERS])?;
    let [tp, pp, vp] = [
        job.degree("tensor_parallel_degree")?,
        job.degree("pipeline_parallel_degree")?,
        job.degree("virtual_pp_degree")?,
    ];
    let dp = rest(devices, &[tp, pp])?;
    let zero = match job.text("sharding")? {
        None | Some("") => 0,
        Some("stage1") => 1,
        Some("stage2") => 2,
        Some("stage3") => 3,
        Some(other) => return Err(not_read("sharding", format!("`{other}`"))),
    };
    let shard = job.degree_or_all("sharding_parallel_degree", -1.0, dp)?;
    if zero > 0 && !dp.is_multiple_of(shard) {
        return Err(format!("`sharding_parallel_degree`, {shard}, does not divide the {dp} replicas").into());
    }
    if [1, 2].contains(&zero) && shard != dp {
        return Err(not_read(
            "sharding_parallel_degree",
            format!("{shard} of {dp} replicas with stage {zero}"),
        ));
    }
    let recompute = match (job.flag("recompute")?, job.text("recompute_granularity")?) {
        (false, _) => Recompute::None,
        (true, None | Some("full")) => Recompute::Full,
        (true, Some("core_attn")) => Recompute::Selective,
        (true, Some(other)) => return Err(not_read("recompute_granularity", format!("`{other}`"))),
    };
    let size = job.size("per_device_train_batch_size")?;
    let count = job.degree("gradient_accumulation_steps")?;
    let is_f16 = job.flag("fp16")?;
    let is_short = job.flag("bf16")? || is_f16;
    Ok(Found {
        degrees: Degrees {
            dp,
            fsdp: if zero == 3 { shard } else { 1 },
            tp,
            sp: if job.flag("sequence_parallel")? { tp } else { 1 },
            pp,
            vp,
            zero,
            ..Degrees::default()
        },
        global_batch: size.map(|size| product(&[size, count, dp])).transpose()?,
        sequence: job.size("max_seq_length")?,
        microbatch_size: size,
        microbatches: Some(count),
        recompute: Some(recompute),
        precision: Some(if is_short { Precision::Bf16 } else { Precision::F32 }),
        notes: if is_f16 { vec![super::f16_note("fp16")] } else { Vec::new() },
        ..Found::default()
    })
}
