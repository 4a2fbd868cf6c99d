//! Whole numbers that a model has for what it is fed: tokens of its vocabulary, classes of its labels.
//!
//! Input: the configuration of a model that a program was made of, or that lies beside its weights, and the program's arguments.
//! Output: [`Vocabularies`], which refuse all other numbers. A program does not tell: a lookup takes the last row of a table for
//! one that it does not have, and a label that no class has makes a loss all the same.

use crate::arrays;
use crate::failure::{Failure, Outcome};
use crate::weights::Argument;
use meshwright_compile::StepOptions;
use meshwright_ir::diagnostic::{Check, Diagnostic, Source, Span};
use meshwright_ir::program::Function;
use meshwright_models::{Data, Model, Options};
use meshwright_plan::plan_file::PlanModel;
use meshwright_tensor::Tensor;
use std::path::Path;

/// What is given for arguments is not of the model.
const ARGUMENTS: Check = Check("arguments");

/// For each argument its name and how many numbers there are for it, from 0 on; none where nothing is known of them.
pub(crate) struct Vocabularies(Vec<Option<(String, usize)>>);

impl Vocabularies {
    /// Those of a program's arguments, by the configuration that it was made of or that lies beside its weights; without one
    /// nothing is known.
    pub(crate) fn of(made: Option<&PlanModel>, weights: Option<&Path>, arguments: &[Argument]) -> Self {
        let model = made.and_then(model).or_else(|| beside(weights?));
        let of = |argument: &Argument| {
            let (name, ty) = (argument.name.as_deref()?, argument.ty.as_tensor()?);
            let is_own =
                |own: &&Data| own.name == name && own.ty.rank() == ty.rank() && own.ty.element == ty.element;
            let own = model.as_ref()?.data.iter().find(is_own)?;
            Some((name.to_owned(), own.below?))
        };
        Self(arguments.iter().map(of).collect())
    }

    /// Returns whether something is known of the numbers of an argument.
    pub(crate) fn has(&self, argument: usize) -> bool {
        self.0.get(argument).is_some_and(Option::is_some)
    }

    /// Refuses what a file gives for an argument, one batch or several, if it holds a number that the model does not have.
    pub(crate) fn must_have(&self, argument: usize, tensor: &Tensor, path: &Path) -> Outcome {
        self.other(argument, tensor).map_or(Ok(()), |(message, hint)| Err(Failure::file(path, message, hint)))
    }

    /// The same of what a file gives for all arguments, in their order.
    pub(crate) fn must_have_all(&self, all: &[Tensor], path: &Path) -> Outcome {
        all.iter().enumerate().try_for_each(|(argument, tensor)| self.must_have(argument, tensor, path))
    }

    /// What is wrong with an argument that holds a number that the model does not have, and a hint.
    fn other(&self, argument: usize, tensor: &Tensor) -> Option<(String, &'static str)> {
        let (name, count) = self.0.get(argument)?.as_ref()?;
        let numbers = tensor.elements::<i32>().ok()?;
        let is_other = |number: &i32| !usize::try_from(*number).is_ok_and(|number| number < *count);
        let other = numbers.iter().copied().find(is_other)?;
        let message = format!("`{name}` holds {other}, but the model has {count} of them, from 0 on");
        let hint = match other {
            ..0 => "all of them count: no number leaves one out",
            0.. => "is the tokenizer that of the model?",
        };
        Some((message, hint))
    }
}

/// Whole numbers among the arguments of a step that its model does not have, for those who have no command line. Errors: there
/// are some.
pub fn must_be_of_the_model(
    made: Option<&PlanModel>,
    weights: Option<&Path>,
    function: &Function,
    all: &[Tensor],
) -> Result<(), Box<Diagnostic>> {
    let known = Vocabularies::of(made, weights, &arrays::arguments(function));
    let found = all.iter().enumerate().find_map(|(argument, tensor)| known.other(argument, tensor));
    found.map_or(Ok(()), |(message, hint)| {
        Err(Box::new(Diagnostic::error(ARGUMENTS, Span::NONE, message).hint(hint)))
    })
}

/// The model that a step was made of.
fn model(made: &PlanModel) -> Option<Model> {
    let config = Source::new("configuration", made.config.as_deref()?);
    meshwright_models::read(&config, &StepOptions::of_plan(made).ok()?.model).ok()
}

/// The model whose configuration lies beside weights; how long its sequences are does not matter here.
fn beside(weights: &Path) -> Option<Model> {
    let text = std::fs::read_to_string(weights.join("config.json")).ok()?;
    let options = Options { sequence: Some(1), ..Options::default() };
    meshwright_models::read(&Source::new("config.json", text), &options).ok()
}
