//! Fields of the configurations of Megatron's core in Python, for frameworks that build on it: they go by the same names.
//!
//! Input: a job. Output: names of fields, with their values.

use super::megatron;
use crate::document::Value;
use crate::job::{Job, Recompute};

/// What a recipe asks of the environment.
pub(super) const RECIPE_DOES: &str = "The planned job as a recipe. The environment says the rest: HF_MODEL (folder or name of \
                                      the model), STEPS, LEARNING_RATE,\nand DATA, without which data are mocked.";

/// A field, with its value.
pub(super) type Field = (&'static str, Value);

/// Degrees, as `ModelParallelConfig` and strategies have them.
pub(super) fn degrees(job: &Job) -> Vec<Field> {
    let degrees = &job.degrees;
    let layout = megatron::layout(job);
    let virtual_stages = if degrees.vp > 1 && layout.is_none() { degrees.vp.into() } else { Value::None };
    let mut fields = vec![
        ("tensor_model_parallel_size", degrees.tp.into()),
        ("pipeline_model_parallel_size", degrees.pp.into()),
        ("virtual_pipeline_model_parallel_size", virtual_stages),
        ("context_parallel_size", degrees.cp.into()),
        ("expert_model_parallel_size", degrees.ep.into()),
        ("sequence_parallel", (degrees.sp > 1).into()),
    ];
    if let Some(layout) = layout {
        fields.push(("pipeline_model_parallel_layout", layout.into()));
    }
    if degrees.ep > 1 {
        fields.push(("expert_tensor_parallel_size", degrees.tp.into()));
    }
    fields
}

/// What of a model's configuration is no size: sequences, what is made again, the rows that its vocabulary is padded to, the
/// type of its router, and that no loss balances its experts.
pub(super) fn model(job: &Job) -> Vec<Field> {
    let is_full = job.recompute == Recompute::Full;
    let granularity = match job.recompute {
        Recompute::None => Value::None,
        level => level.name().into(),
    };
    let mut fields = vec![
        ("seq_length", job.sequence.into()),
        ("recompute_granularity", granularity),
        ("recompute_method", if is_full { "uniform".into() } else { Value::None }),
        ("recompute_num_layers", if is_full { 1.into() } else { Value::None }),
    ];
    if let Some(model) = &job.model {
        fields.push(("make_vocab_size_divisible_by", megatron::rows_of_vocabulary(job, model).into()));
        if model.experts.is_some() {
            fields.push(("moe_router_dtype", megatron::ROUTER_DTYPE.into()));
            // What models are made by may add a loss that balances experts.
            fields.push(("moe_router_load_balancing_type", "none".into()));
        }
    }
    fields
}
