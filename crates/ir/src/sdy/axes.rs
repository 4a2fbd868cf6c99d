//! Axes and sub-axes as a sharding's text names them, compared and joined without splitting the mesh.
//!
//! Input: [`AxisRefAttr`]s and the mesh that they refer to. `"x":(2)4` is the part of `x` that repeats every 2 x 4
//! devices along it in runs of 2: it starts at pre-size 2 and ends at pre-size 8. Everything here is arithmetic on
//! these two bounds.

use crate::mesh::Mesh;
use crate::sharding::AxisRefAttr;

impl AxisRefAttr {
    /// The whole axis `name`.
    pub fn whole(name: &str) -> Self {
        Self { name: name.to_owned(), sub_axis: None }
    }

    /// Product of the sizes of the parts of the axis that are more major.
    pub fn pre_size(&self) -> usize {
        self.sub_axis.map_or(1, |(pre_size, _)| pre_size)
    }

    /// Number of devices along it; 1 for an axis that the mesh does not have.
    pub fn size(&self, mesh: &Mesh) -> usize {
        self.sub_axis.map_or_else(|| axis_size(&self.name, mesh), |(_, size)| size)
    }

    /// The pre-size of what follows it.
    pub fn next_pre_size(&self, mesh: &Mesh) -> usize {
        match self.sub_axis {
            Some((pre_size, size)) => pre_size.saturating_mul(size),
            None => axis_size(&self.name, mesh),
        }
    }

    /// The order of axes in `replicated` and `unreduced`: that of the mesh, then by where a part starts and ends.
    pub fn mesh_order(&self, mesh: &Mesh) -> (usize, usize, usize) {
        let position = mesh.axis_named(&self.name).unwrap_or(mesh.axes().len());
        let size = self.sub_axis.map_or(usize::MAX, |(_, size)| size);
        (position, self.pre_size(), size)
    }

    /// Returns whether some devices are told apart by both.
    pub fn overlaps(&self, other: &AxisRefAttr) -> bool {
        match (self.sub_axis, other.sub_axis) {
            _ if self.name != other.name => false,
            (Some((pre, size)), Some((other_pre, other_size))) => {
                pre < other_pre.saturating_mul(other_size) && other_pre < pre.saturating_mul(size)
            }
            _ => true,
        }
    }

    /// Returns whether `other` goes on where this one ends, on the same axis.
    pub fn can_merge(&self, other: &AxisRefAttr) -> bool {
        match (self.sub_axis, other.sub_axis) {
            (Some((pre, size)), Some((other_pre, _))) => {
                self.name == other.name && pre.saturating_mul(size) == other_pre
            }
            _ => false,
        }
    }

    /// Both as one, if `other` goes on where this one ends.
    pub fn merge(&self, other: &AxisRefAttr, mesh: &Mesh) -> Option<AxisRefAttr> {
        let ((pre_size, size), (_, other_size)) = (self.sub_axis?, other.sub_axis?);
        if !self.can_merge(other) {
            return None;
        }
        let size = size.saturating_mul(other_size);
        let is_whole = size == axis_size(&self.name, mesh);
        let sub_axis = if is_whole { None } else { Some((pre_size, size)) };
        Some(AxisRefAttr { name: self.name.clone(), sub_axis })
    }

    /// Remainder of this one without its minor part `suffix`: one part, or none if that is all of it. `None` if it
    /// is not its minor part.
    pub fn without_suffix(&self, suffix: &AxisRefAttr, mesh: &Mesh) -> Option<Vec<AxisRefAttr>> {
        let is_suffix = self.name == suffix.name
            && suffix.pre_size() >= self.pre_size()
            && suffix.next_pre_size(mesh) == self.next_pre_size(mesh);
        let (pre_size, end) = (self.pre_size(), suffix.pre_size());
        match end.checked_rem(pre_size) {
            Some(0) if is_suffix => {
                let sub_axis = Some((pre_size, end / pre_size));
                let rest = (end > pre_size).then(|| AxisRefAttr { name: self.name.clone(), sub_axis });
                Some(rest.into_iter().collect())
            }
            _ => None,
        }
    }
}

fn axis_size(name: &str, mesh: &Mesh) -> usize {
    mesh.axis_named(name).map_or(1, |position| mesh.axes()[position].size)
}

/// Appends `axis`, merged with the last one if it goes on where that ends.
pub fn push_or_merge(axes: &mut Vec<AxisRefAttr>, axis: &AxisRefAttr, mesh: &Mesh) {
    match axes.last().and_then(|last| last.merge(axis, mesh)) {
        Some(merged) => {
            axes.pop();
            axes.push(merged);
        }
        None => axes.push(axis.clone()),
    }
}

/// The axes in mesh order, neighboring parts merged.
pub fn sort_and_merge(mut axes: Vec<AxisRefAttr>, mesh: &Mesh) -> Vec<AxisRefAttr> {
    axes.sort_by_key(|axis| axis.mesh_order(mesh));
    let mut merged = Vec::new();
    for axis in &axes {
        push_or_merge(&mut merged, axis, mesh);
    }
    merged
}

/// Returns whether every device that `axis` tells apart is told apart by some of `others`.
pub fn is_covered(axis: &AxisRefAttr, others: &[AxisRefAttr], mesh: &Mesh) -> bool {
    let (mut at, end) = (axis.pre_size(), axis.next_pre_size(mesh));
    while at < end {
        let next = others
            .iter()
            .filter(|other| other.name == axis.name && other.pre_size() <= at)
            .map(|other| other.next_pre_size(mesh))
            .max();
        match next {
            Some(next) if next > at => at = next,
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::Axis;

    fn mesh() -> Mesh {
        let axes = [("x", 16), ("y", 2)].map(|(name, size)| Axis { name: name.into(), size });
        Mesh::new("mesh", axes.to_vec()).unwrap()
    }

    fn part(pre_size: usize, size: usize) -> AxisRefAttr {
        AxisRefAttr { name: "x".into(), sub_axis: Some((pre_size, size)) }
    }

    #[test]
    fn parts_of_an_axis_meet_or_do_not() {
        let (x, y) = (AxisRefAttr::whole("x"), AxisRefAttr::whole("y"));
        assert!(x.overlaps(&part(2, 2)) && part(1, 4).overlaps(&part(2, 4)));
        assert!(!part(1, 4).overlaps(&part(4, 2)) && !x.overlaps(&y));
        assert!(part(2, 4).can_merge(&part(8, 2)) && !part(2, 4).can_merge(&part(1, 2)));
        assert!(!x.can_merge(&x));
    }

    #[test]
    fn suffixes_come_off() {
        let (mesh, x) = (mesh(), AxisRefAttr::whole("x"));
        assert_eq!(x.without_suffix(&part(4, 4), &mesh), Some(vec![part(1, 4)]));
        assert_eq!(part(2, 4).without_suffix(&part(4, 2), &mesh), Some(vec![part(2, 2)]));
        assert_eq!(x.without_suffix(&x, &mesh), Some(vec![]));
        assert_eq!(x.without_suffix(&part(2, 2), &mesh), None);
        assert_eq!(part(2, 2).without_suffix(&x, &mesh), None);
    }

    #[test]
    fn lists_merge_in_mesh_order() {
        let (mesh, y) = (mesh(), AxisRefAttr::whole("y"));
        let sorted = sort_and_merge(vec![y.clone(), part(4, 4), part(1, 4)], &mesh);
        assert_eq!(sorted, [AxisRefAttr::whole("x"), y.clone()]);
        assert!(is_covered(&part(2, 4), &[part(4, 4), part(1, 4)], &mesh));
        assert!(!is_covered(&part(2, 4), &[part(4, 4), y], &mesh));
    }
}
