//! Gradients: the program of a loss becomes that of the loss and its gradients, or of a training step.
//!
//! Input: a program, and the arguments that are trained. Output: a program of one function, with the calls of the first
//! inlined and its short forms written out.

use crate::error::CompileError;
use meshwright_analyze::hidden_matrices;
use meshwright_analyze::name_patterns::is_named;
use meshwright_analyze::names;
use meshwright_grad::optimizers::{self, Settings};
use meshwright_grad::{LossScaling, Training};
use meshwright_ir::diagnostic::{Diagnostic, Span};
use meshwright_ir::expand::{expand, expand_for_derivative};
use meshwright_ir::program::{Function, Program};
use meshwright_ir::verify::verify;
use meshwright_ir::vjp::Indices;
use meshwright_transform::inline::inline_entry;

/// Arguments that are trained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trained {
    /// All whose elements are of a float type.
    AllFloats,
    /// Those that patterns name, as those of pins do, in the order of the program.
    Named(Vec<String>),
    /// So many, in the order of the program.
    First(usize),
}

/// The program of a loss, result `of` of the entry function, and its gradients.
///
/// # Errors
/// [`CompileError::Diagnostics`]: there is no entry function, or something has no derivative. [`CompileError::Options`]: a
/// pattern names no argument.
pub fn grad(
    program: &Program,
    trained: &Trained,
    of: usize,
    indices: Indices,
) -> Result<Program, CompileError> {
    let function = loss_function(program)?;
    let wrt = positions(&function, trained)?;
    let function = meshwright_grad::grad(&function, &wrt, of, indices)?;
    Ok(sound(program.with_only(expand(function))))
}

/// A program that was made here. Panics if it does not obey the specification.
fn sound(program: Program) -> Program {
    if let Err(found) = verify(&program) {
        panic!("the program of the gradient is broken: {}", found[0].message);
    }
    program
}

/// Choices by which a loss becomes a training step.
#[derive(Clone, Debug)]
pub struct TrainingOptions {
    /// The optimizer's name, one of [`meshwright_grad::optimizers::OPTIMIZERS`].
    pub optimizer: String,
    /// What is said of it.
    pub settings: Settings,
    /// Parameters whose weights do not decay, by patterns.
    pub undecayed: Vec<String>,
    /// The largest norm of all gradients together.
    pub clip: Option<f64>,
    /// Scaling of the loss.
    pub scaling: LossScaling,
    /// What is known of the indices by which the loss looks something up.
    pub indices: Indices,
}

impl TrainingOptions {
    /// An optimizer as it is, without clipping or scaling.
    pub fn of(optimizer: &str) -> Self {
        Self {
            optimizer: optimizer.to_owned(),
            settings: Settings { learning_rate: None, weight_decay: None },
            undecayed: Vec::new(),
            clip: None,
            scaling: LossScaling::None,
            indices: Indices::Any,
        }
    }

    /// Errors: a rate or a norm that is no positive number, or a decay that is none.
    fn check(&self) -> Result<(), CompileError> {
        let Settings { learning_rate, weight_decay } = self.settings;
        let fits = |number: f64, least: f64| number.is_finite() && number >= least;
        let wrong = [
            ("learning rate", learning_rate, f64::MIN_POSITIVE, "a positive number, such as 0.01"),
            ("norm", self.clip, f64::MIN_POSITIVE, "a positive number, such as 1"),
            ("weight decay", weight_decay, 0.0, "a number from 0 on, such as 0.01"),
        ];
        let wrong =
            wrong.into_iter().find(|(_, number, least, _)| number.is_some_and(|own| !fits(own, *least)));
        let never = matches!(self.scaling, LossScaling::Dynamic { interval: 0 });
        let (message, hint) = match wrong {
            Some((what, Some(number), _, hint)) => (format!("{number} is no {what}"), hint),
            _ if never => {
                ("a loss scale that is doubled after 0 steps".to_owned(), "a number of steps, such as 2000")
            }
            _ => return Ok(()),
        };
        let problem = Diagnostic::error(meshwright_grad::DERIVATIVE, Span::NONE, message);
        Err(CompileError::Options(Box::new(problem.hint(format!("give {hint}")))))
    }
}

/// The program of a training step: the loss, result `of` of the entry function, its gradients, and an optimizer.
///
/// # Errors
/// As those of [`grad`]; [`CompileError::Options`]: there is no such optimizer.
pub fn training_step(
    program: &Program,
    trained: &Trained,
    of: usize,
    options: &TrainingOptions,
) -> Result<Program, CompileError> {
    let function = loss_function(program)?;
    let Some(known) = optimizers::known(&options.optimizer) else {
        let names: Vec<&str> = optimizers::OPTIMIZERS.iter().map(|known| known.name).collect();
        let message = format!("there is no optimizer `{}`", options.optimizer);
        let hint = format!("the optimizers are {}", names.join(", "));
        let problem = Diagnostic::error(meshwright_grad::DERIVATIVE, Span::NONE, message).hint(hint);
        return Err(CompileError::Options(Box::new(problem)));
    };
    options.check()?;
    let optimizer = (known.of)(&options.settings);
    let undecayed = match options.undecayed.as_slice() {
        [] => Vec::new(),
        patterns => positions(&function, &Trained::Named(patterns.to_vec()))?,
    };
    let parameters = positions(&function, trained)?;
    let training = Training {
        hidden: hidden_matrices(&function, &parameters),
        parameters,
        undecayed,
        loss: of,
        optimizer: optimizer.as_ref(),
        clip: options.clip,
        scaling: options.scaling,
        indices: options.indices,
    };
    Ok(sound(program.with_only(expand(meshwright_grad::training_step(&function, &training)?))))
}

/// The entry function as reverse mode takes it.
fn loss_function(program: &Program) -> Result<Function, CompileError> {
    Ok(expand_for_derivative(inline_entry(program).map_err(|problem| vec![problem])?))
}

/// Positions of the arguments that are trained.
fn positions(function: &Function, trained: &Trained) -> Result<Vec<usize>, CompileError> {
    let types = function.args().iter().map(|arg| function.body.ty(*arg));
    let is_float = |index: &usize| {
        let ty = types.clone().nth(*index).and_then(|ty| ty.as_tensor());
        ty.is_some_and(|ty| ty.element.is_float())
    };
    let all = 0..function.args().len();
    let patterns = match trained {
        Trained::AllFloats => return Ok(all.filter(is_float).collect()),
        Trained::First(count) => return Ok((0..*count).collect()),
        Trained::Named(patterns) => patterns,
    };
    let names: Vec<String> = names::of_arguments(function)
        .into_iter()
        .enumerate()
        .map(|(index, name)| name.unwrap_or_else(|| format!("arg{index}")))
        .collect();
    for pattern in patterns {
        if !all.clone().any(|index| is_named(&names[index], index, pattern)) {
            let message = format!("no argument is called `{pattern}`");
            let hint = format!("the arguments are {}", names.join(", "));
            let problem = Diagnostic::error(meshwright_grad::DERIVATIVE, Span::NONE, message).hint(hint);
            return Err(CompileError::Options(Box::new(problem)));
        }
    }
    let is_trained = |index: &usize| patterns.iter().any(|pattern| is_named(&names[*index], *index, pattern));
    Ok(all.filter(is_trained).collect())
}
