//! `stablehlo.iota` (specification, "iota").

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{Along, AttrReader, OpDef, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::text::{Ending, Field, Format};
use meshwright_tensor::Tensor;
use meshwright_tensor::types::{ElementKind, ElementType, TensorType};

use super::convert::Convert;

/// Every element is its index along one dim.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Iota {
    /// The dim that is counted.
    pub dim: usize,
}

impl OpDef for Iota {
    const NAMES: &'static [&'static str] = &["stablehlo.iota"];

    /// `dim = 0 : type`
    const FORMAT: Option<Format> =
        Some(Format::of(0, Ending::Result).with(&[Field::position("dim", "iota_dimension")]));

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let dim = attributes.int("iota_dimension")?;
        let dim = usize::try_from(dim).map_err(|_| format!("`iota_dimension` is negative: {dim}"))?;
        Ok(Self { dim })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("iota_dimension", Attr::position(self.dim))
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 0, 1, 0) {
            return;
        }
        let result = view.result(0);
        violations.require(self.dim < result.rank(), || {
            format!("C1: dim {} is out of range for a result of rank {}", self.dim, result.rank())
        });
        violations.require(result.element.kind() != ElementKind::Boolean, || "does not count in i1".into());
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (dim, size) in view.result(0).shape.iter().enumerate() {
            let kind = if dim == self.dim { FactorKind::Offset } else { FactorKind::PassThrough };
            rule.add_dim(*size, kind, &[], &[(0, dim)]);
        }
        rule
    }

    fn along(&self, dim: usize) -> Along {
        if self.dim != dim { Along::Repeated } else { Along::AsOperands }
    }

    fn evaluate(&self, Evaluation { view, cx, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![Tensor::iota(view.result(0), self.dim, cx.precision())?])
    }

    /// Counts from where this device's shard begins. Narrow and floating types count in wide integers first, so that
    /// each element is rounded once, as in the whole tensor.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        let axes = cx.result_axes(0, self.dim);
        let local = cx.result(0).clone();
        if axes.is_empty() {
            return b.emit(self.clone().into(), &[], &[], vec![local.into()]);
        }
        let element = match local.element {
            exact @ (ElementType::I32 | ElementType::I64 | ElementType::Ui32 | ElementType::Ui64) => exact,
            _ if cx.view.result(0).shape[self.dim] > i32::MAX as usize => ElementType::I64,
            _ => ElementType::I32,
        };
        let wide = TensorType::new(local.shape.clone(), element);
        let counted = vec![b.positions(self.clone(), wide, &axes)];
        if element == local.element {
            counted
        } else {
            b.emit(Convert.into(), &counted, &[], vec![local.into()])
        }
    }
}
