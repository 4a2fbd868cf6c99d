//! `stablehlo.sort` (specification, "sort"): slices of several tensors sorted together by a comparator region.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::kernel_shape::KernelShape;
use crate::op::{AttrReader, Given, OpDef, Propagation, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// A sort along one dim. It is stable whether asked to be or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sort {
    /// The dim, as written: negative counts from the end; missing is the last.
    pub dimension: Option<i64>,
    /// Whether elements that compare equal keep their order, as written.
    pub is_stable: Option<bool>,
}

impl OpDef for Sort {
    const NAMES: &'static [&'static str] = &["stablehlo.sort"];

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let dimension = attributes.take("dimension");
        let dimension = dimension
            .map(|value| value.as_int().ok_or_else(|| "attribute `dimension` is not an integer".to_owned()))
            .transpose()?;
        Ok(Self { dimension, is_stable: attributes.bool_opt("is_stable")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        if let Some(dimension) = self.dimension {
            attributes.set("dimension", Attr::i64(dimension));
        }
        if let Some(is_stable) = self.is_stable {
            attributes.set("is_stable", Attr::Bool(is_stable));
        }
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let count = view.num_operands();
        if !violations.shape(view, count, count, 1)
            || !violations.require(count > 0, || "C1: sorts nothing".into())
        {
            return;
        }
        let shape = &view.operand(0).shape;
        for index in 0..count {
            violations
                .require(view.operand(index).shape == *shape, || "C3: inputs have different shapes".into());
        }
        violations.inferred(view);
        violations.require(self.dim(shape.len()).is_some(), || {
            format!(
                "C4: `dimension` {} is out of range for rank {}",
                self.dimension.unwrap_or(-1),
                shape.len()
            )
        });
        let scalar = |index: usize| Type::from(TensorType::scalar(view.operand(index / 2).element));
        let expected: Vec<Type> = (0..2 * count).map(scalar).collect();
        let takes = view.region(0).args.iter().map(|arg| view.body.ty(*arg));
        violations.require(takes.eq(&expected), || {
            format!("C5: the comparator should take two scalars per input, {} in all", 2 * count)
        });
        let predicate = Type::from(TensorType::scalar(ElementType::I1));
        let returned = view.body.terminator(view.inst.regions[0]).map_or(&[][..], |inst| &inst.operands);
        violations.require(returned.iter().map(|value| view.body.ty(*value)).eq([&predicate]), || {
            "C5: the comparator should return one tensor<i1>".into()
        });
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as_first(given.operands.len())
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let shape = &view.operand(0).shape;
        for (dim, size) in shape.iter().enumerate() {
            let is_sorted = self.dim(shape.len()) == Some(dim);
            let kind = if is_sorted { FactorKind::NeedReplication } else { FactorKind::PassThrough };
            let places: Vec<_> = (0..view.num_operands()).map(|index| (index, dim)).collect();
            rule.add_dim(*size, kind, &places, &places);
        }
        rule
    }

    fn propagation_rule(&self, view: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        let shape = &view.operand(0).shape;
        let sorted = self.dim(shape.len());
        let mut builder = RuleBuilder::new(view);
        for (dim, size) in shape.iter().enumerate() {
            if sorted != Some(dim) {
                builder.everywhere(dim, *size, FactorType::PassThrough);
                continue;
            }
            builder.everywhere(dim, *size, FactorType::NeedReplication);
            // With nothing else to shard, sharding this dim gains nothing.
            if shape.iter().enumerate().all(|(other, size)| other == dim || *size == 1) {
                builder.blocked();
            }
        }
        Some(builder.build())
    }

    /// n log n comparisons per slice.
    fn flops(&self, operands: &[Type], _: &[Type]) -> f64 {
        let Some(first) = operands.first().and_then(Type::as_tensor) else {
            return 0.0;
        };
        let len = self.dim(first.rank()).map_or(1, |dim| first.shape[dim]);
        first.num_elements() as f64 * (len.max(2) as f64).log2()
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        super::sort_eval::evaluate(self, Evaluation { view, inputs, cx })
    }

    fn kernel(&self, operands: &[Type], _: &[Type]) -> KernelShape {
        let first = operands.first().and_then(Type::as_tensor);
        first.map_or(KernelShape::Other, |first| KernelShape::of_sort(first, self.dim(first.rank())))
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        self.sorted_back(v);
        Ok(())
    }
}

impl Sort {
    /// The dim that is sorted, if it is in range.
    pub fn dim(&self, rank: usize) -> Option<usize> {
        let dimension = self.dimension.unwrap_or(-1);
        let dim = if dimension < 0 { dimension + rank as i64 } else { dimension };
        usize::try_from(dim).ok().filter(|dim| *dim < rank)
    }
}
