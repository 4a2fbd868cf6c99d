//! Parts of mesh axes as numbers: what overlaps, what goes on where another ends, what is left of one beside others.
//!
//! Input: parts of the axes of one mesh. An axis of size 8 is `(1, 8)`; its half that is more major is `(1, 2)`, the
//! rest `(2, 4)`. A part may be any, not only a product of the axis's prime factors in one order, so that axes can
//! be shared among factors of every size. After Shardy's "Sharding representation".

use meshwright_ir::mesh::Mesh;
use meshwright_ir::sharding::AxisRefAttr;

/// An axis or a part of one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct AxisPart {
    /// Position of the axis in the mesh.
    pub(crate) axis: usize,
    /// Product of the sizes of what is more major in the axis.
    pub(crate) pre_size: u64,
    /// Number of devices along it.
    pub(crate) size: u64,
}

impl AxisPart {
    /// What a name stands for; `None` if the mesh has no such axis.
    pub(crate) fn of(attr: &AxisRefAttr, mesh: &Mesh) -> Option<Self> {
        let axis = mesh.axis_named(&attr.name)?;
        let (pre_size, size) = attr.sub_axis.unwrap_or((1, mesh.axes()[axis].size));
        Some(Self { axis, pre_size: pre_size as u64, size: size as u64 })
    }

    /// The same with its name.
    pub(crate) fn to_attr(self, mesh: &Mesh) -> AxisRefAttr {
        let whole = &mesh.axes()[self.axis];
        let sub_axis =
            (self.size != whole.size as u64).then_some((self.pre_size as usize, self.size as usize));
        AxisRefAttr { name: whole.name.clone(), sub_axis }
    }

    /// The pre-size of what follows it.
    pub(crate) fn end(self) -> u64 {
        self.pre_size.saturating_mul(self.size)
    }

    /// Whether `other` lies inside it.
    pub(crate) fn contains(self, other: Self) -> bool {
        self.axis == other.axis && self.pre_size <= other.pre_size && self.end() >= other.end()
    }

    /// Whether it is `other` or the most major part of it.
    pub(crate) fn is_prefix_of(self, other: Self) -> bool {
        other.contains(self) && self.pre_size == other.pre_size
    }

    /// Whether they share devices' coordinates. An axis of size 1 overlaps itself.
    pub(crate) fn overlaps(self, other: Self) -> bool {
        self.axis == other.axis
            && (self == other || (self.pre_size < other.end() && other.pre_size < self.end()))
    }

    /// Whether the axis can be cut so that both are made of whole pieces.
    fn can_coexist(self, other: Self) -> bool {
        if self.axis != other.axis {
            return true;
        }
        let divides = |small: u64, large: u64| small != 0 && large.is_multiple_of(small);
        let (min_pre, max_pre) = (self.pre_size.min(other.pre_size), self.pre_size.max(other.pre_size));
        let (min_end, max_end) = (self.end().min(other.end()), self.end().max(other.end()));
        if min_end > max_pre {
            divides(max_pre, min_end) && divides(min_pre, max_pre) && divides(min_end, max_end)
        } else {
            divides(min_end, max_pre)
        }
    }

    /// Its most major part that shares nothing with `other`; `None` if there is none.
    pub(crate) fn prefix_without(self, other: Self) -> Option<Self> {
        if !self.can_coexist(other) {
            return None;
        }
        if !self.overlaps(other) {
            return Some(self);
        }
        if self.pre_size >= other.pre_size {
            return None;
        }
        Some(Self { size: other.pre_size / self.pre_size, ..self })
    }

    /// Its most major part that shares nothing with any of `others`.
    pub(crate) fn prefix_without_any(self, others: &[Self]) -> Option<Self> {
        others.iter().try_fold(self, |part, other| part.prefix_without(*other))
    }

    /// Both as one, if `other` goes on where this one ends.
    fn merge(self, other: Self) -> Option<Self> {
        let follows = self.axis == other.axis && self.end() == other.pre_size && other.size > 1;
        follows.then(|| Self { size: self.size.saturating_mul(other.size), ..self })
    }
}

/// Appends a part, merged with the last one if it goes on where that ends.
pub(crate) fn push_or_merge(parts: &mut Vec<AxisPart>, part: AxisPart) {
    match parts.last_mut() {
        Some(last) if last.merge(part).is_some() => *last = last.merge(part).unwrap_or(part),
        _ => parts.push(part),
    }
}

/// Number of devices along all of them.
pub(crate) fn product(parts: &[AxisPart]) -> u64 {
    parts.iter().fold(1, |product, part| product.saturating_mul(part.size))
}

/// How one list of axes lies to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Prefix {
    /// It does not begin the other.
    Not,
    /// It begins the other, which goes on.
    Strict,
    /// Both are the same.
    Equal,
}

/// Whether `first` begins `second`. Its last part may begin a part of the other.
pub(crate) fn prefix(first: &[AxisPart], second: &[AxisPart]) -> Prefix {
    let Some((last, before)) = first.split_last() else {
        return if second.is_empty() { Prefix::Equal } else { Prefix::Strict };
    };
    let Some(opposite) = second.get(before.len()) else {
        return Prefix::Not;
    };
    if before != &second[..before.len()] {
        return Prefix::Not;
    }
    if first.len() == second.len() && last == opposite {
        return Prefix::Equal;
    }
    if last.is_prefix_of(*opposite) { Prefix::Strict } else { Prefix::Not }
}

/// The greatest common divisor; `gcd(0, n)` is `n`.
pub(crate) fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(axis: usize, pre_size: u64, size: u64) -> AxisPart {
        AxisPart { axis, pre_size, size }
    }

    #[test]
    fn a_part_keeps_what_is_before_another() {
        let whole = part(0, 1, 8);
        assert_eq!(whole.prefix_without(part(0, 2, 2)), Some(part(0, 1, 2)));
        assert_eq!(whole.prefix_without(part(0, 1, 2)), None);
        assert_eq!(whole.prefix_without(part(1, 1, 8)), Some(whole));
        assert_eq!(part(0, 1, 2).prefix_without(part(0, 2, 4)), Some(part(0, 1, 2)));
        // Thirds and halves of an axis of size 6 do not fit each other.
        assert_eq!(part(0, 1, 2).prefix_without(part(0, 3, 2)), None);
    }

    #[test]
    fn axes_of_size_one_overlap_themselves() {
        assert!(part(0, 1, 1).overlaps(part(0, 1, 1)));
    }

    #[test]
    fn lists_begin_lists_up_to_a_part_of_an_axis() {
        let (a, b) = (part(0, 1, 4), part(1, 1, 2));
        assert_eq!(prefix(&[], &[a]), Prefix::Strict);
        assert_eq!(prefix(&[a], &[a]), Prefix::Equal);
        assert_eq!(prefix(&[part(0, 1, 2)], &[a, b]), Prefix::Strict);
        assert_eq!(prefix(&[a, b], &[a]), Prefix::Not);
        assert_eq!(prefix(&[b], &[a, b]), Prefix::Not);
    }

    #[test]
    fn neighboring_parts_merge() {
        let mut parts = vec![part(0, 1, 2)];
        push_or_merge(&mut parts, part(0, 2, 4));
        push_or_merge(&mut parts, part(1, 1, 2));
        assert_eq!(parts, [part(0, 1, 8), part(1, 1, 2)]);
    }
}
