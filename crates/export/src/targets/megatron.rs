//! Megatron-LM: a script with the arguments of `pretrain_gpt.py`.
//!
//! ZeRO-1 is its distributed optimizer; stages 2 and 3 are Megatron-FSDP, which knows neither stages nor experts that are
//! shared. Sequence parallelism is over all devices of tensor parallelism or none. Sources: `megatron/training/arguments.py`,
//! `core/transformer/transformer_config.py`, `core/distributed/fsdp` at core_v0.15.0.

use super::{Target, shell};
use crate::File;
use crate::fit::{Fit, Sequence, Stages};
use crate::job::{Job, Kind, Precision, Recompute};
use crate::model::{Experts, Model, Scaling};
use meshwright_models::blocks::activation::Activation;
use meshwright_models::blocks::linear::Bias;
use meshwright_models::blocks::norm::NormForm;

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
    fit.pads_shards(&[1]);
    let degrees = &mut fit.job.degrees;
    if degrees.ep > 1 && degrees.pp == 1 && degrees.zero > 1 {
        let what =
            format!("zero={} with ep={}: its FSDP has no experts that are shared", degrees.zero, degrees.ep);
        (degrees.zero, degrees.fsdp) = (1, 1);
        fit.changed(what, "zero=1");
    }
    fit.zero(stages);
    fit.whole_fsdp();
    fit.optimizer(&["adamw"]);
    core(fit, Stages::AsAsked, Models::Described);
}

/// The schedules of most frameworks, by whether a group has several stages.
pub(super) const USUAL: &[&str] = &["1f1b", "interleaved-1f1b"];

/// Models that a framework on Megatron's core builds.
#[derive(Clone, Copy)]
pub(super) enum Models {
    /// Those of the form that most frameworks know.
    Plain,
    /// All whose sizes arguments say.
    Described,
    /// Those of the types of which this holds, by a class for each.
    OfTypes(&'static dyn Fn(&str) -> bool),
}

/// What all frameworks on Megatron's core have in common.
pub(super) fn core(fit: &mut Fit, stages: Stages, models: Models) {
    // `core/transformer/moe/moe_layer.py` trains experts under tensor parallelism in no other way.
    let has_experts = fit.job.model.as_ref().is_some_and(|model| model.experts.is_some());
    fit.sequence(if has_experts { Sequence::ForExperts } else { Sequence::AsAsked });
    fit.zero_over_experts();
    fit.zero_over_context();
    fit.ranks(&RANKS);
    fit.selective_keeps("all but what is between queries, keys and values and what attention makes of them");
    let degrees = fit.job.degrees;
    if degrees.cp > 1 && fit.job.precision == Precision::F32 {
        fit.job.precision = Precision::Bf16;
        fit.changed(
            format!(
                "cp={} in f32: no attention of its TransformerEngine shares tokens but in 16 bits",
                degrees.cp
            ),
            "numbers in bf16",
        );
    }
    let of_context = if degrees.cp > 1 { 2 * degrees.cp } else { 1 };
    let of_sequence = if fit.job.degrees.sp > 1 { degrees.tp } else { 1 };
    fit.divides("the length of a sequence", fit.job.sequence, of_context * of_sequence);
    let has_sinks = fit.job.model.as_ref().is_some_and(|model| model.extras.has_sinks);
    if has_sinks && matches!(models, Models::Described) {
        let is_yarn =
            fit.job.model.as_ref().is_some_and(|model| matches!(model.rotary.scaling, Scaling::Yarn { .. }));
        fit.cannot(match is_yarn {
            true => "rotary positions that YaRN stretches outside of latent attention: no argument says them",
            false => "scores with sinks and experts with biases, which are not written",
        });
        return;
    }
    let model = match models {
        Models::Plain => fit.sizes(),
        Models::Described => fit.described_sizes(),
        Models::OfTypes(_) => fit.all_sizes(),
    };
    let Some(model) = model else { return };
    fit.divides(&format!("tp={}: the number of heads", degrees.tp), model.heads, degrees.tp);
    fit.divides(
        &format!("tp={}: the number of heads of keys and values", degrees.tp),
        model.key_heads,
        degrees.tp,
    );
    fit.divides(&format!("tp={}: the inner width", degrees.tp), model.inner, degrees.tp);
    fit.stages(stages);
    fit.schedule(USUAL);
    if let Some(experts) = model.experts {
        fit.divides(&format!("tp={}: the inner width of an expert", degrees.tp), experts.inner, degrees.tp);
        if let Some(shared) = experts.shared {
            fit.divides(&format!("tp={}: the inner width of shared experts", degrees.tp), shared, degrees.tp);
        }
    }
    let experts = model.experts.map(|experts| experts.count);
    match experts {
        Some(count) => fit.divides("the number of experts", count, degrees.ep),
        None if degrees.ep > 1 => fit.cannot("ep > 1: the model has no experts"),
        None => {}
    }
    let reads_windows = model.window.is_none() && model.described.is_ok();
    if degrees.cp > 1 && !reads_windows {
        fit.cannot(format!("cp={} with windows, or scores that are capped or have sinks", degrees.cp));
    }
    let built = match models {
        Models::OfTypes(is_known) if !is_known(&model.model_type) => {
            Err(format!("it builds no models of type `{}`", model.model_type))
        }
        Models::OfTypes(_) if model.plain.is_err() => Ok(()),
        Models::Plain if model.window.is_some() => Err("a window, which is not written".to_owned()),
        _ => has_form(&model, fit.job.sequence),
    };
    if let Err(reason) = built {
        fit.cannot(reason);
    }
}

/// Whether the model of Megatron has this form.
fn has_form(model: &Model, sequence: usize) -> Result<(), String> {
    let no = |what: &str| Err(what.to_owned());
    let llama31 = |low: f64, high: f64, original: usize| low == 1.0 && high == 4.0 && original == 8192;
    // What YaRN is without arguments for it.
    let is_yarn = |original: Option<usize>, turns: [f64; 2], scales: [Option<f64>; 2]| {
        let are_both = scales.iter().all(|scale| scale.is_some_and(|scale| scale != 0.0));
        original == Some(4096) && turns == [32.0, 1.0] && (are_both || scales == [None, None])
    };
    match &model.rotary.scaling {
        Scaling::None => {}
        Scaling::Llama3 { low, high, original, .. }
            if model.latent.is_none() && llama31(*low, *high, *original) => {}
        Scaling::Yarn { original, turns, scales, .. }
            if model.latent.is_some() && is_yarn(*original, *turns, *scales) => {}
        _ if model.latent.is_some() => {
            return no("rotary positions that are stretched otherwise than by YaRN from 4096 positions");
        }
        _ => return no("rotary positions that are stretched otherwise than those of Llama 3.1"),
    }
    if let Some(experts) = &model.experts {
        routes(experts)?;
    }
    match () {
        () if model.norm == NormForm::Layer(Bias::None) => no("norms without biases"),
        () if !has_function(model) => no(match model.is_gated {
            true => "feed-forward layers that are not SwiGLU",
            false => "a function in its feed-forward layers that is not written",
        }),
        () if model.learned_positions.is_some_and(|rows| rows < sequence) => {
            no("sequences that are longer than the table of positions")
        }
        () if model.rotary.theta.fract() != 0.0 => no("a base of rotary positions that is no whole number"),
        () => Ok(()),
    }
}

/// SwiGLU, GELU or the square of ReLU; biases are fused with the approximation of GELU, and without them there is none.
fn has_function(model: &Model) -> bool {
    match (model.is_gated, model.activation) {
        (true, activation) => activation == Activation::Silu,
        (false, Activation::GeluTanh) => model.has_biases,
        (false, Activation::Gelu | Activation::ReluSquared) => true,
        (false, _) => false,
    }
}

/// Whether Megatron's router gives such shares.
fn routes(experts: &Experts) -> Result<(), String> {
    let Experts { chosen, is_softmax_first, is_sigmoid, is_normalized, .. } = *experts;
    let no = |what: &str| Err(what.to_owned());
    let is_first = is_softmax_first && !is_normalized;
    match () {
        () if is_sigmoid && (!is_normalized || chosen == 1) => {
            no("sigmoids of experts that do not sum up to one")
        }
        () if !is_sigmoid && !is_first && chosen == 1 => no("one expert with the whole share"),
        () if experts.is_corrected && !is_sigmoid => {
            no("a correction of experts that are not chosen by sigmoids")
        }
        () if experts
            .groups
            .is_some_and(|[_, kept, best]| !chosen.is_multiple_of(kept) || best != chosen / kept) =>
        {
            no("groups of experts that are chosen by other scores than its own")
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
    if zero == 2 {
        // It scatters gradients while the others are made, or not at all; ZeRO-3 turns that on itself.
        options.extend(named(&[("overlap-grad-reduce", "")]));
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
    // Megatron-FSDP does not start with one connection, tensor parallelism by itself with no more.
    let connections = match zero {
        2.. => "unset CUDA_DEVICE_MAX_CONNECTIONS",
        _ => "export CUDA_DEVICE_MAX_CONNECTIONS=1",
    };
    let program = format!(
        "\"${{MEGATRON:?folder of Megatron-LM}}/pretrain_gpt.py\" \\\n{} \"$@\"",
        shell::options(&options)
    );
    let text = padded(job, model) + &shell::torchrun(job, connections, &program);
    vec![File::new("launch.sh", shell::script(&TARGET, job, &text))]
}

/// The rows of a vocabulary, as `tp` shares them. Megatron pads that of the tokenizer, whatever size is said, to a multiple of
/// these (`megatron/training/tokenizer/tokenizer.py`): so many it has of any tokenizer that is no larger.
fn padded_vocabulary(job: &Job, model: &Model) -> usize {
    model.vocabulary.next_multiple_of(job.degrees.tp)
}

/// The rows on each of the devices of `tp`, of which Megatron makes the multiple.
pub(super) fn rows_of_vocabulary(job: &Job, model: &Model) -> usize {
    padded_vocabulary(job, model) / job.degrees.tp
}

/// The type that the program's router computes in.
pub(super) const ROUTER_DTYPE: &str = "fp32";

/// Says how a vocabulary is padded.
pub(super) fn padded(job: &Job, model: &Model) -> String {
    let (size, tp) = (model.vocabulary, job.degrees.tp);
    match size % tp {
        0 => String::new(),
        _ => {
            let padded = padded_vocabulary(job, model);
            format!("# The vocabulary of {size} is padded to {padded}, a multiple of tp={tp}.\n")
        }
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
    let positions =
        model.learned_positions.unwrap_or(model.positions.unwrap_or(job.sequence).max(job.sequence));
    let mut options = counts(&[
        ("num-layers", model.layers),
        ("hidden-size", model.width),
        ("ffn-hidden-size", model.inner),
        ("num-attention-heads", model.heads),
        ("kv-channels", model.head_dim),
        ("max-position-embeddings", positions),
        ("vocab-size", model.vocabulary),
        ("make-vocab-size-divisible-by", rows_of_vocabulary(job, model)),
    ]);
    options.extend(turned(model));
    if model.key_heads != model.heads {
        options.extend(named(&[("group-query-attention", "")]));
        options.extend(counts(&[("num-query-groups", model.key_heads)]));
    }
    options.extend(latent(model));
    options.extend(named(&[
        (
            "position-embedding-type",
            if model.learned_positions.is_some() { "learned_absolute" } else { "rope" },
        ),
        ("normalization", if model.norm == NormForm::Rms { "RMSNorm" } else { "LayerNorm" }),
        ("norm-epsilon", &crate::document::number(model.epsilon)),
    ]));
    // Biases are fused with the approximation of GELU alone, and without them with nothing.
    let function: &[&str] = match (model.is_gated, model.activation) {
        (true, _) => &["swiglu"],
        (false, Activation::ReluSquared) if model.has_biases => &["squared-relu", "no-bias-gelu-fusion"],
        (false, Activation::ReluSquared) => &["squared-relu"],
        (false, Activation::Gelu) => &["no-bias-gelu-fusion"],
        (false, _) => &[],
    };
    options.extend(function.iter().flat_map(|name| named(&[(*name, "")])));
    if !model.has_biases {
        options.extend(named(&[("disable-bias-linear", "")]));
    }
    options.extend(named(&[("attention-dropout", "0.0"), ("hidden-dropout", "0.0")]));
    let flags = [
        ("untie-embeddings-and-output-weights", !model.is_tied),
        ("add-qkv-bias", model.has_qkv_bias && !model.has_biases),
        ("qk-layernorm", model.has_head_norms || model.latent.is_some()),
    ];
    options.extend(flags.iter().filter(|(_, is_set)| *is_set).flat_map(|(name, _)| named(&[(name, "")])));
    if let Scaling::Llama3 { factor, .. } = model.rotary.scaling {
        options.extend(named(&[
            ("use-rope-scaling", ""),
            ("rope-scaling-factor", &crate::document::number(factor)),
        ]));
    }
    if let Some(window) = model.window {
        // A token, and those before it.
        options.extend(named(&[("window-size", &format!("{},0", window.saturating_sub(1)))]));
        if !model.windowed.is_empty() {
            options.extend(named(&[("window-attn-skip-freq", &pattern(&model.windowed))]));
        }
    }
    if let Some(experts) = &model.experts {
        options.extend(mixture(job, model, experts));
    }
    options
}

/// Rotary positions.
fn turned(model: &Model) -> Vec<(String, String)> {
    if model.learned_positions.is_some() {
        return Vec::new();
    }
    let mut options = counts(&[("rotary-base", model.rotary.theta as usize)]);
    if model.rotary.share != 1.0 {
        options.extend(named(&[("rotary-percent", &crate::document::number(model.rotary.share))]));
    }
    options
}

/// Sizes of a latent attention.
fn latent(model: &Model) -> Vec<(String, String)> {
    let Some(sizes) = &model.latent else { return Vec::new() };
    let mut options = named(&[("multi-latent-attention", "")]);
    options.extend(sizes.query_rank.into_iter().flat_map(|rank| counts(&[("q-lora-rank", rank)])));
    options.extend(counts(&[
        ("kv-lora-rank", sizes.rank),
        ("qk-head-dim", sizes.plain_dim),
        ("qk-pos-emb-head-dim", sizes.rotary_dim),
        ("v-head-dim", sizes.value_dim),
    ]));
    match model.rotary.scaling {
        Scaling::Yarn { factor, scales: [own, all], .. } => options.extend(named(&[
            ("rope-type", "yarn"),
            ("rotary-scaling-factor", &crate::document::number(factor)),
            ("mscale", &crate::document::number(own.unwrap_or(1.0))),
            ("mscale-all-dim", &crate::document::number(all.unwrap_or(0.0))),
        ])),
        _ => options.extend(named(&[("rope-type", "rope")])),
    }
    options.extend(named(&[("no-rope-fusion", "")]));
    options
}

/// Experts, and which layers have them.
fn mixture(job: &Job, model: &Model, experts: &Experts) -> Vec<(String, String)> {
    let mut options = counts(&[
        ("num-experts", experts.count),
        ("moe-router-topk", experts.chosen),
        ("moe-ffn-hidden-size", experts.inner),
    ]);
    if !model.sparse.is_empty() {
        options.extend(named(&[("moe-layer-freq", &pattern(&model.sparse))]));
    }
    options.extend(named(&[
        ("moe-token-dispatcher-type", "alltoall"),
        ("moe-router-load-balancing-type", "none"),
        ("moe-router-dtype", ROUTER_DTYPE),
    ]));
    if let Some(shared) = experts.shared {
        options.extend(counts(&[("moe-shared-expert-intermediate-size", shared)]));
    }
    if let Some([count, kept, _]) = experts.groups {
        options.extend(counts(&[("moe-router-num-groups", count), ("moe-router-group-topk", kept)]));
    }
    if experts.is_sigmoid {
        options.extend(named(&[("moe-router-score-function", "sigmoid")]));
    }
    let flags = [
        ("moe-router-pre-softmax", experts.is_softmax_first && !experts.is_normalized),
        ("moe-router-enable-expert-bias", experts.is_corrected),
        ("moe-grouped-gemm", job.precision == Precision::Bf16),
    ];
    options.extend(flags.iter().filter(|(_, is_set)| *is_set).flat_map(|(name, _)| named(&[(name, "")])));
    if experts.scale != 1.0 {
        options.extend(named(&[("moe-router-topk-scaling-factor", &crate::document::number(experts.scale))]));
    }
    options
}

/// Layers of which something holds, as Megatron evaluates it: `'[0]*3+[1]*58'`.
fn pattern(layers: &[bool]) -> String {
    let runs: Vec<String> = layers
        .chunk_by(|one, next| one == next)
        .map(|run| format!("[{}]*{}", u8::from(run[0]), run.len()))
        .collect();
    format!("'{}'", runs.join("+"))
}
