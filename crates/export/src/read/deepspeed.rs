//! `ds_config.json` of DeepSpeed 0.19.5.

use super::{Around, Found, Problem, Reader, not_read, product, rest};
use crate::job::{Degrees, Precision};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

pub(super) const READER: Reader =
    Reader { target: "deepspeed", extensions: &[".json"], is_it: |_| true, read, settings };

/// Keys of the whole file. What is in those that hold objects and say nothing of degrees is not looked at.
const KEYS: &[&str] = &[
    "train_batch_size",
    "train_micro_batch_size_per_gpu",
    "gradient_accumulation_steps",
    "optimizer",
    "scheduler",
    "fp16",
    "bf16",
    "bfloat16",
    "torch_autocast",
    "gradient_clipping",
    "communication_data_type",
    "seq_parallel_communication_data_type",
    "prescale_gradients",
    "gradient_predivide_factor",
    "sparse_gradients",
    "bf16.bf16_master_weights_and_grads",
    "bf16.bf16_optimizer_states",
    "check_overflow",
    "zero_optimization",
    "zero_allow_untested_optimizer",
    "zero_force_ds_cpu_optimizer",
    "tensor_parallel",
    "expert_parallel",
    "sequence_parallel_size",
    "activation_checkpointing",
    "aio",
    "steps_per_print",
    "wall_clock_breakdown",
    "dump_state",
    "flops_profiler",
    "tensorboard",
    "wandb",
    "csv_monitor",
    "comet",
    "comms_logger",
    "elasticity",
    "autotuning",
    "checkpoint",
    "data_types",
    "data_efficiency",
    "curriculum_learning",
    "dataloader_drop_last",
    "compile",
];

/// Keys of `tensor_parallel`.
const TENSOR_KEYS: &[&str] =
    &["dtype", "autotp_size", "tp_overlap_comm", "tensor_parallel", "tp", "partition_config", "preset_model"];

/// Keys of `expert_parallel`, but for those that say how experts of an unknown model are found.
const EXPERT_KEYS: &[&str] = &[
    "enabled",
    "autoep_size",
    "expert_tensor_parallel_size",
    "preset_model",
    "use_grouped_mm",
    "disable_triton_grouped_mm",
    "score_func",
    "score_apply",
    "route_norm",
    "route_scale",
    "top_k",
    "routed_scaling_factor",
    "num_expert_groups",
    "num_limited_groups",
    "load_balance_coeff",
];

/// Keys of `zero_optimization`.
const ZERO_KEYS: &[&str] = &[
    "stage",
    "contiguous_gradients",
    "reduce_scatter",
    "reduce_bucket_size",
    "use_multi_rank_bucket_allreduce",
    "allgather_partitions",
    "allgather_bucket_size",
    "overlap_comm",
    "load_from_fp32_weights",
    "elastic_checkpoint",
    "offload_param",
    "offload_optimizer",
    "sub_group_size",
    "stage3_prefetch_bucket_size",
    "stage3_param_persistence_threshold",
    "stage3_model_persistence_threshold",
    "stage3_max_live_parameters",
    "stage3_max_reuse_distance",
    "stage3_gather_16bit_weights_on_model_save",
    "ignore_unused_parameters",
    "round_robin_gradients",
    "zero_hpz_partition_size",
    "zero_quantized_weights",
    "zero_quantized_gradients",
    "mics_shard_size",
    "mics_hierarchical_params_gather",
    "memory_efficient_linear",
];

/// Keys that change what a step does in a way that is not read, unless they are off.
const NOT_READ: &[&str] = &[
    "zero_optimization.offload_param.device",
    "zero_optimization.offload_optimizer.device",
    "zero_optimization.zero_hpz_partition_size",
    "zero_optimization.zero_quantized_weights",
    "zero_optimization.zero_quantized_gradients",
    "zero_optimization.mics_hierarchical_params_gather",
    "activation_checkpointing.partition_activations",
    "activation_checkpointing.cpu_checkpointing",
    "sparse_gradients",
    "data_types.grad_accum_dtype",
    "data_efficiency.enabled",
    "curriculum_learning.enabled",
    "elasticity.enabled",
    "autotuning.enabled",
];

/// Refuses a key, by the path to it, that is not off: `none`, false, nothing, one device, or sums in f32.
fn is_off(job: &Map<String, Value>, path: &str) -> Result<(), Problem> {
    let mut names = path.split('.');
    let first = names.next().and_then(|name| job.get(name));
    let Some(value) = names.try_fold(first, |value, name| value.map(|value| value.get(name))).flatten()
    else {
        return Ok(());
    };
    let is_off = match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_u64().is_some_and(|number| number <= 1),
        Value::String(text) => ["none", "fp32", "float32"].contains(&text.as_str()),
        _ => false,
    };
    if is_off { Ok(()) } else { Err(not_read(path, value)) }
}

fn read(text: &str, Around { devices, .. }: Around) -> Result<Found, Problem> {
    let job: Map<String, Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    known("", &job, KEYS)?;
    let object = |name: &str| job.get(name).and_then(Value::as_object).cloned().unwrap_or_default();
    let (zero, tensor) = (object("zero_optimization"), object("tensor_parallel"));
    let experts = object("expert_parallel");
    known("expert_parallel.", &experts, EXPERT_KEYS)?;
    known("zero_optimization.", &zero, ZERO_KEYS)?;
    known("tensor_parallel.", &tensor, TENSOR_KEYS)?;
    NOT_READ.iter().try_for_each(|key| is_off(&job, key))?;
    let tp = size(&tensor, "autotp_size")?.unwrap_or(1).max(1);
    let cp = size(&job, "sequence_parallel_size")?.unwrap_or(1);
    let shares_experts = experts.get("enabled").and_then(Value::as_bool) == Some(true);
    let ep = size(&experts, "autoep_size")?.filter(|_| shares_experts).unwrap_or(1).max(1);
    let dp = rest(devices, &[tp, cp])?;
    let outside = rest(dp, &[ep])?;
    if let Some(own) = size(&experts, "expert_tensor_parallel_size")?.filter(|own| ep > 1 && *own != tp) {
        return Err(not_read("expert_parallel.expert_tensor_parallel_size", format!("{own} with tp={tp}")));
    }
    let own_optimizer = object("optimizer");
    let own_optimizer = own_optimizer.get("type").and_then(Value::as_str);
    let stage = size(&zero, "stage")?.unwrap_or(0);
    if stage > 3 {
        return Err(format!("`zero_optimization.stage` is {stage}; ZeRO has the stages 0 to 3").into());
    }
    let mut micro = size(&job, "train_micro_batch_size_per_gpu")?;
    let mut steps = size(&job, "gradient_accumulation_steps")?;
    let given = size(&job, "train_batch_size")?;
    // Of the three, one follows from the two others.
    if let Some(whole) = given.filter(|_| tp == 1) {
        match (micro, steps) {
            (Some(size), None) => steps = Some(super::count(whole, size, dp)?),
            (None, Some(count)) => micro = Some(super::count(whole, count, dp)?),
            (None, None) => (micro, steps) = (Some(rest(whole, &[dp])?), Some(1)),
            (Some(size), Some(count)) if product(&[size, count, dp])? != whole => {
                return Err(format!(
                    "`train_batch_size` is {whole}, but not {size} x {count} on {dp} replicas"
                )
                .into());
            }
            (Some(_), Some(_)) => {}
        }
    }
    let steps = steps.or(micro.map(|_| 1));
    let is_on = |name: &str| object(name).get("enabled").and_then(Value::as_bool) == Some(true);
    let shard = size(&zero, "mics_shard_size").ok().flatten();
    Ok(Found {
        degrees: Degrees {
            dp: outside,
            ep,
            tp,
            cp,
            zero: if dp > 1 { stage } else { 0 },
            fsdp: if stage == 3 { shard.unwrap_or(dp) } else { 1 },
            ..Degrees::default()
        },
        global_batch: match (given.filter(|_| tp == 1), micro, steps) {
            (None, Some(micro), Some(steps)) => Some(product(&[micro, steps, dp])?),
            (given, ..) => given,
        },
        sequence: None,
        microbatch_size: micro,
        microbatches: steps,
        recompute: None,
        precision: match ["bf16", "bfloat16", "fp16", "torch_autocast"].into_iter().any(is_on) {
            true => Some(Precision::Bf16),
            false => Some(Precision::F32),
        },
        optimizer: own_optimizer.map(|name| super::optimizer("optimizer.type", name)).transpose()?,
        stages: None,
        schedule: None,
        sizes: Vec::new(),
    })
}

/// Keys that say how a step runs, of the file and of its objects.
fn settings(text: &str) -> BTreeMap<String, String> {
    const KEYS: &[&str] = &[
        "train_batch_size",
        "train_micro_batch_size_per_gpu",
        "gradient_accumulation_steps",
        "sequence_parallel_size",
    ];
    const OBJECTS: &[(&str, &[&str])] = &[
        ("zero_optimization", &["stage", "mics_shard_size"]),
        ("tensor_parallel", &["autotp_size"]),
        ("expert_parallel", &["enabled", "autoep_size"]),
    ];
    let job: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
    let mut found = BTreeMap::new();
    let of_file = KEYS.iter().filter_map(|key| Some(((*key).to_owned(), job.get(*key)?.to_string())));
    found.extend(of_file);
    for (object, keys) in OBJECTS {
        let values = job.get(*object).and_then(Value::as_object);
        let of_object = |key: &&str| Some((format!("{object}.{key}"), values?.get(*key)?.to_string()));
        found.extend(keys.iter().filter_map(of_object));
    }
    found
}

fn known(path: &str, object: &Map<String, Value>, keys: &[&str]) -> Result<(), Problem> {
    match object.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => {
            Err(Problem::UnknownKey(format!("`{path}{key}` is no key of DeepSpeed 0.19.5 that is read")))
        }
        None => Ok(()),
    }
}

/// A number that is given, but for `auto`, which others fill in.
fn size(object: &Map<String, Value>, name: &str) -> Result<Option<usize>, String> {
    match object.get(name) {
        None => Ok(None),
        Some(Value::String(auto)) if auto == "auto" => {
            Err(format!("`{name}` is `auto`: what fills it in is not known here"))
        }
        Some(value) => {
            let size = value.as_u64().and_then(|size| usize::try_from(size).ok());
            size.map(Some).ok_or_else(|| format!("`{name}` is {value}, not a number"))
        }
    }
}
