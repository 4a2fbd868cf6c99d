//! `stablehlo.all_reduce` (specification, "all_reduce").

use crate::attribute::Attributes;
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, OpDef, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::vjp::{Differentiated, Vjp, none_because};
use meshwright_tensor::types::{TensorType, Type};

use super::binary::Binary;
use super::collective::{Ids, Participants, combine, going_back, over_groups};
use super::collective_local::rule_but_for;
use super::reduce_vjp::marked;
use super::reducer::{promoted, reducer, verify_reducer};

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

    /// What all devices read of a sum they add up of its cotangents; an extreme passes that on to those that have it.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let view = v.view();
        let op = reducer(view.body, view.region(0));
        if view.operand(0).element != view.result(0).element {
            return none_because("has no derivative if it widens what it combines");
        }
        if !matches!(op, Some(Binary::Add | Binary::Maximum | Binary::Minimum)) {
            return none_because("has a derivative only if it adds or takes an extreme");
        }
        for index in 0..view.num_operands() {
            let Some(cotangent) = v.cotangent_of(index).filter(|_| v.wants(index)) else { continue };
            let own = if op == Some(Binary::Add) {
                self.summed(v, cotangent)
            } else {
                let (operand, extreme) = (v.operand(index), v.result(index));
                let marks = marked(v, operand, extreme);
                let (count, whole) = (self.summed(v, marks), self.summed(v, cotangent));
                let share = v.over(whole, count);
                v.times(share, marks)
            };
            v.give(index, own);
        }
        Ok(())
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

impl AllReduce {
    /// A sum over the same devices.
    fn summed(&self, v: &mut Vjp<'_>, value: ValueId) -> ValueId {
        let ty = v.ty(value);
        let sum = Self { participants: going_back(v, &self.participants) };
        let region = v.pairwise(Binary::Add, TensorType::scalar(ty.element));
        v.emit_all(sum, &[value], vec![region], vec![ty.into()])[0]
    }
}
