//! Reading functions' code: regions, instructions in both forms, and going on after an error in one.

use super::lexer::TokenKind;
use super::module::{ATTRIBUTES, SIGNATURE, UNKNOWN_OP};
use super::parser::{Binding, Failed, NAMES, NESTING, Parsed, Parser, SYNTAX, short};
use super::types::{DYNAMIC_HINT, QUANTIZED_HINT};
use crate::attribute::Attributes;
use crate::diagnostic::Span;
use crate::ids::{Id, InstId, RegionId, ValueId};
use crate::location::LocationRef;
use crate::op::{AttrReader, ParsedInst};
use crate::program::{Region, Value};
use meshwright_tensor::types::Type;

/// StableHLO's ops whose operands give sizes.
const DYNAMIC_OPS: [&str; 10] = [
    "stablehlo.compute_reshape_shape",
    "stablehlo.dynamic_broadcast_in_dim",
    "stablehlo.dynamic_conv",
    "stablehlo.dynamic_gather",
    "stablehlo.dynamic_iota",
    "stablehlo.dynamic_pad",
    "stablehlo.dynamic_reshape",
    "stablehlo.dynamic_top_k",
    "stablehlo.real_dynamic_slice",
    "stablehlo.set_dimension_size",
];

impl<'s> Parser<'s> {
    /// Appends an argument to `region` and brings its name into scope.
    pub fn add_argument(&mut self, region: RegionId, name: &'s str, ty: Type, span: Span) -> Parsed<ValueId> {
        let value = self.new_argument(region, ty, span);
        self.define(name, span, value, 1)?;
        Ok(value)
    }

    /// Appends an argument to `region`, with the location that was read with it.
    fn new_argument(&mut self, region: RegionId, ty: Type, span: Span) -> ValueId {
        let value = self.body.add_arg(region, ty, span);
        if let Some(location) = self.argument_locations.get(&span.start) {
            let Region { args, arg_locations, .. } = &mut self.body.regions[region];
            arg_locations.resize(args.len(), None);
            arg_locations[args.len() - 1] = Some(location.clone());
        }
        value
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
            p.expect(b'{')?;
            let region = p.body.regions.push(Region::default());
            let (outer, mark) = (std::mem::replace(&mut p.region, region), p.undo.len());
            let dialect = std::mem::replace(&mut p.default_dialect, "stablehlo");
            let result = p.region_body(region, args);
            p.region = outer;
            p.default_dialect = dialect;
            p.unbind_to(mark);
            result.map(|()| region)
        })
    }

    /// The inside of a region, up to and including the closing brace.
    pub(super) fn region_body(&mut self, region: RegionId, args: &[(&'s str, Type, Span)]) -> Parsed<()> {
        for (name, ty, span) in args {
            // Arguments named outside the braces may hide names around the region.
            let value = self.new_argument(region, ty.clone(), *span);
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
        self.insts_until_brace()
    }

    /// Instructions up to and including the closing brace.
    pub(super) fn insts_until_brace(&mut self) -> Parsed<()> {
        loop {
            if self.eat(b'}') {
                return Ok(());
            }
            if self.token.kind == TokenKind::Eof {
                return self.expected("an instruction or `}`");
            }
            if self.token.kind == TokenKind::Bare && matches!(self.text(self.token), "func.func" | "sdy.mesh")
            {
                // Each function without an end would read all behind it.
                let hint = "close the function's `{` before it";
                return self.fail(SYNTAX, self.here(), "an item of the module inside a function", hint);
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
                // What nests too deep is no program; every level would search the rest of it.
                if self.is_over || self.diagnostics.last().is_some_and(|last| last.check == NESTING) {
                    return Err(Failed);
                }
                let failed_at = self.token.start;
                self.recover_instruction(start, failed_at)?;
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
        let location = self.location_opt()?;
        let span = self.since(start);
        if let Some(written) = &parsed.operand_types {
            self.check_signature(&parsed, written, name_span);
        }
        let named = names.iter().fold(0usize, |sum, (_, count, _)| sum.saturating_add(*count));
        let count = parsed.result_types.len();
        // Results need no names if nothing reads them.
        if named != count && !names.is_empty() {
            let message = format!("`{}` has {count} results, but {named} are named", parsed.op.name());
            return self.fail(SIGNATURE, name_span, message, "");
        }
        let region = self.region;
        let first: ValueId = Id::from_index(self.body.values.len());
        let ParsedInst { op, operands, result_types, regions, attributes, .. } = parsed;
        let inst = self.body.append(region, op, operands, regions, result_types, span);
        let made = &mut self.body.insts[inst];
        made.attributes = attributes;
        self.locate(inst, location);
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

    /// Says where an instruction comes from, and with it what is in a region that its short form stands for.
    fn locate(&mut self, inst: InstId, location: Option<LocationRef>) {
        let Some(location) = location else {
            return;
        };
        for region in self.body.insts[inst].regions.clone() {
            let Region { args, insts, arg_locations } = &mut self.body.regions[region];
            let is_written = insts.first().is_none_or(|first| self.body.insts[*first].span != Span::NONE);
            if !is_written {
                *arg_locations = vec![Some(location.clone()); args.len()];
                for inner in insts {
                    self.body.insts[*inner].location = Some(location.clone());
                }
            }
        }
        self.body.insts[inst].location = Some(location);
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
        if DYNAMIC_OPS.contains(&name) {
            let message = format!("the operation `{name}` takes sizes that are known only when it runs");
            return self.fail(UNKNOWN_OP, self.here(), message, DYNAMIC_HINT);
        }
        if matches!(name, "stablehlo.uniform_quantize" | "stablehlo.uniform_dequantize") {
            let message = format!("the operation `{name}` works on quantized types");
            return self.fail(UNKNOWN_OP, self.here(), message, QUANTIZED_HINT);
        }
        if name.starts_with("vhlo.") {
            let message = format!("the operation `{name}` belongs to the form in which programs are stored");
            let hint = "convert it with `stablehlo-translate --deserialize`";
            return self.fail(UNKNOWN_OP, self.here(), message, hint);
        }
        let hint = match self.suggestions.get(name) {
            Some(hint) => hint.clone(),
            // A text with so many unknown names is in another language.
            None if self.suggestions.len() >= MOST_SUGGESTIONS => String::new(),
            None => {
                let hint = suggestion(name);
                self.suggestions.insert(name.to_owned(), hint.clone());
                hint
            }
        };
        self.fail(UNKNOWN_OP, self.here(), format!("the operation `{}` is not known", short(name)), &hint)
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
        let mut attributes = self.properties_opt()?;
        let regions = if self.at(b'(') { self.list(b'(', b')', Self::region)? } else { Vec::new() };
        self.more_attributes(&mut attributes)?;
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

    /// After an error at byte `failed_at` in the instruction at byte `start`: makes the names it defines usable without
    /// further errors and goes on at the next line that can begin an instruction. That is none that was read already:
    /// what stands in regions inside each other would be read again for each of them.
    fn recover_instruction(&mut self, start: usize, failed_at: usize) -> Parsed<()> {
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
            let is_new = self.token.start >= failed_at;
            match self.token.kind {
                TokenKind::Eof => return Err(Failed),
                TokenKind::Punct(b'}') if depth == 0 && is_new => return Ok(()),
                TokenKind::Value | TokenKind::String | TokenKind::Bare
                    if depth == 0 && is_new && starts_line && !is_first && !self.continues_instruction() =>
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
}

/// For how many names a known one like it is looked for.
const MOST_SUGGESTIONS: usize = 100;

/// How many letters may differ for "did you mean".
const NEAR: usize = 3;

/// What to say of an op that is not known; empty if none is like it.
fn suggestion(name: &str) -> String {
    crate::op::READERS
        .iter()
        .flat_map(|list| list.iter())
        .filter(|known| known.name.len().abs_diff(name.len()) <= NEAR)
        .map(|known| (edit_distance(name, known.name), known.name))
        .min()
        .filter(|(distance, _)| *distance <= NEAR)
        .map_or_else(String::new, |(_, known)| format!("did you mean `{known}`?"))
}

/// Levenshtein distance.
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
