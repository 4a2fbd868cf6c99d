//! The program of one device.

use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::program::Program;
use meshwright_ir::sharding::Sharding;
use meshwright_tensor::types::Type;
use std::collections::BTreeMap;

/// A local program that every device runs, and what its arguments and results mean globally.
#[derive(Clone, Debug)]
pub struct DeviceProgram {
    /// The local program: local shapes, explicit collectives, `mhlo.num_replicas` devices, no shardings left.
    pub program: Program,
    /// The mesh that device numbers refer to.
    pub mesh: Mesh,
    /// Each argument's global type and sharding.
    pub arguments: Vec<(Type, Sharding)>,
    /// Each result's global type and sharding.
    pub results: Vec<(Type, Sharding)>,
    /// Axes along which parts of it were written for one device: what values mean along them, only the author knows.
    pub manual: AxisSet,
    /// Arguments and results whose shards stand on the devices in another order.
    pub orders: Orders,
}

/// Meshes by argument and by result: the same axes, but devices in another order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Orders {
    /// By position of the argument.
    pub arguments: BTreeMap<usize, Mesh>,
    /// By position of the result.
    pub results: BTreeMap<usize, Mesh>,
}

impl DeviceProgram {
    /// The mesh that says which device has which shard of an argument.
    pub fn argument_mesh(&self, index: usize) -> &Mesh {
        self.orders.arguments.get(&index).unwrap_or(&self.mesh)
    }

    /// The mesh that says which device has which shard of a result.
    pub fn result_mesh(&self, index: usize) -> &Mesh {
        self.orders.results.get(&index).unwrap_or(&self.mesh)
    }
}
