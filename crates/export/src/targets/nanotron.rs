//! Nanotron: `config.yaml`. It trains models as Llama's and Qwen 2's. Sources: `src/nanotron/config`,
//! `parallel/context.py`, `models/{base,llama,qwen}.py` at commit 2411b02, of April 2026.

use super::{Target, head, shell};
use crate::File;
use crate::document::{Value, map};
use crate::fit::{Fit, Sequence};
use crate::job::{Job, Kind, Precision, Recompute};
use crate::model::{Model, Scaling};
use meshwright_models::blocks::activation::Activation;

pub(super) const TARGET: Target = Target {
    name: "nanotron",
    title: "Nanotron",
    version: "2411b02 (April 2026)",
    form: "config.yaml, launch.sh",
    fit,
    write,
};

fn fit(fit: &mut Fit) {
    fit.without(Kind::Expert);
    fit.without_because(Kind::Context, "attention of its Llama stays within a part of the sequence");
    fit.sequence(Sequence::AsAsked);
    fit.zero(&[0, 1]);
    fit.ranks(&[Kind::Pipeline, Kind::Data, Kind::Context, Kind::Tensor]);
    fit.recompute(&[Recompute::None, Recompute::Full]);
    fit.optimizer(&["adamw"]);
    if fit.job.precision == Precision::F32 {
        fit.job.precision = Precision::Bf16;
        fit.changed("numbers in f32: its attention takes 16 bits alone", "numbers in bf16");
    }
    let degrees = fit.job.degrees;
    if degrees.vp > 1 {
        fit.cannot(format!("vp={}: it has one stage on each group of devices", degrees.vp));
    }
    let Some(model) = fit.sizes() else { return };
    match stages(&model, degrees.pp) {
        Some(own) => fit.own_stages(own),
        None => fit.cannot(format!(
            "pp={}: it cuts stages by the work of layers and of the head, and leaves some without either",
            degrees.pp
        )),
    }
    fit.schedule(&["1f1b", "gpipe"]);
    for (what, size) in model.tensor_dims() {
        fit.divides(&format!("tp={}: the number of {what}", degrees.tp), size, degrees.tp);
    }
    if let Err(reason) = has_form(&model) {
        fit.cannot(reason);
    }
}

/// Layers of each stage of a model.
fn stages(model: &Model, count: usize) -> Option<Vec<usize>> {
    let sizes = [model.width, model.inner, model.vocabulary];
    cut(model.layers, sizes.map(|size| size as f64), count)
}

/// Layers of each stage, as `build_model` cuts them: a stage ends behind the layer with which the work so far is more than
/// its share; sizes are the width of the model, the inner one, and rows of the vocabulary. None: the head is not in the last
/// stage.
pub(crate) fn cut(layers: usize, [width, inner, rows]: [f64; 3], count: usize) -> Option<Vec<usize>> {
    let layer = 4.0 * width * width + 3.0 * inner * width;
    let all = layer * layers as f64 + rows * width;
    let mut stages = vec![0_usize; count];
    let mut stage = 0_usize;
    for done in 1..=layers {
        *stages.get_mut(stage)? += 1;
        if layer * done as f64 > all * ((stage + 1) as f64 / count as f64) {
            stage += 1;
        }
    }
    (stage + 1 == count).then_some(stages)
}

fn has_form(model: &Model) -> Result<(), String> {
    let refused = |what: &str| Err(format!("its models have no {what}"));
    match () {
        () if model.experts.is_some() => refused("experts of this form"),
        () if model.has_head_norms => refused("norms of heads"),
        () if model.window.is_some() => refused("window in all layers"),
        () if model.activation != Activation::Silu => refused("function but SiLU"),
        () if model.rotary.scaling != Scaling::None => refused("stretched rotary positions"),
        () if model.head_dim * model.heads != model.width => {
            refused("heads that are not as wide as the model")
        }
        () => Ok(()),
    }
}

fn write(job: &Job) -> Vec<File> {
    let Some(model) = &job.model else { return Vec::new() };
    let text = format!(
        "{}# Steps, learning rate, data and tokenizer are yours to set; these are placeholders.\n{}",
        head(&TARGET, job),
        config(job, model).yaml()
    );
    let program = "\"${NANOTRON:?folder of Nanotron}/run_train.py\" --config-file config.yaml \"$@\"";
    let launch = shell::torchrun(job, "export CUDA_DEVICE_MAX_CONNECTIONS=1", program);
    vec![File::new("config.yaml", text), File::new("launch.sh", shell::script(&TARGET, job, &launch))]
}

fn config(job: &Job, model: &Model) -> Value {
    let degrees = &job.degrees;
    let is_sequence = degrees.sp > 1;
    let rate = map([
        ("learning_rate", 3e-4.into()),
        ("lr_warmup_steps", 0.into()),
        ("lr_warmup_style", "linear".into()),
        ("lr_decay_style", "cosine".into()),
        ("min_decay_lr", 3e-5.into()),
    ]);
    let factory = map([
        ("name", "adamW".into()),
        ("adam_eps", 1e-8.into()),
        ("adam_beta1", 0.9.into()),
        ("adam_beta2", 0.999.into()),
        ("torch_adam_is_fused", true.into()),
    ]);
    let data = map([("dataset", Value::None), ("num_loading_workers", 1.into()), ("seed", 42.into())]);
    let stage = map([("name", "planned".into()), ("start_training_step", 1.into()), ("data", data)]);
    let is_gpipe = job.schedule_names.contains(&"gpipe") && !job.schedule_names.contains(&"1f1b");
    let engine = if is_gpipe { "afab" } else { "1f1b" };
    map([
        ("general", map([("project", "planned".into()), ("run", "planned".into()), ("seed", 42.into())])),
        (
            "parallelism",
            map([
                ("dp", degrees.dp.into()),
                ("pp", degrees.pp.into()),
                ("tp", degrees.tp.into()),
                ("context_parallel_size", degrees.cp.into()),
                ("expert_parallel_size", 1.into()),
                ("pp_engine", engine.into()),
                ("tp_mode", if is_sequence { "REDUCE_SCATTER" } else { "ALL_REDUCE" }.into()),
                ("tp_linear_async_communication", is_sequence.into()),
                ("recompute_layer", (job.recompute == Recompute::Full).into()),
            ]),
        ),
        (
            "tokens",
            map([
                ("sequence_length", job.sequence.into()),
                ("micro_batch_size", job.microbatch_size().into()),
                ("batch_accumulation_per_replica", job.microbatches.into()),
                ("train_steps", 1.into()),
            ]),
        ),
        (
            "model",
            map([
                ("dtype", "bfloat16".into()),
                ("init_method", map([("std", 0.02.into())])),
                ("make_vocab_size_divisible_by", 1.into()),
                ("model_config", model_config(job, model)),
            ]),
        ),
        (
            "optimizer",
            map([
                ("accumulate_grad_in_fp32", true.into()),
                ("clip_grad", 1.0.into()),
                ("weight_decay", 0.01.into()),
                ("zero_stage", degrees.zero.into()),
                ("learning_rate_scheduler", rate),
                ("optimizer_factory", factory),
            ]),
        ),
        ("data_stages", Value::List(vec![stage])),
    ])
}

fn model_config(job: &Job, model: &Model) -> Value {
    let kind = if model.has_qkv_bias { "is_qwen2_config" } else { "is_llama_config" };
    map([
        (kind, true.into()),
        ("hidden_act", "silu".into()),
        ("hidden_size", model.width.into()),
        ("intermediate_size", model.inner.into()),
        ("num_hidden_layers", model.layers.into()),
        ("num_attention_heads", model.heads.into()),
        ("num_key_value_heads", model.key_heads.into()),
        ("vocab_size", model.vocabulary.into()),
        ("max_position_embeddings", model.positions.unwrap_or(job.sequence).max(job.sequence).into()),
        ("rms_norm_eps", model.epsilon.into()),
        ("rope_theta", model.rotary.theta.into()),
        ("tie_word_embeddings", model.is_tied.into()),
        ("attention_bias", model.has_qkv_bias.into()),
    ])
}
