//! Who is who on the machine: from positions in the mesh to numbers of devices.
//!
//! Input: a finished device program, in which replica `p` is the device at position `p` of the mesh. Output: the same
//! program in which every device has the number that the mesh gives it (`device_ids`), as a replica or as a partition
//! of one replica.
//!
//! ```text
//! mesh <["x"=2], device_ids=[1, 0]>:  [[0, 1]] -> [[1, 0]],  replica_id -> table[replica_id]
//! partitions:  replica_id -> partition_id, groups get a channel, arguments and results are `{manual}`
//! ```

use meshwright_ir::attribute::Attr;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::op::Op;
use meshwright_ir::ops::constant::Constant;
use meshwright_ir::ops::convert::Convert;
use meshwright_ir::ops::device_id::DeviceId;
use meshwright_ir::ops::dynamic_slice::DynamicSlice;
use meshwright_ir::ops::reshape::Reshape;
use meshwright_ir::program::Body;
use meshwright_plan::DeviceProgram;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType};

/// Ids of a device in the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ids {
    /// A replica: `stablehlo.replica_id` is its number.
    #[default]
    Replica,
    /// A partition of the only replica: `stablehlo.partition_id` is its number.
    Partition,
}

/// Gives every device of a finished program its number.
pub fn number_devices(device: &mut DeviceProgram, ids: Ids) {
    let mesh = device.mesh.clone();
    let mut channel = 0;
    for function in &mut device.program.functions {
        if !mesh.device_ids().is_empty() {
            rename_devices(&mut function.body, &mesh);
        }
        if ids == Ids::Partition {
            become_partitions(&mut function.body, &mut channel);
            for attributes in function.arg_attributes.iter_mut().chain(&mut function.result_attributes) {
                attributes.set("mhlo.sharding", Attr::string("{manual}"));
            }
        }
    }
    if ids == Ids::Partition {
        device.program.attributes.set("mhlo.num_replicas", Attr::i32(1));
        device.program.attributes.set("mhlo.num_partitions", Attr::i32(mesh.num_devices() as i32));
    }
}

/// Groups and pairs of positions become those of devices, and a device looks up its position.
fn rename_devices(body: &mut Body, mesh: &Mesh) {
    let device = |position: &mut i64| {
        if let Ok(at) = usize::try_from(*position) {
            *position = mesh.device_at(at) as i64;
        }
    };
    for inst in body.insts.values_mut() {
        if let Some(participants) = inst.op.participants_mut() {
            participants.groups.ids.iter_mut().for_each(device);
        }
        if let Op::CollectivePermute(permute) = &mut inst.op {
            permute.pairs.iter_mut().flatten().for_each(device);
        }
    }
    let regions: Vec<RegionId> = body.regions.ids().collect();
    for region in regions {
        let mut insts = std::mem::take(&mut body.regions[region].insts);
        let mut at = 0;
        while at < insts.len() {
            if matches!(body.insts[insts[at]].op, Op::DeviceId(_)) {
                let added = look_up(body, region, insts[at], mesh);
                let behind = at + 1;
                at += added.len();
                insts.splice(behind..behind, added);
            }
            at += 1;
        }
        body.regions[region].insts = insts;
    }
}

/// The instructions that turn the number that `id` gives into a position; all other readers of the number read that.
fn look_up(body: &mut Body, region: RegionId, id: InstId, mesh: &Mesh) -> Vec<InstId> {
    let number = body.insts[id].results[0];
    let positions: Vec<i64> = (0..mesh.num_devices()).map(|device| mesh.position_of(device) as i64).collect();
    let table = Literal::ints(vec![positions.len()], &positions);
    let ty = |shape: &[usize], element| TensorType::new(shape.to_vec(), element);
    let mut added = Vec::new();
    let mut append = |op: Op, operands: Vec<ValueId>, ty: TensorType| {
        let inst = body.append(region, op, operands, Vec::new(), vec![ty.into()], Span::NONE);
        added.push(inst);
        body.insts[inst].results[0]
    };
    let constant = append(Constant { value: table.clone() }.into(), Vec::new(), table.ty.clone());
    let slice = DynamicSlice { sizes: vec![1] };
    let row = append(slice.into(), vec![constant, number], ty(&[1], ElementType::I64));
    let entry = append(Reshape.into(), vec![row], ty(&[], ElementType::I64));
    let position = append(Convert.into(), vec![entry], ty(&[], ElementType::Ui32));
    let insts: Vec<InstId> = body.insts.ids().filter(|inst| !added.contains(inst)).collect();
    for inst in insts {
        let operands = body.insts[inst].operands.iter_mut();
        operands.filter(|value| **value == number).for_each(|value| *value = position);
    }
    added
}

/// Replicas become partitions; every collective gets a channel of its own.
fn become_partitions(body: &mut Body, channel: &mut i64) {
    for inst in body.insts.values_mut() {
        match &mut inst.op {
            Op::DeviceId(id) => *id = DeviceId::Partition,
            Op::CollectivePermute(permute) => {
                *channel += 1;
                permute.channel = Some([*channel, 1]);
            }
            op => {
                // An all-to-all over a channel is among partitions anyway, and knows no other ids.
                let is_global = !matches!(op, Op::AllToAll(_));
                if let Some(participants) = op.participants_mut() {
                    *channel += 1;
                    participants.channel = Some([*channel, 1]);
                    participants.use_global_device_ids = is_global;
                }
            }
        }
    }
}
