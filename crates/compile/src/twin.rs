//! The twin of a compiled program: small enough for a host to run, partitioned by the same decisions.
//!
//! Input: what was compiled. Output: [`Twin`]: the undistributed program with small sizes, the programs of its devices, and
//! what of the plan these leave unproven: collectives, passes, policies and cuts of dims that do not occur in them. The
//! reference is the program as it was read, so that what was made of it before (microbatches, values made again, kernels) is proven too.

use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_ir::program::{Function, Program};
use meshwright_machine::{Machine, Seconds};
use meshwright_plan::{DeviceProgram, DevicePrograms, Orders, Placement};
use meshwright_spmd::optimize::{Target, as_run};
use meshwright_twin::ShrunkAxis;
use std::collections::BTreeSet;

pub(crate) mod compared;

use crate::collective_stats::Passes;
use crate::driver::Compiled;
use crate::error::CompileError;
use crate::lowered::BY_XLA;
use crate::options::Options;
use crate::stages::{self, Stages};
use crate::transform::{Proof, flattened, lower, numbered};
use compared::{kinds, missing_policies};

/// Of a program no twin is made.
const TWIN: Check = Check("twin");

/// The largest error, relative to an output's largest magnitude, of a twin in f64: its sums are short, so that rounding
/// leaves less than in the program, and faults that show there by more than is usual may show here by little.
pub const TWIN_TOLERANCE: f64 = 1e-12;

/// A small twin of a compiled program.
#[derive(Clone, Debug)]
pub struct Twin {
    /// The undistributed program.
    pub program: Program,
    /// Its entry function, as it is sharded.
    pub function: Function,
    /// The programs of its devices.
    pub programs: DevicePrograms,
    /// All axes, with what became of them.
    pub axes: Vec<ShrunkAxis>,
    /// Shapes of the arguments before and in the twin.
    pub arguments: Vec<[Vec<usize>; 2]>,
    /// Segments of the forward pass at whose ends it may be cut, and those that the twin has, where stages do without some.
    pub segments: Option<[usize; 2]>,
    /// What of the plan does not occur in the twin.
    pub unproven: Vec<String>,
}

/// Makes the twin of what was compiled for a machine with these options, on about as many devices as are given.
///
/// # Errors
/// [`CompileError::Options`]: what of the program has no twin.
pub fn twin(
    compiled: &Compiled,
    machine: &Machine,
    options: &Options,
    most_devices: usize,
    control: &dyn Control,
) -> Result<Twin, CompileError> {
    let whole = flattened(compiled.whole())?.function;
    let small = meshwright_twin::twin(&compiled.function, &compiled.shardings, &whole, most_devices);
    let small = small.map_err(no_twin)?;
    let options = &Options { stop_after: None, ..options.clone() };
    let mut made = partitioned(compiled, &small, machine.clone(), options, control)?;
    if !made.unproven.is_empty() {
        let other = partitioned(compiled, &small, without_overheads(machine), options, control)?;
        if other.unproven.len() < made.unproven.len() {
            made = other;
        }
    }
    let mut unproven: Vec<String> = small.lost.iter().map(|cut| format!("a dim of {cut}")).collect();
    unproven.extend(made.unproven);
    let policies = &compiled.shardings.policies;
    unproven.extend(missing_policies(policies, &small.shardings.policies, &small.function));
    if has_orders(compiled) {
        unproven.push("arguments and results that stand on the devices in another order".to_owned());
    }
    Ok(Twin {
        program: compiled.whole().with_only(small.whole),
        function: small.function,
        programs: DevicePrograms::whole(made.device),
        axes: small.axes,
        arguments: small.arguments,
        segments: None,
        unproven,
    })
}

/// The same machine with nothing to pay for each kernel and collective. Passes weigh that against bytes, of which small
/// tensors have few: without it they do what they do to large ones.
fn without_overheads(machine: &Machine) -> Machine {
    let mut machine = machine.clone();
    let none = Seconds(0.0);
    (machine.device.launch_overhead, machine.device.collective_overhead) = (none, none);
    machine.device.permute_overhead = machine.device.permute_overhead.map(|_| none);
    machine
}

/// The program of the twin's devices.
struct Partitioned {
    device: DeviceProgram,
    /// Collectives and passes of the plan that do not occur in it.
    unproven: Vec<String>,
}

/// Partitions a twin on a part of a machine.
fn partitioned(
    compiled: &Compiled,
    small: &meshwright_twin::Twin,
    machine: Machine,
    options: &Options,
    control: &dyn Control,
) -> Result<Partitioned, CompileError> {
    let memory_limit = options.memory_limit_on(&machine);
    let placement = Placement::on_part(machine, small.shardings.mesh.clone(), small.devices.clone())
        .map_err(|problem| no_twin(format!("its devices are no part of the machine: {problem}")))?;
    let (collectives, ids) = (options.collectives, options.ids);
    let target = Some(Target { placement: &placement, memory_limit, collectives, ids });
    let stages = Stages::new(&stages::stages(), options, control)?;
    let mut passes = Passes::default();
    let mut watch = |stage: &'static str, device: &DeviceProgram| passes.see(stage, device);
    let (program, function) = (&compiled.program, &small.function);
    let (shardings, watch) = (&small.shardings, &mut watch);
    let device =
        lower(program, function, shardings, target, options, &stages, control, watch, Proof::Always)?;
    passes.see(BY_XLA, &as_run(&device, target));
    let device = numbered(device, function, Orders::default(), options, &stages, control)?;
    let mut unproven = missing_collectives(compiled, &device);
    let occurring: BTreeSet<&str> = passes.changes.iter().map(|change| change.pass.as_str()).collect();
    let wanted: BTreeSet<&str> = compiled.plan.passes.iter().map(|change| change.pass.as_str()).collect();
    unproven.extend(wanted.difference(&occurring).map(|pass| format!("the pass {pass}")));
    Ok(Partitioned { device, unproven })
}

pub(crate) fn no_twin(problem: String) -> CompileError {
    let message = format!("there is no small twin of the program: {problem}");
    let hint = "without `--shrink` the program itself is checked, if this host has the memory for it";
    CompileError::Options(Box::new(Diagnostic::error(TWIN, Span::NONE, message).hint(hint)))
}

fn has_orders(compiled: &Compiled) -> bool {
    let device = compiled.programs.as_whole();
    device.is_some_and(|device| !device.orders.arguments.is_empty() || !device.orders.results.is_empty())
}

/// Collectives of the plan of which the twin's devices run none of their kind.
fn missing_collectives(compiled: &Compiled, twin: &DeviceProgram) -> Vec<String> {
    let wanted = compiled.programs.as_whole().map(kinds).unwrap_or_default();
    wanted.difference(&kinds(twin)).cloned().collect()
}
