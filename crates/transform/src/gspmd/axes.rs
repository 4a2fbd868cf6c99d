//! The mesh behind GSPMD's lists of devices.
//!
//! Input: the tilings of a program. Output: a [`Layout`]: a mesh whose axes every tiling is made of.
//!
//! A device's number is read in a mixed radix. A tiling says where its digits lie: in `devices=[4,2]<=[2,4]T(1,0)` the
//! first dim goes along the digit below 4, the second along the one from 4 on, so the number is cut at 4. The cuts of
//! all tilings together give the axes: each must divide the next. Where devices are listed in an order of their own
//! (a permuted mesh), that of the first such list is the order of the mesh.

use super::text::{LastDim, Tiling};
use meshwright_ir::mesh::{Axis, Mesh};
use meshwright_ir::sharding::AxisRefAttr;
use std::collections::BTreeSet;

/// Part of a device's number: `number / stride % size`.
type Digit = (usize, usize);

/// A mesh, and where its axes lie in a device's number.
pub(super) struct Layout {
    /// The mesh.
    pub(super) mesh: Mesh,
    /// Stride of each axis, major first.
    strides: Vec<usize>,
    /// The position of each device, if they are in an order of their own.
    positions: Option<Vec<usize>>,
}

/// The axes that a tiling goes along.
pub(super) struct Tiles {
    /// The name of their mesh.
    pub(super) mesh: String,
    /// Axes of each dim, major first.
    pub(super) dims: Vec<Vec<AxisRefAttr>>,
    /// Axes along which the program is one device's own.
    pub(super) manual: Vec<String>,
    /// Axes along which devices have what adds up to the value.
    pub(super) unreduced: Vec<AxisRefAttr>,
}

/// Names of the axes, where they suffice.
const NAMES: [&str; 4] = ["x", "y", "z", "w"];

impl Layout {
    /// The mesh of `num_devices` that all tilings fit. Errors: there is none.
    /// `index` numbers the meshes of a program, the first of which is `@mesh`.
    pub(super) fn of(tilings: &[Tiling], num_devices: usize, index: usize) -> Result<Self, String> {
        let lists = || {
            tilings.iter().filter_map(|tiling| match tiling {
                Tiling::Tiled { tiles, devices, .. } => Some((tiles, devices)),
                _ => None,
            })
        };
        let order = lists().map(|(_, devices)| devices).find(|devices| digits(devices).is_none());
        let positions = order.map(|order| {
            let mut positions = vec![0; order.len()];
            order.iter().enumerate().for_each(|(position, device)| positions[*device] = position);
            positions
        });
        let mut cuts = BTreeSet::from([1, num_devices]);
        for (tiles, devices) in lists() {
            if devices.len() != num_devices {
                let found = devices.len();
                return Err(format!("one sharding is over {found} devices, another over {num_devices}"));
            }
            for (stride, size) in per_dim(tiles, &relabeled(devices, positions.as_deref()))?.concat() {
                cuts.extend([stride, stride * size]);
            }
        }
        let cuts: Vec<usize> = cuts.into_iter().collect();
        if let Some(pair) = cuts.windows(2).find(|pair| !pair[1].is_multiple_of(pair[0])) {
            return Err(format!(
                "the shardings are of no common mesh: one cuts the devices every {}, another every {}",
                pair[0], pair[1]
            ));
        }
        let sizes: Vec<usize> = cuts.windows(2).rev().map(|pair| pair[1] / pair[0]).collect();
        let name = |index: usize| match NAMES.get(index).filter(|_| sizes.len() <= NAMES.len()) {
            Some(name) => (*name).to_owned(),
            None => format!("axis_{index}"),
        };
        let axes = sizes.iter().enumerate().map(|(index, size)| Axis { name: name(index), size: *size });
        let own_name = if index == 0 { "mesh".to_owned() } else { format!("mesh_{index}") };
        let mesh = Mesh::with_device_ids(&own_name, axes.collect(), order.cloned().unwrap_or_default())?;
        let strides = cuts.iter().rev().skip(1).copied().collect();
        Ok(Self { mesh, strides, positions })
    }

    /// What a tiling of a tensor with `rank` dims is over the mesh. Errors: it has another number of dims.
    pub(super) fn tiles(&self, tiling: &Tiling, rank: usize) -> Result<Tiles, String> {
        let Tiling::Tiled { tiles, devices, beyond } = tiling else {
            let all = || self.mesh.axes().iter().filter(|axis| axis.size > 1);
            let manual = all().filter(|_| *tiling == Tiling::Manual).map(|axis| axis.name.clone()).collect();
            let unreduced = all().filter(|_| *tiling == Tiling::Unreduced);
            let unreduced = unreduced.map(|axis| AxisRefAttr::whole(&axis.name)).collect();
            let mesh = self.mesh.name.clone();
            return Ok(Tiles { mesh, dims: vec![Vec::new(); rank], manual, unreduced });
        };
        if tiles.len() != rank + beyond.len() {
            let found = tiles.len() - beyond.len();
            return Err(format!(
                "a sharding of {found} dim{} stands at a tensor of {rank}",
                if found == 1 { "" } else { "s" }
            ));
        }
        let per_dim = per_dim(tiles, &relabeled(devices, self.positions.as_deref()))?;
        let mut dims: Vec<Vec<AxisRefAttr>> = per_dim.iter().map(|digits| self.axes(digits)).collect();
        let outer = dims.split_off(rank);
        let along = |kind: LastDim| {
            let own = outer.iter().zip(beyond).filter(move |(_, other)| **other == kind);
            own.flat_map(|(axes, _)| axes.iter().cloned())
        };
        let manual = along(LastDim::Manual).map(|axis| axis.name).collect();
        let mut unreduced: Vec<AxisRefAttr> = along(LastDim::Unreduced).collect();
        unreduced.sort_by_key(|axis| self.mesh.axis_named(&axis.name));
        Ok(Tiles { mesh: self.mesh.name.clone(), dims, manual, unreduced })
    }

    /// The axes that digits consist of.
    fn axes(&self, digits: &[Digit]) -> Vec<AxisRefAttr> {
        let axes = self.mesh.axes().iter().zip(&self.strides);
        let inside = |(stride, size): &Digit| {
            let (start, end) = (*stride, stride * size);
            axes.clone().filter(move |(axis, stride)| **stride >= start && **stride * axis.size <= end)
        };
        let name = |(axis, _): (&Axis, &usize)| AxisRefAttr { name: axis.name.clone(), sub_axis: None };
        digits.iter().flat_map(inside).filter(|(axis, _)| axis.size > 1).map(name).collect()
    }
}

fn relabeled(devices: &[usize], positions: Option<&[usize]>) -> Vec<usize> {
    match positions {
        Some(positions) => {
            devices.iter().map(|device| positions.get(*device).copied().unwrap_or(*device)).collect()
        }
        None => devices.to_vec(),
    }
}

/// The digits of the entries of a list, minor first: entry `i` has at stride `s` the digit that `i` has in its own
/// mixed radix. `None`: it is no such list.
fn digits(list: &[usize]) -> Option<Vec<Digit>> {
    if list.first() != Some(&0) {
        return None;
    }
    let (mut found, mut run) = (Vec::new(), 1);
    while run < list.len() {
        let stride = list[run];
        let mut count = 2;
        while run * count < list.len() && list[run * count] == stride * count {
            count += 1;
        }
        while !(list.len() / run).is_multiple_of(count) {
            count -= 1;
        }
        if count < 2 {
            return None;
        }
        found.push((stride, count));
        run *= count;
    }
    let value = |index: usize| {
        let (mut rest, mut value) = (index, 0);
        for (stride, count) in &found {
            value += rest % count * stride;
            rest /= count;
        }
        value
    };
    list.iter().enumerate().all(|(index, entry)| *entry == value(index)).then_some(found)
}

/// The digits of each dim of tiles, major first.
fn per_dim(tiles: &[usize], devices: &[usize]) -> Result<Vec<Vec<Digit>>, String> {
    let wrong = || "the devices of a sharding do not lie along axes of one mesh".to_owned();
    let mut left = digits(devices).ok_or_else(wrong)?.into_iter();
    let mut current: Option<Digit> = None;
    let mut dims = vec![Vec::new(); tiles.len()];
    for (dim, tiles) in tiles.iter().enumerate().rev() {
        let mut rest = *tiles;
        while rest > 1 {
            let (stride, size) = current.take().or_else(|| left.next()).ok_or_else(wrong)?;
            let common = gcd(rest, size);
            if common == 1 {
                return Err(wrong());
            }
            dims[dim].insert(0, (stride, common));
            rest /= common;
            if size > common {
                current = Some((stride * common, size / common));
            }
        }
    }
    Ok(dims)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::super::text::read;
    use super::*;

    fn layout(texts: &[&str]) -> Result<(Layout, Vec<Tiling>), String> {
        let tilings: Vec<Tiling> = texts.iter().map(|text| read(text).unwrap().remove(0)).collect();
        let count = |tiling: &Tiling| match tiling {
            Tiling::Tiled { devices, .. } => Some(devices.len()),
            _ => None,
        };
        let num_devices = tilings.iter().find_map(count).unwrap_or(1);
        Ok((Layout::of(&tilings, num_devices, 0)?, tilings))
    }

    fn dims(layout: &Layout, tiling: &Tiling, rank: usize) -> Vec<String> {
        let tiles = layout.tiles(tiling, rank).unwrap();
        let name = |axes: &Vec<AxisRefAttr>| axes.iter().map(|axis| axis.name.clone()).collect::<String>();
        tiles.dims.iter().map(name).collect()
    }

    #[test]
    fn axes_follow_from_the_cuts() {
        let (layout, tilings) = layout(&[
            "{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
            "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
            "{devices=[8,1]<=[2,4]T(1,0)}",
            "{devices=[4,2]<=[8]}",
        ])
        .unwrap();
        assert_eq!(layout.mesh.to_string(), "x=2,y=2,z=2");
        assert_eq!(dims(&layout, &tilings[0], 2), ["x", ""]);
        assert_eq!(dims(&layout, &tilings[1], 2), ["", "yz"]);
        assert_eq!(dims(&layout, &tilings[2], 2), ["yzx", ""]);
        assert_eq!(dims(&layout, &tilings[3], 2), ["xy", "z"]);
    }

    #[test]
    fn listed_devices_may_be_a_permuted_mesh() {
        let (layout, tilings) =
            layout(&["{devices=[2,2]3,2,1,0}", "{devices=[1,2,2]3,1,2,0 last_tile_dim_replicate}"]).unwrap();
        assert_eq!(layout.mesh.device_ids(), [3, 2, 1, 0]);
        assert_eq!(dims(&layout, &tilings[0], 2), ["x", "y"]);
        assert_eq!(dims(&layout, &tilings[1], 2), ["", "y"]);
        assert!(layout.tiles(&tilings[1], 3).is_err());
        assert!(super::tests::layout(&["{devices=[2,3]<=[6]}", "{devices=[3,2]<=[6]}"]).is_err());
    }
}
