//! ViT (Dosovitskiy et al.): parts of an image as tokens, and a token that is classified.

use super::common::activation;
use super::{Architecture, Family};
use crate::blocks::attention::{Attention, Reads, Scoring, Sight};
use crate::blocks::linear::{Bias, Linear};
use crate::blocks::loss::Head;
use crate::blocks::mlp::{Inner, Mlp};
use crate::blocks::norm::Norm;
use crate::blocks::projections::{Heads, Weights};
use crate::decoder::{Block, Layer, Part};
use crate::encoder::{Image, Stack};
use crate::fields::Fields;
use meshwright_ir::diagnostic::Diagnostic;

/// The family.
pub(super) const FAMILY: Family = Family {
    model_types: &["vit"],
    documented: "ViTConfig",
    positions: None,
    layer_classes: "ViTLayer",
    only: &[],
    idle: &["encoder_stride", "pooler_act", "pooler_output_size"],
    read,
};

fn read(fields: &mut Fields<'_>, _: usize) -> Result<Architecture, Diagnostic> {
    let width = fields.size("hidden_size", 768)?;
    let layers = fields.depth("num_hidden_layers", 12)?;
    let count = fields.size("num_attention_heads", 12)?;
    let dim = fields.quotient(("hidden_size", width), ("num_attention_heads", count))?;
    let inner = fields.size("intermediate_size", 3072)?;
    let epsilon = fields.epsilon("layer_norm_eps", 1e-12)?;
    let size = fields.size("image_size", 224)?;
    let patch = fields.size("patch_size", 16)?;
    fields.quotient(("image_size", size), ("patch_size", patch))?;
    let bias = Bias::if_given(fields.flag("qkv_bias", true)?);
    let classes = classes(fields)?;
    let attention = Attention {
        name: "attention".into(),
        heads: Heads { queries: count, keys: count, dim },
        weights: Weights::separate(["attention.query", "attention.key", "attention.value"], bias),
        norms: None,
        rotary: None,
        scoring: Scoring { sight: Sight::All, ..Scoring::causal(dim) },
        reads: Reads::Input,
        output: Linear::new("output.dense", width, Bias::Added),
    };
    let mlp = Mlp {
        name: String::new(),
        inner: Inner::Up(Linear::new("intermediate.dense", inner, Bias::Added)),
        activation: activation(fields, "hidden_act", "gelu")?,
        down: Linear::new("output.dense", width, Bias::Added),
    };
    let layer = Layer::serial(vec![
        Part::new(Norm::layer("layernorm_before", epsilon), Block::Attention(attention)),
        Part::new(Norm::layer("layernorm_after", epsilon), Block::Mlp(mlp)),
    ]);
    Ok(Architecture::Image(Image {
        channels: fields.size("num_channels", 3)?,
        size,
        patch,
        width,
        prefix: "vit.embeddings".into(),
        stack: Stack {
            prefix: "vit.encoder.layer".into(),
            layers: vec![layer; layers],
            norm: Some(Norm::layer("vit.layernorm", epsilon)),
        },
        head: Head::plain("classifier.weight", classes).with_bias("classifier.bias", Bias::Added),
    }))
}

/// The number of classes: of their names, if there are any.
fn classes(fields: &mut Fields<'_>) -> Result<usize, Diagnostic> {
    match fields.nested("id2label")? {
        Some(names) => Ok(names.num_fields().max(1)),
        None => fields.size("num_labels", 2),
    }
}
