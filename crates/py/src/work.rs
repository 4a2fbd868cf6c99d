//! Long work beside the interpreter: on a thread of its own, without the interpreter's lock, ended by Ctrl-C, and with
//! panics as exceptions.
//!
//! The calling thread only waits, and looks for signals now and then. Work is asked to stop through [`Watch`].

use crate::errors::Stop;
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Diagnostic;
use meshwright_ir::program::Program;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard};
use std::thread::{Builder, scope};
use std::time::Duration;

/// How often the calling thread looks for signals.
const LOOK: Duration = Duration::from_millis(50);

/// Stack of the working thread: as much as a program's main thread has.
const STACK: usize = 8 << 20;

/// The stage behind which the program has what the search chose as annotations.
const SEARCH: &str = "search";

/// Panics are reported as exceptions only; the trace is for those who ask for it.
#[allow(clippy::disallowed_methods)] // the doors read the environment
pub(crate) fn be_quiet() {
    if std::env::var_os("RUST_BACKTRACE").is_none() {
        set_hook(Box::new(|_| {}));
    }
}

/// Runs work on a thread of its own and waits for it. Errors: what stopped it, as an exception.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool) -> Result<T, Stop> + Send,
) -> PyResult<T> {
    let asked = &AtomicBool::new(false);
    let mut interrupt = None;
    let outcome = py.detach(|| {
        scope(|scope| {
            let (done, finished) = channel();
            let worker = Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let outcome = catch_unwind(AssertUnwindSafe(|| work(asked)));
                // The receiver waits for it.
                let _ = done.send(());
                outcome
            })?;
            while finished.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if interrupt.is_none() {
                    interrupt = Python::attach(|py| py.check_signals()).err();
                    asked.store(interrupt.is_some(), Ordering::Relaxed);
                }
            }
            Ok::<_, std::io::Error>(worker.join())
        })
    })?;
    if let Some(interrupt) = interrupt {
        return Err(interrupt);
    }
    let result = match outcome {
        Ok(Ok(result)) => result,
        Ok(Err(panic)) | Err(panic) => Err(Stop::defect(panic.as_ref())),
    };
    result.map_err(|stop| stop.into_exception(py))
}

/// Passes the wish to stop on to the compiler, and keeps what it says on the way.
pub(crate) struct Watch<'a> {
    asked: &'a AtomicBool,
    warnings: Mutex<Vec<Diagnostic>>,
    searched: Mutex<Option<Program>>,
}

impl<'a> Watch<'a> {
    /// Stops when `asked` is set.
    pub(crate) fn new(asked: &'a AtomicBool) -> Self {
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
        self.asked.load(Ordering::Relaxed)
    }

    fn warn(&self, warning: &Diagnostic) {
        held(&self.warnings).push(warning.clone());
    }

    fn after_pass(&self, name: &str, program: &dyn Fn() -> Program) {
        if name == SEARCH {
            *held(&self.searched) = Some(program());
        }
    }
}
