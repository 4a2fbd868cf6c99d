//! Checks of the figures in a machine file.
//!
//! Input: values as they were read, with their places. Output: the same values, and all that is wrong with them. What
//! no hardware has is refused, since it is a mistake in a unit or an exponent and would make predictions absurd.

use std::ops::Range;

use toml::Spanned;

use crate::curve::CurveKinds;
use crate::error::MachineError;
use crate::quantity::{Quantity, print};
use crate::units::Seconds;

/// A smaller part of a peak is a mistake.
const LEAST_FRACTION: f64 = 1e-6;

/// A longer latency or overhead is a mistake.
const LONGEST: Seconds = Seconds(3600.0);

/// Collects what is wrong.
pub(crate) struct Check<'t> {
    /// The name of the file.
    pub(crate) file: &'t str,
    /// Its text.
    pub(crate) text: &'t str,
    /// The kinds of curves that there are, if anyone says.
    pub(crate) kinds: Option<CurveKinds<'t>>,
    /// What is wrong so far.
    pub(crate) errors: Vec<MachineError>,
}

impl Check<'_> {
    /// Notes an error at a place.
    pub(crate) fn error(&mut self, span: Range<usize>, error: MachineError) {
        self.errors.push(error.at(self.file, self.text, span));
    }

    /// The value of the file, else the base's; an error naming the key if there is neither.
    pub(crate) fn need<T>(
        &mut self,
        key: &str,
        table: &Range<usize>,
        value: Option<T>,
        base: Option<T>,
    ) -> Option<T> {
        let value = value.or(base);
        if value.is_none() {
            self.error(table.clone(), MachineError::new(format!("missing key `{key}`")));
        }
        value
    }

    /// A figure by which something is divided: at least one of its base unit.
    pub(crate) fn positive<Q: Quantity>(&mut self, key: &str, value: &Option<Spanned<Q>>) -> Option<Q> {
        let value = value.as_ref()?;
        let base = value.get_ref().to_base();
        let message = match base {
            _ if base >= 1.0 => return Some(*value.get_ref()),
            _ if base <= 0.0 => format!("`{key}` is 0, but must be more"),
            _ => {
                let unit = Q::UNITS.iter().find(|(_, size)| *size == 1.0).map_or("", |(name, _)| name);
                format!("`{key}` is {base:e} {unit}, but must be at least 1 {unit}")
            }
        };
        self.error(value.span(), MachineError::new(message));
        Some(*value.get_ref())
    }

    /// A part of a peak.
    pub(crate) fn fraction(&mut self, key: &str, value: &Option<Spanned<f64>>) -> Option<f64> {
        let value = value.as_ref()?;
        let number = *value.get_ref();
        let message = match number {
            _ if (LEAST_FRACTION..=1.0).contains(&number) => return Some(number),
            _ if number > 0.0 && number < LEAST_FRACTION => {
                format!("`{key}` is {number:e}, but must be at least {LEAST_FRACTION:e}")
            }
            _ => format!("`{key}` is {number}, but must be above 0 and at most 1"),
        };
        self.error(value.span(), MachineError::new(message));
        Some(number)
    }

    /// A part that is left free: it may be none, but not all.
    pub(crate) fn headroom(&mut self, key: &str, value: &Option<Spanned<f64>>) -> Option<f64> {
        let value = value.as_ref()?;
        let number = *value.get_ref();
        if !(0.0..1.0).contains(&number) {
            let message = format!("`{key}` is {number}, but must be at least 0 and below 1");
            self.error(value.span(), MachineError::new(message));
        }
        Some(number)
    }

    /// A latency or an overhead.
    pub(crate) fn time(&mut self, key: &str, value: &Option<Spanned<Seconds>>) -> Option<Seconds> {
        let value = value.as_ref()?;
        let time = *value.get_ref();
        if time > LONGEST {
            let message = format!("`{key}` is {:e} s, but must be at most {}", time.0, print(LONGEST));
            self.error(value.span(), MachineError::new(message));
        }
        Some(time)
    }
}
