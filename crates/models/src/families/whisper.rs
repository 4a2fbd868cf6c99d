//! Whisper (Radford et al.): an encoder of sound behind two convolutions, and a decoder of words.

use super::common::activation;
use super::{Architecture, Family};
use crate::blocks::activation::Activation;
use crate::blocks::attention::{Attention, Reads, Scoring, Sight};
use crate::blocks::linear::{Bias, Linear};
use crate::blocks::loss::Head;
use crate::blocks::mlp::{Inner, Mlp};
use crate::blocks::norm::Norm;
use crate::blocks::projections::{Heads, Weights};
use crate::decoder::{Block, Embedding, Layer, Part};
use crate::encoder::{EncoderDecoder, Source, Stack};
use crate::fields::Fields;
use meshwright_ir::diagnostic::Diagnostic;

/// The family.
pub(super) const FAMILY: Family = Family {
    model_types: &["whisper"],
    documented: "WhisperConfig",
    positions: Some(("max_target_positions", 448)),
    layer_classes: "WhisperEncoderLayer,WhisperDecoderLayer",
    only: &[],
    idle: &[
        "apply_spec_augment",
        "classifier_proj_size",
        "init_std",
        "is_decoder",
        "is_encoder_decoder",
        "mask_feature_length",
        "mask_feature_min_masks",
        "mask_feature_prob",
        "mask_time_length",
        "mask_time_min_masks",
        "mask_time_prob",
        "median_filter_width",
        "num_hidden_layers",
        // The authors' module makes a factor of it that neither side multiplies with.
        "scale_embedding",
        "use_weighted_layer_sum",
    ],
    read,
};

fn read(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let vocabulary = fields.size("vocab_size", 51_865)?;
    let width = fields.size("d_model", 384)?;
    let positions = fields.size("max_target_positions", 448)?;
    super::fits_positions(fields, "max_target_positions", positions, length)?;
    let function = activation(fields, "activation_function", "gelu")?;
    let encoder = stack(fields, "encoder", width, function)?;
    let decoder = stack(fields, "decoder", width, function)?;
    let table = "model.decoder.embed_tokens.weight";
    let is_tied = fields.flag("tie_word_embeddings", true)?;
    Ok(Architecture::EncoderDecoder(EncoderDecoder {
        source: Source::Sound {
            bands: fields.size("num_mel_bins", 80)?,
            positions: fields.size("max_source_positions", 1500)?,
            prefix: "model.encoder".into(),
        },
        encoder,
        embedding: Embedding {
            positions: Some(("model.decoder.embed_positions.weight".into(), positions, 0)),
            ..Embedding::plain(table, vocabulary, width)
        },
        decoder,
        biases: None,
        head: Head::plain(if is_tied { table } else { "proj_out.weight" }, vocabulary),
    }))
}

/// The layers of one side; those of the decoder also attend to what the encoder makes.
fn stack(
    fields: &mut Fields<'_>,
    side: &str,
    width: usize,
    activation: Activation,
) -> Result<Stack, Diagnostic> {
    let layers = fields.depth(&format!("{side}_layers"), 4)?;
    let name_of_heads = format!("{side}_attention_heads");
    let heads = fields.size(&name_of_heads, 6)?;
    let inner = fields.size(&format!("{side}_ffn_dim"), 1536)?;
    let dim = fields.quotient(("d_model", width), (&name_of_heads, heads))?;
    let attention = |name: &str, sight: Sight, reads: Reads| Attention {
        name: name.into(),
        heads: Heads { queries: heads, keys: heads, dim },
        weights: Weights::Separate([
            ("q_proj".into(), Bias::Added),
            ("k_proj".into(), Bias::None),
            ("v_proj".into(), Bias::Added),
        ]),
        norms: None,
        rotary: None,
        scoring: Scoring { sight, ..Scoring::causal(dim) },
        reads,
        output: Linear::new("out_proj", width, Bias::Added),
    };
    let mlp = Mlp {
        name: String::new(),
        inner: Inner::Up(Linear::new("fc1", inner, Bias::Added)),
        activation,
        down: Linear::new("fc2", width, Bias::Added),
    };
    let part = |norm: &str, block| Part::new(Norm::layer(norm, 1e-5), block);
    let is_decoder = side == "decoder";
    let sight = if is_decoder { Sight::Causal } else { Sight::All };
    let own = attention("self_attn", sight, Reads::Input);
    let mut parts = vec![part("self_attn_layer_norm", Block::Attention(own))];
    if is_decoder {
        let other = attention("encoder_attn", Sight::All, Reads::Memory);
        parts.push(part("encoder_attn_layer_norm", Block::Attention(other)));
    }
    parts.push(part("final_layer_norm", Block::Mlp(mlp)));
    Ok(Stack {
        prefix: format!("model.{side}.layers"),
        layers: vec![Layer::serial(parts); layers],
        norm: Some(Norm::layer(&format!("model.{side}.layer_norm"), 1e-5)),
    })
}
