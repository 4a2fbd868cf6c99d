//! `stablehlo.dynamic_slice` (specification, "dynamic_slice"): a block at a position computed at run time.

use super::slice::fetched_bytes;
use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{AttrReader, Fusing, Given, Linearity, OpDef, OpPriority, OpTraits, Propagation, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};
use crate::sharding::Reduction;
use crate::text::{Ending, Field, Format};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// A slice of fixed size; its start is moved so that it lies inside the operand.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DynamicSlice {
    /// Size of the slice along each dim.
    pub sizes: Vec<usize>,
}

impl OpDef for DynamicSlice {
    const NAMES: &'static [&'static str] = &["stablehlo.dynamic_slice"];

    /// `%a, %i, %j, sizes = [1, 2] : (...) -> ...`
    const FORMAT: Option<Format> =
        Some(Format::of_any(Ending::Signature).with(&[Field::positions("sizes", "slice_sizes")]));

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { sizes: attributes.dims("slice_sizes")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("slice_sizes", Attr::dims(&self.sizes))
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let rank = self.sizes.len();
        if !violations.shape(view, 1 + rank, 1, 0) {
            return;
        }
        let operand = view.operand(0);
        if !violations.require(operand.rank() == rank, || {
            format!("C2: {rank} sizes for an operand of rank {}", operand.rank())
        }) {
            return;
        }
        verify_starts(view, 1, violations);
        violations.require(self.sizes.iter().zip(&operand.shape).all(|(size, bound)| size <= bound), || {
            format!("C4: the slice {:?} exceeds the operand's shape {:?}", self.sizes, operand.shape)
        });
        violations.inferred(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        Some(vec![TensorType::new(self.sizes.clone(), given.tensor(0)?.element).into()])
    }

    /// Dims taken whole pass through: wherever the start is asked to be, it is zero. Of other sharded dims each device
    /// contributes what it holds of the slice.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (dim, (whole, size)) in view.operand(0).shape.iter().zip(&self.sizes).enumerate() {
            if whole == size {
                rule.add_dim(*size, FactorKind::PassThrough, &[(0, dim)], &[(0, dim)]);
            } else {
                rule.add_dim(*whole, FactorKind::Sliced, &[(0, dim)], &[]);
                rule.add_dim(*size, FactorKind::NeedReplication, &[], &[(0, dim)]);
            }
        }
        rule
    }

    fn op_priority(&self, _: &InstView<'_>) -> OpPriority {
        OpPriority::Forward
    }

    /// Shardy has one factor along a dim before and after the cut, which shardings do not pass.
    fn propagation_rule(&self, view: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        let (operand, result) = (view.operand(0), view.result(0));
        let mut builder = RuleBuilder::new(view);
        builder.pointwise_unless(&operand.shape, &result.shape, FactorType::NeedReplication, true);
        Some(builder.build())
    }

    /// The slice, read and written.
    fn read_bytes(&self, index: usize, operands: &[Type], results: &[Type]) -> f64 {
        fetched_bytes(index, operands, results)
    }

    fn bytes(&self, _: &[Type], results: &[Type]) -> f64 {
        2.0 * results[0].num_bytes() as f64
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::moves()
    }

    fn traits(&self) -> OpTraits {
        OpTraits { keeps_dims: true, fusing: Fusing::Fetches, ..OpTraits::NONE }
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![inputs[0].dynamic_slice(&starts(&inputs[1..])?, &self.sizes)?])
    }

    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        super::moving_window::slice(cx, b)
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let (cotangent, count) = (v.cotangent(), v.wanted.len());
        let starts: Vec<ValueId> = (1..count).map(|index| v.operand(index)).collect();
        v.give_part(0, cotangent, &starts);
        Ok(())
    }
}

/// Checks that the operands from `first` on are scalars of one integer type.
pub(super) fn verify_starts(view: &InstView<'_>, first: usize, violations: &mut Violations) {
    let starts: Vec<&TensorType> = (first..view.num_operands()).map(|index| view.operand(index)).collect();
    let is_index =
        |ty: &TensorType| ty.rank() == 0 && ty.element.is_integer() && ty.element != ElementType::I1;
    violations
        .require(starts.iter().all(|ty| is_index(ty)), || "start indices must be integer scalars".into());
    violations.require(starts.windows(2).all(|pair| pair[0] == pair[1]), || {
        "start indices must all have one type".into()
    });
}

/// The start indices as numbers.
pub(super) fn starts(scalars: &[Tensor]) -> Result<Vec<i64>, EvalError> {
    scalars.iter().map(Tensor::scalar_as_i64).collect()
}
