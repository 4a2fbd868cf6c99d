//! `stablehlo.clamp` (specification, "clamp").

use super::compare::Direction;
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::text::{Ending, Format};
use crate::vjp::{Differentiated, Vjp};
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

    /// To whichever of the three it is; to the operand where it is strictly between the bounds.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let x = v.operand(1);
        let shape = v.ty(x).shape;
        let zero = v.number_like(x, 0.0);
        let bounds = [0, 2].map(|index| {
            let bound = v.operand(index);
            let is_scalar = v.ty(bound).rank() == 0;
            if is_scalar { v.broadcast(bound, &shape, Vec::new()) } else { bound }
        });
        v.give_with(1, |v, cotangent| {
            let above = v.compare(Direction::Greater, x, bounds[0]);
            let below = v.compare(Direction::Less, x, bounds[1]);
            let is_between = v.binary(Binary::And, above, below);
            v.choose(is_between, cotangent, zero)
        });
        let sides = [(0, Direction::Greater, bounds[0]), (2, Direction::Less, bounds[1])];
        for (index, beyond, bound) in sides {
            v.give_with(index, |v, cotangent| {
                let is_bound = v.compare(beyond, bound, x);
                let share = v.choose(is_bound, cotangent, zero);
                let is_scalar = v.operand_type(index).rank() == 0;
                if is_scalar { v.sum(share, (0..shape.len()).collect()) } else { share }
            });
        }
        Ok(())
    }
}
