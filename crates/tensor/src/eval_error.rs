//! What the evaluator answers when it cannot compute a value.
//!
//! Verified programs fail only on what is outside the evaluator (complex numbers, tensors too large for this
//! host), so the error is a sentence and a place, not a tree of variants.

use std::fmt;

use crate::span::Span;

/// Kinds of failure that end an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvalErrorKind {
    /// A value could not be computed.
    Unable,
    /// A `check` op found another value than it expects.
    CheckFailed,
}

/// Failure to evaluate a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// One sentence, without a trailing period.
    pub message: String,
    /// The instruction being evaluated; `Span::NONE` until the evaluator fills it in.
    pub span: Span,
    /// What kind of failure it is.
    pub kind: EvalErrorKind,
}

impl EvalError {
    /// An error that does not know its place yet.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), span: Span::NONE, kind: EvalErrorKind::Unable }
    }

    /// A check that does not hold; it does not know its place yet.
    pub fn check_failed(message: impl Into<String>) -> Self {
        Self { kind: EvalErrorKind::CheckFailed, ..Self::new(message) }
    }

    /// The same error at `span`, unless an inner instruction was blamed already.
    pub fn at(mut self, span: Span) -> Self {
        if !self.span.is_some() {
            self.span = span;
        }
        self
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EvalError {}
