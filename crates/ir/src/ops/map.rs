//! `stablehlo.map` (specification, "map"): a function of single elements, applied to all.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::expand::Expansion;
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use meshwright_tensor::Tensor;
use meshwright_tensor::types::{TensorType, Type};

use super::fold_reducer::{from_scalars, scalar_at};
use super::reducer::returned_types;
use super::vectorize_region::VectorizedRegion;

/// The application of region 0 to the elements of all inputs, position by position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Map {
    /// All dims, in order.
    pub dims: Vec<usize>,
}

impl OpDef for Map {
    const NAMES: &'static [&'static str] = &["stablehlo.map"];

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { dims: attributes.dims("dimensions")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("dimensions", Attr::dims(&self.dims))
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
            [Type::Tensor(returned)] if returned.rank() == 0 => violations.inferred(view),
            _ => violations.messages.push("C4: the region should return one scalar".into()),
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.shaped_as(0, given.returned_element(0, 0)?)
    }

    fn traits(&self) -> OpTraits {
        OpTraits::SHORT_FORM
    }

    /// A region of elementwise ops stands for these.
    fn expand(
        &self,
        view: &InstView<'_>,
        operands: &[ValueId],
        e: &mut Expansion<'_, '_>,
    ) -> Option<Vec<ValueId>> {
        VectorizedRegion::new(view, 0)?.elementwise().write(operands, e)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        if let Some(lifted) = VectorizedRegion::new(view, 0) {
            return lifted.run(inputs, cx);
        }
        let result = view.result(0);
        let inputs: Vec<Tensor> = inputs.iter().map(Tensor::contiguous).collect::<Result<_, _>>()?;
        let mut scalars = Vec::with_capacity(result.num_elements());
        for position in 0..result.num_elements() {
            let args = inputs.iter().map(|input| scalar_at(input, position)).collect();
            scalars.extend(cx.call_region(view.inst.regions[0], args)?);
        }
        Ok(vec![from_scalars(result.element, &result.shape, &scalars, cx.precision())?])
    }
}
