//! [`Dd`]: numbers of about 106 binary digits as the sum of two `f64` (T. J. Dekker, "A floating-point technique for
//! extending the available precision", 1971), with the elementary functions.
//!
//! The range is that of `f64`, but digits are lost below 2^-960. Functions are good to 95 digits or more, except that
//! sines of arguments above 2^30 are those of `f64`.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use super::work::{Work, scale};

/// `hi + lo`, where `hi` is the nearest `f64` of the sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dd {
    /// The sum, rounded.
    pub hi: f64,
    /// What rounding left over.
    pub lo: f64,
}

const LN_2: Dd = Dd::new(std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17);
const PI: Dd = Dd::new(std::f64::consts::PI, 1.224_646_799_147_353_2e-16);
/// What the two parts of `PI` leave.
const PI_REST: f64 = -2.994_769_809_718_339_7e-33;

/// Below this magnitude the square of a number is nothing beside it.
const NEGLIGIBLE: f64 = 1e-34;

impl Dd {
    /// `hi + lo`, where `lo` is at most half a unit in the last place of `hi`.
    pub const fn new(hi: f64, lo: f64) -> Self {
        Self { hi, lo }
    }

    /// The sum of two numbers, exactly.
    pub fn sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        if !hi.is_finite() {
            return Self::new(hi, 0.0);
        }
        let b_part = hi - a;
        Self::new(hi, (a - (hi - b_part)) + (b - b_part))
    }

    /// The product of two numbers, exactly unless it underflows.
    pub fn product(a: f64, b: f64) -> Self {
        let hi = a * b;
        if !hi.is_finite() {
            return Self::new(hi, 0.0);
        }
        Self::new(hi, a.mul_add(b, -hi))
    }

    /// A sum whose first part is the larger one.
    fn normalized(hi: f64, lo: f64) -> Self {
        let sum = hi + lo;
        if lo == 0.0 || !sum.is_finite() {
            return Self::new(if lo == 0.0 { hi } else { sum }, 0.0);
        }
        Self::new(sum, lo - (sum - hi))
    }

    /// The sum of `x^n / n!` over every second `n` from `start`, whose term is `first`, with alternating signs.
    fn alternating(first: Self, square: Self, start: f64) -> Self {
        let (mut term, mut sum, mut n) = (first, first, start);
        while term.hi.abs() > sum.hi.abs() * 1e-34 && n < 60.0 {
            term = -(term * square) / Self::from((n + 1.0) * (n + 2.0));
            sum = sum + term;
            n += 2.0;
        }
        sum
    }
}

impl From<f64> for Dd {
    fn from(value: f64) -> Self {
        Self::new(value, 0.0)
    }
}

impl PartialOrd for Dd {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match self.hi.partial_cmp(&other.hi) {
            Some(Ordering::Equal) => self.lo.partial_cmp(&other.lo),
            order => order,
        }
    }
}

impl Neg for Dd {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.hi, -self.lo)
    }
}

impl Add for Dd {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, low) = (Self::sum(self.hi, other.hi), Self::sum(self.lo, other.lo));
        let first = Self::normalized(high.hi, high.lo + low.hi);
        Self::normalized(first.hi, first.lo + low.lo)
    }
}

impl Sub for Dd {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Dd {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = Self::product(self.hi, other.hi);
        if product.hi == 0.0 || !product.hi.is_finite() {
            return product;
        }
        Self::normalized(product.hi, product.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for Dd {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        if first == 0.0 || !first.is_finite() || !other.hi.is_finite() {
            return Self::new(first, 0.0);
        }
        let rest = self - other * Self::from(first);
        let second = rest.hi / other.hi;
        let rest = rest - other * Self::from(second);
        Self::normalized(first, second) + Self::from(rest.hi / other.hi)
    }
}

impl Work for Dd {
    const LARGE: f64 = (1u64 << 60) as f64;
    const SATURATED: f64 = 40.0;

    fn to_f64(self) -> f64 {
        self.hi
    }

    fn scaled(self, exponent: i32) -> Self {
        Self::normalized(scale(self.hi, exponent), scale(self.lo, exponent))
    }

    fn sqrt(self) -> Self {
        let root = self.hi.sqrt();
        if !(root > 0.0 && root.is_finite()) {
            return Self::new(root, 0.0);
        }
        let rest = self - Self::product(root, root);
        Self::normalized(root, rest.hi / (2.0 * root))
    }

    fn exp(self) -> Self {
        if self.hi.abs() < 1.0 {
            return self.exp_m1() + 1.0.into();
        }
        let turns = (self.hi / LN_2.hi).round();
        if !turns.is_finite() || turns.abs() > 1100.0 {
            return self.hi.exp().into();
        }
        let rest = self - LN_2 * turns.into();
        (rest.exp_m1() + 1.0.into()).scaled(turns as i32)
    }

    fn exp_m1(self) -> Self {
        if self.hi.is_nan() || self.hi.abs() > 1.0 {
            return self.exp() - 1.0.into();
        }
        if self.hi.abs() < NEGLIGIBLE {
            return self;
        }
        // The series of a 64th, squared six times: exp(2x) - 1 = s (s + 2).
        const HALVINGS: i32 = 6;
        let x = self.scaled(-HALVINGS);
        let (mut term, mut sum, mut n) = (x, x, 1.0);
        while term.hi.abs() > sum.hi.abs() * 1e-34 && n < 30.0 {
            n += 1.0;
            term = term * x / n.into();
            sum = sum + term;
        }
        for _ in 0..HALVINGS {
            sum = sum * (sum + 2.0.into());
        }
        sum
    }

    fn ln(self) -> Self {
        if !(self.hi > 0.0 && self.hi.is_finite()) {
            return self.hi.ln().into();
        }
        let exponent = self.exponent();
        let near_one = self.scaled(-exponent);
        let (near_one, exponent) =
            if near_one.hi > 1.5 { (near_one.scaled(-1), exponent + 1) } else { (near_one, exponent) };
        let rest = (near_one - 1.0.into()).ln_1p();
        if exponent == 0 { rest } else { LN_2 * f64::from(exponent).into() + rest }
    }

    fn ln_1p(self) -> Self {
        if self.hi.abs() < NEGLIGIBLE {
            return self;
        }
        if self.hi.is_nan() || self.hi <= -0.75 || self.hi > 3.0 {
            return (self + 1.0.into()).ln();
        }
        // One step of Newton's method from the `f64`, with its second-order term.
        let first = Self::from(self.hi.ln_1p());
        let grown = first.exp_m1();
        let error = (self - grown) / (grown + 1.0.into());
        first + (error - (error * error).scaled(-1))
    }

    fn sin_cos(self) -> (Self, Self) {
        const LARGEST: f64 = (1u64 << 30) as f64;
        if self.hi == 0.0 {
            return (self, 1.0.into());
        }
        if self.hi.is_nan() || self.hi.abs() >= LARGEST {
            let (sin, cos) = self.hi.sin_cos();
            return (Self::sum(sin, self.lo * cos), Self::sum(cos, -self.lo * sin));
        }
        let quarters = (self.hi / (PI.hi / 2.0)).round();
        let half = Self::from(quarters / 2.0);
        let rest = (self - Self::product(PI.hi, half.hi))
            - Self::product(PI.lo, half.hi)
            - Self::from(PI_REST * half.hi);
        let square = rest * rest;
        let sin = Self::alternating(rest, square, 1.0);
        let cos = Self::alternating(1.0.into(), square, 0.0);
        match quarters.rem_euclid(4.0) as u8 {
            0 => (sin, cos),
            1 => (cos, -sin),
            2 => (-sin, -cos),
            _ => (-cos, sin),
        }
    }

    fn atan2(self, x: Self) -> Self {
        let first = self.hi.atan2(x.hi);
        let is_plain = |value: f64| value.is_finite() && value != 0.0;
        if !is_plain(self.hi) || !is_plain(x.hi) || first.abs() < 1e-290 {
            return match first.abs() {
                // An angle of a quarter or half turn has more digits than an `f64`.
                angle if angle == PI.hi => PI.with_sign(first),
                angle if angle == PI.hi / 2.0 => PI.scaled(-1).with_sign(first),
                _ => first.into(),
            };
        }
        // The angle that is left after turning back by the first one.
        let scale = self.exponent().max(x.exponent());
        let (y, x) = (self.scaled(-scale), x.scaled(-scale));
        let (sin, cos) = Self::from(first).sin_cos();
        Self::from(first) + (y * cos - x * sin) / (x * cos + y * sin)
    }
}

impl Dd {
    fn with_sign(self, sign: f64) -> Self {
        if sign.is_sign_negative() { -self } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(actual: Dd, expected: Dd) {
        let error = ((actual - expected) / expected).to_f64().abs();
        assert!(error < 1e-29, "{actual:?} is not {expected:?}: {error:e}");
    }

    #[test]
    fn arithmetic_undoes_itself() {
        let (a, b) = (Dd::sum(1.0 / 3.0, 1e-20), Dd::product(0.1, 0.7));
        close((a / b) * b, a);
        close((a + b) - b, a);
        close(a.sqrt() * a.sqrt(), a);
        assert_eq!((Dd::from(-0.0) * 3.0.into()).to_f64().to_bits(), (-0.0f64).to_bits());
    }

    #[test]
    fn functions_agree_with_one_another() {
        for x in [1e-9, 0.3, 0.9, 1.1, 2.5, 30.0, 600.0] {
            let x = Dd::sum(x, x * 1e-17);
            close(x.exp().ln() + 1.0.into(), x + 1.0.into());
            close(x.ln_1p().exp_m1(), x);
            close(x.exp() * (-x).exp(), 1.0.into());
            let (sin, cos) = x.sin_cos();
            close(sin * sin + cos * cos, 1.0.into());
            close(x.cosh() + x.sinh(), x.exp());
            let angle = sin.atan2(cos);
            let turns = ((x - angle).to_f64() / (2.0 * PI.hi)).round();
            close(angle + PI * (2.0 * turns).into(), x);
        }
        close(Dd::from(2.0).ln(), LN_2);
        close(Dd::from(0.0).atan2((-1.0).into()), PI);
    }
}
