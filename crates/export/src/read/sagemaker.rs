//! `smp_config.json` of SageMaker's model parallelism library, version 2.
//!
//! Input: its text, and the devices, of which `dp` is what its degrees leave. Output: a [`Found`] of degrees alone: the rest is
//! the training script's.

use super::keys::{Keys, json};
use super::settings::of_json;
use super::{Around, Found, Problem, Reader, not_read, rest};
use crate::job::Degrees;

pub(super) const READER: Reader = Reader {
    target: "sagemaker",
    extensions: &[".json"],
    is_it: |text| text.contains("\"hybrid_shard_degree\""),
    read: |text, around| read(text, around),
    settings: |text| of_json(text, KEYS),
    may_stay: &[],
};

const KEYS: &[&str] =
    &["context_parallel_degree", "expert_parallel_degree", "hybrid_shard_degree", "tensor_parallel_degree"];

/// Keys that say nothing of a step, or have to be off.
const OTHERS: &[&str] = &[
    "activation_loading_horizon",
    "allow_empty_shards",
    "fsdp_cache_flush_warnings",
    "sm_activation_offloading",
];

fn read(text: &str, Around { devices, .. }: Around) -> Result<Found, Problem> {
    let value = json(text)?;
    let job = Keys::of("SageMaker SMP 2", &value)?;
    job.known(&[KEYS, OTHERS])?;
    job.off(&["sm_activation_offloading"])?;
    let [tp, cp, ep] = [
        job.degree("tensor_parallel_degree")?,
        job.degree("context_parallel_degree")?,
        job.degree("expert_parallel_degree")?,
    ];
    let replicas = rest(devices, &[tp, cp])?;
    let dp = rest(replicas, &[ep])?;
    // None says that all replicas share.
    let shard = job.degree_or_all("hybrid_shard_degree", 0.0, replicas)?;
    if !replicas.is_multiple_of(shard) {
        return Err(format!("`hybrid_shard_degree`, {shard}, does not divide the {replicas} replicas").into());
    }
    if shard > 1 && shard < replicas && ep > 1 {
        let what =
            format!("{shard} of {replicas} replicas beside experts, which are sharded over fewer devices");
        return Err(not_read("hybrid_shard_degree", what));
    }
    let (zero, fsdp) = if shard > 1 { (3, shard) } else { (0, 1) };
    Ok(Found { degrees: Degrees { dp, fsdp, tp, cp, ep, zero, ..Degrees::default() }, ..Found::default() })
}
