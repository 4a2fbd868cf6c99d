//! MindSpeed-LLM, Megatron's core on Ascend devices: a script with the arguments of its `pretrain_gpt.py`. Source:
//! `examples/mcore`, `mindspeed_llm/training/arguments.py` at v2.3.0.

use super::{Target, megatron, shell};
use crate::File;
use crate::fit::{Fit, Stages};
use crate::job::Job;

pub(super) const TARGET: Target =
    Target { name: "mindspeed", title: "MindSpeed-LLM", version: "2.3.0", form: "launch.sh", fit, write };

fn fit(fit: &mut Fit) {
    fit.pads_shards(&[1]);
    fit.zero(&[0, 1]);
    fit.optimizer(&["adamw"]);
    megatron::core(fit, Stages::Equal, megatron::Models::Plain);
}

fn write(job: &Job) -> Vec<File> {
    let Some(model) = &job.model else { return Vec::new() };
    let mut options = megatron::named(&[("use-mcore-models", "")]);
    options.extend(megatron::parallel(job));
    if job.degrees.cp > 1 {
        options.extend(megatron::named(&[("context-parallel-algo", "megatron_cp_algo")]));
    }
    options.extend(megatron::batch(job));
    options.extend(megatron::sizes(job, model));
    options.extend(megatron::named(&[
        ("use-flash-attn", ""),
        ("use-fused-rmsnorm", ""),
        ("use-fused-swiglu", ""),
        ("use-fused-rotary-pos-emb", ""),
        ("tokenizer-type", "PretrainedFromHF"),
        ("tokenizer-name-or-path", "\"${TOKENIZER:?folder or name of the tokenizer}\""),
        ("data-path", "\"${DATA:?prefix of the data}\""),
        ("train-iters", "\"${STEPS:?number of steps}\""),
        ("lr", "\"${LEARNING_RATE:?learning rate}\""),
        ("distributed-backend", "nccl"),
    ]));
    let program = format!(
        "\"${{MINDSPEED:?folder of MindSpeed-LLM}}/pretrain_gpt.py\" \\\n{} \"$@\"",
        shell::options(&options)
    );
    let text = megatron::padded(job, model)
        + &shell::torchrun(job, "export CUDA_DEVICE_MAX_CONNECTIONS=1", &program);
    vec![File::new("launch.sh", shell::script(&TARGET, job, &text))]
}
