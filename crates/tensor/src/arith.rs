//! Arithmetic that generic kernels ask of their element type: [`Number`], [`Integer`], [`Float`] and [`Real`].
//!
//! Integers wrap; half types compute in `f32` and round after each operation; booleans take the meanings that
//! the StableHLO specification gives them (`add` and `maximum` are or, `multiply` and `minimum` are and).
//! Where the specification leaves a result open (division by zero, shifts by too much), it is XLA's.

use half::{bf16, f16};

use super::native::{Element, Native};

/// Element types with arithmetic: all of them.
#[allow(missing_docs)] // the methods are the specification's operations
pub trait Number: Element {
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// Integers truncate toward zero; `x / 0` has all bits set.
    fn div(self, other: Self) -> Self;
    /// The sign is that of `self`; integer `x % 0` is `x`.
    fn rem(self, other: Self) -> Self;
    /// Integer powers wrap; a negative exponent gives 0 unless the base is 1 or -1.
    fn power(self, other: Self) -> Self;
    fn neg(self) -> Self;
    fn abs(self) -> Self;
    /// -1, 0 or 1 (or the float itself if it is NaN or zero).
    fn sign(self) -> Self;
    /// NaN if either is NaN; -0 is less than +0.
    fn minimum(self, other: Self) -> Self;
    /// NaN if either is NaN; -0 is less than +0.
    fn maximum(self, other: Self) -> Self;
}

/// Booleans and integers. `bits` is the declared width: `i4` is kept in an `i8`.
#[allow(missing_docs)] // the methods are the specification's operations
pub trait Integer: Number + Native + Eq + Ord {
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn not(self) -> Self;
    /// Shifting by `bits` or more (or by a negative amount) gives 0.
    fn shift_left(self, by: Self, bits: usize) -> Self;
    /// Copies the highest bit, of unsigned numbers too; shifting by too much gives it everywhere.
    fn shift_right_arithmetic(self, by: Self, bits: usize) -> Self;
    /// Shifting by too much gives 0.
    fn shift_right_logical(self, by: Self, bits: usize) -> Self;
    fn count_leading_zeros(self, bits: usize) -> Self;
    fn population_count(self, bits: usize) -> Self;
}

/// Floats; their functions are computed in [`Float::Compute`] and rounded once.
pub trait Float: Number + Native {
    /// `f32` for the half types, otherwise the type itself.
    type Compute: Real;
    /// To the type that functions are computed in; exact.
    fn widen(self) -> Self::Compute;
    /// Back, rounded to nearest even.
    fn narrow(value: Self::Compute) -> Self;
}

macro_rules! integers {
    ($($native:ident $unsigned:ident $signed:ident, |$value:ident| $sign:expr, $negative:expr);*) => {$(
        impl Number for $native {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                if other == 0 { !0 } else { self.wrapping_div(other) }
            }
            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                if other == 0 { self } else { self.wrapping_rem(other) }
            }
            fn power(self, other: Self) -> Self {
                let is_negative: fn($native) -> bool = $negative;
                if is_negative(other) {
                    return match self {
                        1 => 1,
                        _ if self.wrapping_add(1) == 0 => if other & 1 == 0 { 1 } else { self },
                        _ => 0,
                    };
                }
                let (mut result, mut base, mut exponent): (Self, Self, Self) = (1, self, other);
                while exponent > 0 {
                    if exponent & 1 == 1 {
                        result = result.wrapping_mul(base);
                    }
                    base = base.wrapping_mul(base);
                    exponent >>= 1;
                }
                result
            }
            #[inline(always)]
            fn neg(self) -> Self {
                self.wrapping_neg()
            }
            #[inline(always)]
            fn abs(self) -> Self {
                let is_negative: fn($native) -> bool = $negative;
                if is_negative(self) { self.wrapping_neg() } else { self }
            }
            #[inline(always)]
            fn sign(self) -> Self {
                let $value = self;
                $sign
            }
            #[inline(always)]
            fn minimum(self, other: Self) -> Self {
                Ord::min(self, other)
            }
            #[inline(always)]
            fn maximum(self, other: Self) -> Self {
                Ord::max(self, other)
            }
        }

        impl Integer for $native {
            #[inline(always)]
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn not(self) -> Self {
                !self
            }
            #[inline(always)]
            fn shift_left(self, by: Self, bits: usize) -> Self {
                if (by as $unsigned as u64) < bits as u64 { self << by } else { 0 }
            }
            #[inline(always)]
            fn shift_right_arithmetic(self, by: Self, bits: usize) -> Self {
                // Unsigned numbers have a sign here too: their highest bit.
                let unused = $native::BITS - bits as u32;
                let extended = ((self << unused) as $signed) >> unused;
                let by = (by as $unsigned as u64).min(u64::from($native::BITS) - 1);
                (extended >> by) as $native
            }
            #[inline(always)]
            fn shift_right_logical(self, by: Self, bits: usize) -> Self {
                let kept = self as $unsigned & ($unsigned::MAX >> ($native::BITS - bits as u32));
                if (by as $unsigned as u64) < bits as u64 { (kept >> by as $unsigned) as $native } else { 0 }
            }
            #[inline(always)]
            fn count_leading_zeros(self, bits: usize) -> Self {
                let unused = $native::BITS - bits as u32;
                let kept = self as $unsigned & ($unsigned::MAX >> unused);
                (kept.leading_zeros() - unused) as $native
            }
            #[inline(always)]
            fn population_count(self, bits: usize) -> Self {
                let unused = $native::BITS - bits as u32;
                (self as $unsigned & ($unsigned::MAX >> unused)).count_ones() as $native
            }
        }
    )*};
}

integers!(
    i8 u8 i8, |value| value.signum(), |value| value < 0;
    i16 u16 i16, |value| value.signum(), |value| value < 0;
    i32 u32 i32, |value| value.signum(), |value| value < 0;
    i64 u64 i64, |value| value.signum(), |value| value < 0;
    u8 u8 i8, |value| value.min(1), |_| false;
    u16 u16 i16, |value| value.min(1), |_| false;
    u32 u32 i32, |value| value.min(1), |_| false;
    u64 u64 i64, |value| value.min(1), |_| false
);

impl Number for bool {
    fn add(self, other: Self) -> Self {
        self | other
    }
    fn sub(self, other: Self) -> Self {
        self ^ other
    }
    fn mul(self, other: Self) -> Self {
        self & other
    }
    fn div(self, other: Self) -> Self {
        self | !other
    }
    fn rem(self, other: Self) -> Self {
        self & !other
    }
    fn power(self, other: Self) -> Self {
        self | !other
    }
    fn neg(self) -> Self {
        self
    }
    fn abs(self) -> Self {
        self
    }
    fn sign(self) -> Self {
        self
    }
    fn minimum(self, other: Self) -> Self {
        self & other
    }
    fn maximum(self, other: Self) -> Self {
        self | other
    }
}

impl Integer for bool {
    fn and(self, other: Self) -> Self {
        self & other
    }
    fn or(self, other: Self) -> Self {
        self | other
    }
    fn xor(self, other: Self) -> Self {
        self ^ other
    }
    fn not(self) -> Self {
        !self
    }
    fn shift_left(self, by: Self, _bits: usize) -> Self {
        self & !by
    }
    fn shift_right_arithmetic(self, by: Self, _bits: usize) -> Self {
        self & !by
    }
    fn shift_right_logical(self, by: Self, _bits: usize) -> Self {
        self & !by
    }
    fn count_leading_zeros(self, _bits: usize) -> Self {
        !self
    }
    fn population_count(self, _bits: usize) -> Self {
        self
    }
}

macro_rules! floats {
    ($($native:ident),*) => {$(
        impl Number for $native {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn div(self, other: Self) -> Self {
                self / other
            }
            #[inline(always)]
            fn rem(self, other: Self) -> Self {
                self % other
            }
            fn power(self, other: Self) -> Self {
                self.powf(other)
            }
            #[inline(always)]
            fn neg(self) -> Self {
                -self
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $native::abs(self)
            }
            #[inline(always)]
            fn sign(self) -> Self {
                if self == 0.0 || self.is_nan() { self } else { self.signum() }
            }
            #[inline(always)]
            fn minimum(self, other: Self) -> Self {
                if self == other {
                    // Differs from `self` only for zeros of unlike sign.
                    $native::from_bits(self.to_bits() | other.to_bits())
                } else if self < other || self.is_nan() {
                    self
                } else {
                    other
                }
            }
            #[inline(always)]
            fn maximum(self, other: Self) -> Self {
                if self == other {
                    $native::from_bits(self.to_bits() & other.to_bits())
                } else if self > other || self.is_nan() {
                    self
                } else {
                    other
                }
            }
        }

        impl Float for $native {
            type Compute = $native;
            #[inline(always)]
            fn widen(self) -> $native {
                self
            }
            #[inline(always)]
            fn narrow(value: $native) -> Self {
                value
            }
        }
    )*};
}

floats!(f32, f64);

macro_rules! halves {
    ($($native:ident: $($binary:ident)*; $($unary:ident)*);*) => {$(
        impl Number for $native {
            $(#[inline(always)]
            fn $binary(self, other: Self) -> Self {
                $native::from_f32(Number::$binary(self.to_f32(), other.to_f32()))
            })*
            $(#[inline(always)]
            fn $unary(self) -> Self {
                $native::from_f32(Number::$unary(self.to_f32()))
            })*
        }

        impl Float for $native {
            type Compute = f32;
            #[inline(always)]
            fn widen(self) -> f32 {
                self.to_f32()
            }
            #[inline(always)]
            fn narrow(value: f32) -> Self {
                $native::from_f32(value)
            }
        }
    )*};
}

halves!(
    f16: add sub mul div rem power minimum maximum; neg abs sign;
    bf16: add sub mul div rem power minimum maximum; neg abs sign
);

macro_rules! reals {
    ($($(#[$doc:meta])* $name:ident($($operand:ident),*) = |$value:ident| $body:expr;)*) => {
        /// `f32` and `f64`: what functions are computed in.
        #[allow(missing_docs)] // the methods are the usual functions
        pub trait Real: Number + Native {
            $($(#[$doc])* fn $name(self $(, $operand: Self)*) -> Self;)*
        }
        reals!(@each f32: $($name($($operand),*) = |$value| $body;)*);
        reals!(@each f64: $($name($($operand),*) = |$value| $body;)*);
    };
    (@each $native:ident: $($name:ident($($operand:ident),*) = |$value:ident| $body:expr;)*) => {
        impl Real for $native {
            $(#[inline(always)]
            fn $name(self $(, $operand: Self)*) -> Self {
                let $value = self;
                $body
            })*
        }
    };
}

reals!(
    exp() = |x| x.exp();
    exp_minus_one() = |x| x.exp_m1();
    log() = |x| x.ln();
    log_plus_one() = |x| x.ln_1p();
    /// 1 / (1 + exp(-x)), as exp(x) / (1 + exp(x)) where it is small.
    logistic() = |x| {
        let shrunk = (-x.abs()).exp();
        (if x < 0.0 { shrunk } else { 1.0 }) / (1.0 + shrunk)
    };
    sqrt() = |x| x.sqrt();
    rsqrt() = |x| 1.0 / x.sqrt();
    cbrt() = |x| x.cbrt();
    sine() = |x| x.sin();
    cosine() = |x| x.cos();
    tan() = |x| x.tan();
    tanh() = |x| x.tanh();
    atan2(other) = |x| x.atan2(other);
    floor() = |x| x.floor();
    ceil() = |x| x.ceil();
    /// Ties away from zero.
    round_away() = |x| x.round();
    /// Ties to even.
    round_even() = |x| x.round_ties_even();
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_division_never_traps() {
        assert_eq!(Number::div(7i32, 0), -1);
        assert_eq!(Number::div(7u8, 0), 255);
        assert_eq!(Number::rem(7i32, 0), 7);
        assert_eq!(Number::div(i8::MIN, -1), i8::MIN);
        assert_eq!(Number::rem(i64::MIN, -1), 0);
        assert_eq!(Number::div(-7i32, 2), -3);
        assert_eq!(Number::rem(-7i32, 2), -1);
    }

    #[test]
    fn powers() {
        assert_eq!(Number::power(3i32, 4), 81);
        assert_eq!(Number::power(2i32, -1), 0);
        assert_eq!(Number::power(-1i32, -3), -1);
        assert_eq!(Number::power(-1i32, -2), 1);
        assert_eq!(Number::power(0i32, -2), 0);
        assert_eq!(Number::power(255u8, 2), 1);
        assert_eq!(Number::power(2.0f64, -1.0), 0.5);
    }

    #[test]
    fn shifts_by_too_much_and_sub_byte_shifts() {
        assert_eq!(1i32.shift_left(32, 32), 0);
        assert_eq!(1i32.shift_left(-1, 32), 0);
        assert_eq!((-8i8).shift_right_arithmetic(100, 8), -1);
        assert_eq!([200u8.shift_right_arithmetic(3, 8), 9u8.shift_right_arithmetic(9, 4)], [249, 255]);
        assert_eq!((-8i8).shift_right_logical(1, 4), 4);
        assert_eq!((-1i64).shift_right_logical(63, 64), 1);
        assert_eq!(1i8.count_leading_zeros(4), 3);
        assert_eq!((-1i8).population_count(4), 4);
        assert_eq!(0u32.count_leading_zeros(32), 32);
    }

    #[test]
    fn extremes_carry_nan_and_order_zeros() {
        assert!(Number::maximum(f32::NAN, 1.0).is_nan() && Number::maximum(1.0, f32::NAN).is_nan());
        assert!(Number::minimum(f64::NAN, 1.0).is_nan() && Number::minimum(1.0, f64::NAN).is_nan());
        assert!(Number::minimum(0.0f32, -0.0).is_sign_negative());
        assert!(Number::maximum(-0.0f32, 0.0).is_sign_positive());
        assert_eq!(Number::maximum(f32::NEG_INFINITY, -2.0), -2.0);
        assert_eq!(Number::minimum(3i8, -4), -4);
    }

    #[test]
    fn small_results_of_logistic_are_not_zero() {
        assert_eq!(Real::logistic(-100f32), (-100f32).exp());
        assert_eq!(Real::logistic(-710f64), (-710f64).exp());
        assert_eq!([Real::logistic(0f32), Real::logistic(200f32), Real::logistic(-200f32)], [0.5, 1.0, 0.0]);
        assert!(Real::logistic(f64::NAN).is_nan());
    }

    #[test]
    fn halves_round_after_each_operation() {
        let (one, tiny) = (bf16::ONE, bf16::from_f32(1e-3));
        assert_eq!(Number::add(one, tiny), one);
        assert_eq!(Number::neg(f16::ONE), f16::NEG_ONE);
    }

    #[test]
    fn signs() {
        assert_eq!(Number::sign(-5i32), -1);
        assert_eq!(Number::sign(5u8), 1);
        assert!(Number::sign(f32::NAN).is_nan());
        assert!(Number::sign(-0.0f32).is_sign_negative());
        assert_eq!(Number::abs(i8::MIN), i8::MIN);
    }
}
