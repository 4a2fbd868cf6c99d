//! Lists of sub-axes without allocation.
//!
//! Propagation touches every tensor many times; a list of sub-axes is therefore 32 bytes in place instead of a
//! vector. A mesh has at most 2^24 devices, so no dim is ever sharded over more than 24 (prime) sub-axes.

use meshwright_ir::ids::Id;
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use std::cmp::Ordering;
use std::fmt;

const CAPACITY: usize = 31;

/// The sub-axes that shard a dim or a factor, major first.
#[derive(Clone, Copy)]
pub struct AxisList {
    len: u8,
    items: [SubAxisId; CAPACITY],
}

impl AxisList {
    /// No sub-axes.
    pub fn new() -> Self {
        Self { len: 0, items: [SubAxisId::from_index(0); CAPACITY] }
    }

    /// A copy of `axes`.
    pub fn of(axes: &[SubAxisId]) -> Self {
        let mut list = Self::new();
        list.extend(axes);
        list
    }

    /// Appends one sub-axis.
    pub fn push(&mut self, axis: SubAxisId) {
        self.items[usize::from(self.len)] = axis;
        self.len += 1;
    }

    /// Appends sub-axes.
    pub fn extend(&mut self, axes: &[SubAxisId]) {
        axes.iter().for_each(|axis| self.push(*axis));
    }

    /// Keeps the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len as u8);
    }

    /// As a set.
    pub fn set(&self) -> AxisSet {
        self.iter().collect()
    }

    /// Number of devices along all of them.
    pub fn product(&self, mesh: &Mesh) -> usize {
        self.iter().map(|axis| mesh.size(*axis)).product()
    }

    /// Number of sub-axes with which both lists start alike.
    pub fn common_prefix(&self, other: &[SubAxisId]) -> usize {
        self.iter().zip(other).take_while(|(own, other)| own == other).count()
    }

    /// Deals the axes to the factors of a dim, given with their sizes, major first: the next one gets axes once that
    /// before it is sharded completely. Stops where `give` refuses; returns whether all were dealt.
    pub(crate) fn deal(
        &self,
        factors: impl Iterator<Item = (usize, usize)>,
        mesh: &Mesh,
        mut give: impl FnMut(Share) -> bool,
    ) -> bool {
        let mut factors = factors.peekable();
        let Some((mut factor, mut size)) = factors.next() else { return self.is_empty() };
        let mut shards = 1;
        self.iter().all(|axis| {
            if shards == size
                && let Some(next) = factors.next()
            {
                ((factor, size), shards) = (next, 1);
            }
            shards *= mesh.size(*axis);
            give(Share { factor, axis: *axis, shards, is_last: factors.peek().is_none() })
        })
    }
}

/// An axis dealt to a factor.
pub(crate) struct Share {
    pub(crate) factor: usize,
    pub(crate) axis: SubAxisId,
    /// Into how many shards the factor is cut then.
    pub(crate) shards: usize,
    /// Whether it is the last factor of the dim.
    pub(crate) is_last: bool,
}

impl Default for AxisList {
    fn default() -> Self {
        Self::new()
    }
}

impl std::ops::Deref for AxisList {
    type Target = [SubAxisId];
    fn deref(&self) -> &[SubAxisId] {
        &self.items[..usize::from(self.len)]
    }
}

impl PartialEq for AxisList {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for AxisList {}

impl PartialOrd for AxisList {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for AxisList {
    fn cmp(&self, other: &Self) -> Ordering {
        (**self).cmp(&**other)
    }
}

impl std::hash::Hash for AxisList {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl fmt::Debug for AxisList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_compare_by_what_is_in_them() {
        let axis = SubAxisId::from_index;
        let mut list = AxisList::of(&[axis(2), axis(1)]);
        assert_eq!(list.common_prefix(&[axis(2), axis(0)]), 1);
        list.truncate(1);
        assert_eq!(list, AxisList::of(&[axis(2)]));
        assert_ne!(list, AxisList::new());
    }
}
