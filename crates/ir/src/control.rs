//! How a long piece of work talks to whoever started it, without clocks, printing or the environment.

use crate::diagnostic::Diagnostic;
use crate::program::Program;

/// Implemented by the doors, which own clocks, signals and files.
pub trait Control: Sync {
    /// Whether to stop as soon as possible with the best so far.
    fn should_stop(&self) -> bool {
        false
    }

    /// `done` of `total` units of the stage are finished.
    fn progress(&self, stage: &str, done: usize, total: usize) {
        let _ = (stage, done, total);
    }

    /// Something that the user should know and that does not keep the work from being done.
    fn warn(&self, warning: &Diagnostic) {
        let _ = warning;
    }

    /// A stage or pass has finished; `program` renders what it left behind (only called if wanted).
    fn after_pass(&self, name: &str, program: &dyn Fn() -> Program) {
        let _ = (name, program);
    }
}

/// Runs to the end in silence.
pub struct Quiet;

impl Control for Quiet {}
