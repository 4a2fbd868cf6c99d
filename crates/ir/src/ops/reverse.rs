//! `stablehlo.reverse` (specification, "reverse").

use super::halo::Window;
use super::rearrange::Rearrange;
use super::shard_pieces::Part;
use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{AttrReader, Fusing, Given, Linearity, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sharding::Reduction;
use crate::text::{Ending, Field, Format};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::types::Type;

/// The elements in opposite order along some dims.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reverse {
    /// The dims that are reversed.
    pub dims: Vec<usize>,
}

impl OpDef for Reverse {
    const NAMES: &'static [&'static str] = &["stablehlo.reverse"];

    /// `%x, dims = [0] : type`
    const FORMAT: Option<Format> =
        Some(Format::of(1, Ending::Same).with(&[Field::positions("dims", "dimensions")]));

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { dims: attributes.dims("dimensions")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("dimensions", Attr::dims(&self.dims))
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 1, 1, 0) {
            return;
        }
        let operand = view.operand(0);
        violations.inferred(view);
        let mut sorted = self.dims.clone();
        sorted.sort_unstable();
        sorted.dedup();
        violations.require(sorted.len() == self.dims.len(), || {
            format!("C2: a dim is reversed twice in {:?}", self.dims)
        });
        violations.require(self.dims.iter().all(|dim| *dim < operand.rank()), || {
            format!("C3: dims {:?} are not all below the rank {}", self.dims, operand.rank())
        });
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(0)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (dim, size) in view.operand(0).shape.iter().enumerate() {
            let places = [(0, dim)];
            if self.dims.contains(&dim) {
                rule.add_moving_dim(*size, FactorKind::Permuted, *size, &places, &places);
            } else {
                rule.add_dim(*size, FactorKind::PassThrough, &places, &places);
            }
        }
        rule
    }

    /// Along a sharded dim each device fetches the elements that lie as far from the other end: whole shards, at once for
    /// all dims that their shards divide.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        let mut operand = cx.operands[0];
        let mut swapped = Vec::new();
        for dim in &self.dims {
            let axes = cx.operand_axes(0, *dim);
            if axes.is_empty() {
                continue;
            }
            if !cx.is_padded(0, *dim) {
                swapped.extend(axes);
                continue;
            }
            let (size, len) = (cx.view.operand(0).shape[*dim], cx.operand(0).shape[*dim]);
            let starts =
                (1..=cx.mesh.product(&axes)).map(|device| size as i64 - (device * len) as i64).collect();
            let window = Window { dim: *dim, axes: &axes, size, starts, len, is_mirrored: true };
            operand = window.fetch(b, operand);
        }
        if !swapped.is_empty() && cx.operand(0).num_elements() > 0 {
            // Opposite along each axis is opposite along all of them.
            let devices = cx.mesh.product(&swapped);
            let pairs: Vec<_> = (0..devices).map(|device| (devices - 1 - device, device)).collect();
            operand = b.permute(operand, &swapped, &pairs);
        }
        b.emit(self.clone().into(), &[operand], &[], cx.result_types.to_vec())
    }

    fn exchanges(&self, _: &InstView<'_>) -> bool {
        true
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::moves()
    }

    fn as_rearrangement(&self, view: &InstView<'_>) -> Option<Rearrange> {
        let [dim] = self.dims[..] else { return None };
        let part = Part { operand: 0, start: 0, len: view.operand(0).shape[dim], is_reversed: true };
        Some(Rearrange { dim, parts: vec![part] })
    }

    fn traits(&self) -> OpTraits {
        OpTraits { keeps_dims: true, fusing: Fusing::Fetches, ..OpTraits::NONE }
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![inputs[0].reverse(&self.dims)?])
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        v.give_with(0, |v, cotangent| v.unary(self.clone(), cotangent));
        Ok(())
    }
}
