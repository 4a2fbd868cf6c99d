//! Reading modules, functions, regions and instructions.

use super::lexer::{TokenKind, next_token};
use super::parser::{Binding, Failed, NAMES, Parsed, Parser, SYNTAX};
use crate::attribute::Attributes;
use crate::diagnostic::{Check, Diagnostics, Source, Span};
use crate::ids::{Id, RegionId, ValueId};
use crate::op::{AttrReader, ParsedInst};
use crate::program::{Body, Function, Program, Region, Value};
use crate::types::Type;
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
    let mut parser = Parser::new(source, part);
    if parser.token.kind == TokenKind::Eof {
        let hint = "expected a StableHLO module in text form";
        let _: Parsed<()> = parser.fail(SYNTAX, Span::new(0, 1), "the file is empty", hint);
        return Err(parser.diagnostics);
    }
    let program = parser.program();
    let mut diagnostics = parser.diagnostics;
    match program {
        Ok(program) if diagnostics.is_empty() => Ok(program),
        _ => {
            diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
            Err(diagnostics)
        }
    }
}

impl<'s> Parser<'s> {
    fn program(&mut self) -> Parsed<Program> {
        let mut program = Program::default();
        while let TokenKind::Hash | TokenKind::Bang = self.token.kind {
            self.alias()?;
        }
        if self.at_word("module") || self.at_word("builtin.module") {
            self.bump();
            if self.token.kind == TokenKind::Symbol {
                program.name = Some(self.symbol()?);
            }
            if self.eat_word("attributes") {
                program.attributes = self.attr_dict()?;
            }
            let opening = self.here();
            self.expect(b'{')?;
            while !self.at(b'}') {
                if self.token.kind == TokenKind::Eof {
                    let hint = "the file ends too early; was it cut off?";
                    return self.fail(SYNTAX, opening, "the module's `{` is never closed", hint);
                }
                self.module_item(&mut program)?;
            }
            self.bump();
            self.location_opt()?;
        } else {
            while self.token.kind != TokenKind::Eof {
                self.module_item(&mut program)?;
            }
        }
        while let TokenKind::Hash | TokenKind::Bang = self.token.kind {
            self.alias()?;
        }
        if self.token.kind != TokenKind::Eof {
            return self.expected("the end of the file after the module");
        }
        if program.functions.is_empty() {
            let hint = "a module holds at least one `func.func`";
            return self.fail(SYNTAX, Span::new(0, 1), "the module has no function", hint);
        }
        Ok(program)
    }

    /// `#name = attribute` or `!name = type`.
    fn alias(&mut self) -> Parsed<()> {
        let token = self.bump();
        let name = &self.text(token)[1..];
        self.expect(b'=')?;
        if token.kind == TokenKind::Bang {
            let ty = self.ty()?;
            self.type_aliases.insert(name, ty);
        } else {
            let attribute = self.attribute()?;
            self.attribute_aliases.insert(name, attribute);
        }
        Ok(())
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
            "func.func" if self.token.kind == TokenKind::Bare => self.function().map(|function| {
                if program.function(&function.name).is_some() {
                    let message = format!("the function `@{}` is defined twice", function.name);
                    let _: Parsed<()> = self.fail(NAMES, function.span, message, "");
                }
                program.functions.push(function);
            }),
            "sdy.mesh" => self.mesh(program.functions.len()).map(|decl| {
                let name = &decl.mesh.name;
                if program.mesh(name).is_some() || program.function(name).is_some() {
                    let message = format!("`@{name}` is defined twice");
                    let _: Parsed<()> = self.fail(NAMES, decl.span, message, "");
                }
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

    pub(super) fn location_opt(&mut self) -> Parsed<()> {
        if self.at_word("loc") { self.location() } else { Ok(()) }
    }

    /// `func.func public @main(%arg0: type {attributes}) -> (type {attributes}) attributes {...} { ... }`.
    fn function(&mut self) -> Parsed<Function> {
        self.bump();
        let visibility = ["public", "private", "nested"].into_iter().find(|word| self.eat_word(word));
        let span = self.here();
        let name = self.symbol()?;
        self.body = Body::new();
        self.region = self.body.entry();
        self.names.clear();
        self.undo.clear();
        self.default_dialect = "func";
        let arg_attributes = self.list(b'(', b')', |p| {
            let (value, ty, span) = p.typed_argument()?;
            let entry = p.body.entry();
            let attributes = p.attr_dict_opt()?;
            p.location_opt()?;
            p.add_argument(entry, value, ty, span)?;
            Ok(attributes)
        })?;
        let (mut result_types, mut result_attributes) = (Vec::new(), Vec::new());
        if self.token.kind == TokenKind::Arrow {
            self.bump();
            let mut result = |p: &mut Self| {
                result_types.push(p.ty()?);
                result_attributes.push(Attributes::new());
                Ok(())
            };
            if self.at(b'(') {
                self.list(b'(', b')', |p| {
                    result_types.push(p.ty()?);
                    result_attributes.push(p.attr_dict_opt()?);
                    Ok(())
                })?;
            } else {
                result(self)?;
            }
        }
        let attributes = if self.eat_word("attributes") { self.attr_dict()? } else { Attributes::new() };
        if !self.at(b'{') {
            let hint = "every function needs a body; link the module first";
            return self.fail(SYNTAX, span, format!("the function `@{name}` has no body"), hint);
        }
        self.bump();
        self.insts_until_brace()?;
        self.location_opt()?;
        let body = std::mem::take(&mut self.body);
        let visibility = visibility.map(str::to_owned);
        Ok(Function {
            name,
            visibility,
            arg_attributes,
            result_types,
            result_attributes,
            attributes,
            body,
            span,
        })
    }

    /// Appends an argument to `region` and brings its name into scope.
    pub fn add_argument(&mut self, region: RegionId, name: &'s str, ty: Type, span: Span) -> Parsed<ValueId> {
        let value = self.body.add_arg(region, ty, span);
        self.define(name, span, value, 1)?;
        Ok(value)
    }

    fn define(&mut self, name: &'s str, span: Span, first: ValueId, count: usize) -> Parsed<()> {
        if self.names.get(name).is_some_and(|binding| !binding.is_poisoned) {
            return self.fail(
                NAMES,
                span,
                format!("`{name}` is defined twice"),
                "every name stands for one value",
            );
        }
        self.bind(name, Binding { first, count, is_poisoned: false });
        Ok(())
    }

    /// `{ ^bb0(%a: type): ... }`, arguments being those of the block header if there is one.
    pub fn region(&mut self) -> Parsed<RegionId> {
        self.region_with(&[])
    }

    /// A region whose arguments come from outside its braces: names with types, as `while` and `reduce` print them.
    pub fn region_with(&mut self, args: &[(&'s str, Type, Span)]) -> Parsed<RegionId> {
        self.nested(|p| {
            let opening = p.here();
            p.expect(b'{')?;
            let region = p.body.regions.push(Region::default());
            let (outer, mark) = (std::mem::replace(&mut p.region, region), p.undo.len());
            let dialect = std::mem::replace(&mut p.default_dialect, "stablehlo");
            let result = p.region_body(region, args, opening);
            p.region = outer;
            p.default_dialect = dialect;
            p.unbind_to(mark);
            result.map(|()| region)
        })
    }

    fn region_body(&mut self, region: RegionId, args: &[(&'s str, Type, Span)], opening: Span) -> Parsed<()> {
        for (name, ty, span) in args {
            // Arguments named outside the braces may hide names around the region.
            let value = self.body.add_arg(region, ty.clone(), *span);
            self.bind(name, Binding { first: value, count: 1, is_poisoned: false });
        }
        if self.token.kind == TokenKind::Block {
            self.bump();
            if self.at(b'(') {
                self.list(b'(', b')', |p| {
                    let (name, ty, span) = p.typed_argument()?;
                    p.add_argument(region, name, ty, span)
                })?;
            }
            self.expect(b':')?;
        }
        let _ = opening;
        self.insts_until_brace()
    }

    /// Instructions up to and including the closing brace.
    fn insts_until_brace(&mut self) -> Parsed<()> {
        loop {
            if self.eat(b'}') {
                return Ok(());
            }
            if self.token.kind == TokenKind::Eof {
                return self.expected("an instruction or `}`");
            }
            if self.token.kind == TokenKind::Block {
                let hint = "control flow is `while`, `if` and `case`; regions have one block";
                return self.fail(SYNTAX, self.here(), "a second block in a region is not supported", hint);
            }
            let start = self.token.start;
            let (mark, depth, region, dialect) =
                (self.undo.len(), self.depth, self.region, self.default_dialect);
            if self.instruction().is_err() {
                self.unbind_to(mark);
                (self.depth, self.region, self.default_dialect) = (depth, region, dialect);
                self.recover_instruction(start)?;
            }
        }
    }

    /// `%0:2, %b = op ...`.
    fn instruction(&mut self) -> Parsed<()> {
        let start = self.token.start;
        let mut names: Vec<(&'s str, usize, Span)> = Vec::new();
        if self.token.kind == TokenKind::Value {
            loop {
                if self.token.kind != TokenKind::Value {
                    return self.expected("a result (`%name`)");
                }
                let token = self.bump();
                let count = if self.eat(b':') { self.size()? } else { 1 };
                names.push((self.text(token), count, Span::new(token.start, token.end)));
                if !self.eat(b',') {
                    break;
                }
            }
            self.expect(b'=')?;
        }
        let name_span = self.here();
        let parsed = match self.token.kind {
            TokenKind::String => self.generic(),
            TokenKind::Bare => {
                let text = self.text(self.token);
                match self.reader(text) {
                    Some(reader) => {
                        self.bump();
                        let parsed = (reader.parse)(self, reader.name)?;
                        Ok(parsed)
                    }
                    None => self.unknown_op(text),
                }
            }
            _ => self.expected("an operation"),
        }?;
        self.location_opt()?;
        let span = self.since(start);
        if let Some(written) = &parsed.operand_types {
            self.check_signature(&parsed, written, name_span);
        }
        let expected: usize = names.iter().map(|(_, count, _)| *count).sum();
        if expected != parsed.result_types.len() && !(names.is_empty() && parsed.result_types.is_empty()) {
            let message = format!(
                "`{}` has {} results, but {expected} are named",
                parsed.op.name(),
                parsed.result_types.len()
            );
            if !names.is_empty() {
                return self.fail(SIGNATURE, name_span, message, "");
            }
        }
        let region = self.region;
        let first: ValueId = Id::from_index(self.body.values.len());
        let ParsedInst { op, operands, result_types, regions, attributes, .. } = parsed;
        let inst = self.body.append(region, op, operands, regions, result_types, span);
        self.body.insts[inst].attributes = attributes;
        let mut offset = 0;
        for (name, count, span) in names {
            let value: ValueId = Id::from_index(first.index() + offset);
            for index in 0..count {
                let id: ValueId = Id::from_index(value.index() + index);
                self.body.values[id].span = span;
            }
            self.define(name, span, value, count)?;
            offset += count;
        }
        Ok(())
    }

    fn reader(&self, name: &str) -> Option<crate::op::OpReader> {
        self.readers.get(name).copied().or_else(|| {
            // Inside `func`, `call` and `return` need no prefix.
            ["func", self.default_dialect]
                .into_iter()
                .find_map(|dialect| self.readers.get(format!("{dialect}.{name}").as_str()).copied())
        })
    }

    fn unknown_op<T>(&mut self, name: &str) -> Parsed<T> {
        let hint = self
            .readers
            .keys()
            .map(|known| (edit_distance(name, known), *known))
            .min()
            .filter(|(distance, _)| *distance <= 3)
            .map_or_else(String::new, |(_, known)| format!("did you mean `{known}`?"));
        self.fail(UNKNOWN_OP, self.here(), format!("the operation `{name}` is not known"), &hint)
    }

    /// Types in the text against the operands' own; reported without stopping.
    fn check_signature(&mut self, parsed: &ParsedInst, written: &[Type], span: Span) {
        if written.len() != parsed.operands.len() {
            let message = format!("{} operands, but types for {}", parsed.operands.len(), written.len());
            let _: Parsed<()> = self.fail(SIGNATURE, span, message, "");
            return;
        }
        for (index, (operand, written)) in parsed.operands.iter().zip(written).enumerate() {
            let actual = self.body.ty(*operand);
            if actual != written {
                let Value { span: defined, .. } = self.body.values[*operand];
                let name = &self.source[defined.start as usize..defined.end as usize];
                let message = format!("operand {index} (`{name}`) is {actual}, but the text says {written}");
                let _: Parsed<()> =
                    self.fail(SIGNATURE, span, message, "the types after the colon are the operands' own");
            }
        }
    }

    /// `"name"(%a) <{properties}> ({regions}) {attributes} : (types) -> types`.
    fn generic(&mut self) -> Parsed<ParsedInst> {
        let span = self.here();
        let name = self.string()?;
        let Some(reader) = self.readers.get(name.as_str()).copied() else {
            self.restart(span.start as usize);
            return self.unknown_op(&name);
        };
        let operands = self.operand_list()?;
        let mut attributes = Attributes::new();
        if self.eat(b'<') {
            attributes = self.attr_dict()?;
            self.expect(b'>')?;
        }
        let regions = if self.at(b'(') { self.list(b'(', b')', Self::region)? } else { Vec::new() };
        for (name, value) in self.attr_dict_opt()?.iter() {
            attributes.set(name, value.clone());
        }
        let (operand_types, result_types) = self.colon_function_type()?;
        match (reader.from_attributes)(reader.name, &mut AttrReader { rest: &mut attributes }) {
            Ok(op) => Ok(ParsedInst {
                op,
                operands,
                operand_types: Some(operand_types),
                result_types,
                regions,
                attributes,
            }),
            Err(message) => self.fail(ATTRIBUTES, span, format!("`{name}`: {message}"), ""),
        }
    }

    /// One of a few words; `what` lists them.
    pub fn one_of<T>(&mut self, what: &str, read: fn(&str) -> Option<T>) -> Parsed<T> {
        let found = if self.token.kind == TokenKind::Bare { read(self.text(self.token)) } else { None };
        match found {
            Some(value) => {
                self.bump();
                Ok(value)
            }
            None => self.expected(what),
        }
    }

    /// Refuses the short form of an op that has none.
    pub fn only_generic<T>(&mut self, name: &str) -> Parsed<T> {
        let hint = format!("write it as \"{name}\"(%operand) <{{...}}> : (...) -> ...");
        self.fail(SYNTAX, self.here(), format!("`{name}` has only the generic form"), &hint)
    }

    /// Makes an op of a pretty form whose attributes stand in `{...}`: takes them out, keeps the rest.
    pub fn from_dict<T>(
        &mut self,
        name: &'static str,
        attributes: &mut Attributes,
        read: fn(&'static str, &mut AttrReader<'_>) -> Result<T, String>,
    ) -> Parsed<T> {
        let span = self.here();
        read(name, &mut AttrReader { rest: attributes })
            .or_else(|message| self.fail(ATTRIBUTES, span, format!("`{name}`: {message}"), ""))
    }

    /// After an error in the instruction at byte `start`: makes the names it defines usable without further
    /// errors and goes on at the next line that can begin an instruction.
    fn recover_instruction(&mut self, start: usize) -> Parsed<()> {
        self.restart(start);
        let mut names = Vec::new();
        while self.token.kind == TokenKind::Value {
            let token = self.bump();
            names.push(self.text(token));
            if self.eat(b':') && self.token.kind == TokenKind::Int {
                self.bump();
            }
            if !self.eat(b',') {
                break;
            }
        }
        if self.at(b'=') {
            for name in names {
                let first = Id::from_index(0);
                self.bind(name, Binding { first, count: 1, is_poisoned: true });
            }
        }
        let mut depth = 0usize;
        let mut is_first = true;
        loop {
            let starts_line = self.source[self.last_end..self.token.start].contains('\n');
            match self.token.kind {
                TokenKind::Eof => return Err(Failed),
                TokenKind::Punct(b'}') if depth == 0 => return Ok(()),
                TokenKind::Value | TokenKind::String | TokenKind::Bare
                    if depth == 0 && starts_line && !is_first && !self.continues_instruction() =>
                {
                    return Ok(());
                }
                TokenKind::Punct(b'{' | b'(') => depth += 1,
                TokenKind::Punct(b'}' | b')') => depth = depth.saturating_sub(1),
                _ => {}
            }
            is_first = false;
            self.bump();
        }
    }

    /// Whether the name at the start of a line goes on with the instruction before it.
    fn continues_instruction(&self) -> bool {
        self.token.kind == TokenKind::Bare
            && !self.text(self.token).contains('.')
            && !matches!(self.text(self.token), "return" | "call")
    }

    /// After an error in a module item: goes on at the next line that begins one.
    fn recover_item(&mut self, start: usize) -> Parsed<()> {
        let mut at = start;
        loop {
            let Some(newline) = self.source[at..].find('\n') else {
                return Err(Failed);
            };
            at += newline + 1;
            let line = self.source[at..].trim_start_matches([' ', '\t']);
            if line.starts_with("func.func") || line.starts_with("sdy.mesh") {
                self.restart(at);
                self.depth = 0;
                return Ok(());
            }
            if self.source[at..].starts_with('}') {
                self.restart(at);
                return Ok(());
            }
        }
    }
}

/// Levenshtein distance, for "did you mean".
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let substitution = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = substitution.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
