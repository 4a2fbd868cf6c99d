//! Functions of complex numbers.
//!
//! Both parts are computed in [`Work`] and come out right to their last places: no formula subtracts what nearly
//! cancels, unless [`Work`] holds it exactly. Branch cuts, signs of zeros and the results for infinities and NaN are
//! those of C (ISO C11, annex G), except that `exp` of a number whose imaginary part is not finite has no limit. The inverse functions follow T. E. Hull, T. F. Fairgrieve and P. T. P. Tang,
//! "Implementing the complex arcsine and arccosine functions using exception handling", 1997.

use super::{Dd, Work};
use crate::complex::Complex;

type Z<W> = Complex<W>;

fn constant<W: Work>(re: f64, im: f64) -> Z<W> {
    Z::new(re.into(), im.into())
}

fn values<W: Work>(z: Z<W>) -> (f64, f64) {
    (z.re.to_f64(), z.im.to_f64())
}

fn with_sign<W: Work>(value: W, sign: f64) -> W {
    if sign.is_sign_negative() { -value.abs() } else { value.abs() }
}

/// From here on `exp` is computed as a square.
const HUGE: f64 = 700.0;

pub(crate) fn multiply<W: Work>(a: Z<W>, b: Z<W>) -> Z<W> {
    Z::new(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
}

pub(crate) fn divide<W: Work>(a: Z<W>, b: Z<W>) -> Z<W> {
    let ((x, y), (c, d)) = (values(a), values(b));
    let is_finite = |re: f64, im: f64| re.is_finite() && im.is_finite();
    if c == 0.0 && d == 0.0 {
        let infinity = f64::INFINITY.copysign(c);
        return constant(infinity * x, infinity * y);
    }
    if !is_finite(x, y) && is_finite(c, d) && (x.is_infinite() || y.is_infinite()) {
        let unit = |value: f64| f64::from(u8::from(value.is_infinite())).copysign(value);
        let (x, y) = (unit(x), unit(y));
        return constant(f64::INFINITY * (x * c + y * d), f64::INFINITY * (y * c - x * d));
    }
    if is_finite(x, y) && (c.is_infinite() || d.is_infinite()) {
        let unit = |value: f64| f64::from(u8::from(value.is_infinite())).copysign(value);
        let (c, d) = (unit(c), unit(d));
        return constant(0.0 * (x * c + y * d), 0.0 * (y * c - x * d));
    }
    let (above, below) = (exponent(a), exponent(b));
    let (a, b) = (scaled(a, -above), scaled(b, -below));
    let norm = b.re * b.re + b.im * b.im;
    let quotient = Z::new((a.re * b.re + a.im * b.im) / norm, (a.im * b.re - a.re * b.im) / norm);
    scaled(quotient, above - below)
}

fn scaled<W: Work>(z: Z<W>, exponent: i32) -> Z<W> {
    Z::new(z.re.scaled(exponent), z.im.scaled(exponent))
}

/// The exponent of the larger part.
fn exponent<W: Work>(z: Z<W>) -> i32 {
    z.re.larger_exponent(z.im)
}

/// The distance from zero.
pub(crate) fn modulus<W: Work>(z: Z<W>) -> W {
    let (x, y) = values(z);
    if x.is_infinite() || y.is_infinite() { f64::INFINITY.into() } else { z.re.hypot(z.im) }
}

/// `z / |z|`, zero for zero.
pub(crate) fn sign<W: Work>(z: Z<W>) -> Z<W> {
    let (x, y) = values(z);
    match () {
        () if x.is_nan() || y.is_nan() => constant(f64::NAN, f64::NAN),
        () if x == 0.0 && y == 0.0 => constant(0.0, 0.0),
        () => {
            let z = scaled(z, -exponent(z));
            divide(z, Z::new(modulus(z), 0.0.into()))
        }
    }
}

pub(crate) fn exp<W: Work>(z: Z<W>) -> Z<W> {
    let (x, y) = values(z);
    if y == 0.0 {
        return Z::new(z.re.exp(), z.im);
    }
    if x.is_infinite() && !y.is_finite() {
        return constant(f64::NAN, f64::NAN);
    }
    let (sin, cos) = z.im.sin_cos();
    if x > HUGE && x.is_finite() {
        let root = z.re.scaled(-1).exp();
        return Z::new(root * cos * root, root * sin * root);
    }
    let grown = z.re.exp();
    Z::new(grown * cos, grown * sin)
}

/// `exp(z) - 1`.
pub(crate) fn exp_m1<W: Work>(z: Z<W>) -> Z<W> {
    let (x, y) = values(z);
    if y == 0.0 {
        return Z::new(z.re.exp_m1(), z.im);
    }
    if x.abs() > 1.0 || !x.is_finite() || !y.is_finite() {
        let grown = exp(z);
        return Z::new(grown.re - 1.0.into(), grown.im);
    }
    let ((half, _), (sin, cos)) = (z.im.scaled(-1).sin_cos(), z.im.sin_cos());
    Z::new(z.re.exp_m1() * cos - (half * half).scaled(1), z.re.exp() * sin)
}

/// The logarithm of the modulus of `x + iy`.
fn ln_modulus<W: Work>(x: W, y: W) -> W {
    let (x, y) = (x.abs(), y.abs());
    let (large, small) = if x.to_f64() >= y.to_f64() { (x, y) } else { (y, x) };
    let (l, s) = (large.to_f64(), small.to_f64());
    if l.is_infinite() || s.is_infinite() {
        return f64::INFINITY.into();
    }
    if (0.5..2.0).contains(&l) {
        let excess = (large - 1.0.into()) * (large + 1.0.into()) + small * small;
        if excess.to_f64().abs() < 0.5 {
            return excess.ln_1p().scaled(-1);
        }
    }
    let exponent = large.exponent();
    let hypot = large.scaled(-exponent).hypot(small.scaled(-exponent));
    if exponent == 0 { hypot.ln() } else { hypot.ln() + W::from(2.0).ln() * f64::from(exponent).into() }
}

pub(crate) fn ln<W: Work>(z: Z<W>) -> Z<W> {
    Z::new(ln_modulus(z.re, z.im), z.im.atan2(z.re))
}

/// `ln(1 + z)`.
pub(crate) fn ln_1p<W: Work>(z: Z<W>) -> Z<W> {
    let (x, _) = values(z);
    let one = W::from(1.0);
    let angle = z.im.atan2(z.re + one);
    if x.abs() < 0.5 {
        // The first sum cancels most, and exactly.
        let excess = (z.re.scaled(1) + z.im * z.im) + z.re * z.re;
        if excess.to_f64().abs() < 0.5 {
            return Z::new(excess.ln_1p().scaled(-1), angle);
        }
    }
    Z::new(ln_modulus(z.re + one, z.im), angle)
}

pub(crate) fn sqrt<W: Work>(z: Z<W>) -> Z<W> {
    let (x, y) = values(z);
    match () {
        () if y.is_infinite() => return constant(f64::INFINITY, y),
        () if x == 0.0 && y == 0.0 => return Z::new(0.0.into(), z.im),
        () if x.is_infinite() && x > 0.0 => {
            return constant(x, if y.is_nan() { y } else { 0.0f64.copysign(y) });
        }
        () if x.is_infinite() && y.is_nan() => return constant(y, x),
        () if x.is_infinite() => return constant(0.0, f64::INFINITY.copysign(y)),
        () => {}
    }
    let exponent = exponent(z) & !1;
    let w = scaled(z, -exponent);
    let long = ((w.re.abs() + w.re.hypot(w.im)).scaled(-1)).sqrt();
    // The short part is divided where neither it nor what is divided underflows.
    let full = long.scaled(exponent / 2);
    let short = if w.im.exponent() > -900 && w.im.to_f64() != 0.0 {
        (w.im.abs() / long).scaled(exponent / 2 - 1)
    } else {
        z.im.abs() / full.scaled(1)
    };
    let long = full;
    if x >= 0.0 { Z::new(long, with_sign(short, y)) } else { Z::new(short, with_sign(long, y)) }
}

pub(crate) fn rsqrt<W: Work>(z: Z<W>) -> Z<W> {
    divide(constant(1.0, 0.0), sqrt(z))
}

pub(crate) fn cbrt<W: Work>(z: Z<W>) -> Z<W> {
    if values(z) == (0.0, 0.0) {
        return z;
    }
    let ln = ln(z);
    let third = W::from(3.0);
    exp(Z::new(ln.re / third, ln.im / third))
}

/// `1 / (1 + exp(-z))`.
pub(crate) fn logistic<W: Work>(z: Z<W>) -> Z<W> {
    // What is exponentiated does not overflow.
    let is_negative = z.re.to_f64() < 0.0;
    let grown = exp(if is_negative { z } else { Z::new(-z.re, -z.im) });
    let above = if is_negative { grown } else { constant(1.0, 0.0) };
    divide(above, Z::new(grown.re + 1.0.into(), grown.im))
}

/// `exp(b ln(a))`; anything to the zeroth is 1, zero to a power with a positive real part is 0 and to any other one no
/// number. Angles are counted in turns, of which whole ones are dropped before anything is rounded.
pub(crate) fn power<W: Work>(a: Z<W>, b: Z<W>) -> Z<W> {
    let ((x, y), (re, im)) = (values(a), values(b));
    match () {
        () if (re, im) == (0.0, 0.0) => return constant(1.0, 0.0),
        () if (x, y) == (0.0, 0.0) => {
            let value = if re > 0.0 { 0.0 } else { f64::NAN };
            return constant(value, value);
        }
        () => {}
    }
    // An exponent's part that is zero leaves infinite logarithms out.
    let times = |factor: f64, value: Dd| if factor == 0.0 { factor.into() } else { Dd::from(factor) * value };
    let turn = Dd::from(0.0).atan2((-1.0).into()).scaled(1);
    let (height, angle) = (ln_modulus(Dd::from(x), Dd::from(y)), Dd::from(y).atan2(x.into()));
    let exponent = times(re, height) - times(im, angle);
    let (cos, sin) = direction(times(re, angle / turn) + times(im, height / turn), turn);
    let half = if exponent.to_f64() > HUGE { exponent.scaled(-1) } else { exponent };
    let grown = half.exp();
    let part = |share: Dd| match share.to_f64() {
        0.0 => W::from(0.0),
        _ if exponent.to_f64() > HUGE => (grown * share * grown).to_f64().into(),
        _ => (grown * share).to_f64().into(),
    };
    Z::new(part(cos), part(sin))
}

/// Cosine and sine of a number of turns; those of quarters are exact.
fn direction(turns: Dd, turn: Dd) -> (Dd, Dd) {
    let rest = turns - turns.to_f64().round().into();
    let rest = rest - rest.to_f64().round().into();
    let quarters = (rest.to_f64() * 4.0).round();
    let (sin, cos) = ((rest - (quarters / 4.0).into()) * turn).sin_cos();
    // Zeros are positive.
    let negative = |value: Dd| Dd::from(0.0) - value;
    match quarters.rem_euclid(4.0) as u8 {
        0 => (cos, sin),
        1 => (negative(sin), cos),
        2 => (negative(cos), negative(sin)),
        _ => (sin, negative(cos)),
    }
}

/// `-i ln((x + iy) / sqrt(x x + y y))`.
pub(crate) fn atan2<W: Work>(y: Z<W>, x: Z<W>) -> Z<W> {
    let (xx, yy) = (multiply(x, x), multiply(y, y));
    let norm = sqrt(Z::new(xx.re + yy.re, xx.im + yy.im));
    let ln = ln(divide(Z::new(x.re - y.im, x.im + y.re), norm));
    Z::new(ln.im, -ln.re)
}

/// `z z`.
pub(crate) fn square<W: Work>(z: Z<W>) -> Z<W> {
    let (x, y) = values(z);
    if x.abs() == y.abs() {
        return Z::new(W::from(if x.is_infinite() { f64::NAN } else { 0.0 }), (z.re * z.im).scaled(1));
    }
    Z::new((z.re - z.im) * (z.re + z.im), (z.re * z.im).scaled(1))
}

pub(crate) fn sinh<W: Work>(z: Z<W>) -> Z<W> {
    let (x, y) = values(z);
    match () {
        () if y == 0.0 => return Z::new(z.re.sinh(), z.im),
        () if x.is_infinite() && !y.is_finite() => return constant(x, f64::NAN),
        () if x == 0.0 && !y.is_finite() => return constant(x, f64::NAN),
        () => {}
    }
    let (sin, cos) = z.im.sin_cos();
    if x.abs() > HUGE && x.is_finite() {
        let root = z.re.abs().scaled(-1).exp();
        let half = root.scaled(-1);
        return Z::new(with_sign(half, x) * cos * root, half * sin * root);
    }
    Z::new(z.re.sinh() * cos, z.re.cosh() * sin)
}

pub(crate) fn cosh<W: Work>(z: Z<W>) -> Z<W> {
    let (x, y) = values(z);
    match () {
        () if y == 0.0 => {
            let sign = if x.is_sign_negative() { -y } else { y };
            return Z::new(z.re.cosh(), W::from(if x.is_nan() { y } else { sign }));
        }
        () if x.is_infinite() && !y.is_finite() => return constant(f64::INFINITY, f64::NAN),
        () if x == 0.0 && !y.is_finite() => return constant(f64::NAN, x),
        () => {}
    }
    let (sin, cos) = z.im.sin_cos();
    if x.abs() > HUGE && x.is_finite() {
        let root = z.re.abs().scaled(-1).exp();
        let half = root.scaled(-1);
        return Z::new(half * cos * root, with_sign(half, x) * sin * root);
    }
    Z::new(z.re.cosh() * cos, z.re.sinh() * sin)
}

pub(crate) fn tanh<W: Work>(z: Z<W>) -> Z<W> {
    let (x, y) = values(z);
    match () {
        () if x.is_infinite() => {
            let turned = if y.is_finite() { (2.0 * y).sin() } else { y };
            return constant(1f64.copysign(x), 0f64.copysign(turned));
        }
        () if y == 0.0 || x == 0.0 && !y.is_finite() => {
            let grown = z.re.abs().scaled(1).exp_m1();
            let tanh = if x.abs() > W::SATURATED { 1.0.into() } else { grown / (grown + 2.0.into()) };
            return Z::new(with_sign(tanh, x), if y == 0.0 { z.im } else { f64::NAN.into() });
        }
        () => {}
    }
    let (sin, cos) = z.im.sin_cos();
    if x.abs() > W::SATURATED {
        let shrunk = (-z.re.abs()).exp();
        return Z::new(1f64.copysign(x).into(), (sin * cos).scaled(2) * shrunk * shrunk);
    }
    let (sinh, cosh) = (z.re.sinh(), z.re.cosh());
    let below = sinh * sinh + cos * cos;
    Z::new(sinh * cosh / below, sin * cos / below)
}

/// What the inverse functions have in common, for `x` and `y` that are not negative.
struct Inverse<W> {
    /// `asin(x + iy)`'s imaginary part.
    height: W,
    /// `x` and what its tangent is taken to: the real part of `asin` is `atan2(x, beside)`, of `acos` the rest of a
    /// quarter turn.
    x: W,
    beside: W,
}

impl<W: Work> Inverse<W> {
    fn new(x: W, y: W) -> Self {
        let one = W::from(1.0);
        if x.to_f64() > W::LARGE || y.to_f64() > W::LARGE {
            return Self { height: ln_modulus(x, y) + W::from(2.0).ln(), x, beside: y };
        }
        let right = (x + one).hypot(y);
        let left = (x - one).hypot(y);
        let half_sum = (right + left).scaled(-1);
        let above = half_sum + x;
        let outer = right + x + one;
        let inside = x.to_f64() <= 1.0;
        // `half_sum - x` is `y * y / outer + rest`, and `half_sum - 1` as well, with another rest.
        let beside = if inside {
            let below = (y * y / outer + (left + (one - x))).scaled(-1);
            (above * below).sqrt()
        } else {
            y * ((above / outer + above / (left + (x - one))).scaled(-1)).sqrt()
        };
        let height = if x.to_f64() < 1.0 {
            let slope = (one / outer + one / (left + (one - x))).scaled(-1);
            y * (y * slope + (slope * (half_sum + one)).sqrt())
        } else {
            let excess = (y * y / outer + (left + (x - one))).scaled(-1);
            excess + (excess * (half_sum + one)).sqrt()
        };
        Self { height: height.ln_1p(), x, beside }
    }
}

/// What `chlo._asin_acos_kernel` stands for: `asin(z)` has the parts `atan2(re z, re w)` and `im w`, but for signs.
pub(crate) fn asin_acos_kernel<W: Work>(z: Z<W>) -> Z<W> {
    let (x, y) = values(z);
    if x.is_infinite() || y.is_infinite() {
        let beside = if y.is_infinite() || y.is_nan() { y.abs() } else { 0.0 };
        return constant(beside, f64::INFINITY);
    }
    let inverse = Inverse::new(z.re.abs(), z.im.abs());
    Z::new(inverse.beside, inverse.height)
}

pub(crate) fn asinh<W: Work>(z: Z<W>) -> Z<W> {
    let (x, y) = values(z);
    match () {
        () if x.is_nan() && y == 0.0 => return z,
        () if x.is_nan() && y.is_infinite() => return constant(f64::INFINITY.copysign(x), f64::NAN),
        () if x.is_infinite() && y.is_nan() => return z,
        () if x.is_nan() || y.is_nan() => return constant(f64::NAN, f64::NAN),
        () if x.is_infinite() || y.is_infinite() => {
            return Z::new(
                W::from(f64::INFINITY.copysign(x)),
                with_sign(W::from(y.abs()).atan2(x.abs().into()), y),
            );
        }
        () => {}
    }
    let inverse = Inverse::new(z.im.abs(), z.re.abs());
    Z::new(with_sign(inverse.height, x), with_sign(inverse.x.atan2(inverse.beside), y))
}

pub(crate) fn acosh<W: Work>(z: Z<W>) -> Z<W> {
    let (x, y) = values(z);
    match () {
        () if x.is_infinite() && y.is_nan() => return constant(f64::INFINITY, y),
        () if x.is_nan() && y.is_infinite() => return constant(f64::INFINITY, x),
        () if x == 0.0 && y.is_nan() => {
            return Z::new(y.into(), W::from(0.0).atan2((-0.0).into()).scaled(-1));
        }
        () if x.is_nan() || y.is_nan() => return constant(f64::NAN, f64::NAN),
        () if x.is_infinite() || y.is_infinite() => {
            return Z::new(f64::INFINITY.into(), z.im.atan2(z.re));
        }
        () => {}
    }
    let inverse = Inverse::new(z.re.abs(), z.im.abs());
    Z::new(inverse.height.abs(), with_sign(inverse.beside.atan2(z.re), y))
}

/// `acos(z)` is the real and imaginary part of `acosh(z)` changed over, one of them turned about.
pub(crate) fn acos<W: Work>(z: Z<W>) -> Z<W> {
    let hyperbolic = acosh(z);
    let (_, y) = values(z);
    let (height, angle) = (hyperbolic.re, hyperbolic.im.abs());
    Z::new(angle, if y.is_sign_negative() { height } else { -height })
}

pub(crate) fn atanh<W: Work>(z: Z<W>) -> Z<W> {
    let (x, y) = values(z);
    let quarter = || with_sign(W::from(1.0).atan2(0.0.into()), y);
    match () {
        () if y.is_infinite() => return Z::new(0f64.copysign(x).into(), quarter()),
        () if x.is_infinite() && y.is_nan() => return constant(0f64.copysign(x), y),
        () if x == 0.0 && y.is_nan() => return z,
        () if x.is_nan() || y.is_nan() => return constant(f64::NAN, f64::NAN),
        () if x.is_infinite() => return Z::new(0f64.copysign(x).into(), quarter()),
        () => {}
    }
    let (re, im) = (z.re.abs(), z.im.abs());
    if x.abs() > W::LARGE || y.abs() > W::LARGE {
        let exponent = re.exponent().max(im.exponent());
        let (re, im) = (re.scaled(-exponent), im.scaled(-exponent));
        let height = re / (re * re + im * im);
        return Z::new(with_sign(height.scaled(-exponent), x), quarter());
    }
    let one = W::from(1.0);
    let from_pole = (one - re).hypot(im);
    let height = if from_pole.to_f64() < 1e-8 {
        ((re + one).hypot(im) / from_pole).ln().scaled(-1)
    } else {
        ((re / from_pole / from_pole).scaled(2)).ln_1p().scaled(-2)
    };
    let angle = im.scaled(1).atan2((one - re) * (one + re) - im * im).scaled(-1);
    Z::new(with_sign(height, x), with_sign(angle, y))
}

/// `f` of the number turned by a quarter, turned back: a hyperbolic function's circular one.
fn turned<W: Work>(z: Z<W>, f: fn(Z<W>) -> Z<W>) -> Z<W> {
    let hyperbolic = f(Z::new(z.im, z.re));
    Z::new(hyperbolic.im, hyperbolic.re)
}

pub(crate) fn sin<W: Work>(z: Z<W>) -> Z<W> {
    turned(z, sinh)
}

pub(crate) fn cos<W: Work>(z: Z<W>) -> Z<W> {
    let hyperbolic = cosh(Z::new(z.im, z.re));
    Z::new(hyperbolic.re, -hyperbolic.im)
}

pub(crate) fn tan<W: Work>(z: Z<W>) -> Z<W> {
    turned(z, tanh)
}

pub(crate) fn asin<W: Work>(z: Z<W>) -> Z<W> {
    turned(z, asinh)
}

pub(crate) fn atan<W: Work>(z: Z<W>) -> Z<W> {
    turned(z, atanh)
}
