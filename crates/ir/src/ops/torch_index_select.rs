//! `stablehlo.torch_index_select` (not in the specification; older exporters write it): rows by index.

use crate::attribute::{Attr, Attributes};
use crate::op::{AttrReader, OpDef, Violations};
use crate::program::InstView;

/// Selects slices along one dim by a tensor of indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TorchIndexSelect {
    /// The dim that is indexed.
    pub dim: i64,
    /// How many dims operand and indices have in common.
    pub batch_dims: i64,
}

impl OpDef for TorchIndexSelect {
    const NAMES: &'static [&'static str] = &["stablehlo.torch_index_select"];

    fn name(&self) -> &'static str {
        "stablehlo.torch_index_select"
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { dim: attributes.int("dim")?, batch_dims: attributes.int("batch_dims")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        attributes.set("dim", Attr::i64(self.dim));
        attributes.set("batch_dims", Attr::i64(self.batch_dims));
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        violations.shape(view, 2, 1, 0);
    }
}
