//! How far two tensors are apart.

use super::{Scalar, StorageKind, Tensor, layout};
use crate::eval_error::EvalError;

/// Treatment of positions where the expected value is NaN or infinite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonFinite {
    /// They are counted and not compared; nothing is then known of them, so the tensors do not agree.
    NotCompared,
    /// The same position must hold the same: NaN, or the same infinity.
    ByPosition,
}

/// Difference between an actual tensor and an expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Largest absolute difference over positions where the expected value is finite; infinite if the actual
    /// value is not finite there.
    pub max_abs: f64,
    /// `max_abs` relative to `scale`; 0 if nothing differs, infinite if only zeros were expected.
    pub max_rel: f64,
    /// Largest finite magnitude of the expected tensor.
    pub scale: f64,
    /// The first index at which `max_abs` occurs; none if nothing differs.
    pub worst_index: Option<Vec<usize>>,
    /// The actual and the expected value there.
    pub worst: Option<(Scalar, Scalar)>,
    /// Positions where the expected value is NaN or infinite.
    pub num_nonfinite: usize,
    /// Positions where one value is finite and the other is not, or (if compared by position) both are not
    /// finite but differ.
    pub num_nonfinite_mismatches: usize,
    /// What was done with positions that are not finite.
    pub nonfinite: NonFinite,
}

impl Difference {
    /// Returns whether everything was compared and no element is further off than `tolerance` times `scale`.
    pub fn within(&self, tolerance: f64) -> bool {
        let all_compared = self.num_nonfinite == 0 || self.nonfinite == NonFinite::ByPosition;
        all_compared && self.num_nonfinite_mismatches == 0 && self.max_rel <= tolerance
    }
}

/// Compares two tensors of one shape; their types may differ. 64-bit integers are compared exactly.
pub fn compare(actual: &Tensor, expected: &Tensor, nonfinite: NonFinite) -> Result<Difference, EvalError> {
    if actual.shape() != expected.shape() {
        return Err(EvalError::new(format!("cannot compare {} with {}", actual.ty(), expected.ty())));
    }
    let mut seen = Seen::default();
    let by_position = nonfinite == NonFinite::ByPosition;
    match (actual.storage(), expected.storage()) {
        (StorageKind::I64, StorageKind::I64) => {
            let (actual, expected) = (actual.dense::<i64>()?, expected.dense::<i64>()?);
            for (position, (actual, expected)) in actual.iter().zip(expected.iter()).enumerate() {
                seen.add(position, actual.abs_diff(*expected) as f64, expected.unsigned_abs() as f64);
            }
        }
        (StorageKind::U64, StorageKind::U64) => {
            let (actual, expected) = (actual.dense::<u64>()?, expected.dense::<u64>()?);
            for (position, (actual, expected)) in actual.iter().zip(expected.iter()).enumerate() {
                seen.add(position, actual.abs_diff(*expected) as f64, *expected as f64);
            }
        }
        (a, e) if a.is_complex() || e.is_complex() => {
            let parts = |x: &Tensor| {
                let parts = [super::real_part(x)?.to_f64_vec(), super::imaginary_part(x)?.to_f64_vec()];
                Ok::<_, EvalError>(parts)
            };
            let ([a_re, a_im], [e_re, e_im]) = (parts(actual)?, parts(expected)?);
            for position in 0..a_re.len() {
                let (actual, expected) = ([a_re[position], a_im[position]], [e_re[position], e_im[position]]);
                seen.add_complex(position, actual, expected, by_position);
            }
        }
        _ => {
            let (actual, expected) = (actual.to_f64_vec(), expected.to_f64_vec());
            for (position, (actual, expected)) in actual.into_iter().zip(expected).enumerate() {
                seen.add_floats(position, actual, expected, by_position);
            }
        }
    }
    let worst_index = seen.worst.map(|position| layout::unravel(position, expected.shape()));
    let worst = worst_index.as_ref().and_then(|index| Some((actual.get(index)?, expected.get(index)?)));
    Ok(Difference {
        max_abs: seen.max_abs,
        max_rel: if seen.max_abs == 0.0 { 0.0 } else { seen.max_abs / seen.scale },
        scale: seen.scale,
        worst_index,
        worst,
        num_nonfinite: seen.num_nonfinite,
        num_nonfinite_mismatches: seen.num_nonfinite_mismatches,
        nonfinite,
    })
}

/// What was seen so far.
#[derive(Default)]
struct Seen {
    max_abs: f64,
    scale: f64,
    worst: Option<usize>,
    num_nonfinite: usize,
    num_nonfinite_mismatches: usize,
}

impl Seen {
    fn add(&mut self, position: usize, difference: f64, magnitude: f64) {
        self.scale = self.scale.max(magnitude);
        if difference > self.max_abs {
            self.max_abs = difference;
            self.worst = Some(position);
        }
    }

    /// The distance of two complex numbers; where a part is not finite, part by part.
    fn add_complex(&mut self, position: usize, actual: [f64; 2], expected: [f64; 2], by_position: bool) {
        if actual.iter().chain(&expected).all(|part| part.is_finite()) {
            let difference = (actual[0] - expected[0]).hypot(actual[1] - expected[1]);
            return self.add(position, difference, expected[0].hypot(expected[1]));
        }
        for (actual, expected) in actual.into_iter().zip(expected) {
            self.add_floats(position, actual, expected, by_position);
        }
    }

    fn add_floats(&mut self, position: usize, actual: f64, expected: f64, by_position: bool) {
        if expected.is_finite() {
            if !actual.is_finite() {
                self.num_nonfinite_mismatches += 1;
            }
            let difference = if actual.is_finite() { (actual - expected).abs() } else { f64::INFINITY };
            self.add(position, difference, expected.abs());
            return;
        }
        self.num_nonfinite += 1;
        let same = actual == expected || (actual.is_nan() && expected.is_nan());
        if !same && (by_position || actual.is_finite()) {
            self.num_nonfinite_mismatches += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ElementType;

    fn floats(values: &[f64]) -> Tensor {
        Tensor::from_vec(ElementType::F64, [values.len()], values.to_vec())
    }

    fn difference(actual: &[f64], expected: &[f64], nonfinite: NonFinite) -> Difference {
        compare(&floats(actual), &floats(expected), nonfinite).unwrap()
    }

    #[test]
    fn the_worst_position_and_the_scale() {
        let found = difference(&[1.0, 2.5, -8.0], &[1.0, 2.0, -10.0], NonFinite::NotCompared);
        assert_eq!((found.max_abs, found.max_rel, found.scale), (2.0, 0.2, 10.0));
        assert_eq!(found.worst_index, Some(vec![2]));
        assert_eq!(found.worst, Some((Scalar::Float(-8.0), Scalar::Float(-10.0))));
        assert!(found.within(0.2) && !found.within(0.19));
    }

    #[test]
    fn equal_and_empty_tensors() {
        assert!(difference(&[0.0, -0.0], &[0.0, 0.0], NonFinite::NotCompared).within(0.0));
        let empty = difference(&[], &[], NonFinite::NotCompared);
        assert!(empty.within(0.0) && empty.worst_index.is_none());
        assert!(!difference(&[1e-30], &[0.0], NonFinite::NotCompared).within(1e9));
    }

    #[test]
    fn values_that_are_not_finite() {
        const NAN: f64 = f64::NAN;
        const INF: f64 = f64::INFINITY;
        let same = [NAN, INF, -INF, 1.0];
        let found = difference(&same, &same, NonFinite::NotCompared);
        assert_eq!((found.num_nonfinite, found.num_nonfinite_mismatches), (3, 0));
        assert!(!found.within(1.0));
        assert!(difference(&same, &same, NonFinite::ByPosition).within(0.0));
        let swapped = difference(&[INF, NAN, -INF, 1.0], &same, NonFinite::ByPosition);
        assert_eq!(swapped.num_nonfinite_mismatches, 2);
        assert!(!swapped.within(1.0));
        let broken = difference(&[NAN, 1.0], &[2.0, 1.0], NonFinite::ByPosition);
        assert_eq!((broken.max_abs, broken.worst_index.clone()), (INF, Some(vec![0])));
        assert!(!broken.within(1e9));
        let finite = difference(&[1.0], &[INF], NonFinite::NotCompared);
        assert_eq!(finite.num_nonfinite_mismatches, 1);
    }

    #[test]
    fn large_integers_are_compared_exactly() {
        let big = |value: u64| Tensor::from_vec(ElementType::Ui64, [1], vec![value]);
        let found = compare(&big(u64::MAX), &big(u64::MAX - 1), NonFinite::NotCompared).unwrap();
        assert_eq!(found.max_abs, 1.0);
        let big = |value: i64| Tensor::from_vec(ElementType::I64, [1], vec![value]);
        let found = compare(&big(i64::MAX), &big(i64::MIN), NonFinite::NotCompared).unwrap();
        assert_eq!(found.max_abs, u64::MAX as f64);
    }

    #[test]
    fn types_may_differ_but_shapes_may_not() {
        let wide = Tensor::from_vec(ElementType::F32, [1], vec![0.5f64]);
        let narrow = Tensor::from_vec(ElementType::F32, [1], vec![0.5f32]);
        assert!(compare(&wide, &narrow, NonFinite::NotCompared).unwrap().within(0.0));
        assert!(compare(&floats(&[1.0]), &floats(&[1.0, 2.0]), NonFinite::NotCompared).is_err());
    }
}
