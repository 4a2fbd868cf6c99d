//! Amazon SageMaker's model parallelism library, version 2: `smp_config.json`. It adds tensor, context and expert
//! parallelism to PyTorch's FSDP. Source: its reference of configuration parameters.

use super::Target;
use crate::File;
use crate::document::map;
use crate::fit::Fit;
use crate::job::{Job, Kind};

pub(super) const TARGET: Target =
    Target { name: "sagemaker", title: "SageMaker SMP", version: "2", form: "smp_config.json", fit, write };

fn fit(fit: &mut Fit) {
    fit.without(Kind::Pipeline);
    let (tp, sp) = (fit.job.degrees.tp, fit.job.degrees.sp);
    if sp > 1 {
        fit.changed(
            format!("sp={sp} with tp={tp}: its configuration says nothing of it"),
            "as the library has it",
        );
    }
    fit.zero(&[3]);
    fit.zero_over_experts();
    fit.ranks(&[Kind::Data, Kind::Expert, Kind::Context, Kind::Tensor]);
    fit.optimizer(&["adamw"]);
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
    vec![File::new("smp_config.json", config.json())]
}
