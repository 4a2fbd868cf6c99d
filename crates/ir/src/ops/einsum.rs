//! `stablehlo.einsum` and `stablehlo.unary_einsum` (not in the specification; older exporters write them): sums of
//! products, written in Einstein's notation.

use crate::attribute::{Attr, Attributes};
use crate::op::{AttrReader, OpDef, ParsedInst, Violations};
use crate::program::InstView;
use crate::text::{OpPrinter, Parsed, Parser};

/// A sum of products.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Einsum {
    /// Whether it has only one operand.
    pub is_unary: bool,
    /// The notation, such as `ab,bc->ac`.
    pub config: String,
}

impl OpDef for Einsum {
    const NAMES: &'static [&'static str] = &["stablehlo.einsum", "stablehlo.unary_einsum"];

    fn name(&self) -> &'static str {
        Self::NAMES[usize::from(self.is_unary)]
    }

    /// `%a, %b, config = "ab,bc->ac" : (...) -> ...`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let is_unary = name == "stablehlo.unary_einsum";
        let mut operands = vec![p.operand()?];
        p.expect(b',')?;
        if !is_unary {
            operands.push(p.operand()?);
            p.expect(b',')?;
        }
        p.field("config")?;
        let config = p.string()?;
        let attributes = p.attr_dict_opt()?;
        let (types, results) = p.colon_function_type()?;
        Ok(ParsedInst::new(Self { is_unary, config }, operands, results).typed(types).with(attributes))
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let is_unary = name == "stablehlo.unary_einsum";
        Ok(Self { is_unary, config: attributes.string("einsum_config")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        [("einsum_config".to_owned(), Attr::string(&self.config))].into_iter().collect()
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.text(" ");
        p.values(&view.inst.operands);
        p.text(&format!(", config = {}", Attr::string(&self.config)));
        p.attributes();
        p.signature();
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        violations.shape(view, if self.is_unary { 1 } else { 2 }, 1, 0);
    }
}
