//! Evaluation of `rng`: the specification leaves the numbers open, here they follow from how many draws a device has made
//! before. So every run draws the same, and so do devices that run the same program.

use super::rng::{Algorithm, Distribution};
use super::rng_eval::generate;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::math::special::erf_inv;
use meshwright_tensor::types::{ElementKind, ElementType, TensorType};
use meshwright_tensor::{Precision, Scalar, Tensor, convert};

/// Draw number `number` of numbers that are distributed evenly from `a` to `b`, or normally around `a` with the
/// standard deviation `b`.
pub(super) fn draw(
    distribution: Distribution,
    [a, b]: [Scalar; 2],
    result: &TensorType,
    number: u64,
    precision: Precision,
) -> Result<Tensor, EvalError> {
    let state = Tensor::from_vec(ElementType::Ui64, [2], vec![number, 0]);
    let bits = generate(
        Algorithm::ThreeFry,
        &state,
        &TensorType::new(result.shape.clone(), ElementType::Ui64),
        Precision::Declared,
    )?;
    let bits = bits[1].dense::<u64>()?;
    if result.element.kind() != ElementKind::Float {
        return integers(a, b, &bits, result, precision);
    }
    // Of the 53 bits of a number in [0, 1), the half in the middle of each step.
    let even = bits.iter().map(|bits| ((bits >> 11) as f64 + 0.5) * 0.5f64.powi(53));
    let (a, b) = (float(a), float(b));
    let rounded = |numbers: Vec<f64>| {
        let wide = Tensor::from_vec(ElementType::F64, result.shape.clone(), numbers);
        convert(&wide, result.element, precision)
    };
    if distribution == Distribution::Normal {
        let normal = even.map(|even| a + b * std::f64::consts::SQRT_2 * erf_inv(2.0 * even - 1.0));
        return rounded(normal.collect());
    }
    let mut numbers: Vec<f64> = even.map(|even| a + (b - a) * even).collect();
    let drawn = rounded(numbers.clone())?;
    // The end of the range does not belong to it, but may be what is nearest.
    let kept = convert(&drawn, ElementType::F64, Precision::Wide)?;
    let kept = kept.dense::<f64>()?;
    if a < b && kept.iter().any(|number| *number >= b) {
        numbers.iter_mut().zip(&*kept).filter(|(_, kept)| **kept >= b).for_each(|(number, _)| *number = a);
        return rounded(numbers);
    }
    Ok(drawn)
}

/// Integers from `a` up to, but not including, `b`; nothing but `a` if there are none.
fn integers(
    a: Scalar,
    b: Scalar,
    bits: &[u64],
    result: &TensorType,
    precision: Precision,
) -> Result<Tensor, EvalError> {
    let a = integer(a);
    let range = (integer(b) - a).max(1);
    let numbers = bits.iter().map(|bits| a + i128::from(*bits) % range);
    let shape = result.shape.clone();
    let drawn = match result.element.kind() {
        ElementKind::Signed => Tensor::from_vec(
            ElementType::I64,
            shape,
            numbers.map(|number| number as i64).collect::<Vec<i64>>(),
        ),
        _ => Tensor::from_vec(
            ElementType::Ui64,
            shape,
            numbers.map(|number| number as u64).collect::<Vec<u64>>(),
        ),
    };
    convert(&drawn, result.element, precision)
}

fn float(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::Float(value) => value,
        other => integer(other) as f64,
    }
}

fn integer(scalar: Scalar) -> i128 {
    match scalar {
        Scalar::Bool(value) => i128::from(value),
        Scalar::Int(value) => value.into(),
        Scalar::Uint(value) => value.into(),
        Scalar::Float(value) | Scalar::Complex(value, _) => value as i128,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(distribution: Distribution, range: [f64; 2], element: ElementType, number: u64) -> Vec<f64> {
        let ty = TensorType::new([10_000], element);
        let range = range.map(Scalar::Float);
        let tensor = draw(distribution, range, &ty, number, Precision::Declared).unwrap();
        convert(&tensor, ElementType::F64, Precision::Wide).unwrap().dense::<f64>().unwrap().into_owned()
    }

    #[test]
    fn numbers_are_distributed_as_asked() {
        let even = drawn(Distribution::Uniform, [2.0, 6.0], ElementType::F32, 0);
        assert!(even.iter().all(|number| (2.0..6.0).contains(number)));
        let mean = even.iter().sum::<f64>() / 1e4;
        assert!((mean - 4.0).abs() < 0.05, "{mean}");
        let normal = drawn(Distribution::Normal, [1.0, 2.0], ElementType::F64, 0);
        let mean = normal.iter().sum::<f64>() / 1e4;
        let variance = normal.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / 1e4;
        assert!((mean - 1.0).abs() < 0.1 && (variance - 4.0).abs() < 0.2, "{mean} {variance}");
        assert_ne!(even, drawn(Distribution::Uniform, [2.0, 6.0], ElementType::F32, 1));
    }

    #[test]
    fn the_end_of_a_range_is_not_drawn() {
        for element in [ElementType::Bf16, ElementType::F8E4M3Fn, ElementType::F16] {
            let even = drawn(Distribution::Uniform, [0.0, 1.0], element, 3);
            assert!(even.iter().all(|number| (0.0..1.0).contains(number)), "{element}");
        }
        let ty = TensorType::new([100], ElementType::I32);
        let range = [Scalar::Int(-2), Scalar::Int(1)];
        let tensor = draw(Distribution::Uniform, range, &ty, 0, Precision::Declared).unwrap();
        let mut all = tensor.dense::<i32>().unwrap().into_owned();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all, [-2, -1, 0]);
    }
}
