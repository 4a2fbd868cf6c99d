//! The fields of a configuration, read strictly: a field of the wrong kind or of an impossible size is a diagnostic at
//! its place, and one that is missing takes the default of the documentation, which is remembered.
//!
//! Input: the object of a `config.json`. Output: values by name, and [`Fields::defaults`].

use crate::json::{Field, Kind, Value};
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// A configuration describes no model that can be built.
pub const CONFIG: Check = Check("config");

/// Sizes are at most this: what is larger is a slip of the keyboard.
pub(crate) const LARGEST: usize = 1 << 24;

/// Layers are at most so many.
const DEEPEST: usize = 10_000;

/// Defaults that a message lists.
const FEW: usize = 6;

/// The fields of an object.
#[derive(Debug)]
pub struct Fields<'a> {
    fields: &'a [Field],
    /// The object around it, for what a nested configuration leaves to it.
    outer: &'a [Field],
    /// Place of the object.
    span: Span,
    /// Names that were asked for, so that those which nobody asks for can be told.
    read: RefCell<BTreeSet<String>>,
    /// Tokens of the longest sequences that the model is made for, as given or documented; none as long as nobody said them.
    pub(crate) positions: Option<usize>,
    /// Fields that were missing, with the defaults that were taken.
    pub defaults: Vec<(String, String)>,
    /// What the user should know.
    pub warnings: Vec<Diagnostic>,
}

impl<'a> Fields<'a> {
    /// The fields of an object.
    pub fn of(value: &'a Value) -> Result<Self, Diagnostic> {
        match &value.kind {
            Kind::Object(fields) => Ok(Self::with(fields, &[], value.span)),
            other => {
                let message = format!("a config.json is an object, not {}", other.noun());
                Err(Diagnostic::error(CONFIG, value.span, message))
            }
        }
    }

    fn with(fields: &'a [Field], outer: &'a [Field], span: Span) -> Self {
        let read = RefCell::default();
        Self { fields, outer, span, read, positions: None, defaults: Vec::new(), warnings: Vec::new() }
    }

    /// The fields of this very object, in the order of the text.
    pub fn own(&self) -> &'a [Field] {
        self.fields
    }

    /// The value of a field of this very object.
    pub fn own_value(&self, name: &str) -> Option<&'a Value> {
        find(self.fields, name).map(|field| &field.value)
    }

    /// Returns whether a field was asked for.
    pub fn was_read(&self, name: &str) -> bool {
        self.read.borrow().contains(name)
    }

    fn mark(&self, name: &str) {
        if !self.was_read(name) {
            self.read.borrow_mut().insert(name.to_owned());
        }
    }

    /// The fields of an object inside of this one, which also has what this one says around it; none if it is missing.
    pub fn nested(&self, name: &str) -> Result<Option<Fields<'a>>, Diagnostic> {
        self.mark(name);
        let Some(field) = find(self.fields, name) else { return Ok(None) };
        match &field.value.kind {
            Kind::Null => Ok(None),
            Kind::Object(fields) => {
                let inner = Self::with(fields, self.fields, field.value.span);
                Ok(Some(Self { positions: self.positions, ..inner }))
            }
            other => Err(wrong(field, "an object", other)),
        }
    }

    /// Place of a field's value, else that of the whole object.
    pub fn span(&self, name: &str) -> Span {
        self.field(name).map_or(self.start(), |field| field.value.span)
    }

    /// Place where the object begins.
    pub fn start(&self) -> Span {
        Span { end: self.span.start + 1, ..self.span }
    }

    /// A diagnostic at a field.
    pub fn fault(&self, name: &str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(CONFIG, self.span(name), message)
    }

    fn field(&self, name: &str) -> Option<&'a Field> {
        self.mark(name);
        let is_given = |field: &&Field| field.value.kind != Kind::Null;
        find(self.fields, name).or_else(|| find(self.outer, name)).filter(is_given)
    }

    /// Returns whether a field is there and not null.
    pub fn has(&self, name: &str) -> bool {
        self.field(name).is_some()
    }

    /// Returns whether a field is there and null, which for some fields means that there is no such thing.
    pub fn is_null(&self, name: &str) -> bool {
        self.mark(name);
        let field = find(self.fields, name).or_else(|| find(self.outer, name));
        field.is_some_and(|field| field.value.kind == Kind::Null)
    }

    /// Number of its own fields.
    pub fn num_fields(&self) -> usize {
        self.fields.len()
    }

    /// Returns whether the object lies inside of another configuration.
    pub fn is_nested(&self) -> bool {
        !self.outer.is_empty()
    }

    /// Remembers the default of a field that is missing.
    pub(crate) fn missing(&mut self, name: &str, default: impl ToString) {
        if !self.defaults.iter().any(|(known, _)| known == name) {
            self.defaults.push((name.to_owned(), default.to_string()));
        }
    }

    /// The same fault with the defaults that it comes of: those of fields that it names, or where it names none and is at no
    /// field, of all numbers that were missing so far, if these are few.
    pub(crate) fn with_defaults(&self, fault: Diagnostic) -> Diagnostic {
        let is_at_none = fault.span == self.start() && !fault.message.contains('`');
        let taken: Vec<String> = self
            .defaults
            .iter()
            .filter(|(name, default)| match is_at_none {
                true => default.parse::<f64>().is_ok(),
                false => fault.message.contains(&format!("`{name}`")),
            })
            .map(|(name, default)| format!("{name} = {default}"))
            .collect();
        match taken.len() {
            1..=FEW => fault.hint(format!("not given, so as documented: {}", taken.join(", "))),
            _ => fault,
        }
    }

    /// Remembers the defaults of an object inside of this one; `path` stands before their names.
    pub(crate) fn missing_inside(&mut self, inner: Fields<'_>, path: &str) {
        for (name, default) in inner.defaults {
            self.missing(&format!("{path}{name}"), default);
        }
    }

    /// A finite number; none if it is missing or null.
    pub fn number_if_given(&self, name: &str) -> Result<Option<f64>, Diagnostic> {
        let Some(field) = self.field(name) else { return Ok(None) };
        match field.value.kind {
            Kind::Number(number) if number.is_finite() => Ok(Some(number)),
            Kind::Number(number) => {
                Err(self.fault(name, format!("`{name}` is {number}; it should be a finite number")))
            }
            ref other => Err(wrong(field, "a number", other)),
        }
    }

    /// A number of this very object, not of one around it; none if it is missing or null.
    pub fn own_number(&self, name: &str) -> Result<Option<f64>, Diagnostic> {
        match find(self.fields, name) {
            Some(_) => self.number_if_given(name),
            None => Ok(None),
        }
    }

    /// Names of numbers that this very object and another both have, but not the same.
    pub fn numbers_that_differ(&self, other: &Self) -> Vec<&'a str> {
        let differs = |field: &&Field| {
            let found = find(other.fields, &field.name).map(|found| &found.value.kind);
            matches!((&field.value.kind, found), (Kind::Number(own), Some(Kind::Number(found))) if own != found)
        };
        self.fields.iter().filter(differs).map(|field| field.name.as_str()).collect()
    }

    /// Number that is added to variances, or the documented default: no negative one.
    pub fn epsilon(&mut self, name: &str, default: f64) -> Result<f64, Diagnostic> {
        let epsilon = self.number(name, default)?;
        match epsilon >= 0.0 && epsilon.is_finite() {
            true => Ok(epsilon),
            false => {
                Err(self.fault(name, format!("`{name}` is {epsilon}; it should be a small positive number")))
            }
        }
    }

    /// A number, or the documented default.
    pub fn number(&mut self, name: &str, default: f64) -> Result<f64, Diagnostic> {
        match self.number_if_given(name)? {
            Some(number) => Ok(number),
            None => {
                self.missing(name, default);
                Ok(default)
            }
        }
    }

    /// A positive whole number; none if it is missing or null.
    pub fn size_if_given(&self, name: &str) -> Result<Option<usize>, Diagnostic> {
        self.count_if_given(name)?.map_or(Ok(None), |size| match size {
            0 => Err(self.fault(name, format!("`{name}` is 0; at least 1 is needed"))),
            _ => Ok(Some(size)),
        })
    }

    /// A whole number; none if it is missing or null.
    pub fn count_if_given(&self, name: &str) -> Result<Option<usize>, Diagnostic> {
        let Some(number) = self.number_if_given(name)? else { return Ok(None) };
        if number.fract() != 0.0 || !(0.0..=LARGEST as f64).contains(&number) {
            let message =
                format!("`{name}` is {number}, which is no size; whole numbers up to {LARGEST} are");
            return Err(self.fault(name, message));
        }
        Ok(Some(number as usize))
    }

    /// A positive whole number, or the documented default.
    pub fn size(&mut self, name: &str, default: usize) -> Result<usize, Diagnostic> {
        match self.size_if_given(name)? {
            Some(size) => Ok(size),
            None => {
                self.missing(name, default);
                Ok(default)
            }
        }
    }

    /// A number of layers, or the documented default.
    pub fn depth(&mut self, name: &str, default: usize) -> Result<usize, Diagnostic> {
        match self.size(name, default)? {
            depth if depth > DEEPEST => {
                Err(self.fault(name, format!("`{name}` is {depth}; a model has at most {DEEPEST} layers")))
            }
            depth => Ok(depth),
        }
    }

    /// A whole number, or the documented default.
    pub fn count(&mut self, name: &str, default: usize) -> Result<usize, Diagnostic> {
        match self.count_if_given(name)? {
            Some(count) => Ok(count),
            None => {
                self.missing(name, default);
                Ok(default)
            }
        }
    }

    /// A truth value, or the documented default.
    pub fn flag(&mut self, name: &str, default: bool) -> Result<bool, Diagnostic> {
        let Some(field) = self.field(name) else {
            self.missing(name, default);
            return Ok(default);
        };
        match field.value.kind {
            Kind::Flag(flag) => Ok(flag),
            ref other => Err(wrong(field, "`true` or `false`", other)),
        }
    }

    /// A string; none if it is missing or null.
    pub fn text_if_given(&self, name: &str) -> Result<Option<&'a str>, Diagnostic> {
        let Some(field) = self.field(name) else { return Ok(None) };
        match &field.value.kind {
            Kind::Text(text) => Ok(Some(text)),
            other => Err(wrong(field, "a string", other)),
        }
    }

    /// A string, or the documented default.
    pub fn text(&mut self, name: &str, default: &'a str) -> Result<&'a str, Diagnostic> {
        match self.text_if_given(name)? {
            Some(text) => Ok(text),
            None => {
                self.missing(name, default);
                Ok(default)
            }
        }
    }

    /// A list; none if it is missing or null.
    pub fn list_if_given(&self, name: &str) -> Result<Option<&'a [Value]>, Diagnostic> {
        let Some(field) = self.field(name) else { return Ok(None) };
        match &field.value.kind {
            Kind::List(items) => Ok(Some(items)),
            other => Err(wrong(field, "a list", other)),
        }
    }

    /// A list of strings; none if it is missing or null.
    pub fn texts_if_given(&self, name: &str) -> Result<Option<Vec<&'a str>>, Diagnostic> {
        let Some(items) = self.list_if_given(name)? else { return Ok(None) };
        let text = |item: &'a Value| match &item.kind {
            Kind::Text(text) => Ok(text.as_str()),
            other => {
                let message = format!("`{name}` is a list of strings; this is {}", other.noun());
                Err(Diagnostic::error(CONFIG, item.span, message))
            }
        };
        items.iter().map(text).collect::<Result<_, _>>().map(Some)
    }

    /// A list of numbers; none if it is missing or null.
    pub fn numbers_if_given(&self, name: &str) -> Result<Option<Vec<f64>>, Diagnostic> {
        let Some(items) = self.list_if_given(name)? else { return Ok(None) };
        let number = |item: &Value| match &item.kind {
            Kind::Number(number) => Ok(*number),
            other => {
                let message = format!("`{name}` is a list of numbers; this is {}", other.noun());
                Err(Diagnostic::error(CONFIG, item.span, message))
            }
        };
        items.iter().map(number).collect::<Result<_, _>>().map(Some)
    }

    /// The quotient of two sizes, which have to divide.
    pub fn quotient(&self, whole: (&str, usize), parts: (&str, usize)) -> Result<usize, Diagnostic> {
        if !whole.1.is_multiple_of(parts.1) {
            let ((name, size), (divisor, by)) = (whole, parts);
            let place = if self.has(divisor) { divisor } else { name };
            return Err(
                self.fault(place, format!("`{name}` is {size}, which `{divisor}`, {by}, does not divide"))
            );
        }
        Ok(whole.1 / parts.1)
    }
}

fn find<'a>(fields: &'a [Field], name: &str) -> Option<&'a Field> {
    fields.iter().find(|field| field.name == name)
}

fn wrong(field: &Field, expected: &str, found: &Kind) -> Diagnostic {
    let message = format!("`{}` should be {expected}, not {}", field.name, found.noun());
    Diagnostic::error(CONFIG, field.value.span, message)
}
