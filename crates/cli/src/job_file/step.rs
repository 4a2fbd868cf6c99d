//! A step as flags say it, and where they do not, as a job does.

use crate::args::{PrecisionRecipe, StepArguments};
use crate::failure::{Failure, Outcome};
use crate::{arrays, program};
use clap::ValueEnum;
use meshwright_export::read::Found;
use meshwright_ir::diagnostic::Source;
use meshwright_models::Batch;
use meshwright_tensor::types::Type;
use std::collections::BTreeSet;

/// The batch, the sequences, the optimizer and the types of numbers of a job where no flag says them.
///
/// Errors: a flag says something else.
pub(super) fn fill_in(step: &mut StepArguments, name: &str, found: &Found) -> Outcome {
    let of_job = StepOfJob::of(step.seq, step.batch()?, found).map_err(|Contradiction { said, own }| {
        let flag = match said {
            SaidOfStep::Sequence(given) => format!("--seq {given}"),
            SaidOfStep::Batch => "--global-batch".to_owned(),
        };
        Failure::usage(format!(
            "`{flag}` contradicts `{name}`, which says {own}: leave the flag out, or change the job"
        ))
    })?;
    step.seq = of_job.sequence;
    if let Some(batch) = of_job.batch {
        step.global_batch.get_or_insert(batch.into());
    }
    if step.optimizer.is_none() {
        step.optimizer = found.optimizer.map(str::to_owned);
    }
    if step.precision_recipe.is_none() {
        step.precision_recipe = found.recipe().and_then(|name| PrecisionRecipe::from_str(name, false).ok());
    }
    Ok(())
}

/// Something that the caller says of a step, and the job otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// What the caller says.
    pub said: SaidOfStep,
    /// What the job says, as the end of a sentence.
    pub own: String,
}

/// Statement about a step beside a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaidOfStep {
    /// Tokens of a sequence.
    Sequence(usize),
    /// The batch.
    Batch,
}

/// Data of a step, as the caller says it, and where he does not as a job does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepOfJob {
    /// Tokens of a sequence.
    pub sequence: Option<usize>,
    /// The batch; as the caller wrote it.
    pub batch: Option<Batch>,
}

impl StepOfJob {
    /// Of what the caller says, and a job.
    ///
    /// # Errors
    /// They say different things.
    pub fn of(sequence: Option<usize>, batch: Option<Batch>, job: &Found) -> Result<Self, Contradiction> {
        let sequence = match (sequence, job.sequence) {
            (Some(given), Some(own)) if given != own => {
                let own = format!("sequences of {own} tokens");
                return Err(Contradiction { said: SaidOfStep::Sequence(given), own });
            }
            // What its framework takes where the file says nothing is as open to the caller as that.
            (given, own) => given.or(own).or(job.default_sequence),
        };
        let sequences = batch.and_then(|batch| match (batch, sequence) {
            (Batch::Sequences(count), _) => Some(count),
            (batch, Some(length)) => batch.sequences(length).ok(),
            (Batch::Tokens(_), None) => None,
        });
        match (sequences, job.global_batch) {
            (Some(given), Some(own)) if given != own => {
                Err(Contradiction { said: SaidOfStep::Batch, own: format!("{own} sequences") })
            }
            (_, own) => Ok(Self { sequence, batch: batch.or(own.map(Batch::Sequences)) }),
        }
    }
}

/// Refuses the job of another batch than a program's, whose tokens are integers, `[batch, tokens]`.
pub(super) fn must_be_of_batch(source: &Source, name: &str, found: &Found) -> Outcome {
    let Some(batch) = found.global_batch else { return Ok(()) };
    let program = program::of_text(source, None)?;
    let Some(main) = program.main() else { return Ok(()) };
    let types = arrays::argument_types(main);
    let tokens =
        types.iter().filter_map(Type::as_tensor).filter(|ty| ty.element.is_integer() && ty.rank() == 2);
    let batches: BTreeSet<usize> = tokens.map(|ty| ty.shape[0]).collect();
    match batches.is_empty() || batches.contains(&batch) {
        true => Ok(()),
        false => {
            let own: Vec<String> = batches.iter().map(usize::to_string).collect();
            Err(Failure::usage(format!(
                "`{name}` is of {batch} sequences a step, but the program is of {}: plan the program of the job's batch",
                own.join(" or ")
            )))
        }
    }
}
