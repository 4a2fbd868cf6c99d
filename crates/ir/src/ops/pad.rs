//! `stablehlo.pad` (specification, "pad").

use super::halo::{Window, part_at, per_device};
use super::local_code::{one, tensor};
use super::slice::Slice;
use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{Along, AttrReader, Fusing, Given, Linearity, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, InShardy, Passing, ShardingRule};
use crate::sdy::rule_builder::FactorType;
use crate::sharding::Reduction;
use crate::text::{Ending, Field, Format};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{TensorType, Type};

/// The operand with a value around it and between its elements. Negative edges cut off.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pad {
    /// Elements before the first one, per dim; may be negative.
    pub low: Vec<i64>,
    /// Elements after the last one, per dim; may be negative.
    pub high: Vec<i64>,
    /// Elements between neighbors, per dim.
    pub interior: Vec<usize>,
}

impl OpDef for Pad {
    const NAMES: &'static [&'static str] = &["stablehlo.pad"];

    /// `%x, %value, low = [0], high = [1], interior = [0] : (...) -> ...`
    const FORMAT: Option<Format> = Some(Format::of(2, Ending::Signature).with(&[
        Field::integers("low", "edge_padding_low"),
        Field::integers("high", "edge_padding_high"),
        Field::positions("interior", "interior_padding"),
    ]));

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self {
            low: attributes.ints("edge_padding_low")?,
            high: attributes.ints("edge_padding_high")?,
            interior: attributes.dims("interior_padding")?,
        })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let edge =
            |values: &[i64]| Attr::DenseArray(meshwright_tensor::types::ElementType::I64, values.to_vec());
        [
            ("edge_padding_low", edge(&self.low)),
            ("edge_padding_high", edge(&self.high)),
            ("interior_padding", Attr::dims(&self.interior)),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 2, 1, 0) {
            return;
        }
        let (operand, value) = (view.operand(0), view.operand(1));
        violations.require(*value == TensorType::scalar(operand.element), || {
            format!("C1: the padding value should be a tensor<{}>, not {value}", operand.element)
        });
        let rank = operand.rank();
        let lengths = [self.low.len(), self.high.len(), self.interior.len()];
        if !violations.require(lengths == [rank; 3], || format!("C2: paddings should be {rank}, one per dim"))
        {
            return;
        }
        if let Some(dim) = (0..rank).find(|dim| self.padded_size(*dim, operand.shape[*dim]).is_none()) {
            let message = format!("C4: dim {dim} is padded to a negative or too large size");
            violations.messages.push(message);
        }
        violations.inferred(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let operand = given.tensor(0)?;
        let sizes = operand.shape.iter().enumerate();
        let shape = sizes.map(|(dim, size)| self.padded_size(dim, *size)).collect::<Option<Vec<usize>>>()?;
        Some(vec![TensorType::new(shape, operand.element).into()])
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (dim, size) in view.operand(0).shape.iter().enumerate() {
            if self.is_plain(dim) {
                rule.add_dim(*size, FactorKind::PassThrough, &[(0, dim)], &[(0, dim)]);
                continue;
            }
            let largest = (*size).max(view.result(0).shape[dim]);
            let edge = self.low[dim].unsigned_abs().max(self.high[dim].unsigned_abs()) as usize;
            let reach = edge / (self.interior[dim] + 1);
            let factor = rule.add_moving_dim(largest, FactorKind::Permuted, reach, &[(0, dim)], &[(0, dim)]);
            rule.factors[factor].in_shardy = match *size == view.result(0).shape[dim] {
                // Shardy looks at sizes alone.
                true => InShardy { kind: Some(FactorType::PassThrough), ..InShardy::default() },
                false => InShardy {
                    size: Some(*size),
                    passing: Passing::UnlessConservative,
                    ..InShardy::default()
                },
            };
        }
        rule
    }

    /// Along a sharded dim each device fetches the elements that lie in its part of the result.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        let (mut local, mut operand) = (self.clone(), cx.operands[0]);
        let mut after: Vec<(usize, Vec<i64>)> = Vec::new();
        for (dim, size) in cx.view.operand(0).shape.iter().enumerate() {
            let axes = cx.operand_axes(0, dim);
            if self.is_plain(dim) || axes.is_empty() {
                continue;
            }
            // Element q lies at low + q * step.
            let step = self.interior[dim] as i64 + 1;
            let chunk = cx.result(0).shape[dim] as i64;
            let devices = 0..cx.mesh.product(&axes) as i64;
            let starts: Vec<i64> =
                devices.clone().map(|device| ceil_div(device * chunk - self.low[dim], step)).collect();
            let len = if chunk == 0 { 0 } else { (chunk - 1) / step + 1 };
            // How far into a device's part its first element lies.
            let phases: Vec<i64> = devices
                .map(|device| self.low[dim] + starts[device as usize] * step - device * chunk)
                .collect();
            let window =
                Window { dim, axes: &axes, size: *size, starts, len: len as usize, is_mirrored: false };
            operand = window.fetch_filled(b, operand, cx.operands[1]);
            let covered = if len == 0 { 0 } else { (len - 1) * step + 1 };
            let most = phases.iter().copied().max().unwrap_or(0);
            local.low[dim] = most;
            local.high[dim] = chunk - covered;
            if phases.iter().all(|phase| *phase == most) {
                local.high[dim] -= most;
            } else {
                after.push((dim, phases.iter().map(|phase| most - phase).collect()));
            }
        }
        if (0..local.low.len()).all(|dim| local.is_plain(dim)) {
            return vec![operand];
        }
        let mut ty = tensor(b, operand);
        for (dim, size) in ty.shape.iter_mut().enumerate() {
            *size = local.padded_size(dim, *size).unwrap_or(0);
        }
        let mut padded = one(b, local, &[operand, cx.operands[1]], ty);
        for (dim, starts) in after {
            let start = per_device(b, &cx.operand_axes(0, dim), &starts);
            padded = part_at(b, padded, dim, start, cx.result(0).shape[dim]);
        }
        vec![padded]
    }

    fn exchanges(&self, _: &InstView<'_>) -> bool {
        true
    }

    fn linearity(&self, view: &InstView<'_>, _: Reduction) -> Linearity {
        let each: &[usize] = if super::constant::is_splat_of(view, 1, 0.0) { &[0] } else { &[] };
        Linearity { each, ..Linearity::in_all([0, 1]) }
    }

    fn traits(&self) -> OpTraits {
        OpTraits { keeps_dims: true, fusing: Fusing::Fetches, ..OpTraits::NONE }
    }

    fn along(&self, dim: usize) -> Along {
        if [self.low[dim], self.high[dim]] == [0, 0] && self.interior[dim] == 0 {
            Along::AsOperands
        } else {
            Along::Own
        }
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![self.apply(&inputs[0], &inputs[1])?])
    }

    /// To the operand what stands where it was put, to the padding the sum of all else.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let (cotangent, operand) = (v.cotangent(), v.operand_type(0));
        let own = self.own_elements(v, cotangent, &operand);
        v.give(0, own);
        v.give_with(1, |v, cotangent| {
            let [all, own] = [cotangent, own].map(|value| {
                let rank = v.ty(value).rank();
                v.sum(value, (0..rank).collect())
            });
            v.minus(all, own)
        });
        Ok(())
    }
}

impl Pad {
    /// The elements of a padded tensor that are those of the operand; zero stands for those that were dropped.
    fn own_elements(&self, v: &mut Vjp<'_>, padded: ValueId, operand: &TensorType) -> ValueId {
        let zero = v.splat(TensorType::scalar(operand.element), 0.0);
        let spread: Vec<usize> = (0..operand.rank())
            .map(|dim| operand.shape[dim] + operand.shape[dim].saturating_sub(1) * self.interior[dim])
            .collect();
        let back = Self {
            low: self.low.iter().map(|low| -low).collect(),
            high: self.high.iter().map(|high| -high).collect(),
            interior: vec![0; operand.rank()],
        };
        let ty = TensorType::new(spread.clone(), operand.element);
        let inner = v.emit(back, &[padded, zero], ty);
        if spread == operand.shape {
            return inner;
        }
        let start = vec![0; spread.len()];
        let stride = self.interior.iter().map(|between| between + 1).collect();
        v.emit(Slice { start, limit: spread, stride }, &[inner], operand.clone())
    }

    /// `operand` with `value` around it and between its elements.
    pub(super) fn apply(&self, operand: &Tensor, value: &Tensor) -> Result<Tensor, EvalError> {
        let mut operand = operand.clone();
        let sizes = operand.shape().iter().enumerate().map(|(dim, size)| self.padded_size(dim, *size));
        let shape: Vec<usize> = sizes
            .collect::<Option<_>>()
            .ok_or_else(|| EvalError::new("a tensor is padded to a negative or too large size"))?;
        for dim in 0..operand.rank() {
            operand = self.spread(&operand, value, dim)?;
        }
        // What negative edges leave of the operand, and where it stands in the result.
        let rank = operand.rank();
        let (mut start, mut limit, mut at) = (vec![0; rank], operand.shape().to_vec(), vec![0; rank]);
        for dim in 0..rank {
            let cut = |edge: i64| edge.min(0).unsigned_abs() as usize;
            start[dim] = cut(self.low[dim]).min(limit[dim]);
            limit[dim] = limit[dim].saturating_sub(cut(self.high[dim])).max(start[dim]);
            at[dim] = self.low[dim].max(0) as usize;
        }
        let kept = operand.slice(&start, &limit, &vec![1; rank])?;
        let mut result = value.broadcast(&shape, &[])?;
        if kept.num_elements() > 0 {
            result.paste(&at, &kept)?;
        }
        Ok(result)
    }
}

fn ceil_div(value: i64, by: i64) -> i64 {
    value.div_euclid(by) + i64::from(value.rem_euclid(by) != 0)
}

impl Pad {
    /// Whether dim `dim` is left as it is.
    fn is_plain(&self, dim: usize) -> bool {
        (self.low[dim], self.high[dim], self.interior[dim]) == (0, 0, 0)
    }

    /// Size of dim `dim` after padding, if it is one.
    fn padded_size(&self, dim: usize, size: usize) -> Option<usize> {
        let gaps = size.saturating_sub(1).checked_mul(*self.interior.get(dim)?)?;
        let spread = i64::try_from(size.checked_add(gaps)?).ok()?;
        usize::try_from(spread.checked_add(*self.low.get(dim)?)?.checked_add(*self.high.get(dim)?)?).ok()
    }

    /// `x` with the dim's interior padding: every element gets a row of values behind it, the last row is cut off.
    fn spread(&self, x: &Tensor, value: &Tensor, dim: usize) -> Result<Tensor, EvalError> {
        let (gap, size) = (self.interior[dim], x.shape()[dim]);
        if gap == 0 || size < 2 {
            return Ok(x.clone());
        }
        let mut shape = x.shape().to_vec();
        shape.insert(dim + 1, 1);
        let elements = x.reshape(&shape)?;
        shape[dim + 1] = gap;
        let gaps = value.broadcast(&shape, &[])?;
        let rows = Tensor::concatenate(&[elements, gaps], dim + 1)?;
        shape.remove(dim + 1);
        shape[dim] = size * (gap + 1);
        let spread = rows.reshape(&shape)?;
        shape[dim] -= gap;
        spread.slice(&vec![0; shape.len()], &shape, &vec![1; shape.len()])
    }
}
