//! One program through every stage: read, verify, propagate, partition, check the costs, run, compare.

use meshwright_cost::{Analysis, Lowering, estimate};
use meshwright_execute::check::{CheckOptions, check};
use meshwright_execute::random_inputs::{DrawOptions, draw};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::Id;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::text::{Form, print, read};
use meshwright_ir::verify::verify;
use meshwright_machine::Machine;
use meshwright_plan::{DeviceProgram, DevicePrograms, Orders, Placement, Policies, Policy, Use};
use meshwright_spmd::Ids;
use meshwright_spmd::optimize::{Collectives, Target};
use meshwright_tensor::types::Type;
use meshwright_tensor::{NonFinite, Precision};

/// What goes wrong with a program, if anything does.
pub(crate) fn problem(seed: u64, text: &str) -> Option<String> {
    caught(|| run(seed, text))
}

/// The same of a program that is not run, for more devices than there can be here.
pub(crate) fn problem_before_running(seed: u64, text: &str) -> Option<String> {
    caught(|| local(seed, text).map(|_| ()))
}

pub(crate) fn caught(work: impl FnOnce() -> Result<(), String> + std::panic::UnwindSafe) -> Option<String> {
    match std::panic::catch_unwind(work) {
        Ok(result) => result.err(),
        Err(panic) => {
            let message = panic.downcast_ref::<String>().cloned();
            let message = message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Some(format!("panic: {}", message.unwrap_or_default()))
        }
    }
}

fn describe(error: &dyn std::fmt::Debug) -> String {
    format!("{error:?}")
}

/// A program as it is written, its one function, and the local program.
fn local(seed: u64, text: &str) -> Result<(Program, Function, DeviceProgram), String> {
    let program = read(&Source::new("random.mlir", text)).map_err(|error| describe(&error))?;
    verify(&program).map_err(|error| describe(&error))?;
    let joined = meshwright_propagate::joined(&program).map_err(|error| describe(&error))?;
    let flat = meshwright_transform::flatten(&joined).map_err(|error| describe(&error))?;
    let function = meshwright_propagate::synced(flat.function);
    let one = meshwright_shard::on_one_mesh(&program, &function).map_err(|error| describe(&error))?;
    let original = program;
    let (program, function, mesh, orders) = match one {
        Some(one) => (one.program, one.function, one.mesh, one.orders),
        None => {
            let mesh = meshwright_plan::attributes::annotated_mesh(&original, &function)
                .map_err(|e| describe(&e))?;
            let mesh = mesh.unwrap_or_else(|| original.meshes[0].mesh.clone());
            (original.clone(), function, mesh, Orders::default())
        }
    };
    let mesh = &mesh;
    let seeds = meshwright_plan::attributes::read(&program, &function, mesh).map_err(|e| describe(&e))?;
    let prepared = meshwright_shard::prepare(&function);
    let options = meshwright_shard::Options::default();
    let sharder = meshwright_shard::Sharder {
        function: &function,
        prepared: &prepared,
        mesh,
        options: &options,
        control: &Quiet,
    };
    let mut shardings = sharder.cheapest(&seeds).1;
    if seed % 5 == 2 {
        shardings.policies = some_policies(seed, &function);
    }
    let problems = shardings.verify(&function);
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let means = |device: &DeviceProgram| {
        meshwright_spmd::verify_meaning(device)
            .map_err(|error| format!("{}\n{}", describe(&error), print(&device.program, Form::Pretty)))
    };
    let analysis = Analysis::new(&function);
    let lowering = Lowering::new(&analysis, &shardings);
    let problems = lowering.verify();
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let mut device = meshwright_spmd::partition(&program, &lowering);
    meshwright_spmd::verify(&device).map_err(|error| describe(&error))?;
    means(&device)?;
    // Those of manual computations are the program's own.
    if !text.contains("sdy.manual_computation") {
        costs_agree(&lowering, &device)?;
    }
    // Half of the programs are for a machine, whose overheads and memory some passes weigh: for one on which it pays to
    // combine collectives, and for one on which it pays to take them apart.
    let machine = if seed % 4 == 3 { without_overheads(mesh)? } else { machine(mesh)? };
    let placement = Placement::new(machine, mesh.clone())?;
    let memory_limit = placement.machine.device.usable_memory();
    let collectives = if seed % 8 < 6 { Collectives::Async } else { Collectives::Blocking };
    let ids = if seed % 3 == 1 { Ids::Partition } else { Ids::Replica };
    let target = (seed % 2 == 1).then_some(Target { placement: &placement, memory_limit, collectives, ids });
    meshwright_spmd::optimize::run(&mut device, &[], target, &Quiet);
    means(&device)?;
    meshwright_spmd::arrange(&mut device, orders);
    meshwright_spmd::number_devices(&mut device, ids);
    meshwright_spmd::verify(&device).map_err(|error| describe(&error))?;
    Ok((original, function, device))
}

fn run(seed: u64, text: &str) -> Result<(), String> {
    let (original, function, device) = local(seed, text)?;
    let types: Vec<Type> = function.args().iter().map(|arg| function.body.ty(*arg).clone()).collect();
    let options = DrawOptions { seed, int_range: if seed.is_multiple_of(3) { -120..120 } else { -2..11 } };
    let inputs = draw(&types, &options).map_err(|error| describe(&error))?;
    let options = CheckOptions {
        nonfinite: NonFinite::ByPosition,
        ..CheckOptions::new(Precision::Wide, &Program::default())
    };
    let outputs = check(&original, &DevicePrograms::whole(device.clone()), &inputs, &options, &Quiet)
        .map_err(|error| describe(&error))?;
    for (index, output) in outputs.iter().enumerate() {
        if !output.verdict.passes() {
            let local = print(&device.program, Form::Pretty);
            return Err(format!("output {index}: {:?} {:?}\n{local}", output.verdict, output.difference));
        }
    }
    Ok(())
}

/// The uses of about a third of all operands.
fn some_policies(seed: u64, function: &Function) -> Policies {
    let insts = function.body.insts.iter();
    let uses = insts.flat_map(|(reader, inst)| {
        let values = inst.operands.iter().enumerate();
        values.map(move |(index, value)| (index, Use { reader, value: *value }))
    });
    let is_taken = |(index, group): &(usize, Use)| {
        (seed + 7 * group.reader.index() as u64 + *index as u64).is_multiple_of(3)
    };
    uses.filter(is_taken).map(|(_, group)| (group, Policy::GatherAgain)).collect()
}

/// A machine with as many devices as the mesh.
fn machine(mesh: &Mesh) -> Result<Machine, String> {
    let spec = match mesh.num_devices() {
        few @ ..=64 => format!("cpu8:{few}"),
        many => format!("h100:{}x8", many / 8),
    };
    Machine::from_spec(&spec).map_err(|error| format!("{error:?}"))
}

/// One of two levels, if the number of devices allows, on which launching and waiting cost next to nothing.
fn without_overheads(mesh: &Mesh) -> Result<Machine, String> {
    let devices = mesh.num_devices();
    let (hosts, inside) = if devices.is_multiple_of(2) { (devices / 2, 2) } else { (1, devices) };
    let text = format!(
        "
name = \"prompt\"
[device]
name = \"prompt\"
flops_efficiency = 1
memory = \"2 GiB\"
memory_bandwidth = \"1 GB/s\"
memory_efficiency = 1
launch_overhead = 0
collective_overhead = 0
[device.flops]
f64 = \"1 TFLOP/s\"
f32 = \"1 TFLOP/s\"
bf16 = \"1 TFLOP/s\"
[[levels]]
name = \"inside\"
kind = \"switch\"
size = {inside}
bandwidth = \"10 GB/s\"
efficiency = 1
latency = 0
[[levels]]
name = \"across\"
kind = \"switch\"
size = {hosts}
bandwidth = \"1 GB/s\"
efficiency = 1
latency = 0
"
    );
    Machine::from_toml(&text, "prompt.toml").map_err(|errors| format!("{errors:?}"))
}

/// What is predicted to be sent is what the program sends, before passes make it cheaper.
fn costs_agree(lowering: &Lowering<'_>, device: &DeviceProgram) -> Result<(), String> {
    let mesh = &lowering.shardings.mesh;
    let placement = Placement::new(machine(mesh)?, mesh.clone())?;
    let predicted = estimate(lowering, &placement).collectives;
    let mut predicted: Vec<(String, u64, u64, u64)> = predicted
        .iter()
        .map(|total| {
            let bytes = (total.result_bytes.round() as u64, total.ring_bytes.round() as u64);
            (total.kind.name().to_owned(), total.count, bytes.0, bytes.1)
        })
        .collect();
    predicted.sort();
    let emitted = meshwright_compile::collectives(device);
    let emitted: Vec<(String, u64, u64, u64)> =
        emitted.into_iter().map(|total| (total.kind, total.count, total.bytes, total.ring_bytes)).collect();
    if predicted == emitted {
        return Ok(());
    }
    let local = print(&device.program, Form::Pretty);
    Err(format!("predicted {predicted:?}, but emitted {emitted:?}\n{local}"))
}
