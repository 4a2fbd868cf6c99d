//! Whole numbers that a model has for what it is fed: tokens of its vocabulary, classes of its labels.
//!
//! Input: a compiled folder whose plan keeps the configuration that its program was made of. Output: [`Vocabularies`], which
//! refuse all other numbers. A program does not tell: a lookup takes the last row of a table for one that it does not have, and
//! a label that no class has makes a loss all the same.

use super::Compiled;
use crate::failure::{Failure, Outcome};
use meshwright_compile::StepOptions;
use meshwright_ir::diagnostic::Source;
use meshwright_models::Model;
use meshwright_plan::bundle::StepTensor;
use meshwright_plan::plan_file::PlanModel;
use meshwright_tensor::Tensor;
use std::path::Path;

/// For each argument its name and how many numbers there are for it, from 0 on; none where nothing is known of them.
pub(super) struct Vocabularies(Vec<Option<(String, usize)>>);

impl Vocabularies {
    /// Those of a folder; of a program that was made of no configuration nothing is known.
    pub(super) fn of(compiled: &Compiled) -> Self {
        let model = compiled.plan().and_then(|(_, plan)| model(&plan.model?));
        let of = |argument: &StepTensor| {
            let name = argument.name.as_deref()?;
            let mut data = model.as_ref()?.data.iter();
            let own = data.find(|own| own.name == name && own.ty.shape == argument.shape)?;
            Some((name.to_owned(), own.below?))
        };
        Self(compiled.bundle.arguments.iter().map(of).collect())
    }

    /// Returns whether something is known of the numbers of an argument.
    pub(super) fn has(&self, argument: usize) -> bool {
        self.0.get(argument).is_some_and(Option::is_some)
    }

    /// Refuses what a file gives for an argument, one batch or several, if it holds a number that the model does not have.
    pub(super) fn must_have(&self, argument: usize, tensor: &Tensor, path: &Path) -> Outcome {
        let (Some(Some((name, count))), Ok(numbers)) = (self.0.get(argument), tensor.elements::<i32>())
        else {
            return Ok(());
        };
        let is_other = |number: &i32| !usize::try_from(*number).is_ok_and(|number| number < *count);
        let Some(other) = numbers.iter().copied().find(is_other) else { return Ok(()) };
        let message = format!("`{name}` holds {other}, but the model has {count} of them, from 0 on");
        let hint = match other {
            ..0 => "all of them count: no number leaves one out",
            0.. => "is the tokenizer that of the model?",
        };
        Err(Failure::file(path, message, hint))
    }
}

/// The model that a step was made of.
fn model(made: &PlanModel) -> Option<Model> {
    let config = Source::new("configuration", made.config.as_deref()?);
    meshwright_models::read(&config, &StepOptions::of_plan(made).ok()?.model).ok()
}
