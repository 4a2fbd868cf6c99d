//! `stablehlo.collective_broadcast` (specification, "collective_broadcast"): the values of one device of each group, on
//! all of the group.

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, OpDef, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::vjp::{Differentiated, Vjp, none_because};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, TensorType, Type};
use meshwright_tensor::{Precision, Tensor, convert};

use super::collective::{Ids, Participants, channel_back, over_groups};
use super::collective_local::rule_but_for;
use super::collective_permute::CollectivePermute;

/// Sends each operand from its root to the rest of the group. The root is the group's first device, or the one whose
/// place in the group the last operand says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CollectiveBroadcast {
    /// Who takes part.
    pub participants: Participants,
    /// Whether the last operand holds the root of each other operand.
    pub has_dynamic_root: bool,
}

impl OpDef for CollectiveBroadcast {
    const NAMES: &'static [&'static str] = &["stablehlo.collective_broadcast"];

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
        violations.require(!self.participants.groups.ids.contains(&-1), || {
            "C2: the ids in `replica_groups` should not be negative".into()
        });
        if violations.num_regions(view, 0) {
            verify_roots(view, self.has_dynamic_root, violations);
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        data_types(given, self.has_dynamic_root)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        rule_but_for(view, &[])
    }

    /// What a group passes back is added up on its root, and nothing is passed back to the others. Sums go along a tree, as
    /// permutations, which leave out devices that are in no group, as the broadcast does: in each round every other device that
    /// still has a sum gets that of the next one. The last round leaves to others than roots nothing.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        if self.has_dynamic_root {
            return none_because("has no derivative if its roots are an operand");
        }
        if self.participants.is_unresolved() {
            return none_because("runs along axes of a mesh that is not known");
        }
        let groups = self.participants.groups.groups();
        for index in 0..v.view().num_operands() {
            let Some(cotangent) = v.cotangent_of(index).filter(|_| v.wants(index)) else { continue };
            let mut sum = cotangent;
            let mut stride = 1;
            while groups.iter().any(|group| stride < group.len()) {
                let senders = groups.iter().flat_map(|group| {
                    let receivers = (0..group.len().saturating_sub(stride)).step_by(2 * stride);
                    receivers.map(move |place| [group[place + stride] as i64, group[place] as i64])
                });
                let received = self.permuted(v, sum, senders.collect());
                sum = v.plus(sum, received);
                stride *= 2;
            }
            let roots = groups.iter().filter_map(|group| group.first());
            let own = self.permuted(v, sum, roots.map(|root| [*root as i64; 2]).collect());
            v.give(index, own);
        }
        Ok(())
    }

    fn evaluate(&self, Evaluation { inputs, cx, .. }: Evaluation<'_>) -> Evaluated {
        let (data, roots) = roots(inputs, self.has_dynamic_root)?;
        let groups = self.participants.devices(Ids::of_partitions(self.participants.channel), cx);
        if !groups.iter().any(|group| group.contains(&cx.device())) {
            return data.iter().map(|tensor| Tensor::zeros(&tensor.ty(), cx.precision())).collect();
        }
        let given = cx.exchange(self.name(), &groups, data)?;
        check_roots(&roots, given.len())?;
        Ok(roots.iter().enumerate().map(|(index, root)| given[*root as usize][index].clone()).collect())
    }
}

impl CollectiveBroadcast {
    /// A value sent from the first device of each pair to the second, among the same kind of devices.
    fn permuted(&self, v: &mut Vjp<'_>, value: ValueId, pairs: Vec<[i64; 2]>) -> ValueId {
        let permute = CollectivePermute { pairs, channel: channel_back(v, self.participants.channel) };
        let ty = v.ty(value);
        v.emit(permute, &[value], ty)
    }
}

/// The operands that are sent, and the place of the root of each in its group.
pub(super) fn roots(
    mut inputs: Vec<Tensor>,
    has_dynamic_root: bool,
) -> Result<(Vec<Tensor>, Vec<i64>), EvalError> {
    if !has_dynamic_root {
        let places = vec![0; inputs.len()];
        return Ok((inputs, places));
    }
    let places = inputs.pop().ok_or_else(|| EvalError::new("the roots are missing"))?;
    let places = convert(&places, ElementType::I64, Precision::Declared)?.dense::<i64>()?.into_owned();
    Ok((inputs, places))
}

/// Errors: a root that is no place in a group of `num_members` devices.
pub(super) fn check_roots(roots: &[i64], num_members: usize) -> Result<(), EvalError> {
    let is_place = |root: i64| usize::try_from(root).is_ok_and(|root| root < num_members);
    match roots.iter().find(|root| !is_place(**root)) {
        Some(root) => Err(EvalError::new(format!("the root {root} is in no group of {num_members} devices"))),
        None => Ok(()),
    }
}

/// Checks that the results are of the types of the operands, without the last one if it holds their roots.
pub(super) fn verify_roots(view: &InstView<'_>, has_dynamic_root: bool, violations: &mut Violations) {
    let count = view.num_operands().saturating_sub(usize::from(has_dynamic_root));
    if !violations.require(count > 0, || "C3-C4: there is nothing to send".into())
        || !(violations.num_results(view, count) & violations.all_tensors(view))
    {
        return;
    }
    if has_dynamic_root {
        let expected = TensorType::new([count], ElementType::I32);
        let found = view.operand(count);
        violations.require(*found == expected, || {
            format!("C4: the last operand should be {expected}, not {found}")
        });
    }
    violations.inferred(view);
}

/// The result types of a collective with roots, which are those of what is sent.
pub(super) fn data_types(given: &Given<'_>, has_dynamic_root: bool) -> Option<Vec<Type>> {
    given.same_as_first(given.operands.len().checked_sub(usize::from(has_dynamic_root))?)
}
