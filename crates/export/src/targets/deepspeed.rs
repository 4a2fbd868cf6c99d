//! DeepSpeed: `ds_config.json`. Tensor parallelism is AutoTP's, tokens are shared by Ulysses' sequence parallelism, and
//! activations are made again by the model's own checkpointing. Sources: `deepspeed/runtime/config.py`,
//! `runtime/zero/config.py`, `runtime/tensor_parallel/config.py` at v0.19.5.

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

fn fit(fit: &mut Fit) {
    fit.without(Kind::Pipeline);
    fit.without(Kind::Expert);
    fit.sequence(Sequence::Never);
    fit.zero(if fit.job.degrees.tp > 1 { &[0, 1, 2] } else { &[0, 1, 2, 3] });
    fit.zero_over_context();
    fit.ranks(&[Kind::Data, Kind::Context, Kind::Tensor]);
    fit.recompute(&[Recompute::None, Recompute::Full]);
    fit.optimizer(&["adamw"]);
    let degrees = fit.job.degrees;
    if degrees.cp > 1 && degrees.tp > 1 {
        fit.cannot(format!("cp={} with tp={}: heads are shared by one of both", degrees.cp, degrees.tp));
    }
    if let (true, Some(model)) = (degrees.cp > 1, fit.job.model.clone()) {
        fit.divides(&format!("cp={} by Ulysses: the number of heads", degrees.cp), model.heads, degrees.cp);
    }
}

fn write(job: &Job) -> Vec<File> {
    let degrees = &job.degrees;
    let mut zero = map([("stage", degrees.zero.into())]);
    if degrees.zero == 3 && degrees.fsdp > 1 && degrees.fsdp < degrees.replicas() {
        zero = zero.with("mics_shard_size", degrees.fsdp);
    }
    let mut config = map([
        ("train_micro_batch_size_per_gpu", job.microbatch_size().into()),
        ("gradient_accumulation_steps", job.microbatches.into()),
        ("bf16", map([("enabled", (job.precision == Precision::Bf16).into())])),
        ("zero_optimization", zero),
    ]);
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
