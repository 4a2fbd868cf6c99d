//! Stages on local programs: `meaning` says what every value means globally, `optimize` runs one pass.
//!
//! The program is local text with a mesh; what arguments and results mean stands on them as `sdy.sharding`, in terms
//! of the whole value: `tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}` is a shard of four. What a
//! pass has made, without what nobody reads, is run on all devices beside the program it was made from, and must
//! compute the same.

use meshwright_execute::embedded::run;
use meshwright_execute::random_inputs::{DrawOptions, draw};
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::{Id, ValueId};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::program::Program;
use meshwright_ir::sharding::Sharding;
use meshwright_ir::text::{Form, print};
use meshwright_machine::{Bytes, Machine};
use meshwright_plan::{DeviceProgram, Orders, Placement};
use meshwright_spmd::Ids;
use meshwright_spmd::optimize::{Collectives, Target};
use meshwright_suite::{Finding, Input, Outcome};
use meshwright_tensor::types::{TensorType, Type};
use meshwright_tensor::{NonFinite, Precision, compare};

use super::{findings, read_program};

/// How far sums in another order may be apart, relative to the largest element.
const TOLERANCE: f64 = 1e-9;

pub(crate) fn meaning(input: &Input) -> Outcome {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let device = match device_program(&source) {
        Ok(device) => device,
        Err(findings) => return Outcome::findings(findings),
    };
    if let Err(problems) = meshwright_spmd::verify_meaning(&device) {
        return Outcome::findings(findings(&source, problems));
    }
    let main = device.program.main().expect("a test has one function");
    let meanings = meshwright_spmd::meanings(&device);
    let line = |value: ValueId| {
        let name = source.snippet(main.body.values[value].span);
        let meaning = meanings[value].describe(&device.mesh);
        (!name.is_empty()).then(|| format!("{name} {meaning}"))
    };
    let lines: Vec<String> =
        (0..meanings.len()).filter_map(|index| line(ValueId::from_index(index))).collect();
    Outcome::output(lines.join("\n"))
}

pub(crate) fn optimize(input: &Input) -> Outcome {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let before = match device_program(&source) {
        Ok(device) => device,
        Err(findings) => return Outcome::findings(findings),
    };
    let mut after = before.clone();
    let name = input.option("pass").expect("a test of a pass names it");
    assert!(
        meshwright_spmd::optimize::PASSES.iter().any(|pass| pass.name == name),
        "there is no pass `{name}`"
    );
    let others: Vec<String> = meshwright_spmd::optimize::PASSES
        .iter()
        .filter(|pass| pass.name != name && pass.name != "dead-code")
        .map(|pass| pass.name.to_owned())
        .collect();
    for device in [&before, &after] {
        if let Err(problems) = meshwright_spmd::verify_meaning(device) {
            return Outcome::findings(findings(&source, problems));
        }
    }
    let placement = input.option("machine").map(|spec| {
        let machine = Machine::from_spec(spec).expect("a machine that there is");
        Placement::new(machine, before.mesh.clone()).expect("a machine of the mesh's size")
    });
    let limit = input.option("memory").map(|bytes| Bytes(bytes.parse().expect("a number of bytes")));
    let ids = if input.option("ids") == Some("partition") { Ids::Partition } else { Ids::Replica };
    let target = placement.as_ref().map(|placement| Target {
        placement,
        memory_limit: limit.unwrap_or(placement.machine.device.usable_memory()),
        collectives: Collectives::Async,
        ids,
    });
    meshwright_spmd::optimize::run(&mut after, &others, target, &Quiet);
    let problems = meshwright_spmd::verify(&after).and_then(|()| meshwright_spmd::verify_meaning(&after));
    if let Err(problems) = problems {
        return Outcome::findings(findings(&source, problems));
    }
    must_compute_the_same(&before, &after);
    let mut printed = after.program;
    for function in &mut printed.functions {
        let no_sharding = |attributes: &mut Attributes| drop(attributes.remove("sdy.sharding"));
        function.arg_attributes.iter_mut().chain(&mut function.result_attributes).for_each(no_sharding);
    }
    Outcome::output(print(&printed, Form::Pretty))
}

/// The device program that a local program with shardings on its boundary stands for.
fn device_program(source: &Source) -> Result<DeviceProgram, Vec<Finding>> {
    read_program(source).map(spread)
}

/// The device program that a verified local program stands for.
pub(super) fn spread(mut program: Program) -> DeviceProgram {
    let mesh = program.meshes.first().expect("a test has a mesh").mesh.clone();
    let main = program.main().expect("a test has one function");
    let arguments = main.args().iter().map(|arg| main.body.ty(*arg)).zip(&main.arg_attributes);
    let arguments = arguments.map(|(ty, attributes)| whole(ty, attributes, &mesh)).collect();
    let results = main.result_types.iter().zip(&main.result_attributes);
    let results = results.map(|(ty, attributes)| whole(ty, attributes, &mesh)).collect();
    program.meshes.clear();
    for function in &mut program.functions {
        let no_sharding = |attributes: &mut Attributes| drop(attributes.remove("sdy.sharding"));
        function.arg_attributes.iter_mut().chain(&mut function.result_attributes).for_each(no_sharding);
    }
    program.attributes.set("mhlo.num_partitions", Attr::i32(1));
    program.attributes.set("mhlo.num_replicas", Attr::i32(mesh.num_devices() as i32));
    DeviceProgram { program, mesh, arguments, results, manual: AxisSet::EMPTY, orders: Orders::default() }
}

/// The global type and the sharding of a local value.
fn whole(ty: &Type, attributes: &Attributes, mesh: &Mesh) -> (Type, Sharding) {
    let Some(tensor) = ty.as_tensor() else { return (ty.clone(), Sharding::default()) };
    let sharding = match attributes.get("sdy.sharding") {
        Some(Attr::Sharding(attr)) => {
            // Any shape that is large enough will do to resolve names.
            let shape: Vec<usize> = tensor.shape.iter().map(|size| size * mesh.num_devices()).collect();
            Sharding::resolve(attr, mesh, &shape).expect("a sharding of the test's mesh")
        }
        _ => Sharding::replicated(tensor.rank()),
    };
    let shape: Vec<usize> =
        tensor.shape.iter().enumerate().map(|(dim, size)| size * sharding.num_shards(dim, mesh)).collect();
    (TensorType::new(shape, tensor.element).into(), sharding)
}

fn must_compute_the_same(before: &DeviceProgram, after: &DeviceProgram) {
    let types: Vec<Type> = before.arguments.iter().map(|(ty, _)| ty.clone()).collect();
    let inputs =
        draw(&types, &DrawOptions { int_range: 0..4, ..DrawOptions::default() }).expect("drawn inputs");
    let wide = |device: &DeviceProgram| run(device, &inputs, Precision::Wide, &Quiet).expect("it runs");
    for (index, (before, after)) in wide(before).iter().zip(wide(after)).enumerate() {
        let found = compare(&after.tensor, &before.tensor, NonFinite::ByPosition).expect("the same types");
        assert!(found.max_rel <= TOLERANCE, "result {index} differs by {}", found.max_rel);
    }
}
