//! Megatron-LM: a script with the arguments of `pretrain_gpt.py`.
//!
//! ZeRO-1 is its distributed optimizer; stages 2 and 3 are Megatron-FSDP. Sequence parallelism is over all devices of
//! tensor parallelism or none. Sources: `megatron/training/arguments.py`, `core/transformer/transformer_config.py` at
//! core_v0.15.0.

use super::{Target, shell};
use crate::File;
use crate::fit::{Fit, Sequence, Stages};
use crate::job::{Job, Kind, Precision, Recompute};
use crate::model::{Model, Scaling};
use meshwright_models::blocks::activation::Activation;

pub(super) const TARGET: Target = Target {
    name: "megatron-lm",
    title: "Megatron-LM",
    version: "core_v0.15.0",
    form: "launch.sh",
    fit,
    write,
};

/// Ranks, outermost first: `tp-cp-ep-dp-pp` as Megatron writes it, innermost first.
pub(super) const RANKS: [Kind; 5] = [Kind::Pipeline, Kind::Data, Kind::Expert, Kind::Context, Kind::Tensor];

fn fit(fit: &mut Fit) {
    let stages: &[usize] = if fit.job.degrees.pp == 1 { &[0, 1, 2, 3] } else { &[0, 1] };
    fit.zero(stages);
    fit.whole_fsdp();
    fit.optimizer(&["adamw"]);
    core(fit, Stages::AsAsked);
}

/// What all frameworks on Megatron's core have in common.
pub(super) fn core(fit: &mut Fit, stages: Stages) {
    fit.sequence(Sequence::AsAsked);
    fit.zero_over_context();
    fit.ranks(&RANKS);
    let degrees = fit.job.degrees;
    if degrees.cp > 1 {
        fit.divides("the length of a sequence", fit.job.sequence, 2 * degrees.cp);
    }
    let Some(model) = fit.sizes() else { return };
    fit.divides(&format!("tp={}: the number of heads", degrees.tp), model.heads, degrees.tp);
    fit.divides(
        &format!("tp={}: the number of heads of keys and values", degrees.tp),
        model.key_heads,
        degrees.tp,
    );
    fit.divides(&format!("tp={}: the inner width", degrees.tp), model.inner, degrees.tp);
    fit.stages(stages);
    let experts = model.experts.map(|experts| experts.count);
    match experts {
        Some(count) => fit.divides("the number of experts", count, degrees.ep),
        None if degrees.ep > 1 => fit.cannot("ep > 1: the model has no experts"),
        None => {}
    }
    if let Err(reason) = has_form(&model) {
        fit.cannot(reason);
    }
}

/// Whether the model of Megatron has this form.
fn has_form(model: &Model) -> Result<(), String> {
    let llama31 = |low: f64, high: f64, original: usize| low == 1.0 && high == 4.0 && original == 8192;
    match &model.rotary.scaling {
        Scaling::None => {}
        Scaling::Llama3 { low, high, original, .. } if llama31(*low, *high, *original) => {}
        _ => return Err("rotary positions that are stretched otherwise than those of Llama 3.1".to_owned()),
    }
    match () {
        () if model.activation != Activation::Silu => {
            Err("feed-forward layers that are not SwiGLU".to_owned())
        }
        () if model.window.is_some() => Err("a window, which is not written".to_owned()),
        () if model.rotary.theta.fract() != 0.0 => {
            Err("a base of rotary positions that is no whole number".to_owned())
        }
        () => Ok(()),
    }
}

fn write(job: &Job) -> Vec<File> {
    let Some(model) = &job.model else { return Vec::new() };
    let mut options = parallel(job);
    let zero = job.degrees.zero;
    if zero >= 2 {
        let sharded = if zero == 3 { "optim_grads_params" } else { "optim_grads" };
        options.extend(named(&[
            ("use-megatron-fsdp", ""),
            ("data-parallel-sharding-strategy", sharded),
            ("ckpt-format", "fsdp_dtensor"),
            ("no-gradient-accumulation-fusion", ""),
        ]));
    }
    options.extend(batch(job));
    options.extend(sizes(job, model));
    options.extend(named(&[
        ("transformer-impl", "transformer_engine"),
        ("tokenizer-type", "HuggingFaceTokenizer"),
        ("tokenizer-model", "\"${TOKENIZER:?folder or name of the tokenizer}\""),
        ("data-path", "\"${DATA:?prefix of the data}\""),
        ("train-iters", "\"${STEPS:?number of steps}\""),
        ("lr", "\"${LEARNING_RATE:?learning rate}\""),
    ]));
    let connections = if zero >= 2 { "" } else { "export CUDA_DEVICE_MAX_CONNECTIONS=1" };
    let program = format!(
        "\"${{MEGATRON:?folder of Megatron-LM}}/pretrain_gpt.py\" \\\n{} \"$@\"",
        shell::options(&options)
    );
    let text = padded(job, model) + &shell::torchrun(job, connections, &program);
    vec![File::new("launch.sh", shell::script(&TARGET, job, &text))]
}

/// Says how a vocabulary is padded.
pub(super) fn padded(job: &Job, model: &Model) -> String {
    let (size, tp) = (model.vocabulary, job.degrees.tp);
    match size % tp {
        0 => String::new(),
        _ => format!(
            "# The vocabulary of {size} is padded to {}, a multiple of tp={tp}.\n",
            size.next_multiple_of(tp)
        ),
    }
}

/// Options of fixed text.
pub(super) fn named(options: &[(&str, &str)]) -> Vec<(String, String)> {
    options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn counts(options: &[(&str, usize)]) -> Vec<(String, String)> {
    options.iter().map(|(name, count)| ((*name).to_owned(), count.to_string())).collect()
}

/// Layers of each stage where they differ, in Megatron's letters: `Et*3|t*4|t*4|t*3L`.
pub(super) fn layout(job: &Job) -> Option<String> {
    let stages = job.stages.as_ref().filter(|stages| stages.iter().any(|own| *own != stages[0]))?;
    let last = stages.len() - 1;
    let stage = |(at, layers): (usize, &usize)| {
        let layers = if *layers == 0 { String::new() } else { format!("t*{layers}") };
        format!("{}{layers}{}", if at == 0 { "E" } else { "" }, if at == last { "L" } else { "" })
    };
    Some(stages.iter().enumerate().map(stage).collect::<Vec<_>>().join("|"))
}

/// Degrees, and what is made again.
pub(super) fn parallel(job: &Job) -> Vec<(String, String)> {
    let degrees = &job.degrees;
    let mut options = counts(&[
        ("tensor-model-parallel-size", degrees.tp),
        ("pipeline-model-parallel-size", degrees.pp),
        ("context-parallel-size", degrees.cp),
    ]);
    match layout(job) {
        Some(layout) => options.extend(named(&[("pipeline-model-parallel-layout", &format!("'{layout}'"))])),
        None if degrees.vp > 1 => {
            options.extend(counts(&[("num-virtual-stages-per-pipeline-rank", degrees.vp)]));
        }
        None => {}
    }
    if degrees.ep > 1 {
        options.extend(counts(&[
            ("expert-model-parallel-size", degrees.ep),
            ("expert-tensor-parallel-size", degrees.tp),
        ]));
    }
    if degrees.sp > 1 {
        options.extend(named(&[("sequence-parallel", "")]));
    }
    if degrees.zero >= 1 {
        options.extend(named(&[("use-distributed-optimizer", "")]));
    }
    match job.recompute {
        Recompute::None => {}
        Recompute::Selective => options.extend(named(&[("recompute-granularity", "selective")])),
        Recompute::Full => options.extend(named(&[
            ("recompute-granularity", "full"),
            ("recompute-method", "uniform"),
            ("recompute-num-layers", "1"),
        ])),
    }
    options
}

/// Batch and precision.
pub(super) fn batch(job: &Job) -> Vec<(String, String)> {
    let mut options = counts(&[
        ("micro-batch-size", job.microbatch_size()),
        ("global-batch-size", job.global_batch),
        ("seq-length", job.sequence),
    ]);
    if job.precision == Precision::Bf16 {
        options.extend(named(&[("bf16", "")]));
    }
    options
}

/// Sizes of the model.
pub(super) fn sizes(job: &Job, model: &Model) -> Vec<(String, String)> {
    let positions = model.positions.unwrap_or(job.sequence).max(job.sequence);
    let mut options = counts(&[
        ("num-layers", model.layers),
        ("hidden-size", model.width),
        ("ffn-hidden-size", model.inner),
        ("num-attention-heads", model.heads),
        ("kv-channels", model.head_dim),
        ("max-position-embeddings", positions),
        ("vocab-size", model.vocabulary),
        ("make-vocab-size-divisible-by", 1),
        ("rotary-base", model.rotary.theta as usize),
    ]);
    if model.key_heads != model.heads {
        options.extend(named(&[("group-query-attention", "")]));
        options.extend(counts(&[("num-query-groups", model.key_heads)]));
    }
    options.extend(named(&[
        ("position-embedding-type", "rope"),
        ("normalization", "RMSNorm"),
        ("norm-epsilon", &crate::document::number(model.epsilon)),
        ("swiglu", ""),
        ("disable-bias-linear", ""),
        ("attention-dropout", "0.0"),
        ("hidden-dropout", "0.0"),
    ]));
    let flags = [
        ("untie-embeddings-and-output-weights", !model.is_tied),
        ("add-qkv-bias", model.has_qkv_bias),
        ("qk-layernorm", model.has_head_norms),
    ];
    options.extend(flags.iter().filter(|(_, is_set)| *is_set).flat_map(|(name, _)| named(&[(name, "")])));
    if let Scaling::Llama3 { factor, .. } = model.rotary.scaling {
        options.extend(named(&[
            ("use-rope-scaling", ""),
            ("rope-scaling-factor", &crate::document::number(factor)),
        ]));
    }
    if let Some(experts) = model.experts {
        options.extend(counts(&[
            ("num-experts", experts.count),
            ("moe-router-topk", experts.chosen),
            ("moe-ffn-hidden-size", model.inner),
        ]));
        options.extend(named(&[
            ("moe-token-dispatcher-type", "alltoall"),
            ("moe-router-load-balancing-type", "none"),
        ]));
        if experts.is_softmax_first && !experts.is_normalized {
            options.extend(named(&[("moe-router-pre-softmax", "")]));
        }
        if job.precision == Precision::Bf16 {
            options.extend(named(&[("moe-grouped-gemm", "")]));
        }
    }
    options
}
