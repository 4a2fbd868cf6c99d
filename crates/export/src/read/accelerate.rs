//! `accelerate.yaml` of Accelerate 1.14.0: FSDP2 with its parallelism configuration, DeepSpeed, or plain replication.
//!
//! Input: its text, and the devices, which its degrees have to multiply to. Output: a [`Found`] without batches, which are
//! said where a job is started.

use super::keys::Keys;
use super::settings::of_yaml;
use super::{Around, Found, Problem, Reader, must_be_all, yaml};
use crate::job::{Degrees, Precision, Recompute};

pub(super) const READER: Reader = Reader {
    target: "accelerate",
    extensions: &[".yaml", ".yml"],
    is_it: |text| text.lines().any(|line| line.starts_with("distributed_type:")),
    read: |text, around| read(text, around),
    settings: |text| of_yaml(text, SETTINGS),
    may_stay: &[],
};

/// What says how a step runs.
const SETTINGS: &[&str] = &[
    "deepspeed_config.gradient_accumulation_steps",
    "deepspeed_config.zero_stage",
    "distributed_type",
    "fsdp_config.fsdp_activation_checkpointing",
    "fsdp_config.fsdp_reshard_after_forward",
    "fsdp_config.fsdp_version",
    "mixed_precision",
    "parallelism_config.*",
];

/// Keys without effect on what devices share, and those that are read.
const KEYS: &[&str] = &[
    "compute_environment",
    "debug",
    "distributed_type",
    "downcast_bf16",
    "dynamo_config",
    "enable_cpu_affinity",
    "fsdp_config",
    "gpu_ids",
    "machine_rank",
    "main_process_ip",
    "main_process_port",
    "main_training_function",
    "mixed_precision",
    "num_machines",
    "num_processes",
    "parallelism_config",
    "rdzv_backend",
    "same_network",
    "use_cpu",
];

/// Keys of other kinds of jobs, which `accelerate config` writes without a value.
const KEYS_OF_OTHERS: &[&str] = &[
    "command_file",
    "commands",
    "deepspeed_config",
    "fp8_config",
    "ipex_config",
    "megatron_lm_config",
    "mpirun_config",
    "tpu_env",
    "tpu_name",
    "tpu_use_cluster",
    "tpu_use_sudo",
    "tpu_vm",
    "tpu_zone",
];

/// Keys of `deepspeed_config`; where a file of DeepSpeed is named, it says the rest.
const DEEPSPEED_KEYS: &[&str] = &[
    "deepspeed_config_file",
    "deepspeed_exclusion_filter",
    "deepspeed_hostfile",
    "deepspeed_inclusion_filter",
    "deepspeed_moe_layer_cls_names",
    "deepspeed_multinode_launcher",
    "gradient_accumulation_steps",
    "gradient_clipping",
    "offload_optimizer_device",
    "offload_optimizer_nvme_path",
    "offload_param_device",
    "offload_param_nvme_path",
    "zero3_init_flag",
    "zero3_save_16bit_model",
    "zero_stage",
];

/// Those that a file of DeepSpeed says itself.
const OF_DEEPSPEED_FILE: &[&str] = &[
    "gradient_accumulation_steps",
    "gradient_clipping",
    "offload_optimizer_device",
    "offload_param_device",
    "zero3_save_16bit_model",
    "zero_stage",
];

const FSDP_KEYS: &[&str] = &[
    "fsdp_activation_checkpointing",
    "fsdp_auto_wrap_policy",
    "fsdp_backward_prefetch",
    "fsdp_cpu_ram_efficient_loading",
    "fsdp_forward_prefetch",
    "fsdp_min_num_params",
    "fsdp_offload_params",
    "fsdp_reshard_after_forward",
    "fsdp_sharding_strategy",
    "fsdp_state_dict_type",
    "fsdp_sync_module_states",
    "fsdp_transformer_layer_cls_to_wrap",
    "fsdp_use_orig_params",
    "fsdp_version",
];

const PARALLELISM_KEYS: &[&str] = &[
    "parallelism_config_cp_comm_strategy",
    "parallelism_config_cp_size",
    "parallelism_config_dp_replicate_size",
    "parallelism_config_dp_shard_size",
    "parallelism_config_tp_size",
];

fn read(text: &str, Around { devices, .. }: Around) -> Result<Found, Problem> {
    let value = yaml::parse(text)?;
    let job = Keys::of("Accelerate 1.14.0", &value)?;
    job.known(&[KEYS, KEYS_OF_OTHERS])?;
    must_be_read(&job)?;
    let precision = match job.text("mixed_precision")? {
        None => None,
        Some("no") => Some(Precision::F32),
        Some("bf16" | "fp16" | "fp8") => Some(Precision::Bf16),
        Some(other) => return Err(super::not_read("mixed_precision", format!("`{other}`"))),
    };
    must_start_all(&job, devices)?;
    let notes = match job.text("mixed_precision")? {
        Some("fp16") => vec![super::f16_note("mixed_precision: fp16")],
        Some("fp8") => vec![super::fp8_note("mixed_precision: fp8", "the backend that is installed")],
        _ => Vec::new(),
    };
    let has_fp8 = job.text("mixed_precision")? == Some("fp8");
    let found = Found { precision, has_fp8, notes, ..Found::default() };
    match job.text("distributed_type")? {
        Some("MULTI_GPU") => {
            job.off(&["parallelism_config"])?;
            return Ok(Found { degrees: Degrees { dp: devices, ..Degrees::default() }, ..found });
        }
        Some(DEEPSPEED) => {
            job.off(&["parallelism_config"])?;
            return of_deepspeed(&job, found, devices);
        }
        Some("FSDP") => {}
        other => {
            let other = other.unwrap_or("missing");
            return Err(format!(
                "`distributed_type` is {other}, which is not read: FSDP, DEEPSPEED and MULTI_GPU are"
            )
            .into());
        }
    }
    let mut is_kept = false;
    let mut recompute = Some(Recompute::None);
    if let Some(fsdp) = job.inner("fsdp_config")? {
        fsdp.known(&[FSDP_KEYS])?;
        fsdp.off(&["fsdp_offload_params"])?;
        is_kept = keeps_parameters(&fsdp)?;
        if fsdp.flag("fsdp_activation_checkpointing")? {
            recompute = Some(Recompute::Full);
        }
    }
    let [replicate, shard, tp, cp] = match job.inner("parallelism_config")? {
        None => [1, devices, 1, 1],
        Some(degrees) => {
            degrees.known(&[PARALLELISM_KEYS])?;
            let names = ["dp_replicate", "dp_shard", "tp", "cp"];
            let mut sizes = [1; 4];
            for (size, name) in sizes.iter_mut().zip(names) {
                *size = degrees.degree(&format!("parallelism_config_{name}_size"))?;
            }
            sizes
        }
    };
    must_be_all("degrees", &[replicate, shard, tp, cp], devices)?;
    let zero = match (shard * cp > 1, is_kept) {
        (false, _) => 0,
        (true, true) => 2,
        (true, false) => 3,
    };
    if zero == 2 && replicate > 1 {
        return Err(super::not_read(
            "parallelism_config_dp_replicate_size",
            "more than 1 beside shards that are kept",
        ));
    }
    let fsdp = if zero == 3 { shard } else { 1 };
    let degrees = Degrees { dp: replicate * shard, fsdp, tp, cp, zero, ..Degrees::default() };
    let found = Found { degrees, recompute, ..found };
    found.over_context("parallelism_config.parallelism_config_cp_size", shard)
}

/// What says the types of numbers, where no file of DeepSpeed does.
const PRECISION: &str = "mixed_precision";

/// Kind of a job that DeepSpeed runs, and what says its job.
const DEEPSPEED: &str = "DEEPSPEED";
const OF_DEEPSPEED: &str = "deepspeed_config";

/// What `deepspeed_config` says of a job.
fn of_deepspeed(job: &Keys<'_>, found: Found, devices: usize) -> Result<Found, Problem> {
    let own = job.inner_or_empty(OF_DEEPSPEED)?;
    own.known(&[DEEPSPEED_KEYS])?;
    if let Some(file) = own.text("deepspeed_config_file")? {
        return Err(format!("the job is that of `{file}`: give that file").into());
    }
    own.off(&["offload_optimizer_device", "offload_param_device"])?;
    for name in ["zero3_init_flag", "zero3_save_16bit_model"] {
        own.flag(name)?;
    }
    // As Accelerate has it where nothing is said.
    let zero = own.count("zero_stage")?.unwrap_or(2);
    if zero > 3 {
        return Err(format!("`deepspeed_config.zero_stage` is {zero}; ZeRO has the stages 0 to 3").into());
    }
    let steps = "gradient_accumulation_steps";
    let microbatches = if own.is_left(steps) { None } else { own.size(steps)? };
    let fsdp = if zero == 3 { devices } else { 1 };
    let degrees = Degrees { dp: devices, fsdp, zero, ..Degrees::default() };
    Ok(Found { degrees, microbatches, ..found })
}

/// The file of DeepSpeed that a text names as its job, which is read instead.
///
/// Errors: the text is none of Accelerate; it says beside the file what that says itself, or starts other devices.
pub(super) fn beside(text: &str, devices: usize) -> Result<Option<String>, Problem> {
    let value = yaml::parse(text)?;
    let job = Keys::of("Accelerate 1.14.0", &value)?;
    if job.text("distributed_type")? != Some(DEEPSPEED) {
        return Ok(None);
    }
    let own = job.inner_or_empty(OF_DEEPSPEED)?;
    let Some(file) = own.text("deepspeed_config_file")? else { return Ok(None) };
    job.known(&[KEYS, KEYS_OF_OTHERS])?;
    own.known(&[DEEPSPEED_KEYS])?;
    if let Some(twice) = OF_DEEPSPEED_FILE.iter().find(|name| own.is_given(name) && !own.is_left(name)) {
        let message = format!("`deepspeed_config.{twice}` is said beside `{file}`, which Accelerate refuses");
        return Err(message.into());
    }
    if job.is_given(PRECISION) {
        return Err(format!("`{PRECISION}` is said beside `{file}`, which Accelerate refuses").into());
    }
    must_be_read(&job)?;
    job.off(&["parallelism_config"])?;
    must_start_all(&job, devices)?;
    if !file.ends_with(".json") {
        return Err(format!("`{file}` is no file of DeepSpeed in JSON: give its job in one").into());
    }
    Ok(Some(file.to_owned()))
}

/// Refuses another number of processes than there are devices, and hosts that do not divide them.
fn must_start_all(job: &Keys<'_>, devices: usize) -> Result<(), Problem> {
    if let Some(processes) = job.size("num_processes")?.filter(|processes| *processes != devices) {
        return Err(format!("`num_processes` is {processes}, but there are {devices} devices").into());
    }
    match job.size("num_machines")?.filter(|machines| !devices.is_multiple_of(*machines)) {
        Some(machines) => {
            Err(format!("`num_machines` is {machines}, which does not divide the {devices} devices").into())
        }
        None => Ok(()),
    }
}

/// Refuses what changes a step in a way that is not read, of other kinds of jobs too, and values of another kind than their keys
/// have.
fn must_be_read(job: &Keys<'_>) -> Result<(), Problem> {
    job.off(&["use_cpu"])?;
    let is_deepspeed = job.text("distributed_type")? == Some(DEEPSPEED);
    let others: Vec<&str> =
        KEYS_OF_OTHERS.iter().filter(|key| !is_deepspeed || **key != OF_DEEPSPEED).copied().collect();
    job.off(&others)?;
    of_their_kinds(job)
}

/// Refuses values of another kind than their keys have, of keys that say nothing else here.
fn of_their_kinds(job: &Keys<'_>) -> Result<(), Problem> {
    for name in ["machine_rank", "main_process_port"] {
        job.count(name)?;
    }
    for name in ["debug", "enable_cpu_affinity", "same_network"] {
        job.flag(name)?;
    }
    let Some(fsdp) = job.inner("fsdp_config")? else { return Ok(()) };
    for name in [
        "fsdp_cpu_ram_efficient_loading",
        "fsdp_forward_prefetch",
        "fsdp_sync_module_states",
        "fsdp_use_orig_params",
    ] {
        fsdp.flag(name)?;
    }
    fsdp.count("fsdp_min_num_params").map(|_| ())
}

/// Whether parameters that were gathered for the forward pass stay for the backward pass: a flag of FSDP2, and a strategy of
/// FSDP1, by either name.
fn keeps_parameters(fsdp: &Keys<'_>) -> Result<bool, Problem> {
    if !fsdp.is_given("fsdp_version") || fsdp.size("fsdp_version")? == Some(1) {
        for key in ["fsdp_sharding_strategy", "fsdp_reshard_after_forward"] {
            let Ok(strategy) = fsdp.text(key) else { continue };
            return match strategy {
                None => continue,
                Some("FULL_SHARD" | "1") => Ok(false),
                Some("SHARD_GRAD_OP" | "2" | "no") => Ok(true),
                Some(other) => Err(super::not_read(&format!("fsdp_config.{key}"), format!("`{other}`"))),
            };
        }
    } else {
        fsdp.only("fsdp_version", &2.into())?;
        fsdp.off(&["fsdp_sharding_strategy"])?;
    }
    Ok(fsdp.is_given("fsdp_reshard_after_forward") && !fsdp.flag("fsdp_reshard_after_forward")?)
}
