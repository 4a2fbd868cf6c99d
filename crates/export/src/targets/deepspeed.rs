//! DeepSpeed: `ds_config.json`. Tensor parallelism is AutoTP's, expert parallelism AutoEP's, tokens are shared by Ulysses'
//! sequence parallelism, and activations are made again by the model's own checkpointing. ZeRO asks nothing of a model; its
//! third stage goes with AutoEP where nothing else is shared, without copies of shards (`runtime/engine.py`).
//! Sources: `deepspeed/runtime/{config,engine}.py`, `runtime/zero/config.py`, `runtime/tensor_parallel/config.py`,
//! `module_inject/{auto_tp,autotp_config,auto_ep_config,auto_ep_folding}.py`, `docs/_pages/config-json.md` at v0.19.5.

use super::{Target, shell};
use crate::File;
use crate::document::map;
use crate::fit::{Fit, Sequence};
use crate::job::{Job, Kind, Precision, Recompute};

pub(super) const TARGET: Target = Target {
    name: "deepspeed",
    title: "DeepSpeed",
    version: "0.19.5",
    form: "ds_config.json, launch.sh",
    fit,
    write,
};

/// Types of models that AutoTP shards: of its documentation, of its presets, and such as `transformers` has plans for.
const TENSOR: &[&str] = &[
    "bert",
    "deepseek_v2",
    "gemma",
    "gemma2",
    "gemma3_text",
    "gpt_neox",
    "llama",
    "mistral",
    "mixtral",
    "phi3",
    "qwen2",
    "qwen2_moe",
    "qwen3",
    "qwen3_moe",
    "t5",
];

/// Presets of AutoEP, and of the types of models that are sharded by them.
const EXPERTS: &[(&str, &str)] = &[
    ("mixtral", "mixtral"),
    ("qwen3_moe", "qwen3_moe"),
    ("qwen2_moe", "qwen3_moe"),
    ("deepseek_v2", "deepseek_v2"),
    ("deepseek_v3", "deepseek_v3"),
];

fn fit(fit: &mut Fit) {
    fit.without_because(
        Kind::Pipeline,
        "its stages are those of a `PipelineModule`, which the training script makes of its own list of layers",
    );
    experts(fit);
    fit.sequence(Sequence::Never);
    fit.pads_shards(&[1, 2]);
    fit.zero(&[0, 1, 2, 3]);
    if fit.job.degrees.tp * fit.job.degrees.cp * fit.job.degrees.ep > 1 {
        // Its groups of shards are of neighbors among all ranks, and it has none beside experts that are shared.
        fit.whole_fsdp();
    }
    fit.zero_over_experts();
    fit.zero_over_context();
    fit.ranks(&[Kind::Data, Kind::Expert, Kind::Context, Kind::Tensor]);
    fit.recompute(&[Recompute::None, Recompute::Full]);
    fit.optimizer(&["adamw"]);
    let degrees = fit.job.degrees;
    if degrees.cp > 1 && degrees.tp > 1 {
        fit.cannot(format!("cp={} with tp={}: heads are shared by one of both", degrees.cp, degrees.tp));
    }
    fit.divides(
        &format!("cp={} by Ulysses: the length of a sequence", degrees.cp),
        fit.job.sequence,
        degrees.cp,
    );
    let shares_heads = degrees.tp > 1 || degrees.cp > 1;
    let Some(model) = fit.job.model.clone().filter(|_| shares_heads) else {
        if let (true, Some(none)) = (shares_heads, fit.job.no_sizes.clone()) {
            fit.cannot(format!("tp or cp of a model without sizes: {none}"));
        }
        return;
    };
    if degrees.cp > 1 {
        fit.divides(&format!("cp={} by Ulysses: the number of heads", degrees.cp), model.heads, degrees.cp);
    }
    if degrees.tp > 1 && !TENSOR.contains(&model.model_type.as_str()) {
        fit.cannot(format!("tp={}: AutoTP does not shard models of type `{}`", degrees.tp, model.model_type));
    }
    fit.divides(&format!("tp={}: the number of heads", degrees.tp), model.heads, degrees.tp);
    fit.divides(
        &format!("tp={}: the number of heads of keys and values", degrees.tp),
        model.key_heads,
        degrees.tp,
    );
}

/// Experts as AutoEP shards them: whole ones, in models that it knows, where nothing else is shared.
fn experts(fit: &mut Fit) {
    let degrees = fit.job.degrees;
    if degrees.ep == 1 {
        return;
    }
    let model = fit.job.model.clone();
    let model = model.filter(|model| preset(&model.model_type).is_some() && degrees.tp * degrees.cp == 1);
    match model.and_then(|model| model.experts) {
        Some(experts) => fit.divides("the number of experts", experts.count, degrees.ep),
        None => fit.without(Kind::Expert),
    }
}

/// The preset of AutoEP for a type of models.
fn preset(model_type: &str) -> Option<&'static str> {
    EXPERTS.iter().find(|(own, _)| *own == model_type).map(|(_, preset)| *preset)
}

fn write(job: &Job) -> Vec<File> {
    let degrees = &job.degrees;
    let mut zero = map([("stage", degrees.zero.into())]);
    if degrees.zero == 3 && degrees.fsdp > 1 && degrees.fsdp < degrees.dp {
        zero = zero.with("mics_shard_size", degrees.fsdp);
    }
    let mut config = map([
        ("train_micro_batch_size_per_gpu", job.microbatch_size().into()),
        ("gradient_accumulation_steps", job.microbatches.into()),
        ("bf16", map([("enabled", (job.precision == Precision::Bf16).into())])),
        ("zero_optimization", zero),
    ]);
    let model_type = job.model.as_ref().map_or("", |model| &model.model_type);
    if let Some(preset) = preset(model_type).filter(|_| degrees.ep > 1) {
        let experts =
            [("enabled", true.into()), ("autoep_size", degrees.ep.into()), ("preset_model", preset.into())];
        config = config.with("expert_parallel", map(experts));
    }
    if degrees.tp > 1 {
        config = config.with("tensor_parallel", map([("autotp_size", degrees.tp.into())]));
    } else {
        config = config.with("train_batch_size", job.global_batch);
    }
    if degrees.cp > 1 {
        config = config.with("sequence_parallel_size", degrees.cp);
    }
    let again = match job.recompute {
        Recompute::None => "",
        _ => {
            "# What the layers make is made again: call `model.gradient_checkpointing_enable()` in the script.\n"
        }
    };
    let hosts = if job.nodes > 1 { "--hostfile \"${HOSTFILE:?file of the hosts}\" " } else { "" };
    let launch = format!(
        "{again}deepspeed {hosts}--num_nodes {} --num_gpus {} \"${{SCRIPT:?your training script}}\" --deepspeed \\\n  \
         --deepspeed_config ds_config.json \"$@\"\n",
        job.nodes, job.devices_per_node
    );
    vec![
        File::new("ds_config.json", config.json()),
        File::new("launch.sh", shell::script(&TARGET, job, &launch)),
    ]
}
