//! GPT-NeoX and Pythia (Black et al.): attention and feed-forward layer side by side, rotary positions of a part of each
//! head, the weights of a head's query, key and value together.

use super::common::activation;
use super::{Architecture, Family};
use crate::blocks::attention::{Attention, Reads, Scoring};
use crate::blocks::linear::{Bias, Linear};
use crate::blocks::loss::Head;
use crate::blocks::mlp::{Inner, Mlp};
use crate::blocks::norm::Norm;
use crate::blocks::projections::{Heads, Weights};
use crate::blocks::rotary::Rotary;
use crate::decoder::{Block, Decoder, Embedding, Layer, LayerShape, Part};
use crate::fields::Fields;
use meshwright_ir::diagnostic::Diagnostic;

/// The family.
pub(super) const FAMILY: Family = Family {
    model_types: &["gpt_neox"],
    documented: "GPTNeoXConfig",
    positions: Some(("max_position_embeddings", 2048)),
    layer_classes: "GPTNeoXLayer",
    only: &[],
    idle: &["is_decoder"],
    read,
};

fn read(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let vocabulary = fields.size("vocab_size", 50_432)?;
    let width = fields.size("hidden_size", 6144)?;
    let layers = fields.depth("num_hidden_layers", 44)?;
    let count = fields.size("num_attention_heads", 64)?;
    let dim = fields.quotient(("hidden_size", width), ("num_attention_heads", count))?;
    let inner = fields.size("intermediate_size", 24_576)?;
    let epsilon = fields.epsilon("layer_norm_eps", 1e-5)?;
    let bias = Bias::if_given(fields.flag("attention_bias", true)?);
    let turned = super::turned(fields, dim, ("rotary_pct", 0.25))?;
    let attention = Attention {
        name: "attention".into(),
        heads: Heads { queries: count, keys: count, dim },
        weights: Weights::ByHead("query_key_value".into(), bias),
        norms: None,
        rotary: Some(Rotary::read(fields, turned, ("rotary_emb_base", 10_000.0), length)?),
        scoring: Scoring::causal(dim),
        reads: Reads::Input,
        output: Linear::new("dense", width, bias),
    };
    let mlp = Mlp {
        name: "mlp".into(),
        inner: Inner::Up(Linear::new("dense_h_to_4h", inner, Bias::Added)),
        activation: activation(fields, "hidden_act", "gelu")?,
        down: Linear::new("dense_4h_to_h", width, Bias::Added),
    };
    let is_parallel = fields.flag("use_parallel_residual", true)?;
    let parts = vec![
        Part::new(Norm::layer("input_layernorm", epsilon), Block::Attention(attention)),
        Part::new(Norm::layer("post_attention_layernorm", epsilon), Block::Mlp(mlp)),
    ];
    let layer = Layer { parts, form: if is_parallel { LayerShape::Parallel } else { LayerShape::Serial } };
    let is_tied = fields.flag("tie_word_embeddings", false)?;
    let table = "gpt_neox.embed_in.weight";
    Ok(Architecture::Decoder(Decoder {
        embedding: Embedding::plain(table, vocabulary, width),
        prefix: "gpt_neox.layers".into(),
        layers: vec![layer; layers],
        norm: Some(Norm::layer("gpt_neox.final_layer_norm", epsilon)),
        head: Head::plain(if is_tied { table } else { "embed_out.weight" }, vocabulary),
    }))
}
