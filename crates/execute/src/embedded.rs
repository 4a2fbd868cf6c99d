//! The embedded engine: N devices as threads of this process, with real collectives between them.
//!
//! Input: a local program (one that every device runs, with explicit collectives) and each device's own inputs.
//! Output: each device's own results. A device is an OS thread outside the pool that kernels use, so a device that
//! waits never keeps a kernel from running. What goes wrong on one device ends the run on all, with the reason; see
//! [`crate::rendezvous`].

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use meshwright_ir::attribute::Attr;
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::eval_error::EvalError;
use meshwright_ir::program::{InstView, Program};
use meshwright_ir::tensor::{Precision, Tensor};
use meshwright_plan::DeviceProgram;

use crate::interpreter::{Interpreter, Prepared, Site, World};
use crate::rendezvous::{Arrival, Rendezvous};
use crate::run_error::{RunError, RunErrorKind};
use crate::shards::{Assembled, assemble, split};

/// Instructions of device 0 between two questions whether to stop.
const INSTRUCTIONS_PER_REPORT: usize = 64;

/// Runs the entry function of a verified local program on `inputs.len()` devices, device `d` on `inputs[d]`.
///
/// Errors: inputs that do not fit; see [`RunErrorKind`] for the others. All devices have ended when it returns.
pub fn run_local(
    program: &Program,
    inputs: Vec<Vec<Tensor>>,
    precision: Precision,
    control: &dyn Control,
) -> Result<Vec<Vec<Tensor>>, RunError> {
    let num_devices = inputs.len();
    let main = program.main().ok_or_else(|| RunError::inputs("the program has no function `@main`"))?;
    check_num_devices(program, num_devices)?;
    let prepared = Prepared::new(program);
    let rendezvous = Rendezvous::new(num_devices);
    let mut results: Vec<Vec<Tensor>> = vec![Vec::new(); num_devices];
    let (reports, received) = channel();
    thread::scope(|scope| {
        for ((device, inputs), results) in inputs.into_iter().enumerate().zip(&mut results) {
            let (rendezvous, prepared) = (&rendezvous, &prepared);
            let member =
                Member { device, rendezvous, reports: reports.clone(), num_run: 0, span: Span::NONE };
            let reports = reports.clone();
            let work = move || {
                let mut interpreter = Interpreter::new(prepared, precision, member);
                match catch_unwind(AssertUnwindSafe(|| interpreter.run(&main.name, inputs))) {
                    Ok(Ok(computed)) => {
                        *results = computed;
                        rendezvous.finish(device);
                    }
                    Ok(Err(error)) => rendezvous.fail(device, RunError::evaluation(Some(device), error)),
                    Err(panic) => rendezvous.fail(device, panic_error(device, panic.as_ref())),
                }
                // Nobody listens only if the caller panicked, who then waits for this thread to end.
                let _ = reports.send(Report::Ended);
            };
            let started = thread::Builder::new().name(format!("device {device}")).spawn_scoped(scope, work);
            if let Err(error) = started {
                let message = format!("cannot start a thread: {error}");
                rendezvous.fail(device, RunError::evaluation(Some(device), EvalError::new(message)));
            }
        }
        drop(reports);
        let mut num_ended = 0;
        for report in received {
            if let Report::Ended = report {
                num_ended += 1;
                control.progress("run", num_ended, num_devices);
            }
            if control.should_stop() {
                rendezvous.stop();
            }
        }
    });
    match rendezvous.verdict() {
        Some(error) => Err(error),
        None => Ok(results),
    }
}

/// Splits global inputs, runs the device program, and puts its results together again.
///
/// Errors: as [`run_local`], and inputs or results that do not fit their shardings.
pub fn run(
    program: &DeviceProgram,
    inputs: &[Tensor],
    precision: Precision,
    control: &dyn Control,
) -> Result<Vec<Assembled>, RunError> {
    if inputs.len() != program.arguments.len() {
        let (expected, found) = (program.arguments.len(), inputs.len());
        return Err(RunError::inputs(format!("the program takes {expected} inputs, but {found} are given")));
    }
    let mut per_device: Vec<Vec<Tensor>> = vec![Vec::new(); program.mesh.num_devices()];
    for (input, (ty, sharding)) in inputs.iter().zip(&program.arguments) {
        let shards =
            split(input, ty, sharding, &program.mesh).map_err(|error| RunError::inputs(error.message))?;
        for (device, shard) in shards.into_iter().enumerate() {
            per_device[device].push(shard);
        }
    }
    let mut results = run_local(&program.program, per_device, precision, control)?;
    let mut assembled = Vec::with_capacity(program.results.len());
    // From the back, so that each device's copy of a result can be given away as it is used.
    for (index, (ty, sharding)) in program.results.iter().enumerate().rev() {
        let mut shards = Vec::with_capacity(results.len());
        for device in &mut results {
            device.truncate(index + 1);
            let shard = device.pop();
            shards.push(shard.ok_or_else(|| RunError::inputs(format!("the program has no result {index}")))?);
        }
        assembled.push(assemble(shards, ty, sharding, &program.mesh)?);
    }
    assembled.reverse();
    Ok(assembled)
}

/// What a device tells the thread that started it.
enum Report {
    /// It has done some more work.
    Working,
    /// It has finished or failed.
    Ended,
}

/// The world of one embedded device.
struct Member<'a> {
    device: usize,
    rendezvous: &'a Rendezvous,
    reports: Sender<Report>,
    /// Instructions run so far.
    num_run: usize,
    /// Place of the last instruction.
    span: Span,
}

impl World for Member<'_> {
    fn device(&self) -> usize {
        self.device
    }

    fn exchange(
        &mut self,
        op: &str,
        groups: &[Vec<usize>],
        contributions: Vec<Tensor>,
        site: Site,
    ) -> Result<Vec<Vec<Tensor>>, EvalError> {
        let arrival =
            Arrival { op: op.to_owned(), site, span: self.span, groups: groups.to_vec(), contributions };
        self.rendezvous.exchange(self.device, arrival)
    }

    fn before(&mut self, view: &InstView<'_>) -> Result<(), EvalError> {
        self.span = view.inst.span;
        self.num_run += 1;
        if self.device == 0 && self.num_run % INSTRUCTIONS_PER_REPORT == 0 {
            let _ = self.reports.send(Report::Working);
        }
        if self.rendezvous.is_stopping() {
            return Err(EvalError::new("the run was stopped"));
        }
        Ok(())
    }
}

/// A program that says for how many devices it was made runs on exactly as many.
fn check_num_devices(program: &Program, num_devices: usize) -> Result<(), RunError> {
    let count = |name: &str| match program.attributes.get(name) {
        Some(Attr::Int(count, _)) => usize::try_from(*count).ok(),
        _ => None,
    };
    match count("mhlo.num_replicas") {
        Some(expected) if expected != num_devices => {
            Err(RunError::inputs(format!("the program is made for {expected} devices, not {num_devices}")))
        }
        _ => Ok(()),
    }
}

fn panic_error(device: usize, panic: &(dyn Any + Send)) -> RunError {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    RunError {
        kind: RunErrorKind::Panic,
        message: text.unwrap_or("a panic without a message").to_owned(),
        span: Span::NONE,
        device: Some(device),
    }
}
