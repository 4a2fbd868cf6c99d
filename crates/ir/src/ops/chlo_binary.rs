//! Elementwise functions of two operands of the `chlo` dialect: `chlo.next_after`, `chlo.polygamma`, `chlo.zeta`,
//! `chlo.mulhi`.

use std::cmp::Ordering;

use super::binary::Binary;
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::text::{Ending, Format};
use crate::vjp;
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::kernels::zip2;
use meshwright_tensor::math::special;
use meshwright_tensor::minifloat::MiniFloat;
use meshwright_tensor::types::Type;
use meshwright_tensor::{Element, Native, Scalar, StorageKind, Tensor, bf16, f16};
use meshwright_tensor::{dispatch_float, dispatch_integer};

use super::chlo_unary::flops_of;
use super::family::{family, names_of_family};

/// The next float: the bits of floats of one sign, without it, are ordered as the floats are.
macro_rules! next_after {
    ($float:ident $left:ident, $right:ident, $element:ident) => {
        zip2($element, $left, $right, |a: $float, b: $float| {
            let zero = $float::from_bits(0);
            match a.partial_cmp(&b) {
                None => $float::NAN,
                Some(Ordering::Equal) => b,
                // The smallest number with the sign of the other one.
                Some(order) if a == zero => {
                    let sign = if order == Ordering::Less { zero } else { -zero };
                    $float::from_bits(sign.to_bits() | 1)
                }
                Some(order) if (order == Ordering::Less) == (a > zero) => $float::from_bits(a.to_bits() + 1),
                Some(_) => $float::from_bits(a.to_bits() - 1),
            }
        })
    };
}

family! {
    /// Functions of two operands.
    ChloBinary {
        /// The upper half of the product of two integers.
        MulHi = "chlo.mulhi",
        /// The float next to the left one toward the right one.
        NextAfter = "chlo.next_after",
        /// The derivative of order `lhs` of digamma at `rhs`.
        Polygamma = "chlo.polygamma",
        /// Hurwitz's zeta function.
        Zeta = "chlo.zeta",
    }
}

impl OpDef for ChloBinary {
    names_of_family!();

    /// `%x, %y : type, type -> type`
    const FORMAT: Option<Format> = Some(Format::of(2, Ending::Arrow));

    const WITHOUT_DERIVATIVE: &'static [&'static str] = &["chlo.mulhi", "chlo.next_after"];

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 2, 1, 0) {
            return;
        }
        let (left, right) = (view.operand(0), view.operand(1));
        let allowed = match self {
            Self::MulHi => left.element.is_integer(),
            _ => left.element.is_float(),
        };
        violations.require(allowed, || format!("does not take elements of {}", left.element));
        violations.require(left == right, || format!("operands have different types, {left} and {right}"));
        violations.inferred(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(0)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn flops(&self, _: &[Type], results: &[Type]) -> f64 {
        flops_of(results, matches!(self, Self::Polygamma | Self::Zeta))
    }

    fn traits(&self) -> OpTraits {
        OpTraits::ELEMENTWISE
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![self.apply(&inputs[0], &inputs[1])?])
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        if Self::WITHOUT_DERIVATIVE.contains(&self.name()) {
            return vjp::none_because("has no derivative");
        }
        if v.wants(0) {
            return vjp::none_because("has no derivative by its first operand");
        }
        v.give_with(1, |v, cotangent| {
            let (first, x) = (v.operand(0), v.operand(1));
            let next = v.with_number(Binary::Add, first, 1);
            let value = v.binary_of(*self, next, x);
            let slope = if *self == Self::Zeta {
                let factor = v.negated(first);
                v.times(factor, value)
            } else {
                value
            };
            v.times(cotangent, slope)
        });
        Ok(())
    }
}

impl ChloBinary {
    /// The function of every pair of elements. Errors: unlike shapes, or elements that it does not take.
    pub fn apply(self, left: &Tensor, right: &Tensor) -> Result<Tensor, EvalError> {
        let element = left.element();
        let wrong = || Err(EvalError::new(format!("{} does not take elements of {element}", self.name())));
        match self {
            Self::MulHi => {
                let bits = element.bits();
                let high = move |a: i128, b: i128| (a * b) >> bits;
                dispatch_integer!(left.storage(), T => zip2(element, left, right, |a: T, b: T| {
                    // The product of two `ui64` is an `i128` only without its sign.
                    match (a.scalar(), b.scalar()) {
                        (Scalar::Uint(a), Scalar::Uint(b)) => {
                            T::from_u64(((u128::from(a) * u128::from(b)) >> bits) as u64)
                        }
                        (a, b) => T::from_i64(high(a.cast::<i64>().into(), b.cast::<i64>().into()) as i64),
                    }
                }), else wrong())
            }
            Self::NextAfter => match MiniFloat::of(element) {
                Some(format) if left.storage() == StorageKind::F32 => {
                    zip2(element, left, right, |a: f32, b: f32| {
                        format.next_after(f64::from(a), f64::from(b)) as f32
                    })
                }
                _ => match left.storage() {
                    StorageKind::F16 => next_after!(f16 left, right, element),
                    StorageKind::Bf16 => next_after!(bf16 left, right, element),
                    StorageKind::F32 => next_after!(f32 left, right, element),
                    StorageKind::F64 => next_after!(f64 left, right, element),
                    _ => wrong(),
                },
            },
            Self::Polygamma | Self::Zeta => {
                let f = if self == Self::Zeta { special::zeta } else { special::polygamma };
                dispatch_float!(left.storage(), T => zip2(element, left, right, |a: T, b: T| {
                    f(a.cast(), b.cast()).cast::<T>()
                }), else wrong())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_tensor::types::ElementType;

    #[test]
    fn upper_halves_of_products() {
        let high = |element, a: Tensor, b: Tensor| {
            let product = ChloBinary::MulHi.apply(&a, &b).unwrap();
            assert_eq!(product.element(), element);
            product.get(&[0]).unwrap()
        };
        let of = |value: i64| Tensor::from_vec(ElementType::I64, [1], vec![value]);
        assert_eq!(high(ElementType::I64, of(i64::MIN), of(i64::MIN)), Scalar::Int(1 << 62));
        let of = |value: u64| Tensor::from_vec(ElementType::Ui64, [1], vec![value]);
        assert_eq!(high(ElementType::Ui64, of(u64::MAX), of(u64::MAX)), Scalar::Uint(u64::MAX - 1));
        let of = |value: i8| Tensor::from_vec(ElementType::I4, [1], vec![value]);
        assert_eq!(high(ElementType::I4, of(-8), of(7)), Scalar::Int(-4));
    }

    #[test]
    fn next_floats() {
        let of = |values: &[f32]| Tensor::from_vec(ElementType::F32, [values.len()], values.to_vec());
        let from = of(&[0.0, -0.0, 1.0, -1.0, f32::MAX, 2.0, f32::INFINITY]);
        let to = of(&[1.0, -1.0, 2.0, 0.0, f32::INFINITY, 2.0, 0.0]);
        let next = ChloBinary::NextAfter.apply(&from, &to).unwrap();
        let tiny = f32::from_bits(1);
        let below_one = -1.0 + f32::EPSILON / 2.0;
        let expected = [tiny, -tiny, 1.0 + f32::EPSILON, below_one, f32::INFINITY, 2.0, f32::MAX];
        assert_eq!(next.dense::<f32>().unwrap()[..], expected);
        let small = |value: f32| Tensor::from_vec(ElementType::F8E4M3Fn, [1], vec![value]);
        let next = |a, b| ChloBinary::NextAfter.apply(&small(a), &small(b)).unwrap().to_f64_vec()[0];
        assert_eq!((next(1.0, 2.0), next(16.0, 0.0), next(0.0, -1.0)), (1.125, 15.0, -0.001953125));
    }
}
