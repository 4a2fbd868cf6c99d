//! The scan of Mamba-2 (Dao and Gu, "Transformers are SSMs") as the package `mamba_ssm` runs it, in chunks:
//! `@mamba_chunk_scan_combined_fwd`, and `@mamba_chunk_scan_combined_bwd` for its gradients. Letters: b batch, t step,
//! h head, p element of a head, g group of heads, n element of the state.
//!
//! Operands: inputs `x[b, t, h, p]`, lengths of steps `s[b, t, h]`, rates `a[h]`, and the vectors by which the state is
//! written and read, `w[b, t, g, n]` and `r[b, t, g, n]`, which the heads of a group share; backward the gradient of the
//! result too. Results: `y[b, t, h, p]`; backward the gradients of `x`, `s`, `a`, `w` and `r`, that of `a` for each example,
//! `[b, h]`. With states that begin at zero:
//!
//! ```text
//! H[b, t, h, p, n] = exp(s[b, t, h] a[h]) H[b, t - 1, h, p, n] + s[b, t, h] x[b, t, h, p] w[b, t, g, n]
//! y[b, t, h, p]    = sum over n of r[b, t, g, n] H[b, t, h, p, n]
//! ```
//!
//! Batches, groups, heads and their elements pass through. Where devices share a group, each has of the gradients of `w` and
//! `r` what its own heads give, which are summed; where they share a head, so are those of `s` and `a`. A device needs all
//! steps, and whole states. No call keeps anything for the other: the gradient makes the states again.

use super::chunk_scan_call::{BACKWARD, FORWARD, call, chunk};
use super::chunk_scan_eval::{backward, forward};
use super::{Kernel, Reference, tensors};
use crate::build::Builder as _;
use crate::kernel_shape::{ChunkScan as Sizes, KernelShape};
use crate::ops::custom_call::CustomCall;
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::vjp::{Differentiated, Vjp, none_because};
use meshwright_tensor::types::{TensorType, Type};

pub(super) struct ChunkScan;

/// The sizes of a call, if its operands and results are those of the kernel.
fn sizes(call: &CustomCall, operands: &[&TensorType], results: &[&TensorType]) -> Option<Sizes> {
    let is_backward = call.target == BACKWARD;
    let [x, steps, rates, writes, reads, rest @ ..] = operands else { return None };
    let (&[batch, length, heads, features], &[_, _, groups, state]) = (&x.shape[..], &writes.shape[..])
    else {
        return None;
    };
    let sizes = Sizes {
        batch,
        length,
        heads,
        features,
        groups,
        state,
        chunk: chunk(call)?.min(length.max(1)),
        is_backward,
        element: x.element,
    };
    let all_float = operands.iter().chain(results).all(|tensor| tensor.element.is_float());
    let fits = all_float
        && groups > 0
        && heads > 0
        && state > 0
        && heads % groups == 0
        && steps.shape == [batch, length, heads]
        && rates.shape == [heads]
        && writes.shape[..2] == [batch, length]
        && reads.shape == writes.shape
        && match (is_backward, rest, results) {
            (false, [], [y]) => y == x,
            (true, [gradient], [dx, ds, da, dw, dr]) => {
                let of_rates = TensorType::new([batch, heads], rates.element);
                gradient == x && dx == x && ds == steps && **da == of_rates && dw == writes && dr == reads
            }
            _ => false,
        };
    fits.then_some(sizes)
}

/// The sizes of a call with operands and results of these types.
fn sizes_of(call: &CustomCall, operands: &[Type], results: &[Type]) -> Option<Sizes> {
    let tensors =
        |types: &'_ [Type]| types.iter().map(|ty| ty.as_tensor().cloned()).collect::<Option<Vec<_>>>();
    let (operands, results) = (tensors(operands)?, tensors(results)?);
    sizes(call, &operands.iter().collect::<Vec<_>>(), &results.iter().collect::<Vec<_>>())
}

impl Kernel for ChunkScan {
    fn runs(&self, target: &str) -> bool {
        matches!(target, FORWARD | BACKWARD)
    }

    fn rule(&self, call: &CustomCall, view: &InstView<'_>) -> Option<ShardingRule> {
        let (operands, results) = tensors(view)?;
        let Sizes { batch, heads, features, groups, is_backward, .. } = sizes(call, &operands, &results)?;
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        // The dims of operands and results that have a factor, those of gradients behind all others.
        let backward = |dims: &[(usize, usize)]| if is_backward { dims.to_vec() } else { Vec::new() };
        let with = |dims: &[(usize, usize)], of_gradients: &[(usize, usize)]| {
            [dims.to_vec(), backward(of_gradients)].concat()
        };
        let examples = with(&[(0, 0), (1, 0), (3, 0), (4, 0)], &[(5, 0)]);
        let examples_made = with(&[(0, 0)], &[(1, 0), (2, 0), (3, 0), (4, 0)]);
        rule.add_dim(batch, FactorKind::PassThrough, &examples, &examples_made);
        let of_heads = with(&[(0, 2), (1, 2), (2, 0)], &[(5, 2)]);
        let heads_made = with(&[(0, 2)], &[(1, 2), (2, 1)]);
        let of_groups = [&of_heads[..], &[(3, 2), (4, 2)]].concat();
        let groups_made = [heads_made.clone(), backward(&[(3, 2), (4, 2)])].concat();
        rule.add_dim(groups, FactorKind::PassThrough, &of_groups, &groups_made);
        let inner = if is_backward { FactorKind::SummedElsewhere } else { FactorKind::PassThrough };
        // The gradient of a group adds up what its heads give, also where a device has one of them.
        if is_backward || heads > groups {
            let factor = rule.add_dim(heads / groups, inner, &of_heads, &heads_made);
            // A part of a group would be matched with the vectors of another.
            rule.factors[factor].is_even = true;
        }
        rule.add_dim(features, inner, &with(&[(0, 3)], &[(5, 3)]), &[(0, 3)]);
        Some(rule)
    }

    fn flops(&self, call: &CustomCall, operands: &[Type], results: &[Type]) -> f64 {
        sizes_of(call, operands, results).map_or(0.0, |sizes| sizes.flops())
    }

    fn bytes(&self, call: &CustomCall, operands: &[Type], results: &[Type]) -> Option<f64> {
        let sizes = sizes_of(call, operands, results)?;
        let bytes = |types: &[Type]| types.iter().map(|ty| ty.num_bytes() as f64).sum::<f64>();
        Some(sizes.readings() * bytes(operands) + bytes(results) + sizes.scratch_bytes())
    }

    fn shape(&self, call: &CustomCall, operands: &[Type], results: &[Type]) -> KernelShape {
        sizes_of(call, operands, results).map_or(KernelShape::Other, KernelShape::ChunkScan)
    }

    fn vjp(&self, call: &CustomCall, v: &mut Vjp<'_>) -> Differentiated {
        vjp(call, v)
    }

    fn reference(&self, call: &CustomCall, view: &InstView<'_>) -> Option<Reference> {
        let (operands, results) = tensors(view)?;
        let sizes = sizes(call, &operands, &results)?;
        let results: Vec<TensorType> = results.into_iter().cloned().collect();
        Some(Box::new(move |inputs, precision| match sizes.is_backward {
            false => forward(&sizes, inputs, &results, precision),
            true => backward(&sizes, inputs, &results, precision),
        }))
    }
}

/// Gives the cotangents of all operands: the call for the gradients, and the sum over examples for the rates.
fn vjp(scan: &CustomCall, v: &mut Vjp<'_>) -> Differentiated {
    let view = v.view();
    let sizes = tensors(&view).and_then(|(operands, results)| sizes(scan, &operands, &results));
    let (Some(sizes), Some(chunk)) = (sizes, chunk(scan)) else {
        return none_because(format!("calls `@{}` in a form that has no derivative", scan.target));
    };
    if sizes.is_backward {
        return none_because("is a gradient of a scan, which has no derivative");
    }
    let cotangent = v.cotangent();
    let operands: Vec<_> = (0..5).map(|at| v.operand(at)).chain([cotangent]).collect();
    let mut results: Vec<TensorType> = (0..5).map(|at| v.operand_type(at)).collect();
    results[2].shape.insert(0, sizes.batch);
    let results: Vec<Type> = results.into_iter().map(Into::into).collect();
    let mut made = v.emit_all(call(BACKWARD, chunk), &operands, Vec::new(), results);
    if v.wants(2) {
        made[2] = v.sum(made[2], vec![0]);
    }
    for (at, value) in made.into_iter().enumerate() {
        v.give(at, value);
    }
    Ok(())
}
