//! Reads and writes quantities with their unit: `"80 GB"`, `"3.35 TB/s"`, `"989 TFLOP/s"`, `"2.5 us"`.
//!
//! A bare number is in the base unit (bytes, seconds, bytes/s, flop/s).
//! No quantity may be negative, infinite or NaN. `"400 Gb/s"` is refused, since it is too easily taken for bytes: write
//! `"400 Gbit/s"` or `"50 GB/s"`.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, Visitor};

use crate::units::{Bytes, BytesPerSecond, Flops, FlopsPerSecond, Seconds};

/// A unit that can stand in a machine file.
pub(crate) trait Quantity: Sized + Copy {
    /// For messages: what is expected, with an example.
    const EXPECTED: &'static str;
    /// Unit names and their size in the base unit, in the order in which the writer tries them.
    const UNITS: &'static [(&'static str, f64)];

    /// From a number of base units that is known to be finite and not negative.
    fn from_base(value: f64) -> Result<Self, String>;

    /// In base units.
    fn to_base(self) -> f64;
}

impl Quantity for Bytes {
    const EXPECTED: &'static str =
        "an amount of memory such as \"80 GB\" or \"64 GiB\", or a number of bytes";
    const UNITS: &'static [(&'static str, f64)] = &[
        ("TiB", 1099511627776.0),
        ("TB", 1e12),
        ("GiB", 1073741824.0),
        ("GB", 1e9),
        ("MiB", 1048576.0),
        ("MB", 1e6),
        ("KiB", 1024.0),
        ("kB", 1e3),
        ("KB", 1e3),
        ("B", 1.0),
    ];

    fn from_base(value: f64) -> Result<Bytes, String> {
        // Beyond 2^53 an f64 no longer holds every byte count; nothing has 8 PiB of device memory.
        if value > 9_007_199_254_740_992.0 {
            return Err("is more than 8 PiB".to_string());
        }
        Ok(Bytes(value.round() as u64))
    }

    fn to_base(self) -> f64 {
        self.0 as f64
    }
}

impl std::str::FromStr for Bytes {
    type Err = String;

    /// Reads `16GiB`, `80 GB` or a number of bytes. Errors: what is wrong, starting with what was read.
    fn from_str(text: &str) -> Result<Bytes, String> {
        text.trim().parse().map(Bytes).or_else(|_| parse(text))
    }
}

/// The units held as `f64` differ only in names.
macro_rules! float_quantity {
    ($unit:ident, $expected:expr, [$(($name:expr, $size:expr)),* $(,)?]) => {
        impl Quantity for $unit {
            const EXPECTED: &'static str = $expected;
            const UNITS: &'static [(&'static str, f64)] = &[$(($name, $size)),*];

            fn from_base(value: f64) -> Result<$unit, String> {
                Ok($unit(value))
            }

            fn to_base(self) -> f64 {
                self.0
            }
        }
    };
}

float_quantity!(
    BytesPerSecond,
    "a bandwidth such as \"450 GB/s\" or \"400 Gbit/s\", or a number of bytes per second",
    [
        ("TB/s", 1e12),
        ("GB/s", 1e9),
        ("MB/s", 1e6),
        ("kB/s", 1e3),
        ("B/s", 1.0),
        ("TiB/s", 1099511627776.0),
        ("GiB/s", 1073741824.0),
        ("MiB/s", 1048576.0),
        ("Tbit/s", 1.25e11),
        ("Gbit/s", 1.25e8),
        ("Mbit/s", 1.25e5),
    ]
);
float_quantity!(
    FlopsPerSecond,
    "a rate such as \"989 TFLOP/s\", or a number of flops per second",
    [("PFLOP/s", 1e15), ("TFLOP/s", 1e12), ("GFLOP/s", 1e9), ("MFLOP/s", 1e6), ("FLOP/s", 1.0),]
);
float_quantity!(
    Flops,
    "an amount such as \"2 GFLOP\", or a number of flops",
    [("PFLOP", 1e15), ("TFLOP", 1e12), ("GFLOP", 1e9), ("MFLOP", 1e6), ("FLOP", 1.0),]
);
float_quantity!(
    Seconds,
    "a time such as \"2.5 us\" or \"10 ms\", or a number of seconds",
    [("s", 1.0), ("ms", 1e-3), ("us", 1e-6), ("µs", 1e-6), ("ns", 1e-9)]
);

/// Reads `"<number> <unit>"`; the message of the error starts with what was read.
pub(crate) fn parse<Q: Quantity>(text: &str) -> Result<Q, String> {
    let trimmed = text.trim();
    let (number, unit) = match trimmed.find(|c: char| c.is_ascii_whitespace()) {
        Some(blank) => (&trimmed[..blank], trimmed[blank..].trim_start()),
        None => split_at_unit::<Q>(trimmed),
    };
    let value: f64 = number.parse().map_err(|_| format!("`{text}` is not {}", Q::EXPECTED))?;
    if unit.is_empty() {
        return Err(match value {
            value if value < 0.0 => format!("`{text}` is negative"),
            _ => format!("`{text}` has no unit: give {}", Q::EXPECTED),
        });
    }
    let Some((_, size)) = Q::UNITS.iter().find(|(name, _)| *name == unit) else {
        let names: Vec<&str> = Q::UNITS.iter().map(|(name, _)| *name).collect();
        return Err(format!("`{text}` has the unknown unit `{unit}`; known are {}", names.join(", ")));
    };
    from_number(scaled(value, *size)).map_err(|problem| format!("`{text}` {problem}"))
}

/// Splits `80GB` between number and unit; an exponent belongs to the number.
fn split_at_unit<Q: Quantity>(text: &str) -> (&str, &str) {
    let longest = Q::UNITS.iter().filter(|(name, _)| text.ends_with(name)).max_by_key(|(name, _)| name.len());
    longest.map_or((text, ""), |(name, _)| text.split_at(text.len() - name.len()))
}

/// `value` units of `size`; a small unit divides, because 1e6 is exact where 1e-6 is not, so `2.5 us` is `2.5e-6`.
fn scaled(value: f64, size: f64) -> f64 {
    if size < 1.0 { value / (1.0 / size).round() } else { value * size }
}

fn from_number<Q: Quantity>(value: f64) -> Result<Q, String> {
    if !value.is_finite() {
        return Err("is not a finite number".to_string());
    }
    if value < 0.0 {
        return Err("is negative".to_string());
    }
    Q::from_base(value)
}

/// The text that [`parse`] reads back to the same value, in the unit that needs the fewest characters.
pub(crate) fn print<Q: Quantity>(quantity: Q) -> String {
    let base = quantity.to_base();
    let mut candidates = Vec::new();
    for &(name, size) in Q::UNITS {
        let value = if size < 1.0 { base * (1.0 / size).round() } else { base / size };
        if scaled(value, size) == base {
            candidates.push(format!("{value} {name}"));
        }
    }
    // The base unit is among the units with size 1, so there is always a candidate; the first shortest wins.
    candidates.into_iter().min_by_key(String::len).expect("size 1 is exact")
}

/// Serde visitor for a number or a string with a unit.
struct QuantityVisitor<Q>(PhantomData<Q>);

impl<Q: Quantity> Visitor<'_> for QuantityVisitor<Q> {
    type Value = Q;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Q::EXPECTED)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Q, E> {
        from_number(value).map_err(|problem| E::custom(format!("`{value}` {problem}")))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Q, E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Q, E> {
        self.visit_f64(value as f64)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Q, E> {
        parse(text).map_err(E::custom)
    }
}

macro_rules! deserialize {
    ($($unit:ident),*) => {$(
        impl<'de> Deserialize<'de> for $unit {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$unit, D::Error> {
                deserializer.deserialize_any(QuantityVisitor(PhantomData))
            }
        }
    )*};
}
deserialize!(Bytes, Flops, Seconds, BytesPerSecond, FlopsPerSecond);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_read() {
        assert_eq!(parse("80 GB"), Ok(Bytes(80_000_000_000)));
        assert_eq!(parse("80GiB"), Ok(Bytes(80 << 30)));
        assert_eq!(parse("400 Gbit/s"), Ok(BytesPerSecond(50e9)));
        assert_eq!(parse("2.5 us"), Ok(Seconds(2.5e-6)));
        assert_eq!(parse("1e-3s"), Ok(Seconds(1e-3)));
        assert_eq!(parse("989 TFLOP/s"), Ok(FlopsPerSecond(989e12)));
    }

    #[test]
    fn wrong_units_are_refused_by_name() {
        let problem = |text| parse::<BytesPerSecond>(text).unwrap_err();
        assert_eq!(
            problem("400 Gb/s"),
            "`400 Gb/s` has the unknown unit `Gb/s`; known are TB/s, GB/s, MB/s, kB/s, B/s, TiB/s, GiB/s, MiB/s, \
             Tbit/s, Gbit/s, Mbit/s"
        );
        assert!(problem("fast").starts_with("`fast` is not a bandwidth such as"));
        assert_eq!(problem("-1 GB/s"), "`-1 GB/s` is negative");
        assert_eq!(problem("-1"), "`-1` is negative");
        assert!(problem("1.5").starts_with("`1.5` has no unit: give a bandwidth such as"));
        assert_eq!(problem("inf GB/s"), "`inf GB/s` is not a finite number");
        assert_eq!(parse::<Bytes>("1e9 TB").unwrap_err(), "`1e9 TB` is more than 8 PiB");
    }

    #[test]
    fn quantities_print_in_a_unit_that_fits() {
        assert_eq!(print(Bytes(80_000_000_000)), "80 GB");
        assert_eq!(print(Bytes(96 << 30)), "96 GiB");
        assert_eq!(print(FlopsPerSecond(312e12)), "312 TFLOP/s");
        assert_eq!(print(Seconds(1.5e-6)), "1.5 us");
        assert_eq!(print(Seconds(0.0)), "0 s");
    }

    #[test]
    fn what_is_printed_reads_back_the_same() {
        for index in 0..1000_u64 {
            // Numbers of 53 bits that lie all over their range.
            let bytes = index.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11;
            let share = bytes as f64 / (1_u64 << 53) as f64;
            let (value, small) = (1e18 * share, 1e-3 * share);
            assert_eq!(parse(&print(BytesPerSecond(value))), Ok(BytesPerSecond(value)));
            assert_eq!(parse(&print(Seconds(small))), Ok(Seconds(small)));
            assert_eq!(parse(&print(Bytes(bytes))), Ok(Bytes(bytes)));
        }
    }
}
