//! `stablehlo.dynamic_update_slice` (specification, "dynamic_update_slice"): a block replaced at a position computed
//! at run time.

use super::dynamic_slice::{starts, verify_starts};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{
    Along, AttrReader, Fusing, Given, Linearity, Op, OpDef, OpPriority, OpTraits, Propagation, Violations,
};
use crate::program::{Def, InstView};
use crate::rule::{FactorKind, ShardingRule};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};
use crate::sharding::Reduction;
use crate::text::{Ending, Format};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::Type;

/// The operand with `update` at the start given, which is moved so that the update lies inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DynamicUpdateSlice;

impl OpDef for DynamicUpdateSlice {
    const NAMES: &'static [&'static str] = &["stablehlo.dynamic_update_slice"];

    /// `%a, %update, %i, %j : (...) -> ...`
    const FORMAT: Option<Format> = Some(Format::of_any(Ending::Signature));

    fn from_attributes(_: &'static str, _: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self)
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let count = view.num_operands().max(2);
        if !violations.shape(view, count, 1, 0) {
            return;
        }
        let (operand, update) = (view.operand(0), view.operand(1));
        violations.inferred(view);
        violations.require(operand.element == update.element, || {
            format!("C2: the update has elements of {}, the operand of {}", update.element, operand.element)
        });
        let same_rank = violations.require(operand.rank() == update.rank(), || {
            format!("C3: the update has rank {}, the operand {}", update.rank(), operand.rank())
        });
        violations.require(count == 2 + operand.rank(), || {
            format!("C4: {} start indices for rank {}", count - 2, operand.rank())
        });
        verify_starts(view, 2, violations);
        violations.require(
            !same_rank || update.shape.iter().zip(&operand.shape).all(|(size, bound)| size <= bound),
            || format!("C6: the update {:?} exceeds the operand's shape {:?}", update.shape, operand.shape),
        );
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(0)
    }

    /// Dims replaced whole pass through: wherever the start is asked to be, it is zero. Of other sharded dims each device
    /// replaces what it holds of the window.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (dim, (whole, size)) in view.operand(0).shape.iter().zip(&view.operand(1).shape).enumerate() {
            if whole == size {
                rule.add_dim(*size, FactorKind::PassThrough, &[(0, dim), (1, dim)], &[(0, dim)]);
            } else {
                rule.add_dim(*whole, FactorKind::Sliced, &[(0, dim)], &[(0, dim)]);
                rule.add_dim(*size, FactorKind::NeedReplication, &[(1, dim)], &[]);
            }
        }
        rule
    }

    fn op_priority(&self, _: &InstView<'_>) -> OpPriority {
        OpPriority::Forward
    }

    /// Shardy lets shardings pass along the update where its position is known.
    fn propagation_rule(&self, view: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        let is_constant = |value: &ValueId| match view.body.values[*value].def {
            Def::Result(inst, _) => matches!(view.body.insts[inst].op, Op::Constant(_) | Op::SdyConstant(_)),
            Def::Argument(..) => false,
        };
        let starts_are_constant = view.inst.operands.iter().skip(2).all(is_constant);
        let mut builder = RuleBuilder::new(view);
        for (dim, (whole, size)) in view.operand(0).shape.iter().zip(&view.operand(1).shape).enumerate() {
            if whole == size {
                builder.everywhere(dim, *whole, FactorType::PassThrough);
                continue;
            }
            // Each device updates its own part, and needs the whole update for that.
            builder.factor(&[Some(dim), None], &[Some(dim)], *whole, FactorType::PassThrough);
            let kind =
                if starts_are_constant { FactorType::PassThrough } else { FactorType::NeedReplication };
            builder.factor(&[None, Some(dim)], &[None], *size, kind);
        }
        Some(builder.build())
    }

    /// The update, read and written: compilers update in place.
    /// What is updated in place is not read.
    fn read_bytes(&self, index: usize, operands: &[Type], _: &[Type]) -> f64 {
        if index == 0 { 0.0 } else { operands[index].num_bytes() as f64 }
    }

    fn written_over(&self, _: usize) -> usize {
        1
    }

    fn bytes(&self, operands: &[Type], _: &[Type]) -> f64 {
        2.0 * operands[1].num_bytes() as f64
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::in_all([0, 1])
    }

    fn traits(&self) -> OpTraits {
        OpTraits { keeps_dims: true, fusing: Fusing::Ends, ..OpTraits::NONE }
    }

    fn along(&self, _: usize) -> Along {
        Along::Own
    }

    fn evaluate(&self, Evaluation { mut inputs, .. }: Evaluation<'_>) -> Evaluated {
        let starts = starts(&inputs[2..])?;
        inputs.truncate(2);
        let (Some(update), Some(mut result)) = (inputs.pop(), inputs.pop()) else {
            return Err(EvalError::new("an operand and an update are needed"));
        };
        result.paste_clamped(&starts, &update)?;
        Ok(vec![result])
    }

    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        super::moving_window::update(cx, b)
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let count = v.wanted.len();
        let starts: Vec<ValueId> = (2..count).map(|index| v.operand(index)).collect();
        let update = v.operand_type(1);
        v.give_with(0, |v, cotangent| {
            let zeros = v.splat(update.clone(), 0.0);
            let operands: Vec<ValueId> = [cotangent, zeros].iter().chain(&starts).copied().collect();
            let ty = v.ty(cotangent);
            v.emit(Self, &operands, ty)
        });
        v.give_with(1, |v, cotangent| v.part(cotangent, &update.shape, &starts));
        Ok(())
    }
}
