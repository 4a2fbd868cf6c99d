//! MaxText: `config.yml`, which overrides its `base.yml`. Axes lie within hosts (`ici_*`) or across them (`dcn_*`); on TPUs
//! all lie within a slice. Sizes are written whole, for a block of layers; blocks that ask for the name of a model get the one
//! that does what this model does. Sources: `src/maxtext/configs/base.yml`, `configs/types.py`, `configs/pyconfig.py`,
//! `common/common_types.py`, `layers/{attentions,attention_mla,decoders,embeddings,moe}.py`, `models` at 0.2.4.

use super::{Target, head, shell};
use crate::File;
use crate::document::{Value, map};
use crate::fit::{Fit, Sequence};
use crate::job::{Degrees, Job, Kind, Precision, Recompute};
use crate::model::{Clamped, Extras, Model, Scaling};
use meshwright_models::blocks::activation::Activation;
use meshwright_models::blocks::linear::Bias;
use meshwright_models::blocks::norm::NormForm;

pub(super) const TARGET: Target =
    Target { name: "maxtext", title: "MaxText", version: "0.2.4", form: "config.yml, launch.sh", fit, write };

fn fit(fit: &mut Fit) {
    fit.without(Kind::Pipeline);
    fit.sequence(Sequence::AsAsked);
    fit.zero(&[0, 1, 3]);
    embedded(fit);
    fit.ranks(&[Kind::Data, Kind::Context, Kind::Tensor, Kind::Expert]);
    // Its policies make at least what is cheap again.
    fit.recompute(&[Recompute::Selective, Recompute::Full]);
    fit.optimizer(&["adamw"]);
    if fit.job.axes.iter().any(|axis| axis.size > 1) && lie(&fit.job).is_none() {
        fit.cannot("an axis crosses hosts unevenly");
    }
    let degrees = fit.job.degrees;
    if degrees.cp > 1 {
        // It gives each device an early and a late part of a sequence.
        if !degrees.cp.is_multiple_of(2) {
            fit.cannot(format!("cp={}: it shares tokens over an even number of devices", degrees.cp));
        }
        let parts = 2 * degrees.cp;
        fit.divides(&format!("cp={}: the length of a sequence", degrees.cp), fit.job.sequence, parts);
    }
    let Some(model) = fit.said_sizes() else { return };
    for (what, size) in model.tensor_dims() {
        fit.divides(&format!("tp={}: the number of {what}", degrees.tp), size, degrees.tp);
    }
    if let Some(experts) = &model.experts {
        fit.divides("the number of experts", experts.count, degrees.ep);
        fit.divides(&format!("tp={}: the inner width of an expert", degrees.tp), experts.inner, degrees.tp);
    } else if degrees.ep > 1 {
        fit.cannot("ep > 1: the model has no experts");
    }
    let shards = width_shards(&degrees);
    fit.divides(
        &format!("{shards} shards of it: the width of the model, which is not padded,"),
        model.width,
        shards,
    );
    match block(&model) {
        Ok(block) if block.is_windowed() && degrees.cp > 1 => {
            fit.cannot(format!("cp={} with layers that see a window", degrees.cp));
        }
        Ok(_) => {}
        Err(reason) => fit.cannot(reason),
    }
}

/// Devices over which the width of the model is sharded in parameters.
fn width_shards(degrees: &Degrees) -> usize {
    let [_, of_batch] = super::hybrid(degrees);
    degrees.cp * if degrees.zero == 3 { of_batch } else { 1 }
}

/// The width of the model is sharded over `fsdp`, `context` and `expert` in parameters, always: so its rules of axes have it
/// (`logical_axis_rules`, `embed`).
fn embedded(fit: &mut Fit) {
    let Degrees { dp, ep, cp, zero, .. } = fit.job.degrees;
    if ep > 1 && zero < 3 {
        fit.job.degrees.zero = 3;
        fit.job.degrees.fsdp = dp * ep;
        fit.changed(
            format!("zero={zero} with ep={ep}: parameters are sharded over the devices of ep, always"),
            format!("fsdp={},zero=3", dp * ep),
        );
    }
    fit.zero_over_experts();
    match fit.job.degrees.zero {
        3 => fit.zero_over_context(),
        zero if cp > 1 => fit.changed_beside(
            format!("zero={zero} with cp={cp}: parameters are sharded over the devices of cp, always"),
            format!("parameters over {cp} devices"),
        ),
        _ => {}
    }
}

/// A block of layers, in MaxText's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Block {
    Llama2,
    Qwen2,
    Qwen3,
    Mixtral,
    Qwen3Moe,
    /// One that asks for no name of a model.
    Deepseek2,
    /// The same by the name of a model whose experts are chosen with a correction, or by groups.
    Deepseek3,
    Gpt3,
    Gemma,
    /// Two layers in one, of which the first sees a window.
    Gemma2,
    /// Its scores are scaled by the elements of a head.
    Gemma3,
    /// By the width of the model for each head.
    Gemma3Wide,
    /// Two layers in one, of which the first sees a window.
    GptOss,
}

impl Block {
    fn name(self) -> &'static str {
        match self {
            Self::Llama2 => "llama2",
            Self::Qwen2 => "qwen2",
            Self::Qwen3 => "qwen3",
            Self::Mixtral => "mixtral",
            Self::Qwen3Moe => "qwen3_moe",
            Self::Deepseek2 | Self::Deepseek3 => "deepseek",
            Self::Gpt3 => "gpt3",
            Self::Gemma => "gemma",
            Self::Gemma2 => "gemma2",
            Self::Gemma3 | Self::Gemma3Wide => "gemma3",
            Self::GptOss => "gpt_oss",
        }
    }

    /// The name of a model that is asked for, whose sizes are overridden.
    fn model_name(self) -> Option<&'static str> {
        match self {
            Self::Deepseek3 => Some("deepseek3-671b"),
            Self::Gemma3 => Some("gemma3-4b"),
            Self::Gemma3Wide => Some("gemma3-27b"),
            _ => None,
        }
    }

    fn is_gemma(self) -> bool {
        matches!(self, Self::Gemma | Self::Gemma2 | Self::Gemma3 | Self::Gemma3Wide)
    }

    fn is_windowed(self) -> bool {
        matches!(self, Self::Gemma2 | Self::Gemma3 | Self::Gemma3Wide | Self::GptOss)
    }
}

/// The decoder block of this form.
fn block(model: &Model) -> Result<Block, String> {
    let refused = |what: &str| Err(format!("none of the blocks that are written has {what}"));
    match model.norm {
        _ if model.rotary.theta.fract() != 0.0 => {
            return refused("a base of rotary positions that is no whole number");
        }
        NormForm::RmsPlusOne => return gemma(model),
        NormForm::Layer(_) => return gpt3(model),
        NormForm::Rms => {}
    }
    if model.extras.has_sinks {
        return gpt_oss(model);
    }
    model.extras.none()?;
    match &model.experts {
        _ if model.learned_positions.is_some() => {
            refused("learned positions, but no norms by mean and variance")
        }
        _ if model.rotary.share != 1.0 => refused("rotary positions in a part of a head"),
        _ if model.has_biases => refused("biases in its products, but no norms by mean and variance"),
        _ if !model.is_gated => refused("feed-forward layers without a gate"),
        _ if model.window.is_some() => refused("a window in all layers"),
        _ if model.activation != Activation::Silu => refused("such a function in its feed-forward layers"),
        _ if model.latent.is_some() => deepseek(model),
        _ if !is_stretched(&model.rotary.scaling) => refused("rotary positions that are stretched so"),
        _ if model.has_head_norms && model.has_qkv_bias => refused("norms of heads and biases"),
        Some(_) if model.num_dense_layers() != Some(0) => {
            refused("experts in some layers, but no latent attention")
        }
        Some(experts) if !experts.sum_to_one() || experts.is_sigmoid => {
            refused("shares of experts that do not sum up to one, or sigmoids, but no latent attention")
        }
        Some(experts) if experts.groups.is_some() || experts.is_corrected || experts.shared.is_some() => {
            refused("shared experts, groups of them or corrections, but no latent attention")
        }
        Some(experts) if experts.scale != 1.0 => refused("shares of experts that are scaled"),
        Some(_) if model.has_qkv_bias => refused("biases and experts"),
        Some(_) if model.has_head_norms => Ok(Block::Qwen3Moe),
        Some(_) => Ok(Block::Mixtral),
        None if model.has_head_norms => Ok(Block::Qwen3),
        None if model.has_qkv_bias => Ok(Block::Qwen2),
        None => Ok(Block::Llama2),
    }
}

/// Whether rotary positions are stretched as in Llama 3.1, by its own numbers, or not at all.
fn is_stretched(scaling: &Scaling) -> bool {
    match scaling {
        Scaling::None => true,
        Scaling::Llama3 { factor, low, high, original } => {
            [*factor, *low, *high] == [8.0, 1.0, 4.0] && *original == 8192
        }
        _ => false,
    }
}

fn deepseek(model: &Model) -> Result<Block, String> {
    let refused = |what: &str| Err(format!("its deepseek has no {what}"));
    let Some(experts) = &model.experts else { return refused("model without experts") };
    let is_by_name = experts.groups.is_some() || experts.is_corrected;
    let is_stretched = match &model.rotary.scaling {
        Scaling::None => true,
        // It reads whole numbers, and scales scores by one number, and none of rotary positions.
        Scaling::Yarn { factor, turns, scales: [Some(own), Some(all)], original: Some(_), .. } => {
            [*factor, turns[0], turns[1]].iter().all(|number| number.fract() == 0.0)
                && own == all
                && *own != 0.0
        }
        _ => false,
    };
    match () {
        () if !is_stretched => refused("rotary positions that are stretched so"),
        () if model.num_dense_layers().is_none() => {
            refused("layers without experts behind such with experts")
        }
        () if experts.num_shared().is_none() => refused("shared experts of such a width"),
        () if experts.is_sigmoid != experts.sum_to_one() => {
            refused("shares that sum up to one without sigmoids, or that do not with them")
        }
        () if experts.groups.is_some_and(|[_, _, best]| best != 2) => {
            refused("groups of experts that are chosen by other scores than their best two")
        }
        () if is_by_name => Ok(Block::Deepseek3),
        () => Ok(Block::Deepseek2),
    }
}

fn gpt_oss(model: &Model) -> Result<Block, String> {
    let refused = |what: &str| Err(format!("its gpt_oss has no {what}"));
    let (Some(experts), Some(clamped)) = (&model.experts, model.extras.clamped) else {
        return refused("model without experts that have biases, and gates that are clamped");
    };
    Extras { has_sinks: false, clamped: None, ..model.extras.clone() }.none()?;
    // It reads whole numbers.
    let is_stretched = match model.rotary.scaling {
        Scaling::None => true,
        Scaling::Yarn { factor, original: Some(_), turns: [fast, slow], scales: [None, None], .. } => {
            [factor, fast, slow].iter().all(|number| number.fract() == 0.0)
        }
        _ => false,
    };
    match () {
        () if !is_stretched => refused("rotary positions that are stretched so"),
        () if !model.has_biases || !model.has_qkv_bias || model.has_head_norms => {
            refused("attention without biases, or with norms of heads")
        }
        () if clamped.alpha != Clamped::ALPHA => refused("gates with such a slope"),
        () if experts.shared.is_some() || experts.groups.is_some() || experts.is_corrected => {
            refused("shared experts, groups of them or corrections")
        }
        () if !experts.sum_to_one() || experts.is_sigmoid || experts.scale != 1.0 => {
            refused("shares of experts that do not sum up to one")
        }
        () if !model.has_windows_by_turns() || !model.layers.is_multiple_of(2) => {
            refused("windows but in every second layer, from the first on, or an odd number of layers")
        }
        () => Ok(Block::GptOss),
    }
}

fn gpt3(model: &Model) -> Result<Block, String> {
    let refused = |what: &str| Err(format!("its gpt3 has no {what}"));
    model.extras.none()?;
    match () {
        () if model.norm != NormForm::Layer(Bias::Added) => refused("norms without biases"),
        () if model.learned_positions.is_none() => refused("rotary positions"),
        () if model.is_gated || model.experts.is_some() => refused("gates or experts"),
        () if !model.has_biases || !model.has_qkv_bias => refused("products without biases"),
        () if model.activation != Activation::GeluTanh => {
            refused("such a function in its feed-forward layers")
        }
        () if model.heads != model.key_heads => refused("keys that heads share"),
        () if model.has_head_norms || model.window.is_some() => refused("norms of heads or windows"),
        () => Ok(Block::Gpt3),
    }
}

fn gemma(model: &Model) -> Result<Block, String> {
    let refused = |what: &str| Err(format!("its gemma has no {what}"));
    let Extras { embedding_scale, head_cap, score_cap, score_scale, has_norms_behind, .. } = model.extras;
    let root = (model.width as f64).sqrt();
    let by_width = ((model.width / model.heads) as f64).powf(-0.5);
    let is_turn = |every: usize, layers: &[bool]| {
        layers.iter().enumerate().all(|(at, is_local)| *is_local != (at + 1).is_multiple_of(every))
    };
    // A stretched base of all layers that see all is written only for blocks that have bases of two kinds.
    let is_linear = matches!(model.rotary.scaling, Scaling::None | Scaling::Linear { .. });
    match () {
        () if (embedding_scale - root).abs() > 1e-2 * root || !model.is_tied => {
            refused("embeddings that are scaled so, or not tied")
        }
        () if model.epsilon != 1e-6 => refused("norms with another epsilon than 1e-6"),
        () if model.activation != Activation::GeluTanh || !model.is_gated => {
            refused("such a function in its feed-forward layers")
        }
        () if model.has_qkv_bias || model.has_biases || model.experts.is_some() => {
            refused("biases or experts")
        }
        () if model.rotary.share != 1.0 || model.learned_positions.is_some() => {
            refused("positions but rotary ones of whole heads")
        }
        () if model.has_head_norms => match score_scale {
            _ if !has_norms_behind || head_cap.is_some() || score_cap.is_some() => {
                refused("norms of heads without norms behind parts, or with scores that are capped")
            }
            _ if !is_linear || !is_turn(6, &model.extras.local) => refused("rotary positions of such layers"),
            _ if model.window.is_some() && !is_turn(6, &model.windowed) => refused("windows in such layers"),
            None => Ok(Block::Gemma3),
            Some(own) if (own - by_width).abs() < 1e-9 => Ok(Block::Gemma3Wide),
            Some(_) => refused("scores that are scaled so"),
        },
        () if model.rotary.scaling != Scaling::None || !model.extras.local.is_empty() => {
            refused("rotary positions that are stretched so")
        }
        () if has_norms_behind && !model.layers.is_multiple_of(2) => refused("odd number of layers"),
        () if has_norms_behind && model.window.is_some() && !is_turn(2, &model.windowed) => {
            refused("windows in such layers")
        }
        () if has_norms_behind => Ok(Block::Gemma2),
        () if model.window.is_some() || head_cap.is_some() || score_cap.is_some() => {
            refused("windows or capped scores without norms behind parts")
        }
        () => Ok(Block::Gemma),
    }
}

/// MaxText's axis for an axis of the mesh; `before` are the devices along outer axes of the batch. Where parameters are
/// sharded over some of these devices only, the outer ones hold copies.
fn axis_name(kind: Kind, before: usize, job: &Job) -> &'static str {
    let [copies, _] = super::hybrid(&job.degrees);
    match kind {
        Kind::Data if job.degrees.zero == 3 && before >= copies => "fsdp",
        Kind::Data | Kind::Pipeline => "data",
        Kind::Context => "context",
        // The same, with tokens sharded between the products.
        Kind::Tensor if job.degrees.sp > 1 => "tensor_sequence",
        Kind::Tensor => "tensor",
        Kind::Expert => "expert",
    }
}

/// For each of MaxText's axes the devices within a host, and the hosts. None: an axis crosses hosts unevenly.
fn lie(job: &Job) -> Option<Vec<(&'static str, [usize; 2])>> {
    let per_host = if job.machine.starts_with("tpu") { job.num_devices() } else { job.devices_per_node };
    let mut found: Vec<(&str, [usize; 2])> = Vec::new();
    let mut within = per_host;
    for (index, axis) in job.axes.iter().enumerate().rev() {
        let outer = job.axes[..index].iter().filter(|other| other.kind == Kind::Data);
        let name = axis_name(axis.kind, outer.map(|other| other.size).product(), job);
        let inner = axis.size.min(within);
        if !axis.size.is_multiple_of(inner) || !within.is_multiple_of(inner) {
            return None;
        }
        within /= inner;
        match found.iter_mut().find(|(other, _)| *other == name) {
            Some((_, sizes)) => *sizes = [sizes[0] * inner, sizes[1] * (axis.size / inner)],
            None => found.push((name, [inner, axis.size / inner])),
        }
    }
    Some(found)
}

fn write(job: &Job) -> Vec<File> {
    let Some(model) = &job.model else { return Vec::new() };
    let text = format!(
        "{}# Run name, output, steps, learning rate, data and tokenizer are yours to add.\n{}",
        head(&TARGET, job),
        config(job, model).yaml()
    );
    let launch = "python3 -m maxtext.trainers.pre_train.train config.yml run_name=\"${RUN:?name of the run}\" \\\n  \
                  base_output_directory=\"${OUTPUT:?folder of the output}\" \"$@\"\n";
    vec![File::new("config.yml", text), File::new("launch.sh", shell::script(&TARGET, job, launch))]
}

fn config(job: &Job, model: &Model) -> Value {
    let degrees = &job.degrees;
    let per_device = job.microbatch_size() as f64 * degrees.replicas() as f64 / job.num_devices() as f64;
    let policy = if job.recompute == Recompute::Full { "full" } else { "minimal" };
    let hardware = if job.machine.starts_with("tpu") { "tpu" } else { "gpu" };
    let Ok(block) = block(model) else { return Value::List(Vec::new()) };
    let mut config = map([("base_config", "base.yml".into()), ("hardware", hardware.into())]);
    if let Some(name) = block.model_name() {
        config = config.with("model_name", name).with("override_model_config", true);
    }
    config = sizes(config, model, block);
    config = match block {
        Block::Deepseek2 | Block::Deepseek3 => latent(config, job, model),
        Block::GptOss => sinks(config, job, model),
        _ if block.is_windowed() => windows(config, job, model, block),
        _ => config,
    };
    if let Some(attention) = attention(job, model) {
        config = config.with("attention", attention);
        if attention == TRANSFORMER_ENGINE {
            // It takes several documents in a sequence only where keys and values go round in a ring.
            config = config.with("packing", false);
        }
    }
    config = config
        .with("dtype", if job.precision == Precision::Bf16 { "bfloat16" } else { "float32" })
        .with("weight_dtype", "float32")
        .with("max_target_length", job.sequence)
        .with("per_device_batch_size", per_device)
        .with("gradient_accumulation_steps", job.microbatches)
        .with("remat_policy", policy)
        .with("opt_type", "adamw")
        .with("shard_optimizer_over_data", degrees.zero == 1);
    let mut axes: Vec<(&str, [usize; 2])> =
        ["data", "fsdp", "context", "tensor", "tensor_sequence", "expert"]
            .map(|name| (name, [1, 1]))
            .to_vec();
    for (name, sizes) in lie(job).unwrap_or_default() {
        if let Some((_, own)) = axes.iter_mut().find(|(other, _)| *other == name) {
            *own = sizes;
        }
    }
    for (level, links) in ["ici", "dcn"].iter().enumerate() {
        for (name, sizes) in &axes {
            config = config.with(&format!("{links}_{name}_parallelism"), sizes[level]);
        }
    }
    config
}

/// Sizes of all models.
fn sizes(config: Value, model: &Model, block: Block) -> Value {
    // A layer of gemma2 is two.
    let layers = if block == Block::Gemma2 { model.layers / 2 } else { model.layers };
    let activations = match (model.is_gated, model.activation) {
        (true, Activation::Silu) if block == Block::GptOss => vec!["sigmoid", "linear"],
        (true, Activation::Silu) => vec!["silu", "linear"],
        (true, _) => vec!["gelu", "linear"],
        (false, _) => vec!["gelu"],
    };
    let mut config = config
        .with("decoder_block", block.name())
        .with("base_emb_dim", model.width)
        .with("base_num_query_heads", model.heads)
        .with("base_num_kv_heads", model.key_heads)
        .with("base_mlp_dim", model.inner)
        .with("base_num_decoder_layers", layers)
        .with("head_dim", model.head_dim)
        .with("mlp_activations", activations)
        .with("vocab_size", model.vocabulary)
        .with("logits_via_embedding", model.is_tied)
        // Embeddings that are scaled are kept so, and scores are divided by as much.
        .with("normalize_embedding_logits", block.is_gemma())
        .with("normalization_layer_epsilon", model.epsilon)
        .with("enable_dropout", false);
    match model.learned_positions {
        Some(rows) => config = config.with("trainable_position_size", rows),
        None => config = config.with("rope_max_timescale", model.rotary.theta as usize),
    }
    if matches!(block, Block::Llama2 | Block::Qwen2 | Block::Qwen3 | Block::Mixtral | Block::Qwen3Moe) {
        config = config.with("use_qk_norm", model.has_head_norms).with("attention_bias", model.has_qkv_bias);
    }
    if matches!(model.rotary.scaling, Scaling::Llama3 { .. }) {
        config = config.with("rope_type", "llama3.1");
    }
    if let Some(experts) = &model.experts {
        config = config
            .with("num_experts", experts.count)
            .with("num_experts_per_tok", experts.chosen)
            .with("base_moe_mlp_dim", experts.inner);
        if model.latent.is_none() {
            config = config.with("norm_topk_prob", experts.is_softmax_first && experts.is_normalized);
        }
    }
    config
}

/// Latent attention, and experts beside those that all tokens are sent to.
fn latent(config: Value, job: &Job, model: &Model) -> Value {
    let (Some(latent), Some(experts)) = (&model.latent, &model.experts) else { return config };
    let mut config = config
        .with("attention_type", "mla")
        .with("q_lora_rank", latent.query_rank.unwrap_or(0))
        .with("kv_lora_rank", latent.rank)
        .with("qk_nope_head_dim", latent.plain_dim)
        .with("qk_rope_head_dim", latent.rotary_dim)
        .with("v_head_dim", latent.value_dim)
        .with("first_num_dense_layers", model.num_dense_layers().unwrap_or(0))
        .with("shared_experts", experts.num_shared().unwrap_or(0))
        .with("routed_scaling_factor", experts.scale)
        .with("routed_score_func", if experts.is_sigmoid { "sigmoid" } else { "softmax" })
        .with("routed_bias", experts.is_corrected)
        .with("max_position_embeddings", model.positions.unwrap_or(job.sequence));
    if let Some([groups, kept, _]) = experts.groups {
        config = config.with("n_routing_groups", groups).with("topk_routing_group", kept);
    }
    match model.rotary.scaling {
        Scaling::Yarn { factor, original: Some(original), turns: [fast, slow], scales, .. } => config
            .with("rope_type", "yarn")
            .with("original_max_position_embeddings", original)
            .with("rope_factor", factor as usize)
            .with("beta_fast", fast as usize)
            .with("beta_slow", slow as usize)
            .with("mscale", scales[1].unwrap_or(1.0))
            .with("rope_interleave", true)
            .with("rope_truncate", true)
            .with("rope_attention_scaling", false),
        // Scores are scaled where there are more positions than before.
        _ => config
            .with("rope_type", "default")
            .with("original_max_position_embeddings", model.positions.unwrap_or(job.sequence)),
    }
}

/// The attention of GPUs that shares tokens, by TransformerEngine.
const TRANSFORMER_ENGINE: &str = "cudnn_flash_te";

/// Attention of GPUs, where the kernel that MaxText chooses by itself is not it: that one sees no windows, caps and sinks, and
/// masks parts of a sequence as if they lay in order (`layers/attention_op.py`).
fn attention(job: &Job, model: &Model) -> Option<&'static str> {
    let is_plain = model.window.is_none() && model.extras.score_cap.is_none() && !model.extras.has_sinks;
    match () {
        () if job.machine.starts_with("tpu") => None,
        () if !is_plain => Some("dot_product"),
        () if job.degrees.cp > 1 => Some(TRANSFORMER_ENGINE),
        () => None,
    }
}

/// Scores without values, experts with biases, and windows by turns. Its kernel for GPUs takes no such scores.
fn sinks(config: Value, job: &Job, model: &Model) -> Value {
    let limit = model.extras.clamped.map_or(0.0, |clamped| clamped.limit);
    let config = config
        .with("attention_bias", true)
        .with("attention_sink", true)
        .with("sliding_window_size", model.window.unwrap_or(job.sequence))
        .with("mlp_activations_limit", limit)
        .with("routed_bias", true)
        .with("mlp_bias", true)
        .with("inhomogeneous_layer_cycle_interval", 2)
        .with("max_position_embeddings", model.positions.unwrap_or(job.sequence));
    match model.rotary.scaling {
        Scaling::Yarn { factor, original: Some(original), turns: [fast, slow], is_truncated, .. } => config
            .with("rope_type", "yarn")
            .with("original_max_position_embeddings", original)
            .with("rope_factor", factor as usize)
            .with("beta_fast", fast as usize)
            .with("beta_slow", slow as usize)
            .with("rope_interleave", false)
            .with("rope_truncate", is_truncated)
            .with("rope_attention_scaling", true),
        _ => config.with("rope_type", "default"),
    }
}

/// Layers that see a window, and what they have beside it. A window of the whole sequence is none.
fn windows(config: Value, job: &Job, model: &Model, block: Block) -> Value {
    let extras = &model.extras;
    let mut config = config
        .with("sliding_window_size", model.window.unwrap_or(job.sequence))
        .with("use_post_attn_norm", true)
        .with("use_post_ffw_norm", true);
    if block == Block::Gemma2 {
        return config
            .with("attn_logits_soft_cap", extras.score_cap.unwrap_or(0.0))
            .with("final_logits_soft_cap", extras.head_cap.unwrap_or(0.0));
    }
    if let Some(theta) = extras.local_theta {
        config = config.with("local_rope_max_timescale", theta as usize);
    }
    match model.rotary.scaling {
        Scaling::Linear { factor } => config.with("rope_linear_scaling_factor", factor),
        _ => config.with("rope_linear_scaling_factor", 1.0),
    }
}
