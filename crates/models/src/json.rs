//! JSON of which every value knows its place, so that what is wrong with a value can be shown where it stands.
//!
//! Input: a text. Output: its [`Value`], or a diagnostic at the character that does not belong there. Python's `NaN`,
//! `Infinity` and `-Infinity`, which configurations have, are numbers. A text that is larger than any configuration is
//! refused before it is read, and so is one that nests deeper.

use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use std::str::FromStr as _;

/// The text is not JSON.
pub const JSON: Check = Check("json");

/// Bytes that a configuration may have: those of the largest models have some thousands.
const LARGEST: usize = 4 << 20;

/// The byte order mark, which says nothing of a text in UTF-8.
const MARK: char = '\u{feff}';

/// Depth to which values may nest.
const DEEPEST: usize = 64;

/// A value and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    /// Its place.
    pub span: Span,
    /// The value itself.
    pub kind: Kind,
}

/// A value of JSON.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Fields in the order of the text.
    Object(Vec<Field>),
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Place of its name.
    pub span: Span,
    /// Its value.
    pub value: Value,
}

impl Value {
    /// The value of a field, if it is an object that has it.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Kind::Object(fields) = &self.kind else { return None };
        fields.iter().find(|field| field.name == name).map(|field| &field.value)
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        if let Kind::Number(number) = self.kind { Some(number) } else { None }
    }
}

impl Kind {
    /// The kind as a message names it.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Flag(_) => "a truth value",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// Reads a text.
///
/// # Errors
/// The first character that does not belong there; a text that is larger than any configuration.
pub fn read(text: &str) -> Result<Value, Diagnostic> {
    if text.len() > LARGEST {
        let message = format!("the file has {} bytes, more than any config.json has", text.len());
        return Err(Diagnostic::error(JSON, Span::NONE, message).hint("is it the file of the weights?"));
    }
    // Some editors mark what is UTF-8.
    let at = if text.starts_with(MARK) { MARK.len_utf8() } else { 0 };
    let mut reader = Reader { text, at };
    let value = reader.value(0)?;
    reader.blanks();
    if reader.at < text.len() {
        return Err(reader.unexpected("the end of the file"));
    }
    Ok(value)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t', '\r', '\n']).len();
    }

    fn eat(&mut self, word: &str) -> bool {
        let is_there = self.rest().starts_with(word);
        self.at += if is_there { word.len() } else { 0 };
        is_there
    }

    fn unexpected(&self, expected: &str) -> Diagnostic {
        let (found, len) = match self.rest().chars().next() {
            Some(found) => (format!("`{}`", found.escape_debug()), found.len_utf8()),
            None => ("the end of the file".to_owned(), 0),
        };
        let span = Span::new(self.at, self.at + len);
        let diagnostic = Diagnostic::error(JSON, span, format!("expected {expected}, found {found}"));
        if len == 0 { diagnostic.hint("was the file copied whole?") } else { diagnostic }
    }

    fn value(&mut self, depth: usize) -> Result<Value, Diagnostic> {
        self.blanks();
        let start = self.at;
        if depth > DEEPEST {
            let message = format!("values nest deeper than {DEEPEST}");
            return Err(Diagnostic::error(JSON, Span::new(start, start + 1), message));
        }
        let kind = match self.rest().chars().next() {
            Some('{') => Kind::Object(self.fields(depth)?),
            Some('[') => Kind::List(self.items(depth)?),
            Some('"') => Kind::Text(self.string()?),
            _ => self.word()?,
        };
        Ok(Value { span: Span::new(start, self.at), kind })
    }

    fn items(&mut self, depth: usize) -> Result<Vec<Value>, Diagnostic> {
        self.at += 1;
        let mut items = Vec::new();
        self.blanks();
        if self.eat("]") {
            return Ok(items);
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.blanks();
            if self.eat("]") {
                return Ok(items);
            }
            if !self.eat(",") {
                return Err(self.unexpected("`,` or `]`"));
            }
        }
    }

    fn fields(&mut self, depth: usize) -> Result<Vec<Field>, Diagnostic> {
        self.at += 1;
        let mut fields: Vec<Field> = Vec::new();
        self.blanks();
        if self.eat("}") {
            return Ok(fields);
        }
        loop {
            self.blanks();
            let start = self.at;
            if !self.rest().starts_with('"') {
                return Err(self.unexpected("the name of a field"));
            }
            let name = self.string()?;
            let span = Span::new(start, self.at);
            if fields.iter().any(|field| field.name == name) {
                return Err(Diagnostic::error(JSON, span, format!("the field `{name}` is given twice")));
            }
            self.blanks();
            if !self.eat(":") {
                return Err(self.unexpected("`:`"));
            }
            let value = self.value(depth + 1)?;
            fields.push(Field { name, span, value });
            self.blanks();
            if self.eat("}") {
                return Ok(fields);
            }
            if !self.eat(",") {
                return Err(self.unexpected("`,` or `}`"));
            }
        }
    }

    fn string(&mut self) -> Result<String, Diagnostic> {
        let start = self.at;
        self.at += 1;
        let mut string = String::new();
        loop {
            let Some(next) = self.rest().chars().next() else {
                return Err(self.unexpected("the end of a string"));
            };
            if next < ' ' {
                return Err(self.unexpected("a character of a string"));
            }
            self.at += next.len_utf8();
            match next {
                '"' => return Ok(string),
                '\\' => string.push(self.escaped(start)?),
                _ => string.push(next),
            }
        }
    }

    fn escaped(&mut self, start: usize) -> Result<char, Diagnostic> {
        let Some(letter) = self.rest().chars().next() else {
            return Err(self.unexpected("the end of a string"));
        };
        self.at += letter.len_utf8();
        Ok(match letter {
            '"' | '\\' | '/' => letter,
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let digits = self.rest().get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let Some(code) = digits else { return Err(self.unexpected("four hexadecimal digits")) };
                self.at += 4;
                // Halves of pairs stand in names of tokens, which nothing here reads.
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => {
                let message = format!("`\\{letter}` stands for no character");
                return Err(Diagnostic::error(JSON, Span::new(start, self.at), message));
            }
        })
    }

    fn word(&mut self) -> Result<Kind, Diagnostic> {
        let words = [
            ("null", Kind::Null),
            ("true", Kind::Flag(true)),
            ("false", Kind::Flag(false)),
            ("NaN", Kind::Number(f64::NAN)),
            ("Infinity", Kind::Number(f64::INFINITY)),
            ("-Infinity", Kind::Number(f64::NEG_INFINITY)),
        ];
        for (word, kind) in words {
            if self.eat(word) {
                return Ok(kind);
            }
        }
        let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
        let digits = self.rest().len() - self.rest().trim_start_matches(is_part).len();
        match f64::from_str(&self.rest()[..digits]) {
            Ok(number) if !self.rest().starts_with(['+', '.']) => {
                self.at += digits;
                Ok(Kind::Number(number))
            }
            _ => Err(self.unexpected("a value")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_place() {
        let value =
            read(" {\"a\": [1, -2.5e3, \"x\\u0041\\n\"],\n \"b\": {\"c\": null}, \"d\": Infinity}").unwrap();
        let Kind::Object(fields) = &value.kind else { panic!("{value:?}") };
        let Kind::List(items) = &fields[0].value.kind else { panic!("{fields:?}") };
        assert_eq!(items[1].kind, Kind::Number(-2500.0));
        assert_eq!(items[2].kind, Kind::Text("xA\n".into()));
        assert_eq!((items[0].span, fields[1].span), (Span::new(8, 9), Span::new(34, 37)));
        assert_eq!(fields[2].value.kind, Kind::Number(f64::INFINITY));
        let marked = read("\u{feff}{\"a\": 1}").unwrap();
        assert_eq!((marked.span, marked.get("a").and_then(Value::number)), (Span::new(3, 11), Some(1.0)));
    }

    #[test]
    fn faults_are_shown_where_they_stand() {
        let fault = |text: &str| {
            let found = read(text).unwrap_err();
            (found.span.start, found.message)
        };
        assert_eq!(fault("{\"a\": 1,}"), (8, "expected the name of a field, found `}`".into()));
        assert_eq!(fault("{\"a\": 1"), (7, "expected `,` or `}`, found the end of the file".into()));
        assert_eq!(fault("{\"a\": 1} x"), (9, "expected the end of the file, found `x`".into()));
        assert_eq!(fault("{\"a\": 1, \"a\": 2}"), (9, "the field `a` is given twice".into()));
        assert_eq!(fault("[1, .5]"), (4, "expected a value, found `.`".into()));
        assert_eq!(fault(""), (0, "expected a value, found the end of the file".into()));
        assert_eq!(fault(&"[".repeat(100)).1, "values nest deeper than 64");
        assert!(fault(&" ".repeat(5 << 20)).1.contains("more than any config.json has"));
    }
}
