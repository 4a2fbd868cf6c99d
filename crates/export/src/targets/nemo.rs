//! NeMo 2: a recipe in Python on `nemo.collections.llm`. The model comes from its configuration in the form of Hugging Face,
//! by NeMo's importer of the type, so that its sizes are not written again; what importers leave to defaults is set behind.
//! Sources: `lightning/pytorch/strategies/megatron_strategy.py`, `collections/llm/api.py`, `collections/llm/gpt/model`,
//! `collections/llm/recipes/llama31_8b.py` at v2.4.0.

use super::megatron_fields::{self, RECIPE_DOES};
use super::{Target, docstring, megatron, shell};
use crate::File;
use crate::document::Value;
use crate::fit::{Fit, Stages};
use crate::job::{Job, Precision};
use std::fmt::Write as _;

pub(super) const TARGET: Target =
    Target { name: "nemo", title: "NeMo", version: "2.4.0", form: "recipe.py, launch.sh", fit, write };

fn fit(fit: &mut Fit) {
    fit.pads_shards(&[1]);
    fit.zero(&[0, 1]);
    fit.optimizer(&["adamw"]);
    megatron::core(
        fit,
        Stages::AsAsked,
        megatron::Models::OfTypes(&|model_type| class(model_type).is_some()),
    );
}

/// Types of models whose importer follows the configuration, with the classes that have them. Importers of the others leave
/// sizes to defaults, or are not there.
const MODELS: &[(&str, &str)] = &[
    ("llama", "LlamaModel"),
    ("mistral", "MistralModel"),
    ("mixtral", "MixtralModel"),
    ("qwen2", "Qwen2Model"),
];

/// The class of a type of models.
fn class(model_type: &str) -> Option<&'static str> {
    MODELS.iter().find(|(name, _)| *name == model_type).map(|(_, class)| *class)
}

fn write(job: &Job) -> Vec<File> {
    let Some(model) = &job.model else { return Vec::new() };
    let Some(class) = class(&model.model_type) else { return Vec::new() };
    let mut text = docstring(&TARGET, job, RECIPE_DOES);
    let _ = writeln!(text, "{RECIPE_HEAD}    model = llm.{class}.importer(f\"hf://{{source}}\").init()");
    for (field, value) in settings(job) {
        let _ = writeln!(text, "    model.config.{field} = {}", value.python());
    }
    let tied = Value::from(model.is_tied).python();
    let _ = writeln!(text, "    model.config.kv_channels = {}", model.head_dim);
    let _ = writeln!(text, "    model.config.share_embeddings_and_output_weights = {tied}");
    let _ = writeln!(text, "    model.config.params_dtype = {}", dtype(job));
    let batch = [
        ("seq_length", job.sequence),
        ("global_batch_size", job.global_batch),
        ("micro_batch_size", job.microbatch_size()),
    ];
    text += "    return model\n\n\ndef planned_data(tokenizer):\n    \"\"\"Batches as they were planned.\"\"\"\n    sizes = {\n";
    for (name, size) in batch {
        let _ = writeln!(text, "        \"{name}\": {size},");
    }
    text += DATA_END;
    for (name, value) in megatron_fields::degrees(job) {
        let _ = writeln!(text, "        {name}={},", value.python());
    }
    if job.degrees.pp > 1 {
        let _ = writeln!(text, "        pipeline_dtype={},", dtype(job));
    }
    let sharded = if job.degrees.zero >= 1 { "True" } else { "False" };
    let _ = write!(
        text,
        "        ddp=DistributedDataParallelConfig(\n            use_distributed_optimizer={sharded},\n            \
         overlap_grad_reduce=True,\n            overlap_param_gather={sharded},\n        ),\n    )\n"
    );
    let is_bf16 = job.precision == Precision::Bf16;
    let plugins = if is_bf16 { "nl.MegatronMixedPrecision(precision=\"bf16-mixed\")" } else { "None" };
    let _ = write!(
        text,
        "    return nl.Trainer(\n        accelerator=\"gpu\",\n        devices={},\n        num_nodes={},\n        \
         max_steps=int(os.environ[\"STEPS\"]),\n        plugins={plugins},\n        strategy=strategy,\n        \
         accumulate_grad_batches=1,\n        use_distributed_sampler=False,\n        limit_val_batches=0,\n    )\n",
        job.devices_per_node, job.nodes
    );
    let bf16 = if is_bf16 { "True" } else { "False" };
    let _ = write!(
        text,
        "{OPTIMIZER_HEAD}        bf16={bf16},\n        use_distributed_optimizer={sharded},\n{OPTIMIZER_END}"
    );
    let launch = shell::torchrun(job, "", "recipe.py");
    vec![File::new("recipe.py", text), File::new("launch.sh", shell::script(&TARGET, job, &launch))]
}

const RECIPE_HEAD: &str = r#"
import os

import torch
from megatron.core.distributed import DistributedDataParallelConfig
from megatron.core.optimizer import OptimizerConfig
from nemo import lightning as nl
from nemo.collections import llm


def planned_model():
    """The model, with weights drawn anew."""
    source = os.environ["HF_MODEL"]
"#;

const DATA_END: &str = r#"    }
    if "DATA" in os.environ:
        return llm.PreTrainingDataModule(paths=[os.environ["DATA"]], tokenizer=tokenizer, **sizes)
    return llm.MockDataModule(tokenizer=tokenizer, **sizes)


def planned_trainer():
    """The trainer, with the plan's degrees."""
    strategy = nl.MegatronStrategy(
"#;

const OPTIMIZER_HEAD: &str = r#"

def planned_optimizer():
    """AdamW."""
    config = OptimizerConfig(
        optimizer="adam",
        lr=float(os.environ["LEARNING_RATE"]),
"#;

const OPTIMIZER_END: &str = r#"    )
    return nl.MegatronOptimizerModule(config=config)


if __name__ == "__main__":
    model = planned_model()
    llm.pretrain(
        model=model,
        data=planned_data(model.tokenizer),
        trainer=planned_trainer(),
        optim=planned_optimizer(),
    )
"#;

/// Fields of the model's configuration: importers leave weights undrawn, and keep the sequence and the types of the checkpoint.
fn settings(job: &Job) -> Vec<(&'static str, Value)> {
    let mut fields = megatron_fields::model(job);
    fields.extend([
        ("perform_initialization", true.into()),
        ("bf16", (job.precision == Precision::Bf16).into()),
        ("fp16", false.into()),
    ]);
    fields
}

/// The type of parameters and of what stages send, as Python writes it.
fn dtype(job: &Job) -> &'static str {
    if job.precision == Precision::Bf16 { "torch.bfloat16" } else { "torch.float32" }
}
