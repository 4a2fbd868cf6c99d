//! The stages of compilation, by the names under which `Control::after_pass` reports them.

use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_ir::program::Program;

use crate::error::CompileError;
use crate::options::Options;

/// As it was read, with the mesh that was given.
pub(crate) const READ: &str = "read";
/// One function, all calls inlined.
pub(crate) const INLINE: &str = "inline";
/// Annotated with what the given shardings make of every value.
pub(crate) const PROPAGATE: &str = "propagate";
/// Annotated with what the search chose; only if there was one.
pub(crate) const SEARCH: &str = "search";
/// The local program as the partitioner emits it; then each pass over it by its own name.
pub(crate) const PARTITION: &str = "partition";
/// The local program.
pub(crate) const FINAL: &str = "final";

/// The option that names a stage names one that does not exist.
const STAGE: Check = Check("stage");

/// Every stage in order.
pub fn stages() -> Vec<&'static str> {
    let passes = meshwright_spmd::optimize::PASSES.iter().map(|pass| pass.name);
    [READ, INLINE, PROPAGATE, SEARCH, PARTITION].into_iter().chain(passes).chain([FINAL]).collect()
}

/// Reports finished stages and stops where the caller wants it.
pub(crate) struct Stages<'a> {
    control: &'a dyn Control,
    stop_after: Option<&'a str>,
}

impl<'a> Stages<'a> {
    /// Errors: `stop_after` names no stage.
    pub(crate) fn new(options: &'a Options, control: &'a dyn Control) -> Result<Self, Diagnostic> {
        let stop_after = options.stop_after.as_deref();
        match stop_after {
            Some(stage) if !stages().contains(&stage) => {
                let message = format!("there is no stage `{stage}`");
                let hint = format!("the stages are {}", stages().join(", "));
                Err(Diagnostic::error(STAGE, Span::NONE, message).hint(hint))
            }
            _ => Ok(Self { control, stop_after }),
        }
    }

    /// A stage has finished; `program` makes what it left behind.
    pub(crate) fn done(&self, stage: &str, program: &dyn Fn() -> Program) -> Result<(), CompileError> {
        self.control.after_pass(stage, program);
        self.stop(stage)
    }

    /// Whether a stage that has reported itself was the last one wanted.
    pub(crate) fn stop(&self, stage: &str) -> Result<(), CompileError> {
        if self.stop_after == Some(stage) { Err(CompileError::Stopped(stage.to_owned())) } else { Ok(()) }
    }
}
