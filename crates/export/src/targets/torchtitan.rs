//! torchtitan: `job.toml`, and a module that registers the model's sizes as a flavor of one of its models.
//!
//! Parameters are sharded by FSDP2: ZeRO-3 gathers them for each pass, ZeRO-2 once for both. Pure replication is DDP, which
//! it runs with no other kind of parallelism. Sources: `torchtitan/config/job_config.py`, `distributed/parallel_dims.py`,
//! `models/llama3/infra/parallelize.py`, `train.py` at v0.2.2.

use super::{Target, docstring, head, shell};
use crate::File;
use crate::document::{Value, map, number};
use crate::fit::{Fit, Sequence, Stages};
use crate::job::{Job, Kind, Precision, Recompute};
use crate::model::{Experts, Model, Scaling};
use meshwright_models::blocks::activation::Activation;
use std::fmt::Write as _;

pub(super) const TARGET: Target = Target {
    name: "torchtitan",
    title: "torchtitan",
    version: "0.2.2",
    form: "job.toml, planned_model.py, launch.sh",
    fit,
    write,
};

/// A model of torchtitan.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    Llama3,
    Qwen3,
}

fn fit(fit: &mut Fit) {
    fit.sequence(Sequence::Always);
    let degrees = fit.job.degrees;
    let is_ddp = degrees.zero == 0 && degrees.tp * degrees.cp * degrees.pp * degrees.ep == 1;
    fit.zero(if is_ddp { &[0, 2, 3] } else { &[2, 3] });
    if degrees.cp > 1 && fit.job.degrees.zero == 0 {
        fit.job.degrees.zero = 2;
        fit.changed(
            format!("zero=0 with cp={}: it shards parameters where tokens are shared", degrees.cp),
            "zero=2",
        );
    }
    fit.zero_over_context();
    fit.ranks(&[Kind::Pipeline, Kind::Data, Kind::Expert, Kind::Context, Kind::Tensor]);
    fit.optimizer(&["adamw"]);
    fit.divides(
        "the length of a sequence",
        fit.job.sequence,
        degrees.tp * if degrees.cp > 1 { 2 * degrees.cp } else { 1 },
    );
    let Some(model) = fit.sizes() else { return };
    for (what, size) in model.tensor_dims() {
        fit.divides(&format!("tp={}: the number of {what}", degrees.tp), size, degrees.tp);
    }
    fit.stages(Stages::AsAsked);
    match family(&model) {
        Ok(Family::Llama3) if degrees.ep > 1 => fit.cannot("ep > 1: the model has no experts"),
        Ok(Family::Qwen3) if degrees.pp > 1 => fit.cannot("pp > 1: its qwen3 has no pipeline"),
        Ok(_) => {}
        Err(reason) => fit.cannot(reason),
    }
}

/// The model of torchtitan that has this form.
fn family(model: &Model) -> Result<Family, String> {
    let refused = |what: &str| Err(format!("none of its models has {what}"));
    match model {
        _ if model.window.is_some() => refused("a window"),
        _ if model.has_qkv_bias => refused("biases of queries, keys and values"),
        _ if model.activation != Activation::Silu => refused("such a function in its feed-forward layers"),
        _ if model.has_head_norms && model.rotary.scaling != Scaling::None => {
            refused("norms of heads and stretched rotary positions")
        }
        _ if model.has_head_norms => Ok(Family::Qwen3),
        _ if model.experts.is_some() => refused("experts, but no norms of heads"),
        _ if model.is_tied => refused("a tied embedding, but no norms of heads"),
        _ if model.head_dim * model.heads != model.width => {
            refused("heads that are not as wide as the model")
        }
        _ if matches!(model.rotary.scaling, Scaling::Yarn { .. } | Scaling::Other(_)) => {
            refused("rotary positions that are stretched so")
        }
        _ => Ok(Family::Llama3),
    }
}

fn write(job: &Job) -> Vec<File> {
    let Some(model) = &job.model else { return Vec::new() };
    let Ok(family) = family(model) else { return Vec::new() };
    let options = format!(
        "{}# Steps, learning rate, data and tokenizer are yours to add.\n\n{}",
        head(&TARGET, job),
        options(job, family).toml()
    );
    let launch = shell::torchrun(
        job,
        "export PYTHONPATH=\"$PWD${PYTHONPATH:+:$PYTHONPATH}\"",
        "-m torchtitan.train --job.config_file job.toml \"$@\"",
    );
    vec![
        File::new("job.toml", options),
        File::new("planned_model.py", flavor(job, model, family)),
        File::new("launch.sh", shell::script(&TARGET, job, &launch)),
    ]
}

/// The modules of each stage, where stages have different numbers of layers.
fn parts(job: &Job) -> Option<Value> {
    let stages = job.stages.as_ref().filter(|stages| stages.iter().any(|own| *own != stages[0]))?;
    let (mut first, last) = (0, stages.len() - 1);
    let stage = |(at, layers): (usize, &usize)| {
        let own = (first..first + layers).map(|layer| format!("layers.{layer}"));
        first += layers;
        let begin = (at == 0).then(|| "tok_embeddings".to_owned());
        let end = if at == last { vec!["norm".to_owned(), "output".to_owned()] } else { Vec::new() };
        Value::List(begin.into_iter().chain(own).chain(end).map(Value::Text).collect())
    };
    Some(Value::List(stages.iter().enumerate().map(stage).collect()))
}

fn options(job: &Job, family: Family) -> Value {
    let degrees = &job.degrees;
    let [replicate, shard] = super::hybrid(degrees);
    // A pipeline takes all microbatches of a replica at once; without one, gradients are accumulated.
    let local = job.microbatch_size() * if degrees.pp > 1 { job.microbatches } else { 1 };
    let precision = if job.precision == Precision::Bf16 { "bfloat16" } else { "float32" };
    let mut parallelism = map([
        ("data_parallel_replicate_degree", replicate.into()),
        ("data_parallel_shard_degree", shard.into()),
        ("fsdp_reshard_after_forward", if degrees.zero == 3 { "always" } else { "never" }.into()),
        ("tensor_parallel_degree", degrees.tp.into()),
        ("context_parallel_degree", degrees.cp.into()),
        ("pipeline_parallel_degree", degrees.pp.into()),
    ]);
    if degrees.pp > 1 {
        parallelism = parallelism
            .with("pipeline_parallel_schedule", if degrees.vp > 1 { "Interleaved1F1B" } else { "1F1B" })
            .with("pipeline_parallel_microbatch_size", job.microbatch_size());
        parallelism = match parts(job) {
            Some(parts) => parallelism.with("module_fqns_per_model_part", parts),
            None => parallelism
                .with("pipeline_parallel_first_stage_less_layers", 0)
                .with("pipeline_parallel_last_stage_less_layers", 0),
        };
    }
    if degrees.ep > 1 {
        parallelism = parallelism
            .with("expert_parallel_degree", degrees.ep)
            .with("expert_tensor_parallel_degree", degrees.tp);
    }
    let mut again = map([("mode", job.recompute.name().into())]);
    if job.recompute == Recompute::Selective {
        again = again.with("selective_ac_option", "op");
    }
    map([
        ("job", map([("description", format!("planned for {}", job.machine).into())])),
        (
            "model",
            map([
                ("name", if family == Family::Llama3 { "llama3" } else { "qwen3" }.into()),
                ("flavor", "planned".into()),
            ]),
        ),
        ("experimental", map([("custom_import", "planned_model".into())])),
        ("optimizer", map([("name", "AdamW".into())])),
        (
            "training",
            map([
                ("local_batch_size", local.into()),
                ("global_batch_size", job.global_batch.into()),
                ("seq_len", job.sequence.into()),
                ("dtype", "float32".into()),
                ("mixed_precision_param", precision.into()),
                ("mixed_precision_reduce", "float32".into()),
            ]),
        ),
        ("parallelism", parallelism),
        ("activation_checkpoint", again),
    ])
}

/// The module that registers the sizes.
fn flavor(job: &Job, model: &Model, family: Family) -> String {
    let mut fields = vec![
        ("dim", model.width.to_string()),
        ("n_layers", model.layers.to_string()),
        ("n_heads", model.heads.to_string()),
        ("n_kv_heads", model.key_heads.to_string()),
        ("vocab_size", model.vocabulary.to_string()),
        ("norm_eps", number(model.epsilon)),
        ("rope_theta", number(model.rotary.theta)),
        ("max_seq_len", model.positions.unwrap_or(job.sequence).to_string()),
    ];
    let (package, class, list, import) = match family {
        Family::Llama3 => {
            fields.extend(llama3_width(model));
            fields.push(("rope_scaling_args", scaling(&model.rotary.scaling)));
            let import = "from torchtitan.models.llama3.model.args import RoPEScalingArgs\n";
            ("llama3", "TransformerModelArgs", "llama3_args", import)
        }
        Family::Qwen3 => {
            let import =
                if model.experts.is_some() { "from torchtitan.models.moe import MoEArgs\n" } else { "" };
            fields.push(("head_dim", model.head_dim.to_string()));
            fields.push(("hidden_dim", model.inner.to_string()));
            fields.push(("qk_norm", "True".to_owned()));
            fields.push(("enable_weight_tying", if model.is_tied { "True" } else { "False" }.to_owned()));
            fields.extend(model.experts.iter().flat_map(|experts| experts_of(experts, model.inner)));
            ("qwen3", "Qwen3ModelArgs", "qwen3_args", import)
        }
    };
    let does = format!(
        "Sizes of the planned model, as the flavor `planned` of `{package}`; `job.toml` imports this."
    );
    let mut text = docstring(&TARGET, job, &does);
    let _ = write!(
        text,
        "\nfrom torchtitan.models.{package} import {class}, {list}\n{import}\n{list}[\"planned\"] = {class}(\n"
    );
    for (name, value) in fields {
        let _ = writeln!(text, "    {name}={value},");
    }
    text + ")\n"
}

/// The inner width, which llama3 computes of a factor: `int(factor * int(2 * (4 * dim) / 3))`, rounded up.
fn llama3_width(model: &Model) -> [(&'static str, String); 2] {
    let whole = (8 * model.width / 3) as f64;
    // A little more than the quotient, as it is rounded down.
    let factor = (model.inner as f64 + 0.5) / whole;
    [("multiple_of", "1".to_owned()), ("ffn_dim_multiplier", number(factor))]
}

fn scaling(scaling: &Scaling) -> String {
    match scaling {
        Scaling::Llama3 { factor, low, high, original } => format!(
            "RoPEScalingArgs(scaling_factor={}, low_freq_factor={}, high_freq_factor={}, \
             original_max_position_embeddings={original})",
            number(*factor),
            number(*low),
            number(*high)
        ),
        _ => "RoPEScalingArgs(scaling_factor=1.0)".to_owned(),
    }
}

fn experts_of(experts: &Experts, inner: usize) -> [(&'static str, String); 3] {
    let Experts { count, chosen, is_normalized, .. } = experts;
    let norm = if *is_normalized { "True" } else { "False" };
    let args = format!(
        "MoEArgs(num_experts={count}, num_shared_experts=0, top_k={chosen}, score_func=\"softmax\", route_norm={norm}, \
         route_scale=1.0, score_before_experts=False)"
    );
    [("moe_enabled", "True".to_owned()), ("moe_inter_dim", inner.to_string()), ("moe_args", args)]
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_inner_width_comes_out_as_it_is() {
        // As torchtitan computes it.
        for (width, inner) in
            [(4096_usize, 14_336_usize), (8192, 28_672), (32, 48), (4096, 11_008), (5120, 13_824)]
        {
            let whole = (8 * width / 3) as f64;
            let factor = (inner as f64 + 0.5) / whole;
            assert_eq!((factor * whole) as usize, inner);
        }
    }
}
