//! Sizes of a model as frameworks ask for them: read off the blocks that `models` makes of a `config.json`, so that they
//! are those of the program that was planned.
//!
//! Frameworks build a model from a few numbers, and know one form of it: layers that are all alike, of an attention and a
//! feed-forward layer. [`Model::read`] says what stands in the way where a model is not of that form.

use meshwright_models::blocks::activation::Activation;
use meshwright_models::blocks::attention::{Attention, Sight};
use meshwright_models::blocks::linear::Bias;
use meshwright_models::blocks::mlp::{Inner, Mlp};
use meshwright_models::blocks::moe::Moe;
use meshwright_models::blocks::norm::{Norm, NormForm};
use meshwright_models::blocks::projections::Weights;
use meshwright_models::blocks::router::{Scores, Weighting};
use meshwright_models::decoder::{Block, Decoder, Layer, LayerShape};
use meshwright_models::families::Architecture;

/// A language model of equal layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The `model_type` of its configuration.
    pub model_type: String,
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
    /// Whether queries and keys are normalized, head by head.
    pub has_head_norms: bool,
    /// Keys that a query sees, if that are not all before it.
    pub window: Option<usize>,
    /// Width between the products of the feed-forward layer; of an expert, where there are experts.
    pub inner: usize,
    /// The function between these products.
    pub activation: Activation,
    /// Experts in place of the feed-forward layer.
    pub experts: Option<Experts>,
    /// Added to variances.
    pub epsilon: f64,
    /// Rotary positions.
    pub rotary: Rotary,
    /// Positions that the model was made for.
    pub positions: Option<usize>,
    /// The class of a layer in `transformers`.
    pub layer_class: &'static str,
    /// Full name of the embedding's weight.
    pub embedding: String,
    /// Full name of the weight that makes the scores.
    pub head: String,
    /// Name of the list of layers.
    pub layers_name: String,
}

/// Experts of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Experts {
    /// How many there are.
    pub count: usize,
    /// How many a token is sent to.
    pub chosen: usize,
    /// Whether the softmax is over all of them, and the shares of the chosen then sum up to less than one.
    pub is_softmax_first: bool,
    /// Whether the shares of the chosen sum up to one.
    pub is_normalized: bool,
}

/// Rotary positions as configurations say them.
#[derive(Clone, Debug, PartialEq)]
pub struct Rotary {
    /// The base.
    pub theta: f64,
    /// What stretches them.
    pub scaling: Scaling,
}

/// Ways of stretching rotary positions.
#[derive(Clone, Debug, PartialEq)]
pub enum Scaling {
    /// None.
    None,
    /// That of Llama 3.1.
    Llama3 {
        /// By which slow angles are divided.
        factor: f64,
        /// Turns below which an angle is slow.
        low: f64,
        /// Turns above which it is not changed.
        high: f64,
        /// Positions before.
        original: usize,
    },
    /// Another, by its name.
    Other(String),
}

impl Model {
    /// The sizes of a model; `config` is the text that it was read from.
    ///
    /// # Errors
    /// What of the model has no such sizes: "a layer of a state space".
    pub fn read(model: &meshwright_models::Model, config: &str) -> Result<Self, String> {
        let Architecture::Decoder(decoder) = &model.architecture else {
            return Err(format!("`{}` is no decoder that writes text", model.model_type));
        };
        let first = decoder.layers.first().ok_or("it has no layers")?;
        if decoder.layers.iter().any(|layer| layer != first) {
            return Err("its layers are not all alike".to_owned());
        }
        let (attention, feed, norm) = parts(first)?;
        plain_ends(decoder)?;
        let config = Config::read(config);
        let mut sizes = Self {
            model_type: model.model_type.clone(),
            layers: decoder.layers.len(),
            width: decoder.embedding.width,
            vocabulary: decoder.embedding.vocabulary,
            is_tied: decoder.head.weight == decoder.embedding.name,
            heads: attention.heads.queries,
            key_heads: attention.heads.keys,
            head_dim: attention.heads.dim,
            has_qkv_bias: has_bias(attention)?,
            has_head_norms: attention.norms.is_some(),
            window: match attention.scoring.sight {
                Sight::Causal => None,
                Sight::Window(size) => Some(size),
                Sight::All => return Err("its tokens see those behind them".to_owned()),
            },
            inner: 0,
            activation: Activation::Silu,
            experts: None,
            epsilon: norm.epsilon,
            rotary: config.rotary(model),
            positions: config.number("max_position_embeddings").map(|number| number as usize),
            layer_class: layer_class(&model.model_type).ok_or("its layers have no class that is known")?,
            embedding: decoder.embedding.name.clone(),
            head: decoder.head.weight.clone(),
            layers_name: decoder.prefix.clone(),
        };
        if attention.scoring.cap.is_some() || attention.scoring.sinks.is_some() {
            return Err("its scores are capped, or have sinks".to_owned());
        }
        match feed {
            Block::Mlp(mlp) => sizes.dense(mlp)?,
            Block::Moe(moe) => sizes.mixture(moe)?,
            _ => return Err("a layer has no feed-forward part".to_owned()),
        }
        Ok(sizes)
    }

    fn dense(&mut self, mlp: &Mlp) -> Result<(), String> {
        let (inner, biases) = match &mlp.inner {
            Inner::Gated(gate, up) => (gate.outputs, [gate.bias, up.bias, mlp.down.bias]),
            Inner::Fused(both) => (both.outputs / 2, [both.bias, both.bias, mlp.down.bias]),
            Inner::Up(_) => return Err("its feed-forward layers have no gate".to_owned()),
        };
        (self.inner, self.activation) = (inner, mlp.activation);
        if biases == [Bias::None; 3] { Ok(()) } else { Err("its feed-forward layers have biases".to_owned()) }
    }

    fn mixture(&mut self, moe: &Moe) -> Result<(), String> {
        let router = &moe.router;
        if moe.shared.is_some()
            || router.bias.is_some()
            || router.correction.is_some()
            || router.groups.is_some()
        {
            return Err("its experts are chosen by groups or corrections, or some are shared".to_owned());
        }
        if router.scores == Scores::Sigmoid {
            return Err("its experts are chosen by sigmoids".to_owned());
        }
        (self.inner, self.activation) = (moe.experts.inner, moe.experts.activation);
        self.experts = Some(Experts {
            count: router.count,
            chosen: router.chosen,
            is_softmax_first: router.scores == Scores::Softmax,
            is_normalized: router.weights == Weighting::Shares,
        });
        Ok(())
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

/// Attention, feed-forward layer and norm of a layer that has these in this order.
fn parts(layer: &Layer) -> Result<(&Attention, &Block, &Norm), String> {
    let [mixer, feed] = layer.parts.as_slice() else {
        return Err(format!(
            "a layer has {} parts, not an attention and a feed-forward part",
            layer.parts.len()
        ));
    };
    if layer.form == LayerShape::Parallel
        || [mixer, feed].iter().any(|part| part.behind.is_some() || part.sum.is_some())
    {
        return Err("its layers have norms behind their parts, or parts side by side".to_owned());
    }
    let Block::Attention(attention) = &mixer.block else {
        return Err("a layer has a latent attention, or a state space".to_owned());
    };
    match &mixer.before {
        Some(norm) if norm.form == NormForm::Rms => Ok((attention, &feed.block, norm)),
        _ => Err("its norms are not by the root of the mean square".to_owned()),
    }
}

/// Refuses scaled embeddings, learned positions and capped scores.
fn plain_ends(decoder: &Decoder) -> Result<(), String> {
    let (embedding, head) = (&decoder.embedding, &decoder.head);
    let is_plain = embedding.scale == 1.0 && embedding.positions.is_none() && head.scale == 1.0;
    match is_plain && head.cap.is_none() && head.bias.is_none() {
        true => Ok(()),
        false => Err("its embedding or scores are scaled or capped, or it has learned positions".to_owned()),
    }
}

fn has_bias(attention: &Attention) -> Result<bool, String> {
    let biases = match &attention.weights {
        Weights::Separate(weights) => weights.iter().map(|(_, bias)| *bias).collect(),
        Weights::Fused(_, bias, _) | Weights::ByHead(_, bias) => vec![*bias],
    };
    let has_bias = biases.iter().all(|bias| *bias == Bias::Added);
    match attention.output.bias {
        Bias::None => Ok(has_bias),
        Bias::Added => Err("the last product of its attention has a bias".to_owned()),
    }
}

/// The class of a layer in `transformers`, by the type of model.
fn layer_class(model_type: &str) -> Option<&'static str> {
    Some(match model_type {
        "llama" => "LlamaDecoderLayer",
        "mistral" => "MistralDecoderLayer",
        "mixtral" => "MixtralDecoderLayer",
        "qwen2" => "Qwen2DecoderLayer",
        "qwen3" => "Qwen3DecoderLayer",
        "qwen3_moe" => "Qwen3MoeDecoderLayer",
        "phi3" => "Phi3DecoderLayer",
        _ => return None,
    })
}

/// What frameworks want to know as the configuration says it. It was read, and so is known to be right.
struct Config(serde_json::Value);

impl Config {
    fn read(text: &str) -> Self {
        let outer: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        Self(match outer.get("text_config") {
            Some(inner) if outer.get("hidden_size").is_none() => inner.clone(),
            _ => outer,
        })
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.0.get(name)?.as_f64()
    }

    fn rotary(&self, model: &meshwright_models::Model) -> Rotary {
        let documented = model.defaults.iter().find(|(name, _)| name == "rope_theta");
        let documented = documented.and_then(|(_, value)| value.parse().ok()).unwrap_or(10_000.0);
        let given = ["rope_parameters", "rope_scaling"]
            .map(|name| self.0.get(name).filter(|given| given.is_object()));
        let given = given.into_iter().flatten().next();
        let number = |name: &str| given.and_then(|given| given.get(name)?.as_f64());
        let theta = number("rope_theta").or(self.number("rope_theta")).unwrap_or(documented);
        let kind = given.and_then(|given| given.get("rope_type").or(given.get("type"))?.as_str());
        let scaling = match kind {
            None | Some("default") => Scaling::None,
            Some("llama3") => Scaling::Llama3 {
                factor: number("factor").unwrap_or(8.0),
                low: number("low_freq_factor").unwrap_or(1.0),
                high: number("high_freq_factor").unwrap_or(4.0),
                original: number("original_max_position_embeddings").unwrap_or(8192.0) as usize,
            },
            Some(other) => Scaling::Other(other.to_owned()),
        };
        Rotary { theta, scaling }
    }
}
