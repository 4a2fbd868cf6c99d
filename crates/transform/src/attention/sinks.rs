//! Sinks of an attention beside its kernel's calls.
//!
//! The kernel knows the keys alone: it gives the logarithm of the sum of their exponentials `l` and the output `o`. With a sink
//! `z` in the softmax, the sum is `l' = log(exp(l) + exp(z))`, the output `o' = o exp(l - l')`, and the sink's probability
//! `exp(z - l')`. The kernel's gradient is right as it is where it reads `l'` and `o'`, since it makes the probabilities as
//! `exp(s - l')`; and that of the sink is `-exp(z - l') rowsum(g * o')`.
//!
//! Input: results of the calls. Output: the same with the sink, and its gradient, all of them elementwise on batches, heads
//! and queries.

use super::dims::{Atom, Dim};
use super::emit::{Forward, rearranged, times};
use super::matched::{Attention, Given};
use super::places::{Operand, output_groups};
use meshwright_ir::build::Builder;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::unary::Unary;
use meshwright_tensor::types::ElementType;

impl Attention {
    /// Whether the gradient of the sink is computed.
    pub(super) fn has_sink_gradient(&self) -> bool {
        self.gradient.as_ref().is_some_and(|gradient| !gradient.of_sink.is_empty())
    }

    /// Dims of what there is for each query of each head.
    fn rows(&self) -> Vec<Dim> {
        self.output_dims()[..3].iter().cloned().map(Some).collect()
    }

    /// The results of a forward call with a sink.
    pub(super) fn with_sink(
        &self,
        b: &mut impl Builder,
        sink: &Operand,
        output: ValueId,
        sums: ValueId,
    ) -> Forward {
        let (rows, factor) = (self.rows(), self.sink.as_ref().map_or(1.0, |sink| sink.factor));
        let value = b.convert(sink.value, ElementType::F32);
        let value = times(b, value, factor);
        let sink = rearranged(b, &self.atoms, value, &sink.dims, &rows);
        let above = b.binary(Binary::Subtract, sums, sink);
        let kept = b.unary(Unary::Logistic, above);
        let to = self.output_dims().map(Some);
        let kept = rearranged(b, &self.atoms, kept, &rows, &to);
        let wide = b.convert(output, ElementType::F32);
        let wide = b.binary(Binary::Multiply, wide, kept);
        let output = b.convert(wide, self.element);
        // log(exp(l) + exp(z)) = max(l, z) + log(1 + exp(-|l - z|))
        let larger = b.binary(Binary::Maximum, sums, sink);
        let distance = b.unary(Unary::Abs, above);
        let below = b.unary(Unary::Negate, distance);
        let other = b.unary(Unary::Exponential, below);
        let rest = b.unary(Unary::LogPlusOne, other);
        let sums = b.binary(Binary::Add, larger, rest);
        let share = self.has_sink_gradient().then(|| {
            let below = b.unary(Unary::Negate, above);
            b.unary(Unary::Logistic, below)
        });
        Forward { output, sums: Some(sums), share }
    }

    /// The sink's probability times what the gradient of the output says of the output, for each query of each head;
    /// gradient and output are arranged as queries are.
    pub(super) fn emit_gradient_of_sink(
        &self,
        b: &mut impl Builder,
        gradient: ValueId,
        output: ValueId,
        share: ValueId,
    ) -> ValueId {
        let [gradient, output] = [gradient, output].map(|value| b.convert(value, ElementType::F32));
        let both = b.binary(Binary::Multiply, gradient, output);
        let sum = b.sum(both, vec![3]);
        let from: Vec<Dim> = output_groups(self)[..3].iter().cloned().map(Some).collect();
        let sum = rearranged(b, &self.atoms, sum, &from, &self.rows());
        b.binary(Binary::Multiply, sum, share)
    }

    /// The gradient of the sink as the program has it, summed along what the sink is the same for.
    pub(super) fn emit_given_of_sink(
        &self,
        b: &mut impl Builder,
        given: &Given,
        rows: ValueId,
        element: ElementType,
    ) -> ValueId {
        let wanted = self.atoms.all(&given.dims);
        // Neighbors that are all summed along, or all kept, stay one dim.
        let mut apart: Vec<(bool, Vec<Atom>)> = Vec::new();
        for group in &self.output_dims()[..3] {
            let mut is_first = true;
            for atom in self.atoms.leaves(group) {
                let is_kept = wanted.contains(&atom);
                match apart.last_mut() {
                    Some((is_last_kept, last)) if !is_first && *is_last_kept == is_kept => last.push(atom),
                    _ => apart.push((is_kept, vec![atom])),
                }
                is_first = false;
            }
        }
        let dims: Vec<Dim> = apart.iter().map(|(_, atoms)| Some(atoms.clone())).collect();
        let rows = rearranged(b, &self.atoms, rows, &self.rows(), &dims);
        let summed = (0..apart.len()).filter(|dim| !apart[*dim].0).collect();
        let sum = b.sum(rows, summed);
        let left: Vec<Dim> =
            apart.into_iter().filter(|(is_kept, _)| *is_kept).map(|(_, atoms)| Some(atoms)).collect();
        let sum = rearranged(b, &self.atoms, sum, &left, &given.dims);
        let sum = times(b, sum, given.factor);
        b.convert(sum, element)
    }
}
