//! YAML as job files have it: maps and lists by indentation, lists and maps in brackets on a line, plain and quoted scalars,
//! which mean what PyYAML takes them for.
//!
//! Input: the text of a file. Output: its value, or what is wrong at which place. Anchors, tags and scalars of several lines
//! are refused.

use super::Problem;
use serde_json::{Map, Number, Value};
use std::ops::Range;

/// How deep values may lie in each other.
const DEPTH: usize = 64;

const OF_NOTHING: &str = "this line belongs to nothing before it";

/// A line that says something, without its comment.
#[derive(Clone, Copy)]
struct Line<'a> {
    indent: usize,
    text: &'a str,
    /// Where its text begins in the file.
    start: usize,
}

impl Line<'_> {
    fn wrong(&self, message: &str) -> Problem {
        Problem::Syntax(message.to_owned(), self.range())
    }

    fn range(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    fn is_item(&self) -> bool {
        self.text == "-" || self.text.starts_with("- ")
    }
}

/// The value of a file; nothing is a map without keys.
pub(super) fn parse(text: &str) -> Result<Value, Problem> {
    let mut lines = lines(text)?;
    let Some(first) = lines.first() else { return Ok(Value::Object(Map::new())) };
    let (mut at, indent) = (0, first.indent);
    let value = block(&mut lines, &mut at, indent, 0)?;
    match lines.get(at) {
        Some(line) => Err(line.wrong(OF_NOTHING)),
        None => Ok(value),
    }
}

fn lines(text: &str) -> Result<Vec<Line<'_>>, Problem> {
    let mut found = Vec::new();
    let mut start = 0;
    for whole in text.split_inclusive('\n') {
        let line = without_comment(whole.trim_end());
        let inner = line.trim_start_matches(' ');
        let indent = line.len() - inner.len();
        let own = Line { indent, text: inner.trim_end(), start: start + indent };
        start += whole.len();
        if inner.starts_with('\t') {
            return Err(own.wrong("a tab indents nothing in YAML"));
        }
        let is_start = own.text == "---" && found.is_empty();
        if !own.text.is_empty() && !is_start {
            found.push(own);
        }
    }
    Ok(found)
}

/// A line up to the `#` that begins a comment: the first of the line, or one behind a space, outside of quotes.
fn without_comment(line: &str) -> &str {
    let (mut quote, mut before) = (None, ' ');
    for (at, letter) in line.char_indices() {
        match (quote, letter) {
            (None, '#') if before.is_whitespace() => return &line[..at],
            // One behind its like was closed by it, and goes on.
            (None, '"' | '\'') if before.is_whitespace() || before == letter || "[{,:".contains(before) => {
                quote = Some(letter);
            }
            (Some(open), _) if open == letter && before != '\\' => quote = None,
            _ => {}
        }
        before = letter;
    }
    line
}

fn block(lines: &mut [Line<'_>], at: &mut usize, indent: usize, depth: usize) -> Result<Value, Problem> {
    if depth > DEPTH {
        return Err(lines[*at].wrong("values lie too deep in each other"));
    }
    if lines[*at].is_item() { list(lines, at, indent, depth) } else { entries(lines, at, indent, depth) }
}

fn list(lines: &mut [Line<'_>], at: &mut usize, indent: usize, depth: usize) -> Result<Value, Problem> {
    let mut list = Vec::new();
    while let Some(line) = lines.get(*at).copied().filter(|line| line.indent == indent && line.is_item()) {
        let inner = line.text[1..].trim_start();
        let before = line.text.len() - inner.len();
        let item = Line { indent: indent + before, text: inner, start: line.start + before };
        if inner.is_empty() {
            *at += 1;
            list.push(below(lines, at, indent, depth)?);
        } else if item.is_item() || split(&item).is_some() {
            lines[*at] = item;
            list.push(block(lines, at, item.indent, depth + 1)?);
        } else {
            *at += 1;
            list.push(scalar(&item, inner, depth)?);
        }
    }
    // A line as far in that is no item goes on with the map that the list is in.
    ends(lines, *at, indent + 1)?;
    Ok(Value::Array(list))
}

fn entries(lines: &mut [Line<'_>], at: &mut usize, indent: usize, depth: usize) -> Result<Value, Problem> {
    let mut map = Map::new();
    while let Some(line) = lines.get(*at).copied().filter(|line| line.indent == indent && !line.is_item()) {
        let (name, value) = split(&line).ok_or_else(|| line.wrong("this is no `name: value`"))?;
        *at += 1;
        let value = match value {
            "" => {
                let is_list = lines.get(*at).is_some_and(|next| next.indent == indent && next.is_item());
                if is_list { list(lines, at, indent, depth + 1)? } else { below(lines, at, indent, depth)? }
            }
            value => scalar(&line, value, depth)?,
        };
        if map.insert(name.to_owned(), value).is_some() {
            return Err(line.wrong("this name is there twice"));
        }
    }
    ends(lines, *at, indent)?;
    Ok(Value::Object(map))
}

/// What lines that are indented more make; nothing if there are none.
fn below(lines: &mut [Line<'_>], at: &mut usize, indent: usize, depth: usize) -> Result<Value, Problem> {
    match lines.get(*at).copied().filter(|next| next.indent > indent) {
        Some(next) => block(lines, at, next.indent, depth + 1),
        None => Ok(Value::Null),
    }
}

/// Refuses a line behind a block that belongs to nothing.
fn ends(lines: &[Line<'_>], at: usize, indent: usize) -> Result<(), Problem> {
    match lines.get(at).filter(|line| line.indent >= indent) {
        Some(line) => Err(line.wrong(OF_NOTHING)),
        None => Ok(()),
    }
}

/// The name and the value of an entry.
fn split<'a>(line: &Line<'a>) -> Option<(&'a str, &'a str)> {
    let text = line.text;
    if let Some(quote) = text.chars().next().filter(|first| ['"', '\''].contains(first)) {
        let (name, rest) = text[1..].split_once(quote)?;
        let value = rest.trim_start().strip_prefix(':')?;
        return (value.is_empty() || value.starts_with(' ')).then_some((name, value.trim()));
    }
    if text.starts_with(['[', '{']) {
        return None;
    }
    match text.split_once(": ") {
        Some((name, value)) => Some((name.trim_end(), value.trim())),
        None => text.strip_suffix(':').map(|name| (name, "")),
    }
}

fn scalar(line: &Line<'_>, text: &str, depth: usize) -> Result<Value, Problem> {
    let mut rest = text;
    let value = flow(line, &mut rest, "", depth)?;
    match rest.trim().is_empty() {
        true => Ok(value),
        false => Err(line.wrong("there is something behind the value of this line")),
    }
}

/// The value in front of a text, up to one of these letters or to its end; what is behind is left.
fn flow(line: &Line<'_>, rest: &mut &str, ends: &str, depth: usize) -> Result<Value, Problem> {
    if depth > DEPTH {
        return Err(line.wrong("values lie too deep in each other"));
    }
    *rest = rest.trim_start();
    let open = rest.chars().next().unwrap_or(' ');
    match open {
        '[' | '{' => bracket(line, rest, open, depth),
        '"' | '\'' => quoted(line, rest, open).map(Value::String),
        '&' | '*' | '!' | '|' | '>' | '%' | '@' | '`' => {
            Err(line.wrong("anchors, tags and texts of several lines are not read"))
        }
        _ => {
            let end = rest.find(|letter: char| ends.contains(letter)).unwrap_or(rest.len());
            let (own, behind) = rest.split_at(end);
            *rest = behind;
            Ok(plain(own.trim()))
        }
    }
}

fn bracket(line: &Line<'_>, rest: &mut &str, open: char, depth: usize) -> Result<Value, Problem> {
    let close = if open == '[' { ']' } else { '}' };
    let (mut list, mut map) = (Vec::new(), Map::new());
    *rest = &rest[1..];
    loop {
        *rest = rest.trim_start();
        if let Some(behind) = rest.strip_prefix(close) {
            *rest = behind;
            return Ok(if open == '[' { Value::Array(list) } else { Value::Object(map) });
        }
        if open == '[' {
            list.push(flow(line, rest, ",]", depth + 1)?);
        } else {
            let name = match flow(line, rest, ":}", depth + 1)? {
                Value::String(name) => name,
                other => other.to_string(),
            };
            let value = rest.trim_start().strip_prefix(':');
            *rest = value.ok_or_else(|| line.wrong("a map on a line is `{name: value}`"))?;
            map.insert(name, flow(line, rest, ",}", depth + 1)?);
        }
        *rest = rest.trim_start();
        match rest.strip_prefix(',') {
            Some(behind) => *rest = behind,
            None if rest.starts_with(close) => {}
            None => return Err(line.wrong("a bracket is not closed on its line")),
        }
    }
}

fn quoted(line: &Line<'_>, rest: &mut &str, quote: char) -> Result<String, Problem> {
    let mut text = String::new();
    let mut letters = rest.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\'' if quote == '\'' && letters.next_if(|(_, next)| *next == '\'').is_some() => text.push('\''),
            '\\' if quote == '"' => match letters.next() {
                Some((_, 'n')) => text.push('\n'),
                Some((_, 't')) => text.push('\t'),
                Some((_, own @ ('"' | '\\' | '/'))) => text.push(own),
                _ => return Err(line.wrong("an escape that is not read")),
            },
            _ if letter == quote => {
                *rest = &rest[at + 1..];
                return Ok(text);
            }
            _ => text.push(letter),
        }
    }
    Err(line.wrong("a quote is not closed on its line"))
}

/// A scalar without quotes, as YAML 1.1 takes it.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => return Value::Bool(true),
        "false" | "False" | "FALSE" | "no" | "No" | "NO" | "off" | "Off" | "OFF" => {
            return Value::Bool(false);
        }
        _ => {}
    }
    let is_number = text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first));
    if let Some(number) = text.parse::<i64>().ok().filter(|_| is_number) {
        return Value::Number(number.into());
    }
    let float = text.parse::<f64>().ok().filter(|_| is_number).and_then(Number::from_f64);
    float.map_or_else(|| Value::String(text.to_owned()), Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_are_read_as_they_mean() {
        let text = "# first\n---\na: 1   # one\nb: [x, \"y, z\", -2.5]\nmap:\n  on: yes\n  name: 'it''s # so'\n  none:\n\
                    list:\n- name: a\n  deep:\n    - 1\n    - [2, {k: v}]\n-\n  other: 1.0e-5\nempty: {}\nlast: a: b\n";
        let value = parse(text).unwrap();
        let expected = json!({
            "a": 1, "b": ["x", "y, z", -2.5], "map": {"on": true, "name": "it's # so", "none": null},
            "list": [{"name": "a", "deep": [1, [2, {"k": "v"}]]}, {"other": 1.0e-5}], "empty": {}, "last": "a: b",
        });
        assert_eq!(value, expected);
        assert_eq!(parse("# nothing\n").unwrap(), json!({}));
    }

    #[test]
    fn what_is_no_yaml_is_refused_at_its_place() {
        for (text, said, at) in [
            ("a: 1\n b: 2\n", "belongs to nothing", 6),
            ("a: 1\na: 2\n", "there twice", 5),
            ("a: [1, 2\n", "not closed", 0),
            ("a: \"x\n", "not closed", 0),
            ("a: &x 1\n", "anchors", 0),
            ("a: 1\n\tb: 2\n", "a tab", 5),
            ("words\n", "no `name: value`", 0),
            ("  a: 1\nb: 2\n", "belongs to nothing", 7),
            ("a: 1\n- b\n", "belongs to nothing", 5),
        ] {
            match parse(text) {
                Err(Problem::Syntax(message, range)) => {
                    assert!(message.contains(said), "{text}: {message}");
                    assert_eq!(range.start, at, "{text}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
        assert!(parse(&"[".repeat(100_000)).is_err());
        assert!(parse(&format!("a: {}", "[".repeat(100_000))).is_err());
        let deep: String = (0..1000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
        assert!(parse(&deep).is_err());
    }
}
