//! Configuration as data, and its text in the forms that frameworks read: TOML, YAML, JSON, and literals of Python. Keys
//! stay in the order in which they are given.
//!
//! ```
//! use meshwright_export::document::{Value, map};
//!
//! let job = map([("training", map([("seq_len", 8192.into()), ("dtype", "float32".into())]))]);
//! assert_eq!(job.toml(), "[training]\nseq_len = 8192\ndtype = \"float32\"\n");
//! assert_eq!(job.yaml(), "training:\n  seq_len: 8192\n  dtype: float32\n");
//! ```

use std::fmt::Write as _;

/// A value of a configuration.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing: `null`, `None`. TOML has no such value: the key is left out.
    None,
    /// Yes or no.
    Flag(bool),
    /// A whole number.
    Count(usize),
    /// Any other number.
    Number(f64),
    /// Text.
    Text(String),
    /// A list.
    List(Vec<Value>),
    /// Values by name, in order.
    Map(Vec<(String, Value)>),
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<usize> for Value {
    fn from(count: usize) -> Self {
        Self::Count(count)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(list: Vec<T>) -> Self {
        Self::List(list.into_iter().map(Into::into).collect())
    }
}

/// Values by name.
pub fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Map(entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

impl Value {
    /// The same with one more entry, if this holds entries.
    pub fn with(self, name: &str, value: impl Into<Value>) -> Self {
        match self {
            Self::Map(mut entries) => {
                entries.push((name.to_owned(), value.into()));
                Self::Map(entries)
            }
            other => other,
        }
    }

    /// The same with one more entry, if there is a value for it.
    pub fn with_if(self, name: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    /// TOML: tables of plain values under their names in brackets.
    pub fn toml(&self) -> String {
        let mut text = String::new();
        self.write_toml(&mut text, "");
        text
    }

    fn write_toml(&self, text: &mut String, path: &str) {
        let Self::Map(entries) = self else { return };
        let is_table = |value: &Value| matches!(value, Value::Map(_));
        let plain = entries.iter().filter(|(_, value)| !is_table(value) && *value != Value::None);
        let plain: Vec<_> = plain.collect();
        if !plain.is_empty() {
            if !path.is_empty() {
                let _ = writeln!(text, "{}[{path}]", if text.is_empty() { "" } else { "\n" });
            }
            for (name, value) in plain {
                let _ = writeln!(text, "{name} = {}", value.inline(&JSON));
            }
        }
        for (name, value) in entries.iter().filter(|(_, value)| is_table(value)) {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            value.write_toml(text, &path);
        }
    }

    /// YAML, in blocks; lists of plain values in brackets.
    pub fn yaml(&self) -> String {
        let mut text = String::new();
        self.write_yaml(&mut text, 0);
        text
    }

    fn write_yaml(&self, text: &mut String, indent: usize) {
        let Self::Map(entries) = self else { return };
        for (name, value) in entries {
            let space = " ".repeat(indent);
            match value {
                Self::Map(inner) if !inner.is_empty() => {
                    let _ = writeln!(text, "{space}{name}:");
                    value.write_yaml(text, indent + 2);
                }
                Self::List(list) if list.iter().any(|value| matches!(value, Self::Map(_))) => {
                    let _ = writeln!(text, "{space}{name}:");
                    for value in list {
                        let mut item = String::new();
                        value.write_yaml(&mut item, indent + 2);
                        let _ = write!(text, "{space}- {}", item.trim_start());
                    }
                }
                value => {
                    let _ = writeln!(text, "{space}{name}: {}", value.inline(&YAML));
                }
            }
        }
    }

    /// JSON, in lines.
    pub fn json(&self) -> String {
        format!("{}\n", self.block(&JSON, 0))
    }

    /// A literal of Python, in lines.
    pub fn python(&self) -> String {
        self.block(&PYTHON, 0)
    }

    fn block(&self, form: &Form, indent: usize) -> String {
        match self {
            Self::Map(entries) if !entries.is_empty() => {
                let space = " ".repeat(indent + form.indent);
                let entry = |(name, value): &(String, Value)| {
                    format!("{space}{}: {}", quoted(name), value.block(form, indent + form.indent))
                };
                let entries: Vec<String> = entries.iter().map(entry).collect();
                format!("{{\n{}\n{}}}", entries.join(",\n"), " ".repeat(indent))
            }
            value => value.inline(form),
        }
    }

    fn inline(&self, form: &Form) -> String {
        match self {
            Self::None => form.none.to_owned(),
            Self::Flag(flag) => form.flags[usize::from(*flag)].to_owned(),
            Self::Count(count) => count.to_string(),
            Self::Number(number) => self::number(*number),
            Self::Text(text) if form.is_bare(text) => text.clone(),
            Self::Text(text) => quoted(text),
            Self::List(list) => {
                let items: Vec<String> = list.iter().map(|value| value.inline(form)).collect();
                format!("[{}]", items.join(", "))
            }
            Self::Map(entries) => {
                let entry =
                    |(name, value): &(String, Value)| format!("{}: {}", quoted(name), value.inline(form));
                format!("{{{}}}", entries.iter().map(entry).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// How plain values are written.
struct Form {
    none: &'static str,
    flags: [&'static str; 2],
    bare_text: bool,
    indent: usize,
}

const JSON: Form = Form { none: "null", flags: ["false", "true"], bare_text: false, indent: 2 };
const YAML: Form = Form { bare_text: true, ..JSON };
const PYTHON: Form = Form { none: "None", flags: ["False", "True"], bare_text: false, indent: 4 };

impl Form {
    /// Whether a text needs no quotes: one that no reader takes for anything but text.
    fn is_bare(&self, text: &str) -> bool {
        let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.chars().all(|c| c.is_ascii_alphanumeric() || "_./-".contains(c));
        let means_more = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"];
        self.bare_text && is_word && !means_more.contains(&text.to_ascii_lowercase().as_str())
    }
}

/// A number that every reader takes for one with a fraction: YAML of version 1.1 wants a point before the exponent.
pub fn number(number: f64) -> String {
    if number == 0.0 || (1e-3..1e15).contains(&number.abs()) {
        return format!("{number:?}");
    }
    let text = format!("{number:e}");
    match text.split_once('e') {
        Some((digits, exponent)) => {
            let point = if digits.contains('.') { "" } else { ".0" };
            let sign = if exponent.starts_with('-') { "" } else { "+" };
            format!("{digits}{point}e{sign}{exponent}")
        }
        None => text,
    }
}

/// A text in double quotes, as JSON, TOML and Python read it.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> Value {
        map([
            ("name", "null".into()),
            ("rate", 1e-6.into()),
            ("theta", 500_000.0.into()),
            ("degrees", map([("tp", 8.into()), ("deep", map([("on", true.into()), ("off", Value::None)]))])),
            ("axes", vec!["x", "z"].into()),
        ])
    }

    #[test]
    fn every_form_is_read_by_others_as_it_was_meant() {
        let toml = job().with_if("none", None::<bool>).toml();
        assert!(toml.contains("[degrees]\ntp = 8\n\n[degrees.deep]\non = true\n"), "{toml}");
        assert!(toml.starts_with("name = \"null\"\nrate = 1.0e-6\ntheta = 500000.0\n"), "{toml}");
        let json: serde_json::Value = serde_json::from_str(&job().json()).unwrap();
        assert_eq!(json["degrees"]["deep"]["off"], serde_json::Value::Null);
        assert_eq!(json["rate"], 1e-6);
        assert_eq!(toml.parse::<toml::Table>().unwrap()["degrees"]["deep"]["on"], toml::Value::from(true));
        let stages = Value::List(vec![map([("name", "a".into()), ("first", 1.into())])]);
        let yaml = job().with("stages", stages).yaml();
        assert!(yaml.contains("degrees:\n  tp: 8\n  deep:\n    on: true\n    off: null\n"), "{yaml}");
        assert!(yaml.contains("axes: [x, z]\nstages:\n- name: a\n  first: 1\n"), "{yaml}");
        assert!(yaml.starts_with("name: \"null\"\n"), "{yaml}");
        assert!(job().python().contains("\"off\": None"), "{}", job().python());
    }
}
