//! The native part of the Python package `meshwright`: text in, plan and local program out.
//!
//! Thin over `meshwright-compile`: it converts arguments, runs the compiler off the interpreter's lock ([`work`]) and
//! turns diagnostics into exceptions ([`errors`]). What users see is in `python/meshwright`.

mod compiled;
mod config;
mod errors;
mod exports;
mod fitting;
mod frontier;
mod made;
mod models;
mod simulate;
mod work;

use compiled::Compiled;
use errors::Stop;
use fitting::Said;
use made::{Made, OfGroups, Wanted};
use meshwright_compile::{
    BASELINES, Baseline, Best, Ids, Kernels, MachineFault, MeshChoice, Options, PinPattern, Pinned,
    PipelineOptions, Pipelined, SaidOfPipelines, Search, best_of_numbers,
};
use meshwright_ir::diagnostic::{Check, Diagnostic, Source, Span};
use meshwright_ir::location::Location;
use meshwright_ir::program::Program;
use meshwright_machine::{Machine, file_and_sizes};
use meshwright_plan::PlanFile;
use meshwright_plan::plan_file::MeshAxis;
use pyo3::prelude::*;
use std::ffi::OsString;

/// What the caller decided does not go together.
const USAGE: Check = Check("usage");

/// The pass that makes collectives with several operands.
const COMBINE: &str = "combine-collectives";

/// A machine's file is at fault.
const MACHINE: Check = Check("machine");

/// Compiles a program for a machine. See `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (
    text, name, machine, *, machine_file=None, argument_names=Vec::new(), mesh=None, pins=Vec::new(),
    memory_limit=None, search=None, plan=None,
    combine=true, simplest_within=None, kernels=true, fitting=Said::default(), model=None, degrees=Vec::new(),
    allow=None, target=None, pipeline=None, schedule=None, of_groups=OfGroups::default(), is_one_program=false
))]
#[allow(clippy::too_many_arguments)] // named in Python
fn compile(
    py: Python<'_>,
    text: String,
    name: String,
    machine: String,
    machine_file: Option<String>,
    argument_names: Vec<String>,
    mesh: Option<Vec<(Option<String>, usize)>>,
    pins: Vec<(usize, Vec<Vec<String>>)>,
    memory_limit: Option<String>,
    search: Option<String>,
    plan: Option<String>,
    combine: bool,
    simplest_within: Option<f64>,
    kernels: bool,
    fitting: Said,
    model: Option<String>,
    degrees: Vec<(String, String)>,
    allow: Option<String>,
    target: Option<(String, String, String)>,
    pipeline: Option<made::Asked>,
    schedule: Option<String>,
    of_groups: OfGroups,
    is_one_program: bool,
) -> PyResult<Compiled> {
    work::run_so_far(py, move |asked_to_stop| {
        let source = Source::new(name, text);
        let machine = read_machine(&machine, machine_file)?;
        let mesh = mesh.map(choice).transpose()?;
        let memory_limit = memory_limit.map(|text| text.parse().map_err(usage)).transpose()?;
        let plan = plan.map(|text| read_plan(&Source::new("plan", text))).transpose()?;
        let mesh = mesh.or_else(|| plan.as_ref().map(|plan| MeshChoice::Axes(plan.mesh.clone())));
        let program = match &mesh {
            Some(mesh) => meshwright_compile::read_over(&source, mesh),
            None => meshwright_compile::read(&source).map_err(Into::into),
        };
        let pin = |(argument, sharding)| PinPattern { arguments: Pinned::At(argument), sharding };
        let mut program = program.map_err(|error| errors::of_compiler(error, &source))?;
        name_arguments(&mut program, argument_names);
        let of_pipelines = made::said(schedule.as_deref(), &of_groups)?;
        // Where stages are said, degrees say nothing of groups.
        let of_degrees = if pipeline.is_some() { SaidOfPipelines::default() } else { of_pipelines };
        let (asked, degrees, schedule) = config::degrees(&degrees, &of_degrees)?;
        let (pipeline, group_meshes) = match pipeline {
            None => (None, Vec::new()),
            Some((groups, stages, microbatches, schedule, meshes)) => {
                let meshes = meshes.into_iter().map(choice).collect::<Result<Vec<_>, _>>()?;
                (Some((groups, stages, microbatches, schedule)), meshes)
            }
        };
        if !group_meshes.is_empty() && mesh.is_some() {
            return Err(usage("`stage_mesh` is the mesh of each group: leave `mesh` out".to_owned()));
        }
        let search = search.as_deref().map(searched).transpose()?;
        let is_said = asked.is_some() || !degrees.is_empty() || allow.is_some();
        let options = Options {
            model: model.map(|text| config::model(&text)).transpose()?,
            asked,
            degrees,
            schedule,
            allowed: config::allowed(allow.as_deref())?,
            // A plan comes with its mesh.
            mesh: mesh.filter(|_| plan.is_none()),
            group_meshes,
            pins: pins.into_iter().map(pin).collect(),
            search: search.map(|(scope, _)| scope).or(is_said.then_some(Search::Rest)),
            memory_limit,
            plan,
            simplest_within,
            kernels: if kernels { Kernels::On } else { Kernels::Off },
            ids: Ids::Partition,
            without_passes: if combine { Vec::new() } else { vec![COMBINE.to_owned()] },
            ..Options::default()
        };
        let options = fitting::in_options(&fitting, of_pipelines.of_groups(options)).map_err(usage)?;
        // Stages are looked at where nothing says what is searched.
        let is_one_program = is_one_program || search.is_some();
        let baseline = search.and_then(|(_, baseline)| baseline);
        if let Some(baseline) = baseline {
            must_be_open(baseline, &options, pipeline.is_some() || target.is_some())?;
        }
        let watch = work::Watch::new(asked_to_stop);
        let failed = |error| errors::of_compiler(error, &source);
        let planned = options.plan.as_ref().map(PipelineOptions::of_plan).transpose().map_err(failed)?;
        let pipeline = pipeline.map(made::wanted).transpose()?;
        let wanted = match (planned, pipeline) {
            (Some(Some(_)), Some(_)) => {
                return Err(usage("`plan` says which stages there are: leave `stages` out".to_owned()));
            }
            (Some(None), Some(_)) => {
                return Err(usage("the plan has no stages: leave out `plan`, or `stages`".to_owned()));
            }
            (_, Some(_)) if target.is_some() => {
                return Err(usage("`for_target` says which stages there are: leave `stages` out".to_owned()));
            }
            (planned, pipeline) => planned.flatten().map(Wanted::These).or(pipeline),
        };
        // One group with one stage is no pipeline.
        let is_one = matches!(&wanted, Some(Wanted::These(numbers)) if numbers.is_one_program(&options));
        let wanted = wanted.filter(|_| !is_one);
        let is_one_program = is_one_program || is_one;
        let limit = options.memory_limit.unwrap_or(machine.device.usable_memory());
        let fitting_pipeline = |made: Pipelined| match made.misfit(limit) {
            Some(problem) => Err(Stop::DoesNotFit(errors::text(&[problem], Some(&source)))),
            None => Ok(Made::Pipeline(Box::new(made))),
        };
        let made = match (wanted, target) {
            (Some(Wanted::ToChoose(space)), _) => {
                let found = best_of_numbers(&program, &source, &machine, &options, &space, &watch);
                match found.map_err(failed)? {
                    Best::Whole(compiled, _) => Made::Step(compiled),
                    Best::Stages(pipelined, _) => fitting_pipeline(*pipelined)?,
                }
            }
            (Some(Wanted::These(wanted)), _) => {
                let made = meshwright_compile::pipeline(&program, &machine, &options, &wanted, &watch);
                fitting_pipeline(made.map_err(failed)?)?
            }
            (None, Some((target, config, text))) => {
                let target = exports::target(&target)?;
                let config = Source::new(config, text);
                let wanted = meshwright_cli::ForTarget { target, config: &config };
                match wanted.fastest(&program, &source, &machine, &options, &watch) {
                    Ok(Ok(meshwright_cli::Runs::Step(compiled))) => Made::Step(compiled),
                    Ok(Ok(meshwright_cli::Runs::Pipeline(pipelined))) => Made::Pipeline(pipelined),
                    Ok(Err(refusal)) => return Err(Stop::usage(*refusal)),
                    Err(error) => return Err(failed(error)),
                }
            }
            (None, None) if let Some(baseline) = baseline => {
                let found = meshwright_compile::baseline_plan(baseline, &program, &machine, &options, &watch);
                let found = found.map_err(failed)?;
                let own = found.options(&options);
                let made = meshwright_compile::pipeline_of(&program, &machine, &own, &found.plan, &watch);
                let mut made = made.map_err(failed)?;
                made.plan.reasons.push(found.sentence());
                fitting_pipeline(made)?
            }
            (None, None) if let Some(way) = options.asked.filter(|way| way.groups() > 1) => {
                let made = meshwright_compile::pipelined_way(&program, &machine, &options, way, &watch);
                Made::Pipeline(Box::new(made.map_err(failed)?))
            }
            (None, None) if is_one_program => {
                let made = meshwright_compile::compile(&program, &source, &machine, &options, &watch);
                Made::Step(Box::new(made.map_err(failed)?))
            }
            (None, None) => {
                let made = meshwright_compile::best(&program, &source, &machine, &options, &watch);
                match made.map_err(failed)? {
                    Best::Whole(compiled, _) => Made::Step(compiled),
                    Best::Stages(pipelined, _) => Made::Pipeline(pipelined),
                }
            }
        };
        Ok(Compiled::new(made, source, machine, options, watch))
    })
}

/// What is searched, and the planner whose procedure is followed.
fn searched(text: &str) -> Result<(Search, Option<&'static Baseline>), Stop> {
    match (text, BASELINES.iter().find(|known| known.name == text)) {
        ("none", _) => Ok((Search::None, None)),
        ("rest", _) => Ok((Search::Rest, None)),
        (_, Some(baseline)) => Ok((Search::Rest, Some(baseline))),
        (_, None) => {
            let names: Vec<String> = BASELINES.iter().map(|known| format!("\"{}\"", known.name)).collect();
            let problem = Diagnostic::error(USAGE, Span::NONE, format!("search is {text:?}"));
            let hint = format!("it is \"none\", \"rest\", or one of the planners {}", names.join(", "));
            Err(Stop::usage(problem.hint(hint)))
        }
    }
}

/// Refuses what a planner chooses by itself, or knows nothing of.
fn must_be_open(baseline: &Baseline, options: &Options, has_stages: bool) -> Result<(), Stop> {
    let said = [
        ("mesh", options.mesh.is_some()),
        ("pins", !options.pins.is_empty()),
        ("degrees", options.asked.is_some() || !options.degrees.is_empty()),
        ("stages` or `for_target", has_stages),
        ("plan", options.plan.is_some()),
        ("simplest_within", options.simplest_within.is_some()),
        ("microbatch_size", options.microbatch_size.is_some()),
        ("tiles", options.tiles.is_some()),
        ("offload", options.offload.is_some()),
    ];
    match said.into_iter().find(|(_, is_said)| *is_said) {
        Some((name, _)) => Err(usage(format!(
            "`{name}` says what search=\"{}\" chooses by itself, or what it knows nothing of: leave one of them out",
            baseline.name
        ))),
        None => Ok(()),
    }
}

/// Gives the arguments of the entry function names, as a text with locations does.
fn name_arguments(program: &mut Program, names: Vec<String>) {
    let main = program.main().map(|main| main.name.clone());
    let main = program.functions.iter_mut().find(|function| Some(&function.name) == main.as_ref());
    let Some(main) = main else { return };
    let entry = main.body.entry();
    let region = &mut main.body.regions[entry];
    region.arg_locations.resize(region.args.len(), None);
    for (location, name) in region.arg_locations.iter_mut().zip(names) {
        *location = Some(Location::Name { name: name.into(), child: None }.into());
    }
}

/// The machine of a spec or of a file's text, as a file's text.
#[pyfunction]
#[pyo3(signature = (machine, *, machine_file=None))]
fn machine(py: Python<'_>, machine: String, machine_file: Option<String>) -> PyResult<(String, usize)> {
    work::run(py, move |_| {
        let found = read_machine(&machine, machine_file)?;
        Ok((found.to_toml(), found.num_devices()))
    })
}

/// A spec such as `h100:32x8`; with a text, the name of the file that it is from, with sizes or without (`cluster.toml:4x8`).
fn read_machine(spec: &str, text: Option<String>) -> Result<Machine, Stop> {
    let of = meshwright_present::diagnostics::of_machine;
    let Some(text) = text else {
        return Machine::from_spec(spec).map_err(|error| Stop::usage(of(error, USAGE)));
    };
    let source = Source::new(file_and_sizes(spec).0, text);
    meshwright_compile::read_machine(&source.text, spec).map_err(|fault| match fault {
        MachineFault::File(errors) => {
            let found = errors.into_iter().map(|error| of(error, MACHINE)).collect();
            Stop::input(found, &source)
        }
        MachineFault::Sizes(error) => Stop::usage(of(error, USAGE)),
    })
}

fn read_plan(source: &Source) -> Result<PlanFile, Stop> {
    PlanFile::from_text(&source.text).map_err(|found| Stop::input(vec![*found], source))
}

/// Axes that all have names, or sizes alone.
fn choice(axes: Vec<(Option<String>, usize)>) -> Result<MeshChoice, Stop> {
    if axes.iter().all(|(name, _)| name.is_none()) {
        return Ok(MeshChoice::Sizes(axes.into_iter().map(|(_, size)| size).collect()));
    }
    let axes: Vec<MeshAxis> =
        axes.into_iter().map(|(name, size)| MeshAxis { name: name.unwrap_or_default(), size }).collect();
    meshwright_plan::axes::to_mesh(&axes).map_err(usage)?;
    Ok(MeshChoice::Axes(axes))
}

fn usage(message: String) -> Stop {
    Stop::usage(Diagnostic::error(USAGE, Span::NONE, message))
}

/// The command `meshwright`, as the binary of that name: runs a command line and gives the exit code.
#[pyfunction]
fn command(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| meshwright_cli::run(&words))
}

/// The module `meshwright._native`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    work::be_quiet();
    errors::add_to(module)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Compiled>()?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    module.add_function(wrap_pyfunction!(compile, module)?)?;
    module.add_function(wrap_pyfunction!(config::step_of_config, module)?)?;
    module.add_function(wrap_pyfunction!(models::model, module)?)?;
    module.add_function(wrap_pyfunction!(models::grad, module)?)?;
    module.add_function(wrap_pyfunction!(config::batches, module)?)?;
    module.add_function(wrap_pyfunction!(config::grid, module)?)?;
    module.add_function(wrap_pyfunction!(config::scaling, module)?)?;
    module.add_function(wrap_pyfunction!(frontier::frontier, module)?)?;
    module.add_function(wrap_pyfunction!(exports::export, module)?)?;
    module.add_function(wrap_pyfunction!(exports::export_targets, module)?)?;
    module.add_function(wrap_pyfunction!(exports::job, module)?)?;
    module.add_function(wrap_pyfunction!(exports::job_beside, module)?)?;
    module.add_function(wrap_pyfunction!(simulate::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(simulate::is_schedule, module)?)?;
    module.add_function(wrap_pyfunction!(simulate::schedule, module)?)?;
    module.add_function(wrap_pyfunction!(simulate::checked_schedule, module)?)?;
    module.add_function(wrap_pyfunction!(work::show_progress, module)?)?;
    module.add_function(wrap_pyfunction!(machine, module)?)
}
