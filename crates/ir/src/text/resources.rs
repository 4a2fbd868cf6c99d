//! Constants whose data stands at the end of the file: `dense_resource<name>` and the section that it names.
//!
//! ```text
//! {-#
//!   dialect_resources: {
//!     builtin: {
//!       name: "0x08000000000080BF"
//!     }
//!   }
//! #-}
//! ```
//!
//! The first four bytes are the alignment, the rest the elements.

use super::lexer::TokenKind;
use super::parser::{NAMES, Parsed, Parser, SYNTAX};
use crate::attribute::{Attr, Attributes};
use crate::program::Program;
use meshwright_tensor::literal::{Literal, LiteralData, element_bytes};
use meshwright_tensor::quote::write_name;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// Alignment and elements.
type Resource = (u32, Arc<[u8]>);

impl Parser<'_> {
    /// Reads the section if the text has one.
    pub(super) fn read_resources(&mut self, start: usize) -> Parsed<()> {
        let Some(section) = self.source[start..].rfind("\n{-#") else {
            return Ok(());
        };
        let (token, last_end) = (self.token, self.last_end);
        self.restart(start + section + 4);
        while !self.at(b'#') {
            let word = self.word("`dialect_resources`")?;
            self.expect(b':')?;
            if word == "dialect_resources" {
                self.list(b'{', b'}', |p| {
                    p.word("the name of a dialect")?;
                    p.expect(b':')?;
                    p.list(b'{', b'}', Self::resource)
                })?;
            } else {
                self.skip_balanced(b'{', b'}')?;
            }
            self.eat(b',');
        }
        (self.token, self.last_end) = (token, last_end);
        Ok(())
    }

    fn resource(&mut self) -> Parsed<()> {
        let name = self.resource_name()?;
        self.expect(b':')?;
        let span = self.here();
        if self.token.kind != TokenKind::String {
            self.bump();
            return Ok(());
        }
        let token = self.bump();
        let bytes = hex_bytes(self.text(token).trim_matches('"'));
        let Some((alignment, elements)) = bytes.as_deref().and_then(|bytes| bytes.split_first_chunk::<4>())
        else {
            let message = "a resource should be \"0x\" and at least four bytes in hexadecimal digits";
            return self.fail(SYNTAX, span, message, "");
        };
        self.resources.insert(name, (u32::from_le_bytes(*alignment), elements.into()));
        Ok(())
    }

    fn resource_name(&mut self) -> Parsed<String> {
        match self.token.kind {
            TokenKind::String => self.string(),
            _ => self.word("the name of a resource").map(str::to_owned),
        }
    }

    /// `dense_resource<name> : tensor<...>`.
    pub(super) fn dense_resource(&mut self) -> Parsed<Literal> {
        let start = self.token.start;
        self.expect_word("dense_resource")?;
        self.expect(b'<')?;
        let name = self.resource_name()?;
        self.expect(b'>')?;
        self.expect(b':')?;
        let ty = self.tensor_type()?;
        let span = self.since(start);
        let Some((alignment, bytes)) = self.resources.get(&name).cloned() else {
            let message = format!("the data of the constant `{name}` is not in the file");
            let hint = "print the module without leaving out large constants";
            return self.fail(NAMES, span, message, hint);
        };
        let needed = ty.num_elements().checked_mul(element_bytes(ty.element));
        if needed != Some(bytes.len()) {
            let message = format!("{} bytes of data for {ty}", bytes.len());
            return self.fail(SYNTAX, span, message, "");
        }
        Ok(Literal { ty, data: LiteralData::Resource { name: name.into(), alignment, bytes } })
    }
}

/// The bytes of `0x0011...`.
pub(super) fn hex_bytes(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("0x")?.as_bytes();
    let nibble = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
    let pairs = digits.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return None;
    }
    pairs.map(|pair| Some(nibble(pair[0])? << 4 | nibble(pair[1])?)).collect()
}

/// Writes the section with the resources that a program uses, in order of use.
pub(super) fn write_resources(out: &mut String, program: &Program) {
    let mut found = Found::default();
    found.attributes(&program.attributes);
    for function in &program.functions {
        let lists =
            function.arg_attributes.iter().chain(&function.result_attributes).chain([&function.attributes]);
        lists.for_each(|attributes| found.attributes(attributes));
        let body = &function.body;
        for inst in body.walk(body.entry()) {
            let view = body.view(inst);
            found.attributes(&view.inst.op.attributes(&view));
            found.attributes(&view.inst.attributes);
        }
    }
    if found.order.is_empty() {
        return;
    }
    out.push_str("\n{-#\n  dialect_resources: {\n    builtin: {\n");
    for (index, name) in found.order.iter().enumerate() {
        let (alignment, bytes) = &found.resources[name];
        out.push_str(if index == 0 { "      " } else { ",\n      " });
        let _ = write_name(out, name);
        out.push_str(": \"0x");
        for byte in alignment.to_le_bytes().iter().chain(bytes.iter()) {
            let _ = write!(out, "{byte:02X}");
        }
        out.push('"');
    }
    out.push_str("\n    }\n  }\n#-}\n");
}

#[derive(Default)]
struct Found {
    order: Vec<Arc<str>>,
    resources: BTreeMap<Arc<str>, Resource>,
}

impl Found {
    fn attributes(&mut self, attributes: &Attributes) {
        attributes.iter().for_each(|(_, value)| self.attribute(value));
    }

    fn attribute(&mut self, attribute: &Attr) {
        match attribute {
            Attr::Dense(Literal { data: LiteralData::Resource { name, alignment, bytes }, .. }) => {
                let before = self.resources.insert(name.clone(), (*alignment, bytes.clone()));
                self.order.extend(before.is_none().then(|| name.clone()));
            }
            Attr::Array(items) => items.iter().for_each(|item| self.attribute(item)),
            Attr::Dict(items) => self.attributes(items),
            _ => {}
        }
    }
}
