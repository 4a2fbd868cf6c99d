//! `meshwright grad`: from the program of a loss to that of the loss and its gradients.

use crate::args::{GradArguments, Output};
use crate::failure::Outcome;
use crate::{output, planning};
use meshwright_compile::Trained;
use meshwright_ir::text::{Form, print};

/// The word that stands for all arguments of float types.
const ALL_FLOATS: &str = "all-floats";

pub(crate) fn run(arguments: &GradArguments, out: Output) -> Outcome {
    let (source, program) = planning::read(&arguments.input, None)?;
    let is_all = arguments.wrt.iter().any(|name| name == ALL_FLOATS);
    let trained = if is_all { Trained::AllFloats } else { Trained::Named(arguments.wrt.clone()) };
    let made = meshwright_compile::grad(&program, &trained, arguments.of)
        .map_err(|error| planning::failure(error, &source, None))?;
    output::program(&arguments.output, &print(&made, Form::Pretty), out)
}
