//! The small regions that reductions, scatters and windows apply to pairs of elements: recognizing, checking and
//! making them.

use super::binary::Binary;
use super::return_::Return;
use crate::diagnostic::Span;
use crate::ids::{RegionId, ValueId};
use crate::op::{Op, OpDef, Violations};
use crate::program::{Body, InstView, Region};
use crate::sharding::Reduction;
use crate::text::{Parsed, Parser, SIGNATURE};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::literal::{Literal, LiteralData, float_bytes, int_bytes};
use meshwright_tensor::minifloat::MiniFloat;
use meshwright_tensor::types::{ElementKind, ElementType, TensorType, Type};
use meshwright_tensor::{Precision, Tensor, convert};

/// The op that a region of two arguments applies to them, if that is all it does. For an op that does not commute
/// the first argument must be the left operand.
pub fn reducer(body: &Body, region: &Region) -> Option<Binary> {
    let ([left, right], [inst, terminator]) = (region.args.as_slice(), region.insts.as_slice()) else {
        return None;
    };
    let (inst, terminator) = (&body.insts[*inst], &body.insts[*terminator]);
    let Op::Binary(binary) = inst.op else {
        return None;
    };
    let in_order = inst.operands == [*left, *right];
    let swapped = inst.operands == [*right, *left] && binary.reduction().is_some();
    let returns_it = matches!(terminator.op, Op::Return(_)) && terminator.operands == inst.results;
    ((in_order || swapped) && returns_it).then_some(binary)
}

/// The element that changes nothing when combined, as a scalar constant. `None` for complex numbers other than in
/// sums and products, and for sums of a type without zero.
pub fn neutral(reduction: Reduction, element: ElementType) -> Option<Literal> {
    let bits = element.bits() as u32;
    let is_signed = element.kind() == ElementKind::Signed;
    let int = |value: i128| int_bytes(value, element);
    let bytes = match (reduction, element.kind()) {
        (Reduction::Sum, ElementKind::Float) if MiniFloat::of(element).is_some_and(|own| !own.has_zero()) => {
            return None;
        }
        (Reduction::Sum, ElementKind::Float | ElementKind::Complex) => float_bytes(0.0, element),
        (Reduction::Product, ElementKind::Float | ElementKind::Complex) => float_bytes(1.0, element),
        (Reduction::Max, ElementKind::Float) => float_bytes(extremes(element).0, element),
        (Reduction::Min, ElementKind::Float) => float_bytes(extremes(element).1, element),
        (_, ElementKind::Float | ElementKind::Complex) => return None,
        (Reduction::Sum | Reduction::Or, _) => int(0),
        (Reduction::Max, ElementKind::Boolean) => int(0),
        (Reduction::Product, _) | (Reduction::Min | Reduction::And, ElementKind::Boolean) => int(1),
        (Reduction::And, _) => int(-1),
        (Reduction::Max, _) if is_signed => int(-(1 << (bits - 1))),
        (Reduction::Max, _) => int(0),
        (Reduction::Min, _) if is_signed => int((1 << (bits - 1)) - 1),
        (Reduction::Min, _) => int((1 << bits) - 1),
    };
    // A sum of booleans is an or, their product an and (specification, "add" and "multiply").
    Some(Literal { ty: TensorType::scalar(element), data: LiteralData::Splat(bytes.into()) })
}

/// Returns whether a constant repeats the element that changes nothing when combined.
pub fn is_neutral(reduction: Reduction, constant: &Literal) -> bool {
    neutral(reduction, constant.ty.element).is_some_and(|neutral| neutral.repeats_value_of(constant))
}

/// The least and the greatest number of a float type.
fn extremes(element: ElementType) -> (f64, f64) {
    MiniFloat::of(element).map_or((f64::NEG_INFINITY, f64::INFINITY), MiniFloat::extremes)
}

/// Builds the region `(a, b) -> op(a, b)` that `applies stablehlo.add` stands for.
pub fn single_op_region(p: &mut Parser<'_>, name: &str, ty: TensorType, span: Span) -> Parsed<RegionId> {
    let at = Binary::NAMES.iter().position(|known| *known == name);
    match at.map(|at| Binary::ALL[at]).filter(|binary| binary.is_commutative()) {
        Some(binary) => Ok(binary_region(p.body_mut(), binary, ty)),
        None => {
            let hint = "write the region out: reducer(%a: t, %b: t) { ... }";
            p.fail(SIGNATURE, span, format!("`{name}` cannot be applied in short form"), hint)
        }
    }
}

/// Appends the region `(a, b) -> binary(a, b)` over scalars of `ty` to a body.
pub fn binary_region(body: &mut Body, binary: Binary, ty: TensorType) -> RegionId {
    let region = body.regions.push(Region::default());
    let ty = Type::Tensor(ty);
    let left = body.add_arg(region, ty.clone(), Span::NONE);
    let right = body.add_arg(region, ty.clone(), Span::NONE);
    let inst = body.append(region, binary.into(), vec![left, right], Vec::new(), vec![ty], Span::NONE);
    let result = body.insts[inst].results.clone();
    body.append(region, Return::Stablehlo.into(), result, Vec::new(), Vec::new(), Span::NONE);
    region
}

/// Returns whether elements of `from` may be combined in `to`: the same kind of number, at least as wide
/// (specification, `is_promotable`).
pub fn is_promotable(from: ElementType, to: ElementType) -> bool {
    from == to || (from.kind() == to.kind() && from.bits() <= to.bits())
}

/// Checks that region `index` takes `2 * count` scalars (all left ones first), of types that the elements of the
/// first `count` operands may be promoted to, and returns `count` of them. Gives the element types that it combines
/// in, which are those of the results.
pub fn verify_reducer(
    view: &InstView<'_>,
    index: usize,
    count: usize,
    violations: &mut Violations,
) -> Vec<ElementType> {
    let given: Vec<ElementType> = (0..count).map(|position| view.operand(position).element).collect();
    let takes: Vec<&Type> = view.region(index).args.iter().map(|arg| view.body.ty(*arg)).collect();
    let combined = combined_elements(view, index, count).unwrap_or_else(|| given.clone());
    let scalars: Vec<Type> = combined.iter().map(|element| TensorType::scalar(*element).into()).collect();
    let scalars: Vec<&Type> = scalars.iter().collect();
    violations.require(takes == [scalars.as_slice(), &scalars].concat(), || {
        format!("the region should take two scalars per input, {} in all", 2 * count)
    });
    for (given, combined) in given.iter().zip(&combined) {
        violations.require(is_promotable(*given, *combined), || {
            format!("the region combines elements of {combined}, to which {given} cannot be promoted")
        });
    }
    violations.require(returned_types(view, index) == scalars, || {
        format!("the region should return one scalar per input, {count} in all")
    });
    combined
}

/// Checks that an initial value is a scalar that may be promoted to what the region combines in.
pub fn verify_init(name: &str, init: &TensorType, combined: ElementType, violations: &mut Violations) {
    violations.require(init.rank() == 0 && is_promotable(init.element, combined), || {
        format!("{name} should be a tensor<{combined}>, not {init}")
    });
}

/// The element types that region `index`, which takes `2 * count` scalars, combines in; `None` if its arguments are
/// others.
fn combined_elements(view: &InstView<'_>, index: usize, count: usize) -> Option<Vec<ElementType>> {
    let args = &view.region(index).args;
    let element = |arg: &ValueId| view.body.ty(*arg).as_tensor().map(|tensor| tensor.element);
    (args.len() == 2 * count).then(|| args[..count].iter().map(element).collect())?
}

/// `tensors`, those at positions `i`, `count + i`, ... in the element type that region `index` combines input `i` in.
pub fn promoted(
    view: &InstView<'_>,
    index: usize,
    count: usize,
    tensors: Vec<Tensor>,
    precision: Precision,
) -> Result<Vec<Tensor>, EvalError> {
    let Some(combined) = combined_elements(view, index, count).filter(|combined| !combined.is_empty()) else {
        return Ok(tensors);
    };
    let promote = |(tensor, element): (Tensor, &ElementType)| match tensor.element() == *element {
        true => Ok(tensor),
        false => convert(&tensor, *element, precision),
    };
    tensors.into_iter().zip(combined.iter().cycle()).map(promote).collect()
}

/// The types that region `index` of an instruction returns.
pub fn returned_types<'a>(view: &InstView<'a>, index: usize) -> Vec<&'a Type> {
    let body = view.body;
    let returned = body.terminator(view.inst.regions[index]).map_or(&[][..], |inst| &inst.operands);
    returned.iter().map(|value| body.ty(*value)).collect()
}
