//! `stablehlo.clamp` (specification, "clamp").

use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::text::{Ending, Format};
use meshwright_tensor::Tensor;
use meshwright_tensor::types::Type;

use super::binary::Binary;

/// Every element moved between a lower and an upper bound, which are scalars or tensors.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clamp;

impl OpDef for Clamp {
    const NAMES: &'static [&'static str] = &["stablehlo.clamp"];

    /// `%min, %x, %max : type`, or a signature if the bounds are scalars.
    const FORMAT: Option<Format> = Some(Format::of_any(Ending::Same));

    fn from_attributes(_: &'static str, _: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self)
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 3, 1, 0) {
            return;
        }
        let operand = view.operand(1);
        for (constraint, name, bound) in [("C1", "min", view.operand(0)), ("C2", "max", view.operand(2))] {
            violations.require(bound.rank() == 0 || bound.shape == operand.shape, || {
                format!(
                    "{constraint}: `{name}` should be a scalar or of shape {:?}, not {bound}",
                    operand.shape
                )
            });
            violations.require(bound.element == operand.element, || {
                format!("C3: `{name}` should be of {}, not {}", operand.element, bound.element)
            });
        }
        violations.inferred(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(1)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn traits(&self) -> OpTraits {
        OpTraits::ELEMENTWISE
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        let operand = &inputs[1];
        let bound = |bound: &Tensor| match bound.rank() {
            0 => bound.broadcast(operand.shape(), &[]),
            _ => Ok(bound.clone()),
        };
        let raised = Binary::Maximum.apply(operand, &bound(&inputs[0])?)?;
        Ok(vec![Binary::Minimum.apply(&raised, &bound(&inputs[2])?)?])
    }
}
