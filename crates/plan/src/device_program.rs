//! The program of one device.

use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::program::Program;
use meshwright_ir::sharding::Sharding;
use meshwright_ir::types::Type;

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
}
