//! Where embedded devices meet to exchange tensors.
//!
//! A device arrives at a collective with its contributions and waits until all members of its group stand at the same
//! collective: the same instruction (with the calls around it), the same op, the same groups, the same types. Then
//! all of them get all contributions, in the group's order; tensors are shared, not copied.
//!
//! Nothing here uses time. What can no longer happen is found from state: when no device runs and some wait, the run
//! is over, and the reason is looked for in this order: a device that failed (the lowest one), two devices of one
//! group at different collectives, a deadlock. As devices compute and exchange deterministically, the state in which
//! nothing runs is always the same, and so is the reason, whatever the order in which threads got there.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use meshwright_ir::diagnostic::Span;
use meshwright_ir::eval_error::EvalError;
use meshwright_ir::tensor::Tensor;
use meshwright_ir::types::TensorType;

use crate::interpreter::Site;
use crate::run_error::{RunError, RunErrorKind};

/// The meeting place of a fixed number of devices.
pub struct Rendezvous {
    state: Mutex<State>,
    /// One per device: signaled when it may go on.
    released: Vec<Condvar>,
    stopping: AtomicBool,
}

struct State {
    devices: Vec<Status>,
    /// Why the run is over before its end.
    verdict: Option<RunError>,
}

enum Status {
    Running,
    Waiting(Arrival),
    /// The exchange is complete; here is what all members gave. Counts as running.
    Served(Vec<Vec<Tensor>>),
    Finished,
    Failed(RunError),
}

/// A device at a collective.
pub struct Arrival {
    /// Name of the op.
    pub op: String,
    /// The instruction, with the calls around it.
    pub site: Site,
    /// Where the instruction stands in the source.
    pub span: Span,
    /// All groups of the collective.
    pub groups: Vec<Vec<usize>>,
    /// What this device gives.
    pub contributions: Vec<Tensor>,
}

impl Arrival {
    fn types(&self) -> Vec<TensorType> {
        self.contributions.iter().map(Tensor::ty).collect()
    }

    fn group_of(&self, device: usize) -> &[usize] {
        self.groups.iter().find(|group| group.contains(&device)).map_or(&[], Vec::as_slice)
    }

    /// Whether two devices that stand here and there may exchange.
    fn meets(&self, other: &Arrival) -> bool {
        self.op == other.op
            && self.site == other.site
            && self.groups == other.groups
            && self.types() == other.types()
    }
}

impl Rendezvous {
    /// A meeting place for `num_devices` running devices.
    pub fn new(num_devices: usize) -> Self {
        Self {
            state: Mutex::new(State {
                devices: (0..num_devices).map(|_| Status::Running).collect(),
                verdict: None,
            }),
            released: (0..num_devices).map(|_| Condvar::new()).collect(),
            stopping: AtomicBool::new(false),
        }
    }

    /// Exchanges with the other members of `device`'s group. Blocks until all have arrived or the run is over.
    /// Errors: wrong groups (the device's own fault), or the run is over.
    pub fn exchange(&self, device: usize, arrival: Arrival) -> Result<Vec<Vec<Tensor>>, EvalError> {
        check_groups(&arrival, device, self.released.len())?;
        let group = arrival.group_of(device).to_vec();
        let mut state = self.lock();
        state.devices[device] = Status::Waiting(arrival);
        if state.try_serve(&group) {
            group.iter().for_each(|member| self.released[*member].notify_one());
        } else {
            self.settle(&mut state);
        }
        loop {
            if state.verdict.is_some() {
                return Err(EvalError::new("the run is over"));
            }
            if let Status::Served(received) = &mut state.devices[device] {
                let received = std::mem::take(received);
                state.devices[device] = Status::Running;
                return Ok(received);
            }
            state = self.released[device].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// `device` has run to its end.
    pub fn finish(&self, device: usize) {
        self.leave(device, Status::Finished);
    }

    /// `device` cannot go on.
    pub fn fail(&self, device: usize, error: RunError) {
        self.leave(device, Status::Failed(error));
    }

    /// Ends the run as soon as possible.
    pub fn stop(&self) {
        self.stopping.store(true, Ordering::Relaxed);
        let mut state = self.lock();
        let message = "the run was stopped".to_owned();
        let error = RunError { kind: RunErrorKind::Stopped, message, span: Span::NONE, device: None };
        state.verdict.get_or_insert(error);
        self.released.iter().for_each(Condvar::notify_one);
    }

    /// Whether [`Rendezvous::stop`] was called.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Why the run has no results, if it has none. To be asked when all devices have finished or failed.
    pub fn verdict(&self) -> Option<RunError> {
        let state = self.lock();
        state.verdict.clone().or_else(|| state.lowest_failure())
    }

    fn leave(&self, device: usize, status: Status) {
        let mut state = self.lock();
        state.devices[device] = status;
        self.settle(&mut state);
    }

    /// Ends the run if no device runs and some wait: nobody is left who could complete an exchange.
    fn settle(&self, state: &mut State) {
        let stuck = state.devices.iter().all(|status| !matches!(status, Status::Running | Status::Served(_)))
            && state.devices.iter().any(|status| matches!(status, Status::Waiting(_)));
        if stuck && state.verdict.is_none() {
            state.verdict = Some(state.reason());
            self.released.iter().for_each(Condvar::notify_one);
        }
    }

    /// A panic while holding the lock would be a bug of this file; the state itself is never left half-written.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn arrival(&self, device: usize) -> Option<&Arrival> {
        match &self.devices[device] {
            Status::Waiting(arrival) => Some(arrival),
            _ => None,
        }
    }

    /// Serves all members of `group` if all stand at the same collective.
    fn try_serve(&mut self, group: &[usize]) -> bool {
        let Some(first) = self.arrival(group[0]) else { return false };
        let all_meet =
            group[1..].iter().all(|member| self.arrival(*member).is_some_and(|other| first.meets(other)));
        if !all_meet {
            return false;
        }
        let received: Vec<Vec<Tensor>> = group
            .iter()
            .map(|member| {
                self.arrival(*member).map_or_else(Vec::new, |arrival| arrival.contributions.clone())
            })
            .collect();
        for member in group {
            self.devices[*member] = Status::Served(received.clone());
        }
        true
    }

    fn lowest_failure(&self) -> Option<RunError> {
        self.devices.iter().find_map(|status| match status {
            Status::Failed(error) => Some(error.clone()),
            _ => None,
        })
    }

    /// Why nothing can go on.
    fn reason(&self) -> RunError {
        self.lowest_failure().or_else(|| self.mismatch()).unwrap_or_else(|| self.deadlock())
    }

    /// Two devices that wait for the same devices at different collectives.
    fn mismatch(&self) -> Option<RunError> {
        let sorted = |device, arrival: &Arrival| {
            let mut group = arrival.group_of(device).to_vec();
            group.sort_unstable();
            group
        };
        for device in 0..self.devices.len() {
            let Some(here) = self.arrival(device) else { continue };
            let group = sorted(device, here);
            for other in group.iter().copied().filter(|other| *other > device) {
                let Some(there) = self.arrival(other) else { continue };
                if sorted(other, there) == group && !here.meets(there) {
                    return Some(RunError {
                        kind: RunErrorKind::Mismatch,
                        message: describe_mismatch(device, here, other, there),
                        span: here.span,
                        device: Some(device),
                    });
                }
            }
        }
        None
    }

    fn deadlock(&self) -> RunError {
        /// Devices that a message names before it only counts.
        const SHOWN: usize = 8;
        let mut waits = Vec::new();
        let mut first = None;
        for device in 0..self.devices.len() {
            let Some(arrival) = self.arrival(device) else { continue };
            first = first.or(Some((device, arrival.span)));
            let missing = arrival
                .group_of(device)
                .iter()
                .find(|member| !self.arrival(**member).is_some_and(|other| other.meets(arrival)));
            let missing = missing.map_or_else(String::new, |member| match &self.devices[*member] {
                Status::Waiting(other) => format!("device {member}, which waits at `{}`", other.op),
                _ => format!("device {member}, which has finished"),
            });
            waits.push(format!("device {device} waits at `{}` for {missing}", arrival.op));
        }
        let more = waits.len().saturating_sub(SHOWN);
        waits.truncate(SHOWN);
        if more > 0 {
            waits.push(format!("{more} more wait"));
        }
        RunError {
            kind: RunErrorKind::Deadlock,
            message: format!("the devices wait for each other forever: {}", waits.join("; ")),
            span: first.map_or(Span::NONE, |(_, span)| span),
            device: first.map(|(device, _)| device),
        }
    }
}

fn describe_mismatch(device: usize, here: &Arrival, other: usize, there: &Arrival) -> String {
    let list = |arrival: &Arrival| {
        let types: Vec<String> = arrival.types().iter().map(TensorType::to_string).collect();
        format!("`{}` of {}", arrival.op, types.join(", "))
    };
    let difference = if here.op != there.op || here.types() != there.types() {
        ""
    } else if here.site != there.site {
        ", another instruction"
    } else {
        ", with other groups"
    };
    format!(
        "the collectives of one group are not in the same order: device {device} is at {}, but device {other} is at \
         {}{difference}",
        list(here),
        list(there)
    )
}

/// Checks that the groups are over existing devices, disjoint, and that `device` is in one.
fn check_groups(arrival: &Arrival, device: usize, num_devices: usize) -> Result<(), EvalError> {
    let op = &arrival.op;
    let mut seen = vec![false; num_devices];
    for member in arrival.groups.iter().flatten() {
        let Some(seen) = seen.get_mut(*member) else {
            let message =
                format!("a group of `{op}` names device {member}, but there are {num_devices} devices");
            return Err(EvalError::new(message));
        };
        if std::mem::replace(seen, true) {
            return Err(EvalError::new(format!("the groups of `{op}` name device {member} twice")));
        }
    }
    if seen[device] {
        return Ok(());
    }
    Err(EvalError::new(format!("device {device} is in none of the groups of `{op}`")))
}
