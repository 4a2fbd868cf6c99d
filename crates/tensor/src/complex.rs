//! Complex numbers as elements: [`Complex`] with its arithmetic, and [`Part`], the two types that its parts have.

use super::arith::{Number, Real};
use super::math::{Dd, Work, complex_functions as functions};
use super::native::Element;

/// A complex number. The order is lexicographic; nothing is ordered where NaN decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Complex<R> {
    /// The real part.
    pub re: R,
    /// The imaginary part.
    pub im: R,
}

impl<R> Complex<R> {
    /// `re + im i`.
    #[inline(always)]
    pub const fn new(re: R, im: R) -> Self {
        Self { re, im }
    }
}

/// Plain arithmetic, each part rounded after every step: for algorithms that add up many terms.
impl Complex<f64> {
    /// The sum.
    pub fn plus(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }

    /// The difference.
    pub fn minus(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }

    /// The product.
    pub fn times(self, other: Self) -> Self {
        Self::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }

    /// The same with the other sign of the imaginary part.
    pub fn conjugate(self) -> Self {
        Self::new(self.re, -self.im)
    }
}

macro_rules! functions {
    ($($name:ident($($operand:ident),*)),* $(,)?) => {
        /// `f32` and `f64` as parts of complex numbers, whose functions are computed in about twice the precision.
        #[allow(missing_docs)] // the functions are the usual ones
        pub trait Part: Real {
            /// The distance from zero.
            fn modulus(z: Complex<Self>) -> Self;
            $(fn $name($($operand: Complex<Self>),*) -> Complex<Self>;)*
        }
        functions!(@part f32 f64: $($name($($operand),*)),*);
        functions!(@part f64 Dd: $($name($($operand),*)),*);
    };
    (@part $part:ident $work:ident: $($name:ident($($operand:ident),*)),*) => {
        impl Part for $part {
            fn modulus(z: Complex<Self>) -> Self {
                functions::modulus(Complex::<$work>::new(z.re.into(), z.im.into())).to_f64() as $part
            }
            $(fn $name($($operand: Complex<Self>),*) -> Complex<Self> {
                $(let $operand = Complex::<$work>::new(f64::from($operand.re).into(), f64::from($operand.im).into());)*
                let result = functions::$name($($operand),*);
                Complex::new(result.re.to_f64() as $part, result.im.to_f64() as $part)
            })*
        }
    };
}

functions!(
    acos(z),
    acosh(z),
    asin(z),
    asin_acos_kernel(z),
    asinh(z),
    atan(z),
    atan2(y, x),
    atanh(z),
    cbrt(z),
    cos(z),
    cosh(z),
    divide(a, b),
    exp(z),
    exp_m1(z),
    ln(z),
    ln_1p(z),
    logistic(z),
    multiply(a, b),
    power(a, b),
    rsqrt(z),
    sign(z),
    sin(z),
    sinh(z),
    sqrt(z),
    square(z),
    tan(z),
    tanh(z),
);

impl<R: Part> Number for Complex<R>
where
    Self: Element,
{
    fn add(self, other: Self) -> Self {
        Self::new(self.re.add(other.re), self.im.add(other.im))
    }
    fn sub(self, other: Self) -> Self {
        Self::new(self.re.sub(other.re), self.im.sub(other.im))
    }
    fn mul(self, other: Self) -> Self {
        Part::multiply(self, other)
    }
    fn div(self, other: Self) -> Self {
        Part::divide(self, other)
    }
    /// Left open by the specification; no number.
    fn rem(self, _: Self) -> Self {
        Self::new(R::from_f64(f64::NAN), R::from_f64(f64::NAN))
    }
    fn power(self, other: Self) -> Self {
        Part::power(self, other)
    }
    fn neg(self) -> Self {
        Self::new(self.re.neg(), self.im.neg())
    }
    /// As a complex number; the op `abs` takes the real one.
    fn abs(self) -> Self {
        Self::new(Part::modulus(self), R::default())
    }
    fn sign(self) -> Self {
        Part::sign(self)
    }
    /// The lesser in lexicographic order; NaN if either is.
    fn minimum(self, other: Self) -> Self {
        if self <= other || is_nan(self) { self } else { other }
    }
    /// The greater in lexicographic order; NaN if either is.
    fn maximum(self, other: Self) -> Self {
        if self >= other || is_nan(self) { self } else { other }
    }
}

/// Whether either part is no number.
fn is_nan<R: PartialOrd>(z: Complex<R>) -> bool {
    let is_number = |part: &R| part.partial_cmp(part).is_some();
    !is_number(&z.re) || !is_number(&z.im)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn z(re: f64, im: f64) -> Complex<f64> {
        Complex::new(re, im)
    }

    fn close(actual: Complex<f64>, expected: Complex<f64>) {
        let is_close = |a: f64, b: f64| a == b || (a - b).abs() <= 2.0 * f64::EPSILON * b.abs();
        assert!(
            is_close(actual.re, expected.re) && is_close(actual.im, expected.im),
            "{actual:?} is not {expected:?}"
        );
    }

    #[test]
    fn squares_of_small_and_large_parts_stay_in_range() {
        assert_eq!([Part::modulus(z(0.0, 1e-200)), Part::modulus(z(3e300, 4e300))], [1e-200, 5e300]);
        assert_eq!([Part::modulus(z(5e-324, 0.0)), Part::modulus(z(1e308, 0.0))], [5e-324, 1e308]);
        let half = std::f64::consts::FRAC_1_SQRT_2;
        close(Part::sign(z(1e-300, 1e-300)), z(half, half));
        close(Part::sign(z(0.0, -1e-320)), z(0.0, -1.0));
        close(Part::sign(z(1.7e308, 1.7e308)), z(half, half));
        close(Part::sqrt(z(0.0, 1e-200)), z(half * 1e-100, half * 1e-100));
        close(Part::sqrt(z(1e-310, 0.0)), z(1e-310f64.sqrt(), 0.0));
        close(Part::sqrt(z(-1e308, 0.0)), z(0.0, 1e154));
        close(Part::rsqrt(z(1e-200, 0.0)), z(1e100, 0.0));
    }

    #[test]
    fn divisors_of_any_size() {
        close(Part::divide(z(1.0, 0.0), z(1e-200, 0.0)), z(1e200, 0.0));
        close(Part::divide(z(1.0, 0.0), z(0.0, 1e-200)), z(0.0, -1e200));
        close(Part::divide(z(1e-300, 0.0), z(1e-300, 1e-300)), z(0.5, -0.5));
        close(Part::divide(z(1e300, 1e300), z(0.0, 1e300)), z(1.0, -1.0));
        close(Part::divide(z(3.0, 0.0), z(0.0, f64::INFINITY)), z(0.0, 0.0));
        assert_eq!(Part::divide(z(f64::INFINITY, 0.0), z(2.0, 0.0)).re, f64::INFINITY);
    }

    #[test]
    fn large_powers_turn_by_what_whole_turns_leave() {
        assert_eq!(Part::power(z(0.0, 1.0), z(1e15, 0.0)), z(1.0, 0.0));
        assert_eq!(Part::power(z(0.0, 1.0), z(3.0, 0.0)), z(0.0, -1.0));
        assert_eq!(
            Part::power(Complex::new(0f32, 1.0), Complex::new(1e9 + 64.0, 0.0)),
            Complex::new(1.0, 0.0)
        );
        for exponent in [1e17, 3e12, -1e25] {
            let modulus = Part::modulus(Part::power(z(2.0, 0.0), z(0.0, exponent)));
            assert!((modulus - 1.0).abs() < 4.0 * f64::EPSILON, "{exponent}: {modulus}");
        }
        // cos and sin of 1e12 ln(2).
        close(Part::power(z(2.0, 0.0), z(0.0, 1e12)), z(-0.458_444_995_840_577_63, 0.888_722_783_430_656));
        close(Part::power(z(3.0, 4.0), z(2.0, 0.0)), z(-7.0, 24.0));
        close(Part::power(z(2.0, 0.0), z(1023.5, 0.0)), z(1.271_161_006_153_646_4e308, 0.0));
    }

    #[test]
    fn powers_of_infinity_and_zero() {
        let infinite = z(f64::INFINITY, 0.0);
        assert_eq!(Part::power(infinite, z(1.0, 0.0)), infinite);
        assert_eq!(Part::power(infinite, z(-1.0, 0.0)), z(0.0, 0.0));
        assert_eq!(Part::power(infinite, z(0.0, 0.0)), z(1.0, 0.0));
        assert_eq!(Part::power(z(0.0, 0.0), z(2.0, 1.0)), z(0.0, 0.0));
        assert!(Part::power(z(0.0, 0.0), z(-1.0, 0.0)).re.is_nan());
    }

    #[test]
    fn logistic_of_far_negative_parts_is_not_zero() {
        close(Part::logistic(z(-740.0, 0.0)), z((-740f64).exp(), 0.0));
        close(Part::logistic(z(0.0, 0.0)), z(0.5, 0.0));
        close(Part::logistic(z(800.0, 0.0)), z(1.0, 0.0));
    }
}
