//! Who sends to whom in a `collective_permute` that changes the axes of a value's dims.
//!
//! Input: the sharding before and the axes of each dim after. Output: (source, target) pairs, each device once on
//! either side, ordered by target. A device that already holds the shard it needs keeps it; contributions of a partial
//! value stay with the coordinates that they belong to.

use meshwright_ir::ids::Id;
use meshwright_ir::mesh::{Mesh, SubAxisId};
use meshwright_ir::sharding::Sharding;

/// The (source, target) pairs of [`super::Step::Permute`] to `dims`, for a value that is sharded like `state`. A device
/// that keeps its shard is its own source.
///
/// # Panics
/// If `dims` has another number of shards than `state` in some dim.
pub fn pairs(state: &Sharding, dims: &[Vec<SubAxisId>], mesh: &Mesh) -> Vec<(usize, usize)> {
    let partial: Vec<SubAxisId> = state.partial_axes().iter().collect();
    let strides: Vec<usize> = mesh.sub_axis_ids().map(|axis| mesh.stride(axis)).collect();
    let before: Vec<SubAxisId> = state.dim_axes().flatten().chain(&partial).copied().collect();
    let after: Vec<SubAxisId> = dims.iter().flatten().chain(&partial).copied().collect();
    // With equal counts per dim, the position along all axes numbers the shards alike before and after.
    let same = state.dim_axes().zip(dims).all(|(old, new)| mesh.product(old) == mesh.product(new));
    assert!(same, "a permute cannot turn {state:?} into {dims:?}");
    let shard = |device: usize, axes: &[SubAxisId]| {
        axes.iter().fold(0, |index, axis| {
            index * mesh.size(*axis) + device / strides[axis.index()] % mesh.size(*axis)
        })
    };
    let mut pairs = Vec::with_capacity(mesh.num_devices());
    let (mut holds, mut needs) = (Vec::new(), Vec::new());
    for device in 0..mesh.num_devices() {
        let (held, needed) = (shard(device, &before), shard(device, &after));
        if held == needed {
            pairs.push((device, device));
        } else {
            holds.push((held, device));
            needs.push((needed, device));
        }
    }
    // Every shard is held and needed equally often, also among those that move.
    holds.sort();
    needs.sort();
    pairs.extend(holds.iter().zip(&needs).map(|((_, source), (_, target))| (*source, *target)));
    pairs.sort_by_key(|(_, target)| *target);
    pairs
}
