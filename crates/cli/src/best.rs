//! What `check`, `plan` and `compile` make of a program: stages where flags ask for them or where they are faster, or else
//! one program for all devices.
//!
//! Input: flags, with a plan that was made earlier or without. Output: [`Best`].

use crate::args::{Output, PipelineArguments, Planning};
use crate::failure::Outcome;
use crate::pipeline_plan::{self, OfDegrees};
use crate::planning::{self, Inputs, NoMachine};
use crate::terminal::Terminal;
use crate::{baseline, pipeline};
use meshwright_compile::{Options, best};
use meshwright_models::LayerForm;
use std::path::Path;

/// What became of a program.
pub(crate) enum Best {
    /// It was stopped before the end, as asked.
    Stopped,
    /// One program for all devices.
    Whole(Box<planning::Planned>),
    /// Programs of stages.
    Stages(Box<pipeline::Planned>),
}

/// Reads and compiles, with stages if flags ask for them; `output` is what is not written if it is to stop before the end.
pub(crate) fn as_asked(
    planning: &Planning,
    arguments: &PipelineArguments,
    no_machine: NoMachine,
    (plan, output): (Option<&Path>, Option<&Path>),
    out: Output,
) -> Outcome<Best> {
    if let Some(baseline) = baseline::asked(planning, arguments)? {
        return Ok(Best::Stages(Box::new(baseline::made(planning, &baseline, no_machine, out)?)));
    }
    let is_several = planning.degrees.space().is_ok_and(|degrees| degrees.only().is_none());
    let fastest = match is_several && plan.is_none() {
        true => pipeline_plan::of_degrees(planning, arguments, LayerForm::Loop, no_machine, out)?,
        false => None,
    };
    let planning = match fastest {
        Some(OfDegrees::Pipeline(found)) => {
            return Ok(Best::Stages(Box::new(found.made(planning, out)?)));
        }
        Some(OfDegrees::Plain(planning)) => *planning,
        None => planning.clone(),
    };
    if let Some(best) = pipeline::compile(&planning, arguments, no_machine, plan, out)? {
        return Ok(best);
    }
    let whole = planning::compile(&planning, no_machine, plan, output, out)?;
    Ok(whole.map_or(Best::Stopped, |planned| Best::Whole(Box::new(planned))))
}

/// The same with stages also where they are faster and flags say nothing of them.
pub(crate) fn compile(
    planning: &Planning,
    arguments: &PipelineArguments,
    no_machine: NoMachine,
    (plan, output): (Option<&Path>, Option<&Path>),
    out: Output,
) -> Outcome<Best> {
    if plan.is_some() || says_more(planning, arguments) {
        return as_asked(planning, arguments, no_machine, (plan, output), out);
    }
    let memory_limit = planning::one_limit(planning)?;
    let inputs = Inputs::read(planning, no_machine, None, out)?;
    let options = Options { memory_limit, ..inputs.options.clone() };
    let terminal = Terminal::plain().listening();
    let found = best(&inputs.program, &inputs.source, &inputs.machine, &options, &terminal);
    terminal.wipe();
    let found = found.map_err(|error| planning::failure(error, &inputs.source, None))?;
    terminal.show_warnings(&inputs.source, out);
    Ok(Best::of(Inputs { options, ..inputs }, found))
}

impl Best {
    /// Warns of numbers that the machine's devices do not have.
    pub(crate) fn warn_of_numbers(&self, out: Output) {
        match self {
            Self::Stopped => {}
            Self::Whole(own) => {
                planning::warn_of_numbers(&own.compiled.program, &own.source, &own.machine, out);
            }
            Self::Stages(own) => {
                planning::warn_of_numbers(&own.pipelined.program, &own.source, &own.machine, out);
            }
        }
    }

    /// What the compiler made of what was read.
    pub(crate) fn of(inputs: Inputs, found: meshwright_compile::Best) -> Self {
        let Inputs { source, machine, options, .. } = inputs;
        match found {
            meshwright_compile::Best::Whole(compiled, weighed) => {
                let compiled = *compiled;
                Self::Whole(Box::new(planning::Planned { source, machine, options, compiled, weighed }))
            }
            meshwright_compile::Best::Stages(pipelined, searched) => {
                let (pipelined, searched) = (*pipelined, Some(searched));
                Self::Stages(Box::new(pipeline::Planned { source, machine, options, pipelined, searched }))
            }
        }
    }
}

/// Whether flags say what is searched, which degrees or stages there are, or what is to be seen of a compilation.
fn says_more(planning: &Planning, arguments: &PipelineArguments) -> bool {
    let Planning { search, pins, degrees, stages, .. } = planning;
    arguments.first().is_some()
        || search.is_some()
        || !pins.is_empty()
        || !degrees.said().is_empty()
        || stages.stop_after.is_some()
        || !stages.dump_after.is_empty()
}
