//! Degrees of parallelism: over how many devices each kind of it is spread.
//!
//! Input: what a plan was recognized as. Output: [`Degrees`], as the field writes them: `dp=32, tp=8, zero=1`. An axis
//! counts for what it mainly does, so that dp, tp, cp and ep multiply to the number of devices, or to less where some do
//! the same as others. What fsdp and sp shard along comes with dp (or ep) and tp.

use crate::Recognized;
use crate::recognize::Use;
use crate::zero::ZeroStage;
use meshwright_ir::mesh::{AxisSet, Mesh};
use serde::{Deserialize, Serialize};
use std::fmt;

/// See the module's comment. A degree of 1 is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Degrees {
    /// Devices over which mainly the batch is sharded.
    pub dp: usize,
    /// Devices of those, and of those over which experts are, over which nearly all parameters are sharded too.
    pub fsdp: usize,
    /// Devices over which mainly weights and the activations that they make are sharded, rows of tables too.
    pub tp: usize,
    /// Devices of those over which tokens are sharded where activations would be whole.
    pub sp: usize,
    /// Devices over which mainly tokens, or pixels, are sharded, with Ulysses or without.
    pub cp: usize,
    /// Devices over which experts are sharded, and the batch elsewhere.
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
    /// The degrees of a plan on `mesh`.
    pub fn of(recognized: &Recognized, mesh: &Mesh) -> Self {
        let mainly = |wanted: &[Use]| -> AxisSet {
            recognized.axes(|uses| uses.main.is_some_and(|main| wanted.contains(&main)))
        };
        let size = |axes: AxisSet| mesh.set_size(axes);
        let (zero, sharded) = match recognized.zero.whole {
            Some((stage, axes)) => (stage as usize, axes),
            None => (0, AxisSet::EMPTY),
        };
        let tensor = mainly(&[Use::Tensor, Use::Embedding]);
        let is_whole = zero == ZeroStage::Three as usize;
        Self {
            dp: size(mainly(&[Use::Data])),
            fsdp: if is_whole { size(sharded.intersection(mainly(&[Use::Data, Use::Expert]))) } else { 1 },
            tp: size(tensor),
            sp: size(tensor.intersection(recognized.axes(|uses| uses.besides.contains(&Use::Sequence)))),
            cp: size(mainly(&[Use::Context, Use::Ulysses, Use::Spatial, Use::Sequence])),
            ep: size(mainly(&[Use::Expert])),
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
    use crate::recognize::Uses;
    use crate::zero::Zero;
    use meshwright_ir::mesh::Axis;

    /// On a mesh of three axes of 2 with these uses.
    fn degrees(uses: [(Option<Use>, &[Use]); 3]) -> Degrees {
        let axes = ["x", "y", "z"].map(|name| Axis { name: name.into(), size: 2 });
        let mesh = Mesh::new("mesh", axes.to_vec()).unwrap();
        let uses = uses.map(|(main, besides)| Uses { main, besides: besides.iter().copied().collect() });
        let uses = mesh.sub_axis_ids().zip(uses).collect();
        Degrees::of(&Recognized { uses, zero: Zero::default(), parts: Vec::new() }, &mesh)
    }

    #[test]
    fn an_axis_counts_for_what_it_mainly_does() {
        let found = degrees([
            (Some(Use::Data), &[Use::Tensor, Use::Ulysses]),
            (Some(Use::Tensor), &[Use::Sequence, Use::Data]),
            (Some(Use::Context), &[Use::Tensor]),
        ]);
        assert_eq!(found, Degrees { dp: 2, tp: 2, sp: 2, cp: 2, ..Degrees::default() });
        let found = degrees([(Some(Use::Expert), &[Use::Data]), (Some(Use::Spatial), &[]), (None, &[])]);
        assert_eq!(found, Degrees { ep: 2, cp: 2, ..Degrees::default() });
    }

    #[test]
    fn all_are_said() {
        assert_eq!(Degrees::default().to_string(), "dp=1, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0");
    }
}
