//! Gemma 1 to 3 (Gemma team): embeddings scaled, norms by one more than a weight; from 2 on also norms behind each part,
//! capped scores and layers with windows, in 3 norms of queries and keys, and rotary positions by kind of layer.

use super::common::{ALIKE_LAYERS, Common, Defaults, LLAMA, PARTLY_TURNED, PLAIN_MLP, ROPE_THETA, sights};
use super::{Architecture, Family};
use crate::blocks::attention::{Attention, Scoring, Sight};
use crate::blocks::linear::Bias;
use crate::blocks::norm::NormForm;
use crate::blocks::rotary::Rotary;
use crate::decoder::{Block, Layer, Part};
use crate::fields::Fields;
use crate::known::{Literal, Only};
use meshwright_ir::diagnostic::Diagnostic;

/// Tokens see those before them alone.
const SEES_FORWARD: Only =
    Only::unset("use_bidirectional_attention", "tokens would see those behind them, too");

/// Gemma 1.
pub(super) const GEMMA: Family = Family {
    model_types: &["gemma"],
    documented: "GemmaConfig",
    positions: Some(("max_position_embeddings", 8192)),
    layer_classes: "GemmaDecoderLayer",
    only: &[
        PARTLY_TURNED,
        SEES_FORWARD,
        PLAIN_MLP,
        ALIKE_LAYERS,
        Only::among(
            "hidden_act",
            &[Literal::Text("gelu"), Literal::Text("gelu_pytorch_tanh")],
            "the authors' module takes the approximation of GELU by tanh unless `hidden_activation` says another function",
        ),
    ],
    idle: &[],
    read: read_gemma,
};

/// Gemma 2.
pub(super) const GEMMA2: Family = Family {
    model_types: &["gemma2"],
    documented: "Gemma2Config",
    positions: Some(("max_position_embeddings", 8192)),
    layer_classes: "Gemma2DecoderLayer",
    only: &[PARTLY_TURNED, SEES_FORWARD, PLAIN_MLP],
    idle: &["hidden_act"],
    read: read_gemma2,
};

/// Gemma 3.
pub(super) const GEMMA3: Family = Family {
    model_types: &["gemma3_text"],
    documented: "Gemma3TextConfig",
    positions: Some(("max_position_embeddings", 131_072)),
    layer_classes: "Gemma3DecoderLayer",
    only: &[PARTLY_TURNED, SEES_FORWARD, PLAIN_MLP],
    idle: &["hidden_act", "rope_local_base_freq", "sliding_window_pattern"],
    read: read_gemma3,
};

const DEFAULTS: Defaults = Defaults {
    vocabulary: 256_000,
    width: 2304,
    inner: 9216,
    layers: 26,
    heads: 8,
    key_heads: Some(4),
    head_dim: Some(256),
    activation: ("hidden_activation", "gelu_pytorch_tanh"),
    is_tied: true,
    ..LLAMA
};

fn read_gemma(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let defaults =
        Defaults { width: 3072, inner: 24_576, layers: 28, heads: 16, key_heads: Some(16), ..DEFAULTS };
    let common = Common::read(fields, &defaults)?.with_norms(NormForm::RmsPlusOne);
    let bias = Bias::if_given(fields.flag("attention_bias", false)?);
    let rotary = Rotary::read(fields, common.heads.dim, (ROPE_THETA, 10_000.0), length)?;
    let mut attention = common.attention(bias, rotary, Sight::Causal);
    attention.output.bias = bias;
    let layer = common.layer(Block::Attention(attention), Block::Mlp(common.mlp(common.inner, Bias::None)));
    Ok(model(&common, vec![layer; common.layers], None))
}

fn read_gemma2(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let common = Common::read(fields, &DEFAULTS)?.with_norms(NormForm::RmsPlusOne);
    let rotary = Rotary::read(fields, common.heads.dim, (ROPE_THETA, 10_000.0), length)?;
    let window = fields.size("sliding_window", 4096)?;
    let sights = sights(fields, common.layers, Sight::window(Some(window), length), |layer| layer % 2 == 0)?;
    let cap = cap(fields, "attn_logit_softcapping", Some(50.0))?;
    let head_cap = self::cap(fields, "final_logit_softcapping", Some(30.0))?;
    let scale = scale(fields)?;
    let bias = Bias::if_given(fields.flag("attention_bias", false)?);
    let layer = |sight: Sight| {
        let mut attention = common.attention(bias, rotary.clone(), sight);
        attention.output.bias = bias;
        attention.scoring = Scoring { scale, cap, ..attention.scoring };
        layer(&common, attention)
    };
    let layers = sights.into_iter().map(layer).collect();
    Ok(model(&common, layers, head_cap))
}

fn read_gemma3(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let defaults = Defaults { vocabulary: 262_208, ..DEFAULTS };
    let common = Common::read(fields, &defaults)?.with_norms(NormForm::RmsPlusOne);
    let (of_all, of_window) = rotaries(fields, common.heads.dim, length)?;
    let window = fields.size("sliding_window", 4096)?;
    let pattern = match fields.has("layer_types") {
        true => 1,
        false => fields.size("sliding_window_pattern", 6)?,
    };
    // Which rotary positions a layer has follows from its kind, even where a sequence is shorter than the window.
    let is_windowed = |layer: usize| !(layer + 1).is_multiple_of(pattern);
    let kinds = sights(fields, common.layers, Sight::Window(window), is_windowed)?;
    let cap = cap(fields, "attn_logit_softcapping", None)?;
    let head_cap = self::cap(fields, "final_logit_softcapping", None)?;
    let scale = scale(fields)?;
    let bias = Bias::if_given(fields.flag("attention_bias", false)?);
    let layer = |kind: Sight| {
        let (rotary, sight) = match kind {
            Sight::Window(_) => (&of_window, Sight::window(Some(window), length)),
            _ => (&of_all, Sight::Causal),
        };
        let mut attention = common.attention(bias, rotary.clone(), sight);
        attention.output.bias = bias;
        attention.norms = Some(["q_norm", "k_norm"].map(|name| common.norm(name)));
        attention.scoring = Scoring { scale, cap, ..attention.scoring };
        layer(&common, attention)
    };
    let layers = kinds.into_iter().map(layer).collect();
    Ok(model(&common, layers, head_cap))
}

/// Rotary positions of layers that see all, and of those that see a window.
fn rotaries(fields: &mut Fields<'_>, dim: usize, length: usize) -> Result<(Rotary, Rotary), Diagnostic> {
    if let Some(by_kind) = fields.nested("rope_parameters")?
        && by_kind.has("full_attention")
    {
        let mut of = |kind: &str, theta: f64| -> Result<Rotary, Diagnostic> {
            let Some(mut given) = by_kind.nested(kind)? else {
                fields.missing(&format!("{kind}.rope_theta"), theta);
                return Ok(Rotary::plain(dim, theta));
            };
            let theta = given.number("rope_theta", theta)?;
            let theta = Rotary::base(&given, "rope_theta", theta)?;
            let rotary = Rotary::scaled(&mut given, dim, theta, length)?;
            fields.missing_inside(given, &format!("{kind}."));
            Ok(rotary)
        };
        let of_window = of("sliding_attention", 10_000.0)?;
        return Ok((of("full_attention", 1_000_000.0)?, Rotary { is_local: true, ..of_window }));
    }
    let of_all = Rotary::read(fields, dim, (ROPE_THETA, 1_000_000.0), length)?;
    let local = fields.number("rope_local_base_freq", 10_000.0)?;
    let of_window = Rotary::plain(dim, Rotary::base(fields, "rope_local_base_freq", local)?);
    Ok((of_all, Rotary { is_local: true, ..of_window }))
}

/// The most that a score can be, which null says there is not.
fn cap(fields: &mut Fields<'_>, name: &str, default: Option<f64>) -> Result<Option<f64>, Diagnostic> {
    let cap = match (fields.number_if_given(name)?, default) {
        (None, Some(default)) if !fields.is_null(name) => Some(fields.number(name, default)?),
        (given, _) => given,
    };
    match cap {
        Some(cap) if cap <= 0.0 || !cap.is_finite() => {
            let message =
                format!("`{name}` is {cap}; it should be positive, or null where nothing is capped");
            Err(fields.fault(name, message))
        }
        _ => Ok(cap),
    }
}

fn scale(fields: &mut Fields<'_>) -> Result<f64, Diagnostic> {
    match fields.number("query_pre_attn_scalar", 256.0)? {
        scalar if scalar > 0.0 => Ok(scalar.powf(-0.5)),
        scalar => {
            let message = format!("`query_pre_attn_scalar` is {scalar}; it should be positive");
            Err(fields.fault("query_pre_attn_scalar", message))
        }
    }
}

/// A layer with norms before and behind both parts.
fn layer(common: &Common, attention: Attention) -> Layer {
    let part = |before: &str, block: Block, behind: &str| Part {
        before: Some(common.norm(before)),
        block,
        behind: Some(common.norm(behind)),
        sum: None,
    };
    let mlp = common.mlp(common.inner, Bias::None);
    Layer::serial(vec![
        part("input_layernorm", Block::Attention(attention), "post_attention_layernorm"),
        part("pre_feedforward_layernorm", Block::Mlp(mlp), "post_feedforward_layernorm"),
    ])
}

fn model(common: &Common, layers: Vec<Layer>, cap: Option<f64>) -> Architecture {
    let mut decoder = common.decoder(layers);
    decoder.embedding.scale = (common.width as f64).sqrt();
    decoder.head.cap = cap;
    Architecture::Decoder(decoder)
}
