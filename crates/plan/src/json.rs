//! How Meshwright's files are laid out as JSON: the fields of the outermost object one below the other, the entries
//! of a list one per line, everything smaller on one line. Such files are short and compare well line by line.

use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Reads JSON text.
///
/// # Errors
/// What is wrong, at its place in `text`.
pub(crate) fn read<T: DeserializeOwned>(check: Check, text: &str) -> Result<T, Diagnostic> {
    serde_json::from_str(text).map_err(|error| {
        let full = error.to_string();
        // The place is in the span; the words need not repeat it.
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = full.strip_suffix(&place).unwrap_or(&full);
        Diagnostic::error(check, span_at(text, error.line(), error.column()), message)
    })
}

/// The byte at a 1-based line and column (in bytes); a column of 0 is the end of the line before.
fn span_at(text: &str, line: usize, column: usize) -> Span {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut at = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    Span::new(at, at + 1)
}

/// The first place where `needle` stands in `text`.
pub(crate) fn find(text: &str, needle: &str) -> Span {
    text.find(needle).map_or(Span::NONE, |start| Span::new(start, start + needle.len()))
}

/// The text of a value that is an object.
pub(crate) fn lines(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Lines::default());
    value.serialize(&mut serializer).expect("plain data has a JSON form");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// Breaks lines in the outermost object and in the lists directly in it.
#[derive(Default)]
struct Lines {
    depth: usize,
    /// Whether the list that closes next has entries.
    has_entries: bool,
}

/// Deepest level whose entries stand on lines of their own.
const BROKEN_LEVELS: usize = 2;

impl Lines {
    fn open(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        out.write_all(bracket)
    }

    fn close(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8], breaks: bool) -> io::Result<()> {
        self.depth -= 1;
        if breaks && self.depth < BROKEN_LEVELS {
            self.new_line(out)?;
        }
        out.write_all(bracket)
    }

    fn next(&self, out: &mut (impl Write + ?Sized), first: bool, breaks: bool) -> io::Result<()> {
        match (first, breaks && self.depth <= BROKEN_LEVELS) {
            (true, true) => self.new_line(out),
            (false, true) => {
                out.write_all(b",")?;
                self.new_line(out)
            }
            (true, false) => Ok(()),
            (false, false) => out.write_all(b", "),
        }
    }

    fn new_line(&self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.depth).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.has_entries = false;
        self.open(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let breaks = self.has_entries;
        self.close(out, b"]", breaks)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_entries = true;
        Ok(())
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first, true)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let outermost = self.depth == 1;
        self.close(out, b"}", outermost)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        let outermost = self.depth == 1;
        self.next(out, first, outermost)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn entries_of_lists_stand_on_lines_of_their_own() {
        let text = lines(&json!({"a": {"x": 1, "y": [1, 2]}, "b": [{"x": [[1], []]}, 3], "c": []}));
        assert_eq!(
            text,
            "{\n  \"a\": {\"x\": 1, \"y\": [1, 2]},\n  \"b\": [\n    {\"x\": [[1], []]},\n    3\n  ],\n  \"c\": []\n}\n"
        );
    }

    #[test]
    fn places_are_bytes_of_the_text() {
        let error = read::<Vec<u32>>(Check("x"), "[1,\n \u{e9}]").unwrap_err();
        assert_eq!(error.span.start, 5);
        assert!(!error.message.contains("line"), "{}", error.message);
        let error = read::<Vec<u32>>(Check("x"), "[1,").unwrap_err();
        assert_eq!(error.span.start, 2);
    }
}
