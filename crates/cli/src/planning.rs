//! What `check`, `plan` and `compile` share: from flags to a compiled program, or to why there is none.

use crate::args::{DeviceIds, MemoryLimits, Output, Planning, SearchScope};
use crate::failure::{Failure, Outcome, warn_all};
use crate::program::Given;
use crate::terminal::{Terminal, known_stages, stopped};
use crate::{does_not_fit, input, program};
use meshwright_compile::{
    Collectives, CompileError, Compiled, DegreeSpace, GridRow, Ids, MeshChoice, Options, PinnedProgram,
    Search, Weighed, compile_if_faster, scan_form,
};
use meshwright_ir::diagnostic::{Check, Diagnostic, Source, Span};
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine};
use meshwright_models::ScanForm;
use meshwright_plan::PlanFile;
use std::path::Path;

impl From<DeviceIds> for Ids {
    fn from(ids: DeviceIds) -> Self {
        match ids {
            DeviceIds::Replica => Self::Replica,
            DeviceIds::Partition => Self::Partition,
        }
    }
}

/// Only plans that take less were of interest.
const FASTER: Check = Check("faster");

/// What is said where Ctrl-C leaves no plan.
pub(crate) const NO_PLAN_BEFORE: &str = "no plan that fits was found before, and nothing was written";

/// What is said of a search whose best so far is of no use.
pub(crate) const NOT_AT_ITS_END: &str = "the search was not at its end, and nothing was written";

/// A program, where it comes from, and what became of it.
pub(crate) struct Planned {
    /// The program's text.
    pub(crate) source: Source,
    /// The machine.
    pub(crate) machine: Machine,
    /// What the compiler was asked for.
    pub(crate) options: Options,
    /// What the compiler made of it.
    pub(crate) compiled: Compiled,
    /// What it was weighed against, itself included, where numbers of stages were asked for.
    pub(crate) weighed: Vec<Weighed>,
}

impl Planned {
    /// For commands that want the plan of a whole search.
    ///
    /// Errors: it was stopped before its end.
    pub(crate) fn must_be_finished(&self) -> Outcome {
        must_be_finished(&self.compiled.plan)
    }
}

/// Errors: the search of a plan was stopped before its end.
pub(crate) fn must_be_finished(plan: &PlanFile) -> Outcome {
    match plan.unfinished {
        true => Err(Failure::stopped(NOT_AT_ITS_END)),
        false => Ok(()),
    }
}

/// What to do if no machine is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoMachine {
    /// Ask for one.
    Refused,
    /// Take devices of this host, as many as the mesh has; if there is no mesh, ask.
    DevicesOfMesh,
}

/// Everything that a plan is made of, read.
pub(crate) struct Inputs {
    /// The program's text.
    pub(crate) source: Source,
    pub(crate) program: Program,
    /// The machine.
    pub(crate) machine: Machine,
    pub(crate) options: Options,
    /// The text of the plan that was made earlier, if one is given.
    pub(crate) plan: Option<Source>,
}

impl Inputs {
    /// Reads the files; `plan` is one that was made earlier.
    pub(crate) fn read(
        planning: &Planning,
        no_machine: NoMachine,
        plan: Option<&Path>,
        out: Output,
    ) -> Outcome<Self> {
        Self::with(planning, no_machine, plan, 1, out)
    }

    /// Reads the files for so many groups of devices, each of which has the mesh that is given; `plan` is one that was made
    /// earlier.
    pub(crate) fn of_groups(
        planning: &Planning,
        no_machine: NoMachine,
        groups: usize,
        plan: Option<&Path>,
        out: Output,
    ) -> Outcome<Self> {
        Self::with(planning, no_machine, plan, groups, out)
    }

    fn with(
        planning: &Planning,
        no_machine: NoMachine,
        plan: Option<&Path>,
        groups: usize,
        out: Output,
    ) -> Outcome<Self> {
        known_stages(&planning.stages, &meshwright_compile::stages())?;
        let plan_source = plan.map(|path| input::text(path, "plan")).transpose()?;
        let plan = plan_source.as_ref().map(read_plan).transpose()?;
        let asked = "no machine: give one with `--machine`, such as `--machine cpu8`";
        let machine = match (&planning.machine, &plan) {
            (Some(spec), _) => Some(input::machine(spec)?),
            (None, Some(plan)) => Some(planned_machine(plan)?),
            (None, None) if no_machine == NoMachine::Refused => return Err(Failure::usage(asked)),
            (None, None) => None,
        };
        // Without a machine there are devices of this host, which have no kernel.
        let scan = machine.as_ref().map_or(ScanForm::WrittenOut, |on| scan_form(on, planning.kernels));
        let read = |mesh: Option<&MeshChoice>| {
            let planned = plan.as_ref().and_then(|plan| plan.model.as_ref());
            program::read(&planning.model, mesh, &planning.step, planned, scan, out)
        };
        let Given { source, program, model } = match (&plan, &plan_source) {
            (Some(plan), Some(plan_source)) => {
                let mesh = MeshChoice::Axes(plan.mesh.clone());
                // There is no flag: what is wrong with the mesh is the plan's.
                read(Some(&mesh)).map_err(|failure| match failure {
                    Failure::Usage(diagnostic) if planning.step.given().is_empty() => {
                        Failure::input(plan_source, vec![*diagnostic])
                    }
                    other => other,
                })?
            }
            _ => read(planning.mesh.as_ref())?,
        };
        let machine = match machine {
            Some(machine) => machine,
            None => devices_of_mesh(planning.mesh.as_ref(), &program, groups)?
                .ok_or_else(|| Failure::usage(asked))?,
        };
        let search = planning.search.map(|scope| match scope {
            SearchScope::None => Search::None,
            // What a planner leaves open is searched.
            SearchScope::Rest | SearchScope::Baseline(_) => Search::Rest,
        });
        let degrees = planning.degrees.space().map_err(Failure::usage)?;
        let options = Options {
            mesh: planning.mesh.clone(),
            pins: planning.pins.clone(),
            search: search.or((!planning.degrees.is_empty()).then_some(Search::Rest)),
            asked: degrees.only(),
            degrees: if degrees.only().is_some() { DegreeSpace::default() } else { degrees },
            allowed: planning.degrees.allow.clone().unwrap_or_default(),
            simplest_within: planning.simplest_within,
            kernels: planning.kernels,
            model,
            plan,
            stop_after: planning.stages.stop_after.clone(),
            without_passes: planning.passes.without_pass.clone(),
            ids: planning.ids.into(),
            collectives: if planning.asynchronous { Collectives::Async } else { Collectives::Blocking },
            ..Options::default()
        };
        let options = planning.fitting.in_options(options)?;
        Self { source, program, machine, options, plan: plan_source }.pinned(planning)
    }

    /// The same with pins in the program, on the mesh that suits them with the least of the memory limits.
    fn pinned(self, planning: &Planning) -> Outcome<Self> {
        let memory_limit = planning.memory_limit.as_ref().and_then(MemoryLimits::least);
        let options = Options { memory_limit, ..self.options.clone() };
        let terminal = Terminal::plain().listening();
        let pinned =
            meshwright_compile::pinned(&self.program, &self.source, &self.machine, &options, &terminal);
        terminal.wipe();
        match pinned {
            Ok(Some(PinnedProgram { program, options })) => Ok(Self { program, options, ..self }),
            Ok(None) => Ok(self),
            Err(error) => Err(failure(error, &self.source, None)),
        }
    }

    /// Compiles with so much memory of each device; `None`: all of it.
    pub(crate) fn compile(
        &self,
        limit: Option<Bytes>,
        terminal: &Terminal<'_>,
    ) -> Result<Compiled, CompileError> {
        let options = Options { memory_limit: limit, ..self.options.clone() };
        let Self { program, source, machine, .. } = self;
        compile_if_faster(program, source, machine, &options, None, terminal)
    }

    /// Prices every combination of degrees, with so much memory of each device.
    pub(crate) fn grid(
        &self,
        limit: Option<Bytes>,
        terminal: &Terminal<'_>,
    ) -> Result<Vec<GridRow>, CompileError> {
        let options = Options { memory_limit: limit, ..self.options.clone() };
        meshwright_compile::grid(&self.program, &self.source, &self.machine, &options, terminal)
    }

    /// The same until somebody asks for the end.
    pub(crate) fn grid_so_far(
        &self,
        limit: Option<Bytes>,
        terminal: &Terminal<'_>,
    ) -> Result<Vec<GridRow>, CompileError> {
        let options = Options { memory_limit: limit, ..self.options.clone() };
        meshwright_compile::grid_so_far(&self.program, &self.source, &self.machine, &options, terminal)
    }

    /// The same with all ways in the fewest microbatches with which one fits, where none is said and it takes some.
    pub(crate) fn grid_in_fewest(
        &self,
        limit: Option<Bytes>,
        terminal: &Terminal<'_>,
    ) -> Result<Vec<GridRow>, CompileError> {
        let options = Options { memory_limit: limit, ..self.options.clone() };
        meshwright_compile::grid_in_fewest(&self.program, &self.source, &self.machine, &options, terminal)
    }

    /// `gpt.mlir on cpu8:8`.
    pub(crate) fn name(&self) -> String {
        format!("{} on {}", self.source.name, self.machine.spec())
    }
}

/// Reads and compiles. `None` after `--stop-after`; `output` is what is not written then.
pub(crate) fn compile(
    planning: &Planning,
    no_machine: NoMachine,
    plan: Option<&Path>,
    output: Option<&Path>,
    out: Output,
) -> Outcome<Option<Planned>> {
    let limit = one_limit(planning)?;
    let inputs = Inputs::read(planning, no_machine, plan, out)?;
    let terminal = Terminal::new(&planning.stages).listening();
    let compiled = inputs.compile(limit, &terminal);
    let Inputs { source, machine, plan, options, .. } = inputs;
    match compiled {
        Ok(compiled) => {
            terminal.finish(out)?;
            terminal.show_warnings(&source, out);
            let options = Options { memory_limit: limit, ..options };
            Ok(Some(Planned { source, machine, options, compiled, weighed: Vec::new() }))
        }
        Err(CompileError::Stopped(stage)) => {
            terminal.finish(out)?;
            stopped(&stage, output, out).map(|()| None)
        }
        Err(error) => {
            terminal.wipe();
            Err(failure(error, &source, plan.as_ref()))
        }
    }
}

/// Warns of numbers of a planned program that the machine's devices do not have.
pub(crate) fn warn_of_numbers(program: &Program, source: &Source, machine: &Machine, out: Output) {
    if let Some(warning) = meshwright_compile::no_bf16(program, machine) {
        warn_all(source, vec![warning], out);
    }
}

/// The only limit on memory, if there is one.
pub(crate) fn one_limit(planning: &Planning) -> Outcome<Option<Bytes>> {
    match &planning.memory_limit {
        None => Ok(None),
        Some(MemoryLimits::Each(limits)) if limits.len() == 1 => Ok(limits.first().copied()),
        Some(_) => Err(Failure::usage(
            "several memory limits: `plan` compares them where it makes plans, everything else takes one",
        )),
    }
}

/// As many devices of this host as the given mesh, or else the program's, has. Errors: more than a host has.
fn devices_of_mesh(mesh: Option<&MeshChoice>, program: &Program, groups: usize) -> Outcome<Option<Machine>> {
    let own = || Some(meshwright_compile::own_mesh(program)?.axes().iter().map(|axis| axis.size).collect());
    let sizes: Option<Vec<usize>> = match mesh {
        Some(MeshChoice::Axes(axes)) => Some(axes.iter().map(|axis| axis.size).collect()),
        Some(MeshChoice::Sizes(sizes)) => Some(sizes.clone()),
        None if groups > 1 => Some(own().unwrap_or_default()),
        None => own(),
    };
    let count = sizes.map(|sizes| [sizes, vec![groups]].concat());
    let count = count.and_then(|sizes| sizes.into_iter().try_fold(1usize, usize::checked_mul));
    let Some(count) = count else { return Ok(None) };
    match Machine::from_spec(&format!("cpu8:{count}")) {
        Ok(machine) => Ok(Some(machine)),
        Err(_) => Err(Failure::usage(format!(
            "the mesh has {count} devices, more than this host stands for: give a machine with `--machine`, such as \
             `--machine h100:{}`",
            if count.is_multiple_of(8) { format!("{}x8", count / 8) } else { format!("{count}x1") }
        ))),
    }
}

/// Reads and verifies a StableHLO program; `mesh` is that of one whose annotations name a mesh that it does not declare.
pub(crate) fn read(path: &Path, mesh: Option<&MeshChoice>) -> Outcome<(Source, Program)> {
    let source = input::text(path, "StableHLO program")?;
    let program = program::of_text(&source, mesh)?;
    Ok((source, program))
}

/// Why there is no compiled program, as the fault of the file or flag that it is.
pub(crate) fn failure(error: CompileError, source: &Source, plan: Option<&Source>) -> Failure {
    match error {
        CompileError::Diagnostics(found) => Failure::input(source, found),
        CompileError::Plan(found) => Failure::input(plan.unwrap_or(source), found),
        CompileError::Options(diagnostic) => Failure::Usage(diagnostic),
        CompileError::NotAllowed(diagnostic) => Failure::check(*diagnostic),
        CompileError::DoesNotFit(problem) => does_not_fit::failure(&problem, source),
        CompileError::Stopped(stage) => unreachable!("nobody asked to stop after {stage}"),
        error @ CompileError::NotFaster(_) => {
            Failure::check(Diagnostic::error(FASTER, Span::NONE, error.to_string()))
        }
        CompileError::Interrupted => Failure::stopped(NO_PLAN_BEFORE),
    }
}

/// The plan in a file.
pub(crate) fn read_plan(source: &Source) -> Outcome<PlanFile> {
    PlanFile::from_text(&source.text).map_err(|found| Failure::input(source, vec![*found]))
}

/// The machine that a plan was made for, if it is a built-in one.
fn planned_machine(plan: &PlanFile) -> Outcome<Machine> {
    Machine::from_spec(&plan.machine).map_err(|_| {
        let message = format!(
            "the plan was made for `{}`, which is no built-in machine: give its file with `--machine`",
            plan.machine
        );
        Failure::usage(message)
    })
}
