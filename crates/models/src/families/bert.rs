//! BERT (Devlin et al.) with its scores of words: norms behind each part, learned positions.

use super::common::activation;
use super::{Architecture, Family};
use crate::blocks::attention::{Attention, Reads, Scoring, Sight};
use crate::blocks::linear::{Bias, Linear};
use crate::blocks::loss::Head;
use crate::blocks::mlp::{Inner, Mlp};
use crate::blocks::norm::Norm;
use crate::blocks::projections::{Heads, Weights};
use crate::decoder::{Block, Embedding, Layer, Part};
use crate::encoder::{Masked, Stack};
use crate::fields::Fields;
use crate::known::{Literal, Only};
use meshwright_ir::diagnostic::Diagnostic;

/// The family.
pub(super) const FAMILY: Family = Family {
    model_types: &["bert"],
    documented: "BertConfig",
    positions: Some(("max_position_embeddings", 512)),
    layer_classes: "BertLayer",
    only: &[
        Only::unset("is_decoder", "no token would see those behind it"),
        Only::unset("add_cross_attention", "layers would also attend to what an encoder makes"),
        Only::among(
            "position_embedding_type",
            &[Literal::Text("absolute")],
            "positions would be added to scores rather than to the words",
        ),
    ],
    idle: &[
        "directionality",
        "pooler_fc_size",
        "pooler_num_attention_heads",
        "pooler_num_fc_layers",
        "pooler_size_per_head",
        "pooler_type",
    ],
    read,
};

fn read(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let vocabulary = fields.size("vocab_size", 30_522)?;
    let positions = fields.size("max_position_embeddings", 512)?;
    super::fits_positions(fields, "max_position_embeddings", positions, length)?;
    let width = fields.size("hidden_size", 768)?;
    let layers = fields.depth("num_hidden_layers", 12)?;
    let count = fields.size("num_attention_heads", 12)?;
    let dim = fields.quotient(("hidden_size", width), ("num_attention_heads", count))?;
    let inner = fields.size("intermediate_size", 3072)?;
    let epsilon = fields.epsilon("layer_norm_eps", 1e-12)?;
    let function = activation(fields, "hidden_act", "gelu")?;
    let attention = Attention {
        name: "attention".into(),
        heads: Heads { queries: count, keys: count, dim },
        weights: Weights::separate(["self.query", "self.key", "self.value"], Bias::Added),
        norms: None,
        rotary: None,
        scoring: Scoring { sight: Sight::All, ..Scoring::causal(dim) },
        reads: Reads::Input,
        output: Linear::new("output.dense", width, Bias::Added),
    };
    let mlp = Mlp {
        name: String::new(),
        inner: Inner::Up(Linear::new("intermediate.dense", inner, Bias::Added)),
        activation: function,
        down: Linear::new("output.dense", width, Bias::Added),
    };
    let part =
        |block, norm: &str| Part { before: None, block, behind: None, sum: Some(Norm::layer(norm, epsilon)) };
    let layer = Layer::serial(vec![
        part(Block::Attention(attention), "attention.output.LayerNorm"),
        part(Block::Mlp(mlp), "output.LayerNorm"),
    ]);
    let table = "bert.embeddings.word_embeddings.weight";
    let kinds = fields.size("type_vocab_size", 2)?;
    let is_tied = fields.flag("tie_word_embeddings", true)?;
    let weight = if is_tied { table } else { "cls.predictions.decoder.weight" };
    Ok(Architecture::Masked(Masked {
        embedding: Embedding {
            positions: Some(("bert.embeddings.position_embeddings.weight".into(), positions, 0)),
            ..Embedding::plain(table, vocabulary, width)
        },
        kinds: ("bert.embeddings.token_type_embeddings.weight".into(), kinds),
        norm: Norm::layer("bert.embeddings.LayerNorm", epsilon),
        stack: Stack { prefix: "bert.encoder.layer".into(), layers: vec![layer; layers], norm: None },
        transform: (
            Linear::new("cls.predictions.transform.dense", width, Bias::Added),
            function,
            Norm::layer("cls.predictions.transform.LayerNorm", epsilon),
        ),
        head: Head::plain(weight, vocabulary).with_bias("cls.predictions.bias", Bias::Added),
    }))
}
