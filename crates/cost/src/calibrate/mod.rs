//! A machine's figures from measurements of itself.
//!
//! Input: how many devices there are and how they lie; afterwards, how long small programs took on them. Output: the
//! programs ([`measurements`]), then the machine that explains their times best, with the error of each ([`fit()`]).
//!
//! Every figure comes from the difference of two programs that do one thing a different number of times, so that what
//! a step costs besides does not count. All devices work at once, as they do in an SPMD program.

mod fit;
mod programs;
mod solve;

pub use fit::{Fit, Host, fit};
pub use programs::{Measurement, What, measurements};

/// Layout of devices in processes, which may be on hosts of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Devices in each process.
    pub per_process: usize,
    /// Processes.
    pub processes: usize,
}

impl Layout {
    /// All devices.
    pub fn num_devices(self) -> usize {
        self.per_process * self.processes
    }
}
