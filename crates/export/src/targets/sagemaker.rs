//! Amazon SageMaker's model parallelism library, version 2: `smp_config.json`, its parameters, and `script.txt`, what of the
//! plan the training script does itself. It adds tensor, context and expert parallelism to PyTorch's FSDP, for the models
//! that it knows; FSDP asks nothing of a model. Source: its reference of configuration parameters, and its lists of models
//! for each kind of parallelism.

use super::{Target, head};
use crate::File;
use crate::document::map;
use crate::fit::Fit;
use crate::job::{Job, Kind, Precision, Recompute};
use std::fmt::Write as _;

pub(super) const TARGET: Target = Target {
    name: "sagemaker",
    title: "SageMaker SMP",
    version: "2",
    form: "smp_config.json, script.txt",
    fit,
    write,
};

/// Types of models for each kind of parallelism, with what that is called.
const MODELS: &[(Kind, &[&str])] = &[
    (Kind::Tensor, &["gpt_neox", "llama", "mistral", "mixtral"]),
    (Kind::Context, &["gpt_neox", "llama"]),
    (Kind::Expert, &["mixtral"]),
];

fn fit(fit: &mut Fit) {
    fit.without(Kind::Pipeline);
    let (tp, sp) = (fit.job.degrees.tp, fit.job.degrees.sp);
    if sp > 1 {
        fit.job.degrees.sp = 1;
        fit.changed(format!("sp={sp} with tp={tp}: its configuration says nothing of it"), "sp=1");
    }
    fit.zero(&[3]);
    fit.zero_over_experts();
    fit.ranks(&[Kind::Data, Kind::Expert, Kind::Context, Kind::Tensor]);
    fit.recompute(&[Recompute::None, Recompute::Full]);
    fit.optimizer(&["adamw"]);
    models(fit);
}

/// What its kinds of parallelism ask of a model.
fn models(fit: &mut Fit) {
    let degrees = fit.job.degrees;
    let of_kinds = [(Kind::Tensor, degrees.tp), (Kind::Context, degrees.cp), (Kind::Expert, degrees.ep)];
    if of_kinds.iter().all(|(_, degree)| *degree == 1) {
        return;
    }
    let Some(model) = fit.all_sizes() else { return };
    for (kind, degree) in of_kinds {
        let knows =
            MODELS.iter().any(|(own, types)| *own == kind && types.contains(&model.model_type.as_str()));
        if degree > 1 && !knows {
            fit.cannot(format!(
                "{}={degree}: it has none of it for models of type `{}`",
                kind.name(),
                model.model_type
            ));
        }
    }
    for (what, size) in model.tensor_dims() {
        fit.divides(&format!("tp={}: the number of {what}", degrees.tp), size, degrees.tp);
    }
    if let Some(experts) = &model.experts {
        fit.divides("the number of experts", experts.count, degrees.ep);
        fit.divides(&format!("tp={}: the inner width of an expert", degrees.tp), experts.inner, degrees.tp);
    }
    if degrees.cp > 1 {
        fit.divides("the length of a sequence", fit.job.sequence, 2 * degrees.cp);
    }
}

fn write(job: &Job) -> Vec<File> {
    let degrees = &job.degrees;
    let [_, shard] = super::hybrid(degrees);
    let config = map([
        ("hybrid_shard_degree", shard.into()),
        ("tensor_parallel_degree", degrees.tp.into()),
        ("context_parallel_degree", degrees.cp.into()),
        ("expert_parallel_degree", degrees.ep.into()),
    ]);
    vec![File::new("smp_config.json", config.json()), File::new("script.txt", script(job))]
}

/// What the training script does itself.
fn script(job: &Job) -> String {
    let mut text = head(&TARGET, job);
    let class = job.layer_class().unwrap_or("a layer");
    let _ = write!(
        text,
        "smp_config.json is `parameters` of `modelparallel` where the job is started; instances: {}, devices of each: {}.\n\
         The training script does the rest:\n\
         - a step is of {} sequences of {} tokens: batches of {} on each replica, accumulated over {};\n\
         - FSDP wraps each {class}, and gathers its parameters for each pass;\n",
        job.nodes,
        job.devices_per_node,
        job.global_batch,
        job.sequence,
        job.microbatch_size(),
        job.microbatches
    );
    text += match job.recompute {
        Recompute::None => "- all that layers make is kept;\n",
        _ => {
            "- what each of these layers makes is made again for the backward pass (activation checkpointing);\n"
        }
    };
    text += match job.precision {
        Precision::Bf16 => "- products are in bfloat16, parameters and sums of gradients in float32;\n",
        Precision::F32 => "- all numbers are in float32;\n",
    };
    text + "- the optimizer is AdamW.\n"
}
