//! Floats of eight bits and fewer: which numbers each type has, rounding to them, and their bits.
//!
//! Input: a number, or an element's byte. Output: the nearest number of the type (ties to even), or its byte. What a
//! type cannot hold becomes what `ml_dtypes`, and so JAX, makes of it: an infinity, else NaN, else the largest number.

use crate::types::ElementType;

/// How a type uses its largest codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Special {
    /// As IEEE 754: the largest exponent means infinities and NaN.
    Ieee,
    /// No infinities; NaN has all bits set but the sign.
    LastIsNan,
    /// No infinities and no negative zero, whose code means NaN.
    NegativeZeroIsNan,
    /// Only finite numbers.
    Finite,
    /// Powers of two without sign and zero; the largest code is NaN.
    PowersOfTwo,
}

/// A float type of at most eight bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MiniFloat {
    exponent_bits: u32,
    mantissa_bits: u32,
    bias: i32,
    special: Special,
}

impl MiniFloat {
    /// The format of an element type, if it is one.
    #[inline]
    pub fn of(element: ElementType) -> Option<Self> {
        use Special::{Finite, Ieee, LastIsNan, NegativeZeroIsNan, PowersOfTwo};
        let (exponent_bits, mantissa_bits, bias, special) = match element {
            ElementType::F4E2M1Fn => (2, 1, 1, Finite),
            ElementType::F6E2M3Fn => (2, 3, 1, Finite),
            ElementType::F6E3M2Fn => (3, 2, 3, Finite),
            ElementType::F8E3M4 => (3, 4, 3, Ieee),
            ElementType::F8E4M3 => (4, 3, 7, Ieee),
            ElementType::F8E4M3B11Fnuz => (4, 3, 11, NegativeZeroIsNan),
            ElementType::F8E4M3Fn => (4, 3, 7, LastIsNan),
            ElementType::F8E4M3Fnuz => (4, 3, 8, NegativeZeroIsNan),
            ElementType::F8E5M2 => (5, 2, 15, Ieee),
            ElementType::F8E5M2Fnuz => (5, 2, 16, NegativeZeroIsNan),
            ElementType::F8E8M0Fnu => (8, 0, 127, PowersOfTwo),
            _ => return None,
        };
        Some(Self { exponent_bits, mantissa_bits, bias, special })
    }

    /// Binary digits of a number, the leading one included.
    pub(crate) fn precision(self) -> usize {
        self.mantissa_bits as usize + 1
    }

    fn sign_bit(self) -> u8 {
        match self.special {
            Special::PowersOfTwo => 0,
            _ => 1 << (self.exponent_bits + self.mantissa_bits),
        }
    }

    /// The code of the largest finite number.
    fn largest(self) -> u8 {
        let codes = 1u32 << (self.exponent_bits + self.mantissa_bits);
        let unused = match self.special {
            Special::Ieee => 1 << self.mantissa_bits,
            Special::LastIsNan | Special::PowersOfTwo => 1,
            Special::NegativeZeroIsNan | Special::Finite => 0,
        };
        (codes - unused - 1) as u8
    }

    /// The largest finite number.
    pub fn greatest(self) -> f64 {
        self.magnitude(self.largest())
    }

    /// The number with this code, without looking for special ones.
    fn magnitude(self, code: u8) -> f64 {
        if self.special == Special::PowersOfTwo {
            return power_of_two(i32::from(code) - self.bias);
        }
        let mantissa = i32::from(code) & ((1 << self.mantissa_bits) - 1);
        let exponent = i32::from(code) >> self.mantissa_bits;
        let (significand, exponent) = match exponent {
            0 => (mantissa, 1),
            _ => (mantissa | 1 << self.mantissa_bits, exponent),
        };
        f64::from(significand) * power_of_two(exponent - self.bias - self.mantissa_bits as i32)
    }

    /// The number with this code.
    pub(crate) fn decode(self, code: u8) -> f64 {
        let magnitude = code & self.sign_bit().wrapping_sub(1);
        let is_negative = code & self.sign_bit() != 0;
        let value = match self.special {
            Special::NegativeZeroIsNan if is_negative && magnitude == 0 => f64::NAN,
            Special::Finite | Special::NegativeZeroIsNan => self.magnitude(magnitude),
            _ if magnitude <= self.largest() => self.magnitude(magnitude),
            Special::Ieee if magnitude == self.largest() + 1 => f64::INFINITY,
            _ => f64::NAN,
        };
        if is_negative { -value } else { value }
    }

    /// The code of a number of the type; other numbers are rounded first.
    pub(crate) fn encode(self, value: f64) -> u8 {
        let value = self.round(value);
        let sign = if value.is_sign_negative() { self.sign_bit() } else { 0 };
        if value.is_nan() {
            return match self.special {
                Special::Ieee => sign | (self.largest() + 1) | 1 << (self.mantissa_bits - 1),
                Special::LastIsNan => sign | (self.largest() + 1),
                Special::NegativeZeroIsNan => self.sign_bit(),
                Special::Finite => self.sign_bit(),
                Special::PowersOfTwo => u8::MAX,
            };
        }
        if value.is_infinite() {
            return sign | (self.largest() + 1);
        }
        let magnitude = value.abs();
        if self.special == Special::PowersOfTwo {
            return (exponent_of(magnitude) + self.bias) as u8;
        }
        let exponent = exponent_of(magnitude).max(1 - self.bias);
        let quanta = magnitude / power_of_two(exponent - self.mantissa_bits as i32);
        // A significand without its leading one belongs to exponent code zero, which has the scale of code one.
        let code = ((exponent + self.bias - 1) << self.mantissa_bits) + quanta as i32;
        sign | code as u8
    }

    /// The least and the greatest number of the type; infinite if it has infinities.
    pub fn extremes(self) -> (f64, f64) {
        let codes = 0..=u8::MAX >> (8 - self.bits());
        let numbers = codes.map(|code| self.decode(code)).filter(|number| !number.is_nan());
        numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), number| {
            (least.min(number), greatest.max(number))
        })
    }

    /// Returns whether it has a zero.
    pub fn has_zero(self) -> bool {
        self.special != Special::PowersOfTwo
    }

    /// Bits of the exponent and of the mantissa.
    pub fn field_bits(self) -> (u32, u32) {
        (self.exponent_bits, self.mantissa_bits)
    }

    fn bits(self) -> u32 {
        self.exponent_bits + self.mantissa_bits + u32::from(self.sign_bit() != 0)
    }

    /// The nearest number of the type, ties to even.
    pub(crate) fn round(self, value: f64) -> f64 {
        let is_negative = value.is_sign_negative();
        if value.is_nan() {
            return match self.special {
                Special::Finite => -0.0,
                Special::NegativeZeroIsNan | Special::PowersOfTwo => f64::NAN,
                _ => value,
            };
        }
        if self.special == Special::PowersOfTwo {
            return self.round_to_power(value);
        }
        let exponent = exponent_of(value).clamp(1 - self.bias, 1000);
        let quantum = power_of_two(exponent - self.mantissa_bits as i32);
        let magnitude = match value.is_infinite() {
            true => f64::INFINITY,
            false => (value.abs() / quantum).round_ties_even() * quantum,
        };
        let largest = self.magnitude(self.largest());
        let magnitude = match self.special {
            _ if magnitude <= largest => magnitude,
            Special::Ieee => f64::INFINITY,
            Special::Finite => largest,
            _ => f64::NAN,
        };
        if magnitude == 0.0 && self.special == Special::NegativeZeroIsNan || !is_negative {
            return magnitude;
        }
        // NaN of the types that have only one is positive.
        if magnitude.is_nan() && self.special == Special::NegativeZeroIsNan { magnitude } else { -magnitude }
    }

    /// The number of the type next to `from`, one of its numbers, in the direction of `to`.
    pub fn next_after(self, from: f64, to: f64) -> f64 {
        if from.is_nan() || to.is_nan() {
            return f64::NAN;
        }
        if from == to {
            return to;
        }
        if from == 0.0 {
            return self.magnitude(1).copysign(to);
        }
        let code = self.encode(from);
        let grows = (to > from) == (from > 0.0);
        if !grows && from.abs() == self.magnitude(1) && self.special != Special::PowersOfTwo {
            // What would be the code of minus zero is NaN where there is none.
            return if self.special == Special::NegativeZeroIsNan { 0.0 } else { 0.0f64.copysign(from) };
        }
        self.decode(if grows { code.wrapping_add(1) } else { code.wrapping_sub(1) })
    }

    fn round_to_power(self, value: f64) -> f64 {
        if !(value > 0.0 && value.is_finite()) {
            return f64::NAN;
        }
        // Halfway between two powers counts as nearer to the larger one; there is nothing below the smallest.
        let exponent = exponent_of(value).max(-1000);
        let up = value / power_of_two(exponent) >= 1.5;
        let code = (exponent + i32::from(up) + self.bias).max(0);
        if code > i32::from(self.largest()) { f64::NAN } else { self.magnitude(code as u8) }
    }
}

/// The exponent of the leading binary digit; of zero and subnormal numbers one below all others.
fn exponent_of(value: f64) -> i32 {
    (value.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

/// 2 to the `exponent`, which is that of a normal number.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(element: ElementType) -> MiniFloat {
        MiniFloat::of(element).unwrap()
    }

    #[test]
    fn every_code_survives() {
        let types =
            ElementType::ALL.iter().filter_map(|(element, _)| Some((*element, MiniFloat::of(*element)?)));
        let mut count = 0;
        for (element, format) in types {
            for code in 0..=u8::MAX >> (8 - element.bits()) {
                let value = format.decode(code);
                let again = format.encode(value);
                let same = again == code || value.is_nan() && format.decode(again).is_nan();
                assert!(same, "{element}: {code:#x} is {value} and {again:#x}");
                assert!(
                    value.is_nan() || format.round(value).to_bits() == value.to_bits(),
                    "{element}: {value}"
                );
            }
            count += 1;
        }
        assert_eq!(count, 11);
    }

    #[test]
    fn zero_is_next_to_the_smallest() {
        for (element, _) in ElementType::ALL {
            let Some(format) = MiniFloat::of(*element).filter(|own| own.special != Special::PowersOfTwo)
            else {
                continue;
            };
            let smallest = format.magnitude(1);
            assert_eq!(format.next_after(-smallest, 1.0), 0.0, "{element}");
            assert_eq!(format.next_after(smallest, -1.0), 0.0, "{element}");
        }
    }

    #[test]
    fn extremes() {
        let largest = |element| format(element).greatest();
        assert_eq!(largest(ElementType::F4E2M1Fn), 6.0);
        assert_eq!(largest(ElementType::F6E2M3Fn), 7.5);
        assert_eq!(largest(ElementType::F6E3M2Fn), 28.0);
        assert_eq!(largest(ElementType::F8E3M4), 15.5);
        assert_eq!(largest(ElementType::F8E4M3), 240.0);
        assert_eq!(largest(ElementType::F8E4M3B11Fnuz), 30.0);
        assert_eq!(largest(ElementType::F8E4M3Fn), 448.0);
        assert_eq!(largest(ElementType::F8E4M3Fnuz), 240.0);
        assert_eq!(largest(ElementType::F8E5M2), 57344.0);
        assert_eq!(largest(ElementType::F8E5M2Fnuz), 57344.0);
        assert_eq!(largest(ElementType::F8E8M0Fnu), f64::powi(2.0, 127));
        assert_eq!(format(ElementType::F8E8M0Fnu).decode(0), f64::powi(2.0, -127));
    }

    #[test]
    fn ties_go_to_even_and_what_does_not_fit_to_the_special_codes() {
        let e4m3fn = format(ElementType::F8E4M3Fn);
        assert_eq!((e4m3fn.round(464.0), e4m3fn.round(17.0), e4m3fn.round(19.0)), (448.0, 16.0, 20.0));
        assert!(e4m3fn.round(464.1).is_nan() && e4m3fn.round(f64::NEG_INFINITY).is_nan());
        assert_eq!(e4m3fn.encode(f64::NEG_INFINITY), 0xff);
        assert_eq!(e4m3fn.round(f64::powi(2.0, -10)), 0.0);
        assert_eq!(e4m3fn.round(3.0 * f64::powi(2.0, -11)), f64::powi(2.0, -9));
        assert_eq!(format(ElementType::F8E5M2).round(61440.0), f64::INFINITY);
        assert_eq!(format(ElementType::F8E5M2).round(-61439.0), -57344.0);
        assert_eq!(format(ElementType::F4E2M1Fn).round(-1e30), -6.0);
        assert_eq!(format(ElementType::F4E2M1Fn).encode(f64::NAN), 8);
        assert_eq!(format(ElementType::F8E4M3Fnuz).encode(-1e-9), 0);
        assert_eq!(format(ElementType::F8E4M3Fnuz).encode(f64::INFINITY), 0x80);
        let powers = format(ElementType::F8E8M0Fnu);
        assert_eq!([1.5, 3.0, 6.0, 2.9].map(|value| powers.round(value)), [2.0, 4.0, 8.0, 2.0]);
        assert_eq!(powers.round(1e-300), powers.magnitude(0));
        assert!([0.0, -1.0, f64::INFINITY].iter().all(|value| powers.round(*value).is_nan()));
    }
}
