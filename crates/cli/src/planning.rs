//! What `check`, `plan` and `compile` share: from flags to a compiled program, or to why there is none.

use crate::args::{MeshAxes, Output, Planning, SearchScope, Stages};
use crate::door::{Door, unknown_stage};
use crate::failure::{Failure, Finding, Outcome};
use crate::{fit, input, output};
use meshwright_compile::{CompileError, Compiled, Options, Search};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::Machine;
use meshwright_plan::PlanFile;
use meshwright_plan::plan_file::MeshAxis;
use std::path::Path;

/// A program, where it comes from, and what became of it.
pub(crate) struct Planned {
    /// The program's text.
    pub(crate) source: Source,
    /// The machine.
    pub(crate) machine: Machine,
    /// What the compiler made of it.
    pub(crate) compiled: Compiled,
}

/// Reads and compiles. `None` after `--stop-after`.
pub(crate) fn compile(planning: &Planning, plan: Option<&Path>, out: Output) -> Outcome<Option<Planned>> {
    let stages = meshwright_compile::stages();
    known_stages(&planning.stages, &stages)?;
    let plan_source = plan.map(|path| input::text(path, "plan")).transpose()?;
    let plan = plan_source.as_ref().map(read_plan).transpose()?;
    let machine = match (&planning.machine, &plan) {
        (Some(spec), _) => input::machine(spec)?,
        (None, Some(plan)) => planned_machine(plan)?,
        (None, None) => {
            return Err(Failure::Usage(
                "no machine: give one with `--machine`, such as `--machine cpu8`".into(),
            ));
        }
    };
    let (source, program) = read(&planning.model)?;
    let options = Options {
        mesh: planning.mesh.as_ref().map(axes),
        search: planning.search.map(|scope| match scope {
            SearchScope::None => Search::None,
            SearchScope::Rest => Search::Rest,
        }),
        memory_limit: planning.memory_limit,
        plan,
        stop_after: planning.stages.stop_after.clone(),
        ..Options::default()
    };
    let door = Door::new(&planning.stages);
    let compiled = meshwright_compile::compile(&program, &source, &machine, &options, &door);
    match compiled {
        Ok(_) | Err(CompileError::Stopped(_)) => door.finish(&stages)?,
        Err(_) => door.wipe(),
    }
    match compiled {
        Ok(compiled) => Ok(Some(Planned { source, machine, compiled })),
        Err(CompileError::Stopped(stage)) => output::stopped(&stage, out).map(|()| None),
        // What a plan gets wrong is in the plan's file, not in the program's.
        Err(error) => Err(failure(error, &source, plan_source.as_ref())),
    }
}

/// Reads and verifies a program.
pub(crate) fn read(path: &Path) -> Outcome<(Source, Program)> {
    let source = input::text(path, "StableHLO program")?;
    let program = meshwright_compile::read(&source).map_err(|found| Failure::input(&source, found))?;
    Ok((source, program))
}

/// The compiler's options for these axes.
pub(crate) fn axes(given: &MeshAxes) -> Vec<MeshAxis> {
    given.0.iter().map(|(name, size)| MeshAxis { name: name.clone(), size: *size }).collect()
}

/// Refuses stages that do not exist before any work is done.
pub(crate) fn known_stages(asked: &Stages, stages: &[&str]) -> Outcome {
    let dumps = asked.dump_after.iter().map(|dump| ("--dump-after", &dump.stage));
    let stop = asked.stop_after.iter().map(|stage| ("--stop-after", stage));
    match dumps.chain(stop).find(|(_, stage)| !stages.contains(&stage.as_str())) {
        Some((flag, stage)) => Err(unknown_stage(flag, stage, stages)),
        None => Ok(()),
    }
}

/// Why there is no compiled program.
pub(crate) fn failure(error: CompileError, source: &Source, plan: Option<&Source>) -> Failure {
    match error {
        CompileError::Diagnostics(found) => {
            let finding = |diagnostic: meshwright_ir::diagnostic::Diagnostic| {
                let is_plan = diagnostic.check == meshwright_compile::PLAN;
                Finding { source: Some(plan.filter(|_| is_plan).unwrap_or(source).clone()), diagnostic }
            };
            Failure::Input(found.into_iter().map(finding).collect())
        }
        CompileError::DoesNotFit(problem) => fit::failure(&problem, source),
        CompileError::Stopped(stage) => unreachable!("nobody asked to stop after {stage}"),
    }
}

fn read_plan(source: &Source) -> Outcome<PlanFile> {
    PlanFile::from_text(&source.text).map_err(|found| Failure::input(source, vec![*found]))
}

/// The machine that a plan was made for, if it is a built-in one.
fn planned_machine(plan: &PlanFile) -> Outcome<Machine> {
    Machine::from_spec(&plan.machine).map_err(|_| {
        let message = format!(
            "the plan was made for `{}`, which is no built-in machine: give its file with `--machine`",
            plan.machine
        );
        Failure::Usage(message)
    })
}
