//! The whole way: text is read, planned or partitioned, run on devices and compared with one device.
//!
//! Input: a text. Output: how far it came; programs that are too large to run are left after partitioning. An answer
//! that differs is an error.

use crate::bounded::{self, Bounded, DEVICES};
use crate::targets::Reached;
use meshwright_compile::{MeshChoice, Options, compile, partition, read};
use meshwright_execute::check::{CheckOptions, check};
use meshwright_execute::random_inputs::{DrawOptions, draw};
use meshwright_execute::{RunErrorKind, run_single_device};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::Machine;
use meshwright_plan::{DeviceProgram, DevicePrograms};
use meshwright_tensor::types::Type;
use meshwright_tensor::{NonFinite, Precision};

/// Instructions of programs that are planned: a search over more takes too long for one case of many.
const MOST_PLANNED: usize = 60;

/// Sums over devices that a program itself asks for: of a value that nothing says to be a contribution they count each
/// device's copy, where one device has only its own.
const SUMS: [&str; 2] = ["sdy.all_reduce", "sdy.reduce_scatter"];

pub(crate) fn whole_way(text: &str) -> Result<Reached, String> {
    let source = Source::new("fuzzed.mlir", text);
    let Ok(program) = read(&source) else { return Ok(Reached::Errors) };
    if program.main().is_none() {
        return Ok(Reached::Read);
    }
    let mut reached = Reached::Read;
    for device in [partitioned(&program), planned(&program, &source)].into_iter().flatten() {
        if agrees(&program, &device)? {
            reached = Reached::Run;
        }
    }
    Ok(reached)
}

fn partitioned(program: &Program) -> Option<DeviceProgram> {
    let mesh = program.meshes.is_empty().then(|| MeshChoice::Sizes(vec![2, 2]));
    partition(program, &Options { mesh, ..Options::default() }, &Quiet).ok()
}

fn planned(program: &Program, source: &Source) -> Option<DeviceProgram> {
    let num_insts: usize = program.functions.iter().map(|function| function.body.insts.len()).sum();
    if num_insts > MOST_PLANNED {
        return None;
    }
    let machine = Machine::from_spec("h100:1x4").ok()?;
    let compiled = compile(program, source, &machine, &Options::default(), &Quiet).ok()?;
    compiled.programs.as_whole().cloned()
}

/// Whether both were run; an error if they differ.
fn agrees(program: &Program, device: &DeviceProgram) -> Result<bool, String> {
    let main = program.main().ok_or("no entry")?;
    let ops = program.functions.iter().flat_map(|function| function.body.insts.values());
    let counts_copies = ops.map(|inst| inst.op.name()).any(|name| SUMS.contains(&name));
    let is_small = !counts_copies
        && device.mesh.num_devices() <= DEVICES
        && bounded::is_light_throughout(program)
        && bounded::is_light_throughout(&device.program);
    let types: Vec<Type> = main.args().iter().map(|arg| main.body.ty(*arg).clone()).collect();
    // An argument that nothing reads is drawn too.
    let given = types.iter().fold(0, |sum: u64, ty| sum.saturating_add(ty.num_bytes() as u64));
    if !is_small || given > bounded::MEMORY {
        return Ok(false);
    }
    let Ok(inputs) = draw(&types, &DrawOptions { seed: 1, int_range: 0..4 }) else { return Ok(false) };
    let options = CheckOptions {
        nonfinite: NonFinite::ByPosition,
        tells_rounding: false,
        ..CheckOptions::new(Precision::Wide, &Program::default())
    };
    let outputs = match check(
        program,
        &DevicePrograms::whole(device.clone()),
        &inputs,
        &options,
        &Bounded::default(),
    ) {
        Ok(outputs) => outputs,
        Err(error) if error.kind == RunErrorKind::Stopped => return Ok(false),
        Err(error) => {
            // What one device cannot compute either is nobody's fault.
            let alone = run_single_device(program, &main.name, inputs, Precision::Wide, &Bounded::default());
            return alone
                .map_or(Ok(false), |_| Err(format!("one device computes what many do not: {error}")));
        }
    };
    match outputs.iter().position(|output| !output.verdict.passes()) {
        Some(index) => Err(format!("output {index} differs: {:?}", outputs[index])),
        None => Ok(true),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_that_nothing_reads_are_not_drawn_if_they_are_large() {
        let text = "sdy.mesh @mesh = <[\"x\"=2]>
func.func @main(%a: tensor<4xf32>, %b: tensor<2147483648x5xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}";
        assert_eq!(whole_way(text), Ok(Reached::Read));
        assert_eq!(whole_way(&text.replace("2147483648", "2")), Ok(Reached::Run));
    }
}
