//! `meshwright propagate`, `meshwright partition` and `meshwright rules`: from an annotated program to another program.

use crate::args::{
    Output, PartitionArguments, PropagateArguments, PropagationStrategy, RulesArguments, ShardingForm,
    TransformArguments,
};
use crate::failure::Outcome;
use crate::terminal::{Terminal, known_stages, stopped};
use crate::{output, planning};
use meshwright_compile::{
    Calls, CompileError, Options, PropagateOptions, Propagation, PropagationPass, Rules,
};
use meshwright_ir::control::Control;
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print};

/// `propagate`: every value annotated that propagation decides on.
pub(crate) fn propagate(arguments: &PropagateArguments, out: Output) -> Outcome {
    let how = PropagateOptions {
        strategy: match arguments.strategy {
            PropagationStrategy::Basic => PropagationPass::Basic,
            PropagationStrategy::Aggressive => PropagationPass::Aggressive,
            PropagationStrategy::OpPriority => PropagationPass::OpPriority,
            PropagationStrategy::UserPriority => PropagationPass::UserPriority,
            PropagationStrategy::Pipeline => PropagationPass::Pipeline,
        },
        mode: mode(arguments.conservative),
        calls: if arguments.dedup_functions { Calls::Shared } else { Calls::Separate },
        rules: if arguments.keep_rules { Rules::All } else { Rules::Given },
    };
    let stages = meshwright_compile::stages_of_propagate();
    run(&arguments.transform, Options::default(), out, &stages, &|program, options, control| {
        let annotated = meshwright_compile::propagate(program, options, &how, control)?;
        match arguments.format {
            ShardingForm::Sdy => Ok(annotated),
            ShardingForm::Gspmd => Ok(meshwright_transform::gspmd::write(&annotated)?),
        }
    })
}

/// `rules`: the sharding rule of every operation.
pub(crate) fn rules(arguments: &RulesArguments, out: Output) -> Outcome {
    let (_, program) = planning::read(&arguments.input, None)?;
    let annotated = meshwright_compile::rules(&program, mode(arguments.conservative));
    output::program(&arguments.output, &print(&annotated, Form::Pretty), out)
}

fn mode(is_conservative: bool) -> Propagation {
    if is_conservative { Propagation::Conservative } else { Propagation::Full }
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
    let terminal = Terminal::new(&arguments.stages);
    match transform(&program, &options, &terminal) {
        Ok(program) => {
            terminal.finish(out)?;
            terminal.show_warnings(&source, out);
            output::program(&arguments.output, &print(&program, Form::Pretty), out)
        }
        Err(CompileError::Stopped(stage)) => {
            terminal.finish(out)?;
            stopped(&stage, Some(&arguments.output), out)
        }
        Err(error) => {
            terminal.wipe();
            Err(planning::failure(error, &source, None))
        }
    }
}
