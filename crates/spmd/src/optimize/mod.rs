//! Passes over the local program, each one function in one file, in the order of the list below.

mod dead_code;
mod defer_reductions;
mod duplicates;
mod rewrite;

use meshwright_ir::control::Control;
use meshwright_ir::program::{Body, Program};
use meshwright_plan::DeviceProgram;

/// A pass: its name and what it does to the body of the local program.
pub struct Pass {
    /// Name, for `--dump-after` and for turning it off.
    pub name: &'static str,
    /// Rebuilds the body.
    pub run: fn(&Body) -> Body,
}

/// All passes in order.
pub const PASSES: &[Pass] = &[
    Pass { name: "duplicates", run: duplicates::merge_duplicates },
    Pass { name: "defer-reductions", run: defer_reductions::defer_reductions },
    Pass { name: "dead-code", run: dead_code::remove_dead_code },
];

/// Runs all passes but those named in `without`.
pub fn run(device: &mut DeviceProgram, without: &[String], control: &dyn Control) {
    for pass in PASSES.iter().filter(|pass| !without.iter().any(|name| name == pass.name)) {
        for function in &mut device.program.functions {
            function.body = (pass.run)(&function.body);
        }
        if cfg!(debug_assertions) {
            must_mean_the_same(device, pass.name);
        }
        control.after_pass(pass.name, &|| Program::clone(&device.program));
    }
}

/// A pass that leaves a value used as what it is not is a defect of the compiler.
fn must_mean_the_same(device: &DeviceProgram, pass: &str) {
    if let Err(found) = crate::verify_meaning(device) {
        let messages: Vec<String> = found.iter().map(ToString::to_string).collect();
        panic!("values contradict each other after `{pass}`: {}", messages.join("; "));
    }
}
