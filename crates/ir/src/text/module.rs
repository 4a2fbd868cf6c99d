//! Reading modules: what splits a file, aliases, and the items of a module.

use super::lexer::{TokenKind, next_token};
use super::parser::{Failed, NAMES, Parsed, Parser, SYNTAX, short};
use crate::attribute::Attr;
use crate::diagnostic::{Check, Diagnostics, Source, Span};
use crate::program::Program;
use std::ops::Range;

/// An operation that Meshwright does not know.
pub const UNKNOWN_OP: Check = Check("unknown-op");
/// An op's attributes do not make sense.
pub const ATTRIBUTES: Check = Check("attributes");
/// The types in an op's text are not those of its operands.
pub const SIGNATURE: Check = Check("signature");

/// The byte ranges of the modules in a file: what lies between lines that begin with `// -----`, without parts that
/// hold nothing; the whole file if all are empty.
pub(super) fn split(text: &str) -> Vec<Range<usize>> {
    let (mut parts, mut start, mut at) = (Vec::new(), 0, 0);
    for line in text.split_inclusive('\n') {
        if line.starts_with("// -----") {
            parts.push(start..at);
            start = at + line.len();
        }
        at += line.len();
    }
    parts.push(start..text.len());
    parts.retain(|part| next_token(&text[..part.end], part.start).kind != TokenKind::Eof);
    if parts.is_empty() {
        parts.push(0..text.len());
    }
    parts
}

/// Reads the module in a part of a file.
pub(super) fn read(source: &Source, part: Range<usize>) -> Result<Program, Diagnostics> {
    let start = part.start;
    let mut parser = Parser::new(source, part);
    if parser.token.kind == TokenKind::Eof {
        let hint = "expected a StableHLO module in text form";
        let _: Parsed<()> = parser.fail(SYNTAX, Span::new(0, 1), "the file is empty", hint);
        return Err(parser.diagnostics);
    }
    let program = parser.read_resources(start).and_then(|()| parser.program()).map(|mut program| {
        resolve_groups(&mut program, &mut parser);
        program
    });
    let mut diagnostics = parser.diagnostics;
    match program {
        Ok(program) if diagnostics.is_empty() => Ok(program),
        _ => {
            diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
            Err(diagnostics)
        }
    }
}

/// Looks up the meshes along whose axes replica groups run.
fn resolve_groups(program: &mut Program, parser: &mut Parser<'_>) {
    if !parser.has_mesh_axes {
        return;
    }
    let mut functions = std::mem::take(&mut program.functions);
    for inst in functions.iter_mut().flat_map(|function| function.body.insts.values_mut()) {
        let Some(participants) = inst.op.participants_mut() else { continue };
        if let Err(message) = participants.resolve(program) {
            let _: Parsed<()> =
                parser.fail(ATTRIBUTES, inst.span, format!("`replica_groups`: {message}"), "");
        }
        if participants.is_unresolved()
            && let Some(name) = participants.mesh_axes.as_ref().and_then(|axes| axes.symbol())
            && !parser.symbols.contains(name)
        {
            let message = format!("`replica_groups`: the mesh `@{name}` is not declared");
            let _: Parsed<()> = parser.fail(NAMES, inst.span, message, "");
        }
    }
    program.functions = functions;
}

impl<'s> Parser<'s> {
    fn program(&mut self) -> Parsed<Program> {
        let mut program = Program::default();
        while let TokenKind::Hash | TokenKind::Bang = self.token.kind {
            self.alias()?;
        }
        if self.token.kind == TokenKind::String && self.text(self.token) == "\"builtin.module\"" {
            self.generic_module(&mut program)?;
        } else if self.at_word("module") || self.at_word("builtin.module") {
            self.bump();
            if self.token.kind == TokenKind::Symbol {
                program.name = Some(self.symbol()?);
            }
            if self.eat_word("attributes") {
                program.attributes = self.attr_dict()?;
            }
            let opening = self.here();
            self.expect(b'{')?;
            self.module_items(&mut program, opening)?;
            program.location = self.location_opt()?;
        } else {
            while self.token.kind != TokenKind::Eof {
                // After an error, the end of a function that was not read.
                if self.diagnostics.is_empty() || !self.eat(b'}') {
                    self.module_item(&mut program)?;
                }
            }
        }
        while let TokenKind::Hash | TokenKind::Bang = self.token.kind {
            self.alias()?;
        }
        if self.token.kind != TokenKind::Eof {
            return self.expected("the end of the file after the module");
        }
        Ok(program)
    }

    /// `"builtin.module"() <{sym_name = "m"}> ({ ... }) {attributes} : () -> ()`.
    fn generic_module(&mut self, program: &mut Program) -> Parsed<()> {
        let span = self.here();
        self.bump();
        self.expect(b'(')?;
        self.expect(b')')?;
        let mut attributes = self.properties_opt()?;
        self.expect(b'(')?;
        let opening = self.here();
        self.expect(b'{')?;
        if self.token.kind == TokenKind::Block {
            self.bump();
            if self.eat(b'(') {
                self.expect(b')')?;
            }
            self.expect(b':')?;
        }
        self.module_items(program, opening)?;
        self.expect(b')')?;
        self.more_attributes(&mut attributes)?;
        self.colon_function_type()?;
        program.location = self.location_opt()?;
        program.name = match attributes.remove("sym_name") {
            None => None,
            Some(Attr::String(name)) => Some(name.to_string()),
            Some(_) => {
                return self.fail(ATTRIBUTES, span, "`builtin.module`: `sym_name` should be a string", "");
            }
        };
        program.attributes = attributes;
        Ok(())
    }

    /// What is in a module, up to and including the closing brace.
    fn module_items(&mut self, program: &mut Program, opening: Span) -> Parsed<()> {
        self.is_in_module = true;
        while !self.at(b'}') {
            if self.token.kind == TokenKind::Eof {
                let hint = "the file ends too early; was it cut off?";
                return self.fail(SYNTAX, opening, "the module's `{` is never closed", hint);
            }
            self.module_item(program)?;
        }
        self.bump();
        Ok(())
    }

    /// `#name = attribute` or `!name = type`.
    fn alias(&mut self) -> Parsed<()> {
        let (span, token) = (self.here(), self.bump());
        let name = &self.text(token)[1..];
        self.expect(b'=')?;
        if !self.aliases.declare(self.text(token)) {
            let message = format!("the alias `{}` is defined twice", short(self.text(token)));
            return self.fail(NAMES, span, message, "");
        }
        if token.kind == TokenKind::Hash && self.at_word("loc") {
            self.location()?;
            return Ok(());
        }
        if token.kind == TokenKind::Bang { self.define_type(name) } else { self.define_attribute(name) }
    }

    fn module_item(&mut self, program: &mut Program) -> Parsed<()> {
        let start = self.token.start;
        if let TokenKind::Hash | TokenKind::Bang = self.token.kind {
            return self.alias();
        }
        let item = match self.token.kind {
            TokenKind::Bare => self.text(self.token),
            TokenKind::String => self.text(self.token).trim_matches('"'),
            _ => "",
        };
        let parsed = match item {
            "func.func" => {
                let is_generic = self.token.kind == TokenKind::String;
                let function = if is_generic { self.generic_function() } else { self.function() };
                function.map(|function| {
                    self.declare(&function.name, function.span);
                    program.functions.push(function);
                })
            }
            "sdy.mesh" => self.mesh(program.functions.len()).map(|decl| {
                self.declare(&decl.mesh.name, decl.span);
                program.meshes.push(decl);
            }),
            "" => self.expected("`func.func` or `sdy.mesh`"),
            "module" | "builtin.module" => {
                let hint = "give the inner module a file of its own";
                self.fail(SYNTAX, self.here(), "a module inside a module is not supported", hint)
            }
            other => {
                let message = format!("`{other}` is not known at the top of a module");
                self.fail(UNKNOWN_OP, self.here(), message, "expected `func.func` or `sdy.mesh`")
            }
        };
        if parsed.is_err() {
            self.recover_item(start)?;
        }
        Ok(())
    }

    /// Notes a symbol of the module, of which there is one under a name.
    fn declare(&mut self, name: &str, span: Span) {
        if !self.symbols.insert(name.to_owned()) {
            let _: Parsed<()> = self.fail(NAMES, span, format!("`@{name}` is defined twice"), "");
        }
    }

    /// After an error in a module item: goes on at the next line that begins one.
    fn recover_item(&mut self, start: usize) -> Parsed<()> {
        if self.is_over {
            return Err(Failed);
        }
        let mut at = start;
        loop {
            let Some(newline) = self.source[at..].find('\n') else {
                return Err(Failed);
            };
            at += newline + 1;
            let line = self.source[at..].trim_start_matches([' ', '\t']);
            let items = ["func.func", "\"func.func\"", "sdy.mesh", "\"sdy.mesh\""];
            if items.iter().any(|item| line.starts_with(item)) {
                self.restart(at);
                self.depth = 0;
                return Ok(());
            }
            if self.is_in_module && self.source[at..].starts_with('}') {
                self.restart(at);
                return Ok(());
            }
        }
    }
}
