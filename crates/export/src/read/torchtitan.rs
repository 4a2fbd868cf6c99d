//! `job.toml` of torchtitan 0.2.2.
//!
//! Input: its text, the devices, and the layers of the model, where they are known. Output: a [`Found`] with the stages as
//! torchtitan cuts them.

use super::{Around, Found, Problem, Reader, count, must_be_all, not_read, product, rest};
use crate::job::{Degrees, Precision, Recompute};
use crate::targets::torchtitan::{Family, SCHEDULES};
use std::collections::BTreeMap;
use toml::{Table, Value};

pub(super) const READER: Reader = Reader {
    target: "torchtitan",
    extensions: &[".toml"],
    is_it: |_| true,
    read: |text, around| read(text, around),
    settings,
    may_stay: &[],
};

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

/// Tokens of a sequence where `training.seq_len` is not given.
const SEQUENCE: usize = 2048;

/// Keys that change what a step does in a way that is not read, each with the values that do not.
const NOT_READ: &[(&str, &[&str])] = &[
    ("optimizer.early_step_in_backward", &["false"]),
    ("training.enable_cpu_offload", &["false"]),
    ("training.dtype", &["\"float32\""]),
    ("training.mixed_precision_reduce", &["\"float32\""]),
    ("parallelism.disable_loss_parallel", &["false"]),
    ("activation_checkpoint.selective_ac_option", &["\"op\"", "\"1\""]),
    ("activation_checkpoint.per_op_sac_force_recompute_mm_shapes_by_fqns", &["[]", "[\"moe.router.gate\"]"]),
    ("comm.mode", &["\"default\""]),
    ("fault_tolerance.enable", &["false"]),
];

fn must_be_read(job: &Table) -> Result<(), Problem> {
    for (path, harmless) in NOT_READ {
        let (table, name) = path.split_once('.').unwrap_or_default();
        let value = job.get(table).and_then(|table| table.get(name)).map(Value::to_string);
        if let Some(value) = value.filter(|value| !harmless.contains(&value.as_str())) {
            return Err(not_read(path, value));
        }
    }
    Ok(())
}

fn read(text: &str, Around { devices, layers }: Around) -> Result<Found, Problem> {
    let job: Table = text.parse().map_err(|error: toml::de::Error| {
        Problem::Syntax(error.message().to_owned(), error.span().unwrap_or(0..0))
    })?;
    known("", &job)?;
    must_be_read(&job)?;
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
    let shard = match is_rest(&parallelism, "data_parallel_shard_degree") {
        true => left,
        false => degree("data_parallel_shard_degree")?,
    };
    must_be_all("degrees", &[replicate, shard, tp, cp, pp], devices)?;
    let replicas = replicate * shard;
    if !replicas.is_multiple_of(ep) {
        return Err(format!(
            "`parallelism.expert_parallel_degree`, {ep}, does not divide the {replicas} replicas"
        )
        .into());
    }
    // Experts are shared by devices that hold shards (`distributed/parallel_dims.py`).
    if !(shard * cp).is_multiple_of(ep) {
        return Err(format!(
            "`parallelism.expert_parallel_degree`, {ep}, does not divide the {} devices over which parameters are sharded",
            shard * cp
        )
        .into());
    }
    let of_experts = degree("expert_tensor_parallel_degree")?;
    if ep > 1 && of_experts != tp {
        let what = format!("{of_experts} with tensor_parallel_degree {tp}");
        return Err(not_read("parallelism.expert_tensor_parallel_degree", what));
    }
    let is_gathered_once = match text_of(&parallelism, "parallelism", "fsdp_reshard_after_forward")? {
        // Parameters are kept between the passes of a pipeline.
        None | Some("default") => pp > 1,
        Some("never") => true,
        Some("always") => false,
        Some(other) => {
            let key = "parallelism.fsdp_reshard_after_forward";
            return Err(format!("`{key}` is `{other}`, which is none of default, always, never").into());
        }
    };
    let zero = match (shard * cp > 1, is_gathered_once) {
        (false, _) => 0,
        (true, true) => 2,
        (true, false) => 3,
    };
    if replicate > 1 && zero > 0 {
        let key = "parallelism.data_parallel_replicate_degree";
        if zero == 2 {
            let what = format!("{replicate} beside {shard} shards that are kept for the backward pass");
            return Err(not_read(key, what));
        }
        if ep > 1 {
            let what = format!(
                "{replicate} beside experts, whose shards are over {} devices, and those of other parameters over {}",
                (shard * cp / ep).max(1),
                shard * cp
            );
            return Err(not_read(key, what));
        }
    }
    let local = size(&training, "training", "local_batch_size", 8)?;
    let global = match is_rest(&training, "global_batch_size") {
        true => product(&[local, replicas])?,
        false => size(&training, "training", "global_batch_size", 1)?,
    };
    let micro = if pp > 1 {
        size(&parallelism, "parallelism", "pipeline_parallel_microbatch_size", 1)?
    } else {
        local
    };
    let Stages { vp, layers, schedule } =
        if pp == 1 { Stages::NONE } else { stages(&parallelism, pp, layers)? };
    let of_optimizer = table("optimizer");
    let optimizer = text_of(&of_optimizer, "optimizer", "name")?;
    let of_model = table("model");
    let (has_fp8, mut notes) = converters(&of_model)?;
    let said = text_of(&training, "training", "mixed_precision_param")?.unwrap_or("bfloat16");
    // `maybe_enable_amp`: without shards nothing is mixed beside devices that share weights or stages.
    let is_mixed = shard * cp > 1 || tp * pp == 1;
    let precision = if is_mixed { super::precision(said) } else { Precision::F32 };
    if super::precision(said) != precision {
        let priced = if has_fp8 { "fp8, whose other numbers are bf16" } else { "f32" };
        notes.push(format!(
            "`training.mixed_precision_param`, {said}: torchtitan mixes no precisions with tp or pp but beside FSDP \
             or cp, so it is priced in {priced}"
        ));
    }
    let degrees = Degrees {
        dp: replicas / ep,
        fsdp: if zero == 3 { shard } else { 1 },
        tp,
        sp: tp,
        cp,
        ep,
        pp,
        vp,
        zero,
    };
    let found = Found {
        degrees,
        global_batch: Some(global),
        sequence: match training.contains_key("seq_len") {
            true => Some(size(&training, "training", "seq_len", SEQUENCE)?),
            false => None,
        },
        default_sequence: Some(SEQUENCE),
        microbatch_size: Some(micro),
        microbatches: Some(count(global, micro, replicas)?),
        recompute: recompute(&table("activation_checkpoint"))?,
        precision: Some(precision),
        has_fp8,
        family: text_of(&of_model, "model", "name")?.and_then(Family::named),
        notes,
        optimizer: optimizer.map(|name| super::optimizer("optimizer.name", name)).transpose()?,
        stages: layers.filter(|layers| layers.iter().any(|own| *own != layers[0])),
        schedule,
        ..Found::default()
    };
    found.over_context("parallelism.context_parallel_degree", shard)
}

/// Keys that say how a step runs, by table.
fn settings(text: &str) -> BTreeMap<String, String> {
    const OF_TRAINING: &[&str] = &[
        "local_batch_size",
        "global_batch_size",
        "seq_len",
        "mixed_precision_param",
        "mixed_precision_reduce",
    ];
    const OF_CHECKPOINTS: &[&str] = &["mode", "selective_ac_option"];
    // What no price knows.
    const IDLE: &[&str] = &[
        "context_parallel_load_balancer",
        "context_parallel_rotate_method",
        "disable_loss_parallel",
        "enable_async_tensor_parallel",
        "expert_parallel_comm_backend",
        "pipeline_parallel_expert_parallel_overlap",
    ];
    let job: Table = text.parse().unwrap_or_default();
    let mut found = BTreeMap::new();
    for name in ["parallelism", "training", "activation_checkpoint"] {
        for (key, value) in job.get(name).and_then(Value::as_table).into_iter().flatten() {
            let is_of_step = match name {
                "training" => OF_TRAINING.contains(&key.as_str()),
                "activation_checkpoint" => OF_CHECKPOINTS.contains(&key.as_str()),
                _ => !IDLE.contains(&key.as_str()),
            };
            if is_of_step {
                found.insert(format!("{name}.{key}"), value.to_string());
            }
        }
    }
    found
}

/// Stages of each group, the layers of each where these are known, and the schedule where it is not the usual one.
struct Stages {
    vp: usize,
    layers: Option<Vec<usize>>,
    schedule: Option<&'static str>,
}

impl Stages {
    const NONE: Self = Self { vp: 1, layers: None, schedule: None };
}

fn stages(parallelism: &Table, pp: usize, layers: Option<usize>) -> Result<Stages, Problem> {
    let text = |name: &str| {
        text_of(parallelism, "parallelism", name).map(|text| text.filter(|text| !text.is_empty()))
    };
    if let Some(table) = text("pipeline_parallel_schedule_csv")? {
        return Err(
            format!("the schedule in `{table}` is not read: plan with `--schedule {table}` instead").into()
        );
    }
    let own = text("pipeline_parallel_schedule")?.unwrap_or("1F1B");
    let Some((name, _)) = SCHEDULES.iter().find(|(_, other)| *other == own) else {
        let known: Vec<&str> = SCHEDULES.iter().map(|(_, other)| *other).collect();
        return Err(format!(
            "`parallelism.pipeline_parallel_schedule` is `{own}`, which is not read; these are: {}",
            known.join(", ")
        )
        .into());
    };
    let (is_single, schedule) = match *name {
        "1f1b" => (true, None),
        "gpipe" => (true, Some(*name)),
        "interleaved-1f1b" => (false, None),
        _ => (false, Some(*name)),
    };
    let of_stages = cut(parallelism, pp, if is_single { 1 } else { 2 }, layers)?;
    let (count, layers) = (of_stages.0, of_stages.1);
    match (count / pp, is_single) {
        (vp, _) if vp == 0 || count % pp != 0 => {
            Err(format!("{count} stages are not shared equally by {pp} groups of devices").into())
        }
        (vp, true) if vp > 1 => {
            Err(format!("`{own}` has one stage on each group, but there are {count}").into())
        }
        (1, false) => {
            Err(format!("`{own}` has several stages on each group, but there are {count} on {pp}").into())
        }
        (vp, _) => Ok(Stages { vp, layers, schedule }),
    }
}

/// The number of stages, and the layers of each where they are known (`distributed/pipeline_parallel.py`): the modules that
/// are said, or else layers in equal numbers, with the first and the last stage counted as having some more.
fn cut(
    parallelism: &Table,
    pp: usize,
    each: usize,
    layers: Option<usize>,
) -> Result<(usize, Option<Vec<usize>>), Problem> {
    if let Some(parts) = parallelism.get("module_fqns_per_model_part").and_then(Value::as_array) {
        let is_layer = |name: &&Value| name.as_str().is_some_and(|name| name.starts_with("layers."));
        let of_part = |part: &Value| Some(part.as_array()?.iter().filter(is_layer).count());
        let counts: Option<Vec<usize>> = parts.iter().map(of_part).collect();
        let counts = counts.filter(|counts| !counts.is_empty());
        let counts = counts.ok_or_else(|| {
            "`parallelism.module_fqns_per_model_part` is no list of lists of modules".to_owned()
        })?;
        return Ok((counts.len(), Some(counts)));
    }
    let less = |name: &str| -> Result<usize, String> {
        match parallelism.get(name) {
            None => Ok(1),
            Some(value) => value
                .as_integer()
                .and_then(|less| usize::try_from(less).ok())
                .ok_or_else(|| format!("`parallelism.{name}` is {value}, not a number")),
        }
    };
    let [first, last] = [
        less("pipeline_parallel_first_stage_less_layers")?,
        less("pipeline_parallel_last_stage_less_layers")?,
    ];
    let all = layers.and_then(|layers| layers.checked_add(first)?.checked_add(last));
    const PER_STAGE: &str = "pipeline_parallel_layers_per_stage";
    let count = match (parallelism.contains_key(PER_STAGE), all) {
        (false, _) => product(&[pp, each])?,
        (true, None) => {
            let what = "as many stages as the model's layers make, of which nothing is known here";
            return Err(not_read(&format!("parallelism.{PER_STAGE}"), what));
        }
        (true, Some(all)) => all.div_ceil(size(parallelism, "parallelism", PER_STAGE, 1)?),
    };
    let Some(all) = all else { return Ok((count, None)) };
    let of_stage = |stage: usize| {
        let own = all / count + usize::from(stage < all % count);
        let own = own.checked_sub(if stage == 0 { first } else { 0 })?;
        own.checked_sub(if stage + 1 == count { last } else { 0 })
    };
    let of_stages = (0..count.min(all + 1)).map(of_stage).collect::<Option<Vec<usize>>>();
    match of_stages.filter(|_| count <= all) {
        Some(of_stages) => Ok((count, Some(of_stages))),
        None => Err(format!("{} layers are not {count} stages", layers.unwrap_or_default()).into()),
    }
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

/// A text, if it is given.
fn text_of<'a>(table: &'a Table, path: &str, name: &str) -> Result<Option<&'a str>, String> {
    let Some(value) = table.get(name) else { return Ok(None) };
    value.as_str().map(Some).ok_or_else(|| format!("`{path}.{name}` is {value}, not a text in quotes"))
}

/// Returns whether a number is what others leave: -1, or nothing.
fn is_rest(table: &Table, name: &str) -> bool {
    table.get(name).is_none_or(|value| value.as_integer() == Some(-1))
}

/// Whether products are in floats of 8 bits, as converters of the model say, and what that is otherwise than it is priced.
///
/// Errors: other converters.
fn converters(model: &Table) -> Result<(bool, Vec<String>), Problem> {
    const KEY: &str = "model.converters";
    let Some(value) = model.get("converters") else { return Ok((false, Vec::new())) };
    let names =
        value.as_array().and_then(|names| names.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
    let names = names.ok_or_else(|| format!("`{KEY}` is {value}, not a list of texts"))?;
    match names[..] {
        [] => Ok((false, Vec::new())),
        ["quantize.linear.float8"] => {
            let note = super::fp8_note(&format!("{KEY} = {value}"), "`quantize.linear.float8`");
            Ok((true, vec![note]))
        }
        _ => Err(not_read(KEY, value)),
    }
}

fn recompute(table: &Table) -> Result<Option<Recompute>, String> {
    const TABLE: &str = "activation_checkpoint";
    let is_every_layer = text_of(table, TABLE, "selective_ac_option")? == Some("1");
    match text_of(table, TABLE, "mode")? {
        None | Some("selective") if is_every_layer => Ok(Some(Recompute::Full)),
        None | Some("selective") => Ok(Some(Recompute::Selective)),
        Some("full") => Ok(Some(Recompute::Full)),
        Some("none") => Ok(Some(Recompute::None)),
        Some(other) => Err(format!("`activation_checkpoint.mode` is `{other}`, which is not read")),
    }
}
