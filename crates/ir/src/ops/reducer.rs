//! The small regions that reductions, scatters and windows apply to pairs of elements: recognizing, checking and
//! making them.

use super::binary::Binary;
use super::return_::Return;
use crate::diagnostic::Span;
use crate::ids::RegionId;
use crate::literal::{Literal, LiteralData, float_bytes, int_bytes};
use crate::op::{Op, OpDef, Violations};
use crate::program::{Body, InstView, Region};
use crate::sharding::Reduction;
use crate::text::{Parsed, Parser, SIGNATURE};
use crate::types::{ElementKind, ElementType, TensorType, Type};

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
/// sums and products.
pub fn neutral(reduction: Reduction, element: ElementType) -> Option<Literal> {
    let bits = element.bits() as u32;
    let is_signed = element.kind() == ElementKind::Signed;
    let int = |value: i128| int_bytes(value, element);
    let bytes = match (reduction, element.kind()) {
        (Reduction::Sum, ElementKind::Float | ElementKind::Complex) => float_bytes(0.0, element),
        (Reduction::Product, ElementKind::Float | ElementKind::Complex) => float_bytes(1.0, element),
        (Reduction::Max, ElementKind::Float) => float_bytes(f64::NEG_INFINITY, element),
        (Reduction::Min, ElementKind::Float) => float_bytes(f64::INFINITY, element),
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

/// Checks that region `index` takes `2 * count` scalars of the types of the first `count` operands (all left ones
/// first) and returns `count` of them.
pub fn verify_reducer(view: &InstView<'_>, index: usize, count: usize, violations: &mut Violations) {
    let scalar = |position: usize| -> Type { TensorType::scalar(view.operand(position).element).into() };
    let expected: Vec<Type> = (0..count).map(scalar).collect();
    let takes: Vec<Type> = view.region(index).args.iter().map(|arg| view.body.ty(*arg).clone()).collect();
    violations.require(takes == [expected.clone(), expected.clone()].concat(), || {
        format!("the region should take two scalars per input, {} in all", 2 * count)
    });
    let returned: Vec<Type> = view
        .body
        .terminator(view.inst.regions[index])
        .map_or(Vec::new(), |inst| inst.operands.iter().map(|value| view.body.ty(*value).clone()).collect());
    violations.require(returned == expected, || {
        format!("the region should return one scalar per input, {count} in all")
    });
}

/// The types that region `index` of an instruction returns.
pub fn returned_types<'a>(view: &InstView<'a>, index: usize) -> Vec<&'a Type> {
    let body = view.body;
    let returned = body.terminator(view.inst.regions[index]).map_or(&[][..], |inst| &inst.operands);
    returned.iter().map(|value| body.ty(*value)).collect()
}
