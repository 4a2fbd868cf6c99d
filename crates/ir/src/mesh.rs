//! The logical mesh: named axes over devices, and the sub-axes that shardings are made of.
//!
//! Every axis is split once into its prime factors, major first. A [`SubAxisId`] names one of them, so that
//! "half of an axis" needs no arithmetic anywhere: a dim is sharded by a list of sub-axes, a collective runs over
//! a set of them. Neighbouring sub-axes are merged again when a sharding is printed, so a user sees `"model"` or
//! Shardy's `"model":(1)2`.
//!
//! Devices are numbered row-major over the axes, the first axis being the slowest. A mesh may list its devices in
//! another order (`device_ids`); what this file calls a device is then a position in mesh order, and
//! [`Mesh::device_at`] gives its number. A mesh that has a single device and no axes is maximal, one without either
//! is empty.

use crate::ids::Id;
use meshwright_tensor::quote::write_quoted;
use std::fmt;

/// A named axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Axis {
    /// Its name, unique in the mesh.
    pub name: String,
    /// Number of devices along it.
    pub size: usize,
}

/// An indivisible piece of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SubAxis {
    /// Position of the axis in the mesh.
    pub axis: usize,
    /// Product of the sizes of the pieces of this axis that are more major.
    pub pre_size: usize,
    /// Number of devices along it, a prime.
    pub size: usize,
}

/// Names one sub-axis of a mesh; ordered like the mesh, major first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubAxisId(u8);

impl Id for SubAxisId {
    fn from_index(index: usize) -> Self {
        Self(u8::try_from(index).expect("more than 255 sub-axes"))
    }
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Debug for SubAxisId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a{}", self.0)
    }
}

/// A set of sub-axes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct AxisSet(u64);

impl AxisSet {
    /// No sub-axis.
    pub const EMPTY: AxisSet = AxisSet(0);

    /// The set of one sub-axis.
    pub fn of(axis: SubAxisId) -> Self {
        Self(1 << axis.index())
    }

    /// Returns whether `axis` is in it.
    pub fn contains(self, axis: SubAxisId) -> bool {
        self.0 >> axis.index() & 1 == 1
    }

    /// Adds `axis`; false if it was there already.
    pub fn insert(&mut self, axis: SubAxisId) -> bool {
        let new = !self.contains(axis);
        self.0 |= 1 << axis.index();
        new
    }

    /// Removes `axis`.
    pub fn remove(&mut self, axis: SubAxisId) {
        self.0 &= !(1 << axis.index());
    }

    /// In either.
    pub fn union(self, other: AxisSet) -> Self {
        Self(self.0 | other.0)
    }

    /// In both.
    pub fn intersection(self, other: AxisSet) -> Self {
        Self(self.0 & other.0)
    }

    /// In this one but not in `other`.
    pub fn minus(self, other: AxisSet) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns whether nothing is in both.
    pub fn is_disjoint(self, other: AxisSet) -> bool {
        self.0 & other.0 == 0
    }

    /// Returns whether there is nothing in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of sub-axes in it.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Its members in mesh order.
    pub fn iter(self) -> impl Iterator<Item = SubAxisId> {
        (0..64).filter(move |index| self.0 >> index & 1 == 1).map(SubAxisId::from_index)
    }
}

impl FromIterator<SubAxisId> for AxisSet {
    fn from_iter<I: IntoIterator<Item = SubAxisId>>(iter: I) -> Self {
        let mut set = Self::EMPTY;
        for axis in iter {
            set.insert(axis);
        }
        set
    }
}

impl<'a> FromIterator<&'a SubAxisId> for AxisSet {
    fn from_iter<I: IntoIterator<Item = &'a SubAxisId>>(iter: I) -> Self {
        iter.into_iter().copied().collect()
    }
}

impl fmt::Debug for AxisSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Named axes over devices.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mesh {
    /// Symbol name, without `@`.
    pub name: String,
    axes: Vec<Axis>,
    sub_axes: Vec<SubAxis>,
    device_ids: Vec<usize>,
}

/// The most sub-axes a mesh may have: they live in one 64-bit set.
const MAX_SUB_AXES: usize = 64;

impl Mesh {
    /// A mesh over the given axes, major first. Errors: a repeated or empty name, a size of zero, too many devices.
    pub fn new(name: impl Into<String>, axes: Vec<Axis>) -> Result<Self, String> {
        let mut sub_axes = Vec::new();
        let mut num_devices = 1usize;
        for (position, axis) in axes.iter().enumerate() {
            if axis.name.is_empty() {
                return Err("a mesh axis has an empty name".into());
            }
            if axes[..position].iter().any(|other| other.name == axis.name) {
                return Err(format!("mesh axis \"{}\" is named twice", axis.name));
            }
            if axis.size == 0 {
                return Err(format!("mesh axis \"{}\" has size 0", axis.name));
            }
            num_devices = num_devices
                .checked_mul(axis.size)
                .filter(|count| *count <= 1 << 24)
                .ok_or("the mesh has more than 16,777,216 devices")?;
            let (mut rest, mut pre_size, mut prime) = (axis.size, 1, 2);
            while rest > 1 {
                if rest % prime == 0 {
                    sub_axes.push(SubAxis { axis: position, pre_size, size: prime });
                    pre_size *= prime;
                    rest /= prime;
                } else if prime > rest / prime {
                    prime = rest;
                } else {
                    prime += 1;
                }
            }
        }
        if sub_axes.len() > MAX_SUB_AXES {
            return Err(format!("the mesh splits into more than {MAX_SUB_AXES} sub-axes"));
        }
        Ok(Self { name: name.into(), axes, sub_axes, device_ids: Vec::new() })
    }

    /// A mesh whose devices stand in the given order; no ids at all, or those of the order `0, 1, 2, ...`, are the
    /// same as [`Mesh::new`]. Errors: those of [`Mesh::new`], another number of ids than devices, ids that are not
    /// each of `0, 1, 2, ...` once; several ids without axes.
    pub fn with_device_ids(
        name: impl Into<String>,
        axes: Vec<Axis>,
        device_ids: Vec<usize>,
    ) -> Result<Self, String> {
        let mut mesh = Self::new(name, axes)?;
        if mesh.axes.is_empty() {
            if device_ids.len() > 1 {
                return Err("a mesh without axes has at most one device id".into());
            }
            mesh.device_ids = device_ids;
            return Ok(mesh);
        }
        if device_ids.is_empty() || device_ids.iter().copied().eq(0..mesh.num_devices()) {
            return Ok(mesh);
        }
        let (num_ids, num_devices) = (device_ids.len(), mesh.num_devices());
        if num_ids != num_devices {
            return Err(format!("the axes give {num_devices} devices, but there are {num_ids} device ids"));
        }
        let mut seen = vec![false; num_devices];
        for id in &device_ids {
            match seen.get_mut(*id) {
                None => {
                    return Err(format!("device id {id} is not below the number of devices, {num_devices}"));
                }
                Some(true) => return Err(format!("device id {id} is listed twice")),
                Some(new) => *new = true,
            }
        }
        mesh.device_ids = device_ids;
        Ok(mesh)
    }

    /// The same mesh under another name.
    pub fn named(&self, name: impl Into<String>) -> Self {
        Self { name: name.into(), ..self.clone() }
    }

    /// The devices in mesh order, if they are listed: those of a permuted mesh, or the one of a maximal mesh.
    pub fn device_ids(&self) -> &[usize] {
        &self.device_ids
    }

    /// The number of the device at a position in mesh order.
    pub fn device_at(&self, position: usize) -> usize {
        if self.axes.is_empty() {
            position
        } else {
            self.device_ids.get(position).copied().unwrap_or(position)
        }
    }

    /// The position in mesh order of the device with a number.
    pub fn position_of(&self, device: usize) -> usize {
        let found = self.device_ids.iter().position(|id| *id == device);
        if self.axes.is_empty() { device } else { found.unwrap_or(device) }
    }

    /// Returns whether it is one device by number, without axes.
    pub fn is_maximal(&self) -> bool {
        self.axes.is_empty() && !self.device_ids.is_empty()
    }

    /// Returns whether it has neither axes nor devices: it stands for any mesh.
    pub fn is_empty(&self) -> bool {
        self.axes.is_empty() && self.device_ids.is_empty()
    }

    /// Returns whether both have the same axes and devices, whatever they are called.
    pub fn is_like(&self, other: &Mesh) -> bool {
        self.axes == other.axes && self.device_ids == other.device_ids
    }

    /// The axes, major first.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// The pieces of all axes, major first; indexed by [`SubAxisId`].
    pub fn sub_axes(&self) -> &[SubAxis] {
        &self.sub_axes
    }

    /// All sub-axis ids in mesh order.
    pub fn sub_axis_ids(&self) -> impl DoubleEndedIterator<Item = SubAxisId> + use<> {
        (0..self.sub_axes.len()).map(SubAxisId::from_index)
    }

    /// The set of all sub-axes.
    pub fn all(&self) -> AxisSet {
        self.sub_axis_ids().collect()
    }

    /// The piece that `id` names.
    pub fn sub_axis(&self, id: SubAxisId) -> SubAxis {
        self.sub_axes[id.index()]
    }

    /// Position of the axis called `name`.
    pub fn axis_named(&self, name: &str) -> Option<usize> {
        self.axes.iter().position(|axis| axis.name == name)
    }

    /// All pieces of the axis at `position`, major first.
    pub fn pieces(&self, position: usize) -> Vec<SubAxisId> {
        self.sub_axis_ids().filter(|id| self.sub_axis(*id).axis == position).collect()
    }

    /// Number of devices along one sub-axis.
    pub fn size(&self, id: SubAxisId) -> usize {
        self.sub_axes[id.index()].size
    }

    /// Number of devices along all of `axes`.
    pub fn product<'a>(&self, axes: impl IntoIterator<Item = &'a SubAxisId>) -> usize {
        axes.into_iter().map(|axis| self.size(*axis)).product()
    }

    /// Number of devices along the axes of a set.
    pub fn set_size(&self, axes: AxisSet) -> usize {
        axes.iter().map(|axis| self.size(axis)).product()
    }

    /// Number of devices.
    pub fn num_devices(&self) -> usize {
        self.axes.iter().map(|axis| axis.size).product()
    }

    /// Distance (in device numbers) between two neighbors along `id`.
    pub fn stride(&self, id: SubAxisId) -> usize {
        self.sub_axes[id.index() + 1..].iter().map(|later| later.size).product()
    }

    /// Position of `device` along `id`.
    pub fn coordinate(&self, device: usize, id: SubAxisId) -> usize {
        device / self.stride(id) % self.size(id)
    }

    /// Row-major position of `device` along `axes`, the first being the slowest.
    pub fn index_along(&self, device: usize, axes: &[SubAxisId]) -> usize {
        axes.iter().fold(0, |index, axis| index * self.size(*axis) + self.coordinate(device, *axis))
    }

    /// Replica groups of a collective over `axes`: within a group the devices stand row-major in the order of
    /// `axes`; the groups partition the devices and are ordered by their first device.
    pub fn groups(&self, axes: &[SubAxisId]) -> Vec<Vec<usize>> {
        let size = self.product(axes);
        let offsets: Vec<usize> = (0..size)
            .map(|position| {
                let mut rest = position;
                axes.iter()
                    .rev()
                    .map(|axis| {
                        let coordinate = rest % self.size(*axis);
                        rest /= self.size(*axis);
                        coordinate * self.stride(*axis)
                    })
                    .sum()
            })
            .collect();
        (0..self.num_devices())
            .filter(|device| axes.iter().all(|axis| self.coordinate(*device, *axis) == 0))
            .map(|first| offsets.iter().map(|offset| first + offset).collect())
            .collect()
    }

    /// Neighbouring pieces merged: `(axis position, pre-size, size)` for each run, in order. A whole axis comes out
    /// with pre-size 1 and its own size.
    pub fn merge(&self, axes: &[SubAxisId]) -> Vec<(usize, usize, usize)> {
        let mut merged: Vec<(usize, usize, usize)> = Vec::new();
        for piece in axes.iter().map(|axis| self.sub_axis(*axis)) {
            match merged.last_mut() {
                Some((axis, pre_size, size))
                    if *axis == piece.axis && *pre_size * *size == piece.pre_size =>
                {
                    *size *= piece.size;
                }
                _ => merged.push((piece.axis, piece.pre_size, piece.size)),
            }
        }
        merged
    }

    /// `axes` for people: `data`, `model:(1)2`.
    pub fn describe(&self, axes: &[SubAxisId]) -> Vec<String> {
        self.merge(axes)
            .into_iter()
            .map(|(axis, pre_size, size)| {
                let Axis { name, size: whole } = &self.axes[axis];
                if size == *whole { name.clone() } else { format!("{name}:({pre_size}){size}") }
            })
            .collect()
    }
}

/// A mesh as `sdy` writes it.
pub struct MeshAttr<'a>(&'a Mesh);

impl Mesh {
    /// `<["data"=2, "model"=4]>`, with `device_ids` if they are listed.
    pub fn attr(&self) -> MeshAttr<'_> {
        MeshAttr(self)
    }
}

impl fmt::Display for MeshAttr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<[")?;
        for (position, axis) in self.0.axes.iter().enumerate() {
            f.write_str(if position == 0 { "" } else { ", " })?;
            write_quoted(f, &axis.name)?;
            write!(f, "={}", axis.size)?;
        }
        f.write_str("]")?;
        if !self.0.device_ids.is_empty() {
            write!(f, ", device_ids={:?}", self.0.device_ids)?;
        }
        f.write_str(">")
    }
}

impl fmt::Display for Mesh {
    /// `data=2,model=4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, axis) in self.axes.iter().enumerate() {
            write!(f, "{}{}={}", if position == 0 { "" } else { "," }, axis.name, axis.size)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh(axes: &[(&str, usize)]) -> Mesh {
        let axes = axes.iter().map(|(name, size)| Axis { name: (*name).into(), size: *size }).collect();
        Mesh::new("mesh", axes).unwrap()
    }

    #[test]
    fn axes_split_into_primes_and_merge_back() {
        let mesh = mesh(&[("data", 2), ("model", 12)]);
        assert_eq!(mesh.sub_axes().iter().map(|piece| piece.size).collect::<Vec<_>>(), [2, 2, 2, 3]);
        let pieces = mesh.pieces(1);
        assert_eq!(mesh.describe(&pieces), ["model"]);
        assert_eq!(mesh.describe(&pieces[1..]), ["model:(2)6"]);
        assert_eq!(mesh.describe(&[pieces[2], pieces[0]]), ["model:(4)3", "model:(1)2"]);
    }

    #[test]
    fn groups_follow_the_order_of_the_axes() {
        let mesh = mesh(&[("x", 2), ("y", 2)]);
        let (x, y) = (SubAxisId(0), SubAxisId(1));
        assert_eq!(mesh.groups(&[y]), [[0, 1], [2, 3]]);
        assert_eq!(mesh.groups(&[x]), [[0, 2], [1, 3]]);
        assert_eq!(mesh.groups(&[y, x]), [[0, 2, 1, 3]]);
        assert_eq!(mesh.groups(&[]), [[0], [1], [2], [3]]);
        assert_eq!(mesh.index_along(2, &[y, x]), 1);
    }

    #[test]
    fn bad_meshes_are_refused() {
        let axis = |name: &str, size| Axis { name: name.into(), size };
        assert!(Mesh::new("m", vec![axis("x", 2), axis("x", 2)]).is_err());
        assert!(Mesh::new("m", vec![axis("x", 0)]).is_err());
        assert!(Mesh::new("m", vec![axis("x", 1 << 20), axis("y", 1 << 20)]).is_err());
    }

    #[test]
    fn devices_stand_in_any_order_once() {
        let with = |ids: &[usize]| {
            let axes = vec![Axis { name: "x".into(), size: 2 }, Axis { name: "y".into(), size: 2 }];
            Mesh::with_device_ids("m", axes, ids.to_vec())
        };
        assert!(with(&[0, 1, 2, 3]).unwrap().is_like(&mesh(&[("x", 2), ("y", 2)])));
        assert_eq!(with(&[3, 2, 1, 0]).unwrap().device_ids(), [3, 2, 1, 0]);
        for wrong in [&[0, 1][..], &[0, 1, 2, 2], &[1, 2, 3, 4]] {
            assert!(with(wrong).is_err(), "{wrong:?}");
        }
        let alone = |ids: &[usize]| Mesh::with_device_ids("m", Vec::new(), ids.to_vec());
        assert!(alone(&[]).unwrap().is_empty());
        assert!(alone(&[3]).unwrap().is_maximal());
        assert!(alone(&[0, 1]).is_err());
    }
}
