//! `stablehlo.all_reduce` (specification, "all_reduce").

use crate::attribute::Attributes;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use meshwright_tensor::types::{TensorType, Type};

use super::collective::{Ids, Participants, combine, over_groups};
use super::collective_local::rule_but_for;
use super::reducer::{promoted, verify_reducer};

/// Combines each operand over the devices of a group by a region of two scalars.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AllReduce {
    /// Who takes part.
    pub participants: Participants,
}

impl OpDef for AllReduce {
    const NAMES: &'static [&'static str] = &["stablehlo.all_reduce"];

    over_groups!();

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { participants: Participants::read(attributes)? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        self.participants.attributes()
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let count = view.num_operands();
        if !violations.shape(view, count, count, 1) || count == 0 {
            return;
        }
        self.participants.verify(violations);
        let combined = verify_reducer(view, 0, 1, violations)[0];
        for index in 0..count {
            let result = TensorType::new(view.operand(index).shape.clone(), combined);
            violations.result_type(view, index, &result.into());
            violations.require(view.operand(index).element == view.operand(0).element, || {
                "C5: the region takes elements of one type, but operands differ in theirs".into()
            });
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let combined = given.returned_element(0, 0)?;
        let reduced = |operand: &TensorType| TensorType::new(operand.shape.clone(), combined).into();
        Some(given.tensors()?.into_iter().map(reduced).collect())
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        rule_but_for(view, &[])
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let inputs = promoted(view, 0, 1, inputs, cx.precision())?;
        let (given, _) =
            self.participants.exchange(self.name(), Ids::of_all(&self.participants), inputs, cx)?;
        (0..view.num_operands())
            .map(|index| combine(view, given.iter().map(|member| member[index].clone()), cx))
            .collect()
    }
}
