//! Jamba (Lieber et al.): most layers are Mamba, every few an attention without positions; behind each is a feed-forward
//! layer, every second a mixture of experts.

use super::common::{Common, Defaults, LLAMA, NO_WINDOW, PLAIN_ATTENTION, PLAIN_MLP};
use super::{Architecture, Family};
use crate::blocks::attention::{Attention, Reads, Scoring};
use crate::blocks::linear::{Bias, Linear};
use crate::blocks::mamba::Mamba;
use crate::blocks::mlp::Mlp;
use crate::blocks::moe::{ExpertWeights, Experts, Moe};
use crate::blocks::projections::Weights;
use crate::blocks::router::{Router, Scores, Weighting};
use crate::decoder::{Block, Layer, Part};
use crate::fields::Fields;
use meshwright_ir::diagnostic::Diagnostic;

/// The family.
pub(super) const FAMILY: Family = Family {
    model_types: &["jamba"],
    documented: "JambaConfig",
    positions: Some(("max_position_embeddings", 262_144)),
    layer_classes: "JambaAttentionDecoderLayer,JambaMambaDecoderLayer",
    only: &[NO_WINDOW, PLAIN_ATTENTION, PLAIN_MLP],
    idle: &[
        "calc_logits_for_entire_prompt",
        "layers_block_type",
        "layers_num_experts",
        "num_experts_per_tok",
        "use_associative_scan",
        "use_mamba_kernels",
        "use_mambapy",
    ],
    read,
};

/// The layers that are of a kind: one of each period, from an offset on.
struct Every {
    period: usize,
    offset: usize,
}

impl Every {
    fn read(fields: &mut Fields<'_>, names: [&str; 2], defaults: [usize; 2]) -> Result<Self, Diagnostic> {
        let period = fields.size(names[0], defaults[0])?;
        let offset = fields.count(names[1], defaults[1])?;
        if offset >= period {
            let message = format!("`{}` is {offset}, which is no place in a period of {period}", names[1]);
            return Err(fields.fault(names[1], message));
        }
        Ok(Self { period, offset })
    }

    fn has(&self, layer: usize) -> bool {
        layer % self.period == self.offset
    }
}

fn read(fields: &mut Fields<'_>, _: usize) -> Result<Architecture, Diagnostic> {
    let defaults = Defaults { vocabulary: 65_536, inner: 14_336, key_heads: Some(8), ..LLAMA };
    let common = Common::read(fields, &defaults)?;
    let attentions = Every::read(fields, ["attn_layer_period", "attn_layer_offset"], [8, 4])?;
    let mixtures = Every::read(fields, ["expert_layer_period", "expert_layer_offset"], [2, 1])?;
    let attention = Block::Attention(attention(&common));
    let mamba = Block::Mamba(mamba(fields, &common)?);
    let dense = Block::Mlp(Mlp { name: "feed_forward".into(), ..common.mlp(common.inner, Bias::None) });
    let mixture = match fields.size("num_experts", 16)? {
        1 => dense.clone(),
        count => Block::Moe(moe(fields, &common, count)?),
    };
    let layer = |layer: usize| {
        let mixer = if attentions.has(layer) { &attention } else { &mamba };
        let feed = if mixtures.has(layer) { &mixture } else { &dense };
        Layer::serial(vec![
            Part::new(common.norm("input_layernorm"), mixer.clone()),
            Part::new(common.norm("pre_ff_layernorm"), feed.clone()),
        ])
    };
    let mut decoder = common.decoder((0..common.layers).map(layer).collect());
    decoder.norm = Some(common.norm(&format!("{}model.final_layernorm", common.prefix)));
    Ok(Architecture::Decoder(decoder))
}

fn attention(common: &Common) -> Attention {
    Attention {
        name: "self_attn".into(),
        heads: common.heads,
        weights: Weights::separate(["q_proj", "k_proj", "v_proj"], Bias::None),
        norms: None,
        rotary: None,
        scoring: Scoring::causal(common.heads.dim),
        reads: Reads::Input,
        output: Linear::new("o_proj", common.width, Bias::None),
    }
}

fn mamba(fields: &mut Fields<'_>, common: &Common) -> Result<Mamba, Diagnostic> {
    Ok(Mamba {
        name: "mamba".into(),
        inner: fields.size("mamba_expand", 2)? * common.width,
        state: fields.size("mamba_d_state", 16)?,
        step_rank: super::step_rank(fields, "mamba_dt_rank", common.width)?,
        kernel: fields.size("mamba_d_conv", 4)?,
        activation: common.activation,
        bias: Bias::if_given(fields.flag("mamba_proj_bias", false)?),
        conv_bias: Bias::if_given(fields.flag("mamba_conv_bias", true)?),
        norms: Some(common.epsilon),
        width: common.width,
    })
}

fn moe(fields: &mut Fields<'_>, common: &Common, count: usize) -> Result<Moe, Diagnostic> {
    Ok(Moe {
        name: "feed_forward".into(),
        router: Router {
            name: "router".into(),
            count,
            chosen: super::chosen(fields, "num_experts_per_tok", 2, count)?,
            scores: Scores::Softmax,
            bias: None,
            correction: None,
            groups: None,
            weights: Weighting::Scores,
            scale: 1.0,
        },
        experts: Experts {
            inner: common.inner,
            activation: common.activation,
            weights: ExpertWeights::Each(["gate_proj", "up_proj", "down_proj"]),
        },
        shared: None,
    })
}
