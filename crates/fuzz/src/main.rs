//! The fuzzer's command line; `docs/testing.md` says how it is used.
//!
//! Input: the name of a target, how long or how often, where inputs that reach new code are kept and findings go.
//! Output: a line now and then, each finding as a file; exit code 1 if there are findings.

// It talks to the person who runs it, and its processes to one another.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, clippy::exit)]

mod shrink;
mod supervisor;
mod worker;

use meshwright_fuzz::memory::LimitedAllocator;
use meshwright_fuzz::targets::{TARGETS, Target};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Bytes that a process may hold; nothing in the corpus takes a tenth of it.
pub(crate) const MEMORY: usize = 1 << 30;

#[global_allocator]
pub(crate) static ALLOCATOR: LimitedAllocator<MEMORY> = LimitedAllocator::new();

const USAGE: &str = "\
Looks for inputs that crash, hang, flood the memory, or make the compiler contradict itself.

Usage: meshwright-fuzz TARGET [--seconds N] [--runs N] [--seed N] [--corpus FOLDER] [--findings FOLDER]
       meshwright-fuzz TARGET --once FILE

  --seconds   stops after so many seconds (default 60)
  --runs      stops after so many inputs
  --seed      where random choices begin (default 0)
  --corpus    keeps inputs that reach new code, and begins with those that are there
  --findings  where inputs that do what they should not are left (default: fuzz-findings)
  --once      runs one input and tells how far it came

Targets:
";

/// What the person asks for.
pub(crate) struct Request {
    pub(crate) target: &'static Target,
    pub(crate) seconds: u64,
    pub(crate) runs: u64,
    pub(crate) seed: u64,
    pub(crate) corpus: Option<PathBuf>,
    pub(crate) findings: PathBuf,
    once: Option<PathBuf>,
    /// How many inputs of the corpus were run as they are already.
    pub(crate) from: usize,
    /// Whether this process is one that runs inputs.
    is_worker: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(request) = request(&arguments) else {
        eprint!("{USAGE}");
        for target in TARGETS {
            eprintln!("  {:10}  {}", target.name, target.about);
        }
        return ExitCode::from(2);
    };
    if let Some(file) = &request.once {
        return worker::once(request.target, file);
    }
    if request.is_worker {
        return worker::work(&request);
    }
    supervisor::run(&request)
}

fn request(arguments: &[String]) -> Option<Request> {
    let (name, options) = arguments.split_first()?;
    let mut request = Request {
        target: TARGETS.iter().find(|target| target.name == name)?,
        seconds: 60,
        runs: u64::MAX,
        seed: 0,
        corpus: None,
        findings: PathBuf::from("fuzz-findings"),
        once: None,
        from: 0,
        is_worker: false,
    };
    let mut has_seconds = false;
    for pair in options.chunks(2) {
        let [name, value] = pair else { return None };
        match name.as_str() {
            "--seconds" => (request.seconds, has_seconds) = (value.parse().ok()?, true),
            "--runs" => request.runs = value.parse().ok()?,
            "--seed" => request.seed = value.parse().ok()?,
            "--corpus" => request.corpus = Some(PathBuf::from(value)),
            "--findings" => request.findings = PathBuf::from(value),
            "--once" => request.once = Some(PathBuf::from(value)),
            "--from" => request.from = value.parse().ok()?,
            "--worker" => request.is_worker = value == "yes",
            _ => return None,
        }
    }
    if request.runs != u64::MAX && !has_seconds {
        request.seconds = u64::MAX;
    }
    Some(request)
}

/// The repository, whose files the corpus begins with.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
