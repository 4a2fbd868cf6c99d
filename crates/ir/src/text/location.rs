//! Reading `loc(...)`. Aliases of locations may stand behind their uses: those are found by a search of the text for
//! lines that begin with `#name =`.

use super::lexer::TokenKind;
use super::parser::{NAMES, NESTING, Parsed, Parser, SYNTAX};
use crate::attribute::Attr;
use crate::location::{Location, LocationRef};
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};

/// How deep locations may nest, through their aliases: as deep as the calls of the program that made them.
const MAX_LOCATION_DEPTH: usize = 2000;

/// What is known of location aliases. Looked up, never iterated.
#[derive(Default)]
pub(crate) struct LocationAliases<'s> {
    /// Where each alias is defined, behind its `=`; found when the first unknown alias is met.
    places: Option<HashMap<&'s str, usize>>,
    /// Those that were read.
    read: HashMap<&'s str, Option<LocationRef>>,
    /// Every location that was read: equal ones are one, so that comparing them takes no time.
    all: HashSet<LocationRef>,
}

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

    /// `loc(...)` as the value of an attribute, kept as text.
    pub(crate) fn location_attribute(&mut self) -> Parsed<Attr> {
        let span = self.here();
        let location = self.location()?;
        let mut text = "loc(".to_owned();
        if write_out(&mut text, location.as_ref()).is_err() {
            let hint = "leave it out, or give the op this location";
            return self.fail(SYNTAX, span, "a location given as an attribute is too long", hint);
        }
        text.push(')');
        Ok(Attr::Dialect(text.into()))
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
        self.shared_location(location).map(Some)
    }

    fn shared_location(&mut self, location: Location) -> Parsed<LocationRef> {
        let location = LocationRef::from(location);
        if let Some(known) = self.location_aliases.all.get(&location) {
            return Ok(known.clone());
        }
        if location.depth() > MAX_LOCATION_DEPTH {
            let message = format!("locations are nested more than {MAX_LOCATION_DEPTH} deep");
            return self.fail(NESTING, self.here(), message, "no real program nests this deep");
        }
        self.location_aliases.all.insert(location.clone());
        Ok(location)
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
            let text = self.source[start..self.last_end].into();
            return self.shared_location(Location::Dialect(text)).map(Some);
        }
        if self.location_aliases.places.is_none() {
            self.read_all_locations()?;
        }
        if let Some(location) = self.location_aliases.read.get(name) {
            return Ok(location.clone());
        }
        let places = self.location_aliases.places.as_ref();
        let Some(place) = places.and_then(|places| places.get(name).copied()) else {
            let hint = "aliases of locations stand at the end of the file: was it copied whole?";
            return self.fail(NAMES, span, format!("the alias `#{name}` is not defined"), hint);
        };
        self.read_location_at(name, place)
    }

    /// Reads all definitions in their order, so that those that refer to ones before them nest no calls.
    fn read_all_locations(&mut self) -> Parsed<()> {
        let places = alias_places(self.source, self.start);
        self.location_aliases.places = Some(places.iter().copied().collect());
        for (name, place) in places {
            if !self.location_aliases.read.contains_key(name) {
                self.read_location_at(name, place)?;
            }
        }
        Ok(())
    }

    fn read_location_at(&mut self, name: &'s str, place: usize) -> Parsed<Option<LocationRef>> {
        let (token, last_end) = (self.token, self.last_end);
        self.restart(place);
        let location = self.nested(Self::location)?;
        (self.token, self.last_end) = (token, last_end);
        self.location_aliases.read.insert(name, location.clone());
        Ok(location)
    }
}

/// Writes the inside of `loc(...)` with all its parts; fails if that is long, as parts may be shared many times over.
fn write_out(out: &mut String, location: Option<&LocationRef>) -> fmt::Result {
    match location {
        _ if out.len() > 1 << 16 => Err(fmt::Error),
        None => out.write_str("unknown"),
        Some(location) => location.write(out, &mut write_out),
    }
}

/// Where the aliases of a text are defined, behind the `=` of lines such as `#loc = loc(unknown)`.
fn alias_places(source: &str, start: usize) -> Vec<(&str, usize)> {
    let mut places = Vec::new();
    let mut at = start;
    for line in source[start..].split_inclusive('\n') {
        if let Some((name, definition)) = line.split_once('=')
            && let Some(name) = name.trim().strip_prefix('#')
            && definition.trim_start().starts_with("loc(")
        {
            places.push((name, at + line.len() - definition.len()));
        }
        at += line.len();
    }
    places
}
