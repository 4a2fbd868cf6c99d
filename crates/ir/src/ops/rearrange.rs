//! `meshwright.rearrange`: parts of tensors side by side along a dim, some of them in opposite order. It stands where
//! slices, reversals and concatenations along one dim stood (a rotation, halves exchanged, edges continued as in a
//! mirror), so that along a sharded dim every element moves once: from the device that holds it to the one that needs it.
//!
//! `%r = "meshwright.rearrange"(%a) {dim = 0 : i64, parts = array<i64: 0, 6, 2, 0, 0, 0, 6, 0>}` is the last two of
//! eight elements and then the first six: operand, first position, size and whether reversed of each part.

use super::halo::{cut, extended, joined, others, part_at};
use super::local_code::{one, own_start, tensor};
use super::reverse::Reverse;
use super::shard_pieces::{Part, Wanted};
use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{Along, AttrReader, Given, Linearity, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sharding::Reduction;
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, Type};

/// Parts side by side.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rearrange {
    /// The dim along which they lie; the operands agree in all others.
    pub dim: usize,
    /// The parts in order.
    pub parts: Vec<Part>,
}

impl OpDef for Rearrange {
    const NAMES: &'static [&'static str] = &["meshwright.rearrange"];

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let dim = attributes.int("dim")?;
        let dim = usize::try_from(dim).map_err(|_| format!("`dim` is negative: {dim}"))?;
        let numbers = attributes.dims("parts")?;
        if !numbers.len().is_multiple_of(4) {
            return Err(format!("`parts` should be four numbers each, found {} in all", numbers.len()));
        }
        let part = |numbers: &[usize]| Part {
            operand: numbers[0],
            start: numbers[1],
            len: numbers[2],
            is_reversed: numbers[3] != 0,
        };
        Ok(Self { dim, parts: numbers.chunks_exact(4).map(part).collect() })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let numbers = self
            .parts
            .iter()
            .flat_map(|part| [part.operand, part.start, part.len, usize::from(part.is_reversed)]);
        let numbers: Vec<usize> = numbers.collect();
        [("dim".to_owned(), Attr::position(self.dim)), ("parts".to_owned(), Attr::dims(&numbers))]
            .into_iter()
            .collect()
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let count = view.num_operands();
        if !violations.require(count > 0, || "at least one operand is needed".into())
            || !violations.shape(view, count, 1, 0)
            || !violations.all_tensors(view)
        {
            return;
        }
        let first = view.operand(0);
        let in_range = self.dim < first.rank();
        if !violations.require(in_range, || format!("dim {} is out of range for {first}", self.dim)) {
            return;
        }
        let agrees = |index: usize| {
            let other = view.operand(index);
            other.element == first.element
                && other.rank() == first.rank()
                && (0..first.rank()).all(|dim| dim == self.dim || other.shape[dim] == first.shape[dim])
        };
        if !violations
            .require((1..count).all(agrees), || format!("the operands differ in more than dim {}", self.dim))
        {
            return;
        }
        for part in &self.parts {
            let end = part.start.checked_add(part.len);
            let fits = part.operand < count
                && end.is_some_and(|end| end <= view.operand(part.operand).shape[self.dim]);
            if !violations.require(fits, || format!("{part:?} is not in its operand")) {
                return;
            }
        }
        violations.inferred(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let mut joined = given.tensor(0)?.clone();
        let size = self.parts.iter().fold(0_usize, |size, part| size.saturating_add(part.len));
        *joined.shape.get_mut(self.dim)? = size;
        Some(vec![joined.into()])
    }

    /// Elements move along the dim, but none more than once: no device needs more of others than its shard holds.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (dim, size) in view.result(0).shape.iter().enumerate() {
            let places: Vec<_> = (0..view.num_operands()).map(|operand| (operand, dim)).collect();
            if dim != self.dim {
                rule.add_dim(*size, FactorKind::PassThrough, &places, &[(0, dim)]);
                continue;
            }
            let operands = (0..view.num_operands()).map(|operand| view.operand(operand).shape[dim]);
            let largest = operands.fold(*size, usize::max);
            rule.add_moving_dim(largest, FactorKind::Permuted, 1, &places, &[(0, dim)]);
        }
        rule
    }

    /// Along a sharded dim each device fetches the pieces of its part, unless all devices need so much of each other
    /// that the whole dim is cheaper.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        let axes = cx.result_axes(0, self.dim);
        if axes.is_empty() {
            return vec![self.in_place(b, cx.operands)];
        }
        let (devices, len) = (cx.mesh.product(&axes), cx.result(0).shape[self.dim]);
        let chunks: Vec<usize> =
            (0..cx.operands.len()).map(|operand| cx.operand(operand).shape[self.dim]).collect();
        let others = others(&cx.result(0).shape, self.dim);
        let gathers = chunks.iter().map(|chunk| (devices - 1) * chunk * others).sum::<usize>();
        let wanted = Wanted::side_by_side(self.dim, &axes, chunks, &self.parts, devices, len);
        let rounds = wanted.rounds();
        if rounds.cost(others) <= gathers {
            return vec![rounds.emit(b, cx.operands)];
        }
        let whole: Vec<ValueId> =
            cx.operands.iter().map(|operand| b.all_gather(*operand, self.dim, &axes)).collect();
        let all = self.in_place(b, &whole);
        let missing = devices * len - tensor(b, all).shape[self.dim];
        let all = extended(b, all, self.dim, 0, missing as i64);
        let start = own_start(b, &axes, len, ElementType::I32);
        vec![part_at(b, all, self.dim, start, len)]
    }

    fn exchanges(&self, _: &InstView<'_>) -> bool {
        true
    }

    /// Only what is taken is read.
    fn bytes(&self, _: &[Type], results: &[Type]) -> f64 {
        results.iter().map(|ty| 2.0 * ty.num_bytes() as f64).sum()
    }

    fn linearity(&self, view: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::in_all(0..view.num_operands())
    }

    fn traits(&self) -> OpTraits {
        OpTraits { keeps_dims: true, ..OpTraits::NONE }
    }

    fn along(&self, dim: usize) -> Along {
        if self.dim != dim { Along::AsOperands } else { Along::Own }
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        let part = |part: &Part| -> Result<Tensor, EvalError> {
            let operand = inputs.get(part.operand).ok_or_else(|| EvalError::new("a part of no operand"))?;
            let rank = operand.rank();
            let (mut start, mut limit) = (vec![0; rank], operand.shape().to_vec());
            (start[self.dim], limit[self.dim]) = (part.start, part.start + part.len);
            let found = operand.slice(&start, &limit, &vec![1; rank])?;
            if part.is_reversed { found.reverse(&[self.dim]) } else { Ok(found) }
        };
        let parts = self.parts.iter().map(part).collect::<Result<Vec<_>, _>>()?;
        Ok(vec![Tensor::concatenate(&parts, self.dim)?])
    }
}

impl Rearrange {
    /// The parts of tensors whose dim every device holds whole.
    fn in_place(&self, b: &mut dyn LocalBuilder, operands: &[ValueId]) -> ValueId {
        let mut parts = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let value = cut(b, operands[part.operand], self.dim, part.start, part.start + part.len, 1);
            let ty = tensor(b, value);
            let reversed = Reverse { dims: vec![self.dim] };
            parts.push(if part.is_reversed { one(b, reversed, &[value], ty) } else { value });
        }
        joined(b, self.dim, &parts)
    }
}
