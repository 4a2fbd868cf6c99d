//! `stablehlo.composite` (specification, "composite"): a call of a function that computes what a name stands for. Names that
//! begin with `meshwright.` are those of our short forms ([`crate::composites`]).

use crate::attribute::{Attr, Attributes};
use crate::composites::short_form;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::scope::Scope;
use crate::text::{OpPrinter, Parsed, Parser, RegionHeader, TokenKind};

/// A named computation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Composite {
    /// What it stands for, such as `chlo.erf`.
    pub name: String,
    /// The function that computes it.
    pub decomposition: String,
    /// Attributes of what it stands for, if given.
    pub attributes: Option<Attributes>,
    /// Version of what it stands for, if given.
    pub version: Option<i32>,
}

impl OpDef for Composite {
    const NAMES: &'static [&'static str] = &["stablehlo.composite"];

    /// `"name" %a, %b ({regions}) {composite_attributes = {...}, decomposition = @f} : (...) -> ...`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let composite = p.string()?;
        let operands = if p.next_is(TokenKind::Value) { p.operands()? } else { Vec::new() };
        let regions = if p.at(b'(') { p.list(b'(', b')', Parser::region)? } else { Vec::new() };
        let mut attributes = p.attr_dict_opt()?;
        attributes.set("name", Attr::string(&composite));
        let op = p.from_dict(name, &mut attributes, Self::from_attributes)?;
        let (types, results) = p.colon_function_type()?;
        let mut parsed = ParsedInst::new(op, operands, results).typed(types).with(attributes);
        parsed.regions = regions;
        Ok(parsed)
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let decomposition = match attributes.required("decomposition")? {
            Attr::Symbol(name) => name.to_string(),
            other => return Err(format!("`decomposition` should be a symbol, found `{other}`")),
        };
        let own = match attributes.take("composite_attributes") {
            None => None,
            Some(Attr::Dict(own)) => Some(own),
            Some(other) => {
                return Err(format!("`composite_attributes` should be a dictionary, found `{other}`"));
            }
        };
        let version = match attributes.take("version") {
            None => None,
            Some(value) => {
                let number = value.as_int().and_then(|number| i32::try_from(number).ok());
                Some(number.ok_or_else(|| format!("`version` should be an i32, found `{value}`"))?)
            }
        };
        Ok(Self { name: attributes.string("name")?, decomposition, attributes: own, version })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        attributes.set("name", Attr::string(&self.name));
        attributes.set("decomposition", Attr::Symbol(self.decomposition.as_str().into()));
        if let Some(own) = &self.attributes {
            attributes.set("composite_attributes", Attr::Dict(own.clone()));
        }
        if let Some(version) = self.version {
            attributes.set("version", Attr::i32(version));
        }
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.text(&format!(" {} ", Attr::string(&self.name)));
        p.values(&view.inst.operands);
        if !view.inst.regions.is_empty() {
            p.text(" (");
            for (index, region) in view.inst.regions.iter().enumerate() {
                p.text(if index == 0 { "" } else { ", " });
                p.region(*region, RegionHeader::Block);
            }
            p.text(")");
        }
        // What is given but says nothing is left out.
        let mut own = self.attributes(view);
        own.remove("name");
        if self.attributes.as_ref().is_some_and(Attributes::is_empty) {
            own.remove("composite_attributes");
        }
        if self.version == Some(0) {
            own.remove("version");
        }
        p.attributes_and(own);
        p.signature();
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let is_word = |word: &str, others: &[char]| {
            let fits = |byte: char| byte.is_ascii_alphanumeric() || others.contains(&byte);
            !word.is_empty() && word.chars().all(fits)
        };
        let is_namespaced = self.name.split_once('.').is_some_and(|(dialect, op)| {
            let starts = dialect.starts_with(|first: char| first.is_ascii_alphabetic());
            starts && is_word(dialect, &['_']) && op.split('.').all(|word| is_word(word, &['_', '$']))
        });
        violations.require(is_namespaced, || {
            format!("C1: the name should be like `dialect.op`, not `{}`", self.name)
        });
        match short_form(self) {
            Ok(Some(op)) => op.verify(view, violations),
            Ok(None) => {}
            Err(message) => violations.messages.push(message),
        }
    }

    /// The decomposition exists, and takes and returns what the composite says.
    fn verify_in(&self, view: &InstView<'_>, scope: &Scope<'_>, violations: &mut Violations) {
        let Some(callee) = scope.program.function(&self.decomposition) else {
            violations.messages.push(format!("C2: there is no function `@{}`", self.decomposition));
            return;
        };
        let takes = callee.args().iter().map(|arg| callee.body.ty(*arg));
        violations.require(takes.eq(view.operand_types()), || {
            format!("C3: the inputs are not of the types that `@{}` takes", self.decomposition)
        });
        violations.require(callee.result_types.iter().eq(view.result_types()), || {
            format!("C4: the results are not of the types that `@{}` returns", self.decomposition)
        });
    }

    fn callees(&self) -> Vec<&str> {
        vec![&self.decomposition]
    }

    fn traits(&self) -> OpTraits {
        OpTraits::CALL
    }

    fn evaluate(&self, Evaluation { inputs, cx, .. }: Evaluation<'_>) -> Evaluated {
        cx.call_function(&self.decomposition, inputs)
    }
}
