//! Arguments and results whose shards stand on the devices in another order than the mesh's.
//!
//! Input: a finished device program, in which every value stands as the mesh says, and the orders. Output: the same
//! program with a permutation behind each such argument and before each such result; orders in which every device
//! has the shard that the mesh gives it are dropped.
//!
//! ```text
//! mesh <["x"=2]>, %arg0 by <["x"=2], device_ids=[1, 0]>:  collective_permute(%arg0) pairs [[0, 1], [1, 0]]
//! ```

use meshwright_cost::collective::{Collective, collective_cost};
use meshwright_cost::groups::axes_of_pairs;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::mesh::{Mesh, SubAxisId};
use meshwright_ir::ops::collective_permute::CollectivePermute;
use meshwright_ir::program::Body;
use meshwright_ir::sharding::Sharding;
use meshwright_machine::Seconds;
use meshwright_plan::{DeviceProgram, Orders, Placement};
use meshwright_tensor::types::Type;
use std::collections::{BTreeMap, VecDeque};

/// Lets arguments and results come and go in the given orders, those of meshes with the axes of the program's.
pub fn arrange(device: &mut DeviceProgram, orders: Orders) {
    if orders == Orders::default() {
        return;
    }
    let main = device.program.main().map(|main| main.name.clone());
    let Some(main) = device.program.functions.iter_mut().find(|one| Some(&one.name) == main.as_ref()) else {
        return;
    };
    let mesh = &device.mesh;
    let body = &mut main.body;
    let entry = body.entry();
    let mut first = Vec::new();
    for (index, order) in orders.arguments {
        let (Some((ty, sharding)), Some(value)) =
            (device.arguments.get(index), body.regions[entry].args.get(index).copied())
        else {
            continue;
        };
        if let Some(pairs) = pairs(ty, sharding, [&order, mesh], mesh) {
            let (inst, permuted) = permute(body, value, pairs);
            for reader in body.insts.values_mut() {
                let operands = reader.operands.iter_mut().filter(|operand| **operand == value);
                operands.for_each(|operand| *operand = permuted);
            }
            body.insts[inst].operands = vec![value];
            first.push(inst);
            device.orders.arguments.insert(index, order);
        }
    }
    let mut last = Vec::new();
    let Some(terminator) = body.regions[entry].insts.iter().rev().nth(first.len()).copied() else { return };
    for (index, order) in orders.results {
        let (Some((ty, sharding)), Some(value)) =
            (device.results.get(index), body.insts[terminator].operands.get(index).copied())
        else {
            continue;
        };
        if let Some(pairs) = pairs(ty, sharding, [mesh, &order], mesh) {
            let (inst, permuted) = permute(body, value, pairs);
            if let Some(operand) = body.insts[terminator].operands.get_mut(index) {
                *operand = permuted;
            }
            last.push(inst);
            device.orders.results.insert(index, order);
        }
    }
    let insts = &mut body.regions[entry].insts;
    insts.retain(|inst| *inst != terminator && !first.contains(inst) && !last.contains(inst));
    insts.splice(..0, first);
    insts.extend(last);
    insts.push(terminator);
}

/// Seconds in which shards of arguments and results go from and to where the program has them, of an arranged program.
pub fn device_order_seconds(device: &DeviceProgram, placement: &Placement) -> Seconds {
    let (mesh, orders) = (&device.mesh, &device.orders);
    let seconds = |(ty, sharding): &(Type, Sharding), ends: [&Mesh; 2]| {
        let pairs = pairs(ty, sharding, ends, mesh)?;
        let bytes = sharding.local_type(ty.as_tensor()?, mesh).num_bytes() as f64;
        let axes = axes_of_pairs(&pairs, mesh);
        Some(collective_cost(Collective::CollectivePermute, axes, placement).seconds(bytes))
    };
    let arguments = orders
        .arguments
        .iter()
        .filter_map(|(index, order)| seconds(device.arguments.get(*index)?, [order, mesh]));
    let results = orders
        .results
        .iter()
        .filter_map(|(index, order)| seconds(device.results.get(*index)?, [mesh, order]));
    arguments.chain(results).sum()
}

/// A permutation of a value, at the end of the function.
fn permute(body: &mut Body, value: ValueId, pairs: Vec<[i64; 2]>) -> (InstId, ValueId) {
    let ty = body.ty(value).clone();
    let permute = CollectivePermute { pairs, channel: None };
    let inst = body.append(body.entry(), permute.into(), vec![value], Vec::new(), vec![ty], Span::NONE);
    (inst, body.insts[inst].results[0])
}

/// From where to where shards go, as positions in `mesh`, when they stand by one mesh and are to stand by another one.
/// `None` if every device has what it is to have.
fn pairs(ty: &Type, sharding: &Sharding, [from, to]: [&Mesh; 2], mesh: &Mesh) -> Option<Vec<[i64; 2]>> {
    ty.as_tensor()?;
    let partial: Vec<SubAxisId> = sharding.partial_axes().iter().collect();
    let shard = |mesh: &Mesh, position: usize| -> Vec<usize> {
        let dims = sharding.dim_axes().chain([partial.as_slice()]);
        dims.map(|axes| mesh.index_along(position, axes)).collect()
    };
    let by_device = |mesh: &Mesh| -> Vec<usize> {
        let mut positions = vec![0; mesh.num_devices()];
        for position in 0..mesh.num_devices() {
            positions[mesh.device_at(position)] = position;
        }
        positions
    };
    let (before, after, positions) = (by_device(from), by_device(to), by_device(mesh));
    let (mut pairs, mut spare) = (Vec::new(), BTreeMap::<Vec<usize>, VecDeque<usize>>::new());
    let mut wanting = Vec::new();
    for device in 0..before.len() {
        let (has, needs) = (shard(from, before[device]), shard(to, after[device]));
        if has == needs {
            pairs.push([device, device]);
        } else {
            spare.entry(has).or_default().push_back(device);
            wanting.push((device, needs));
        }
    }
    if wanting.is_empty() {
        return None;
    }
    for (device, needs) in wanting {
        // Both meshes have every shard equally often.
        let source = spare.get_mut(&needs).and_then(VecDeque::pop_front);
        pairs.push([source.expect("a device that has the shard"), device]);
    }
    let mut pairs: Vec<[i64; 2]> =
        pairs.into_iter().map(|pair| pair.map(|device: usize| positions[device] as i64)).collect();
    pairs.sort_unstable();
    Some(pairs)
}
