//! The slope of the scaled Bessel function `i1e(x) = exp(-|x|) I1(x)`, which is `i0e(x) - i1e(x) / x - sign(x) i1e(x)`.
//!
//! Input: a value. Output: the slope of each element. The slope is even, 1/2 at zero, and falls as `x^-1.5`; its three parts
//! nearly cancel far from zero, so it is not computed of them, but as a sum of Chebyshev polynomials: of the slope up to
//! [`BORDER`], of the slope times `x^1.5` by `1 / x` behind it. Coefficients are its values at 80 Chebyshev nodes, in 60
//! digits, transformed; those left out are below 2e-18.

use super::binary::Binary;
use super::compare::Direction;
use super::unary::Unary;
use crate::build::Builder;
use crate::ids::ValueId;

/// The end of the first sum.
const BORDER: f64 = 8.0;

/// Coefficients of the slope at `4 (t + 1)`.
const NEAR: [f64; 31] = [
    0.11952541562264403,
    -0.13306177082098963,
    0.1171276072048314,
    -0.08491140644851991,
    0.052693171291980506,
    -0.02868273428264729,
    0.01391966036354546,
    -0.006093865542857238,
    0.0024287123690127565,
    -0.0008877747098972513,
    0.0002994925886822113,
    -9.37479365879003e-05,
    2.7357262895058468e-05,
    -7.473539793096807e-06,
    1.9183853978590536e-06,
    -4.6424845443766335e-07,
    1.0623794537231255e-07,
    -2.30521941705503e-08,
    4.754797881822027e-09,
    -9.343955028966302e-10,
    1.753149021248483e-10,
    -3.1465522196561755e-11,
    5.4119484857812985e-12,
    -8.934954448533831e-13,
    1.4181333750240133e-13,
    -2.1669443120334575e-14,
    3.1919976264449686e-15,
    -4.538391437096493e-16,
    6.235511526608889e-17,
    -8.287965040863466e-18,
    1.0667824773329727e-18,
];

/// Coefficients of `x^1.5` times the slope at `x = 16 / (t + 1)`.
const FAR: [f64; 30] = [
    -0.3692979451785593,
    0.015109623584900027,
    0.0003020939397138879,
    1.591518078513435e-05,
    1.4469212708078582e-06,
    1.979988656562358e-07,
    3.217348695450893e-08,
    3.6101811953136095e-09,
    -7.244385872601189e-10,
    -6.092544267535984e-10,
    -1.6606191571929604e-10,
    3.633162078693095e-12,
    1.876455579370183e-11,
    4.6619271845291975e-12,
    -1.134574964219579e-12,
    -8.197947289983823e-13,
    3.94776684596666e-15,
    1.1294468638888128e-13,
    1.3286424049794948e-14,
    -1.537996502195081e-14,
    -3.1518439702453973e-15,
    2.2635926609201487e-15,
    5.737289334663504e-16,
    -3.732669371746418e-16,
    -9.287328827766721e-17,
    6.84807331130135e-17,
    1.3053648483860228e-17,
    -1.3466640002249034e-17,
    -1.2532819676016662e-18,
    2.7011433782935036e-18,
];

/// Writes the slope of `i1e` at each element.
pub(super) fn slope_of_i1e<B: Builder + ?Sized>(b: &mut B, x: ValueId) -> ValueId {
    let size = b.unary(Unary::Abs, x);
    let border = b.number_like(size, BORDER);
    // Neither sum is asked for where it does not hold, and nothing is divided by zero.
    let near = b.binary(Binary::Minimum, size, border);
    let place = b.scaled(near, 2.0 / BORDER);
    let place = b.with_number(Binary::Subtract, place, 1);
    let near = chebyshev_sum(b, place, &NEAR);
    let far = b.binary(Binary::Maximum, size, border);
    let twice = b.number_like(far, 2.0 * BORDER);
    let place = b.over(twice, far);
    let place = b.with_number(Binary::Subtract, place, 1);
    let sum = chebyshev_sum(b, place, &FAR);
    let root = b.unary(Unary::Sqrt, far);
    let power = b.times(far, root);
    let far = b.over(sum, power);
    let is_near = b.compare(Direction::LessEqual, size, border);
    b.choose(is_near, near, far)
}

/// `c_0 / 2 + c_1 T_1(t) + c_2 T_2(t) + ...`, from behind (Clenshaw): `b_k = 2 t b_{k+1} - b_{k+2} + c_k`.
fn chebyshev_sum<B: Builder + ?Sized>(b: &mut B, t: ValueId, coefficients: &[f64]) -> ValueId {
    let twice = b.scaled(t, 2.0);
    let zero = b.number_like(t, 0.0);
    let (mut one_behind, mut two_behind) = (zero, zero);
    for coefficient in coefficients[1..].iter().rev() {
        let next = b.times(twice, one_behind);
        let next = b.minus(next, two_behind);
        let coefficient = b.number_like(t, *coefficient);
        let next = b.plus(next, coefficient);
        (one_behind, two_behind) = (next, one_behind);
    }
    let sum = b.times(t, one_behind);
    let sum = b.minus(sum, two_behind);
    let first = b.number_like(t, coefficients[0] / 2.0);
    b.plus(sum, first)
}
