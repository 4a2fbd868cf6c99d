//! Reading `loc(...)`. Aliases of locations may stand behind their uses: those are found by a search of the text for
//! lines that begin with `#name =`.

use super::lexer::TokenKind;
use super::parser::{NAMES, NESTING, Parsed, Parser, SYNTAX};
use crate::location::{Location, LocationRef};
use std::collections::HashMap;

/// What is known of location aliases. Looked up, never iterated.
#[derive(Default)]
pub(crate) struct LocationAliases<'s> {
    /// Where each alias is defined, behind its `=`; found when the first unknown alias is met.
    places: Option<HashMap<&'s str, usize>>,
    /// Those that were read, with how deep they nest.
    read: HashMap<&'s str, (Option<LocationRef>, usize)>,
}

/// How deep locations may nest by way of aliases: stacks of calls may be deep, but not without end.
const MAX_LOCATION_DEPTH: usize = 8000;

impl<'s> Parser<'s> {
    /// `loc(...)` if one stands here. None also for an unknown location.
    pub fn location_opt(&mut self) -> Parsed<Option<LocationRef>> {
        if self.at_word("loc") { self.location() } else { Ok(None) }
    }

    /// `loc(...)`.
    pub(crate) fn location(&mut self) -> Parsed<Option<LocationRef>> {
        self.expect_word("loc")?;
        self.expect(b'(')?;
        let location = self.location_inside()?;
        self.expect(b')')?;
        Ok(location)
    }

    fn location_inside(&mut self) -> Parsed<Option<LocationRef>> {
        self.nested(Self::location_part)
    }

    fn location_part(&mut self) -> Parsed<Option<LocationRef>> {
        let location = match self.token.kind {
            TokenKind::String => self.named_location()?,
            TokenKind::Hash => return self.location_alias(),
            TokenKind::Bare => match self.text(self.token) {
                "unknown" => {
                    self.bump();
                    return Ok(None);
                }
                "loc" => return self.location(),
                "callsite" => {
                    self.bump();
                    self.expect(b'(')?;
                    let callee = self.location_inside()?;
                    self.expect_word("at")?;
                    let caller = self.location_inside()?;
                    self.expect(b')')?;
                    Location::CallSite { callee, caller }
                }
                "fused" => {
                    self.bump();
                    let mut metadata = None;
                    if self.eat(b'<') {
                        metadata = Some(self.attribute()?);
                        self.expect(b'>')?;
                    }
                    Location::Fused { metadata, parts: self.list(b'[', b']', Self::location_inside)? }
                }
                _ => return self.expected("a location"),
            },
            _ => return self.expected("a location"),
        };
        Ok(Some(location.into()))
    }

    /// `"file":3:1`, `"file":3:1 to 4:2`, `"name"` or `"name"(location)`.
    fn named_location(&mut self) -> Parsed<Location> {
        let text = self.string()?.into();
        if self.eat(b':') {
            let line = self.coordinate()?;
            self.expect(b':')?;
            let column = self.coordinate()?;
            let mut end = None;
            if self.eat_word("to") {
                let end_line = if self.at(b':') { line } else { self.coordinate()? };
                self.expect(b':')?;
                end = Some((end_line, self.coordinate()?)).filter(|end| *end != (line, column));
            }
            return Ok(Location::File { file: text, start: (line, column), end });
        }
        let mut child = None;
        if self.eat(b'(') {
            child = self.location_inside()?;
            self.expect(b')')?;
        }
        Ok(Location::Name { name: text, child })
    }

    fn coordinate(&mut self) -> Parsed<u32> {
        let span = self.here();
        match u32::try_from(self.integer()?) {
            Ok(value) => Ok(value),
            Err(_) => self.fail(SYNTAX, span, "a line or column should fit 32 bits", ""),
        }
    }

    /// `#alias`, or another dialect's location.
    fn location_alias(&mut self) -> Parsed<Option<LocationRef>> {
        let (start, span) = (self.token.start, self.here());
        let name = &self.text(self.token)[1..];
        self.bump();
        if self.at(b'<') {
            self.skip_balanced(b'<', b'>')?;
            return Ok(Some(Location::Dialect(self.source[start..self.last_end].into()).into()));
        }
        if let Some((location, depth)) = self.location_aliases.read.get(name).cloned() {
            self.deepest = self.deepest.max(self.depth + depth);
            if self.depth + depth > MAX_LOCATION_DEPTH {
                let message = format!("locations nest more than {MAX_LOCATION_DEPTH} deep");
                return self.fail(NESTING, span, message, "no real program nests this deep");
            }
            return Ok(location);
        }
        let source = self.source;
        let places = self.location_aliases.places.get_or_insert_with(|| alias_places(source));
        let Some(place) = places.get(name).copied() else {
            return self.fail(NAMES, span, format!("the alias `#{name}` is not defined"), "");
        };
        let (token, last_end) = (self.token, self.last_end);
        self.restart(place);
        let outer = std::mem::replace(&mut self.deepest, self.depth);
        let location = self.nested(Self::location)?;
        let depth = self.deepest - self.depth;
        self.deepest = self.deepest.max(outer);
        (self.token, self.last_end) = (token, last_end);
        self.location_aliases.read.insert(name, (location.clone(), depth));
        Ok(location)
    }
}

/// Where the aliases of a text are defined, behind the `=` of lines such as `#loc = loc(unknown)`.
fn alias_places(source: &str) -> HashMap<&str, usize> {
    let mut places = HashMap::new();
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        if let Some(definition) = line.strip_prefix('#')
            && let Some((name, _)) = definition.split_once('=')
        {
            places.insert(name.trim(), at + 1 + name.len() + 1);
        }
        at += line.len();
    }
    places
}
