//! `meshwright grad`: from the program of a loss to that of the loss and its gradients, or of a training step.

use crate::args::{GradArguments, Output};
use crate::failure::Outcome;
use crate::parse::between_commas;
use crate::terminal::Terminal;
use crate::{output, planning};
use meshwright_compile::{Indices, LossScaling, Settings, Trained, TrainingOptions};
use meshwright_ir::text::{Form, print_with_locations};

/// The word that stands for all arguments of float types.
const ALL_FLOATS: &str = "all-floats";

pub(crate) fn run(arguments: &GradArguments, out: Output) -> Outcome {
    let (source, program) = planning::read(&arguments.input, None)?;
    let wrt = names(&arguments.wrt);
    let is_all = wrt.iter().any(|name| name == ALL_FLOATS);
    let trained = if is_all { Trained::AllFloats } else { Trained::Named(wrt) };
    let made = Terminal::plain().during("grad", || match &arguments.optimizer {
        None => meshwright_compile::grad(&program, &trained, arguments.of, indices(arguments)),
        Some(optimizer) => {
            let options = options(arguments, optimizer);
            meshwright_compile::training_step(&program, &trained, arguments.of, &options)
        }
    });
    let made = made.map_err(|error| planning::failure(error, &source, None))?;
    output::program(&arguments.output, &print_with_locations(&made, Form::Pretty), out)
}

/// Names of several lists.
fn names(lists: &[String]) -> Vec<String> {
    lists.iter().flat_map(|list| between_commas(list)).map(str::to_owned).collect()
}

fn indices(arguments: &GradArguments) -> Indices {
    if arguments.promise_in_bounds { Indices::InBounds } else { Indices::Any }
}

fn options(arguments: &GradArguments, optimizer: &str) -> TrainingOptions {
    TrainingOptions {
        optimizer: optimizer.to_owned(),
        settings: Settings { learning_rate: arguments.lr, weight_decay: arguments.weight_decay },
        undecayed: names(&arguments.no_decay),
        clip: arguments.clip,
        scaling: match arguments.loss_scale {
            Some(interval) => LossScaling::Dynamic { interval },
            None => LossScaling::None,
        },
        indices: indices(arguments),
    }
}
