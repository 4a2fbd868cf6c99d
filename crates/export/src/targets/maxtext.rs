//! MaxText: `config.yml`, which overrides its `base.yml`. Axes lie within hosts (`ici_*`) or across them (`dcn_*`); on TPUs
//! all lie within a slice. Sources: `src/maxtext/configs/base.yml`, `configs/types.py`, `common/common_types.py` at 0.2.4.

use super::{Target, head, shell};
use crate::File;
use crate::document::{Value, map};
use crate::fit::{Fit, Sequence};
use crate::job::{Job, Kind, Precision, Recompute};
use crate::model::{Model, Scaling};
use meshwright_models::blocks::activation::Activation;

pub(super) const TARGET: Target =
    Target { name: "maxtext", title: "MaxText", version: "0.2.4", form: "config.yml, launch.sh", fit, write };

fn fit(fit: &mut Fit) {
    fit.without(Kind::Pipeline);
    fit.sequence(Sequence::AsAsked);
    fit.zero(&[0, 1, 3]);
    fit.ranks(&[Kind::Data, Kind::Context, Kind::Tensor, Kind::Expert]);
    // Its policies make at least what is cheap again.
    fit.recompute(&[Recompute::Selective, Recompute::Full]);
    fit.optimizer(&["adamw"]);
    if fit.job.axes.iter().any(|axis| axis.size > 1) && lie(&fit.job).is_none() {
        fit.cannot("an axis crosses hosts unevenly");
    }
    let Some(model) = fit.sizes() else { return };
    if let Err(reason) = block(&model) {
        fit.cannot(reason);
    }
}

/// The decoder block of this form.
fn block(model: &Model) -> Result<&'static str, String> {
    let refused = |what: &str| Err(format!("none of the blocks that are written has {what}"));
    match () {
        () if model.window.is_some() => refused("a window"),
        () if model.activation != Activation::Silu => refused("such a function in its feed-forward layers"),
        () if matches!(model.rotary.scaling, Scaling::Yarn { .. } | Scaling::Other(_)) => {
            refused("rotary positions that are stretched so")
        }
        () if model.has_head_norms && model.has_qkv_bias => refused("norms of heads and biases"),
        () if model.has_head_norms && model.experts.is_some() => Ok("qwen3_moe"),
        () if model.has_head_norms => Ok("qwen3"),
        () if model.experts.is_some() => Ok("mixtral"),
        () if model.has_qkv_bias => Ok("qwen2"),
        () => Ok("llama2"),
    }
}

/// MaxText's axis for an axis of the mesh; `before` are the devices along outer axes of the batch. Where parameters are
/// sharded over some of these devices only, the outer ones hold copies.
fn axis_name(kind: Kind, before: usize, job: &Job) -> &'static str {
    let [copies, _] = super::hybrid(&job.degrees);
    match kind {
        Kind::Data if job.degrees.zero == 3 && before >= copies => "fsdp",
        Kind::Data | Kind::Pipeline => "data",
        Kind::Context => "context",
        // The same, with tokens sharded between the products.
        Kind::Tensor if job.degrees.sp > 1 => "tensor_sequence",
        Kind::Tensor => "tensor",
        Kind::Expert => "expert",
    }
}

/// For each of MaxText's axes the devices within a host, and the hosts. None: an axis crosses hosts unevenly.
fn lie(job: &Job) -> Option<Vec<(&'static str, [usize; 2])>> {
    let per_host = if job.machine.starts_with("tpu") { job.num_devices() } else { job.devices_per_node };
    let mut found: Vec<(&str, [usize; 2])> = Vec::new();
    let mut within = per_host;
    for (index, axis) in job.axes.iter().enumerate().rev() {
        let outer = job.axes[..index].iter().filter(|other| other.kind == Kind::Data);
        let name = axis_name(axis.kind, outer.map(|other| other.size).product(), job);
        let inner = axis.size.min(within);
        if !axis.size.is_multiple_of(inner) || !within.is_multiple_of(inner) {
            return None;
        }
        within /= inner;
        match found.iter_mut().find(|(other, _)| *other == name) {
            Some((_, sizes)) => *sizes = [sizes[0] * inner, sizes[1] * (axis.size / inner)],
            None => found.push((name, [inner, axis.size / inner])),
        }
    }
    Some(found)
}

fn write(job: &Job) -> Vec<File> {
    let Some(model) = &job.model else { return Vec::new() };
    let text = format!(
        "{}# Run name, output, steps, learning rate, data and tokenizer are yours to add.\n{}",
        head(&TARGET, job),
        config(job, model).yaml()
    );
    let launch = "python3 -m maxtext.trainers.pre_train.train config.yml run_name=\"${RUN:?name of the run}\" \\\n  \
                  base_output_directory=\"${OUTPUT:?folder of the output}\" \"$@\"\n";
    vec![File::new("config.yml", text), File::new("launch.sh", shell::script(&TARGET, job, launch))]
}

fn config(job: &Job, model: &Model) -> Value {
    let degrees = &job.degrees;
    let per_device = job.microbatch_size() as f64 * degrees.replicas() as f64 / job.num_devices() as f64;
    let policy = if job.recompute == Recompute::Full { "full" } else { "minimal" };
    let hardware = if job.machine.starts_with("tpu") { "tpu" } else { "gpu" };
    let mut config = map([
        ("base_config", "base.yml".into()),
        ("hardware", hardware.into()),
        ("decoder_block", block(model).unwrap_or_default().into()),
        ("base_emb_dim", model.width.into()),
        ("base_num_query_heads", model.heads.into()),
        ("base_num_kv_heads", model.key_heads.into()),
        ("base_mlp_dim", model.inner.into()),
        ("base_num_decoder_layers", model.layers.into()),
        ("head_dim", model.head_dim.into()),
        ("mlp_activations", vec!["silu", "linear"].into()),
        ("vocab_size", model.vocabulary.into()),
        ("logits_via_embedding", model.is_tied.into()),
        ("normalization_layer_epsilon", model.epsilon.into()),
        ("rope_max_timescale", (model.rotary.theta as usize).into()),
        ("attention_bias", model.has_qkv_bias.into()),
        ("enable_dropout", false.into()),
    ]);
    if matches!(model.rotary.scaling, Scaling::Llama3 { .. }) {
        config = config.with("rope_type", "llama3.1");
    }
    if let Some(experts) = model.experts {
        config = config
            .with("num_experts", experts.count)
            .with("num_experts_per_tok", experts.chosen)
            .with("base_moe_mlp_dim", model.inner)
            .with("norm_topk_prob", experts.is_softmax_first && experts.is_normalized);
    }
    config = config
        .with("dtype", if job.precision == Precision::Bf16 { "bfloat16" } else { "float32" })
        .with("weight_dtype", "float32")
        .with("max_target_length", job.sequence)
        .with("per_device_batch_size", per_device)
        .with("gradient_accumulation_steps", job.microbatches)
        .with("remat_policy", policy)
        .with("opt_type", "adamw")
        .with("shard_optimizer_over_data", degrees.zero == 1);
    let mut axes: Vec<(&str, [usize; 2])> =
        ["data", "fsdp", "context", "tensor", "tensor_sequence", "expert"]
            .map(|name| (name, [1, 1]))
            .to_vec();
    for (name, sizes) in lie(job).unwrap_or_default() {
        if let Some((_, own)) = axes.iter_mut().find(|(other, _)| *other == name) {
            *own = sizes;
        }
    }
    for (level, links) in ["ici", "dcn"].iter().enumerate() {
        for (name, sizes) in &axes {
            config = config.with(&format!("{links}_{name}_parallelism"), sizes[level]);
        }
    }
    config
}
