//! A mesh laid over a machine: which links each axis crosses.

use meshwright_ir::mesh::{Mesh, SubAxisId};
use meshwright_machine::{Crossing, Machine, Span};

/// Mesh device number `d` is machine device number `d`, so the last mesh axis lies on the innermost links.
#[derive(Clone, Debug)]
pub struct Placement {
    /// The hardware.
    pub machine: Machine,
    /// The mesh.
    pub mesh: Mesh,
}

impl Placement {
    /// Lays `mesh` over `machine`. Errors: the mesh does not have as many devices as the machine.
    pub fn new(machine: Machine, mesh: Mesh) -> Result<Self, String> {
        let (wanted, found) = (mesh.num_devices(), machine.num_devices());
        if wanted != found {
            return Err(format!("the mesh {mesh} has {wanted} devices, but the machine has {found}"));
        }
        Ok(Self { machine, mesh })
    }

    /// The links that a collective over `axes` crosses, innermost first.
    pub fn crossings(&self, axes: &[SubAxisId]) -> Vec<Crossing<'_>> {
        let spans: Vec<Span> = axes
            .iter()
            .map(|axis| Span { stride: self.mesh.stride(*axis), size: self.mesh.size(*axis) })
            .collect();
        self.machine.crossings(&spans)
    }
}
