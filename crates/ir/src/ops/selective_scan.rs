//! `meshwright.selective_scan`: the recurrence of Mamba (Gu and Dao, "Linear-time sequence modeling with selective state
//! spaces"), in which each channel has states that decay at a pace which the data sets.
//!
//! Operands: inputs `x[b, t, d]`, lengths of steps `s[b, t, d]`, rates `a[d, n]`, and the vectors by which states are
//! written and read, `w[b, t, n]` and `r[b, t, n]`. Result, with states that begin at zero:
//!
//! ```text
//! h[b, t, d, n] = exp(s[b, t, d] a[d, n]) h[b, t - 1, d, n] + s[b, t, d] x[b, t, d] w[b, t, n]
//! y[b, t, d]    = sum over n of r[b, t, n] h[b, t, d, n]
//! ```
//!
//! It stands for two loops, one over the places in chunks of the sequence and one over the chunks
//! (module `selective_scan_loops`). What it passes back makes the states again, so that no step keeps those of all tokens.

use super::selective_scan_loops::{Scan, backward, forward};
use crate::eval::{Evaluated, Evaluation};
use crate::expand::Expansion;
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sharding::Reduction;
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::types::{ElementType, TensorType, Type};
use meshwright_tensor::{Precision, Tensor, convert};
use rayon::prelude::*;

/// The recurrence of Mamba.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SelectiveScan;

/// Operations for each element of the states: a decay, a product and a sum for what is left, two products for what is
/// added, and a product and a sum for what is read.
const FLOPS: f64 = 7.0;

impl OpDef for SelectiveScan {
    const NAMES: &'static [&'static str] = &["meshwright.selective_scan"];

    fn from_attributes(_: &'static str, _: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self)
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 5, 1, 0) {
            return;
        }
        for index in 0..5 {
            let ty = view.operand(index);
            let rank = if index == 2 { 2 } else { 3 };
            let is_right = ty.rank() == rank && ty.element.is_float();
            if !violations
                .require(is_right, || format!("operand {index} should be floats of rank {rank}, not {ty}"))
            {
                return;
            }
        }
        let shape = |index: usize| &view.operand(index).shape;
        let [inputs, steps, rates, writes, reads] = [0, 1, 2, 3, 4].map(shape);
        violations.require(inputs == steps, || "inputs and steps differ in shape".into());
        violations
            .require(writes == reads, || "what writes states and what reads them differ in shape".into());
        violations
            .require(inputs[..2] == writes[..2], || "inputs and vectors of states differ in tokens".into());
        violations.require(rates[..] == [inputs[2], writes[2]], || {
            format!("there should be a rate for each of {} channels and {} states", inputs[2], writes[2])
        });
        // A composite, which leaves types open, is verified by this too.
        let (result, inputs) = (view.result(0), view.operand(0));
        violations.require(result == inputs, || {
            format!("the result should be {inputs}, as the inputs are, not {result}")
        });
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(0)
    }

    fn traits(&self) -> OpTraits {
        OpTraits { has_own_derivative: true, ..OpTraits::SHORT_FORM }
    }

    /// Sequences and channels pass through, states are summed up, and tokens follow one another.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let (inputs, states) = (&view.operand(0).shape, view.operand(3).shape[2]);
        let tokens = |dim: usize| [(0, dim), (1, dim), (3, dim), (4, dim)];
        rule.add_dim(inputs[0], FactorKind::PassThrough, &tokens(0), &[(0, 0)]);
        rule.add_dim(inputs[1], FactorKind::NeedReplication, &tokens(1), &[(0, 1)]);
        rule.add_dim(inputs[2], FactorKind::PassThrough, &[(0, 2), (1, 2), (2, 0)], &[(0, 2)]);
        let summed = FactorKind::Reduced(Reduction::Sum);
        rule.add_dim(states, summed, &[(2, 1), (3, 2), (4, 2)], &[]);
        rule
    }

    fn flops(&self, operands: &[Type], results: &[Type]) -> f64 {
        let elements = |ty: Option<&TensorType>| ty.map_or(0.0, |ty| ty.num_elements() as f64);
        let states = operands[3].as_tensor().and_then(|ty| ty.shape.last()).map_or(0.0, |size| *size as f64);
        FLOPS * states * elements(results[0].as_tensor())
    }

    fn expand(
        &self,
        _: &InstView<'_>,
        operands: &[ValueId],
        e: &mut Expansion<'_, '_>,
    ) -> Option<Vec<ValueId>> {
        Some(vec![forward(e, &Scan::of(operands))])
    }

    fn evaluate(&self, Evaluation { inputs, cx, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![scanned(&inputs, cx.precision())?])
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let operands: Vec<ValueId> = (0..5).map(|index| v.operand(index)).collect();
        let cotangent = v.cotangent();
        let given = backward(v, &Scan::of(&operands), cotangent);
        for (index, cotangent) in given.into_iter().enumerate() {
            v.give(index, cotangent);
        }
        Ok(())
    }
}

/// The result, token after token.
fn scanned(
    inputs: &[Tensor],
    precision: Precision,
) -> Result<Tensor, meshwright_tensor::eval_error::EvalError> {
    let wide = inputs
        .iter()
        .map(|input| convert(input, ElementType::F64, Precision::Declared))
        .collect::<Result<Vec<_>, _>>()?;
    let elements = wide.iter().map(Tensor::dense::<f64>).collect::<Result<Vec<_>, _>>()?;
    let [x, steps, rates, writes, reads] = [0, 1, 2, 3, 4].map(|index| &elements[index][..]);
    let shape = inputs[0].shape();
    let [batch, length, width] = [shape[0], shape[1], shape[2]];
    let states = inputs[3].shape()[2];
    let mut columns = vec![vec![0.0; length]; batch * width];
    columns.par_iter_mut().enumerate().for_each(|(index, column)| {
        let (sequence, channel) = (index / width, index % width);
        let mut state = vec![0.0; states];
        for (token, result) in column.iter_mut().enumerate() {
            let row = sequence * length + token;
            let (x, step) = (x[row * width + channel], steps[row * width + channel]);
            let vector = |of: &[f64], at: usize| of[row * states + at];
            for (at, state) in state.iter_mut().enumerate() {
                let decay = (step * rates[channel * states + at]).exp();
                *state = decay * *state + step * x * vector(writes, at);
                *result += vector(reads, at) * *state;
            }
        }
    });
    let rows = (0..batch * length)
        .flat_map(|row| (0..width).map(move |channel| (row / length * width + channel, row % length)));
    let result = rows.map(|(column, token)| columns[column][token]).collect::<Vec<f64>>();
    convert(&Tensor::from_vec(ElementType::F64, shape, result), inputs[0].element(), precision)
}
