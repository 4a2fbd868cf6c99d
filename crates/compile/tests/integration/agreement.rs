//! Whether what devices compute is what the program computes undistributed.

use meshwright_execute::{CheckOptions, DrawOptions, check, draw, replaced};
use meshwright_ir::control::Quiet;
use meshwright_ir::program::{Function, Program};
use meshwright_plan::DevicePrograms;
use meshwright_tensor::Precision;
use meshwright_tensor::types::Type;

/// Runs `programs` and `program`, whose entry function is `function`, on drawn arguments in f64 and compares.
pub(crate) fn must_agree(program: &Program, programs: &DevicePrograms, function: &Function) {
    let types: Vec<Type> = function.args().iter().map(|value| function.body.ty(*value).clone()).collect();
    let inputs = draw(&types, &DrawOptions::default()).unwrap();
    let options =
        CheckOptions { replaced: replaced(function), ..CheckOptions::new(Precision::Wide, program) };
    let outputs = check(program, programs, &inputs, &options, &Quiet).unwrap();
    assert!(outputs.iter().all(|output| output.verdict.passes()), "{outputs:?}");
}
