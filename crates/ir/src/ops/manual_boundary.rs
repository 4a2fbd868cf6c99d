//! `meshwright.enter_manual` and `meshwright.leave_manual`: a value of the whole program becomes what one device along
//! manual axes has of it, and back. They stand where `sdy.manual_computation` or GSPMD's `@SPMDFullToShardShape` and
//! `@SPMDShardToFullShape` stood, so that what was a region is a part of its function.
//!
//! Outside, each dim is its manual axes times what is left; inside, only what is left, which free axes may shard:
//! `enter: ([m k]) -> [k]`, `leave: ([k]) -> [m k]`. With `m` sharded over its manual axes nothing is to be done.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::mesh::{Mesh, SubAxisId};
use crate::op::{AttrReader, OpDef, Violations};
use crate::program::InstView;
use crate::rule::{FactorIndex, FactorKind, ShardingRule};
use crate::scope::Scope;
use crate::sdy::SdyAttr;
use crate::sharding::{AxisRefAttr, Reduction, ShardingAttr, resolve_axis};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{TensorType, Type};

use super::slice::Slice;

/// A boundary.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ManualBoundary {
    /// Which way it leads.
    pub way: Way,
    /// The sharding outside.
    pub sharding: ShardingAttr,
    /// The axes along which the inside is the program of one device.
    pub manual_axes: Vec<String>,
}

/// Into the program of one device, or out of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Way {
    Enter,
    Leave,
}

impl OpDef for ManualBoundary {
    const NAMES: &'static [&'static str] = &["meshwright.enter_manual", "meshwright.leave_manual"];

    fn name(&self) -> &'static str {
        Self::NAMES[self.way as usize]
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let way = if name == Self::NAMES[0] { Way::Enter } else { Way::Leave };
        let sharding = attributes.sharding("sharding")?;
        match &*attributes.sdy("manual_axes")? {
            SdyAttr::ManualAxes(names) => Ok(Self { way, sharding, manual_axes: names.clone() }),
            other => Err(format!("`manual_axes` should be #sdy<manual_axes{{...}}>, found `{other}`")),
        }
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        attributes.set("sharding", Attr::Sharding(self.sharding.clone()));
        attributes.set("manual_axes", Attr::Sdy(SdyAttr::ManualAxes(self.manual_axes.clone()).into()));
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if violations.shape(view, 1, 1, 0) && violations.all_tensors(view) {
            let (outer, inner) = self.shapes(view);
            violations.require(outer.len() == inner.len() && outer.len() == self.sharding.dims.len(), || {
                "operand, result and sharding should be of one rank".into()
            });
        }
    }

    fn verify_in(&self, view: &InstView<'_>, scope: &Scope<'_>, violations: &mut Violations) {
        let outer = if self.way == Way::Enter { view.inst.operands[0] } else { view.inst.results[0] };
        let checked = scope.check_sharding(&self.sharding, Some(view.body.ty(outer)));
        if !violations.sharding(checked, "") {
            return;
        }
        let Ok(mesh) = scope.mesh(&self.sharding.mesh) else { return };
        let (outer, inner) = self.shapes(view);
        for (dim, (outer, inner)) in outer.iter().zip(inner).enumerate() {
            let count = mesh.product(&self.manual_of_dim(dim, mesh));
            violations.require(inner.checked_mul(count) == Some(*outer), || {
                format!("dim {dim} is {outer} outside and {inner} inside, but {count} devices share it")
            });
        }
    }

    fn manual_axes(&self) -> &[String] {
        &self.manual_axes
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let (outer, inner) = self.shapes(view);
        for (dim, (outer, inner)) in outer.iter().zip(inner).enumerate() {
            let devices = outer.checked_div(*inner).unwrap_or(1);
            if devices > 1 {
                let of_devices = rule.add(devices, FactorKind::PassThrough);
                self.outer_of(&mut rule)[dim].push(of_devices);
            }
            rule.add_dim(*inner, FactorKind::PassThrough, &[(0, dim)], &[(0, dim)]);
        }
        rule
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn evaluate(&self, _: Evaluation<'_>) -> Evaluated {
        Err(EvalError::new(format!(
            "`{}` has no value in the program of the whole; give the program as it was read",
            self.name()
        )))
    }

    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        let mut value = cx.operands[0];
        let unreduced = self.manual_of(&self.sharding.unreduced, cx.mesh);
        for dim in 0..self.sharding.dims.len() {
            let manual = self.manual_of_dim(dim, cx.mesh);
            value = self.moved(cx, b, value, dim, &manual);
        }
        if !unreduced.is_empty() {
            value = match self.way {
                Way::Enter => b.once(value, &unreduced, Reduction::Sum),
                Way::Leave => b.all_reduce(value, &unreduced, Reduction::Sum),
            };
        }
        vec![value]
    }
}

impl ManualBoundary {
    /// Shapes outside and inside.
    fn shapes<'a>(&self, view: &InstView<'a>) -> (&'a [usize], &'a [usize]) {
        let (operand, result) = (&view.operand(0).shape, &view.result(0).shape);
        match self.way {
            Way::Enter => (operand, result),
            Way::Leave => (result, operand),
        }
    }

    fn outer_of<'a>(&self, rule: &'a mut ShardingRule) -> &'a mut Vec<Vec<FactorIndex>> {
        match self.way {
            Way::Enter => &mut rule.operands[0],
            Way::Leave => &mut rule.results[0],
        }
    }

    /// The manual ones among some axes.
    fn manual_of(&self, axes: &[AxisRefAttr], mesh: &Mesh) -> Vec<SubAxisId> {
        let manual = axes.iter().filter(|axis| self.manual_axes.contains(&axis.name));
        manual.flat_map(|axis| resolve_axis(axis, mesh).unwrap_or_default()).collect()
    }

    fn manual_of_dim(&self, dim: usize, mesh: &Mesh) -> Vec<SubAxisId> {
        self.manual_of(&self.sharding.dims[dim].axes, mesh)
    }

    /// One dim on the other side. The strategy usually shards it as the boundary asks; otherwise the dim is put
    /// together and cut again.
    fn moved(
        &self,
        cx: &Localize<'_>,
        b: &mut dyn LocalBuilder,
        value: ValueId,
        dim: usize,
        manual: &[SubAxisId],
    ) -> ValueId {
        let outer = match self.way {
            Way::Enter => &cx.rule.operands[0][dim],
            Way::Leave => &cx.rule.results[0][dim],
        };
        let [devices, rest] = outer[..] else { return value };
        let (devices, rest) = (cx.strategy.axes[devices].as_slice(), cx.strategy.axes[rest].as_slice());
        if devices == manual {
            return value;
        }
        let (outer, inner) = self.shapes(&cx.view);
        let (before, middle, after) = match self.way {
            Way::Enter => (vec![devices, rest], outer[dim], vec![manual, rest]),
            Way::Leave => (vec![rest], inner[dim], vec![devices, rest]),
        };
        let mut whole = put_together(b, value, dim, &before.concat(), middle);
        if self.way == Way::Leave {
            whole = put_together(b, whole, dim, manual, outer[dim]);
        }
        let rank = self.sharding.dims.len();
        after.into_iter().filter(|axes| !axes.is_empty()).fold(whole, |value, axes| {
            let mut per_dim = vec![Vec::new(); rank];
            per_dim[dim] = axes.to_vec();
            b.own_shard(value, &per_dim)
        })
    }
}

/// All shards of a dim that has `size` elements without padding.
fn put_together(
    b: &mut dyn LocalBuilder,
    value: ValueId,
    dim: usize,
    axes: &[SubAxisId],
    size: usize,
) -> ValueId {
    let value = if axes.is_empty() { value } else { b.all_gather(value, dim, axes) };
    let ty = b.ty(value);
    let Some(found) = ty.as_tensor().filter(|found| found.shape[dim] > size) else { return value };
    let mut limit = found.shape.clone();
    limit[dim] = size;
    let cut = Slice { start: vec![0; limit.len()], limit: limit.clone(), stride: vec![1; limit.len()] };
    b.emit(cut.into(), &[value], &[], vec![TensorType::new(limit, found.element).into()])[0]
}
