//! All that configurations of most language models say alike, with the defaults that each family documents.

use crate::blocks::activation::Activation;
use crate::blocks::attention::{Attention, Reads, Scoring, Sight};
use crate::blocks::linear::{Bias, Linear};
use crate::blocks::loss::Head;
use crate::blocks::mlp::{Inner, Mlp};
use crate::blocks::norm::{Norm, NormForm};
use crate::blocks::projections::{Heads, Weights};
use crate::blocks::rotary::Rotary;
use crate::decoder::{Block, Decoder, Embedding, Layer, Part};
use crate::fields::Fields;
use crate::known::{Literal, Only};
use meshwright_ir::diagnostic::Diagnostic;

/// The field of the base of rotary positions.
pub(super) const ROPE_THETA: &str = "rope_theta";

/// Heads are turned whole: those of families that turn a part read which.
pub(super) const PARTLY_TURNED: Only = Only::among(
    "partial_rotary_factor",
    &[Literal::Number(1.0)],
    "rotary positions would turn a part of each head",
);

/// The products of attentions have no biases: those of families that give them some read which.
pub(super) const PLAIN_ATTENTION: Only =
    Only::unset("attention_bias", "the products of the attention would have biases");

/// The products of feed-forward layers have none, likewise.
pub(super) const PLAIN_MLP: Only =
    Only::unset("mlp_bias", "the products of the feed-forward layers would have biases");

/// All layers have the same attention.
pub(super) const ALIKE_LAYERS: Only = Only::among(
    "layer_types",
    &[Literal::Each("full_attention")],
    "the authors' module has the same attention in all layers",
);

/// Attentions see all that is before a token.
pub(super) const NO_WINDOW: Only = Only::absent("sliding_window", "the authors' module has no window");

/// Heads are at most this wide.
const WIDEST_HEAD: usize = 1 << 16;

/// Documented defaults of a family.
pub(super) struct Defaults {
    pub(super) vocabulary: usize,
    pub(super) width: usize,
    pub(super) inner: usize,
    pub(super) layers: usize,
    pub(super) heads: usize,
    /// As many as there are of queries, if none.
    pub(super) key_heads: Option<usize>,
    /// The width over the heads, if none.
    pub(super) head_dim: Option<usize>,
    /// The field of the activation function, and the function.
    pub(super) activation: (&'static str, &'static str),
    pub(super) epsilon: f64,
    pub(super) is_tied: bool,
}

/// Those of Llama, on which others build.
pub(super) const LLAMA: Defaults = Defaults {
    vocabulary: 32_000,
    width: 4096,
    inner: 11_008,
    layers: 32,
    heads: 32,
    key_heads: None,
    head_dim: None,
    activation: ("hidden_act", "silu"),
    epsilon: 1e-6,
    is_tied: false,
};

/// The common part of a configuration.
pub(super) struct Common {
    pub(super) vocabulary: usize,
    pub(super) width: usize,
    pub(super) inner: usize,
    pub(super) layers: usize,
    pub(super) heads: Heads,
    pub(super) activation: Activation,
    pub(super) epsilon: f64,
    pub(super) norm: NormForm,
    pub(super) is_tied: bool,
    /// What the names of tensors begin with.
    pub(super) prefix: &'static str,
}

impl Common {
    /// Reads it.
    pub(super) fn read(fields: &mut Fields<'_>, defaults: &Defaults) -> Result<Self, Diagnostic> {
        let width = fields.size("hidden_size", defaults.width)?;
        let (field, function) = defaults.activation;
        Ok(Self {
            vocabulary: fields.size("vocab_size", defaults.vocabulary)?,
            width,
            inner: fields.size("intermediate_size", defaults.inner)?,
            layers: fields.depth("num_hidden_layers", defaults.layers)?,
            heads: heads(fields, width, defaults)?,
            activation: activation(fields, field, function)?,
            epsilon: fields.epsilon("rms_norm_eps", defaults.epsilon)?,
            norm: NormForm::Rms,
            is_tied: fields.flag("tie_word_embeddings", defaults.is_tied)?,
            prefix: if fields.is_nested() { "language_model." } else { "" },
        })
    }

    /// Norms of another form.
    pub(super) fn with_norms(self, norm: NormForm) -> Self {
        Self { norm, ..self }
    }

    /// A norm of this name.
    pub(super) fn norm(&self, name: &str) -> Norm {
        Norm { name: name.to_owned(), form: self.norm, epsilon: self.epsilon }
    }

    /// An attention by the names of most checkpoints; `bias` is that of queries, keys and values.
    pub(super) fn attention(&self, bias: Bias, rotary: Rotary, sight: Sight) -> Attention {
        Attention {
            name: "self_attn".into(),
            heads: self.heads,
            weights: Weights::separate(["q_proj", "k_proj", "v_proj"], bias),
            norms: None,
            rotary: Some(rotary),
            scoring: Scoring { sight, ..Scoring::causal(self.heads.dim) },
            reads: Reads::Input,
            output: Linear::new("o_proj", self.width, Bias::None),
        }
    }

    /// A gated feed-forward layer.
    pub(super) fn mlp(&self, inner: usize, bias: Bias) -> Mlp {
        Mlp {
            name: "mlp".into(),
            inner: Inner::Gated(Linear::new("gate_proj", inner, bias), Linear::new("up_proj", inner, bias)),
            activation: self.activation,
            down: Linear::new("down_proj", self.width, bias),
        }
    }

    /// A layer of two blocks, each behind its norm.
    pub(super) fn layer(&self, mixer: Block, feed: Block) -> Layer {
        Layer::serial(vec![
            Part::new(self.norm("input_layernorm"), mixer),
            Part::new(self.norm("post_attention_layernorm"), feed),
        ])
    }

    /// The model of these layers.
    pub(super) fn decoder(&self, layers: Vec<Layer>) -> Decoder {
        let prefix = self.prefix;
        let table = format!("{prefix}model.embed_tokens.weight");
        let head = if self.is_tied { table.clone() } else { format!("{prefix}lm_head.weight") };
        Decoder {
            embedding: Embedding::plain(&table, self.vocabulary, self.width),
            prefix: format!("{prefix}model.layers"),
            layers,
            norm: Some(self.norm(&format!("{prefix}model.norm"))),
            head: Head::plain(&head, self.vocabulary),
        }
    }
}

/// The heads of an attention, which have to divide what they are parts of.
fn heads(fields: &mut Fields<'_>, width: usize, defaults: &Defaults) -> Result<Heads, Diagnostic> {
    let queries = fields.size("num_attention_heads", defaults.heads)?;
    let keys = fields.size("num_key_value_heads", defaults.key_heads.unwrap_or(queries))?;
    fields.quotient(("num_attention_heads", queries), ("num_key_value_heads", keys))?;
    let dim = match (fields.size_if_given("head_dim")?, defaults.head_dim) {
        (Some(dim), _) => dim,
        (None, Some(dim)) => fields.size("head_dim", dim)?,
        (None, None) => fields.quotient(("hidden_size", width), ("num_attention_heads", queries))?,
    };
    turned_in_pairs(fields, if fields.has("head_dim") { "head_dim" } else { "num_attention_heads" }, dim)?;
    Ok(Heads { queries, keys, dim })
}

/// Checks that rotary positions can turn heads of a width, which the field `place` says.
pub(super) fn turned_in_pairs(fields: &Fields<'_>, place: &str, dim: usize) -> Result<(), Diagnostic> {
    let message = match dim {
        _ if !dim.is_multiple_of(2) => {
            format!("heads are {dim} wide, which is odd; rotary positions turn pairs")
        }
        _ if dim > WIDEST_HEAD => format!("heads are {dim} wide, but at most {WIDEST_HEAD} here"),
        _ => return Ok(()),
    };
    Err(fields.fault(place, message))
}

/// An activation function by its name.
pub(super) fn activation(
    fields: &mut Fields<'_>,
    name: &str,
    default: &'static str,
) -> Result<Activation, Diagnostic> {
    let given = fields.text(name, default)?;
    Activation::from_name(given).map_err(|message| fields.fault(name, message))
}

/// The keys that each layer sees: `layer_types` says it, else `is_windowed`.
pub(super) fn sights(
    fields: &Fields<'_>,
    layers: usize,
    sight: Sight,
    is_windowed: impl Fn(usize) -> bool,
) -> Result<Vec<Sight>, Diagnostic> {
    let of = |is_windowed: bool| if is_windowed { sight } else { Sight::Causal };
    let Some(kinds) = fields.texts_if_given("layer_types")? else {
        return Ok((0..layers).map(|layer| of(is_windowed(layer))).collect());
    };
    if kinds.len() != layers {
        let message = format!("`layer_types` has {} entries for {layers} layers", kinds.len());
        return Err(fields.fault("layer_types", message));
    }
    let sight = |kind: &&str| match *kind {
        "full_attention" => Ok(Sight::Causal),
        "sliding_attention" => Ok(sight),
        other => {
            let known = "`full_attention` and `sliding_attention` are";
            Err(fields.fault("layer_types", format!("`{other}` is no type of layer that is known; {known}")))
        }
    };
    kinds.iter().map(sight).collect()
}
