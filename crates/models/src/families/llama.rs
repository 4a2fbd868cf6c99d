//! Llama 1 to 3 (Touvron et al.), and Mistral, which is built as it is, with a window (Jiang et al.).

use super::common::{
    ALIKE_LAYERS, Common, Defaults, LLAMA, PARTLY_TURNED, PLAIN_ATTENTION, PLAIN_MLP, ROPE_THETA, sights,
};
use super::{Architecture, Family};
use crate::blocks::attention::Sight;
use crate::blocks::linear::Bias;
use crate::blocks::rotary::Rotary;
use crate::decoder::Block;
use crate::fields::Fields;
use meshwright_ir::diagnostic::Diagnostic;

/// Llama.
pub(super) const FAMILY: Family = Family {
    model_types: &["llama"],
    documented: "LlamaConfig",
    positions: Some(("max_position_embeddings", 2048)),
    layer_classes: "LlamaDecoderLayer",
    only: &[PARTLY_TURNED, ALIKE_LAYERS],
    idle: &["sliding_window"],
    read: read_llama,
};

/// Mistral.
pub(super) const MISTRAL: Family = Family {
    model_types: &["mistral"],
    documented: "MistralConfig",
    positions: Some(("max_position_embeddings", 131_072)),
    layer_classes: "MistralDecoderLayer",
    only: &[PARTLY_TURNED, PLAIN_ATTENTION, PLAIN_MLP],
    idle: &[],
    read: read_mistral,
};

fn read_llama(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let common = Common::read(fields, &LLAMA)?;
    let bias = Bias::if_given(fields.flag("attention_bias", false)?);
    let mlp_bias = Bias::if_given(fields.flag("mlp_bias", false)?);
    let rotary = Rotary::read(fields, common.heads.dim, (ROPE_THETA, 10_000.0), length)?;
    let mut attention = common.attention(bias, rotary, Sight::Causal);
    attention.output.bias = bias;
    let layer = common.layer(Block::Attention(attention), Block::Mlp(common.mlp(common.inner, mlp_bias)));
    Ok(Architecture::Decoder(common.decoder(vec![layer; common.layers])))
}

fn read_mistral(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let defaults = Defaults { inner: 14_336, key_heads: Some(8), ..LLAMA };
    let common = Common::read(fields, &defaults)?;
    let window = match fields.is_null("sliding_window") {
        true => None,
        false => Some(fields.size("sliding_window", 4096)?),
    };
    let rotary = Rotary::read(fields, common.heads.dim, (ROPE_THETA, 10_000.0), length)?;
    let sights = sights(fields, common.layers, Sight::window(window, length), |_| true)?;
    let layer = |sight: Sight| {
        let attention = common.attention(Bias::None, rotary.clone(), sight);
        common.layer(Block::Attention(attention), Block::Mlp(common.mlp(common.inner, Bias::None)))
    };
    Ok(Architecture::Decoder(common.decoder(sights.into_iter().map(layer).collect())))
}
