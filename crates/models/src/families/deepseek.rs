//! DeepSeek-V2 and V3 (DeepSeek-AI): latent attention, and behind the first layers mixtures of experts, of which some take
//! all tokens; a token is sent to experts of few groups, each of which lies on a device.

use super::common::{Common, Defaults, LLAMA, PARTLY_TURNED, PLAIN_MLP, ROPE_THETA, turned_in_pairs};
use super::{Architecture, Family};
use crate::blocks::attention::Scoring;
use crate::blocks::linear::{Bias, Linear};
use crate::blocks::mla::Mla;
use crate::blocks::moe::{ExpertWeights, Experts, Moe, shared};
use crate::blocks::rotary::{Pairs, Rotary, sharpness};
use crate::blocks::router::{Groups, Router, Scores, Weighting};
use crate::decoder::Block;
use crate::fields::Fields;
use crate::known::{Literal, Only};
use meshwright_ir::diagnostic::Diagnostic;

/// DeepSeek-V2.
pub(super) const V2: Family = Family {
    model_types: &["deepseek_v2"],
    documented: "DeepseekV2Config",
    positions: Some(("max_position_embeddings", 2048)),
    layer_classes: "DeepseekV2DecoderLayer",
    only: &[
        PLAIN_MLP,
        PARTLY_TURNED,
        Only::among("scoring_func", &[Literal::Text("softmax")], "experts would have scores of another form"),
        // The class in transformers does not read it and scales scores; the module that the authors published makes shares
        // of them instead.
        Only::unset(
            "norm_topk_prob",
            "the authors' module makes scores of experts sum up to one, the class in transformers does not",
        ),
    ],
    idle: &[
        "alpha",
        "aux_loss_alpha",
        "ep_size",
        "head_dim",
        "num_mtp_layers",
        "num_nextn_predict_layers",
        "qk_head_dim",
        "seq_aux",
        "n_group",
        "topk_group",
    ],
    read: read_v2,
};

/// DeepSeek-V3.
pub(super) const V3: Family = Family {
    model_types: &["deepseek_v3"],
    documented: "DeepseekV3Config",
    positions: Some(("max_position_embeddings", 4096)),
    layer_classes: "DeepseekV3DecoderLayer",
    only: &[
        PLAIN_MLP,
        PARTLY_TURNED,
        Only::among("scoring_func", &[Literal::Text("sigmoid")], "experts would have scores of another form"),
        Only::among(
            "topk_method",
            &[Literal::Text("noaux_tc")],
            "experts would be chosen without the bias that balances them",
        ),
    ],
    idle: &[
        "alpha",
        "aux_loss_alpha",
        "ep_size",
        "head_dim",
        "num_mtp_layers",
        "num_nextn_predict_layers",
        "qk_head_dim",
        "seq_aux",
    ],
    read: read_v3,
};

/// The width of heads where nothing is said: nothing reads it, as their parts have fields of their own, so that heads need not
/// divide the width of the model.
const PART_OF_HEAD: Option<usize> = Some(64);

fn read_v2(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let common = Common::read(fields, &Defaults { vocabulary: 102_400, head_dim: PART_OF_HEAD, ..LLAMA })?;
    let count = fields.size("n_routed_experts", 64)?;
    let method = fields.text("topk_method", "greedy")?;
    let groups = match method {
        "greedy" => None,
        "group_limited_greedy" => {
            super::must_be_given(fields, &V2, "n_group")?;
            super::must_be_given(fields, &V2, "topk_group")?;
            Some(groups(fields, count, 1)?)
        }
        other => {
            let message = format!(
                "`{other}` is no `topk_method` that is known; `greedy` and `group_limited_greedy` are"
            );
            return Err(fields.fault("topk_method", message));
        }
    };
    super::must_be_given(fields, &V2, "num_experts_per_tok")?;
    let chosen = super::chosen(fields, "num_experts_per_tok", 2, count)?;
    let router = Router {
        name: "gate".into(),
        count,
        chosen,
        scores: Scores::Softmax,
        bias: None,
        correction: None,
        groups,
        weights: Weighting::Scores,
        scale: fields.number("routed_scaling_factor", 1.0)?,
    };
    let shared = fields.count("n_shared_experts", 2)?;
    let first = fields.count("first_k_dense_replace", 0)?;
    let inner = fields.size("moe_intermediate_size", 1407)?;
    model(fields, length, &common, router, [shared, inner, first])
}

fn read_v3(fields: &mut Fields<'_>, length: usize) -> Result<Architecture, Diagnostic> {
    let defaults = Defaults {
        vocabulary: 129_280,
        width: 7168,
        inner: 18_432,
        layers: 61,
        heads: 128,
        key_heads: Some(128),
        head_dim: PART_OF_HEAD,
        ..LLAMA
    };
    let common = Common::read(fields, &defaults)?;
    let count = fields.size("n_routed_experts", 256)?;
    let is_normalized = fields.flag("norm_topk_prob", true)?;
    let router = Router {
        name: "gate".into(),
        count,
        chosen: super::chosen(fields, "num_experts_per_tok", 8, count)?,
        scores: Scores::Sigmoid,
        bias: None,
        correction: Some("gate.e_score_correction_bias".into()),
        groups: Some(groups(fields, count, 2)?),
        weights: if is_normalized { Weighting::Shares } else { Weighting::Scores },
        scale: fields.number("routed_scaling_factor", 2.5)?,
    };
    let shared = fields.count("n_shared_experts", 1)?;
    let first = fields.count("first_k_dense_replace", 3)?;
    let inner = fields.size("moe_intermediate_size", 2048)?;
    model(fields, length, &common, router, [shared, inner, first])
}

/// The groups of experts; `best` scores of a group make that of the group.
fn groups(fields: &mut Fields<'_>, experts: usize, best: usize) -> Result<Groups, Diagnostic> {
    let count = fields.size("n_group", 8)?;
    let size = fields.quotient(("n_routed_experts", experts), ("n_group", count))?;
    let kept = super::chosen(fields, "topk_group", count.min(4), count)?;
    Ok(Groups { count, kept, best: best.min(size) })
}

/// The model; `sizes` are the number of experts that take all tokens, the inner width of an expert, and how many of the
/// first layers have none.
fn model(
    fields: &mut Fields<'_>,
    length: usize,
    common: &Common,
    router: Router,
    [num_shared, inner, first]: [usize; 3],
) -> Result<Architecture, Diagnostic> {
    if let Some(Groups { count, kept, .. }) = router.groups {
        let (chosen, open) = (router.chosen, kept * (router.count / count));
        if chosen > open {
            let message =
                format!("`num_experts_per_tok` is {chosen}, but `topk_group` groups have {open} experts");
            return Err(fields.fault("num_experts_per_tok", message));
        }
    }
    let attention = Block::Mla(attention(fields, length, common)?);
    let sum = (num_shared > 0)
        .then(|| (shared("shared_experts", common.width, num_shared * inner, common.activation), None));
    let moe = Moe {
        name: "mlp".into(),
        router,
        experts: Experts {
            inner,
            activation: common.activation,
            weights: ExpertWeights::Each(["gate_proj", "up_proj", "down_proj"]),
        },
        shared: sum,
    };
    let every = fields.size("moe_layer_freq", 1)?;
    let layer = |index: usize| {
        let feed = match index < first || !index.is_multiple_of(every) {
            true => Block::Mlp(common.mlp(common.inner, Bias::None)),
            false => Block::Moe(moe.clone()),
        };
        common.layer(attention.clone(), feed)
    };
    Ok(Architecture::Decoder(common.decoder((0..common.layers).map(layer).collect())))
}

fn attention(fields: &mut Fields<'_>, length: usize, common: &Common) -> Result<Mla, Diagnostic> {
    let plain_dim = fields.size("qk_nope_head_dim", 128)?;
    let rotary_dim = fields.size("qk_rope_head_dim", 64)?;
    turned_in_pairs(fields, "qk_rope_head_dim", rotary_dim)?;
    let pairs = match fields.flag("rope_interleave", true)? {
        true => Pairs::Neighbors,
        false => Pairs::Halves,
    };
    let rotary = Rotary { pairs, ..Rotary::read(fields, rotary_dim, (ROPE_THETA, 10_000.0), length)? };
    let bias = Bias::if_given(fields.flag("attention_bias", false)?);
    let query_rank = match fields.is_null("q_lora_rank") {
        true => None,
        false => Some(fields.size("q_lora_rank", 1536)?),
    };
    let scoring = Scoring::causal(plain_dim + rotary_dim);
    let scale = scoring.scale * sharpness(fields)?.powi(2);
    Ok(Mla {
        name: "self_attn".into(),
        heads: common.heads.queries,
        query_rank,
        rank: fields.size("kv_lora_rank", 512)?,
        plain_dim,
        rotary_dim,
        value_dim: fields.size("v_head_dim", 128)?,
        bias,
        epsilon: 1e-6,
        rotary,
        scoring: Scoring { scale, ..scoring },
        output: Linear::new("o_proj", common.width, bias),
    })
}
