//! Megatron-Bridge, of the NeMo framework: a recipe in Python. The model comes from its configuration in the form of
//! Hugging Face, so that its sizes are not written again. Sources: `recipes/common.py`, `recipes/llama/llama3.py`,
//! `training/pretrain.py` at v0.5.1.

use super::megatron_fields::{self, RECIPE_DOES};
use super::{Target, docstring, megatron, shell};
use crate::File;
use crate::document::Value;
use crate::fit::{Fit, Stages};
use crate::job::{Job, Precision};
use std::fmt::Write as _;

pub(super) const TARGET: Target = Target {
    name: "megatron-bridge",
    title: "Megatron-Bridge (NeMo)",
    version: "0.5.1",
    form: "recipe.py, launch.sh",
    fit,
    write,
};

fn fit(fit: &mut Fit) {
    fit.pads_shards(&[1]);
    fit.zero(&[0, 1]);
    fit.optimizer(&["adamw"]);
    megatron::core(
        fit,
        Stages::AsAsked,
        megatron::Models::OfTypes(&|model_type| MODELS.contains(&model_type)),
    );
}

/// Types of models that it builds by a bridge from their configuration.
const MODELS: &[&str] = &[
    "deepseek_v2",
    "deepseek_v3",
    "gemma",
    "gemma2",
    "gemma3_text",
    "gpt_oss",
    "llama",
    "mistral",
    "qwen2",
    "qwen3",
    "qwen3_moe",
];

fn write(job: &Job) -> Vec<File> {
    let mut text = docstring(&TARGET, job, RECIPE_DOES);
    text += RECIPE_HEAD;
    for (field, value) in settings(job) {
        let value = value.python();
        let _ = writeln!(text, "    cfg.{field} = {value}");
    }
    if job.precision == Precision::F32 {
        // Without a recipe of numbers, the model keeps the types of its configuration, and the optimizer those of the template.
        text += F32;
    }
    if job.degrees.pp > 1 {
        let dtype = if job.precision == Precision::Bf16 { "bfloat16" } else { "float32" };
        let _ = writeln!(text, "    cfg.model.pipeline_dtype = torch.{dtype}");
    }
    text += RECIPE_END;
    let launch = shell::torchrun(job, "", "recipe.py");
    vec![File::new("recipe.py", text), File::new("launch.sh", shell::script(&TARGET, job, &launch))]
}

const RECIPE_HEAD: &str = r#"
import os

import torch
from megatron.bridge import AutoBridge
from megatron.bridge.recipes.common import _pretrain_common
from megatron.bridge.training.config import ConfigContainer
from megatron.bridge.training.gpt_step import forward_step
from megatron.bridge.training.pretrain import pretrain


def planned_config() -> ConfigContainer:
    """The planned job."""
    cfg = _pretrain_common()
    model = os.environ["HF_MODEL"]
    cfg.model = AutoBridge.from_hf_pretrained(model).to_megatron_provider(load_weights=False)
    cfg.tokenizer.tokenizer_model = model
    cfg.train.train_iters = int(os.environ["STEPS"])
    cfg.optimizer.lr = float(os.environ["LEARNING_RATE"])
    cfg.optimizer.min_lr = cfg.optimizer.lr / 10
    cfg.dataset.blend = ([os.environ["DATA"]], None) if "DATA" in os.environ else None
"#;

const F32: &str = r#"    cfg.model.bf16 = False
    cfg.model.fp16 = False
    cfg.model.params_dtype = torch.float32
    cfg.optimizer.bf16 = False
"#;

const RECIPE_END: &str = r#"    return cfg


if __name__ == "__main__":
    pretrain(config=planned_config(), forward_step_func=forward_step)
"#;

/// Fields of the configuration.
fn settings(job: &Job) -> Vec<(String, Value)> {
    let of_model = megatron_fields::degrees(job).into_iter().chain(megatron_fields::model(job));
    let mut settings: Vec<(String, Value)> =
        of_model.map(|(name, value)| (format!("model.{name}"), value)).collect();
    let is_sharded = job.degrees.zero >= 1;
    let precision = if job.precision == Precision::Bf16 { "bf16_mixed".into() } else { Value::None };
    let others = [
        ("dataset.seq_length", job.sequence.into()),
        ("train.global_batch_size", job.global_batch.into()),
        ("train.micro_batch_size", job.microbatch_size().into()),
        ("ddp.use_distributed_optimizer", is_sharded.into()),
        ("ddp.overlap_param_gather", is_sharded.into()),
        ("ddp.data_parallel_sharding_strategy", "no_shard".into()),
        ("mixed_precision", precision),
    ];
    settings.extend(others.map(|(name, value)| (name.to_owned(), value)));
    settings
}
