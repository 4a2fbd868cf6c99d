//! Meshes of random programs beyond the first one, and parts of axes that are not their prime factors.
//!
//! Input: a seed and the axes of a program's mesh. Output: for some seeds another mesh over the same devices, with other
//! factors and sometimes the devices in another order, and into which parts an axis is cut. It draws from numbers of
//! its own, so that the other programs are what they are without it.

use super::rng::Rng;
use std::fmt::Write as _;

/// An axis.
pub(crate) type NamedAxis = (&'static str, usize);

/// What is special about a program's meshes.
pub(crate) struct Meshes {
    rng: Rng,
    is_odd: bool,
    has_other: bool,
    other: Vec<NamedAxis>,
    device_ids: Vec<usize>,
}

impl Meshes {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            rng: Rng::new(seed ^ 0x3E5),
            is_odd: seed.is_multiple_of(5),
            has_other: seed.is_multiple_of(7),
            other: Vec::new(),
            device_ids: Vec::new(),
        }
    }

    /// The first mesh is complete: it gets a longer axis, or there is another one.
    pub(crate) fn begin(&mut self, mesh: &mut Vec<NamedAxis>) {
        if self.is_odd && self.rng.chance(60) {
            *mesh = vec![("x", self.rng.pick(&[6, 6, 12]))];
            if self.rng.chance(50) {
                mesh.push(("y", 2));
            }
        }
        if !self.has_other {
            return;
        }
        let num_devices: usize = mesh.iter().map(|(_, size)| size).product();
        let mut rest = num_devices;
        for name in ["a", "b", "c"] {
            let divisors: Vec<usize> = (2..=rest).filter(|size| rest.is_multiple_of(*size)).collect();
            if !divisors.is_empty() {
                let size = self.rng.pick(&divisors);
                self.other.push((name, size));
                rest /= size;
            }
        }
        if let Some((_, last)) = self.other.last_mut() {
            *last *= rest;
        }
        match self.rng.below(3) {
            0 => {
                self.device_ids = (0..num_devices).collect();
                for at in (1..num_devices).rev() {
                    self.device_ids.swap(at, self.rng.below(at + 1));
                }
            }
            // The first axis runs fastest instead of slowest.
            1 => {
                let first = self.other.first().map_or(1, |(_, size)| *size);
                let inner = num_devices / first;
                let device = |position: usize| position % inner * first + position / inner;
                self.device_ids = (0..num_devices).map(device).collect();
            }
            _ => {}
        }
    }

    /// The text that declares the other mesh.
    pub(crate) fn declaration(&self) -> String {
        let mut text = String::new();
        if !self.other.is_empty() {
            let axes: Vec<String> =
                self.other.iter().map(|(name, size)| format!("\"{name}\"={size}")).collect();
            let _ = write!(text, "  sdy.mesh @other = <[{}]", axes.join(", "));
            if !self.device_ids.is_empty() && !self.device_ids.is_sorted() {
                let _ = write!(text, ", device_ids={:?}", self.device_ids);
            }
            text.push_str(">\n");
        }
        text
    }

    /// The name and the axes of the mesh that a sharding is written in.
    pub(crate) fn pick(&mut self, first: &[NamedAxis]) -> (&'static str, Vec<NamedAxis>) {
        if !self.other.is_empty() && self.rng.chance(50) {
            return ("other", self.other.clone());
        }
        ("mesh", first.to_vec())
    }

    /// The parts of an axis, major first: its primes, the smallest first, or any two.
    pub(crate) fn parts(&mut self, size: usize) -> (usize, usize) {
        if self.is_odd || size > 6 {
            let divisors: Vec<usize> = (2..=size).filter(|part| size.is_multiple_of(*part)).collect();
            let first = self.rng.pick(&divisors);
            return (first, size / first);
        }
        match size {
            4 => (2, 2),
            6 => (2, 3),
            _ => (size, 1),
        }
    }
}
