//! Loss scaling: the loss is differentiated times a scale, which gradients are divided by.

use super::{LossScaling, Training, builder};
use meshwright_ir::attribute::Attributes;
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::program::Function;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// The scale of a step that was not trained before, all of whose states are zero.
const FIRST: f64 = 65_536.0;

/// Arguments of a scaled loss.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    /// The argument of the scale.
    pub(super) argument: ValueId,
    /// What the loss is multiplied by: the argument, but at first.
    pub(super) factor: ValueId,
    /// Steps since it changed.
    pub(super) good_steps: ValueId,
}

/// The function with one more result, the scaled loss, and the arguments that takes; or as it is.
pub(super) fn scaled(function: &Function, training: &Training<'_>) -> (Function, Option<Scale>) {
    let mut function = function.clone();
    let loss = function.returned().get(training.loss).copied();
    let (LossScaling::Dynamic { .. }, Some(loss)) = (training.scaling, loss) else { return (function, None) };
    let body = &mut function.body;
    let entry = body.entry();
    let [argument, good_steps] = [ElementType::F32, ElementType::I32].map(|element| {
        let ty = Type::from(TensorType::scalar(element));
        body.add_arg(entry, ty, Span::NONE)
    });
    if !body.ty(loss).as_tensor().is_some_and(|ty| ty.element.is_float()) {
        return (function, None);
    }
    let end = body.regions[entry].insts.pop().expect("a function returns");
    let mut b = builder(body);
    let (zero, first) = (b.number_like(argument, 0.0), b.number_like(argument, FIRST));
    let is_first = b.compare(Direction::Equal, argument, zero);
    let factor = b.choose(is_first, first, argument);
    let product = times_scalar(&mut b, loss, factor);
    body.insts[end].operands.push(product);
    body.regions[entry].insts.push(end);
    function.result_types.push(body.ty(product).clone());
    function.result_attributes.push(Attributes::new());
    (function, Some(Scale { argument, factor, good_steps }))
}

/// Divides gradients by the scale, and says whether all are finite.
pub(super) fn unscale(b: &mut BodyBuilder<'_>, scale: Scale, gradients: &mut [ValueId]) -> ValueId {
    let one = b.number_like(scale.factor, 1.0);
    let inverse = b.over(one, scale.factor);
    let mut all = None;
    for gradient in gradients {
        *gradient = times_scalar(b, *gradient, inverse);
        let ty = b.ty(*gradient);
        let tests = TensorType::new(ty.shape.clone(), ElementType::I1);
        let finite = b.emit(Unary::IsFinite, &[*gradient], tests);
        let finite = if ty.rank() == 0 {
            finite
        } else {
            b.reduced(Binary::And, finite, (0..ty.rank()).collect(), 1.0)
        };
        all = Some(all.map_or(finite, |all| b.binary(Binary::And, all, finite)));
    }
    all.unwrap_or_else(|| b.splat(TensorType::scalar(ElementType::I1), 1.0))
}

/// The next scale, and the number of steps since it changed.
pub(super) fn next(b: &mut BodyBuilder<'_>, scale: Scale, finite: ValueId, interval: u32) -> [ValueId; 2] {
    let steps = b.with_number(Binary::Add, scale.good_steps, 1);
    let wanted = b.number_like(steps, f64::from(interval));
    let is_long = b.compare(Direction::GreaterEqual, steps, wanted);
    let (twice, half) = (b.scaled(scale.factor, 2.0), b.scaled(scale.factor, 0.5));
    // Beyond all numbers there would be no way back.
    let is_number = b.emit(Unary::IsFinite, &[twice], TensorType::scalar(ElementType::I1));
    let twice = b.choose(is_number, twice, scale.factor);
    let good = b.choose(is_long, twice, scale.factor);
    let zero = b.number_like(steps, 0.0);
    let counted = b.choose(is_long, zero, steps);
    [b.choose(finite, good, half), b.choose(finite, counted, zero)]
}

/// A tensor times a scalar, which takes the tensor's element type.
pub(super) fn times_scalar(b: &mut BodyBuilder<'_>, value: ValueId, scalar: ValueId) -> ValueId {
    let ty = b.ty(value);
    let scalar = b.convert(scalar, ty.element);
    let scalar = b.broadcast(scalar, &ty.shape, Vec::new());
    b.times(value, scalar)
}
