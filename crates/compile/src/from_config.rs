//! Training steps of models by their `config.json`.
//!
//! Input: the text of a configuration, and what it does not say of a step ([`StepOptions`]). Output: the program of the
//! forward pass, differentiated, with an optimizer: a program like any other, read from its own text, so that diagnostics
//! have lines to point at. What it was made of goes with it ([`PlanModel`]), and into its plans.

use meshwright_ir::diagnostic::{Diagnostic, Diagnostics, Source, Span};
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, MOST_ELEMENTS, print_with_locations};
use meshwright_ir::vjp::Indices;
use meshwright_models::{Batch, CONFIG, LayerForm, Options as ModelOptions, Recipe};
use meshwright_plan::plan_file::PlanModel;
use meshwright_tensor::types::TensorType;

use crate::error::CompileError;
use crate::grad::{Trained, TrainingOptions, training_step};
use crate::scanned::{planned_form, scan_kernel};

/// The optimizer's name with which the loss alone is meant.
pub const NO_OPTIMIZER: &str = "none";

/// A training step beside what a configuration says.
#[derive(Clone, Debug, PartialEq)]
pub struct StepOptions {
    /// Sequence, batch and types of numbers.
    pub model: ModelOptions,
    /// Name of the optimizer; `None`: the forward pass and the loss alone.
    pub optimizer: Option<String>,
}

impl StepOptions {
    /// A step with this batch, as most models are trained: computed in bf16, by AdamW.
    pub fn of_batch(batch: Batch) -> Self {
        let model = ModelOptions { batch, recipe: Recipe::Bf16, ..ModelOptions::default() };
        Self { model, optimizer: Some("adamw".to_owned()) }
    }

    /// The same with another optimizer, by its name or [`NO_OPTIMIZER`].
    pub fn with_optimizer(self, name: &str) -> Self {
        Self { optimizer: Some(name.to_owned()).filter(|name| name != NO_OPTIMIZER), ..self }
    }

    /// Those of the step that a plan was made for.
    ///
    /// # Errors
    /// The plan names types of numbers, or a kernel, that are not known.
    pub fn of_plan(plan: &PlanModel) -> Result<Self, String> {
        let recipe = plan.precision_recipe.parse()?;
        let model = ModelOptions {
            sequence: Some(plan.tokens_per_sequence),
            batch: Batch::Sequences(plan.sequences),
            recipe,
            layers: LayerForm::Loop,
            scan: planned_form(plan.scan_kernel.as_deref())?,
            capacity_factor: plan.capacity_factor,
        };
        Ok(Self { model, optimizer: None }.with_optimizer(&plan.optimizer))
    }
}

/// A step that was made of a configuration.
#[derive(Clone, Debug)]
pub struct ConfiguredStep {
    /// The program.
    pub program: Program,
    /// Its text, which its spans refer to.
    pub source: Source,
    /// What it was made of.
    pub model: PlanModel,
    /// What the user should know of the configuration.
    pub warnings: Diagnostics,
}

/// The program of a training step of a model. Its layers that are alike are one loop.
///
/// # Errors
/// [`CompileError::Diagnostics`]: what is wrong with the configuration, at its place in `config`.
/// [`CompileError::Options`]: there is no such optimizer.
pub fn from_config(config: &Source, options: &StepOptions) -> Result<ConfiguredStep, CompileError> {
    let model = meshwright_models::read(config, &options.model)?;
    let [sequences, tokens_per_sequence] = model.shape;
    let program = match &options.optimizer {
        None => model.program,
        Some(optimizer) => {
            let trained = Trained::First(model.parameters.len());
            // What balances experts is no weight of the loss, and does not decay either.
            let balance = model.parameters.iter().filter(|parameter| parameter.is_balance);
            let options = TrainingOptions {
                undecayed: balance.map(|parameter| parameter.name.clone()).collect(),
                // Tokens lie within their vocabulary.
                indices: Indices::InBounds,
                ..TrainingOptions::of(optimizer)
            };
            training_step(&model.program, &trained, 0, &options)?
        }
    };
    if has_too_large(&program) {
        let message = format!(
            "with {sequences} sequences of {tokens_per_sequence} tokens, the step has tensors of more than 2^52 elements"
        );
        let error = Diagnostic::error(CONFIG, Span::NONE, message);
        let error = error.hint("give less tokens with `--seq`, or fewer sequences with `--global-batch`");
        return Err(CompileError::Diagnostics(model.warnings.into_iter().chain([error]).collect()));
    }
    let text = print_with_locations(&program, Form::Pretty);
    let source = Source::new(format!("step of {}", config.name), text);
    let program = crate::read(&source)?;
    let warnings = model.warnings;
    let model = PlanModel {
        model_type: model.model_type,
        config: Some(config.text.to_string()),
        tokens_per_sequence,
        sequences,
        precision_recipe: model.recipe.name().to_owned(),
        optimizer: options.optimizer.clone().unwrap_or_else(|| NO_OPTIMIZER.to_owned()),
        capacity_factor: options.model.capacity_factor,
        scan_kernel: scan_kernel(&program),
    };
    Ok(ConfiguredStep { program, source, model, warnings })
}

/// Whether a tensor has more elements than programs may have.
fn has_too_large(program: &Program) -> bool {
    let is_too_large = |ty: &TensorType| {
        let count = ty.shape.iter().try_fold(1_usize, |product, size| product.checked_mul(*size));
        count.is_none_or(|count| count > MOST_ELEMENTS)
    };
    let values = program.functions.iter().flat_map(|function| function.body.values.iter());
    values.filter_map(|(_, value)| value.ty.as_tensor()).any(is_too_large)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_balances_experts_does_not_decay() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/models/tiny/deepseek_v3.json");
        let config = Source::new("config.json", std::fs::read_to_string(path).unwrap());
        let mut options = StepOptions::of_batch(Batch::Sequences(2));
        options.model.sequence = Some(8);
        let step = from_config(&config, &options).unwrap();
        assert_eq!(step.model.config.as_deref(), Some(&*config.text));
        let model = meshwright_models::read(&config, &options.model).unwrap();
        let trained = Trained::First(model.parameters.len());
        let all = TrainingOptions { indices: Indices::InBounds, ..TrainingOptions::of("adamw") };
        let decaying = training_step(&model.program, &trained, 0, &all).unwrap();
        let count = |program: &Program| program.main().unwrap().body.insts.len();
        assert!(count(&step.program) < count(&decaying));
    }
}
