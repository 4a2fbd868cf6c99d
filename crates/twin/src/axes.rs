//! The mesh of a twin: the same axes, with fewer devices along them.
//!
//! Sub-axes that no sharding tells apart are a *part* of an axis. Every part keeps one sub-axis at least, so that what is
//! sharded, partial or replicated along it still is; the largest parts give up sub-axes first.

use meshwright_ir::ids::Id;
use meshwright_ir::mesh::{Axis, AxisSet, Mesh, SubAxisId};
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::{DimSharding, Sharding};
use meshwright_plan::Shardings;

/// An axis, with its number of devices before and in the twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShrunkAxis {
    /// Its name.
    pub name: String,
    /// Devices along it.
    pub size: usize,
    /// Devices along it in the twin.
    pub twin: usize,
}

/// The mesh of a twin.
pub(crate) struct SmallMesh {
    mesh: Mesh,
    /// The sub-axis of the small mesh that each one of the large mesh is.
    kept: Vec<Option<SubAxisId>>,
    /// Numbers of the devices that stay, in order.
    pub(crate) devices: Vec<usize>,
    /// All axes.
    pub(crate) axes: Vec<ShrunkAxis>,
}

impl SmallMesh {
    /// A mesh of at most `most_devices`, if its parts leave as few.
    pub(crate) fn of(shardings: &Shardings, most_devices: usize) -> Result<Self, String> {
        let large = &shardings.mesh;
        let mut parts = parts(shardings);
        let size = |part: &Vec<SubAxisId>| large.product(part);
        while parts.iter().map(size).product::<usize>() > most_devices {
            let open = parts.iter_mut().filter(|part| part.len() > 1);
            // The first of the largest.
            let Some(part) = open.reduce(|best, part| if size(part) > size(best) { part } else { best })
            else {
                break;
            };
            part.pop();
        }
        let stays: AxisSet = parts.iter().flatten().collect();
        let devices_along = |axis: usize| -> usize {
            large
                .pieces(axis)
                .iter()
                .filter(|piece| stays.contains(**piece))
                .map(|piece| large.size(*piece))
                .product()
        };
        let axes: Vec<ShrunkAxis> = (0..)
            .zip(large.axes())
            .map(|(index, axis)| ShrunkAxis {
                name: axis.name.clone(),
                size: axis.size,
                twin: devices_along(index),
            })
            .collect();
        let small: Vec<Axis> =
            axes.iter().map(|axis| Axis { name: axis.name.clone(), size: axis.twin }).collect();
        let mut next = 0;
        let kept: Vec<Option<SubAxisId>> = large
            .sub_axis_ids()
            .map(|axis| {
                stays.contains(axis).then(|| {
                    next += 1;
                    SubAxisId::from_index(next - 1)
                })
            })
            .collect();
        let is_first = |position: &usize| {
            large.sub_axis_ids().all(|axis| stays.contains(axis) || large.coordinate(*position, axis) == 0)
        };
        let numbers: Vec<usize> =
            (0..large.num_devices()).filter(is_first).map(|position| large.device_at(position)).collect();
        let mut devices = numbers.clone();
        devices.sort_unstable();
        let rank = |number: &usize| devices.binary_search(number).expect("all numbers are there");
        let mesh = Mesh::with_device_ids(large.name.clone(), small, numbers.iter().map(rank).collect())?;
        Ok(Self { mesh, kept, devices, axes })
    }

    fn kept(&self, axis: SubAxisId) -> Option<SubAxisId> {
        self.kept[axis.index()]
    }

    fn list(&self, axes: &[SubAxisId]) -> Vec<SubAxisId> {
        axes.iter().filter_map(|axis| self.kept(*axis)).collect()
    }

    fn set(&self, axes: AxisSet) -> AxisSet {
        axes.iter().filter_map(|axis| self.kept(axis)).collect()
    }

    /// Devices of the small mesh along axes of the large one.
    pub(crate) fn product(&self, axes: &[SubAxisId]) -> usize {
        self.mesh.product(&self.list(axes))
    }

    fn sharding(&self, own: &Sharding) -> Sharding {
        let dim = |dim: &DimSharding| DimSharding { axes: self.list(&dim.axes), ..dim.clone() };
        Sharding {
            dims: own.dims.iter().map(dim).collect(),
            replicated: self.set(own.replicated),
            partial: own.partial.map(|(reduction, axes)| (reduction, self.set(axes))),
        }
    }

    /// The same shardings over the small mesh.
    pub(crate) fn shardings(&self, own: &Shardings) -> Shardings {
        let strategy =
            |own: &Strategy| Strategy { axes: own.axes.iter().map(|axes| self.list(axes)).collect() };
        Shardings {
            mesh: self.mesh.clone(),
            values: own.values.values().map(|sharding| self.sharding(sharding)).collect(),
            strategies: own.strategies.values().map(strategy).collect(),
            deferred: own.deferred.values().map(|axes| self.set(*axes)).collect(),
            results: own.results.iter().map(|sharding| self.sharding(sharding)).collect(),
            policies: own.policies.clone(),
        }
    }
}

/// Neighbors of each axis that always stand together, major first.
fn parts(shardings: &Shardings) -> Vec<Vec<SubAxisId>> {
    let mesh = &shardings.mesh;
    // Whether a sub-axis and the one before it are told apart.
    let mut is_apart = vec![false; mesh.sub_axes().len()];
    let values = shardings.values.values().chain(&shardings.results);
    let mut sets: Vec<AxisSet> = shardings.deferred.values().copied().collect();
    let mut lists: Vec<&[SubAxisId]> = Vec::new();
    for sharding in values {
        lists.extend(sharding.dim_axes());
        sets.extend([sharding.replicated, sharding.partial_axes()]);
    }
    lists.extend(shardings.strategies.values().flat_map(|strategy| &strategy.axes).map(Vec::as_slice));
    lists.sort_unstable();
    lists.dedup();
    sets.sort_unstable();
    sets.dedup();
    for axis in mesh.sub_axis_ids().skip(1) {
        let before = SubAxisId::from_index(axis.index() - 1);
        let follows = |list: &&[SubAxisId]| {
            let at = |wanted: SubAxisId| list.iter().position(|other| *other == wanted);
            match (at(before), at(axis)) {
                (None, None) => true,
                (Some(one), Some(other)) => one + 1 == other,
                _ => false,
            }
        };
        is_apart[axis.index()] = mesh.sub_axis(axis).axis != mesh.sub_axis(before).axis
            || !lists.iter().all(follows)
            || sets.iter().any(|set| set.contains(axis) != set.contains(before));
    }
    let mut parts: Vec<Vec<SubAxisId>> = Vec::new();
    for axis in mesh.sub_axis_ids() {
        match parts.last_mut() {
            Some(part) if !is_apart[axis.index()] => part.push(axis),
            _ => parts.push(vec![axis]),
        }
    }
    parts
}
