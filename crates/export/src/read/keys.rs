//! Keys of job files in JSON or YAML, with values of the types that they have.
//!
//! Input: a map of values by name, and the path to it. Output: sizes, flags and texts, or what is wrong, by the whole name.

use super::{Problem, not_read};
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// The tree of a file in JSON.
///
/// Errors: it is none, or gives a key twice, with the place.
pub(super) fn json(text: &str) -> Result<Value, Problem> {
    let tree = serde_json::from_str(text).map_err(|error| {
        let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
        let start = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        let start = start.min(text.len());
        Problem::Syntax(error.to_string(), start..start)
    })?;
    // Of a key that is there twice a tree has the last.
    match meshwright_models::json::read(text) {
        Ok(_) => Ok(tree),
        Err(found) => Err(Problem::Syntax(found.message, found.span.start as usize..found.span.end as usize)),
    }
}

/// Values by name, at a path of the file (`parallelism.`, or nothing).
pub(super) struct Keys<'a> {
    /// The framework, with its version.
    pub(super) title: &'static str,
    path: String,
    map: &'a Map<String, Value>,
}

impl<'a> Keys<'a> {
    /// The whole of a file.
    ///
    /// Errors: it is no map.
    pub(super) fn of(title: &'static str, value: &'a Value) -> Result<Self, Problem> {
        let map = value.as_object().ok_or_else(|| format!("a job of {title} is a map of values by name"))?;
        Ok(Self { title, path: String::new(), map })
    }

    /// A map of the file, if it has one of this name.
    ///
    /// Errors: it is no map.
    pub(super) fn inner(&self, name: &str) -> Result<Option<Self>, Problem> {
        let Some(value) = self.map.get(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let path = format!("{}{name}.", self.path);
        let map = value.as_object().ok_or_else(|| format!("`{}{name}` is no map of values", self.path))?;
        Ok(Some(Self { title: self.title, path, map }))
    }

    /// A map of the file, or an empty one if it has none of this name.
    ///
    /// Errors: it is no map.
    pub(super) fn inner_or_empty(&self, name: &str) -> Result<Self, Problem> {
        static EMPTY: LazyLock<Map<String, Value>> = LazyLock::new(Map::new);
        let path = format!("{}{name}.", self.path);
        Ok(self.inner(name)?.unwrap_or(Self { title: self.title, path, map: &EMPTY }))
    }

    /// Refuses keys that are not among these.
    pub(super) fn known(&self, lists: &[&[&str]]) -> Result<(), Problem> {
        match self.map.keys().find(|key| !lists.iter().any(|keys| keys.contains(&key.as_str()))) {
            None => Ok(()),
            Some(key) => Err(Problem::UnknownKey(format!(
                "`{}{key}` is no key of {} that is read",
                self.path, self.title
            ))),
        }
    }

    /// Returns whether a key has a value.
    pub(super) fn is_given(&self, name: &str) -> bool {
        self.map.get(name).is_some_and(|value| !value.is_null())
    }

    /// A number of things, if it is given.
    pub(super) fn size(&self, name: &str) -> Result<Option<usize>, Problem> {
        match self.count(name)? {
            Some(0) => Err(format!("`{}{name}` is 0, not a number of at least 1", self.path).into()),
            count => Ok(count),
        }
    }

    /// A number of things, which may be none, if it is given; not `auto`, which others fill in.
    pub(super) fn count(&self, name: &str) -> Result<Option<usize>, Problem> {
        let Some(value) = self.map.get(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let wrong = || match value.as_str() {
            Some("auto") => self.is_auto(name),
            _ => format!("`{}{name}` is {value}, not a number of 0 or more", self.path),
        };
        let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
        Ok(Some(count.ok_or_else(wrong)?))
    }

    /// Returns whether something else fills in a key.
    pub(super) fn is_left(&self, name: &str) -> bool {
        self.map.get(name).and_then(Value::as_str) == Some("auto")
    }

    /// That something else fills in a key.
    fn is_auto(&self, name: &str) -> String {
        format!("`{}{name}` is `auto`: what fills it in is not known here", self.path)
    }

    /// A degree, which is 1 if nothing is said; a key without a value says something that is not known.
    pub(super) fn degree(&self, name: &str) -> Result<usize, Problem> {
        match self.map.get(name) {
            Some(Value::Null) => Err(format!("`{}{name}` has no value: give a number", self.path).into()),
            _ => Ok(self.size(name)?.unwrap_or(1)),
        }
    }

    /// A degree, which is all of these if nothing is said, or `rest`.
    pub(super) fn degree_or_all(&self, name: &str, rest: f64, all: usize) -> Result<usize, Problem> {
        match self.number(name)? {
            None => Ok(all),
            Some(number) if number == rest => Ok(all),
            Some(_) => self.degree(name),
        }
    }

    /// Any number, if it is given.
    pub(super) fn number(&self, name: &str) -> Result<Option<f64>, Problem> {
        let Some(value) = self.map.get(name).filter(|value| !value.is_null()) else { return Ok(None) };
        let number =
            value.as_f64().ok_or_else(|| format!("`{}{name}` is {value}, not a number", self.path))?;
        Ok(Some(number))
    }

    /// Returns whether something is on: true, or any number but 0.
    pub(super) fn flag(&self, name: &str) -> Result<bool, Problem> {
        match self.map.get(name) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(Value::Number(number)) => Ok(number.as_f64() != Some(0.0)),
            Some(Value::String(text)) if text == "auto" => Err(self.is_auto(name).into()),
            Some(other) => Err(format!("`{}{name}` is {other}, neither true nor false", self.path).into()),
        }
    }

    /// A text, if it is given. What YAML takes `no` for is that text.
    pub(super) fn text(&self, name: &str) -> Result<Option<&'a str>, Problem> {
        match self.map.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(Value::Bool(false)) => Ok(Some("no")),
            Some(other) => Err(format!("`{}{name}` is {other}, not a text", self.path).into()),
        }
    }

    /// Refuses what changes a step in a way that is not read, unless it is off or not given.
    pub(super) fn off(&self, names: &[&str]) -> Result<(), Problem> {
        for name in names {
            let value = self.map.get(*name).unwrap_or(&Value::Null);
            let is_off = match value {
                Value::Null | Value::Bool(false) => true,
                Value::Number(number) => number.as_f64() == Some(0.0),
                Value::String(text) => ["", "no", "none"].contains(&text.to_ascii_lowercase().as_str()),
                Value::Array(list) => list.is_empty(),
                Value::Object(map) => map.is_empty(),
                Value::Bool(true) => false,
            };
            if !is_off {
                return Err(not_read(&format!("{}{name}", self.path), value));
            }
        }
        Ok(())
    }

    /// Refuses a text of a key that is none of these, if it is given.
    pub(super) fn one_of(&self, name: &str, harmless: &[&str]) -> Result<(), Problem> {
        match self.text(name)?.filter(|text| !harmless.contains(text)) {
            Some(own) => Err(not_read(&format!("{}{name}", self.path), format!("`{own}`"))),
            None => Ok(()),
        }
    }

    /// Refuses a value of a key that is not this one, if it is given.
    pub(super) fn only(&self, name: &str, value: &Value) -> Result<(), Problem> {
        match self.map.get(name).filter(|own| !own.is_null() && *own != value) {
            Some(own) => Err(not_read(&format!("{}{name}", self.path), own)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Problem, json};

    #[test]
    fn a_key_is_given_once() {
        assert!(json("{\"a\": 1, \"b\": {\"a\": 2}}").is_ok());
        let Err(Problem::Syntax(words, place)) = json("{\"a\": 1, \"a\": 2}") else { panic!("it was read") };
        assert!(words.contains("`a` is given twice"), "{words}");
        assert_eq!(place.start, 9);
    }
}
