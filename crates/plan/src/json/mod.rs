//! How Meshwright's files are laid out as JSON: the fields of the outermost object one below the other, those of an
//! object in it that holds lists too, the entries of a list one per line, everything smaller on one line. Such files are
//! short and compare well line by line.

mod places;

use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use serde_json::ser::Formatter;
use std::collections::BTreeSet;
use std::io::{self, Write};

pub use places::Places;

/// Number of the format's version that text says; none if it says none.
pub(crate) fn version(text: &str) -> Option<u32> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let versioned: Versioned = serde_json::from_str(text).ok().filter(|_| list(text).is_none())?;
    Some(versioned.version)
}

/// Where text begins that is a list, which would pass for an object whose keys are left out.
fn list(text: &str) -> Option<Span> {
    let start = text.find(|char: char| !char.is_ascii_whitespace())?;
    text[start..].starts_with('[').then(|| Span::new(start, start + 1))
}

/// Reads the JSON text of an object.
///
/// # Errors
/// What is wrong, at its place in `text` and with the path of the key around it.
pub(crate) fn read<T: DeserializeOwned>(check: Check, text: &str) -> Result<T, Diagnostic> {
    if let Some(span) = list(text) {
        let hint = "the file is one object, `{\"version\": ...}`";
        return Err(Diagnostic::error(check, span, "an object is expected here, not a list").hint(hint));
    }
    serde_json::from_str(text).map_err(|error| {
        let full = error.to_string();
        // The place is in the span; the words need not repeat it.
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = full.strip_suffix(&place).unwrap_or(&full);
        let span = span_at(text, error.line(), error.column());
        let places = Places::of(text);
        let (path, message) = (places.around(span.start), sentence(message));
        let message = if path.is_empty() || error.is_syntax() || error.is_eof() {
            message
        } else {
            format!("`{path}`: {message}")
        };
        let diagnostic = Diagnostic::error(check, span, message);
        match error.classify() {
            Category::Eof => {
                diagnostic.hint("was the file cut off, or is a closing bracket or quote missing?")
            }
            _ => diagnostic,
        }
    })
}

/// The parser's message in words for those who do not know its types.
fn sentence(message: &str) -> String {
    if let Some(what) = message.strip_prefix("EOF while parsing ") {
        let what = if what == "a value" {
            "where a value should stand".to_owned()
        } else {
            format!("inside {what}")
        };
        return format!("the file ends {what}");
    }
    let typed = ["invalid type: ", "invalid value: ", "invalid length "].iter().find_map(|prefix| {
        let (found, expected) = message.strip_prefix(prefix)?.split_once(", expected ")?;
        let found = if *prefix == "invalid length " { "a list".to_owned() } else { what_was_found(found) };
        Some(format!("{} is expected here, not {found}", what_is_expected(expected)))
    });
    if let Some(sentence) = typed {
        return sentence;
    }
    for kind in ["unknown", "missing", "duplicate"] {
        if let Some(rest) = message.strip_prefix(&format!("{kind} field `")) {
            let (name, rest) = rest.split_once('`').unwrap_or((rest, ""));
            let known = rest.strip_prefix(", expected one of ").or(rest.strip_prefix(", expected "));
            return match (kind, known) {
                ("unknown", Some(known)) => format!("unknown field `{name}`; the fields here are {known}"),
                ("duplicate", _) => format!("the field `{name}` is given twice"),
                _ => format!("the field `{name}` is {kind}"),
            };
        }
    }
    format!("this is not JSON: {message}")
}

/// ``integer `-5` `` as ``the number `-5` ``.
fn what_was_found(found: &str) -> String {
    let kinds = [
        ("integer ", "the number "),
        ("floating point ", "the number "),
        ("boolean ", ""),
        ("string ", "the text "),
    ];
    let value =
        kinds.iter().find_map(|(theirs, ours)| Some(format!("{ours}{}", found.strip_prefix(theirs)?)));
    value.unwrap_or_else(|| match found {
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        other => other.to_owned(),
    })
}

fn what_is_expected(expected: &str) -> &str {
    match expected {
        "usize" | "u64" | "u32" => "a whole number that is not negative",
        "f64" => "a number",
        "a string" => "text",
        "a boolean" => "`true` or `false`",
        "a sequence" => "a list",
        "a map" => "an object",
        other if other.starts_with("struct ") => "an object",
        other => other,
    }
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
    let plain = serde_json::to_value(value).expect("plain data has a JSON form");
    let holds_lists = |field: &serde_json::Value| {
        field.as_object().is_some_and(|object| object.values().any(serde_json::Value::is_array))
    };
    let fields = plain.as_object().into_iter().flatten().filter(|(_, field)| holds_lists(field));
    let broken = fields.map(|(name, _)| name.clone()).collect();
    let mut serializer =
        serde_json::Serializer::with_formatter(&mut bytes, Lines { broken, ..Lines::default() });
    value.serialize(&mut serializer).expect("plain data has a JSON form");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// Breaks lines in the outermost object, in those of its objects that hold lists, and in the lists directly in these.
#[derive(Default)]
struct Lines {
    depth: usize,
    /// Whether the list that closes next has entries.
    has_entries: bool,
    /// The fields of the outermost object that hold lists.
    broken: BTreeSet<String>,
    /// The field of the outermost object that is written.
    field: String,
    is_key: bool,
}

impl Lines {
    /// The deepest level of objects whose fields stand on lines of their own; entries of lists do one level deeper.
    fn broken_levels(&self) -> usize {
        if self.broken.contains(&self.field) { 2 } else { 1 }
    }

    fn open(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        out.write_all(bracket)
    }

    fn close(&mut self, out: &mut (impl Write + ?Sized), bracket: &[u8], breaks: bool) -> io::Result<()> {
        self.depth -= 1;
        if breaks {
            self.new_line(out)?;
        }
        out.write_all(bracket)
    }

    fn next(&self, out: &mut (impl Write + ?Sized), first: bool, breaks: bool) -> io::Result<()> {
        match (first, breaks) {
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
        let breaks = self.has_entries && self.depth <= self.broken_levels() + 1;
        self.close(out, b"]", breaks)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.has_entries = true;
        Ok(())
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.next(out, first, self.depth <= self.broken_levels() + 1)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        let breaks = self.depth <= self.broken_levels();
        self.close(out, b"}", breaks)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        let is_outermost = self.depth == 1;
        if is_outermost {
            self.field.clear();
            self.is_key = true;
        }
        let breaks = is_outermost || self.depth <= self.broken_levels();
        self.next(out, first, breaks)
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.is_key = false;
        Ok(())
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        if self.is_key {
            self.field.push_str(fragment);
        }
        out.write_all(fragment.as_bytes())
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
        let text = lines(&json!({"a": {"x": {"z": 1}, "y": 2}, "b": [{"x": [[1], []]}, 3], "c": []}));
        assert_eq!(
            text,
            "{\n  \"a\": {\"x\": {\"z\": 1}, \"y\": 2},\n  \"b\": [\n    {\"x\": [[1], []]},\n    3\n  ],\n  \"c\": []\n}\n"
        );
    }

    #[test]
    fn objects_that_hold_lists_stand_on_lines_of_their_own() {
        let text = lines(&json!({"a": {"x": [{"y": [1]}, 2], "z": {"w": []}}, "b": 1}));
        let wanted = [
            "{",
            "  \"a\": {",
            "    \"x\": [",
            "      {\"y\": [1]},",
            "      2",
            "    ],",
            "    \"z\": {\"w\": []}",
            "  },",
            "  \"b\": 1",
            "}",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), wanted);
    }

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)] // only read
    struct Sized {
        size: usize,
        names: Vec<String>,
    }

    #[test]
    fn errors_are_sentences() {
        let message = |text: &str| read::<Sized>(Check("x"), text).unwrap_err().message;
        let whole = "a whole number that is not negative is expected here, not";
        assert_eq!(message("{\"size\": -4}"), format!("`size`: {whole} the number `-4`"));
        assert_eq!(message("{\"size\": \"4\"}"), format!("`size`: {whole} the text \"4\""));
        assert_eq!(message("{\"size\": null}"), format!("`size`: {whole} null"));
        assert_eq!(
            message("{\"size\": 1, \"names\": {}}"),
            "`names`: a list is expected here, not an object"
        );
        assert_eq!(
            message("{\"size\": 1, \"names\": [1]}"),
            "`names[0]`: text is expected here, not the number `1`"
        );
        assert_eq!(message("[]"), "an object is expected here, not a list");
        assert_eq!(message("5"), "an object is expected here, not the number `5`");
        assert_eq!(
            message("{\"siez\": 4}"),
            "`siez`: unknown field `siez`; the fields here are `size` or `names`"
        );
        assert_eq!(message("{\"size\": 4}"), "the field `names` is missing");
        assert_eq!(message("{\"size\": 4, \"size\": 4}"), "`size`: the field `size` is given twice");
        assert_eq!(message("{\"size\": 4"), "the file ends inside an object");
        assert_eq!(message("{\"size\":"), "the file ends where a value should stand");
        assert!(message("size = 4").starts_with("this is not JSON: expected value"));
    }

    #[test]
    fn places_are_bytes_of_the_text() {
        let error = read::<Sized>(Check("x"), "{\"size\":\n \u{e9}}").unwrap_err();
        assert_eq!(error.span.start, 10);
        assert!(!error.message.contains("line"), "{}", error.message);
        let error = read::<Sized>(Check("x"), "{\"size\":").unwrap_err();
        assert_eq!(error.span.start, 7);
        let error = read::<Sized>(Check("x"), " [2, [\"a\"]]").unwrap_err();
        assert_eq!((error.span.start, version("[2]"), version("{\"version\": 2}")), (1, None, Some(2)));
    }
}
