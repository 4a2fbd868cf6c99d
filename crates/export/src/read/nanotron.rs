//! `config.yaml` of Nanotron at commit 2411b02.
//!
//! Input: its text, and the devices, which its degrees have to multiply to. Output: a [`Found`]; experts, which it shares in no
//! way that is priced here, are refused.

use super::keys::Keys;
use super::settings::of_yaml;
use super::sizes::{ModelSize, stated};
use super::{Around, Found, Problem, Reader, must_be_all, not_read, product, yaml};
use crate::job::{Degrees, Recompute};
use crate::targets::nanotron::cut;

pub(super) const READER: Reader = Reader {
    target: "nanotron",
    extensions: &[".yaml", ".yml"],
    is_it: |text| text.lines().any(|line| line.starts_with("parallelism:")),
    read: |text, around| read(text, around),
    settings: |text| of_yaml(text, SETTINGS),
    may_stay: &[],
};

/// Where sizes of the model stand.
const SIZES: &[(ModelSize, &str)] = &[
    (ModelSize::Layers, "model.model_config.num_hidden_layers"),
    (ModelSize::Width, "model.model_config.hidden_size"),
    (ModelSize::Heads, "model.model_config.num_attention_heads"),
    (ModelSize::KeyHeads, "model.model_config.num_key_value_heads"),
    (ModelSize::Inner, "model.model_config.intermediate_size"),
];

/// What says how a step runs.
const SETTINGS: &[&str] = &[
    "parallelism.*",
    "tokens.batch_accumulation_per_replica",
    "tokens.micro_batch_size",
    "tokens.sequence_length",
];

/// Parts of the file; those that say nothing of devices are not looked at.
const KEYS: &[&str] = &[
    "checkpoints",
    "data_stages",
    "general",
    "lighteval",
    "logging",
    "metrics_logging",
    "model",
    "optimizer",
    "parallelism",
    "profiler",
    "s3_upload",
    "tokenizer",
    "tokens",
];

const PARALLELISM_KEYS: &[&str] = &[
    "context_parallel_size",
    "dp",
    "expert_parallel_size",
    "pp",
    "pp_engine",
    "recompute_layer",
    "tp",
    "tp_linear_async_communication",
    "tp_mode",
    "tp_recompute_allgather",
];

const TOKEN_KEYS: &[&str] = &[
    "batch_accumulation_per_replica",
    "limit_test_batches",
    "limit_val_batches",
    "micro_batch_size",
    "sequence_length",
    "train_steps",
    "val_check_interval",
];

fn read(text: &str, Around { devices, layers }: Around) -> Result<Found, Problem> {
    let value = yaml::parse(text)?;
    let job = Keys::of("Nanotron", &value)?;
    job.known(&[KEYS])?;
    let parallelism = job.inner("parallelism")?.ok_or_else(|| "there is no `parallelism`".to_owned())?;
    parallelism.known(&[PARALLELISM_KEYS])?;
    let [dp, pp, tp, cp, ep] = [
        parallelism.degree("dp")?,
        parallelism.degree("pp")?,
        parallelism.degree("tp")?,
        parallelism.degree("context_parallel_size")?,
        parallelism.degree("expert_parallel_size")?,
    ];
    if ep > 1 {
        return Err(not_read("parallelism.expert_parallel_size", ep));
    }
    must_be_all("degrees", &[dp, pp, tp, cp], devices)?;
    // Letters of either case.
    let mode = parallelism.text("tp_mode")?;
    let sp = match mode.map(str::to_ascii_uppercase).as_deref() {
        Some("REDUCE_SCATTER") => tp,
        None | Some("ALL_REDUCE") => 1,
        Some(_) => return Err(not_read("parallelism.tp_mode", format!("`{}`", mode.unwrap_or_default()))),
    };
    let schedule = match parallelism.text("pp_engine")? {
        Some("1f1b") => None,
        None | Some("afab") => Some("gpipe").filter(|_| pp > 1),
        Some(other) => return Err(not_read("parallelism.pp_engine", format!("`{other}`"))),
    };
    let recompute = if parallelism.flag("recompute_layer")? { Recompute::Full } else { Recompute::None };
    let sizes = stated(&value, SIZES);
    let mut found = Found { recompute: Some(recompute), schedule, sizes, ..Found::default() };
    let mut zero = 0;
    if let Some(optimizer) = job.inner("optimizer")? {
        zero = optimizer.count("zero_stage")?.unwrap_or(0);
        if zero > 1 {
            return Err(not_read("optimizer.zero_stage", zero));
        }
        if optimizer.is_given("accumulate_grad_in_fp32") && !optimizer.flag("accumulate_grad_in_fp32")? {
            return Err(not_read("optimizer.accumulate_grad_in_fp32", false));
        }
        if let Some(factory) = optimizer.inner("optimizer_factory")? {
            let key = "optimizer.optimizer_factory.name";
            found.optimizer = factory.text("name")?.map(|name| super::optimizer(key, name)).transpose()?;
        }
    }
    if let Some(tokens) = job.inner("tokens")? {
        tokens.known(&[TOKEN_KEYS])?;
        found.sequence = tokens.size("sequence_length")?;
        found.microbatch_size = tokens.size("micro_batch_size")?;
        found.microbatches = Some(tokens.degree("batch_accumulation_per_replica")?);
    }
    if let (Some(size), Some(count)) = (found.microbatch_size, found.microbatches) {
        found.global_batch = Some(product(&[size, count, dp])?);
    }
    let model = job.inner("model")?;
    if let (Some(model), Some(layers), true) = (&model, layers, pp > 1) {
        found.stages = stages(model, layers, pp)?;
    }
    let dtype = model.map(|model| model.text("dtype")).transpose()?.flatten();
    found.precision = dtype.map(super::precision);
    if dtype == Some("float16") {
        found.notes.push(super::f16_note("model.dtype: float16"));
    }
    Ok(Found { degrees: Degrees { dp, pp, tp, sp, cp, zero, ..Degrees::default() }, ..found })
}

/// Layers of each stage as Nanotron cuts them, where they are not equal and the file says what their work is.
fn stages(model: &Keys<'_>, layers: usize, pp: usize) -> Result<Option<Vec<usize>>, Problem> {
    let Some(config) = model.inner("model_config")? else { return Ok(None) };
    let sizes = [config.size("hidden_size")?, config.size("intermediate_size")?, config.size("vocab_size")?];
    let [Some(width), Some(inner), Some(rows)] = sizes else { return Ok(None) };
    let own = cut(layers, [width, inner, rows].map(|size| size as f64), pp);
    Ok(own.filter(|own| own.iter().any(|layers| *layers != own[0])))
}
