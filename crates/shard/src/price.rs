//! What a choice costs while strategies are chosen, in seconds of a nominal machine.
//!
//! Input: two shardings of one tensor, or the work of an instruction and the axes it is sharded over. Output: seconds.
//! Reshards are priced by the steps that the resharding planner will really take (`cost::reshard`).

use crate::axes::AxisList;
use meshwright_cost::op_collectives::{OpCollective, op_collectives};
use meshwright_cost::reshard::{self, Layout};
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::program::InstView;
use meshwright_ir::rule::{ShardingRule, Strategy};
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_tensor::types::ElementType;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cell::RefCell;
use std::hash::BuildHasher;

/// Prices of the nominal machine; choosing strategies needs ratios only. A byte over a link costs as much as twenty in
/// memory, and as a thousand operations. An operation that an annotation shards is dearer than that on purpose: who
/// shards a tensor wants its work shared, so an op repeats work on several devices to save communication only where
/// the work is tiny.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prices {
    /// Seconds to send one byte over a link.
    pub link_byte: f64,
    /// Seconds to start a collective.
    pub collective: f64,
    /// Seconds to read or write one byte of memory.
    pub memory_byte: f64,
    /// Seconds of one operation where a tensor of the op is sharded.
    pub operation: f64,
    /// Seconds of one operation where an axis is idle that nobody asked the op to use.
    pub unasked_operation: f64,
    /// Seconds to read or write one byte of memory there; what is shared has to be gathered again, so less than elsewhere.
    pub unasked_memory_byte: f64,
    /// Seconds that such an axis must save at least.
    pub least_shared: f64,
    /// The same for each device of an axis that is longer than a host: what is shared is gathered in so many steps over a network,
    /// which take some microseconds each.
    pub least_shared_step: f64,
}

/// Devices of a host, beyond which axes cross a network.
const HOST: usize = 8;

impl Prices {
    /// Seconds that sharing work over so many devices must save at least.
    pub(crate) fn least_shared_over(&self, devices: usize) -> f64 {
        if devices > HOST { self.least_shared_step * devices as f64 } else { self.least_shared }
    }
}

impl Default for Prices {
    fn default() -> Self {
        Self {
            link_byte: 1e-11,
            collective: 2e-9,
            memory_byte: 5e-13,
            operation: 1e-12,
            unasked_operation: 1e-14,
            unasked_memory_byte: 3e-13,
            least_shared: 2e-8,
            least_shared_step: 5e-6,
        }
    }
}

/// Prices choices on one mesh. Remembers reshards, because a program has few distinct ones.
pub(crate) struct Pricer<'a> {
    pub(crate) mesh: &'a Mesh,
    pub(crate) prices: &'a Prices,
    /// By a hash of the reshard, so that it is looked up without being copied.
    known: RefCell<FxHashMap<u64, Vec<(Reshard, Traffic)>>>,
}

/// A reshard of a tensor of some shape.
struct Reshard {
    shape: Vec<usize>,
    from: Vec<AxisList>,
    partial: AxisSet,
    to: Vec<AxisList>,
}

/// Bytes that a device sends per byte of the global tensor, and the number of collectives.
#[derive(Clone, Copy)]
struct Traffic {
    sent: f64,
    collectives: usize,
}

impl<'a> Pricer<'a> {
    pub(crate) fn new(mesh: &'a Mesh, prices: &'a Prices) -> Self {
        Self { mesh, prices, known: RefCell::default() }
    }

    /// Seconds to bring a tensor of `shape` and `bytes` from one sharding (with partial axes) to another.
    pub(crate) fn reshard(
        &self,
        shape: &[usize],
        bytes: f64,
        from: &[AxisList],
        partial: AxisSet,
        to: &[AxisList],
    ) -> f64 {
        if partial.is_empty() && from == to {
            return 0.0;
        }
        let hash = FxBuildHasher.hash_one((shape, from, partial, to));
        let mut known = self.known.borrow_mut();
        let alike = known.entry(hash).or_default();
        let is_same = |(other, _): &&(Reshard, Traffic)| {
            other.shape == shape && other.from == from && other.partial == partial && other.to == to
        };
        let found = alike.iter().find(is_same).map(|(_, traffic)| *traffic);
        let Traffic { sent, collectives } = found.unwrap_or_else(|| {
            let reshard = Reshard { shape: shape.to_vec(), from: from.to_vec(), partial, to: to.to_vec() };
            let traffic = traffic(&reshard, self.mesh);
            alike.push((reshard, traffic));
            traffic
        });
        sent * bytes * self.prices.link_byte + collectives as f64 * self.prices.collective
    }

    /// Seconds of what the local form of an instruction sends by itself under a legal strategy.
    pub(crate) fn exchanges(&self, view: InstView<'_>, rule: &ShardingRule, axes: &[AxisList]) -> f64 {
        if !view.inst.op.exchanges(&view) {
            return 0.0;
        }
        let strategy = Strategy { axes: axes.iter().map(|list| list.to_vec()).collect() };
        let seconds =
            |exchange: &OpCollective| exchange.ring_bytes * self.prices.link_byte + self.prices.collective;
        op_collectives(view, rule, &strategy, self.mesh).iter().map(seconds).sum()
    }

    /// Seconds of an instruction's work (operations, bytes) at the price of sharing what nobody asked to be shared.
    pub(crate) fn unasked_work(&self, (operations, bytes): (f64, f64)) -> f64 {
        operations * self.prices.unasked_operation + bytes * self.prices.unasked_memory_byte
    }

    /// Seconds of an instruction's work (operations, bytes) sharded over the axes of its strategy.
    pub(crate) fn work<'b>(
        &self,
        (operations, bytes): (f64, f64),
        axes: impl IntoIterator<Item = &'b SubAxisId>,
    ) -> f64 {
        let seconds = operations * self.prices.operation + bytes * self.prices.memory_byte;
        seconds / self.mesh.product(axes) as f64
    }
}

fn traffic(reshard: &Reshard, mesh: &Mesh) -> Traffic {
    let sharding = |dims: &[AxisList]| Sharding::of(dims.iter().map(|axes| axes.to_vec()));
    let mut from = sharding(&reshard.from);
    from.partial = (!reshard.partial.is_empty()).then_some((Reduction::Sum, reshard.partial));
    let to = sharding(&reshard.to);
    let mut traffic = Traffic { sent: 0.0, collectives: 0 };
    let mut state = Layout::new(&from, &reshard.shape, mesh);
    for step in reshard::steps(&from, &to, &reshard.shape, mesh) {
        // Elements of one byte make the result bytes per element, whatever the real type.
        traffic.sent += state.ring_bytes(&step, ElementType::I8, mesh);
        traffic.collectives += usize::from(step.is_collective());
        state.apply(&step);
    }
    let elements: usize = reshard.shape.iter().product();
    traffic.sent /= elements.max(1) as f64;
    traffic
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::ids::Id;
    use meshwright_ir::mesh::Axis;

    #[test]
    fn reshards_cost_what_they_send() {
        let mesh =
            Mesh::new("mesh", ["x", "y"].map(|name| Axis { name: name.into(), size: 2 }).to_vec()).unwrap();
        let prices = Prices {
            link_byte: 1.0,
            collective: 0.0,
            memory_byte: 0.0,
            operation: 0.0,
            unasked_operation: 0.0,
            unasked_memory_byte: 0.0,
            least_shared: 2e-8,
            least_shared_step: 5e-6,
        };
        let pricer = Pricer::new(&mesh, &prices);
        let [x, y] = [0, 1].map(SubAxisId::from_index);
        let (none, of_x, of_y) = (AxisList::new(), AxisList::of(&[x]), AxisList::of(&[y]));
        let cost = |from: [AxisList; 2], partial: &[SubAxisId], to: [AxisList; 2]| {
            pricer.reshard(&[4, 4], 64.0, &from, partial.iter().collect(), &to)
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
