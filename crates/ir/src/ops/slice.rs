//! `stablehlo.slice` (specification, "slice").

use super::binary::Binary;
use super::compare::Direction;
use super::halo::{Window, nothing};
use super::local_code::{binary, broadcast, compare, one, select, tensor};
use super::pad::Pad;
use super::rearrange::Rearrange;
use super::shard_pieces::Part;
use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{AttrReader, Fusing, Given, Linearity, OpDef, OpTraits, ParsedInst, Propagation, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};
use crate::sharding::Reduction;
use crate::text::{Ending, OpPrinter, Parsed, Parser};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// Parts of a dim that stand for something each: the two of a gated unit, queries, keys and values, the gates of a cell. A
/// smaller part is not worth bringing to all devices.
const MOST_PARTS: usize = 4;

/// Elements `start, start + stride, ...` below `limit` along each dim.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Slice {
    /// First index per dim.
    pub start: Vec<usize>,
    /// One past the last index that may be taken, per dim.
    pub limit: Vec<usize>,
    /// Distance between neighbors, per dim.
    pub stride: Vec<usize>,
}

/// Bytes that are read of an operand of which a result takes elements, the first one, or of another.
pub(super) fn fetched_bytes(index: usize, operands: &[Type], results: &[Type]) -> f64 {
    let whole = operands[index].num_bytes() as f64;
    let fetched = results.first().map_or(0.0, |made| made.num_bytes() as f64);
    if index == 0 { fetched.min(whole) } else { whole }
}

impl OpDef for Slice {
    const NAMES: &'static [&'static str] = &["stablehlo.slice"];

    /// `%x [0:3, 2:8:2] : (...) -> ...`
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let operand = p.operand()?;
        let ranges = p.list(b'[', b']', |p| {
            let start = p.size()?;
            p.expect(b':')?;
            let limit = p.size()?;
            let stride = if p.eat(b':') { p.size()? } else { 1 };
            Ok([start, limit, stride])
        })?;
        let attributes = p.attr_dict_opt()?;
        let (types, results) = p.colon_function_type()?;
        let [start, limit, stride] = [0, 1, 2].map(|part| ranges.iter().map(|range| range[part]).collect());
        let op = Self { start, limit, stride };
        Ok(ParsedInst::new(op, vec![operand], results).typed(types).with(attributes))
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self {
            start: attributes.dims("start_indices")?,
            limit: attributes.dims("limit_indices")?,
            stride: attributes.dims("strides")?,
        })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        [("start_indices", &self.start), ("limit_indices", &self.limit), ("strides", &self.stride)]
            .into_iter()
            .map(|(name, values)| (name.to_owned(), Attr::dims(values)))
            .collect()
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.operands();
        let ranges = self.start.iter().zip(&self.limit).zip(&self.stride);
        let ranges: Vec<String> = ranges
            .map(|((start, limit), stride)| match stride {
                1 => format!("{start}:{limit}"),
                _ => format!("{start}:{limit}:{stride}"),
            })
            .collect();
        p.text(" ");
        p.list(&ranges);
        Ending::Signature.print(view, p);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 1, 1, 0) {
            return;
        }
        let operand = view.operand(0);
        let lists = [&self.start, &self.limit, &self.stride];
        let listed = violations.require(lists.iter().all(|list| list.len() == operand.rank()), || {
            format!("C2: starts, limits and strides should be {} each, one per dim", operand.rank())
        });
        if !listed {
            return;
        }
        let mut fits = true;
        for (dim, size) in operand.shape.iter().enumerate() {
            let (start, limit) = (self.start[dim], self.limit[dim]);
            fits &= violations.require(start <= limit && limit <= *size, || {
                format!("C3: {start}:{limit} is not a range of dim {dim}, which has size {size}")
            });
            fits &=
                violations.require(self.stride[dim] > 0, || format!("C4: the stride of dim {dim} is zero"));
        }
        if fits {
            violations.inferred(view);
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let operand = given.tensor(0)?;
        let size = |dim: usize| {
            let (start, limit) = (*self.start.get(dim)?, *self.limit.get(dim)?);
            let stride = self.stride.get(dim).filter(|stride| **stride > 0)?;
            Some(limit.checked_sub(start)?.div_ceil(*stride))
        };
        let shape = (0..operand.rank()).map(size).collect::<Option<Vec<usize>>>()?;
        Some(vec![TensorType::new(shape, operand.element).into()])
    }

    /// A dim that is taken whole passes through; a part of a dim may lie on other devices than the result's shard. One
    /// element of a dim is not worth a dim to shard: the device that holds it contributes it.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (dim, size) in view.operand(0).shape.iter().enumerate() {
            if self.is_whole(dim, *size) {
                rule.add_dim(*size, FactorKind::PassThrough, &[(0, dim)], &[(0, dim)]);
                continue;
            }
            if self.is_single(view, dim) {
                rule.add_dim(*size, FactorKind::Sliced, &[(0, dim)], &[]);
                continue;
            }
            let taken = view.result(0).shape[dim] * self.stride[dim];
            // Of a dim that is split into equal parts, a shard of one part is some of what another device holds.
            let reach = match self.part(dim, *size) {
                Some(_) => 0,
                None => self.start[dim].max(size.saturating_sub(self.start[dim] + taken)),
            };
            rule.add_moving_dim(*size, FactorKind::Permuted, reach, &[(0, dim)], &[(0, dim)]);
        }
        rule
    }

    /// Shardy has a factor along both sides of a dim of which one position is taken, too.
    fn propagation_rule(&self, view: &InstView<'_>, mode: Propagation) -> Option<OpShardingRule> {
        let (operand, result) = (view.operand(0), view.result(0));
        let is_blocked = mode == Propagation::Conservative;
        let mut builder = RuleBuilder::new(view);
        builder.pointwise_unless(&operand.shape, &result.shape, FactorType::Permutation, is_blocked);
        Some(builder.build())
    }

    /// Only what is taken is read.
    fn read_bytes(&self, index: usize, operands: &[Type], results: &[Type]) -> f64 {
        fetched_bytes(index, operands, results)
    }

    fn bytes(&self, _: &[Type], results: &[Type]) -> f64 {
        results.iter().map(|ty| 2.0 * ty.num_bytes() as f64).sum()
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::moves()
    }

    /// A slice that cuts one dim, without a stride.
    fn as_rearrangement(&self, view: &InstView<'_>) -> Option<Rearrange> {
        let shape = &view.operand(0).shape;
        let mut cut = (0..shape.len()).filter(|dim| !self.is_whole(*dim, shape[*dim]));
        let (dim, None) = (cut.next()?, cut.next()) else { return None };
        let len = view.result(0).shape[dim];
        let part = Part { operand: 0, start: self.start[dim], len, is_reversed: false };
        (self.stride[dim] == 1).then(|| Rearrange { dim, parts: vec![part] })
    }

    fn traits(&self) -> OpTraits {
        OpTraits { keeps_dims: true, fusing: Fusing::Fetches, ..OpTraits::NONE }
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![inputs[0].slice(&self.start, &self.limit, &self.stride)?])
    }

    /// The limit of a dim that is taken whole is its local size.
    /// Along a sharded dim each device fetches what its part of the result is taken from.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        let (mut local, mut operand) = (self.clone(), cx.operands[0]);
        let mut held: Option<ValueId> = None;
        for (dim, size) in cx.view.operand(0).shape.iter().enumerate() {
            let axes = cx.operand_axes(0, dim);
            if self.is_whole(dim, *size) {
                local.limit[dim] = cx.operand(0).shape[dim];
            } else if !axes.is_empty() && self.is_single(&cx.view, dim) {
                let chunk = cx.operand(0).shape[dim].max(1);
                (local.start[dim], local.limit[dim]) = (self.start[dim] % chunk, self.start[dim] % chunk + 1);
                let index = b.index_along(&axes, ElementType::Ui32);
                let owner = b.splat(TensorType::scalar(ElementType::Ui32), (self.start[dim] / chunk) as f64);
                let is_own = compare(b, Direction::Equal, index, owner);
                held = Some(match held {
                    Some(before) => binary(b, Binary::And, before, is_own),
                    None => is_own,
                });
            } else if !axes.is_empty() {
                let (stride, chunk) = (self.stride[dim], cx.result(0).shape[dim]);
                let devices = cx.mesh.product(&axes);
                let taken = self.limit[dim] - self.start[dim];
                if let Some(part) = self.part(dim, *size)
                    && (taken, *size) == (chunk * devices, chunk * devices * devices)
                {
                    // Each device holds one part; all parts are exchanged at once, which their slices have in common.
                    operand = b.all_to_all(operand, dim, &axes);
                    (local.start[dim], local.limit[dim]) = (part * chunk, (part + 1) * chunk);
                    continue;
                }
                let len = if chunk == 0 { 0 } else { (chunk - 1) * stride + 1 };
                let first = |device: usize| (self.start[dim] + device * chunk * stride) as i64;
                let starts = (0..devices).map(first).collect();
                let window = Window { dim, axes: &axes, size: *size, starts, len, is_mirrored: false };
                operand = window.fetch(b, operand);
                (local.start[dim], local.limit[dim]) = (0, len);
            }
        }
        let is_all = local.is_whole_of(&tensor(b, operand).shape);
        let ty = cx.result(0).clone();
        let part = if is_all { operand } else { one(b, local, &[operand], ty.clone()) };
        let Some(held) = held else { return vec![part] };
        let held = broadcast(b, held, &ty.shape, Vec::new());
        let nothing = nothing(b, ty);
        vec![select(b, held, part, nothing)]
    }

    fn exchanges(&self, _: &InstView<'_>) -> bool {
        true
    }

    /// Zeros around what was taken.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        v.give_with(0, |v, cotangent| {
            let (operand, result) = (v.operand_type(0), v.result_type(0));
            let end = |dim: usize| match result.shape[dim] {
                0 => self.start[dim],
                size => self.start[dim] + (size - 1) * self.stride[dim] + 1,
            };
            let high = |dim: usize| operand.shape[dim] as i64 - end(dim) as i64;
            let pad = Pad {
                low: self.start.iter().map(|start| *start as i64).collect(),
                high: (0..operand.rank()).map(high).collect(),
                interior: self.stride.iter().map(|stride| stride - 1).collect(),
            };
            let zero = v.splat(TensorType::scalar(operand.element), 0.0);
            v.emit(pad, &[cotangent, zero], operand)
        });
        Ok(())
    }
}

impl Slice {
    /// Whether one element is taken of dim `dim`.
    fn is_single(&self, view: &InstView<'_>, dim: usize) -> bool {
        view.result(0).shape[dim] == 1 && view.operand(0).shape[dim] > 1
    }

    /// Which part is taken of dim `dim` of size `size`, if few parts of this size make up the dim.
    fn part(&self, dim: usize, size: usize) -> Option<usize> {
        let (start, taken) = (self.start[dim], self.limit[dim] - self.start[dim]);
        let is_part = self.stride[dim] == 1
            && start.checked_rem(taken) == Some(0)
            && size.checked_rem(taken) == Some(0)
            && size / taken <= MOST_PARTS;
        is_part.then(|| start / taken)
    }

    /// Whether dim `dim` of size `size` is taken whole.
    fn is_whole(&self, dim: usize, size: usize) -> bool {
        (self.start[dim], self.limit[dim], self.stride[dim]) == (0, size, 1)
    }

    /// Whether a tensor of `shape` is taken whole.
    fn is_whole_of(&self, shape: &[usize]) -> bool {
        shape.iter().enumerate().all(|(dim, size)| self.is_whole(dim, *size))
    }
}
