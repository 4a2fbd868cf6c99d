//! Flags that say of a training step what a model's configuration does not.

use super::PrecisionRecipe;
use crate::failure::{Failure, Outcome};
use crate::parse;
use clap::Args;
use meshwright_models::{Batch, Batches};

/// All of them need a `config.json`.
#[derive(Args, Clone, Debug, PartialEq)]
pub(crate) struct StepArguments {
    /// Of a config.json: tokens of a sequence [default: that of the plan, or as many as the model has positions, at most 4096]
    #[arg(long, value_name = "N", value_parser = parse::count, allow_negative_numbers = true)]
    pub(crate) seq: Option<usize>,
    /// Of a config.json: the batch of a step: `512` is sequences, `4Mtok` is tokens (4 x 1,048,576), which `--seq` has to divide; of several, as a list or as `256..1024`, each twice the one before, `plan` takes the one with most tokens per second [default: that of the plan]
    #[arg(long, value_name = "N|NMtok|N..N|N,N", allow_hyphen_values = true)]
    pub(crate) global_batch: Option<Batches>,
    /// Of a config.json: the optimizer, or `none` for the loss alone [default: that of the plan, or adamw]
    #[arg(long, value_name = "NAME", value_parser = parse::optimizers_or_none())]
    pub(crate) optimizer: Option<String>,
    /// Of a config.json: the types of numbers [default: that of the plan, or bf16]
    #[arg(long, value_enum, value_name = "RECIPE")]
    pub(crate) precision_recipe: Option<PrecisionRecipe>,
    /// Of a config.json: tokens that an expert takes of a sequence, as a multiple of what it takes if all experts take the same [default: that of the plan, or 1]
    #[arg(long, value_name = "FACTOR", value_parser = parse::capacity, allow_negative_numbers = true)]
    pub(crate) capacity_factor: Option<f64>,
}

impl StepArguments {
    /// The batch.
    ///
    /// Errors: there are several.
    pub(crate) fn batch(&self) -> Outcome<Option<Batch>> {
        match &self.global_batch {
            None => Ok(None),
            Some(batches) => batches.only().map(Some).ok_or_else(|| {
                Failure::usage(
                    "several batches are for `plan` to choose from: give one with `--global-batch`",
                )
            }),
        }
    }

    /// The flags that are given.
    pub(crate) fn given(&self) -> Vec<&'static str> {
        let Self { seq, global_batch, optimizer, precision_recipe, capacity_factor } = self;
        let flags = [
            ("--seq", seq.is_some()),
            ("--global-batch", global_batch.is_some()),
            ("--optimizer", optimizer.is_some()),
            ("--precision-recipe", precision_recipe.is_some()),
            ("--capacity-factor", capacity_factor.is_some()),
        ];
        flags.into_iter().filter(|(_, is_given)| *is_given).map(|(flag, _)| flag).collect()
    }
}
