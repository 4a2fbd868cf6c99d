//! Starts workers, hears them out, and ends them.
//!
//! Input: a job, and someone who watches. Output: how the run ended. Whatever happens, no worker is left: those that
//! still run when this returns are killed with all that they started, and a worker whose supervisor is killed ends
//! itself in the same way.

use super::failures::{Cause, Lost, blame, hung};
use super::job::{Job, Work};
use super::messages::{Device, Message, Phase, Placed, Step};
use super::process::{Said, Worker};
use super::scripts::Scratch;
use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// How often workers are looked after.
const TICK: Duration = Duration::from_millis(50);

/// How long others are heard after the first sign of a failure, so that the right one is blamed.
const GRACE: Duration = Duration::from_millis(1500);

/// How long a worker that gives no sign of life is waited for, if another one has lost it or waits in vain: they give one every
/// second.
const SILENCE: Duration = Duration::from_secs(5);

/// How much longer than another step the first may take.
const FIRST_STEP: u32 = 10;

/// Ports that are tried if one is taken.
const ATTEMPTS: usize = 3;

/// What Gloo says to each peer that it finds.
const GLOO_GREETING: &str = "Expected number of connected peer ranks";

/// Observer of a run.
pub trait Watch {
    /// A worker does something else now.
    fn phase(&self, rank: usize, phase: Phase);
    /// A worker says something.
    fn log(&self, rank: usize, line: &str);
    /// A step is done.
    fn step(&self, step: &Step);
    /// A checkpoint is complete.
    fn saved(&self, step: u64, path: &str, seconds: f64);
    /// All workers have written the results of a step.
    fn results(&self, step: u64);
    /// The most bytes that a device of a group needed at once.
    fn memory(&self, group: usize, bytes: u64) {
        let _ = (group, bytes);
    }
    /// Something that is worth a line.
    fn note(&self, text: &str) {
        let _ = text;
    }
    /// Bytes of a program that keeps something on the host.
    fn placed(&self, placed: &Placed) {
        let _ = placed;
    }
    /// What the devices are.
    fn device(&self, device: &Device) {
        let _ = device;
    }
    /// The seconds that the thing of a measurement takes once.
    fn measured(&self, index: usize, seconds: f64) {
        let _ = (index, seconds);
    }
    /// A measurement cannot be made, and why.
    fn unmeasured(&self, index: usize, why: &str) {
        let _ = (index, why);
    }
    /// Whether the run should come to an end.
    fn should_stop(&self) -> bool;
}

/// End of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Steps that are done, those before the run included.
    pub step: u64,
    /// Whether it was asked to stop before its last step.
    pub is_stopped: bool,
    /// Seconds of each step.
    pub seconds: Vec<f64>,
    /// The step of the last complete checkpoint, and its folder.
    pub saved: Option<(u64, String)>,
    /// The worker that was lost, if one was.
    pub lost: Option<Lost>,
}

/// Failures to start or watch workers.
#[derive(Debug)]
pub enum StartError {
    /// The folder for their files cannot be written.
    Folder(PathBuf, io::Error),
    /// Their Python does not start.
    Python(io::Error),
    /// The system refuses something else.
    Other(io::Error),
}

/// Runs a job. `scratch` is the system's place for files that may be lost.
///
/// # Errors
/// Workers cannot be started, or their files not be written.
#[allow(clippy::disallowed_methods)] // a process that hangs is found by the clock alone
pub fn supervise(job: &Job, scratch: &Path, watch: &dyn Watch) -> Result<Ended, StartError> {
    let mut attempt = 0;
    loop {
        let mut job = job.clone();
        let chooses = job.coordinator.is_none() && job.processes > 1;
        if chooses {
            let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
            let port = free.map_err(StartError::Other)?.port();
            job.coordinator = Some(format!("127.0.0.1:{port}"));
        }
        let ended = Run::start(&job, scratch, watch)?.until_the_end().map_err(StartError::Other)?;
        attempt += 1;
        let is_taken = ended.lost.as_ref().is_some_and(|lost| lost.cause == Cause::Port);
        if !(chooses && is_taken && attempt < ATTEMPTS) {
            return Ok(ended);
        }
    }
}

struct Run<'a> {
    job: &'a Job,
    watch: &'a dyn Watch,
    workers: Vec<(usize, Worker)>,
    said: Receiver<(usize, Said)>,
    seconds: Vec<f64>,
    /// Steps that not all workers have done yet: what those that have say of them, and how many these are.
    stepped: std::collections::BTreeMap<u64, (Step, usize)>,
    /// Steps whose results not all workers have written yet: how many have.
    written: std::collections::BTreeMap<u64, usize>,
    saved: Option<(u64, String)>,
    is_asked: bool,
    is_stopped: bool,
    // Last, so that workers are gone before their files are.
    _scratch: Scratch,
}

impl<'a> Run<'a> {
    #[allow(clippy::disallowed_methods)]
    fn start(job: &'a Job, scratch: &Path, watch: &'a dyn Watch) -> Result<Self, StartError> {
        let parent = scratch;
        let fail = |error| StartError::Folder(parent.to_owned(), error);
        let scratch = Scratch::new(parent).map_err(fail)?;
        scratch.unpack().map_err(fail)?;
        let text = serde_json::to_string(job).map_err(|error| StartError::Other(error.into()))?;
        std::fs::write(scratch.path().join("job.json"), text).map_err(fail)?;
        let (sender, said) = channel();
        let mut workers = Vec::new();
        for rank in job.own.clone() {
            let started = Worker::start(job, scratch.path(), rank, Instant::now(), &sender);
            workers.push((rank, started.map_err(StartError::Python)?));
        }
        let (stepped, written) = Default::default();
        let (seconds, saved, is_asked, is_stopped) = (Vec::new(), None, false, false);
        Ok(Self {
            job,
            watch,
            workers,
            said,
            seconds,
            stepped,
            written,
            saved,
            is_asked,
            is_stopped,
            _scratch: scratch,
        })
    }

    #[allow(clippy::disallowed_methods)]
    fn until_the_end(mut self) -> io::Result<Ended> {
        let lost = loop {
            self.hear(TICK);
            let mut all_ended = true;
            for (_, worker) in &mut self.workers {
                all_ended &= worker.poll()?;
            }
            // How a worker ends that is done does not matter: XLA ends a process whose fellows have left.
            let is_lost =
                |worker: &Worker| worker.failed.is_some() || (worker.ended.is_some() && !worker.is_done);
            if self.workers.iter().any(|(_, worker)| is_lost(worker)) {
                break self.first_at_fault()?;
            }
            if all_ended {
                break None;
            }
            if let Some(lost) = self.hung() {
                break Some(lost);
            }
            if self.watch.should_stop() && !self.is_asked && !self.ask_to_stop() {
                break None;
            }
        };
        while let Ok((rank, said)) = self.said.try_recv() {
            self.take(rank, said);
        }
        let step = self.workers.iter().map(|(_, worker)| worker.step).min().unwrap_or(0);
        Ok(Ended {
            step,
            is_stopped: self.is_stopped,
            seconds: std::mem::take(&mut self.seconds),
            saved: self.saved.take(),
            lost,
        })
    }

    /// Hears what workers say, for as long as `patience` if they say nothing.
    fn hear(&mut self, patience: Duration) {
        match self.said.recv_timeout(patience) {
            Ok((rank, said)) => {
                self.take(rank, said);
                while let Ok((rank, said)) = self.said.try_recv() {
                    self.take(rank, said);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            // All have closed their ends: they are about to be gone.
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(patience),
        }
    }

    #[allow(clippy::disallowed_methods)]
    fn take(&mut self, rank: usize, said: Said) {
        let first = self.job.own.start;
        let Some((_, worker)) = self.workers.iter_mut().find(|(own, _)| *own == rank) else { return };
        worker.heard = Instant::now();
        match said {
            Said::Line(line) if line.contains(GLOO_GREETING) => {}
            // What XLA complains of when fellows have left.
            Said::Line(_) if worker.is_done => {}
            Said::Line(line) => {
                self.watch.log(rank, &line);
                worker.keep(line);
            }
            Said::Garbled(why) => {
                worker.failed = Some(["other".to_owned(), worker.phase.word().to_owned(), why]);
            }
            Said::Message(Message::Alive { left }) => worker.left = left,
            Said::Message(Message::Hello { .. }) => {}
            Said::Message(Message::Phase { name }) => {
                (worker.phase, worker.moved) = (name, worker.heard);
                self.watch.phase(rank, name);
            }
            Said::Message(Message::Step(step)) => {
                (worker.step, worker.moved) = (step.step, worker.heard);
                self.count(step);
            }
            Said::Message(Message::Memory { groups }) => {
                groups.into_iter().for_each(|(group, bytes)| self.watch.memory(group, bytes));
            }
            Said::Message(Message::Results { step }) => {
                let written = self.written.entry(step).or_default();
                *written += 1;
                if *written == self.job.own.len() {
                    self.written.remove(&step);
                    self.watch.results(step);
                }
            }
            Said::Message(Message::Saved { step, path, seconds }) => {
                self.watch.saved(step, &path, seconds);
                self.saved = Some((step, path));
            }
            Said::Message(Message::Note { text }) if rank == first => self.watch.note(&text),
            Said::Message(Message::Placed(placed)) if rank == first => self.watch.placed(&placed),
            Said::Message(Message::Note { .. } | Message::Placed(_)) => {}
            Said::Message(Message::Device(device)) if rank == first => self.watch.device(&device),
            Said::Message(Message::Measured { index, seconds }) => {
                worker.moved = worker.heard;
                if rank == first {
                    self.watch.measured(index, seconds);
                }
            }
            Said::Message(Message::Unmeasured { index, why }) => {
                worker.moved = worker.heard;
                if rank == first {
                    self.watch.unmeasured(index, &why);
                }
            }
            Said::Message(Message::Device(_)) => {}
            Said::Message(Message::Failed { kind, doing, message }) => {
                worker.failed = Some([kind, doing, message]);
            }
            Said::Message(Message::Done { step, is_stopped }) => {
                (worker.step, worker.is_done) = (step, true);
                self.is_stopped |= is_stopped;
            }
        }
    }

    /// Puts together what workers say of a step: it takes as long as the slowest says, and each value is told by those who
    /// have it.
    fn count(&mut self, step: Step) {
        let (so_far, count) = self.stepped.entry(step.step).or_insert_with(|| (step.clone(), 0));
        so_far.seconds = so_far.seconds.max(step.seconds);
        so_far.values.extend(step.values);
        *count += 1;
        if *count == self.job.own.len()
            && let Some((step, _)) = self.stepped.remove(&step.step)
        {
            self.seconds.push(step.seconds);
            self.watch.step(&step);
        }
    }

    /// Waits a little for others to fail, and says which was first.
    #[allow(clippy::disallowed_methods)]
    fn first_at_fault(&mut self) -> io::Result<Option<Lost>> {
        let since = Instant::now();
        while since.elapsed() < GRACE {
            self.hear(TICK);
            for (_, worker) in &mut self.workers {
                worker.poll()?;
            }
        }
        let lost = blame(&self.workers);
        // Others give up when one does not answer them for long enough, which may be before it counts as hanging here.
        let silent = |worker: &Worker| worker.ended.is_none() && worker.heard.elapsed() > SILENCE;
        let is_cut_off = lost.as_ref().is_some_and(|lost| lost.cause == Cause::Peer);
        if is_cut_off && self.workers.iter().any(|(_, worker)| silent(worker)) {
            return Ok(hung(&self.workers, silent, self.job.hang_timeout.as_secs()));
        }
        Ok(lost)
    }

    /// The worker that hangs, if one does. Only running has a limit: compiling, reading and writing take what they take,
    /// as long as the worker gives signs of life.
    fn hung(&self) -> Option<Lost> {
        let limit = self.job.hang_timeout;
        let silent = |worker: &Worker| worker.ended.is_none() && worker.heard.elapsed() > limit.min(SILENCE);
        let seconds = limit.as_secs();
        if self.workers.iter().any(|(_, worker)| worker.ended.is_none() && worker.heard.elapsed() > limit) {
            return hung(&self.workers, silent, seconds);
        }
        let moved_since = |worker: &Worker, limit: Duration| {
            worker.is_done || worker.phase != Phase::Running || worker.moved.elapsed() <= limit
        };
        let mut running = self.workers.iter().filter(|(_, worker)| worker.ended.is_none());
        if running.all(|(_, worker)| moved_since(worker, limit)) {
            return None;
        }
        let mut sorted = self.seconds.clone();
        sorted.sort_by(f64::total_cmp);
        let limit = match sorted.get(sorted.len() / 2) {
            Some(median) => limit.max(Duration::try_from_secs_f64(10.0 * median).unwrap_or(limit)),
            None => limit.saturating_mul(FIRST_STEP),
        };
        let mut running = self.workers.iter().filter(|(_, worker)| worker.ended.is_none());
        let all_moved = running.all(|(_, worker)| moved_since(worker, limit));
        if all_moved { None } else { hung(&self.workers, silent, limit.as_secs()) }
    }

    /// Asks workers to stop, which they do behind the same step. False if no step has begun, or if small programs are
    /// timed, so that there is nothing to wait for.
    fn ask_to_stop(&mut self) -> bool {
        let has_begun =
            |worker: &Worker| matches!(worker.phase, Phase::Running | Phase::Saving | Phase::Writing);
        let has_steps = matches!(self.job.work, Work::Steps(_));
        if !has_steps || !self.workers.iter().all(|(_, worker)| has_begun(worker)) {
            self.is_stopped = true;
            return false;
        }
        self.is_asked = true;
        for (_, worker) in &mut self.workers {
            worker.ask_to_stop();
        }
        true
    }
}
