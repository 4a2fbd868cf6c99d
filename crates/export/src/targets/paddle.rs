//! PaddlePaddle, by PaddleNLP's `llm/run_pretrain.py`: `pretrain.json`. Source: `llm/config/llama/pretrain_argument.json`,
//! `paddlenlp/trainer/training_args.py` at 3.0.

use super::{Target, shell};
use crate::File;
use crate::document::map;
use crate::fit::{Fit, Sequence, Stages};
use crate::job::{Job, Kind, Precision, Recompute};

pub(super) const TARGET: Target = Target {
    name: "paddle",
    title: "PaddleNLP",
    version: "3.0",
    form: "pretrain.json, launch.sh",
    fit,
    write,
};

/// Types of models that are written.
const MODELS: &[&str] = &["llama", "qwen2"];

fn fit(fit: &mut Fit) {
    fit.without(Kind::Expert);
    fit.without(Kind::Context);
    fit.sequence(Sequence::AsAsked);
    fit.zero(if fit.job.degrees.pp > 1 { &[0, 1] } else { &[0, 1, 2, 3] });
    // Devices that share state are an axis of their own, inside of stages.
    fit.ranks(match fit.job.degrees.zero {
        0 => &[Kind::Data, Kind::Pipeline, Kind::Tensor],
        _ => &[Kind::Pipeline, Kind::Data, Kind::Tensor],
    });
    fit.recompute(&[Recompute::None, Recompute::Full]);
    fit.optimizer(&["adamw"]);
    let degrees = fit.job.degrees;
    let Some(model) = fit.sizes() else { return };
    if !MODELS.contains(&model.model_type.as_str()) {
        fit.cannot(format!("models of type `{}`: nothing is written for them", model.model_type));
    }
    if fit.job.degrees.sp > 1 {
        fit.divides("the length of a sequence", fit.job.sequence, degrees.tp);
    }
    for (what, size) in model.tensor_dims() {
        fit.divides(&format!("tp={}: the number of {what}", degrees.tp), size, degrees.tp);
    }
    fit.stages(Stages::Equal);
    fit.schedule(super::megatron::USUAL);
}

fn write(job: &Job) -> Vec<File> {
    let degrees = &job.degrees;
    let stage = match degrees.zero {
        0 => String::new(),
        stage => format!("stage{stage}"),
    };
    let mut config = map([
        ("per_device_train_batch_size", job.microbatch_size().into()),
        ("gradient_accumulation_steps", job.microbatches.into()),
        ("max_seq_length", job.sequence.into()),
        ("tensor_parallel_degree", degrees.tp.into()),
        ("pipeline_parallel_degree", degrees.pp.into()),
        ("virtual_pp_degree", degrees.vp.into()),
        ("sequence_parallel", usize::from(degrees.sp > 1).into()),
        ("sharding", stage.into()),
        ("recompute", (job.recompute == Recompute::Full).into()),
        ("recompute_granularity", "full".into()),
        ("bf16", (job.precision == Precision::Bf16).into()),
        ("do_train", true.into()),
    ]);
    if degrees.zero > 0 {
        let [_, shard] = super::hybrid(degrees);
        config = config.with("sharding_parallel_degree", shard);
    }
    if job.precision == Precision::Bf16 {
        config = config.with("fp16_opt_level", "O2");
    }
    let hosts = match job.nodes {
        1 => String::new(),
        nodes => format!("--nnodes {nodes} --master \"${{MASTER:?HOST:PORT of the first host}}\" "),
    };
    let devices: Vec<String> = (0..job.devices_per_node).map(|device| device.to_string()).collect();
    let launch = format!(
        "# Model, tokenizer, data, output, steps and learning rate are yours to add to pretrain.json.\n\
         python3 -u -m paddle.distributed.launch {hosts}--devices \"{}\" \\\n  \
         \"${{PADDLENLP:?folder of PaddleNLP}}/llm/run_pretrain.py\" pretrain.json \"$@\"\n",
        devices.join(",")
    );
    vec![
        File::new("pretrain.json", config.json()),
        File::new("launch.sh", shell::script(&TARGET, job, &launch)),
    ]
}
