//! Constant tensors: `dense<...>`, kept as little-endian bytes, a splat as one element.
//!
//! Printing follows MLIR: six significant digits in scientific form if they read back exactly, else the shortest
//! fixed number of digits that does, else the bits in hexadecimal; more than a hundred elements as one hex blob.

use crate::minifloat::MiniFloat;
use crate::types::{ElementKind, ElementType, TensorType};
use std::fmt;
use std::fmt::Write as _;
use std::sync::Arc;

/// A constant tensor. One element takes `ElementType::bits` rounded up to bytes (sub-byte types: one byte).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Literal {
    /// Its type.
    pub ty: TensorType,
    /// Its elements.
    pub data: LiteralData,
}

/// The elements of a constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LiteralData {
    /// Every element has these bytes.
    Splat(Box<[u8]>),
    /// All elements, row-major.
    Dense(Arc<[u8]>),
    /// All elements, row-major, which stand at the end of the file under a name.
    Resource {
        /// The name.
        name: Arc<str>,
        /// What the file says of their alignment.
        alignment: u32,
        /// The elements.
        bytes: Arc<[u8]>,
    },
}

/// Above this many elements MLIR prints a hex blob instead of a list.
const MAX_LISTED: usize = 100;

/// As a list of integers, a splat has at most so many: a list that an attribute really needs is short.
const MAX_INTS: usize = 1 << 20;

/// Bytes of one element in a [`Literal`].
pub fn element_bytes(element: ElementType) -> usize {
    element.bits().div_ceil(8)
}

impl Literal {
    /// Every element of `ty` is `value`, given in f64 (exact for integers below 2^53).
    pub fn splat(ty: TensorType, value: f64) -> Self {
        let bytes = match ty.element.kind() {
            ElementKind::Float | ElementKind::Complex => float_bytes(value, ty.element),
            _ => int_bytes(value as i128, ty.element),
        };
        Self { ty, data: LiteralData::Splat(bytes.into()) }
    }

    /// A one-dim `i64` constant, as StableHLO uses for dense index lists.
    pub fn ints(shape: Vec<usize>, values: &[i64]) -> Self {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        Self { ty: TensorType::new(shape, ElementType::I64), data: LiteralData::Dense(bytes.into()) }
            .normalized()
    }

    /// Lists all of whose elements are alike become splats, as MLIR does when it reads them.
    pub fn normalized(self) -> Self {
        let size = element_bytes(self.ty.element);
        if let LiteralData::Dense(bytes) = &self.data
            && !bytes.is_empty()
            && bytes.chunks(size).all(|chunk| *chunk == bytes[..size])
        {
            return Self { data: LiteralData::Splat(bytes[..size].into()), ty: self.ty };
        }
        self
    }

    /// The bytes of every element if they are all alike.
    pub fn splat_bytes(&self) -> Option<&[u8]> {
        match &self.data {
            LiteralData::Splat(bytes) => Some(bytes),
            LiteralData::Dense(_) | LiteralData::Resource { .. } => None,
        }
    }

    /// The value of every element if they are all alike and real, as complex ones without an imaginary part are: so the
    /// 0 and 1 that [`float_bytes`] makes of them are found again.
    pub fn splat_f64(&self) -> Option<f64> {
        let bytes = self.splat_bytes()?;
        let imaginary = match self.ty.element.kind() {
            ElementKind::Complex => &bytes[bytes.len() / 2..],
            _ => &[],
        };
        imaginary.iter().all(|byte| *byte == 0).then(|| read_f64(bytes, self.ty.element))
    }

    /// Returns whether both repeat one and the same value: of floats the numbers are compared, so that -0 is 0 and a
    /// NaN nothing's equal; of others every bit, as a 64-bit integer does not fit a float.
    pub fn repeats_value_of(&self, other: &Self) -> bool {
        let element = self.ty.element;
        let (Some(own), Some(others)) = (self.splat_bytes(), other.splat_bytes()) else {
            return false;
        };
        element == other.ty.element
            && match element.is_float() {
                true => read_f64(own, element) == read_f64(others, element),
                false => own == others,
            }
    }

    /// All elements as integers, row-major. `None` for floats, and for a splat that stands for too many.
    pub fn to_ints(&self) -> Option<Vec<i64>> {
        if self.ty.element.is_float() || self.ty.element.kind() == ElementKind::Complex {
            return None;
        }
        let size = element_bytes(self.ty.element);
        let read = |bytes: &[u8]| i64::try_from(read_int(bytes, self.ty.element)).ok();
        match &self.data {
            LiteralData::Splat(bytes) => {
                let count = self.ty.num_elements();
                if count > MAX_INTS { None } else { Some(vec![read(bytes)?; count]) }
            }
            LiteralData::Dense(bytes) | LiteralData::Resource { bytes, .. } => {
                bytes.chunks(size).map(read).collect()
            }
        }
    }

    /// All elements' bytes, row-major, a splat repeated.
    pub fn to_bytes(&self) -> Vec<u8> {
        match &self.data {
            LiteralData::Splat(bytes) => bytes.repeat(self.ty.num_elements()),
            LiteralData::Dense(bytes) | LiteralData::Resource { bytes, .. } => bytes.to_vec(),
        }
    }
}

/// The element bytes of an integer, wrapped to the type's width.
pub fn int_bytes(value: i128, element: ElementType) -> Vec<u8> {
    match element {
        ElementType::I1 => vec![u8::from(value != 0)],
        ElementType::I2 | ElementType::Ui2 => vec![(value & 3) as u8],
        ElementType::I4 | ElementType::Ui4 => vec![(value & 15) as u8],
        _ => value.to_le_bytes()[..element_bytes(element)].to_vec(),
    }
}

/// The element bytes of a float, rounded to the type; a complex gets a zero imaginary part.
pub fn float_bytes(value: f64, element: ElementType) -> Vec<u8> {
    if let Some(format) = MiniFloat::of(element) {
        return vec![format.encode(value)];
    }
    match element {
        ElementType::F16 => half::f16::from_f64(value).to_le_bytes().to_vec(),
        ElementType::Bf16 => half::bf16::from_f64(value).to_le_bytes().to_vec(),
        ElementType::F32 => (value as f32).to_le_bytes().to_vec(),
        ElementType::ComplexF32 => [(value as f32).to_le_bytes(), [0; 4]].concat(),
        ElementType::ComplexF64 => [value.to_le_bytes(), [0; 8]].concat(),
        _ => value.to_le_bytes().to_vec(),
    }
}

/// The integer of type `element` that a number in the text stands for, as MLIR reads it: signed types may be written
/// as their bits too, so that 255 is -1 as an `i8`. `None` if it does not fit, or if `element` is no integer type.
pub fn fit_int(value: i128, element: ElementType) -> Option<i128> {
    let bits = match element.kind() {
        ElementKind::Boolean => 1,
        ElementKind::Signed | ElementKind::Unsigned => element.bits() as u32,
        ElementKind::Float | ElementKind::Complex => return None,
    };
    let low = if element.kind() == ElementKind::Unsigned { 0 } else { -(1i128 << (bits - 1)) };
    let fits = value >= low && value < 1i128 << bits;
    fits.then(|| read_int(&int_bytes(value, element), element))
}

/// The element bytes of a float that is written as its bits. `None` if these are too many, or if `element` is no
/// (real) floating-point type.
pub fn fit_float_bits(bits: u128, element: ElementType) -> Option<Vec<u8>> {
    let fits = element.is_float() && bits >> element.bits() == 0;
    fits.then(|| bits.to_le_bytes()[..element_bytes(element)].to_vec())
}

/// The integer in element bytes, sign-extended where the type is signed.
pub fn read_int(bytes: &[u8], element: ElementType) -> i128 {
    let mut wide = [0u8; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    let value = i128::from_le_bytes(wide);
    let bits = match element {
        ElementType::I1 => return value,
        other => other.bits(),
    };
    let value = value & ((1 << bits) - 1);
    let signed = element.kind() == ElementKind::Signed && value >> (bits - 1) & 1 == 1;
    if signed { value - (1 << bits) } else { value }
}

/// The number in the element bytes of a real type.
pub fn read_f64(bytes: &[u8], element: ElementType) -> f64 {
    match (element, bytes) {
        (ElementType::F16, [a, b, ..]) => half::f16::from_le_bytes([*a, *b]).to_f64(),
        (ElementType::Bf16, [a, b, ..]) => half::bf16::from_le_bytes([*a, *b]).to_f64(),
        (ElementType::F32 | ElementType::ComplexF32, [a, b, c, d, ..]) => {
            f64::from(f32::from_le_bytes([*a, *b, *c, *d]))
        }
        (ElementType::F64 | ElementType::ComplexF64, [a, b, c, d, e, f, g, h, ..]) => {
            f64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h])
        }
        (_, bytes) => match (MiniFloat::of(element), bytes) {
            (Some(format), [code, ..]) => format.decode(*code),
            _ => read_int(bytes, element) as f64,
        },
    }
}

/// A float as MLIR prints it for its type.
pub fn float_text(value: f64, element: ElementType) -> String {
    let bytes = float_bytes(value, element);
    let reads_back = |text: &str| {
        text.parse::<f64>().is_ok_and(|back| {
            // Rounding twice (text to f64, f64 to the type) is harmless for up to 17 digits of what is printed here.
            let narrow = match element {
                ElementType::F32 => text.parse::<f32>().map_or(0.0, f64::from),
                _ => back,
            };
            float_bytes(narrow, element) == bytes
        })
    };
    if value.is_finite() {
        let text = scientific(&decimal(value, 6), 6);
        if reads_back(&text) {
            return text;
        }
        let precision = match element {
            ElementType::F16 => 11,
            ElementType::Bf16 => 8,
            ElementType::F32 => 24,
            _ => MiniFloat::of(element).map_or(53, MiniFloat::precision),
        };
        let digits = 2 + precision * 59 / 196;
        let text = shortest(&decimal(value, digits), digits);
        if text.contains('.') && reads_back(&text) {
            return text;
        }
    }
    let mut text = String::from("0x");
    for byte in bytes.iter().rev() {
        let _ = write!(text, "{byte:02X}");
    }
    text
}

/// A decimal number `0.d1d2d3... * 10^point`, without trailing zeros.
struct Decimal {
    is_negative: bool,
    digits: String,
    point: i64,
}

/// The decimal digits that LLVM's `APFloat::toString` keeps for a precision. It first drops as many digits as it can
/// tell to be superfluous from the number of bits, without rounding, and rounds only what is left.
fn decimal(value: f64, precision: usize) -> Decimal {
    let is_negative = value.is_sign_negative();
    if value == 0.0 {
        return Decimal { is_negative, digits: "0".into(), point: 1 };
    }
    // The exact digits as an integer are an odd number times a power of five (or of two, for integers).
    let (fraction, exponent) =
        (value.abs().to_bits() & ((1 << 52) - 1), (value.abs().to_bits() >> 52) as i64);
    let significand = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    let odd = significand >> significand.trailing_zeros();
    let power = exponent.max(1) - 1075 + i64::from(significand.trailing_zeros());
    let bits = match power {
        0.. => (64 - odd.leading_zeros()) as i64 + power,
        _ => ((odd as f64).log2() - power as f64 * 5f64.log2()).floor() as i64 + 1,
    };
    // So many significant digits write the value exactly, and 767 write any.
    let enough = ((bits.max(1) as f64 * 2f64.log10()) as usize + 2).min(766);
    let exact = format!("{:.enough$e}", value.abs());
    let (mantissa, exponent) = exact.split_once('e').unwrap_or((&exact, "0"));
    let point = exponent.parse::<i64>().unwrap_or(0) + 1;
    let mut digits = mantissa.replace('.', "");
    digits.truncate(digits.trim_end_matches('0').len());
    if power >= 0 {
        digits.extend(std::iter::repeat_n('0', (point as usize).saturating_sub(digits.len())));
    }
    let required = (precision as i64 * 196 + 58) / 59;
    let removable = ((bits - required).max(0) * 59 / 196) as usize;
    digits.truncate(digits.len().saturating_sub(removable).max(1));
    let mut point = point;
    if digits.len() > precision {
        let rounds_up = digits.as_bytes()[precision] >= b'5';
        digits.truncate(precision);
        if rounds_up {
            let kept = digits.trim_end_matches('9').len();
            digits.truncate(kept);
            match digits.pop() {
                Some(last) => digits.push((last as u8 + 1) as char),
                None => {
                    digits.push('1');
                    point += 1;
                }
            }
        }
    }
    digits.truncate(digits.trim_end_matches('0').len().max(1));
    Decimal { is_negative, digits, point }
}

/// `1.500000e-07`, with `precision` digits behind the point.
fn scientific(decimal: &Decimal, precision: usize) -> String {
    let (first, rest) = decimal.digits.split_at(1);
    let exponent = if decimal.digits == "0" { 0 } else { decimal.point - 1 };
    let sign = if decimal.is_negative { "-" } else { "" };
    let exponent_sign = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{first}.{rest:0<precision$}e{exponent_sign}{:02}", exponent.abs())
}

/// Fixed, or scientific (`9.9E-7`) where more than three zeros would be needed as padding.
fn shortest(decimal: &Decimal, precision: usize) -> String {
    let Decimal { digits, point, .. } = decimal;
    let sign = if decimal.is_negative { "-" } else { "" };
    let (count, exponent) = (digits.len() as i64, point - 1);
    let trailing = point - count; // value = digits * 10^trailing
    let use_scientific = match trailing {
        0.. => trailing > 3 || count + trailing > precision as i64,
        _ => exponent < 0 && -exponent > 3,
    };
    if use_scientific {
        let (first, rest) = digits.split_at(1);
        let rest = if rest.is_empty() { "0" } else { rest };
        return format!("{sign}{first}.{rest}E{}{}", if exponent < 0 { "-" } else { "+" }, exponent.abs());
    }
    if trailing >= 0 {
        return format!("{sign}{digits}{}", "0".repeat(trailing as usize));
    }
    if exponent < 0 {
        return format!("{sign}0.{}{digits}", "0".repeat((-exponent - 1) as usize));
    }
    let (whole, fraction) = digits.split_at(*point as usize);
    format!("{sign}{whole}.{fraction}")
}

fn write_element(f: &mut fmt::Formatter<'_>, bytes: &[u8], element: ElementType) -> fmt::Result {
    match element.kind() {
        ElementKind::Boolean => write!(f, "{}", bytes[0] != 0),
        ElementKind::Signed | ElementKind::Unsigned => write!(f, "{}", read_int(bytes, element)),
        ElementKind::Float => {
            // The bits of a NaN must survive, so they do not pass through a float.
            let value = read_f64(bytes, element);
            if value.is_finite() {
                f.write_str(&float_text(value, element))
            } else {
                f.write_str("0x")?;
                bytes.iter().rev().try_for_each(|byte| write!(f, "{byte:02X}"))
            }
        }
        ElementKind::Complex => {
            let part = element.part();
            let (real, imaginary) = bytes.split_at(bytes.len() / 2);
            f.write_str("(")?;
            write_element(f, real, part)?;
            f.write_str(",")?;
            write_element(f, imaginary, part)?;
            f.write_str(")")
        }
    }
}

fn write_nested(
    f: &mut fmt::Formatter<'_>,
    bytes: &[u8],
    shape: &[usize],
    element: ElementType,
) -> fmt::Result {
    let Some((size, inner)) = shape.split_first() else {
        return write_element(f, bytes, element);
    };
    f.write_str("[")?;
    if *size > 0 {
        for (index, part) in bytes.chunks(bytes.len() / size).enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            write_nested(f, part, inner, element)?;
        }
    }
    f.write_str("]")
}

impl fmt::Display for Literal {
    /// `dense<...>`, without the type.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let LiteralData::Resource { name, .. } = &self.data {
            f.write_str("dense_resource<")?;
            crate::quote::write_name(f, name)?;
            return f.write_str(">");
        }
        f.write_str("dense<")?;
        match &self.data {
            LiteralData::Splat(bytes) => write_element(f, bytes, self.ty.element)?,
            LiteralData::Dense(_) if self.ty.num_elements() == 0 => {}
            LiteralData::Dense(bytes) if self.ty.num_elements() > MAX_LISTED => {
                f.write_str("\"0x")?;
                bytes.iter().try_for_each(|byte| write!(f, "{byte:02X}"))?;
                f.write_str("\"")?;
            }
            LiteralData::Dense(bytes) | LiteralData::Resource { bytes, .. } => {
                write_nested(f, bytes, &self.ty.shape, self.ty.element)?;
            }
        }
        f.write_str(">")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_print_as_mlir_prints_them() {
        let text = |value: f64| float_text(f64::from(value as f32), ElementType::F32);
        assert_eq!(text(0.0), "0.000000e+00");
        assert_eq!(text(0.001), "1.000000e-03");
        assert_eq!(text(0.999), "9.990000e-01");
        assert_eq!(text(3.0e20), "3.000000e+20");
        assert_eq!(text(0.9), "0.899999976");
        assert_eq!(text(1e-6), "9.99999997E-7");
        assert_eq!(text(-2.5), "-2.500000e+00");
        assert_eq!(text(f64::INFINITY), "0x7F800000");
        assert_eq!(text(std::f64::consts::PI), "3.14159274");
        assert_eq!(float_text(0.1, ElementType::F64), "1.000000e-01");
        assert_eq!(float_text(1.0 / 3.0, ElementType::F64), "0.33333333333333331");
    }

    #[test]
    fn integers_keep_sign_and_width() {
        assert_eq!(read_int(&int_bytes(-1, ElementType::I4), ElementType::I4), -1);
        assert_eq!(read_int(&int_bytes(-1, ElementType::Ui8), ElementType::Ui8), 255);
        assert_eq!(Literal::ints(vec![3], &[1, 1, 1]).to_ints(), Some(vec![1, 1, 1]));
    }

    #[test]
    fn numbers_in_the_text_fit_their_type_or_not() {
        use ElementType::{F4E2M1Fn, F6E3M2Fn, F32, F64, I1, I4, I8, I64, Ui8, Ui64};
        assert_eq!(
            [255, 127, -128, 256, -129].map(|value| fit_int(value, I8)),
            [Some(-1), Some(127), Some(-128), None, None]
        );
        assert_eq!([1, -1, 0, 2].map(|value| fit_int(value, I1)), [Some(1), Some(1), Some(0), None]);
        assert_eq!([15, 16].map(|value| fit_int(value, I4)), [Some(-1), None]);
        assert_eq!([255, -1, 256].map(|value| fit_int(value, Ui8)), [Some(255), None, None]);
        assert_eq!(fit_int(i128::from(u64::MAX), I64), Some(-1));
        assert_eq!(fit_int(i128::from(u64::MAX), Ui64), Some(i128::from(u64::MAX)));
        assert_eq!([i128::MAX, i128::MIN].map(|value| fit_int(value, I64)), [None, None]);
        assert_eq!(fit_int(1, F32), None);
        assert_eq!([0x5, 0x10].map(|bits| fit_float_bits(bits, F4E2M1Fn)), [Some(vec![5]), None]);
        assert_eq!([0x3F, 0x40].map(|bits| fit_float_bits(bits, F6E3M2Fn)), [Some(vec![0x3F]), None]);
        assert_eq!(fit_float_bits(u128::MAX, F64), None);
        assert_eq!(fit_float_bits(1, I8), None);
    }
}
