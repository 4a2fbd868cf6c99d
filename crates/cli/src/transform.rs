//! `meshwright propagate` and `meshwright partition`: from an annotated program to another program.

use crate::args::{Output, PartitionArguments, TransformArguments};
use crate::door::{Door, known_stages, stopped};
use crate::failure::Outcome;
use crate::{output, planning};
use meshwright_compile::{CompileError, Options};
use meshwright_ir::control::Control;
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print};

/// `propagate`: every value annotated.
pub(crate) fn propagate(arguments: &TransformArguments, out: Output) -> Outcome {
    let stages = meshwright_compile::stages_of_propagate();
    run(arguments, Options::default(), out, &stages, &meshwright_compile::propagate)
}

/// `partition`: the program of one device.
pub(crate) fn partition(arguments: &PartitionArguments, out: Output) -> Outcome {
    let stages = meshwright_compile::stages_of_partition();
    let without_passes = arguments.passes.without_pass.clone();
    let options = Options { without_passes, ids: arguments.ids.into(), ..Options::default() };
    run(&arguments.transform, options, out, &stages, &|program, options, control| {
        meshwright_compile::partition(program, options, control).map(|device| device.program)
    })
}

type Transform<'a> = &'a dyn Fn(&Program, &Options, &dyn Control) -> Result<Program, CompileError>;

fn run(
    arguments: &TransformArguments,
    options: Options,
    out: Output,
    stages: &[&str],
    transform: Transform<'_>,
) -> Outcome {
    known_stages(&arguments.stages, stages)?;
    let (source, program) = planning::read(&arguments.input, arguments.mesh.as_ref())?;
    let options =
        Options { mesh: arguments.mesh.clone(), stop_after: arguments.stages.stop_after.clone(), ..options };
    let door = Door::new(&arguments.stages);
    match transform(&program, &options, &door) {
        Ok(program) => {
            door.finish(out)?;
            output::program(&arguments.output, &print(&program, Form::Pretty), out)
        }
        Err(CompileError::Stopped(stage)) => {
            door.finish(out)?;
            stopped(&stage, Some(&arguments.output), out)
        }
        Err(error) => {
            door.wipe();
            Err(planning::failure(error, &source, None))
        }
    }
}
