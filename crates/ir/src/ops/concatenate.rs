//! `stablehlo.concatenate` (specification, "concatenate").

use super::binary::Binary;
use super::compare::Direction;
use super::halo::{Window, others};
use super::local_code::{binary, broadcast, compare, count_up, own_start, select, tensor};
use super::rearrange::Rearrange;
use super::shard_pieces::{Part, Wanted};
use super::slice::Slice;
use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{Along, AttrReader, Fusing, Given, Linearity, Op, OpDef, OpTraits, Propagation, Violations};
use crate::program::{Def, InstView};
use crate::rule::{FactorKind, ShardingRule};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};
use crate::sharding::Reduction;
use crate::text::{Ending, Field, Format};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::Tensor;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// The operands one after the other along a dim.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Concatenate {
    /// The dim along which they are joined.
    pub dim: usize,
}

impl OpDef for Concatenate {
    const NAMES: &'static [&'static str] = &["stablehlo.concatenate"];

    /// `%a, %b, dim = 0 : (...) -> ...`
    const FORMAT: Option<Format> =
        Some(Format::of_any(Ending::Signature).with(&[Field::position("dim", "dimension")]));

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let dim = attributes.int("dimension")?;
        let dim = usize::try_from(dim).map_err(|_| format!("C4: `dimension` is negative: {dim}"))?;
        Ok(Self { dim })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("dimension", Attr::position(self.dim))
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let count = view.num_operands();
        if !violations.require(count > 0, || "C3: concatenates at least one operand".into())
            || !violations.shape(view, count, 1, 0)
        {
            return;
        }
        let first = view.operand(0);
        if !violations.require(self.dim < first.rank(), || {
            format!("C4: dim {} is out of range for operands of rank {}", self.dim, first.rank())
        }) {
            return;
        }
        for index in 1..count {
            let operand = view.operand(index);
            violations.require(operand.element == first.element, || {
                format!("C1: operand {index} is of {}, operand 0 of {}", operand.element, first.element)
            });
            let agrees = operand.rank() == first.rank()
                && (0..first.rank()).all(|dim| dim == self.dim || operand.shape[dim] == first.shape[dim]);
            if !violations
                .require(agrees, || format!("C2: {operand} and {first} differ in more than dim {}", self.dim))
            {
                return;
            }
        }
        violations.inferred(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let operands = given.tensors()?;
        let sizes = operands.iter().map(|ty| ty.shape.get(self.dim).copied());
        let size = sizes.reduce(|sum, size| Some(sum?.saturating_add(size?)))??;
        let mut joined = TensorType::clone(operands.first()?);
        *joined.shape.get_mut(self.dim)? = size;
        Some(vec![joined.into()])
    }

    /// Elements move along the joined dim, so each tensor has a factor of its own there.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let operands = |dim: usize| (0..view.num_operands()).map(move |operand| (operand, dim));
        for (dim, size) in view.result(0).shape.iter().enumerate() {
            let places: Vec<_> = operands(dim).collect();
            if dim != self.dim {
                rule.add_dim(*size, FactorKind::PassThrough, &places, &[(0, dim)]);
                continue;
            }
            let (mut reach, mut before) = (0, 0);
            for operand in 0..view.num_operands() {
                let own = view.operand(operand).shape[dim];
                reach += own.min(before.max(size - before - own));
                before += own;
            }
            rule.add_moving_dim(*size, FactorKind::Permuted, reach, &places, &[(0, dim)]);
        }
        rule
    }

    /// Shardy moves elements only where slices of one value are joined, and conservatively has no factor along that dim.
    fn propagation_rule(&self, view: &InstView<'_>, mode: Propagation) -> Option<OpShardingRule> {
        let moves = self.joins_slices(view);
        let mut builder = RuleBuilder::new(view);
        for (dim, size) in view.result(0).shape.iter().enumerate() {
            if dim != self.dim {
                builder.everywhere(dim, *size, FactorType::PassThrough);
            } else if mode == Propagation::Full {
                let kind = if moves { FactorType::Permutation } else { FactorType::NeedReplication };
                builder.everywhere(dim, *size, kind);
            }
        }
        Some(builder.build())
    }

    /// Along a sharded dim each device fetches from every operand what would lie in its part of the result if the
    /// operand went on on both sides, and selects by position; or it fetches all pieces together where that sends less.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        let axes = cx.result_axes(0, self.dim);
        if axes.is_empty() {
            return b.emit(self.clone().into(), cx.operands, &[], cx.result_types.to_vec());
        }
        let (result, devices) = (cx.result(0).clone(), cx.mesh.product(&axes));
        let chunk = result.shape[self.dim];
        let element = ElementType::for_positions(cx.view.result(0).shape[self.dim]);
        let sizes: Vec<usize> =
            (0..cx.operands.len()).map(|index| cx.view.operand(index).shape[self.dim]).collect();
        let chunks: Vec<usize> =
            (0..cx.operands.len()).map(|index| cx.operand(index).shape[self.dim]).collect();
        let mut windows = Vec::with_capacity(sizes.len());
        let mut offset = 0;
        for size in &sizes {
            let starts = (0..devices).map(|device| (device * chunk) as i64 - offset as i64).collect();
            windows.push(Window {
                dim: self.dim,
                axes: &axes,
                size: *size,
                starts,
                len: chunk,
                is_mirrored: false,
            });
            offset += size;
        }
        let others = others(&result.shape, self.dim);
        let apart: usize =
            windows.iter().zip(&chunks).map(|(window, chunk)| window.cost(*chunk, others)).sum();
        let whole =
            |(operand, size): (usize, &usize)| Part { operand, start: 0, len: *size, is_reversed: false };
        let parts: Vec<Part> = sizes.iter().enumerate().map(whole).collect();
        let wanted = Wanted::side_by_side(self.dim, &axes, chunks, &parts, devices, chunk);
        let rounds = wanted.rounds();
        if rounds.cost(others) < apart {
            return vec![rounds.emit(b, cx.operands)];
        }
        let (mut joined, mut offset) = (None, 0);
        for ((window, operand), size) in windows.iter().zip(cx.operands).zip(sizes) {
            let part = window.fetch(b, *operand);
            joined = Some(match joined {
                None => part,
                Some(before) => {
                    let start = own_start(b, &axes, chunk, element);
                    let counted = count_up(b, chunk, element);
                    let start = broadcast(b, start, &[chunk], Vec::new());
                    let positions = binary(b, Binary::Add, counted, start);
                    let first = b.splat(tensor(b, positions), offset as f64);
                    let is_later = compare(b, Direction::GreaterEqual, positions, first);
                    let is_later = broadcast(b, is_later, &result.shape, vec![self.dim]);
                    select(b, is_later, part, before)
                }
            });
            offset += size;
        }
        joined.into_iter().collect()
    }

    fn exchanges(&self, _: &InstView<'_>) -> bool {
        true
    }

    fn linearity(&self, view: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::in_all(0..view.num_operands())
    }

    fn as_rearrangement(&self, view: &InstView<'_>) -> Option<Rearrange> {
        let part = |operand: usize| Part {
            operand,
            start: 0,
            len: view.operand(operand).shape[self.dim],
            is_reversed: false,
        };
        Some(Rearrange { dim: self.dim, parts: (0..view.num_operands()).map(part).collect() })
    }

    fn traits(&self) -> OpTraits {
        OpTraits { keeps_dims: true, fusing: Fusing::Fetches, ..OpTraits::NONE }
    }

    fn along(&self, dim: usize) -> Along {
        if self.dim != dim { Along::AsOperands } else { Along::Own }
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![Tensor::concatenate(&inputs, self.dim)?])
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let mut at = 0;
        for index in 0..v.wanted.len() {
            let part = v.operand_type(index);
            let size = part.shape[self.dim];
            v.give_with(index, |v, cotangent| {
                let mut start = vec![0; part.rank()];
                let mut limit = part.shape.clone();
                (start[self.dim], limit[self.dim]) = (at, at + size);
                let stride = vec![1; part.rank()];
                v.emit(Slice { start, limit, stride }, &[cotangent], part)
            });
            at += size;
        }
        Ok(())
    }
}

impl Concatenate {
    /// Whether what is joined are slices: all operands are, or all come of one value of which some are.
    fn joins_slices(&self, view: &InstView<'_>) -> bool {
        let slice_of = |value: &ValueId| match view.body.values[*value].def {
            Def::Result(inst, _) => match view.body.insts[inst].op {
                Op::Slice(_) => view.body.insts[inst].operands.first().copied(),
                _ => None,
            },
            Def::Argument(..) => None,
        };
        let slices: Vec<Option<ValueId>> = view.inst.operands.iter().map(slice_of).collect();
        let mut sources = slices.iter().zip(&view.inst.operands).map(|(slice, own)| slice.unwrap_or(*own));
        let first = sources.next();
        slices.iter().all(Option::is_some)
            || (slices.iter().any(Option::is_some) && sources.all(|source| Some(source) == first))
    }
}
