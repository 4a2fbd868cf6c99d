//! Long work beside the interpreter: on a thread of its own, without the interpreter's lock, left by Ctrl-C, with progress on a
//! terminal, and with panics as exceptions.
//!
//! The calling thread only waits, and looks for signals now and then. Work is asked to stop through [`Watch`], by which it says
//! how far it is; what it needs belongs to it or is shared, since it may outlive the call.

use crate::errors::Stop;
use meshwright_cli::ProgressLine;
use meshwright_ir::control::{Control, View};
use meshwright_ir::diagnostic::Diagnostic;
use meshwright_ir::program::Program;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::io::IsTerminal;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::Builder;
use std::time::Duration;

/// How often the calling thread looks for signals.
const LOOK: Duration = Duration::from_millis(50);

/// Stack of the working thread: as much as a program's main thread has.
const STACK: usize = 8 << 20;

/// The stage behind which the program has what the search chose as annotations.
const SEARCH: &str = "search";

/// Whether the caller wants to see progress.
static WANTS_PROGRESS: AtomicBool = AtomicBool::new(true);

/// Shows progress of what takes long where `sys.stderr` is a terminal, as it is unless it is switched off.
#[pyfunction]
pub(crate) fn show_progress(is_shown: bool) {
    WANTS_PROGRESS.store(is_shown, Ordering::Relaxed);
}

/// Whether progress is shown.
fn is_shown(py: Python<'_>) -> bool {
    // It may be replaced by what captures it, or be none.
    let is_terminal =
        || -> PyResult<bool> { py.import("sys")?.getattr("stderr")?.call_method0("isatty")?.is_truthy() };
    WANTS_PROGRESS.load(Ordering::Relaxed)
        && std::io::stderr().is_terminal()
        && is_terminal().unwrap_or(false)
}

/// What whoever waits asks of work and sees of it.
pub(crate) struct Asked {
    to_stop: AtomicBool,
    line: ProgressLine,
}

/// Panics are reported as exceptions only; the trace is for those who ask for it.
#[allow(clippy::disallowed_methods)] // the doors read the environment
pub(crate) fn be_quiet() {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        set_hook(Box::new(|_| {}));
    }
}

/// Runs work on a thread of its own and waits for it. Errors: what stopped it, as an exception.
///
/// Ctrl-C is answered at once: what cannot stop in the middle of what it does goes on until it looks at what is asked of it, and
/// nobody waits for it.
pub(crate) fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Asked) -> Result<T, Stop> + Send + 'static,
) -> PyResult<T> {
    let (result, _) = waited(py, work, false)?;
    result.map_err(|stop| stop.into_exception(py))
}

/// The same for work that gives what it has by then where it is asked to stop: Ctrl-C waits for that, and the exception has it as
/// `so_far`. Pressed once more, it is answered at once.
pub(crate) fn run_so_far<'py, T: IntoPyObject<'py> + Send + 'static>(
    py: Python<'py>,
    work: impl FnOnce(&Asked) -> Result<T, Stop> + Send + 'static,
) -> PyResult<T> {
    let (result, interrupt) = waited(py, work, true)?;
    let Some(interrupt) = interrupt else { return result.map_err(|stop| stop.into_exception(py)) };
    if let Ok(so_far) = result {
        // A handler of signals may raise what takes no attributes.
        let _ = interrupt.value(py).setattr("so_far", so_far);
    }
    Err(interrupt)
}

/// Outcome of work, and the exception that somebody raised meanwhile by a signal, if work goes on until it has stopped by itself.
type Waited<T> = (Result<T, Stop>, Option<PyErr>);

/// Runs work on a thread and waits for it, or with `until_stopped` also, after a signal, for what it has by then.
fn waited<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Asked) -> Result<T, Stop> + Send + 'static,
    until_stopped: bool,
) -> PyResult<Waited<T>> {
    let line = ProgressLine::new(is_shown(py));
    let asked = Arc::new(Asked { to_stop: AtomicBool::new(false), line });
    let (done, finished) = channel();
    let own = Arc::clone(&asked);
    let worker = move || {
        let outcome = catch_unwind(AssertUnwindSafe(|| work(&own)));
        // Nobody listens after Ctrl-C.
        let _ = done.send(outcome.unwrap_or_else(|panic| Err(Stop::defect(panic.as_ref()))));
    };
    py.detach(move || {
        Builder::new().stack_size(STACK).spawn(worker)?;
        let outcome = finished_or_left(&finished, &asked, until_stopped);
        asked.line.end();
        outcome
    })
}

/// Waits until work has finished, or until a signal asks for its end.
fn finished_or_left<T>(
    finished: &Receiver<Result<T, Stop>>,
    asked: &Asked,
    until_stopped: bool,
) -> PyResult<Waited<T>> {
    let mut interrupted = None;
    loop {
        match finished.recv_timeout(LOOK) {
            Ok(result) => return Ok((result, interrupted)),
            Err(RecvTimeoutError::Timeout) => asked.line.tick(),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("a thread was lost"));
            }
        }
        if let Err(interrupt) = Python::attach(|py| py.check_signals()) {
            asked.to_stop.store(true, Ordering::Relaxed);
            if !until_stopped || interrupted.is_some() {
                return Err(interrupt);
            }
            interrupted = Some(interrupt);
        }
    }
}

/// Passes the wish to stop on to the compiler, shows how far it is, and keeps what it says on the way.
pub(crate) struct Watch<'a> {
    asked: &'a Asked,
    warnings: Mutex<Vec<Diagnostic>>,
    searched: Mutex<Option<Program>>,
}

impl<'a> Watch<'a> {
    /// Stops when it is `asked` to.
    pub(crate) fn new(asked: &'a Asked) -> Self {
        Self { asked, warnings: Mutex::default(), searched: Mutex::default() }
    }

    /// The warnings, and the program with what the search chose as annotations, if there was a search.
    pub(crate) fn finish(self) -> (Vec<Diagnostic>, Option<Program>) {
        (unlocked(self.warnings), unlocked(self.searched))
    }
}

/// What a lock guards, also after a panic.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn unlocked<T>(lock: Mutex<T>) -> T {
    lock.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Control for Watch<'_> {
    fn should_stop(&self) -> bool {
        self.asked.to_stop.load(Ordering::Relaxed)
    }

    fn progress(&self, stage: &str, done: usize, total: usize) {
        self.asked.line.show(stage, done, total);
    }

    fn warn(&self, warning: &Diagnostic) {
        held(&self.warnings).push(warning.clone());
    }

    fn after_pass(&self, name: &str, view: View<'_>) {
        if name == SEARCH {
            *held(&self.searched) = view.program();
        }
    }

    fn is_watched(&self) -> bool {
        true
    }
}
