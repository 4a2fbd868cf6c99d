//! Reading functions: their heads in both forms, and arguments.

use super::lexer::TokenKind;
use super::module::ATTRIBUTES;
use super::parser::{Parsed, Parser, SYNTAX};
use crate::attribute::{Attr, Attributes};
use crate::diagnostic::Span;
use crate::location::LocationRef;
use crate::program::{Body, Function};
use meshwright_tensor::types::Type;

impl<'s> Parser<'s> {
    /// `%name: type loc(...)`, a region argument written outside the region's braces. Its location is kept aside until
    /// the argument is made.
    pub fn typed_argument(&mut self) -> Parsed<(&'s str, Type, Span)> {
        let (name, span) = self.new_name()?;
        let ty = self.colon_type()?;
        let location = self.location_opt()?;
        self.keep_argument_location(span, location);
        Ok((name, ty, span))
    }

    fn keep_argument_location(&mut self, span: Span, location: Option<LocationRef>) {
        if let Some(location) = location {
            self.argument_locations.insert(span.start, location);
        }
    }

    /// Makes `body` the one being read.
    fn start_body(&mut self, dialect: &'static str) {
        self.body = Body::new();
        self.region = self.body.entry();
        self.names.clear();
        self.undo.clear();
        self.argument_locations.clear();
        self.default_dialect = dialect;
    }

    /// `func.func public @main(%arg0: type {attributes}) -> (type {attributes}) attributes {...} { ... }`.
    pub(super) fn function(&mut self) -> Parsed<Function> {
        self.bump();
        let visibility = ["public", "private", "nested"].into_iter().find(|word| self.eat_word(word));
        let span = self.here();
        let name = self.symbol()?;
        self.start_body("func");
        let entry = self.body.entry();
        let mut has_names = true;
        let arg_attributes = self.list(b'(', b')', |p| {
            if p.token.kind != TokenKind::Value {
                // The arguments of a function without a body need no names.
                has_names = false;
                let (span, ty) = (p.here(), p.ty()?);
                let attributes = p.attr_dict_opt()?;
                p.location_opt()?;
                p.body.add_arg(entry, ty, span);
                return Ok(attributes);
            }
            let (name, ty, span) = p.typed_argument()?;
            let attributes = p.attr_dict_opt()?;
            let location = p.location_opt()?;
            p.keep_argument_location(span, location);
            p.add_argument(entry, name, ty, span)?;
            Ok(attributes)
        })?;
        let (mut result_types, mut result_attributes, mut result_spans) =
            (Vec::new(), Vec::new(), Vec::new());
        if self.token.kind == TokenKind::Arrow {
            self.bump();
            if self.at(b'(') {
                self.list(b'(', b')', |p| {
                    result_spans.push(p.here());
                    result_types.push(p.ty()?);
                    result_attributes.push(p.attr_dict_opt()?);
                    Ok(())
                })?;
            } else {
                result_spans.push(self.here());
                result_types.push(self.ty()?);
                result_attributes.push(Attributes::new());
            }
        }
        let attributes = if self.eat_word("attributes") { self.attr_dict()? } else { Attributes::new() };
        let is_declaration = !self.at(b'{');
        if !is_declaration {
            if !has_names {
                return self.fail(SYNTAX, span, "the arguments of a function with a body need names", "");
            }
            self.bump();
            self.insts_until_brace()?;
        }
        let location = self.location_opt()?;
        Ok(Function {
            name,
            visibility: visibility.map(str::to_owned),
            arg_attributes,
            result_types,
            result_attributes,
            result_spans,
            attributes,
            body: std::mem::take(&mut self.body),
            is_declaration,
            span,
            location,
        })
    }

    /// `"func.func"() <{function_type = (types) -> types, sym_name = "main"}> ({ ... }) {attributes} : () -> ()`.
    pub(super) fn generic_function(&mut self) -> Parsed<Function> {
        let span = self.here();
        self.bump();
        self.start_body("stablehlo");
        self.expect(b'(')?;
        self.expect(b')')?;
        let mut attributes = self.properties_opt()?;
        self.expect(b'(')?;
        self.expect(b'{')?;
        let entry = self.body.entry();
        self.region_body(entry, &[])?;
        self.expect(b')')?;
        self.more_attributes(&mut attributes)?;
        self.colon_function_type()?;
        let location = self.location_opt()?;
        let wrong =
            |p: &mut Self, message: &str| p.fail(ATTRIBUTES, span, format!("`func.func`: {message}"), "");
        let Some(Attr::String(name)) = attributes.remove("sym_name") else {
            return wrong(self, "`sym_name` should be a string");
        };
        let Some(Attr::FunctionType(arg_types, result_types)) = attributes.remove("function_type") else {
            return wrong(self, "`function_type` should be a function type");
        };
        let visibility = match attributes.remove("sym_visibility") {
            None => None,
            Some(Attr::String(text)) if matches!(&*text, "public" | "private" | "nested") => {
                Some(text.to_string())
            }
            Some(_) => {
                return wrong(self, "`sym_visibility` should be \"public\", \"private\" or \"nested\"");
            }
        };
        let Some(arg_attributes) = attribute_lists(attributes.remove("arg_attrs"), arg_types.len()) else {
            return wrong(self, "`arg_attrs` should list a dictionary per argument");
        };
        let Some(result_attributes) = attribute_lists(attributes.remove("res_attrs"), result_types.len())
        else {
            return wrong(self, "`res_attrs` should list a dictionary per result");
        };
        let mut body = std::mem::take(&mut self.body);
        let region = &body.regions[entry];
        let is_declaration = region.insts.is_empty() && region.args.is_empty();
        if is_declaration {
            arg_types.iter().for_each(|ty| {
                body.add_arg(entry, ty.clone(), span);
            });
        }
        let takes = body.regions[entry].args.iter().map(|arg| body.ty(*arg));
        if !takes.eq(&arg_types) {
            return wrong(self, "the arguments of the body are not those of `function_type`");
        }
        Ok(Function {
            name: name.to_string(),
            visibility,
            arg_attributes,
            result_types,
            result_attributes,
            result_spans: Vec::new(),
            attributes,
            body,
            is_declaration,
            span,
            location,
        })
    }

    /// `<{...}>` if it stands here.
    pub(super) fn properties_opt(&mut self) -> Parsed<Attributes> {
        if !self.eat(b'<') {
            return Ok(Attributes::new());
        }
        let attributes = self.attr_dict()?;
        self.expect(b'>')?;
        Ok(attributes)
    }

    /// Adds `{...}` to the properties of an op in its generic form, if it stands here.
    pub(super) fn more_attributes(&mut self, attributes: &mut Attributes) -> Parsed<()> {
        let span = self.here();
        for (name, value) in self.attr_dict_opt()?.iter() {
            if attributes.get(name).is_some() {
                let message = format!("`{name}` is given in `<{{...}}>` and in `{{...}}`");
                return self.fail(ATTRIBUTES, span, message, "an op's own attributes belong into `<{...}>`");
            }
            attributes.set(name, value.clone());
        }
        Ok(())
    }
}

/// The dictionaries of `arg_attrs` or `res_attrs`; empty ones if it is missing.
fn attribute_lists(attribute: Option<Attr>, count: usize) -> Option<Vec<Attributes>> {
    let Some(attribute) = attribute else {
        return Some(vec![Attributes::new(); count]);
    };
    let Attr::Array(items) = attribute else {
        return None;
    };
    let dictionary = |item: Attr| match item {
        Attr::Dict(attributes) => Some(attributes),
        _ => None,
    };
    items.into_iter().map(dictionary).collect::<Option<Vec<_>>>().filter(|lists| lists.len() == count)
}
