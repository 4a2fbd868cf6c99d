//! Where embedded devices meet to exchange tensors.
//!
//! A device arrives at a collective with its contributions; it waits at once, or goes on and waits later. Devices of a
//! group exchange in the order in which each of them arrived: the first open arrivals of all members must be at the
//! same collective, that is the same instruction (with the calls around it), the same op, the same groups, the same
//! types. Then all of them get all contributions, in the group's order; tensors are shared, not copied.
//!
//! Values may also be sent, on channels: who sends goes on, who receives waits. A channel has one sender and one receiver.
//!
//! Nothing here uses time. What can no longer happen is found from state: when no device runs and some wait, the run
//! is over, and the reason is looked for in this order: a device that failed (the lowest one), two devices of one
//! group at different collectives, a deadlock. As devices compute and exchange deterministically, the state in which
//! nothing runs is always the same, and so is the reason, whatever the order in which threads got there.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use meshwright_ir::diagnostic::Span;
use meshwright_ir::eval::Channel;
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::TensorType;

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
    /// What each device has handed in and not taken back, oldest first.
    arrived: Vec<Vec<Handed>>,
    /// The number of the next ticket.
    next: u64,
    mail: BTreeMap<Channel, Mail>,
    /// Why the run is over before its end.
    verdict: Option<RunError>,
}

/// Ticket with which a device waits for an exchange that it has arrived at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(u64);

/// An arrival and what came of it.
struct Handed {
    ticket: Ticket,
    arrival: Arrival,
    /// The device's group, ascending.
    group: Vec<usize>,
    /// What all members gave, once the exchange is complete.
    received: Option<Vec<Vec<Tensor>>>,
}

/// What is on its way on a channel, and who uses it.
#[derive(Default)]
struct Mail {
    sender: Option<usize>,
    receiver: Option<usize>,
    sent: VecDeque<Vec<Tensor>>,
}

enum Status {
    Running,
    Waiting(Ticket),
    /// At an instruction that receives.
    Receiving(Channel, Span),
    Finished,
    Failed(RunError),
}

/// Kinds of exchange between devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// All give alike: a collective of one program.
    Collective,
    /// Some give, others get: a value goes from one group of devices to another.
    Transfer,
}

/// A device at a collective, or at a transfer between groups.
pub struct Arrival {
    /// Which of the two it is.
    pub meeting: Meeting,
    /// Name of the op, or of the transfer.
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
            && (self.meeting == Meeting::Transfer || self.types() == other.types())
    }
}

impl Rendezvous {
    /// A meeting place for `num_devices` running devices.
    pub fn new(num_devices: usize) -> Self {
        Self {
            state: Mutex::new(State {
                devices: (0..num_devices).map(|_| Status::Running).collect(),
                arrived: (0..num_devices).map(|_| Vec::new()).collect(),
                next: 0,
                mail: BTreeMap::new(),
                verdict: None,
            }),
            released: (0..num_devices).map(|_| Condvar::new()).collect(),
            stopping: AtomicBool::new(false),
        }
    }

    /// Exchanges with the other members of `device`'s group. Blocks until all have arrived or the run is over.
    /// Errors: wrong groups (the device's own fault), or the run is over.
    pub fn exchange(&self, device: usize, arrival: Arrival) -> Result<Vec<Vec<Tensor>>, EvalError> {
        let ticket = self.arrive(device, arrival)?;
        self.wait(device, ticket)
    }

    /// Hands in what `device` gives to its group and goes on. Errors: wrong groups, or the run is over.
    pub fn arrive(&self, device: usize, arrival: Arrival) -> Result<Ticket, EvalError> {
        check_groups(&arrival, device, self.released.len())?;
        let members = arrival.group_of(device).to_vec();
        let mut group = members.clone();
        group.sort_unstable();
        let mut state = self.lock();
        if state.verdict.is_some() {
            return Err(EvalError::new("the run is over"));
        }
        let ticket = Ticket(state.next);
        state.next += 1;
        state.arrived[device].push(Handed { ticket, arrival, group: group.clone(), received: None });
        if state.try_serve(&members, &group) {
            members.iter().for_each(|member| self.released[*member].notify_one());
        }
        Ok(ticket)
    }

    /// Waits until all members of the group have arrived at the exchange of this ticket, each of which is waited for
    /// once. Errors: the run is over.
    pub fn wait(&self, device: usize, ticket: Ticket) -> Result<Vec<Vec<Tensor>>, EvalError> {
        let mut state = self.lock();
        if !state.is_served(device, ticket) {
            state.devices[device] = Status::Waiting(ticket);
            self.settle(&mut state);
        }
        loop {
            if state.verdict.is_some() {
                return Err(EvalError::new("the run is over"));
            }
            if let Some(received) = state.take(device, ticket) {
                return Ok(received);
            }
            state = self.released[device].wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Number of devices.
    pub fn num_devices(&self) -> usize {
        self.released.len()
    }

    /// Sends values and goes on. Errors: another device sends on the channel, or the run is over.
    pub fn send(&self, device: usize, channel: Channel, values: Vec<Tensor>) -> Result<(), EvalError> {
        let mut state = self.lock();
        if state.verdict.is_some() {
            return Err(EvalError::new("the run is over"));
        }
        let handle = channel.handle;
        let mail = state.mail.entry(channel).or_default();
        if *mail.sender.get_or_insert(device) != device {
            return Err(EvalError::new(format!("several devices send on channel {handle}")));
        }
        mail.sent.push_back(values);
        if let Some(receiver) = mail.receiver
            && matches!(state.devices[receiver], Status::Receiving(..))
        {
            state.devices[receiver] = Status::Running;
            self.released[receiver].notify_one();
        }
        Ok(())
    }

    /// Waits for the next values on a channel. Errors: another device receives on it, or the run is over.
    pub fn receive(&self, device: usize, channel: Channel, span: Span) -> Result<Vec<Tensor>, EvalError> {
        let mut state = self.lock();
        let mail = state.mail.entry(channel.clone()).or_default();
        if *mail.receiver.get_or_insert(device) != device {
            return Err(EvalError::new(format!("several devices receive on channel {}", channel.handle)));
        }
        loop {
            if state.verdict.is_some() {
                return Err(EvalError::new("the run is over"));
            }
            if let Some(values) = state.mail.get_mut(&channel).and_then(|mail| mail.sent.pop_front()) {
                return Ok(values);
            }
            state.devices[device] = Status::Receiving(channel.clone(), span);
            self.settle(&mut state);
            if state.verdict.is_none() {
                state = self.released[device].wait(state).unwrap_or_else(PoisonError::into_inner);
            }
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

    /// Returns whether [`Rendezvous::stop`] was called.
    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Failure of the run, if it has no results. To be asked when all devices have finished or failed.
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
        let stuck = state.devices.iter().all(|status| !matches!(status, Status::Running))
            && state
                .devices
                .iter()
                .any(|status| matches!(status, Status::Waiting(_) | Status::Receiving(..)));
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
    fn handed(&self, device: usize, ticket: Ticket) -> Option<&Handed> {
        self.arrived[device].iter().find(|handed| handed.ticket == ticket)
    }

    fn is_served(&self, device: usize, ticket: Ticket) -> bool {
        self.handed(device, ticket).is_some_and(|handed| handed.received.is_some())
    }

    /// What came of a ticket, if its exchange is complete.
    fn take(&mut self, device: usize, ticket: Ticket) -> Option<Vec<Vec<Tensor>>> {
        let complete = |handed: &Handed| handed.ticket == ticket && handed.received.is_some();
        let place = self.arrived[device].iter().position(complete)?;
        self.arrived[device].remove(place).received
    }

    /// The collective that a device waits at.
    fn waits_at(&self, device: usize) -> Option<&Handed> {
        match &self.devices[device] {
            Status::Waiting(ticket) => self.handed(device, *ticket),
            _ => None,
        }
    }

    /// The first collective over a group (ascending) that a device has arrived at and others have not.
    fn open(&self, device: usize, group: &[usize]) -> Option<&Handed> {
        self.arrived[device].iter().find(|handed| handed.received.is_none() && handed.group == group)
    }

    /// Serves all members of a group, `members` in its order, if all have come to the same collective.
    fn try_serve(&mut self, members: &[usize], group: &[usize]) -> bool {
        let Some(first) = self.open(members[0], group) else { return false };
        let meets = |member: &usize| {
            self.open(*member, group).is_some_and(|other| first.arrival.meets(&other.arrival))
        };
        if !members[1..].iter().all(meets) {
            return false;
        }
        let mut received: Vec<Vec<Tensor>> = Vec::with_capacity(members.len());
        let mut tickets = Vec::with_capacity(members.len());
        for member in members {
            if let Some(handed) = self.open(*member, group) {
                received.push(handed.arrival.contributions.clone());
                tickets.push((*member, handed.ticket));
            }
        }
        for (member, ticket) in tickets {
            if let Some(handed) = self.arrived[member].iter_mut().find(|handed| handed.ticket == ticket) {
                handed.arrival.contributions.clear();
                handed.received = Some(received.clone());
            }
            if matches!(self.devices[member], Status::Waiting(waited) if waited == ticket) {
                self.devices[member] = Status::Running;
            }
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

    /// Two devices of one group that have come to different collectives over it.
    fn mismatch(&self) -> Option<RunError> {
        for device in 0..self.devices.len() {
            let Some(group) = self.waits_at(device).map(|handed| &handed.group) else { continue };
            let Some(here) = self.open(device, group) else { continue };
            for other in group.iter().copied().filter(|other| *other != device) {
                let Some(there) = self.open(other, group) else { continue };
                if !here.arrival.meets(&there.arrival) {
                    return Some(RunError {
                        kind: RunErrorKind::Mismatch,
                        message: describe_mismatch(device, &here.arrival, other, &there.arrival),
                        span: here.arrival.span,
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
            if let Status::Receiving(channel, span) = &self.devices[device] {
                first = first.or(Some((device, *span)));
                let handle = channel.handle;
                waits.push(format!("device {device} receives on channel {handle}, where nothing is sent"));
                continue;
            }
            let Some(Handed { arrival, group, .. }) = self.waits_at(device) else { continue };
            first = first.or(Some((device, arrival.span)));
            let Some(Handed { arrival: open, .. }) = self.open(device, group) else { continue };
            let meets =
                |member: &usize| self.open(*member, group).is_some_and(|other| other.arrival.meets(open));
            let missing = arrival.group_of(device).iter().find(|member| !meets(member));
            let missing = missing.map_or_else(String::new, |member| match self.waits_at(*member) {
                Some(other) => format!("device {member}, which waits at `{}`", other.arrival.op),
                None if matches!(self.devices[*member], Status::Receiving(..)) => {
                    format!("device {member}, which receives")
                }
                None => format!("device {member}, which has finished"),
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

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(op: &str, groups: &[Vec<usize>], value: i32) -> Arrival {
        let contributions = vec![Tensor::scalar_i32(value)];
        let groups = groups.to_vec();
        let meeting = Meeting::Collective;
        Arrival { meeting, op: op.to_owned(), site: Vec::new(), span: Span::NONE, groups, contributions }
    }

    fn numbers(received: &[Vec<Tensor>]) -> Vec<i64> {
        received.iter().map(|given| given[0].scalar_as_i64().unwrap()).collect()
    }

    #[test]
    fn who_hands_in_goes_on_and_may_wait_in_any_order() {
        let rendezvous = Rendezvous::new(2);
        let groups = [vec![0, 1]];
        let tickets: Vec<[Ticket; 2]> = (0..2)
            .map(|device: usize| {
                let arrive = |op, value| rendezvous.arrive(device, arrival(op, &groups, value)).unwrap();
                [arrive("first", device as i32), arrive("second", 10 + device as i32)]
            })
            .collect();
        for (device, [first, second]) in tickets.into_iter().enumerate() {
            assert_eq!(numbers(&rendezvous.wait(device, second).unwrap()), [10, 11]);
            assert_eq!(numbers(&rendezvous.wait(device, first).unwrap()), [0, 1]);
        }
    }

    #[test]
    fn groups_are_in_no_order_among_each_other() {
        let rendezvous = Rendezvous::new(3);
        let arrive = |device, group: [usize; 2], value| {
            let rest: Vec<usize> = (0..3).filter(|other| !group.contains(other)).collect();
            let groups = [group.to_vec(), rest];
            rendezvous.arrive(device, arrival("sum", &groups, value)).unwrap()
        };
        let [left, right] = [arrive(0, [0, 1], 1), arrive(0, [0, 2], 2)];
        arrive(2, [0, 2], 3);
        assert_eq!(numbers(&rendezvous.wait(0, right).unwrap()), [2, 3]);
        arrive(1, [0, 1], 4);
        assert_eq!(numbers(&rendezvous.wait(0, left).unwrap()), [1, 4]);
    }

    #[test]
    fn an_order_that_differs_is_found_though_nobody_waits_at_the_first() {
        let rendezvous = Rendezvous::new(2);
        let groups = [vec![0, 1]];
        rendezvous.arrive(0, arrival("first", &groups, 0)).unwrap();
        rendezvous.arrive(1, arrival("second", &groups, 0)).unwrap();
        let ticket = rendezvous.arrive(1, arrival("first", &groups, 0)).unwrap();
        rendezvous.finish(0);
        assert!(rendezvous.wait(1, ticket).is_err());
        let verdict = rendezvous.verdict().unwrap();
        assert_eq!(verdict.kind, RunErrorKind::Mismatch);
        assert!(verdict.message.contains("device 1 is at `second`"), "{}", verdict.message);
    }
}
