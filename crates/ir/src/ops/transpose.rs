//! `stablehlo.transpose` (specification, "transpose").

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, Linearity, OpDef, OpPriority, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sharding::Reduction;
use crate::text::{Ending, Field, Format};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::types::{TensorType, Type};

/// The dims in another order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transpose {
    /// Dim `i` of the result is dim `permutation[i]` of the operand.
    pub permutation: Vec<usize>,
}

impl OpDef for Transpose {
    const NAMES: &'static [&'static str] = &["stablehlo.transpose"];

    /// `%x, dims = [1, 0] : (...) -> ...`
    const FORMAT: Option<Format> =
        Some(Format::of(1, Ending::Signature).with(&[Field::positions("dims", "permutation")]));

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { permutation: attributes.dims("permutation")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("permutation", Attr::dims(&self.permutation))
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 1, 1, 0) {
            return;
        }
        let operand = view.operand(0);
        let mut sorted = self.permutation.clone();
        sorted.sort_unstable();
        let permutes = violations.require(sorted.into_iter().eq(0..operand.rank()), || {
            format!("C2: {:?} does not permute the dims of {operand}", self.permutation)
        });
        if permutes {
            violations.inferred(view);
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let operand = given.tensor(0)?;
        let sizes = self.permutation.iter().map(|dim| operand.shape.get(*dim).copied());
        Some(vec![TensorType::new(sizes.collect::<Option<Vec<usize>>>()?, operand.element).into()])
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (dim, source) in self.permutation.iter().enumerate() {
            let size = view.result(0).shape[dim];
            rule.add_dim(size, FactorKind::PassThrough, &[(0, *source)], &[(0, dim)]);
        }
        rule
    }

    fn op_priority(&self, _: &InstView<'_>) -> OpPriority {
        OpPriority::PassThrough
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::moves()
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![inputs[0].transpose(&self.permutation)?])
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let mut back: Vec<usize> = (0..self.permutation.len()).collect();
        back.sort_by_key(|dim| self.permutation[*dim]);
        v.give_with(0, |v, cotangent| v.transpose(cotangent, back));
        Ok(())
    }
}
