//! Places of values in JSON text: what is wrong with a file is said at its key's path (`shardings[3].value`) and line.
//!
//! Input: text, which may be cut off. Output: the path and span of every value, its key included. It only follows
//! brackets, keys and commas; whether the text is JSON is for its parser to say.

use meshwright_ir::diagnostic::Span;
use std::collections::BTreeMap;

/// What lies deeper is not followed: parsers refuse it.
const DEEPEST: usize = 128;

/// The values of a text by path. Where something stood is no part of what a file says, so all places are equal.
#[derive(Clone, Debug, Default)]
pub struct Places {
    by_path: BTreeMap<String, Span>,
}

impl PartialEq for Places {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Places {
    /// The places of all values of a text.
    pub(crate) fn of(text: &str) -> Self {
        let mut walk = Walk { bytes: text.as_bytes(), at: 0, depth: 0, places: Self::default() };
        walk.value(&mut String::new());
        walk.places
    }

    /// The span of the value at a path, with its key; none if the text has no such value.
    pub fn at(&self, path: &str) -> Span {
        self.by_path.get(path).copied().unwrap_or(Span::NONE)
    }

    /// The path of the innermost value around a byte of the text; empty for the outermost.
    pub(crate) fn around(&self, byte: u32) -> &str {
        let around = self.by_path.iter().filter(|(_, span)| span.start <= byte && byte < span.end);
        around.min_by_key(|(_, span)| span.end - span.start).map_or("", |(path, _)| path)
    }
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    /// How many lists and objects are open.
    depth: usize,
    places: Places,
}

impl Walk<'_> {
    fn value(&mut self, path: &mut String) {
        self.space();
        let start = self.at;
        match self.bytes.get(self.at) {
            Some(b'{') => self.entries(b'}', path, Self::field),
            Some(b'[') => self.entries(b']', path, Self::item),
            Some(b'"') => drop(self.string()),
            _ => self.skip_while(|byte| !b",]}".contains(&byte) && !byte.is_ascii_whitespace()),
        }
        self.places.by_path.insert(path.clone(), Span::new(start, self.at.max(start)));
    }

    /// What stands between brackets: `entry` reads one and leaves the path as it was.
    fn entries(&mut self, close: u8, path: &mut String, entry: fn(&mut Self, &mut String, usize)) {
        if self.depth == DEEPEST {
            self.at = self.bytes.len();
            return;
        }
        self.depth += 1;
        self.at += 1;
        for index in 0.. {
            self.space();
            match self.bytes.get(self.at) {
                None => break,
                Some(byte) if *byte == close => break,
                Some(b',') => self.at += 1,
                Some(_) => {}
            }
            let (before, length) = (self.at, path.len());
            entry(self, path, index);
            path.truncate(length);
            if self.at == before {
                break;
            }
        }
        self.depth -= 1;
        self.at = (self.at + 1).min(self.bytes.len());
    }

    fn field(&mut self, path: &mut String, _: usize) {
        self.space();
        if self.bytes.get(self.at) != Some(&b'"') {
            return;
        }
        let start = self.at;
        let key = self.string();
        self.space();
        self.skip_while(|byte| byte == b':');
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(&key);
        self.value(path);
        self.places.by_path.insert(path.clone(), Span::new(start, self.at));
    }

    fn item(&mut self, path: &mut String, index: usize) {
        path.push_str(&format!("[{index}]"));
        self.value(path);
    }

    /// The text between quotes, as it is written.
    fn string(&mut self) -> String {
        let start = self.at + 1;
        self.at = start;
        while let Some(byte) = self.bytes.get(self.at) {
            match byte {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        let end = self.at.min(self.bytes.len());
        self.at = (end + 1).min(self.bytes.len());
        String::from_utf8_lossy(&self.bytes[start.min(end)..end]).into_owned()
    }

    fn space(&mut self) {
        self.skip_while(|byte| byte.is_ascii_whitespace());
    }

    fn skip_while(&mut self, is_skipped: impl Fn(u8) -> bool) {
        while self.bytes.get(self.at).is_some_and(|byte| is_skipped(*byte)) {
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_found_by_path() {
        let text = r#"{"a": [{"x": 1}, {"x": "t\"]w,o"}], "b": {"c": [[true], []]}}"#;
        let places = Places::of(text);
        let at = |path: &str| {
            let span = places.at(path);
            &text[span.start as usize..span.end as usize]
        };
        assert_eq!((at("a[0].x"), at("b.c[0][0]")), (r#""x": 1"#, "true"));
        assert_eq!((at("a[1].x"), at("a[1]")), (r#""x": "t\"]w,o""#, r#"{"x": "t\"]w,o"}"#));
        assert_eq!((at("b.c[1]"), at("b")), ("[]", r#""b": {"c": [[true], []]}"#));
        let around = |needle: &str| places.around(text.find(needle).unwrap() as u32);
        assert_eq!((around("true"), around("\"c\""), around("x\": \"t")), ("b.c[0][0]", "b.c", "a[1].x"));
        assert_eq!(places.at("a[2]"), Span::NONE);
    }

    #[test]
    fn damaged_text_is_followed_as_far_as_it_goes() {
        for text in
            ["", "{", "[1, ", "{\"a\": [", "{\"a\" 1}", "}{", "[[[[", "{\"a\": \"\\", "\"", "{1: 2}", "[,,]"]
        {
            Places::of(text);
        }
        assert_ne!(Places::of("{\"a\": {\"b\": 5").at("a.b"), Span::NONE);
        Places::of(&"[".repeat(1 << 20));
        Places::of(&"{\"a\":".repeat(1 << 18));
    }
}
