//! `stablehlo.optimization_barrier` (specification, "optimization_barrier").

use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::op::{AttrReader, DataFlow, Given, Linearity, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sharding::Reduction;
use crate::text::{OpPrinter, Parsed, Parser};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::types::Type;

/// Gives its operands unchanged; what uses the results may not be moved before what computes the operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct OptimizationBarrier;

impl OpDef for OptimizationBarrier {
    const NAMES: &'static [&'static str] = &["stablehlo.optimization_barrier"];

    /// `%a, %b : type, type`, or `()`.
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let attributes = p.attr_dict_opt()?;
        if p.eat(b'(') {
            p.expect(b')')?;
            return Ok(ParsedInst::new(Self, Vec::new(), Vec::new()).with(attributes));
        }
        let operands = p.operands()?;
        let types = p.colon_types()?;
        Ok(ParsedInst::new(Self, operands, types.clone()).typed(types).with(attributes))
    }

    fn from_attributes(_: &'static str, _: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self)
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.attributes();
        if view.inst.operands.is_empty() {
            p.text(" ()");
            return true;
        }
        p.operands();
        p.text(" : ");
        p.types(view.result_types());
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        violations.num_regions(view, 0);
        violations.require(view.operand_types().eq(view.result_types()), || {
            "C1: results should be of the operands' types".into()
        });
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as_first(given.operands.len())
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (index, ty) in view.operand_types().enumerate() {
            for (dim, size) in ty.as_tensor().map_or(&[][..], |tensor| &tensor.shape).iter().enumerate() {
                rule.add_dim(*size, FactorKind::PassThrough, &[(index, dim)], &[(index, dim)]);
            }
        }
        rule
    }

    fn traits(&self) -> OpTraits {
        OpTraits { data_flow: DataFlow::Identity, ..OpTraits::NONE }
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn linearity(&self, view: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::in_all(0..view.num_operands())
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(inputs)
    }

    /// What is passed back stands behind a barrier too.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let given: Vec<(usize, ValueId)> = (0..v.cotangents.len())
            .filter(|index| v.wants(*index))
            .filter_map(|index| Some((index, v.cotangent_of(index)?)))
            .collect();
        let cotangents: Vec<ValueId> = given.iter().map(|(_, cotangent)| *cotangent).collect();
        let behind = v.add_all(Self, &cotangents, Vec::new());
        for ((index, _), cotangent) in given.iter().zip(behind) {
            v.give(*index, cotangent);
        }
        Ok(())
    }
}
