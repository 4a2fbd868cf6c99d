//! NeuronX Distributed: `nxd_config.py`, the call of `neuronx_distributed_config` for a training script. Sources:
//! `trainer/trainer.py`, `pipeline/model.py` at v2.28.0.

use super::{Target, docstring, shell};
use crate::File;
use crate::document::{Value, map};
use crate::fit::{Fit, Sequence, Stages};
use crate::job::{Job, Kind, Precision, Recompute};
use std::fmt::Write as _;

pub(super) const TARGET: Target = Target {
    name: "neuronx-distributed",
    title: "NeuronX Distributed",
    version: "2.28.0",
    form: "nxd_config.py, launch.sh",
    fit,
    write,
};

fn fit(fit: &mut Fit) {
    fit.sequence(Sequence::AsAsked);
    // Its optimizer of ZeRO-1 pads shards (`ZeroRedundancyOptimizer` of torch_xla).
    fit.pads_shards(&[1]);
    fit.zero(&[0, 1]);
    fit.ranks(&[Kind::Pipeline, Kind::Data, Kind::Expert, Kind::Context, Kind::Tensor]);
    fit.recompute(&[Recompute::None, Recompute::Full]);
    fit.optimizer(&["adamw"]);
    if fit.job.degrees.zero == 0 && fit.job.precision == Precision::Bf16 {
        fit.job.degrees.zero = 1;
        fit.changed("zero=0 in bf16: it keeps parameters in f32 with ZeRO-1 alone", "zero=1");
    }
    fit.zero_over_experts();
    let tp = fit.job.degrees.tp;
    let Some(model) = fit.sizes() else { return };
    fit.stages(Stages::Equal);
    fit.schedule(super::megatron::USUAL);
    for (what, size) in model.tensor_dims() {
        fit.divides(&format!("tp={tp}: the number of {what}"), size, tp);
    }
}

fn write(job: &Job) -> Vec<File> {
    let degrees = &job.degrees;
    // Without its optimizer of ZeRO-1 it keeps no copies in f32.
    let master = job.precision == Precision::Bf16 && degrees.zero == 1;
    let mut arguments: Vec<(&str, Value)> = vec![
        ("tensor_parallel_size", degrees.tp.into()),
        ("pipeline_parallel_size", degrees.pp.into()),
        ("expert_parallel_size", degrees.ep.into()),
        ("context_parallel_size", degrees.cp.into()),
        ("sequence_parallel", (degrees.sp > 1).into()),
        (
            "optimizer_config",
            map([("zero_one_enabled", (degrees.zero == 1).into()), ("grad_clipping", true.into())]),
        ),
        (
            "activation_checkpoint_config",
            if job.recompute == Recompute::Full { "full".into() } else { Value::None },
        ),
        (
            "mixed_precision_config",
            map([("use_master_weights", master.into()), ("use_fp32_grad_acc", master.into())]),
        ),
    ];
    if degrees.pp > 1 {
        let pipeline = map([
            ("num_microbatches", job.microbatches.into()),
            ("virtual_pipeline_size", degrees.vp.into()),
            ("auto_partition", true.into()),
            ("use_zero1_optimizer", (degrees.zero == 1).into()),
        ]);
        arguments.push(("pipeline_config", pipeline));
    }
    let class = match job.degrees.pp {
        1 => String::new(),
        _ => format!(
            "\n\nBefore they are called, the script puts the class of the model's layers, such as {}, into\n\
             nxd_config[\"pipeline_config\"][\"transformer_layer_cls\"].",
            job.layer_class().unwrap_or("LlamaDecoderLayer")
        ),
    };
    let does = format!(
        "The planned degrees: `nxd_config` is for `initialize_parallel_model` and `initialize_parallel_optimizer`.\n\nA \
         replica takes {} microbatches of {} sequences of {} tokens in each step.{class}",
        job.microbatches,
        job.microbatch_size(),
        job.sequence
    );
    let mut text = docstring(&TARGET, job, &does);
    text += "\nimport neuronx_distributed as nxd\n\nnxd_config = nxd.neuronx_distributed_config(\n";
    for (name, value) in arguments {
        let _ = writeln!(text, "    {name}={},", value.python().replace('\n', "\n    "));
    }
    text += ")\n";
    let launch =
        shell::torchrun(job, "", "\"${SCRIPT:?your training script, which imports nxd_config}\" \"$@\"");
    vec![File::new("nxd_config.py", text), File::new("launch.sh", shell::script(&TARGET, job, &launch))]
}
