//! Comparing a computed value with an expected one, as the ops of the `check` dialect do.
//!
//! Elements are compared in their declared type: wider storage is rounded first.

use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::literal::{element_bytes, read_f64};
use meshwright_tensor::types::{ElementKind, ElementType};
use meshwright_tensor::{Tensor, unravel};

/// When an element is as expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rule {
    /// The values are equal, or both are NaN.
    Equal,
    /// The number of floats from the smaller to the larger value is in these bounds. NaN is as far from NaN as a
    /// value from itself; anything else that is not finite is at the largest distance.
    Ulps { least: u64, most: u64 },
    /// The absolute difference is at most this, or both are NaN or the same infinity.
    Absolute(f64),
}

/// Compares all elements. Errors: a sentence about the first element (in row-major order) that is not as expected.
pub(super) fn check(op: &str, actual: &Tensor, expected: &Tensor, rule: Rule) -> Result<(), EvalError> {
    let (ty, other) = (actual.ty(), expected.ty());
    if ty != other {
        return Err(EvalError::check_failed(format!(
            "`{op}`: the value is a {ty}, but a {other} is expected"
        )));
    }
    let (found, wanted) = (actual.to_le_bytes()?, expected.to_le_bytes()?);
    let size = element_bytes(ty.element);
    let pairs = || found.chunks(size).zip(wanted.chunks(size));
    let fails = |(found, wanted): &(&[u8], &[u8])| !holds(ty.element, found, wanted, rule);
    let Some((position, (found, wanted))) = pairs().enumerate().find(|(_, pair)| fails(pair)) else {
        return Ok(());
    };
    let count = pairs().filter(fails).count();
    let (found_text, wanted_text) = (text(found, ty.element), text(wanted, ty.element));
    let detail = match rule {
        Rule::Equal => String::new(),
        Rule::Absolute(tolerance) => format!(" (tolerance {tolerance:e})"),
        Rule::Ulps { least, most } => {
            let distance = match distance(ty.element, found, wanted) {
                u64::MAX => "not comparable".to_owned(),
                ulps => format!("{ulps} ulps apart"),
            };
            let bounds = if least == 0 { format!("at most {most}") } else { format!("{least} to {most}") };
            format!(" ({distance}, {bounds} allowed)")
        }
    };
    let index = unravel(position, &ty.shape);
    Err(EvalError::check_failed(format!(
        "`{op}`: at index {index:?} the value is {found_text}, but {wanted_text} is expected{detail}; {count} of {} \
         elements differ",
        ty.num_elements()
    )))
}

/// The real numbers in one element's bytes, with their type.
fn parts(element: ElementType, bytes: &[u8]) -> (ElementType, Vec<&[u8]>) {
    let part = match element {
        ElementType::ComplexF32 => ElementType::F32,
        ElementType::ComplexF64 => ElementType::F64,
        other => return (other, vec![bytes]),
    };
    (part, bytes.chunks(element_bytes(part)).collect())
}

fn holds(element: ElementType, found: &[u8], wanted: &[u8], rule: Rule) -> bool {
    if !matches!(element.kind(), ElementKind::Float | ElementKind::Complex) {
        return found == wanted;
    }
    if let Rule::Ulps { least, most } = rule {
        return (least..=most).contains(&distance(element, found, wanted));
    }
    let (part, found) = parts(element, found);
    found.into_iter().zip(parts(element, wanted).1).all(|(found, wanted)| {
        let (found, wanted) = (read_f64(found, part), read_f64(wanted, part));
        match rule {
            Rule::Absolute(_) if found.is_nan() || wanted.is_nan() => found.is_nan() && wanted.is_nan(),
            Rule::Absolute(tolerance) => found == wanted || (found - wanted).abs() <= tolerance,
            _ => found == wanted || (found.is_nan() && wanted.is_nan()),
        }
    })
}

/// Units in the last place between two floats, the larger of both parts for complex numbers; `u64::MAX` where one
/// is not finite and the other differs.
fn distance(element: ElementType, found: &[u8], wanted: &[u8]) -> u64 {
    let (part, found) = parts(element, found);
    found.into_iter().zip(parts(element, wanted).1).map(|(a, b)| part_distance(part, a, b)).max().unwrap_or(0)
}

fn part_distance(element: ElementType, found: &[u8], wanted: &[u8]) -> u64 {
    let (a, b) = (read_f64(found, element), read_f64(wanted, element));
    if found == wanted || (a.is_nan() && b.is_nan()) {
        return 0;
    }
    if !a.is_finite() || !b.is_finite() {
        return u64::MAX;
    }
    // A float's bits without the sign count the floats from zero to it.
    let magnitude = |bytes: &[u8]| {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let bits = 8 * bytes.len() as u32;
        u64::from_le_bytes(wide) & (u64::MAX >> (65 - bits))
    };
    let (x, y) = (magnitude(found), magnitude(wanted));
    if a.is_sign_negative() == b.is_sign_negative() { x.abs_diff(y) } else { x.saturating_add(y) }
}

/// One element as a check's message shows it.
fn text(bytes: &[u8], element: ElementType) -> String {
    match element.kind() {
        ElementKind::Complex => {
            let (part, parts) = parts(element, bytes);
            let parts: Vec<String> = parts.into_iter().map(|bytes| text(bytes, part)).collect();
            format!("({})", parts.join(", "))
        }
        ElementKind::Float => match element {
            ElementType::F64 => format!("{:?}", read_f64(bytes, element)),
            // Enough digits to tell any two values of the type apart, and no more than are known.
            _ => format!("{:?}", read_f64(bytes, element) as f32),
        },
        ElementKind::Boolean => (bytes != [0]).to_string(),
        _ => meshwright_tensor::literal::read_int(bytes, element).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(values: &[f32]) -> Tensor {
        Tensor::from_vec(ElementType::F32, [values.len()], values.to_vec())
    }

    fn passes(a: f32, b: f32, rule: Rule) -> bool {
        check("check", &floats(&[a]), &floats(&[b]), rule).is_ok()
    }

    #[test]
    fn equal_values() {
        assert!(passes(0.0, -0.0, Rule::Equal));
        assert!(passes(f32::NAN, -f32::NAN, Rule::Equal) && !passes(f32::NAN, 1.0, Rule::Equal));
        let message =
            check("check.expect_eq", &floats(&[1.0, 2.0, 3.5]), &floats(&[1.0, 0.1, 3.0]), Rule::Equal);
        assert_eq!(
            message.unwrap_err().message,
            "`check.expect_eq`: at index [1] the value is 2.0, but 0.1 is expected; 2 of 3 elements differ"
        );
    }

    #[test]
    fn floats_are_counted() {
        let within = |least, most| Rule::Ulps { least, most };
        let next = f32::from_bits(1.0f32.to_bits() + 3);
        assert!(passes(1.0, next, within(0, 3)) && passes(1.0, next, within(3, 3)));
        assert!(!passes(1.0, next, within(0, 2)));
        assert!(passes(f32::NAN, -f32::NAN, within(0, 0)));
        assert!(!passes(f32::INFINITY, f32::MAX, within(0, u64::MAX - 1)));
        let least = f32::from_bits(1);
        assert!(passes(-least, least, within(2, 2)));
        assert!(passes(-0.0, 0.0, within(0, 0)));
    }

    #[test]
    fn tolerances_are_absolute() {
        assert!(passes(1_000.0, 1_000.000_06, Rule::Absolute(1e-4)));
        assert!(!passes(0.0, 0.001, Rule::Absolute(1e-4)));
        assert!(passes(f32::NAN, f32::NAN, Rule::Absolute(0.0)));
        assert!(passes(f32::INFINITY, f32::INFINITY, Rule::Absolute(0.0)));
        assert!(!passes(f32::INFINITY, f32::MAX, Rule::Absolute(f64::MAX)));
    }
}
