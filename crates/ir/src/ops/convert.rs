//! `stablehlo.convert` (specification, "convert").

use super::complex::Complex;
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, Linearity, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::sharding::Reduction;
use crate::text::{Ending, Format};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::types::{TensorType, Type};

/// Every element as another type; the type is the result's.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Convert;

impl OpDef for Convert {
    const NAMES: &'static [&'static str] = &["stablehlo.convert"];

    const FORMAT: Option<Format> = Some(Format::of(1, Ending::Same));

    fn from_attributes(_: &'static str, _: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self)
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if violations.shape(view, 1, 1, 0) {
            let (operand, result) = (view.operand(0), view.result(0));
            violations.require(operand.shape == result.shape, || {
                format!("C1: the result should have shape {:?}, not {:?}", operand.shape, result.shape)
            });
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.shaped_as(0, given.element?)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn traits(&self) -> OpTraits {
        OpTraits::ELEMENTWISE
    }

    /// Where the change of type allows it.
    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::in_all([0])
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        Ok(vec![meshwright_tensor::convert(&inputs[0], view.result(0).element, cx.precision())?])
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        v.give_with(0, |v, cotangent| {
            let operand = v.operand_type(0);
            let is_made_complex = operand.element.is_float() && !v.ty(cotangent).element.is_float();
            if is_made_complex {
                let element = v.ty(cotangent).element.part();
                let real = TensorType::new(operand.shape, element);
                let real = v.emit(Complex::Real, &[cotangent], real);
                return v.convert(real, operand.element);
            }
            v.convert(cotangent, operand.element)
        });
        Ok(())
    }
}
