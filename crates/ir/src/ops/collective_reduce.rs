//! `stablehlo.collective_reduce` (specification, "collective_reduce"): a reduction over each group, on one device of it.

use crate::attribute::{Attr, Attributes};
use crate::op::{AttrReader, OpDef, Violations};
use crate::program::InstView;

use super::collective::Participants;
use super::collective_broadcast::verify_roots;
use super::reducer::verify_reducer;

/// Combines each operand over the devices of a group. The root gets the result, the others zeros. The root is the
/// group's first device, or the one whose place in the group the last operand says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CollectiveReduce {
    /// Who takes part.
    pub participants: Participants,
    /// Whether the last operand holds the root of each other operand.
    pub has_dynamic_root: bool,
}

impl OpDef for CollectiveReduce {
    const NAMES: &'static [&'static str] = &["stablehlo.collective_reduce"];

    fn name(&self) -> &'static str {
        "stablehlo.collective_reduce"
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let has_dynamic_root = attributes.bool("has_dynamic_root")?;
        Ok(Self { participants: Participants::read(attributes)?, has_dynamic_root })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = self.participants.attributes();
        if self.has_dynamic_root {
            attributes.set("has_dynamic_root", Attr::Unit);
        }
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        self.participants.verify_ids(violations);
        if violations.num_regions(view, 1) {
            verify_roots(view, self.has_dynamic_root, violations);
            if view.operand_types().all(|ty| ty.as_tensor().is_some()) && view.num_operands() > 0 {
                verify_reducer(view, 0, 1, violations);
            }
        }
    }

    fn participants(&self) -> Option<&Participants> {
        Some(&self.participants)
    }

    fn participants_mut(&mut self) -> Option<&mut Participants> {
        Some(&mut self.participants)
    }

    fn is_collective(&self) -> bool {
        true
    }

    fn flops(&self, _: &[crate::types::Type], _: &[crate::types::Type]) -> f64 {
        0.0
    }
}
