//! What can be wrong with a machine spec or a machine file.
//!
//! Plain data like the compiler's diagnostics, but its own type, since this crate depends on no other.

use std::fmt;
use std::ops::Range;

/// One thing wrong with a spec or a file, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineError {
    /// What is wrong, without a final full stop.
    pub message: String,
    /// Where in the file; `None` for a spec, or where the whole file is meant.
    pub position: Option<Position>,
    /// What to do next, one sentence each.
    pub hints: Vec<String>,
}

/// A place in the text of a machine file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The file name as the caller gave it.
    pub file: String,
    /// Byte range in the text.
    pub span: Range<usize>,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl MachineError {
    /// An error without a position or hints.
    pub(crate) fn new(message: impl Into<String>) -> MachineError {
        MachineError { message: message.into(), position: None, hints: Vec::new() }
    }

    /// The same error with one more hint.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> MachineError {
        self.hints.push(hint.into());
        self
    }

    /// The same error at a byte range of a file.
    pub(crate) fn at(mut self, file: &str, text: &str, span: Range<usize>) -> MachineError {
        let mut start = span.start.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        self.position = Some(Position {
            file: file.to_string(),
            span,
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        });
        self
    }
}

impl fmt::Display for MachineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(position) = &self.position {
            write!(f, "{}:{}:{}: ", position.file, position.line, position.column)?;
        }
        f.write_str(&self.message)?;
        for hint in &self.hints {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for MachineError {}
