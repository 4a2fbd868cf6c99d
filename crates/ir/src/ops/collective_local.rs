//! Collectives that the program itself contains, inside a manual computation: how free axes may shard them, and their
//! local form.
//!
//! A collective joins devices along manual axes. What free axes shard stays sharded, but for the dims along which
//! elements change places between devices: those the collective needs whole.

use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::mesh::Mesh;
use crate::op::Op;
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};

use super::collective::{Participants, ReplicaGroups};

/// Each operand and its result share all dims but those in `whole`.
pub(super) fn rule_but_for(view: &InstView<'_>, whole: &[usize]) -> ShardingRule {
    let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
    for index in 0..view.num_operands().min(view.inst.results.len()) {
        let Some(ty) = view.body.ty(view.inst.operands[index]).as_tensor() else { continue };
        for (dim, size) in ty.shape.iter().enumerate().filter(|(dim, _)| !whole.contains(dim)) {
            rule.add_dim(*size, FactorKind::PassThrough, &[(index, dim)], &[(index, dim)]);
        }
    }
    rule
}

/// The same as Shardy writes it: all operands and results share their dims, and each dim in `whole` is needed whole
/// before and after, where it may be of another size.
pub(super) fn in_shardy(view: &InstView<'_>, whole: &[usize]) -> OpShardingRule {
    let (operand, result) = (view.operand(0), view.result(0));
    let mut builder = RuleBuilder::new(view);
    for (dim, size) in operand.shape.iter().enumerate().filter(|(dim, _)| !whole.contains(dim)) {
        builder.everywhere(dim, *size, FactorType::PassThrough);
    }
    for dim in whole {
        builder.in_operands(*dim, operand.shape[*dim], FactorType::NeedReplication);
        builder.in_results(*dim, result.shape[*dim], FactorType::NeedReplication);
    }
    builder.build()
}

/// The same collective on local values.
pub(crate) fn localize(mut op: Op, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
    if let Some(participants) = op.participants_mut() {
        *participants = of_positions(participants, cx.mesh);
    }
    if let Op::CollectivePermute(permute) = &mut op {
        permute.channel = None;
        for device in permute.pairs.iter_mut().flatten() {
            *device = position(*device, cx.mesh);
        }
    }
    let regions: Vec<_> =
        (0..cx.view.inst.regions.len()).map(|index| b.copy_region(&cx.view, index)).collect();
    b.emit(op, cx.operands, &regions, cx.result_types.to_vec())
}

/// The groups with devices by their position in the mesh, as replicas.
fn of_positions(participants: &Participants, mesh: &Mesh) -> Participants {
    let groups = &participants.groups;
    let ids = groups.ids.iter().map(|id| position(*id, mesh)).collect();
    Participants {
        groups: ReplicaGroups { shape: groups.shape, ids },
        mesh_axes: None,
        channel: None,
        use_global_device_ids: false,
    }
}

fn position(device: i64, mesh: &Mesh) -> i64 {
    usize::try_from(device).map_or(device, |device| mesh.position_of(device) as i64)
}
