//! Elementwise ops of two operands: `add`, `multiply`, `maximum`, ... (StableHLO specification, one section each).

use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{Given, Linearity, OpDef, OpTraits, Violations};
use crate::ops::compare::Direction;
use crate::ops::constant::splat_of;
use crate::ops::unary::Unary;
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::sharding::Reduction;
use crate::text::{Ending, Format};
use crate::vjp;
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::kernels::zip2;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementKind, ElementType, Type};
use meshwright_tensor::{Complex, Float, Integer, Number, Part, Real, StorageKind, Tensor, bf16};
use meshwright_tensor::{dispatch, dispatch_complex, dispatch_float, dispatch_integer};

use super::family::{family, names_of_family};

family! {
    /// Elementwise ops of two operands.
    #[allow(missing_docs)]
    Binary {
        Add = "stablehlo.add",
        And = "stablehlo.and",
        Atan2 = "stablehlo.atan2",
        Divide = "stablehlo.divide",
        Maximum = "stablehlo.maximum",
        Minimum = "stablehlo.minimum",
        Multiply = "stablehlo.multiply",
        Or = "stablehlo.or",
        Power = "stablehlo.power",
        Remainder = "stablehlo.remainder",
        ShiftLeft = "stablehlo.shift_left",
        ShiftRightArithmetic = "stablehlo.shift_right_arithmetic",
        ShiftRightLogical = "stablehlo.shift_right_logical",
        Subtract = "stablehlo.subtract",
        Xor = "stablehlo.xor",
    }
}

impl OpDef for Binary {
    names_of_family!();

    const FORMAT: Option<Format> = Some(Format::of(2, Ending::Same));

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 2, 1, 0) {
            return;
        }
        violations.require(view.operand(0) == view.operand(1), || {
            format!("C1: operands have different types, {} and {}", view.operand(0), view.operand(1))
        });
        violations.inferred(view);
        let kind = view.operand(0).element.kind();
        let allowed = match self {
            Self::And | Self::Or | Self::Xor => {
                matches!(kind, ElementKind::Boolean | ElementKind::Signed | ElementKind::Unsigned)
            }
            Self::ShiftLeft | Self::ShiftRightArithmetic | Self::ShiftRightLogical => {
                matches!(kind, ElementKind::Signed | ElementKind::Unsigned)
            }
            Self::Atan2 => matches!(kind, ElementKind::Float | ElementKind::Complex),
            Self::Add | Self::Multiply | Self::Maximum | Self::Minimum => true,
            Self::Divide | Self::Power | Self::Remainder | Self::Subtract => kind != ElementKind::Boolean,
        };
        violations.require(allowed, || format!("does not take elements of {}", view.operand(0).element));
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(0)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn linearity(&self, view: &InstView<'_>, reduction: Reduction) -> Linearity {
        let element = view.result(0).element;
        let may_overflow = |operand: &usize| {
            let other = |index: usize| splat_of(view, index).and_then(Literal::splat_f64);
            !match self {
                Self::Multiply => other(1 - operand).is_some_and(f64::is_finite),
                _ => other(1).is_some_and(|by| by.is_finite() && by != 0.0),
            }
        };
        let each: &[usize] = match (self, reduction) {
            (Self::Add | Self::Subtract, Reduction::Sum) => return Linearity::in_all([0, 1]),
            (Self::Multiply, Reduction::Sum) if element != ElementType::I1 => &[0, 1],
            (Self::Divide, Reduction::Sum) if element.is_float() => &[0],
            (_, Reduction::Sum) => &[],
            _ if self.reduction() == Some(reduction) => return Linearity::in_all([0, 1]),
            _ => &[],
        };
        Linearity {
            overflowing: each.iter().copied().filter(may_overflow).collect(),
            ..Linearity::in_each(each)
        }
    }

    fn traits(&self) -> OpTraits {
        OpTraits::ELEMENTWISE
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![self.apply(&inputs[0], &inputs[1])?])
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        match self {
            Self::Add => (0..2).for_each(|index| v.give_with(index, |_, cotangent| cotangent)),
            Self::Subtract => {
                v.give_with(0, |_, cotangent| cotangent);
                v.give_with(1, Vjp::negated);
            }
            Self::Multiply => (0..2).for_each(|index| {
                v.give_with(index, |v, cotangent| {
                    let other = v.operand(1 - index);
                    v.times(cotangent, other)
                });
            }),
            Self::Divide => quotient_vjp(v),
            Self::Maximum => extreme_vjp(v, Direction::Greater),
            Self::Minimum => extreme_vjp(v, Direction::Less),
            Self::Power => power_vjp(v),
            Self::Remainder => remainder_vjp(v),
            Self::Atan2 => angle_vjp(v),
            _ => return vjp::none_because("has no derivative"),
        }
        Ok(())
    }
}

fn quotient_vjp(v: &mut Vjp<'_>) {
    let (cotangent, divisor) = (v.cotangent(), v.operand(1));
    let share = v.over(cotangent, divisor);
    v.give(0, share);
    v.give_with(1, |v, _| {
        let quotient = v.result(0);
        let product = v.times(share, quotient);
        v.negated(product)
    });
}

/// The backward pass of the larger, or the smaller, of two: `wins` says which. Equal ones share.
fn extreme_vjp(v: &mut Vjp<'_>, wins: Direction) {
    let cotangent = v.cotangent();
    let (left, right) = (v.operand(0), v.operand(1));
    let are_equal = v.compare(Direction::Equal, left, right);
    let half = v.scaled(cotangent, 0.5);
    let zero = v.number_like(cotangent, 0.0);
    let otherwise = v.choose(are_equal, half, zero);
    for (index, [one, other]) in [[left, right], [right, left]].into_iter().enumerate() {
        v.give_with(index, |v, cotangent| {
            let is_taken = v.compare(wins, one, other);
            v.choose(is_taken, cotangent, otherwise)
        });
    }
}

/// The backward pass of a power. What is raised to zero does not matter, and the logarithm of zero is taken as zero.
fn power_vjp(v: &mut Vjp<'_>) {
    v.give_with(0, |v, cotangent| {
        let (base, exponent) = (v.operand(0), v.operand(1));
        let (zero, one) = (v.number_like(base, 0.0), v.number_like(base, 1.0));
        let is_constant = v.compare(Direction::Equal, exponent, zero);
        let less = v.minus(exponent, one);
        let less = v.choose(is_constant, one, less);
        let power = v.binary(Binary::Power, base, less);
        let slope = v.times(exponent, power);
        v.times(cotangent, slope)
    });
    v.give_with(1, |v, cotangent| {
        let (base, power) = (v.operand(0), v.result(0));
        let (zero, one) = (v.number_like(base, 0.0), v.number_like(base, 1.0));
        let is_zero = v.compare(Direction::Equal, base, zero);
        let base = v.choose(is_zero, one, base);
        let logarithm = v.unary(Unary::Log, base);
        let slope = v.times(logarithm, power);
        v.times(cotangent, slope)
    });
}

/// The backward pass of `a - b * truncate(a / b)`.
fn remainder_vjp(v: &mut Vjp<'_>) {
    v.give_with(0, |_, cotangent| cotangent);
    v.give_with(1, |v, cotangent| {
        let (dividend, divisor) = (v.operand(0), v.operand(1));
        let quotient = v.over(dividend, divisor);
        let (sign, magnitude) = (v.unary(Unary::Sign, quotient), v.unary(Unary::Abs, quotient));
        let whole = v.unary(Unary::Floor, magnitude);
        let slope = v.times(sign, whole);
        let product = v.times(cotangent, slope);
        v.negated(product)
    });
}

fn angle_vjp(v: &mut Vjp<'_>) {
    let (cotangent, y, x) = (v.cotangent(), v.operand(0), v.operand(1));
    let (y_square, x_square) = (v.times(y, y), v.times(x, x));
    let square = v.plus(y_square, x_square);
    let share = v.over(cotangent, square);
    v.give_with(0, |v, _| v.times(share, x));
    v.give_with(1, |v, _| {
        let product = v.times(share, y);
        v.negated(product)
    });
}

impl Binary {
    /// The op of every pair of elements of two tensors of one type.
    /// Errors: unlike shapes, or elements that the op does not take.
    pub fn apply(self, left: &Tensor, right: &Tensor) -> Result<Tensor, EvalError> {
        let (element, storage) = (left.element(), left.storage());
        let width = element.bits();
        let wrong = || Err(EvalError::new(format!("{} does not take elements of {element}", self.name())));
        // The usual types of cheap functions get kernels of their own, which vectorize; all else shares one kernel
        // per storage that calls the function through a pointer, or compiling would take minutes.
        macro_rules! number {
            ($f:ident) => {
                dispatch!(storage, T => zip2(element, left, right, Number::$f as fn(T, T) -> T))
            };
            (fast $f:ident) => {
                match storage {
                    StorageKind::F32 => zip2(element, left, right, |a: f32, b: f32| Number::$f(a, b)),
                    StorageKind::F64 => zip2(element, left, right, |a: f64, b: f64| Number::$f(a, b)),
                    StorageKind::Bf16 => zip2(element, left, right, |a: bf16, b: bf16| Number::$f(a, b)),
                    StorageKind::I32 => zip2(element, left, right, |a: i32, b: i32| Number::$f(a, b)),
                    _ => number!($f),
                }
            };
        }
        macro_rules! bits {
            ($f:ident) => {
                match storage {
                    StorageKind::Bool => zip2(element, left, right, |a: bool, b: bool| Integer::$f(a, b)),
                    _ => dispatch_integer!(
                        storage,
                        T => zip2(element, left, right, Integer::$f as fn(T, T) -> T),
                        else wrong()
                    ),
                }
            };
        }
        macro_rules! shift {
            ($f:ident) => {
                dispatch_integer!(storage, T => {
                    let f: fn(T, T, usize) -> T = Integer::$f;
                    zip2(element, left, right, shifted(f, width))
                }, else wrong())
            };
        }
        match self {
            Self::Add => number!(fast add),
            Self::Subtract => number!(fast sub),
            Self::Multiply => number!(fast mul),
            Self::Divide => number!(fast div),
            Self::Maximum => number!(fast maximum),
            Self::Minimum => number!(fast minimum),
            Self::Remainder if storage.is_complex() => wrong(),
            Self::Remainder => number!(rem),
            Self::Power => number!(power),
            Self::And => bits!(and),
            Self::Or => bits!(or),
            Self::Xor => bits!(xor),
            Self::ShiftLeft => shift!(shift_left),
            Self::ShiftRightArithmetic => shift!(shift_right_arithmetic),
            Self::ShiftRightLogical => shift!(shift_right_logical),
            Self::Atan2 => dispatch_float!(storage, T => {
                let atan2: fn(T, T) -> T = |a, b| T::narrow(Real::atan2(a.widen(), b.widen()));
                zip2(element, left, right, atan2)
            }, else dispatch_complex!(storage, R => {
                zip2(element, left, right, Part::atan2 as fn(Complex<R>, Complex<R>) -> Complex<R>)
            }, else wrong())),
        }
    }

    /// The reduction that applies this op over and over, if it is commutative and associative.
    pub fn reduction(self) -> Option<Reduction> {
        match self {
            Self::Add => Some(Reduction::Sum),
            Self::Multiply => Some(Reduction::Product),
            Self::Maximum => Some(Reduction::Max),
            Self::Minimum => Some(Reduction::Min),
            Self::And => Some(Reduction::And),
            Self::Or => Some(Reduction::Or),
            _ => None,
        }
    }

    /// Returns whether its operands may change places.
    pub fn is_commutative(self) -> bool {
        self.reduction().is_some() || self == Self::Xor
    }

    /// The op that a reduction applies.
    pub fn of_reduction(reduction: Reduction) -> Self {
        match reduction {
            Reduction::Sum => Self::Add,
            Reduction::Product => Self::Multiply,
            Reduction::Max => Self::Maximum,
            Reduction::Min => Self::Minimum,
            Reduction::And => Self::And,
            Reduction::Or => Self::Or,
        }
    }
}

/// A shift of elements of `width` bits; one closure type for all shifts of a storage.
fn shifted<T: Integer>(f: fn(T, T, usize) -> T, width: usize) -> impl Fn(T, T) -> T + Sync {
    move |value, by| f(value, by, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(values: &[i32]) -> Tensor {
        Tensor::from_vec(ElementType::I32, [values.len()], values.to_vec())
    }

    fn booleans(values: [bool; 4]) -> Tensor {
        Tensor::from_vec(ElementType::I1, [4], values.to_vec())
    }

    #[test]
    fn integers_wrap_and_never_trap() {
        let (a, b) = (ints(&[7, -7, i32::MIN, 5]), ints(&[2, 2, -1, 0]));
        let apply = |op: Binary| op.apply(&a, &b).unwrap().to_i64_vec();
        assert_eq!(apply(Binary::Divide), [3, -3, i64::from(i32::MIN), -1]);
        assert_eq!(apply(Binary::Remainder), [1, -1, 0, 5]);
        assert_eq!(apply(Binary::Multiply), [14, -14, i64::from(i32::MIN), 0]);
        assert_eq!(apply(Binary::ShiftLeft), [28, -28, 0, 5]);
        assert_eq!(apply(Binary::Power), [49, 49, 0, 1]);
        let unsigned = |values: &[u8]| Tensor::from_vec(ElementType::Ui8, [2], values.to_vec());
        let quotient = Binary::Divide.apply(&unsigned(&[9, 9]), &unsigned(&[0, 2])).unwrap();
        assert_eq!(quotient.to_i64_vec(), [255, 4]);
    }

    #[test]
    fn booleans_add_as_or_and_multiply_as_and() {
        let (a, b) = (booleans([true, true, false, false]), booleans([true, false, true, false]));
        let apply = |op: Binary| op.apply(&a, &b).unwrap().to_i64_vec();
        for op in [Binary::Add, Binary::Maximum, Binary::Or] {
            assert_eq!(apply(op), [1, 1, 1, 0]);
        }
        for op in [Binary::Multiply, Binary::Minimum, Binary::And] {
            assert_eq!(apply(op), [1, 0, 0, 0]);
        }
        assert_eq!(apply(Binary::Xor), [0, 1, 1, 0]);
    }

    #[test]
    fn extremes_propagate_nan_and_integer_ops_reject_floats() {
        let floats = |a: f32, b: f32| Tensor::from_vec(ElementType::F32, [2], vec![a, b]);
        let (a, b) = (floats(f32::NAN, 1.0), floats(1.0, f32::NAN));
        for op in [Binary::Maximum, Binary::Minimum] {
            assert!(op.apply(&a, &b).unwrap().to_f64_vec().iter().all(|value| value.is_nan()));
        }
        assert!(Binary::And.apply(&a, &b).is_err());
        assert!(Binary::Atan2.apply(&ints(&[1]), &ints(&[1])).is_err());
        let angle = Binary::Atan2.apply(&floats(1.0, -1.0), &floats(-1.0, -1.0)).unwrap().to_f64_vec();
        assert!((angle[0] - 2.356_194_5).abs() < 1e-6 && (angle[1] + 2.356_194_5).abs() < 1e-6);
    }
}
