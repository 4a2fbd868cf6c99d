//! Elementwise functions of the `chlo` dialect that JAX leaves to the compiler: `chlo.erf`, `chlo.square`, ...

use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::op::{Given, OpDef, OpTraits, Violations, one_per_element};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::text::{Ending, Format};
use crate::vjp;
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::kernels::map1;
use meshwright_tensor::math::{Dd, Work, special};
use meshwright_tensor::types::{ElementKind, ElementType, Type};
use meshwright_tensor::{Complex, Native, Part, StorageKind, Tensor};
use meshwright_tensor::{dispatch_complex, dispatch_float};

use super::bessel_vjp::slope_of_i1e;
use super::binary::Binary;
use super::chlo_binary::ChloBinary;
use super::family::{family, names_of_family};
use super::unary::Unary;

/// Operations that a sum of a series takes for each element, about.
const SERIES: f64 = 50.0;

/// Operations for all elements of the results.
pub(super) fn flops_of(results: &[Type], is_series: bool) -> f64 {
    let elements = one_per_element(results);
    if is_series { SERIES * elements } else { elements }
}

family! {
    /// Functions of one operand.
    #[allow(missing_docs)]
    ChloUnary {
        Acos = "chlo.acos",
        AsinAcosKernel = "chlo._asin_acos_kernel",
        Acosh = "chlo.acosh",
        Asin = "chlo.asin",
        Asinh = "chlo.asinh",
        Atan = "chlo.atan",
        Atanh = "chlo.atanh",
        BesselI1e = "chlo.bessel_i1e",
        Conj = "chlo.conj",
        Cosh = "chlo.cosh",
        Digamma = "chlo.digamma",
        Erf = "chlo.erf",
        ErfInv = "chlo.erf_inv",
        Erfc = "chlo.erfc",
        IsInf = "chlo.is_inf",
        IsNegInf = "chlo.is_neg_inf",
        IsPosInf = "chlo.is_pos_inf",
        Lgamma = "chlo.lgamma",
        Sinh = "chlo.sinh",
        Square = "chlo.square",
        Tan = "chlo.tan",
    }
}

impl OpDef for ChloUnary {
    names_of_family!();

    /// `%x : type -> type`
    const FORMAT: Option<Format> = Some(Format::of(1, Ending::Arrow));

    const WITHOUT_DERIVATIVE: &'static [&'static str] = &["chlo._asin_acos_kernel"];

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 1, 1, 0) {
            return;
        }
        let operand = view.operand(0);
        let allowed = match (self, operand.element.kind()) {
            (Self::Square, kind) => kind != ElementKind::Boolean,
            (Self::AsinAcosKernel, kind) => kind == ElementKind::Complex,
            (_, ElementKind::Float) => true,
            (Self::Digamma | Self::Erf | Self::ErfInv | Self::Erfc | Self::Lgamma, _) => false,
            (Self::IsInf | Self::IsNegInf | Self::IsPosInf, _) => false,
            (_, kind) => kind == ElementKind::Complex,
        };
        if violations.require(allowed, || format!("does not take elements of {}", operand.element)) {
            violations.inferred(view);
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let operand = given.tensor(0)?;
        given.shaped_as(0, if self.is_test() { ElementType::I1 } else { operand.element })
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn flops(&self, _: &[Type], results: &[Type]) -> f64 {
        let is_series = matches!(self, Self::BesselI1e | Self::Digamma | Self::Lgamma);
        flops_of(results, is_series)
    }

    fn traits(&self) -> OpTraits {
        OpTraits::ELEMENTWISE
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![self.apply(&inputs[0])?])
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        if Self::WITHOUT_DERIVATIVE.contains(&self.name()) || self.is_only_of_real(v) {
            return vjp::none_because("has no derivative");
        }
        v.give_with(0, |v, cotangent| self.pulled_back(v, cotangent));
        Ok(())
    }
}

impl ChloUnary {
    /// Whether there is a slope for real numbers alone, and the operand has others.
    fn is_only_of_real(self, v: &Vjp<'_>) -> bool {
        self == Self::BesselI1e && !v.operand_type(0).element.is_float()
    }

    fn pulled_back(self, v: &mut Vjp<'_>, cotangent: ValueId) -> ValueId {
        match self {
            Self::Conj => v.unary(Self::Conj, cotangent),
            Self::Square => {
                let x = v.operand(0);
                let twice = v.with_number(Binary::Multiply, x, 2);
                v.times(cotangent, twice)
            }
            Self::Cosh | Self::Sinh => {
                let other = if self == Self::Cosh { Self::Sinh } else { Self::Cosh };
                let x = v.operand(0);
                let slope = v.unary(other, x);
                v.times(cotangent, slope)
            }
            Self::Tan => {
                let y = v.result(0);
                let square = v.times(y, y);
                let slope = v.with_number(Binary::Add, square, 1);
                v.times(cotangent, slope)
            }
            Self::Lgamma => {
                let x = v.operand(0);
                let slope = v.unary(Self::Digamma, x);
                v.times(cotangent, slope)
            }
            Self::Digamma => {
                let x = v.operand(0);
                let one = v.number_like(x, 1.0);
                let slope = v.binary_of(ChloBinary::Polygamma, one, x);
                v.times(cotangent, slope)
            }
            Self::BesselI1e => {
                let x = v.operand(0);
                let slope = slope_of_i1e(v, x);
                v.times(cotangent, slope)
            }
            Self::Erf | Self::Erfc | Self::ErfInv => self.pulled_back_through_error(v, cotangent),
            _ => self.pulled_back_through_inverse(v, cotangent),
        }
    }

    /// The same of the error function and its relatives: the bell curve, or one over it.
    fn pulled_back_through_error(self, v: &mut Vjp<'_>, cotangent: ValueId) -> ValueId {
        let (at, sign, factor) = match self {
            Self::Erf => (v.operand(0), -1.0, std::f64::consts::FRAC_2_SQRT_PI),
            Self::Erfc => (v.operand(0), -1.0, -std::f64::consts::FRAC_2_SQRT_PI),
            _ => (v.result(0), 1.0, 1.0 / std::f64::consts::FRAC_2_SQRT_PI),
        };
        let square = v.times(at, at);
        let exponent = v.scaled(square, sign);
        let bell = v.unary(Unary::Exponential, exponent);
        let slope = v.scaled(bell, factor);
        v.times(cotangent, slope)
    }

    /// The same of the inverses of trigonometric and hyperbolic functions: over a polynomial, or the root of one.
    fn pulled_back_through_inverse(self, v: &mut Vjp<'_>, cotangent: ValueId) -> ValueId {
        let x = v.operand(0);
        let one = v.number_like(x, 1.0);
        let square = v.times(x, x);
        let under = match self {
            Self::Atan | Self::Asinh => v.plus(one, square),
            Self::Acosh => {
                let (below, above) = (v.minus(x, one), v.plus(x, one));
                v.times(below, above)
            }
            _ => {
                let (below, above) = (v.minus(one, x), v.plus(one, x));
                v.times(below, above)
            }
        };
        let slope = match self {
            Self::Atan | Self::Atanh => under,
            _ => v.unary(Unary::Sqrt, under),
        };
        let share = v.over(cotangent, slope);
        if self == Self::Acos { v.negated(share) } else { share }
    }

    fn is_test(self) -> bool {
        matches!(self, Self::IsInf | Self::IsNegInf | Self::IsPosInf)
    }

    /// The function of every element, rounded once. Errors: elements it does not take.
    pub fn apply(self, x: &Tensor) -> Result<Tensor, EvalError> {
        let element = x.element();
        let storage = x.storage();
        if storage.is_complex() {
            return dispatch_complex!(storage, R => match self.of_complex::<R>() {
                Some(f) => map1(element, x, f),
                None => Err(self.wrong(element)),
            }, else Err(self.wrong(element)));
        }
        let f: fn(f64) -> f64 = match self {
            Self::Square => return Binary::Multiply.apply(x, x),
            Self::Conj => return Ok(x.clone()),
            Self::AsinAcosKernel => return Err(self.wrong(element)),
            Self::IsInf => return self.test(x, f64::is_infinite),
            Self::IsNegInf => return self.test(x, |value| value == f64::NEG_INFINITY),
            Self::IsPosInf => return self.test(x, |value| value == f64::INFINITY),
            _ if storage == StorageKind::F64 => self.of_f64(),
            _ => self.of_shorter(),
        };
        dispatch_float!(
            storage,
            T => map1(element, x, |value: T| f(value.cast::<f64>()).cast::<T>()),
            else Err(self.wrong(element))
        )
    }

    /// The function of `f64`, good enough to be rounded to any shorter type.
    fn of_shorter(self) -> fn(f64) -> f64 {
        match self {
            Self::Acosh => special::acosh::<f64>,
            Self::Asinh => special::asinh::<f64>,
            Self::Atanh => special::atanh::<f64>,
            Self::BesselI1e => special::bessel_i1e::<f64>,
            Self::Digamma => special::digamma::<f64>,
            Self::Lgamma => special::lgamma::<f64>,
            _ => self.of_f64(),
        }
    }

    /// The function of `f64` to its last places.
    fn of_f64(self) -> fn(f64) -> f64 {
        match self {
            Self::Acos => f64::acos,
            Self::Acosh => |x| special::acosh::<Dd>(x).to_f64(),
            Self::Asin => f64::asin,
            Self::Asinh => |x| special::asinh::<Dd>(x).to_f64(),
            Self::Atan => f64::atan,
            Self::Atanh => |x| special::atanh::<Dd>(x).to_f64(),
            Self::BesselI1e => |x| special::bessel_i1e::<Dd>(x).to_f64(),
            Self::Cosh => f64::cosh,
            Self::Digamma => |x| special::digamma::<Dd>(x).to_f64(),
            Self::Erf => special::erf,
            Self::ErfInv => special::erf_inv,
            Self::Erfc => special::erfc,
            Self::Lgamma => |x| special::lgamma::<Dd>(x).to_f64(),
            Self::Sinh => f64::sinh,
            Self::Tan => f64::tan,
            Self::Square => |x| x * x,
            Self::AsinAcosKernel | Self::Conj | Self::IsInf | Self::IsNegInf | Self::IsPosInf => |x| x,
        }
    }

    /// The function of complex numbers, where there is one.
    fn of_complex<R: Part>(self) -> Option<fn(Complex<R>) -> Complex<R>> {
        Some(match self {
            Self::Acos => Part::acos,
            Self::Acosh => Part::acosh,
            Self::Asin => Part::asin,
            Self::Asinh => Part::asinh,
            Self::Atan => Part::atan,
            Self::Atanh => Part::atanh,
            Self::AsinAcosKernel => Part::asin_acos_kernel,
            Self::Conj => |z| Complex::new(z.re, z.im.neg()),
            Self::Cosh => Part::cosh,
            Self::Sinh => Part::sinh,
            Self::Square => Part::square,
            Self::Tan => Part::tan,
            _ => return None,
        })
    }

    fn test(self, x: &Tensor, holds: fn(f64) -> bool) -> Result<Tensor, EvalError> {
        dispatch_float!(
            x.storage(),
            T => map1(ElementType::I1, x, |value: T| holds(value.cast::<f64>())),
            else Err(self.wrong(x.element()))
        )
    }

    fn wrong(self, element: ElementType) -> EvalError {
        EvalError::new(format!("{} does not take elements of {element}", self.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_give_booleans_and_squares_keep_the_type() {
        let x = Tensor::from_vec(ElementType::F32, [3], vec![f32::NEG_INFINITY, 3.0, f32::INFINITY]);
        let tests = [ChloUnary::IsInf, ChloUnary::IsNegInf, ChloUnary::IsPosInf];
        let found = tests.map(|op| op.apply(&x).unwrap().to_i64_vec());
        assert_eq!(found, [[1, 0, 1], [1, 0, 0], [0, 0, 1]]);
        let ints = Tensor::from_vec(ElementType::I32, [2], vec![-3, 4]);
        assert_eq!(ChloUnary::Square.apply(&ints).unwrap().to_i64_vec(), [9, 16]);
        assert!(ChloUnary::Erf.apply(&ints).is_err());
    }
}
