//! Diagnostics as plain data: what is wrong, where, and what to do.
//!
//! Renderers (human, short, JSON) live in the doors; nothing here prints.
//! A check declares its diagnostic as a [`Check`] constant, whose comment is its help page.

use std::fmt;
use std::sync::{Arc, OnceLock};

pub use meshwright_tensor::span::Span;

/// One source text and the name it is reported under.
#[derive(Clone, Debug)]
pub struct Source {
    /// File name, as the user gave it.
    pub name: String,
    /// The whole text.
    pub text: Arc<str>,
    /// Where lines and characters lie, found when it is first asked for; copies share it.
    index: Arc<OnceLock<Index>>,
}

/// How many bytes lie between two entries of [`Index::chars`].
const STRIDE: usize = 1024;

#[derive(Debug)]
struct Index {
    /// Where each line starts.
    line_starts: Box<[u32]>,
    /// How many characters begin before each [`STRIDE`]th byte: lines can be as long as the text, and have many errors.
    chars: Box<[u32]>,
}

/// Whether a byte begins a character.
fn begins(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}

impl Index {
    fn of(text: &str) -> Self {
        let newlines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect();
        let mut count = 0;
        let chars = text.as_bytes().chunks(STRIDE).map(|chunk| {
            let before = count;
            count += chunk.iter().filter(|byte| begins(**byte)).count() as u32;
            before
        });
        let chars: Vec<u32> = chars.collect();
        Self { line_starts, chars: chars.into_iter().chain([count]).collect() }
    }

    /// How many characters begin before a byte.
    fn chars_before(&self, text: &str, at: usize) -> usize {
        let start = at / STRIDE * STRIDE;
        let rest = text.as_bytes()[start..at].iter().filter(|byte| begins(**byte)).count();
        self.chars[at / STRIDE] as usize + rest
    }
}

/// A place for people: 1-based line and column (in characters), and the line's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place<'a> {
    /// 1-based.
    pub line: usize,
    /// 1-based, counted in characters.
    pub column: usize,
    /// The text of that line, without its end.
    pub text: &'a str,
    /// Byte of that text; its length for a place behind it.
    pub at: usize,
}

impl Source {
    /// A source text under a name.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), text: text.into(), index: Arc::default() }
    }

    /// Place where a span starts.
    pub fn place(&self, span: Span) -> Place<'_> {
        let mut at = (span.start as usize).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let index = self.index.get_or_init(|| Index::of(&self.text));
        let starts = &index.line_starts;
        let line = starts.partition_point(|start| *start as usize <= at);
        let line_start = starts[line - 1] as usize;
        let line_end = starts.get(line).map_or(self.text.len(), |next| *next as usize - 1);
        let text = self.text[line_start..line_end].trim_end_matches('\r');
        let chars = |at| index.chars_before(&self.text, at);
        let column = chars(at) - chars(line_start) + 1;
        Place { line, column, text, at: (at - line_start).min(text.len()) }
    }

    /// `name:line:column` of a span.
    pub fn locate(&self, span: Span) -> String {
        let place = self.place(span);
        format!("{}:{}:{}", self.name, place.line, place.column)
    }

    /// The text of a span.
    pub fn snippet(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }
}

/// Severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The user should know.
    Warning,
    /// The work cannot go on.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// The stable name of a check, such as `unknown-op`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Check(pub &'static str);

/// One finding about the user's input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which check raised it.
    pub check: Check,
    /// How bad it is.
    pub severity: Severity,
    /// Where; `Span::NONE` if it concerns the whole input.
    pub span: Span,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What to do about it.
    pub hints: Vec<String>,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(check: Check, span: Span, message: impl Into<String>) -> Self {
        Self { check, severity: Severity::Error, span, message: message.into(), hints: Vec::new() }
    }

    /// A warning at a place.
    pub fn warning(check: Check, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(check, span, message) }
    }

    /// Adds what the user can do.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {}", self.severity, self.check.0, self.message)?;
        for hint in &self.hints {
            write!(f, " (hint: {hint})")?;
        }
        Ok(())
    }
}

/// Everything found wrong with an input; never empty when returned as an `Err`.
pub type Diagnostics = Vec<Diagnostic>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_long_lines_count_characters() {
        let text = format!("{}\n{}", "\u{e9}".repeat(2000), "\u{e9}a".repeat(3000));
        let source = Source::new("a.mlir", text.as_str());
        for (at, _) in text.char_indices() {
            let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
            let place = source.place(Span::new(at, at + 1));
            assert_eq!((place.column, place.at), (text[start..at].chars().count() + 1, at - start));
        }
    }

    #[test]
    fn places_are_lines_and_columns() {
        let source = Source::new("a.mlir", "\none\r\n\u{e9}two\n");
        let place = |at| {
            let Place { line, column, text, .. } = source.place(Span::new(at, at + 1));
            (line, column, text)
        };
        assert_eq!(place(0), (1, 1, ""));
        assert_eq!(place(1), (2, 1, "one"));
        assert_eq!(place(5), (2, 5, "one"));
        // In the middle of a character, and behind it.
        assert_eq!(place(7), (3, 1, "\u{e9}two"));
        assert_eq!(place(8), (3, 2, "\u{e9}two"));
        assert_eq!(place(11), (3, 5, "\u{e9}two"));
        assert_eq!(place(12), (4, 1, ""));
        assert_eq!(place(99), (4, 1, ""));
        assert_eq!(
            Source::new("empty.mlir", "").place(Span::NONE),
            Place { line: 1, column: 1, text: "", at: 0 }
        );
    }
}
