//! `ds_config.json` of DeepSpeed 0.19.5.
//!
//! Input: its text, and the devices. Output: a [`Found`] without sequences, which the training script makes. What layers make
//! again is the script's too; the file says it where it sets up DeepSpeed's own checkpointing.

use super::keys::{Keys, json};
use super::settings::of_json;
use super::sizes::{ModelSize, stated};
use super::{Around, Found, Problem, Reader, count, not_read, product, rest};
use crate::job::{Degrees, Precision, Recompute};

pub(super) const READER: Reader = Reader {
    target: "deepspeed",
    extensions: &[".json"],
    is_it: |_| true,
    read: |text, around| read(text, around),
    settings: |text| of_json(text, SETTINGS),
    may_stay: &[],
};

/// What says how a step runs.
const SETTINGS: &[&str] = &[
    "expert_parallel.autoep_size",
    "expert_parallel.enabled",
    "gradient_accumulation_steps",
    "sequence_parallel_size",
    "tensor_parallel.autotp_size",
    "train_batch_size",
    "train_micro_batch_size_per_gpu",
    "zero_optimization.mics_shard_size",
    "zero_optimization.stage",
];

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

/// Keys of `activation_checkpointing`.
const AGAIN_KEYS: &[&str] = &[
    "partition_activations",
    "contiguous_memory_optimization",
    "cpu_checkpointing",
    "number_checkpoints",
    "synchronize_checkpoint_boundary",
    "profile",
];

/// Keys that change what a step does in a way that is not read, unless they are off, by the objects that they are in.
const OFF: &[(&str, &[&str])] = &[
    ("activation_checkpointing", &["partition_activations", "cpu_checkpointing"]),
    ("autotuning", &["enabled"]),
    ("bf16", &["bf16_master_weights_and_grads", "bf16_optimizer_states"]),
    ("bfloat16", &["bf16_master_weights_and_grads", "bf16_optimizer_states"]),
    ("compile", &["deepcompile"]),
    ("curriculum_learning", &["enabled"]),
    ("data_efficiency", &["enabled"]),
    ("elasticity", &["enabled"]),
    ("fp16", &["fp16_master_weights_and_grads"]),
    (
        "zero_optimization",
        &["zero_quantized_weights", "zero_quantized_gradients", "mics_hierarchical_params_gather"],
    ),
];

/// Refuses what changes a step in a way that is not read.
fn must_be_read(job: &Keys<'_>) -> Result<(), Problem> {
    job.off(&["sparse_gradients"])?;
    for (object, names) in OFF {
        if let Some(object) = job.inner(object)? {
            object.off(names)?;
        }
    }
    // Sums in fewer bits send other bytes.
    const WHOLE: &[&str] = &["fp32", "float32"];
    job.one_of("communication_data_type", WHOLE)?;
    job.one_of("seq_parallel_communication_data_type", WHOLE)?;
    if let Some(types) = job.inner("data_types")? {
        types.one_of("grad_accum_dtype", WHOLE)?;
    }
    let Some(zero) = job.inner("zero_optimization")? else { return Ok(()) };
    // None of it is written as 0, too.
    if zero.count("zero_hpz_partition_size")? != Some(0) {
        zero.only("zero_hpz_partition_size", &1.into())?;
    }
    zero.only("reduce_scatter", &true.into())?;
    zero.only("allgather_partitions", &true.into())?;
    for state in ["offload_param", "offload_optimizer"] {
        if let Some(state) = zero.inner(state)? {
            state.off(&["device"])?;
        }
    }
    Ok(())
}

fn read(text: &str, Around { devices, .. }: Around) -> Result<Found, Problem> {
    let value = json(text)?;
    let job = Keys::of("DeepSpeed 0.19.5", &value)?;
    job.known(&[KEYS])?;
    must_be_read(&job)?;
    let object = |name: &str, keys: &[&str]| -> Result<Keys<'_>, Problem> {
        let object = job.inner_or_empty(name)?;
        object.known(&[keys]).map(|()| object)
    };
    let zero = object("zero_optimization", ZERO_KEYS)?;
    let tp = object("tensor_parallel", TENSOR_KEYS)?.count("autotp_size")?.unwrap_or(1).max(1);
    let cp = job.degree("sequence_parallel_size")?;
    let experts = object("expert_parallel", EXPERT_KEYS)?;
    let ep = match experts.flag("enabled")? {
        true => experts.count("autoep_size")?.unwrap_or(1).max(1),
        false => 1,
    };
    let replicas = rest(devices, &[tp, cp])?;
    let dp = rest(replicas, &[ep])?;
    if let Some(own) = experts.size("expert_tensor_parallel_size")?.filter(|own| ep > 1 && *own != tp) {
        return Err(not_read("expert_parallel.expert_tensor_parallel_size", format!("{own} with tp={tp}")));
    }
    let stage = zero.count("stage")?.unwrap_or(0);
    if stage > 3 {
        return Err(format!("`zero_optimization.stage` is {stage}; ZeRO has the stages 0 to 3").into());
    }
    let degrees = Degrees {
        dp,
        ep,
        tp,
        cp,
        zero: stage,
        fsdp: if stage == 3 { shards(&zero, replicas, tp * cp * ep)? } else { 1 },
        ..Degrees::default()
    };
    let [global_batch, microbatch_size, microbatches] = batches(&job, replicas, tp)?;
    let (mut is_short, mut is_left) = (false, false);
    let enabled = |name: &str| -> Result<Option<bool>, Problem> {
        let object = job.inner_or_empty(name)?;
        if object.is_left("enabled") { Ok(None) } else { object.flag("enabled").map(Some) }
    };
    for name in ["bf16", "bfloat16", "fp16", "torch_autocast"] {
        let enabled = enabled(name)?;
        is_short |= enabled == Some(true);
        is_left |= enabled.is_none();
    }
    let precision = match (is_short, is_left) {
        (true, _) => Some(Precision::Bf16),
        (false, true) => None,
        (false, false) => Some(Precision::F32),
    };
    let is_f16 = enabled("fp16")? == Some(true);
    let mut notes = Vec::new();
    notes.extend(is_f16.then(|| super::f16_note("fp16.enabled")));
    let left: Vec<String> =
        BATCHES.iter().filter(|name| job.is_left(name)).map(|name| format!("`{name}`")).collect();
    if is_left || !left.is_empty() {
        let numbers = is_left.then(|| "the types of numbers".to_owned());
        let what: Vec<String> = left.into_iter().chain(numbers).collect();
        notes.push(format!(
            "what is `auto` is said by arguments of the script, and not read ({}): say it by flags here",
            what.join(", ")
        ));
    }
    for name in ["bf16", "bfloat16"] {
        if is_f16 && enabled(name)? == Some(true) {
            return Err(format!(
                "`fp16.enabled` and `{name}.enabled` are both true: DeepSpeed takes one of them"
            )
            .into());
        }
    }
    for name in ["steps_per_print", "gradient_clipping", "gradient_predivide_factor"] {
        if job.text(name).ok().flatten() != Some("auto") {
            job.number(name)?;
        }
    }
    for name in ["wall_clock_breakdown", "prescale_gradients", "dump_state"] {
        job.flag(name)?;
    }
    let optimizer = job.inner_or_empty("optimizer")?.text("type")?;
    let found = Found {
        degrees,
        global_batch,
        microbatch_size,
        microbatches,
        recompute: recompute(&object("activation_checkpointing", AGAIN_KEYS)?)?,
        precision,
        optimizer: optimizer.map(|name| super::optimizer("optimizer.type", name)).transpose()?,
        notes,
        sizes: stated(&value, &[(ModelSize::Chosen, "expert_parallel.top_k")]),
        ..Found::default()
    };
    found.over_context("sequence_parallel_size", replicas)
}

/// Devices over which ZeRO-3 shards parameters, beside so many that share something else: all replicas, or neighbors.
fn shards(zero: &Keys<'_>, replicas: usize, others: usize) -> Result<usize, Problem> {
    const KEY: &str = "mics_shard_size";
    let shards = zero.degree_or_all(KEY, -1.0, replicas)?;
    match replicas.is_multiple_of(shards) {
        false => {
            let path = format!("`zero_optimization.{KEY}`");
            Err(format!("{path}, {shards}, does not divide the {replicas} replicas").into())
        }
        true if shards < replicas && others > 1 => {
            let what = format!("{shards} of {replicas} replicas beside tp, cp or ep");
            Err(not_read(&format!("zero_optimization.{KEY}"), what))
        }
        true => Ok(shards),
    }
}

/// Keys of batches.
const BATCHES: [&str; 3] =
    ["gradient_accumulation_steps", "train_batch_size", "train_micro_batch_size_per_gpu"];

/// Sequences of a step, those of a microbatch on a replica, and microbatches: of the three, one follows from the two others,
/// but where `tp` leaves open what a batch counts.
fn batches(job: &Keys<'_>, replicas: usize, tp: usize) -> Result<[Option<usize>; 3], Problem> {
    // What arguments of the script fill in, the file does not say.
    let size = |name: &str| if job.is_left(name) { Ok(None) } else { job.size(name) };
    let mut micro = size("train_micro_batch_size_per_gpu")?;
    let mut steps = size("gradient_accumulation_steps")?;
    let given = size("train_batch_size")?.filter(|_| tp == 1);
    if let Some(whole) = given {
        match (micro, steps) {
            (Some(size), None) => steps = Some(count(whole, size, replicas)?),
            (None, Some(number)) => micro = Some(count(whole, number, replicas)?),
            (None, None) if BATCHES.iter().any(|name| job.is_left(name)) => {}
            (None, None) => (micro, steps) = (Some(rest(whole, &[replicas])?), Some(1)),
            (Some(size), Some(number)) if product(&[size, number, replicas])? != whole => {
                return Err(format!(
                    "`train_batch_size` is {whole}, but not {size} x {number} on {replicas} replicas"
                )
                .into());
            }
            (Some(_), Some(_)) => {}
        }
    }
    let steps = steps.or(micro.filter(|_| !job.is_left("gradient_accumulation_steps")).map(|_| 1));
    let whole = match (given, micro, steps) {
        (None, Some(micro), Some(steps)) => Some(product(&[micro, steps, replicas])?),
        _ => given,
    };
    Ok([whole, micro, steps])
}

/// What is made again: a file that sets up checkpoints of layers means all that is in a layer; one that has all of it off says
/// nothing of them.
fn recompute(again: &Keys<'_>) -> Result<Option<Recompute>, Problem> {
    let is_on = again.count("number_checkpoints")?.is_some_and(|number| number > 0)
        || again.flag("contiguous_memory_optimization")?
        || again.flag("synchronize_checkpoint_boundary")?;
    Ok(is_on.then_some(Recompute::Full))
}
