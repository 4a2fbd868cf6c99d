//! What it costs to bring tensors from one layout to another, for all pairs of layouts.
//!
//! Input: forms, the tensor's elements. Output: seconds (infinite where a complete tensor would have to become
//! contributions) by the tensor's bytes, of the steps of the resharding planner that the partitioner uses. Where all shards
//! are equal the steps follow from the axes that move, and from how many elements a device holds: of few elements fewer
//! steps are planned, of many those that send least. Steps take a fixed time and a time for each byte, so few different
//! reshards have to be planned, and tensors with the same candidates and as many elements share rows of them.

use super::layouts::{Form, Layouts};
use crate::axes::AxisList;
use meshwright_cost::collective::{CollectiveCost, Prices};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_plan::Placement;
use std::collections::HashMap;
use std::rc::Rc;

/// Shards of more elements than this are reshaped by the steps that send least, whatever their size.
const LARGE: usize = 1 << 12;

/// Up to so many elements every power of two counts, then every other.
const FEW: usize = 64;

/// Elements of the shards that stand for all of these.
const TYPICAL: usize = 1 << 18;

/// Number of how a dim changes; 0 is not at all.
type ChangeId = u32;

/// What a reshard depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    /// How dims change, in order of numbers.
    changes: Vec<ChangeId>,
    /// Whether there are dims that do not change.
    has_more: bool,
    /// The axes of partial sums before and after.
    partial: [AxisSet; 2],
    /// Elements of a shard before, rounded to a power of two.
    elements: usize,
}

/// Whether a tensor is brought to a form from each of its candidates, or from the form to each.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Side {
    From,
    To,
}

/// A form, the other side of the reshards, which candidates, and how many elements the tensor has.
type RowKey = (Form, Side, usize, usize);

/// The reshards that were priced so far.
pub(super) struct Reshards<'a> {
    prices: Prices<'a>,
    /// By the lists of a dim before, and after; none where it was not asked for yet.
    change_of: Vec<Vec<Option<ChangeId>>>,
    /// What a dim loses and what it gets behind the axes that stay.
    changes: Vec<(AxisList, AxisList)>,
    number_of: HashMap<(AxisList, AxisList), ChangeId>,
    /// The price of each, by the bytes of a shard before it.
    known: HashMap<Key, CollectiveCost>,
    /// Memory for the next key.
    changed: Vec<ChangeId>,
    /// The numbers of lists of candidates.
    sets: HashMap<Rc<[Form]>, usize>,
    rows: HashMap<RowKey, Rc<[CollectiveCost]>>,
}

impl<'a> Reshards<'a> {
    pub(super) fn new(placement: &'a Placement) -> Self {
        let nothing = (AxisList::new(), AxisList::new());
        Self {
            prices: Prices::new(placement),
            change_of: Vec::new(),
            changes: vec![nothing],
            number_of: HashMap::from([(nothing, 0)]),
            known: HashMap::new(),
            changed: Vec::new(),
            sets: HashMap::new(),
            rows: HashMap::new(),
        }
    }

    /// The number of a list of candidates.
    pub(super) fn set(&mut self, candidates: &Rc<[Form]>) -> usize {
        let next = self.sets.len();
        *self.sets.entry(candidates.clone()).or_insert(next)
    }

    /// What it takes to bring a tensor from a form to each of its candidates, or from each of them to the form, by the bytes
    /// of the whole tensor. `set` is the candidates' number.
    pub(super) fn row(
        &mut self,
        layouts: &Layouts<'_>,
        (form, side): (Form, Side),
        (candidates, set): (&[Form], usize),
        elements: f64,
    ) -> Rc<[CollectiveCost]> {
        // All that are large on every device are alike.
        let elements = (elements as usize).min(LARGE.saturating_mul(2 * layouts.mesh.num_devices()));
        let key = (form, side, set, elements);
        if let Some(row) = self.rows.get(&key) {
            return row.clone();
        }
        let cost = |other: &Form| match side {
            Side::From => self.cost(layouts, form, *other, elements),
            Side::To => self.cost(layouts, *other, form, elements),
        };
        let row: Rc<[CollectiveCost]> = candidates.iter().map(cost).collect();
        self.rows.insert(key, row.clone());
        row
    }

    fn cost(&mut self, layouts: &Layouts<'_>, from: Form, to: Form, elements: usize) -> CollectiveCost {
        if from == to {
            return CollectiveCost::NOTHING;
        }
        if !to.partial.minus(from.partial).is_empty() {
            return CollectiveCost::IMPOSSIBLE;
        }
        let partial = [from.partial, to.partial];
        let (from, to) = (from.layout, to.layout);
        let shards = layouts.num_shards(from);
        let mut changes = std::mem::take(&mut self.changed);
        changes.clear();
        for (before, after) in layouts.lists_of(from).iter().zip(layouts.lists_of(to)) {
            let change = self.change(layouts, *before, *after);
            if change != 0 {
                changes.push(change);
            }
        }
        changes.sort_unstable();
        let has_more = changes.len() < layouts.lists_of(from).len();
        let elements = match (elements / shards).max(1).next_power_of_two() {
            few if few <= FEW => few,
            more if more <= LARGE => 1 << more.ilog2().next_multiple_of(2),
            _ => TYPICAL,
        };
        let key = Key { changes, has_more, partial, elements };
        let price = match self.known.get(&key) {
            Some(price) => *price,
            None => {
                let price = self.price(layouts.mesh, &key);
                self.known.insert(key.clone(), price);
                price
            }
        };
        self.changed = key.changes;
        CollectiveCost { per_byte: price.per_byte * (1.0 / shards as f64), ..price }
    }

    /// How a dim changes from one list to another.
    fn change(&mut self, layouts: &Layouts<'_>, before: u32, after: u32) -> ChangeId {
        if before == after {
            return 0;
        }
        let (before, after) = (before as usize, after as usize);
        if self.change_of.len() <= before {
            self.change_of.resize(before + 1, Vec::new());
        }
        let row = &mut self.change_of[before];
        if row.len() <= after {
            row.resize(after + 1, None);
        }
        *row[after].get_or_insert_with(|| {
            let (old, new) = (layouts.axes(before as u32), layouts.axes(after as u32));
            let same = old.common_prefix(new);
            let change = (AxisList::of(&old[same..]), AxisList::of(&new[same..]));
            *self.number_of.entry(change).or_insert_with(|| {
                self.changes.push(change);
                self.changes.len() as ChangeId - 1
            })
        })
    }

    /// Plans a reshard of a tensor whose dims all shards divide.
    fn price(&mut self, mesh: &Mesh, key: &Key) -> CollectiveCost {
        let changes = || key.changes.iter().map(|change| &self.changes[*change as usize]);
        let mut shape: Vec<usize> =
            changes().map(|(old, new)| mesh.set_size(old.set().union(new.set()))).collect();
        shape.extend(key.has_more.then(|| mesh.num_devices()));
        let side = |of: fn(&(AxisList, AxisList)) -> &AxisList| {
            let mut dims: Vec<_> = changes().map(|change| of(change).to_vec()).collect();
            dims.extend(key.has_more.then(Vec::new));
            Sharding::of(dims)
        };
        let (mut from, mut to) = (side(|change| &change.0), side(|change| &change.1));
        for (side, partial) in [&mut from, &mut to].into_iter().zip(key.partial) {
            side.partial = (!partial.is_empty()).then_some((Reduction::Sum, partial));
        }
        // Larger dims leave room for all orders of axes.
        let shards = mesh.set_size(from.sharded_axes());
        for dim in 0..shape.len() {
            let elements = shape.iter().product::<usize>() / shards;
            let room = key.elements.div_ceil(elements).min(mesh.num_devices().max(16)).next_power_of_two();
            shape[dim] *= room;
        }
        let price = self.prices.reshard(&from, &to, &shape);
        // Of the whole tensor's bytes a shard has its part.
        CollectiveCost { per_byte: price.per_byte * shards as f64, ..price }
    }
}
