//! From device numbers back to axes: what a table with one entry per device says about the mesh.
//!
//! Few axes matter to most tables. Such a table has entries for the positions along these alone, its [`Grid`], so that it
//! is small on a mesh of any size.

use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};

/// Positions along some axes of a mesh, row-major in the mesh's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    axes: Vec<Along>,
}

/// One axis of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Along {
    axis: SubAxisId,
    size: usize,
    /// Entries between neighbors.
    stride: usize,
}

impl Grid {
    /// Positions along these axes.
    pub(crate) fn along(axes: AxisSet, mesh: &Mesh) -> Self {
        let mut stride = 1;
        let ids: Vec<SubAxisId> = axes.iter().collect();
        let mut found: Vec<Along> = Vec::with_capacity(ids.len());
        for axis in ids.into_iter().rev() {
            let size = mesh.size(axis);
            found.push(Along { axis, size, stride });
            stride *= size;
        }
        found.reverse();
        Self { axes: found }
    }

    /// All devices.
    pub(crate) fn whole(mesh: &Mesh) -> Self {
        Self::along(mesh.all(), mesh)
    }

    /// How many positions there are.
    pub(crate) fn len(&self) -> usize {
        self.axes.first().map_or(1, |first| first.size * first.stride)
    }

    /// Its axes.
    pub(crate) fn axes(&self) -> AxisSet {
        self.axes.iter().map(|along| along.axis).collect()
    }

    /// Row-major position along `axes` (those that it has) of the entry at a position.
    pub(crate) fn index_along(&self, at: usize, axes: &[SubAxisId]) -> usize {
        let own = axes.iter().filter_map(|axis| self.axes.iter().find(|along| along.axis == *axis));
        own.fold(0, |index, along| index * along.size + along.coordinate(at))
    }

    /// The position here of what stands at a position of a grid with more axes.
    pub(crate) fn within(&self, larger: &Self, at: usize) -> usize {
        let own = larger.axes.iter().filter_map(|along| {
            let here = self.axes.iter().find(|here| here.axis == along.axis)?;
            Some(along.coordinate(at) * here.stride)
        });
        own.sum()
    }

    /// Number of positions along these axes.
    fn product(&self, axes: &[SubAxisId]) -> usize {
        self.axes.iter().filter(|along| axes.contains(&along.axis)).map(|along| along.size).product()
    }
}

impl Along {
    fn coordinate(&self, at: usize) -> usize {
        at / self.stride % self.size
    }
}

/// The axes (major first) along which `position` is the row-major position of each device, if it is one: what devices
/// have at each position of a grid. A constant zero gives no axes.
pub(crate) fn axes_of_positions(position: &[i64], grid: &Grid) -> Option<Vec<SubAxisId>> {
    if position.first() != Some(&0) {
        return None;
    }
    let mut weighted: Vec<(i64, SubAxisId)> = Vec::new();
    for along in &grid.axes {
        match position[along.stride] {
            0 => {}
            weight => weighted.push((weight, along.axis)),
        }
    }
    weighted.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    let axes: Vec<SubAxisId> = weighted.into_iter().map(|(_, axis)| axis).collect();
    let fits = position.iter().enumerate().all(|(device, at)| *at == grid.index_along(device, &axes) as i64);
    fits.then_some(axes)
}

/// The axes (major first) along which a table of one entry per position grows, or falls, strictly: where each device's
/// window of a dim begins, say. `None` if it is constant or in no such order.
pub(crate) fn axes_in_order(table: &[i64], grid: &Grid) -> Option<Vec<SubAxisId>> {
    let first = *table.first()?;
    let varies = varies_along(table, grid);
    let mut weighted: Vec<(i64, SubAxisId)> = grid
        .axes
        .iter()
        .filter(|along| varies.contains(along.axis))
        .map(|along| (table[along.stride].wrapping_sub(first).wrapping_abs(), along.axis))
        .collect();
    weighted.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    let axes: Vec<SubAxisId> = weighted.into_iter().map(|(_, axis)| axis).collect();
    let mut in_order: Vec<Option<i64>> = vec![None; grid.product(&axes)];
    for (device, entry) in table.iter().enumerate() {
        in_order[grid.index_along(device, &axes)].get_or_insert(*entry);
    }
    let entries: Vec<i64> = in_order.into_iter().flatten().collect();
    let ordered =
        entries.is_sorted_by(|left, right| left < right) || entries.is_sorted_by(|left, right| left > right);
    (ordered && entries.len() > 1).then_some(axes)
}

/// The axes along which a table of one entry per position is not constant.
pub(crate) fn varies_along<T: PartialEq>(table: &[T], grid: &Grid) -> AxisSet {
    let varies = |along: &&Along| {
        let has_next = |at: &usize| along.coordinate(*at) + 1 < along.size;
        (0..table.len()).filter(has_next).any(|at| table[at] != table[at + along.stride])
    };
    grid.axes.iter().filter(varies).map(|along| along.axis).collect()
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
    if let Some(axes) = axes_of_positions(&position, &Grid::whole(mesh)) {
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
            assert_eq!(axes_of_positions(&position, &Grid::whole(&mesh)), Some(axes.clone()));
            let Members::Along(found) = members(&mesh.groups(&axes), &mesh) else { panic!("{axes:?}") };
            assert_eq!(found, axes);
            assert_eq!(varies_along(&position, &Grid::whole(&mesh)), axes.iter().collect());
            let falling: Vec<i64> = position.iter().map(|at| 100 - at * at).collect();
            assert_eq!(axes_in_order(&falling, &Grid::whole(&mesh)), (!axes.is_empty()).then_some(axes));
        }
        let Members::Across(axes) = members(&[vec![0, 7], vec![1, 6]], &mesh) else { panic!() };
        assert_eq!(axes.len(), 2);
    }
}
