//! `stablehlo.select` (specification, "select").

use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, Linearity, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::sharding::Reduction;
use crate::text::{OpPrinter, Parsed, Parser};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::dispatch;
use meshwright_tensor::kernels::zip3;
use meshwright_tensor::types::{ElementType, Type};

use super::constant::is_splat_of;

/// Chooses between two tensors, element by element or, with a scalar predicate, as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Select;

impl OpDef for Select {
    const NAMES: &'static [&'static str] = &["stablehlo.select"];

    /// `%p, %a, %b : tensor<2xi1>, tensor<2xf32>`
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let operands = p.operands()?;
        let attributes = p.attr_dict_opt()?;
        p.expect(b':')?;
        let (types, results) = if p.at(b'(') {
            p.function_type()?
        } else {
            let predicate = p.ty()?;
            p.expect(b',')?;
            let ty = p.ty()?;
            (vec![predicate, ty.clone(), ty.clone()], vec![ty])
        };
        Ok(ParsedInst::new(Self, operands, results).typed(types).with(attributes))
    }

    fn from_attributes(_: &'static str, _: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self)
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.operands();
        p.attributes();
        let types: Vec<_> = view.operand_types().chain(view.result_types()).collect();
        if let [predicate, on_true, on_false, result] = types.as_slice()
            && on_true == result
            && on_false == result
        {
            p.text(" : ");
            p.types([*predicate, *result]);
        } else {
            p.signature();
        }
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 3, 1, 0) {
            return;
        }
        let (predicate, on_true, on_false) = (view.operand(0), view.operand(1), view.operand(2));
        violations.require(predicate.element == ElementType::I1, || {
            format!("I1: the predicate should be of i1, not {}", predicate.element)
        });
        violations.require(predicate.rank() == 0 || predicate.shape == on_true.shape, || {
            format!("C1: the predicate should be a scalar or of shape {:?}, not {predicate}", on_true.shape)
        });
        violations.require(on_true == on_false, || {
            format!("C2: chooses between different types, {on_true} and {on_false}")
        });
        violations.inferred(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(1)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    /// Choosing between a value and zero is a multiplication by 0 or 1.
    fn linearity(&self, view: &InstView<'_>, _: Reduction) -> Linearity {
        let each: &[usize] = match () {
            () if is_splat_of(view, 2, 0.0) => &[1],
            () if is_splat_of(view, 1, 0.0) => &[2],
            () => &[],
        };
        Linearity { each, ..Linearity::in_all([1, 2]) }
    }

    fn traits(&self) -> OpTraits {
        OpTraits::ELEMENTWISE
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        let [predicate, on_true, on_false] = [&inputs[0], &inputs[1], &inputs[2]];
        if predicate.rank() == 0 {
            return Ok(vec![if predicate.scalar_bool()? { on_true.clone() } else { on_false.clone() }]);
        }
        let chosen = dispatch!(on_true.storage(), T => {
            zip3(on_true.element(), predicate, on_true, on_false, |p: bool, a: T, b: T| if p { a } else { b })
        });
        Ok(vec![chosen?])
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let (cotangent, predicate) = (v.cotangent(), v.operand(0));
        let zero = v.number_like(cotangent, 0.0);
        v.give_with(1, |v, cotangent| v.choose(predicate, cotangent, zero));
        v.give_with(2, |v, cotangent| v.choose(predicate, zero, cotangent));
        Ok(())
    }
}
