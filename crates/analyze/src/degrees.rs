//! Degrees of parallelism of what a plan was recognized as.

use crate::recognize::{Recognized, Use};
use crate::zero::ZeroStage;
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_plan::Degrees;

impl Recognized {
    /// The degrees of a plan on `mesh`.
    pub fn degrees(&self, mesh: &Mesh) -> Degrees {
        let mainly = |wanted: &[Use]| -> AxisSet {
            self.axes(|uses| uses.main.is_some_and(|main| wanted.contains(&main)))
        };
        let size = |axes: AxisSet| mesh.set_size(axes);
        let (zero, sharded) = match self.zero.whole {
            Some((stage, axes)) => (stage as usize, axes),
            None => (0, AxisSet::EMPTY),
        };
        let tensor = mainly(&[Use::Tensor, Use::Embedding]);
        let is_whole = zero == ZeroStage::Three as usize;
        Degrees {
            dp: size(mainly(&[Use::Data])),
            fsdp: if is_whole { size(sharded.intersection(mainly(&[Use::Data, Use::Expert]))) } else { 1 },
            tp: size(tensor),
            sp: size(tensor.intersection(self.axes(|uses| uses.besides.contains(&Use::Sequence)))),
            cp: size(mainly(&[Use::Context, Use::Ulysses, Use::Spatial, Use::Sequence])),
            ep: size(mainly(&[Use::Expert])),
            zero,
        }
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
        Recognized { uses, zero: Zero::default(), parts: Vec::new() }.degrees(&mesh)
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
}
