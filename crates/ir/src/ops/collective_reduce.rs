//! `stablehlo.collective_reduce` (specification, "collective_reduce"): a reduction over each group, on one device of it.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::Type;

use super::collective::{Ids, Participants, combine, over_groups};
use super::collective_broadcast::{check_roots, data_types, roots, verify_roots};
use super::collective_local::rule_but_for;
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

    over_groups!();

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

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        data_types(given, self.has_dynamic_root)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        rule_but_for(view, &[])
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let (data, roots) = roots(inputs, self.has_dynamic_root)?;
        let zeros = |tensor: &Tensor| Tensor::zeros(&tensor.ty(), cx.precision());
        let zeros = data.iter().map(zeros).collect::<Result<Vec<Tensor>, EvalError>>()?;
        let (device, groups) = (cx.device(), self.participants.devices(Ids::of_all(&self.participants), cx));
        let Some(own) = groups.iter().find_map(|group| group.iter().position(|member| *member == device))
        else {
            return Ok(zeros);
        };
        let given = cx.exchange(self.name(), &groups, data)?;
        check_roots(&roots, given.len())?;
        let result = |(index, zeros): (usize, Tensor)| match roots[index] == own as i64 {
            true => combine(view, given.iter().map(|member| member[index].clone()), cx),
            false => Ok(zeros),
        };
        zeros.into_iter().enumerate().map(result).collect()
    }
}
