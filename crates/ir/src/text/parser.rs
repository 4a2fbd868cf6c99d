//! The parser's core: a token of lookahead, diagnostics, names in scope, and the small pieces that op files call.

use super::aliases::Aliases;
use super::lexer::{Token, TokenKind, next_token, unescape};
use super::location::LocationAliases;
use crate::diagnostic::{Check, Diagnostic, Diagnostics, Source, Span};
use crate::ids::{RegionId, ValueId};
use crate::location::LocationRef;
use crate::op::OpReader;
use crate::program::Body;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

/// The text does not follow the grammar.
pub const SYNTAX: Check = Check("syntax");
/// A name is used that nothing defines, or defined twice.
pub const NAMES: Check = Check("names");
/// A type is used that is not supported, such as one with dynamic dims.
pub const TYPES: Check = Check("types");
/// Braces or types are nested deeper than any real program nests them.
pub const NESTING: Check = Check("nesting");

/// The start of a text that is too long for a message, without characters that a terminal would act on.
pub(super) fn short(text: &str) -> String {
    let mut start = String::new();
    for c in text.chars().take(40) {
        if c.is_control() { start.extend(c.escape_debug()) } else { start.push(c) }
    }
    if text.chars().nth(40).is_some() {
        start.push_str("...");
    }
    start
}

/// Parsing stopped; the diagnostic has been reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// Result of a parsing function.
pub type Parsed<T> = Result<T, Failed>;

/// How deep regions, attributes and types may nest.
pub(crate) const MAX_DEPTH: usize = 128;

/// A name in scope: its first value and how many results it stands for. It is poisoned after an error in its
/// definition: uses are not reported then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Binding {
    pub(crate) first: ValueId,
    pub(crate) count: usize,
    pub(crate) is_poisoned: bool,
}

/// A reader of one source text.
pub struct Parser<'s> {
    pub(crate) source: &'s str,
    /// Where in it the module begins.
    pub(crate) start: usize,
    pub(crate) token: Token,
    /// One past the last consumed token.
    pub(crate) last_end: usize,
    pub(crate) diagnostics: Diagnostics,
    /// How each op is read. Looked up, never iterated.
    pub(crate) readers: HashMap<&'static str, OpReader>,
    pub(crate) aliases: Aliases<'s>,
    /// The function being read.
    pub(crate) body: Body,
    /// The region being read.
    pub(crate) region: RegionId,
    pub(crate) names: HashMap<&'s str, Binding>,
    /// Names with what they meant before, to be restored when a region ends.
    pub(crate) undo: Vec<(&'s str, Option<Binding>)>,
    /// Locations of arguments by the place of their names, until the arguments are made.
    pub(crate) argument_locations: BTreeMap<u32, LocationRef>,
    pub(crate) location_aliases: LocationAliases<'s>,
    pub(crate) depth: usize,
    /// Whether something has no end, so that reading on would only search the same text again.
    pub(crate) is_over: bool,
    /// The known op with a name most like one that is not known, by the latter; empty if none is like it.
    pub(crate) suggestions: BTreeMap<String, String>,
    /// The constants at the end of the file.
    pub(crate) resources: BTreeMap<String, (u32, std::sync::Arc<[u8]>)>,
    /// The largest depth so far of what an alias is about to stand for.
    pub(crate) deepest: usize,
    /// The symbols of the module so far.
    pub(crate) symbols: BTreeSet<String>,
    /// Whether any replica groups are given by axes of a mesh.
    pub(crate) has_mesh_axes: bool,
    /// Whether what is read stands in the braces of a module.
    pub(crate) is_in_module: bool,
    /// The prefix that op names may omit here (`func` or `stablehlo`).
    pub(crate) default_dialect: &'static str,
}

impl<'s> Parser<'s> {
    pub(crate) fn new(source: &'s Source, part: Range<usize>) -> Self {
        let text: &str = &source.text[..part.end];
        let readers =
            crate::op::READERS.iter().flat_map(|list| list.iter()).map(|reader| (reader.name, *reader));
        let mut parser = Self {
            source: text,
            start: part.start,
            token: Token { kind: TokenKind::Eof, start: 0, end: 0 },
            last_end: 0,
            diagnostics: Vec::new(),
            readers: readers.collect(),
            aliases: Aliases::default(),
            body: Body::new(),
            region: crate::ids::Id::from_index(0),
            names: HashMap::new(),
            undo: Vec::new(),
            argument_locations: BTreeMap::new(),
            location_aliases: LocationAliases::default(),
            depth: 0,
            is_over: false,
            suggestions: BTreeMap::new(),
            resources: BTreeMap::new(),
            deepest: 0,
            symbols: BTreeSet::new(),
            has_mesh_axes: false,
            is_in_module: false,
            default_dialect: "builtin",
        };
        parser.seek(part.start);
        parser
    }

    /// Makes the token at or after byte `at` the current one.
    pub(crate) fn seek(&mut self, at: usize) {
        self.token = next_token(self.source, at);
    }

    /// Goes back (or on) to byte `at` as if nothing behind it had been read.
    pub(crate) fn restart(&mut self, at: usize) {
        self.last_end = at;
        self.seek(at);
    }

    /// Consumes the current token.
    pub(crate) fn bump(&mut self) -> Token {
        let token = self.token;
        self.last_end = token.end;
        self.seek(token.end);
        token
    }

    /// The text of a token.
    pub(crate) fn text(&self, token: Token) -> &'s str {
        &self.source[token.start..token.end]
    }

    /// The place of the current token.
    pub fn here(&self) -> Span {
        Span::new(self.token.start, self.token.end.max(self.token.start + 1))
    }

    /// Everything from byte `start` to the last consumed token.
    pub(crate) fn since(&self, start: usize) -> Span {
        Span::new(start, self.last_end.max(start + 1))
    }

    /// Reports an error at `span`.
    pub fn fail<T>(&mut self, check: Check, span: Span, message: impl Into<String>, hint: &str) -> Parsed<T> {
        let mut diagnostic = Diagnostic::error(check, span, message);
        if !hint.is_empty() {
            diagnostic = diagnostic.hint(hint);
        }
        self.diagnostics.push(diagnostic);
        Err(Failed)
    }

    /// Reports that something else was expected here.
    pub fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let found = match self.token.kind {
            TokenKind::Eof => "the end of the file".to_owned(),
            TokenKind::Bad if self.text(self.token).starts_with(['"', '@']) => {
                "a string without an end".to_owned()
            }
            _ => format!("`{}`", short(self.text(self.token))),
        };
        let hint = match self.token.kind {
            TokenKind::Eof => "the file ends too early; was it cut off?",
            _ => "",
        };
        self.fail(SYNTAX, self.here(), format!("expected {what}, found {found}"), hint)
    }

    /// Returns whether the current token is the character `punct`.
    pub fn at(&self, punct: u8) -> bool {
        self.token.kind == TokenKind::Punct(punct)
    }

    /// Consumes `punct` if it is next.
    pub fn eat(&mut self, punct: u8) -> bool {
        let found = self.at(punct);
        if found {
            self.bump();
        }
        found
    }

    /// Consumes `punct`.
    pub fn expect(&mut self, punct: u8) -> Parsed<()> {
        if self.eat(punct) { Ok(()) } else { self.expected(&format!("`{}`", punct as char)) }
    }

    /// Returns whether the current token is the name `word`.
    pub fn at_word(&self, word: &str) -> bool {
        self.token.kind == TokenKind::Bare && self.text(self.token) == word
    }

    /// Consumes the name `word` if it is next.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.bump();
        }
        found
    }

    /// Consumes the name `word`.
    pub fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(&format!("`{word}`")) }
    }

    /// Consumes any name.
    pub fn word(&mut self, what: &str) -> Parsed<&'s str> {
        if self.token.kind != TokenKind::Bare {
            return self.expected(what);
        }
        let token = self.bump();
        Ok(self.text(token))
    }

    /// Consumes `->`.
    pub fn arrow(&mut self) -> Parsed<()> {
        if self.token.kind != TokenKind::Arrow {
            return self.expected("`->`");
        }
        self.bump();
        Ok(())
    }

    /// Consumes `name =`.
    pub fn field(&mut self, name: &str) -> Parsed<()> {
        self.expect_word(name)?;
        self.expect(b'=')
    }

    /// A string, unescaped.
    pub fn string(&mut self) -> Parsed<String> {
        if self.token.kind != TokenKind::String {
            return self.expected("a string");
        }
        let token = self.bump();
        Ok(unescape(self.text(token)))
    }

    /// `@name`, `@"name"`, or `@outer::@inner`, without the first `@`.
    pub fn symbol(&mut self) -> Parsed<String> {
        if self.token.kind != TokenKind::Symbol {
            return self.expected("a symbol (`@name`)");
        }
        let token = self.bump();
        let mut name = unescape(&self.text(token)[1..]);
        while self.token.kind == TokenKind::ColonColon {
            self.bump();
            if self.token.kind != TokenKind::Symbol {
                return self.expected("a symbol (`@name`)");
            }
            let token = self.bump();
            name.push_str("::@");
            name.push_str(&unescape(&self.text(token)[1..]));
        }
        Ok(name)
    }

    /// An integer, decimal or hexadecimal, with an optional sign.
    pub fn integer(&mut self) -> Parsed<i128> {
        let is_negative = self.eat(b'-');
        let token = self.token;
        let text = self.text(token);
        let value = match token.kind {
            TokenKind::Int => text.parse::<i128>().ok(),
            TokenKind::Hex => {
                u128::from_str_radix(&text[2..], 16).ok().and_then(|value| value.try_into().ok())
            }
            _ => return self.expected("an integer"),
        };
        let Some(value) = value else {
            return self.fail(SYNTAX, self.here(), "this integer is too large", "");
        };
        self.bump();
        Ok(if is_negative { -value } else { value })
    }

    /// An integer that fits `i64`.
    pub fn int(&mut self) -> Parsed<i64> {
        let span = self.here();
        match i64::try_from(self.integer()?) {
            Ok(value) => Ok(value),
            Err(_) => self.fail(SYNTAX, span, "this integer does not fit 64 bits", ""),
        }
    }

    /// A size or position.
    pub fn size(&mut self) -> Parsed<usize> {
        let span = self.here();
        match usize::try_from(self.integer()?) {
            Ok(value) => Ok(value),
            Err(_) => self.fail(
                SYNTAX,
                span,
                "a negative or too large number where a size or position is meant",
                "",
            ),
        }
    }

    /// An integer that fits `u64`.
    pub fn unsigned(&mut self) -> Parsed<u64> {
        let span = self.here();
        match u64::try_from(self.integer()?) {
            Ok(value) => Ok(value),
            Err(_) => self.fail(SYNTAX, span, "this number does not fit 64 unsigned bits", ""),
        }
    }

    /// `true` or `false`.
    pub fn boolean(&mut self) -> Parsed<bool> {
        self.one_of("`true` or `false`", |word| word.parse().ok())
    }

    /// A number with a point, such as `-1.5e-3`.
    pub fn float(&mut self) -> Parsed<f64> {
        let is_negative = self.eat(b'-');
        if self.token.kind != TokenKind::Float {
            return self.expected("a number such as `1.5`");
        }
        let token = self.bump();
        let magnitude: f64 = self.text(token).parse().unwrap_or(f64::NAN);
        Ok(if is_negative { -magnitude } else { magnitude })
    }

    /// Items between `open` and `close`, separated by commas.
    pub fn list<T>(
        &mut self,
        open: u8,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        self.expect(open)?;
        let mut items = Vec::new();
        if self.eat(close) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(close) {
                return Ok(items);
            }
            if !self.eat(b',') {
                return self.expected(&format!("`,` or `{}`", close as char));
            }
        }
    }

    /// `[1, 2]` as sizes or positions.
    pub fn sizes(&mut self) -> Parsed<Vec<usize>> {
        self.list(b'[', b']', Self::size)
    }

    /// `[1, -2]`.
    pub fn ints(&mut self) -> Parsed<Vec<i64>> {
        self.list(b'[', b']', Self::int)
    }

    /// Runs `inner` one level deeper; an error instead of a stack overflow on absurd nesting.
    pub(crate) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let message = format!("nested more than {MAX_DEPTH} deep");
            return self.fail(NESTING, self.here(), message, "no real program nests this deep");
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        let result = inner(self);
        self.depth -= 1;
        result
    }

    // Values.

    /// An operand: `%name` or `%name#1`.
    pub fn operand(&mut self) -> Parsed<ValueId> {
        if self.token.kind != TokenKind::Value {
            return self.expected("an operand (`%name`)");
        }
        let token = self.bump();
        let name = self.text(token);
        let mut index = None;
        if self.token.kind == TokenKind::Hash && self.token.start == token.end {
            let digits = self.text(self.token)[1..].parse::<usize>();
            let Ok(number) = digits else {
                return self.expected("a result number");
            };
            index = Some(number);
            self.bump();
        }
        let span = self.since(token.start);
        match self.names.get(name).copied() {
            None => self.fail(
                NAMES,
                span,
                format!("`{name}` is not defined here"),
                "a value must be defined above its use, in this region or one around it",
            ),
            Some(binding) if binding.is_poisoned => Err(Failed),
            Some(binding) if index.unwrap_or(0) >= binding.count => {
                self.fail(NAMES, span, format!("`{name}` has only {} results", binding.count), "")
            }
            Some(binding) => {
                let first = crate::ids::Id::index(binding.first);
                Ok(crate::ids::Id::from_index(first + index.unwrap_or(0)))
            }
        }
    }

    /// `%a, %b` (at least one).
    pub fn operands(&mut self) -> Parsed<Vec<ValueId>> {
        let mut operands = vec![self.operand()?];
        while self.eat(b',') {
            operands.push(self.operand()?);
        }
        Ok(operands)
    }

    /// `(%a, %b)`, possibly empty.
    pub fn operand_list(&mut self) -> Parsed<Vec<ValueId>> {
        self.list(b'(', b')', Self::operand)
    }

    /// Returns whether the current token is of `kind`.
    pub fn next_is(&self, kind: TokenKind) -> bool {
        self.token.kind == kind
    }

    /// A name about to be defined, with its place.
    pub fn new_name(&mut self) -> Parsed<(&'s str, Span)> {
        if self.token.kind != TokenKind::Value {
            return self.expected("a name (`%name`)");
        }
        let token = self.bump();
        Ok((self.text(token), Span::new(token.start, token.end)))
    }

    /// The name of an op, such as `stablehlo.add`, with its place.
    pub fn op_name(&mut self) -> Parsed<(&'s str, Span)> {
        let span = self.here();
        Ok((self.word("the name of an operation")?, span))
    }

    /// The body being read, for ops whose short form stands for a region.
    pub fn body_mut(&mut self) -> &mut Body {
        &mut self.body
    }

    /// Brings `name` (with `%`) into scope.
    pub(crate) fn bind(&mut self, name: &'s str, binding: Binding) {
        let before = self.names.insert(name, binding);
        self.undo.push((name, before));
    }

    /// Forgets every name bound since the undo log had `mark` entries.
    pub(crate) fn unbind_to(&mut self, mark: usize) {
        while self.undo.len() > mark {
            if let Some((name, before)) = self.undo.pop() {
                match before {
                    Some(binding) => self.names.insert(name, binding),
                    None => self.names.remove(name),
                };
            }
        }
    }
}
