//! What the evaluator answers when it cannot compute a value.
//!
//! Verified programs fail only on what is outside the evaluator (complex numbers, tensors too large for this
//! host), so the error is a sentence and a place, not a tree of variants.

use std::fmt;

use crate::diagnostic::Span;

/// Why a value could not be evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalError {
    /// One sentence, without a trailing period.
    pub message: String,
    /// The instruction being evaluated; `Span::NONE` until the evaluator fills it in.
    pub span: Span,
}

impl EvalError {
    /// An error that does not know its place yet.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), span: Span::NONE }
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
