//! A mesh laid over a machine, or over a part of it: which links each axis crosses.

use meshwright_ir::ids::Id;
use meshwright_ir::mesh::{Mesh, SubAxisId};
use meshwright_machine::{Crossing, Machine, Span};

/// Device number `d` of the mesh is device number `d` of the machine, or the one that a list of devices has there.
/// Without `device_ids` and such a list, the last mesh axis lies on the innermost links.
#[derive(Clone, Debug)]
pub struct Placement {
    /// The hardware.
    pub machine: Machine,
    /// The mesh.
    pub mesh: Mesh,
    /// The machine's numbers of the mesh's devices, if it lies on a part of the machine.
    devices: Option<Vec<usize>>,
    /// How far apart in device numbers two neighbors along each sub-axis are; `None` if that differs.
    strides: Option<Vec<usize>>,
}

impl Placement {
    /// Lays `mesh` over `machine`. Errors: the mesh does not have as many devices as the machine.
    pub fn new(machine: Machine, mesh: Mesh) -> Result<Self, String> {
        let (wanted, found) = (mesh.num_devices(), machine.num_devices());
        if wanted != found {
            return Err(format!("the mesh {mesh} has {wanted} devices, but the machine has {found}"));
        }
        let strides = strides(&mesh);
        Ok(Self { machine, mesh, devices: None, strides })
    }

    /// Lays `mesh` over some devices of `machine`: device `d` of the mesh is `devices[d]`. Errors: another number of
    /// devices than the mesh has, one that the machine does not have, or one that is listed twice.
    pub fn on_part(machine: Machine, mesh: Mesh, devices: Vec<usize>) -> Result<Self, String> {
        let (wanted, found) = (mesh.num_devices(), devices.len());
        if wanted != found {
            return Err(format!("the mesh {mesh} has {wanted} devices, but {found} are listed"));
        }
        let count = machine.num_devices();
        let mut seen = vec![false; count];
        for device in &devices {
            match seen.get_mut(*device) {
                None => return Err(format!("device {device} is not one of the machine's {count}")),
                Some(true) => return Err(format!("device {device} is listed twice")),
                Some(new) => *new = true,
            }
        }
        if devices.iter().copied().eq(0..count) {
            return Self::new(machine, mesh);
        }
        Ok(Self { machine, mesh, devices: Some(devices), strides: None })
    }

    /// The machine's number of a device of the mesh.
    pub fn device_of_machine(&self, device: usize) -> usize {
        self.devices.as_ref().map_or(device, |devices| devices[device])
    }

    /// The links that a collective over `axes` crosses, innermost first.
    pub fn crossings(&self, axes: &[SubAxisId]) -> Vec<Crossing<'_>> {
        let mesh = &self.mesh;
        let Some(strides) = &self.strides else {
            let number = |at: usize| self.device_of_machine(mesh.device_at(at));
            let numbers = |group: Vec<usize>| group.into_iter().map(number).collect();
            let groups: Vec<Vec<usize>> = mesh.groups(axes).into_iter().map(numbers).collect();
            return self.machine.crossings_of_groups(&groups);
        };
        let stride =
            |axis: SubAxisId| strides.get(axis.index()).copied().unwrap_or_else(|| mesh.stride(axis));
        let spans: Vec<Span> =
            axes.iter().map(|axis| Span { stride: stride(*axis), size: mesh.size(*axis) }).collect();
        self.machine.crossings(&spans)
    }
}

/// The distance along each sub-axis, if it is the same everywhere.
fn strides(mesh: &Mesh) -> Option<Vec<usize>> {
    if mesh.device_ids().is_empty() {
        return Some(mesh.sub_axis_ids().map(|axis| mesh.stride(axis)).collect());
    }
    let first = mesh.device_at(0);
    let stride =
        |axis: SubAxisId| mesh.device_at(mesh.stride(axis)).checked_sub(first).filter(|stride| *stride > 0);
    let strides: Vec<usize> = mesh.sub_axis_ids().map(stride).collect::<Option<_>>()?;
    let number = |position: usize| -> usize {
        let along = mesh.sub_axis_ids().zip(&strides);
        along.map(|(axis, stride)| mesh.coordinate(position, axis) * stride).sum()
    };
    (0..mesh.num_devices()).all(|position| number(position) == mesh.device_at(position)).then_some(strides)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::mesh::Axis;

    fn crossed(device_ids: &[usize], axis: usize) -> Vec<(usize, usize)> {
        let axes = [("x", 2), ("y", 4)].map(|(name, size)| Axis { name: name.into(), size });
        let mesh = Mesh::with_device_ids("mesh", axes.into(), device_ids.to_vec()).unwrap();
        let pieces = mesh.pieces(axis);
        let placement = Placement::new(Machine::from_spec("v100:2x4").unwrap(), mesh).unwrap();
        let found = placement.crossings(&pieces);
        found.iter().map(|crossing| (crossing.level_index, crossing.members)).collect()
    }

    #[test]
    fn links_are_those_of_the_devices_that_the_mesh_lists() {
        assert_eq!(crossed(&[], 0), [(1, 2)]);
        assert_eq!(crossed(&[], 1), [(0, 4)]);
        // Neighbors along "x" are on one host, those along "y" on both.
        let interleaved = [0, 4, 1, 5, 2, 6, 3, 7];
        assert_eq!(crossed(&interleaved, 0), [(0, 2)]);
        assert_eq!(crossed(&interleaved, 1), [(0, 2), (1, 2)]);
        // No distance is the same everywhere.
        let mixed = [0, 1, 2, 4, 3, 5, 6, 7];
        assert_eq!(crossed(&mixed, 1), [(0, 3), (1, 2)]);
    }

    #[test]
    fn a_part_of_a_machine_has_its_own_links() {
        let machine = || Machine::from_spec("v100:2x4").unwrap();
        let axes = [("x", 2), ("y", 2)].map(|(name, size)| Axis { name: name.into(), size });
        let mesh = Mesh::new("mesh", axes.into()).unwrap();
        let crossed = |devices: &[usize], axis: usize| -> Vec<(usize, usize)> {
            let placement = Placement::on_part(machine(), mesh.clone(), devices.to_vec()).unwrap();
            let found = placement.crossings(&mesh.pieces(axis));
            found.iter().map(|crossing| (crossing.level_index, crossing.members)).collect()
        };
        // The second host alone: no axis leaves it.
        assert_eq!((crossed(&[4, 5, 6, 7], 0), crossed(&[4, 5, 6, 7], 1)), (vec![(0, 2)], vec![(0, 2)]));
        // Two devices of each host.
        assert_eq!((crossed(&[2, 3, 4, 5], 0), crossed(&[2, 3, 4, 5], 1)), (vec![(1, 2)], vec![(0, 2)]));
        let refused =
            |devices: &[usize]| Placement::on_part(machine(), mesh.clone(), devices.to_vec()).unwrap_err();
        assert!(refused(&[0, 1, 2]).contains("has 4 devices, but 3 are listed"));
        assert_eq!(refused(&[0, 1, 2, 8]), "device 8 is not one of the machine's 8");
        assert_eq!(refused(&[0, 1, 2, 2]), "device 2 is listed twice");
        let whole = Placement::on_part(
            machine(),
            Mesh::new("mesh", vec![Axis { name: "x".into(), size: 8 }]).unwrap(),
            (0..8).collect(),
        );
        assert!(whole.unwrap().devices.is_none());
    }
}
