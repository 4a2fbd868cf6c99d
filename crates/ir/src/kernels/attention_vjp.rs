//! The gradient of a call of fused attention: the call of the same kernel for it.
//!
//! It reads the logarithms of the sums of the exponentials, which a call gives that is asked for them: one that is not gets
//! the result.
//!
//! Where something else reads the logarithms `l`, as sinks do, their gradient `c` is added to that of each score, times its
//! probability. The kernel adds it where values have one more feature, of ones, of which the output's gradient is `c`: it
//! multiplies the two.

use super::attention::{Shape, masking};
use super::attention_call::{Direction, layouts, products};
use super::tensors;
use crate::attribute::Attr;
use crate::build::Builder as _;
use crate::ids::ValueId;
use crate::ops::concatenate::Concatenate;
use crate::ops::custom_call::CustomCall;
use crate::ops::reshape::Reshape;
use crate::ops::slice::Slice;
use crate::vjp::{Differentiated, Vjp, none_because};
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// Numbers of features are multiples of this.
const FEATURES: usize = 8;

/// Gives the cotangents of queries, keys, values and the bias.
pub(super) fn vjp(call: &CustomCall, v: &mut Vjp<'_>) -> Differentiated {
    let view = v.view();
    let shape = tensors(&view).and_then(|(operands, results)| Shape::of(call, &operands, &results));
    let text = call.attributes.get("backend_config").and_then(Attr::as_str).map(ToOwned::to_owned);
    let (Some(shape), Some(text)) = (shape, text) else {
        return none_because(format!("calls `@{}` in a form that has no derivative", call.target));
    };
    if shape.is_backward {
        return none_because("is a gradient of attention, which has no derivative");
    }
    let Some(text) = masking(&text).and_then(|_| of_gradient(&text, shape.layout.sequence)) else {
        return none_because("calls attention with a mask of which no gradient is known");
    };
    let of_sums = shape.sums.and_then(|at| v.cotangent_of(at));
    let cotangent = match (v.cotangent_of(0), of_sums) {
        (Some(cotangent), _) => cotangent,
        (None, Some(_)) => v.splat(v.result_type(0), 0.0),
        (None, None) => return Ok(()),
    };
    let sums = shape.sums.unwrap_or_else(|| {
        ask_for_sums(call, v, &shape);
        1
    });
    let is_packed = shape.layout.sequence == 1;
    let turned = |v: &mut Vjp<'_>, value: ValueId| match is_packed {
        true => v.transpose(value, vec![0, 2, 1, 3]),
        false => value,
    };
    let output = v.result(0);
    let [mut output, mut cotangent] = [output, cotangent].map(|value| turned(v, value));
    let [mut q, mut k, mut values] = [0, 1, 2].map(|at| v.operand(at));
    let features = [q, k, values].map(|value| v.ty(value).shape[3]);
    let mut with = features;
    if let Some(of_sums) = of_sums {
        let more = (features[2] + 1).next_multiple_of(FEATURES);
        with = [features[0].max(more), features[1].max(more), more];
        let ones = one_feature(&v.ty(values));
        let ones = v.splat(ones, 1.0);
        let of_sums = if is_packed { v.transpose(of_sums, vec![0, 2, 1]) } else { of_sums };
        let column = one_feature(&v.ty(cotangent));
        let of_sums = v.convert(of_sums, column.element);
        let of_sums = v.emit(Reshape, &[of_sums], column);
        (q, k) = (widened(v, &[q], with[0]), widened(v, &[k], with[1]));
        values = widened(v, &[values, ones], more);
        (cotangent, output) = (widened(v, &[cotangent, of_sums], more), widened(v, &[output], more));
    }
    let mut operands = vec![q, k, values, v.result(sums), cotangent];
    operands.extend(shape.bias.map(|at| v.operand(at)));
    operands.push(output);
    operands.extend(shape.lengths.map_or(0..0, |at| at..at + 2).map(|at| v.operand(at)));
    let of_input = |v: &Vjp<'_>, at: usize| {
        let mut ty = v.operand_type(at);
        if is_packed {
            ty.shape.swap(1, 2);
        }
        ty.shape[3] = with[at];
        ty
    };
    let mut results: Vec<TensorType> = (0..3).map(|at| of_input(v, at)).collect();
    let bias = shape.bias.filter(|at| v.wants(*at));
    results.extend(bias.map(|at| v.operand_type(at)));
    results.push(TensorType::new([0], ElementType::Ui8));
    let types: Vec<TensorType> = operands.iter().map(|value| v.ty(*value)).collect();
    let [of_operands, of_results] = layouts(Direction::Backward, shape.layout.sequence, &types, &results);
    let mut gradient = CustomCall { target: format!("{}Backward", call.target), ..call.clone() };
    gradient.attributes.set("backend_config", Attr::string(&text));
    if call.attributes.get("operand_layouts").is_some() {
        gradient.attributes.set("operand_layouts", of_operands);
        gradient.attributes.set("result_layouts", of_results);
    }
    let results: Vec<Type> = results.into_iter().map(Into::into).collect();
    let made = v.emit_all(gradient, &operands, Vec::new(), results);
    for (at, value) in made[..3].iter().enumerate() {
        let value = narrowed(v, *value, features[at]);
        let value = turned(v, value);
        v.give(at, value);
    }
    if let Some(at) = bias {
        v.give(at, made[3]);
    }
    Ok(())
}

/// The type of one feature of something.
fn one_feature(ty: &TensorType) -> TensorType {
    TensorType::new([&ty.shape[..3], &[1]].concat(), ty.element)
}

/// Values one beside the other along their features, and zeros up to so many.
fn widened(v: &mut Vjp<'_>, parts: &[ValueId], features: usize) -> ValueId {
    let mut all = parts.to_vec();
    let ty = v.ty(parts[0]);
    let own: usize = parts.iter().map(|part| v.ty(*part).shape[3]).sum();
    let of = |features: usize| TensorType::new([&ty.shape[..3], &[features]].concat(), ty.element);
    if own < features {
        all.push(v.splat(of(features - own), 0.0));
    }
    if all.len() == 1 { all[0] } else { v.emit(Concatenate { dim: 3 }, &all, of(features)) }
}

/// The first features of a value.
fn narrowed(v: &mut Vjp<'_>, value: ValueId, features: usize) -> ValueId {
    let mut ty = v.ty(value);
    if ty.shape[3] == features {
        return value;
    }
    ty.shape[3] = features;
    let slice = Slice { start: vec![0; 4], limit: ty.shape.clone(), stride: vec![1; 4] };
    v.emit(slice, &[value], ty)
}

/// Makes the call in the forward pass give the logarithms of the sums as its second result.
fn ask_for_sums(call: &CustomCall, v: &mut Vjp<'_>, shape: &Shape) {
    let ty = TensorType::new([shape.batches, shape.heads, shape.queries], ElementType::F32);
    let ty = match v.operand_type(0).element {
        ElementType::F64 => TensorType { element: ElementType::F64, ..ty },
        _ => ty,
    };
    v.add_result(1, ty.into());
    let mut call = call.clone();
    if let Some(Attr::Array(_)) = call.attributes.get("result_layouts") {
        let view = v.view();
        let all = |types: Vec<&Type>| -> Vec<TensorType> {
            types.into_iter().filter_map(Type::as_tensor).cloned().collect()
        };
        let (operands, results) = (all(view.operand_types().collect()), all(view.result_types().collect()));
        let [_, of_results] = layouts(Direction::Forward, shape.layout.sequence, &operands, &results);
        call.attributes.set("result_layouts", of_results);
    }
    v.body.insts[v.inst].op = call.into();
}

/// The configuration of the call for the gradient: that of the forward call with other products.
fn of_gradient(text: &str, sequence: usize) -> Option<String> {
    let entry = |text: &str, name: &str| {
        let start = text.find(&format!("\"{name}_dot_dimension_numbers\""))?;
        Some((start, start + text[start..].find('}')? + 1))
    };
    let (start, end) = entry(text, "bmm1")?;
    let text = format!("{}{}{}", &text[..start], products(Direction::Backward, sequence), &text[end..]);
    let Some((start, end)) = entry(&text, "bmm2") else { return Some(text) };
    let (before, behind) = (&text[..start], text[end..].trim_start());
    Some(match behind.strip_prefix(',') {
        Some(behind) => format!("{before}{}", behind.trim_start()),
        None => format!("{}{behind}", before.trim_end().trim_end_matches(',')),
    })
}
