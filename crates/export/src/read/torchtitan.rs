//! `job.toml` of torchtitan 0.2.2.

use super::{Found, Problem, Reader, count, product, rest};
use crate::job::{Degrees, Precision, Recompute};
use crate::targets::torchtitan::SCHEDULES;
use toml::{Table, Value};

pub(super) const READER: Reader = Reader { target: "torchtitan", extension: ".toml", read };

/// Tables of the configuration, with their keys.
const KEYS: &[(&str, &[&str])] = &[
    (
        "job",
        &[
            "config_file",
            "dump_folder",
            "description",
            "print_config",
            "save_config_file",
            "custom_config_module",
        ],
    ),
    (
        "profiling",
        &[
            "enable_profiling",
            "save_traces_folder",
            "profile_freq",
            "profiler_active",
            "profiler_warmup",
            "enable_memory_snapshot",
            "save_memory_snapshot_folder",
        ],
    ),
    (
        "metrics",
        &[
            "log_freq",
            "enable_tensorboard",
            "disable_color_printing",
            "save_tb_folder",
            "save_for_all_ranks",
            "enable_wandb",
        ],
    ),
    (
        "model",
        &["name", "flavor", "hf_assets_path", "tokenizer_path", "converters", "print_after_conversion"],
    ),
    (
        "optimizer",
        &["name", "lr", "beta1", "beta2", "eps", "weight_decay", "implementation", "early_step_in_backward"],
    ),
    ("lr_scheduler", &["warmup_steps", "total_steps", "decay_ratio", "decay_type", "min_lr_factor"]),
    ("training.dataloader", &["num_workers", "persistent_workers", "pin_memory", "prefetch_factor"]),
    (
        "training",
        &[
            "dataset",
            "dataset_path",
            "local_batch_size",
            "global_batch_size",
            "seq_len",
            "max_norm",
            "steps",
            "enable_cpu_offload",
            "dtype",
            "mixed_precision_param",
            "mixed_precision_reduce",
            "gc_freq",
            "gc_debug",
        ],
    ),
    (
        "parallelism",
        &[
            "data_parallel_replicate_degree",
            "data_parallel_shard_degree",
            "fsdp_reshard_after_forward",
            "tensor_parallel_degree",
            "disable_loss_parallel",
            "enable_async_tensor_parallel",
            "pipeline_parallel_degree",
            "module_fqns_per_model_part",
            "pipeline_parallel_first_stage_less_layers",
            "pipeline_parallel_last_stage_less_layers",
            "pipeline_parallel_layers_per_stage",
            "pipeline_parallel_schedule",
            "pipeline_parallel_schedule_csv",
            "pipeline_parallel_microbatch_size",
            "pipeline_parallel_expert_parallel_overlap",
            "context_parallel_degree",
            "context_parallel_load_balancer",
            "context_parallel_rotate_method",
            "expert_parallel_degree",
            "expert_tensor_parallel_degree",
            "expert_parallel_comm_backend",
        ],
    ),
    (
        "checkpoint",
        &[
            "enable",
            "enable_ft_dataloader_checkpoints",
            "folder",
            "interval",
            "initial_load_path",
            "initial_load_model_only",
            "initial_load_in_hf",
            "initial_load_in_hf_quantized",
            "last_save_model_only",
            "last_save_in_hf",
            "export_dtype",
            "async_mode",
            "keep_latest_k",
            "load_step",
            "exclude_from_loading",
            "enable_first_step_checkpoint",
            "create_seed_checkpoint",
            "load_only",
        ],
    ),
    (
        "activation_checkpoint",
        &[
            "mode",
            "selective_ac_option",
            "per_op_sac_force_recompute_mm_shapes_by_fqns",
            "early_stop",
            "memory_budget",
            "visualize_memory_budget_pareto",
            "preserve_rng_state",
            "determinism_check",
            "debug",
        ],
    ),
    ("compile", &["enable", "components", "backend"]),
    (
        "quantize.linear.float8",
        &[
            "enable_fsdp_float8_all_gather",
            "precompute_float8_dynamic_scale_for_fsdp",
            "recipe_name",
            "filter_fqns",
            "emulate",
        ],
    ),
    ("quantize.linear.mx", &["mxfp8_dim1_cast_kernel_choice", "recipe_name", "filter_fqns"]),
    ("quantize.grouped_mm.float8", &["fqns"]),
    ("quantize.grouped_mm.mx", &["recipe_name", "fqns"]),
    (
        "comm",
        &[
            "init_timeout_seconds",
            "train_timeout_seconds",
            "trace_buf_size",
            "save_traces_folder",
            "save_traces_file_prefix",
            "mode",
        ],
    ),
    ("memory_estimation", &["enable", "disable_fake_mode"]),
    (
        "fault_tolerance",
        &[
            "enable",
            "process_group",
            "process_group_timeout_ms",
            "replica_id",
            "group_size",
            "min_replica_size",
            "semi_sync_method",
        ],
    ),
    ("experimental", &["custom_import", "custom_args_module"]),
    ("validation.dataloader", &["num_workers", "persistent_workers", "pin_memory", "prefetch_factor"]),
    ("validation", &["enable", "dataset", "dataset_path", "local_batch_size", "seq_len", "freq", "steps"]),
    ("debug", &["seed", "deterministic", "deterministic_warn_only", "moe_force_load_balance"]),
];

fn read(text: &str, devices: usize) -> Result<Found, Problem> {
    let job: Table = text.parse().map_err(|error: toml::de::Error| {
        Problem::Syntax(error.message().to_owned(), error.span().unwrap_or(0..0))
    })?;
    known("", &job)?;
    let table = |name: &str| job.get(name).and_then(Value::as_table).cloned().unwrap_or_default();
    let (parallelism, training) = (table("parallelism"), table("training"));
    let degree = |name: &str| size(&parallelism, "parallelism", name, 1);
    let [tp, cp, pp] = [
        degree("tensor_parallel_degree")?,
        degree("context_parallel_degree")?,
        degree("pipeline_parallel_degree")?,
    ];
    let replicate = degree("data_parallel_replicate_degree")?;
    let ep = degree("expert_parallel_degree")?;
    let left = rest(devices, &[replicate, tp, cp, pp])?;
    let shard = match parallelism.get("data_parallel_shard_degree").and_then(Value::as_integer) {
        None | Some(-1) => left,
        Some(_) => degree("data_parallel_shard_degree")?,
    };
    if shard != left {
        let said = product(&[replicate, shard, tp, cp, pp])?;
        return Err(format!("degrees multiply to {said}, but there are {devices} devices").into());
    }
    let replicas = replicate * shard;
    if !replicas.is_multiple_of(ep) {
        return Err(format!(
            "`parallelism.expert_parallel_degree`, {ep}, does not divide the {replicas} replicas"
        )
        .into());
    }
    let is_gathered_once = match parallelism.get("fsdp_reshard_after_forward").and_then(Value::as_str) {
        // Parameters are kept between the passes of a pipeline.
        None | Some("default") => pp > 1,
        policy => policy == Some("never"),
    };
    let zero = match (shard * cp > 1, is_gathered_once) {
        (false, _) => 0,
        (true, true) => 2,
        (true, false) => 3,
    };
    let local = size(&training, "training", "local_batch_size", 8)?;
    let global = match training.get("global_batch_size").and_then(Value::as_integer) {
        None | Some(-1) => product(&[local, replicas])?,
        Some(_) => size(&training, "training", "global_batch_size", 1)?,
    };
    let micro = if pp > 1 {
        size(&parallelism, "parallelism", "pipeline_parallel_microbatch_size", 1)?
    } else {
        local
    };
    let (vp, schedule) = if pp == 1 { (1, None) } else { stages(&parallelism, pp)? };
    let degrees = Degrees {
        dp: replicas / ep,
        fsdp: match zero {
            // Shards lie on the devices of experts first.
            3 if shard < replicas => (shard / ep).max(1),
            3 => shard,
            _ => 1,
        },
        tp,
        sp: tp,
        cp,
        ep,
        pp,
        vp,
        zero,
    };
    Ok(Found {
        degrees,
        global_batch: Some(global),
        sequence: match training.contains_key("seq_len") {
            true => Some(size(&training, "training", "seq_len", 2048)?),
            false => None,
        },
        microbatch_size: Some(micro),
        microbatches: Some(count(global, micro, replicas)?),
        recompute: recompute(&table("activation_checkpoint"))?,
        precision: match training.get("mixed_precision_param").and_then(Value::as_str) {
            Some("float32") => Precision::F32,
            _ => Precision::Bf16,
        },
        stages: None,
        schedule,
    })
}

/// Stages of a group, and the schedule where it is not the usual one.
fn stages(parallelism: &Table, pp: usize) -> Result<(usize, Option<&'static str>), String> {
    let text = |name: &str| parallelism.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    if let Some(table) = text("pipeline_parallel_schedule_csv") {
        return Err(format!("the schedule in `{table}` is not read: plan with `--schedule {table}` instead"));
    }
    let own = text("pipeline_parallel_schedule").unwrap_or("1F1B");
    let Some((name, _)) = SCHEDULES.iter().find(|(_, other)| *other == own) else {
        let known: Vec<&str> = SCHEDULES.iter().map(|(_, other)| *other).collect();
        return Err(format!(
            "`parallelism.pipeline_parallel_schedule` is `{own}`, which is not read; these are: {}",
            known.join(", ")
        ));
    };
    let usual = match *name {
        "1f1b" => return Ok((1, None)),
        "gpipe" => return Ok((1, Some(*name))),
        "interleaved-1f1b" => None,
        _ => Some(*name),
    };
    let parts = parallelism.get("module_fqns_per_model_part").and_then(Value::as_array).map(Vec::len);
    Ok((parts.filter(|parts| parts.is_multiple_of(pp)).map_or(2, |parts| parts / pp), usual))
}

/// Refuses keys that are not known, by their whole name.
fn known(path: &str, table: &Table) -> Result<(), Problem> {
    let keys = KEYS.iter().find(|(name, _)| *name == path).map(|(_, keys)| *keys).unwrap_or_default();
    for (name, value) in table {
        let whole = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        let below = format!("{whole}.");
        let is_table = KEYS.iter().any(|(other, _)| *other == whole || other.starts_with(&below));
        match value.as_table() {
            Some(inner) if is_table => known(&whole, inner)?,
            _ if keys.contains(&name.as_str()) => {}
            _ => return Err(Problem::UnknownKey(format!("torchtitan 0.2.2 has no key `{whole}`"))),
        }
    }
    Ok(())
}

fn size(table: &Table, path: &str, name: &str, default: usize) -> Result<usize, String> {
    let Some(value) = table.get(name) else { return Ok(default) };
    let size = value.as_integer().and_then(|size| usize::try_from(size).ok()).filter(|size| *size > 0);
    size.ok_or_else(|| format!("`{path}.{name}` is {value}, not a number of at least 1"))
}

fn recompute(table: &Table) -> Result<Option<Recompute>, String> {
    match table.get("mode").and_then(Value::as_str) {
        None | Some("selective") => Ok(Some(Recompute::Selective)),
        Some("full") => Ok(Some(Recompute::Full)),
        Some("none") => Ok(Some(Recompute::None)),
        Some(other) => Err(format!("`activation_checkpoint.mode` is `{other}`, which is not read")),
    }
}
