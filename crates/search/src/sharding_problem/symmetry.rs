//! Axes that may change places without any reshard costing more or less.
//!
//! Input: where a mesh lies. Output: a [`Symmetry`], the ways to rename its axes. Neighboring axes of one size may change
//! places if a collective along any sub-axes takes as long afterwards; plans of reshards do not depend on what axes are
//! called. Example: `x=4,y=2,z=2` with `x` across hosts and the others within: `[{"y"}, {}]` to `[{"z"}, {}]` costs as much
//! as `[{"z"}, {}]` to `[{"y"}, {}]`.

use meshwright_cost::collective::{Collective, Prices};
use meshwright_ir::ids::Id;
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_plan::Placement;
use meshwright_shard::AxisList;

/// Meshes of more sub-axes have too many sets of them to look at.
const MOST_SUB_AXES: usize = 10;

/// More ways to rename axes are not looked for.
const MOST_WAYS: usize = 24;

/// Ways to rename the axes of a mesh.
pub(super) struct Symmetry {
    /// The new name of each sub-axis.
    ways: Vec<Vec<SubAxisId>>,
}

impl Symmetry {
    /// Of the mesh that lies there.
    pub(super) fn of(placement: &Placement) -> Self {
        let mesh = &placement.mesh;
        let names: Vec<SubAxisId> = mesh.sub_axis_ids().collect();
        // Of devices in an order of their own, every group would have to be looked at.
        if names.len() > MOST_SUB_AXES || !mesh.device_ids().is_empty() {
            return Self { ways: Vec::new() };
        }
        let mut prices = Prices::new(placement);
        let mut ways = vec![names];
        let mut first = 0;
        for position in 1..=mesh.axes().len() {
            if position < mesh.axes().len() && may_swap(mesh, position, &mut prices) {
                continue;
            }
            // Of many that may change places, the first ones do.
            let num_ways = |end: &usize| ways.len() * (1..=end - first).product::<usize>();
            let end = (first..=position).rev().find(|end| num_ways(end) <= MOST_WAYS).unwrap_or(first);
            let orders = orders(first, end);
            let renamed = |way: &Vec<SubAxisId>| {
                orders.iter().map(|order| renamed(mesh, way, first, order)).collect::<Vec<_>>()
            };
            ways = ways.iter().flat_map(renamed).collect();
            first = position;
        }
        // The first one changes nothing.
        ways.remove(0);
        Self { ways }
    }

    /// How many there are.
    pub(super) fn num_ways(&self) -> usize {
        self.ways.len()
    }

    /// A list of axes, renamed.
    pub(super) fn list(&self, way: usize, list: &AxisList) -> AxisList {
        let mut renamed = AxisList::new();
        list.iter().for_each(|axis| renamed.push(self.ways[way][axis.index()]));
        renamed
    }

    /// A set of axes, renamed.
    pub(super) fn set(&self, way: usize, set: AxisSet) -> AxisSet {
        set.iter().map(|axis| self.ways[way][axis.index()]).collect()
    }
}

/// Whether the axis at a position may change places with the one before it.
fn may_swap(mesh: &Mesh, position: usize, prices: &mut Prices<'_>) -> bool {
    if mesh.axes()[position - 1].size != mesh.axes()[position].size {
        return false;
    }
    let names: Vec<SubAxisId> = mesh.sub_axis_ids().collect();
    let swapped = renamed(mesh, &names, position - 1, &[position, position - 1]);
    let kinds =
        [Collective::AllGather, Collective::AllReduce, Collective::AllToAll, Collective::CollectivePermute];
    (1..1_usize << names.len()).all(|members| {
        let of = |names: &[SubAxisId]| -> AxisSet {
            let taken = names.iter().enumerate().filter(|(index, _)| members >> index & 1 == 1);
            taken.map(|(_, name)| *name).collect()
        };
        let (before, after) = (of(&names), of(&swapped));
        before == after
            || kinds.iter().all(|kind| prices.collective(*kind, before) == prices.collective(*kind, after))
    })
}

/// All orders of the numbers from `first` to before `end`, that in which they are first.
fn orders(first: usize, end: usize) -> Vec<Vec<usize>> {
    let mut orders = vec![Vec::new()];
    for _ in first..end {
        let longer = |order: &Vec<usize>| {
            let left = (first..end).filter(|number| !order.contains(number));
            left.map(|number| [order.as_slice(), &[number]].concat()).collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    orders
}

/// Names, with the axes from position `first` on renamed to those at these positions.
fn renamed(mesh: &Mesh, names: &[SubAxisId], first: usize, positions: &[usize]) -> Vec<SubAxisId> {
    let mut renamed = names.to_vec();
    for (offset, position) in positions.iter().enumerate() {
        for (old, new) in mesh.pieces(first + offset).iter().zip(mesh.pieces(*position)) {
            renamed[old.index()] = new;
        }
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::mesh::Axis;
    use meshwright_machine::Machine;

    fn num_ways(machine: &str, sizes: &[usize]) -> usize {
        let axes = sizes
            .iter()
            .zip(["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"])
            .map(|(size, name)| Axis { name: name.into(), size: *size });
        let mesh = Mesh::new("mesh", axes.collect()).unwrap();
        let machine = Machine::from_spec(machine).unwrap();
        Symmetry::of(&Placement::new(machine, mesh).unwrap()).num_ways()
    }

    #[test]
    fn axes_of_one_level_and_size_may_change_places() {
        assert_eq!(num_ways("cpu8", &[2, 2, 2]), 5);
        assert_eq!(num_ways("cpu8", &[2, 4]), 0);
        assert_eq!(num_ways("h100:4x8", &[4, 2, 2, 2]), 5);
        assert_eq!(num_ways("h100:4x8", &[2, 2, 2, 4]), 1);
        assert_eq!(num_ways("h100:2x2", &[2, 2]), 0, "one of them is across hosts");
        assert_eq!(num_ways("v100:1024x1", &[2; 10]), 23, "four of ten");
    }
}
