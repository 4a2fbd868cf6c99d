//! Why a run on several devices has no results.

use std::fmt;

use meshwright_ir::diagnostic::Span;
use meshwright_tensor::eval_error::{EvalError, EvalErrorKind};

/// Kinds of failure that end a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RunErrorKind {
    /// The inputs do not fit the program or the mesh; nothing was run.
    Inputs,
    /// A device could not compute a value.
    Evaluation,
    /// A `check` op found another value than it expects.
    CheckFailed,
    /// A device broke an invariant of ours; the message is the panic's.
    Panic,
    /// Devices of one group stand at different collectives.
    Mismatch,
    /// Every device has finished or waits for one that does not come.
    Deadlock,
    /// Whoever started the run asked it to stop.
    Stopped,
}

/// Failure of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    /// What kind of failure it was.
    pub kind: RunErrorKind,
    /// One sentence, without a trailing period; names the devices and ops it is about.
    pub message: String,
    /// The instruction at fault, or `Span::NONE`.
    pub span: Span,
    /// The device it happened on; the lowest one if several are concerned, none if it is about all.
    pub device: Option<usize>,
}

impl RunError {
    /// An error about the inputs or the program as a whole.
    pub fn inputs(message: impl Into<String>) -> Self {
        Self { kind: RunErrorKind::Inputs, message: message.into(), span: Span::NONE, device: None }
    }

    /// A device's evaluation failed.
    pub(crate) fn evaluation(device: Option<usize>, error: EvalError) -> Self {
        let kind = match error.kind {
            EvalErrorKind::Unable => RunErrorKind::Evaluation,
            EvalErrorKind::CheckFailed => RunErrorKind::CheckFailed,
        };
        Self { kind, message: error.message, span: error.span, device }
    }
}

impl From<EvalError> for RunError {
    /// The undistributed program failed.
    fn from(error: EvalError) -> Self {
        Self::evaluation(None, error)
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.kind, self.device) {
            (RunErrorKind::Evaluation | RunErrorKind::CheckFailed | RunErrorKind::Panic, Some(device)) => {
                write!(f, "on device {device}: {}", self.message)
            }
            _ => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for RunError {}
