//! What plans are predicted to cost, and which of two is better.
//!
//! Input: plans. Output: what they are predicted to cost ([`Evaluation`]), and a [`Score`] by which they
//! are compared. Plans are evaluated in parallel, and the results used in order, so that nothing depends on the number
//! of threads.

use meshwright_ir::mesh::Mesh;
use meshwright_machine::{Bytes, Seconds};

/// Predicted cost of a plan on each device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// Time of a whole step.
    pub seconds: Seconds,
    /// Time of it in which the device computes.
    pub compute: Seconds,
    /// Time of it in which it communicates.
    pub communication: Seconds,
    /// The level of the machine over which most of that goes, by its position, and how long that takes.
    pub busiest: Option<(usize, Seconds)>,
    /// Most memory in use at once.
    pub peak: Bytes,
    /// The part of what lies on the host at once for which the device's share of it has no room.
    pub beyond_host: Bytes,
}

impl Evaluation {
    /// Returns whether the device and its host have room for the plan, if so many bytes of the device may be used.
    pub fn fits(&self, limit: Bytes) -> bool {
        self.excess(limit) == Bytes(0)
    }

    /// Bytes for which there is no room, on the device and on its host.
    pub fn excess(&self, limit: Bytes) -> Bytes {
        Bytes(self.peak.0.saturating_sub(limit.0).saturating_add(self.beyond_host.0))
    }
}

/// Less is better: the memory in excess of the limits first, then time, then axes of the mesh, then memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score {
    excess: u64,
    time: u32,
    num_axes: usize,
    peak: u64,
}

impl Score {
    /// Times that differ by less than single precision count as equal, or rounding would choose among equal plans.
    pub(crate) fn new(evaluation: &Evaluation, mesh: &Mesh, limit: Bytes) -> Self {
        Self {
            excess: evaluation.excess(limit).0,
            // The bits of floats that are not negative are ordered like the floats.
            time: (evaluation.seconds.0.max(0.0) as f32).to_bits(),
            num_axes: mesh.axes().len(),
            peak: evaluation.peak.0,
        }
    }

    /// True if the plan fits into the memory.
    pub fn is_feasible(&self) -> bool {
        self.excess == 0
    }
}
