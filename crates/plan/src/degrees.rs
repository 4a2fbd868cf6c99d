//! Degrees of parallelism: over how many devices each kind of it is spread.
//!
//! Input: what a plan was recognized as. Output: [`Degrees`], as the field writes them: `dp=32, tp=8, zero=1`. An axis
//! that does two things counts for both, so the degrees need not multiply to the number of devices.

use crate::Recognized;
use crate::recognize::Use;
use crate::zero::ZeroStage;
use meshwright_ir::mesh::Mesh;
use serde::{Deserialize, Serialize};
use std::fmt;

/// See the module's comment. A degree of 1 is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Degrees {
    /// Devices over which the batch is sharded.
    pub dp: usize,
    /// Devices of those over which nearly all parameters are sharded too.
    pub fsdp: usize,
    /// Devices over which weights and the activations that they make are sharded.
    pub tp: usize,
    /// Devices of those over which tokens are sharded where activations would be whole.
    pub sp: usize,
    /// Devices over which tokens are sharded throughout, with Ulysses or without.
    pub cp: usize,
    /// Devices over which experts are sharded.
    pub ep: usize,
    /// ZeRO's stage, 0 to 3: which state is sharded over devices that shard the batch.
    pub zero: usize,
}

impl Default for Degrees {
    fn default() -> Self {
        Self { dp: 1, fsdp: 1, tp: 1, sp: 1, cp: 1, ep: 1, zero: 0 }
    }
}

impl Degrees {
    /// Whether some axis does several things, so that dp, tp, cp and ep multiply to more than the devices. (What fsdp and sp
    /// shard along comes with dp and tp.)
    pub fn overlap(&self, num_devices: usize) -> bool {
        self.dp * self.tp * self.cp * self.ep > num_devices
    }

    /// The degrees of a plan on `mesh`.
    pub fn of(recognized: &Recognized, mesh: &Mesh) -> Self {
        let over = |wanted: &[Use]| -> usize {
            let axes = recognized.uses.iter().filter(|(_, uses)| wanted.iter().any(|one| uses.contains(one)));
            axes.map(|(axis, _)| mesh.size(*axis)).product()
        };
        let (zero, sharded) = match recognized.zero.whole {
            Some((stage, devices)) => (stage as usize, devices),
            None => (0, 1),
        };
        Self {
            dp: over(&[Use::Data]),
            fsdp: if zero == ZeroStage::Three as usize { sharded } else { 1 },
            tp: over(&[Use::Tensor]),
            sp: over(&[Use::Sequence]),
            cp: over(&[Use::Context, Use::Ulysses]),
            ep: over(&[Use::Expert]),
            zero,
        }
    }
}

impl fmt::Display for Degrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dp, fsdp, tp, sp, cp, ep, zero } = self;
        write!(f, "dp={dp}, fsdp={fsdp}, tp={tp}, sp={sp}, cp={cp}, ep={ep}, zero={zero}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_two_things_is_told() {
        let degrees = Degrees { dp: 2, tp: 4, sp: 4, fsdp: 2, ..Degrees::default() };
        assert!(!degrees.overlap(8), "fsdp and sp come with dp and tp");
        assert!(Degrees { tp: 8, ..degrees }.overlap(8));
        assert!(Degrees { ep: 2, ..degrees }.overlap(8));
    }

    #[test]
    fn all_are_said() {
        assert_eq!(Degrees::default().to_string(), "dp=1, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0");
    }
}
