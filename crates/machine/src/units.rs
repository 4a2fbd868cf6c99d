//! Units as types: what is counted (`Bytes`, `Flops`), how long it takes (`Seconds`), and the two rates.
//!
//! Amount divided by rate is time: `Bytes / BytesPerSecond -> Seconds`, `Flops / FlopsPerSecond -> Seconds`.
//! `Display` is for people: `1.2 MiB` (powers of 1024), `3.4 ms`, `989 TFLOP/s`, `450 GB/s` (powers of 1000).
//! Serialized, each is a bare number in the base unit.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

use serde::Serialize;

/// A number of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Bytes(pub u64);

/// A number of floating-point operations; a multiply-add counts as two.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Flops(pub f64);

/// A span of time in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Seconds(pub f64);

/// A transfer rate in bytes per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct BytesPerSecond(pub f64);

/// A compute rate in floating-point operations per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct FlopsPerSecond(pub f64);

/// Sums, for the units that add up.
macro_rules! additive {
    ($($unit:ident($zero:expr)),*) => {$(
        impl $unit {
            /// Nothing.
            pub const ZERO: $unit = $unit($zero);
        }

        impl Add for $unit {
            type Output = $unit;
            fn add(self, other: $unit) -> $unit {
                $unit(self.0 + other.0)
            }
        }

        impl AddAssign for $unit {
            fn add_assign(&mut self, other: $unit) {
                self.0 += other.0;
            }
        }

        impl Sub for $unit {
            type Output = $unit;
            fn sub(self, other: $unit) -> $unit {
                $unit(self.0 - other.0)
            }
        }

        impl Sum for $unit {
            fn sum<I: Iterator<Item = $unit>>(units: I) -> $unit {
                units.fold($unit::ZERO, Add::add)
            }
        }
    )*};
}
additive!(Bytes(0), Flops(0.0), Seconds(0.0));

/// Scaling by a plain number, for the units held as `f64`.
macro_rules! scalable {
    ($($unit:ident),*) => {$(
        impl Mul<f64> for $unit {
            type Output = $unit;
            fn mul(self, factor: f64) -> $unit {
                $unit(self.0 * factor)
            }
        }

        impl Div<f64> for $unit {
            type Output = $unit;
            fn div(self, divisor: f64) -> $unit {
                $unit(self.0 / divisor)
            }
        }

        impl Div for $unit {
            type Output = f64;
            fn div(self, other: $unit) -> f64 {
                self.0 / other.0
            }
        }

        impl $unit {
            /// The larger of the two.
            pub fn max(self, other: $unit) -> $unit {
                $unit(self.0.max(other.0))
            }

            /// The smaller of the two.
            pub fn min(self, other: $unit) -> $unit {
                $unit(self.0.min(other.0))
            }
        }
    )*};
}
scalable!(Flops, Seconds, BytesPerSecond, FlopsPerSecond);

impl Mul<u64> for Bytes {
    type Output = Bytes;
    fn mul(self, factor: u64) -> Bytes {
        Bytes(self.0 * factor)
    }
}

impl Div<BytesPerSecond> for Bytes {
    type Output = Seconds;
    fn div(self, rate: BytesPerSecond) -> Seconds {
        Seconds(self.0 as f64 / rate.0)
    }
}

impl Div<FlopsPerSecond> for Flops {
    type Output = Seconds;
    fn div(self, rate: FlopsPerSecond) -> Seconds {
        Seconds(self.0 / rate.0)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const PREFIXES: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        if self.0 < 1024 {
            return f.pad(&format!("{} B", self.0));
        }
        let mut value = self.0 as f64 / 1024.0;
        let mut prefix = 0;
        // 1023.95 would round up to 1024.0, which is 1.0 of the next unit.
        while value >= 1023.95 && prefix + 1 < PREFIXES.len() {
            value /= 1024.0;
            prefix += 1;
        }
        f.pad(&format!("{value:.1} {}", PREFIXES[prefix]))
    }
}

impl fmt::Display for Flops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&with_prefix(self.0, "FLOP"))
    }
}

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(f64, &str); 4] = [(1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")];
        if self.0 == 0.0 {
            return f.pad("0 s");
        }
        // 999.5 of a unit prints as 1000 of it, which is 1 of the next.
        let (scale, unit) =
            UNITS.into_iter().find(|(scale, _)| self.0.abs() >= 0.9995 * scale).unwrap_or((1e-9, "ns"));
        f.pad(&format!("{} {unit}", three_digits(self.0 / scale)))
    }
}

impl fmt::Display for BytesPerSecond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&with_prefix(self.0, "B/s"))
    }
}

impl fmt::Display for FlopsPerSecond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&with_prefix(self.0, "FLOP/s"))
    }
}

/// `989e12, "FLOP/s"` as `989 TFLOP/s`.
fn with_prefix(value: f64, unit: &str) -> String {
    const PREFIXES: [&str; 7] = ["", "k", "M", "G", "T", "P", "E"];
    let mut scaled = value;
    let mut prefix = 0;
    while scaled.abs() >= 999.5 && prefix + 1 < PREFIXES.len() {
        scaled /= 1000.0;
        prefix += 1;
    }
    format!("{} {}{unit}", three_digits(scaled), PREFIXES[prefix])
}

/// Three significant digits without trailing zeros: `3.4`, `0.05`, `98.7`, `1234`; with an exponent from a million on.
fn three_digits(value: f64) -> String {
    let magnitude = value.abs();
    if magnitude >= 1e6 {
        return format!("{value:.2e}");
    }
    let decimals = match magnitude {
        m if m >= 99.95 => 0,
        m if m >= 9.995 => 1,
        _ => 2,
    };
    let text = format!("{value:.decimals$}");
    if decimals == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_shown_in_powers_of_1024() {
        let shown = |bytes: u64| Bytes(bytes).to_string();
        assert_eq!(shown(0), "0 B");
        assert_eq!(shown(1023), "1023 B");
        assert_eq!(shown(1024), "1.0 KiB");
        assert_eq!(shown(1_258_291), "1.2 MiB");
        assert_eq!(shown((1 << 30) - 1), "1.0 GiB");
        assert_eq!(shown(80_000_000_000), "74.5 GiB");
        assert_eq!(shown(u64::MAX), "16.0 EiB");
    }

    #[test]
    fn times_and_rates_keep_three_digits() {
        assert_eq!(Seconds(0.0034).to_string(), "3.4 ms");
        assert_eq!(Seconds(0.00099999).to_string(), "1 ms");
        assert_eq!(Seconds(2.5e-6).to_string(), "2.5 us");
        assert_eq!(Seconds(4e-11).to_string(), "0.04 ns");
        assert_eq!(Seconds(1234.5).to_string(), "1234 s");
        assert_eq!(Seconds(1.5e19).to_string(), "1.50e19 s");
        assert_eq!(Seconds::ZERO.to_string(), "0 s");
        assert_eq!(FlopsPerSecond(989e12).to_string(), "989 TFLOP/s");
        assert_eq!(FlopsPerSecond(1.979e15).to_string(), "1.98 PFLOP/s");
        assert_eq!(BytesPerSecond(450e9).to_string(), "450 GB/s");
        assert_eq!(Flops(2.0 * 1024.0f64.powi(3)).to_string(), "2.15 GFLOP");
        assert_eq!(format!("{:>8}|", Seconds(0.5)), "  500 ms|");
    }

    #[test]
    fn amount_over_rate_is_time() {
        assert_eq!(Bytes(3_000) / BytesPerSecond(1e6), Seconds(0.003));
        assert_eq!(Flops(5e12) / FlopsPerSecond(1e13), Seconds(0.5));
        assert_eq!([Bytes(1), Bytes(2)].into_iter().sum::<Bytes>(), Bytes(3));
    }
}
