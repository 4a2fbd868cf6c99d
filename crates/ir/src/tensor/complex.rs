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
    pub(crate) fn plus(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }

    pub(crate) fn times(self, other: Self) -> Self {
        Self::new(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    }

    pub(crate) fn conjugate(self) -> Self {
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
