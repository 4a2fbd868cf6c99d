//! The whole compiler in one function: a program and a machine in, a plan and the program of one device out.
//!
//! ```
//! use meshwright_compile::{Options, compile, read};
//! use meshwright_ir::control::Quiet;
//! use meshwright_ir::diagnostic::Source;
//! use meshwright_machine::Machine;
//!
//! let source = Source::new("dot.mlir", r#"
//!   sdy.mesh @mesh = <["x"=8]>
//!   func.func @main(%a: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
//!                   %b: tensor<32x64xf32>) -> tensor<16x64xf32> {
//!     %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
//!       : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32>
//!     return %0 : tensor<16x64xf32>
//!   }
//! "#);
//! let program = read(&source).unwrap();
//! let machine = Machine::from_spec("cpu8").unwrap();
//! let compiled = compile(&program, &source, &machine, &Options::default(), &Quiet).unwrap();
//!
//! // The contracted dim is sharded, so each device holds a part of the sum.
//! assert_eq!(compiled.plan.collectives[0].kind, "all_reduce");
//! assert_eq!(compiled.plan.arguments[1].sharding, [vec!["x".to_owned()], vec![]]);
//! ```
//!
//! [`read`] turns text into a verified program. [`compile()`] decides the mesh (given, of a plan, of the program, or
//! searched), propagates annotations or searches, partitions, and predicts. [`propagate`] and [`partition`] are its
//! parts that need no machine. Only this crate knows the order of things; it reads no files and prints nothing.

mod again;
mod asked;
mod at_once;
mod attended;
mod axis_names;
mod baselines;
mod best;
mod by_block;
mod choose;
mod collective_stats;
mod cost_of_pins;
mod decided;
mod describe;
mod does_not_fit;
mod driver;
mod error;
mod fate;
mod figures;
mod flags_in_the_way;
mod from_config;
mod from_plan;
mod global;
mod grad;
mod grid;
mod held;
mod host;
mod in_time;
mod lowered;
mod manual;
mod memory_search;
mod mesh;
mod microbatch_size;
mod must_be_global;
mod named_value;
mod namesakes;
mod next_best;
mod no_bf16;
mod offload;
mod options;
mod pin;
mod pin_meshes;
mod pin_pattern;
mod pinned;
mod pipeline;
mod ranks;
mod recompute;
mod report;
mod scanned;
mod simplest;
mod stages;
mod throughput;
mod tiled;
mod transform;
mod twin;
mod uneven;
mod ways;
mod why;

pub use attended::{CallingKernels, with_kernels};
pub use baselines::{BASELINES, Baseline, Baselined, baseline_plan};
pub use best::{Best, ChosenBy, MAKING, SEARCHING_ON, best, best_of_numbers, compile_if_faster};
pub use collective_stats::{Sent, collectives, sent};
pub use does_not_fit::{DoesNotFit, HostShortage, LargeTensor};
pub use driver::{Compiled, compile};
pub use error::CompileError;
pub use fate::{Fate, FateKind, InTiles, fates};
pub use from_config::{ConfiguredStep, NO_OPTIMIZER, StepOptions, from_config};
pub use grad::{Trained, TrainingOptions, grad, training_step};
pub use grid::{
    GridFigures, GridOutcome, GridRow, best_first, figures_of_seconds, grid, grid_in_fewest, grid_so_far,
    pipeline_of_way, pipelined_way,
};
pub use held::Held;
pub use in_time::with_local_statistics;
pub use memory_search::is_open as has_other_ways;
pub use mesh::own_mesh;
pub use meshwright_models::Batches;
pub use named_value::{NamedValue, named_value};
pub use no_bf16::no_bf16;
pub use offload::{Offload, Part};
pub use options::{
    Collectives, Constraints, DegreeSpace, Effort, GroupHosts, Ids, Kernels, MOST_PASSES, MeshChoice,
    Microbatches, Options, ParallelDegrees, Search, StageLoops, Statistics, Tiles, Validation, Weights,
};
pub use pin_pattern::{PinPattern, Pinned};
pub use pinned::{PinnedProgram, pinned};
pub use pipeline::{
    Numbers, OWN_TABLE, PartsOf, PipelineFigures, PipelineOptions, PipelinePlan, PipelineSpace, Pipelined,
    SaidOfPipelines, ScheduleChoice, Simulated, StageFigures, StageLayers, Weighed, WeighedFate, Weighing,
    WhatIf, WhyWrittenOut, pipeline, pipeline_of, pipeline_on_groups, pipeline_plan, pipeline_that_fits,
    pipeline_twin, simulated_plan, slowdowns,
};
pub use recompute::Recompute;
pub use scanned::{calls_scan, scan_form};
pub use stages::{passes, stages, stages_of_partition, stages_of_propagate};
pub use transform::{conflicts, explain, partition, propagate, rules};
pub use twin::{TWIN_TOLERANCE, Twin, twin};

pub use meshwright_cost::{MachineFault, read_machine};
pub use meshwright_grad::LossScaling;
pub use meshwright_grad::optimizers::{Known as Optimizer, OPTIMIZERS, Settings};
pub use meshwright_ir::op::Propagation;
pub use meshwright_ir::vjp::Indices;
pub use meshwright_propagate::explain as explanation;
pub use meshwright_propagate::{Calls, PropagateOptions, PropagationPass, Rules};
pub use meshwright_search::{DegreeChoice, SaidDegrees, Unsaid};
pub use meshwright_twin::ShrunkAxis;

use meshwright_ir::diagnostic::{Diagnostics, Source};
use meshwright_ir::program::Program;
use meshwright_plan::DeviceProgram;

/// Reads and verifies a program.
///
/// # Errors
/// All that is wrong with the text; if nothing is, all that is wrong with the program.
pub fn read(source: &Source) -> Result<Program, Diagnostics> {
    let program = meshwright_ir::text::read(source)?;
    meshwright_ir::verify::verify(&program)?;
    passed(program)
}

/// The program behind the passes that every program goes through as soon as it is read.
fn passed(program: Program) -> Result<Program, Diagnostics> {
    let Some(passed) = meshwright_transform::read(&program)? else { return Ok(program) };
    meshwright_ir::verify::verify(&passed)?;
    Ok(passed)
}

/// As [`read`], for a program whose annotations may name a mesh that it does not declare: that one is `mesh`.
///
/// # Errors
/// As [`read`]; [`CompileError::Options`] if there is no such mesh.
pub fn read_over(source: &Source, mesh: &MeshChoice) -> Result<Program, CompileError> {
    let mut program = meshwright_ir::text::read(source)?;
    mesh::declare(&mut program, mesh)?;
    meshwright_ir::verify::verify(&program)?;
    Ok(passed(program)?)
}

/// Reads and checks all programs of a file that `// -----` lines split.
///
/// # Errors
/// As [`read`].
pub fn read_all(source: &Source) -> Result<Vec<Program>, Diagnostics> {
    let programs = meshwright_ir::text::read_all(source)?;
    let found = programs.iter().filter_map(|program| meshwright_ir::verify::verify(program).err());
    let diagnostics: Diagnostics = found.flatten().collect();
    if diagnostics.is_empty() { Ok(programs) } else { Err(diagnostics) }
}

/// Checks a local program that was read back from a file.
///
/// # Errors
/// What does not fit together: see `meshwright_spmd::verify`.
pub fn verify_local(device: &DeviceProgram) -> Result<(), Diagnostics> {
    meshwright_spmd::verify(device)
}
