//! From device numbers back to axes: what a table with one entry per device says about the mesh.

use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};

/// The axes (major first) along which `position` is the row-major position of each device, if it is one.
/// `position[d]` is what device `d` has; a constant zero gives no axes.
pub(crate) fn axes_of_positions(position: &[i64], mesh: &Mesh) -> Option<Vec<SubAxisId>> {
    if position.first() != Some(&0) {
        return None;
    }
    let mut weighted: Vec<(i64, SubAxisId)> = Vec::new();
    for axis in mesh.sub_axis_ids() {
        match position[mesh.stride(axis)] {
            0 => {}
            weight => weighted.push((weight, axis)),
        }
    }
    weighted.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    let axes: Vec<SubAxisId> = weighted.into_iter().map(|(_, axis)| axis).collect();
    let fits = position.iter().enumerate().all(|(device, at)| *at == mesh.index_along(device, &axes) as i64);
    fits.then_some(axes)
}

/// The axes (major first) along which a table of one entry per device grows, or falls, strictly: where each device's
/// window of a dim begins, say. `None` if it is constant or in no such order.
pub(crate) fn axes_in_order(table: &[i64], mesh: &Mesh) -> Option<Vec<SubAxisId>> {
    let first = *table.first()?;
    let mut weighted: Vec<(i64, SubAxisId)> = varies_along(table, mesh)
        .iter()
        .map(|axis| (table[mesh.stride(axis)].wrapping_sub(first).wrapping_abs(), axis))
        .collect();
    weighted.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    let axes: Vec<SubAxisId> = weighted.into_iter().map(|(_, axis)| axis).collect();
    let mut in_order: Vec<Option<i64>> = vec![None; mesh.product(&axes)];
    for (device, entry) in table.iter().enumerate() {
        in_order[mesh.index_along(device, &axes)].get_or_insert(*entry);
    }
    let entries: Vec<i64> = in_order.into_iter().flatten().collect();
    let ordered =
        entries.is_sorted_by(|left, right| left < right) || entries.is_sorted_by(|left, right| left > right);
    (ordered && entries.len() > 1).then_some(axes)
}

/// The axes along which a table of one entry per device is not constant.
pub(crate) fn varies_along<T: PartialEq>(table: &[T], mesh: &Mesh) -> AxisSet {
    mesh.sub_axis_ids()
        .filter(|axis| {
            let stride = mesh.stride(*axis);
            let next = |device: usize| match mesh.coordinate(device, *axis) + 1 < mesh.size(*axis) {
                true => device + stride,
                false => device,
            };
            (0..table.len()).any(|device| table[device] != table[next(device)])
        })
        .collect()
}

/// Who takes part in a collective.
#[derive(Clone, Debug)]
pub(crate) enum Members {
    /// Groups along these axes, their members row-major in this order.
    Along(Vec<SubAxisId>),
    /// Groups of another kind, which differ along these axes.
    Across(AxisSet),
}

impl Members {
    /// All axes along which members of a group differ.
    pub(crate) fn axes(&self) -> AxisSet {
        match self {
            Self::Along(axes) => axes.iter().collect(),
            Self::Across(axes) => *axes,
        }
    }
}

/// What the groups of a collective are in terms of axes. The groups hold each device at most once.
pub(crate) fn members(groups: &[Vec<usize>], mesh: &Mesh) -> Members {
    let mut position = vec![0; mesh.num_devices()];
    let mut group_of = vec![usize::MAX; mesh.num_devices()];
    for (number, group) in groups.iter().enumerate() {
        for (place, device) in group.iter().enumerate().filter(|(_, device)| **device < mesh.num_devices()) {
            (position[*device], group_of[*device]) = (place as i64, number);
        }
    }
    if let Some(axes) = axes_of_positions(&position, mesh) {
        let first = |device: usize| {
            device
                - axes.iter().map(|axis| mesh.coordinate(device, *axis) * mesh.stride(*axis)).sum::<usize>()
        };
        let together = (0..mesh.num_devices()).all(|device| group_of[device] == group_of[first(device)]);
        let size = mesh.product(&axes);
        if together && groups.iter().all(|group| group.len() == size) {
            return Members::Along(axes);
        }
    }
    let differ = |axis: &SubAxisId| {
        groups.iter().any(|group| {
            group.iter().any(|member| mesh.coordinate(*member, *axis) != mesh.coordinate(group[0], *axis))
        })
    };
    Members::Across(mesh.sub_axis_ids().filter(differ).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::mesh::Axis;

    fn mesh() -> Mesh {
        let axes = [("x", 2), ("y", 6)].map(|(name, size)| Axis { name: name.into(), size });
        Mesh::new("mesh", axes.into()).unwrap()
    }

    #[test]
    fn positions_and_groups_come_back() {
        let mesh = mesh();
        let all: Vec<SubAxisId> = mesh.sub_axis_ids().collect();
        for axes in [Vec::new(), vec![all[0]], vec![all[2], all[0]], vec![all[1], all[2]], all] {
            let position: Vec<i64> = (0..12).map(|device| mesh.index_along(device, &axes) as i64).collect();
            assert_eq!(axes_of_positions(&position, &mesh), Some(axes.clone()));
            let Members::Along(found) = members(&mesh.groups(&axes), &mesh) else { panic!("{axes:?}") };
            assert_eq!(found, axes);
            assert_eq!(varies_along(&position, &mesh), axes.iter().collect());
            let falling: Vec<i64> = position.iter().map(|at| 100 - at * at).collect();
            assert_eq!(axes_in_order(&falling, &mesh), (!axes.is_empty()).then_some(axes));
        }
        let Members::Across(axes) = members(&[vec![0, 7], vec![1, 6]], &mesh) else { panic!() };
        assert_eq!(axes.len(), 2);
    }
}
