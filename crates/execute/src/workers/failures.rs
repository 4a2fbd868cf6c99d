//! Which worker was lost, and why.
//!
//! When one worker dies, the others fail soon after, since they wait for it in vain: the first message is not always
//! that of the one at fault. What ended by a signal, or gave a reason of its own, goes before what lost a connection.

use super::messages::Phase;
use super::process::Worker;
use std::os::unix::process::ExitStatusExt;

/// Causes of a run's early end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// An input or a checkpoint is at fault.
    Input,
    /// The worker could not start: no Python, no JAX, or one that does not fit; too few devices.
    Environment,
    /// It ran out of memory.
    Memory,
    /// A file could not be read or written.
    File,
    /// The port where workers meet is taken.
    Port,
    /// XLA does not compile the program.
    Compile,
    /// It was killed (signal 9).
    Killed,
    /// It was ended by another signal from outside.
    Ended,
    /// It broke down: a signal that a program gives itself, such as that of a bad address.
    Crashed,
    /// No step came to an end for too long.
    Hung,
    /// Another worker, on another host, was lost.
    Peer,
    /// Anything else.
    Other,
}

/// A worker that was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Its number.
    pub rank: usize,
    /// What it did.
    pub phase: Phase,
    /// Steps that it had done.
    pub step: u64,
    /// Why.
    pub cause: Cause,
    /// What it said, or how it ended: one sentence.
    pub message: String,
    /// Its last lines of log.
    pub log: Vec<String>,
}

/// What workers say when another one is gone.
const CONSEQUENCES: [&str; 9] = [
    "connection reset",
    "connection closed",
    "closed by peer",
    "connection refused",
    "socket closed",
    "heartbeat",
    "unavailable",
    "coordination service",
    "broken pipe",
];

/// What a worker says that cannot listen where workers meet.
const PORT: [&str; 3] = ["address already in use", "failed to start rpc server", "failed to add port"];

/// Signals that a program gives itself.
const CRASHES: [(i32, &str); 5] =
    [(4, "SIGILL"), (6, "SIGABRT"), (7, "SIGBUS"), (8, "SIGFPE"), (11, "SIGSEGV")];

/// The one at fault among workers of which at least one has ended or given up.
pub(super) fn blame(workers: &[(usize, Worker)]) -> Option<Lost> {
    let lost = workers.iter().filter_map(|(rank, worker)| lost(*rank, worker));
    lost.min_by_key(|(order, lost)| (*order, lost.rank)).map(|(_, lost)| lost)
}

/// The worker to blame when no step comes to an end: the one that says nothing for longest, else one that lags behind; of several
/// that are in the same step, the one that has launched least of it.
pub(super) fn hung(
    workers: &[(usize, Worker)],
    silent: impl Fn(&Worker) -> bool,
    seconds: u64,
) -> Option<Lost> {
    let least = workers.iter().filter(|(_, worker)| !worker.is_done).map(|(_, worker)| worker.step).min()?;
    let most = workers.iter().map(|(_, worker)| worker.step).max()?;
    let found = workers.iter().filter(|(_, worker)| silent(worker)).min_by_key(|(_, worker)| worker.heard);
    let behind = |worker: &Worker| !worker.is_done && worker.step == least;
    let left = workers.iter().filter(|(_, worker)| behind(worker)).map(|(_, worker)| worker.left);
    let (fewest, left) = (left.clone().min()?, left.max()?);
    let message = match found {
        Some(_) => "it gives no sign of life: stopped, or stuck outside Python".to_owned(),
        None if fewest < left => {
            format!("it does not go on with step {}, in which others wait for it", least + 1)
        }
        None if least < most => format!("it is behind: others have done {most} steps"),
        None => format!("no worker has finished step {} for {seconds} s", least + 1),
    };
    let is_last = |worker: &Worker| behind(worker) && worker.left == left;
    let (rank, worker) = found.or_else(|| workers.iter().find(|(_, worker)| is_last(worker)))?;
    Some(described(*rank, worker, Cause::Hung, message))
}

fn described(rank: usize, worker: &Worker, cause: Cause, message: String) -> Lost {
    let log = worker.log.iter().cloned().collect();
    Lost { rank, phase: worker.phase, step: worker.step, cause, message, log }
}

/// Whether a text holds one of some others, in capitals or not.
fn says(text: &str, others: &[&str]) -> bool {
    let low = text.to_lowercase();
    others.iter().any(|other| low.contains(other))
}

/// Why a worker gave up that said what kind of failure it is.
fn cause(kind: &str, message: &str, phase: Phase) -> Cause {
    match kind {
        "input" => Cause::Input,
        "environment" => Cause::Environment,
        "memory" => Cause::Memory,
        "file" => Cause::File,
        // What else listens, such as a profiler, does so later.
        _ if phase == Phase::Joining && says(message, &PORT) => Cause::Port,
        _ if says(message, &CONSEQUENCES) => Cause::Peer,
        _ if phase == Phase::Compiling => Cause::Compile,
        _ => Cause::Other,
    }
}

/// Why a worker is lost, if it is, and how likely it is a consequence of another's loss: low numbers go first.
fn lost(rank: usize, worker: &Worker) -> Option<(u8, Lost)> {
    if let Some([kind, _, message]) = &worker.failed {
        let cause = cause(kind, message, worker.phase);
        let order = if cause == Cause::Peer { 3 } else { 0 };
        return Some((order, described(rank, worker, cause, message.clone())));
    }
    let ended = worker.ended.filter(|_| !worker.is_done)?;
    let said = |texts: &[&str]| worker.log.iter().any(|line| says(line, texts));
    Some(match ended.signal() {
        // JAX breaks down where it cannot listen, and aborts workers that have lost their peers.
        Some(6 | 11) if worker.phase == Phase::Joining && said(&PORT) => {
            (0, described(rank, worker, Cause::Port, "the port is taken".into()))
        }
        Some(6) if said(&CONSEQUENCES) => {
            (2, described(rank, worker, Cause::Peer, "it lost the other workers".into()))
        }
        Some(9) => {
            let message =
                "it was killed (signal 9): by someone, or by the system for want of memory".to_owned();
            (0, described(rank, worker, Cause::Killed, message))
        }
        Some(signal) => {
            let crash = CRASHES.iter().find(|(number, _)| *number == signal);
            let (cause, message) = match crash {
                Some((_, name)) => (Cause::Crashed, format!("it crashed (signal {signal}, {name})")),
                None => (Cause::Ended, format!("it was ended by signal {signal}, from outside")),
            };
            (0, described(rank, worker, cause, message))
        }
        None => {
            let code = ended.code().unwrap_or(-1);
            let cause = if worker.phase == Phase::Starting { Cause::Environment } else { Cause::Other };
            (1, described(rank, worker, cause, format!("it ended with exit code {code} without a word")))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_to_blame_only_where_workers_meet() {
        let said = "JaxRuntimeError: UNKNOWN: Failed to start RPC server";
        assert_eq!(cause("other", said, Phase::Joining), Cause::Port);
        assert_eq!(cause("other", said, Phase::Running), Cause::Other);
        let compiler = "INTERNAL: Failed to start the assembler";
        assert_eq!(cause("other", compiler, Phase::Compiling), Cause::Compile);
        assert_eq!(cause("other", compiler, Phase::Joining), Cause::Other);
        assert_eq!(cause("file", said, Phase::Joining), Cause::File);
        assert_eq!(cause("other", "Connection reset by peer", Phase::Compiling), Cause::Peer);
    }
}
