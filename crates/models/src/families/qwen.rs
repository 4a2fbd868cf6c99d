//! Qwen 2 and 3 (Qwen team): as Llama, with biases of queries, keys and values, or with norms of queries and keys; layers
//! may see a window. Those with experts are in the same file, as they differ in the feed-forward layers alone.

use super::common::{Common, Defaults, LLAMA, PARTLY_TURNED, PLAIN_MLP, ROPE_THETA, sights};
use super::{Architecture, Family};
use crate::blocks::attention::{Attention, Sight};
use crate::blocks::linear::{Bias, Linear};
use crate::blocks::moe::{ExpertWeights, Experts, Moe, shared};
use crate::blocks::norm::Norm;
use crate::blocks::rotary::Rotary;
use crate::blocks::router::{Router, Scores, Weighting};
use crate::decoder::Block;
use crate::fields::Fields;
use crate::known::Only;
use meshwright_ir::diagnostic::Diagnostic;

/// Fields of all of these that may have one value alone.
const ONLY: &[Only] = &[PARTLY_TURNED, PLAIN_MLP];

/// Fields of all of these without effect where layers have no windows.
const IDLE: &[&str] = &["max_window_layers", "sliding_window", "use_mrope"];

/// Qwen 2.
pub(super) const QWEN2: Family = Family {
    model_types: &["qwen2"],
    documented: "Qwen2Config",
    positions: Some(("max_position_embeddings", 32_768)),
    layer_classes: "Qwen2DecoderLayer",
    only: ONLY,
    idle: IDLE,
    read: read_qwen2,
};

/// Qwen 3.
pub(super) const QWEN3: Family = Family {
    model_types: &["qwen3"],
    documented: "Qwen3Config",
    positions: Some(("max_position_embeddings", 32_768)),
    layer_classes: "Qwen3DecoderLayer",
    only: ONLY,
    idle: IDLE,
    read: read_qwen3,
};

/// Qwen 2 with experts.
pub(super) const QWEN2_MOE: Family = Family {
    model_types: &["qwen2_moe"],
    documented: "Qwen2MoeConfig",
    positions: Some(("max_position_embeddings", 32_768)),
    layer_classes: "Qwen2MoeDecoderLayer",
    only: ONLY,
    idle: IDLE,
    read: read_qwen2_moe,
};

/// Qwen 3 with experts.
pub(super) const QWEN3_MOE: Family = Family {
    model_types: &["qwen3_moe"],
    documented: "Qwen3MoeConfig",
    positions: Some(("max_position_embeddings", 32_768)),
    layer_classes: "Qwen3MoeDecoderLayer",
    only: ONLY,
    idle: IDLE,
    read: read_qwen3_moe,
};

const DEFAULTS: Defaults = Defaults { vocabulary: 151_936, inner: 22_016, key_heads: Some(32), ..LLAMA };

fn read_qwen2(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let common = Common::read(fields, &DEFAULTS)?;
    dense(fields, length, &common, Bias::Added, NormsOfHeads::None)
}

fn read_qwen3(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let common = Common::read(fields, &Defaults { head_dim: Some(128), ..DEFAULTS })?;
    let bias = Bias::if_given(fields.flag("attention_bias", false)?);
    dense(fields, length, &common, bias, NormsOfHeads::Rms)
}

fn read_qwen2_moe(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let defaults =
        Defaults { width: 2048, inner: 5632, layers: 24, heads: 16, key_heads: Some(16), ..DEFAULTS };
    let common = Common::read(fields, &defaults)?;
    let bias = Bias::if_given(fields.flag("qkv_bias", true)?);
    let inner = fields.size("shared_expert_intermediate_size", 5632)?;
    let gate = Linear::new("shared_expert_gate", 1, Bias::None);
    let shared = (shared("shared_expert", common.width, inner, common.activation), Some(gate));
    let mut moe = moe(fields, &common, [60, 4, 1408])?;
    moe.shared = Some(shared);
    let is_windowed: IsWindowed = |layer, count| layer % 2 == 0 && layer < count;
    let attentions = attentions(fields, length, &common, bias, NormsOfHeads::None, is_windowed)?;
    mixed(fields, &common, attentions, moe)
}

fn read_qwen3_moe(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let defaults =
        Defaults { width: 2048, inner: 6144, layers: 24, heads: 32, key_heads: Some(4), ..DEFAULTS };
    let common = Common::read(fields, &defaults)?;
    let bias = Bias::if_given(fields.flag("attention_bias", false)?);
    let moe = moe(fields, &common, [128, 8, 768])?;
    let attentions = attentions(fields, length, &common, bias, NormsOfHeads::Rms, |_, _| true)?;
    mixed(fields, &common, attentions, moe)
}

/// Norms of the heads of queries and keys.
#[derive(Clone, Copy, PartialEq)]
enum NormsOfHeads {
    None,
    Rms,
}

/// Returns whether a layer sees a window, where windows are used and `max_window_layers` is so many.
type IsWindowed = fn(layer: usize, max_window_layers: usize) -> bool;

/// The attention of each layer.
fn attentions(
    fields: &mut Fields<'_>,
    length: usize,
    common: &Common,
    bias: Bias,
    norms: NormsOfHeads,
    is_windowed: IsWindowed,
) -> Result<Vec<Attention>, Diagnostic> {
    let has_windows = fields.flag("use_sliding_window", false)?;
    // Null is no window, and what is missing is that of the class.
    let window = match has_windows && !fields.is_null("sliding_window") {
        true => Some(fields.size("sliding_window", 4096)?),
        false => None,
    };
    let count = if has_windows { fields.count("max_window_layers", 28)? } else { 0 };
    let rotary = Rotary::read(fields, common.heads.dim, (ROPE_THETA, 10_000.0), length)?;
    let sights = sights(fields, common.layers, Sight::window(window, length), |layer| {
        has_windows && is_windowed(layer, count)
    })?;
    let attention = |sight: Sight| {
        let mut attention = common.attention(bias, rotary.clone(), sight);
        if norms == NormsOfHeads::Rms {
            attention.norms = Some(["q_norm", "k_norm"].map(|name| Norm::rms(name, common.epsilon)));
            attention.output.bias = bias;
        }
        attention
    };
    Ok(sights.into_iter().map(attention).collect())
}

fn dense(
    fields: &mut Fields<'_>,
    length: usize,
    common: &Common,
    bias: Bias,
    norms: NormsOfHeads,
) -> Result<Architecture, Diagnostic> {
    let attentions =
        attentions(fields, length, common, bias, norms, |layer, first| layer >= first)?.into_iter();
    let mlp = Block::Mlp(common.mlp(common.inner, Bias::None));
    let layers = attentions.map(|attention| common.layer(Block::Attention(attention), mlp.clone()));
    Ok(Architecture::Decoder(common.decoder(layers.collect())))
}

/// The experts; defaults are their number, how many are chosen, and their inner width.
fn moe(
    fields: &mut Fields<'_>,
    common: &Common,
    [count, chosen, inner]: [usize; 3],
) -> Result<Moe, Diagnostic> {
    let count = fields.size("num_experts", count)?;
    let chosen = super::chosen(fields, "num_experts_per_tok", chosen, count)?;
    let is_normalized = fields.flag("norm_topk_prob", false)?;
    Ok(Moe {
        name: "mlp".into(),
        router: Router {
            name: "gate".into(),
            count,
            chosen,
            scores: Scores::Softmax,
            bias: None,
            correction: None,
            groups: None,
            weights: if is_normalized { Weighting::Shares } else { Weighting::Scores },
            scale: 1.0,
        },
        experts: Experts {
            inner: fields.size("moe_intermediate_size", inner)?,
            activation: common.activation,
            weights: ExpertWeights::Each(["gate_proj", "up_proj", "down_proj"]),
        },
        shared: None,
    })
}

/// Layers of which some have experts.
fn mixed(
    fields: &mut Fields<'_>,
    common: &Common,
    attentions: Vec<Attention>,
    moe: Moe,
) -> Result<Architecture, Diagnostic> {
    let step = fields.size("decoder_sparse_step", 1)?;
    let dense = fields.numbers_if_given("mlp_only_layers")?.unwrap_or_default();
    if let Some(other) = dense.iter().find(|layer| !(0..common.layers).any(|own| own as f64 == **layer)) {
        let message =
            format!("`mlp_only_layers` has {other}, but the {} layers are counted from 0", common.layers);
        return Err(fields.fault("mlp_only_layers", message));
    }
    let layer = |(index, attention): (usize, Attention)| {
        let is_dense = dense.contains(&(index as f64)) || !(index + 1).is_multiple_of(step);
        let feed = match is_dense {
            true => Block::Mlp(common.mlp(common.inner, Bias::None)),
            false => Block::Moe(moe.clone()),
        };
        common.layer(Block::Attention(attention), feed)
    };
    Ok(Architecture::Decoder(common.decoder(attentions.into_iter().enumerate().map(layer).collect())))
}
