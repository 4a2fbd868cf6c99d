//! T5 (Raffel et al.): an encoder and a decoder, scores with a bias by distance and without a scale.

use super::{Architecture, Family};
use crate::blocks::activation::Activation;
use crate::blocks::attention::{Attention, Reads, Scoring, Sight};
use crate::blocks::linear::{Bias, Linear};
use crate::blocks::loss::Head;
use crate::blocks::mlp::{Inner, Mlp};
use crate::blocks::norm::Norm;
use crate::blocks::projections::{Heads, Weights};
use crate::blocks::relative::{RelativeBias, Sides};
use crate::decoder::{Block, Embedding, Layer, Part};
use crate::encoder::{EncoderDecoder, Source, Stack};
use crate::fields::Fields;
use meshwright_ir::diagnostic::Diagnostic;

/// The family.
pub(super) const FAMILY: Family = Family { model_types: &["t5"], documented: "T5Config", read };

fn read(fields: &mut Fields<'_>, _: usize) -> Result<Architecture, Diagnostic> {
    let vocabulary = fields.size("vocab_size", 32_128)?;
    let width = fields.size("d_model", 512)?;
    let heads = fields.size("num_heads", 8)?;
    let dim = fields.size("d_kv", 64)?;
    let inner = fields.size("d_ff", 2048)?;
    let layers = fields.size("num_layers", 6)?;
    let of_decoder = fields.size("num_decoder_layers", layers)?;
    let epsilon = fields.number("layer_norm_epsilon", 1e-6)?;
    let buckets = fields.size("relative_attention_num_buckets", 32)?;
    let farthest = fields.size("relative_attention_max_distance", 128)?;
    if buckets < 4 || farthest <= buckets / 2 {
        let message = format!("{buckets} buckets cannot tell distances up to {farthest} apart");
        return Err(fields.fault("relative_attention_num_buckets", message));
    }
    let (activation, is_gated) = function(fields)?;
    let is_tied = fields.flag("tie_word_embeddings", true)?;
    let linear = |name: &str, outputs| Linear::new(name, outputs, Bias::None);
    let norm = |index: usize| Norm::rms(&format!("layer.{index}.layer_norm"), epsilon);
    let attention = |index: usize, name: &str, sight: Sight, reads: Reads| {
        let attention = Attention {
            name: format!("layer.{index}.{name}"),
            heads: Heads { queries: heads, keys: heads, dim },
            weights: Weights::separate(["q", "k", "v"], Bias::None),
            norms: None,
            rotary: None,
            scoring: Scoring { scale: 1.0, cap: None, sight, sinks: None },
            reads,
            output: linear("o", width),
        };
        Part::new(norm(index), Block::Attention(attention))
    };
    let mlp = |index: usize| {
        let first = match is_gated {
            true => Inner::Gated(linear("wi_0", inner), linear("wi_1", inner)),
            false => Inner::Up(linear("wi", inner)),
        };
        let name = format!("layer.{index}.DenseReluDense");
        Part::new(norm(index), Block::Mlp(Mlp { name, inner: first, activation, down: linear("wo", width) }))
    };
    let encoder = Layer::serial(vec![attention(0, "SelfAttention", Sight::All, Reads::Input), mlp(1)]);
    let decoder = Layer::serial(vec![
        attention(0, "SelfAttention", Sight::Causal, Reads::Input),
        attention(1, "EncDecAttention", Sight::All, Reads::Memory),
        mlp(2),
    ]);
    let stack = |name: &str, layer: Layer, count: usize| Stack {
        prefix: format!("{name}.block"),
        layers: vec![layer; count],
        norm: Some(Norm::rms(&format!("{name}.final_layer_norm"), epsilon)),
    };
    let bias = |name: &str, sides: Sides| RelativeBias {
        name: format!("{name}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"),
        heads,
        buckets,
        farthest,
        sides,
    };
    let mut head = Head::plain(if is_tied { "shared.weight" } else { "lm_head.weight" }, vocabulary);
    head.scale = if is_tied { (width as f64).powf(-0.5) } else { 1.0 };
    Ok(Architecture::EncoderDecoder(EncoderDecoder {
        source: Source::Words,
        encoder: stack("encoder", encoder, layers),
        embedding: Embedding::plain("shared.weight", vocabulary, width),
        decoder: stack("decoder", decoder, of_decoder),
        biases: Some([bias("encoder", Sides::Both), bias("decoder", Sides::Before)]),
        head,
    }))
}

/// The function of the feed-forward layers, and whether it is a gate.
fn function(fields: &mut Fields<'_>) -> Result<(Activation, bool), Diagnostic> {
    let text = fields.text("feed_forward_proj", "relu")?;
    if text == "gated-gelu" {
        return Ok((Activation::GeluTanh, true));
    }
    let (name, is_gated) = text.strip_prefix("gated-").map_or((text, false), |name| (name, true));
    let function =
        Activation::from_name(name).map_err(|message| fields.fault("feed_forward_proj", message))?;
    Ok((function, is_gated))
}
