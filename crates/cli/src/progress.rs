//! The line of progress on a terminal, for people who wait.
//!
//! Input: what is being done, and how much of it is done. Output: a line on stderr that is written over, of work that takes
//! longer than two seconds, and is wiped when it ends.

use std::io::{IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Nothing is shown of work that is shorter.
const PATIENCE: Duration = Duration::from_secs(2);

/// Least time between two lines of progress.
const INTERVAL: Duration = Duration::from_millis(100);

/// Silence after which the line is written again by [`ProgressLine::tick`], so that its seconds go on.
const SILENCE: Duration = Duration::from_millis(500);

/// What is shown of work that has not said what it does.
const WORKING: &str = "working";

/// A line of progress of one piece of work.
pub struct ProgressLine {
    is_on: bool,
    started: Instant,
    line: Mutex<Line>,
}

/// What is on the terminal.
#[derive(Default)]
struct Line {
    /// What was said last; nothing was where it is empty.
    stage: String,
    /// The time at which it was written, if it is there.
    shown: Option<Instant>,
    is_over: bool,
}

impl ProgressLine {
    /// The line of work that begins now; nothing is ever shown where it is not `is_on`.
    #[allow(clippy::disallowed_methods)] // the doors read clocks
    pub fn new(is_on: bool) -> Self {
        Self { is_on, started: Instant::now(), line: Mutex::default() }
    }

    /// The same where stderr is a terminal.
    pub fn on_terminal() -> Self {
        Self::new(std::io::stderr().is_terminal())
    }

    /// Returns whether anything may be shown.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Shows what is being done, unless something was shown just before.
    pub fn show(&self, stage: &str, done: usize, total: usize) {
        if !self.is_due(INTERVAL) {
            return;
        }
        let part = if total == 0 { String::new() } else { format!(" {done}/{total}") };
        self.write(|line| line.stage = format!("{stage}{part}"));
    }

    /// Shows what was said last again, where nothing was said for a while.
    pub fn tick(&self) {
        if self.is_due(SILENCE) {
            self.write(|_| {});
        }
    }

    /// Removes the line.
    pub fn wipe(&self) {
        self.held().wipe();
    }

    /// Removes the line for good: work that goes on without anybody waiting for it shows nothing.
    pub fn end(&self) {
        let mut line = self.held();
        line.is_over = true;
        line.wipe();
    }

    /// Whether people have waited long enough, and the line is not as new as that.
    fn is_due(&self, age: Duration) -> bool {
        if !self.is_on || self.started.elapsed() < PATIENCE {
            return false;
        }
        let line = self.held();
        !line.is_over && line.shown.is_none_or(|shown| shown.elapsed() >= age)
    }

    #[allow(clippy::disallowed_methods)] // the doors read clocks
    fn write(&self, say: impl FnOnce(&mut Line)) {
        let mut line = self.held();
        // It may have ended since.
        if line.is_over {
            return;
        }
        say(&mut line);
        line.shown = Some(Instant::now());
        let stage = if line.stage.is_empty() { WORKING } else { line.stage.as_str() };
        let seconds = self.started.elapsed().as_secs();
        // There is nobody left to tell if this fails.
        let _ = std::io::stderr().write_all(format!("\r\x1b[K{stage} ({seconds} s)").as_bytes());
    }

    /// The line, also after a panic.
    fn held(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Line {
    fn wipe(&mut self) {
        if self.shown.take().is_some() {
            let _ = std::io::stderr().write_all(b"\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line for which somebody has waited long enough, if the clock goes back that far.
    fn waited_for(is_on: bool) -> ProgressLine {
        let line = ProgressLine::new(is_on);
        let started = line.started.checked_sub(PATIENCE).unwrap_or(line.started);
        ProgressLine { started, ..line }
    }

    #[test]
    fn nothing_is_shown_where_it_is_off_or_too_early_or_over() {
        let (off, early, over) = (waited_for(false), ProgressLine::new(true), waited_for(true));
        over.end();
        for line in [&off, &early, &over] {
            line.show("search", 1, 2);
            line.tick();
            let held = line.held();
            assert!(held.shown.is_none() && held.stage.is_empty());
        }
    }
}
