//! Mamba and Mamba-2 (Gu and Dao), and Nemotron-H (NVIDIA), in which layers of it, attentions and feed-forward layers follow one
//! another in a pattern that the configuration writes out.

use super::common::{NO_WINDOW, PLAIN_ATTENTION, activation};
use super::{Architecture, Family};
use crate::blocks::attention::{Attention, Reads, Scoring};
use crate::blocks::linear::{Bias, Linear};
use crate::blocks::loss::Head;
use crate::blocks::mamba::Mamba;
use crate::blocks::mamba2::Mamba2;
use crate::blocks::mlp::{Inner, Mlp};
use crate::blocks::moe::{ExpertWeights, Experts, Moe};
use crate::blocks::norm::Norm;
use crate::blocks::projections::{Heads, Weights};
use crate::blocks::router::{Groups, Router, Scores, Weighting};
use crate::decoder::{Block, Decoder, Embedding, Layer, Part};
use crate::fields::{Fields, LARGEST};
use crate::known::{Literal, Only};
use meshwright_ir::diagnostic::Diagnostic;

/// The norm is that of the authors' module.
const NORM_OF_SQUARES: Only =
    Only::among("rms_norm", &[Literal::Flag(true)], "the authors' module has no other norm");

/// Mamba.
pub(super) const MAMBA: Family = Family {
    model_types: &["mamba"],
    documented: "MambaConfig",
    positions: None,
    layer_classes: "MambaBlock",
    only: &[NORM_OF_SQUARES],
    idle: &[
        "time_step_floor",
        "time_step_init_scheme",
        "time_step_max",
        "time_step_min",
        "time_step_scale",
        "rescale_prenorm_residual",
        "residual_in_fp32",
        "fused_add_norm",
        "d_inner",
        "d_model",
        "intermediate_size",
        "n_layer",
        "pad_vocab_size_multiple",
        "ssm_cfg",
        "use_associative_scan",
        "use_mambapy",
    ],
    read: read_mamba,
};

/// Mamba-2.
pub(super) const MAMBA2: Family = Family {
    model_types: &["mamba2"],
    documented: "Mamba2Config",
    positions: None,
    layer_classes: "Mamba2Block",
    only: &[NORM_OF_SQUARES],
    idle: &[
        "time_step_floor",
        "time_step_init_scheme",
        "time_step_max",
        "time_step_min",
        "time_step_scale",
        "time_step_rank",
        "rescale_prenorm_residual",
        "residual_in_fp32",
        "fused_add_norm",
        "intermediate_size",
        "norm_before_gate",
        "pad_vocab_size_multiple",
    ],
    read: read_mamba2,
};

/// Nemotron-H.
pub(super) const NEMOTRON_H: Family = Family {
    model_types: &["nemotron_h"],
    documented: "NemotronHConfig",
    positions: Some(("max_position_embeddings", 4096)),
    layer_classes: "NemotronHBlock",
    only: &[
        PLAIN_ATTENTION,
        NO_WINDOW,
        Only::unset("use_bias", "mixers would have biases, which `mamba_proj_bias` says"),
        Only::among(
            "n_shared_experts",
            &[Literal::Number(1.0)],
            "the authors' module has one expert that takes all tokens",
        ),
        Only::absent("mamba_n_groups", "what it says is read from `n_groups`"),
        Only::absent("mamba_d_conv", "what it says is read from `conv_kernel`"),
        Only::absent("mamba_dt_limit", "what it says is read from `time_step_limit`"),
        Only::absent("mamba_conv_bias", "what it says is read from `use_conv_bias`"),
        Only::absent("mamba_chunk_size", "what it says is read from `chunk_size`"),
    ],
    idle: &[
        "time_step_floor",
        "time_step_init_scheme",
        "time_step_max",
        "time_step_min",
        "time_step_scale",
        "time_step_rank",
        "rescale_prenorm_residual",
        "residual_in_fp32",
        "fused_add_norm",
        "attention_head_dim",
        "expand",
        "head_dim",
        "intermediate_size",
        "layers_block_type",
        "mamba_dt_init_floor",
        "mamba_dt_max",
        "mamba_dt_min",
        "mamba_expand",
        "mamba_ssm_cache_dtype",
        "max_position_embeddings",
        "mlp_bias",
        "mlp_hidden_act",
        "moe_intermediate_size",
        "moe_shared_expert_intermediate_size",
        "moe_shared_expert_overlap",
        "mtp_hybrid_override_pattern",
        "mtp_layers_block_type",
        "n_group",
        "n_routed_experts",
        "norm_topk_prob",
        "num_attention_heads",
        "num_experts_per_tok",
        "num_key_value_heads",
        "num_nextn_predict_layers",
        "rms_norm_eps",
        "routed_scaling_factor",
        "topk_group",
        "use_mamba_kernels",
    ],
    read: read_nemotron,
};

/// Names of fields that differ between the two, with their defaults.
struct Names {
    heads: (&'static str, usize),
    head_dim: &'static str,
    state: &'static str,
    activation: &'static str,
    bias: &'static str,
    chunk: usize,
}

fn mixer(fields: &mut Fields<'_>, names: &Names, width: usize, epsilon: f64) -> Result<Mamba2, Diagnostic> {
    let heads = fields.size(names.heads.0, names.heads.1)?;
    let groups = fields.size("n_groups", 8)?;
    fields.quotient((names.heads.0, heads), ("n_groups", groups))?;
    let limits = fields.numbers_if_given("time_step_limit")?.unwrap_or_else(|| vec![0.0, f64::INFINITY]);
    let [least, most] = limits[..] else {
        return Err(fields.fault("time_step_limit", "`time_step_limit` should be two numbers"));
    };
    if !(0.0 <= least && least <= most) {
        let message = format!(
            "`time_step_limit` is [{least}, {most}]; it should be the least length of a step and the most"
        );
        return Err(fields.fault("time_step_limit", message));
    }
    Ok(Mamba2 {
        name: "mixer".into(),
        heads,
        head_dim: fields.size(names.head_dim, 64)?,
        groups,
        state: fields.size(names.state, 128)?,
        kernel: fields.size("conv_kernel", 4)?,
        chunk: fields.size("chunk_size", names.chunk)?,
        activation: activation(fields, names.activation, "silu")?,
        bias: Bias::if_given(fields.flag(names.bias, false)?),
        conv_bias: Bias::if_given(fields.flag("use_conv_bias", true)?),
        step_limits: [least, most],
        epsilon,
        width,
    })
}

fn model(
    is_tied: bool,
    [vocabulary, width]: [usize; 2],
    epsilon: f64,
    layers: Vec<Layer>,
) -> Result<Architecture, Diagnostic> {
    let table = "backbone.embeddings.weight";
    Ok(Architecture::Decoder(Decoder {
        embedding: Embedding::plain(table, vocabulary, width),
        prefix: "backbone.layers".into(),
        layers,
        norm: Some(Norm::rms("backbone.norm_f", epsilon)),
        head: Head::plain(if is_tied { table } else { "lm_head.weight" }, vocabulary),
    }))
}

fn read_mamba(fields: &mut Fields<'_>, _: usize) -> Result<Architecture, Diagnostic> {
    let vocabulary = fields.size("vocab_size", 50_280)?;
    let width = fields.size("hidden_size", 768)?;
    let layers = fields.depth("num_hidden_layers", 32)?;
    let epsilon = fields.epsilon("layer_norm_epsilon", 1e-5)?;
    let expand = fields.number("expand", 2.0)?;
    let mamba = Mamba {
        name: "mixer".into(),
        inner: expanded(fields, expand, width)?,
        state: fields.size("state_size", 16)?,
        step_rank: super::step_rank(fields, "time_step_rank", width)?,
        kernel: fields.size("conv_kernel", 4)?,
        activation: activation(fields, "hidden_act", "silu")?,
        bias: Bias::if_given(fields.flag("use_bias", false)?),
        conv_bias: Bias::if_given(fields.flag("use_conv_bias", true)?),
        norms: None,
        width,
    };
    let is_tied = fields.flag("tie_word_embeddings", true)?;
    let layer = Layer::serial(vec![Part::new(Norm::rms("norm", epsilon), Block::Mamba(mamba))]);
    model(is_tied, [vocabulary, width], epsilon, vec![layer; layers])
}

/// Channels of a state space, which `expand` says as a multiple of the width.
fn expanded(fields: &Fields<'_>, expand: f64, width: usize) -> Result<usize, Diagnostic> {
    let inner = expand * width as f64;
    let message = match inner {
        _ if inner > LARGEST as f64 => {
            format!("`expand` is {expand}, which makes more than {LARGEST} channels")
        }
        _ if inner >= 1.0 => return Ok(inner as usize),
        _ => format!("`expand` is {expand}, which leaves no channels"),
    };
    Err(fields.fault("expand", message))
}

fn read_mamba2(fields: &mut Fields<'_>, _: usize) -> Result<Architecture, Diagnostic> {
    let vocabulary = fields.size("vocab_size", 32_768)?;
    let width = fields.size("hidden_size", 4096)?;
    let layers = fields.depth("num_hidden_layers", 64)?;
    let epsilon = fields.epsilon("layer_norm_epsilon", 1e-5)?;
    let names = Names {
        heads: ("num_heads", 128),
        head_dim: "head_dim",
        state: "state_size",
        activation: "hidden_act",
        bias: "use_bias",
        chunk: 256,
    };
    let mixer = mixer(fields, &names, width, epsilon)?;
    let expand = fields.number("expand", 2.0)?;
    let inner = mixer.heads * mixer.head_dim;
    if (expand * width as f64) as usize != inner {
        let message = format!(
            "`num_heads` times `head_dim` is {inner}, not `expand` times `hidden_size`, {}",
            (expand * width as f64) as usize
        );
        return Err(fields.fault("num_heads", message));
    }
    let layer = Layer::serial(vec![Part::new(Norm::rms("norm", epsilon), Block::Mamba2(mixer))]);
    let is_tied = fields.flag("tie_word_embeddings", false)?;
    model(is_tied, [vocabulary, width], epsilon, vec![layer; layers])
}

fn read_nemotron(fields: &mut Fields<'_>, _: usize) -> Result<Architecture, Diagnostic> {
    let vocabulary = fields.size("vocab_size", 131_072)?;
    let width = fields.size("hidden_size", 4096)?;
    let epsilon = fields.epsilon("layer_norm_epsilon", 1e-5)?;
    let pattern = pattern(fields)?;
    if let Some(layers) = fields.size_if_given("num_hidden_layers")?.filter(|layers| *layers != pattern.len())
    {
        let said = pattern.len();
        let message = format!("`num_hidden_layers` is {layers}, but {said} kinds of layers are given");
        return Err(fields.fault("num_hidden_layers", message));
    }
    let names = Names {
        heads: ("mamba_num_heads", 128),
        head_dim: "mamba_head_dim",
        state: "ssm_state_size",
        activation: "mamba_hidden_act",
        bias: "mamba_proj_bias",
        chunk: 128,
    };
    let mut layers = Vec::new();
    for letter in pattern {
        let block = match letter {
            'M' => Block::Mamba2(mixer(fields, &names, width, epsilon)?),
            '*' => Block::Attention(attention(fields, width)?),
            '-' => {
                let inner = fields.size("intermediate_size", 21_504)?;
                Block::Mlp(mlp(fields, "mixer", width, inner)?)
            }
            _ => Block::Moe(moe(fields, width)?),
        };
        layers.push(Layer::serial(vec![Part::new(Norm::rms("norm", epsilon), block)]));
    }
    let is_tied = fields.flag("tie_word_embeddings", false)?;
    model(is_tied, [vocabulary, width], epsilon, layers)
}

/// The kinds of layers: `M` Mamba-2, `*` attention, `-` a feed-forward layer, `E` experts.
fn pattern(fields: &mut Fields<'_>) -> Result<Vec<char>, Diagnostic> {
    if let Some(text) = fields.text_if_given("hybrid_override_pattern")? {
        if let Some(other) = text.chars().find(|letter| !"M*-E".contains(*letter)) {
            let message = format!("`{other}` is no kind of layer; `M`, `*`, `-` and `E` are");
            return Err(fields.fault("hybrid_override_pattern", message));
        }
        return Ok(text.chars().collect());
    }
    let Some(kinds) = fields.texts_if_given("layers_block_type")? else {
        let message = "`hybrid_override_pattern` is missing, which says what each layer is";
        return Err(fields.fault("hybrid_override_pattern", message));
    };
    let letter = |kind: &&str| match *kind {
        "mamba" | "linear_attention" => Ok('M'),
        "attention" | "full_attention" => Ok('*'),
        "mlp" => Ok('-'),
        "moe" => Ok('E'),
        other => {
            Err(fields.fault("layers_block_type", format!("`{other}` is no kind of layer that is known")))
        }
    };
    kinds.iter().map(letter).collect()
}

fn attention(fields: &mut Fields<'_>, width: usize) -> Result<Attention, Diagnostic> {
    let queries = fields.size("num_attention_heads", 32)?;
    let keys = fields.size("num_key_value_heads", 8)?;
    fields.quotient(("num_attention_heads", queries), ("num_key_value_heads", keys))?;
    let name = if fields.has("attention_head_dim") { "attention_head_dim" } else { "head_dim" };
    let dim = fields.size(name, 128)?;
    Ok(Attention {
        name: "mixer".into(),
        heads: Heads { queries, keys, dim },
        weights: Weights::separate(["q_proj", "k_proj", "v_proj"], Bias::None),
        norms: None,
        rotary: None,
        scoring: Scoring::causal(dim),
        reads: Reads::Input,
        output: Linear::new("o_proj", width, Bias::None),
    })
}

fn mlp(fields: &mut Fields<'_>, name: &str, width: usize, inner: usize) -> Result<Mlp, Diagnostic> {
    let bias = Bias::if_given(fields.flag("mlp_bias", false)?);
    Ok(Mlp {
        name: name.into(),
        inner: Inner::Up(Linear::new("up_proj", inner, bias)),
        activation: activation(fields, "mlp_hidden_act", "relu2")?,
        down: Linear::new("down_proj", width, bias),
    })
}

fn moe(fields: &mut Fields<'_>, width: usize) -> Result<Moe, Diagnostic> {
    if fields.has("moe_latent_size") {
        return Err(fields.fault("moe_latent_size", "`moe_latent_size` is given, which is not supported yet"));
    }
    let count = fields.size("n_routed_experts", 8)?;
    let groups = fields.size("n_group", 1)?;
    let size = fields.quotient(("n_routed_experts", count), ("n_group", groups))?;
    let kept = super::chosen(fields, "topk_group", 1, groups)?;
    let is_normalized = fields.flag("norm_topk_prob", true)?;
    let shared = fields.size("moe_shared_expert_intermediate_size", 7688)?;
    let shared = mlp(fields, "shared_experts", width, shared)?;
    Ok(Moe {
        name: "mixer".into(),
        router: Router {
            name: "gate".into(),
            count,
            chosen: super::chosen(fields, "num_experts_per_tok", 2, count)?,
            scores: Scores::Sigmoid,
            bias: None,
            correction: Some("gate.e_score_correction_bias".into()),
            groups: Some(Groups { count: groups, kept, best: size.min(2) }),
            weights: if is_normalized { Weighting::Shares } else { Weighting::Scores },
            scale: fields.number("routed_scaling_factor", 1.0)?,
        },
        experts: Experts {
            inner: fields.size("moe_intermediate_size", 7688)?,
            activation: activation(fields, "mlp_hidden_act", "relu2")?,
            weights: ExpertWeights::EachUngated(["up_proj", "down_proj"]),
        },
        shared: Some((shared, None)),
    })
}
