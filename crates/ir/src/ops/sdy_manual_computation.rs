//! `sdy.manual_computation` (Shardy dialect): a region that is the program of one device along the manual axes. JAX's
//! `shard_map` becomes one.
//!
//! Checked after Shardy's verifier:
//! - `in_shardings` and `out_shardings` fit operands and results, on one mesh, which has all manual axes;
//! - no manual axis is bound by another manual computation around this one;
//! - in every dim, manual axes stand before free ones, and divide the dim;
//! - the region's arguments and returned values have the types of operands and results, divided along manual axes;
//! - the region uses nothing from outside, and ends with `sdy.return`.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, DataFlow, HoldsShardings, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::scope::Scope;
use crate::sdy::verify::{common_mesh, per_value};
use crate::sdy::{ManualAxes, SdyAttr};
use crate::sharding::{AxisRefAttr, ShardingAttr};
use crate::text::{OpPrinter, Parsed, Parser};
use meshwright_tensor::types::{TensorType, Type};

use super::reducer::returned_types;
use super::sdy_region::{parse_region, print_operands, print_region, verify_region};

/// A manual computation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ManualComputation {
    /// The sharding of each operand.
    pub in_shardings: Vec<ShardingAttr>,
    /// The sharding of each result.
    pub out_shardings: Vec<ShardingAttr>,
    /// The axes along which the region is the program of one device.
    pub manual_axes: Vec<String>,
}

impl OpDef for ManualComputation {
    const NAMES: &'static [&'static str] = &["sdy.manual_computation"];

    /// `(%x) in_shardings=[<...>] out_shardings=[<...>] manual_axes={"x"} (%arg: type) { ... } : (...) -> ...`
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let operands = p.operand_list()?;
        p.field("in_shardings")?;
        let in_shardings = p.angled_shardings()?;
        p.field("out_shardings")?;
        let out_shardings = p.angled_shardings()?;
        p.field("manual_axes")?;
        let manual_axes = p.manual_axes()?;
        parse_region(p, Self { in_shardings, out_shardings, manual_axes }, operands)
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let required = |found: Option<_>, name| found.ok_or_else(|| format!("attribute `{name}` is missing"));
        Ok(Self {
            in_shardings: required(attributes.shardings_opt("in_shardings")?, "in_shardings")?,
            out_shardings: required(attributes.shardings_opt("out_shardings")?, "out_shardings")?,
            manual_axes: match &*attributes.sdy("manual_axes")? {
                SdyAttr::ManualAxes(names) => names.clone(),
                other => {
                    return Err(format!("`manual_axes` should be #sdy<manual_axes{{...}}>, found `{other}`"));
                }
            },
        })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        [
            ("in_shardings", Attr::ShardingPerValue(self.in_shardings.clone())),
            ("out_shardings", Attr::ShardingPerValue(self.out_shardings.clone())),
            ("manual_axes", Attr::Sdy(SdyAttr::ManualAxes(self.manual_axes.clone()).into())),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        print_operands(view, p, [Some(&self.in_shardings), Some(&self.out_shardings)]);
        p.text(&format!(" manual_axes={} ", ManualAxes(&self.manual_axes)));
        print_region(view, p)
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        verify_region(view, violations);
    }

    fn verify_in(&self, view: &InstView<'_>, scope: &Scope<'_>, violations: &mut Violations) {
        let bound = self.manual_axes.iter().find(|axis| scope.manual_axes().any(|other| other == *axis));
        violations.require(bound.is_none(), || {
            format!(
                "axis \"{}\" is manual already, by a manual computation around this one",
                bound.map_or("", |name| name)
            )
        });
        let global = |types: &mut dyn Iterator<Item = &'_ Type>| types.cloned().collect::<Vec<Type>>();
        let operands = global(&mut view.operand_types());
        let results = global(&mut view.result_types());
        let region = view.region(0);
        let arguments: Vec<Type> = region.args.iter().map(|value| view.body.ty(*value).clone()).collect();
        let returned: Vec<Type> = returned_types(view, 0).into_iter().cloned().collect();
        let fits =
            self.verify_values("operand", &operands, &arguments, &self.in_shardings, scope, violations)
                & self.verify_values("result", &results, &returned, &self.out_shardings, scope, violations);
        if !fits || (self.in_shardings.is_empty() && self.out_shardings.is_empty()) {
            return;
        }
        let shardings = self.in_shardings.iter().chain(&self.out_shardings);
        match common_mesh(shardings.filter_map(|sharding| scope.mesh(&sharding.mesh).ok())) {
            Err((first, second)) => {
                violations.require(self.manual_axes.is_empty(), || {
                    format!(
                        "all shardings should be on one mesh, not on {} and {}",
                        first.attr(),
                        second.attr()
                    )
                });
            }
            Ok(mesh) => {
                for axis in &self.manual_axes {
                    violations.require(mesh.is_none_or(|mesh| mesh.axis_named(axis).is_some()), || {
                        format!("the mesh has no axis \"{axis}\" to be manual")
                    });
                }
            }
        }
    }

    fn shardings(&self) -> Option<&dyn HoldsShardings> {
        Some(self)
    }

    fn shardings_mut(&mut self) -> Option<&mut dyn HoldsShardings> {
        Some(self)
    }

    fn manual_axes(&self) -> &[String] {
        &self.manual_axes
    }

    fn traits(&self) -> OpTraits {
        OpTraits {
            data_flow: DataFlow::Region,
            refusal: Some(
                "regions written for one device are not sharded yet; write the program without `shard_map`",
            ),
            ..OpTraits::NONE
        }
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::replicated(view.operand_types(), view.result_types())
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    /// Without manual axes the region is a part of the global program; with them every device runs it.
    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        if self.manual_axes.is_empty() {
            return cx.call_region(view.inst.regions[0], inputs);
        }
        super::sdy_manual_eval::evaluate(self, Evaluation { view, inputs, cx })
    }
}

impl HoldsShardings for ManualComputation {
    fn result(&self, index: usize) -> Option<&ShardingAttr> {
        self.out_shardings.get(index)
    }

    /// Inside, only the free axes shard an argument.
    fn argument(&self, index: usize) -> Option<ShardingAttr> {
        let mut sharding = self.in_shardings.get(index)?.clone();
        for dim in &mut sharding.dims {
            dim.axes.retain(|axis| !self.manual_axes.contains(&axis.name));
        }
        for axes in [&mut sharding.replicated, &mut sharding.unreduced] {
            axes.retain(|axis| !self.manual_axes.contains(&axis.name));
        }
        Some(sharding)
    }

    fn all_mut(&mut self) -> Vec<&mut ShardingAttr> {
        self.in_shardings.iter_mut().chain(&mut self.out_shardings).collect()
    }

    fn set_result(&mut self, index: usize, _: &[usize], sharding: ShardingAttr) -> bool {
        if let Some(own) = self.out_shardings.get_mut(index) {
            *own = sharding;
        }
        true
    }

    /// The manual axes of the operand stay in front of those that shard the argument.
    fn set_argument(&mut self, index: usize, _: &[usize], sharding: ShardingAttr) -> bool {
        let Some(outer) = self.in_shardings.get_mut(index) else { return true };
        let mut joined = sharding;
        for (dim, outer) in joined.dims.iter_mut().zip(&outer.dims) {
            let is_manual = |axis: &&AxisRefAttr| self.manual_axes.contains(&axis.name);
            let before: Vec<_> = outer.axes.iter().take_while(is_manual).cloned().collect();
            dim.axes.splice(..0, before);
        }
        joined.replicated.clone_from(&outer.replicated);
        joined.unreduced.clone_from(&outer.unreduced);
        *outer = joined;
        true
    }
}

impl ManualComputation {
    fn verify_values(
        &self,
        what: &str,
        global: &[Type],
        local: &[Type],
        shardings: &[ShardingAttr],
        scope: &Scope<'_>,
        violations: &mut Violations,
    ) -> bool {
        if global.is_empty() && local.is_empty() && shardings.is_empty() {
            return true;
        }
        if !per_value(shardings, &global.iter().collect::<Vec<_>>(), what, scope, violations) {
            return false;
        }
        if !violations.require(global.len() == local.len(), || {
            format!("there are {} {what}s, but {} in the region", global.len(), local.len())
        }) {
            return false;
        }
        let mut fits = true;
        for (index, ((global, local), sharding)) in global.iter().zip(local).zip(shardings).enumerate() {
            match self.local_type(global, sharding, scope) {
                Ok(expected) => {
                    fits &= violations.require(expected == *local, || {
                        format!(
                            "{what} {index} is a {expected} inside, by its type and sharding, not a {local}"
                        )
                    });
                }
                Err(problem) => {
                    violations.messages.push(format!("{what} {index}: {problem}"));
                    fits = false;
                }
            }
        }
        fits
    }

    /// The type that a value has inside the region.
    fn local_type(&self, ty: &Type, sharding: &ShardingAttr, scope: &Scope<'_>) -> Result<Type, String> {
        let Ok(mesh) = scope.mesh(&sharding.mesh) else {
            return Ok(ty.clone());
        };
        let is_manual = |name: &str| self.manual_axes.iter().any(|axis| axis == name);
        for (index, dim) in sharding.dims.iter().enumerate() {
            let pairs = dim.axes.windows(2);
            if let Some(pair) =
                pairs.into_iter().find(|pair| !is_manual(&pair[0].name) && is_manual(&pair[1].name))
            {
                return Err(format!(
                    "in dim {index}, the manual axis {} stands behind the free axis {}",
                    pair[1], pair[0]
                ));
            }
        }
        let Some(tensor) = ty.as_tensor() else {
            return Ok(ty.clone());
        };
        let mut shape = tensor.shape.clone();
        for (size, dim) in shape.iter_mut().zip(&sharding.dims) {
            let manual = dim.axes.iter().filter(|axis| is_manual(&axis.name));
            let count = manual.fold(1usize, |count, axis| count.saturating_mul(axis.size(mesh)));
            if !size.is_multiple_of(count) {
                return Err(format!(
                    "a dim of size {size} does not divide into {count} parts along the manual axes"
                ));
            }
            *size /= count.max(1);
        }
        Ok(TensorType::new(shape, tensor.element).into())
    }
}
