//! [`Element`]: the rust types that tensors are made of; [`Native`]: the real ones and the conversions between them.
//!
//! Conversions follow StableHLO's `convert` as XLA computes it: float to integer truncates toward zero and
//! saturates (NaN gives 0), integer to float and float to float round to nearest even, integer to integer
//! wraps, anything to `bool` is `!= 0`, `bool` gives 0 or 1.

use std::fmt;

use half::{bf16, f16};

use super::complex::Complex;
use super::storage::{Buffer, StorageKind};
use crate::minifloat::MiniFloat;
use crate::types::ElementType;

/// One element as a number, wide enough to hold any element exactly.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[allow(missing_docs)] // the variants are the kinds of numbers
pub enum Scalar {
    Bool(bool),
    Int(i64),
    Uint(u64),
    Float(f64),
    /// The real and the imaginary part.
    Complex(f64, f64),
}

impl Scalar {
    /// Returns whether it is of a type that holds NaN.
    pub fn is_float(self) -> bool {
        matches!(self, Self::Float(_) | Self::Complex(..))
    }

    /// Converts as [`Native::cast`] does; of a complex number the real part.
    pub fn cast<T: Native>(self) -> T {
        match self {
            Self::Bool(value) => value.cast(),
            Self::Int(value) => value.cast(),
            Self::Uint(value) => value.cast(),
            Self::Float(value) | Self::Complex(value, _) => value.cast(),
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            Self::Uint(value) => value.fmt(f),
            Self::Float(value) => fmt::Debug::fmt(value, f),
            Self::Complex(re, im) => write!(f, "({re:?}, {im:?})"),
        }
    }
}

/// A rust type that elements are kept in.
pub trait Element: Copy + Default + PartialEq + PartialOrd + fmt::Debug + Send + Sync + 'static {
    /// The storage of this type.
    const STORAGE: StorageKind;
    /// The element type that is this type.
    const ELEMENT: ElementType;
    /// A buffer of these elements.
    fn into_buffer(elements: Vec<Self>) -> Buffer;
    /// The elements of a buffer of this type.
    fn elements(buffer: &Buffer) -> Option<&[Self]>;
    /// The elements of a buffer of this type, for writing.
    fn elements_mut(buffer: &mut Buffer) -> Option<&mut [Self]>;
    /// The value itself.
    fn scalar(self) -> Scalar;
    /// Converts a number.
    fn from_scalar(value: Scalar) -> Self;
    /// The nearest value that elements declared as `element` can have: of integers the low bits (sign-extended if
    /// signed), of floats of eight bits and fewer the rounded value.
    fn fit(self, element: ElementType) -> Self {
        let _ = element;
        self
    }
    /// Reads one element from `size_of::<Self>()` little-endian bytes.
    fn read_le(bytes: &[u8]) -> Self;
    /// Appends the element's little-endian bytes.
    fn write_le(self, bytes: &mut Vec<u8>);
}

/// A rust type that real elements (all but complex numbers) are kept in.
pub trait Native: Element {
    /// Converts 0 or 1.
    fn from_bool(value: bool) -> Self;
    /// Converts an integer.
    fn from_i64(value: i64) -> Self;
    /// Converts an integer.
    fn from_u64(value: u64) -> Self;
    /// Converts a float.
    fn from_f32(value: f32) -> Self;
    /// Converts a float.
    fn from_f64(value: f64) -> Self;
    /// Converts to any other type.
    fn cast<T: Native>(self) -> T;
}

macro_rules! buffer_access {
    ($kind:ident $element:ident) => {
        const STORAGE: StorageKind = StorageKind::$kind;
        const ELEMENT: ElementType = ElementType::$element;
        fn into_buffer(elements: Vec<Self>) -> Buffer {
            Buffer::$kind(elements)
        }
        fn elements(buffer: &Buffer) -> Option<&[Self]> {
            match buffer {
                Buffer::$kind(elements) => Some(elements),
                _ => None,
            }
        }
        fn elements_mut(buffer: &mut Buffer) -> Option<&mut [Self]> {
            match buffer {
                Buffer::$kind(elements) => Some(elements),
                _ => None,
            }
        }
    };
}

macro_rules! real_scalar {
    () => {
        fn from_scalar(value: Scalar) -> Self {
            value.cast()
        }
    };
}

macro_rules! little_endian {
    () => {
        fn read_le(bytes: &[u8]) -> Self {
            let mut array = [0; size_of::<Self>()];
            array.copy_from_slice(bytes);
            Self::from_le_bytes(array)
        }
        fn write_le(self, bytes: &mut Vec<u8>) {
            bytes.extend_from_slice(&self.to_le_bytes());
        }
    };
}

macro_rules! complexes {
    ($($part:ident $kind:ident $element:ident),*) => {
        $(impl Element for Complex<$part> {
            buffer_access!($kind $element);
            fn scalar(self) -> Scalar {
                Scalar::Complex(self.re.into(), self.im.into())
            }
            fn from_scalar(value: Scalar) -> Self {
                match value {
                    Scalar::Complex(re, im) => Self::new(re as $part, im as $part),
                    real => Self::new(real.cast(), 0.0),
                }
            }
            fn read_le(bytes: &[u8]) -> Self {
                let (re, im) = bytes.split_at(size_of::<$part>());
                Self::new($part::read_le(re), $part::read_le(im))
            }
            fn write_le(self, bytes: &mut Vec<u8>) {
                self.re.write_le(bytes);
                self.im.write_le(bytes);
            }
        })*
    };
}

complexes!(f32 C64 ComplexF32, f64 C128 ComplexF64);

macro_rules! primitive {
    ($native:ident, $kind:ident $element:ident, $scalar:ident $wide:ident $from_wide:ident, |$value:ident, $declared:ident| $fit:expr) => {
        impl Element for $native {
            buffer_access!($kind $element);
            real_scalar!();
            little_endian!();
            fn scalar(self) -> Scalar {
                Scalar::$scalar(self.into())
            }
            #[inline(always)]
            fn fit(self, $declared: ElementType) -> Self {
                let $value = self;
                $fit
            }
        }

        impl Native for $native {
            #[inline(always)]
            fn from_bool(value: bool) -> Self {
                u8::from(value) as $native
            }
            #[inline(always)]
            fn from_i64(value: i64) -> Self {
                value as $native
            }
            #[inline(always)]
            fn from_u64(value: u64) -> Self {
                value as $native
            }
            #[inline(always)]
            fn from_f32(value: f32) -> Self {
                value as $native
            }
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as $native
            }
            #[inline(always)]
            fn cast<T: Native>(self) -> T {
                T::$from_wide(self as $wide)
            }
        }
    };
}

macro_rules! integers {
    ($($native:ident $kind:ident $element:ident $scalar:ident $wide:ident $from_wide:ident),*) => {
        $(primitive!($native, $kind $element, $scalar $wide $from_wide, |value, element| {
            let unused = $native::BITS.saturating_sub(element.bits() as u32);
            value.checked_shl(unused).map_or(0, |value| value >> unused)
        });)*
    };
}

integers!(
    i8 I8 I8 Int i64 from_i64, i16 I16 I16 Int i64 from_i64, i32 I32 I32 Int i64 from_i64, i64 I64 I64 Int i64 from_i64,
    u8 U8 Ui8 Uint u64 from_u64, u16 U16 Ui16 Uint u64 from_u64, u32 U32 Ui32 Uint u64 from_u64, u64 U64 Ui64 Uint u64 from_u64
);
primitive!(f32, F32 F32, Float f32 from_f32, |value, element| match MiniFloat::of(element) {
    Some(format) => format.round(f64::from(value)) as f32,
    None => value,
});
primitive!(f64, F64 F64, Float f64 from_f64, |value, _element| value);

impl Element for bool {
    buffer_access!(Bool I1);
    real_scalar!();
    fn scalar(self) -> Scalar {
        Scalar::Bool(self)
    }
    fn read_le(bytes: &[u8]) -> Self {
        bytes[0] != 0
    }
    fn write_le(self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(self));
    }
}

impl Native for bool {
    fn from_bool(value: bool) -> Self {
        value
    }
    fn from_i64(value: i64) -> Self {
        value != 0
    }
    fn from_u64(value: u64) -> Self {
        value != 0
    }
    fn from_f32(value: f32) -> Self {
        value != 0.0
    }
    fn from_f64(value: f64) -> Self {
        value != 0.0
    }
    #[inline(always)]
    fn cast<T: Native>(self) -> T {
        T::from_bool(self)
    }
}

macro_rules! halves {
    ($($native:ident $kind:ident),*) => {
        $(impl Element for $native {
            buffer_access!($kind $kind);
            real_scalar!();
            little_endian!();
            fn scalar(self) -> Scalar {
                Scalar::Float(self.to_f64())
            }
        }

        impl Native for $native {
            fn from_bool(value: bool) -> Self {
                if value { Self::ONE } else { Self::ZERO }
            }
            fn from_i64(value: i64) -> Self {
                let magnitude = Self::from_u64(value.unsigned_abs());
                if value < 0 { -magnitude } else { magnitude }
            }
            fn from_u64(value: u64) -> Self {
                // Integers of more than 53 bits keep a sticky bit where f64 would round them first.
                const STICKY: u64 = (1 << 11) - 1;
                let kept = if value >> 53 == 0 { value } else { (value & !STICKY) | (u64::from(value & STICKY != 0) << 11) };
                // The half crate's own method of this name rounds twice.
                <Self as Native>::from_f64(kept as f64)
            }
            #[inline(always)]
            fn from_f32(value: f32) -> Self {
                $native::from_f32(value)
            }
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                $native::from_f32(round_to_odd(value))
            }
            #[inline(always)]
            fn cast<T: Native>(self) -> T {
                T::from_f32(self.to_f32())
            }
        })*
    };
}

halves!(f16 F16, bf16 Bf16);

/// `value` as `f32`, truncated, with the last bit set if anything was lost. Rounding that to a half type gives
/// the same as rounding `value` directly, which going through a rounded `f32` does not (S. Boldo and
/// G. Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
pub(crate) fn round_to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    let exact = f64::from(nearest);
    if value.is_nan() || exact == value {
        return nearest;
    }
    let truncated = if exact.abs() > value.abs() { nearest.to_bits() - 1 } else { nearest.to_bits() };
    f32::from_bits(truncated | 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_become_integers_by_truncation_and_saturation() {
        assert_eq!((-1.9f32).cast::<i32>(), -1);
        assert_eq!(f32::NAN.cast::<i32>(), 0);
        assert_eq!(300.0f64.cast::<i8>(), 127);
        assert_eq!((-3.0f64).cast::<u16>(), 0);
        assert_eq!(f64::INFINITY.cast::<u64>(), u64::MAX);
        assert!(f32::NAN.cast::<bool>());
        assert!(!(-0.0f32).cast::<bool>());
    }

    #[test]
    fn integers_wrap_and_round_to_nearest_even() {
        assert_eq!(300i32.cast::<u8>(), 44);
        assert_eq!((-1i8).cast::<u64>(), u64::MAX);
        assert_eq!(16_777_217i32.cast::<f32>(), 16_777_216.0);
        assert_eq!(u64::MAX.cast::<f32>(), 18_446_744_073_709_551_616.0);
        assert_eq!(true.cast::<bf16>(), bf16::ONE);
        assert_eq!((-7i64).cast::<f16>(), f16::from_f32(-7.0));
    }

    #[test]
    fn halves_are_rounded_once() {
        // Just above the tie between 1 and the next bf16; f32 would drop the excess and then tie to even.
        let above_tie = 1.0 + f64::powi(2.0, -8) + f64::powi(2.0, -40);
        assert_eq!(above_tie.cast::<bf16>(), bf16::from_f32(1.0 + f32::powi(2.0, -7)));
        let above_tie = 1.0 + f64::powi(2.0, -11) + f64::powi(2.0, -50);
        assert_eq!(above_tie.cast::<f16>(), f16::from_f32(1.0 + f32::powi(2.0, -10)));
        assert_eq!((-above_tie).cast::<f16>(), f16::from_f32(-1.0 - f32::powi(2.0, -10)));
        let above_tie = (1u64 << 62) + (1 << 54) + 1;
        assert_eq!(above_tie.cast::<bf16>().to_f64(), ((1u64 << 62) + (1 << 55)) as f64);
        assert_eq!(1e300f64.cast::<bf16>(), bf16::INFINITY);
        assert_eq!(f64::NEG_INFINITY.cast::<f16>(), f16::NEG_INFINITY);
        assert!(f64::NAN.cast::<f16>().is_nan());
    }

    #[test]
    fn wrapping_keeps_the_low_bits() {
        assert_eq!(9i8.fit(ElementType::I4), -7);
        assert_eq!((-9i8).fit(ElementType::I4), 7);
        assert_eq!(19u8.fit(ElementType::Ui4), 3);
        assert_eq!(2i8.fit(ElementType::I2), -2);
        assert_eq!((-1i64).fit(ElementType::I64), -1);
    }
}
