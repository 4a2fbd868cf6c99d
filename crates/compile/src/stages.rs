//! The stages of compilation, by the names under which `Control::after_pass` reports them.

use meshwright_ir::control::{Control, View};
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_ir::program::Program;

use crate::error::CompileError;
use crate::options::Options;

/// As it was read, with the mesh that was given.
pub(crate) const READ: &str = "read";
/// One function, all calls inlined.
pub(crate) const INLINE: &str = "inline";
/// The variant of it that was taken.
pub(crate) const ORDER: &str = "order";
/// Annotated with what the search chose; only if there was one. Read again, it gives the same plan.
pub(crate) const SEARCH: &str = "search";
/// Annotated with what the shardings given and chosen make of every value.
pub(crate) const PROPAGATE: &str = "propagate";
/// The local program as the partitioner emits it; then each pass over it by its own name.
pub(crate) const PARTITION: &str = "partition";
/// The local program.
pub(crate) const FINAL: &str = "final";

/// Stages before anything is decided: who stops there has lost nothing. What follows the search is short beside it, and
/// goes on to the end with the best that was found.
const BEFORE_DECISIONS: [&str; 2] = [READ, INLINE];

/// The option that names a stage names one that does not exist.
const STAGE: Check = Check("stage");

/// Every pass over the local program in order: its name, and what it does in one line.
pub fn passes() -> Vec<(&'static str, &'static str)> {
    meshwright_spmd::optimize::PASSES.iter().map(|pass| (pass.name, pass.summary)).collect()
}

/// Every stage of [`crate::compile()`] in order.
pub fn stages() -> Vec<&'static str> {
    [READ, INLINE, ORDER, SEARCH, PROPAGATE].into_iter().chain(lowering()).collect()
}

/// Every stage of [`crate::propagate`] in order.
pub fn stages_of_propagate() -> Vec<&'static str> {
    vec![READ, PROPAGATE]
}

/// Every stage of [`crate::partition`] in order.
pub fn stages_of_partition() -> Vec<&'static str> {
    [READ, INLINE, PROPAGATE].into_iter().chain(lowering()).collect()
}

/// From the partitioner to the local program.
fn lowering() -> impl Iterator<Item = &'static str> {
    let passes = meshwright_spmd::optimize::PASSES.iter().map(|pass| pass.name);
    [PARTITION].into_iter().chain(passes).chain([FINAL])
}

/// Reports finished stages and stops where the caller wants it.
pub(crate) struct Stages<'a> {
    control: &'a dyn Control,
    stop_after: Option<&'a str>,
}

impl<'a> Stages<'a> {
    /// Stages named `stages`. Errors: `stop_after` names none of them.
    pub(crate) fn new(
        stages: &[&str],
        options: &'a Options,
        control: &'a dyn Control,
    ) -> Result<Self, CompileError> {
        let stop_after = options.stop_after.as_deref();
        match stop_after {
            Some(stage) if !stages.contains(&stage) => {
                let message = format!("there is no stage `{stage}`");
                let hint = format!("the stages are {}", stages.join(", "));
                let diagnostic = Diagnostic::error(STAGE, Span::NONE, message).hint(hint);
                Err(CompileError::Options(Box::new(diagnostic)))
            }
            _ => Ok(Self { control, stop_after }),
        }
    }

    /// A stage has finished; `program` makes what it left behind.
    pub(crate) fn done(&self, stage: &str, program: &dyn Fn() -> Program) -> Result<(), CompileError> {
        self.control.after_pass(stage, View::Program(program));
        self.stop(stage)?;
        let is_interrupted = BEFORE_DECISIONS.contains(&stage) && self.control.should_stop();
        if is_interrupted { Err(CompileError::Interrupted) } else { Ok(()) }
    }

    /// Whether a stage that has reported itself was the last one wanted.
    pub(crate) fn stop(&self, stage: &str) -> Result<(), CompileError> {
        if self.stop_after == Some(stage) { Err(CompileError::Stopped(stage.to_owned())) } else { Ok(()) }
    }
}
