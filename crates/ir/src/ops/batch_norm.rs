//! `stablehlo.batch_norm_inference`, `stablehlo.batch_norm_training`, `stablehlo.batch_norm_grad` (specification, one
//! section each): normalization of each feature over all other dims.

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::expand::Expansion;
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use meshwright_tensor::types::{ElementType, TensorType, Type};

use super::binary::Binary;
use super::unary::Unary;

/// Kinds of batch normalization.
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
        attributes.set("feature_index", Attr::position(self.feature_index));
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
        violations.inferred(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let operand = given.tensor(0)?;
        let features = *operand.shape.get(self.feature_index)?;
        let per_feature = Type::from(TensorType::new([features], operand.element));
        let mut results = vec![Type::from(operand.clone())];
        if self.kind != BatchNormKind::Inference {
            results.extend([per_feature.clone(), per_feature]);
        }
        Some(results)
    }

    fn result_names(&self) -> &'static [&'static str] {
        match self.kind {
            BatchNormKind::Inference => &[],
            BatchNormKind::Training => &["output", "batch_mean", "batch_var"],
            BatchNormKind::Grad => &["grad_operand", "grad_scale", "grad_offset"],
        }
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        if self.kind != BatchNormKind::Inference {
            return rule;
        }
        for (dim, size) in view.operand(0).shape.iter().enumerate() {
            let per_feature = if dim == self.feature_index { 1..view.num_operands() } else { 0..0 };
            let operands: Vec<_> =
                [(0, dim)].into_iter().chain(per_feature.map(|operand| (operand, 0))).collect();
            rule.add_dim(*size, FactorKind::PassThrough, &operands, &[(0, dim)]);
        }
        rule
    }

    fn traits(&self) -> OpTraits {
        OpTraits::SHORT_FORM
    }

    /// As the specification writes it.
    fn expand(
        &self,
        view: &InstView<'_>,
        operands: &[ValueId],
        e: &mut Expansion<'_, '_>,
    ) -> Option<Vec<ValueId>> {
        let ty = view.operand(0);
        let along = |e: &mut Expansion<'_, '_>, value: ValueId| {
            e.broadcast(value, &ty.shape, vec![self.feature_index])
        };
        let others: Vec<usize> = (0..ty.rank()).filter(|dim| *dim != self.feature_index).collect();
        let count = others.iter().fold(1_usize, |count, dim| count.saturating_mul(ty.shape[*dim]));
        let mean_of = |e: &mut Expansion<'_, '_>, value: ValueId| {
            let sum = e.sum(value, others.clone());
            let per_feature = e.ty(sum);
            let count = e.splat(per_feature, count as f64);
            e.binary(Binary::Divide, sum, count)
        };
        let (mean, variance) = match self.kind {
            BatchNormKind::Inference => (operands[3], operands[4]),
            BatchNormKind::Grad => (operands[2], operands[3]),
            BatchNormKind::Training => {
                let mean = mean_of(e, operands[0]);
                let whole = along(e, mean);
                let centered = e.binary(Binary::Subtract, operands[0], whole);
                let squares = e.binary(Binary::Multiply, centered, centered);
                (mean, mean_of(e, squares))
            }
        };
        let whole = along(e, mean);
        let centered = e.binary(Binary::Subtract, operands[0], whole);
        let epsilon = e.splat(ty.clone(), f64::from_bits(self.epsilon));
        let whole = along(e, variance);
        let raised = e.binary(Binary::Add, whole, epsilon);
        let deviation = e.emit(Unary::Sqrt, &[raised], ty.clone());
        let normalized = e.binary(Binary::Divide, centered, deviation);
        let scale = along(e, operands[1]);
        if self.kind != BatchNormKind::Grad {
            let scaled = e.binary(Binary::Multiply, scale, normalized);
            let offset = along(e, operands[2]);
            let output = e.binary(Binary::Add, scaled, offset);
            return Some(match self.kind {
                BatchNormKind::Training => vec![output, mean, variance],
                _ => vec![output],
            });
        }
        let gradient = operands[4];
        let num_elements = e.splat(ty.clone(), count as f64);
        let grad_offset = e.sum(gradient, others.clone());
        let weighted = e.binary(Binary::Multiply, gradient, normalized);
        let grad_scale = e.sum(weighted, others.clone());
        let weighted = e.binary(Binary::Multiply, gradient, centered);
        let weighted = e.sum(weighted, others.clone());
        let weighted = along(e, weighted);
        let along_operand = e.binary(Binary::Multiply, weighted, centered);
        let along_operand = e.binary(Binary::Divide, along_operand, raised);
        let total = e.binary(Binary::Multiply, gradient, num_elements);
        let constant_part = along(e, grad_offset);
        let rest = e.binary(Binary::Subtract, total, constant_part);
        let rest = e.binary(Binary::Subtract, rest, along_operand);
        let factor = e.binary(Binary::Divide, scale, deviation);
        let factor = e.binary(Binary::Divide, factor, num_elements);
        Some(vec![e.binary(Binary::Multiply, factor, rest), grad_scale, grad_offset])
    }
}
