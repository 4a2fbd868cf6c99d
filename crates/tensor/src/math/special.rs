//! Special functions of real numbers: error functions, logarithms of gamma and their derivatives, Bessel's, Hurwitz's
//! zeta; and the inverse hyperbolic functions, which the standard library computes less well.
//!
//! Functions that are generic in [`Work`] are right to the last places of what is narrower.

use super::{Dd, Work};

/// The Bernoulli numbers B2, B4, ... as fractions.
const BERNOULLI: [(f64, f64); 15] = [
    (1.0, 6.0),
    (-1.0, 30.0),
    (1.0, 42.0),
    (-1.0, 30.0),
    (5.0, 66.0),
    (-691.0, 2730.0),
    (7.0, 6.0),
    (-3617.0, 510.0),
    (43867.0, 798.0),
    (-174_611.0, 330.0),
    (854_513.0, 138.0),
    (-236_364_091.0, 2730.0),
    (8_553_103.0, 6.0),
    (-23_749_461_029.0, 870.0),
    (8_615_841_276_005.0, 14322.0),
];

/// From here on the asymptotic series of gamma's relatives converge to all digits of any [`Work`].
const ASYMPTOTIC: f64 = 32.0;

fn bernoulli<W: Work>(index: usize) -> W {
    let (above, below) = BERNOULLI[index];
    W::from(above) / W::from(below)
}

fn pi<W: Work>() -> W {
    W::from(0.0).atan2((-1.0).into())
}

fn is_pole(x: f64) -> bool {
    x <= 0.0 && x == x.floor()
}

/// 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to `x`.
pub fn erf(x: f64) -> f64 {
    libm::erf(x)
}

/// 1 - erf(x), without cancellation for large `x`.
pub fn erfc(x: f64) -> f64 {
    libm::erfc(x)
}

/// The `x` whose erf is `y`; infinite at -1 and 1, NaN outside.
pub fn erf_inv(y: f64) -> f64 {
    if y.is_nan() || y.abs() > 1.0 {
        return f64::NAN;
    }
    if y.abs() == 1.0 {
        return y * f64::INFINITY;
    }
    if y.abs() < 1e-150 {
        return y / std::f64::consts::FRAC_2_SQRT_PI;
    }
    // Winitzki's approximation, then Halley's steps on the tail, which keeps its precision near 1.
    let tail = 1.0 - y.abs();
    let log = (-y * y).ln_1p();
    let a = 0.147;
    let half = 2.0 / (std::f64::consts::PI * a) + log / 2.0;
    let mut x = -log / a / ((half * half - log / a).sqrt() + half);
    x = x.sqrt();
    for _ in 0..4 {
        let error = if y.abs() < 0.5 { y.abs() - erf(x) } else { erfc(x) - tail };
        let newton = error / (std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp());
        x += newton / (1.0 + x * newton);
    }
    x.copysign(y)
}

/// The logarithm of the magnitude of gamma; infinite at its poles.
pub fn lgamma<W: Work>(x: f64) -> W {
    if x.is_nan() || x.is_infinite() {
        return x.abs().into();
    }
    if is_pole(x) {
        return f64::INFINITY.into();
    }
    if x == 1.0 || x == 2.0 {
        return 0.0.into();
    }
    for zero in [1.0, 2.0] {
        if (x - zero).abs() < 0.01 {
            return lgamma_near_zero(x - zero, zero == 2.0);
        }
    }
    if x.abs() < 1e-30 {
        return -W::from(x.abs()).ln();
    }
    if x < 0.5 {
        // gamma(x) gamma(1 - x) = pi / sin(pi x)
        let (sin, _) = (pi::<W>() * (x - x.round()).into()).sin_cos();
        return (pi::<W>() / sin.abs()).ln() - lgamma_right::<W>(W::from(1.0) - x.into());
    }
    lgamma_right(x.into())
}

/// The zeta function of Riemann at 2, 3, ...
const ZETA: [f64; 9] = [
    1.644_934_066_848_226_4,
    1.202_056_903_159_594_2,
    1.082_323_233_711_138_2,
    1.036_927_755_143_37,
    1.017_343_061_984_449,
    1.008_349_277_381_922_8,
    1.004_077_356_197_944_3,
    1.002_008_392_826_082_2,
    1.000_994_575_127_818_1,
];

/// At `1 + offset` or `2 + offset`, next to the zeros: the series of powers of the offset.
fn lgamma_near_zero<W: Work>(offset: f64, is_two: bool) -> W {
    let euler = W::from(0.577_215_664_901_532_9) + W::from(-4.942_915_152_430_645e-18);
    let subtracted = if is_two { 1.0 } else { 0.0 };
    let mut sum = W::from(0.0);
    for (index, zeta) in ZETA.iter().enumerate().rev() {
        sum = (sum + W::from((zeta - subtracted) / (index + 2) as f64)) * (-offset).into();
    }
    (W::from(subtracted) - euler - sum) * offset.into()
}

/// For arguments of at least a half: Stirling's series after steps to the right.
fn lgamma_right<W: Work>(x: W) -> W {
    let (mut z, mut product) = (x, W::from(1.0));
    while z.to_f64() < ASYMPTOTIC {
        product = product * z;
        z = z + 1.0.into();
    }
    let (inverse, mut power) = (W::from(1.0) / (z * z), W::from(1.0) / z);
    let mut series = W::from(0.0);
    for index in 0..BERNOULLI.len() {
        let n = 2.0 * index as f64 + 2.0;
        series = series + bernoulli::<W>(index) * power / (n * (n - 1.0)).into();
        power = power * inverse;
    }
    let half_log = (pi::<W>().scaled(1)).ln().scaled(-1);
    (z - 0.5.into()) * z.ln() - z + half_log + series - product.ln()
}

/// The derivative of the logarithm of gamma; NaN at its poles.
pub fn digamma<W: Work>(x: f64) -> W {
    if x == f64::INFINITY {
        return x.into();
    }
    if is_pole(x) || !x.is_finite() {
        return f64::NAN.into();
    }
    if x < 0.5 {
        let (sin, cos) = (pi::<W>() * (x - x.round()).into()).sin_cos();
        return digamma_right::<W>(W::from(1.0) - x.into()) - pi::<W>() * cos / sin;
    }
    digamma_right(x.into())
}

fn digamma_right<W: Work>(x: W) -> W {
    let (mut z, mut steps) = (x, W::from(0.0));
    while z.to_f64() < ASYMPTOTIC {
        steps = steps + W::from(1.0) / z;
        z = z + 1.0.into();
    }
    let inverse = W::from(1.0) / (z * z);
    let (mut power, mut series) = (inverse, W::from(0.0));
    for index in 0..BERNOULLI.len() {
        series = series + bernoulli::<W>(index) * power / (2.0 * index as f64 + 2.0).into();
        power = power * inverse;
    }
    z.ln() - W::from(0.5) / z - series - steps
}

/// exp(-|x|) times the modified Bessel function of the first kind and order 1.
pub fn bessel_i1e<W: Work>(x: f64) -> W {
    if x.is_nan() {
        return x.into();
    }
    let magnitude = W::from(x.abs());
    let value = if x.abs() > W::SATURATED {
        // 1 - (4 - 1) / (8x) + (4 - 1)(4 - 9) / (2! (8x)^2) - ...
        let (mut term, mut sum, mut n) = (W::from(1.0), W::from(1.0), 0.0);
        while term.to_f64().abs() > 1e-34 && n < 2.0 * W::SATURATED {
            n += 1.0;
            let odd = 2.0 * n - 1.0;
            term = -(term * (4.0 - odd * odd).into()) / (magnitude * (8.0 * n).into());
            sum = sum + term;
        }
        sum / (magnitude.sqrt() * pi::<W>().scaled(1).sqrt())
    } else {
        let half = magnitude.scaled(-1);
        let square = half * half;
        let (mut term, mut sum, mut n) = (half, half, 0.0);
        while term.to_f64() > sum.to_f64() * 1e-34 {
            n += 1.0;
            term = term * square / (n * (n + 1.0)).into();
            sum = sum + term;
        }
        sum * (-magnitude).exp()
    };
    if x.is_sign_negative() { -value } else { value }
}

/// Hurwitz's zeta function, the sum of `(q + n)^-x` over all `n` from zero, by the formula of Euler and Maclaurin.
pub fn zeta(x: f64, q: f64) -> f64 {
    match () {
        () if x.is_nan() || q.is_nan() || x < 1.0 => return f64::NAN,
        () if x == 1.0 => return f64::INFINITY,
        () if is_pole(q) => return if x == x.floor() && x % 2.0 == 0.0 { f64::INFINITY } else { f64::NAN },
        () if q < 0.0 && x != x.floor() => return f64::NAN,
        () => {}
    }
    if q < -ASYMPTOTIC {
        // The terms before zero are powers of -last, 1 - last, ..., -q with the sign of (-1)^x, where last is above -1.
        let last = q + (-q).floor();
        let sign = if x % 2.0 == 0.0 { 1.0 } else { -1.0 };
        return zeta(x, last + 1.0) + sign * (zeta(x, -last) - zeta(x, 1.0 - q));
    }
    zeta_by(x, q, 1.0)
}

/// The sum of `((q + n) / unit)^-x`, for numbers `q` that are not far below zero. Terms on both sides of zero may cancel.
fn zeta_by(x: f64, q: f64, unit: f64) -> f64 {
    let (mut at, mut sum) = (Dd::from(q), Dd::from(0.0));
    // The series at the end is one of squares of x / (2 pi at).
    while at.to_f64() < (x / 2.0).max(ASYMPTOTIC / 2.0) {
        let term = inverse_power(at, x, unit);
        sum = sum + term;
        let rest = term.to_f64() * (1.0 + at.to_f64() / (x - 1.0));
        if at.to_f64() > 0.0 && rest <= sum.to_f64().abs() * f64::EPSILON / 4.0 {
            return sum.to_f64();
        }
        at = at + Dd::from(1.0);
    }
    let mut power = inverse_power(at, x, unit);
    sum = sum + power * at / Dd::from(x - 1.0) + power.scaled(-1);
    // The derivatives of t^-x at the end of the sum.
    let mut factor = Dd::from(x);
    for index in 0..BERNOULLI.len() {
        let n = 2.0 * index as f64;
        power = power / at;
        if power.to_f64() == 0.0 {
            break;
        }
        let term = bernoulli::<Dd>(index) * factor / Dd::from(factorial(n + 2.0)) * power;
        sum = sum + term;
        if term.to_f64().abs() < sum.to_f64().abs() * f64::EPSILON * f64::EPSILON {
            break;
        }
        power = power / at;
        factor = factor * Dd::from(x + n + 1.0) * Dd::from(x + n + 2.0);
    }
    sum.to_f64()
}

/// `(at / unit)^-x`; to the digits of a [`Dd`] for whole powers that are not large.
fn inverse_power(at: Dd, x: f64, unit: f64) -> Dd {
    let plain = (at.to_f64() / unit).powf(-x);
    if x != x.floor() || x > 1024.0 || !plain.is_normal() {
        return Dd::from(plain);
    }
    let (mut base, mut left, mut power) = (Dd::from(unit) / at, x as u32, Dd::from(1.0));
    while left > 0 {
        if left % 2 == 1 {
            power = power * base;
        }
        left /= 2;
        if left > 0 {
            base = base * base;
        }
    }
    power
}

fn factorial(n: f64) -> f64 {
    if n > 170.0 {
        return f64::INFINITY;
    }
    let factors = (2..=n as u64).map(|factor| Dd::from(factor as f64));
    factors.fold(Dd::from(1.0), |product, factor| product * factor).to_f64()
}

/// The derivative of order `n` of digamma; NaN for orders that are not whole.
pub fn polygamma(n: f64, x: f64) -> f64 {
    let order = n + 1.0;
    let magnitude = match () {
        () if n < 0.0 || n != n.floor() => return f64::NAN,
        () if n == 0.0 => return digamma::<Dd>(x).to_f64(),
        // Where the factorial is too large for a float, the terms of zeta are small, if not all of them.
        () if n > 170.0 && x > 0.0 => {
            let first = lgamma::<Dd>(order) - Dd::from(order) * Dd::from(x).ln();
            first.exp().to_f64() * zeta_by(order, x, x)
        }
        () => factorial(n) * zeta(order, x),
    };
    if n % 2.0 == 0.0 { -magnitude } else { magnitude }
}

/// The inverse hyperbolic cosine.
pub fn acosh<W: Work>(x: f64) -> W {
    if x < 1.0 {
        return f64::NAN.into();
    }
    if x > W::LARGE {
        return W::from(x).ln() + W::from(2.0).ln();
    }
    let above = W::from(x) - 1.0.into();
    (above + (above * (above + 2.0.into())).sqrt()).ln_1p()
}

/// The inverse hyperbolic sine.
pub fn asinh<W: Work>(x: f64) -> W {
    let magnitude = W::from(x.abs());
    let value = if x.abs() > W::LARGE {
        magnitude.ln() + W::from(2.0).ln()
    } else {
        let square = magnitude * magnitude;
        (magnitude + square / ((square + 1.0.into()).sqrt() + 1.0.into())).ln_1p()
    };
    if x.is_sign_negative() { -value } else { value }
}

/// The inverse hyperbolic tangent.
pub fn atanh<W: Work>(x: f64) -> W {
    if x.abs() > 1.0 {
        return f64::NAN.into();
    }
    let magnitude = W::from(x.abs());
    let value = (magnitude.scaled(1) / (W::from(1.0) - magnitude)).ln_1p().scaled(-1);
    if x.is_sign_negative() { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(actual: f64, expected: f64) {
        assert!(
            (actual - expected).abs() <= 3.0 * f64::EPSILON * expected.abs(),
            "{actual:e} is not {expected:e}"
        );
    }

    fn precise(value: Dd) -> f64 {
        value.to_f64()
    }

    #[test]
    fn the_inverse_undoes_the_error_function() {
        for y in [-0.999_999, -0.7, -1e-8, 1e-3, 0.3, 0.5, 0.9, 0.99, 1.0 - 1e-12, 1e-200] {
            let x = erf_inv(y);
            assert!((erf(x) - y).abs() <= 2.0 * f64::EPSILON * y.abs(), "{y}");
        }
        assert_eq!(
            (erf_inv(1.0), erf_inv(-1.0), erf_inv(-0.0).to_bits()),
            (f64::INFINITY, f64::NEG_INFINITY, 1 << 63)
        );
        assert!(erf_inv(1.5).is_nan());
    }

    #[test]
    fn zeta_far_below_zero_is_a_difference() {
        for (x, q) in [(2.0, -40.3), (3.0, -40.3), (5.0, -33.75)] {
            let terms: f64 = (0..64).rev().map(|n| f64::powf(q + f64::from(n), -x)).sum();
            close_by(zeta(x, q), terms + zeta(x, q + 64.0), 1e-14);
        }
        // The terms on both sides of zero, all of them.
        close_by(zeta(2.0, -4_503_599_627_370_495.5), std::f64::consts::PI.powi(2), 1e-14);
        assert_eq!(zeta(1e300, 20.0), 0.0);
    }

    fn close_by(actual: f64, expected: f64, share: f64) {
        assert!((actual - expected).abs() <= share * expected.abs(), "{actual:e} is not {expected:e}");
    }

    #[test]
    fn gamma_and_its_relatives() {
        close(precise(lgamma(0.5)), 0.572_364_942_924_700_1);
        let step = (1.0f64 + 1e-9) - 1.0;
        close(
            precise(lgamma(1.0 + step)),
            -0.577_215_664_901_532_9 * step + 0.822_467_033_424_113 * step * step,
        );
        // The derivatives at the zeros are those of the series' first terms.
        close(precise(lgamma(1.0 + f64::EPSILON)), -1.281_676_242_696_000_8e-16);
        close(precise(lgamma(2.0 - f64::EPSILON)), -9.387_698_065_543_117e-17);
        for x in [1.009_999, 0.990_001, 1.990_001, 2.009_999f64] {
            close(precise(lgamma(x)), lgamma_right(Dd::from(x)).to_f64());
            let error = (lgamma::<f64>(x) - precise(lgamma(x))).abs();
            assert!(error <= 1e-15 * precise(lgamma(x)).abs(), "{x}");
        }
        close(precise(lgamma(-1.5)), 0.860_047_015_376_481_1);
        close(precise(lgamma(1e10)), 220_258_509_288.810_58);
        assert_eq!((precise(lgamma(2.0)), precise(lgamma(-3.0))), (0.0, f64::INFINITY));
        close(precise(digamma(1.0)), -0.577_215_664_901_532_9);
        close(precise(digamma(-0.5)), 0.036_489_973_978_576_52);
        close(precise(digamma(100.0)), 4.600_161_852_738_087);
        assert!(precise(digamma(0.0)).is_nan() && precise(digamma(f64::NEG_INFINITY)).is_nan());
        assert_eq!(polygamma(0.0, 1.647_648_708_606_912_3), precise(digamma(1.647_648_708_606_912_3)));
        // Next to a zero, where the terms of both sides cancel.
        close(polygamma(2.0, -2.499_412_014_013_432_6), 0.006_305_479_890_818_35);
        // (-1)^(n+1) n! times zeta(n + 1), which is next to 1.
        close(polygamma(100.0, 1.0), -9.332_621_544_394_415e157);
        close(polygamma(170.0, 1.0), -7.257_415_615_307_999e306);
        close_by(zeta(101.0, 16.0), 2.425_691_193_989_555e-122, 1e-14);
        close_by(polygamma(200.0, 100.0), -9.125_424_691_092_623e-28, 1e-12);
        assert_eq!(polygamma(1e300, 1.0), -f64::INFINITY);
        close(polygamma(1.0, 1.0), std::f64::consts::PI.powi(2) / 6.0);
        close(zeta(2.0, 1.0), std::f64::consts::PI.powi(2) / 6.0);
        close(zeta(3.0, 0.5), 8.414_398_322_117_16);
    }

    #[test]
    fn bessel_and_inverse_hyperbolic_functions() {
        close(precise(bessel_i1e(1.0)), 0.207_910_415_349_708_45);
        close(precise(bessel_i1e(-50.0)), -0.055_993_123_892_895_395);
        close(bessel_i1e(25.0), 0.078_576_113_319_292_78);
        close(precise(bessel_i1e(f64::MAX)), 2.975_447_459_315_899_5e-155);
        for tiny in [5e-324, -1e-310, 3e-300] {
            assert_eq!([precise(asinh(tiny)), precise(atanh(tiny)), asinh(tiny), atanh(tiny)], [tiny; 4]);
        }
        close(precise(acosh(1.0 + 1e-10)), 1.414_213_620_867_586_2e-5);
        close(precise(asinh(-1e-5)), -9.999_999_999_833_333e-6);
        close(precise(atanh(0.5)), 0.549_306_144_334_054_8);
        assert_eq!(
            (precise(atanh(1.0)), precise(asinh(f64::NEG_INFINITY))),
            (f64::INFINITY, f64::NEG_INFINITY)
        );
        assert!(precise(acosh(0.5)).is_nan() && precise(atanh(-1.1)).is_nan());
    }
}
