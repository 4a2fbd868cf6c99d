//! Ctrl-C and SIGTERM: the first asks long work to come to an end in order, the second ends the command at once.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// Exit code of a command that was ended by Ctrl-C before it was done.
pub(crate) const ENDED: u8 = 130;

/// From now on, Ctrl-C asks instead of ending the command.
pub(crate) fn listen() {
    let handler = || {
        if ASKED.swap(true, Ordering::SeqCst) {
            #[allow(clippy::exit)] // asked for twice
            std::process::exit(ENDED.into());
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

/// Whether the command was asked to come to an end.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}
