//! `stablehlo.batch_norm_inference`, `stablehlo.batch_norm_training`, `stablehlo.batch_norm_grad` (specification, one
//! section each): normalization of each feature over all other dims.

use crate::attribute::{Attr, Attributes};
use crate::op::{AttrReader, OpDef, Propagation, Violations};
use crate::program::InstView;
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};
use crate::types::{ElementType, TensorType, Type};

/// Which of them it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BatchNormKind {
    /// With a given mean and variance: operand, scale, offset, mean, variance.
    Inference,
    /// With the batch's own, which are further results: operand, scale, offset.
    Training,
    /// The gradients of training: operand, scale, mean, variance, gradient of the output.
    Grad,
}

/// A normalization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BatchNorm {
    /// Which one.
    pub kind: BatchNormKind,
    /// What is added to the variance, as the bits of an `f64`.
    pub epsilon: u64,
    /// The dim of the features.
    pub feature_index: usize,
}

const NAMES: [&str; 3] =
    ["stablehlo.batch_norm_inference", "stablehlo.batch_norm_training", "stablehlo.batch_norm_grad"];

impl OpDef for BatchNorm {
    const NAMES: &'static [&'static str] = &NAMES;

    fn name(&self) -> &'static str {
        NAMES[self.kind as usize]
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let epsilon = match attributes.required("epsilon")? {
            Attr::Float(bits, ElementType::F32) => bits,
            other => return Err(format!("`epsilon` should be an f32, found `{other}`")),
        };
        let kind = match name {
            "stablehlo.batch_norm_inference" => BatchNormKind::Inference,
            "stablehlo.batch_norm_training" => BatchNormKind::Training,
            _ => BatchNormKind::Grad,
        };
        Ok(Self { kind, epsilon, feature_index: attributes.position("feature_index")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        attributes.set("epsilon", Attr::Float(self.epsilon, ElementType::F32));
        attributes.set("feature_index", Attr::i64(self.feature_index as i64));
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let (num_operands, num_results) = match self.kind {
            BatchNormKind::Inference => (5, 1),
            BatchNormKind::Training => (3, 3),
            BatchNormKind::Grad => (5, 3),
        };
        if !violations.shape(view, num_operands, num_results, 0) {
            return;
        }
        let operand = view.operand(0);
        violations.require(operand.element.is_float(), || {
            format!("I1: does not take elements of {}", operand.element)
        });
        let Some(features) = operand.shape.get(self.feature_index) else {
            let message = format!("C1: {operand} has no dim {}", self.feature_index);
            violations.messages.push(message);
            return;
        };
        let per_feature = TensorType::new([*features], operand.element);
        for index in 1..num_operands {
            let is_whole = self.kind == BatchNormKind::Grad && index == 4;
            let expected = if is_whole { operand } else { &per_feature };
            let found = view.operand(index);
            violations.require(found == expected, || {
                format!("C2-C6: operand {index} should be {expected}, not {found}")
            });
        }
        violations.result_type(view, 0, &Type::Tensor(operand.clone()));
        for index in 1..num_results {
            violations.result_type(view, index, &Type::Tensor(per_feature.clone()));
        }
    }

    fn result_names(&self, _: &InstView<'_>) -> &'static [&'static str] {
        match self.kind {
            BatchNormKind::Inference => &[],
            BatchNormKind::Training => &["output", "batch_mean", "batch_var"],
            BatchNormKind::Grad => &["grad_operand", "grad_scale", "grad_offset"],
        }
    }

    fn propagation_rule(&self, view: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        let BatchNormKind::Inference = self.kind else { return None };
        let mut builder = RuleBuilder::new(view);
        for (dim, size) in view.operand(0).shape.iter().enumerate() {
            let own = (dim == self.feature_index).then_some(0);
            let mut operands = vec![own; view.num_operands()];
            operands[0] = Some(dim);
            builder.factor(&operands, &[Some(dim)], *size, FactorType::PassThrough);
        }
        Some(builder.build())
    }
}
