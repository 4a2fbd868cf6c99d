//! A mesh as the digits of a position. Input: a mesh, and the parts of axes that shardings use of it. Output: where
//! positions are cut into digits.
//!
//! Cuts are strides: a digit from stride 2 to stride 6 is `position / 2 % 3`. Those of one view divide one another,
//! so that between two neighbors lies a whole digit.

use meshwright_ir::mesh::Mesh;
use meshwright_ir::sharding::{AxisRefAttr, ShardingAttr};
use std::collections::BTreeSet;

/// `position / stride % size`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Digit {
    pub(super) stride: usize,
    pub(super) size: usize,
}

impl Digit {
    pub(super) fn of(self, position: usize) -> usize {
        position / self.stride % self.size
    }

    pub(super) fn end(self) -> usize {
        self.stride * self.size
    }
}

/// Strides that divide one another, from 1 to the number of devices.
#[derive(Clone, Debug)]
pub(super) struct Cuts(BTreeSet<usize>);

impl Cuts {
    pub(super) fn new(num_devices: usize) -> Self {
        Self([1, num_devices].into())
    }

    pub(super) fn admits(&self, stride: usize) -> bool {
        stride > 0 && self.0.iter().all(|cut| cut.is_multiple_of(stride) || stride.is_multiple_of(*cut))
    }

    pub(super) fn insert(&mut self, stride: usize) {
        self.0.insert(stride);
    }

    pub(super) fn contains(&self, stride: usize) -> bool {
        self.0.contains(&stride)
    }

    /// Adds both ends of a digit if they fit.
    pub(super) fn cut(&mut self, digit: Digit) -> bool {
        let mut more = self.clone();
        for end in [digit.stride, digit.end()] {
            if !more.admits(end) {
                return false;
            }
            more.insert(end);
        }
        *self = more;
        true
    }

    /// Those strictly between two strides.
    pub(super) fn between(&self, start: usize, end: usize) -> impl Iterator<Item = usize> {
        self.0.range(start..end).copied().filter(move |cut| *cut > start)
    }

    /// The digits between neighboring cuts, major first.
    pub(super) fn digits(&self) -> Vec<Digit> {
        let ends = self.0.iter().zip(self.0.iter().skip(1));
        let mut digits: Vec<Digit> =
            ends.map(|(start, end)| Digit { stride: *start, size: end / start }).collect();
        digits.reverse();
        digits
    }
}

/// A mesh whose positions are cut where shardings need it.
#[derive(Clone, Debug)]
pub(super) struct View {
    mesh: Mesh,
    /// The device at each position.
    pub(super) devices: Vec<usize>,
    /// The position of each device.
    pub(super) positions: Vec<usize>,
    pub(super) cuts: Cuts,
    /// Digits of manual axes.
    pub(super) manual: BTreeSet<Digit>,
}

impl View {
    pub(super) fn new(mesh: &Mesh) -> Self {
        let devices: Vec<usize> = (0..mesh.num_devices()).map(|position| mesh.device_at(position)).collect();
        let mut positions = vec![0; devices.len()];
        for (position, device) in devices.iter().enumerate() {
            positions[*device] = position;
        }
        let cuts = Cuts::new(mesh.num_devices());
        Self { mesh: mesh.clone(), devices, positions, cuts, manual: BTreeSet::new() }
    }

    pub(super) fn mesh(&self) -> &Mesh {
        &self.mesh
    }

    pub(super) fn is_manual(&self) -> bool {
        !self.manual.is_empty()
    }

    /// Whether all digits can be told apart together with those that are there.
    pub(super) fn admits(&self, digits: &[Digit]) -> bool {
        let mut cuts = self.cuts.clone();
        digits.iter().all(|digit| cuts.cut(*digit))
    }

    /// Cuts at the ends of digits that are admitted, and of manual axes.
    pub(super) fn cut(&mut self, digits: &[Digit], manual: &[String]) {
        for digit in digits {
            self.cuts.cut(*digit);
        }
        for name in manual {
            let digit = digit_of(&AxisRefAttr::whole(name), &self.mesh).filter(|digit| digit.size > 1);
            self.manual.extend(digit.filter(|digit| self.cuts.cut(*digit)));
        }
    }

    /// Whether the ends of all digits are cut.
    pub(super) fn has(&self, digits: &[Digit]) -> bool {
        digits.iter().all(|digit| self.cuts.contains(digit.stride) && self.cuts.contains(digit.end()))
    }
}

/// The digits of all axes of a sharding. `None`: an axis does not fit the mesh.
pub(super) fn digits(sharding: &ShardingAttr, mesh: &Mesh) -> Option<Vec<Digit>> {
    sharding.all_axes().map(|axis| digit_of(axis, mesh)).collect()
}

/// The digit of an axis or a part of one.
pub(super) fn digit_of(axis: &AxisRefAttr, mesh: &Mesh) -> Option<Digit> {
    let position = mesh.axis_named(&axis.name)?;
    let (before, after) = (axis.pre_size(), axis.next_pre_size(mesh));
    let whole = mesh.axes()[position].size;
    if before == 0 || after == 0 || !whole.is_multiple_of(after) || !after.is_multiple_of(before) {
        return None;
    }
    let inner: usize = mesh.axes()[position + 1..].iter().map(|axis| axis.size).product();
    Some(Digit { stride: inner * (whole / after), size: after / before })
}
