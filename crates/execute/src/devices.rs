//! Devices that run beside each other: each a thread with an interpreter of its own; they meet where they exchange.
//!
//! Input: what each device runs. Output: what each returns. A device is an OS thread outside the pool that kernels use,
//! so a device that waits never keeps a kernel from running. An instruction may be the program of several devices: then
//! a device starts such devices itself, which stop when it does. Devices may be in groups that run different programs
//! ([`crate::programs`]): a program knows the devices of its own group alone.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use meshwright_ir::diagnostic::Span;
use meshwright_ir::eval::{Channel, DeviceCode, DeviceRun};
use meshwright_ir::program::InstView;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::{Precision, Tensor};

use crate::interpreter::{Interpreter, Prepared, Site, World};
use crate::rendezvous::{Arrival, Meeting, Rendezvous, Ticket};
use crate::run_error::{RunError, RunErrorKind};

/// Stack of a device's thread: calls and regions may nest as deep as the verifier allows.
const STACK: usize = 32 << 20;

/// Instructions of a device between two questions whether to stop.
const INSTRUCTIONS_PER_REPORT: usize = 64;

/// What devices that run beside each other have in common.
pub(crate) struct Devices<'a, 'p> {
    pub(crate) prepared: &'a Prepared<'p>,
    pub(crate) precision: Precision,
    /// Whose regions are run: the position of a function.
    pub(crate) function: usize,
    /// Partitions of each replica.
    pub(crate) partitions: usize,
    /// The functions that give what each device is fed, in order.
    pub(crate) infeed: &'a [String],
    /// How many devices run at once in the runs around this one.
    pub(crate) num_around: usize,
}

impl Devices<'_, '_> {
    /// Runs device `d` on `runs[d]`. `should_stop` is asked now and then, with the number of devices that have ended.
    ///
    /// Errors: see [`RunErrorKind`]. All devices have ended when it returns.
    pub(crate) fn run(
        &self,
        runs: Vec<DeviceRun>,
        should_stop: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Vec<Vec<Tensor>>, RunError> {
        let team: Arc<[usize]> = (0..runs.len()).collect();
        let infeed: Vec<String> = self.infeed.iter().rev().cloned().collect();
        let seat = |(device, run): (usize, DeviceRun)| Seat {
            device,
            team: team.clone(),
            partitions: self.partitions,
            infeed: infeed.clone(),
            work: Box::new(move |member| {
                let mut interpreter = Interpreter::new(self.prepared, self.precision, member);
                match run.code {
                    DeviceCode::Function(name) => interpreter.run(&name, run.args),
                    DeviceCode::Region(region) => interpreter.run_isolated(self.function, region, run.args),
                }
            }),
        };
        run_beside(runs.into_iter().enumerate().map(seat).collect(), self.num_around, should_stop)
    }
}

/// What a device does among others.
pub(crate) type Work<'a> = Box<dyn FnOnce(Member<'_>) -> Result<Vec<Tensor>, EvalError> + Send + 'a>;

/// A device before it runs.
pub(crate) struct Seat<'a> {
    /// Its number in its group.
    pub(crate) device: usize,
    /// The numbers of its group's devices among all that run.
    pub(crate) team: Arc<[usize]>,
    /// Partitions of each replica.
    pub(crate) partitions: usize,
    /// The functions that give what it is fed, the next one last.
    pub(crate) infeed: Vec<String>,
    /// What it does.
    pub(crate) work: Work<'a>,
}

/// Runs devices beside each other, each on its seat; see [`Devices::run`]. The number of a device among all is that of its
/// seat.
pub(crate) fn run_beside(
    seats: Vec<Seat<'_>>,
    num_around: usize,
    should_stop: &mut dyn FnMut(usize) -> bool,
) -> Result<Vec<Vec<Tensor>>, RunError> {
    let num_running = seats.len().saturating_mul(num_around);
    let rendezvous = Rendezvous::new(seats.len());
    let mut results: Vec<Vec<Tensor>> = vec![Vec::new(); seats.len()];
    let (reports, received) = channel();
    thread::scope(|scope| {
        for ((number, seat), results) in seats.into_iter().enumerate().zip(&mut results) {
            let rendezvous = &rendezvous;
            let Seat { device, team, partitions, infeed, work } = seat;
            let reports = reports.clone();
            let member = Member {
                number,
                device,
                team,
                partitions,
                rendezvous,
                span: Span::NONE,
                infeed,
                num_running,
                reports: reports.clone(),
                num_run: 0,
            };
            let work = move || {
                match catch_unwind(AssertUnwindSafe(|| work(member))) {
                    Ok(Ok(computed)) => {
                        *results = computed;
                        rendezvous.finish(number);
                    }
                    Ok(Err(error)) => rendezvous.fail(number, RunError::evaluation(Some(number), error)),
                    Err(panic) => rendezvous.fail(number, panic_error(number, panic.as_ref())),
                }
                // Nobody listens only if the caller panicked, who then waits for this thread to end.
                let _ = reports.send(Report::Ended);
            };
            let builder = thread::Builder::new().name(format!("device {number}")).stack_size(STACK);
            if let Err(error) = builder.spawn_scoped(scope, work) {
                let message = format!("cannot start a thread: {error}");
                rendezvous.fail(number, RunError::evaluation(Some(number), EvalError::new(message)));
            }
        }
        drop(reports);
        watch(&rendezvous, &received, should_stop);
    });
    match rendezvous.verdict() {
        Some(error) => Err(error),
        None => Ok(results),
    }
}

/// Counts the devices that have ended until all have, and ends the run if that is wanted.
fn watch(rendezvous: &Rendezvous, received: &Receiver<Report>, should_stop: &mut dyn FnMut(usize) -> bool) {
    let mut num_ended = 0;
    for report in received {
        if let Report::Ended = report {
            num_ended += 1;
        }
        if should_stop(num_ended) {
            rendezvous.stop();
        }
    }
}

/// What a device tells the thread that started it.
enum Report {
    /// It has done some more work.
    Working,
    /// It has finished or failed.
    Ended,
}

/// The world of a device among others that meet.
pub(crate) struct Member<'a> {
    /// Its number among all that run.
    number: usize,
    /// Its number in its group.
    device: usize,
    /// The numbers of its group's devices among all that run.
    team: Arc<[usize]>,
    partitions: usize,
    rendezvous: &'a Rendezvous,
    /// Place of the last instruction.
    span: Span,
    /// The functions that give what it is fed, the next one last.
    infeed: Vec<String>,
    /// How many devices run at once, those of the runs around this one included.
    num_running: usize,
    reports: Sender<Report>,
    /// Instructions run so far.
    num_run: usize,
}

impl Member<'_> {
    /// Sets what programs that follow take for the partitions of each replica.
    pub(crate) fn set_partitions(&mut self, partitions: usize) {
        self.partitions = partitions;
    }

    /// Meets the devices of another group: `meeting` are all devices of both, by their numbers among all that run.
    pub(crate) fn hand(
        &mut self,
        transfer: String,
        meeting: Vec<usize>,
        contributions: Vec<Tensor>,
    ) -> Result<Vec<Vec<Tensor>>, EvalError> {
        let arrival = Arrival {
            meeting: Meeting::Transfer,
            op: transfer,
            site: Site::new(),
            span: Span::NONE,
            groups: vec![meeting],
            contributions,
        };
        self.rendezvous.exchange(self.number, arrival)
    }

    /// The number among all that run of a device of the group. Errors: the group has no such device.
    fn among_all(&self, device: usize, op: &str) -> Result<usize, EvalError> {
        let count = self.team.len();
        self.team.get(device).copied().ok_or_else(|| {
            EvalError::new(format!("a group of `{op}` names device {device}, but there are {count} devices"))
        })
    }

    /// A channel of the group as one of all devices.
    fn channel_among_all(&self, channel: Channel) -> Channel {
        let ends = channel.ends.map(|ends| ends.map(|end| self.team.get(end).copied().unwrap_or(end)));
        Channel { ends, ..channel }
    }
}

impl World for Member<'_> {
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
        let number = |device: &usize| self.among_all(*device, op);
        let group = |group: &Vec<usize>| group.iter().map(number).collect::<Result<Vec<usize>, _>>();
        let groups = groups.iter().map(group).collect::<Result<_, _>>()?;
        let (op, meeting) = (op.to_owned(), Meeting::Collective);
        let arrival = Arrival { meeting, op, site, span: self.span, groups, contributions };
        self.rendezvous.arrive(self.number, arrival)
    }

    fn wait(&mut self, ticket: Ticket) -> Result<Vec<Vec<Tensor>>, EvalError> {
        self.rendezvous.wait(self.number, ticket)
    }

    fn num_devices(&self) -> usize {
        self.team.len()
    }

    fn num_running(&self) -> usize {
        self.num_running
    }

    fn send(&mut self, channel: Channel, values: Vec<Tensor>) -> Result<(), EvalError> {
        self.rendezvous.send(self.number, self.channel_among_all(channel), values)
    }

    fn receive(&mut self, channel: Channel) -> Result<Vec<Tensor>, EvalError> {
        self.rendezvous.receive(self.number, self.channel_among_all(channel), self.span)
    }

    fn feed(&mut self) -> Option<String> {
        self.infeed.pop()
    }

    fn before(&mut self, view: &InstView<'_>) -> Result<(), EvalError> {
        self.span = view.inst.span;
        self.num_run += 1;
        let is_stopping = match self.num_run.is_multiple_of(INSTRUCTIONS_PER_REPORT) {
            true => self.should_stop(),
            false => self.rendezvous.is_stopping(),
        };
        if is_stopping { Err(EvalError::new("the run was stopped")) } else { Ok(()) }
    }

    fn should_stop(&mut self) -> bool {
        let _ = self.reports.send(Report::Working);
        self.rendezvous.is_stopping()
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

#[cfg(test)]
mod tests {
    use crate::interpreter::run_single_device;
    use meshwright_ir::control::{Control, Quiet};
    use meshwright_ir::diagnostic::Source;
    use meshwright_tensor::eval_error::EvalError;
    use meshwright_tensor::{Precision, Tensor};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Runs `@main`, which starts two devices; `inner` is what each of them does.
    fn nested(inner: &str, control: &dyn Control) -> Result<Vec<Tensor>, EvalError> {
        let text = format!(
            r#"func.func @main() -> (tensor<i1>, tensor<i1>) {{
  %0:2 = "interpreter.run_parallel"() <{{programs = [[@inner, @inner]]}}> : () -> (tensor<i1>, tensor<i1>)
  return %0#0, %0#1 : tensor<i1>, tensor<i1>
}}
func.func @inner() -> tensor<i1> {{
{inner}
}}
func.func @ends() -> tensor<i1> {{
  %0 = stablehlo.constant dense<true> : tensor<i1>
  return %0 : tensor<i1>
}}
func.func @turns() -> tensor<i1> {{
  %0 = stablehlo.constant dense<true> : tensor<i1>
  %1 = stablehlo.while(%i = %0) : tensor<i1>
   cond {{
    stablehlo.return %i : tensor<i1>
  }} do {{
    %2 = stablehlo.or %i, %i : tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }}
  return %1 : tensor<i1>
}}"#
        );
        let program = meshwright_ir::text::read(&Source::new("test", text)).unwrap();
        run_single_device(&program, "main", Vec::new(), Precision::Declared, control)
    }

    /// What starts two devices, the first of which ends.
    fn two(second: &str) -> String {
        format!(
            r#"  %0:2 = "interpreter.run_parallel"() <{{programs = [[@ends, @{second}]]}}> : () -> (tensor<i1>, tensor<i1>)
  return %0#1 : tensor<i1>"#
        )
    }

    #[test]
    fn devices_inside_devices_are_stopped_with_them() {
        struct StopLater(AtomicUsize);
        impl Control for StopLater {
            fn should_stop(&self) -> bool {
                self.0.fetch_add(1, Ordering::Relaxed) >= 20
            }
        }
        assert_eq!(nested(&two("ends"), &Quiet).unwrap().len(), 2);
        let error = nested(&two("turns"), &StopLater(AtomicUsize::new(0))).unwrap_err();
        assert!(error.message.ends_with("the run was stopped"), "{error:?}");
    }

    #[test]
    fn there_are_not_too_many_devices_at_once() {
        let programs = vec!["@ends"; 600].join(", ");
        let types = vec!["tensor<i1>"; 600].join(", ");
        let many = format!(
            "  %0:600 = \"interpreter.run_parallel\"() <{{programs = [[{programs}]]}}> : () -> ({types})\n  \
             return %0#0 : tensor<i1>"
        );
        let error = nested(&many, &Quiet).unwrap_err();
        assert!(error.message.contains("1200 devices at once are more than"), "{error:?}");
    }
}
