//! Collectives that a program has itself: of which kind an instruction is, and along which axes data goes.
//!
//! Input: an op, and the mesh whose positions it names. Output: a [`Collective`] and the axes along which members of one
//! of its groups, or the ends of one of its pairs, differ. Whether its groups are exactly those of some axes, in which
//! order, is another question, which passes ask.

use crate::collective::Collective;
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::op::Op;

/// The kind of collective that an op is, as in a program written for single devices.
pub fn kind_of(op: &Op) -> Option<Collective> {
    match op {
        Op::AllReduce(_) => Some(Collective::AllReduce),
        Op::AllGather(_) => Some(Collective::AllGather),
        Op::ReduceScatter(_) => Some(Collective::ReduceScatter),
        Op::AllToAll(_) => Some(Collective::AllToAll),
        Op::CollectivePermute(_) => Some(Collective::CollectivePermute),
        _ => None,
    }
}

/// The axes along which a collective moves data between positions of a mesh.
pub fn axes_of(op: &Op, mesh: &Mesh) -> AxisSet {
    if let Op::CollectivePermute(permute) = op {
        return axes_of_pairs(&permute.pairs, mesh);
    }
    let groups = op.participants().map_or(Vec::new(), |participants| participants.groups.groups());
    let any_differs =
        |axis: &SubAxisId| groups.iter().any(|group| differ(group.iter().copied(), *axis, mesh));
    mesh.sub_axis_ids().filter(any_differs).collect()
}

/// The axes along which a permute between positions of a mesh moves data.
pub fn axes_of_pairs(pairs: &[[i64; 2]], mesh: &Mesh) -> AxisSet {
    let ends = |pair: &[i64; 2]| pair.map(|end| usize::try_from(end).unwrap_or(usize::MAX));
    let any_differs = |axis: &SubAxisId| pairs.iter().any(|pair| differ(ends(pair), *axis, mesh));
    mesh.sub_axis_ids().filter(any_differs).collect()
}

/// Whether devices differ along an axis; those that the mesh does not have do not count.
fn differ(devices: impl IntoIterator<Item = usize>, axis: SubAxisId, mesh: &Mesh) -> bool {
    let mut places = devices.into_iter().filter(|device| *device < mesh.num_devices());
    let first = places.next().map(|device| mesh.coordinate(device, axis));
    places.any(|device| Some(mesh.coordinate(device, axis)) != first)
}

/// Devices in a group of a collective over groups; 1 if it has none.
pub fn group_size(op: &Op) -> usize {
    let Some(participants) = op.participants() else { return 1 };
    participants.groups.groups().iter().map(Vec::len).max().unwrap_or(1).max(1)
}
