//! Calls of an attention as instructions: operands arranged for the kernel, and results arranged as the program had them.

use super::config::Config;
use super::dims::{Atom, Atoms, Dim};
use super::masks::Bias;
use super::matched::{Attention, Given};
use super::places::{Backward, BiasPart, Groups, Inputs, Operand, input_groups, output_groups};
use super::scores::PieceKind;
use super::unseen::Queries;
use meshwright_ir::build::Builder;
use meshwright_ir::ids::ValueId;
use meshwright_ir::kernels::attention_call::Direction;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::reshape::Reshape;
use meshwright_ir::ops::select::Select;
use meshwright_tensor::types::{ElementType, TensorType};

/// What conditions put in the place of scores: large enough to mask, and small enough that the difference of two is exact.
const MASKED: [(ElementType, f64); 2] =
    [(ElementType::Bf16, -2_199_023_255_552.0), (ElementType::F16, -32_768.0)];

/// Results of the forward call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forward {
    /// The output, heads before positions.
    pub(super) output: ValueId,
    /// Logarithms of the sums of the exponentials.
    pub(super) sums: Option<ValueId>,
    /// The probability of the sink, where that has a gradient.
    pub(super) share: Option<ValueId>,
}

/// Results of the forward call as that for the gradient reads them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    /// Logarithms of the sums of the exponentials.
    pub(super) sums: ValueId,
    /// The output, arranged as queries are.
    pub(super) output: ValueId,
    /// The probability of the sink, where that has a gradient.
    pub(super) share: Option<ValueId>,
}

/// Results of the call for the gradient.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gradients {
    pub(super) of_q: ValueId,
    pub(super) of_k: ValueId,
    pub(super) of_v: ValueId,
    pub(super) of_bias: Option<ValueId>,
    /// For each query of each head.
    pub(super) of_sink: Option<ValueId>,
}

/// Operands that both calls read.
struct Arranged {
    q: ValueId,
    k: ValueId,
    v: ValueId,
    bias: Option<ValueId>,
}

impl Attention {
    fn config(&self) -> Config {
        let roles = &self.roles;
        let sizes = [&roles.batches, &roles.heads(), &roles.queries, &roles.keys];
        Config {
            sizes: sizes.map(|atoms| self.atoms.sizes(atoms)),
            element: self.element,
            layout: self.layout,
            scale: self.scale,
            is_causal: self.is_causal,
            window: self.window,
            has_bias: self.bias.is_some(),
            prefix: self.prefix,
        }
    }

    /// Dims of a result, whose heads stand before its positions.
    fn unpacked(&self, positions: &[Atom], heads: &[Atom], features: &[Atom]) -> Groups {
        [&self.roles.batches, heads, positions, features].map(<[Atom]>::to_vec)
    }

    pub(super) fn ty(&self, groups: &[Vec<Atom>], element: ElementType) -> TensorType {
        TensorType::new(groups.iter().map(|group| self.atoms.sizes(group)).collect::<Vec<_>>(), element)
    }

    /// The output's dims as the kernel gives them.
    pub(super) fn output_dims(&self) -> Groups {
        self.unpacked(&self.roles.queries, &self.roles.heads(), &self.roles.values)
    }

    /// The forward call.
    pub(super) fn emit_forward(&self, b: &mut impl Builder, inputs: &Inputs, for_gradient: bool) -> Forward {
        let queries = Queries::of(self, b, &inputs.unseen);
        let Arranged { q, k, v, bias } = self.arranged(b, inputs, queries.as_ref());
        let mut operands = vec![q, k, v];
        operands.extend(bias);
        let output = self.output_dims();
        let mut results = vec![self.wide(self.ty(&output, self.element))];
        let has_sums = for_gradient || inputs.sink.is_some();
        results.extend(has_sums.then(|| self.ty(&output[..3], ElementType::F32)));
        let made = self.call(b, Direction::Forward, &operands, results);
        let mut forward =
            Forward { output: self.narrowed(b, made[0]), sums: has_sums.then(|| made[1]), share: None };
        if let (Some(sink), Some(sums)) = (&inputs.sink, forward.sums) {
            forward = self.with_sink(b, sink, forward.output, sums);
        }
        if let Some(queries) = queries {
            forward.output = queries.with_means(self, b, &inputs.v, forward.output);
        }
        forward
    }

    /// The call for the gradient.
    pub(super) fn emit_backward(&self, b: &mut impl Builder, backward: &Backward, kept: &Kept) -> Gradients {
        let queries = Queries::of(self, b, &backward.inputs.unseen);
        let Arranged { q, k, v, bias } = self.arranged(b, &backward.inputs, queries.as_ref());
        let gradient = self.arrange(b, &backward.output, &output_groups(self));
        let gradient = b.convert(gradient, self.element);
        let of_seen = match &queries {
            Some(queries) => queries.only_seen(self, b, gradient),
            None => gradient,
        };
        let of_sink = kept.share.map(|share| self.emit_gradient_of_sink(b, of_seen, kept.output, share));
        let mut operands = vec![q, k, v, kept.sums, self.widened(b, of_seen)];
        operands.extend(bias);
        operands.push(self.widened(b, kept.output));
        let groups = self.gradient_groups();
        let mut results: Vec<TensorType> =
            groups.iter().map(|groups| self.ty(groups, self.element)).collect();
        results[2] = self.wide(results[2].clone());
        let has_bias_gradient = self.gradient.as_ref().is_some_and(|gradient| !gradient.of_bias.is_empty());
        if let Some(groups) = self.bias_groups().filter(|_| has_bias_gradient) {
            results.push(self.ty(&groups, self.element));
        }
        let made = self.call(b, Direction::Backward, &operands, results);
        let of_bias = has_bias_gradient.then(|| made[3]);
        let of_v = self.narrowed(b, made[2]);
        let of_v = match queries {
            Some(queries) => queries.with_shares(self, b, gradient, of_v),
            None => of_v,
        };
        Gradients { of_q: made[0], of_k: made[1], of_v, of_bias, of_sink }
    }

    fn call(
        &self,
        b: &mut impl Builder,
        direction: Direction,
        operands: &[ValueId],
        mut results: Vec<TensorType>,
    ) -> Vec<ValueId> {
        results.push(TensorType::new([0], ElementType::Ui8));
        let types: Vec<TensorType> = operands.iter().map(|value| b.ty(*value)).collect();
        let call = self.config().call(direction, &types, &results);
        b.emit_all(call, operands, Vec::new(), results.into_iter().map(Into::into).collect())
    }

    fn arranged(&self, b: &mut impl Builder, inputs: &Inputs, queries: Option<&Queries>) -> Arranged {
        let [of_q, of_k, of_v] = input_groups(self);
        let (q, k) = (self.arrange(b, &inputs.q, &of_q), self.arrange(b, &inputs.k, &of_k));
        let v = self.arrange(b, &inputs.v, &of_v);
        Arranged { q, k, v: self.widened(b, v), bias: self.emit_bias(b, &inputs.bias, queries) }
    }

    /// The bias' dims as the kernel takes them.
    pub(super) fn bias_groups(&self) -> Option<Groups> {
        Some(self.groups_of(self.bias.as_ref()?))
    }

    /// The dims of something that is as scores are.
    pub(super) fn groups_of(&self, bias: &Bias) -> Groups {
        [bias.batches.clone(), bias.heads.clone(), self.roles.queries.clone(), self.roles.keys.clone()]
    }

    /// The sum of all that is added, with very small numbers where a condition does not hold. Queries without a key see
    /// all: what they get is none of the kernel's, and differences of numbers so small are not exact there (so is the number
    /// chosen with which JAX masks for cuDNN).
    fn emit_bias(
        &self,
        b: &mut impl Builder,
        parts: &[BiasPart],
        queries: Option<&Queries>,
    ) -> Option<ValueId> {
        let groups = self.bias_groups()?;
        let ty = self.ty(&groups, self.element);
        let mut sum = None;
        for BiasPart { operand, kind } in parts {
            if let PieceKind::Addend(factor) = kind {
                let part = self.arrange(b, operand, &groups);
                let part = times(b, part, *factor);
                let part = b.convert(part, self.element);
                sum = Some(sum.map_or(part, |sum| b.binary(Binary::Add, sum, part)));
            }
        }
        let added = sum.unwrap_or_else(|| b.splat(ty.clone(), 0.0));
        let mut sum = added;
        let masked =
            MASKED.iter().find(|(element, _)| *element == self.element).map_or(MASKED[0].1, |(_, x)| *x);
        for BiasPart { operand, kind } in parts {
            if let PieceKind::Condition(is_seen) = kind {
                let condition = self.arrange(b, operand, &groups);
                let masked = b.splat(ty.clone(), masked);
                let [yes, no] = if *is_seen { [sum, masked] } else { [masked, sum] };
                sum = b.emit(Select, &[condition, yes, no], ty.clone());
            }
        }
        Some(queries.map_or(sum, |queries| queries.seen_or(self, b, &groups, sum, added)))
    }

    /// A value with its dims arranged as these groups.
    pub(super) fn arrange(&self, b: &mut impl Builder, operand: &Operand, groups: &[Vec<Atom>]) -> ValueId {
        let dims: Vec<Dim> = groups.iter().cloned().map(Some).collect();
        rearranged(b, &self.atoms, operand.value, &operand.dims, &dims)
    }

    /// The value that is given, made of a result of a call with these dims.
    pub(super) fn emit_given(
        &self,
        b: &mut impl Builder,
        given: &Given,
        result: ValueId,
        groups: &Groups,
        element: ElementType,
    ) -> ValueId {
        let dims: Vec<Dim> = groups.iter().cloned().map(Some).collect();
        let value = rearranged(b, &self.atoms, result, &dims, &given.dims);
        let value = b.convert(value, element);
        times(b, value, given.factor)
    }

    /// What the call for the gradient reads of the forward call; `None` if that was not asked for it.
    pub(super) fn kept(&self, b: &mut impl Builder, forward: &Forward) -> Option<Kept> {
        let sums = forward.sums?;
        let dims = self.output_dims().map(Some).to_vec();
        let output = self.arrange(b, &Operand { value: forward.output, dims }, &output_groups(self));
        Some(Kept { sums, output, share: forward.share })
    }

    /// Dims of the gradients of queries, keys and values.
    pub(super) fn gradient_groups(&self) -> [Groups; 3] {
        let roles = &self.roles;
        [
            self.unpacked(&roles.queries, &roles.heads(), &roles.features),
            self.unpacked(&roles.keys, &roles.key_heads, &roles.features),
            self.unpacked(&roles.keys, &roles.key_heads, &roles.values),
        ]
    }
}

pub(super) fn times(b: &mut impl Builder, value: ValueId, factor: f64) -> ValueId {
    if (factor - 1.0).abs() < 1e-6 {
        return value;
    }
    let ty = b.ty(value);
    let factor = b.splat(ty, factor);
    b.binary(Binary::Multiply, value, factor)
}

/// A value with other dims of the same atoms, and constant along those that it does not have.
pub(super) fn rearranged(
    b: &mut impl Builder,
    atoms: &Atoms,
    value: ValueId,
    from: &[Dim],
    to: &[Dim],
) -> ValueId {
    let (own, wanted) = (atoms.all(from), atoms.all(to));
    let sizes = |of: &[Atom]| of.iter().map(|atom| atoms.size(*atom)).collect::<Vec<_>>();
    let kept: Vec<Atom> = wanted.iter().copied().filter(|atom| own.contains(atom)).collect();
    let value = reshaped(b, value, sizes(&own));
    let place = |atom: &Atom| own.iter().position(|other| other == atom);
    let value = b.transpose(value, kept.iter().filter_map(place).collect());
    let places = kept.iter().filter_map(|atom| wanted.iter().position(|other| other == atom)).collect();
    let value = b.broadcast(value, &sizes(&wanted), places);
    reshaped(b, value, to.iter().flatten().map(|dim| atoms.sizes(dim)).collect())
}

fn reshaped(b: &mut impl Builder, value: ValueId, shape: Vec<usize>) -> ValueId {
    let ty = b.ty(value);
    if ty.shape == shape {
        return value;
    }
    b.emit(Reshape, &[value], TensorType::new(shape, ty.element))
}
