//! Devices inside a run: an instruction that is the program of several devices runs them beside each other.
//!
//! Input: what each device runs, a function or a region that reads nothing from outside. Output: what each returns.
//! Each device is a thread with an interpreter of its own; they meet as embedded devices do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use meshwright_ir::eval::{DeviceCode, DeviceRun};
use meshwright_ir::eval_error::EvalError;
use meshwright_ir::tensor::{Precision, Tensor};

use crate::embedded::{Neighbor, STACK, panic_error};
use crate::interpreter::{Interpreter, Prepared};
use crate::rendezvous::Rendezvous;
use crate::run_error::{RunError, RunErrorKind};

/// More threads than this are not started by one instruction.
const MOST_DEVICES: usize = 1024;

/// Runs devices beside each other; regions are those of the function at position `function`. Each device is fed what
/// the functions `infeed` give, in order.
pub(crate) fn run_beside(
    prepared: &Prepared<'_>,
    precision: Precision,
    function: usize,
    runs: Vec<DeviceRun>,
    partitions: usize,
    infeed: &[String],
) -> Result<Vec<Vec<Tensor>>, EvalError> {
    if runs.len() > MOST_DEVICES {
        let message = format!("{} devices are more than the {MOST_DEVICES} that are run here", runs.len());
        return Err(EvalError::new(message));
    }
    let rendezvous = Rendezvous::new(runs.len());
    let mut results: Vec<Vec<Tensor>> = vec![Vec::new(); runs.len()];
    thread::scope(|scope| {
        for ((device, run), results) in runs.into_iter().enumerate().zip(&mut results) {
            let rendezvous = &rendezvous;
            let neighbor = Neighbor::new(device, partitions, rendezvous).fed(infeed);
            let work = move || {
                let mut interpreter = Interpreter::new(prepared, precision, neighbor);
                let computed = catch_unwind(AssertUnwindSafe(|| match run.code {
                    DeviceCode::Function(name) => interpreter.run(&name, run.args),
                    DeviceCode::Region(region) => interpreter.run_isolated(function, region, run.args),
                }));
                match computed {
                    Ok(Ok(computed)) => {
                        *results = computed;
                        rendezvous.finish(device);
                    }
                    Ok(Err(error)) => rendezvous.fail(device, RunError::evaluation(Some(device), error)),
                    Err(panic) => rendezvous.fail(device, panic_error(device, panic.as_ref())),
                }
            };
            let builder = thread::Builder::new().name(format!("device {device}")).stack_size(STACK);
            if let Err(error) = builder.spawn_scoped(scope, work) {
                let message = format!("cannot start a thread: {error}");
                rendezvous.fail(device, RunError::evaluation(Some(device), EvalError::new(message)));
            }
        }
    });
    match rendezvous.verdict() {
        Some(error) => {
            let told = match error.kind {
                RunErrorKind::CheckFailed => EvalError::check_failed(error.to_string()),
                _ => EvalError::new(error.to_string()),
            };
            Err(told.at(error.span))
        }
        None => Ok(results),
    }
}
