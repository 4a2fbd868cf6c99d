//! Mixtral (Jiang et al.): as Mistral, each feed-forward layer a mixture of experts.

use super::common::{
    ALIKE_LAYERS, Common, Defaults, LLAMA, PARTLY_TURNED, PLAIN_ATTENTION, PLAIN_MLP, ROPE_THETA,
};
use super::{Architecture, Family};
use crate::blocks::attention::Sight;
use crate::blocks::linear::Bias;
use crate::blocks::moe::{ExpertWeights, Experts, Moe};
use crate::blocks::rotary::Rotary;
use crate::blocks::router::{Router, Scores, Weighting};
use crate::decoder::Block;
use crate::fields::Fields;
use meshwright_ir::diagnostic::Diagnostic;

/// The family.
pub(super) const FAMILY: Family = Family {
    model_types: &["mixtral"],
    documented: "MixtralConfig",
    positions: Some(("max_position_embeddings", 131_072)),
    layer_classes: "MixtralDecoderLayer",
    only: &[PARTLY_TURNED, PLAIN_ATTENTION, PLAIN_MLP, ALIKE_LAYERS],
    idle: &[],
    read,
};

fn read(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let defaults = Defaults { inner: 14_336, key_heads: Some(8), epsilon: 1e-5, ..LLAMA };
    let common = Common::read(fields, &defaults)?;
    let rotary = Rotary::read(fields, common.heads.dim, (ROPE_THETA, 1_000_000.0), length)?;
    let window = fields.size_if_given("sliding_window")?;
    let attention = common.attention(Bias::None, rotary, Sight::window(window, length));
    let count = fields.size("num_local_experts", 8)?;
    let moe = Moe {
        name: "block_sparse_moe".into(),
        router: Router {
            name: "gate".into(),
            count,
            chosen: super::chosen(fields, "num_experts_per_tok", 2, count)?,
            scores: Scores::Softmax,
            bias: None,
            correction: None,
            groups: None,
            weights: Weighting::Shares,
            scale: 1.0,
        },
        experts: Experts {
            inner: common.inner,
            activation: common.activation,
            weights: ExpertWeights::Each(["w1", "w3", "w2"]),
        },
        shared: None,
    };
    let layer = common.layer(Block::Attention(attention), Block::Moe(moe));
    Ok(Architecture::Decoder(common.decoder(vec![layer; common.layers])))
}
