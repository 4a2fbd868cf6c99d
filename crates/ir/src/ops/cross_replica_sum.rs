//! `stablehlo.cross-replica-sum` (not in the specification; older exporters write it): a sum over replicas.

use crate::attribute::Attributes;
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::expand::{self, Expansion};
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;

use super::all_reduce::AllReduce;
use super::binary::Binary;
use super::collective::{Participants, ReplicaGroups};
use meshwright_tensor::types::{TensorType, Type};

/// The sum of the operand over the devices of each group.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CrossReplicaSum {
    /// The groups.
    pub groups: ReplicaGroups,
}

impl OpDef for CrossReplicaSum {
    const NAMES: &'static [&'static str] = &["stablehlo.cross-replica-sum"];

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let groups = attributes.required("replica_groups")?;
        Ok(Self { groups: ReplicaGroups::from_attribute("replica_groups", &groups)? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("replica_groups", self.groups.to_attribute())
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if violations.shape(view, 1, 1, 0) {
            violations.inferred(view);
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(0)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn traits(&self) -> OpTraits {
        OpTraits { is_short_form: true, is_collective: true, ..OpTraits::NONE }
    }

    /// Groups that are left out are all replicas, however many there are.
    fn expand(
        &self,
        view: &InstView<'_>,
        operands: &[ValueId],
        e: &mut Expansion<'_, '_>,
    ) -> Option<Vec<ValueId>> {
        let groups = Some(self.groups.groups()).filter(|groups| !groups.is_empty())?;
        let participants = Participants::of(&groups);
        let ty = view.result(0);
        let region = e.pairwise(Binary::Add, TensorType::scalar(ty.element));
        Some(e.emit_all(AllReduce { participants }, operands, vec![region], vec![ty.clone().into()]))
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let mut groups = self.groups.groups();
        if groups.is_empty() {
            groups.push((0..cx.num_devices() / cx.partitions().max(1)).collect());
        }
        let full = Self { groups: ReplicaGroups::new(&groups) };
        expand::evaluate(Evaluation { view, inputs, cx }, |operands, e| full.expand(view, operands, e))
    }
}
