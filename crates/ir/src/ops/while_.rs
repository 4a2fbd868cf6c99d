//! `stablehlo.while` (specification, "while"): a loop over carried values.

use crate::attribute::Attributes;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{AttrReader, DataFlow, Given, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::{Factor, FactorKind, ShardingRule};
use crate::text::{OpPrinter, Parsed, Parser, RegionHeader};
use meshwright_tensor::Tensor;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// A loop: region 0 is the condition, region 1 the body; both take the carried values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct While;

impl OpDef for While {
    const NAMES: &'static [&'static str] = &["stablehlo.while"];

    /// `(%iterArg = %init, ...) : types attributes {...} cond { ... } do { ... }`
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let pairs = p.list(b'(', b')', |p| {
            let (name, span) = p.new_name()?;
            p.expect(b'=')?;
            Ok((name, span, p.operand()?))
        })?;
        let types = if pairs.is_empty() { Vec::new() } else { p.colon_types()? };
        if types.len() != pairs.len() {
            return p.expected(&format!("{} types, one per carried value", pairs.len()));
        }
        let attributes = if p.eat_word("attributes") { p.attr_dict()? } else { Attributes::new() };
        let args: Vec<_> =
            pairs.iter().zip(&types).map(|((name, span, _), ty)| (*name, ty.clone(), *span)).collect();
        p.expect_word("cond")?;
        let condition = p.region_with(&args)?;
        p.expect_word("do")?;
        let body = p.region_with(&args)?;
        let operands = pairs.iter().map(|(_, _, operand)| *operand).collect();
        let mut parsed = ParsedInst::new(Self, operands, types.clone()).typed(types).with(attributes);
        parsed.regions = vec![condition, body];
        Ok(parsed)
    }

    fn from_attributes(_: &'static str, _: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self)
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.text("(");
        for (index, (arg, init)) in view.region(0).args.iter().zip(&view.inst.operands).enumerate() {
            p.text(if index == 0 { "" } else { ", " });
            p.value(*arg);
            p.text(" = ");
            p.value(*init);
        }
        p.text(")");
        if !view.inst.operands.is_empty() {
            p.text(" : ");
            p.types(view.operand_types());
        }
        if !view.inst.attributes.is_empty() {
            p.text(" attributes");
            p.attributes();
        }
        p.newline();
        p.text("cond ");
        p.region(view.inst.regions[0], RegionHeader::None);
        p.text(" do ");
        // Both regions ask for the same argument names, so the body's arguments are printed like the condition's.
        p.region(view.inst.regions[1], RegionHeader::None);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.num_regions(view, 2) {
            return;
        }
        let carried: Vec<&Type> = view.operand_types().collect();
        violations.require(carried.iter().copied().eq(view.result_types()), || {
            "C3: results differ from operands in type".into()
        });
        let returned = |region: usize| {
            let terminator = view.body.terminator(view.inst.regions[region]);
            terminator
                .map_or(Vec::new(), |inst| inst.operands.iter().map(|value| view.body.ty(*value)).collect())
        };
        for (region, name) in [(0, "condition"), (1, "body")] {
            let takes = view.region(region).args.iter().map(|value| view.body.ty(*value));
            violations.require(takes.eq(carried.iter().copied()), || {
                format!("C1-C2: the {name}'s arguments differ from the operands in type")
            });
        }
        let predicate = Type::Tensor(TensorType::scalar(ElementType::I1));
        violations.require(returned(0) == [&predicate], || {
            "C1: the condition does not return one tensor<i1>".into()
        });
        violations.require(returned(1) == carried, || {
            "C2: the body does not return values of the operands' types".into()
        });
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as_first(given.operands.len())
    }

    /// Each carried value has its own factors; its initial value, region arguments and result are sharded alike.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (index, ty) in view.operand_types().enumerate() {
            for (dim, size) in ty.as_tensor().map_or(&[][..], |tensor| &tensor.shape).iter().enumerate() {
                rule.factors.push(Factor::new(*size, FactorKind::PassThrough));
                let factor = rule.factors.len() - 1;
                rule.operands[index][dim].push(factor);
                rule.results[index][dim].push(factor);
            }
        }
        rule
    }

    fn traits(&self) -> OpTraits {
        OpTraits { data_flow: DataFlow::Loop, ..OpTraits::NONE }
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let mut carried = inputs;
        loop {
            let go_on = cx.call_region(view.inst.regions[0], carried.clone())?;
            if !go_on.first().map_or(Ok(false), Tensor::scalar_bool)? {
                return Ok(carried);
            }
            carried = cx.call_region(view.inst.regions[1], carried)?;
        }
    }

    fn arg_name(&self, _: usize) -> Option<&'static str> {
        Some("iterArg")
    }

    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        let condition = b.partition_region(&cx.view, 0);
        let body = b.partition_region(&cx.view, 1);
        b.emit(Self.into(), cx.operands, &[condition, body], cx.result_types.to_vec())
    }
}
