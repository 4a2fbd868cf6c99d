//! [`Work`]: real numbers in which functions of shorter ones are computed, so that the result is rounded once.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `f64` for functions of `f32`, [`super::Dd`] for functions of `f64`.
#[allow(missing_docs)] // the methods are the usual functions
pub trait Work:
    Copy
    + PartialOrd
    + From<f64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Beyond this magnitude `1 + x * x` is `x * x` to all digits, with room to spare.
    const LARGE: f64;
    /// Beyond this magnitude `tanh(x)` is 1 to all digits.
    const SATURATED: f64;

    /// The nearest `f64`.
    fn to_f64(self) -> f64;
    /// Times 2 to the `exponent`.
    fn scaled(self, exponent: i32) -> Self;
    fn sqrt(self) -> Self;
    fn exp(self) -> Self;
    fn exp_m1(self) -> Self;
    fn ln(self) -> Self;
    fn ln_1p(self) -> Self;
    fn sin_cos(self) -> (Self, Self);
    fn atan2(self, x: Self) -> Self;

    fn abs(self) -> Self {
        if self.to_f64().is_sign_negative() { -self } else { self }
    }

    /// The exponent of the leading binary digit, 0 for what is not finite or zero.
    fn exponent(self) -> i32 {
        exponent(self.to_f64())
    }

    /// The exponent of the one of larger magnitude.
    fn larger_exponent(self, other: Self) -> i32 {
        exponent(self.to_f64().abs().max(other.to_f64().abs()))
    }

    fn hypot(self, other: Self) -> Self {
        let scale = self.larger_exponent(other);
        let (x, y) = (self.scaled(-scale), other.scaled(-scale));
        (x * x + y * y).sqrt().scaled(scale)
    }

    fn sinh(self) -> Self {
        let grown = self.abs().exp_m1();
        let sinh = match grown.to_f64().is_infinite() {
            true => grown,
            false => (grown + grown / (grown + 1.0.into())).scaled(-1),
        };
        if self.to_f64().is_sign_negative() { -sinh } else { sinh }
    }

    fn cosh(self) -> Self {
        let grown = self.abs().exp();
        (grown + Self::from(1.0) / grown).scaled(-1)
    }
}

/// The exponent of the leading binary digit, 0 for what is not finite or zero.
fn exponent(value: f64) -> i32 {
    match (value.to_bits() >> 52 & 0x7ff) as i32 {
        0x7ff => 0,
        0 if value == 0.0 => 0,
        0 => exponent(value * 2f64.powi(64)) - 64,
        biased => biased - 1023,
    }
}

/// `value` times 2 to the `exponent`, rounded once.
pub(super) fn scale(value: f64, exponent: i32) -> f64 {
    let step = |exponent: i32| f64::from_bits(((exponent.clamp(-1022, 1023) + 1023) as u64) << 52);
    let first = exponent.clamp(-969, 1023);
    let second = (exponent - first).clamp(-969, 1023);
    value * step(first) * step(second) * step(exponent - first - second)
}

impl Work for f64 {
    const LARGE: f64 = (1u64 << 28) as f64;
    const SATURATED: f64 = 20.0;

    fn to_f64(self) -> f64 {
        self
    }
    fn scaled(self, exponent: i32) -> Self {
        scale(self, exponent)
    }
    fn sqrt(self) -> Self {
        self.sqrt()
    }
    fn exp(self) -> Self {
        self.exp()
    }
    fn exp_m1(self) -> Self {
        self.exp_m1()
    }
    fn ln(self) -> Self {
        self.ln()
    }
    fn ln_1p(self) -> Self {
        self.ln_1p()
    }
    fn sin_cos(self) -> (Self, Self) {
        self.sin_cos()
    }
    fn atan2(self, x: Self) -> Self {
        self.atan2(x)
    }
    fn hypot(self, other: Self) -> Self {
        self.hypot(other)
    }
}
