//! `stablehlo.bitcast_convert` (specification, "bitcast_convert").

use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, OpPriority, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::text::{Ending, Format};
use meshwright_tensor::types::{ElementKind, ElementType, TensorType, Type};

/// The same bits as another type; the type is the result's. Between types of unlike width the wider element is a
/// last dim of narrower ones.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BitcastConvert;

impl OpDef for BitcastConvert {
    const NAMES: &'static [&'static str] = &["stablehlo.bitcast_convert"];

    const FORMAT: Option<Format> = Some(Format::of(1, Ending::Signature));

    fn from_attributes(_: &'static str, _: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self)
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 1, 1, 0) {
            return;
        }
        let (operand, result) = (view.operand(0), view.result(0));
        violations.require(cast(operand, result.element).as_ref() == Some(result), || {
            format!("C1: the bits of {operand} are not those of {result}")
        });
        let is_complex = |ty: &TensorType| ty.element.kind() == ElementKind::Complex;
        violations.require(is_complex(operand) == is_complex(result), || {
            "C2: complex numbers are cast only to complex numbers".into()
        });
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        Some(vec![cast(given.tensor(0)?, given.element?)?.into()])
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let (operand, result) = (view.operand(0), view.result(0));
        let shared = operand.rank().min(result.rank());
        for (dim, size) in operand.shape.iter().take(shared).enumerate() {
            rule.add_dim(*size, FactorKind::PassThrough, &[(0, dim)], &[(0, dim)]);
        }
        // The parts of one element stay together.
        for (dim, size) in operand.shape.iter().enumerate().skip(shared) {
            rule.add_dim(*size, FactorKind::NeedReplication, &[(0, dim)], &[]);
        }
        for (dim, size) in result.shape.iter().enumerate().skip(shared) {
            rule.add_dim(*size, FactorKind::NeedReplication, &[], &[(0, dim)]);
        }
        rule
    }

    fn op_priority(&self, view: &InstView<'_>) -> OpPriority {
        if view.operand(0).shape == view.result(0).shape {
            OpPriority::Elementwise
        } else {
            OpPriority::Other
        }
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        Ok(vec![inputs[0].bitcast(view.result(0), cx.precision())?])
    }
}

/// The type of `operand`'s bits as elements of `element`, if there is one.
fn cast(operand: &TensorType, element: ElementType) -> Option<TensorType> {
    // `bits` counts what `i1` takes in memory; a cast sees its one bit.
    let bits = |element: ElementType| if element == ElementType::I1 { 1 } else { element.bits() };
    let (from, to) = (bits(operand.element), bits(element));
    let mut shape = operand.shape.clone();
    if from > to {
        shape.push(Some(from / to).filter(|_| from.is_multiple_of(to))?);
    } else if from < to {
        shape.pop().filter(|last| last.saturating_mul(from) == to)?;
    }
    Some(TensorType::new(shape, element))
}
