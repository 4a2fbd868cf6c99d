//! Phi-3 and Phi-4 (Abdin et al.): as Llama, with the weights of queries, keys and values in one, as those of gates.

use super::common::{ALIKE_LAYERS, Common, Defaults, LLAMA, PLAIN_ATTENTION, PLAIN_MLP, ROPE_THETA};
use super::{Architecture, Family};
use crate::blocks::attention::Sight;
use crate::blocks::linear::{Bias, Linear, Order};
use crate::blocks::mlp::Inner;
use crate::blocks::projections::Weights;
use crate::blocks::rotary::Rotary;
use crate::decoder::Block;
use crate::fields::Fields;
use meshwright_ir::diagnostic::Diagnostic;

/// The family.
pub(super) const FAMILY: Family = Family {
    model_types: &["phi3"],
    documented: "Phi3Config",
    positions: Some(("max_position_embeddings", 4096)),
    layer_classes: "Phi3DecoderLayer",
    only: &[PLAIN_ATTENTION, PLAIN_MLP, ALIKE_LAYERS],
    idle: &["original_max_position_embeddings"],
    read,
};

fn read(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let defaults = Defaults { vocabulary: 32_064, width: 3072, inner: 8192, epsilon: 1e-5, ..LLAMA };
    let common = Common::read(fields, &defaults)?;
    let turned = super::turned(fields, common.heads.dim, ("partial_rotary_factor", 1.0))?;
    let rotary = Rotary::read(fields, turned, (ROPE_THETA, 10_000.0), length)?;
    let window = fields.size_if_given("sliding_window")?;
    let mut attention = common.attention(Bias::None, rotary, Sight::window(window, length));
    attention.weights = Weights::Fused("qkv_proj".into(), Bias::None, Order::OutIn);
    let mut mlp = common.mlp(common.inner, Bias::None);
    mlp.inner = Inner::Fused(Linear::new("gate_up_proj", 2 * common.inner, Bias::None));
    let layer = common.layer(Block::Attention(attention), Block::Mlp(mlp));
    Ok(Architecture::Decoder(common.decoder(vec![layer; common.layers])))
}
