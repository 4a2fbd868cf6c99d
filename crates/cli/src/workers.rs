//! What commands that start worker processes share: which Python runs them, and what is said when one is lost.

use crate::args::WorkerArguments;
use crate::failure::{Failure, Finding, Outcome};
use meshwright_execute::workers::{Cause, Job, Lost, Phase, StartError, Straddles};
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Seconds that a step may take, if no flag says otherwise.
const HANG_TIMEOUT: f64 = 30.0;

/// A worker was lost.
pub(crate) const WORKER: Check = Check("worker");

/// The Python that was asked for; that of the active virtual environment; what the path has.
pub(crate) fn python(asked: Option<&Path>) -> PathBuf {
    let active = || {
        let program = PathBuf::from(environment("VIRTUAL_ENV")?).join("bin/python");
        program.is_file().then_some(program)
    };
    asked.map(Path::to_owned).or_else(active).unwrap_or_else(|| PathBuf::from("python3"))
}

/// A variable of the environment.
#[allow(clippy::disallowed_methods)] // the doors read the environment
pub(crate) fn environment(name: &str) -> Option<std::ffi::OsString> {
    std::env::var_os(name)
}

/// Why no worker could be started.
pub(crate) fn unstarted(job: &Job, error: &StartError) -> Failure {
    let program = job.python.display();
    match error {
        StartError::Folder(path, error) => {
            let hint = "workers' files go there: set `TMPDIR` to a folder that may be written";
            Failure::file(path, format!("cannot be written: {error}"), hint)
        }
        StartError::Python(error) => Failure::usage(format!(
            "workers cannot be started with `{program}`: {error}; give a Python with `--python`"
        )),
        StartError::Other(error) => Failure::usage(format!("workers cannot be watched: {error}")),
    }
}

/// The workers that are started here, of so many in all.
pub(crate) fn own(flags: &WorkerArguments, processes: usize) -> Outcome<Range<usize>> {
    if flags.hosts.is_some() && flags.processes != 1 {
        return Err(Failure::usage("with `--hosts` there is one process per host: leave `--processes` out"));
    }
    match flags.host_index.map(|index| usize::try_from(index).unwrap_or(usize::MAX)) {
        None => Ok(0..processes),
        Some(index) if index < processes => Ok(index..index + 1),
        Some(index) => {
            let last = processes.saturating_sub(1);
            Err(Failure::usage(format!("`--host-index {index}`: hosts are numbered 0 to {last}")))
        }
    }
}

/// Refuses a split of groups of devices among processes that XLA cannot run.
pub(crate) fn straddling(flag: &str, processes: usize, straddles: &Straddles) -> Failure {
    let groups: Vec<String> = straddles.groups.iter().map(usize::to_string).collect();
    let possible: Vec<String> = straddles.possible.iter().map(|count| format!("`{flag} {count}`")).collect();
    Failure::usage(format!(
        "with `{flag} {processes}`, process {} has parts of groups {}: a process has whole groups, or a group whole \
         processes, as with {}",
        straddles.process,
        groups.join(" and "),
        possible.join(" or "),
    ))
}

/// How long workers may take for a step.
pub(crate) fn hang_timeout(flags: &WorkerArguments) -> Outcome<Duration> {
    seconds("--hang-timeout", flags.hang_timeout.unwrap_or(HANG_TIMEOUT)).map(Duration::from_secs_f64)
}

/// A time that a flag gives.
pub(crate) fn seconds(flag: &str, given: f64) -> Outcome<f64> {
    if given.is_finite() && given > 0.0 {
        return Ok(given.min(1e9));
    }
    Err(Failure::usage(format!("`{flag} {given}` is no number of seconds")))
}

/// Refuses flags of workers where there are none.
pub(crate) fn refuse(flags: &WorkerArguments) -> Outcome {
    let given = [
        ("--processes", flags.processes != 1),
        ("--python", flags.python.is_some()),
        ("--platform", flags.platform.is_some()),
        ("--hang-timeout", flags.hang_timeout.is_some()),
        ("--coordinator", flags.coordinator.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(Failure::usage(format!("`{flag}` is for `--engine xla`"))),
        None => Ok(()),
    }
}

/// One message for a worker that was lost: which, at which step, why, its last lines, and what to do.
pub(crate) fn failure(lost: &Lost, saved: Option<String>) -> Failure {
    let Lost { rank, phase, step, cause, message, log } = lost;
    let place = match phase {
        Phase::Running => format!("in step {}", step + 1),
        Phase::Saving => format!("while it was writing the checkpoint of step {step}"),
        phase => format!("while it was {}", phase.word()),
    };
    let mut text = format!("worker {rank} was lost {place}: {message}");
    let shown: Vec<&String> = log.iter().filter(|line| !line.is_empty()).collect();
    if !shown.is_empty() && !matches!(cause, Cause::Input | Cause::Hung) {
        text.push_str("\nits last lines:");
        for line in &shown[shown.len().saturating_sub(8)..] {
            text.push_str(&format!("\n  [{rank}] {line}"));
        }
    }
    let hint = match cause {
        Cause::Input => {
            "check what it names; if that is a checkpoint, remove its folder: the one before is used then"
        }
        Cause::Environment => {
            "give a Python that has jax with `--python`, as `pip install jax` makes it in its environment"
        }
        Cause::Memory => {
            "the devices or this host have too little memory: plan with `--memory-limit`, or use more devices"
        }
        Cause::File => {
            "is the disk full, or may the folder not be written? what was reported as saved is complete"
        }
        Cause::Port => {
            "another program has the port, or this host not the address: give another one with `--coordinator HOST:PORT`"
        }
        Cause::Compile => "XLA refuses the program: `meshwright check` the model, and report the lines above",
        Cause::Killed => "if the system killed it (`dmesg` says), it needs more memory than there is",
        Cause::Ended => "somebody, or the system that runs jobs, ended it",
        Cause::Crashed => {
            "JAX or a library under it broke down: the lines above may say where; is it the tested version?"
        }
        Cause::Hung => "look at the machine of this worker; if steps are slow, give `--hang-timeout SECONDS`",
        Cause::Peer => "a worker on another host was lost: look there",
        Cause::Other => "the lines above say what went wrong",
    };
    let mut diagnostic = Diagnostic::error(WORKER, Span::NONE, text).hint(hint);
    if let Some(saved) = saved {
        diagnostic = diagnostic.hint(saved);
    }
    let finding = Finding { diagnostic, source: None };
    match cause {
        Cause::Input => Failure::Input(vec![finding]),
        _ => Failure::Worker(Box::new(finding)),
    }
}
