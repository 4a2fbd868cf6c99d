//! `stablehlo.get_dimension_size` (specification, "get_dimension_size"): the size of a dim, as a value.

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::expand::Expansion;
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::text::{Ending, Field, Format};
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// The size of one dim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GetDimensionSize {
    /// Which dim.
    pub dim: usize,
}

impl OpDef for GetDimensionSize {
    const NAMES: &'static [&'static str] = &["stablehlo.get_dimension_size"];

    /// `%x, dim = 1 : (...) -> ...`
    const FORMAT: Option<Format> =
        Some(Format::of(1, Ending::Signature).with(&[Field::position("dim", "dimension")]));

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { dim: attributes.position("dimension")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("dimension", Attr::position(self.dim))
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if violations.shape(view, 1, 1, 0) {
            let operand = view.operand(0);
            violations
                .require(self.dim < operand.rank(), || format!("C1: {operand} has no dim {}", self.dim));
            let size = operand.shape.get(self.dim).copied().unwrap_or(0);
            violations.require(i32::try_from(size).is_ok(), || format!("the size {size} is no i32"));
            violations.inferred(view);
        }
    }

    fn infer(&self, _: &Given<'_>) -> Option<Vec<Type>> {
        Some(vec![TensorType::scalar(ElementType::I32).into()])
    }

    fn traits(&self) -> OpTraits {
        OpTraits::SHORT_FORM
    }

    fn expand(&self, view: &InstView<'_>, _: &[ValueId], e: &mut Expansion<'_, '_>) -> Option<Vec<ValueId>> {
        let size = view.operand(0).shape[self.dim];
        Some(vec![e.splat(TensorType::scalar(ElementType::I32), size as f64)])
    }
}
