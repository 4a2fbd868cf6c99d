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
use crate::known::Only;
use meshwright_ir::diagnostic::Diagnostic;

/// The family.
pub(super) const FAMILY: Family = Family {
    model_types: &["t5"],
    documented: "T5Config",
    positions: None,
    layer_classes: "T5Block",
    only: &[
        Only::unset("is_decoder", "no token would see those behind it"),
        Only::unset("add_cross_attention", "layers would also attend to what an encoder makes"),
    ],
    idle: &["dense_act_fn", "initializer_factor", "is_gated_act", "n_positions"],
    read,
};

/// What the layers of both stacks have in common.
struct Sizes {
    width: usize,
    heads: Heads,
    inner: usize,
    epsilon: f64,
    activation: Activation,
    is_gated: bool,
}

fn read(fields: &mut Fields<'_>, _: usize) -> Result<Architecture, Diagnostic> {
    let vocabulary = fields.size("vocab_size", 32_128)?;
    let width = fields.size("d_model", 512)?;
    let count = fields.size("num_heads", 8)?;
    let dim = fields.size("d_kv", 64)?;
    let inner = fields.size("d_ff", 2048)?;
    let layers = fields.depth("num_layers", 6)?;
    let of_decoder = fields.depth("num_decoder_layers", layers)?;
    let epsilon = fields.epsilon("layer_norm_epsilon", 1e-6)?;
    let (activation, is_gated) = function(fields)?;
    let heads = Heads { queries: count, keys: count, dim };
    let sizes = Sizes { width, heads, inner, epsilon, activation, is_gated };
    let is_tied = fields.flag("tie_word_embeddings", true)?;
    let mut head = Head::plain(if is_tied { "shared.weight" } else { "lm_head.weight" }, vocabulary);
    head.scale = if fields.flag("scale_decoder_outputs", is_tied)? { (width as f64).powf(-0.5) } else { 1.0 };
    Ok(Architecture::EncoderDecoder(EncoderDecoder {
        source: Source::Words,
        encoder: sizes.stack("encoder", sizes.encoder_layer(), layers),
        embedding: Embedding::plain("shared.weight", vocabulary, width),
        decoder: sizes.stack("decoder", sizes.decoder_layer(), of_decoder),
        biases: Some(biases(fields, count)?),
        head,
    }))
}

/// The biases of encoder and decoder.
fn biases(fields: &mut Fields<'_>, heads: usize) -> Result<[RelativeBias; 2], Diagnostic> {
    let buckets = fields.size("relative_attention_num_buckets", 32)?;
    let farthest = fields.size("relative_attention_max_distance", 128)?;
    if buckets < 4 || farthest <= buckets / 2 {
        let message = format!("{buckets} buckets cannot tell distances up to {farthest} apart");
        return Err(fields.fault("relative_attention_num_buckets", message));
    }
    Ok([("encoder", Sides::Both), ("decoder", Sides::Before)].map(|(name, sides)| RelativeBias {
        name: format!("{name}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"),
        heads,
        buckets,
        farthest,
        sides,
    }))
}

impl Sizes {
    fn encoder_layer(&self) -> Layer {
        Layer::serial(vec![self.attention(0, "SelfAttention", Sight::All, Reads::Input), self.mlp(1)])
    }

    fn decoder_layer(&self) -> Layer {
        Layer::serial(vec![
            self.attention(0, "SelfAttention", Sight::Causal, Reads::Input),
            self.attention(1, "EncDecAttention", Sight::All, Reads::Memory),
            self.mlp(2),
        ])
    }

    fn stack(&self, name: &str, layer: Layer, count: usize) -> Stack {
        Stack {
            prefix: format!("{name}.block"),
            layers: vec![layer; count],
            norm: Some(Norm::rms(&format!("{name}.final_layer_norm"), self.epsilon)),
        }
    }

    fn part(&self, index: usize, block: Block) -> Part {
        Part::new(Norm::rms(&format!("layer.{index}.layer_norm"), self.epsilon), block)
    }

    fn attention(&self, index: usize, name: &str, sight: Sight, reads: Reads) -> Part {
        let attention = Attention {
            name: format!("layer.{index}.{name}"),
            heads: self.heads,
            weights: Weights::separate(["q", "k", "v"], Bias::None),
            norms: None,
            rotary: None,
            scoring: Scoring { scale: 1.0, cap: None, sight, sinks: None },
            reads,
            output: Linear::new("o", self.width, Bias::None),
        };
        self.part(index, Block::Attention(attention))
    }

    fn mlp(&self, index: usize) -> Part {
        let up = |name: &str| Linear::new(name, self.inner, Bias::None);
        let mlp = Mlp {
            name: format!("layer.{index}.DenseReluDense"),
            inner: if self.is_gated { Inner::Gated(up("wi_0"), up("wi_1")) } else { Inner::Up(up("wi")) },
            activation: self.activation,
            down: Linear::new("wo", self.width, Bias::None),
        };
        self.part(index, Block::Mlp(mlp))
    }
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
