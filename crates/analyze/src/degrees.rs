//! Degrees of parallelism of what a plan was recognized as.

use crate::recognize::{Recognized, Use};
use crate::zero::ZeroStage;
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_plan::{DegreeName, Degrees};

impl Recognized {
    /// The degrees of a plan on `mesh`.
    pub fn degrees(&self, mesh: &Mesh) -> Degrees {
        let size = |axes: AxisSet| mesh.set_size(axes);
        let of = |name: DegreeName| size(self.axes_of(name));
        let zero = self.zero.whole.map_or(0, |(stage, _)| stage as usize);
        Degrees {
            dp: of(DegreeName::Dp),
            fsdp: of(DegreeName::Fsdp),
            tp: of(DegreeName::Tp),
            sp: of(DegreeName::Sp),
            cp: of(DegreeName::Cp),
            ep: of(DegreeName::Ep),
            zero,
        }
    }

    /// The axes that make up a degree; of ZeRO those over which state is sharded, of stages none.
    pub fn axes_of(&self, name: DegreeName) -> AxisSet {
        let mainly = |wanted: &[Use]| -> AxisSet {
            self.axes(|uses| uses.main.is_some_and(|main| wanted.contains(&main)))
        };
        let (stage, sharded) = match self.zero.whole {
            Some((stage, axes)) => (stage as usize, axes),
            None => (0, AxisSet::EMPTY),
        };
        let tensor = || mainly(&[Use::Tensor, Use::Embedding]);
        match name {
            DegreeName::Dp => mainly(&[Use::Data]),
            DegreeName::Fsdp if stage == ZeroStage::Three as usize => {
                sharded.intersection(mainly(&[Use::Data, Use::Expert]))
            }
            DegreeName::Tp => tensor(),
            DegreeName::Sp => tensor().intersection(self.axes(|uses| uses.besides.contains(&Use::Sequence))),
            DegreeName::Cp => mainly(&[Use::Context, Use::Ulysses, Use::Spatial, Use::Sequence]),
            DegreeName::Ep => mainly(&[Use::Expert]),
            DegreeName::Zero => sharded,
            DegreeName::Fsdp | DegreeName::Pp | DegreeName::Vp => AxisSet::EMPTY,
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
