//! `stablehlo.broadcast` (not in the specification; older exporters write it): new dims in front.

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::expand::Expansion;
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::text::{Ending, Field, Format};
use meshwright_tensor::types::{TensorType, Type};

/// Repeats the operand along new dims.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Broadcast {
    /// Sizes of the new dims, which become the outermost ones.
    pub sizes: Vec<usize>,
}

impl OpDef for Broadcast {
    const NAMES: &'static [&'static str] = &["stablehlo.broadcast"];

    /// `%x, sizes = [2, 3] : (...) -> ...`
    const FORMAT: Option<Format> =
        Some(Format::of(1, Ending::Signature).with(&[Field::positions("sizes", "broadcast_sizes")]));

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { sizes: attributes.dims("broadcast_sizes")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("broadcast_sizes", Attr::dims(&self.sizes))
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if violations.shape(view, 1, 1, 0) {
            violations.inferred(view);
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let operand = given.tensor(0)?;
        let shape = [self.sizes.as_slice(), &operand.shape].concat();
        Some(vec![TensorType::new(shape, operand.element).into()])
    }

    fn traits(&self) -> OpTraits {
        OpTraits::SHORT_FORM
    }

    fn expand(
        &self,
        view: &InstView<'_>,
        operands: &[ValueId],
        e: &mut Expansion<'_, '_>,
    ) -> Option<Vec<ValueId>> {
        let shape = &view.result(0).shape;
        Some(vec![e.broadcast(operands[0], shape, (self.sizes.len()..shape.len()).collect())])
    }
}
