//! GPT-OSS (OpenAI): windows by turns, a score for each head that has no value, experts with biases in one stack.

use super::common::{Common, Defaults, LLAMA, PARTLY_TURNED, ROPE_THETA, sights};
use super::{Architecture, Family};
use crate::blocks::attention::Sight;
use crate::blocks::linear::Bias;
use crate::blocks::moe::{ExpertWeights, Experts, Moe};
use crate::blocks::rotary::{Rotary, Yarn};
use crate::blocks::router::{Router, Scores, Weighting};
use crate::decoder::Block;
use crate::fields::Fields;
use meshwright_ir::diagnostic::Diagnostic;

/// The family.
pub(super) const FAMILY: Family = Family {
    model_types: &["gpt_oss"],
    documented: "GptOssConfig",
    positions: Some(("max_position_embeddings", 131_072)),
    layer_classes: "GptOssDecoderLayer",
    only: &[PARTLY_TURNED],
    idle: &["experts_per_token", "initial_context_length"],
    read,
};

/// How rotary positions are stretched where the configuration describes none.
const STRETCHED: Yarn = Yarn { factor: 32.0, trained: 4096.0, turns: [32.0, 1.0], is_truncated: false };

fn read(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let defaults = Defaults {
        vocabulary: 201_088,
        width: 2880,
        inner: 2880,
        layers: 36,
        heads: 64,
        key_heads: Some(8),
        head_dim: Some(64),
        epsilon: 1e-5,
        ..LLAMA
    };
    let common = Common::read(fields, &defaults)?;
    let bias = Bias::if_given(fields.flag("attention_bias", true)?);
    let rotary = Rotary::read_or(fields, common.heads.dim, (ROPE_THETA, 150_000.0), length, STRETCHED)?;
    let window = fields.size("sliding_window", 128)?;
    let sights = sights(fields, common.layers, Sight::window(Some(window), length), |layer| layer % 2 == 0)?;
    let count = fields.size("num_local_experts", 128)?;
    let moe = Moe {
        name: "mlp".into(),
        router: Router {
            name: "router".into(),
            count,
            chosen: super::chosen(fields, "num_experts_per_tok", 4, count)?,
            scores: Scores::SoftmaxOfChosen,
            bias: Some("router.bias".into()),
            correction: None,
            groups: None,
            weights: Weighting::Scores,
            scale: 1.0,
        },
        experts: Experts {
            inner: common.inner,
            activation: common.activation,
            weights: ExpertWeights::Stacked {
                limit: fields.number("swiglu_limit", 7.0)?,
                alpha: fields.number("swiglu_alpha", 1.702)?,
            },
        },
        shared: None,
    };
    let layer = |sight: Sight| {
        let mut attention = common.attention(bias, rotary.clone(), sight);
        attention.output.bias = bias;
        attention.scoring.sinks = Some("sinks".into());
        common.layer(Block::Attention(attention), Block::Moe(moe.clone()))
    };
    Ok(Architecture::Decoder(common.decoder(sights.into_iter().map(layer).collect())))
}
