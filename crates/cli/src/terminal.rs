//! The command line's side of long work: dumps of programs after stages, and progress for people who wait.
//!
//! Progress is shown only if stderr is a terminal, after two seconds, and is wiped when the work ends.

use crate::args::{Dump, Output, Stages};
use crate::failure::{Failure, Outcome, warn, warn_all};
use crate::progress::ProgressLine;
use crate::{interrupt, output};
use meshwright_compile::{MAKING, SEARCHING_ON};
use meshwright_ir::control::{Control, View};
use meshwright_ir::diagnostic::{Check, Diagnostic, Source};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// A stage was named, and it did not run or nothing ran after it.
const STAGE: Check = Check("stage");

/// How often work that says nothing of its progress is looked at.
const TICK: Duration = Duration::from_millis(500);

/// Dumps and progress of one command.
pub(crate) struct Terminal<'a> {
    dumps: &'a [Dump],
    /// Which dumps have been written.
    written: Mutex<Vec<bool>>,
    /// The first dump that could not be written.
    failure: Mutex<Option<Failure>>,
    /// What the work warned of.
    warnings: Mutex<Vec<Diagnostic>>,
    line: ProgressLine,
    /// Whether Ctrl-C asks the work to stop.
    is_listening: AtomicBool,
    /// Whether it did, and will again where the work searches on.
    is_made: AtomicBool,
}

impl<'a> Terminal<'a> {
    /// For a command with these stages.
    pub(crate) fn new(stages: &'a Stages) -> Self {
        Self::with_dumps(&stages.dump_after)
    }

    /// For a command without stages.
    pub(crate) fn plain() -> Self {
        Self::with_dumps(&[])
    }

    /// The same where Ctrl-C asks the work to come to its end with the best so far.
    pub(crate) fn listening(self) -> Self {
        interrupt::listen();
        self.is_listening.store(true, Ordering::SeqCst);
        self
    }

    /// Ctrl-C asks this work no more: it ends the command. Returns whether it did ask.
    fn unlisten(&self) -> bool {
        let was_listening = self.is_listening.swap(false, Ordering::SeqCst);
        if was_listening {
            interrupt::unlisten();
        }
        was_listening
    }

    /// Ctrl-C asks the work while it searches, and ends the command while what was found is made.
    fn listen_to_searches(&self, stage: &str) {
        // Nobody waits until programs are made who has asked for nothing but an end.
        if stage == MAKING && !interrupt::asked() && self.unlisten() {
            self.is_made.store(true, Ordering::SeqCst);
        }
        // From here on a plan would be lost.
        if stage == SEARCHING_ON && self.is_made.swap(false, Ordering::SeqCst) {
            interrupt::listen();
            self.is_listening.store(true, Ordering::SeqCst);
        }
    }

    fn with_dumps(dumps: &'a [Dump]) -> Self {
        Self {
            dumps,
            written: Mutex::new(vec![false; dumps.len()]),
            failure: Mutex::new(None),
            warnings: Mutex::new(Vec::new()),
            line: ProgressLine::on_terminal(),
            is_listening: AtomicBool::new(false),
            is_made: AtomicBool::new(false),
        }
    }

    /// Ends the work: wipes progress and answers for the dumps. One of a stage that did not run is no failure: what was
    /// asked for besides is there.
    pub(crate) fn finish(&self, out: Output) -> Outcome {
        self.wipe();
        if let Some(failure) = held(&self.failure).take() {
            return Err(failure);
        }
        for (dump, _) in self.dumps.iter().zip(held(&self.written).iter()).filter(|(_, written)| !**written) {
            let message =
                format!("`--dump-after {}`: this stage did not run, so nothing is written", dump.stage);
            let hint = (dump.stage == "search").then(|| {
                "what is annotated, or planned already, is searched only with `--search rest`".to_owned()
            });
            warn(STAGE, message, hint, out);
        }
        Ok(())
    }

    /// What the work warned of, which is left to whoever takes it.
    pub(crate) fn take_warnings(&self) -> Vec<Diagnostic> {
        std::mem::take(&mut *held(&self.warnings))
    }

    /// Shows what the work warned of; the places are in `source`.
    pub(crate) fn show_warnings(&self, source: &Source, out: Output) {
        let warnings = self.take_warnings();
        if !warnings.is_empty() {
            self.wipe();
            warn_all(source, warnings, out);
        }
    }

    /// Does work that says nothing of its progress: what is being done is shown meanwhile, and wiped behind it.
    pub(crate) fn during<T>(&self, stage: &str, work: impl FnOnce() -> T) -> T {
        if !self.line.is_on() {
            return work();
        }
        let (working, ended) = channel::<()>();
        let result = std::thread::scope(|scope| {
            scope.spawn(move || {
                while ended.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    self.progress(stage, 0, 0);
                }
            });
            let result = work();
            drop(working);
            result
        });
        self.wipe();
        result
    }

    /// Removes the line of progress.
    pub(crate) fn wipe(&self) {
        self.line.wipe();
    }

    fn write(&self, dump: &Dump, text: &str) -> Outcome {
        match &dump.file {
            Some(file) => output::write(file, text.as_bytes()),
            None => {
                self.wipe();
                // Like any diagnostic: there is nobody left to tell if this fails.
                let _ = std::io::stderr().write_all(format!("// after {}\n{text}", dump.stage).as_bytes());
                Ok(())
            }
        }
    }
}

/// What a lock guards, also after a panic.
fn held<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Refuses stages that a command does not have, before any work is done.
pub(crate) fn known_stages(asked: &Stages, stages: &[&str]) -> Outcome {
    let dumps = asked.dump_after.iter().map(|dump| ("--dump-after", &dump.stage));
    let stop = asked.stop_after.iter().map(|stage| ("--stop-after", stage));
    match dumps.chain(stop).find(|(_, stage)| !stages.contains(&stage.as_str())) {
        Some((flag, stage)) => {
            let list = stages.join(", ");
            Err(Failure::usage(format!("`{flag} {stage}`: there is no such stage; the stages are {list}")))
        }
        None => Ok(()),
    }
}

/// Says that the work stopped where it was asked to. `unwritten` is the file that was not written therefore.
pub(crate) fn stopped(stage: &str, unwritten: Option<&Path>, out: Output) -> Outcome {
    if out.json {
        return output::print(&output::json(&serde_json::json!({ "stopped_after": stage })));
    }
    let rest = unwritten
        .map_or("nothing else was done".to_owned(), |path| format!("{} was not written", path.display()));
    warn(STAGE, format!("stopped after `{stage}`, as asked: {rest}"), None, out);
    Ok(())
}

impl Drop for Terminal<'_> {
    fn drop(&mut self) {
        self.unlisten();
    }
}

impl Control for Terminal<'_> {
    fn should_stop(&self) -> bool {
        self.is_listening.load(Ordering::SeqCst) && interrupt::asked()
    }

    /// Ways that are tried one after the other may warn of the same.
    fn warn(&self, warning: &Diagnostic) {
        let mut warnings = held(&self.warnings);
        if !warnings.contains(warning) {
            warnings.push(warning.clone());
        }
    }

    fn progress(&self, stage: &str, done: usize, total: usize) {
        self.listen_to_searches(stage);
        self.line.show(stage, done, total);
    }

    fn after_pass(&self, name: &str, view: View<'_>) {
        let mut text = None;
        for (index, dump) in self.dumps.iter().enumerate().filter(|(_, dump)| dump.stage == name) {
            let text = text.get_or_insert_with(|| view.text());
            if let Err(failure) = self.write(dump, text) {
                held(&self.failure).get_or_insert(failure);
            }
            held(&self.written)[index] = true;
        }
    }

    fn is_watched(&self) -> bool {
        !self.dumps.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_asked_again_where_it_searches_on() {
        let terminal = Terminal::plain().listening();
        let is_listening = || terminal.is_listening.load(Ordering::SeqCst);
        terminal.progress(SEARCHING_ON, 0, 0);
        assert!(is_listening());
        terminal.progress(MAKING, 0, 0);
        assert!(!is_listening());
        terminal.progress(SEARCHING_ON, 0, 0);
        assert!(is_listening());
        // Nobody listens of whom it was not asked.
        let plain = Terminal::plain();
        plain.progress(MAKING, 0, 0);
        plain.progress(SEARCHING_ON, 0, 0);
        assert!(!plain.is_listening.load(Ordering::SeqCst));
    }

    #[test]
    fn who_shows_that_work_goes_on_ends_with_it() {
        let mut terminal = Terminal::plain();
        for is_terminal in [false, true] {
            terminal.line = ProgressLine::new(is_terminal);
            assert_eq!(terminal.during("work", || 7), 7);
        }
    }
}
