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
use meshwright_ir::eval::Channel;
use meshwright_ir::eval_error::EvalError;
use meshwright_ir::program::{InstView, Program};
use meshwright_ir::tensor::{Precision, Tensor};
use meshwright_plan::DeviceProgram;

use crate::interpreter::{Interpreter, Prepared, Site, World};
use crate::rendezvous::{Arrival, Rendezvous, Ticket};
use crate::run_error::{RunError, RunErrorKind};
use crate::shards::{Assembled, assemble, split};

/// Stack of a device's thread: calls and regions may nest as deep as the verifier allows.
pub(crate) const STACK: usize = 32 << 20;

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
    let partitions = num_partitions(program, num_devices)?;
    let prepared = Prepared::new(program);
    let rendezvous = Rendezvous::new(num_devices);
    let mut results: Vec<Vec<Tensor>> = vec![Vec::new(); num_devices];
    let (reports, received) = channel();
    thread::scope(|scope| {
        for ((device, inputs), results) in inputs.into_iter().enumerate().zip(&mut results) {
            let (rendezvous, prepared) = (&rendezvous, &prepared);
            let neighbor = Neighbor::new(device, partitions, rendezvous);
            let member = Member { neighbor, reports: reports.clone(), num_run: 0 };
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
            let builder = thread::Builder::new().name(format!("device {device}")).stack_size(STACK);
            let started = builder.spawn_scoped(scope, work);
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
    for (index, (input, (ty, sharding))) in inputs.iter().zip(&program.arguments).enumerate() {
        let shards = split(input, ty, sharding, program.argument_mesh(index))
            .map_err(|error| RunError::inputs(error.message))?;
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
        assembled.push(assemble(shards, ty, sharding, program.result_mesh(index))?);
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
    neighbor: Neighbor<'a>,
    reports: Sender<Report>,
    /// Instructions run so far.
    num_run: usize,
}

impl World for Member<'_> {
    fn device(&self) -> usize {
        self.neighbor.device
    }

    fn partitions(&self) -> usize {
        self.neighbor.partitions
    }

    fn arrive(
        &mut self,
        op: &str,
        groups: &[Vec<usize>],
        contributions: Vec<Tensor>,
        site: Site,
    ) -> Result<Ticket, EvalError> {
        self.neighbor.arrive(op, groups, contributions, site)
    }

    fn wait(&mut self, ticket: Ticket) -> Result<Vec<Vec<Tensor>>, EvalError> {
        self.neighbor.wait(ticket)
    }

    fn num_devices(&self) -> usize {
        self.neighbor.num_devices()
    }

    fn send(&mut self, channel: Channel, values: Vec<Tensor>) -> Result<(), EvalError> {
        self.neighbor.send(channel, values)
    }

    fn receive(&mut self, channel: Channel) -> Result<Vec<Tensor>, EvalError> {
        self.neighbor.receive(channel)
    }

    fn before(&mut self, view: &InstView<'_>) -> Result<(), EvalError> {
        self.neighbor.before(view)?;
        self.num_run += 1;
        if self.neighbor.device == 0 && self.num_run.is_multiple_of(INSTRUCTIONS_PER_REPORT) {
            let _ = self.reports.send(Report::Working);
        }
        if self.neighbor.rendezvous.is_stopping() {
            return Err(EvalError::new("the run was stopped"));
        }
        Ok(())
    }
}

/// The world of a device among others that meet.
pub(crate) struct Neighbor<'a> {
    device: usize,
    partitions: usize,
    rendezvous: &'a Rendezvous,
    /// Place of the last instruction.
    span: Span,
    /// The functions that give what it is fed, the next one last.
    infeed: Vec<String>,
}

impl<'a> Neighbor<'a> {
    pub(crate) fn new(device: usize, partitions: usize, rendezvous: &'a Rendezvous) -> Self {
        Self { device, partitions, rendezvous, span: Span::NONE, infeed: Vec::new() }
    }

    /// The same, fed what these functions give.
    pub(crate) fn fed(mut self, infeed: &[String]) -> Self {
        self.infeed = infeed.iter().rev().cloned().collect();
        self
    }
}

impl World for Neighbor<'_> {
    fn device(&self) -> usize {
        self.device
    }

    fn partitions(&self) -> usize {
        self.partitions
    }

    fn arrive(
        &mut self,
        op: &str,
        groups: &[Vec<usize>],
        contributions: Vec<Tensor>,
        site: Site,
    ) -> Result<Ticket, EvalError> {
        let (op, groups) = (op.to_owned(), groups.to_vec());
        self.rendezvous.arrive(self.device, Arrival { op, site, span: self.span, groups, contributions })
    }

    fn wait(&mut self, ticket: Ticket) -> Result<Vec<Vec<Tensor>>, EvalError> {
        self.rendezvous.wait(self.device, ticket)
    }

    fn num_devices(&self) -> usize {
        self.rendezvous.num_devices()
    }

    fn send(&mut self, channel: Channel, values: Vec<Tensor>) -> Result<(), EvalError> {
        self.rendezvous.send(self.device, channel, values)
    }

    fn receive(&mut self, channel: Channel) -> Result<Vec<Tensor>, EvalError> {
        self.rendezvous.receive(self.device, channel, self.span)
    }

    fn feed(&mut self) -> Option<String> {
        self.infeed.pop()
    }

    fn before(&mut self, view: &InstView<'_>) -> Result<(), EvalError> {
        self.span = view.inst.span;
        Ok(())
    }
}

/// The number of partitions of each replica. Errors: the program says that it was made for another number of devices.
fn num_partitions(program: &Program, num_devices: usize) -> Result<usize, RunError> {
    let count = |name: &str| match program.attributes.get(name) {
        Some(Attr::Int(count, _)) => usize::try_from(*count).ok().filter(|count| *count > 0),
        _ => None,
    };
    let partitions = count("mhlo.num_partitions").unwrap_or(1);
    match count("mhlo.num_replicas").map(|replicas| replicas.saturating_mul(partitions)) {
        Some(expected) if expected != num_devices => {
            Err(RunError::inputs(format!("the program is made for {expected} devices, not {num_devices}")))
        }
        _ => Ok(partitions),
    }
}

pub(crate) fn panic_error(device: usize, panic: &(dyn Any + Send)) -> RunError {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    RunError {
        kind: RunErrorKind::Panic,
        message: text.unwrap_or("a panic without a message").to_owned(),
        span: Span::NONE,
        device: Some(device),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::control::Quiet;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::types::ElementType;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn read(text: &str) -> Program {
        meshwright_ir::text::read(&Source::new("test", text)).unwrap()
    }

    /// Counts up to `%limit`, with a collective in every turn.
    const COUNTING: &str = r#"func.func @main(%limit: tensor<i32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.while(%i = %zero) : tensor<i32>
   cond {
    %1 = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = "stablehlo.all_reduce"(%1) <{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %3 = stablehlo.maximum %a, %b : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }
  return %0 : tensor<i32>
}"#;

    fn count(limits: [i32; 4], control: &dyn Control) -> Result<Vec<i64>, RunError> {
        let inputs = limits.iter().map(|limit| vec![Tensor::scalar_i32(*limit)]).collect();
        let results = run_local(&read(COUNTING), inputs, Precision::Declared, control)?;
        Ok(results.iter().map(|results| results[0].scalar_as_i64().unwrap()).collect())
    }

    #[test]
    fn devices_meet_every_time() {
        assert_eq!(count([300; 4], &Quiet), Ok(vec![300; 4]));
    }

    /// Two sums in flight at once, waited for in the other order, one of them behind a loop that exchanges too.
    #[test]
    fn devices_go_on_while_collectives_are_in_flight() {
        let start = |name: &str, value: &str| {
            format!(
                r#"  %{name} = "stablehlo.async_start"(%{value}) ({{
  ^bb0(%x: tensor<i32>):
    %2 = "stablehlo.all_reduce"(%x) <{{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}}> ({{
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %3 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }}) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }}) : (tensor<i32>) -> !stablehlo.future<tensor<i32>>
"#
            )
        };
        let done = |name: &str, future: &str| {
            format!(
                "  %{name} = \"stablehlo.async_done\"(%{future}) : (!stablehlo.future<tensor<i32>>) -> tensor<i32>\n"
            )
        };
        let (head, rest) = COUNTING.split_once("  %0 =").unwrap();
        let (middle, _) = rest.split_once("  return").unwrap();
        let text = format!(
            "{head}{}{}  %0 ={middle}{}{}  %5 = stablehlo.add %d, %e : tensor<i32>\n  return %5 : tensor<i32>\n}}",
            start("f", "limit"),
            start("g", "one"),
            done("d", "g"),
            done("e", "f"),
        );
        let program = read(&text);
        meshwright_ir::verify::verify(&program).unwrap();
        let inputs = vec![vec![Tensor::scalar_i32(30)]; 4];
        let results = run_local(&program, inputs, Precision::Declared, &Quiet).unwrap();
        assert!(results.iter().all(|results| results[0].scalar_as_i64() == Ok(124)), "{results:?}");
        let twice = text.replace("\"stablehlo.async_done\"(%f)", "\"stablehlo.async_done\"(%g)");
        let inputs = vec![vec![Tensor::scalar_i32(30)]; 4];
        let error = run_local(&read(&twice), inputs, Precision::Declared, &Quiet).unwrap_err();
        assert!(error.to_string().contains("has been waited for before"), "{error}");
    }

    #[test]
    fn the_reason_does_not_depend_on_the_schedule() {
        let first = count([20, 20, 3, 20], &Quiet).unwrap_err();
        assert_eq!(first.kind, RunErrorKind::Deadlock);
        assert_eq!(first.device, Some(0));
        for _ in 0..50 {
            assert_eq!(count([20, 20, 3, 20], &Quiet).unwrap_err(), first);
        }
        assert!(
            first
                .message
                .ends_with("device 3 waits at `stablehlo.all_reduce` for device 2, which has finished")
        );
    }

    #[test]
    fn a_run_without_end_can_be_stopped() {
        struct StopLater(AtomicUsize);
        impl Control for StopLater {
            fn should_stop(&self) -> bool {
                self.0.fetch_add(1, Ordering::Relaxed) >= 10
            }
        }
        let error = count([i32::MAX; 4], &StopLater(AtomicUsize::new(0))).unwrap_err();
        assert_eq!((error.kind, error.message.as_str()), (RunErrorKind::Stopped, "the run was stopped"));
    }

    #[test]
    fn a_panic_on_one_device_ends_the_run() {
        // Not verified: the function has no terminator, which the interpreter may rely on.
        let broken = read("func.func @main() {\n}");
        let inputs = vec![Vec::new(); 3];
        let error = run_local(&broken, inputs, Precision::Declared, &Quiet).unwrap_err();
        assert_eq!((error.kind, error.device), (RunErrorKind::Panic, Some(0)));
    }

    #[test]
    fn inputs_that_do_not_fit() {
        let program = read(
            "module attributes {mhlo.num_replicas = 2 : i32} {\n  func.func @main() {\n    return\n  }\n}",
        );
        let run =
            |num_devices| run_local(&program, vec![Vec::new(); num_devices], Precision::Declared, &Quiet);
        assert_eq!(run(2).unwrap().len(), 2);
        assert_eq!(run(3).unwrap_err().to_string(), "the program is made for 2 devices, not 3");
        let wrong = vec![vec![Tensor::from_vec(ElementType::F32, [], vec![0f32])]; 4];
        let error = run_local(&read(COUNTING), wrong, Precision::Declared, &Quiet).unwrap_err();
        assert!(
            error.to_string().starts_with("on device 0: argument 0 of `@main` is a tensor<i32>"),
            "{error}"
        );
    }
}
