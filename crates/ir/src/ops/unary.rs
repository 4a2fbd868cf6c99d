//! Elementwise ops of one operand: `abs`, `exponential`, `negate`, ... (StableHLO specification, one section each).

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{Given, Linearity, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::sharding::Reduction;
use crate::text::{Ending, Format, OpPrinter};
use crate::vjp;
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::kernels::map1;
use meshwright_tensor::types::{ElementKind, ElementType, TensorType, Type};
use meshwright_tensor::{Complex, Float, Integer, Native, Number, Part, Real, StorageKind, Tensor};
use meshwright_tensor::{dispatch, dispatch_complex, dispatch_float, dispatch_integer};

use super::binary::Binary;
use super::compare::Direction;
use super::complex::Complex as Parts;
use super::family::{family, names_of_family};
use crate::ids::ValueId;

/// The attribute that says how accurate results must be.
const ACCURACY: &str = "result_accuracy";

/// What it says if it is not given.
const DEFAULT_ACCURACY: &str = "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>";

family! {
    /// Elementwise ops of one operand.
    #[allow(missing_docs)]
    Unary {
        Abs = "stablehlo.abs",
        Cbrt = "stablehlo.cbrt",
        Ceil = "stablehlo.ceil",
        Cosine = "stablehlo.cosine",
        CountLeadingZeros = "stablehlo.count_leading_zeros",
        Exponential = "stablehlo.exponential",
        ExponentialMinusOne = "stablehlo.exponential_minus_one",
        Floor = "stablehlo.floor",
        IsFinite = "stablehlo.is_finite",
        Log = "stablehlo.log",
        LogPlusOne = "stablehlo.log_plus_one",
        Logistic = "stablehlo.logistic",
        Negate = "stablehlo.negate",
        Not = "stablehlo.not",
        PopulationCount = "stablehlo.popcnt",
        RoundAway = "stablehlo.round_nearest_afz",
        RoundEven = "stablehlo.round_nearest_even",
        Rsqrt = "stablehlo.rsqrt",
        Sign = "stablehlo.sign",
        Sine = "stablehlo.sine",
        Sqrt = "stablehlo.sqrt",
        Tan = "stablehlo.tan",
        Tanh = "stablehlo.tanh",
    }
}

impl OpDef for Unary {
    names_of_family!();

    const FORMAT: Option<Format> = Some(Format::of(1, Ending::Same));

    /// `result_accuracy` belongs to the op, but is kept with the instruction's other attributes.
    fn attributes(&self, view: &InstView<'_>) -> Attributes {
        let accuracy = view.inst.attributes.get(ACCURACY).filter(|_| self.has_accuracy());
        accuracy.map(|value| (ACCURACY.to_owned(), value.clone())).into_iter().collect()
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.operands();
        let is_default = |value: &Attr| matches!(value, Attr::Dialect(text) if **text == *DEFAULT_ACCURACY);
        if view.inst.attributes.get(ACCURACY).is_some_and(is_default) && self.has_accuracy() {
            p.attributes_without(&[ACCURACY]);
        } else {
            p.attributes();
        }
        p.same_type_or_signature();
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 1, 1, 0) {
            return;
        }
        let operand = view.operand(0);
        if let Some(accuracy) = view.inst.attributes.get(ACCURACY).filter(|_| self.has_accuracy()) {
            let fits =
                matches!(accuracy, Attr::Dialect(text) if text.starts_with("#stablehlo.result_accuracy<"));
            violations.require(fits, || {
                format!("`{ACCURACY}` should be #stablehlo.result_accuracy<...>, found `{accuracy}`")
            });
        }
        let kind = operand.element.kind();
        let allowed = match self {
            Self::Abs | Self::Sign => {
                matches!(kind, ElementKind::Signed | ElementKind::Float | ElementKind::Complex)
            }
            Self::Negate => kind != ElementKind::Boolean,
            Self::CountLeadingZeros | Self::PopulationCount => operand.element.is_integer(),
            Self::Not => operand.element.is_integer() || kind == ElementKind::Boolean,
            Self::Ceil | Self::Floor | Self::IsFinite | Self::RoundAway | Self::RoundEven => {
                kind == ElementKind::Float
            }
            _ => matches!(kind, ElementKind::Float | ElementKind::Complex),
        };
        if violations.require(allowed, || format!("does not take elements of {}", operand.element)) {
            violations.inferred(view);
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        Some(vec![self.result_type(given.tensor(0)?).into()])
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::in_each(if *self == Self::Negate { &[0] } else { &[] })
    }

    fn traits(&self) -> OpTraits {
        OpTraits::ELEMENTWISE
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![self.apply(&inputs[0])?])
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        match self {
            Self::Abs if v.operand_type(0).element.kind() == ElementKind::Complex => modulus_vjp(v),
            Self::Sign if v.operand_type(0).element.kind() == ElementKind::Complex => {
                return vjp::none_because("has no derivative for complex numbers");
            }
            _ if self.is_piecewise_constant() => {}
            _ => v.give_with(0, |v, cotangent| self.pulled_back(v, cotangent)),
        }
        Ok(())
    }
}

/// The backward pass of the magnitude of complex numbers: toward greater magnitude.
fn modulus_vjp(v: &mut Vjp<'_>) {
    v.give_with(0, |v, cotangent| {
        let (x, modulus) = (v.operand(0), v.result(0));
        let (real, complex) = (v.ty(modulus), v.ty(x));
        let share = v.over(cotangent, modulus);
        let zero = v.splat(real.clone(), 0.0);
        let is_zero = v.compare(Direction::Equal, modulus, zero);
        let share = v.choose(is_zero, zero, share);
        let [re, im] = [Parts::Real, Parts::Imag].map(|part| v.emit(part, &[x], real.clone()));
        let (re, im) = (v.times(share, re), v.times(share, im));
        let im = v.negated(im);
        v.emit(Parts::Make, &[re, im], complex)
    });
}

impl Unary {
    /// Whether nothing is passed back, the slope being zero.
    fn is_piecewise_constant(self) -> bool {
        matches!(self, Self::Ceil | Self::Floor | Self::RoundAway | Self::RoundEven | Self::Sign)
    }

    /// The cotangent of the operand.
    fn pulled_back(self, v: &mut Vjp<'_>, cotangent: ValueId) -> ValueId {
        match self {
            Self::Negate => v.negated(cotangent),
            Self::Exponential => Self::times_result(v, cotangent),
            Self::ExponentialMinusOne => {
                let product = Self::times_result(v, cotangent);
                v.plus(product, cotangent)
            }
            Self::Abs => Self::times_of(v, cotangent, Self::Sign),
            Self::Sine => Self::times_of(v, cotangent, Self::Cosine),
            Self::Cosine => {
                let product = Self::times_of(v, cotangent, Self::Sine);
                v.negated(product)
            }
            Self::Log => {
                let x = v.operand(0);
                v.over(cotangent, x)
            }
            Self::LogPlusOne => {
                let x = v.operand(0);
                let above = v.with_number(Binary::Add, x, 1);
                v.over(cotangent, above)
            }
            Self::Logistic | Self::Tan | Self::Tanh => self.pulled_back_by_result(v, cotangent),
            _ => self.pulled_back_through_root(v, cotangent),
        }
    }

    /// The same of functions whose derivative is a polynomial in their result.
    fn pulled_back_by_result(self, v: &mut Vjp<'_>, cotangent: ValueId) -> ValueId {
        let y = v.result(0);
        let one = v.number_like(y, 1.0);
        match self {
            Self::Logistic => {
                let rest = v.minus(one, y);
                let slope = v.times(y, rest);
                v.times(cotangent, slope)
            }
            Self::Tanh => {
                let (sum, difference) = (v.plus(one, y), v.minus(one, y));
                let slope = v.times(sum, difference);
                v.times(cotangent, slope)
            }
            _ => {
                let square = v.times(y, y);
                let slope = v.plus(one, square);
                v.times(cotangent, slope)
            }
        }
    }

    /// The same of roots, by their results.
    fn pulled_back_through_root(self, v: &mut Vjp<'_>, cotangent: ValueId) -> ValueId {
        let y = v.result(0);
        match self {
            Self::Sqrt => {
                let half = v.scaled(cotangent, 0.5);
                v.over(half, y)
            }
            Self::Rsqrt => {
                let x = v.operand(0);
                let slope = v.over(y, x);
                let half = v.scaled(cotangent, -0.5);
                v.times(half, slope)
            }
            _ => {
                let square = v.times(y, y);
                let third = v.scaled(cotangent, 1.0 / 3.0);
                v.over(third, square)
            }
        }
    }

    fn times_result(v: &mut Vjp<'_>, cotangent: ValueId) -> ValueId {
        let y = v.result(0);
        v.times(cotangent, y)
    }

    fn times_of(v: &mut Vjp<'_>, cotangent: ValueId, slope: Self) -> ValueId {
        let x = v.operand(0);
        let slope = v.unary(slope, x);
        v.times(cotangent, slope)
    }

    /// Whether the op may say how accurate its results must be. The evaluator is as accurate as it can be.
    fn has_accuracy(self) -> bool {
        matches!(
            self,
            Self::Cbrt
                | Self::Cosine
                | Self::Exponential
                | Self::ExponentialMinusOne
                | Self::Log
                | Self::LogPlusOne
                | Self::Logistic
                | Self::Rsqrt
                | Self::Sine
                | Self::Sqrt
                | Self::Tan
                | Self::Tanh
        )
    }

    /// The operand's type, but `i1` for tests and the real type for the magnitude of complex numbers.
    fn result_type(self, operand: &TensorType) -> TensorType {
        let element = match (self, operand.element) {
            (Self::IsFinite, _) => ElementType::I1,
            (Self::Abs, element) => element.part(),
            (_, element) => element,
        };
        TensorType::new(operand.shape.clone(), element)
    }

    /// The op of every element. Errors: elements that the op does not take.
    pub fn apply(self, x: &Tensor) -> Result<Tensor, EvalError> {
        let (element, storage) = (x.element(), x.storage());
        let bits = element.bits();
        let wrong = || Err(EvalError::new(format!("{} does not take elements of {element}", self.name())));
        // One kernel per storage, called with a pointer to the function; the cheapest have their own, which vectorize.
        macro_rules! number {
            ($f:ident) => {
                match storage {
                    StorageKind::F32 => map1(element, x, |a: f32| Number::$f(a)),
                    StorageKind::F64 => map1(element, x, |a: f64| Number::$f(a)),
                    _ => dispatch!(storage, T => map1(element, x, Number::$f as fn(T) -> T)),
                }
            };
        }
        macro_rules! integer {
            ($f:ident) => {
                dispatch_integer!(storage, T => map1(element, x, Integer::$f as fn(T) -> T), else wrong())
            };
            (counted $f:ident) => {
                dispatch_integer!(storage, T => {
                    let f: fn(T, usize) -> T = Integer::$f;
                    map1(element, x, counted(f, bits))
                }, else wrong())
            };
        }
        macro_rules! real {
            ($f:ident) => {
                dispatch_float!(storage, T => {
                    let f: fn(T) -> T = |a| T::narrow(Real::$f(a.widen()));
                    map1(element, x, f)
                }, else dispatch_complex!(storage, R => match self.of_complex::<R>() {
                    Some(f) => map1(element, x, f),
                    None => wrong(),
                }, else wrong()))
            };
            (fast $f:ident) => {
                match storage {
                    StorageKind::F32 => map1(element, x, |a: f32| Real::$f(a)),
                    StorageKind::F64 => map1(element, x, |a: f64| Real::$f(a)),
                    _ => real!($f),
                }
            };
        }
        match self {
            Self::Abs if storage.is_complex() => dispatch_complex!(storage, R => {
                map1(element.part(), x, Part::modulus as fn(Complex<R>) -> R)
            }, else wrong()),
            Self::Abs => number!(abs),
            Self::Negate => number!(neg),
            Self::Sign => number!(sign),
            Self::CountLeadingZeros => integer!(counted count_leading_zeros),
            Self::PopulationCount => integer!(counted population_count),
            Self::Not => integer!(not),
            Self::IsFinite => dispatch_float!(
                storage,
                T => map1(ElementType::I1, x, |a: T| a.cast::<f64>().is_finite()),
                else wrong()
            ),
            Self::Cbrt => real!(cbrt),
            Self::Ceil => real!(ceil),
            Self::Cosine => real!(cosine),
            Self::Exponential => real!(exp),
            Self::ExponentialMinusOne => real!(exp_minus_one),
            Self::Floor => real!(floor),
            Self::Log => real!(log),
            Self::LogPlusOne => real!(log_plus_one),
            Self::Logistic => real!(logistic),
            Self::RoundAway => real!(round_away),
            Self::RoundEven => real!(round_even),
            Self::Rsqrt => real!(fast rsqrt),
            Self::Sine => real!(sine),
            Self::Sqrt => real!(fast sqrt),
            Self::Tan => real!(tan),
            Self::Tanh => real!(tanh),
        }
    }
}

impl Unary {
    /// The function of complex numbers, where there is one.
    fn of_complex<R: Part>(self) -> Option<fn(Complex<R>) -> Complex<R>> {
        Some(match self {
            Self::Cbrt => Part::cbrt,
            Self::Cosine => Part::cos,
            Self::Exponential => Part::exp,
            Self::ExponentialMinusOne => Part::exp_m1,
            Self::Log => Part::ln,
            Self::LogPlusOne => Part::ln_1p,
            Self::Logistic => Part::logistic,
            Self::Rsqrt => Part::rsqrt,
            Self::Sine => Part::sin,
            Self::Sqrt => Part::sqrt,
            Self::Tan => Part::tan,
            Self::Tanh => Part::tanh,
            _ => return None,
        })
    }
}

/// A count of the bits of elements of `width` bits; one closure type for all counts of a storage.
fn counted<T: Integer>(f: fn(T, usize) -> T, width: usize) -> impl Fn(T) -> T + Sync {
    move |value| f(value, width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(values: &[f32]) -> Tensor {
        Tensor::from_vec(ElementType::F32, [values.len()], values.to_vec())
    }

    #[test]
    fn rounding_and_signs() {
        let x = floats(&[-2.5, -0.4, 0.5, 1.5, 2.5]);
        let apply = |op: Unary| op.apply(&x).unwrap().to_f64_vec();
        assert_eq!(apply(Unary::RoundAway), [-3.0, 0.0, 1.0, 2.0, 3.0]);
        assert_eq!(apply(Unary::RoundEven), [-2.0, 0.0, 0.0, 2.0, 2.0]);
        assert_eq!(apply(Unary::Floor), [-3.0, -1.0, 0.0, 1.0, 2.0]);
        assert_eq!(apply(Unary::Ceil), [-2.0, 0.0, 1.0, 2.0, 3.0]);
        assert_eq!(apply(Unary::Sign), [-1.0, -1.0, 1.0, 1.0, 1.0]);
        assert_eq!(apply(Unary::Abs), [2.5, 0.4f32.into(), 0.5, 1.5, 2.5]);
    }

    #[test]
    fn functions_keep_the_declared_type() {
        let x = floats(&[0.0, 1.0]);
        let exp = Unary::Exponential.apply(&x).unwrap();
        assert_eq!((exp.element(), exp.to_f64_vec()), (ElementType::F32, vec![1.0, f64::from(1f32.exp())]));
        assert_eq!(Unary::Logistic.apply(&x).unwrap().to_f64_vec()[0], 0.5);
        assert_eq!(Unary::LogPlusOne.apply(&x).unwrap().to_f64_vec()[1], f64::from(2f32.ln()));
    }

    #[test]
    fn finite_is_a_boolean_and_bits_are_counted_in_the_declared_width() {
        let finite = Unary::IsFinite.apply(&floats(&[1.0, f32::NAN, f32::INFINITY])).unwrap();
        assert_eq!((finite.element(), finite.to_i64_vec()), (ElementType::I1, vec![1, 0, 0]));
        let nibbles = Tensor::from_vec(ElementType::I4, [2], vec![1i8, -1]);
        assert_eq!(Unary::CountLeadingZeros.apply(&nibbles).unwrap().to_i64_vec(), [3, 0]);
        assert_eq!(Unary::PopulationCount.apply(&nibbles).unwrap().to_i64_vec(), [1, 4]);
        assert_eq!(Unary::Not.apply(&nibbles).unwrap().to_i64_vec(), [-2, 0]);
        assert!(Unary::Not.apply(&floats(&[1.0])).is_err());
        assert!(Unary::Tanh.apply(&nibbles).is_err());
    }
}
