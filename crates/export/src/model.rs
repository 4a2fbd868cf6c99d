//! Sizes of a model as frameworks ask for them: read off the blocks that `models` makes of a `config.json`, so that they
//! are those of the program that was planned.
//!
//! Most frameworks build a model from a few numbers, and know one form of it: layers that are all alike, of an attention and a
//! gated feed-forward layer behind norms by the root of the mean square. [`Model::plain`] says what stands in the way where a
//! model is not of that form. Some know more: latent attention, first layers without experts, layers that see a window,
//! biases; of these models [`Model::described`] says what no size says.

mod layers;

use meshwright_models::blocks::activation::Activation;
use meshwright_models::blocks::norm::NormForm;

pub use meshwright_models::blocks::rotary::Scaling;
use std::fmt;

/// A language model with attention.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The `model_type` of its configuration.
    pub model_type: String,
    /// Why it is not of the form that most frameworks know.
    pub plain: Result<(), String>,
    /// Why the sizes here do not say all of it, without [`Model::extras`].
    pub described: Result<(), String>,
    /// Why they do not with these.
    pub said: Result<(), String>,
    /// Layers.
    pub layers: usize,
    /// Width of the residual stream.
    pub width: usize,
    /// Rows of the embedding.
    pub vocabulary: usize,
    /// Whether the embedding makes the scores too.
    pub is_tied: bool,
    /// Heads of queries.
    pub heads: usize,
    /// Heads of keys and values.
    pub key_heads: usize,
    /// Elements of a head.
    pub head_dim: usize,
    /// Whether queries, keys and values have biases.
    pub has_qkv_bias: bool,
    /// Whether all other products of layers have biases.
    pub has_biases: bool,
    /// Whether queries and keys are normalized, head by head.
    pub has_head_norms: bool,
    /// Sizes of a latent attention, if that is one.
    pub latent: Option<Latent>,
    /// Keys that a query sees, if that are not all before it.
    pub window: Option<usize>,
    /// For each layer whether its queries see only such a window; empty where all layers do the same.
    pub windowed: Vec<bool>,
    /// Width between the products of the feed-forward layers; of an expert, where all layers have experts.
    pub inner: usize,
    /// Whether a product with a gate goes beside the first one.
    pub is_gated: bool,
    /// The function between these products.
    pub activation: Activation,
    /// Experts in place of the feed-forward layer.
    pub experts: Option<Experts>,
    /// For each layer whether it has experts; empty where all or none do.
    pub sparse: Vec<bool>,
    /// The form of norms.
    pub norm: NormForm,
    /// Added to variances.
    pub epsilon: f64,
    /// Rotary positions.
    pub rotary: Rotary,
    /// Rows of a table of positions, if they are learned.
    pub learned_positions: Option<usize>,
    /// Positions that the model was made for.
    pub positions: Option<usize>,
    /// What few frameworks know.
    pub extras: Extras,
    /// The classes of a layer in `transformers`.
    pub layer_class: &'static str,
    /// Full name of the embedding's weight.
    pub embedding: String,
    /// Full name of the weight that makes the scores.
    pub head: String,
    /// Name of the list of layers.
    pub layers_name: String,
}

/// Parts of models that few frameworks know, which are none in most models.
#[derive(Clone, Debug, PartialEq)]
pub struct Extras {
    /// By which embeddings are multiplied.
    pub embedding_scale: f64,
    /// The bound of the scores of tokens.
    pub head_cap: Option<f64>,
    /// The bound of the scores of attention.
    pub score_cap: Option<f64>,
    /// By which scores of attention are multiplied, if not by the root of a head's elements inverted.
    pub score_scale: Option<f64>,
    /// Whether there is a norm behind each part of a layer too.
    pub has_norms_behind: bool,
    /// The base of rotary positions in layers that see a window.
    pub local_theta: Option<f64>,
    /// For each layer whether that is its base; empty where all have the same.
    pub local: Vec<bool>,
    /// Whether each head has a score without a value.
    pub has_sinks: bool,
    /// Experts whose products and whose router have biases, and whose gates are clamped.
    pub clamped: Option<Clamped>,
}

/// Gates of experts as GPT-OSS has them: `g * sigmoid(alpha * g) * (u + 1)`, `g` and `u` clamped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clamped {
    /// The bound.
    pub limit: f64,
    /// The slope of the sigmoid.
    pub alpha: f64,
}

impl Clamped {
    /// The slope that frameworks know.
    pub const ALPHA: f64 = 1.702;
}

impl Default for Extras {
    fn default() -> Self {
        Self {
            embedding_scale: 1.0,
            head_cap: None,
            score_cap: None,
            score_scale: None,
            has_norms_behind: false,
            local_theta: None,
            local: Vec::new(),
            has_sinks: false,
            clamped: None,
        }
    }
}

impl Extras {
    /// Says which of them a model has.
    ///
    /// # Errors
    /// The first that is not none.
    pub fn none(&self) -> Result<(), String> {
        let no = |what: &str| Err(what.to_owned());
        match () {
            () if self.embedding_scale != 1.0 || self.head_cap.is_some() => {
                no("its embedding or scores are scaled or capped")
            }
            () if self.has_norms_behind => no("its layers have norms behind their parts"),
            () if self.score_cap.is_some() => no("its scores are capped"),
            () if self.score_scale.is_some() => no("its scores are scaled otherwise"),
            () if self.has_sinks => no("its scores have sinks"),
            () if self.clamped.is_some() => no("its experts have biases, and gates that are clamped"),
            () if !self.local.is_empty() => no("its rotary positions differ from layer to layer"),
            () => Ok(()),
        }
    }
}

/// Sizes of a latent attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latent {
    /// Width of what queries are made of, if that is not the residual stream.
    pub query_rank: Option<usize>,
    /// Width of what keys and values are made of.
    pub rank: usize,
    /// Elements of a head of queries and keys without positions.
    pub plain_dim: usize,
    /// Elements of a head of queries and keys with rotary positions.
    pub rotary_dim: usize,
    /// Elements of a head of values.
    pub value_dim: usize,
}

/// Experts of a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experts {
    /// How many there are.
    pub count: usize,
    /// How many a token is sent to.
    pub chosen: usize,
    /// Width between the products of an expert.
    pub inner: usize,
    /// Width between the products of the experts that all tokens are sent to, together.
    pub shared: Option<usize>,
    /// Whether the softmax is over all of them, and the shares of the chosen then sum up to less than one.
    pub is_softmax_first: bool,
    /// Whether scores are sigmoids.
    pub is_sigmoid: bool,
    /// Whether the shares of the chosen sum up to one.
    pub is_normalized: bool,
    /// Whether something is added to scores for the choice alone.
    pub is_corrected: bool,
    /// Groups of experts, how many of them are chosen first, and how many scores make that of a group.
    pub groups: Option<[usize; 3]>,
    /// By which shares are multiplied.
    pub scale: f64,
}

/// A model without such sizes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSizes {
    /// Why: "it is no decoder that writes text".
    pub reason: String,
    /// The classes of a layer in `transformers`.
    pub layer_class: &'static str,
}

impl fmt::Display for NoSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

/// Rotary positions as configurations say them: of layers that see all, where those with windows have others.
#[derive(Clone, Debug, PartialEq)]
pub struct Rotary {
    /// The base.
    pub theta: f64,
    /// Which share of a head's elements is turned; zero if there are none.
    pub share: f64,
    /// What stretches them.
    pub scaling: Scaling,
}

impl Experts {
    /// Returns whether the shares of the chosen sum up to one, as they also do where softmax is over these alone.
    pub fn sum_to_one(&self) -> bool {
        self.is_normalized || !(self.is_softmax_first || self.is_sigmoid)
    }

    /// The number of experts that are as wide as those together that all tokens are sent to; none if it is no whole number.
    pub fn num_shared(&self) -> Option<usize> {
        let shared = self.shared.unwrap_or(0);
        shared.is_multiple_of(self.inner).then(|| shared / self.inner)
    }
}

impl Model {
    /// The number of first layers without experts, where all others have them; none if layers take turns.
    pub fn num_dense_layers(&self) -> Option<usize> {
        match (&self.experts, self.sparse.as_slice()) {
            (None, _) => Some(self.layers),
            (Some(_), []) => Some(0),
            (Some(_), sparse) => {
                sparse.is_sorted().then(|| sparse.iter().filter(|has_experts| !**has_experts).count())
            }
        }
    }

    /// Returns whether layers see a window by turns, the first one of them; also where no window is smaller than a sequence.
    pub fn has_windows_by_turns(&self) -> bool {
        let mut layers = self.windowed.iter().enumerate();
        self.window.is_none()
            || !self.windowed.is_empty() && layers.all(|(at, own)| *own == at.is_multiple_of(2))
    }

    /// Numbers of parameters of which the frameworks' tensor parallelism shards some dim: heads of queries and keys, the
    /// inner width, the vocabulary, each with its name.
    pub fn tensor_dims(&self) -> [(&'static str, usize); 4] {
        [
            ("heads", self.heads),
            ("heads of keys and values", self.key_heads),
            ("inner width", self.inner),
            ("vocabulary", self.vocabulary),
        ]
    }
}
