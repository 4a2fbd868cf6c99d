//! Arguments of Megatron-LM core_v0.15.0, in a script.
//!
//! Input: the text of a script, of whose launch all words `--name` are arguments, and the devices, of which `dp` is what its
//! degrees leave. Output: a [`Found`] with the sizes of the model that it states, and its settings. Frameworks that take the same
//! arguments are other [`Dialect`]s.

use super::launch::{Launch, refusal};
use super::{
    Around, Found, Kind, ModelSize, Problem, Reader, StatedSize, Text, count, not_read, product, rest,
};
use crate::job::{Degrees, Precision, Recompute};
use arguments::Arguments;
use stages::{Stages, stages};
use std::collections::BTreeMap;

mod arguments;
mod names;
mod stages;

pub(super) use arguments::is_own_argument;

pub(super) const READER: Reader = Reader {
    target: "megatron-lm",
    extensions: &[".sh"],
    // What is wrong with a script is said by reading it.
    is_it: |text| text.launch().map_or(true, |launch| launch.is_megatron() || launch.program.is_none()),
    read: |text, around| read_as(&DIALECT, text, around),
    settings: |text| settings_as(&DIALECT, text),
    may_stay: OF_FSDP,
};

/// Values of arguments, by name.
pub(super) type Values<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A framework that takes Megatron's arguments, and perhaps its own.
pub(super) struct Dialect {
    /// Its name and version.
    pub(super) title: &'static str,
    /// Its own arguments without a value.
    pub(super) flags: &'static str,
    /// Its own arguments with a value.
    pub(super) values: &'static str,
    /// Looks at what was found, with the values of arguments by name.
    pub(super) check: fn(Found, Values<'_>) -> Result<Found, Problem>,
}

const DIALECT: Dialect =
    Dialect { title: "Megatron-LM core_v0.15.0", flags: "", values: "", check: |found, _| Ok(found) };

/// Reads a script with the arguments of a framework.
pub(super) fn read_as(dialect: &Dialect, text: &Text<'_>, around: Around) -> Result<Found, Problem> {
    let launch = text.launch()?;
    if !launch.is_megatron() {
        return Err(refusal(text, launch));
    }
    launch.must_start_on(around.devices)?;
    let kind = kind(launch)?;
    let arguments = Arguments::of(dialect, launch)?;
    let found = (dialect.check)(found(&arguments, around)?, &|name| arguments.get(name).map(str::to_owned))?;
    Ok(Found { kind, ..found })
}

/// Programs of Megatron-LM, with the kind of model that each trains, if it is one whose steps are read.
const PROGRAMS: &[(&str, Option<Kind>)] = &[
    ("pretrain_bert.py", Some(Kind::Masked)),
    ("pretrain_gpt.py", Some(Kind::Decoder)),
    ("pretrain_ict.py", None),
    ("pretrain_mamba.py", Some(Kind::Decoder)),
    ("pretrain_retro.py", None),
    ("pretrain_t5.py", Some(Kind::EncoderDecoder)),
    ("pretrain_vision_classify.py", None),
    ("pretrain_vision_dino.py", None),
    ("pretrain_vision_inpaint.py", None),
    ("pretrain_vlm.py", None),
];

/// The kind of model that a launch trains, where its program says it.
///
/// Errors: a program whose steps are not read.
fn kind(launch: &Launch) -> Result<Option<Kind>, Problem> {
    let program = launch.program.as_deref().unwrap_or_default();
    match PROGRAMS.iter().find(|(name, _)| *name == program) {
        Some((_, Some(kind))) => Ok(Some(*kind)),
        Some((_, None)) => {
            let read =
                PROGRAMS.iter().filter(|(_, kind)| kind.is_some()).map(|(name, _)| format!("`{name}`"));
            let read: Vec<String> = read.collect();
            Err(format!("the steps of `{program}` are not read; those of {} are", read.join(", ")).into())
        }
        None => Ok(None),
    }
}

fn found(arguments: &Arguments, Around { devices, .. }: Around) -> Result<Found, Problem> {
    must_be_read(arguments)?;
    let size = |name: &str, default: usize| -> Result<usize, String> {
        let Some(value) = arguments.get(name) else { return Ok(default) };
        let size = value.parse().ok().filter(|size| *size > 0);
        size.ok_or_else(|| format!("`--{name} {value}` is no number of at least 1"))
    };
    let given = |name: &str| arguments.has(name).then(|| size(name, 1)).transpose();
    let tp = size("tensor-model-parallel-size", 1)?;
    let (cp, pp) = (size("context-parallel-size", 1)?, size("pipeline-model-parallel-size", 1)?);
    let ep = size("expert-model-parallel-size", 1)?;
    let Stages { vp, layers } = stages(arguments, pp)?;
    let replicas = rest(devices, &[tp, cp, pp])?;
    if !replicas.is_multiple_of(ep) {
        return Err(
            format!("`--expert-model-parallel-size {ep}` does not divide the {replicas} replicas").into()
        );
    }
    for fsdp in ["use-megatron-fsdp", "use-torch-fsdp2"].into_iter().filter(|name| arguments.has(name)) {
        if ep * pp > 1 {
            let beside = if ep > 1 { "experts that are shared" } else { "stages" };
            return Err(format!("Megatron-LM does not start with `--{fsdp}` beside {beside}").into());
        }
    }
    if let Some(own) = given("expert-tensor-parallel-size")?.filter(|own| ep > 1 && *own != tp) {
        return Err(not_read("--expert-tensor-parallel-size", format!("{own} with tp={tp}")));
    }
    // All-to-all is priced; without a word of it, every device gathers all tokens.
    let dispatcher = arguments.get("moe-token-dispatcher-type").unwrap_or("allgather");
    if ep > 1 && !["alltoall", "flex"].contains(&dispatcher) {
        let what = format!("`{dispatcher}` with ep={ep}, which gathers all tokens on each device of experts");
        return Err(not_read("--moe-token-dispatcher-type", what));
    }
    if let Some(own) = given("microbatch-group-size-per-virtual-pipeline-stage")?.filter(|own| *own != pp) {
        return Err(not_read(
            "--microbatch-group-size-per-virtual-pipeline-stage",
            format!("{own} with pp={pp}"),
        ));
    }
    let has = |flag: &str| arguments.has(flag);
    let strategy = arguments.get("data-parallel-sharding-strategy");
    let is_kept = has("torch-fsdp2-no-reshard-after-forward");
    let zero = match (has("use-megatron-fsdp"), strategy) {
        _ if has("use-torch-fsdp2") => {
            if is_kept {
                2
            } else {
                3
            }
        }
        (true, Some("optim_grads_params")) => 3,
        (true, Some("optim_grads")) => 2,
        (true, Some("optim")) => 1,
        _ => usize::from(has("use-distributed-optimizer")),
    };
    let micro = given("micro-batch-size")?;
    // Without a global batch there is one microbatch.
    let global = match (given("global-batch-size")?, micro) {
        (None, Some(size)) => Some(product(&[size, replicas])?),
        (global, _) => global,
    };
    let microbatches = match (global, micro) {
        (Some(global), Some(micro)) => Some(count(global, micro, replicas)?),
        _ => None,
    };
    let recompute = recompute(arguments, pp * vp, layers.as_deref())?;
    let dp = replicas / ep;
    let degrees = Degrees {
        dp,
        fsdp: if zero == 3 { replicas } else { 1 },
        tp,
        sp: if has("sequence-parallel") { tp } else { 1 },
        cp,
        ep,
        pp,
        vp,
        zero,
    };
    let found = Found {
        degrees,
        global_batch: global,
        sequence: given("seq-length")?,
        microbatch_size: micro,
        microbatches,
        recompute: Some(recompute),
        optimizer: arguments
            .get("optimizer")
            .map(|name| super::optimizer("--optimizer", name))
            .transpose()?,
        precision: Some(if has("bf16") || has("fp16") { Precision::Bf16 } else { Precision::F32 }),
        has_fp8: has("fp8-format"),
        stages: layers,
        sizes: sizes(arguments),
        notes: notes(arguments)?,
        ..Found::default()
    };
    found.over_context("--context-parallel-size", replicas)
}

/// What numbers are otherwise than they are priced.
///
/// Errors: types that exclude each other, or products in 8 bits of numbers of 32.
fn notes(arguments: &Arguments) -> Result<Vec<String>, Problem> {
    let (is_f16, is_bf16) = (arguments.has("fp16"), arguments.has("bf16"));
    if is_f16 && is_bf16 {
        return Err("`--fp16` and `--bf16` both say the types of numbers: Megatron-LM takes one of them"
            .to_owned()
            .into());
    }
    let mut notes = Vec::new();
    if is_f16 {
        notes.push(super::f16_note("--fp16"));
    }
    if let Some(ramp) = arguments.get("rampup-batch-size") {
        let numbers: Vec<&str> = ramp.split_whitespace().collect();
        if numbers.len() != 3 || numbers.iter().any(|number| number.parse::<u64>().is_err()) {
            return Err(format!(
                "`--rampup-batch-size {ramp}` is no first batch, increment and number of samples"
            )
            .into());
        }
        if !arguments.has("global-batch-size") {
            return Err("`--rampup-batch-size` says nothing without `--global-batch-size`".to_owned().into());
        }
        notes.push(format!(
            "`--rampup-batch-size {ramp}`: its batches grow at first; a step of the whole batch is priced"
        ));
    }
    let Some(format) = arguments.get("fp8-format") else {
        let of_fp8 = ["fp8-param-gather", "fp8-recipe"].into_iter().find(|name| arguments.has(name));
        return match of_fp8 {
            Some(name) => Err(format!("`--{name}` says nothing without `--fp8-format`").into()),
            None => Ok(notes),
        };
    };
    if !["hybrid", "e4m3"].contains(&format) {
        return Err(format!("`--fp8-format {format}` is neither hybrid nor e4m3").into());
    }
    if !is_f16 && !is_bf16 {
        return Err(not_read("--fp8-format", format!("`{format}` without `--bf16`")));
    }
    let recipe = arguments.get("fp8-recipe").unwrap_or("delayed");
    notes.push(super::fp8_note(&format!("--fp8-format {format}"), &format!("the recipe `{recipe}`")));
    for (name, what) in [
        ("fp8-param-gather", "parameters are gathered in 8 bits; they are priced as gathered in 16"),
        (
            "first-last-layers-bf16",
            "its first and last layers compute in 16 bits; they are priced like the others",
        ),
    ] {
        if arguments.has(name) {
            notes.push(format!("`--{name}`: {what}"));
        }
    }
    Ok(notes)
}

/// Arguments with values that change what a step does in a way that is not read, each with those that do not.
const ONLY: &[(&str, &[&str])] = &[
    ("cp-comm-type", &["p2p"]),
    ("mtp-num-layers", &["0"]),
    ("num-distributed-optimizer-instances", &["1"]),
    ("sgd-momentum", &["0.9"]),
    ("exp-avg-dtype", &["fp32"]),
    ("exp-avg-sq-dtype", &["fp32"]),
    ("main-params-dtype", &["fp32"]),
    ("main-grads-dtype", &["fp32"]),
];

fn must_be_read(arguments: &Arguments) -> Result<(), Problem> {
    for (_, name) in SIZES {
        if let Some(value) = arguments.get(name).filter(|value| value.parse::<usize>().is_err()) {
            return Err(format!("`--{name} {value}` is no number").into());
        }
    }
    for (name, harmless) in ONLY {
        if let Some(value) = arguments.get(name).filter(|value| !harmless.contains(value)) {
            return Err(not_read(&format!("--{name}"), format!("`{value}`")));
        }
    }
    Ok(())
}

/// What is made again, with so many stages. A number of layers of each stage (`block`) is a level where it is that of none
/// or of all.
fn recompute(arguments: &Arguments, stages: usize, layers: Option<&[usize]>) -> Result<Recompute, Problem> {
    let said = |name: &str| arguments.get(name);
    let number = |name: &str| -> Result<Option<usize>, String> {
        let number = |value: &str| value.parse().map_err(|_| format!("`--{name} {value}` is no number"));
        said(name).map(number).transpose()
    };
    match said("recompute-granularity") {
        Some("full") => {}
        Some("selective") => {
            // What else there is makes products with weights again.
            let of_level = ["core_attn", "layernorm", "moe_act"];
            let modules = said("recompute-modules").unwrap_or_default().split_whitespace();
            return match modules.into_iter().find(|module| !of_level.contains(module)) {
                Some(module) => Err(not_read("--recompute-modules", format!("`{module}`"))),
                None => Ok(Recompute::Selective),
            };
        }
        Some(other) => {
            return Err(format!("`--recompute-granularity {other}` is neither full nor selective").into());
        }
        None if arguments.has("recompute-activations") => return Ok(Recompute::Selective),
        None => return Ok(Recompute::None),
    }
    let count = number("recompute-num-layers")?.unwrap_or(1);
    match said("recompute-method") {
        Some("block") => {
            let all = number("num-layers")?.map(|all| all.div_ceil(stages.max(1)));
            let most = layers.and_then(|layers| layers.iter().copied().max()).or(all);
            match (count, most) {
                (0, _) => Ok(Recompute::None),
                (count, Some(most)) if count >= most => Ok(Recompute::Full),
                _ => Err(not_read("--recompute-method", format!("`block` of {count} layers of each stage"))),
            }
        }
        _ if count > 1 => Err(not_read("--recompute-num-layers", format!("{count} layers together"))),
        _ => Ok(Recompute::Full),
    }
}

/// Arguments that Megatron-FSDP wants beside it, and that change nothing of what is read without it.
pub(super) const OF_FSDP: &[&str] = &["--no-gradient-accumulation-fusion", "--overlap-grad-reduce"];

/// Arguments that say how a step runs.
const SETTINGS: &[&str] = &[
    "context-parallel-size",
    "data-parallel-sharding-strategy",
    "decoder-first-pipeline-num-layers",
    "decoder-last-pipeline-num-layers",
    "expert-model-parallel-size",
    "expert-tensor-parallel-size",
    "global-batch-size",
    "micro-batch-size",
    "num-layers-per-virtual-pipeline-stage",
    "num-virtual-stages-per-pipeline-rank",
    "pipeline-model-parallel-layout",
    "pipeline-model-parallel-size",
    "recompute-activations",
    "recompute-granularity",
    "recompute-method",
    "recompute-num-layers",
    "seq-length",
    "sequence-parallel",
    "tensor-model-parallel-size",
    "torch-fsdp2-no-reshard-after-forward",
    "use-distributed-optimizer",
    "use-megatron-fsdp",
    "use-torch-fsdp2",
];

/// Settings of a script with the arguments of a framework.
pub(super) fn settings_as(dialect: &Dialect, text: &str) -> BTreeMap<String, String> {
    let found = Launch::of(text).and_then(|launch| Arguments::of(dialect, &launch)).unwrap_or_default();
    let named = found.into_iter().map(|(name, value)| (format!("--{name}"), value));
    let is_of_step = |name: &str, value: &str| match &name[2..] {
        "ckpt-format" => value == "fsdp_dtensor",
        own => SETTINGS.contains(&own) || OF_FSDP.contains(&name),
    };
    named
        .filter(|(name, value)| is_of_step(name, value))
        .filter(|(name, value)| !(name.ends_with("-size") && name.contains("parallel") && value == "1"))
        .collect()
}

/// Arguments that state sizes of the model.
const SIZES: &[(ModelSize, &str)] = &[
    (ModelSize::Layers, "num-layers"),
    (ModelSize::Width, "hidden-size"),
    (ModelSize::Inner, "ffn-hidden-size"),
    (ModelSize::Heads, "num-attention-heads"),
    (ModelSize::HeadDim, "kv-channels"),
    (ModelSize::Vocabulary, "vocab-size"),
    (ModelSize::Experts, "num-experts"),
    (ModelSize::Chosen, "moe-router-topk"),
    (ModelSize::ExpertInner, "moe-ffn-hidden-size"),
];

/// The sizes that are stated: with a hidden size also what is meant by an argument that is left out.
fn sizes(arguments: &Arguments) -> Vec<StatedSize> {
    let stated = |size: ModelSize, name: &str| {
        let value = arguments.get(name)?;
        Some(StatedSize { size, number: value.parse().ok()?, said: format!("--{name} {value}") })
    };
    let is_grouped = arguments.has("group-query-attention");
    let mut found: Vec<StatedSize> = SIZES.iter().filter_map(|(size, name)| stated(*size, name)).collect();
    found.extend(match is_grouped {
        true => stated(ModelSize::KeyHeads, "num-query-groups"),
        false => stated(ModelSize::KeyHeads, "num-attention-heads").map(|heads| StatedSize {
            said: format!("{} without --group-query-attention", heads.said),
            ..heads
        }),
    });
    if arguments.has("hidden-size") {
        let flag = "untie-embeddings-and-output-weights";
        let is_untied = arguments.has(flag);
        let said = if is_untied { format!("--{flag}") } else { format!("no --{flag}") };
        found.push(StatedSize { size: ModelSize::Tied, number: usize::from(!is_untied), said });
    }
    found
}

#[cfg(test)]
mod tests;
