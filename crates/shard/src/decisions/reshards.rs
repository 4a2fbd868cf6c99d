//! What it costs to bring tensors from one layout to another, for all pairs of layouts.
//!
//! Input: forms, the tensor's elements. Output: seconds (infinite where a complete tensor would have to become
//! contributions) by the tensor's bytes, of the steps of the resharding planner that the partitioner uses. Where all shards
//! are equal the steps follow from the axes that move, and from how many elements a device holds: of few elements fewer
//! steps are planned, of many those that send least. Steps take a fixed time and a time for each byte, so few different
//! reshards have to be planned, and tensors with the same candidates and as many elements share rows of them. Where shards
//! are padded, a reshard is planned by itself, for the shape that it is of. Reshards that differ in the names of axes that
//! may change places (module `symmetry`) are planned once.
//!
//! Rows are asked for first ([`Reshards::row`]), then what they need is planned at once, on several threads
//! ([`Reshards::plan`]), and then they have seconds ([`Reshards::seconds`]).

use super::layouts::{Form, Layouts};
use super::symmetry::Symmetry;
use super::{parallel, shared};
use crate::axes::AxisList;
use meshwright_cost::collective::{CollectiveCost, Prices};
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_plan::Placement;
use rustc_hash::FxHashMap;
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
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key {
    Even(Even),
    Padded(Box<Padded>),
}

/// Where some shard is padded: everything.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Padded {
    /// Of each dim its size and the axes before and after.
    dims: Vec<(usize, AxisList, AxisList)>,
    partial: [AxisSet; 2],
}

/// Where all shards are equal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Even {
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

/// A form, the other side of the reshards, which candidates, how many elements the tensor has, and, if some shards are
/// padded, its shape.
type RowKey<'a> = (Form, Side, usize, usize, Option<&'a [usize]>);

/// A reshard of a tensor.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reshard {
    /// It stays as it is.
    None,
    /// A complete tensor would become contributions.
    Impossible,
    /// The one of this number, of a tensor in so many shards.
    Planned { number: u32, shards: u32 },
}

/// Seconds of a reshard of a tensor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seconds {
    /// Overheads and latencies.
    fixed: f64,
    /// In which bytes are on their way.
    sent: f64,
}

impl Seconds {
    /// All of them, if of overheads a share is left.
    pub(super) fn shared(self, share: f64) -> f64 {
        self.sent + shared::overheads(self.fixed, self.sent, share)
    }
}

/// The reshards that were priced so far.
pub(super) struct Reshards<'a> {
    placement: &'a Placement,
    /// By the lists of a dim before, and after; none where it was not asked for yet.
    change_of: Vec<Vec<Option<ChangeId>>>,
    /// What a dim loses and what it gets behind the axes that stay.
    changes: Vec<(AxisList, AxisList)>,
    number_of_change: FxHashMap<(AxisList, AxisList), ChangeId>,
    symmetry: Symmetry,
    /// What was asked for, by number, and the price by the bytes of a shard before it of those that are planned.
    keys: Vec<Key>,
    prices: Vec<CollectiveCost>,
    number_of_key: FxHashMap<Key, u32>,
    /// Memory for the next key.
    changed: Vec<ChangeId>,
    /// The numbers of lists of candidates.
    sets: FxHashMap<Rc<[Form]>, usize>,
    rows: FxHashMap<RowKey<'a>, Rc<[Reshard]>>,
}

impl<'a> Reshards<'a> {
    pub(super) fn new(placement: &'a Placement) -> Self {
        let nothing = (AxisList::new(), AxisList::new());
        Self {
            placement,
            change_of: Vec::new(),
            changes: vec![nothing],
            number_of_change: FxHashMap::from_iter([(nothing, 0)]),
            symmetry: Symmetry::of(placement),
            keys: Vec::new(),
            prices: Vec::new(),
            number_of_key: FxHashMap::default(),
            changed: Vec::new(),
            sets: FxHashMap::default(),
            rows: FxHashMap::default(),
        }
    }

    /// The number of a list of candidates.
    pub(super) fn set(&mut self, candidates: &Rc<[Form]>) -> usize {
        let next = self.sets.len();
        *self.sets.entry(candidates.clone()).or_insert(next)
    }

    /// What brings a tensor from a form to each of its candidates, or from each of them to the form. `set` is the
    /// candidates' number.
    pub(super) fn row(
        &mut self,
        layouts: &Layouts<'_>,
        (form, side): (Form, Side),
        (candidates, set): (&[Form], usize),
        shape: &'a [usize],
    ) -> Rc<[Reshard]> {
        // All that are large on every device are alike.
        let devices = layouts.mesh.num_devices();
        let elements = shape.iter().product::<usize>().min(LARGE.saturating_mul(2 * devices));
        let is_padded = candidates.iter().chain([&form]).any(|form| !layouts.divides(form.layout, shape));
        let padded = is_padded.then_some(shape);
        let key = (form, side, set, elements, padded);
        if let Some(row) = self.rows.get(&key) {
            return row.clone();
        }
        let reshard = |other: &Form| match side {
            Side::From => self.reshard(layouts, form, *other, (padded, elements)),
            Side::To => self.reshard(layouts, *other, form, (padded, elements)),
        };
        let row: Rc<[Reshard]> = candidates.iter().map(reshard).collect();
        self.rows.insert(key, row.clone());
        row
    }

    /// Plans all that was asked for.
    pub(super) fn plan(&mut self) {
        let planned = self.prices.len();
        let made = parallel::map(
            &self.keys[planned..],
            || Prices::new(self.placement),
            |prices, key| match key {
                Key::Even(key) => price(prices, &self.changes, key),
                Key::Padded(key) => price_padded(prices, key),
            },
        );
        self.prices.extend(made);
    }

    /// Seconds of planned reshards of a tensor of so many bytes.
    pub(super) fn seconds(&self, row: &[Reshard], bytes: f64) -> Vec<Seconds> {
        let seconds = |reshard: &Reshard| match *reshard {
            Reshard::None => Seconds { fixed: 0.0, sent: 0.0 },
            Reshard::Impossible => Seconds { fixed: f64::INFINITY, sent: f64::INFINITY },
            Reshard::Planned { number, shards } => {
                let price = self.prices[number as usize];
                let per_byte = price.per_byte * (1.0 / f64::from(shards));
                Seconds { fixed: price.fixed.0, sent: (per_byte * bytes).0 }
            }
        };
        row.iter().map(seconds).collect()
    }

    fn reshard(
        &mut self,
        layouts: &Layouts<'_>,
        from: Form,
        to: Form,
        (padded, elements): (Option<&[usize]>, usize),
    ) -> Reshard {
        if from == to {
            return Reshard::None;
        }
        if !to.partial.minus(from.partial).is_empty() {
            return Reshard::Impossible;
        }
        let partial = [from.partial, to.partial];
        let (from, to) = (from.layout, to.layout);
        if let Some(shape) = padded
            && !(layouts.divides(from, shape) && layouts.divides(to, shape))
        {
            let sides = layouts.dims(from).into_iter().zip(layouts.dims(to));
            let dims =
                shape.iter().zip(sides).map(|(size, (before, after))| (*size, before, after)).collect();
            let key = Key::Padded(Box::new(Padded { dims, partial }));
            return Reshard::Planned { number: self.number(&key), shards: 1 };
        }
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
        let key = Key::Even(Even { changes, has_more, partial, elements });
        let number = self.number(&key);
        if let Key::Even(Even { changes, .. }) = key {
            self.changed = changes;
        }
        Reshard::Planned { number, shards: shards as u32 }
    }

    fn number(&mut self, key: &Key) -> u32 {
        if let Some(number) = self.number_of_key.get(key) {
            return *number;
        }
        let renamed = (0..self.symmetry.num_ways()).map(|way| self.renamed(way, key)).min();
        let first = renamed.filter(|renamed| renamed < key).unwrap_or_else(|| key.clone());
        let next = self.keys.len() as u32;
        let number = *self.number_of_key.entry(first).or_insert_with_key(|first| {
            self.keys.push(first.clone());
            next
        });
        self.number_of_key.insert(key.clone(), number);
        number
    }

    /// What a reshard depends on, with the axes renamed.
    fn renamed(&mut self, way: usize, key: &Key) -> Key {
        let partial = |partial: &[AxisSet; 2], symmetry: &Symmetry| partial.map(|set| symmetry.set(way, set));
        match key {
            Key::Even(even) => {
                let mut changes: Vec<ChangeId> =
                    even.changes.iter().map(|change| self.renamed_change(way, *change)).collect();
                changes.sort_unstable();
                Key::Even(Even { changes, partial: partial(&even.partial, &self.symmetry), ..*even })
            }
            Key::Padded(padded) => {
                let list = |list: &AxisList| self.symmetry.list(way, list);
                let renamed =
                    padded.dims.iter().map(|(size, before, after)| (*size, list(before), list(after)));
                let dims = renamed.collect();
                Key::Padded(Box::new(Padded { dims, partial: partial(&padded.partial, &self.symmetry) }))
            }
        }
    }

    fn renamed_change(&mut self, way: usize, change: ChangeId) -> ChangeId {
        let (before, after) = self.changes[change as usize];
        let renamed = (self.symmetry.list(way, &before), self.symmetry.list(way, &after));
        self.number_of_pair(renamed)
    }

    /// The number of what a dim loses and gets.
    fn number_of_pair(&mut self, change: (AxisList, AxisList)) -> ChangeId {
        *self.number_of_change.entry(change).or_insert_with(|| {
            self.changes.push(change);
            self.changes.len() as ChangeId - 1
        })
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
        if let Some(known) = row[after] {
            return known;
        }
        let (old, new) = (layouts.axes(before as u32), layouts.axes(after as u32));
        let same = old.common_prefix(new);
        let number = self.number_of_pair((AxisList::of(&old[same..]), AxisList::of(&new[same..])));
        self.change_of[before][after] = Some(number);
        number
    }
}

/// Plans a reshard of a tensor whose dims all shards divide.
fn price(prices: &mut Prices<'_>, changes: &[(AxisList, AxisList)], key: &Even) -> CollectiveCost {
    let mesh = &prices.placement.mesh;
    let changes = || key.changes.iter().map(|change| &changes[*change as usize]);
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
    let price = prices.reshard(&from, &to, &shape);
    // Of the whole tensor's bytes a shard has its part.
    CollectiveCost { per_byte: price.per_byte * shards as f64, ..price }
}

/// Plans a reshard as it is.
fn price_padded(prices: &mut Prices<'_>, key: &Padded) -> CollectiveCost {
    let [from, to] = [0, 1].map(|side| {
        let partial = key.partial[side];
        let lists = key.dims.iter().map(|(_, before, after)| [before, after][side].to_vec());
        let sharding = Sharding::of(lists);
        Sharding { partial: (!partial.is_empty()).then_some((Reduction::Sum, partial)), ..sharding }
    });
    let shape: Vec<usize> = key.dims.iter().map(|(size, ..)| *size).collect();
    prices.reshard(&from, &to, &shape)
}
