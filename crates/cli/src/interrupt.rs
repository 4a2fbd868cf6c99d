//! Ctrl-C and SIGTERM: as long as some work listens, the first asks it to come to an end in order, and the second ends the
//! command at once, as does the first where nobody listens. A file that is being written is finished before.

use crate::failure::say_stopped;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

static ASKED: AtomicBool = AtomicBool::new(false);

/// How much work listens.
static LISTENING: AtomicUsize = AtomicUsize::new(0);

/// Held while a file or folder is being written. It holds whether one was.
static WRITING: Mutex<bool> = Mutex::new(false);

/// Exit code of a command that was ended by Ctrl-C before it was done.
pub(crate) const ENDED: u8 = 130;

/// From now on, Ctrl-C asks instead of ending the command.
pub(crate) fn listen() {
    LISTENING.fetch_add(1, Ordering::SeqCst);
    let handler = || {
        if ASKED.swap(true, Ordering::SeqCst) || LISTENING.load(Ordering::SeqCst) == 0 {
            end();
        }
        // Whoever waits at a terminal sees that the key was heard: what was found is still made before the end.
        if std::io::stderr().is_terminal() {
            let told = "\r\x1b[Kstopping with the best so far; Ctrl-C again ends at once\n";
            let _ = std::io::stderr().write_all(told.as_bytes());
        }
    };
    // If it cannot be set, Ctrl-C ends the command as it always does.
    let _ = ctrlc::set_handler(handler);
}

/// Some work that listened is over, or will not ask any more.
pub(crate) fn unlisten() {
    LISTENING.fetch_sub(1, Ordering::SeqCst);
}

/// Ends the command as soon as no file is half written.
fn end() {
    let has_written = writing();
    if std::io::stderr().is_terminal() {
        let _ = std::io::stderr().write_all(b"\r\x1b[K");
    }
    say_stopped(match *has_written {
        true => "the files that were written before are whole",
        false => "nothing was written",
    });
    #[allow(clippy::exit)] // asked for
    std::process::exit(ENDED.into());
}

/// Keeps the command from being ended while a file is written.
pub(crate) fn writing() -> MutexGuard<'static, bool> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the command was asked to come to an end.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}
