//! Seconds in which bytes are on their way, as a function of how many there are.
//!
//! A [`BandwidthTerm`] is a sum of parts. Most go at one rate whatever is sent, and are one number, the seconds for each byte;
//! the others are on links of whose rate a curve of the machine file gives the share that so many bytes reach. Whoever asks
//! does not know which: it is a function that never falls.

use meshwright_machine::{Curve, Seconds};

/// A function from bytes to seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct BandwidthTerm<'m> {
    /// Seconds for each byte, of all parts that have no curve.
    per_byte: Seconds,
    curved: Vec<Curved<'m>>,
}

/// A part that has one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Curved<'m> {
    /// Bytes sent for each byte.
    sent: f64,
    /// Bytes per second, at best.
    rate: f64,
    /// The share of it that so many bytes reach.
    curve: &'m Curve,
}

impl<'m> BandwidthTerm<'m> {
    /// Term of what sends nothing.
    pub const NONE: Self = Self { per_byte: Seconds::ZERO, curved: Vec::new() };

    /// What goes at one rate.
    pub(crate) fn straight(per_byte: Seconds) -> Self {
        Self { per_byte, curved: Vec::new() }
    }

    /// Adds a part: `sent` bytes for each byte, at a rate.
    pub(crate) fn add(&mut self, sent: f64, rate: f64, curve: Option<&'m Curve>) {
        match curve {
            None => self.per_byte += Seconds(sent / rate),
            Some(curve) => self.curved.push(Curved { sent, rate, curve }),
        }
    }

    /// Adds the parts of another that have curves, of which this one's byte is `factor` bytes.
    pub(crate) fn add_curved(&mut self, other: &Self, factor: f64) {
        self.curved.extend(other.curved.iter().map(|part| Curved { sent: part.sent * factor, ..*part }));
    }

    /// The same, of which a byte is `factor` bytes of this one.
    pub fn scaled(&self, factor: f64) -> Self {
        let mut scaled = Self::straight(self.per_byte * factor);
        scaled.add_curved(self, factor);
        scaled
    }

    /// The seconds of so many bytes.
    pub fn seconds(&self, bytes: f64) -> Seconds {
        self.seconds_of(1.0, bytes)
    }

    /// The seconds of a share of so many bytes.
    pub fn seconds_of(&self, share: f64, bytes: f64) -> Seconds {
        let curved = self.curved.iter().map(|part| part.seconds(share * bytes));
        curved.fold(self.straight_seconds_of(share, bytes), |all, part| all + part)
    }

    /// Those of them that have no curve.
    pub(crate) fn straight_seconds(&self, bytes: f64) -> Seconds {
        self.straight_seconds_of(1.0, bytes)
    }

    fn straight_seconds_of(&self, share: f64, bytes: f64) -> Seconds {
        self.per_byte * share * bytes
    }

    /// Number of bytes that take so long; `None` if any number takes no time.
    pub fn bytes_in(&self, seconds: Seconds) -> Option<f64> {
        // At best, with which nothing is slower.
        let best = self.curved.iter().fold(self.per_byte, |all, part| all + Seconds(part.sent / part.rate));
        let most = (best.0 > 0.0).then(|| seconds.0 / best.0)?;
        if self.curved.is_empty() {
            return Some(most);
        }
        let (mut enough, mut too_many) = (0.0, most);
        for _ in 0..64 {
            let middle = 0.5 * (enough + too_many);
            if self.seconds(middle) <= seconds { enough = middle } else { too_many = middle }
        }
        Some(if self.seconds(most) <= seconds { most } else { enough })
    }
}

impl Curved<'_> {
    fn seconds(&self, bytes: f64) -> Seconds {
        let sent = self.sent * bytes;
        Seconds(sent / (self.rate * self.curve.share(sent)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_machine::Machine;

    /// A machine with a curve along which ten times as many bytes take little longer.
    fn machine() -> Machine {
        let text = "base = \"h100\"\n[device.curves.move]\npoints = [[1e3, 0.1], [1e4, 0.9], [1e5, 1.0]]\n";
        Machine::from_toml(text, "curved.toml").unwrap()
    }

    #[test]
    fn parts_with_and_without_a_curve_add_up() {
        let machine = machine();
        let mut bandwidth = BandwidthTerm::straight(Seconds(2.0));
        bandwidth.add(10.0, 5.0, None);
        assert_eq!(bandwidth.seconds(100.0), Seconds(400.0));
        assert_eq!(bandwidth.bytes_in(Seconds(400.0)), Some(100.0));
        bandwidth.add(10.0, 100.0, machine.device.curves.of_kind("move"));
        // A thousand bytes are sent, at a tenth of the rate.
        assert_eq!(bandwidth.seconds(100.0), Seconds(400.0 + 100.0));
        assert_eq!(bandwidth.straight_seconds(100.0), Seconds(400.0));
        let scaled = bandwidth.scaled(0.5);
        assert!((scaled.seconds(200.0).0 - bandwidth.seconds(100.0).0).abs() < 1e-9);
        assert!((bandwidth.seconds_of(0.5, 200.0).0 - 500.0).abs() < 1e-9);
        assert_eq!(BandwidthTerm::NONE.bytes_in(Seconds(1.0)), None);
    }

    #[test]
    fn as_many_bytes_are_found_as_take_so_long() {
        let machine = machine();
        let mut bandwidth = BandwidthTerm::NONE;
        bandwidth.add(1.0, 100.0, machine.device.curves.of_kind("move"));
        for bytes in [10.0, 1e3, 3e3, 1e4, 5e4, 1e7] {
            let seconds = bandwidth.seconds(bytes);
            let found = bandwidth.bytes_in(seconds).unwrap();
            assert!((found / bytes - 1.0).abs() < 1e-6, "{found} is not {bytes}");
            assert!(bandwidth.seconds(bytes * 1.5) > seconds);
        }
    }
}
