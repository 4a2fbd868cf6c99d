//! `stablehlo.map` (specification, "map"): a function of single elements, applied to all.

use crate::attribute::{Attr, Attributes};
use crate::op::{AttrReader, OpDef, Violations};
use crate::program::InstView;
use crate::types::{TensorType, Type};

use super::reducer::returned_types;

/// The application of region 0 to the elements of all inputs, position by position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    /// All dims, in order.
    pub dims: Vec<usize>,
}

impl OpDef for Map {
    const NAMES: &'static [&'static str] = &["stablehlo.map"];

    fn name(&self) -> &'static str {
        "stablehlo.map"
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { dims: attributes.dims("dimensions")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        [("dimensions".to_owned(), Attr::dims(&self.dims))].into_iter().collect()
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let count = view.num_operands();
        if !violations.shape(view, count, 1, 1)
            || !violations.require(count > 0, || "C2: maps no inputs".into())
        {
            return;
        }
        let shape = &view.operand(0).shape;
        violations.require((1..count).all(|index| view.operand(index).shape == *shape), || {
            "C1: inputs have different shapes".into()
        });
        violations.require(self.dims.iter().copied().eq(0..shape.len()), || {
            format!("C3: `dimensions` should list all {} dims in order, not {:?}", shape.len(), self.dims)
        });
        let scalar = |index: usize| Type::Tensor(TensorType::scalar(view.operand(index).element));
        let takes = view.region(0).args.iter().map(|arg| view.body.ty(*arg).clone());
        violations.require(takes.eq((0..count).map(scalar)), || {
            "C4: the region should take one scalar of each input's element type".into()
        });
        match returned_types(view, 0).as_slice() {
            [Type::Tensor(returned)] if returned.rank() == 0 => {
                violations.result_type(view, 0, &TensorType::new(shape.clone(), returned.element).into());
            }
            _ => violations.messages.push("C4: the region should return one scalar".into()),
        }
    }
}
