//! What it costs to bring tensors from one layout to another, for all pairs of layouts.
//!
//! Input: layouts by number, axes over which a tensor is partial, its bytes. Output: seconds, by the steps of the
//! resharding planner that the partitioner uses. The steps depend on the axes of the dims alone as long as shards are
//! equal, and take a fixed time and a time for each byte, so few different reshards have to be planned.

use super::layouts::{LayoutId, Layouts};
use meshwright_cost::collective::{CollectiveCost, Prices};
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_plan::Placement;
use std::collections::HashMap;

/// The reshards that were priced so far.
pub(super) struct Reshards<'a> {
    prices: Prices<'a>,
    /// By the pairs of lists of the dims that are sharded before or after, in order; whether there are other dims; and
    /// the axes of partial sums.
    known: HashMap<(Vec<(u32, u32)>, bool, AxisSet), CollectiveCost>,
    key: (Vec<(u32, u32)>, bool, AxisSet),
}

impl<'a> Reshards<'a> {
    pub(super) fn new(placement: &'a Placement) -> Self {
        let key = (Vec::new(), false, AxisSet::EMPTY);
        Self { prices: Prices::new(placement), known: HashMap::new(), key }
    }

    /// Seconds to bring a tensor of so many bytes from one layout, partial over some axes, to another.
    pub(super) fn seconds(
        &mut self,
        layouts: &Layouts<'_>,
        from: LayoutId,
        partial: AxisSet,
        to: LayoutId,
        bytes: f64,
    ) -> f64 {
        if from == to && partial.is_empty() {
            return 0.0;
        }
        let (pairs, has_more, sums) = &mut self.key;
        pairs.clear();
        let both = layouts.lists_of(from).iter().zip(layouts.lists_of(to));
        pairs.extend(both.map(|(from, to)| (*from, *to)).filter(|pair| *pair != (0, 0)));
        *has_more = pairs.len() < layouts.lists_of(from).len();
        *sums = partial;
        pairs.sort_unstable();
        let price = match self.known.get(&self.key) {
            Some(price) => *price,
            None => {
                let price = self.price(layouts);
                self.known.insert(self.key.clone(), price);
                price
            }
        };
        price.seconds(bytes).0
    }

    /// Plans the reshard of `key` for a tensor whose dims all shards divide.
    fn price(&mut self, layouts: &Layouts<'_>) -> CollectiveCost {
        let (pairs, has_more, partial) = &self.key;
        let mesh = layouts.mesh;
        let sizes = pairs.iter().map(|(from, to)| {
            let axes = layouts.axes(*from).set().union(layouts.axes(*to).set());
            mesh.set_size(axes)
        });
        let mut shape: Vec<usize> = sizes.collect();
        shape.extend(has_more.then(|| mesh.num_devices()));
        let side = |of: &dyn Fn(&(u32, u32)) -> u32| {
            let mut dims: Vec<_> = pairs.iter().map(|pair| layouts.axes(of(pair)).to_vec()).collect();
            dims.extend(has_more.then(Vec::new));
            Sharding::of(dims)
        };
        let (mut from, to) = (side(&|pair| pair.0), side(&|pair| pair.1));
        from.partial = (!partial.is_empty()).then_some((Reduction::Sum, *partial));
        self.prices.reshard(&from, &to, &shape)
    }
}
