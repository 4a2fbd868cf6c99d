//! Elementwise functions of the `chlo` dialect that JAX leaves to the compiler: `chlo.erf`, `chlo.square`, ...

use crate::attribute::Attributes;
use crate::eval::Context;
use crate::eval_error::EvalError;
use crate::op::{AttrReader, OpDef, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::tensor::kernels::map1;
use crate::tensor::{Complex, Native, Part, Tensor};
use crate::text::{OpPrinter, Parsed, Parser};
use crate::types::{ElementKind, ElementType, TensorType};
use crate::{dispatch_complex, dispatch_float};

use super::binary::Binary;

macro_rules! unary {
    ($($kind:ident = $name:literal),* $(,)?) => {
        /// Which function.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum ChloUnary { $($kind),* }

        impl ChloUnary {
            /// All of them, in the order of [`OpDef::NAMES`].
            pub const ALL: &'static [ChloUnary] = &[$(Self::$kind),*];
            const ALL_NAMES: &'static [&'static str] = &[$(concat!("chlo.", $name)),*];
        }
    };
}

unary! {
    Acos = "acos",
    AsinAcosKernel = "_asin_acos_kernel",
    Acosh = "acosh",
    Asin = "asin",
    Asinh = "asinh",
    Atan = "atan",
    Atanh = "atanh",
    BesselI1e = "bessel_i1e",
    Conj = "conj",
    Cosh = "cosh",
    Digamma = "digamma",
    Erf = "erf",
    ErfInv = "erf_inv",
    Erfc = "erfc",
    IsInf = "is_inf",
    IsNegInf = "is_neg_inf",
    IsPosInf = "is_pos_inf",
    Lgamma = "lgamma",
    Sinh = "sinh",
    Square = "square",
    Tan = "tan",
}

impl OpDef for ChloUnary {
    const NAMES: &'static [&'static str] = Self::ALL_NAMES;

    fn name(&self) -> &'static str {
        Self::NAMES[*self as usize]
    }

    /// `%x : type -> type`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let operand = p.operand()?;
        let attributes = p.attr_dict_opt()?;
        let ty = p.colon_type()?;
        p.arrow()?;
        let result = p.ty()?;
        let op = Self::from_name(name);
        Ok(ParsedInst::new(op, vec![operand], vec![result]).typed(vec![ty]).with(attributes))
    }

    fn from_attributes(name: &'static str, _: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self::from_name(name))
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new()
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.text(" ");
        p.values(&view.inst.operands);
        p.attributes();
        p.colon_type(view.body.ty(view.inst.operands[0]));
        p.text(" -> ");
        p.ty(view.body.ty(view.inst.results[0]));
        true
    }

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
            let element = if self.is_test() { ElementType::I1 } else { operand.element };
            violations.result_type(view, 0, &TensorType::new(operand.shape.clone(), element).into());
        }
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn evaluate(
        &self,
        _: &InstView<'_>,
        inputs: Vec<Tensor>,
        _: &mut dyn Context,
    ) -> Result<Vec<Tensor>, EvalError> {
        Ok(vec![self.apply(&inputs[0])?])
    }
}

impl ChloUnary {
    fn from_name(name: &str) -> Self {
        let at = Self::NAMES.iter().position(|known| *known == name).expect("the parser passes known names");
        Self::ALL[at]
    }

    fn is_test(self) -> bool {
        matches!(self, Self::IsInf | Self::IsNegInf | Self::IsPosInf)
    }

    /// The function of every element, computed in `f64` and rounded once. Errors: elements it does not take.
    pub fn apply(self, x: &Tensor) -> Result<Tensor, EvalError> {
        let element = x.element();
        let f: fn(f64) -> f64 = match self {
            Self::Square if !x.storage().is_complex() => return Binary::Multiply.apply(x, x),
            Self::Square => |value| value * value,
            Self::IsInf => return self.test(x, f64::is_infinite),
            Self::IsNegInf => return self.test(x, |value| value == f64::NEG_INFINITY),
            Self::IsPosInf => return self.test(x, |value| value == f64::INFINITY),
            Self::AsinAcosKernel | Self::BesselI1e | Self::Conj | Self::Digamma | Self::Lgamma => {
                return Err(EvalError::new(format!("`{}` is not evaluated yet", self.name())));
            }
            Self::Acos => f64::acos,
            Self::Acosh => f64::acosh,
            Self::Asin => f64::asin,
            Self::Asinh => f64::asinh,
            Self::Atan => f64::atan,
            Self::Atanh => f64::atanh,
            Self::Cosh => f64::cosh,
            Self::Erf => erf,
            Self::ErfInv => erf_inv,
            Self::Erfc => erfc,
            Self::Sinh => f64::sinh,
            Self::Tan => f64::tan,
        };
        dispatch_float!(
            x.storage(),
            T => map1(element, x, |value: T| f(value.cast::<f64>()).cast::<T>()),
            else dispatch_complex!(x.storage(), R => match self.of_complex::<R>() {
                Some(f) => map1(element, x, f),
                None => Err(self.wrong(element)),
            }, else Err(self.wrong(element)))
        )
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

/// Below this magnitude the series of [`erf`] is used, above it the continued fraction of [`erfc`].
const SWITCH: f64 = 2.0;

/// 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to `x`, to a few units in the last place.
fn erf(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    if x.abs() >= SWITCH {
        return (1.0 - erfc_tail(x.abs())).copysign(x);
    }
    // exp(-x^2) * sum of 2^n x^(2n+1) / (1 * 3 * ... * (2n+1)): no term cancels another (Abramowitz and Stegun, 7.1.6).
    let square = 2.0 * x * x;
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > sum.abs() * f64::EPSILON / 4.0 {
        odd += 2.0;
        term *= square / odd;
        sum += term;
    }
    std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

/// 1 - erf(x), without cancellation for large `x`.
fn erfc(x: f64) -> f64 {
    match () {
        () if x >= SWITCH => erfc_tail(x),
        () if x <= -SWITCH => 2.0 - erfc_tail(-x),
        () => 1.0 - erf(x),
    }
}

/// erfc for `x` of at least [`SWITCH`]: exp(-x^2) / sqrt(pi) / (x + 1/2 / (x + 1 / (x + 3/2 / (x + ...))))
/// (Abramowitz and Stegun, 7.1.14).
fn erfc_tail(x: f64) -> f64 {
    if x > 27.3 {
        return 0.0;
    }
    let fraction = (1..=80).rev().fold(x, |below, n| x + f64::from(n) / 2.0 / below);
    (-x * x).exp() * std::f64::consts::FRAC_2_SQRT_PI / 2.0 / fraction
}

/// The `x` whose erf is `y`; infinite at -1 and 1, NaN outside.
fn erf_inv(y: f64) -> f64 {
    if y.is_nan() || y.abs() > 1.0 {
        return f64::NAN;
    }
    if y.abs() == 1.0 {
        return y * f64::INFINITY;
    }
    if y == 0.0 {
        return y;
    }
    // Winitzki's approximation, then Halley's steps on the tail, which keeps its precision near 1.
    let tail = 1.0 - y.abs();
    let log = (tail * (1.0 + y.abs())).ln();
    let a = 0.147;
    let half = 2.0 / (std::f64::consts::PI * a) + log / 2.0;
    let mut x = ((half * half - log / a).sqrt() - half).sqrt();
    for _ in 0..4 {
        let error = if x < 0.5 { y.abs() - erf(x) } else { erfc(x) - tail };
        let newton = error / (std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp());
        x += newton / (1.0 + x * newton);
    }
    x.copysign(y)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(actual: f64, expected: f64) {
        assert!((actual - expected).abs() <= 4e-14 * expected.abs(), "{actual:e} is not {expected:e}");
    }

    #[test]
    fn error_functions_at_tabulated_points() {
        close(erf(0.5), 0.520_499_877_813_046_5);
        close(erf(-1.0), -0.842_700_792_949_714_9);
        close(erf(1.9), 0.992_790_429_235_257_5);
        close(erf(3.0), 0.999_977_909_503_001_4);
        close(erfc(0.25), 0.723_673_609_831_763_1);
        close(erfc(2.0), 0.004_677_734_981_047_266);
        close(erfc(5.0), 1.537_459_794_428_034_8e-12);
        close(erfc(-3.0), 1.999_977_909_503_001_4);
        assert_eq!((erf(1e-300), erf(-0.0).to_bits()), (1e-300 * std::f64::consts::FRAC_2_SQRT_PI, (-0.0f64).to_bits()));
        assert_eq!((erf(f64::INFINITY), erfc(f64::INFINITY), erfc(f64::NEG_INFINITY)), (1.0, 0.0, 2.0));
        assert!(erf(f64::NAN).is_nan() && erfc(f64::NAN).is_nan());
    }

    #[test]
    fn the_inverse_undoes_it() {
        for y in [-0.999_999, -0.7, -1e-8, 1e-3, 0.3, 0.5, 0.9, 0.99, 1.0 - 1e-12] {
            let x = erf_inv(y);
            assert!((erf(x) - y).abs() <= 4.0 * f64::EPSILON * y.abs(), "{y}");
        }
        assert_eq!((erf_inv(1.0), erf_inv(-1.0)), (f64::INFINITY, f64::NEG_INFINITY));
        assert!(erf_inv(1.5).is_nan());
    }

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
