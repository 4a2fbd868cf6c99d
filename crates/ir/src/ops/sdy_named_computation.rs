//! `sdy.named_computation` (Shardy dialect): a part of the program with a name, such as a call that was written out.
//! Shardings propagate through it as if it were not there.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, DataFlow, Given, HoldsShardings, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::scope::Scope;
use crate::sdy::verify::per_value;
use crate::sharding::ShardingAttr;
use crate::text::{OpPrinter, Parsed, Parser};
use meshwright_tensor::quote::write_quoted;
use meshwright_tensor::types::Type;

use super::reducer::returned_types;
use super::sdy_region::{parse_region, print_operands, print_region, verify_region};

/// A named computation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NamedComputation {
    /// Its name.
    pub name: String,
    /// The sharding of each operand, if they are given.
    pub in_shardings: Option<Vec<ShardingAttr>>,
    /// The sharding of each result, if they are given.
    pub out_shardings: Option<Vec<ShardingAttr>>,
}

impl OpDef for NamedComputation {
    const NAMES: &'static [&'static str] = &["sdy.named_computation"];

    /// `<"name">(%x) in_shardings=[<...>] out_shardings=[<...>] (%arg: type) { ... } : (...) -> ...`
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        p.expect(b'<')?;
        let name = p.string()?;
        p.expect(b'>')?;
        let operands = p.operand_list()?;
        let shardings = |p: &mut Parser<'_>, word: &str| {
            if !p.eat_word(word) {
                return Ok(None);
            }
            p.expect(b'=')?;
            p.angled_shardings().map(Some)
        };
        let in_shardings = shardings(p, "in_shardings")?;
        let out_shardings = shardings(p, "out_shardings")?;
        parse_region(p, Self { name, in_shardings, out_shardings }, operands)
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let name = attributes.required("name")?;
        let name = name.as_str().ok_or_else(|| format!("`name` should be a string, found `{name}`"))?;
        Ok(Self {
            name: name.to_owned(),
            in_shardings: attributes.shardings_opt("in_shardings")?,
            out_shardings: attributes.shardings_opt("out_shardings")?,
        })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        attributes.set("name", Attr::string(&self.name));
        for (name, shardings) in
            [("in_shardings", &self.in_shardings), ("out_shardings", &self.out_shardings)]
        {
            if let Some(shardings) = shardings {
                attributes.set(name, Attr::ShardingPerValue(shardings.clone()));
            }
        }
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        let mut name = String::new();
        let _ = write_quoted(&mut name, &self.name);
        p.text(&format!("<{name}>"));
        print_operands(view, p, [self.in_shardings.as_ref(), self.out_shardings.as_ref()]);
        p.text(" ");
        print_region(view, p)
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !verify_region(view, violations) {
            return;
        }
        let arguments = view.region(0).args.iter().map(|value| view.body.ty(*value));
        violations.require(arguments.eq(view.operand_types()), || {
            "the region's arguments should be of the operands' types".into()
        });
        violations.require(returned_types(view, 0).into_iter().eq(view.result_types()), || {
            "the region should return values of the results' types".into()
        });
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.returned_types(0)
    }

    fn verify_in(&self, view: &InstView<'_>, scope: &Scope<'_>, violations: &mut Violations) {
        if let Some(shardings) = &self.in_shardings {
            per_value(shardings, &view.operand_types().collect::<Vec<_>>(), "operand", scope, violations);
        }
        if let Some(shardings) = &self.out_shardings {
            per_value(shardings, &view.result_types().collect::<Vec<_>>(), "result", scope, violations);
        }
    }

    fn shardings(&self) -> Option<&dyn HoldsShardings> {
        Some(self)
    }

    fn shardings_mut(&mut self) -> Option<&mut dyn HoldsShardings> {
        Some(self)
    }

    fn traits(&self) -> OpTraits {
        OpTraits {
            data_flow: DataFlow::Region,
            refusal: Some("named computations are not sharded yet; make it a function and call it"),
            ..OpTraits::NONE
        }
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::replicated(view.operand_types(), view.result_types())
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        cx.call_region(view.inst.regions[0], inputs)
    }
}

impl HoldsShardings for NamedComputation {
    fn result(&self, index: usize) -> Option<&ShardingAttr> {
        self.out_shardings.as_ref()?.get(index)
    }

    fn argument(&self, index: usize) -> Option<ShardingAttr> {
        self.in_shardings.as_ref()?.get(index).cloned()
    }

    fn all_mut(&mut self) -> Vec<&mut ShardingAttr> {
        self.in_shardings.iter_mut().chain(&mut self.out_shardings).flatten().collect()
    }

    fn set_result(&mut self, index: usize, ranks: &[usize], sharding: ShardingAttr) -> bool {
        sharding.put_into(&mut self.out_shardings, index, ranks);
        true
    }

    fn set_argument(&mut self, index: usize, ranks: &[usize], sharding: ShardingAttr) -> bool {
        sharding.put_into(&mut self.in_shardings, index, ranks);
        true
    }
}
