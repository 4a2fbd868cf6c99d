//! What a choice costs while strategies are chosen, in seconds of a nominal machine.
//!
//! Input: two shardings of one tensor. Output: the seconds that bringing one to the other takes: slices are free,
//! a sum that ends sharded is a reduce-scatter, an axis that moves between dims an all-to-all.

use crate::axes::AxisList;
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};

/// Prices of the nominal machine. Choosing strategies needs ratios only: a byte over a link costs about as much as
/// twenty in memory or a thousand operations on most accelerators.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// Seconds to send one byte over a link.
    pub link_byte: f64,
    /// Seconds to start a collective.
    pub collective: f64,
    /// Seconds to read or write one byte of memory.
    pub memory_byte: f64,
    /// Seconds of one operation.
    pub operation: f64,
}

impl Default for Prices {
    fn default() -> Self {
        Self { link_byte: 1e-11, collective: 2e-9, memory_byte: 5e-13, operation: 1e-14 }
    }
}

/// Seconds to bring a tensor of `bytes` from one sharding (with partial axes) to another.
pub(crate) fn reshard(
    prices: &Prices,
    mesh: &Mesh,
    bytes: f64,
    from: &[AxisList],
    partial: AxisSet,
    to: &[AxisList],
) -> f64 {
    if partial.is_empty() && from == to {
        return 0.0;
    }
    let (mut leaving, mut arriving) = (AxisSet::EMPTY, AxisSet::EMPTY);
    let mut local = bytes;
    for (from, to) in from.iter().zip(to) {
        let kept = from.common_prefix(to);
        leaving = leaving.union(from[kept..].iter().collect());
        arriving = arriving.union(to[kept..].iter().collect());
        local /= from.product(mesh) as f64;
    }
    let moved = leaving.intersection(arriving);
    let scattered = arriving.intersection(partial);
    let reduced = partial.minus(arriving);
    let gathered = leaving.minus(arriving);
    let sliced = arriving.minus(moved).minus(scattered);
    let mut seconds = 0.0;
    let mut collective = |volume: f64, axes: AxisSet| {
        if !axes.is_empty() {
            let size = mesh.set_size(axes) as f64;
            seconds += prices.collective + volume * (size - 1.0) / size * prices.link_byte;
        }
    };
    local /= mesh.set_size(sliced) as f64;
    collective(local, scattered);
    local /= mesh.set_size(scattered) as f64;
    collective(2.0 * local, reduced);
    collective(local, moved);
    local *= mesh.set_size(gathered) as f64;
    collective(local, gathered);
    seconds
}

/// Seconds of an instruction's work (operations, bytes) spread over the axes of its strategy.
pub(crate) fn work<'a>(
    prices: &Prices,
    mesh: &Mesh,
    (operations, bytes): (f64, f64),
    axes: impl IntoIterator<Item = &'a SubAxisId>,
) -> f64 {
    (operations * prices.operation + bytes * prices.memory_byte) / mesh.product(axes) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::ids::Id;
    use meshwright_ir::mesh::Axis;

    #[test]
    fn reshards_cost_what_they_send() {
        let mesh = Mesh::new("mesh", ["x", "y"].map(|name| Axis { name: name.into(), size: 2 }).to_vec()).unwrap();
        let prices = Prices { link_byte: 1.0, collective: 0.0, memory_byte: 0.0, operation: 0.0 };
        let [x, y] = [0, 1].map(SubAxisId::from_index);
        let (none, of_x, of_y) = (AxisList::new(), AxisList::of(&[x]), AxisList::of(&[y]));
        let cost = |from: [AxisList; 2], partial: &[SubAxisId], to: [AxisList; 2]| {
            reshard(&prices, &mesh, 64.0, &from, partial.iter().collect(), &to)
        };
        assert_eq!(cost([of_x, none], &[], [of_x, none]), 0.0);
        assert_eq!(cost([none, none], &[], [of_x, none]), 0.0, "a slice");
        assert_eq!(cost([of_x, none], &[], [none, none]), 32.0, "an all-gather");
        assert_eq!(cost([of_x, none], &[], [none, of_x]), 16.0, "an all-to-all");
        assert_eq!(cost([none, none], &[x], [none, none]), 64.0, "an all-reduce");
        assert_eq!(cost([none, none], &[x], [of_x, none]), 32.0, "a reduce-scatter");
        assert_eq!(cost([of_x, none], &[y], [of_x, of_y]), 16.0, "a reduce-scatter of a shard");
        let both = AxisList::of(&[x, y]);
        assert_eq!(cost([both, none], &[], [of_x, none]), 16.0, "an all-gather of the minor axis");
    }
}
