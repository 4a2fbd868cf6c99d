//! GPT-2 (Radford et al.): learned positions, norms with a bias, weights kept inputs first.

use super::common::activation;
use super::{Architecture, Family};
use crate::blocks::attention::{Attention, Reads, Scoring};
use crate::blocks::linear::{Bias, Linear, Order};
use crate::blocks::loss::Head;
use crate::blocks::mlp::{Inner, Mlp};
use crate::blocks::norm::Norm;
use crate::blocks::projections::{Heads, Weights};
use crate::decoder::{Block, Decoder, Embedding, Layer, Part};
use crate::fields::Fields;
use crate::known::Only;
use meshwright_ir::diagnostic::Diagnostic;

/// The family.
pub(super) const FAMILY: Family = Family {
    model_types: &["gpt2"],
    documented: "GPT2Config",
    positions: Some(("n_positions", 1024)),
    layer_classes: "GPT2Block",
    only: &[Only::unset("add_cross_attention", "layers would also attend to what an encoder makes")],
    idle: &[
        "n_ctx",
        "is_decoder",
        "reorder_and_upcast_attn",
        "summary_activation",
        "summary_first_dropout",
        "summary_proj_to_labels",
        "summary_type",
        "summary_use_proj",
    ],
    read,
};

fn read(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let vocabulary = fields.size("vocab_size", 50_257)?;
    let positions = fields.size("n_positions", 1024)?;
    super::fits_positions(fields, "n_positions", positions, length)?;
    let width = fields.size("n_embd", 768)?;
    let layers = fields.depth("n_layer", 12)?;
    let count = fields.size("n_head", 12)?;
    let dim = fields.quotient(("n_embd", width), ("n_head", count))?;
    let inner = fields.size("n_inner", 4 * width)?;
    let epsilon = fields.epsilon("layer_norm_epsilon", 1e-5)?;
    let is_scaled = fields.flag("scale_attn_weights", true)?;
    let scale = if is_scaled { Scoring::causal(dim).scale } else { 1.0 };
    let is_scaled_by_layer = fields.flag("scale_attn_by_inverse_layer_idx", false)?;
    let is_tied = fields.flag("tie_word_embeddings", true)?;
    let linear =
        |name: &str, outputs| Linear { order: Order::InOut, ..Linear::new(name, outputs, Bias::Added) };
    let attention = Attention {
        name: "attn".into(),
        heads: Heads { queries: count, keys: count, dim },
        weights: Weights::Fused("c_attn".into(), Bias::Added, Order::InOut),
        norms: None,
        rotary: None,
        scoring: Scoring { scale, ..Scoring::causal(dim) },
        reads: Reads::Input,
        output: linear("c_proj", width),
    };
    let mlp = Mlp {
        name: "mlp".into(),
        inner: Inner::Up(linear("c_fc", inner)),
        activation: activation(fields, "activation_function", "gelu_new")?,
        down: linear("c_proj", width),
    };
    let layer = |index: usize| {
        let mut attention = attention.clone();
        if is_scaled_by_layer {
            attention.scoring.scale /= (index + 1) as f64;
        }
        Layer::serial(vec![
            Part::new(Norm::layer("ln_1", epsilon), Block::Attention(attention)),
            Part::new(Norm::layer("ln_2", epsilon), Block::Mlp(mlp.clone())),
        ])
    };
    let table = "transformer.wte.weight";
    Ok(Architecture::Decoder(Decoder {
        embedding: Embedding {
            positions: Some(("transformer.wpe.weight".into(), positions, 0)),
            ..Embedding::plain(table, vocabulary, width)
        },
        prefix: "transformer.h".into(),
        layers: (0..layers).map(layer).collect(),
        norm: Some(Norm::layer("transformer.ln_f", epsilon)),
        head: Head::plain(if is_tied { table } else { "lm_head.weight" }, vocabulary),
    }))
}
