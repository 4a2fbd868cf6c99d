//! Tests of the whole compiler, in one program: a module for each topic.

mod agreement;
mod annotations;
mod baselines;
mod delayed_weights;
mod explained;
mod figures;
mod interrupted;
mod large;
mod loop_faults;
mod microbatches;
mod pipeline_space;
mod pipelines;
mod plan_files;
mod post_validation;
mod prepasses;
mod regions;
mod twin_faults;
