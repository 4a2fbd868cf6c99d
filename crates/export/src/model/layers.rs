//! Sizes of the layers of a model.
//!
//! Input: a model. Output: [`Model`], what target frameworks are told of it, or why it has no such sizes.

use super::{Clamped, Experts, Extras, Latent, Model, NoSizes, Rotary, Scaling};
use meshwright_models::blocks::activation::Activation;
use meshwright_models::blocks::attention::{Attention, Sight};
use meshwright_models::blocks::linear::Bias;
use meshwright_models::blocks::mla::Mla;
use meshwright_models::blocks::mlp::{Inner, Mlp};
use meshwright_models::blocks::moe::{ExpertWeights, Moe};
use meshwright_models::blocks::norm::{Norm, NormForm};
use meshwright_models::blocks::projections::Weights;
use meshwright_models::blocks::rotary;
use meshwright_models::blocks::router::{Scores, Weighting};
use meshwright_models::decoder::{Block, Decoder, Layer, LayerShape};
use meshwright_models::families::{Architecture, family};

/// A part that sees other tokens.
enum Mixer<'a> {
    Attention(&'a Attention),
    Latent(&'a Mla),
}

impl Model {
    /// The sizes of a model.
    ///
    /// # Errors
    /// Why the model has no such sizes.
    pub fn read(model: &meshwright_models::Model) -> Result<Self, NoSizes> {
        let class = family(&model.model_type).map_or("", |family| family.layer_classes);
        let none = |reason: String| NoSizes { reason, layer_class: class };
        let Architecture::Decoder(decoder) = &model.architecture else {
            return Err(none(format!("`{}` is no decoder that writes text", model.model_type)));
        };
        let blocks = || decoder.layers.iter().flat_map(|layer| &layer.parts).map(|part| &part.block);
        let Some(mixer) = blocks().find_map(mixer) else {
            return Err(none("its layers have a state space, and no attention".to_owned()));
        };
        let norm = decoder.layers.iter().flat_map(|layer| &layer.parts).find_map(|part| part.before.as_ref());
        let mut sizes = Self {
            model_type: model.model_type.clone(),
            plain: Ok(()),
            described: Ok(()),
            said: Ok(()),
            layers: decoder.layers.len(),
            width: decoder.embedding.width,
            vocabulary: decoder.embedding.vocabulary,
            is_tied: decoder.head.weight == decoder.embedding.name,
            heads: 0,
            key_heads: 0,
            head_dim: 0,
            has_qkv_bias: false,
            has_biases: false,
            has_head_norms: false,
            latent: None,
            window: None,
            windowed: Vec::new(),
            inner: 0,
            is_gated: true,
            activation: Activation::Silu,
            experts: None,
            sparse: Vec::new(),
            norm: norm.map_or(NormForm::Rms, |norm| norm.form),
            epsilon: norm.map_or(0.0, |norm| norm.epsilon),
            rotary: positions_of(decoder),
            learned_positions: decoder.embedding.positions.as_ref().map(|(_, rows, first)| rows - first),
            positions: model.positions,
            extras: Extras::default(),
            layer_class: class,
            embedding: decoder.embedding.name.clone(),
            head: decoder.head.weight.clone(),
            layers_name: decoder.prefix.clone(),
        };
        sizes.mixer(&mixer);
        let mlp = blocks().find_map(|block| if let Block::Mlp(mlp) = block { Some(mlp) } else { None });
        let moe = blocks().find_map(|block| if let Block::Moe(moe) = block { Some(moe) } else { None });
        sizes.feed(mlp, moe, blocks);
        sizes.said = said(decoder, &mut sizes);
        sizes.described =
            sizes.said.clone().and_then(|()| sizes.extras.none()).and_then(|()| match sizes.norm {
                NormForm::RmsPlusOne => Err("its norms add one to their weights".to_owned()),
                NormForm::Rms | NormForm::Layer(_) => Ok(()),
            });
        sizes.plain = sizes.described.clone().and_then(|()| sizes.is_plain(decoder));
        Ok(sizes)
    }

    fn mixer(&mut self, mixer: &Mixer<'_>) {
        let rotary_dims = |rotary: &rotary::Rotary| 2 * rotary.frequencies.len();
        match mixer {
            Mixer::Attention(attention) => {
                (self.heads, self.key_heads) = (attention.heads.queries, attention.heads.keys);
                self.head_dim = attention.heads.dim;
                self.has_qkv_bias = has_qkv_bias(attention);
                self.has_biases = attention.output.bias == Bias::Added;
                self.has_head_norms = attention.norms.is_some();
                let turned = attention.rotary.as_ref().map_or(0, rotary_dims);
                self.rotary.share = turned as f64 / attention.heads.dim.max(1) as f64;
            }
            Mixer::Latent(latent) => {
                (self.heads, self.key_heads) = (latent.heads, latent.heads);
                self.head_dim = latent.plain_dim;
                self.rotary.share = 1.0;
                self.latent = Some(Latent {
                    query_rank: latent.query_rank,
                    rank: latent.rank,
                    plain_dim: latent.plain_dim,
                    rotary_dim: latent.rotary_dim,
                    value_dim: latent.value_dim,
                });
            }
        }
    }

    fn feed<'a, B: Iterator<Item = &'a Block>>(
        &mut self,
        mlp: Option<&Mlp>,
        moe: Option<&Moe>,
        blocks: impl Fn() -> B,
    ) {
        if let Some(moe) = moe {
            let router = &moe.router;
            (self.inner, self.activation) = (moe.experts.inner, moe.experts.activation);
            self.experts = Some(Experts {
                count: router.count,
                chosen: router.chosen,
                inner: moe.experts.inner,
                shared: moe.shared.as_ref().map(|(mlp, _)| inner(mlp)),
                is_softmax_first: router.scores == Scores::Softmax,
                is_sigmoid: router.scores == Scores::Sigmoid,
                is_normalized: router.weights == Weighting::Shares,
                is_corrected: router.correction.is_some(),
                groups: router
                    .groups
                    .filter(|groups| groups.kept < groups.count)
                    .map(|groups| [groups.count, groups.kept, groups.best]),
                scale: router.scale,
            });
        }
        if let Some(mlp) = mlp {
            (self.inner, self.activation) = (inner(mlp), mlp.activation);
            self.is_gated = !matches!(mlp.inner, Inner::Up(_));
            if moe.is_some() {
                let is_feed = |block: &&Block| matches!(block, Block::Mlp(_) | Block::Moe(_));
                self.sparse = blocks().filter(is_feed).map(|block| matches!(block, Block::Moe(_))).collect();
            }
        }
    }

    /// Whether it is a model of the form that most frameworks know.
    fn is_plain(&self, decoder: &Decoder) -> Result<(), String> {
        let is_alike = decoder.layers.iter().all(|layer| *layer == decoder.layers[0]);
        let no = |what: &str| Err(what.to_owned());
        match () {
            () if self.norm != NormForm::Rms => no("its norms are not by the root of the mean square"),
            () if self.latent.is_some() => no("a layer has a latent attention"),
            () if !is_alike => no("its layers are not all alike"),
            () if self.learned_positions.is_some() => no("it has learned positions"),
            () if self.rotary.share != 1.0 => no("only a part of a head has rotary positions"),
            () if !self.is_gated => no("its feed-forward layers have no gate"),
            () if self.has_biases => no("its products have biases"),
            () => match &self.experts {
                Some(experts) if experts.is_sigmoid => no("its experts are chosen by sigmoids"),
                Some(experts)
                    if experts.groups.is_some() || experts.is_corrected || experts.shared.is_some() =>
                {
                    no("its experts are chosen by groups or corrections, or some are shared")
                }
                Some(experts) if experts.scale != 1.0 => no("the shares of its experts are scaled"),
                _ => Ok(()),
            },
        }
    }
}

fn mixer(block: &Block) -> Option<Mixer<'_>> {
    match block {
        Block::Attention(attention) => Some(Mixer::Attention(attention)),
        Block::Mla(latent) => Some(Mixer::Latent(latent)),
        Block::Mlp(_) | Block::Moe(_) | Block::Mamba(_) | Block::Mamba2(_) => None,
    }
}

fn inner(mlp: &Mlp) -> usize {
    match &mlp.inner {
        Inner::Up(up) => up.outputs,
        Inner::Gated(gate, _) => gate.outputs,
        Inner::Fused(both) => both.outputs / 2,
    }
}

fn has_qkv_bias(attention: &Attention) -> bool {
    match &attention.weights {
        Weights::Separate(weights) => weights.iter().all(|(_, bias)| *bias == Bias::Added),
        Weights::Fused(_, bias, _) | Weights::ByHead(_, bias) => *bias == Bias::Added,
    }
}

/// Says what of a model no size says, and fills in which layers see a window, and what few models have.
fn said(decoder: &Decoder, sizes: &mut Model) -> Result<(), String> {
    let (embedding, head) = (&decoder.embedding, &decoder.head);
    (sizes.extras.embedding_scale, sizes.extras.head_cap) = (embedding.scale, head.cap);
    if head.scale != 1.0 || head.bias.is_some() {
        return Err("its scores are scaled or have biases".to_owned());
    }
    let mut layers = Vec::with_capacity(decoder.layers.len());
    for layer in &decoder.layers {
        layers.push(parts(layer)?);
    }
    let (first, _, norm) = layers.first().ok_or("it has no layers")?;
    let behind = |layer: &Layer| layer.parts.iter().all(|part| part.behind.is_some());
    sizes.extras.has_norms_behind = decoder.layers.iter().all(behind);
    (sizes.extras.local_theta, sizes.extras.local) = locals(&layers)?;
    let first = without_sight(first);
    let mut windows = Vec::new();
    let (mut mlp, mut moe) = (None, None);
    for (attention, feed, own) in &layers {
        if (own.form, own.epsilon) != (norm.form, norm.epsilon) {
            return Err("its norms are not all alike".to_owned());
        }
        if without_sight(attention) != first {
            return Err("its attentions are not all alike, but for what they see".to_owned());
        }
        windows.push(sight(attention)?);
        let is_other = match feed {
            Block::Mlp(own) => *mlp.get_or_insert(own) != own,
            Block::Moe(own) => *moe.get_or_insert(own) != own,
            _ => return Err("a layer has no feed-forward part".to_owned()),
        };
        if is_other {
            return Err("its feed-forward layers are not all alike".to_owned());
        }
    }
    attention_is_said(&first, norm, sizes)?;
    if let Some(mlp) = mlp {
        mlp_is_described(mlp, sizes)?;
    }
    if let Some(moe) = moe {
        if let ExpertWeights::Stacked { limit, alpha } = moe.experts.weights {
            sizes.extras.clamped = Some(Clamped { limit, alpha });
        }
        moe_is_described(moe, sizes)?;
    }
    sizes.window = windows.iter().copied().flatten().next();
    if windows.iter().flatten().any(|window| Some(*window) != sizes.window) {
        return Err("its layers see windows of several sizes".to_owned());
    }
    if windows.iter().any(|window| *window != windows[0]) {
        sizes.windowed = windows.iter().map(Option::is_some).collect();
    }
    Ok(())
}

fn rotary(block: &Block) -> Option<&rotary::Rotary> {
    match block {
        Block::Attention(attention) => attention.rotary.as_ref(),
        Block::Mla(latent) => Some(&latent.rotary),
        Block::Mlp(_) | Block::Moe(_) | Block::Mamba(_) | Block::Mamba2(_) => None,
    }
}

/// Rotary positions of layers that see all, of which the share is filled in with the attention; where all are others, those.
fn positions_of(decoder: &Decoder) -> Rotary {
    let blocks = decoder.layers.iter().flat_map(|layer| &layer.parts).map(|part| &part.block);
    let all: Vec<&rotary::Rotary> = blocks.filter_map(rotary).collect();
    let found = all.iter().find(|rotary| !rotary.is_local).or(all.first());
    match found {
        Some(rotary) => Rotary { theta: rotary.theta, share: 0.0, scaling: rotary.scaling.clone() },
        // Nothing is turned: the base is that with which nobody would be surprised.
        None => Rotary { theta: 10_000.0, share: 0.0, scaling: Scaling::None },
    }
}

/// The base of rotary positions of layers that see a window, where these have others, and for each layer whether its own
/// are these.
fn locals(layers: &[(Block, &Block, &Norm)]) -> Result<(Option<f64>, Vec<bool>), String> {
    let own = || layers.iter().map(|(attention, _, _)| rotary(attention));
    let is_local = |own: Option<&rotary::Rotary>| own.is_some_and(|own| own.is_local);
    let all_alike = |kind: bool| {
        let mut of_kind = own().filter(|own| is_local(*own) == kind);
        let first = of_kind.next();
        of_kind.all(|own| Some(own) == first)
    };
    let of_window = own().find(|own| is_local(*own)).flatten();
    if !all_alike(true) || !all_alike(false) || of_window.is_some_and(|own| own.scaling != Scaling::None) {
        return Err("its rotary positions differ from layer to layer".to_owned());
    }
    let local = if of_window.is_some() { own().map(is_local).collect() } else { Vec::new() };
    Ok((of_window.map(|own| own.theta), local))
}

/// Attention, feed-forward layer and norm of a layer that has these in this order.
fn parts(layer: &Layer) -> Result<(Block, &Block, &Norm), String> {
    let [mixer, feed] = layer.parts.as_slice() else {
        return Err(format!(
            "a layer has {} parts, not an attention and a feed-forward part",
            layer.parts.len()
        ));
    };
    let behind: Vec<&Norm> = [mixer, feed].iter().filter_map(|part| part.behind.as_ref()).collect();
    if layer.form == LayerShape::Parallel
        || behind.len() == 1
        || [mixer, feed].iter().any(|part| part.sum.is_some())
    {
        return Err("its layers have norms behind one of their parts, or parts side by side".to_owned());
    }
    if !matches!(mixer.block, Block::Attention(_) | Block::Mla(_)) {
        return Err("a layer has a state space".to_owned());
    }
    match (&mixer.before, &feed.before) {
        (Some(norm), Some(other))
            if behind
                .iter()
                .chain(&[other])
                .all(|own| (own.form, own.epsilon) == (norm.form, norm.epsilon)) =>
        {
            Ok((mixer.block.clone(), &feed.block, norm))
        }
        _ => Err("a layer has a part without a norm, or with another one".to_owned()),
    }
}

/// An attention as if its tokens saw all before them, wherever they are.
fn without_sight(block: &Block) -> Block {
    let mut block = block.clone();
    match &mut block {
        Block::Attention(attention) => {
            attention.scoring.sight = Sight::Causal;
            attention.rotary = None;
        }
        Block::Mla(latent) => latent.scoring.sight = Sight::Causal,
        _ => {}
    }
    block
}

fn sight(block: &Block) -> Result<Option<usize>, String> {
    let scoring = match block {
        Block::Attention(attention) => &attention.scoring,
        Block::Mla(latent) => &latent.scoring,
        _ => return Ok(None),
    };
    match scoring.sight {
        Sight::Causal => Ok(None),
        Sight::Window(size) => Ok(Some(size)),
        Sight::All => Err("its tokens see those behind them".to_owned()),
    }
}

fn attention_is_said(block: &Block, norm: &Norm, sizes: &mut Model) -> Result<(), String> {
    let no = |what: &str| Err(what.to_owned());
    match block {
        Block::Attention(attention) => {
            let scoring = &attention.scoring;
            let scale = (attention.heads.dim as f64).powf(-0.5);
            sizes.extras.score_cap = scoring.cap;
            sizes.extras.has_sinks = scoring.sinks.is_some();
            sizes.extras.score_scale = Some(scoring.scale).filter(|own| (own - scale).abs() > 1e-9 * scale);
            match () {
                () if sizes.has_biases && !sizes.has_qkv_bias => {
                    no("the last product of its attention has a bias, and the first has none")
                }
                () => Ok(()),
            }
        }
        Block::Mla(latent) => match () {
            () if latent.bias == Bias::Added || latent.output.bias == Bias::Added => {
                no("its latent attention has biases")
            }
            () if latent.epsilon != norm.epsilon => no("the norms of its latent attention are other ones"),
            () if latent.scoring.cap.is_some() || latent.scoring.sinks.is_some() => {
                no("its scores are capped, or have sinks")
            }
            () => Ok(()),
        },
        _ => Ok(()),
    }
}

fn mlp_is_described(mlp: &Mlp, sizes: &Model) -> Result<(), String> {
    let biases = match &mlp.inner {
        Inner::Gated(gate, up) => vec![gate.bias, up.bias, mlp.down.bias],
        Inner::Fused(both) => vec![both.bias, mlp.down.bias],
        Inner::Up(up) => vec![up.bias, mlp.down.bias],
    };
    match biases.iter().all(|bias| (*bias == Bias::Added) == sizes.has_biases) {
        true => Ok(()),
        false => Err("some of its products have biases, others not".to_owned()),
    }
}

fn moe_is_described(moe: &Moe, sizes: &Model) -> Result<(), String> {
    let no = |what: &str| Err(what.to_owned());
    let is_gated = match &moe.experts.weights {
        ExpertWeights::Each(_) => true,
        ExpertWeights::EachUngated(_) => false,
        ExpertWeights::Stacked { .. } => true,
    };
    let are_stacked = matches!(moe.experts.weights, ExpertWeights::Stacked { .. });
    match () {
        () if !is_gated || !sizes.is_gated => no("its experts have no gate"),
        () if moe.experts.activation != sizes.activation => {
            no("its experts have another function than other layers")
        }
        () if sizes.has_biases != are_stacked => no("some of its products have biases, others not"),
        () if moe.router.bias.is_some() != are_stacked => {
            no("one of its router and its experts has biases, the other none")
        }
        () if moe.shared.as_ref().is_some_and(|(_, gate)| gate.is_some()) => {
            no("its shared experts have a gate")
        }
        () => Ok(()),
    }
}
